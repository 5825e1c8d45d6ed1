/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Held tasks: the shim does not submit them to the core, and their pods have a condition that says why. A
 * held task is New.
 *
 * Source: docs/reference/kubernetes.md 3.9 (S21).
 */
#include "app/apps_priv.h"

void yk__task_hold(struct yk_apps *apps, struct yk_task *task, const char *message)
{
    struct yk_pending_work *work = yk__task_pending_work(apps, task);
    struct yk_interned *before = work->hold;
    yk_buf_clear(&apps->scratch);
    yk_interned_add_text(&apps->scratch, yk_str_from(message));
    work->hold = yk_interned_get(&apps->cache->intern_table, yk_buf_view(&apps->scratch));
    yk_interned_put(&apps->cache->intern_table, before);
    yk__task_todo(apps, task, YK_TODO_REPORT);
}

void yk__task_unhold(struct yk_apps *apps, struct yk_task *task)
{
    struct yk_pending_work *work = task->work;
    if (work == NULL || work->hold == NULL)
        return;
    apps->effects->wait_changed(apps->effects->context, task);
    yk_interned_put(&apps->cache->intern_table, yk_move(work->hold));
}
