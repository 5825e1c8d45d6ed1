/* SPDX-License-Identifier: Apache-2.0 */
#include "app/apps_priv.h"
#include "app/reason_words.h"
#include "base/log.h"

enum { GIVE_UPS_MAX = 8, NOTE_MAX = 1024 };

const char *yk_task_state_name(enum yk_task_state state)
{
    static const char *const names[] = {"New",   "Pending",  "Scheduling", "Allocated",
                                        "Bound", "Rejected", "Failed",     "Completed"};
    YK_INDEXED_BY(names, YK_TASK_COMPLETED);
    return names[state];
}

/* ---- states ---- */

void yk__task_enter(struct yk_apps *apps, struct yk_task *task, enum yk_task_state state)
{
    enum yk_task_state from = (enum yk_task_state)task->state;
    yk_debug(yk_log_shim_fsm, "task changes its state", KV("pod", yk_cache_pod_key(task->pod)),
             KV("from", yk_task_state_name((enum yk_task_state)task->state)),
             KV("to", yk_task_state_name(state)));
    task->state = (uint8_t)state;
    if (state != YK_TASK_NEW)
        yk__task_unhold(apps, task);
    if (state != YK_TASK_BOUND)
        (void)yk__task_pending_work(apps, task); /* makes pending work if there is none */
    if (from == YK_TASK_SCHEDULING && state != YK_TASK_SCHEDULING)
        apps->effects->wait_changed(apps->effects->context, task);
    yk__gang_task_moved(apps, task, from, state);
}

uint64_t yk_task_condition_hash(struct yk_str reason, struct yk_str message)
{
    struct yk_str lasting = yk_reason_words_lasting(message);
    return (yk_hash(reason.p, reason.len) ^ yk_hash_u64(yk_hash(lasting.p, lasting.len))) | 1;
}

/* The hash of the condition PodScheduled=False that the pod has; 0: it has none. Because of the hash, a
 * condition that an earlier process has written is not written again. */
static uint64_t condition_there(const struct yk_pod *object)
{
    for (uint32_t i = 0; i < object->condition_count; i++) {
        const struct yk_condition *condition = &object->conditions[i];
        if (yk_str_is(condition->type, "PodScheduled") && yk_str_is(condition->status, "False"))
            return yk_task_condition_hash(condition->reason, condition->message);
    }
    return 0;
}

struct yk_task *yk__task_new(struct yk_apps *apps, struct yk_application *app, struct yk_cache_pod *pod,
                             const struct yk_pod *object)
{
    struct yk_intern_table *intern_table = &apps->cache->intern_table;
    struct yk_task *task = yk_pool_take(&apps->tasks);
    task->app = app;
    task->pod = pod;
    struct yk_pending_work *work = yk__task_pending_work(apps, task);
    work->condition_hash = condition_there(object);
    work->class_update_seen = apps->class_update_count;
    work->start_wall_ns = object->start_wall_ns;
    task->app_details =
        yk_pod_app_details(intern_table, object, apps->with_gangs, apps->user_trust, &apps->scratch);
    task->ask_details = yk_pod_ask_details(intern_table, object, &apps->scratch);
    pod->flags &= (uint8_t)~YK_POD_RELABELLED;
    /* A pod with a node needs no class, because the core does not choose a node for it. */
    task->class_ = yk__pod_is_bound(pod) ? YK_SI_CLASS_ANY : yk_class_get(&apps->classes, object);
    task->preempt_self = yk_pod_allows_preemption(apps->cache, object, yk_pod_preemptible(object));
    task->preempt_other = yk_pod_may_preempt(object);
    task->is_placeholder = yk_pod_is_placeholder(object);
    task->has_resource_claims = object->resource_claim_count > 0;
    yk_list_init(&task->in_bind);
    yk_list_append(&app->tasks, &task->in_app);
    app->task_count++;
    apps->task_count++;
    pod->task = task;
    yk__gang_task_added(apps, task);
    return task;
}

void yk__task_free(struct yk_apps *apps, struct yk_task *task)
{
    struct yk_application *app = task->app;
    yk__core_release_task(apps, task, YK_SI_TERMINATION_UNKNOWN,
                          "pod is gone"); /* the core no longer uses its cookie and key */
    apps->effects->forget(apps->effects->context, task);
    yk__pending_work_free(apps, task->work);
    yk_list_remove(&task->in_app);
    app->task_count--;
    apps->task_count--;
    if (app->originator == task)
        app->originator = NULL;
    task->pod->task = NULL;
    yk_class_put(&apps->classes, task->class_);
    yk_interned_put(&apps->cache->intern_table, task->app_details);
    yk_interned_put(&apps->cache->intern_table, task->ask_details);
    yk_pool_give(&apps->tasks, task);
    yk__application_drop_if_unused(apps, app);
}

/* ---- New -> Pending -> Scheduling or Bound ---- */

static void submit(struct yk_apps *apps, struct yk_task *task)
{
    bool bound = yk__pod_is_bound(task->pod);
    /* from now on the core has the pod as a task, not as a foreign pod */
    yk__core_release_foreign(apps, task->pod);
    yk__task_enter(apps, task, YK_TASK_PENDING);
    if (!bound) {
        yk__gang_tell_member(apps, task);
        yk__task_update_class(apps, task);
    }
    /* The state is changed before the call, because the core may answer before the call returns. */
    yk__task_enter(apps, task, bound ? YK_TASK_BOUND : YK_TASK_SCHEDULING);
    yk__core_put_task(apps, task);
}

static bool may_start(const struct yk_apps *apps, const struct yk_task *task)
{
    const struct yk_cache_pod *pod = task->pod;
    if (!apps->started || task->state != YK_TASK_NEW)
        return false;
    if (task->work->binding != NULL)
        return false; /* an earlier binding has no answer yet; an answer that it has failed starts the task */
    if (pod->node == NULL)
        return (pod->flags & YK_POD_DELETING) == 0;
    return pod->node->registered; /* a pod on a node that the core does not have is started with its node */
}

static void start(struct yk_apps *apps, struct yk_task *task)
{
    if (apps->started && task->state == YK_TASK_NEW && task->work->binding == NULL &&
        yk__gang_is_unwanted(task)) {
        yk__task_discard(apps, task);
        return;
    }
    if (!may_start(apps, task))
        return;
    struct yk_application *app = task->app;
    if (app->refused_by != NULL) {
        yk__scope_refuse(apps, task);
        return;
    }
    if (task->has_resource_claims && !yk__pod_is_bound(task->pod)) {
        yk__task_hold(
            apps, task,
            "the pod has resource claims (spec.resourceClaims), which this scheduler does not allocate");
        return;
    }
    yk__task_unhold(apps, task);
    switch (app->state) {
    case YK_APPLICATION_NEW:
    case YK_APPLICATION_FAILED:
    case YK_APPLICATION_COMPLETED:
        yk__application_submit(apps, app, task);
        break;
    case YK_APPLICATION_SUBMITTED:
    case YK_APPLICATION_ACCEPTED:
    case YK_APPLICATION_RESERVING:
    case YK_APPLICATION_RESUMING:
    case YK_APPLICATION_RUNNING:
    case YK_APPLICATION_REJECTED:
    case YK_APPLICATION_FAILING:
        break;
    }
    if (yk__gang_lets_start(task))
        submit(apps, task);
    else
        yk__gang_hold(apps, task);
}

/* ---- decisions ---- */

static void bind(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state == YK_TASK_ALLOCATED && task->work->binding == NULL)
        apps->effects->bind(apps->effects->context, task);
}

void yk_task_bound(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state != YK_TASK_ALLOCATED)
        return; /* its node was removed, or the pod has ended, which the watch will report */
    yk__task_enter(apps, task, YK_TASK_BOUND);
    task->work->give_ups = 0;
    yk__core_bound(apps, task);
    apps->effects->bound(apps->effects->context, task);
    yk__task_settle(apps, task);
}

void yk_task_bind_settled(struct yk_apps *apps, struct yk_task *task)
{
    yk__task_settle(apps, task);
}

void yk__task_confirm(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state != YK_TASK_BOUND || (task->pod->flags & YK_POD_ASSUMED) == 0)
        return;
    (void)yk__task_pending_work(apps, task); /* for work->binding */
    apps->effects->confirm(apps->effects->context, task);
    yk__task_settle(apps, task);
}

static void wait_again(struct yk_apps *apps, struct yk_task *task)
{
    yk__core_release_task(apps, task, YK_SI_SCHEDULING_FAILED_ON_RM, "bind failed");
    yk__task_update_class(apps, task);
}

void yk_task_roll_back(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state == YK_TASK_NEW) {
        yk__task_todo(apps, task, YK_TODO_START);
        return;
    }
    if (task->state != YK_TASK_ALLOCATED)
        return;
    yk__task_enter(apps, task, YK_TASK_SCHEDULING);
    task->work->give_ups = (uint8_t)YK_MIN(task->work->give_ups + 1, GIVE_UPS_MAX);
    yk_volumes_forget(&apps->classes.volumes, yk_move(task->work->volume_plan));
    yk_cache_forget(apps->cache, task->pod);
    if ((task->pod->flags & YK_POD_DELETING) != 0 || task->going)
        yk__task_complete(apps, task);
    else
        wait_again(apps, task);
}

void yk_task_gone(struct yk_apps *apps, struct yk_task *task)
{
    yk_cache_forget(apps->cache, task->pod);
    yk__task_complete(apps, task);
}

void yk_task_revive(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state != YK_TASK_COMPLETED || task->pod->node != NULL)
        return;
    yk_warn(yk_log_shim_task, "pod was reported as deleted but still exists, it waits again",
            KV("pod", yk_cache_pod_key(task->pod)));
    yk__task_enter(apps, task, YK_TASK_NEW);
    yk__task_todo(apps, task, YK_TODO_START);
}

/* ---- ends ---- */

void yk__task_complete(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state == YK_TASK_COMPLETED)
        return;
    yk__task_enter(apps, task, YK_TASK_COMPLETED);
    yk__core_release_foreign(apps, task->pod);
    enum yk_si_termination why = (enum yk_si_termination)task->termination;
    yk__core_release_task(apps, task, why != YK_SI_TERMINATION_UNKNOWN ? why : YK_SI_STOPPED_BY_RM,
                          "pod is over");
}

/* Sets the phase of the pod to Failed, for some of the reasons why an application fails. */
static void fail_pod(struct yk_apps *apps, struct yk_task *task)
{
    const struct yk_app_effects *effects = apps->effects;
    const char *message = task->app->message, *colon;
    if (yk__pod_is_bound(task->pod))
        return;
    switch (task->app->failure) {
    case YK_SI_FAILURE_OTHER:
        return;
    case YK_SI_FAILURE_KILLED: /* so that the pod stays failed after a restart */
        effects->fail_pod(effects->context, task, "ApplicationKilled", message);
        return;
    case YK_SI_FAILURE_GANG_TIMEOUT:
        effects->fail_pod(effects->context, task, "ResourceReservationTimeout",
                          "Scheduling has timed out due to insufficient resources");
        return;
    case YK_SI_FAILURE_REJECTED:
        colon = strchr(message, ':');
        effects->fail_pod(effects->context, task, "ApplicationRejected", colon != NULL ? colon + 1 : message);
        return;
    }
}

/* The task becomes Failed. A running pod still uses its node, so it is sent to the core as a foreign pod. */
static void fail(struct yk_apps *apps, struct yk_task *task)
{
    yk__task_enter(apps, task, YK_TASK_FAILED);
    if (yk__pod_is_bound(task->pod) && task->pod->node->registered)
        yk__core_put_foreign(apps, task->pod);
}

/* Lets bind/ delete the pod. The deletion of a placeholder is requested only once, because bind/ repeats the
 * request until the pod is gone. */
static void delete_pod(struct yk_apps *apps, struct yk_task *task)
{
    if (task->going)
        return;
    task->going = task->is_placeholder && !apps->is_standby;
    apps->effects->delete_pod(apps->effects->context, task);
}

void yk__task_discard(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state == YK_TASK_ALLOCATED && !apps->effects->cancel_bind(apps->effects->context, task)) {
        delete_pod(apps, task); /* it is released in the core when the watch reports its end */
        return;
    }
    if (task->state == YK_TASK_FAILED || task->state == YK_TASK_COMPLETED) {
        delete_pod(apps, task);
        return;
    }
    enum yk_si_termination why = (enum yk_si_termination)task->termination;
    yk_cache_forget(apps->cache, task->pod);
    yk__core_release_task(apps, task, why != YK_SI_TERMINATION_UNKNOWN ? why : YK_SI_STOPPED_BY_RM,
                          "placeholder is not needed");
    fail(apps, task);
    delete_pod(apps, task);
}

void yk__task_ask_dropped(struct yk_apps *apps, struct yk_task *task)
{
    yk__task_enter(apps, task, YK_TASK_NEW);
    if (task->app->state == YK_APPLICATION_RUNNING)
        yk__task_todo(apps, task, YK_TODO_START);
}

void yk__task_let_go(struct yk_apps *apps, struct yk_task *task)
{
    if (task->is_placeholder)
        delete_pod(apps, task);
}

void yk__task_fail(struct yk_apps *apps, struct yk_task *task)
{
    if (task->is_placeholder)
        return; /* yk__gang_discard_all() ends placeholders */
    bool waiting =
        task->state == YK_TASK_NEW || task->state == YK_TASK_PENDING || task->state == YK_TASK_SCHEDULING;
    if (!waiting)
        return;
    if (task->state == YK_TASK_NEW && yk__pod_is_bound(task->pod) && !task->app->forced) {
        /* The pod runs: its application is submitted again with force, so that the core accepts it (P07). */
        yk__task_todo(apps, task, YK_TODO_START);
        return;
    }
    yk__core_release_task(apps, task, YK_SI_STOPPED_BY_RM, "application failed");
    fail(apps, task);
    char note[NOTE_MAX];
    snprintf(note, sizeof(note), "Application %s scheduling failed, reason: %s", task->app->id,
             task->app->message);
    apps->effects->pod_event(apps->effects->context, task, true, "ApplicationFailed", "ApplicationFailed",
                             note);
    fail_pod(apps, task);
}

void yk__task_take_over(struct yk_apps *apps, struct yk_task *task)
{
    yk__task_confirm(apps, task);
    if (task->state == YK_TASK_FAILED && task->app->message != NULL && !task->is_placeholder)
        fail_pod(apps, task);
    if (task->termination != YK_SI_TERMINATION_UNKNOWN ||
        (task->is_placeholder && task->state == YK_TASK_FAILED))
        yk__task_todo(apps, task, YK_TODO_DELETE);
}

void yk__task_follow(struct yk_task *task, const struct yk_pod *object)
{
    if (task->work != NULL)
        task->work->condition_hash = condition_there(object);
}

static void refused(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state != YK_TASK_REJECTED)
        return;
    struct yk_str key = yk_cache_pod_key(task->pod);
    char note[NOTE_MAX];
    snprintf(note, sizeof(note), "Task " YK_STR_FMT " is rejected by the scheduler", YK_STR_ARG(key));
    apps->effects->pod_event(apps->effects->context, task, true, "TaskRejected", "TaskRejected", note);
    fail(apps, task);
    if (task->is_placeholder)
        delete_pod(apps, task);
}

void yk__task_lost(struct yk_apps *apps, struct yk_task *task)
{
    yk__core_release_task(apps, task, YK_SI_TERMINATION_UNKNOWN, "its node is gone");
    if (task->state == YK_TASK_ALLOCATED || task->state == YK_TASK_BOUND)
        (void)apps->effects->cancel_bind(apps->effects->context, task); /* may_start() reads work->binding */
    if (task->state == YK_TASK_ALLOCATED)
        yk_cache_forget(apps->cache, task->pod);
    if (task->state != YK_TASK_ALLOCATED && task->state != YK_TASK_BOUND)
        return;
    yk__task_enter(apps, task, YK_TASK_NEW);
    task->work->todo &= ~(uint32_t)YK_TODO_BIND;
    yk__task_todo(apps, task, YK_TODO_START);
}

void yk__task_node_returned(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state == YK_TASK_FAILED && yk__pod_is_bound(task->pod))
        yk__task_enter(apps, task, YK_TASK_NEW);
    if (task->state == YK_TASK_NEW)
        yk__task_todo(apps, task, YK_TODO_START);
}

static void end_pod(struct yk_apps *apps, struct yk_task *task)
{
    if (task->is_placeholder && task->termination == YK_SI_TIMEOUT && !task->going)
        yk__gang_tell_timeout(apps, task->app);
    delete_pod(apps, task);
}

void yk__task_run(struct yk_apps *apps, struct yk_task *task)
{
    uint32_t todo = task->work->todo;
    task->work->todo = 0;
    if ((todo & YK_TODO_RELEASE) != 0)
        yk__core_release_task(apps, task, YK_SI_STOPPED_BY_RM, "pod is over");
    if ((todo & YK_TODO_REFUSED) != 0)
        refused(apps, task);
    if ((todo & YK_TODO_GIVE_UP) != 0)
        yk__core_release_task(apps, task, YK_SI_SCHEDULING_FAILED_ON_RM, "pod could not be assumed");
    if ((todo & YK_TODO_START) != 0)
        start(apps, task);
    bool ends = (todo & YK_TODO_DELETE) != 0 && task->state != YK_TASK_COMPLETED;
    if ((todo & YK_TODO_BIND) != 0 && !(ends && task->is_placeholder))
        bind(apps, task);
    if (ends)
        end_pod(apps, task);
    if ((todo & YK_TODO_REPORT) != 0 && yk_task_waits(task))
        apps->effects->waits(apps->effects->context, task);
    yk__task_settle(apps, task);
}
