/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state dump: what the other routes answer, in one object (docs/reference/rest.md, section 8).
 *
 * Each part is a job of its own that is worked on in its slices and then put into the answer; so a part is as
 * consistent as the same answer alone, and the dump as a whole is not one instant.
 */
#include "base/log.h"
#include "scheduler/core.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"

enum form {
    WHOLE,   /* the answer is the value */
    ELEMENT, /* one answer per partition, each an element of the list */
    SPREAD,  /* the same, and the elements of the answers are those of the list */
    WRAPPED, /* the same, each in an object with the partition's name */
};

static const char *const all_states[] = {"active", "completed", "rejected", NULL};
static const char *const no_state[] = {"", NULL};

static const struct section {
    const char *key;
    enum yk_step (*work)(struct yk_job *job, int64_t until_mono_ns);
    enum form form;
    const char *const *states; /* one answer for each */
    const char *name_key, *items_key;
} sections[] = {
    {"partitions", yk__get_partitions, WHOLE, no_state, NULL, NULL},
    {"applications", yk__get_apps_by_state, SPREAD, all_states, NULL, NULL},
    {"nodes", yk__get_nodes, WRAPPED, no_state, "partitionName", "nodesInfo"},
    {"clusterInfo", yk__get_clusters, WHOLE, no_state, NULL, NULL},
    {"queues", yk__get_queue_tree, ELEMENT, no_state, NULL, NULL},
    {"config", yk__get_config, WHOLE, no_state, NULL, NULL},
    {"placementRules", yk__get_placement_rules, WRAPPED, no_state, "partition", "rules"},
};

struct dump {
    struct yk_vec names, full_names; /* of the partitions when it began; owned texts */
    size_t section, partition, state;
    bool list_is_open;
    struct yk_job *part; /* owned; NULL: the next one is to be made */
};

static void free_texts(struct yk_vec *texts)
{
    char *text;
    yk_vec_foreach (text, texts)
        free(text);
    yk_vec_done(texts);
}

static void dump_free(void *own)
{
    struct dump *dump = own;
    yk_job_free(dump->part);
    free_texts(&dump->names);
    free_texts(&dump->full_names);
    free(dump);
}

static enum yk_log_level level_of_core(void)
{
    return (enum yk_log_level)atomic_load_explicit(&YK_LOGGER(yk_log_core)->level, memory_order_relaxed);
}

static struct dump *begin(struct yk_job *job)
{
    struct dump *dump = yk_new0(struct dump);
    const struct yk_partition *partition;
    job->own = dump;
    job->own_free = dump_free;
    yk_vec_foreach (partition, &job->core->partitions) {
        yk_vec_append(&dump->names, yk_strdup(partition->name));
        yk_vec_append(&dump->full_names, yk_strdup(partition->full_name));
    }
    yk_json_object_begin(&job->json);
    yk_json_add_int(&job->json, "timestamp", yk_core_now(job->core));
    yk_json_add_text(&job->json, "logLevel", yk_log_level_word(level_of_core()));
    return dump;
}

/* ---- a part ---- */

static struct yk_job *new_part(const struct yk_job *job, const struct dump *dump)
{
    const struct section *section = &sections[dump->section];
    struct yk_job *part = yk_job_new();
    part->core = job->core;
    part->clock = job->clock;
    part->request.accept = YK_STR("application/json");
    part->request.match.params[YK_PARAM_STATE] = yk_str_from(section->states[dump->state]);
    if (section->form != WHOLE)
        part->request.match.params[YK_PARAM_PARTITION] = yk_str_from(dump->full_names.items[dump->partition]);
    return part;
}

static void open_list(struct yk_job *job, struct dump *dump)
{
    if (dump->list_is_open)
        return;
    yk_json_key(&job->json, sections[dump->section].key);
    yk_json_array_begin(&job->json);
    dump->list_is_open = true;
}

/* Of a list: what is between its brackets. */
static struct yk_str elements_of(struct yk_str list)
{
    return list.len >= 2 ? yk_str_trim((struct yk_str){list.p + 1, list.len - 2}) : (struct yk_str){0};
}

static void put_wrapped(struct yk_job *job, const struct dump *dump, struct yk_str value)
{
    const struct section *section = &sections[dump->section];
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, section->name_key, dump->names.items[dump->partition]);
    if (elements_of(value).len > 0) {
        yk_json_key(&job->json, section->items_key);
        yk_json_raw(&job->json, value);
    }
    yk_json_object_end(&job->json);
}

/* Empty ones are left out; so is what was refused, because its partition has gone. */
static void put_part(struct yk_job *job, struct dump *dump)
{
    const struct section *section = &sections[dump->section];
    struct yk_str value = yk_str_trim(yk_buf_view(&dump->part->answer.body));
    if (dump->part->answer.status != 200 || value.len == 0)
        return;
    if (dump->part->answer.body.failed)
        job->answer.body.failed = true;
    switch (section->form) {
    case WHOLE:
        if (elements_of(value).len == 0)
            return;
        yk_json_key(&job->json, section->key);
        yk_json_raw(&job->json, value);
        return;
    case SPREAD:
        value = elements_of(value);
        if (value.len == 0)
            return;
        open_list(job, dump);
        yk_json_raw(&job->json, value);
        return;
    case ELEMENT:
        open_list(job, dump);
        yk_json_raw(&job->json, value);
        return;
    case WRAPPED:
        open_list(job, dump);
        put_wrapped(job, dump, value);
        return;
    }
}

/* By state, then partition, then section. False: that was the last one. */
static bool advance(struct yk_job *job, struct dump *dump)
{
    const struct section *section = &sections[dump->section];
    if (section->states[++dump->state] != NULL)
        return true;
    dump->state = 0;
    if (section->form != WHOLE && ++dump->partition < dump->names.count)
        return true;
    dump->partition = 0;
    if (dump->list_is_open)
        yk_json_array_end(&job->json);
    dump->list_is_open = false;
    return ++dump->section < YK_COUNT(sections);
}

/* ---- the resource managers' part ---- */

static void put_state_of(struct yk_job *job, const struct yk_rm *rm)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf state = {.max = YK_ANSWER_BODY_MAX};
    if (rm->callbacks.state_dump == NULL) {
        yk_json_object_begin(&job->json);
        yk_json_add_text(&job->json, "empty", "Resource Manager did not register callback");
        yk_json_object_end(&job->json);
        return;
    }
    rm->callbacks.state_dump(rm->context, &state);
    if (state.failed) {
        yk_json_object_begin(&job->json);
        yk_json_add_text(&job->json, "Error", "the state is larger than this server gives");
        yk_json_object_end(&job->json);
        return;
    }
    yk_json_raw(&job->json, yk_buf_view(&state));
}

/* Of several: by their ids. */
static void put_diagnostics(struct yk_job *job)
{
    const struct yk_vec *rms = &job->core->rms;
    const struct yk_rm *rm;
    if (rms->count == 0)
        return;
    yk_json_key(&job->json, "rmDiagnostics");
    if (rms->count == 1) {
        put_state_of(job, rms->items[0]);
        return;
    }
    yk_json_object_begin(&job->json);
    yk_vec_foreach (rm, rms) {
        yk_json_key(&job->json, rm->id);
        put_state_of(job, rm);
    }
    yk_json_object_end(&job->json);
}

enum yk_step yk__get_state_dump(struct yk_job *job, int64_t until_mono_ns)
{
    struct dump *dump = job->own != NULL ? job->own : begin(job);
    do {
        if (dump->part == NULL)
            dump->part = new_part(job, dump);
        enum yk_step step = sections[dump->section].work(dump->part, until_mono_ns);
        if (step == YK_STEP_SORT) {
            job->sorting = dump->part->sorting;
            job->sort_as_paths = dump->part->sort_as_paths;
        }
        if (step != YK_STEP_DONE)
            return step;
        put_part(job, dump);
        yk_job_free(yk_move(dump->part));
        if (!advance(job, dump)) {
            put_diagnostics(job);
            yk_json_object_end(&job->json);
            yk_buf_char(&job->answer.body, '\n');
            return YK_STEP_DONE;
        }
    } while (!yk_job_must_pause(job, until_mono_ns));
    return YK_STEP_AGAIN;
}

/* ---- for people to read ---- */

static void new_line(struct yk_buf *out, size_t depth)
{
    yk_buf_char(out, '\n');
    for (size_t i = 0; i < depth; i++)
        yk_buf_text(out, "  ");
}

/* The end of the string that begins at `at`. */
static size_t end_of_string(struct yk_str text, size_t at)
{
    for (at++; at < text.len && text.p[at] != '"'; at++)
        at += text.p[at] == '\\';
    return YK_MIN(at + 1, text.len);
}

/* Valid JSON, without blanks between its parts, in lines and two blanks per level. */
static void indent_json(struct yk_str text, struct yk_buf *out)
{
    size_t depth = 0;
    for (size_t at = 0; at < text.len; at++) {
        char c = text.p[at];
        bool closes_next = at + 1 < text.len && (text.p[at + 1] == '}' || text.p[at + 1] == ']');
        if (c == '"') {
            size_t end = end_of_string(text, at);
            yk_buf_add(out, text.p + at, end - at);
            at = end - 1;
        } else if ((c == '{' || c == '[') && !closes_next) {
            yk_buf_char(out, c);
            new_line(out, ++depth);
        } else if (c == '{' || c == '[') { /* an empty one stays on its line */
            yk_buf_add(out, text.p + at++, 2);
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
            new_line(out, depth);
            yk_buf_char(out, c);
        } else if (c == ',') {
            yk_buf_char(out, c);
            new_line(out, depth);
        } else if (c == ':') {
            yk_buf_text(out, ": ");
        } else {
            yk_buf_char(out, c);
        }
    }
}

void yk__finish_state_dump(struct yk_job *job)
{
    struct yk_buf indented = {.max = YK_ANSWER_BODY_MAX};
    if (job->answer.status != 200 || job->answer.body.failed)
        return;
    indent_json(yk_buf_view(&job->answer.body), &indented);
    yk_buf_done(&job->answer.body);
    job->answer.body = indented;
}

/* Where it was before 1.9. */
enum yk_step yk__get_old_state_dump(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    yk_answer_redirect(&job->answer, 301, YK_STR("/debug/fullstatedump"), job->request.target.query, true);
    return YK_STEP_DONE;
}
