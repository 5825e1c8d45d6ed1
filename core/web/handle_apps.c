/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications: docs/reference/rest.md, endpoints 13 to 17. The checks of a request come in the order of 2.1.
 *
 * Live applications are looked up by id in each slice. Several ended or rejected applications may have the
 * same id, so pointers to them are stored. The pointers are valid until the sweep that frees expired
 * applications; after it, they are collected again.
 */
#include "web/list.h"
#include "web/routes_priv.h"
#include "web/show_priv.h"
#include "web/slots.h"
#include "web/tenant.h"

/* An application with more than ASKS_AT_ONCE asks is written in slices of its own. */
enum { ASKS_AT_ONCE = 512, APPS_AT_ONCE = 512, NAMES_PER_LOOK = 256, ASKS_PER_LOOK = 16 };

/* ---- checks ---- */

static struct yk_partition *find_partition(struct yk_job *job)
{
    struct yk_partition *partition = yk_list_partition(job);
    if (partition == NULL)
        yk_answer_error(&job->answer, 404, "Partition not found");
    return partition;
}

static struct yk_queue *find_queue(struct yk_job *job, const struct yk_partition *partition,
                                   struct yk_str path)
{
    struct yk_queue *queue = path.len > 0 ? yk_queue_find(partition->root, path) : NULL;
    if (queue == NULL)
        yk_answer_error(&job->answer, 404, "Queue not found");
    return queue;
}

static bool state_is(const struct yk_job *job, const char *wanted)
{
    return yk_str_is_nocase(yk_job_param(job, YK_PARAM_STATE), wanted);
}

/* Sets `status` to the parameter `status` of the query, in lower case; empty: every status. */
static void read_status(const struct yk_job *job, struct yk_buf *status)
{
    if (!yk_query_get(job->request.target.query, "status", status))
        return;
    for (size_t i = 0; i < status->len; i++) {
        if (status->p[i] >= 'A' && status->p[i] <= 'Z')
            status->p[i] = (char)(status->p[i] - 'A' + 'a');
    }
}

static bool check_status(struct yk_job *job)
{
    static const char *const known[] = {"new",        "accepted", "starting", "running",
                                        "completing", "failing",  "resuming"};
    YK_CLEANUP(yk_buf_done) struct yk_buf status = {0};
    read_status(job, &status);
    if (status.len == 0)
        return true;
    for (size_t i = 0; i < YK_COUNT(known); i++) {
        if (yk_str_is(yk_buf_view(&status), known[i]))
            return true;
    }
    yk_answer_error(&job->answer, 400,
                    "Only following active statuses are allowed: "
                    "new,accepted,starting,running,completing,failing,resuming");
    return false;
}

static bool has_status(const struct yk_app *app, struct yk_str status)
{
    return status.len == 0 || yk_str_is_nocase(status, yk_app_state_name(app->state));
}

/* ---- one live application ---- */

static struct yk_app *find_live(const struct yk_job *job, struct yk_str id)
{
    const struct yk_partition *partition = yk_list_partition(job);
    return partition != NULL ? yk_strmap_get(&partition->apps, id) : NULL;
}

enum { LARGE_NOT = 0, LARGE_REQUESTS, LARGE_IN_REQUESTS, LARGE_ALLOCATIONS, LARGE_IN_ALLOCATIONS };

static void open_large(struct yk_job *job, const struct yk_app *app)
{
    yk__show_app_open(&job->json, app);
    job->inner.window = job->names.window;
    yk_names_go_to_start(&job->inner);
    job->inner_stage = LARGE_REQUESTS;
    job->inner_is_ready = false;
    job->slots.at = 0;
}

static void take_ask(struct yk_job *job, const void *item)
{
    const struct yk_ask *ask = item;
    yk_names_add(&job->inner, yk_str_from(ask->key), 0, NULL);
}

/* `app` NULL: it is gone. False: the slice is over. */
static bool collect_asks(struct yk_job *job, const struct yk_app *app, int64_t until_mono_ns)
{
    if (app == NULL) {
        yk_names_clear(&job->inner);
        job->slots.at = 0; /* the place in the table of asks is no longer valid */
    } else if (!yk__walk_set(job, &app->asks, &job->inner, take_ask, until_mono_ns)) {
        return false;
    }
    job->inner_at = 0;
    job->inner_is_ready = true;
    return true;
}

static void show_one(struct yk_job *job, const struct yk_ask *ask)
{
    bool pending = yk__is_request(ask);
    if (pending != (job->inner_stage <= LARGE_IN_REQUESTS))
        return;
    if (job->inner_stage == LARGE_REQUESTS || job->inner_stage == LARGE_ALLOCATIONS) {
        yk_json_key(&job->json, pending ? "requests" : "allocations");
        yk_json_array_begin(&job->json);
        job->inner_stage++;
    }
    if (pending)
        yk__show_request(&job->json, ask);
    else
        yk__show_allocation(&job->json, ask);
}

/* Ends a pass over the asks. The first pass writes the requests, the second one the allocations. */
static void close_part(struct yk_job *job)
{
    if (job->inner_stage == LARGE_IN_REQUESTS || job->inner_stage == LARGE_IN_ALLOCATIONS)
        yk_json_array_end(&job->json);
    else
        job->inner_stage++;
    job->inner_stage = job->inner_stage == LARGE_IN_REQUESTS ? LARGE_ALLOCATIONS : LARGE_NOT;
    job->inner_at = 0;
    if (!job->inner.from.is_set)
        return; /* all asks are in memory */
    yk_names_go_to_start(&job->inner);
    job->inner_is_ready = false;
}

/* False: the slice is over, or a piece is complete. */
static bool show_asks(struct yk_job *job, const struct yk_app *app, int64_t until_mono_ns)
{
    while (job->inner_at < job->inner.count) {
        const struct yk_ask *ask =
            app != NULL ? yk_app_find_ask(app, job->inner.items[job->inner_at].text) : NULL;
        if (ask != NULL)
            show_one(job, ask);
        bool is_full = job->answer.body.len >= YK_PIECE_BYTES;
        if (++job->inner_at % ASKS_PER_LOOK == 0 && (is_full || yk_job_must_pause(job, until_mono_ns)))
            return false;
    }
    return true;
}

/* `app` NULL: it is gone. */
static enum yk_step go_on(struct yk_job *job, const struct yk_app *app, int64_t until_mono_ns)
{
    while (job->inner_stage != LARGE_NOT) {
        if (!job->inner_is_ready) {
            if (!collect_asks(job, app, until_mono_ns))
                return YK_STEP_AGAIN;
            job->sorting = &job->inner;
            return YK_STEP_SORT;
        }
        if (!show_asks(job, app, until_mono_ns))
            return YK_STEP_AGAIN;
        if (yk_names_go_on(&job->inner))
            job->inner_is_ready = false;
        else
            close_part(job);
    }
    yk_json_object_end(&job->json);
    return YK_STEP_DONE;
}

static enum yk_step show_live(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    const struct yk_app *app = find_live(job, entry->text);
    if (job->inner_stage != LARGE_NOT)
        return go_on(job, app, until_mono_ns);
    if (app == NULL)
        return YK_STEP_DONE;
    if (job->selection.summary) {
        yk__show_app_summary(&job->json, app);
        return YK_STEP_DONE;
    }
    if (app->asks.count > ASKS_AT_ONCE) {
        open_large(job, app);
        return go_on(job, app, until_mono_ns);
    }
    yk__show_app(&job->json, app);
    return YK_STEP_DONE;
}

/* ---- lists of live applications ---- */

struct wanted {
    struct yk_buf status;        /* empty: any */
    const struct yk_queue *leaf; /* NULL: the applications of all leaves */
};

static void wanted_done(struct wanted *wanted)
{
    yk_buf_done(&wanted->status);
}

static struct wanted read_wanted(const struct yk_job *job, const struct yk_queue *leaf)
{
    struct wanted wanted = {.leaf = leaf};
    if (yk_job_param(job, YK_PARAM_STATE).p != NULL)
        read_status(job, &wanted.status);
    return wanted;
}

static void take_app(struct yk_job *job, const void *item)
{
    const struct yk_app *app = item;
    const struct wanted *wanted = job->cursor;
    if ((wanted->leaf == NULL || app->leaf == wanted->leaf) &&
        has_status(app, yk_buf_view(&wanted->status)) && yk_tenant_shows(job, app->queue_path) &&
        yk_selection_has_app(&job->selection, app))
        yk_names_add(&job->names, yk_str_from(app->id), app->submit_wall_ns, NULL);
}

static bool is_first_of_app(const struct yk_node *node, const struct yk_ask *ask)
{
    const struct yk_ask *other;
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if (yk_ask_app(other) == yk_ask_app(ask))
            return other == ask;
    }
    return true;
}

static bool is_on_node(const struct yk_app *app, const struct yk_node *node)
{
    const struct yk_ask *ask;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        if (yk_ask_app(ask) == app)
            return true;
    }
    return false;
}

/* Whether the application has allocations on the nodes of all filters by node from the second one on. */
static bool is_on_other_nodes(const struct yk_job *job, const struct yk_partition *partition,
                              const struct yk_app *app)
{
    const char *id;
    for (size_t i = 1; (id = yk_selection_node(&job->selection, i)) != NULL; i++) {
        const struct yk_node *node = yk_strmap_get(&partition->nodes_by_id, yk_str_from(id));
        if (node == NULL || !is_on_node(app, node))
            return false;
    }
    return true;
}

static void collect_on_node(struct yk_job *job, const struct yk_partition *partition)
{
    const struct yk_node *node =
        yk_strmap_get(&partition->nodes_by_id, yk_str_from(yk_selection_node(&job->selection, 0)));
    const struct yk_ask *ask;
    if (node == NULL)
        return;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        if (is_first_of_app(node, ask) && is_on_other_nodes(job, partition, yk_ask_app(ask)))
            take_app(job, yk_ask_app(ask));
    }
}

/* False: there are too many for one step. */
static bool collect_few(struct yk_job *job, const struct yk_queue *leaf)
{
    const struct yk_app *app;
    size_t seen = 0;
    yk_list_foreach (app, &leaf->apps, struct yk_app, in_leaf) {
        if (++seen > APPS_AT_ONCE)
            return false;
        take_app(job, app);
    }
    return true;
}

/* `leaf` NULL: all leaves. If a leaf has many applications, the function walks over all applications of the
 * partition, because this can be done in slices. */
static enum yk_list_open collect_live(struct yk_job *job, const struct yk_partition *partition,
                                      const struct yk_queue *leaf, int64_t until_mono_ns)
{
    YK_CLEANUP(wanted_done) struct wanted wanted = read_wanted(job, leaf);
    bool is_complete = true;
    job->cursor = &wanted;
    if (yk_selection_node(&job->selection, 0) != NULL)
        collect_on_node(job, partition);
    else if (job->slots.at > 0 || leaf == NULL || !collect_few(job, leaf))
        is_complete = yk__walk_map(job, &partition->apps, &job->names, take_app, until_mono_ns);
    job->cursor = NULL;
    return is_complete ? YK_LIST_READY : YK_LIST_MORE;
}

static enum yk_list_open open_queue_apps(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    if (!yk__decode_queue(job, &path) || !yk__check_queue_name(job, yk_buf_view(&path)))
        return YK_LIST_REFUSED;
    const struct yk_partition *partition = find_partition(job);
    const struct yk_queue *queue = partition != NULL ? find_queue(job, partition, yk_buf_view(&path)) : NULL;
    if (queue == NULL)
        return YK_LIST_REFUSED;
    return collect_live(job, partition, queue, until_mono_ns);
}

static enum yk_list_open open_queue_state(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    const struct yk_partition *partition = find_partition(job);
    if (partition == NULL || !yk__decode_queue(job, &path) || !yk__check_queue_name(job, yk_buf_view(&path)))
        return YK_LIST_REFUSED;
    const struct yk_queue *queue = find_queue(job, partition, yk_buf_view(&path));
    if (queue == NULL)
        return YK_LIST_REFUSED;
    if (!state_is(job, "active")) {
        yk_answer_error(&job->answer, 400, "Only following application states are allowed: active");
        return YK_LIST_REFUSED;
    }
    if (!check_status(job))
        return YK_LIST_REFUSED;
    return collect_live(job, partition, queue, until_mono_ns);
}

static enum yk_list_open open_active(struct yk_job *job, const struct yk_partition *partition,
                                     int64_t until_mono_ns)
{
    if (!check_status(job))
        return YK_LIST_REFUSED;
    return collect_live(job, partition, NULL, until_mono_ns);
}

/* ---- ended and rejected applications ---- */

/* Whether no sweep has run since the applications were collected. The sequence number of the sweep's timer
 * differs between sweeps and between partitions. */
static bool still_holds(const struct yk_job *job, const struct yk_partition *partition)
{
    return partition != NULL && job->seen == partition->housekeeping.expired_sweep.sequence;
}

static enum yk_list_open collect_ended(struct yk_job *job, const struct yk_partition *partition,
                                       const struct yk_list *list, int64_t until_mono_ns)
{
    if (yk_selection_node(&job->selection, 0) != NULL)
        return YK_LIST_READY; /* these applications have no allocations on any node */
    if (job->cursor == NULL || !still_holds(job, partition)) {
        yk_names_clear(&job->names);
        job->seen = partition->housekeeping.expired_sweep.sequence;
        job->cursor = list->next;
    }
    for (size_t looked = 1; job->cursor != list; looked++) {
        const struct yk_list *at = job->cursor;
        const struct yk_app *app = YK_CONTAINER(at, struct yk_app, life.in_ended);
        if (yk_tenant_shows(job, app->queue_path) && yk_selection_has_app(&job->selection, app))
            yk_names_add(&job->names, yk_str_from(app->id), app->submit_wall_ns, app);
        job->cursor = at->next;
        if (looked % NAMES_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns))
            return YK_LIST_MORE;
    }
    return YK_LIST_READY;
}

static enum yk_step show_ended(struct yk_job *job, const struct yk_name_entry *entry)
{
    if (still_holds(job, yk_list_partition(job)) && job->selection.summary)
        yk__show_app_summary(&job->json, entry->object);
    else if (still_holds(job, yk_list_partition(job)))
        yk__show_app(&job->json, entry->object); /* an ended application has no asks left */
    else
        yk_list_collect_again(job, entry);
    return YK_STEP_DONE;
}

static enum yk_list_open open_state(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = find_partition(job);
    if (partition == NULL)
        return YK_LIST_REFUSED;
    if (state_is(job, "active"))
        return open_active(job, partition, until_mono_ns);
    if (state_is(job, "completed"))
        return collect_ended(job, partition, &partition->completed, until_mono_ns);
    if (state_is(job, "rejected"))
        return collect_ended(job, partition, &partition->rejected, until_mono_ns);
    yk_answer_error(&job->answer, 400,
                    "Only following application states are allowed: active, rejected, completed");
    return YK_LIST_REFUSED;
}

static enum yk_step show_any(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    return entry->object != NULL ? show_ended(job, entry) : show_live(job, entry, until_mono_ns);
}

/* ---- one application ---- */

static const char not_found[] = "Application not found";

static enum yk_list_open open_one(struct yk_job *job, const struct yk_queue *leaf)
{
    const struct yk_app *app = find_live(job, yk_job_param(job, YK_PARAM_APPLICATION));
    if (app == NULL || (leaf != NULL && app->leaf != leaf)) {
        yk_answer_error(&job->answer, 404, not_found);
        return YK_LIST_REFUSED;
    }
    yk_names_add(&job->names, yk_str_from(app->id), 0, NULL);
    return YK_LIST_READY;
}

static enum yk_list_open open_app(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    return find_partition(job) != NULL ? open_one(job, NULL) : YK_LIST_REFUSED;
}

static enum yk_list_open open_queue_app(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    if (!yk__decode_queue(job, &path))
        return YK_LIST_REFUSED;
    if (path.len == 0)
        return open_app(job, until_mono_ns); /* Compat: without a queue, the path is endpoint 15 */
    const struct yk_partition *partition = find_partition(job);
    if (partition == NULL || !yk__check_queue_name(job, yk_buf_view(&path)))
        return YK_LIST_REFUSED;
    const struct yk_queue *queue = find_queue(job, partition, yk_buf_view(&path));
    return queue != NULL ? open_one(job, queue) : YK_LIST_REFUSED;
}

static const struct yk_list_kind queue_apps = {.open = open_queue_apps, .item = show_live, .has_page = true};
static const struct yk_list_kind queue_state = {
    .open = open_queue_state, .item = show_live, .has_page = true};
static const struct yk_list_kind by_state = {.open = open_state, .item = show_any, .has_page = true};
static const struct yk_list_kind one = {.open = open_app, .item = show_live, .not_found = not_found};
static const struct yk_list_kind one_of_queue = {
    .open = open_queue_app, .item = show_live, .not_found = not_found};

YK_LIST_WORK(yk__get_queue_apps, queue_apps)
YK_LIST_WORK(yk__get_queue_apps_by_state, queue_state)
YK_LIST_WORK(yk__get_apps_by_state, by_state)
YK_LIST_WORK(yk__get_queue_app, one_of_queue)
YK_LIST_WORK(yk__get_app, one)
