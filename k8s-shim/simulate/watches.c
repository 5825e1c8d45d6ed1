/* SPDX-License-Identifier: Apache-2.0 */
/* Watches. Each one has a queue of the lists and events that it will deliver, with their times. */
#include "simulate/cluster_priv.h"

#include "base/log.h"
#include "simulate/selector.h"

struct delivery {
    struct yk_list link;
    int64_t due_mono_ns;
    enum {
        TELL_EVENT,
        TELL_LIST,      /* all objects, as they are when the list is delivered */
        TELL_HALF_LIST, /* the first half of the objects; the list breaks off without an end */
    } what;
    enum yk_watch_event event; /* of TELL_EVENT */
    struct yk_object *object;  /* of TELL_EVENT; owned */
};

struct yk_sim_watch {
    struct yk_list link;
    struct yk_cluster *cluster;
    struct yk_watch_spec spec; /* points to `texts` */
    char *texts[3];            /* owned */
    yk_watch_sink *sink;
    void *context;
    struct yk_list queue;  /* struct delivery, owned, by due time */
    struct yk_timer timer; /* when the first delivery is due */
    int64_t last_due_ns;   /* of the last delivery that was queued */
    int64_t hold_until_ns; /* nothing is delivered before this time; 0: the watch was never paused */
    bool listed;           /* a whole list was delivered, so changes are queued as events */
};

static void delivery_free(struct delivery *delivery)
{
    if (yk_list_linked(&delivery->link))
        yk_list_remove(&delivery->link);
    yk_object_free(delivery->object);
    free(delivery);
}

static void arm(struct yk_sim_watch *watch)
{
    const struct yk_cluster_options *options = &watch->cluster->options;
    const struct delivery *first = yk_list_first(&watch->queue, struct delivery, link);
    if (first == NULL)
        yk_timer_cancel(options->timers, &watch->timer);
    else if (!yk_timer_armed(&watch->timer))
        yk_timer_arm(options->timers, &watch->timer, first->due_mono_ns - yk_clock_mono_ns(options->clock));
}

/* When a new delivery is due: after the earlier ones of this watch, and when the connection is not broken. */
static int64_t due_after(struct yk_sim_watch *watch, int64_t delay_ns)
{
    const struct yk_cluster_options *options = &watch->cluster->options;
    int64_t due_ns = yk_clock_mono_ns(options->clock) + delay_ns;
    due_ns = YK_MAX(YK_MAX(due_ns, watch->last_due_ns), watch->hold_until_ns);
    watch->last_due_ns = due_ns;
    return due_ns;
}

static void queue_list(struct yk_sim_watch *watch, int64_t delay_ns, bool half)
{
    struct delivery *delivery = yk_new0(struct delivery);
    delivery->what = half ? TELL_HALF_LIST : TELL_LIST;
    delivery->due_mono_ns = due_after(watch, delay_ns);
    yk_list_append(&watch->queue, &delivery->link);
    arm(watch);
}

static int64_t event_delay(struct yk_cluster *cluster)
{
    int64_t jitter_ns = cluster->options.watch_jitter_ns;
    return cluster->options.watch_ns +
           (jitter_ns > 0 ? (int64_t)yk_random_below(&cluster->random, (uint64_t)jitter_ns + 1) : 0);
}

static void queue_event(struct yk_sim_watch *watch, enum yk_watch_event event, const struct yk_object *object)
{
    struct delivery *delivery = yk_new0(struct delivery);
    delivery->what = TELL_EVENT;
    delivery->event = event;
    delivery->object = yk_sim_object_copy(object);
    delivery->due_mono_ns = due_after(watch, event_delay(watch->cluster));
    yk_list_append(&watch->queue, &delivery->link);
    arm(watch);
}

void yk__watches_tell(struct yk_cluster *cluster, const struct yk_object *before,
                      const struct yk_object *after)
{
    enum yk_kind kind = after != NULL ? after->kind : before->kind;
    struct yk_sim_watch *watch;
    yk_list_foreach (watch, &cluster->watches, struct yk_sim_watch, link) {
        if (watch->spec.kind != kind || !watch->listed)
            continue;
        bool was = before != NULL && yk_sim_selector_matches(&watch->spec, before);
        bool is = after != NULL && yk_sim_selector_matches(&watch->spec, after);
        if (is)
            queue_event(watch, YK_WATCH_UPSERT, after);
        else if (was)
            queue_event(watch, YK_WATCH_DELETED, after != NULL ? after : before);
    }
}

static void tell(struct yk_sim_watch *watch, enum yk_watch_event event, struct yk_object *object)
{
    if (watch->cluster->stopped) { /* the sink may have stopped it in the previous event */
        yk_object_free(object);
        return;
    }
    watch->cluster->stats.watch_events++;
    watch->sink(watch->context, watch->spec.kind, event, object);
}

/* Delivers the first `limit` matching objects as they are now. */
static void tell_list(struct yk_sim_watch *watch, size_t limit)
{
    struct yk_cluster *cluster = watch->cluster;
    cluster->stats.relists++;
    tell(watch, YK_WATCH_REPLACE_BEGIN, NULL);
    struct yk_sim_entry *entry;
    yk_list_foreach (entry, &cluster->kinds[watch->spec.kind].entries, struct yk_sim_entry, link) {
        if (limit == 0)
            return;
        if (!yk_sim_selector_matches(&watch->spec, entry->object))
            continue;
        tell(watch, YK_WATCH_UPSERT, yk_sim_object_copy(entry->object));
        limit--;
    }
}

static void deliver(struct yk_sim_watch *watch, struct delivery *delivery)
{
    struct yk_cluster *cluster = watch->cluster;
    switch (delivery->what) {
    case TELL_EVENT:
        tell(watch, delivery->event, yk_move(delivery->object));
        break;
    case TELL_HALF_LIST:
        tell_list(watch, cluster->kinds[watch->spec.kind].by_key.count / 2);
        queue_list(watch, cluster->options.watch_ns, false);
        break;
    case TELL_LIST:
        tell_list(watch, SIZE_MAX);
        tell(watch, YK_WATCH_REPLACE_END, NULL);
        watch->listed = true;
        break;
    }
    delivery_free(delivery);
}

static void fire(struct yk_timer *timer)
{
    struct yk_sim_watch *watch = YK_CONTAINER(timer, struct yk_sim_watch, timer);
    const struct yk_cluster *cluster = watch->cluster;
    int64_t now_ns = yk_clock_mono_ns(cluster->options.clock);
    while (!cluster->stopped) {
        struct delivery *first = yk_list_first(&watch->queue, struct delivery, link);
        if (first == NULL || first->due_mono_ns > now_ns)
            break;
        yk_list_remove(&first->link);
        deliver(watch, first);
    }
    if (!cluster->stopped)
        arm(watch);
}

void yk__watch_start(struct yk_cluster *cluster, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                     void *context)
{
    struct yk_err err;
    if (cluster->stopped)
        return;
    if (yk_sim_selector_check(spec, &err) != YK_OK) {
        /* With a real server, the request would be refused and repeated without end. In both cases the kind
         * never gets in sync. */
        yk_error(yk_log_client, "watch refused", KV("kind", yk_kind_name(spec->kind)),
                 KV("err", (const char *)err.text));
        return;
    }
    struct yk_sim_watch *watch = yk_new0(struct yk_sim_watch);
    watch->cluster = cluster;
    watch->texts[0] = yk_strdup_or_null(spec->namespace_);
    watch->texts[1] = yk_strdup_or_null(spec->label_selector);
    watch->texts[2] = yk_strdup_or_null(spec->field_selector);
    watch->spec = (struct yk_watch_spec){.kind = spec->kind,
                                         .namespace_ = watch->texts[0],
                                         .label_selector = watch->texts[1],
                                         .field_selector = watch->texts[2]};
    watch->sink = sink;
    watch->context = context;
    watch->timer.fire = fire;
    yk_list_init(&watch->queue);
    yk_list_append(&cluster->watches, &watch->link);
    queue_list(watch, event_delay(cluster), false);
}

static void drop_queue(struct yk_sim_watch *watch)
{
    struct delivery *delivery;
    yk_list_foreach (delivery, &watch->queue, struct delivery, link)
        delivery_free(delivery);
}

static void hold(struct yk_sim_watch *watch, int64_t until_ns)
{
    watch->hold_until_ns = until_ns;
    struct delivery *delivery;
    yk_list_foreach (delivery, &watch->queue, struct delivery, link) {
        delivery->due_mono_ns = YK_MAX(delivery->due_mono_ns, until_ns);
        watch->last_due_ns = YK_MAX(watch->last_due_ns, delivery->due_mono_ns);
    }
}

static void relist(struct yk_sim_watch *watch, int64_t gap_ns, bool half)
{
    drop_queue(watch);
    watch->listed = false;
    queue_list(watch, gap_ns, half);
}

void yk__watches_break(struct yk_cluster *cluster, enum yk_kind kind, enum yk_watch_fault how, int64_t gap_ns)
{
    struct yk_sim_watch *watch;
    yk_list_foreach (watch, &cluster->watches, struct yk_sim_watch, link) {
        if (watch->spec.kind != kind)
            continue;
        yk_timer_cancel(cluster->options.timers, &watch->timer);
        if (how == YK_WATCH_FAULT_PAUSE)
            hold(watch, yk_clock_mono_ns(cluster->options.clock) + gap_ns);
        else
            relist(watch, gap_ns, how == YK_WATCH_FAULT_CUT);
        arm(watch);
    }
}

static void watch_free(struct yk_sim_watch *watch)
{
    drop_queue(watch);
    yk_timer_cancel(watch->cluster->options.timers, &watch->timer);
    yk_list_remove(&watch->link);
    for (size_t i = 0; i < YK_COUNT(watch->texts); i++)
        free(watch->texts[i]);
    free(watch);
}

void yk__watches_done(struct yk_cluster *cluster)
{
    struct yk_sim_watch *watch;
    yk_list_foreach (watch, &cluster->watches, struct yk_sim_watch, link)
        watch_free(watch);
}
