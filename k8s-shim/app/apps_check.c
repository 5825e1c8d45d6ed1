/* SPDX-License-Identifier: Apache-2.0 */
#include "app/apps_priv.h"

static bool check_task(const struct yk_task *task, struct yk_err *err)
{
    bool has_pending_work = task->work != NULL;
    if (has_pending_work != yk__task_is_quiet(task) && (!has_pending_work || task->work->task == task))
        return true;
    (void)yk_fail(err, YK_ERR_INVALID, "pod '" YK_STR_FMT "' is %s and %s",
                  YK_STR_ARG(yk_cache_pod_key(task->pod)),
                  yk_task_state_name((enum yk_task_state)task->state),
                  has_pending_work ? "has pending work without need" : "has no pending work");
    return false;
}

bool yk_apps_check(const struct yk_apps *apps, struct yk_err *err)
{
    const struct yk_application *app;
    const struct yk_task *task;
    size_t tasks = 0, pending_work_pool = 0;
    yk_strmap_foreach (app, &apps->by_id) {
        yk_list_foreach (task, &app->tasks, struct yk_task, in_app) {
            if (!check_task(task, err))
                return false;
            tasks++;
            pending_work_pool += task->work != NULL;
        }
    }
    if (tasks == apps->tasks.used && pending_work_pool == apps->pending_work_pool.used)
        return true;
    (void)yk_fail(err, YK_ERR_INVALID, "%zu tasks have %zu items of pending work, %zu and %zu are held",
                  tasks, pending_work_pool, apps->tasks.used, apps->pending_work_pool.used);
    return false;
}
