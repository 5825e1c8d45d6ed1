/* SPDX-License-Identifier: Apache-2.0 */
/* Shared between the files of app/. */
#ifndef YK_APP_APPS_PRIV_H
#define YK_APP_APPS_PRIV_H

#include "app/apps.h"

/* application.c */
/* Starts tasks that are New, in order of creation. */
void yk__application_start_tasks(struct yk_apps *apps, struct yk_application *app);
/* Tells the core of the application, with what `task` says about it. */
void yk__application_submit(struct yk_apps *apps, struct yk_application *app, struct yk_task *task);
void yk__application_accepted(struct yk_apps *apps, struct yk_application *app);
/* `message` is copied. `over`: the core does not have it any more. */
void yk__application_failed(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state,
                            enum yk_si_failure failure, const char *message, bool over);
void yk__application_run(struct yk_apps *apps, struct yk_application *app);
/* Frees it, and ends it in the core if needed, once nobody needs it any more. */
void yk__application_drop_if_unused(struct yk_apps *apps, struct yk_application *app);
void yk__application_free(struct yk_apps *apps, struct yk_application *app);

void yk__application_enter(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state);
void yk__application_queue(struct yk_apps *apps, struct yk_application *app);
/* The core has begun to end its reservation: it goes on as an ordinary one. */
void yk__application_resuming(struct yk_apps *apps, struct yk_application *app);

/* application_scope.c */
/* Of pods of that namespace with that id; made if there is none. */
struct yk_application *yk__application_for(struct yk_apps *apps, const char *id, struct yk_str namespace_);
/* Takes it out of apps->by_id; the first one that it refused gets its id. */
void yk__scope_application_ends(struct yk_apps *apps, struct yk_application *app);
/* All pods are known: which namespace an id belongs to. O(applications), and the tasks of disputed ones. */
void yk__scope_settle(struct yk_apps *apps);
/* Of an application that is refused: the task waits. */
void yk__scope_refuse(struct yk_apps *apps, struct yk_task *task);

/* apps_compare.c */
/* Whether the API server has the pod on `node`, or its bind to it is under way. */
bool yk__task_is_placed(const struct yk_task *task, const struct yk_cache_node *node);
/* Of struct yk_si_callbacks: names ("namespace/name") of our pods on nodes without an allocation there. */
bool yk__apps_find_unallocated(const struct yk_apps *apps, uint64_t *cursor, size_t max,
                               yk_si_name_sink *sink, void *sink_context);

/* hold.c */
/* Keeps a task that is New from the core; `message`, copied, becomes its condition. */
void yk__task_hold(struct yk_apps *apps, struct yk_task *task, const char *message);
/* No effect on others. */
void yk__task_unhold(struct yk_apps *apps, struct yk_task *task);

/* class_updates.c */
/* `class_`, counted, is taken; a waiting ask is told anew when it is another one. */
void yk__task_set_class(struct yk_apps *apps, struct yk_task *task, yk_si_class class_);
/* The class that its labels ask for by now: whoever waits again was not renewed while it did not. */
void yk__task_update_class(struct yk_apps *apps, struct yk_task *task);
/* Before the core decides, and after anything that changes what stands where. Costs nothing without news. */
void yk__class_updates(struct yk_apps *apps);

/* gang.c */
/* What the application takes from the pod it is submitted for: owner of placeholders, task groups. */
void yk__gang_adopt(struct yk_apps *apps, struct yk_application *app, struct yk_task *task);
void yk__gang_drop(struct yk_apps *apps, struct yk_application *app);
/* A new task of the application. */
void yk__gang_task_added(struct yk_apps *apps, struct yk_task *task);
/* After a task went from one state to another. */
void yk__gang_task_moved(struct yk_apps *apps, struct yk_task *task, enum yk_task_state from,
                         enum yk_task_state to);
/* May the core be told of the task now. */
bool yk__gang_lets_start(const struct yk_task *task);
/* A placeholder that nobody waits for (any more). */
bool yk__gang_is_unwanted(const struct yk_task *task);
/* Ends all placeholders but those that the core waits for. */
void yk__gang_discard_all(struct yk_apps *apps, struct yk_application *app);
/* The application was accepted. True: it reserves, false: it runs, or has failed. */
bool yk__gang_begin(struct yk_apps *apps, struct yk_application *app);
/* Looks at what has happened while Reserving or Resuming. True: it runs now. */
bool yk__gang_run(struct yk_apps *apps, struct yk_application *app);
/* The core let go a placeholder because of the time. */
void yk__gang_tell_timeout(struct yk_apps *apps, const struct yk_application *app);
/* Of a task that waits: it is told that it is a member. */
void yk__gang_tell_member(struct yk_apps *apps, struct yk_task *task);
/* What the core has to know of it. */
void yk__gang_fill_request(const struct yk_apps *apps, const struct yk_application *app,
                           struct yk_si_new_app *request);

/* gang_cap.c */
/* The gang has other placeholders, or is in another state: what it counts as in its namespace. */
void yk__gang_recharge(struct yk_apps *apps, struct yk_application *app);
void yk__gang_uncharge(struct yk_apps *apps, struct yk_app_gang *gang);
/* It has more members than a namespace may have placeholders. */
bool yk__gang_exceeds_cap(const struct yk_apps *apps, const struct yk_app_gang *gang);
/* Whether its placeholders may be made; once they may they always may. */
bool yk__gang_admit(struct yk_apps *apps, struct yk_app_gang *gang);

/* task.c */
void yk__task_enter(struct yk_apps *apps, struct yk_task *task, enum yk_task_state state);
/* Ends a placeholder from our side: the core is told at once, its pod is deleted until it is gone. */
void yk__task_discard(struct yk_apps *apps, struct yk_task *task);
/* Its pod has ended: of a placeholder nothing is left behind. */
void yk__task_let_go(struct yk_apps *apps, struct yk_task *task);
/* The core has dropped its ask: it waits for its application to go on. */
void yk__task_ask_dropped(struct yk_apps *apps, struct yk_task *task);
struct yk_task *yk__task_new(struct yk_apps *apps, struct yk_application *app, struct yk_cache_pod *pod,
                             const struct yk_pod *object);
void yk__task_free(struct yk_apps *apps, struct yk_task *task);
void yk__task_todo(struct yk_apps *apps, struct yk_task *task, uint32_t todo);
struct yk_pending_work *yk__pending_work_new(struct yk_apps *apps, struct yk_task *task);
/* NULL is fine. */
void yk__pending_work_free(struct yk_apps *apps, struct yk_pending_work *work);
/* Its errand, made if it has none. */
static inline struct yk_pending_work *yk__task_pending_work(struct yk_apps *apps, struct yk_task *task)
{
    return task->work != NULL ? task->work : yk__pending_work_new(apps, task);
}
/* It has its node, and nothing is to be done about it. A gang counts its placeholders as long as they are
 * there. */
static inline bool yk__task_is_quiet(const struct yk_task *task)
{
    const struct yk_pending_work *work = task->work;
    if (task->state != YK_TASK_BOUND || task->is_placeholder)
        return false;
    return work == NULL || (work->binding == NULL && !yk_list_linked(&work->in_queue));
}
/* Something about the task is done: its errand goes if nothing else is left of it. */
static inline void yk__task_settle(struct yk_apps *apps, struct yk_task *task)
{
    if (yk__task_is_quiet(task))
        yk__pending_work_free(apps, task->work);
}
void yk__task_run(struct yk_apps *apps, struct yk_task *task);
/* Ends it from the API server's side and tells the core. */
void yk__task_complete(struct yk_apps *apps, struct yk_task *task);
/* Its application has failed, for what `message` of the application says. */
void yk__task_fail(struct yk_apps *apps, struct yk_task *task);
/* The core has forgotten it (its node went): it starts over. */
void yk__task_lost(struct yk_apps *apps, struct yk_task *task);
/* Its node is there (again): a pod that was bound meanwhile, or that the core did not take, starts over. */
void yk__task_node_returned(struct yk_apps *apps, struct yk_task *task);
/* Of a bound task whose pod the watch does not show on its node: the bind is sent again unless it does so
 * soon. */
void yk__task_confirm(struct yk_apps *apps, struct yk_task *task);
void yk__task_take_over(struct yk_apps *apps, struct yk_task *task);
void yk__task_follow(struct yk_task *task, const struct yk_pod *object);
static inline bool yk__pod_is_bound(const struct yk_cache_pod *pod)
{
    return pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0;
}

/* core_calls.c: one call to the core each. */
void yk__core_add_app(struct yk_apps *apps, struct yk_application *app, const struct yk_task *task);
void yk__core_remove_app(struct yk_apps *apps, struct yk_application *app);
/* All that it has, which may be nothing. */
void yk__core_release_app(struct yk_apps *apps, struct yk_application *app);
struct yk_namespace_tags;
void yk__core_namespace_changed(struct yk_apps *apps, const struct yk_application *app,
                                const struct yk_namespace_tags *tags);
void yk__core_put_task(struct yk_apps *apps, struct yk_task *task);
void yk__core_release_task(struct yk_apps *apps, struct yk_task *task, enum yk_si_termination termination,
                           const char *message);
/* Also for a bound pod of ours that the core does not take: whatever is wrong with it, it uses its node. */
void yk__core_put_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
void yk__core_release_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
void yk__core_node(struct yk_apps *apps, struct yk_cache_node *node, enum yk_si_node_action action,
                   uint32_t changes);

/* It waits for its placeholders. */
static inline bool yk__gang_reserves(const struct yk_app_gang *gang)
{
    return gang->app->state == YK_APPLICATION_RESERVING && !gang->failed;
}

#endif
