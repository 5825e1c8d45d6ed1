/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduling classes have learnt since the last look: kinds of nodes that are told apart anew,
 * labels that decide now, and classes that may fit where they did not. Source:
 * docs/reference/predicates.md 7.
 */
#include "app/apps_priv.h"

static void tell_kinds(struct yk_apps *apps)
{
    if (apps->signings_told == apps->classes.signings)
        return;
    apps->signings_told = apps->classes.signings;
    yk_core_kinds_changed(apps->core, apps->rm_id);
}

static void renew_task(struct yk_apps *apps, struct yk_task *task, struct yk_pairs *labels)
{
    yk_si_class before = task->class_;
    if (before == YK_SI_CLASS_ANY || task->pod->node != NULL)
        return;
    yk_ask_details_labels(task->ask_details, labels);
    task->class_ = yk_class_renew(&apps->classes, before, yk_cache_pod_namespace(task->pod), labels);
    if (task->class_ != before && task->in_core)
        yk__core_put_task(apps, task);
}

static void renew_tasks(struct yk_apps *apps, const struct yk_application *app, struct yk_pairs *labels)
{
    struct yk_task *task;
    yk_list_foreach (task, &app->tasks, struct yk_task, in_app)
        renew_task(apps, task, labels);
}

/* Rare: a label is new to all anti-affinity there is. Nothing may be decided before all who wait are looked
 * at. */
static void renew(struct yk_apps *apps)
{
    struct yk_pairs labels = {0};
    const struct yk_application *app;
    if (!yk_classes_need_renewal(&apps->classes))
        return;
    yk_strmap_foreach (app, &apps->by_id)
        renew_tasks(apps, app, &labels);
    yk_classes_renewed(&apps->classes);
    free(labels.items);
}

void yk__class_news(struct yk_apps *apps)
{
    yk_si_class woken;
    renew(apps);
    tell_kinds(apps);
    while ((woken = yk_classes_next_woken(&apps->classes)) != YK_SI_CLASS_ANY)
        yk_core_wake_class(apps->core, apps->rm_id, woken);
}
