/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of pods that the cache reports: what they mean for tasks and for the core. */
#include "app/apps_priv.h"
#include "base/log.h"

static void add_foreign(struct yk_apps *apps, struct yk_cache_pod *pod)
{
    if (apps->started && pod->node != NULL && pod->node->registered)
        yk__core_put_foreign(apps, pod);
}

/* A pod that is not bound gets no task if it has scheduling gates (kubernetes.md 2.10) or is being
 * deleted. */
static bool wants_task(const struct yk_cache_pod *pod, const struct yk_pod *object)
{
    if (yk__pod_is_bound(pod))
        return true;
    return object->scheduling_gate_count == 0 && (pod->flags & YK_POD_DELETING) == 0;
}

static void add_task(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    char id[YK_SI_APPLICATION_ID_MAX + 1];
    struct yk_err err;
    if (!wants_task(pod, object))
        return;
    if (yk_pod_application_id(object, apps->unique_ids, id, &err) != YK_OK) {
        yk_warn(yk_log_shim_app, "pod is not scheduled", KV("pod", yk_cache_pod_key(pod)),
                KV("err", err.text));
        add_foreign(apps, pod); /* if the pod runs, the core has to know what it uses on its node */
        return;
    }
    if (!apps->spans_namespaces)
        yk_pod_keep_to_namespace(object, id);
    struct yk_application *app = yk__application_for(apps, id, object->object.namespace_);
    struct yk_task *task = yk__task_new(apps, app, pod, object);
    if (apps->started)
        yk__task_todo(apps, task, YK_TODO_START);
}

void yk_apps_pod_added(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    if ((pod->flags & YK_POD_OURS) != 0)
        add_task(apps, pod, object);
    else
        add_foreign(apps, pod);
}

static void change_foreign(struct yk_apps *apps, struct yk_cache_pod *pod, uint32_t changes)
{
    if ((changes & YK_CHANGED_NODE) != 0)
        yk__core_release_foreign(apps, pod);
    if ((changes & (YK_CHANGED_NODE | YK_CHANGED_SIZE)) != 0)
        add_foreign(apps, pod);
}

/* The API server has the pod on another node than the cache had assumed, or on a node although the core
 * has not chosen one. */
static void placed_elsewhere(struct yk_apps *apps, struct yk_task *task)
{
    bool known = task->pod->node->registered;
    switch ((enum yk_task_state)task->state) {
    case YK_TASK_SCHEDULING:
        if (known) { /* the core turns the ask into an allocation there */
            yk__task_enter(apps, task, YK_TASK_BOUND);
            yk__core_put_task(apps, task);
            yk__task_settle(apps, task);
            return;
        }
        break;
    case YK_TASK_ALLOCATED:
        yk_warn(yk_log_shim_task, "pod was bound to another node than the one decided",
                KV("pod", yk_cache_pod_key(task->pod)), KV("node", yk_name_text(task->pod->node->name)));
        break;
    case YK_TASK_NEW:
    case YK_TASK_PENDING:
    case YK_TASK_BOUND:
    case YK_TASK_REJECTED:
    case YK_TASK_FAILED:
    case YK_TASK_COMPLETED:
        break;
    }
    /* forget() drops an answer that comes later */
    (void)apps->effects->cancel_bind(apps->effects->context, task);
    apps->effects->forget(apps->effects->context, task);
    yk__core_release_task(apps, task, YK_SI_STOPPED_BY_RM, "pod was bound elsewhere");
    yk__task_enter(apps, task, YK_TASK_NEW);
    yk__task_todo(apps, task, YK_TODO_START);
}

/* Whether the core has refused the pod, or the pod has failed with its application, so that it may be
 * accepted after it has changed. */
static bool was_refused(const struct yk_task *task)
{
    bool refused = task->state == YK_TASK_REJECTED || task->state == YK_TASK_FAILED;
    return refused && !task->is_placeholder && task->pod->node == NULL;
}

static void offer_again(struct yk_apps *apps, struct yk_task *task, const struct yk_pod *object)
{
    yk__task_enter(apps, task, YK_TASK_NEW);
    yk__task_set_class(apps, task, yk_class_get(&apps->classes, object));
    yk__task_todo(apps, task, YK_TODO_START);
}

/* The constraints of a pod that is not bound may have changed: tolerations can be added, labels can change.
 * While the pod is being bound, the task keeps its class; the new class is used if the task waits again. */
static void change_class(struct yk_apps *apps, struct yk_task *task, const struct yk_pod *object)
{
    bool waits = task->state == YK_TASK_NEW || task->state == YK_TASK_SCHEDULING;
    bool may_wait_again =
        task->state == YK_TASK_ALLOCATED || task->state == YK_TASK_COMPLETED || was_refused(task);
    if (yk__pod_is_bound(task->pod) || (!waits && !may_wait_again))
        return;
    yk_si_class class_ = yk_class_get(&apps->classes, object);
    if (waits && task->pod->node == NULL) {
        yk__task_set_class(apps, task, class_);
        return;
    }
    yk_class_put(&apps->classes, task->work->next_class);
    task->work->next_class = class_;
}

/* Updates the details of the ask. If the pod has a node, does so only after a change of labels or of the run
 * limit. Returns whether the run limit has changed. */
static bool change_details(struct yk_apps *apps, struct yk_task *task, const struct yk_pod *object)
{
    struct yk_interned *before = task->ask_details;
    bool has_new_limit = yk_pod_run_limit_ns(object) != yk_ask_details_run_limit_ns(before);
    if (task->pod->node != NULL && (task->pod->flags & YK_POD_RELABELLED) == 0 && !has_new_limit)
        return false;
    task->pod->flags &= (uint8_t)~YK_POD_RELABELLED;
    if (task->work != NULL)
        task->work->class_update_seen =
            /* labels may have changed, so the class is computed when the task waits again */
            apps->class_update_count - 1;
    task->ask_details = yk_pod_ask_details(&apps->cache->intern_table, object, &apps->scratch);
    yk_interned_put(&apps->cache->intern_table, before);
    return has_new_limit;
}

/* Whether the pods of the node together use more than the node has of a resource that this pod requests. */
static bool is_beyond_its_node(const struct yk_cache_pod *pod)
{
    const struct yk_resvec *offered = &pod->node->allocatable->amounts, *wanted = &pod->size->amounts;
    yk_resvec_foreach(type, wanted)
    {
        if (yk_resvec_get(wanted, type) > 0 &&
            yk_resvec_get(&pod->node->used, type) > yk_resvec_get(offered, type))
            return true;
    }
    return false;
}

/* The pod was resized after the core had chosen the node. If the pod does not fit there any longer, the
 * kubelet would refuse it, so the core has to choose again. */
static void leave_node_that_is_too_small(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state != YK_TASK_ALLOCATED || !is_beyond_its_node(task->pod))
        return;
    if (apps->effects->cancel_bind(apps->effects->context, task))
        yk_task_roll_back(apps, task);
    else
        task->work->outgrown = true;
}

/* The size of the pod has changed in place (P17), while it runs or waits: the core gets the new size. */
static void change_size(struct yk_apps *apps, struct yk_task *task, const struct yk_pod *object)
{
    bool told = task->work != NULL && task->work->status_record != NULL;
    apps->effects->wait_changed(apps->effects->context, task);
    if (task->in_core)
        yk__core_put_task(apps, task);
    else if ((task->pod->flags & YK_POD_SENT) != 0)
        yk__core_put_foreign(apps, task->pod);
    else if (was_refused(task))
        offer_again(apps, task, object);
    if (told && task->state == YK_TASK_SCHEDULING)
        yk__task_todo(apps, task, YK_TODO_REPORT);
    leave_node_that_is_too_small(apps, task);
}

static void confirmed(struct yk_apps *apps, struct yk_task *task)
{
    if (task->state == YK_TASK_BOUND) {
        /* cancel_bind() ends the confirmation. forget() is not called, as it would drop the Scheduled
         * Event. */
        (void)apps->effects->cancel_bind(apps->effects->context, task);
        yk__task_settle(apps, task);
        return;
    }
    /* the watch has reported the binding before the answer came */
    apps->effects->forget(apps->effects->context, task);
    yk_task_bound(apps, task);
}

/* The deletion of the pod has begun: the pod will not be bound, unless the request was sent already. */
static void begin_going(struct yk_apps *apps, struct yk_task *task)
{
    bool waits = task->state == YK_TASK_NEW || task->state == YK_TASK_SCHEDULING;
    if (waits && task->pod->node == NULL && task->work->binding == NULL)
        yk__task_complete(apps, task);
    else if (task->state == YK_TASK_ALLOCATED && apps->effects->cancel_bind(apps->effects->context, task))
        yk_task_roll_back(apps, task);
}

/* The task waits again in the core. `is_other`: size or run limit of the pod differ from those in the
 * core. */
static void take_back(struct yk_apps *apps, struct yk_task *task, const struct yk_pod *object, bool is_other)
{
    yk__task_enter(apps, task, YK_TASK_SCHEDULING);
    yk__task_follow(task, object);
    yk__core_release_task(apps, task, YK_SI_SCHEDULING_FAILED_ON_RM, "the API server has it on no node");
    yk__task_set_class(apps, task, yk_class_get(&apps->classes, object));
    if (is_other && task->in_core)
        yk__core_put_task(apps, task);
}

/* A later version of the pod has no node, although the API server had the pod on a node before. */
static void lost_its_node(struct yk_apps *apps, struct yk_task *task, const struct yk_pod *object,
                          bool is_other)
{
    yk_warn(yk_log_shim_task, "pod has lost its node, it is decided again",
            KV("pod", yk_cache_pod_key(task->pod)));
    /* forget() drops an answer that comes later */
    (void)apps->effects->cancel_bind(apps->effects->context, task);
    apps->effects->forget(apps->effects->context, task);
    yk__core_release_foreign(apps, task->pod);
    if (task->state == YK_TASK_BOUND && task->in_core)
        take_back(apps, task, object, is_other);
    else if (task->state == YK_TASK_NEW || was_refused(task))
        offer_again(apps, task, object);
    if ((task->pod->flags & YK_POD_DELETING) != 0 || object->object.deleting)
        yk__task_complete(apps, task);
}

static void change_task(struct yk_apps *apps, struct yk_task *task, const struct yk_pod *object,
                        uint32_t changes)
{
    /* If a pod is not read whole, it looks as if it had no constraints and no run limit. */
    bool is_whole = object->object.read == YK_READ_WHOLE;
    if (apps->is_standby && is_whole)
        yk__task_follow(task, object);
    bool has_new_limit = is_whole && change_details(apps, task, object);
    if (task->work != NULL && is_whole)
        task->work->start_wall_ns = object->start_wall_ns;
    if ((changes & YK_CHANGED_NODE) != 0 && task->pod->node == NULL) {
        lost_its_node(apps, task, object, has_new_limit || (changes & YK_CHANGED_SIZE) != 0);
        return;
    }
    if ((changes & YK_CHANGED_NODE) != 0) {
        placed_elsewhere(apps, task);
        return;
    }
    if ((changes & YK_CHANGED_CONFIRMED) != 0)
        confirmed(apps, task);
    if ((changes & YK_CHANGED_DOUBTED) != 0)
        yk__task_confirm(apps, task);
    if (is_whole)
        change_class(apps, task, object);
    if ((changes & YK_CHANGED_SIZE) != 0)
        change_size(apps, task, object);
    else if (has_new_limit && task->in_core)
        yk__core_put_task(apps, task);
    if ((changes & YK_CHANGED_DELETING) != 0)
        begin_going(apps, task);
}

void yk_apps_pod_changed(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object,
                         uint32_t changes)
{
    if ((pod->flags & YK_POD_OURS) == 0) {
        change_foreign(apps, pod, changes);
    } else if (pod->task == NULL) {
        if ((changes & YK_CHANGED_NODE) != 0)
            yk__core_release_foreign(apps, pod);
        add_task(apps, pod, object);
    } else {
        change_task(apps, pod->task, object, changes);
    }
}

void yk_apps_pod_removed(struct yk_apps *apps, struct yk_cache_pod *pod)
{
    struct yk_task *task = pod->task;
    yk__core_release_foreign(apps, pod);
    if (task != NULL) {
        /* yk__task_free() drops a later answer */
        (void)apps->effects->cancel_bind(apps->effects->context, task);
        yk__task_complete(apps, task);
        yk__task_let_go(apps, task);
        yk__task_free(apps, task);
    }
}
