/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of scheduling classes: nodes have got other signatures, anti-affinity refers to more labels, and
 * pods of a class may fit now where they did not fit before.
 *
 * Source: docs/reference/predicates.md 7.
 */
#include "app/apps_priv.h"

static void tell_kinds(struct yk_apps *apps)
{
    if (apps->signature_updates_seen == apps->classes.signature_updates)
        return;
    apps->signature_updates_seen = apps->classes.signature_updates;
    yk_core_signatures_changed(apps->core, apps->rm_id);
}

void yk__task_set_class(struct yk_apps *apps, struct yk_task *task, yk_si_class class_)
{
    if (class_ == task->class_) {
        yk_class_put(&apps->classes, class_);
        return;
    }
    bool scheduling = task->state == YK_TASK_SCHEDULING;
    apps->effects->wait_changed(apps->effects->context, task);
    if (scheduling)
        yk__core_release_task(apps, task, YK_SI_STOPPED_BY_RM, "constraints of the pod changed");
    yk_class_put(&apps->classes, task->class_);
    task->class_ = class_;
    if (scheduling)
        yk__core_put_task(apps, task);
}

static void update_task(struct yk_apps *apps, struct yk_task *task, struct yk_pairs *labels)
{
    struct yk_str namespace_ = yk_cache_pod_namespace(task->pod);
    task->work->class_update_seen = apps->class_update_count;
    yk_pod_labels(task->pod, labels);
    yk__task_set_class(apps, task, yk_class_update(&apps->classes, task->class_, namespace_, labels));
}

void yk__task_update_class(struct yk_apps *apps, struct yk_task *task)
{
    struct yk_pairs labels = {0};
    struct yk_pending_work *work = yk__task_pending_work(apps, task);
    yk_si_class next = work->next_class;
    work->next_class = YK_SI_CLASS_ANY;
    if (next != YK_SI_CLASS_ANY)
        yk__task_set_class(apps, task, next);
    if (task->class_ != YK_SI_CLASS_ANY && work->class_update_seen != apps->class_update_count)
        update_task(apps, task, &labels);
    free(labels.items);
}

static int by_sequence(const void *a, const void *b)
{
    const struct yk_task *x = a, *y = b;
    return x->work->sequence < y->work->sequence ? -1 : x->work->sequence > y->work->sequence;
}

/* Appends the tasks of the application that need an update. A task whose pod is on a node keeps its class. */
static void list_waiting(const struct yk_classes *classes, const struct yk_application *app,
                         struct yk_vec *ret)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (task->work != NULL && task->pod->node == NULL && task->class_ != YK_SI_CLASS_ANY &&
            yk_classes_need_update_in(classes, yk_cache_pod_namespace(task->pod)))
            yk_vec_append(ret, task);
    }
}

/* Updates the classes of waiting tasks. An update is rare: it is needed when the anti-affinity of a pod
 * refers to a further label (yk_classes_need_update()). */
static void renew(struct yk_apps *apps)
{
    struct yk_pairs labels = {0};
    struct yk_vec tasks = {0};
    const struct yk_application *app;
    struct yk_task *task;
    if (!yk_classes_need_update(&apps->classes))
        return;
    yk_strmap_foreach (app, &apps->by_id)
        list_waiting(&apps->classes, app, &tasks);
    apps->class_update_count++;
    yk_vec_sort(&tasks, by_sequence); /* the order in which asks are sent must not depend on hashes */
    yk_vec_foreach (task, &tasks)
        update_task(apps, task, &labels);
    yk_classes_updated(&apps->classes);
    yk_vec_done(&tasks);
    free(labels.items);
}

void yk__class_updates(struct yk_apps *apps)
{
    yk_si_class woken;
    renew(apps);
    tell_kinds(apps);
    while ((woken = yk_classes_next_woken(&apps->classes)) != YK_SI_CLASS_ANY)
        yk_core_wake_class(apps->core, apps->rm_id, woken);
}
