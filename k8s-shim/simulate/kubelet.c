/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated kubelets: a bound pod starts, runs for its run time and succeeds, or fails at its deadline. A
 * deleted pod terminates and is removed. */
#include "simulate/cluster_priv.h"

static void next_step(struct yk_sim_entry *pod, int64_t delay_ns, void (*step)(struct yk_timer *timer))
{
    pod->life.fire = step;
    yk_timer_arm(pod->cluster->options.timers, &pod->life, delay_ns);
}

static void remove_pod(struct yk_timer *timer)
{
    yk__remove(YK_CONTAINER(timer, struct yk_sim_entry, life));
}

static void write_phase(struct yk_sim_entry *pod, const char *phase)
{
    struct yk_object *draft = yk__draft(pod);
    yk_sim_pod_set_phase(yk_pod_of(draft), phase);
    yk__commit(pod, draft);
}

/* The deadline of the pod has passed. */
static void fail_pod(struct yk_timer *timer)
{
    struct yk_sim_entry *pod = YK_CONTAINER(timer, struct yk_sim_entry, life);
    write_phase(pod, "Failed");
    yk__kubelet_status_written(pod);
}

static void end_pod(struct yk_timer *timer)
{
    struct yk_sim_entry *pod = YK_CONTAINER(timer, struct yk_sim_entry, life);
    write_phase(pod, "Succeeded");
    yk__kubelet_status_written(pod);
}

/* The time until the deadline of the pod, in ns; INT64_MAX: it has no deadline. */
static int64_t time_left(const struct yk_pod *pod, int64_t now_wall_ns)
{
    int64_t limit_ns = YK_MIN(YK_MAX(pod->active_deadline_s, 0), INT32_MAX) * YK_NS_PER_S;
    if (limit_ns == 0)
        return INT64_MAX;
    return YK_MAX(yk_i64_sub(yk_i64_add(pod->start_wall_ns, limit_ns), now_wall_ns), 0);
}

static void start_pod(struct yk_timer *timer)
{
    struct yk_sim_entry *pod = YK_CONTAINER(timer, struct yk_sim_entry, life);
    struct yk_object *draft = yk__draft(pod);
    int64_t now_wall_ns = yk_clock_wall_ns(pod->cluster->options.clock);
    yk_sim_pod_set_phase(yk_pod_of(draft), "Running");
    if (yk_pod_of(draft)->start_wall_ns == 0)
        yk_pod_of(draft)->start_wall_ns = now_wall_ns;
    int64_t left_ns = time_left(yk_pod_of(draft), now_wall_ns);
    yk__commit(pod, draft);
    pod->started = true;
    yk__observe(pod->cluster, YK_POD_STARTED, pod);
    if (left_ns < (pod->run_ns > 0 ? pod->run_ns : INT64_MAX))
        next_step(pod, left_ns, fail_pod);
    else if (pod->run_ns > 0)
        next_step(pod, pod->run_ns, end_pod);
}

void yk__kubelet_bound(struct yk_sim_entry *pod)
{
    next_step(pod, pod->cluster->options.start_ns, start_pod);
}

void yk__kubelet_status_written(struct yk_sim_entry *pod)
{
    if (!yk_pod_has_ended(yk__pod_of(pod)))
        return;
    if (!yk__pod_of(pod)->object.deleting)
        yk_timer_cancel(pod->cluster->options.timers, &pod->life);
    yk__ledger_pod_off_node(pod);
    yk__observe(pod->cluster, YK_POD_ENDED, pod);
}

void yk__kubelet_delete(struct yk_sim_entry *pod)
{
    const struct yk_pod *object = yk__pod_of(pod);
    if (object->object.deleting)
        return;
    if (yk_str_empty(object->node_name) || yk_pod_has_ended(object)) {
        yk__remove(pod);
        return;
    }
    struct yk_object *draft = yk__draft(pod);
    draft->deleting = true;
    yk__commit(pod, draft);
    next_step(pod, pod->cluster->options.termination_ns, remove_pod);
}

void yk__kubelet_node_lost(struct yk_sim_entry *node)
{
    struct yk_cluster *cluster = node->cluster;
    struct yk_sim_entry *pod;
    yk_list_foreach (pod, &cluster->kinds[YK_KIND_POD].entries, struct yk_sim_entry, link) {
        if (yk_str_eq(yk__pod_of(pod)->node_name, node->object->name) && !yk_pod_has_ended(yk__pod_of(pod)))
            next_step(pod, cluster->options.node_lost_ns, remove_pod);
    }
}
