/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of an application: its states, what its pods have waited for, and where they ran
 * (docs/reference/rest.md 12.6).
 *
 * Events from three sources are merged by time: the state log, the entries of struct yk_timeline
 * (report/timeline.h), and the present allocations. Applications that have ended are shown as long as the
 * core keeps them.
 */
#include "report/rm_calls.h"
#include "report/timeline.h"
#include "scheduler/core.h"
#include "web/list.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"
#include "web/slots.h"

enum {
    RUNNING_MAX = 1024, /* most present allocations that are shown */
    APPS_PER_LOOK = 256,
};

struct event {
    struct yk_timeline_view view;
    int source; /* orders events of the same time: states come first */
    size_t index;
    char *names; /* owned; NULL: the texts are borrowed */
};

struct events {
    struct event *items;
    size_t count, capacity;
    uint64_t omitted;
};

static void events_done(struct events *events)
{
    for (size_t i = 0; i < events->count; i++)
        free(events->items[i].names);
    free(events->items);
}

static struct event *append(struct events *events, int source)
{
    if (events->count == events->capacity) {
        events->capacity = YK_MAX(events->capacity * 2, (size_t)32);
        events->items = yk_realloc_array(events->items, events->capacity, sizeof(*events->items));
    }
    struct event *event = &events->items[events->count];
    *event = (struct event){
        .view = {.type = "", .reason = "", .key = "", .object_name = "", .node_id = "", .message = ""},
        .source = source,
        .index = events->count};
    events->count++;
    return event;
}

static void add_states(struct events *events, const struct yk_app *app)
{
    append(events, -1)->view.wall_ns = app->submit_wall_ns;
    events->items[0].view.type = "Submitted";
    for (uint32_t i = 0; i < app->state_log_count; i++) {
        if (app->state_log[i].state == YK_APP_NEW)
            continue;
        struct event *event = append(events, 0);
        enum yk_app_state state = app->state_log[i].state;
        event->view.wall_ns = app->state_log[i].wall_ns;
        event->view.type = yk_app_state_name(state);
        if ((state == YK_APP_REJECTED || state == YK_APP_FAILING) && app->life.message != NULL)
            event->view.message = app->life.message;
    }
}

static void add_kept(struct events *events, const struct yk_app *app)
{
    struct yk_timeline_view view;
    for (uint32_t i = 0; yk_timeline_at(app, i, &view); i++)
        append(events, 1)->view = view;
    if (app->report.timeline != NULL)
        events->omitted += app->report.timeline->omitted;
}

static void add_one(struct events *events, const struct yk_app *app, const struct yk_ask *ask,
                    const char *type, int64_t wall_ns)
{
    struct yk_buf namespace_ = {0}, name = {0};
    yk_rm_call_ask_name(app->partition, ask, &namespace_, &name);
    yk_buf_done(&namespace_);
    struct event *event = append(events, 1);
    event->names = yk_buf_take(&name);
    event->view.wall_ns = wall_ns;
    event->view.type = type;
    event->view.key = ask->key;
    event->view.object_name = event->names != NULL ? event->names : "";
    event->view.node_id = ask->node->id;
}

static bool is_running(const struct yk_ask *ask)
{
    return !yk_ask_is_pending(ask) && ask->node != NULL && yk_ask_bind_wall_ns(ask) != 0;
}

static void take_running(struct yk_job *job, const void *item)
{
    const struct yk_ask *ask = item;
    if (is_running(ask))
        yk_names_add(&job->inner, yk_str_from(ask->key), yk_ask_bind_wall_ns(ask), NULL);
}

/* Adds the allocations that began first. `running`: keys, sorted by begin; the application may have lost some
 * of them since. */
static void add_running(struct events *events, const struct yk_app *app, const struct yk_names *running)
{
    size_t count = YK_MIN(running->count, (size_t)RUNNING_MAX);
    events->omitted += running->seen - count;
    for (size_t i = 0; i < count; i++) {
        const struct yk_ask *ask = yk_app_find_ask(app, running->items[i].text);
        if (ask == NULL || !is_running(ask))
            continue;
        add_one(events, app, ask, "Allocated", yk_ask_bind_wall_ns(ask));
        if (yk_ask_bound_wall_ns(ask) != 0)
            add_one(events, app, ask, "Bound", yk_ask_bound_wall_ns(ask));
    }
}

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->view.wall_ns != y->view.wall_ns)
        return x->view.wall_ns < y->view.wall_ns ? -1 : 1;
    if (x->source != y->source)
        return x->source - y->source;
    int order = strcmp(x->names != NULL && y->names != NULL ? x->view.key : "",
                       x->names != NULL && y->names != NULL ? y->view.key : "");
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static const char *sentence_of(const struct event *event, struct yk_buf *text)
{
    const struct yk_timeline_view *view = &event->view;
    const char *pod = view->object_name[0] != '\0' ? view->object_name : view->key;
    if (pod[0] == '\0')
        return view->message;
    yk_buf_clear(text);
    if (strcmp(view->type, "Waiting") == 0)
        yk_buf_printf(text, "%s waits: %s", pod, view->message[0] != '\0' ? view->message : view->reason);
    else if (strcmp(view->type, "Allocated") == 0)
        yk_buf_printf(text, "%s got node %s", pod, view->node_id);
    else if (strcmp(view->type, "Bound") == 0)
        yk_buf_printf(text, "%s is on node %s", pod, view->node_id);
    else if (strcmp(view->type, "Reserved") == 0)
        yk_buf_printf(text, "node %s is reserved for %s", view->node_id, pod);
    else if (strcmp(view->type, "Unreserved") == 0)
        yk_buf_printf(text, "node %s is no longer reserved for %s", view->node_id, pod);
    else if (strcmp(view->type, "Preempted") == 0)
        yk_buf_text(text, view->message);
    else
        yk_buf_printf(text, "%s left node %s: %s", pod, view->node_id, view->message);
    return yk_buf_cstr(text);
}

static void put_event(struct yk_json *json, const struct event *event, struct yk_buf *text)
{
    const struct yk_timeline_view *view = &event->view;
    yk_json_object_begin(json);
    yk_json_add_int(json, "time", view->wall_ns);
    yk_json_add_text(json, "type", view->type);
    yk_json_add_text(json, "message", sentence_of(event, text));
    yk__put_text_if(json, "allocationKey", view->key);
    yk__put_text_if(json, "podName", view->object_name);
    yk__put_text_if(json, "nodeID", view->node_id);
    yk__put_text_if(json, "reason", view->reason);
    yk_json_object_end(json);
}

static void show(struct yk_json *json, const struct yk_app *app, const struct yk_names *running)
{
    YK_CLEANUP(events_done) struct events events = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    add_states(&events, app);
    add_kept(&events, app);
    add_running(&events, app, running);
    if (events.count > 0)
        qsort(events.items, events.count, sizeof(*events.items), by_time);
    yk_json_object_begin(json);
    yk_json_add_text(json, "applicationID", app->id);
    yk_json_add_text(json, "queueName", app->queue_path);
    yk_json_add_text(json, "state", yk_app_state_name(app->state));
    yk_json_key(json, "events");
    yk_json_array_begin(json);
    for (size_t i = 0; i < events.count; i++)
        put_event(json, &events.items[i], &text);
    yk_json_array_end(json);
    yk_json_add_uint(json, "omitted", events.omitted);
    yk_json_object_end(json);
}

/* The one of two applications, each of which may be NULL, that ended last. */
static const struct yk_app *later(const struct yk_app *a, const struct yk_app *b)
{
    return a == NULL || (b != NULL && b->life.finish_wall_ns > a->life.finish_wall_ns) ? b : a;
}

/*
 * Searches the applications that have ended, newest first, and the rejected ones. The place in the list
 * (job->cursor) is valid until the sweep that frees expired applications; after the sweep, the search begins
 * again. YK_STEP_AGAIN: the slice is over.
 */
static enum yk_step find_ended(struct yk_job *job, const struct yk_partition *partition, struct yk_str id,
                               int64_t until_mono_ns, const struct yk_app **ret_app)
{
    const struct yk_list *link = job->cursor;
    if (link == NULL || job->seen != partition->housekeeping.expired_sweep.sequence)
        link = partition->completed.prev;
    job->seen = partition->housekeeping.expired_sweep.sequence;
    *ret_app = yk_strmap_get(&partition->rejected_by_id, id);
    for (uint64_t seen = 1; link != &partition->completed; link = link->prev, seen++) {
        const struct yk_app *app = YK_CONTAINER(link, const struct yk_app, life.in_ended);
        if (yk_str_is(id, app->id)) {
            *ret_app = later(app, *ret_app);
            return YK_STEP_DONE;
        }
        if (seen % APPS_PER_LOOK == 0 && yk_job_must_pause(job, until_mono_ns)) {
            job->cursor = link->prev;
            return YK_STEP_AGAIN;
        }
    }
    return YK_STEP_DONE;
}

enum yk_step yk__get_timeline(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition = yk_list_partition(job);
    struct yk_str id = yk_job_param(job, YK_PARAM_APPLICATION);
    if (partition == NULL)
        return yk_job_refuse(job, 404, "Partition not found");
    const struct yk_app *app = yk_strmap_get(&partition->apps, id);
    if (app != NULL && !job->inner_is_ready) {
        job->inner.window = YK_NAMES_WINDOW_BYTES;
        if (!yk__walk_set(job, &app->asks, &job->inner, take_running, until_mono_ns))
            return YK_STEP_AGAIN;
        job->inner_is_ready = true;
        job->sorting = &job->inner;
        return YK_STEP_SORT;
    }
    if (app == NULL && find_ended(job, partition, id, until_mono_ns, &app) == YK_STEP_AGAIN)
        return YK_STEP_AGAIN;
    if (app == NULL)
        return yk_job_refuse(job, 404, "Application not found");
    show(&job->json, app, &job->inner);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}
