/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that the shim keeps from the core, and why: the pod waits, and its condition says so. A task that is
 * held is New. Source: docs/reference/kubernetes.md 3.9 (S21).
 */
#include "app/apps_priv.h"

void yk__task_hold(struct yk_apps *apps, struct yk_task *task, const char *message)
{
    struct yk_errand *errand = yk__task_errand(apps, task);
    struct yk_blob *before = errand->hold;
    yk_buf_clear(&apps->scratch);
    yk_blob_add_text(&apps->scratch, yk_str_from(message));
    errand->hold = yk_blob_get(&apps->cache->blobs, yk_buf_view(&apps->scratch));
    yk_blob_put(&apps->cache->blobs, before);
    yk__task_todo(apps, task, YK_TODO_REPORT);
}

void yk__task_unhold(struct yk_apps *apps, struct yk_task *task)
{
    struct yk_errand *errand = task->errand;
    if (errand == NULL || errand->hold == NULL)
        return;
    apps->effects->waits_anew(apps->effects->context, task);
    yk_blob_put(&apps->cache->blobs, yk_move(errand->hold));
}
