/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of one queue: docs/reference/rest.md 10.2. Most numbers that were 0 all the time are not shown. */
#include "web/metrics_priv.h"

#include <math.h>

/* ---- sums over partitions ---- */

void yk__queue_sums_done(struct yk__queue_sums *sums)
{
    yk_resvec_done(&sums->guaranteed);
    yk_resvec_done(&sums->max);
    yk_resvec_done(&sums->allocated);
    yk_resvec_done(&sums->pending);
    yk_resvec_done(&sums->preempting);
    yk_resvec_done(&sums->headroom);
}

/* Adds the headroom on the path from the queue to the root; types without a maximum are left out. */
static void add_headroom(struct yk__queue_sums *sums, const struct yk_queue *queue)
{
    YK_RESVEC(headroom);
    if (yk_queue_headroom(queue, true, &headroom))
        yk_resvec_add(&sums->headroom, &headroom);
}

static void add_amounts(struct yk__queue_sums *sums, const struct yk_queue *queue)
{
    if (queue->has_guaranteed)
        yk_resvec_add(&sums->guaranteed, &queue->guaranteed);
    if (queue->has_max)
        yk_resvec_add(&sums->max, &queue->max);
    yk_resvec_add(&sums->allocated, &queue->allocated);
    yk_resvec_add(&sums->pending, &queue->pending);
    yk_resvec_add(&sums->preempting, &queue->preempting);
    yk_resvec_add_dense_types(&sums->allocated, queue->allocated_types);
    yk_resvec_add_dense_types(&sums->pending, queue->pending_types);
    add_headroom(sums, queue);
}

static void add_waits(struct yk__queue_sums *sums, const struct yk_queue *queue)
{
    for (int i = 0; i < YK_PENDING_COUNT; i++)
        sums->pending_asks[i] += queue->pending_asks[i];
    sums->pending_seen |= queue->pending_seen;
    for (int i = 0; i < YK_REASON_COUNT; i++)
        sums->apps_by_reason[i] += queue->apps_by_reason[i];
    for (int i = 0; i < YK_METRIC_PREEMPTION_KINDS; i++) {
        sums->preempted_for[i] += queue->preempted_for[i];
        sums->evicted[i] += queue->evicted[i];
    }
    if (queue->report.waits == NULL)
        return;
    yk_wait_histogram_add(&sums->waits.accepted, &queue->report.waits->accepted);
    yk_wait_histogram_add(&sums->waits.first_allocation, &queue->report.waits->first_allocation);
    yk_wait_histogram_add(&sums->waits.gang_ready, &queue->report.waits->gang_ready);
    yk_wait_histogram_add(&sums->waits.running, &queue->report.waits->running);
}

void yk__queue_sums_add(struct yk__queue_sums *sums, const struct yk_queue *queue)
{
    sums->is_leaf = sums->is_leaf || queue->is_leaf;
    sums->by_state[queue->state]++;
    sums->share = YK_MAX(sums->share, queue->share);
    for (int i = 0; i < YK_APP_STATE_COUNT; i++)
        sums->apps[i] += queue->apps_by_state[i];
    sums->apps_joined += queue->apps_joined;
    sums->max_apps += queue->max_apps;
    sums->containers_allocated += queue->containers_allocated;
    sums->containers_released += queue->containers_released;
    if (queue->state == YK_STATE_DRAINING &&
        (sums->draining_since_wall_ns == 0 || queue->state_wall_ns < sums->draining_since_wall_ns))
        sums->draining_since_wall_ns = queue->state_wall_ns;
    add_amounts(sums, queue);
    add_waits(sums, queue);
}

/* ---- applications ---- */

/* The states with `of_all` are shown, also as 0, as soon as the first application has joined. */
void yk__metric_queue_app(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    static const struct {
        const char *label;
        enum yk_app_state state;
        bool of_all;
    } states[] = {
        {"new", YK_APP_NEW, true},
        {"accepted", YK_APP_ACCEPTED, true},
        {"starting", YK_APP_STARTING, false},
        {"running", YK_APP_RUNNING, true},
        {"resuming", YK_APP_RESUMING, false},
        {"failing", YK_APP_FAILING, false},
        {"completing", YK_APP_COMPLETING, true},
        {"rejected", YK_APP_REJECTED, false},
        {"failed", YK_APP_FAILED, false},
        {"completed", YK_APP_COMPLETED, false},
    };
    for (size_t i = 0; i < YK_COUNT(states); i++) {
        uint64_t count = sums->apps[states[i].state];
        if (count > 0 || (states[i].of_all && sums->apps_joined > 0))
            yk_metric_putf(lines, (int64_t)count, "%s,state=\"%s\"", sums->label, states[i].label);
    }
}

void yk__metric_queue_app_total(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    static const struct {
        const char *label;
        enum yk_app_state state;
    } states[] = {{"rejected", YK_APP_REJECTED}, {"failed", YK_APP_FAILED}, {"completed", YK_APP_COMPLETED}};
    for (size_t i = 0; i < YK_COUNT(states); i++) {
        uint64_t count = sums->apps[states[i].state];
        if (count > 0)
            yk_metric_putf(lines, (int64_t)count, "%s,state=\"%s\"", sums->label, states[i].label);
    }
}

/* ---- resources ---- */

static void put_amount(struct yk_metric_lines *lines, const struct yk__queue_sums *sums, const char *type,
                       const char *state, int64_t amount)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf resource = {0};
    yk_metric_label(&resource, "resource", yk_str_from(type));
    yk_metric_putf(lines, amount, "%s,%s,state=\"%s\"", sums->label, yk_buf_cstr(&resource), state);
}

static void put_amounts(struct yk_metric_lines *lines, const struct yk__queue_sums *sums, const char *state,
                        const struct yk_resvec *amounts)
{
    yk_resvec_foreach(t, amounts)
    {
        put_amount(lines, sums, yk_restype_name(t), state, yk_resvec_get(amounts, t));
    }
}

void yk__metric_queue_resource(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    put_amounts(lines, sums, "guaranteed", &sums->guaranteed);
    put_amounts(lines, sums, "max", &sums->max);
    put_amounts(lines, sums, "allocated", &sums->allocated);
    put_amounts(lines, sums, "pending", &sums->pending);
    put_amounts(lines, sums, "preempting", &sums->preempting);
    if (sums->max_apps > 0)
        put_amount(lines, sums, "apps", "maxRunningApps",
                   (int64_t)YK_MIN(sums->max_apps, (uint64_t)INT64_MAX));
}

void yk__metric_queue_headroom(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    yk_resvec_foreach(t, &sums->headroom)
    {
        YK_CLEANUP(yk_buf_done) struct yk_buf resource = {0};
        yk_metric_label(&resource, "resource", yk_str_from(yk_restype_name(t)));
        yk_metric_putf(lines, yk_resvec_get(&sums->headroom, t), "%s,%s", sums->label,
                       yk_buf_cstr(&resource));
    }
}

/* The share by which queues are ordered (queues.md M20). */
void yk__metric_queue_fair_share(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    if (isfinite(sums->share) && (sums->share > 0 || sums->apps_joined > 0))
        yk_metric_put_double(lines, sums->label, sums->share);
}

void yk__metric_queue_status(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    static const char *const names[] = {"active", "draining", "stopped"};
    YK_INDEXED_BY(names, YK_STATE_STOPPED);
    for (int state = 0; state <= YK_STATE_STOPPED; state++)
        yk_metric_putf(lines, sums->by_state[state] > 0, "%s,status=\"%s\"", sums->label, names[state]);
}

/* Written only while the queue drains (queues.md R21). */
void yk__metric_queue_draining(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    if (sums->draining_since_wall_ns != 0)
        yk_metric_putf(lines, sums->draining_since_wall_ns / YK_NS_PER_S, "%s", sums->label);
}

/* ---- containers ---- */

void yk__metric_queue_container_total(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    if (sums->containers_allocated > 0)
        yk_metric_putf(lines, (int64_t)sums->containers_allocated, "%s,state=\"allocated\"", sums->label);
    if (sums->containers_released > 0)
        yk_metric_putf(lines, (int64_t)sums->containers_released, "%s,state=\"released\"", sums->label);
}

/* Makes the metric name of a path. False: another path has the same name. `*ret_name` is owned by `names`. */
static bool take_name(struct yk__metric_names *names, struct yk_str path, const char **ret_name)
{
    struct yk_buf name = {0};
    yk_buf_text(&name, "yunikorn_");
    yk_metric_name(&name, path);
    yk_buf_text(&name, "_queue_container");
    if (yk_strmap_get(&names->taken, yk_buf_view(&name)) != NULL) {
        yk_buf_done(&name);
        return false;
    }
    char *text = yk_buf_take(&name);
    yk_vec_append(&names->texts, text);
    (void)yk_strmap_put(&names->taken, yk_str_from(text), text); /* it is new, see above */
    *ret_name = text;
    return true;
}

/* Each queue is a metric of its own, because its path is part of the name of the metric. */
void yk__metric_queue_container(struct yk_metric_lines *lines, const struct yk__queue_sums *sums)
{
    struct yk_metric own = *lines->metric;
    if (sums->containers_allocated + sums->containers_released == 0 ||
        !take_name(sums->names, sums->path, &own.name))
        return;
    struct yk_metric_lines of_queue = yk_metric_begin(&own, lines->out);
    yk_metric_put(&of_queue, "state=\"allocated\"", sums->containers_allocated);
    yk_metric_put_used(&of_queue, "state=\"released\"", sums->containers_released);
}
