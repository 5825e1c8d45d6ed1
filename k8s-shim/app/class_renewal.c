/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scheduling classes keep only those labels of waiting pods that somebody's anti-affinity looks at. When a pod
 * comes that looks at another one, waiting pods get the classes they should have, before anything is decided.
 */
#include "app/apps_priv.h"

/* The core gets a new ask when the class is another one; `class_` is taken. */
void yk__task_set_class(struct yk_apps *apps, struct yk_task *task, yk_si_class class_)
{
    if (class_ == task->class_) {
        yk_class_put(&apps->classes, class_);
        return;
    }
    bool scheduling = task->state == YK_TASK_SCHEDULING;
    if (scheduling)
        yk__core_release_task(apps, task, YK_SI_STOPPED_BY_RM, "constraints of the pod changed");
    yk_class_put(&apps->classes, task->class_);
    task->class_ = class_;
    if (scheduling)
        yk__core_put_task(apps, task);
}

struct labels {
    struct yk_pairs pairs; /* items owned; the texts are the task's */
    uint32_t room;
};

static void renew(struct yk_apps *apps, struct yk_task *task, struct labels *labels)
{
    yk_ask_details_labels(task->ask_details, &labels->pairs, &labels->room);
    struct yk_str namespace_ = yk_cache_pod_namespace(task->pod);
    yk__task_set_class(apps, task, yk_class_renew(&apps->classes, task->class_, namespace_, &labels->pairs));
}

void yk__task_renew_class(struct yk_apps *apps, struct yk_task *task)
{
    struct labels labels = {.room = 0};
    if (task->class_ != YK_SI_CLASS_ANY)
        renew(apps, task, &labels);
    free(labels.pairs.items);
}

static int by_sequence(const void *a, const void *b)
{
    const struct yk_task *x = a, *y = b;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* One that was decided about keeps the class that the core knows; it gets its own should it wait again. */
static bool waits(const struct yk_task *task)
{
    return task->pod->node == NULL && task->class_ != YK_SI_CLASS_ANY;
}

static void list_waiting_of(const struct yk_application *app, struct yk_vec *ret)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
        if (waits(task))
            yk_vec_append(ret, task);
    }
}

void yk__renew_classes(struct yk_apps *apps)
{
    struct labels labels = {.room = 0};
    struct yk_vec tasks = {0};
    const struct yk_application *app;
    struct yk_task *task;
    if (!yk_classes_need_renewal(&apps->classes))
        return;
    yk_strmap_foreach (app, &apps->by_id)
        list_waiting_of(app, &tasks);
    yk_vec_sort(&tasks, by_sequence); /* a map has no order */
    yk_vec_foreach (task, &tasks)
        renew(apps, task, &labels);
    yk_classes_renewed(&apps->classes);
    free(labels.pairs.items);
    yk_vec_done(&tasks);
}
