/* SPDX-License-Identifier: Apache-2.0 */
/* Shared between the files of app/. */
#ifndef YK_APP_APPS_PRIV_H
#define YK_APP_APPS_PRIV_H

#include "app/apps.h"

/* application.c */
struct yk_application *yk__application_for(struct yk_apps *apps, const char *id);
/* Tells the core of the application, with what `task` says about it. */
void yk__application_submit(struct yk_apps *apps, struct yk_application *app, struct yk_task *task);
void yk__application_accepted(struct yk_apps *apps, struct yk_application *app);
/* `message` is copied. `over`: the core does not have it any more. */
void yk__application_failed(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state,
                            const char *message, bool over);
void yk__application_run(struct yk_apps *apps, struct yk_application *app);
/* Frees it, and ends it in the core if needed, once nobody needs it any more. */
void yk__application_drop_if_unused(struct yk_apps *apps, struct yk_application *app);
void yk__application_free(struct yk_apps *apps, struct yk_application *app);

/* task.c */
struct yk_task *yk__task_new(struct yk_apps *apps, struct yk_application *app, struct yk_cache_pod *pod,
                             const struct yk_pod *object);
void yk__task_free(struct yk_apps *apps, struct yk_task *task);
void yk__task_todo(struct yk_apps *apps, struct yk_task *task, uint32_t todo);
void yk__task_run(struct yk_apps *apps, struct yk_task *task);
/* Ends it from the API server's side and tells the core. */
void yk__task_complete(struct yk_apps *apps, struct yk_task *task);
void yk__task_fail(struct yk_apps *apps, struct yk_task *task, const char *message);
/* The core has forgotten it (its node went): it starts over. */
void yk__task_lost(struct yk_apps *apps, struct yk_task *task);
/* Its node is there (again): a pod that was bound meanwhile, or that the core did not take, starts over. */
void yk__task_node_returned(struct yk_apps *apps, struct yk_task *task);
void yk__task_take_over(struct yk_apps *apps, struct yk_task *task);
void yk__task_follow(struct yk_task *task, const struct yk_pod *object);
static inline bool yk__pod_is_bound(const struct yk_cache_pod *pod)
{
    return pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0;
}

/* core_calls.c: one call to the core each. */
void yk__core_add_app(struct yk_apps *apps, struct yk_application *app, const struct yk_task *task);
void yk__core_remove_app(struct yk_apps *apps, struct yk_application *app);
void yk__core_put_task(struct yk_apps *apps, struct yk_task *task);
void yk__core_release_task(struct yk_apps *apps, struct yk_task *task, enum yk_si_termination termination,
                           const char *message);
/* Also for a bound pod of ours that the core does not take: whatever is wrong with it, it uses its node. */
void yk__core_put_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
void yk__core_release_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
void yk__core_node(struct yk_apps *apps, struct yk_cache_node *node, enum yk_si_node_action action,
                   uint32_t changes);

#endif
