/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state dump: one object with the answers of many other routes (docs/reference/rest.md 12.2).
 *
 * Each part is a job of its own. Its work runs in slices, and its text is moved to the answer in pieces. So a
 * part is as consistent as the answer of its route, and the parts are from different moments.
 */
#include "base/log.h"
#include "scheduler/core.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"

enum form {
    WHOLE,   /* the answer is the value */
    ELEMENT, /* one answer per partition, each an element of the list */
    SPREAD,  /* one answer per partition, a list; all elements become elements of one list */
    WRAPPED, /* one answer per partition, each in an object with the name of the partition */
};

static const char *const all_states[] = {"active", "completed", "rejected", NULL};
static const char *const no_state[] = {"", NULL};

static const struct section {
    const char *key;
    enum yk_step (*work)(struct yk_job *job, int64_t until_mono_ns);
    enum form form;
    const char *const *states; /* one answer for each state; no_state: one answer */
    const char *name_key, *items_key;
} sections[] = {
    {"partitions", yk__get_partitions, WHOLE, no_state, NULL, NULL},
    {"applications", yk__get_apps_by_state, SPREAD, all_states, NULL, NULL},
    {"nodes", yk__get_nodes, WRAPPED, no_state, "partitionName", "nodesInfo"},
    {"clusterInfo", yk__get_clusters, WHOLE, no_state, NULL, NULL},
    {"queues", yk__get_queue_tree, ELEMENT, no_state, NULL, NULL},
    {"config", yk__get_config, WHOLE, no_state, NULL, NULL},
    {"configHistory", yk__get_config_history, WHOLE, no_state, NULL, NULL},
    {"placementRules", yk__get_placement_rules, WRAPPED, no_state, "partition", "rules"},
};

struct dump {
    struct yk_vec names, full_names; /* of the partitions when the dump began; owned texts */
    size_t section, partition, state;
    bool list_is_open;
    struct yk_job *part; /* owned; NULL: the next part has to be begun */
    bool part_is_open;   /* the answer already has text of the part */
    /* For the part of the resource managers. */
    size_t rm;
    bool rms_are_open, rm_is_open, by_id;
    struct yk_si_dump rm_dump;
    struct yk_json rm_json;
    /* On the I/O thread: state of yk__shape_state_dump(). */
    struct indenter {
        size_t depth;
        bool opened; /* the last character was an opening bracket */
        bool in_text, escaped;
    } indenter;
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
    part->walk.window = job->walk.window;
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

/* The text between the brackets of a list. */
static struct yk_str elements_of(struct yk_str list)
{
    return list.len >= 2 ? yk_str_trim((struct yk_str){list.p + 1, list.len - 2}) : (struct yk_str){0};
}

/* Not called for an empty part, unless it is WRAPPED. */
static void open_part(struct yk_job *job, struct dump *dump)
{
    const struct section *section = &sections[dump->section];
    dump->part_is_open = true;
    if (section->form == WHOLE) {
        yk_json_key(&job->json, section->key);
        return;
    }
    open_list(job, dump);
    if (section->form != WRAPPED)
        return;
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, section->name_key, dump->names.items[dump->partition]);
}

static void put_bytes(struct yk_job *job, struct dump *dump, struct yk_str bytes)
{
    const struct section *section = &sections[dump->section];
    if (dump->part_is_open) {
        yk_buf_str(&job->answer.body, bytes);
        return;
    }
    open_part(job, dump);
    if (section->form == WRAPPED)
        yk_json_key(&job->json, section->items_key);
    if (section->form == SPREAD && bytes.len > 0) { /* leaves out the opening bracket of its list */
        bytes.p++;
        bytes.len--;
    }
    yk_json_raw(&job->json, bytes);
}

/* Moves the text of the part to the answer if it is long. The last bytes stay, because they may be the end of
 * a list. */
static void move_piece(struct yk_job *job, struct dump *dump)
{
    enum { HELD_BACK = 2 }; /* a bracket and a newline */
    struct yk_buf *body = &dump->part->answer.body;
    if (dump->part->answer.status != 200 || body->len < YK_PIECE_BYTES)
        return;
    struct yk_str all = yk_buf_view(body);
    put_bytes(job, dump, (struct yk_str){all.p, all.len - HELD_BACK});
    memmove(body->p, body->p + body->len - HELD_BACK, HELD_BACK);
    body->len = HELD_BACK;
    body->p[HELD_BACK] = '\0';
    dump->part->poured = true;
}

/* The last text of a part, without its newline, and for SPREAD without the closing bracket. */
static struct yk_str end_of_part(const struct dump *dump)
{
    struct yk_str rest = yk_buf_view(&dump->part->answer.body);
    if (rest.len > 0 && rest.p[rest.len - 1] == '\n')
        rest.len--;
    if (sections[dump->section].form == SPREAD && rest.len > 0)
        rest.len--;
    return rest;
}

/* Ends a part. A part that was refused, for example because its partition is gone, is left out; if some of it
 * is in the answer already, the whole dump fails. An empty part is left out, too; only if it is WRAPPED, an
 * object without `items_key` is written. */
static void end_part(struct yk_job *job, struct dump *dump)
{
    const struct section *section = &sections[dump->section];
    struct yk_str value = yk_str_trim(yk_buf_view(&dump->part->answer.body));
    bool is_list = section->form == SPREAD || section->form == WRAPPED || section->form == WHOLE;
    bool has_some = dump->part->answer.status == 200 && value.len > 0 &&
                    (!is_list || dump->part_is_open || elements_of(value).len > 0);
    if (dump->part->answer.body.failed)
        job->answer.body.failed = true;
    if (dump->part->answer.status != 200 && dump->part_is_open)
        job->answer.body.failed = true; /* some of the part is in the answer */
    if (has_some)
        put_bytes(job, dump, end_of_part(dump));
    else if (section->form == WRAPPED && dump->part->answer.status == 200 && value.len > 0)
        open_part(job, dump);
    if (dump->part_is_open && section->form == WRAPPED)
        yk_json_object_end(&job->json);
    dump->part_is_open = false;
}

/* False: there is no next part. */
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

static void put_silent(struct yk_job *job)
{
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "empty", "Resource Manager did not register callback");
    yk_json_object_end(&job->json);
}

/* One JSON writer writes all pieces of a resource manager. */
static void begin_rm(struct yk_job *job, struct dump *dump)
{
    yk_json_raw(&job->json, YK_STR(""));
    yk_json_init(&dump->rm_json, &job->answer.body);
    dump->rm_dump = (struct yk_si_dump){0};
    dump->rm_is_open = true;
}

/* True: more follows. If the resource manager has registered again since the last piece, the rest comes from
 * the new registration. */
static bool put_rm(struct yk_job *job, struct dump *dump, const struct yk_rm *rm, int64_t until_mono_ns)
{
    if (!dump->rm_is_open && rm->callbacks.state_dump == NULL) {
        put_silent(job);
        return false;
    }
    if (!dump->rm_is_open)
        begin_rm(job, dump);
    while (rm->callbacks.state_dump != NULL &&
           rm->callbacks.state_dump(rm->context, &dump->rm_dump, &dump->rm_json)) {
        if (job->answer.body.len >= YK_PIECE_BYTES || yk_job_must_pause(job, until_mono_ns))
            return true;
    }
    yk_json_end_all(&dump->rm_json); /* a resource manager that is gone has left its value open */
    dump->rm_is_open = false;
    return false;
}

/* If there are several resource managers, their diagnostics are in an object by id. True: more follows. */
static bool put_diagnostics(struct yk_job *job, struct dump *dump, int64_t until_mono_ns)
{
    const struct yk_vec *rms = &job->core->rms;
    if (!dump->rms_are_open && rms->count == 0)
        return false;
    if (!dump->rms_are_open)
        yk_json_key(&job->json, "rmDiagnostics");
    dump->by_id = dump->rms_are_open ? dump->by_id : rms->count > 1;
    if (!dump->rms_are_open && dump->by_id)
        yk_json_object_begin(&job->json);
    dump->rms_are_open = true;
    for (; dump->rm < YK_MAX(rms->count, (size_t)1); dump->rm++) {
        const struct yk_rm *rm = dump->rm < rms->count ? rms->items[dump->rm] : NULL;
        if (rm == NULL) { /* all resource managers are gone, maybe before one had written its whole value */
            if (dump->rm_is_open)
                yk_json_end_all(&dump->rm_json);
            else if (!dump->by_id)
                yk_json_null(&job->json);
            break;
        }
        if (dump->by_id && !dump->rm_is_open)
            yk_json_key(&job->json, rm->id);
        if (put_rm(job, dump, rm, until_mono_ns))
            return true;
        if (!dump->by_id)
            break;
    }
    if (dump->by_id)
        yk_json_object_end(&job->json);
    return false;
}

static enum yk_step end(struct yk_job *job, struct dump *dump, int64_t until_mono_ns)
{
    if (put_diagnostics(job, dump, until_mono_ns))
        return YK_STEP_AGAIN;
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

enum yk_step yk__get_state_dump(struct yk_job *job, int64_t until_mono_ns)
{
    struct dump *dump = job->own != NULL ? job->own : begin(job);
    while (dump->section < YK_COUNT(sections)) {
        if (dump->part == NULL)
            dump->part = new_part(job, dump);
        enum yk_step step = sections[dump->section].work(dump->part, until_mono_ns);
        if (step == YK_STEP_SORT)
            job->sorting = dump->part->sorting;
        if (step != YK_STEP_DONE) {
            move_piece(job, dump);
            return step;
        }
        end_part(job, dump);
        yk_job_free(yk_move(dump->part));
        (void)advance(job, dump);
        if (yk_job_must_pause(job, until_mono_ns))
            return YK_STEP_AGAIN;
    }
    return end(job, dump, until_mono_ns);
}

/* ---- for people to read ---- */

static void new_line(struct yk_buf *out, size_t depth)
{
    yk_buf_char(out, '\n');
    for (size_t i = 0; i < depth; i++)
        yk_buf_text(out, "  ");
}

static void put_of_text(struct indenter *indenter, struct yk_buf *out, char c)
{
    indenter->in_text = indenter->escaped || c != '"';
    indenter->escaped = !indenter->escaped && c == '\\';
    yk_buf_char(out, c);
}

/* Writes a character outside of strings. The line break after an opening bracket is written with the next
 * character, because an empty object or list stays on one line. */
static void put_char(struct indenter *indenter, struct yk_buf *out, char c)
{
    bool closes = c == '}' || c == ']', was_opened = indenter->opened;
    if (was_opened && !closes)
        new_line(out, ++indenter->depth);
    indenter->opened = c == '{' || c == '[';
    if (closes && !was_opened) {
        indenter->depth -= indenter->depth > 0;
        new_line(out, indenter->depth);
    }
    yk_buf_char(out, c);
    indenter->in_text = c == '"';
    if (c == ',')
        new_line(out, indenter->depth);
    else if (c == ':')
        yk_buf_char(out, ' ');
}

/* Formats the body in lines, indented by two blanks per level. The body is valid JSON without white space
 * between its parts. */
void yk__shape_state_dump(struct yk_job *job, bool last)
{
    struct dump *dump = job->own;
    struct yk_buf indented = {.max = YK_ANSWER_BODY_MAX};
    if (dump == NULL || job->answer.body.failed)
        return;
    for (size_t at = 0; at < job->answer.body.len; at++) {
        char c = job->answer.body.p[at];
        if (dump->indenter.in_text)
            put_of_text(&dump->indenter, &indented, c);
        else if (last && c == '\n')
            yk_buf_char(&indented, c);
        else
            put_char(&dump->indenter, &indented, c);
    }
    yk_buf_done(&job->answer.body);
    job->answer.body = indented;
}

/* The path of the state dump before YuniKorn 1.9. */
enum yk_step yk__get_old_state_dump(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    yk_answer_redirect(&job->answer, 301, YK_STR("/debug/fullstatedump"), job->request.target.query, true);
    return YK_STEP_DONE;
}
