/* SPDX-License-Identifier: Apache-2.0 */
/* Pending work: the state of a task that waits, is being bound, or has something left to do. */
#include "app/apps_priv.h"

struct yk_pending_work *yk__pending_work_new(struct yk_apps *apps, struct yk_task *task)
{
    struct yk_pending_work *work = yk_pool_take(&apps->pending_work_pool);
    work->task = task;
    work->sequence = ++apps->sequence;
    work->class_update_seen =
        apps->class_update_count - 1; /* a task without pending work has missed class updates */
    work->next_class = YK_SI_CLASS_ANY;
    yk_list_init(&work->in_queue);
    return task->work = work;
}

void yk__pending_work_free(struct yk_apps *apps, struct yk_pending_work *work)
{
    if (work == NULL)
        return;
    work->task->work = NULL;
    yk_volumes_forget(&apps->classes.volumes, work->volume_plan);
    if (yk_list_linked(&work->in_queue))
        yk_list_remove(&work->in_queue);
    yk_class_put(&apps->classes, work->next_class);
    yk_interned_put(&apps->cache->intern_table, work->quota);
    yk_interned_put(&apps->cache->intern_table, work->hold);
    yk_pool_give(&apps->pending_work_pool, work);
}

void yk__task_todo(struct yk_apps *apps, struct yk_task *task, uint32_t todo)
{
    struct yk_pending_work *work = yk__task_pending_work(apps, task);
    work->todo |= todo;
    if (!yk_list_linked(&work->in_queue))
        yk_list_append(&apps->task_queue, &work->in_queue);
}
