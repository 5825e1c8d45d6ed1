/* SPDX-License-Identifier: Apache-2.0 */
#include "web/list.h"

#include "scheduler/core.h"

enum { STAGE_OPEN, STAGE_BEGIN, STAGE_ITEMS };

struct yk_partition *yk_list_partition(const struct yk_job *job)
{
    return yk_core_find_partition(job->core, yk_job_param(job, YK_PARAM_PARTITION));
}

/* The errors are what Go's strconv says, since clients have seen nothing else. */
bool yk_list_read_number(struct yk_job *job, const char *key, uint64_t *number)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, message = {0};
    if (!yk_query_get(job->request.target.query, key, &text) || text.len == 0)
        return true;
    size_t digits = strspn(yk_buf_cstr(&text), "0123456789");
    if (digits == text.len && yk_str_to_u64(yk_buf_view(&text), number) == YK_OK)
        return true;
    yk_buf_printf(&message, "strconv.ParseUint: parsing \"%s\": %s", yk_buf_cstr(&text),
                  digits == text.len ? "value out of range" : "invalid syntax");
    yk_answer_error(&job->answer, 400, yk_buf_cstr(&message));
    return false;
}

/* `limit` and `offset` of the query. False: refused with 400. */
static bool list_window(struct yk_job *job)
{
    uint64_t limit = UINT64_MAX, offset = 0;
    if (!yk_list_read_number(job, "limit", &limit) || !yk_list_read_number(job, "offset", &offset))
        return false;
    job->at = (size_t)YK_MIN(offset, (uint64_t)SIZE_MAX);
    job->end = (size_t)YK_MIN(limit, (uint64_t)SIZE_MAX); /* a count until the names are known */
    return true;
}

static enum yk_step open_list(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    switch (kind->open(job, until_mono_ns)) {
    case YK_LIST_REFUSED:
        return YK_STEP_DONE;
    case YK_LIST_MORE:
        return YK_STEP_AGAIN;
    case YK_LIST_READY:
        break;
    }
    job->at = 0;
    job->end = SIZE_MAX;
    if (kind->has_window && !list_window(job))
        return YK_STEP_DONE;
    job->sorting = &job->names;
    job->sort_as_paths = kind->as_paths;
    job->stage = STAGE_BEGIN;
    return YK_STEP_SORT;
}

static void begin(struct yk_job *job, const struct yk_list_kind *kind)
{
    job->at = YK_MIN(job->at, job->names.count);
    job->end = YK_MIN(job->end, job->names.count - job->at) + job->at;
    job->stage = STAGE_ITEMS;
    if (kind->begin != NULL)
        kind->begin(job);
    else if (kind->not_found == NULL)
        yk_json_array_begin(&job->json);
}

static void end(struct yk_job *job, const struct yk_list_kind *kind)
{
    if (kind->end != NULL) {
        kind->end(job);
        return;
    }
    if (kind->not_found != NULL && job->answer.body.len == 0) {
        yk_answer_error(&job->answer, 404, kind->not_found);
        return;
    }
    if (kind->not_found == NULL)
        yk_json_array_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
}

enum yk_step yk_list_work(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    if (job->stage == STAGE_OPEN)
        return open_list(job, kind, until_mono_ns);
    if (job->stage == STAGE_BEGIN)
        begin(job, kind);
    while (job->at < job->end && !job->answer.body.failed) {
        enum yk_step step = kind->item(job, &job->names.items[job->at], until_mono_ns);
        if (job->stage == STAGE_OPEN) /* what was collected holds no more: from the start */
            return YK_STEP_AGAIN;
        if (step != YK_STEP_DONE)
            return step;
        job->at++;
        if (job->at < job->end && yk_job_must_pause(job, until_mono_ns))
            return YK_STEP_AGAIN;
    }
    enum yk_step step = kind->tail != NULL ? kind->tail(job, until_mono_ns) : YK_STEP_DONE;
    if (step == YK_STEP_DONE)
        end(job, kind);
    return step;
}
