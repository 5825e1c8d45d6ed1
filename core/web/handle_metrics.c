/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET metrics: docs/reference/rest.md, section 10. Nodes are counted in slices (web/metrics_nodes_priv.h).
 * Then queues are visited in slices; each adds its lines to the buffer of each family, since the text format wants the lines of a family together. Queues of the same path
 * in several partitions are summed.
 */
#include "base/version.h"
#include "scheduler/core.h"
#include "web/list.h"
#include "web/metrics_nodes_priv.h"
#include "web/metrics_waiting_priv.h"
#include "web/prometheus_priv.h"
#include "web/routes_priv.h"
#include "web/server_stats.h"

/* ---- lines per queue ---- */

struct families {
    struct yk_buf app, app_total, resource, container, own_container, pending, draining, headroom;
    struct yk_strmap
        taken; /* names of own_container in use: a second path with the same name is left out (11.6) */
    struct yk_vec taken_texts; /* char *, owned */
    struct yk__waiting_families waiting;
    struct yk__node_counts nodes;
};

static void free_families(void *own)
{
    struct families *families = own;
    char *text;
    yk_buf_done(&families->app);
    yk_buf_done(&families->app_total);
    yk_buf_done(&families->resource);
    yk_buf_done(&families->container);
    yk_buf_done(&families->own_container);
    yk_buf_done(&families->pending);
    yk_buf_done(&families->draining);
    yk_buf_done(&families->headroom);
    yk__waiting_families_done(&families->waiting);
    yk_strmap_done(&families->taken);
    yk_vec_foreach (text, &families->taken_texts)
        free(text);
    yk_vec_done(&families->taken_texts);
    free(families);
}

static void bound(struct families *families)
{
    struct yk_buf *const all[] = {&families->app,       &families->app_total,     &families->resource,
                                  &families->container, &families->own_container, &families->pending,
                                  &families->draining,  &families->headroom};
    for (size_t i = 0; i < YK_COUNT(all); i++)
        all[i]->max = YK_ANSWER_BODY_MAX;
}

/* What all partitions have under one path. */
struct sums {
    uint64_t apps[YK_APP_STATE_COUNT];
    struct yk_resvec guaranteed, max, allocated, pending, preempting, headroom;
    uint64_t max_apps, containers_allocated, containers_released, apps_joined;
    int64_t draining_since_wall_ns; /* 0: none of them drains */
    uint64_t pending_asks[YK_PENDING_COUNT];
    uint8_t pending_seen;
};

static void sums_done(struct sums *sums)
{
    yk_resvec_done(&sums->guaranteed);
    yk_resvec_done(&sums->max);
    yk_resvec_done(&sums->allocated);
    yk_resvec_done(&sums->pending);
    yk_resvec_done(&sums->preempting);
    yk_resvec_done(&sums->headroom);
}

/* What the path to the root leaves; nothing where nothing limits it. */
static void add_headroom(struct sums *sums, const struct yk_queue *queue)
{
    YK_RESVEC(headroom);
    if (yk_queue_headroom(queue, true, &headroom))
        yk_resvec_add(&sums->headroom, &headroom);
}

static void add_queue(struct sums *sums, const struct yk_queue *queue)
{
    for (int i = 0; i < YK_APP_STATE_COUNT; i++)
        sums->apps[i] += queue->apps_by_state[i];
    if (queue->has_guaranteed)
        yk_resvec_add(&sums->guaranteed, &queue->guaranteed);
    if (queue->has_max)
        yk_resvec_add(&sums->max, &queue->max);
    yk_resvec_add(&sums->allocated, &queue->allocated);
    yk_resvec_add(&sums->pending, &queue->pending);
    yk_resvec_add(&sums->preempting, &queue->preempting);
    sums->max_apps += queue->max_apps;
    sums->containers_allocated += queue->containers_allocated;
    sums->containers_released += queue->containers_released;
    if (queue->state == YK_STATE_DRAINING &&
        (sums->draining_since_wall_ns == 0 || queue->state_wall_ns < sums->draining_since_wall_ns))
        sums->draining_since_wall_ns = queue->state_wall_ns;
    for (int i = 0; i < YK_PENDING_COUNT; i++)
        sums->pending_asks[i] += queue->pending_asks[i];
    sums->pending_seen |= queue->pending_seen;
    yk_resvec_add_dense_types(&sums->allocated, queue->allocated_types);
    yk_resvec_add_dense_types(&sums->pending, queue->pending_types);
    sums->apps_joined += queue->apps_joined;
    add_headroom(sums, queue);
}

/* name{queue="...",<key>="<value>"} number; `key` comes after "queue" in the alphabet. */
static void line(struct yk_buf *out, const char *name, struct yk_str queue, const char *key,
                 const char *value, uint64_t number)
{
    yk_buf_printf(out, "%s{", name);
    yk__label(out, "queue", queue);
    yk_buf_printf(out, ",%s=\"%s\"} %llu\n", key, value, (unsigned long long)number);
}

static void resource_line(struct yk_buf *out, struct yk_str queue, const char *resource, const char *state,
                          int64_t number)
{
    yk_buf_text(out, "yunikorn_queue_resource{");
    yk__label(out, "queue", queue);
    yk_buf_char(out, ',');
    yk__label(out, "resource", yk_str_from(resource));
    yk_buf_printf(out, ",state=\"%s\"} %lld\n", state, (long long)number);
}

/* Nothing is shown that was never used. A state that each application goes through is used from the first
 * on. */
static void put_apps(struct families *families, struct yk_str path, const struct sums *sums)
{
    static const struct {
        const char *label;
        enum yk_app_state state;
        bool of_all, ends;
    } states[] = {
        {"new", YK_APP_NEW, true, false},
        {"accepted", YK_APP_ACCEPTED, true, false},
        {"starting", YK_APP_STARTING, false, false},
        {"running", YK_APP_RUNNING, true, false},
        {"resuming", YK_APP_RESUMING, false, false},
        {"failing", YK_APP_FAILING, false, false},
        {"completing", YK_APP_COMPLETING, true, false},
        {"rejected", YK_APP_REJECTED, false, true},
        {"failed", YK_APP_FAILED, false, true},
        {"completed", YK_APP_COMPLETED, false, true},
    };
    for (size_t i = 0; i < YK_COUNT(states); i++) {
        uint64_t count = sums->apps[states[i].state];
        if (count == 0 && !(states[i].of_all && sums->apps_joined > 0))
            continue;
        line(&families->app, "yunikorn_queue_app", path, "state", states[i].label, count);
        if (states[i].ends)
            line(&families->app_total, "yunikorn_queue_app_total", path, "state", states[i].label, count);
    }
}

static void put_amounts(struct families *families, struct yk_str path, const char *state,
                        const struct yk_resvec *amounts)
{
    yk_resvec_foreach(t, amounts)
    {
        resource_line(&families->resource, path, yk_restype_name(t), state, yk_resvec_get(amounts, t));
    }
}

static void put_resources(struct families *families, struct yk_str path, const struct sums *sums)
{
    put_amounts(families, path, "guaranteed", &sums->guaranteed);
    put_amounts(families, path, "max", &sums->max);
    put_amounts(families, path, "allocated", &sums->allocated);
    put_amounts(families, path, "pending", &sums->pending);
    put_amounts(families, path, "preempting", &sums->preempting);
    if (sums->max_apps > 0)
        resource_line(&families->resource, path, "apps", "maxRunningApps",
                      (int64_t)YK_MIN(sums->max_apps, (uint64_t)INT64_MAX));
}

/* The name that has the path in it; the first path that maps to a name keeps it. */
static void put_own_containers(struct families *families, struct yk_str path, const struct sums *sums)
{
    struct yk_buf name = {0};
    yk_buf_text(&name, "yunikorn_");
    yk__metric_name(&name, path);
    yk_buf_text(&name, "_queue_container");
    if (yk_strmap_get(&families->taken, yk_buf_view(&name)) != NULL) {
        yk_buf_done(&name);
        return;
    }
    char *text = yk_buf_take(&name);
    yk_vec_append(&families->taken_texts, text);
    (void)yk_strmap_put(&families->taken, yk_str_from(text), text); /* looked for just now */
    yk__family(&families->own_container, text, "counter", "Containers of the queue.");
    yk__sample_uint(&families->own_container, text, "state=\"allocated\"", sums->containers_allocated);
    if (sums->containers_released > 0)
        yk__sample_uint(&families->own_container, text, "state=\"released\"", sums->containers_released);
}

static void put_containers(struct families *families, struct yk_str path, const struct sums *sums)
{
    static const char name[] = "yunikorn_queue_container_total";
    if (sums->containers_allocated > 0)
        line(&families->container, name, path, "state", "allocated", sums->containers_allocated);
    if (sums->containers_released > 0)
        line(&families->container, name, path, "state", "released", sums->containers_released);
    if (sums->containers_allocated + sums->containers_released > 0)
        put_own_containers(families, path, sums);
}

static void put_pending(struct families *families, struct yk_str path, const struct sums *sums)
{
    static const char *const labels[YK_PENDING_COUNT] = {
        [YK_PENDING_ACTIVE] = "active",
        [YK_PENDING_QUOTA] = "quota",
        [YK_PENDING_UNSCHEDULABLE] = "unschedulable",
    };
    for (int i = 0; i < YK_PENDING_COUNT; i++) {
        if (labels[i] != NULL && (sums->pending_seen >> i & 1) != 0)
            line(&families->pending, "yunikorn_pending_pods", path, "status", labels[i],
                 sums->pending_asks[i]);
    }
}

static void put_headroom(struct families *families, struct yk_str path, const struct sums *sums)
{
    yk_resvec_foreach(t, &sums->headroom)
    {
        yk_buf_text(&families->headroom, "yunikorn_queue_headroom{");
        yk__label(&families->headroom, "queue", path);
        yk_buf_char(&families->headroom, ',');
        yk__label(&families->headroom, "resource", yk_str_from(yk_restype_name(t)));
        yk_buf_printf(&families->headroom, "} %lld\n", (long long)yk_resvec_get(&sums->headroom, t));
    }
}

/* Only while it drains (queues.md R21). */
static void put_draining(struct families *families, struct yk_str path, const struct sums *sums)
{
    if (sums->draining_since_wall_ns == 0)
        return;
    yk_buf_text(&families->draining, "yunikorn_queue_draining_since_seconds{");
    yk__label(&families->draining, "queue", path);
    yk_buf_printf(&families->draining, "} %lld\n", (long long)(sums->draining_since_wall_ns / YK_NS_PER_S));
}

static enum yk_step show_queue(struct yk_job *job, const struct yk_name_entry *entry, int64_t until_mono_ns)
{
    struct families *families = job->own;
    const struct yk_partition *partition;
    YK_CLEANUP(sums_done) struct sums sums = {0};
    bool found = false, is_leaf = false;
    (void)until_mono_ns;
    if (job->at > 0 && yk_str_eq(entry->text, job->names.items[job->at - 1].text))
        return YK_STEP_DONE; /* the same path in another partition */
    yk_vec_foreach (partition, &job->core->partitions) {
        const struct yk_queue *queue = yk_queue_find(partition->root, entry->text);
        if (queue == NULL)
            continue;
        found = true;
        is_leaf = is_leaf || queue->is_leaf;
        add_queue(&sums, queue);
        yk__metrics_of_waiting(&families->waiting, queue);
    }
    if (!found)
        return YK_STEP_DONE;            /* gone since */
    if (yk_str_is(entry->text, "root")) /* rejected ones are in no queue (11.5) */
        sums.apps[YK_APP_REJECTED] += job->core->metrics.apps_rejected;
    put_apps(families, entry->text, &sums);
    put_resources(families, entry->text, &sums);
    put_containers(families, entry->text, &sums);
    put_draining(families, entry->text, &sums);
    put_headroom(families, entry->text, &sums);
    if (is_leaf)
        put_pending(families, entry->text, &sums);
    return YK_STEP_DONE;
}

/* ---- lines of the scheduler ---- */

static void put_containers_total(struct yk_buf *out, const struct yk_metrics *metrics)
{
    struct yk__series series = {out, "yunikorn_scheduler_container_allocation_attempt_total", "counter",
                                "Attempts to allocate containers, by outcome.", false};
    yk__series_used(&series, "state=\"allocated\"", metrics->containers_allocated);
    yk__series_used(&series, "state=\"error\"", metrics->scheduling_errors);
    yk__series_used(&series, "state=\"rejected\"", metrics->containers_rejected);
    yk__series_used(&series, "state=\"released\"", metrics->containers_released);
}

static void put_submissions(struct yk_buf *out, const struct yk_metrics *metrics)
{
    struct yk__series series = {out, "yunikorn_scheduler_application_submission_total", "counter",
                                "Applications submitted, by result.", false};
    yk__series_used(&series, "result=\"accepted\"", metrics->apps_accepted);
    yk__series_used(&series, "result=\"new\"", metrics->apps_new);
    yk__series_used(&series, "result=\"rejected\"", metrics->apps_rejected);
}

static uint64_t apps_in(const struct yk_core *core, enum yk_app_state state)
{
    const struct yk_partition *partition;
    uint64_t count = 0;
    yk_vec_foreach (partition, &core->partitions)
        count += partition->apps_by_state[state];
    return count;
}

/* Compat: completed and failed never fall (11.8). */
static void put_app_states(struct yk_buf *out, const struct yk_core *core)
{
    struct yk__series series = {out, "yunikorn_scheduler_application_total", "gauge",
                                "Applications by state.", false};
    bool any = core->metrics.apps_new > 0; /* each goes through running and completing */
    yk__series_used(&series, "state=\"completed\"", core->metrics.apps_completed);
    yk__series_shown(&series, "state=\"completing\"", apps_in(core, YK_APP_COMPLETING), any);
    yk__series_used(&series, "state=\"failed\"", core->metrics.apps_failed);
    yk__series_used(&series, "state=\"failing\"", apps_in(core, YK_APP_FAILING));
    yk__series_used(&series, "state=\"resuming\"", apps_in(core, YK_APP_RESUMING));
    yk__series_shown(&series, "state=\"running\"", apps_in(core, YK_APP_RUNNING), any);
}

/* Nearly all are below the limit by far: both are shown, so that an alert needs no constant. */
static void put_types(struct yk_buf *out)
{
    static const char in_use[] = "yunikorn_scheduler_resource_types";
    static const char limit[] = "yunikorn_scheduler_resource_types_limit";
    yk__family(out, in_use, "gauge", "Resource types that nodes, queues or pods name.");
    yk__sample_uint(out, in_use, "", (uint64_t)yk_restype_in_use());
    yk__family(out, limit, "gauge", "Resource types there can be; further ones are left out.");
    yk__sample_uint(out, limit, "", YK_RESTYPE_MAX);
}

/* Compat: seconds, in spite of the names. */
static void put_latencies(struct yk_buf *out, const struct yk_metrics *metrics)
{
    const struct {
        const char *name, *help;
        const struct yk_histogram *histogram;
    } plain[] = {
        {"yunikorn_scheduler_scheduling_latency_milliseconds", "Time of one scheduling pass, in seconds.",
         &metrics->scheduling_latency},
        {"yunikorn_scheduler_scheduling_cycle_milliseconds",
         "Time of a pass over all partitions, in seconds.", &metrics->scheduling_cycle},
        {"yunikorn_scheduler_trynode_latency_milliseconds", "Time for the node that took an ask, in seconds.",
         &metrics->trynode},
        {"yunikorn_scheduler_trynode_evaluation_milliseconds", "Time of the search for a node, in seconds.",
         &metrics->trynode_evaluation},
        {"yunikorn_scheduler_trypreemption_latency_milliseconds", "Time of a preemption attempt, in seconds.",
         &metrics->trypreemption},
    };
    static const char sorting[] = "yunikorn_scheduler_node_sorting_latency_milliseconds";
    for (size_t i = 0; i < YK_COUNT(plain); i++) {
        if (!yk__histogram_is_used(plain[i].histogram))
            continue;
        yk__family(out, plain[i].name, "histogram", plain[i].help);
        yk__samples_of_histogram(out, plain[i].name, "", plain[i].histogram);
    }
    if (!yk__histogram_is_used(&metrics->sorting_apps) && !yk__histogram_is_used(&metrics->sorting_queues))
        return;
    yk__family(out, sorting, "histogram", "Time to sort applications or queues, in seconds.");
    yk__samples_of_histogram(out, sorting, "level=\"app\"", &metrics->sorting_apps);
    yk__samples_of_histogram(out, sorting, "level=\"queue\"", &metrics->sorting_queues);
}

static void put_build(struct yk_buf *out, const struct yk_metrics *metrics)
{
    yk__family(out, "yunikorn_build_info", "gauge", "What this binary is; always 1.");
    yk_buf_text(out, "yunikorn_build_info{");
    yk__label(out, "compiler", yk_str_from(yk_compiler));
    yk_buf_char(out, ',');
    yk__label(out, "revision", yk_str_from(yk_revision));
    yk_buf_char(out, ',');
    yk__label(out, "version", yk_str_from(yk_version));
    yk_buf_text(out, "} 1\n");
    struct yk__series reloads = {out, "yunikorn_config_reloads_total", "counter",
                                 "Queue configurations seen, by result.", false};
    yk__series_used(&reloads, "result=\"accepted\"", metrics->config_reloads_ok);
    yk__series_used(&reloads, "result=\"refused\"", metrics->config_reloads_refused);
    yk__family(out, "yunikorn_config_last_success_timestamp_seconds", "gauge",
               "When the queue configuration in force was loaded.");
    yk__sample_double(out, "yunikorn_config_last_success_timestamp_seconds", "",
                      (double)metrics->config_success_wall_ns / (double)YK_NS_PER_S);
}

/* ---- the whole ---- */

static struct families *new_families(struct yk_job *job)
{
    struct families *families = yk_new0(struct families);
    bound(families);
    job->own = families;
    job->own_free = free_families;
    return families;
}

/* First the nodes, in slices, then the names of the queues. */
static enum yk_list_open collect(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_partition *partition;
    struct families *families = job->own != NULL ? job->own : new_families(job);
    if (!yk__count_nodes(&families->nodes, job, until_mono_ns))
        return YK_LIST_MORE;
    yk_vec_foreach (partition, &job->core->partitions) {
        for (const struct yk_queue *q = partition->root; q != NULL; q = yk_queue_next(q, partition->root))
            yk_names_add(&job->names, yk_str_from(q->path), 0, NULL);
    }
    return YK_LIST_READY;
}

/* As the ring takes every event at once, nothing is lost on the way to it. */
static void put_events(struct yk_buf *out, const struct yk_events *events)
{
    const struct {
        const char *name, *help;
        uint64_t number;
    } numbers[] = {
        {"yunikorn_event_total_created", "Events told.", events->created},
        {"yunikorn_event_total_channeled", "Events on their way to the buffer.", events->created},
        {"yunikorn_event_total_not_channeled", "Events lost on their way to the buffer.", 0},
        {"yunikorn_event_total_processed", "Events that came to the buffer.", events->created},
        {"yunikorn_event_total_stored", "Events kept for the resource manager.", events->stored},
        {"yunikorn_event_total_not_stored", "Events the resource manager has no room for.",
         events->not_stored},
        {"yunikorn_event_total_collected", "Events handed to the resource manager.", events->collected},
    };
    for (size_t i = 0; i < YK_COUNT(numbers); i++) {
        struct yk__series series = {out, numbers[i].name, "gauge", numbers[i].help, false};
        yk__series_used(&series, "", numbers[i].number);
    }
}

static void begin(struct yk_job *job)
{
    struct yk_buf *out = &job->answer.body;
    const struct yk_metrics *metrics = &job->core->metrics;
    struct families *families = job->own;
    job->answer.content_type = YK_TYPE_METRICS;
    put_containers_total(out, metrics);
    put_submissions(out, metrics);
    put_app_states(out, job->core);
    yk__metrics_of_nodes(&families->nodes, metrics, out);
    put_types(out);
    put_latencies(out, metrics);
    yk__metrics_of_pods(out, metrics);
    put_build(out, metrics);
    put_events(out, &job->core->events);
}

static void append(struct yk_buf *out, struct yk_buf *lines, const char *name, const char *type,
                   const char *help)
{
    if (name != NULL && lines->len > 0)
        yk__family(out, name, type, help);
    yk_buf_str(out, yk_buf_view(lines));
    out->failed = out->failed || lines->failed;
}

static void end(struct yk_job *job)
{
    struct families *families = job->own;
    struct yk_buf *out = &job->answer.body;
    append(out, &families->app, "yunikorn_queue_app", "gauge", "Applications of a queue by state.");
    append(out, &families->app_total, "yunikorn_queue_app_total", "counter",
           "Applications of a queue that ended.");
    append(out, &families->resource, "yunikorn_queue_resource", "gauge", "Resources of a queue.");
    append(out, &families->container, "yunikorn_queue_container_total", "counter", "Containers of a queue.");
    append(out, &families->pending, "yunikorn_pending_pods", "gauge",
           "Pending pods of a leaf by what they wait for.");
    append(out, &families->draining, "yunikorn_queue_draining_since_seconds", "gauge",
           "When a queue that drains began to, in seconds since the epoch.");
    append(out, &families->headroom, "yunikorn_queue_headroom", "gauge",
           "What a queue may still take, by the limits of its whole path.");
    yk__metrics_of_waiting_end(&families->waiting, out);
    append(out, &families->own_container, NULL, NULL, NULL);
}

static const struct yk_list_kind queues = {
    .open = collect, .item = show_queue, .begin = begin, .end = end, .as_paths = true};

enum yk_step yk__get_metrics(struct yk_job *job, int64_t until_mono_ns)
{
    return yk_list_work(job, &queues, until_mono_ns);
}

void yk__finish_metrics(struct yk_job *job)
{
    if (job->answer.status != 200)
        return;
    yk__process_metrics(&job->answer.body);
    if (job->stats == NULL)
        return;
    yk_server_stats_render(job->stats, &job->answer.body);
    if (job->stats->put_more_metrics != NULL)
        job->stats->put_more_metrics(job->stats->more_metrics_context, &job->answer.body);
}
