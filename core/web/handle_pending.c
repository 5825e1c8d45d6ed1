/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pending asks in order, and why they wait: the asks of a branch of queues, those of an application, or one
 * ask (docs/reference/rest.md 12.6).
 *
 * Applications with pending asks are visited in order (web/pending_order.h), and their asks are counted and
 * written; an application that ended meanwhile is left out. Once the part that the answer shows is complete,
 * the asks of the other applications are only counted.
 */
#include "objects/reservation.h"
#include "report/rm_calls.h"
#include "web/list.h"
#include "web/pending_order.h"
#include "web/pending_priv.h"
#include "web/routes_priv.h"

enum {
    LIMIT_DEFAULT = 1000, /* entries of an answer */
    HELD_PER_LOOK = 256,  /* pods of an application that one call of `held` visits */
};

enum { STAGE_OPEN = 0, STAGE_WRITE };

/* The place of an ask in the order of its application, which is still known when the ask is gone: that of its
 * group, by the first ask of the group, and its own in the group. */
struct place {
    enum yk_wait wait; /* of the group, like `is_impossible` and `priority` */
    bool is_impossible;
    int32_t priority;
    int64_t first_wall_ns, wall_ns; /* creation times of the first ask and of the ask itself */
    uint64_t first_sequence, sequence;
};

struct pending {
    char *path;        /* owned: path of the queue; NULL: the answer is not about a queue */
    char *app_id;      /* owned: of the application whose asks are listed; NULL: another answer */
    struct yk_buf key; /* for an explanation: key of the ask */
    uint64_t limit, offset;
    enum yk_si_reason reason;       /* only entries with this reason are listed; YK_REASON_NONE: all */
    struct yk__pending_order order; /* the applications that come next */
    /* Progress of the list. */
    uint64_t total, counts[YK_REASON_COUNT];
    uint64_t entries;        /* entries of the list so far, those before `offset` included */
    uint64_t gang_members;   /* of `total`: pods that wait for their gang and are not asks */
    uint64_t in_queue;       /* number of asks of the leaf before the present application */
    bool has_moved;          /* the present application is not where the order had it */
    struct yk_buf app;       /* id of the application with which to continue; empty: the next one */
    struct yk_buf leaf;      /* path of the last leaf so far, in the order of paths */
    struct yk_buf next_key;  /* key of the ask to write next; empty: the first one of the application */
    struct place next_place; /* of that ask */
    uint64_t next_in_app;
    bool is_next_counted; /* the group of that ask was counted */
    /* Pods of the application that wait for their gang. */
    bool in_held; /* the asks of the application were written; now come these pods */
    struct yk_si_held_place held_place;
    uint64_t held; /* number of these pods visited so far */
    uint64_t asks; /* number of asks of the application when the walk over these pods began */
    struct yk__ahead ahead;
    struct yk__node_facts nodes; /* its looks are at the nodes as they were at `looks_changes` */
    uint64_t looks_changes;      /* job->changes of the last slice */
};

static void pending_free(void *own)
{
    struct pending *pending = own;
    free(pending->path);
    free(pending->app_id);
    yk_buf_done(&pending->key);
    yk__pending_order_done(&pending->order);
    yk_buf_done(&pending->app);
    yk_buf_done(&pending->leaf);
    yk_buf_done(&pending->next_key);
    yk_buf_done(&pending->held_place.key);
    yk__ahead_done(&pending->ahead);
    yk__node_obstacles_done(&pending->nodes.obstacles);
    free(pending);
}

static void set_text(struct yk_buf *buf, const char *text)
{
    yk_buf_clear(buf);
    yk_buf_text(buf, text);
}

static struct pending *pending_of(struct yk_job *job)
{
    if (job->own == NULL) {
        job->own = yk_new0(struct pending);
        job->own_free = pending_free;
    }
    return job->own;
}

/* ---- requests ---- */

static struct yk_partition *find_partition(struct yk_job *job)
{
    struct yk_partition *partition = yk_list_partition(job);
    if (partition == NULL)
        yk_answer_error(&job->answer, 404, "Partition not found");
    return partition;
}

static bool read_order(struct yk_job *job, struct pending *pending)
{
    static const char *const names[] = {"position", "age", "priority"};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    YK_INDEXED_BY(names, YK__BY_PRIORITY);
    if (!yk_query_get(job->request.target.query, "order", &text) || text.len == 0)
        return true;
    for (size_t i = 0; i < YK_COUNT(names); i++) {
        if (strcmp(names[i], yk_buf_cstr(&text)) == 0) {
            pending->order.sort = (enum yk__pending_sort)i;
            return true;
        }
    }
    yk_answer_error(&job->answer, 400, "Only following orders are allowed: position, age, priority");
    return false;
}

static bool refuse_reason(struct yk_job *job)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_text(&text, "Only following reasons are allowed: ");
    for (int reason = YK_REASON_NONE + 1; reason < YK_REASON_COUNT; reason++)
        yk_buf_printf(&text, "%s%s", reason > YK_REASON_NONE + 1 ? ", " : "",
                      yk_si_reason_token((enum yk_si_reason)reason));
    yk_answer_error(&job->answer, 400, yk_buf_cstr(&text));
    return false;
}

static bool read_reason(struct yk_job *job, struct pending *pending)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (!yk_query_get(job->request.target.query, "reason", &text) || text.len == 0)
        return true;
    pending->reason = yk_si_reason_of(yk_buf_view(&text));
    return pending->reason != YK_REASON_NONE || refuse_reason(job);
}

static bool read_window(struct yk_job *job, struct pending *pending)
{
    pending->limit = LIMIT_DEFAULT;
    yk_selection_read(&job->selection, job->request.target.query);
    return yk_list_check_filters(job) && read_reason(job, pending) &&
           yk_list_read_number(job, "limit", &pending->limit) &&
           yk_list_read_number(job, "offset", &pending->offset);
}

static bool read_queue(struct yk_job *job, struct pending *pending)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    if (!yk__decode_queue(job, &path) || !yk__check_queue_name(job, yk_buf_view(&path)))
        return false;
    for (size_t i = 0; i < path.len; i++) {
        if (path.p[i] >= 'A' && path.p[i] <= 'Z')
            path.p[i] = (char)(path.p[i] - 'A' + 'a');
    }
    pending->path = yk_strdup(yk_buf_cstr(&path));
    return read_order(job, pending) && read_window(job, pending);
}

static enum yk_list_open open_queue(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = find_partition(job);
    if (partition == NULL)
        return YK_LIST_REFUSED;
    struct pending *pending = pending_of(job);
    if (pending->path == NULL && !read_queue(job, pending))
        return YK_LIST_REFUSED;
    const struct yk_queue *top = yk_queue_find(partition->root, yk_str_from(pending->path));
    if (top == NULL) {
        yk_answer_error(&job->answer, 404, "Queue not found");
        return YK_LIST_REFUSED;
    }
    bool is_full = yk__pending_order_fill(&pending->order, job, partition, top, until_mono_ns);
    return is_full ? YK_LIST_READY : YK_LIST_MORE;
}

/* Rejected applications are found, too, because the answer shows why they were rejected, unless a later one
 * of that id was accepted. */
static const struct yk_app *live_or_rejected(const struct yk_partition *partition, struct yk_str id)
{
    const struct yk_app *app = yk_strmap_get(&partition->apps, id);
    if (app != NULL)
        return app;
    app = yk_strmap_get(&partition->rejected_by_id, id);
    return app != NULL && !app->life.is_superseded ? app : NULL;
}

static const struct yk_app *find_app(struct yk_job *job, const struct yk_partition *partition)
{
    const struct yk_app *app = live_or_rejected(partition, yk_job_param(job, YK_PARAM_APPLICATION));
    if (app == NULL)
        yk_answer_error(&job->answer, 404, "Application not found");
    return app;
}

/* First counts the asks of the leaf that come before those of the application: positions begin there. */
static enum yk_list_open open_app(struct yk_job *job, int64_t until_mono_ns)
{
    struct yk_partition *partition = find_partition(job);
    const struct yk_app *app = partition != NULL ? find_app(job, partition) : NULL;
    if (app == NULL)
        return YK_LIST_REFUSED;
    struct pending *pending = pending_of(job);
    if (pending->app_id == NULL) {
        pending->app_id = yk_strdup(app->id);
        if (!read_window(job, pending))
            return YK_LIST_REFUSED;
    }
    if (app->leaf == NULL)
        return YK_LIST_READY;
    if (!yk__ahead_count(job, &pending->ahead, app, until_mono_ns))
        return YK_LIST_MORE;
    pending->in_queue = pending->ahead.asks;
    set_text(&pending->leaf, app->leaf->path);
    set_text(&pending->app, app->id);
    return YK_LIST_READY;
}

/* ---- the list ---- */

static void begin(struct yk_job *job)
{
    struct pending *pending = job->own;
    const struct yk_partition *partition = yk_list_partition(job);
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "partition", partition != NULL ? partition->name : "");
    if (pending->app_id == NULL) {
        yk_json_add_text(&job->json, "queueName", pending->path);
    } else {
        const struct yk_app *app =
            partition != NULL ? live_or_rejected(partition, yk_str_from(pending->app_id)) : NULL;
        yk__show_app_reason(&job->json, pending->app_id, app, &pending->nodes.looks);
    }
    yk_json_key(&job->json, "pending");
    yk_json_array_begin(&job->json);
}

static void end(struct yk_job *job)
{
    const struct pending *pending = job->own;
    yk_json_array_end(&job->json);
    yk_json_add_uint(&job->json, "total", pending->total);
    yk_json_add_uint(&job->json, "gangMembers", pending->gang_members);
    yk__show_reason_counts(&job->json, pending->counts);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
}

static const struct yk_ask *ask_at(const struct yk_tree_link *link)
{
    return link != NULL ? YK_CONTAINER(link, const struct yk_ask, in_group) : NULL;
}

static const struct yk_group *group_after(const struct yk_group *group)
{
    const struct yk_tree_link *next = yk_tree_next(&group->in_pending);
    return next != NULL ? YK_CONTAINER(next, const struct yk_group, in_pending) : NULL;
}

static const struct yk_group *first_group(const struct yk_app *app)
{
    const struct yk_tree_link *first = yk_tree_first(&app->pending_groups);
    return first != NULL ? YK_CONTAINER(first, const struct yk_group, in_pending) : NULL;
}

static struct place place_of(const struct yk_ask *ask)
{
    const struct yk_group *group = ask->group;
    return (struct place){
        .wait = group->wait,
        .is_impossible = group->waiting.is_impossible,
        .priority = group->priority,
        .first_wall_ns = group->first->create_wall_ns,
        .wall_ns = ask->create_wall_ns,
        .first_sequence = group->first->sequence,
        .sequence = ask->sequence,
    };
}

static bool is_before(const struct yk_ask *ask, int64_t wall_ns, uint64_t sequence)
{
    return ask->create_wall_ns != wall_ns ? ask->create_wall_ns < wall_ns : ask->sequence < sequence;
}

/* Whether the group comes before the group of the place. */
static bool is_group_before(const struct yk_group *group, const struct place *place)
{
    struct yk_ask first = {.create_wall_ns = place->first_wall_ns, .sequence = place->first_sequence};
    const struct yk_group other = {.wait = place->wait,
                                   .waiting.is_impossible = place->is_impossible,
                                   .priority = place->priority,
                                   .first = &first};
    return yk_group_order_pending(&group->in_pending, &other.in_pending) < 0;
}

/* The ask with which to continue the application; NULL: there is none. If the ask at which the last slice
 * ended has got a node or is gone, this is the next one of its group. `*ret_inside`: it is in the same group,
 * which was counted. */
static const struct yk_ask *paused_at(const struct pending *pending, const struct yk_app *app,
                                      bool *ret_inside)
{
    const struct place *place = &pending->next_place;
    const struct yk_ask *ask = yk_app_find_ask(app, yk_buf_view(&pending->next_key));
    const struct yk_group *group = ask != NULL ? ask->group : NULL;
    *ret_inside = true;
    if (group != NULL && yk_ask_is_pending(ask))
        return ask;
    if (group == NULL || group->first == NULL) {
        group = first_group(app);
        while (group != NULL && is_group_before(group, place))
            group = group_after(group);
        *ret_inside = group != NULL && group->first->sequence == place->first_sequence;
    }
    ask = group != NULL ? group->first : NULL;
    while (*ret_inside && ask != NULL && is_before(ask, place->wall_ns, place->sequence))
        ask = ask_at(yk_tree_next(&ask->in_group));
    if (ask != NULL || group == NULL)
        return ask;
    *ret_inside = false;
    group = group_after(group);
    return group != NULL ? group->first : NULL;
}

/* Asks with victims have a reason of their own; all others of a group have the same. */
static void count_group(struct pending *pending, const struct yk_group *group)
{
    const struct yk_reservation *reservation;
    uint64_t count = group->asks.count;
    yk_list_foreach (reservation, &group->reservation.list, struct yk_reservation, in_group) {
        bool has_victims = yk_why_of_ask(reservation->ask).reason == YK_REASON_PREEMPTION;
        pending->counts[YK_REASON_PREEMPTION] += has_victims;
        count -= has_victims;
    }
    pending->counts[yk_why_of_group(group).reason] += count;
}

/* Whether the next entry of the list is behind those that the answer shows. */
static bool is_past_window(const struct pending *pending)
{
    return pending->entries >= pending->offset && pending->entries - pending->offset >= pending->limit;
}

/* Counts the next entry of the list. True: the answer shows it. */
static bool take_entry(struct pending *pending)
{
    bool is_shown = pending->entries >= pending->offset && !is_past_window(pending);
    pending->entries++;
    return is_shown;
}

/* The position of an ask in its leaf; YK__NO_POSITION: the list has another order, or the application has
 * moved. */
static uint64_t position(const struct pending *pending, uint64_t in_app)
{
    return pending->order.sort == YK__BY_POSITION && !pending->has_moved ? pending->in_queue + in_app
                                                                         : YK__NO_POSITION;
}

/* Notes the ask with which the next slice continues the application. */
static void pause_at(struct pending *pending, const struct yk_ask *next, uint64_t in_app, bool is_counted)
{
    set_text(&pending->next_key, next->key);
    pending->next_place = place_of(next);
    pending->next_in_app = in_app;
    pending->is_next_counted = is_counted;
}

/* Whether the ask waits for the reason of the request. The nodes are looked at only if the stored reason is
 * that one, so a reason that no ask has costs no look. */
static bool has_reason(struct pending *pending, const struct yk_ask *ask, struct yk_why *ret_why)
{
    if (yk_why_of_ask(ask).reason != pending->reason)
        return false;
    *ret_why = yk_why_in_detail(ask, &pending->nodes.looks);
    return ret_why->reason == pending->reason;
}

static bool passes_filters(const struct yk_job *job, const struct yk_ask *ask)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0}, name = {0};
    const struct yk_app *app = yk_ask_app(ask);
    if (job->selection.filter_count == 0)
        return true;
    yk_rm_call_ask_name(app->partition, ask, &namespace_, &name);
    return yk_selection_has_waiting(&job->selection, app, yk_buf_cstr(&namespace_), yk_buf_cstr(&name));
}

static void write_ask(struct yk_job *job, const struct yk_ask *ask, uint64_t in_app,
                      struct yk__pending_words *words)
{
    struct pending *pending = job->own;
    struct yk_why why;
    if (!passes_filters(job, ask))
        return;
    if (pending->reason != YK_REASON_NONE && !has_reason(pending, ask, &why))
        return;
    if (!take_entry(pending))
        return;
    if (pending->reason == YK_REASON_NONE)
        why = yk_why_in_detail(ask, &pending->nodes.looks);
    yk__show_pending(&job->json, ask, &why, position(pending, in_app), in_app, words);
}

/* Looks at the nodes if the entry of the ask needs that. False: the slice is over. */
static bool look_for(struct yk_job *job, const struct yk_ask *ask, int64_t until_mono_ns)
{
    struct pending *pending = job->own;
    bool is_entry = pending->reason == YK_REASON_NONE ? pending->entries >= pending->offset
                                                      : yk_why_of_ask(ask).reason == pending->reason;
    return !is_entry || !passes_filters(job, ask) ||
           yk__node_facts_look(job, &pending->nodes, ask, until_mono_ns);
}

/* Writes the asks of a group from `ask` on, as far as the answer shows them. `*in_app`: number of asks of the
 * application that were visited before; it is increased. YK_STEP_AGAIN: the slice is over. */
static enum yk_step write_asks(struct yk_job *job, const struct yk_ask *ask, uint64_t *in_app,
                               int64_t until_mono_ns)
{
    struct pending *pending = job->own;
    struct yk__pending_words words = {0};
    enum yk_step step = YK_STEP_DONE;
    while (ask != NULL && step == YK_STEP_DONE && !is_past_window(pending)) {
        const struct yk_ask *next = ask_at(yk_tree_next(&ask->in_group));
        if (!look_for(job, ask, until_mono_ns)) {
            pause_at(pending, ask, *in_app, true);
            step = YK_STEP_AGAIN;
            break;
        }
        write_ask(job, ask, *in_app, &words);
        ++*in_app;
        if (next != NULL && yk_job_must_pause(job, until_mono_ns)) {
            pause_at(pending, next, *in_app, true);
            step = YK_STEP_AGAIN;
        }
        ask = next;
    }
    yk__pending_words_done(&words);
    return step;
}

/* ---- pods that wait for their gang ---- */

struct held_list {
    struct yk_job *job;
    const struct yk_app *app;
    uint64_t asks;          /* number of asks of the application */
    struct yk_buf sentence; /* the same for all these pods; empty: not composed yet */
};

static void write_held(void *context, const struct yk_si_held *held)
{
    struct held_list *list = context;
    struct pending *pending = list->job->own;
    uint64_t in_app = list->asks + pending->held++;
    bool is_listed = pending->reason == YK_REASON_NONE || pending->reason == YK_REASON_GANG;
    is_listed =
        is_listed && yk_selection_has_waiting(&list->job->selection, list->app, held->namespace_, held->name);
    if (!is_listed || !take_entry(pending))
        return;
    if (list->sentence.len == 0)
        yk__held_sentence(list->app, held, &pending->nodes.looks, &list->sentence);
    yk__show_held(&list->job->json, list->app, held, position(pending, in_app), in_app,
                  yk_buf_cstr(&list->sentence));
}

/* False: all were visited. */
static bool call_held(const struct yk_app *app, struct yk_si_held_place *place, yk_si_held_sink *sink,
                      void *context)
{
    const struct yk_rm *rm = app->partition->rm;
    if (rm->callbacks.held == NULL)
        return false;
    return rm->callbacks.held(rm->context, app->id, place, HELD_PER_LOOK, sink, context);
}

static void begin_held(struct pending *pending)
{
    yk_buf_clear(&pending->held_place.key);
    pending->held_place.looked = pending->held_place.skip = 0;
    pending->held = 0;
}

static uint64_t asks_of(const struct yk_app *app)
{
    uint64_t asks = 0;
    for (int i = 0; i < YK_PENDING_COUNT; i++)
        asks += app->pending_count.asks[i];
    return asks;
}

/* Writes the pods that wait for their gang. They come behind the asks of the application and are counted with
 * them. A pod that becomes an ask meanwhile is not counted again. YK_STEP_AGAIN: the slice is over. */
static enum yk_step write_all_held(struct yk_job *job, const struct yk_app *app, int64_t until_mono_ns)
{
    struct pending *pending = job->own;
    if (!pending->in_held) {
        begin_held(pending);
        pending->asks = asks_of(app);
    }
    pending->in_held = true;
    const struct yk_ask *placeholder = !is_past_window(pending) ? yk_why_waiting_placeholder(app) : NULL;
    if (placeholder != NULL && !yk__node_facts_look(job, &pending->nodes, placeholder, until_mono_ns))
        return YK_STEP_AGAIN;
    bool more = true;
    while (more) {
        struct held_list list = {job, app, pending->asks, {0}};
        more = call_held(app, &pending->held_place, write_held, &list);
        yk_buf_done(&list.sentence);
        bool is_full = job->answer.body.len >= YK_PIECE_BYTES;
        if (more && (is_full || yk_job_must_pause(job, until_mono_ns)))
            return YK_STEP_AGAIN;
    }
    pending->in_held = false;
    pending->counts[YK_REASON_GANG] += pending->held;
    return YK_STEP_DONE;
}

/* In the order by position, leaves come in the order of their paths. If an application has moved meanwhile,
 * its new leaf may have been listed already. */
static void enter_leaf(struct pending *pending, const struct yk_queue *leaf)
{
    int order = strcmp(leaf->path, yk_buf_cstr(&pending->leaf));
    pending->has_moved = order < 0;
    if (order <= 0)
        return;
    set_text(&pending->leaf, leaf->path);
    pending->in_queue = 0;
}

static enum yk_step write_app(struct yk_job *job, const struct yk_app *app, int64_t until_mono_ns)
{
    struct pending *pending = job->own;
    uint64_t in_app = 0;
    bool is_counted = false; /* the group was counted when the list came to it */
    const struct yk_group *group = first_group(app);
    const struct yk_ask *ask = group != NULL ? group->first : NULL;
    if (pending->in_held)
        group = NULL; /* the asks of the application were written */
    if (pending->next_key.len > 0) {
        ask = paused_at(pending, app, &is_counted);
        is_counted = is_counted && pending->is_next_counted;
        group = ask != NULL ? ask->group : NULL;
        in_app = pending->next_in_app;
        yk_buf_clear(&pending->next_key);
    }
    while (group != NULL) {
        if (!is_counted)
            count_group(pending, group);
        is_counted = false;
        if (write_asks(job, ask, &in_app, until_mono_ns) == YK_STEP_AGAIN)
            return YK_STEP_AGAIN;
        group = group_after(group);
        ask = group != NULL ? group->first : NULL;
        if (group != NULL && yk_job_must_pause(job, until_mono_ns)) {
            pause_at(pending, ask, in_app, false);
            return YK_STEP_AGAIN;
        }
    }
    if (write_all_held(job, app, until_mono_ns) == YK_STEP_AGAIN)
        return YK_STEP_AGAIN;
    pending->total += pending->asks + pending->held;
    pending->gang_members += pending->held;
    if (!pending->has_moved)
        pending->in_queue += pending->asks;
    return YK_STEP_DONE;
}

/* ---- one application after the other ---- */

/* NULL: it has ended. */
static const struct yk_app *present_app(const struct pending *pending, const struct yk_partition *partition)
{
    const struct yk_app *app = yk_strmap_get(&partition->apps, yk_buf_view(&pending->app));
    return app != NULL && app->leaf != NULL ? app : NULL;
}

static const struct yk_app *next_app(struct pending *pending, const struct yk_partition *partition,
                                     const struct yk_queue *top)
{
    const struct yk_app *app = !is_past_window(pending)
                                   ? yk__pending_order_next(&pending->order, partition, top)
                                   : yk__pending_order_any(&pending->order, partition, top);
    if (app != NULL)
        enter_leaf(pending, app->leaf);
    return app;
}

/* Writes the application with the id pending->app; empty: the next one in the order. */
static enum yk_step write_next(struct yk_job *job, const struct yk_partition *partition,
                               const struct yk_queue *top, int64_t until_mono_ns)
{
    struct pending *pending = job->own;
    const struct yk_app *app =
        pending->app.len > 0 ? present_app(pending, partition) : next_app(pending, partition, top);
    if (app != NULL && write_app(job, app, until_mono_ns) == YK_STEP_AGAIN) {
        set_text(&pending->app, app->id);
        return YK_STEP_AGAIN;
    }
    yk_buf_clear(&pending->app);
    yk_buf_clear(&pending->next_key);
    pending->in_held = false;
    return YK_STEP_DONE;
}

static enum yk_step write_all(struct yk_job *job, int64_t until_mono_ns)
{
    const struct pending *pending = job->own;
    const struct yk_partition *partition = yk_list_partition(job);
    const struct yk_queue *top = partition != NULL && pending->path != NULL
                                     ? yk_queue_find(partition->root, yk_str_from(pending->path))
                                     : NULL;
    while (partition != NULL && !job->answer.body.failed &&
           (pending->app.len > 0 || (top != NULL && pending->order.count > 0))) {
        if (write_next(job, partition, top, until_mono_ns) == YK_STEP_AGAIN)
            return YK_STEP_AGAIN;
        bool is_full = job->answer.body.len >= YK_PIECE_BYTES;
        if (is_full || yk_job_must_pause(job, until_mono_ns))
            return YK_STEP_AGAIN;
    }
    end(job);
    return YK_STEP_DONE;
}

/* The answer about an application begins with why its first ask waits. False: the slice is over. */
static bool look_for_first(struct yk_job *job, int64_t until_mono_ns)
{
    struct pending *pending = job->own;
    const struct yk_partition *partition = yk_list_partition(job);
    const struct yk_app *app = partition != NULL && pending->app_id != NULL
                                   ? yk_strmap_get(&partition->apps, yk_str_from(pending->app_id))
                                   : NULL;
    const struct yk_group *group = app != NULL ? first_group(app) : NULL;
    return group == NULL || yk__node_facts_look(job, &pending->nodes, group->first, until_mono_ns);
}

static enum yk_step go_on(struct yk_job *job, enum yk_list_open (*open)(struct yk_job *, int64_t),
                          int64_t until_mono_ns)
{
    if (job->stage == STAGE_WRITE)
        return write_all(job, until_mono_ns);
    switch (open(job, until_mono_ns)) {
    case YK_LIST_REFUSED:
        return YK_STEP_DONE;
    case YK_LIST_MORE:
        return YK_STEP_AGAIN;
    case YK_LIST_READY:
        break;
    }
    if (!look_for_first(job, until_mono_ns))
        return YK_STEP_AGAIN;
    job->stage = STAGE_WRITE;
    begin(job);
    return YK_STEP_AGAIN;
}

/* Forgets how the nodes looked if they may have changed since the last slice. */
static void forget_looks(struct yk_job *job)
{
    struct pending *pending = job->own;
    if (pending == NULL)
        return;
    if (job->changes == 0 || job->changes != pending->looks_changes)
        pending->nodes.looks.count = 0;
    pending->looks_changes = job->changes;
}

static enum yk_step work(struct yk_job *job, enum yk_list_open (*open)(struct yk_job *, int64_t),
                         int64_t until_mono_ns)
{
    forget_looks(job);
    yk_json_go_on(&job->json);
    enum yk_step step = go_on(job, open, until_mono_ns);
    yk_json_pause(&job->json);
    return step;
}

enum yk_step yk__get_queue_pending(struct yk_job *job, int64_t until_mono_ns)
{
    return work(job, open_queue, until_mono_ns);
}

enum yk_step yk__get_app_pending(struct yk_job *job, int64_t until_mono_ns)
{
    return work(job, open_app, until_mono_ns);
}

/* ---- one ask ---- */

static const struct yk_ask *find_ask(struct yk_job *job, struct pending *pending, const struct yk_app *app)
{
    struct yk_str name = yk_job_param(job, YK_PARAM_KEY);
    const struct yk_ask *ask = yk_app_find_ask(app, name);
    const struct yk_rm *rm = app->partition->rm;
    if (ask == NULL && rm->callbacks.find_key != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_str(&text, name);
        yk_buf_clear(&pending->key);
        rm->callbacks.find_key(rm->context, app->id, yk_buf_cstr(&text), &pending->key);
        ask = yk_app_find_ask(app, yk_buf_view(&pending->key));
    }
    return ask != NULL && ask->group != NULL ? ask : NULL;
}

struct held_search {
    struct yk_str key; /* `p` NULL: the pod was found by its name */
    struct yk_job *job;
    const struct yk_app *app;
    struct pending *pending;
    int64_t until_mono_ns;
    bool is_found;
    enum yk_step step;
};

static void explain(void *context, const struct yk_si_held *held)
{
    struct held_search *search = context;
    struct yk__ahead *ahead = &search->pending->ahead;
    if (search->is_found || (search->key.p != NULL && !yk_str_is(search->key, held->key)))
        return;
    search->is_found = true;
    const struct yk_ask *ask = yk_why_waiting_placeholder(search->app);
    struct yk__node_facts *nodes = &search->pending->nodes;
    if (ask != NULL && (!yk__ahead_count(search->job, ahead, search->app, search->until_mono_ns) ||
                        !yk__node_facts_gather(search->job, nodes, ask, search->until_mono_ns))) {
        search->step = YK_STEP_AGAIN;
        return;
    }
    yk__show_held_explanation(&search->job->json, search->app, held, ahead, nodes);
    yk_buf_char(&search->job->answer.body, '\n');
}

/* `name` is the name of a pod, which is found at once, or its key. For a key, the pods of the application are
 * visited in slices. */
static void look_for_held(struct held_search *search, struct yk_str name)
{
    struct pending *pending = search->pending;
    const struct yk_rm *rm = search->app->partition->rm;
    if (rm->callbacks.find_held != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_str(&text, name);
        rm->callbacks.find_held(rm->context, search->app->id, yk_buf_cstr(&text), explain, search);
    }
    search->key = name;
    bool more = true;
    while (!search->is_found && more) {
        more = call_held(search->app, &pending->held_place, explain, search);
        if (more && !search->is_found && yk_job_must_pause(search->job, search->until_mono_ns)) {
            search->step = YK_STEP_AGAIN;
            return;
        }
    }
    if (search->is_found)
        begin_held(pending); /* if the counting is not complete, the next slice searches again */
}

/* The core has no ask for a pod that waits for its gang. */
static enum yk_step explain_held(struct yk_job *job, struct pending *pending, const struct yk_app *app,
                                 int64_t until_mono_ns)
{
    struct held_search search = {
        .job = job, .app = app, .pending = pending, .until_mono_ns = until_mono_ns, .step = YK_STEP_DONE};
    look_for_held(&search, yk_job_param(job, YK_PARAM_KEY));
    if (!search.is_found && search.step == YK_STEP_DONE)
        return yk_job_refuse(job, 404, "Allocation not found");
    return search.step;
}

static enum yk_step write_explanation(struct yk_job *job, int64_t until_mono_ns)
{
    struct yk_partition *partition = find_partition(job);
    const struct yk_app *app =
        partition != NULL ? yk_strmap_get(&partition->apps, yk_job_param(job, YK_PARAM_APPLICATION)) : NULL;
    if (partition == NULL)
        return YK_STEP_DONE;
    if (app == NULL || app->leaf == NULL)
        return yk_job_refuse(job, 404, "Application not found");
    struct pending *pending = pending_of(job);
    const struct yk_ask *ask = find_ask(job, pending, app);
    if (ask == NULL)
        return explain_held(job, pending, app, until_mono_ns);
    if (yk_ask_is_pending(ask) && (!yk__ahead_count(job, &pending->ahead, app, until_mono_ns) ||
                                   !yk__node_facts_gather(job, &pending->nodes, ask, until_mono_ns)))
        return YK_STEP_AGAIN;
    yk__show_explanation(&job->json, ask, &pending->ahead, &pending->nodes);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

enum yk_step yk__get_explanation(struct yk_job *job, int64_t until_mono_ns)
{
    forget_looks(job);
    return write_explanation(job, until_mono_ns);
}
