/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "report/drain.h"
#include "report/outstanding.h"
#include "report/rm_calls.h"
#include "report/rm_events.h"
#include "report/timeline.h"
#include "report/wait_metrics.h"
#include "state/core.h"

#define NO_NODE_NS (15 * YK_NS_PER_S)

struct what {
    enum yk_event_type type;
    enum yk_event_change change;
    enum yk_event_detail detail;
};

/* Sets the fields one by one, because to initialise the whole struct would write the large array of
 * amounts. */
static void fill(struct yk_event *event, int64_t wall_ns, struct what what, const char *object,
                 const char *reference, struct yk_str message, const struct yk_resvec *amounts)
{
    event->type = what.type;
    event->change = what.change;
    event->detail = what.detail;
    event->wall_ns = wall_ns;
    event->object_id = yk_str_from(object);
    event->reference_id = reference != NULL ? yk_str_from(reference) : (struct yk_str){0};
    event->message = message;
    if (amounts != NULL)
        yk_resvec_copy(&event->resource, amounts);
}

static void tell_at(struct yk_core *core, int64_t wall_ns, struct what what, const char *object,
                    const char *reference, struct yk_str message, const struct yk_resvec *amounts)
{
    YK_EVENT(event);
    fill(&event, wall_ns, what, object, reference, message, amounts);
    yk_events_tell(&core->events, &event);
}

static void tell_text(struct yk_core *core, struct what what, const char *object, const char *reference,
                      struct yk_str message, const struct yk_resvec *amounts)
{
    if (yk_events_on(&core->events))
        tell_at(core, yk_core_now(core), what, object, reference, message, amounts);
}

static void tell(struct yk_core *core, struct what what, const char *object, const char *reference,
                 const struct yk_resvec *amounts)
{
    tell_text(core, what, object, reference, (struct yk_str){0}, amounts);
}

static void tell_with_ask(struct yk_core *core, int64_t wall_ns, struct what what, const char *object,
                          const struct yk_ask *ask)
{
    tell_at(core, wall_ns, what, object, ask->key, (struct yk_str){0}, yk_ask_size(ask));
}

/* ---- applications ---- */

static void tell_app(const struct yk_app *app, enum yk_event_change change, enum yk_event_detail detail,
                     const char *message)
{
    tell_text(app->partition->core, (struct what){YK_EVENT_APP, change, detail}, app->id, NULL,
              message != NULL ? yk_str_from(message) : (struct yk_str){0}, NULL);
}

void yk_report_app_new(const struct yk_app *app)
{
    tell_app(app, YK_EVENT_ADD, YK_EVENT_APP_NEW, NULL);
}

static enum yk_event_detail detail_of(enum yk_app_state state)
{
    switch (state) {
    case YK_APP_NEW:
        return YK_EVENT_APP_NEW;
    case YK_APP_ACCEPTED:
        return YK_EVENT_APP_ACCEPTED;
    case YK_APP_STARTING:
        return YK_EVENT_APP_STARTING;
    case YK_APP_RUNNING:
        return YK_EVENT_APP_RUNNING;
    case YK_APP_REJECTED:
        return YK_EVENT_APP_REJECT;
    case YK_APP_COMPLETING:
        return YK_EVENT_APP_COMPLETING;
    case YK_APP_COMPLETED:
        return YK_EVENT_APP_COMPLETED;
    case YK_APP_FAILING:
        return YK_EVENT_APP_FAILING;
    case YK_APP_FAILED:
        return YK_EVENT_APP_FAILED;
    case YK_APP_EXPIRED:
        return YK_EVENT_APP_EXPIRED;
    case YK_APP_RESUMING:
        return YK_EVENT_APP_RESUMING;
    }
    return YK_EVENT_NO_DETAIL;
}

void yk_report_app_state(struct yk_app *app, const char *info)
{
    tell_app(app, YK_EVENT_SET, detail_of(app->state), info);
    yk_wait_metrics_state(app);
}

static void tell_member(const struct yk_app *app, enum yk_event_change change, const char *path,
                        struct yk_str message)
{
    tell_text(app->partition->core, (struct what){YK_EVENT_QUEUE, change, YK_EVENT_QUEUE_APP}, path, app->id,
              message, NULL);
}

void yk_report_app_joined(const struct yk_app *app)
{
    tell_member(app, YK_EVENT_ADD, app->queue_path, (struct yk_str){0});
}

void yk_report_app_left(const struct yk_app *app)
{
    tell_member(app, YK_EVENT_REMOVE, app->queue_path, (struct yk_str){0});
    tell_app(app, YK_EVENT_REMOVE, YK_EVENT_NO_DETAIL, NULL);
}

void yk_report_app_held_by_queue(const struct yk_app *app, bool held)
{
    tell_app(app, YK_EVENT_NONE, held ? YK_EVENT_APP_CANNOT_RUN_QUEUE : YK_EVENT_APP_RUNNABLE_QUEUE, NULL);
}

void yk_report_app_held_by_quota(const struct yk_app *app, bool held)
{
    tell_app(app, YK_EVENT_NONE, held ? YK_EVENT_APP_CANNOT_RUN_QUOTA : YK_EVENT_APP_RUNNABLE_QUOTA, NULL);
}

void yk_report_app_moved(struct yk_app *app, const char *from, const char *by)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    struct yk_core *core = app->partition->core;
    yk_buf_printf(&message, "moved from queue '%s' to '%s' by user '%s'", from, app->queue_path, by);
    yk_timeline_moved(app, yk_buf_cstr(&message));
    free(yk_move(app->report.starts)); /* they tell how fast pods start in the other queue */
    free(yk_move(app->report.added));
    if (!yk_events_on(&core->events))
        return;
    tell_member(app, YK_EVENT_REMOVE, from, yk_buf_view(&message));
    tell_member(app, YK_EVENT_ADD, app->queue_path, yk_buf_view(&message));
    tell_text(core, (struct what){YK_EVENT_APP, YK_EVENT_SET, YK_EVENT_NO_DETAIL}, app->id, app->queue_path,
              yk_buf_view(&message), NULL);
}

/* ---- asks and allocations ---- */

static void tell_ask(const struct yk_ask *ask, enum yk_event_change change, enum yk_event_detail detail)
{
    struct yk_app *app = yk_ask_app(ask);
    struct yk_core *core = app->partition->core;
    if (yk_events_on(&core->events))
        tell_with_ask(core, yk_core_now(core), (struct what){YK_EVENT_APP, change, detail}, app->id, ask);
}

void yk_report_ask_added(const struct yk_ask *ask)
{
    yk_drain_count_added(ask, yk_core_now(yk_ask_app(ask)->partition->core));
    tell_ask(ask, YK_EVENT_ADD, YK_EVENT_APP_REQUEST);
}

void yk_report_ask_removed(const struct yk_ask *ask)
{
    tell_ask(ask, YK_EVENT_REMOVE, YK_EVENT_REQUEST_CANCEL);
}

void yk_report_ask_timed_out(const struct yk_ask *ask)
{
    tell_ask(ask, YK_EVENT_REMOVE, YK_EVENT_REQUEST_TIMEOUT);
}

void yk_report_allocated(const struct yk_ask *ask, bool is_restored)
{
    struct yk_app *app = yk_ask_app(ask);
    yk_outstanding_note_start(app);
    if (app->leaf != NULL && !is_restored) {
        yk_drain_count(ask, yk_core_now(app->partition->core));
        yk_wait_metrics_allocated(ask);
    }
    tell_with_ask(app->partition->core, ask->bind_wall_ns,
                  (struct what){YK_EVENT_APP, YK_EVENT_ADD, YK_EVENT_APP_ALLOC}, app->id, ask);
}

static enum yk_event_detail detail_of_end(enum yk_si_termination why)
{
    switch (why) {
    case YK_SI_TERMINATION_UNKNOWN:
        return YK_EVENT_ALLOC_NODE_REMOVED;
    case YK_SI_TIMEOUT:
        return YK_EVENT_ALLOC_TIMEOUT;
    case YK_SI_PREEMPTED_BY_SCHEDULER:
        return YK_EVENT_ALLOC_PREEMPT;
    case YK_SI_PLACEHOLDER_REPLACED:
        return YK_EVENT_ALLOC_REPLACED;
    case YK_SI_STOPPED_BY_RM:
    case YK_SI_SCHEDULING_FAILED_ON_RM:
    case YK_SI_KILLED:
        return YK_EVENT_ALLOC_CANCEL;
    }
    return YK_EVENT_ALLOC_CANCEL;
}

void yk_report_ended(const struct yk_ask *ask, enum yk_si_termination why)
{
    tell_ask(ask, YK_EVENT_REMOVE, detail_of_end(why));
}

/* ---- events for the owner of an ask ---- */

/* Appends amounts as Go prints a map, in the order of their names, as YuniKorn 1.9 does
 * (docs/reference/rest.md 7.1). */
static void add_map(struct yk_buf *message, const struct yk_resvec *amounts)
{
    yk_buf_text(message, "map[");
    yk_resvec_print(amounts, message);
    yk_buf_char(message, ']');
}

struct note {
    struct yk_buf text;
    struct yk_si_message_parts parts;
};

static void note_done(struct note *note)
{
    yk_buf_done(&note->text);
}

/* Appends `before`, the key of the ask and `after`, and notes where the key is. */
static void add_key(struct note *note, const char *before, const struct yk_ask *ask, const char *after)
{
    yk_buf_text(&note->text, before);
    note->parts.key = note->text.len;
    yk_buf_text(&note->text, ask->key);
    yk_buf_text(&note->text, after);
}

/* Records the event and hands it to the resource manager, which shows it to the owner. Call it only while
 * events are tracked. */
static void tell_owner_of(const struct yk_ask *ask, const struct yk_resvec *amounts, struct note *note)
{
    struct yk_rm *rm = yk_ask_app(ask)->partition->rm;
    YK_EVENT(event);
    fill(&event, yk_core_now(rm->core), (struct what){YK_EVENT_REQUEST, YK_EVENT_NONE, YK_EVENT_NO_DETAIL},
         ask->key, yk_ask_app(ask)->id, yk_buf_view(&note->text), amounts);
    yk_events_tell(&rm->core->events, &event);
    yk_rm_events_add(rm, &event, ask, note->parts);
}

static void tell_owner(const struct yk_ask *ask, struct note *note)
{
    tell_owner_of(ask, yk_ask_size(ask), note);
}

void yk_report_placeholder_too_small(const struct yk_ask *placeholder, const struct yk_ask *real)
{
    YK_CLEANUP(note_done) struct note note = {0};
    const struct yk_app *app = yk_ask_app(placeholder);
    if (!yk_events_on(&app->partition->core->events))
        return;
    yk_buf_printf(&note.text, "Task group '%s' in application '%s': allocation resources '",
                  placeholder->group->task_group != NULL ? placeholder->group->task_group->name : "",
                  app->id);
    add_map(&note.text, yk_ask_size(real));
    yk_buf_text(&note.text, "' are not matching placeholder '");
    add_map(&note.text, yk_ask_size(placeholder));
    add_key(&note, "' allocation with ID '", placeholder, "'");
    tell_owner_of(placeholder, yk_ask_size(real), &note);
}

void yk_report_app_passed_by(const struct yk_app *app)
{
    YK_CLEANUP(note_done) struct note note = {0};
    const struct yk_tree_link *first = yk_tree_first(&app->pending_groups);
    if (first == NULL || !yk_events_on(&app->partition->core->events))
        return;
    const struct yk_ask *ask = YK_CONTAINER(first, struct yk_group, in_pending)->first;
    yk_buf_printf(
        &note.text,
        "Application '%s' can never start: no node, or a maximum of its queue, is large enough for '",
        app->id);
    add_map(&note.text, yk_ask_size(ask));
    yk_buf_text(&note.text, "'. Later applications of the queue start before it");
    tell_owner(ask, &note);
}

static void add_amounts(struct note *note, const struct yk_ask *ask, const struct yk_resvec *room)
{
    note->parts.amounts = note->text.len;
    yk_buf_text(&note->text, " (requested ");
    add_map(&note->text, yk_ask_size(ask));
    yk_buf_text(&note->text, ", available ");
    add_map(&note->text, room);
    yk_buf_text(&note->text, ")");
}

/* Sets the flag of the ask. True: it changed, and events are tracked. */
static bool flips(struct yk_ask *ask, uint32_t flag, bool set)
{
    if (((ask->flags & flag) != 0) == set)
        return false;
    ask->flags ^= flag;
    return yk_events_on(&yk_ask_app(ask)->partition->core->events);
}

static void report_quota_headroom(struct yk_ask *ask, bool has_capacity)
{
    YK_CLEANUP(note_done) struct note note = {0};
    YK_RESVEC(room);
    add_key(&note, "Request '", ask,
            has_capacity ? "' fits in the available user quota" : "' exceeds the available user quota");
    if (!has_capacity) {
        (void)yk_usage_headroom(yk_ask_app(ask), &room); /* true, because a limit refused the ask */
        add_amounts(&note, ask, &room);
    }
    tell_owner(ask, &note);
}

void yk_report_quota_headroom(struct yk_ask *ask, bool has_capacity)
{
    if (flips(ask, YK_ASK_OVER_QUOTA, !has_capacity))
        report_quota_headroom(ask, has_capacity);
}

static void report_queue_headroom(struct yk_ask *ask, bool has_capacity)
{
    YK_CLEANUP(note_done) struct note note = {0};
    const struct yk_queue *leaf = yk_ask_app(ask)->leaf;
    YK_RESVEC(room);
    add_key(&note, "Request '", ask,
            has_capacity ? "' has become schedulable in queue '" : "' does not fit in queue '");
    yk_buf_text(&note.text, leaf->path);
    yk_buf_char(&note.text, '\'');
    if (!has_capacity) {
        (void)yk_queue_headroom(leaf, true, &room); /* true, because a queue refused the ask */
        add_amounts(&note, ask, &room);
    }
    tell_owner(ask, &note);
}

void yk_report_queue_headroom(struct yk_ask *ask, bool has_capacity)
{
    if (flips(ask, YK_ASK_OVER_QUEUE, !has_capacity))
        report_queue_headroom(ask, has_capacity);
}

/* False: events are not tracked, or the last report is too recent. */
static bool is_time_to_tell(struct yk_group *group)
{
    const struct yk_core *core = group->app->partition->core;
    if (!yk_events_on(&core->events))
        return false;
    int64_t now_ns = yk_clock_mono_ns(core->clock);
    if (group->report.no_node_mono_ns != 0 && now_ns - group->report.no_node_mono_ns < NO_NODE_NS)
        return false;
    group->report.no_node_mono_ns = now_ns;
    return true;
}

/* Appends numbers of nodes, in place of reasons that the resource manager does not have yet. */
static void count_nodes(const struct yk_group *group, struct yk_buf *message)
{
    const struct yk_partition *partition = group->app->partition;
    const struct yk_class *class_ = group->shape->class_;
    size_t allowed = class_ == NULL ? partition->node_count : class_->feasible.ones;
    size_t excluded = allowed < partition->node_count ? partition->node_count - allowed : 0;
    if (excluded > 0)
        yk_buf_printf(message, "constraints exclude the node (%zux)", excluded);
    if (excluded > 0 && allowed > 0)
        yk_buf_text(message, "; ");
    if (allowed > 0)
        yk_buf_printf(message, "not enough capacity, or refused for what runs there (%zux)", allowed);
    if (partition->node_count == 0)
        yk_buf_text(message, "there are no nodes");
}

void yk_report_no_node(struct yk_group *group)
{
    YK_CLEANUP(note_done) struct note note = {0};
    if (!is_time_to_tell(group))
        return;
    add_key(&note, "Unschedulable request '", group->first, "': ");
    size_t before = note.text.len;
    yk_rm_call_wait_words(group->app->partition, group->first, &note.text);
    if (note.text.len == before)
        count_nodes(group, &note.text);
    tell_owner(group->first, &note);
}

void yk_report_victim(const struct yk_ask *victim, const char *why)
{
    YK_CLEANUP(note_done) struct note note = {0};
    if (!yk_events_on(&yk_ask_app(victim)->partition->core->events))
        return;
    yk_buf_text(&note.text, why);
    tell_owner(victim, &note);
}

void yk_report_gang_never_fits(const struct yk_app *app, const char *why)
{
    YK_CLEANUP(note_done) struct note note = {0};
    const struct yk_group *group;
    if (!yk_events_on(&app->partition->core->events))
        return;
    yk_buf_printf(&note.text, "The gang of application '%s' can never start: it %s", app->id, why);
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (!group->placeholders)
            continue;
        tell_owner(group->first, &note);
        return;
    }
}

void yk_report_its_node(struct yk_group *group, const char *why)
{
    YK_CLEANUP(note_done) struct note note = {0};
    if (!is_time_to_tell(group))
        return;
    add_key(&note, "Unschedulable request '", group->first, "': its node '");
    yk_buf_printf(&note.text, "%s' %s", group->required_node, why);
    tell_owner(group->first, &note);
}

/* ---- nodes ---- */

static void tell_node(const struct yk_partition *partition, const struct yk_node *node,
                      enum yk_event_change change, enum yk_event_detail detail, struct yk_str message,
                      const struct yk_resvec *amounts)
{
    tell_text(partition->core, (struct what){YK_EVENT_NODE, change, detail}, node->id, NULL, message,
              amounts);
}

/* An event about a node that was added or removed, which the resource manager also gets. */
static void tell_came_or_went(const struct yk_partition *partition, const struct yk_node *node,
                              struct what what, struct yk_str message, const struct yk_resvec *amounts)
{
    struct yk_core *core = partition->core;
    YK_EVENT(event);
    if (!yk_events_on(&core->events))
        return;
    fill(&event, yk_core_now(core), what, node->id, NULL, message, amounts);
    yk_events_tell(&core->events, &event);
    yk_rm_events_add(partition->rm, &event, NULL, (struct yk_si_message_parts){0});
}

void yk_report_node_added(const struct yk_partition *partition, const struct yk_node *node)
{
    tell_came_or_went(partition, node, (struct what){YK_EVENT_NODE, YK_EVENT_ADD, YK_EVENT_NO_DETAIL},
                      YK_STR("Node added to the scheduler"), node->total);
}

void yk_report_node_removed(const struct yk_partition *partition, const struct yk_node *node)
{
    tell_came_or_went(partition, node,
                      (struct what){YK_EVENT_NODE, YK_EVENT_REMOVE, YK_EVENT_NODE_DECOMMISSION},
                      YK_STR("Node removed from the scheduler"), NULL);
}

void yk_report_node_schedulable(const struct yk_partition *partition, const struct yk_node *node)
{
    tell_node(partition, node, YK_EVENT_SET, YK_EVENT_NODE_SCHEDULABLE,
              node->schedulable ? YK_STR("schedulable: true") : YK_STR("schedulable: false"), NULL);
}

void yk_report_node_capacity(const struct yk_partition *partition, const struct yk_node *node)
{
    tell_node(partition, node, YK_EVENT_SET, YK_EVENT_NODE_CAPACITY, (struct yk_str){0}, node->total);
}

/* An event about an allocation on its node. `wall_ns`: the time of the decision, so that the clock is not
 * read again; 0: read it. */
static void tell_on_node(const struct yk_partition *partition, const struct yk_ask *ask,
                         enum yk_event_change change, int64_t wall_ns)
{
    struct yk_core *core = partition->core;
    if (yk_events_on(&core->events))
        tell_with_ask(core, wall_ns != 0 ? wall_ns : yk_core_now(core),
                      (struct what){YK_EVENT_NODE, change, YK_EVENT_NODE_ALLOC}, ask->node->id, ask);
}

void yk_report_node_allocated(const struct yk_partition *partition, const struct yk_ask *ask)
{
    tell_on_node(partition, ask, YK_EVENT_ADD, ask->bind_wall_ns);
}

void yk_report_node_released(const struct yk_partition *partition, const struct yk_ask *ask)
{
    tell_on_node(partition, ask, YK_EVENT_REMOVE, 0);
}

static void tell_reservation(const struct yk_partition *partition, enum yk_event_change change,
                             const struct yk_ask *ask, const struct yk_node *node, struct yk_str message)
{
    tell_text(partition->core, (struct what){YK_EVENT_NODE, change, YK_EVENT_NODE_RESERVATION}, node->id,
              ask->key, message, yk_ask_size(ask));
}

void yk_report_reserved(const struct yk_partition *partition, const struct yk_ask *ask,
                        const struct yk_node *node)
{
    tell_reservation(partition, YK_EVENT_ADD, ask, node, (struct yk_str){0});
    yk_timeline_reserved(ask, node, true);
}

void yk_report_unreserved(const struct yk_partition *partition, const struct yk_ask *ask,
                          const struct yk_node *node, bool was_used)
{
    tell_reservation(partition, YK_EVENT_REMOVE, ask, node,
                     was_used ? YK_STR("reservation was used") : YK_STR("reservation was dropped"));
    if (!was_used)
        yk_timeline_reserved(ask, node, false);
}

/* ---- queues ---- */

static void tell_queue(const struct yk_partition *partition, const struct yk_queue *queue,
                       enum yk_event_change change)
{
    enum yk_event_detail detail = queue->managed ? YK_EVENT_NO_DETAIL : YK_EVENT_QUEUE_DYNAMIC;
    tell(partition->core, (struct what){YK_EVENT_QUEUE, change, detail}, queue->path, NULL, NULL);
}

void yk_report_queue_added(const struct yk_partition *partition, const struct yk_queue *queue)
{
    tell_queue(partition, queue, YK_EVENT_ADD);
}

void yk_report_queue_removed(const struct yk_partition *partition, const struct yk_queue *queue)
{
    tell_queue(partition, queue, YK_EVENT_REMOVE);
}

void yk_report_queue_draining(const struct yk_partition *partition, const struct yk_queue *queue)
{
    tell_text(partition->core, (struct what){YK_EVENT_QUEUE, YK_EVENT_SET, YK_EVENT_QUEUE_CONFIG},
              queue->path, NULL, YK_STR("draining"), NULL);
}

void yk_report_queue_type(const struct yk_partition *partition, const struct yk_queue *queue)
{
    tell_text(partition->core, (struct what){YK_EVENT_QUEUE, YK_EVENT_SET, YK_EVENT_QUEUE_TYPE}, queue->path,
              NULL, queue->is_leaf ? YK_STR("leaf queue: true") : YK_STR("leaf queue: false"), NULL);
}

static void tell_amounts(const struct yk_partition *partition, const struct yk_queue *queue,
                         enum yk_event_detail detail, const struct yk_resvec *before,
                         const struct yk_resvec *now)
{
    if (!yk_resvec_same(before, now))
        tell(partition->core, (struct what){YK_EVENT_QUEUE, YK_EVENT_SET, detail}, queue->path, NULL, now);
}

void yk_report_queue_max(const struct yk_partition *partition, const struct yk_queue *queue,
                         const struct yk_resvec *before)
{
    tell_amounts(partition, queue, YK_EVENT_QUEUE_MAX, before, &queue->max);
}

void yk_report_queue_guaranteed(const struct yk_partition *partition, const struct yk_queue *queue,
                                const struct yk_resvec *before)
{
    tell_amounts(partition, queue, YK_EVENT_QUEUE_GUARANTEED, before, &queue->guaranteed);
}
