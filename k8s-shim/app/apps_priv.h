/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of app/ share. No argument is NULL, except where a comment says so; "it" is the object that
 * the function is named after.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_APP_APPS_PRIV_H
#define YK_APP_APPS_PRIV_H

#include "app/apps.h"

/* application.c */
/* Starts tasks that are New, in order of creation. */
void yk__application_start_tasks(struct yk_apps *apps, struct yk_application *app);
/* Submits the application to the core, with what the pod of `task` says about it. */
void yk__application_submit(struct yk_apps *apps, struct yk_application *app, struct yk_task *task);
/* The core has accepted the application. Logged and ignored unless it was Submitted. */
void yk__application_accepted(struct yk_apps *apps, struct yk_application *app);
/* The application fails or was rejected: sets `state`, the reason `failure` and `message`, which is copied.
 * `over`: the core has ended it. */
void yk__application_failed(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state,
                            enum yk_si_failure failure, const char *message, bool over);
/* Does what its state asks for next: starts tasks or the gang, removes placeholders, or fails its tasks.
 * Ends with yk__application_drop_if_unused(), which may free it. */
void yk__application_run(struct yk_apps *apps, struct yk_application *app);
/* An application without tasks has no use: removes it from the core and frees it. It stays if the core has
 * yet to answer its submission, or has had asks of it: such an application the core ends itself. */
void yk__application_drop_if_unused(struct yk_apps *apps, struct yk_application *app);
/* Frees it at once. Its tasks were freed before. */
void yk__application_free(struct yk_apps *apps, struct yk_application *app);

/* Changes its state, and updates how many placeholders count for its gang (yk__gang_recharge()). Does not
 * check the transition. */
void yk__application_enter(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state);
/* Puts it into the queue of applications that yk__application_run() has to see, unless it is there. */
void yk__application_queue(struct yk_apps *apps, struct yk_application *app);
/* The core has begun to end its placeholders: it continues as an ordinary application. */
void yk__application_resuming(struct yk_apps *apps, struct yk_application *app);

/* application_scope.c */
/* The application of pods of that namespace with that id; created if there is none. Owned by `apps`; it is
 * freed by yk__application_drop_if_unused(). */
struct yk_application *yk__application_for(struct yk_apps *apps, const char *id, struct yk_str namespace_);
/* Removes it from apps->by_id. The first application that it refused gets the id. */
void yk__scope_application_ends(struct yk_apps *apps, struct yk_application *app);
/* All pods are known: decides which namespace each id belongs to. O(applications, and tasks of disputed
 * ids). */
void yk__scope_settle(struct yk_apps *apps);
/* Makes a task of an application that is refused wait, with a condition that says why. */
void yk__scope_refuse(struct yk_apps *apps, struct yk_task *task);

/* apps_compare.c */
/* Whether the API server has the pod on `node`, or its bind to it is under way. */
bool yk__task_is_placed(const struct yk_task *task, const struct yk_cache_node *node);
/* The callback `find_unallocated` of struct yk_si_callbacks, which says what it returns. Names
 * ("namespace/name") of pods of this scheduler on nodes without an allocation. */
bool yk__apps_find_unallocated(const struct yk_apps *apps, uint64_t *cursor, size_t max,
                               yk_si_name_sink *sink, void *sink_context);

/* hold.c */
/* Keeps a task that is New from the core; `message`, copied, becomes its condition. */
void yk__task_hold(struct yk_apps *apps, struct yk_task *task, const char *message);
/* Ends what yk__task_hold() began: the condition is forgotten. Does not submit the task. No effect on a task
 * that is not held. */
void yk__task_unhold(struct yk_apps *apps, struct yk_task *task);

/* class_updates.c */
/* Takes `class_`, counted. A waiting ask is sent to the core again if its class differs. */
void yk__task_set_class(struct yk_apps *apps, struct yk_task *task, yk_si_class class_);
/* Gives the task the class that its labels need now: tasks that did not wait were not updated. */
void yk__task_update_class(struct yk_apps *apps, struct yk_task *task);
/* Updates classes; called before the core decides, and after changes of pods and nodes. O(1) without
 * changes. */
void yk__class_updates(struct yk_apps *apps);

/* gang.c */
/* Takes from the pod that the application is submitted for: the owner of placeholders, and task groups. */
void yk__gang_adopt(struct yk_apps *apps, struct yk_application *app, struct yk_task *task);
/* Frees what the application has for gangs. */
void yk__gang_drop(struct yk_apps *apps, struct yk_application *app);
/* Takes note of a new task, of the application that it names. Call it once, when the task was linked to it. */
void yk__gang_task_added(struct yk_apps *apps, struct yk_task *task);
/* Updates the counts of the gang after a task has changed its state. */
void yk__gang_task_moved(struct yk_apps *apps, struct yk_task *task, enum yk_task_state from,
                         enum yk_task_state to);
/* Whether the task may be submitted to the core now. */
bool yk__gang_lets_start(const struct yk_task *task);
/* Whether the task is a placeholder that no real pod needs any longer, so it can end. False for real pods. */
bool yk__gang_is_unwanted(const struct yk_task *task);
/* Ends all placeholders except those that the core replaces. */
void yk__gang_discard_all(struct yk_apps *apps, struct yk_application *app);
/* The application was accepted. True: it reserves, false: it runs, or has failed. */
bool yk__gang_begin(struct yk_apps *apps, struct yk_application *app);
/* Continues a Reserving or Resuming application. True: it runs now. */
bool yk__gang_run(struct yk_apps *apps, struct yk_application *app);
/* Writes an Event of one pod of the application, if it has one: a placeholder has timed out. */
void yk__gang_tell_timeout(struct yk_apps *apps, const struct yk_application *app);
/* Writes an Event of the pod: it is a member of a gang. No effect on placeholders, and on pods of other task
 * groups. */
void yk__gang_tell_member(struct yk_apps *apps, struct yk_task *task);
/* The time until the timeout of the gang in ns; negative: it has passed. */
int64_t yk__gang_time_left(const struct yk_apps *apps, const struct yk_app_gang *gang);
/* Sets the fields of the request that concern gangs. */
void yk__gang_fill_request(const struct yk_apps *apps, const struct yk_application *app,
                           struct yk_si_new_app *request);

/* gang_wait.c */
/* Holds the task if it is a real pod of a gang that was found short of nodes. */
void yk__gang_hold(struct yk_apps *apps, struct yk_task *task);
/* Calls yk__gang_hold() for all tasks of the application, which has a gang; once only. O(tasks). */
void yk__gang_hold_all(struct yk_apps *apps, struct yk_application *app);
/* The core has reported that the task, a placeholder, waits: real pods of its gang may be held. */
void yk__gang_placeholder_waits(struct yk_apps *apps, const struct yk_task *task);
/* The callback `held` of struct yk_si_callbacks, which says what it returns. */
bool yk__gang_held(void *rm, const char *application_id, struct yk_si_held_place *place, size_t most,
                   yk_si_held_sink *sink, void *sink_context);
/* The callback `find_held` of struct yk_si_callbacks. */
void yk__gang_find_held(void *rm, const char *application_id, const char *name, yk_si_held_sink *sink,
                        void *sink_context);
/* The task of the pod with that name: "namespace/name", or a name in the namespace of the first pod of the
 * application. NULL: the application has none. O(1). */
const struct yk_task *yk__application_find_task(const struct yk_apps *apps, const struct yk_application *app,
                                                const char *name);

/* gang_cap.c */
/* Updates how many placeholders its gang counts as in its namespace. Call it after their number, or the state
 * of the application, has changed. */
void yk__gang_recharge(struct yk_apps *apps, struct yk_application *app);
/* The gang ends: it counts as no placeholders in its namespace. */
void yk__gang_uncharge(struct yk_apps *apps, struct yk_app_gang *gang);
/* Whether the gang has more members than a namespace may have placeholders. */
bool yk__gang_exceeds_cap(const struct yk_apps *apps, const struct yk_app_gang *gang);
/* Whether the placeholders of the gang may be created now. Once true, always true. */
bool yk__gang_admit(struct yk_apps *apps, struct yk_app_gang *gang);

/* task.c */
/* Changes the task's state, with what its gang and the reasons of waiting count. No check of the
 * transition. */
void yk__task_enter(struct yk_apps *apps, struct yk_task *task, enum yk_task_state state);
/* Ends a placeholder: releases it in the core at once, and deletes its pod. */
void yk__task_discard(struct yk_apps *apps, struct yk_task *task);
/* The pod of the task has ended, but exists: deletes it if it is a placeholder. */
void yk__task_let_go(struct yk_apps *apps, struct yk_task *task);
/* The core has dropped its ask: the task waits until its application continues. */
void yk__task_ask_dropped(struct yk_apps *apps, struct yk_task *task);
/* A task of `app` for the pod, in state New; the application owns it. */
struct yk_task *yk__task_new(struct yk_apps *apps, struct yk_application *app, struct yk_cache_pod *pod,
                             const struct yk_pod *object);
/* Frees the task and takes it off all lists. The core has no ask of it. */
void yk__task_free(struct yk_apps *apps, struct yk_task *task);
/* Adds `todo` to what is to be done for the task in a later step. */
void yk__task_todo(struct yk_apps *apps, struct yk_task *task, uint32_t todo);
/* Makes pending work for the task, which has none. Call yk__task_pending_work() instead. */
struct yk_pending_work *yk__pending_work_new(struct yk_apps *apps, struct yk_task *task);
/* Frees the pending work of a task and takes it off the run queue. NULL has no effect. */
void yk__pending_work_free(struct yk_apps *apps, struct yk_pending_work *work);
/* Its pending work, created if it has none. */
static inline struct yk_pending_work *yk__task_pending_work(struct yk_apps *apps, struct yk_task *task)
{
    return task->work != NULL ? task->work : yk__pending_work_new(apps, task);
}
/* Whether it has its node and nothing is left to do. Placeholders of a gang always have pending work. */
static inline bool yk__task_is_quiet(const struct yk_task *task)
{
    const struct yk_pending_work *work = task->work;
    if (task->state != YK_TASK_BOUND || task->is_placeholder)
        return false;
    return work == NULL || (work->binding == NULL && !yk_list_linked(&work->in_queue));
}
/* Frees its pending work if nothing is left to do. `work` of the task may be NULL afterwards. */
static inline void yk__task_settle(struct yk_apps *apps, struct yk_task *task)
{
    if (yk__task_is_quiet(task))
        yk__pending_work_free(apps, task->work);
}
/* Carries out what is to be done for the task, which has pending work. */
void yk__task_run(struct yk_apps *apps, struct yk_task *task);
/* The pod has ended, or was deleted: releases it in the core. */
void yk__task_complete(struct yk_apps *apps, struct yk_task *task);
/* Fails the task, because its application has failed: the pod gets the message of the application. */
void yk__task_fail(struct yk_apps *apps, struct yk_task *task);
/* The core has dropped it, because its node was removed: it starts over. */
void yk__task_lost(struct yk_apps *apps, struct yk_task *task);
/* Its node was added again: a pod that was bound meanwhile, or that the core did not take, starts over. */
void yk__task_node_returned(struct yk_apps *apps, struct yk_task *task);
/* For a bound task whose pod is not on its node according to the watch: sends the bind again unless that
 * changes soon. */
void yk__task_confirm(struct yk_apps *apps, struct yk_task *task);
/* This process begins to lead: does what a standby could not do. */
void yk__task_take_over(struct yk_apps *apps, struct yk_task *task);
/* On a standby: reads the condition that the leader wrote, so that it is not written again. */
void yk__task_follow(struct yk_task *task, const struct yk_pod *object);
/* Whether the API server has it on a node, not only the cache. */
static inline bool yk__pod_is_bound(const struct yk_cache_pod *pod)
{
    return pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0;
}

/* core_calls.c: each makes one call of the core. */
/* Adds the application, as the pod of `task` describes it: yk_core_add_app(). The answer comes as a callback. */
void yk__core_add_app(struct yk_apps *apps, struct yk_application *app, const struct yk_task *task);
/* Removes the application, which the core has: yk_core_remove_app(). */
void yk__core_remove_app(struct yk_apps *apps, struct yk_application *app);
/* Releases all its asks and allocations; there may be none. */
void yk__core_release_app(struct yk_apps *apps, struct yk_application *app);
struct yk_namespace_tags;
/* Passes on new limits of the namespace of the application: yk_core_namespace_changed(). */
void yk__core_namespace_changed(struct yk_apps *apps, const struct yk_application *app,
                                const struct yk_namespace_tags *tags);
/* Sends the ask or allocation of the task to the core, new or changed. */
void yk__core_put_task(struct yk_apps *apps, struct yk_task *task);
/* Tells the core that the pod is on its node. */
void yk__core_bound(struct yk_apps *apps, const struct yk_task *task);
/* Ends its ask or allocation; `message` may be NULL. */
void yk__core_release_task(struct yk_apps *apps, struct yk_task *task, enum yk_si_termination termination,
                           const char *message);
/* Sends the pod to the core as a foreign allocation: a pod of another scheduler, or a bound pod of this
 * scheduler that the core refuses. */
void yk__core_put_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
/* The opposite of yk__core_put_foreign(). */
void yk__core_release_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
/* Tells the core of the node: yk_core_update_node(). `changes`: YK_CHANGED_ bits, for YK_SI_NODE_UPDATE. */
void yk__core_node(struct yk_apps *apps, struct yk_cache_node *node, enum yk_si_node_action action,
                   uint32_t changes);

/* Whether the gang waits for its placeholders. */
static inline bool yk__gang_reserves(const struct yk_app_gang *gang)
{
    return gang->app->state == YK_APPLICATION_RESERVING && !gang->failed;
}

#endif
