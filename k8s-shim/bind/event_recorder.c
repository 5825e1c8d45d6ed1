/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/event_recorder.h"

#include "api/encode.h"
#include "base/log.h"

#define RETRY_NS        (10 * YK_NS_PER_S)
#define SERIES_IDLE_NS  (6 * 60 * YK_NS_PER_S)
#define SERIES_FRESH_NS (30 * 60 * YK_NS_PER_S)
#define SWEEP_NS        (60 * YK_NS_PER_S)

enum {
    NOTE_MAX = 1024,
    REASON_MAX = 128,
    BODY_MAX = 16 << 10,
    SWEEP_SERIES = 32, /* series that one step of a sweep checks */
};

struct event { /* the contents of an Event; texts are owned */
    char *kind, *regarding_namespace, *regarding_name, *uid, *reason, *action, *note;
    char *namespace_, *name; /* namespace and name of the Event itself */
    bool warning;
    int64_t wall_ns;
};

struct series {
    struct event event;
    struct yk_list in_order; /* in series_list of the recorder */
    uint64_t key;
    uint32_t count, written; /* occurrences so far; `count` when it was last sent to the API server */
    int64_t last_mono_ns, last_wall_ns, written_mono_ns;
};

struct delivery {
    struct yk_timer timer; /* first member */
    struct yk_list link;
    struct yk_recorder *recorder;
    enum yk_op_kind kind;
    bool is_of_node;
    char *namespace_, *name;
    struct yk_buf body;
    /* Key of the series; 0: none. If the API server has lost the Event of a PATCH, it is created again. */
    uint64_t series;
    unsigned tries;
};

static void sweep(struct yk_timer *timer);

void yk_recorder_init(struct yk_recorder *recorder, struct yk_api_server *api, struct yk_timers *timers,
                      const struct yk_clock *clock, const char *hostname, uint64_t seed)
{
    struct yk_buf instance = {.max = REASON_MAX};
    yk_buf_printf(&instance, "yunikorn-%.100s", hostname);
    *recorder = (struct yk_recorder){.api = api,
                                     .timers = timers,
                                     .clock = clock,
                                     .instance = yk_buf_take(&instance),
                                     .window = YK_EVENTS_IN_FLIGHT_MAX};
    yk_random_init(&recorder->random, seed);
    yk_list_init(&recorder->ready);
    yk_list_init(&recorder->retrying);
    yk_list_init(&recorder->series_list);
    recorder->sweep_next = &recorder->series_list;
    recorder->sweep.fire = sweep;
}

static void event_done(struct event *event)
{
    free(event->kind);
    free(event->regarding_namespace);
    free(event->regarding_name);
    free(event->uid);
    free(event->reason);
    free(event->action);
    free(event->note);
    free(event->namespace_);
    free(event->name);
}

static void series_free(struct yk_recorder *recorder, struct series *series)
{
    (void)yk_idmap_remove(&recorder->series, series->key); /* the result is `series` */
    yk_list_remove(&series->in_order);
    event_done(&series->event);
    free(series);
}

static void delivery_free(struct delivery *delivery)
{
    yk_timer_cancel(delivery->recorder->timers, &delivery->timer);
    if (yk_list_linked(&delivery->link))
        yk_list_remove(&delivery->link);
    delivery->recorder->outstanding--;
    delivery->recorder->outstanding_of_nodes -= delivery->is_of_node;
    free(delivery->namespace_);
    free(delivery->name);
    yk_buf_done(&delivery->body);
    free(delivery);
}

static void drop_list(struct yk_list *list)
{
    while (!yk_list_empty(list))
        delivery_free(yk_list_first(list, struct delivery, link));
}

void yk_recorder_stop(struct yk_recorder *recorder)
{
    recorder->stopping = true;
    drop_list(&recorder->ready);
    drop_list(&recorder->retrying);
    yk_timer_cancel(recorder->timers, &recorder->sweep);
}

void yk_recorder_done(struct yk_recorder *recorder)
{
    yk_recorder_stop(recorder);
    while (!yk_list_empty(&recorder->series_list))
        series_free(recorder, yk_list_first(&recorder->series_list, struct series, in_order));
    yk_idmap_done(&recorder->series);
    free(recorder->instance);
}

/* ---- the object ---- */

/* Appends the Event as JSON. `series`: the series of the Event; NULL: the Event has no repetitions. */
static void encode(struct yk_buf *body, const struct yk_recorder *recorder, const struct event *event,
                   const struct series *series)
{
    const struct yk_event_draft draft = {
        .name = event->name,
        .namespace_ = event->namespace_,
        .event_wall_ns = event->wall_ns,
        .controller = "yunikorn",
        .instance = recorder->instance,
        .type = event->warning ? "Warning" : "Normal",
        .reason = event->reason,
        .action = event->action,
        .note = event->note,
        .regarding = {.api_version = "v1",
                      .kind = event->kind,
                      .namespace_ = event->regarding_namespace,
                      .name = event->regarding_name,
                      .uid = event->uid},
        .series_count = series != NULL ? series->count : 0,
        .series_last_wall_ns = series != NULL ? series->last_wall_ns : 0,
    };
    yk_encode_event(body, &draft);
}

/* ---- delivery ---- */

static void pump(struct yk_recorder *recorder);
static void queue_series(struct yk_recorder *recorder, struct series *series, enum yk_op_kind kind);

static void retry(struct yk_timer *timer)
{
    struct delivery *delivery = (struct delivery *)(void *)timer;
    yk_list_remove(&delivery->link);
    yk_list_append(&delivery->recorder->ready, &delivery->link);
    pump(delivery->recorder);
}

static void retry_later(struct delivery *delivery, struct yk_op *op)
{
    struct yk_recorder *recorder = delivery->recorder;
    delivery->body = op->body;
    op->body = (struct yk_buf){.p = NULL};
    yk_list_append(&recorder->retrying, &delivery->link);
    double jitter = 1 + yk_random_unit(&recorder->random) / 4;
    yk_timer_arm(recorder->timers, &delivery->timer, (int64_t)((double)RETRY_NS * jitter));
}

static void write_whole_again(struct yk_recorder *recorder, uint64_t key)
{
    struct series *series = yk_idmap_get(&recorder->series, key);
    if (series != NULL)
        queue_series(recorder, series, YK_OP_CREATE_EVENT);
}

static void delivered(struct yk_op *op)
{
    struct delivery *delivery = op->context;
    struct yk_recorder *recorder = delivery->recorder;
    recorder->in_flight--;
    bool lost = op->result == YK_OP_RETRY && op->http_status == 0;
    if (lost && ++delivery->tries < YK_EVENT_TRIES_MAX && !recorder->stopping) {
        retry_later(delivery, op);
    } else {
        uint64_t series =
            delivery->kind == YK_OP_PATCH_EVENT && op->result == YK_OP_NOT_FOUND ? delivery->series : 0;
        recorder->sent += op->result == YK_OP_OK;
        recorder->dropped += op->result != YK_OP_OK;
        delivery_free(delivery);
        if (series != 0 && !recorder->stopping)
            write_whole_again(recorder, series);
    }
    yk_op_free(op);
    pump(recorder);
}

static void send(struct delivery *delivery)
{
    struct yk_op *op =
        yk_op_new(delivery->kind, &(struct yk_op_target){.namespace_ = yk_str_from(delivery->namespace_),
                                                         .name = yk_str_from(delivery->name)});
    op->body = delivery->body;
    delivery->body = (struct yk_buf){.p = NULL};
    op->droppable = true;
    op->done = delivered;
    op->context = delivery;
    delivery->recorder->in_flight++;
    yk_api_submit(delivery->recorder->api, op);
}

static void pump(struct yk_recorder *recorder)
{
    while (!recorder->stopping && recorder->in_flight < recorder->window &&
           !yk_list_empty(&recorder->ready)) {
        struct delivery *delivery = yk_list_first(&recorder->ready, struct delivery, link);
        yk_list_remove(&delivery->link);
        send(delivery);
    }
}

static bool is_of_node(const char *kind)
{
    return strcmp(kind, "Node") == 0;
}

/* Whether no request may be added for an Event about an object of that kind. */
static bool is_full(const struct yk_recorder *recorder, const char *kind)
{
    return recorder->stopping || recorder->outstanding >= YK_EVENTS_MAX ||
           (is_of_node(kind) && recorder->outstanding_of_nodes >= YK_EVENTS_OF_NODES_MAX);
}

/* A new request for the Event, in `ready`. NULL: too many requests wait; the Event is counted as dropped. */
static struct delivery *delivery_new(struct yk_recorder *recorder, enum yk_op_kind kind,
                                     const struct event *event)
{
    if (is_full(recorder, event->kind)) {
        recorder->dropped++;
        return NULL;
    }
    struct delivery *delivery = yk_new0(struct delivery);
    delivery->timer.fire = retry;
    delivery->recorder = recorder;
    delivery->kind = kind;
    delivery->namespace_ = yk_strdup(event->namespace_);
    delivery->name = yk_strdup(event->name);
    delivery->body.max = BODY_MAX;
    delivery->is_of_node = is_of_node(event->kind);
    recorder->outstanding++;
    recorder->outstanding_of_nodes += delivery->is_of_node;
    yk_list_append(&recorder->ready, &delivery->link);
    return delivery;
}

static void queue_series(struct yk_recorder *recorder, struct series *series, enum yk_op_kind kind)
{
    struct delivery *delivery = delivery_new(recorder, kind, &series->event);
    if (delivery == NULL)
        return;
    delivery->series = series->key;
    series->written = series->count;
    series->written_mono_ns = yk_clock_mono_ns(recorder->clock);
    if (kind == YK_OP_CREATE_EVENT) {
        encode(&delivery->body, recorder, &series->event, series);
    } else {
        yk_encode_event_series(&delivery->body, series->count, series->last_wall_ns);
    }
    pump(recorder);
}

static void look_after(struct yk_recorder *recorder, struct series *series, int64_t now_mono_ns)
{
    bool idle = now_mono_ns - series->last_mono_ns >= SERIES_IDLE_NS;
    bool stale = now_mono_ns - series->written_mono_ns >= SERIES_FRESH_NS;
    if (series->count > 1 && (stale || (idle && series->count != series->written)))
        queue_series(recorder, series, YK_OP_PATCH_EVENT);
    if (idle)
        series_free(recorder, series);
}

/* One step of the check of all series. Between two steps, the thread does other work. The series are checked
 * in order of arrival, so that the order of the requests does not depend on hashes. */
static void sweep(struct yk_timer *timer)
{
    struct yk_recorder *recorder = YK_CONTAINER(timer, struct yk_recorder, sweep);
    struct yk_list *end = &recorder->series_list;
    int64_t now_mono_ns = yk_clock_mono_ns(recorder->clock);
    if (recorder->sweep_next == end)
        recorder->sweep_next = end->next;
    for (int budget = SWEEP_SERIES; budget > 0 && recorder->sweep_next != end; budget--) {
        struct series *series = YK_CONTAINER(recorder->sweep_next, struct series, in_order);
        recorder->sweep_next = series->in_order.next;
        look_after(recorder, series, now_mono_ns); /* may free `series` */
    }
    if (recorder->series.count > 0)
        yk_timer_arm(recorder->timers, &recorder->sweep, recorder->sweep_next == end ? SWEEP_NS : 0);
    yk_timers_nothing_changed(recorder->timers);
}

/* ---- new Events ---- */

static uint64_t key_of(const struct yk_regarding *about, bool warning, const char *reason, const char *action)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096};
    yk_buf_printf(&text, "%d\n%s\n%s\n%s\n", warning, reason, action, about->kind);
    yk_buf_str(&text, about->uid);
    return yk_hash(text.p, text.len);
}

/* A copy of at most `max` bytes of `text`, cut between characters. */
static char *cut(const char *text, size_t max)
{
    size_t len = strnlen(text, max + 1);
    if (len > max) {
        len = max;
        while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
            len--;
    }
    return yk_strndup(text, len);
}

static void repeat(struct yk_recorder *recorder, struct series *series)
{
    series->count++;
    series->last_mono_ns = yk_clock_mono_ns(recorder->clock);
    series->last_wall_ns = yk_clock_wall_ns(recorder->clock);
    recorder->merged++;
    if (series->count == 2)
        queue_series(recorder, series, YK_OP_PATCH_EVENT);
}

static void remember(struct yk_recorder *recorder, uint64_t key, struct event *event)
{
    struct series *series = yk_new0(struct series);
    series->event = *event;
    series->key = key;
    series->count = series->written = 1;
    series->last_mono_ns = series->written_mono_ns = yk_clock_mono_ns(recorder->clock);
    series->last_wall_ns = event->wall_ns;
    (void)yk_idmap_put(&recorder->series, key, series); /* replaces nothing */
    yk_list_append(&recorder->series_list, &series->in_order);
    if (!yk_timer_armed(&recorder->sweep))
        yk_timer_arm(recorder->timers, &recorder->sweep, SWEEP_NS);
}

/* Adds an Event. `key`: the key of the series that the Event repeats or begins; 0: it is not merged. */
static void add(struct yk_recorder *recorder, const struct yk_regarding *about, bool warning,
                const char *reason, const char *action, const char *note, uint64_t key)
{
    if (recorder->muted)
        return;
    struct series *known = key == 0 ? NULL : yk_idmap_get(&recorder->series, key);
    if (known != NULL) {
        repeat(recorder, known);
        return;
    }
    if (is_full(recorder, about->kind)) {
        recorder->dropped++;
        return;
    }
    int64_t wall_ns = yk_clock_wall_ns(recorder->clock);
    struct event event = {
        .kind = yk_strdup(about->kind),
        .regarding_namespace = yk_str_dup(about->namespace_.p != NULL ? about->namespace_ : YK_STR("")),
        .regarding_name = yk_str_dup(about->name),
        .uid = yk_str_dup(about->uid),
        .reason = cut(reason, REASON_MAX),
        .action = cut(action, REASON_MAX),
        .note = cut(note, NOTE_MAX),
        .namespace_ = yk_str_dup(yk_str_empty(about->namespace_) ? YK_STR("default") : about->namespace_),
        .warning = warning,
        .wall_ns = wall_ns,
    };
    struct yk_buf name = {0};
    yk_event_name(&name, event.regarding_name, wall_ns, &recorder->random);
    event.name = yk_buf_take(&name);
    struct delivery *delivery = delivery_new(recorder, YK_OP_CREATE_EVENT, &event);
    if (YK_ASSERT(delivery != NULL))
        encode(&delivery->body, recorder, &event, NULL);
    if (key == 0 || recorder->series.count >= YK_EVENT_SERIES_MAX)
        event_done(&event);
    else
        remember(recorder, key, &event);
    pump(recorder);
}

void yk_recorder_add(struct yk_recorder *recorder, const struct yk_regarding *about, bool warning,
                     const char *reason, const char *action, const char *note, bool once)
{
    add(recorder, about, warning, reason, action, note,
        once ? 0 : key_of(about, warning, reason, action) | 1);
}

static struct yk_regarding about_pod(const struct yk_cache_pod *pod)
{
    return (struct yk_regarding){"Pod", yk_cache_pod_namespace(pod), yk_cache_pod_name(pod),
                                 yk_cache_pod_uid(pod)};
}

void yk_recorder_pod(struct yk_recorder *recorder, const struct yk_cache_pod *pod, bool warning,
                     const char *reason, const char *action, const char *note)
{
    const struct yk_regarding about = about_pod(pod);
    yk_recorder_add(recorder, &about, warning, reason, action, note, false);
}

void yk_recorder_pod_words(struct yk_recorder *recorder, const struct yk_cache_pod *pod, bool warning,
                           const char *reason, const char *action, const char *note, uint64_t words)
{
    const struct yk_regarding about = about_pod(pod);
    uint64_t key = key_of(&about, warning, reason, action) ^ yk_hash_u64(words);
    add(recorder, &about, warning, reason, action, note, key | 1);
}

void yk_recorder_set_window(struct yk_recorder *recorder, size_t window)
{
    recorder->window = window;
    pump(recorder);
}
