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

/* `limit`, `offset` and the rest of what a list takes. False: refused with 400. */
static bool list_window(struct yk_job *job)
{
    uint64_t limit = UINT64_MAX, offset = 0;
    if (job->selection.bad_view) {
        yk_answer_error(&job->answer, 400, "Only following views are allowed: summary");
        return false;
    }
    if (!yk_list_read_number(job, "limit", &limit) || !yk_list_read_number(job, "offset", &offset))
        return false;
    job->at = (size_t)YK_MIN(offset, (uint64_t)SIZE_MAX);
    job->end = (size_t)YK_MIN(limit, (uint64_t)SIZE_MAX); /* a count until the names are known */
    return true;
}

static enum yk_step open_list(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    yk_selection_read(&job->selection, job->request.target.query);
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
    if (kind->has_window && !job->resume.is_set && !list_window(job))
        return YK_STEP_DONE;
    job->sorting = &job->names;
    job->sort_as_paths = kind->as_paths;
    job->stage = STAGE_BEGIN;
    return YK_STEP_SORT;
}

/* The first entry that is not before the one that comes next. */
static void go_on_at(struct yk_job *job)
{
    size_t at = yk_names_find(&job->names, job->resume.rank, yk_str_from(job->resume.text));
    job->at = at;
    job->end = at + YK_MIN(job->left, job->names.count - at);
    job->resume.is_set = false;
}

void yk_list_collect_again(struct yk_job *job, const struct yk_name_entry *entry)
{
    free(job->resume.text);
    job->resume.text = yk_strndup(entry->text.p, entry->text.len);
    job->resume.rank = entry->rank;
    job->resume.is_set = true;
    job->left = job->end - job->at;
    job->cursor = NULL;
    job->stage = STAGE_OPEN;
    yk_names_clear(&job->names);
}

/* The page of the list, by key or by number. False: refused. */
static bool find_page(struct yk_job *job)
{
    if (job->page_is_gone) {
        yk_answer_error(&job->answer, 410,
                        "the entry that \"after\" names is gone: start again, or use X-Next-After");
        return false;
    }
    job->answer.total_count = (int64_t)job->names.count;
    job->at = YK_MIN(yk_size_add(job->page_start, job->at), job->names.count);
    job->end = YK_MIN(job->end, job->names.count - job->at) + job->at;
    if (job->end < job->names.count && job->end > job->at)
        yk_selection_put_after(&job->names.items[job->end - 1], &job->answer.next_after);
    if (job->selection.fields.len > 0)
        yk_json_only(&job->json, yk_buf_view(&job->selection.fields), 2);
    return true;
}

/* False: refused. */
static bool begin(struct yk_job *job, const struct yk_list_kind *kind)
{
    job->stage = STAGE_ITEMS;
    if (job->resume.is_set) {
        go_on_at(job);
        return true;
    }
    if (kind->has_window && !find_page(job))
        return false;
    if (!kind->has_window)
        job->end = job->names.count;
    if (kind->begin != NULL)
        kind->begin(job);
    else if (kind->not_found == NULL)
        yk_json_array_begin(&job->json);
    return true;
}

static void end(struct yk_job *job, const struct yk_list_kind *kind)
{
    if (kind->end != NULL) {
        kind->end(job);
        return;
    }
    if (kind->not_found != NULL && !yk_job_has_written(job)) {
        yk_answer_error(&job->answer, 404, kind->not_found);
        return;
    }
    if (kind->not_found == NULL)
        yk_json_array_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
}

/* What came back while the names were collected may have been met twice. */
static bool is_same_as_before(const struct yk_job *job)
{
    if (job->at == 0 || job->inner_stage != 0)
        return false;
    const struct yk_name_entry *entry = &job->names.items[job->at], *before = entry - 1;
    return entry->object == NULL && before->object == NULL && entry->rank == before->rank &&
           yk_str_eq(entry->text, before->text);
}

static enum yk_step go_on(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    if (job->stage == STAGE_OPEN)
        return open_list(job, kind, until_mono_ns);
    if (job->stage == STAGE_BEGIN && !begin(job, kind))
        return YK_STEP_DONE;
    while (job->at < job->end && !job->answer.body.failed) {
        if (is_same_as_before(job)) {
            job->at++;
            continue;
        }
        enum yk_step step = kind->item(job, &job->names.items[job->at], until_mono_ns);
        if (job->stage == STAGE_OPEN) /* what was collected holds no more: from the start */
            return YK_STEP_AGAIN;
        if (step != YK_STEP_DONE)
            return step;
        job->at++;
        bool is_full = job->answer.body.len >= YK_PIECE_BYTES;
        if (job->at < job->end && (is_full || yk_job_must_pause(job, until_mono_ns)))
            return YK_STEP_AGAIN;
    }
    enum yk_step step = kind->tail != NULL ? kind->tail(job, until_mono_ns) : YK_STEP_DONE;
    if (step == YK_STEP_DONE)
        end(job, kind);
    return step;
}

enum yk_step yk_list_work(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    yk_json_go_on(&job->json);
    enum yk_step step = go_on(job, kind, until_mono_ns);
    yk_json_pause(&job->json);
    return step;
}
