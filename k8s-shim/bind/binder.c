/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/binder.h"

#include "base/log.h"
#include "bind/event_recorder.h"

#define RETRY_FIRST_NS YK_NS_PER_S
#define RETRY_MAX_NS   (30 * YK_NS_PER_S)
/* how long to wait until the watch reports where the pod is */
#define SETTLE_NS (30 * YK_NS_PER_S)

enum { NOTE_MAX = 1024 };

struct yk_binding {
    struct yk_timer timer; /* first member */
    struct yk_binder *binder;
    struct yk_task *task;              /* NULL: the task was forgotten, and an answer is still to come */
    struct yk_volume_binding *volumes; /* the binding of the claims; NULL: no claims are being bound */
    bool in_flight;                    /* a request has no answer yet */
    enum { TRY_AGAIN, ROLL_BACK, REVIVE, CONFIRM } then; /* what to do when the timer fires */
    uint8_t attempts;                                    /* requests so far; 0 again after a success */
    int64_t sent_mono_ns;                                /* when the last request was sent */
    int64_t volumes_mono_ns;                             /* when binding the claims began */
};

static void pump(struct yk_binder *binder);
static void timer_fires(struct yk_timer *timer);

void yk_binder_init(struct yk_binder *binder, struct yk_api_server *api, struct yk_timers *timers,
                    struct yk_apps *apps, struct yk_recorder *events)
{
    *binder = (struct yk_binder){
        .api = api, .timers = timers, .apps = apps, .events = events, .window = YK_BINDS_IN_FLIGHT_MAX};
    yk_list_init(&binder->waiting);
    yk_volume_binder_init(&binder->volumes, api, timers, apps->cache, &apps->classes.volumes,
                          600 * YK_NS_PER_S);
}

static void binding_free(struct yk_binding *binding)
{
    yk_timer_cancel(binding->binder->timers, &binding->timer);
    yk_volume_bind_cancel(binding->volumes);
    if (binding->task != NULL)
        binding->task->work->binding = NULL;
    free(binding);
}

static int64_t doubled(unsigned times)
{
    return times >= 5 ? RETRY_MAX_NS : RETRY_FIRST_NS << times;
}

static void retry_later(struct yk_binding *binding, int64_t at_least_ns)
{
    binding->then = TRY_AGAIN;
    yk_timer_arm(binding->binder->timers, &binding->timer,
                 YK_MAX(doubled(binding->attempts - 1u), at_least_ns));
}

static void give_up_after(struct yk_binding *binding, int64_t delay_ns)
{
    binding->then = ROLL_BACK;
    yk_timer_arm(binding->binder->timers, &binding->timer, delay_ns);
}

/* The decision cannot be carried out, so the core decides again. If an earlier decision for the pod could not
 * be carried out either, the core decides after a wait, so that a pod that can never be bound does not cause
 * requests all the time. */
static void give_up(struct yk_binding *binding)
{
    struct yk_task *task = binding->task;
    if (task->work->give_ups > 0) {
        give_up_after(binding, doubled(task->work->give_ups - 1u));
        return;
    }
    struct yk_binder *binder = binding->binder;
    binding_free(binding);
    yk_task_roll_back(binder->apps, task);
}

static void tell_failure(struct yk_binding *binding, const struct yk_op *op)
{
    struct yk_task *task = binding->task;
    char note[NOTE_MAX];
    binding->binder->failed++;
    yk_warn(yk_log_shim_task, "bind failed", KV("pod", yk_cache_pod_key(task->pod)), KV("node", op->node),
            KV("status", op->http_status), KV("err", yk_op_reason(op)), KV("attempts", binding->attempts));
    snprintf(note, sizeof(note), "Failed to bind " YK_STR_FMT " to node %s, it will be retried",
             YK_STR_ARG(yk_cache_pod_key(task->pod)), op->node);
    yk_recorder_pod(binding->binder->events, task->pod, true, "PodBindFailure", "PodBindFailure", note);
}

/* Whether the API server has refused the request because the pod is on the node of the request already. */
static bool is_bound_to(const struct yk_op *op)
{
    char text[300];
    snprintf(text, sizeof(text), "assigned to node \"%s\"", op->node);
    return strstr(yk_op_reason(op), text) != NULL;
}

static void await_confirmation(struct yk_binding *binding)
{
    binding->then = CONFIRM;
    binding->attempts = 0;
    yk_timer_arm(binding->binder->timers, &binding->timer, SETTLE_NS);
}

/* The request has succeeded, or an earlier one had. The binding is kept until the watch shows the pod on its
 * node. If the watch does not show this in time, the request is sent again. */
static void bound(struct yk_binding *binding)
{
    struct yk_binder *binder = binding->binder;
    struct yk_task *task = binding->task;
    binder->bound++;
    binder->window = YK_MIN(binder->window + 1, (size_t)YK_BINDS_IN_FLIGHT_MAX);
    if ((task->pod->flags & YK_POD_ASSUMED) != 0)
        await_confirmation(binding);
    else
        binding_free(binding);
    yk_task_bound(binder->apps, task);
}

/* The binding of a Bound task was sent again to confirm it, and this request was answered. */
static void answer_again(struct yk_binding *binding, const struct yk_op *op)
{
    struct yk_binder *binder = binding->binder;
    struct yk_task *task = binding->task;
    /* After a conflict or "not found", the watch will show what has happened to the pod. */
    bool is_open = op->result != YK_OP_CONFLICT && op->result != YK_OP_NOT_FOUND;
    if (is_open && (task->pod->flags & YK_POD_ASSUMED) != 0) {
        await_confirmation(binding);
        return;
    }
    binding_free(binding);
    yk_task_bind_settled(binder->apps, task);
}

/* The API server has answered that the pod does not exist. The core is informed at once. The binding is
 * kept until the watch reports the deletion. If the watch does not report it in time, the pod waits again. */
static void gone(struct yk_binding *binding)
{
    binding->then = REVIVE;
    yk_timer_arm(binding->binder->timers, &binding->timer, SETTLE_NS);
    yk_task_gone(binding->binder->apps, binding->task);
}

static void unclear(struct yk_binding *binding, const struct yk_op *op)
{
    struct yk_binder *binder = binding->binder;
    binder->window = YK_MAX(binder->window / 2, (size_t)YK_BINDS_IN_FLIGHT_MIN);
    if (binding->attempts < YK_BIND_ATTEMPTS_MAX && !binding->task->work->outgrown) {
        retry_later(binding, op->retry_after_ns);
        return;
    }
    tell_failure(binding, op);
    give_up(binding);
}

/* The pod is on a node already, or is being deleted, or another pod has its name. The watch has reported
 * this, or will report it. */
static void conflict(struct yk_binding *binding, const struct yk_op *op)
{
    struct yk_binder *binder = binding->binder;
    struct yk_task *task = binding->task;
    if (is_bound_to(op)) {
        bound(binding);
    } else if ((task->pod->flags & YK_POD_DELETING) != 0) {
        binding_free(binding);
        yk_task_roll_back(binder->apps, task);
    } else {
        give_up_after(binding, SETTLE_NS);
    }
}

static void classify(struct yk_binding *binding, const struct yk_op *op)
{
    switch (op->result) {
    case YK_OP_OK:
        bound(binding);
        break;
    case YK_OP_NOT_FOUND:
        gone(binding);
        break;
    case YK_OP_CONFLICT:
        conflict(binding, op);
        break;
    case YK_OP_INVALID:
    case YK_OP_GONE:
        tell_failure(binding, op);
        give_up(binding);
        break;
    case YK_OP_UNAUTHORIZED:
    case YK_OP_RETRY:
    case YK_OP_CANCELLED:
        unclear(binding, op);
        break;
    }
}

/* The request was answered after the node of the pod was removed. The removal has rolled back the task. */
static void answer_after_loss(struct yk_binding *binding, const struct yk_op *op)
{
    struct yk_binder *binder = binding->binder;
    struct yk_task *task = binding->task;
    if (op->result == YK_OP_NOT_FOUND && task->state == YK_TASK_NEW) {
        gone(binding);
        return;
    }
    binding_free(binding);
    if (op->result != YK_OP_OK)
        yk_task_roll_back(binder->apps, task);
    else
        task->work->todo &= ~(uint32_t)YK_TODO_START; /* the watch will show the pod on the removed node */
}

static void answered(struct yk_op *op)
{
    struct yk_binding *binding = op->context;
    struct yk_binder *binder = binding->binder;
    binder->in_flight--;
    binding->in_flight = false;
    yk_durations_observe(op->result == YK_OP_OK ? &binder->bound_times : &binder->failed_times,
                         yk_clock_mono_ns(binder->timers->clock) - binding->sent_mono_ns);
    if (binding->task == NULL || binder->stopping)
        binding_free(binding);
    else if (binding->task->state == YK_TASK_ALLOCATED)
        classify(binding, op);
    else if (binding->task->state == YK_TASK_BOUND)
        answer_again(binding, op);
    else
        answer_after_loss(binding, op);
    yk_op_free(op);
    pump(binder);
}

static struct yk_binding *binding_for(struct yk_binder *binder, struct yk_task *task)
{
    if (task->work->binding != NULL)
        return task->work->binding;
    struct yk_binding *binding = yk_new0(struct yk_binding);
    binding->timer.fire = timer_fires;
    binding->binder = binder;
    binding->task = task;
    task->work->binding = binding;
    return binding;
}

static void send(struct yk_binder *binder, struct yk_task *task)
{
    struct yk_binding *binding = binding_for(binder, task);
    struct yk_op *op = yk_op_new(
        YK_OP_BIND, &(struct yk_op_target){.namespace_ = yk_cache_pod_namespace(task->pod),
                                           .name = yk_cache_pod_name(task->pod),
                                           .uid = yk_cache_pod_uid(task->pod),
                                           .node = yk_str_from(yk_name_text(task->pod->node->name))});
    op->done = answered;
    op->context = binding;
    binding->attempts++;
    binding->sent_mono_ns = yk_clock_mono_ns(binder->timers->clock);
    binding->in_flight = true;
    binder->in_flight++;
    yk_api_submit(binder->api, op);
}

static void leave_line(struct yk_binder *binder, struct yk_task *task)
{
    yk_list_remove(&task->in_bind);
    task->work->waits_for_bind = false;
    binder->waiting_count--;
}

static void pump(struct yk_binder *binder)
{
    while (!binder->stopping && binder->in_flight < binder->window && !yk_list_empty(&binder->waiting)) {
        struct yk_task *task = yk_list_first(&binder->waiting, struct yk_task, in_bind);
        leave_line(binder, task);
        send(binder, task);
    }
}

/* Appends the task to the bindings to send. Removes it from lists of reports (pod_status.h), which use
 * task->in_bind, too. */
static void wait_for_turn(struct yk_binder *binder, struct yk_task *task)
{
    if (yk_list_linked(&task->in_bind))
        yk_list_remove(&task->in_bind);
    yk_list_append(&binder->waiting, &task->in_bind);
    task->work->waits_for_bind = true;
    binder->waiting_count++;
    pump(binder);
}

static void volumes_not_bound(struct yk_binding *binding, const char *message)
{
    struct yk_task *task = binding->task;
    char note[NOTE_MAX];
    const char *node = yk_name_text(task->pod->node->name);
    binding->binder->failed++;
    yk_warn(yk_log_shim_task, "volumes not bound", KV("pod", yk_cache_pod_key(task->pod)), KV("node", node),
            KV("err", message));
    snprintf(note, sizeof(note), "Failed to bind volumes for " YK_STR_FMT " on node %s, it will be retried",
             YK_STR_ARG(yk_cache_pod_key(task->pod)), node);
    yk_recorder_pod(binding->binder->events, task->pod, true, "PodVolumesBindFailure",
                    "PodVolumesBindFailure", note);
    give_up(binding);
}

static void volumes_done(void *context, bool bound, const char *message)
{
    struct yk_binding *binding = context;
    struct yk_binder *binder = binding->binder;
    binding->volumes = NULL;
    yk_durations_observe(bound ? &binder->volumes_bound_times : &binder->volumes_failed_times,
                         yk_clock_mono_ns(binder->timers->clock) - binding->volumes_mono_ns);
    if (bound)
        wait_for_turn(binder, binding->task);
    else
        volumes_not_bound(binding, message);
}

void yk_binder_bind(struct yk_binder *binder, struct yk_task *task)
{
    if (binder->stopping)
        return;
    if (task->work->volume_plan == NULL) {
        wait_for_turn(binder, task);
        return;
    }
    struct yk_binding *binding = binding_for(binder, task);
    binding->volumes_mono_ns = yk_clock_mono_ns(binder->timers->clock);
    binding->volumes =
        yk_volume_bind(&binder->volumes, yk_move(task->work->volume_plan), volumes_done, binding);
}

void yk_binder_confirm(struct yk_binder *binder, struct yk_task *task)
{
    struct yk_binding *binding = binding_for(binder, task);
    if (!binding->in_flight)
        await_confirmation(binding);
}

static void send_again(struct yk_binding *binding)
{
    struct yk_task *task = binding->task;
    if (yk_list_linked(&task->in_bind)) { /* in a list of reports, which the Event is written from first */
        await_confirmation(binding);
        return;
    }
    yk_warn(yk_log_shim_task, "bind was not confirmed by the watch, it is sent again",
            KV("pod", yk_cache_pod_key(task->pod)), KV("node", yk_name_text(task->pod->node->name)));
    wait_for_turn(binding->binder, task);
}

static void timer_fires(struct yk_timer *timer)
{
    struct yk_binding *binding = (struct yk_binding *)(void *)timer;
    struct yk_binder *binder = binding->binder;
    struct yk_task *task = binding->task;
    if (binder->stopping)
        return;
    bool revives = binding->then == REVIVE;
    if (binding->then == TRY_AGAIN) {
        wait_for_turn(binder, task);
        return;
    }
    if (binding->then == CONFIRM) {
        send_again(binding);
        return;
    }
    binding_free(binding);
    if (revives)
        yk_task_revive(binder->apps, task);
    else
        yk_task_roll_back(binder->apps, task);
}

bool yk_binder_cancel(struct yk_binder *binder, struct yk_task *task)
{
    struct yk_pending_work *work = task->work;
    if (work == NULL)
        return true;
    if (work->waits_for_bind)
        leave_line(binder, task);
    yk_volumes_forget(binder->volumes.volumes, yk_move(work->volume_plan));
    if (work->binding == NULL)
        return true;
    if (work->binding->in_flight)
        return false;
    binding_free(work->binding);
    return true;
}

void yk_binder_forget(struct yk_binder *binder, struct yk_task *task)
{
    if (!yk_binder_cancel(binder, task)) {
        task->work->binding->task = NULL;
        task->work->binding = NULL;
    }
}

void yk_binder_stop(struct yk_binder *binder)
{
    binder->stopping = true;
    yk_volume_binder_stop(&binder->volumes);
}
