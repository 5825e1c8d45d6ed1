/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/unreadable.h"

#include "api/encode.h"
#include "base/log.h"

/* The reason is not "Unschedulable", because autoscalers would then add nodes, which would not help. */
#define REASON   "SchedulerError"
#define NOTE_MAX 1024

struct reported {
    /* in unreadable->unwritten while the condition of the pod is to be sent */
    struct yk_list link;
    char *uid, *namespace_, *name, *message; /* owned */
    int64_t generation;
    bool has_closed_node; /* the Event about its node was written */
};

static void reported_free(struct reported *pod)
{
    if (yk_list_linked(&pod->link))
        yk_list_remove(&pod->link);
    free(pod->uid);
    free(pod->namespace_);
    free(pod->name);
    free(pod->message);
    free(pod);
}

/* ---- conditions ---- */

static void send_some(struct yk_unreadable *unreadable);

static void answered(struct yk_op *op)
{
    struct yk_unreadable *unreadable = op->context;
    struct reported *pod = yk_strmap_get(&unreadable->by_uid, yk_str_from(op->uid));
    bool is_over = op->result == YK_OP_OK || op->result == YK_OP_NOT_FOUND || op->result == YK_OP_CANCELLED;
    unreadable->in_flight--;
    if (!is_over)
        yk_warn(yk_log_shim_task, "pod could not be updated", KV("namespace", op->namespace_),
                KV("pod", op->name), KV("status", op->http_status), KV("err", yk_op_reason(op)));
    if (!is_over && pod != NULL && !unreadable->stopping) {
        yk_list_append(&unreadable->unwritten, &pod->link);
        if (!yk_timer_armed(&unreadable->retry))
            yk_timer_arm(unreadable->timers, &unreadable->retry, YK_UNREADABLE_RETRY_NS);
    } else {
        send_some(unreadable);
    }
    yk_op_free(op);
}

static void send(struct yk_unreadable *unreadable, struct reported *pod)
{
    const struct yk_op_target target = {.namespace_ = yk_str_from(pod->namespace_),
                                        .name = yk_str_from(pod->name),
                                        .uid = yk_str_from(pod->uid)};
    struct yk_op *op = yk_op_new(YK_OP_PATCH_POD_STATUS, &target);
    const struct yk_condition_patch patch = {.uid = pod->uid,
                                             .type = "PodScheduled",
                                             .status = "False",
                                             .reason = REASON,
                                             .message = pod->message,
                                             .transition_wall_ns = yk_clock_wall_ns(unreadable->clock),
                                             .observed_generation = pod->generation};
    yk_encode_pod_condition(&op->body, &patch);
    op->done = answered;
    op->context = unreadable;
    yk_list_remove(&pod->link);
    unreadable->in_flight++;
    yk_api_submit(unreadable->api, op);
}

static void send_some(struct yk_unreadable *unreadable)
{
    struct reported *pod;
    if (!unreadable->leads || unreadable->stopping || yk_timer_armed(&unreadable->retry))
        return;
    while (unreadable->in_flight < YK_UNREADABLE_IN_FLIGHT_MAX &&
           (pod = yk_list_first(&unreadable->unwritten, struct reported, link)) != NULL)
        send(unreadable, pod);
}

static void on_retry(struct yk_timer *timer)
{
    send_some(YK_CONTAINER(timer, struct yk_unreadable, retry));
}

/* ---- pods ---- */

static void tell(struct yk_unreadable *unreadable, const struct yk_pod *pod, const char *note)
{
    const struct yk_object *meta = &pod->object;
    const struct yk_regarding about = {"Pod", meta->namespace_, meta->name, meta->uid};
    yk_warn(yk_log_shim_task, "pod cannot be read whole", KV("namespace", meta->namespace_),
            KV("pod", meta->name), KV("node", pod->node_name),
            KV("amounts_are_known", meta->read == YK_READ_AMOUNTS), KV("err", meta->fault));
    yk_recorder_add(unreadable->events, &about, true, "PodNotReadable", "PodNotReadable", note, true);
}

static void tell_of_node(struct yk_unreadable *unreadable, const struct yk_pod *pod)
{
    const struct yk_regarding about = {"Node", {0}, pod->node_name, {0}};
    YK_CLEANUP(yk_buf_done) struct yk_buf note = {.max = NOTE_MAX};
    yk_buf_printf(&note,
                  "the node takes no new pods while pod " YK_STR_FMT "/" YK_STR_FMT
                  " is on it: what it asks for cannot be read",
                  YK_STR_ARG(pod->object.namespace_), YK_STR_ARG(pod->object.name));
    yk_recorder_add(unreadable->events, &about, true, "NodeClosed", "NodeClosed", yk_buf_cstr(&note), true);
}

static const char *consequence(const struct yk_pod *pod)
{
    if (yk_str_empty(pod->node_name))
        return "the pod is not scheduled";
    return pod->object.read == YK_READ_AMOUNTS ? "it is counted on its node"
                                               : "its node takes no new pods while it is there";
}

void yk_unreadable_add(struct yk_unreadable *unreadable, const struct yk_pod *pod)
{
    const struct yk_object *meta = &pod->object;
    bool waits = yk_str_empty(pod->node_name);
    bool is_ours = yk_str_is(pod->scheduler_name, YK_SCHEDULER_NAME);
    bool closes_node = !waits && meta->read == YK_READ_IDENTITY;
    struct reported *known = yk_strmap_get(&unreadable->by_uid, meta->uid);
    if (known != NULL && !waits && yk_list_linked(&known->link))
        yk_list_remove(&known->link); /* the pod has got a node, so it needs no condition */
    if ((waits && !is_ours) || yk_pod_has_ended(pod) || meta->deleting)
        return;
    if (known != NULL && closes_node && !known->has_closed_node) {
        tell_of_node(unreadable, pod); /* it was reported while it had no node */
        known->has_closed_node = true;
    }
    if (known != NULL || unreadable->by_uid.count >= YK_UNREADABLE_MAX)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {.max = NOTE_MAX};
    yk_buf_printf(&message, "the pod cannot be read whole, %s: " YK_STR_FMT, consequence(pod),
                  YK_STR_ARG(meta->fault));
    tell(unreadable, pod, yk_buf_cstr(&message));
    if (closes_node)
        tell_of_node(unreadable, pod);
    struct reported *reported = yk_new0(struct reported);
    yk_list_init(&reported->link);
    reported->uid = yk_str_dup(meta->uid);
    reported->namespace_ = yk_str_dup(meta->namespace_);
    reported->name = yk_str_dup(meta->name);
    reported->message = yk_strdup(yk_buf_cstr(&message));
    reported->generation = meta->generation;
    reported->has_closed_node = closes_node;
    (void)yk_strmap_put(&unreadable->by_uid, yk_str_from(reported->uid), reported); /* replaces nothing */
    if (waits)
        yk_list_append(&unreadable->unwritten, &reported->link);
    send_some(unreadable);
}

void yk_unreadable_remove(struct yk_unreadable *unreadable, struct yk_str uid)
{
    if (unreadable->by_uid.count == 0)
        return;
    struct reported *pod = yk_strmap_remove(&unreadable->by_uid, uid);
    if (pod != NULL)
        reported_free(pod);
}

void yk_unreadable_clear(struct yk_unreadable *unreadable)
{
    struct reported *pod;
    yk_strmap_foreach (pod, &unreadable->by_uid)
        reported_free(pod);
    yk_strmap_done(&unreadable->by_uid);
}

void yk_unreadable_lead(struct yk_unreadable *unreadable)
{
    unreadable->leads = true;
    send_some(unreadable);
}

void yk_unreadable_init(struct yk_unreadable *unreadable, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_recorder *events, const struct yk_clock *clock)
{
    *unreadable = (struct yk_unreadable){
        .api = api, .timers = timers, .events = events, .clock = clock, .retry.fire = on_retry};
    yk_list_init(&unreadable->unwritten);
}

void yk_unreadable_stop(struct yk_unreadable *unreadable)
{
    unreadable->stopping = true;
    yk_timer_cancel(unreadable->timers, &unreadable->retry);
}

void yk_unreadable_done(struct yk_unreadable *unreadable)
{
    yk_unreadable_stop(unreadable);
    yk_unreadable_clear(unreadable);
}
