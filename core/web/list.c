/* SPDX-License-Identifier: Apache-2.0 */
#include "web/list.h"

#include "scheduler/core.h"

enum { STAGE_OPEN, STAGE_SORTED, STAGE_ITEMS };
/* a list writes at most twice the number of entries that it had at its beginning, and this many more */
enum { MORE_MAX = 1000 };

struct yk_partition *yk_list_partition(const struct yk_job *job)
{
    return yk_core_find_partition(job->core, yk_job_param(job, YK_PARAM_PARTITION));
}

/* The error texts are those of Go's strconv, which clients know from YuniKorn. */
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

/* ---- windows of names ---- */

/* Whether entries have ranks is known only when the names are collected, so the place of `after` is a
 * guess. */
static void guess_start(struct yk_job *job)
{
    struct yk_list_walk *walk = &job->walk;
    const struct yk_selection *selection = &job->selection;
    if (selection->after.len == 0)
        return;
    job->names.wanted = yk_buf_view(&selection->after);
    walk->has_start = true;
    if (!yk_selection_after(selection, true, &walk->start_rank, &walk->start_text))
        (void)yk_selection_after(selection, false, &walk->start_rank, &walk->start_text); /* true */
}

static void go_to_start(struct yk_job *job)
{
    const struct yk_list_walk *walk = &job->walk;
    job->stage = STAGE_OPEN;
    job->cursor = NULL;
    if (walk->has_start)
        yk_names_go_to(&job->names, walk->start_rank, walk->start_text, true);
    else
        yk_names_go_to_start(&job->names);
}

/* False: this was the last window. */
static bool go_to_next(struct yk_job *job)
{
    if (!yk_names_go_on(&job->names))
        return false;
    job->stage = STAGE_OPEN;
    job->cursor = NULL;
    return true;
}

static void open_window(struct yk_job *job, const struct yk_list_kind *kind)
{
    struct yk_list_walk *walk = &job->walk;
    if (walk->is_open)
        return;
    walk->is_open = true;
    walk->limit = UINT64_MAX;
    yk_selection_read(&job->selection, job->request.target.query);
    job->names.as_paths = kind->as_paths;
    job->names.window = walk->window > 0 ? walk->window : YK_NAMES_WINDOW_BYTES;
    if (kind->has_page)
        guess_start(job);
    go_to_start(job);
}

/* If the partition or queue is gone after a part of the list was written, the list ends, and the error that
 * `open` makes is dropped. */
static enum yk_list_open collect(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    if (!job->walk.is_begun)
        return kind->open(job, until_mono_ns);
    struct yk_answer written = job->answer;
    yk_answer_init(&job->answer);
    enum yk_list_open open = kind->open(job, until_mono_ns);
    yk_answer_done(&job->answer);
    job->answer = written;
    if (open != YK_LIST_REFUSED)
        return open;
    yk_names_clear(&job->names);
    return YK_LIST_READY;
}

static enum yk_step open_list(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    open_window(job, kind);
    switch (collect(job, kind, until_mono_ns)) {
    case YK_LIST_REFUSED:
        return YK_STEP_DONE;
    case YK_LIST_MORE:
        return YK_STEP_AGAIN;
    case YK_LIST_READY:
        break;
    }
    job->sorting = &job->names;
    job->stage = STAGE_SORTED;
    return YK_STEP_SORT;
}

void yk_list_collect_again(struct yk_job *job, const struct yk_name_entry *entry)
{
    struct yk_list_walk *walk = &job->walk;
    walk->limit += YK_MIN((uint64_t)(job->end - job->at), UINT64_MAX - walk->limit);
    walk->most += job->end - job->at;
    job->cursor = NULL;
    job->stage = STAGE_OPEN;
    yk_names_go_to(&job->names, entry->rank, entry->text, false);
}

/* ---- pages ---- */

bool yk_list_check_filters(struct yk_job *job)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (!job->selection.too_many_filters)
        return true;
    yk_buf_printf(&text, "At most %d filters are allowed", YK_FILTERS_MAX);
    yk_answer_error(&job->answer, 400, yk_buf_cstr(&text));
    return false;
}

/* False: the answer is the error 400. */
static bool read_page(struct yk_job *job)
{
    if (job->selection.bad_view) {
        yk_answer_error(&job->answer, 400, "Only following views are allowed: summary");
        return false;
    }
    return yk_list_check_filters(job) && yk_list_read_number(job, "limit", &job->walk.limit) &&
           yk_list_read_number(job, "offset", &job->walk.offset);
}

/* False: the answer is the error 410. */
static bool find_start(struct yk_job *job)
{
    struct yk_list_walk *walk = &job->walk;
    const struct yk_names *names = &job->names;
    if (!walk->has_start)
        return true;
    if (names->is_found) {
        walk->start_rank = names->found_rank;
        walk->start_text = names->wanted;
    } else if (!yk_selection_after(&job->selection, names->is_ranked, &walk->start_rank, &walk->start_text)) {
        yk_answer_error(&job->answer, 410,
                        "the entry that \"after\" names is gone: start again, or use X-Next-After");
        return false;
    }
    return true;
}

static bool is_at_start(const struct yk_job *job)
{
    const struct yk_list_walk *walk = &job->walk;
    const struct yk_name_place *from = &job->names.from;
    return walk->has_start == from->is_set &&
           (!walk->has_start ||
            (from->rank == walk->start_rank && yk_str_eq(yk_buf_view(&from->text), walk->start_text)));
}

/* The number of entries of the list. If the list is one window, duplicates were removed and are not
 * counted. */
static uint64_t count_all(const struct yk_names *names)
{
    return names->from.is_set || names->bound.is_set ? names->seen : names->count;
}

static uint64_t count_behind(const struct yk_names *names)
{
    return names->bound.is_set ? names->behind : names->count;
}

/* Finds the last entry of a page that ends before the list does. It may be in another window. The next page
 * begins behind it. */
static void find_end(struct yk_job *job)
{
    struct yk_list_walk *walk = &job->walk;
    uint64_t behind = count_behind(&job->names);
    bool is_last = walk->offset >= behind || walk->limit >= behind - walk->offset;
    if (walk->limit == 0 || is_last)
        return;
    uint64_t last = walk->offset + walk->limit - 1;
    if (last < job->names.count)
        yk_selection_put_after(&job->names.items[last], &job->answer.next_after);
    else
        walk->seeks_end = true;
    walk->left = last;
}

static void set_end(struct yk_job *job, const struct yk_name_entry *entry)
{
    struct yk_list_walk *walk = &job->walk;
    yk_selection_put_after(entry, &job->answer.next_after);
    walk->has_end = true;
    walk->end_rank = entry->rank;
    walk->end_text = yk_arena_str(&job->request.arena, entry->text);
    walk->limit = UINT64_MAX;
}

/* The number of entries of the window up to the last one of the page. */
static size_t count_to_end(const struct yk_job *job)
{
    const struct yk_names *names = &job->names;
    const struct yk_list_walk *walk = &job->walk;
    size_t from = 0, to = names->count;
    while (walk->has_end && from < to) {
        size_t middle = from + (to - from) / 2;
        if (yk_names_compare(names, &names->items[middle], walk->end_rank, walk->end_text) <= 0)
            from = middle + 1;
        else
            to = middle;
    }
    return walk->has_end ? from : names->count;
}

/* Skips windows until the one with the last entry of the page; then the list begins again. */
static void seek_end(struct yk_job *job)
{
    struct yk_list_walk *walk = &job->walk;
    if (walk->left < job->names.count) {
        set_end(job, &job->names.items[walk->left]);
    } else {
        walk->left -= job->names.count;
        if (go_to_next(job))
            return;
    }
    walk->seeks_end = false;
    go_to_start(job);
}

/* Called when all names have been seen. False: the answer is an error. */
static bool count_list(struct yk_job *job)
{
    struct yk_list_walk *walk = &job->walk;
    if (job->answer.total_count < 0)
        job->answer.total_count = (int64_t)YK_MIN(count_all(&job->names), (uint64_t)INT64_MAX);
    if (!read_page(job) || !find_start(job))
        return false;
    if (!is_at_start(job)) { /* the page begins elsewhere than guess_start() assumed */
        go_to_start(job);
        return true;
    }
    walk->is_counted = true;
    find_end(job);
    return true;
}

/* ---- entries ---- */

static void begin(struct yk_job *job, const struct yk_list_kind *kind)
{
    if (job->walk.is_begun)
        return;
    job->walk.is_begun = true;
    if (kind->has_page && job->selection.fields.len > 0)
        yk_json_only(&job->json, yk_buf_view(&job->selection.fields), 2);
    if (kind->begin != NULL)
        kind->begin(job);
    else if (kind->not_found == NULL)
        yk_json_array_begin(&job->json);
}

static void begin_window(struct yk_job *job, const struct yk_list_kind *kind)
{
    struct yk_list_walk *walk = &job->walk;
    size_t count = count_to_end(job);
    walk->is_end_here = count < job->names.count;
    if (walk->offset >= count && walk->limit > 0 && job->names.bound.is_set && !walk->is_end_here) {
        walk->offset -= count;
        (void)go_to_next(job); /* there is a next window */
        return;
    }
    job->stage = STAGE_ITEMS;
    job->at = (size_t)YK_MIN(walk->offset, (uint64_t)count);
    uint64_t most = YK_MIN(walk->limit, walk->most);
    job->end = job->at + (size_t)YK_MIN(most, (uint64_t)(count - job->at));
    walk->offset = 0;
    walk->limit -= job->end - job->at;
    walk->most -= job->end - job->at;
    begin(job, kind);
}

/* YK_STEP_DONE: the answer is an error. */
static enum yk_step look_at_window(struct yk_job *job, const struct yk_list_kind *kind)
{
    struct yk_list_walk *walk = &job->walk;
    if (walk->most == 0)
        walk->most = 2 * count_behind(&job->names) + MORE_MAX;
    if (kind->has_page && !walk->is_counted && !count_list(job))
        return YK_STEP_DONE;
    if (job->stage == STAGE_SORTED && walk->seeks_end)
        seek_end(job);
    if (job->stage == STAGE_SORTED)
        begin_window(job, kind);
    return YK_STEP_AGAIN;
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

static enum yk_step write_window(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    while (job->at < job->end && !job->answer.body.failed) {
        enum yk_step step = kind->item(job, &job->names.items[job->at], until_mono_ns);
        if (job->stage == STAGE_OPEN) /* `item` has called yk_list_collect_again() */
            return YK_STEP_AGAIN;
        if (step != YK_STEP_DONE)
            return step;
        job->at++;
        bool is_full = job->answer.body.len >= YK_PIECE_BYTES;
        if (job->at < job->end && (is_full || yk_job_must_pause(job, until_mono_ns)))
            return YK_STEP_AGAIN;
    }
    bool has_more = job->walk.limit > 0 && job->walk.most > 0 && !job->walk.is_end_here;
    if (has_more && !job->answer.body.failed && go_to_next(job))
        return YK_STEP_AGAIN;
    enum yk_step step = kind->tail != NULL ? kind->tail(job, until_mono_ns) : YK_STEP_DONE;
    if (step == YK_STEP_DONE)
        end(job, kind);
    return step;
}

static enum yk_step go_on(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    if (job->stage == STAGE_OPEN)
        return open_list(job, kind, until_mono_ns);
    if (job->stage == STAGE_SORTED) {
        enum yk_step step = look_at_window(job, kind);
        if (step == YK_STEP_DONE || job->stage != STAGE_ITEMS)
            return step;
    }
    return write_window(job, kind, until_mono_ns);
}

enum yk_step yk_list_work(struct yk_job *job, const struct yk_list_kind *kind, int64_t until_mono_ns)
{
    yk_json_go_on(&job->json);
    enum yk_step step = go_on(job, kind, until_mono_ns);
    yk_json_pause(&job->json);
    return step;
}
