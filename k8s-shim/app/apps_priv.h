/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that only the files of app/ call.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_APP_APPS_PRIV_H
#define YK_APP_APPS_PRIV_H

#include "app/apps.h"

/* application.c */
/* Puts the New tasks of the application into the run queue, those that are not in it yet in order of the
 * creation of their pods. Whether a task is submitted is decided when it runs. */
void yk__application_start_tasks(struct yk_apps *apps, struct yk_application *app);
/* Submits the application to the core for `task`, whose pod decides queue and user. If `task` is a
 * placeholder, the oldest real pod decides queue and user, if there is one. The application is New, Failed,
 * Completed or Submitted. The caller has checked that refused_by is NULL, and that the task may start. If the
 * core still has the application, it is removed there with its asks. Replaces its gang (yk__gang_adopt()),
 * and sets `forced` to whether the pod of `task` is bound. The application is Submitted afterwards, unless
 * the core has answered before this function returns. Does not submit `task`, which is started after the
 * acceptance. */
void yk__application_submit(struct yk_apps *apps, struct yk_application *app, struct yk_task *task);
/* The core has accepted the application: it becomes Accepted, and is queued to start
 * (yk__application_run()). Clears `forced`. If the application is not Submitted, only logs a warning. */
void yk__application_accepted(struct yk_apps *apps, struct yk_application *app);
/* The application fails or was rejected: it enters `state` (Rejected or Failing) and is queued. `failure` and
 * `message` say why; `message` is copied. `over`: the core has ended the application, or the caller has
 * removed it with yk__core_remove_app(). If `over` is false, in_core is set, and the application stays
 * Failing until a second call with `over` true. If the application is Failing already, the other arguments
 * than `over` are ignored. Has no effect if it is Failed or Completed. Fails no task: yk__application_run()
 * does that. */
void yk__application_failed(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state,
                            enum yk_si_failure failure, const char *message, bool over);
/* Does the next step of the application, which was taken from the run queue: starts its tasks or its gang,
 * removes placeholders, or fails its tasks. May free the application. Only yk_apps_run() calls it: others
 * call yk__application_queue(). */
void yk__application_run(struct yk_apps *apps, struct yk_application *app);
/* Removes an application without tasks from the core, and frees it. Has no effect if the application has
 * tasks, or if the core has not answered its submission. The application is not freed either if the core
 * still has it and has got asks of it: the core then ends it itself and reports its end. If `resumed` is set,
 * the core needs the call yk__core_release_app() for that, which this function makes. The caller does not use
 * the application afterwards. */
void yk__application_drop_if_unused(struct yk_apps *apps, struct yk_application *app);
/* Calls yk__scope_application_ends(), then frees the application with its gang. Also takes it off the run
 * queue. Its tasks must have been freed. Does not call the core, which must not have it any longer: except in
 * yk_apps_done(), call yk__application_drop_if_unused() instead. */
void yk__application_free(struct yk_apps *apps, struct yk_application *app);

/* Sets the state of the application, and updates what depends on the state: apps->holding_start, and
 * gang->charged (yk__gang_recharge()). Does not check the transition, change in_core, call the core, queue
 * the application or start tasks: the caller does what the new state needs. */
void yk__application_enter(struct yk_apps *apps, struct yk_application *app, enum yk_application_state state);
/* Puts the application into the run queue, for yk__application_run(), if it is not there already. */
void yk__application_queue(struct yk_apps *apps, struct yk_application *app);
/* The gang of the application has timed out, and the core has begun to end its placeholders: the application
 * becomes Resuming and is queued, and `resumed` is set. Has no effect without a gang, and in other states
 * than Accepted, Reserving and Running. */
void yk__application_resuming(struct yk_apps *apps, struct yk_application *app);

/* application_scope.c */
/* The application with that id for pods of that namespace; created if there is none. If the id belongs to
 * another namespace, refused_by of the result is set. If apps->spans_namespaces is set, each id belongs to
 * all namespaces. Owned by `apps`; yk__application_drop_if_unused() frees it. */
struct yk_application *yk__application_for(struct yk_apps *apps, const char *id, struct yk_str namespace_);
/* The application is about to be freed: removes it from apps->by_id, and frees its key. Unless apps->closing
 * is set, the first application in `refused` gets the id, and the tasks of that application are put into the
 * run queue. */
void yk__scope_application_ends(struct yk_apps *apps, struct yk_application *app);
/* All pods are known: for each id that several namespaces use, decides which namespace it belongs to. This is
 * the namespace of the oldest running pod or, if no pod runs, of the oldest pod. Call it once, before a task
 * is in the run queue. O(applications + tasks of these ids). */
void yk__scope_settle(struct yk_apps *apps);
/* For a New task whose application has refused_by set: holds the task, with a condition that says why. If the
 * pod is bound, it is sent to the core like a pod of another scheduler instead; its node must be registered.
 * The task stays New. When its application gets the id, the start of the task releases the foreign
 * allocation. */
void yk__scope_refuse(struct yk_apps *apps, struct yk_task *task);

/* apps_compare.c */
/* Whether the API server has the pod of the task on `node`, or the pod is being bound to it. */
bool yk__task_is_placed(const struct yk_task *task, const struct yk_cache_node *node);
/* The callback `find_unallocated` of struct yk_si_callbacks (si.h). Pods that are being deleted, or were sent
 * to the core as foreign pods, are left out. */
bool yk__apps_find_unallocated(const struct yk_apps *apps, uint64_t *cursor, size_t max,
                               yk_si_name_sink *sink, void *sink_context);

/* hold.c */
/* Sets work->hold of a New task: the condition of its pod says `message`, which is copied. Queues the task,
 * so that the condition is written. A second call replaces the message. The caller must not submit the
 * task before yk__task_unhold(), which yk__task_enter() also calls for other states than New. */
void yk__task_hold(struct yk_apps *apps, struct yk_task *task, const char *message);
/* Clears work->hold of the task, and calls the effect wait_changed(); does not submit or queue the task. Has
 * no effect on a task that is not held. */
void yk__task_unhold(struct yk_apps *apps, struct yk_task *task);

/* class_updates.c */
/* Sets the scheduling class of the task to `class_`, which is counted and taken. If the task is Scheduling
 * and the class is another one, the ask is released and sent to the core again. Only for a task whose pod has
 * no node, not even an assumed one: otherwise set work->next_class. Does not change work->next_class. */
void yk__task_set_class(struct yk_apps *apps, struct yk_task *task, yk_si_class class_);
/* Brings the class of a task that begins to wait up to date: applies work->next_class, and the class updates
 * that the task missed while it did not wait. If the task is Scheduling and its class changes, its ask is
 * sent again. So call the function for a new task before the task becomes Scheduling. */
void yk__task_update_class(struct yk_apps *apps, struct yk_task *task);
/* Updates the classes of waiting tasks, and informs the core of classes that may fit now. Needed before the
 * core decides, and after changes of pods and nodes. O(1) without changes. */
void yk__class_updates(struct yk_apps *apps);

/* gang.c */
/* Replaces app->gang by the gang of the pod for which the application is submitted: reads its task groups, or
 * those of a placeholder if the pod has none, and finds the owner of the placeholders. Sets app->originator.
 * app->gang is NULL afterwards if there are no valid task groups, or if apps->with_gangs is false. An Event
 * is written about task groups that are not valid. The caller calls yk__application_enter() afterwards, which
 * sets gang->charged. */
void yk__gang_adopt(struct yk_apps *apps, struct yk_application *app, struct yk_task *task);
/* Frees app->gang and sets it to NULL. Has no effect without a gang. */
void yk__gang_drop(struct yk_apps *apps, struct yk_application *app);
/* Counts a new task that was just linked to its application and to its pod; to be called once for each task,
 * with or without a gang. Sets app->originator if the pod of the task owns the placeholders. */
void yk__gang_task_added(struct yk_apps *apps, struct yk_task *task);
/* Updates the counts of the application and of its gang after the state of a task has changed, and queues an
 * application that may have to continue: yk__application_run(). */
void yk__gang_task_moved(struct yk_apps *apps, struct yk_task *task, enum yk_task_state from,
                         enum yk_task_state to);
/* Whether the state of the application allows that the task is submitted to the core now. Not the whole
 * condition: the start of a task (YK_TODO_START) checks more, such as its state and refused_by. */
bool yk__gang_lets_start(const struct yk_task *task);
/* Whether the task is a placeholder that is not needed, so that it can be ended with yk__task_discard().
 * False for real pods. Meant for a New task without a binding: the caller checks that. */
bool yk__gang_is_unwanted(const struct yk_task *task);
/* Ends all live placeholders of the application with yk__task_discard(), except those that the core is
 * ending (their `termination` is set). Placeholders that appear later are not ended by it. Changes no state
 * of the application. */
void yk__gang_discard_all(struct yk_apps *apps, struct yk_application *app);
/* If nodes offer resources of its gang (it may have none) that nothing offered before, computes the total again, and
 * passes it to the core, which has accepted the application. No effect while it waits for the answer of the core. */
void yk__gang_resolve(struct yk_apps *apps, struct yk_application *app);
/* The application, which has a gang, was accepted: puts the gang into apps->making or apps->incomplete, so
 * that placeholders are created. True: the caller makes the application Reserving, queues it and starts its
 * tasks, also if the gang has failed at once (gang->failed). False: its real pods need not wait, and the
 * caller makes it Running; or it is Failing now (no longer Accepted), and the caller does nothing. */
bool yk__gang_begin(struct yk_apps *apps, struct yk_application *app);
/* Does the next step of an application that is Reserving or Resuming. True: the caller makes it Running and
 * starts its tasks. False: it continues to wait, or no real pod is left and it is Completed now, without a
 * gang. */
bool yk__gang_run(struct yk_apps *apps, struct yk_application *app);
/* Writes an Event that a placeholder has timed out. The Event is about the originator or another real pod of
 * the application. Has no effect if there is no real pod. The caller has checked that the termination of the
 * placeholder is YK_SI_TIMEOUT, and that its deletion was not requested before. */
void yk__gang_tell_timeout(struct yk_apps *apps, const struct yk_application *app);
/* Writes an Event that the pod of the task is a member of a gang. To be called when a pod that is not bound
 * is submitted. Has no effect without a gang, for placeholders, for pods that are not in a task group of the
 * gang, and if the gang has failed. */
void yk__gang_tell_member(struct yk_apps *apps, struct yk_task *task);
/* The time until the timeout of the gang, in nanoseconds; negative: it has passed. */
int64_t yk__gang_time_left(const struct yk_apps *apps, const struct yk_app_gang *gang);
/* Sets the fields of the request that concern gangs. The caller has called yk__gang_adopt(), and has set
 * app->forced to its value. Has no effect if the application has no gang. */
void yk__gang_fill_request(const struct yk_apps *apps, const struct yk_application *app,
                           struct yk_si_new_app *request);

/* gang_wait.c */
/* If the task waits for its gang (yk_task_waits_for_gang()) and gang->is_short is set: holds the task, so
 * that a condition of its pod is queued. Otherwise no effect. Does not decide whether the task is submitted:
 * the caller does, with yk__gang_lets_start(). */
void yk__gang_hold(struct yk_apps *apps, struct yk_task *task);
/* Calls yk__gang_hold() for all tasks of the application, which has a gang. Does so only in the first call
 * with gang->is_short set. O(tasks) in that call, otherwise O(1). */
void yk__gang_hold_all(struct yk_apps *apps, struct yk_application *app);
/* The core has reported that the task waits. If it is a placeholder of a Reserving application, sets
 * gang->is_short, and queues the application, so that yk__gang_hold_all() is called. No effect otherwise, and
 * if is_short is set. */
void yk__gang_placeholder_waits(struct yk_apps *apps, const struct yk_task *task);
/* The callback `held` of struct yk_si_callbacks (si.h). */
bool yk__gang_held(void *rm, const char *application_id, struct yk_si_held_place *place, size_t most,
                   yk_si_held_sink *sink, void *sink_context);
/* The callback `find_held` of struct yk_si_callbacks (si.h). */
void yk__gang_find_held(void *rm, const char *application_id, const char *name, yk_si_held_sink *sink,
                        void *sink_context);
/* The task of a pod of the application. `name`: "namespace/name", or only a name in the namespace of the
 * first remaining pod of the application. NULL: there is none. O(1). */
const struct yk_task *yk__application_find_task(const struct yk_apps *apps, const struct yk_application *app,
                                                const char *name);

/* gang_cap.c */
/* Updates gang->charged, the number of placeholders that count for the gang in its namespace. To be called
 * after the number of placeholders or the state of the application has changed. Has no effect without a
 * gang. */
void yk__gang_recharge(struct yk_apps *apps, struct yk_application *app);
/* Sets gang->charged to 0, because the gang is about to be freed. */
void yk__gang_uncharge(struct yk_apps *apps, struct yk_app_gang *gang);
/* Whether the gang has more members than a namespace may have placeholders. The caller also checks that the
 * gang has no placeholders yet: one that has some continues. */
bool yk__gang_exceeds_cap(const struct yk_apps *apps, const struct yk_app_gang *gang);
/* Whether the placeholders of the gang may be created: all its members fit into the maximum of the namespace,
 * or the gang has some placeholders already. Sets gang->admitted, so the result stays true once it is true,
 * and updates gang->charged. The caller puts the gang into apps->making if the result is true, otherwise into
 * apps->incomplete, to ask again later. */
bool yk__gang_admit(struct yk_apps *apps, struct yk_app_gang *gang);

/* task.c */
/* Sets the state of the task, and updates what depends on it: the counts of the gang, the hold, and the
 * reason why it waits. Makes pending work for other states than Bound. May queue the application
 * (yk__gang_task_moved()). Does not check the transition, call the core, change in_core, queue the task, or
 * free its node, binding or volume plan. Before a task is sent to the core, the caller enters the new state.
 * After Bound, the caller calls yk__task_settle() in the end. */
void yk__task_enter(struct yk_apps *apps, struct yk_task *task, enum yk_task_state state);
/* Ends a placeholder (no other task): cancels its binding, lets an assumed pod leave its node, releases it in
 * the core, and deletes its pod, but only once (task->going); the task becomes Failed. A pod that runs is
 * sent to the core as a foreign one, if its node is registered. If a request to bind the pod is in flight,
 * only the pod is deleted: the task is released when the watch reports the end of the pod. If the task is
 * Failed or Completed already, only the pod is deleted. */
void yk__task_discard(struct yk_apps *apps, struct yk_task *task);
/* The pod of the task has ended or is about to leave the cache: deletes the pod if the task is a
 * placeholder whose deletion was not requested yet. Call it between yk__task_complete() and
 * yk__task_free(). */
void yk__task_let_go(struct yk_apps *apps, struct yk_task *task);
/* The core has dropped the ask of the task, which is Scheduling and no placeholder, and the caller has
 * cleared in_core: the task becomes New. It is queued if its application is Running; otherwise it is started
 * when the application becomes Running. */
void yk__task_ask_dropped(struct yk_apps *apps, struct yk_task *task);
/* Makes a New task of `app` for the pod, and sets pod->task, which was NULL. `object`: the pod as it was
 * read. The caller has checked that the pod gets a task (yk_apps_pod_added()), and has found `app` with
 * yk__application_for(). If apps->started is set, the caller puts the task into the run queue; otherwise
 * yk_apps_start() does. yk__task_free() frees the task. */
struct yk_task *yk__task_new(struct yk_apps *apps, struct yk_application *app, struct yk_cache_pod *pod,
                             const struct yk_pod *object);
/* Releases the task in the core, takes it off all lists, also those of bind/ (forget()), and frees it. Then
 * calls yk__application_drop_if_unused(), so the application may be freed, too. The task must be Completed or
 * Failed, because its gang does not count tasks in these states. */
void yk__task_free(struct yk_apps *apps, struct yk_task *task);
/* Adds the YK_TODO_ flags to what is to be done for the task, and puts it into the run queue. */
void yk__task_todo(struct yk_apps *apps, struct yk_task *task, uint32_t todo);
/* Makes pending work for the task, whose `work` is NULL. Only for yk__task_pending_work(). */
struct yk_pending_work *yk__pending_work_new(struct yk_apps *apps, struct yk_task *task);
/* Frees the pending work of a task with its volume plan, sets task->work to NULL, and takes the task off the
 * run queue. work->binding and work->status_record were freed by bind/ before. `work` may be NULL. */
void yk__pending_work_free(struct yk_apps *apps, struct yk_pending_work *work);
/* The pending work of the task, made if it has none. Borrowed from the task until yk__task_settle(). */
static inline struct yk_pending_work *yk__task_pending_work(struct yk_apps *apps, struct yk_task *task)
{
    return task->work != NULL ? task->work : yk__pending_work_new(apps, task);
}
/* Whether the task is Bound and nothing is left to do. False for placeholders, which always have pending
 * work. */
static inline bool yk__task_is_quiet(const struct yk_task *task)
{
    const struct yk_pending_work *work = task->work;
    if (task->state != YK_TASK_BOUND || task->is_placeholder)
        return false;
    return work == NULL || (work->binding == NULL && !yk_list_linked(&work->in_queue));
}
/* Frees the pending work of the task if nothing is left to do: task->work may be NULL afterwards. */
static inline void yk__task_settle(struct yk_apps *apps, struct yk_task *task)
{
    if (yk__task_is_quiet(task))
        yk__pending_work_free(apps, task->work);
}
/* Does what work->todo says, and clears work->todo. The task was taken from the run queue and has pending
 * work. Only yk_apps_run() calls it: others call yk__task_todo(). task->work may be NULL afterwards. */
void yk__task_run(struct yk_apps *apps, struct yk_task *task);
/* The pod has ended, was deleted, or is not to be started: the task becomes Completed and is released in the
 * core, also as a foreign pod. The pod stays on its node in the cache: for an assumed pod, the caller calls
 * yk_cache_forget() before, unless the cache removes the pod next. Cancels no binding. Has no effect if the
 * task is Completed. */
void yk__task_complete(struct yk_apps *apps, struct yk_task *task);
/* The application of the task has failed, and app->message says why. If the task waits, it fails with an
 * Event, and for some reasons the pod fails, too. If the pod runs and the application was submitted without
 * force, the task is queued instead, so that the application is submitted again with force. Has no effect on
 * placeholders (the caller calls yk__gang_discard_all()) and on tasks that are not New, Pending or
 * Scheduling. */
void yk__task_fail(struct yk_apps *apps, struct yk_task *task);
/* The node of the pod was removed from the core, and node->registered is false: releases the task in the
 * core, and cancels the binding. A task that is Allocated or Bound becomes New and is queued. The pod of an
 * Allocated task leaves the node and waits again, but not before a request to bind it that is in flight is
 * answered. A bound pod is started when the node is registered again. */
void yk__task_lost(struct yk_apps *apps, struct yk_task *task);
/* The node of the pod was registered in the core: puts a task that is New, or Failed with a bound pod, which
 * becomes New, into the run queue, to start it again. Has no effect in other states. To be called only after
 * yk_apps_start(). */
void yk__task_node_returned(struct yk_apps *apps, struct yk_task *task);
/* If the task is Bound and its pod is only assumed on the node: lets bind/ send the binding again if the
 * watch does not show the pod there soon. Has no effect on other tasks. */
void yk__task_confirm(struct yk_apps *apps, struct yk_task *task);
/* This process begins to lead: does what a standby must not do, such as failing or deleting the pod. */
void yk__task_take_over(struct yk_apps *apps, struct yk_task *task);
/* Stores the hash of the condition that the pod has, so that this process does not write the same condition
 * again. Called on a standby, for conditions that the leader writes, with an object that was read whole; and
 * for a pod that has lost its node. Has no effect without pending work. */
void yk__task_follow(struct yk_task *task, const struct yk_pod *object);
/* Whether the API server has the pod on a node; false if the pod is only assumed there. */
static inline bool yk__pod_is_bound(const struct yk_cache_pod *pod)
{
    return pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0;
}

/* core_calls.c: calls of the core. */
/* Adds the application with queue and user of the pod of `task` (yk_core_add_app()), sets app->in_core, and
 * clears app->heard. The core answers with a callback, maybe before this function returns, so the caller has
 * made the application Submitted, and has set app->forced and app->gang before. */
void yk__core_add_app(struct yk_apps *apps, struct yk_application *app, const struct yk_task *task);
/* Removes the application, which is in the core (yk_core_remove_app()), and clears app->in_core. The core
 * drops its asks and allocations; app/ ignores the callbacks about them. If tasks of the application are in
 * the core, the caller clears their in_core before. The core does not report the end: the caller sets the
 * state, or frees the application. */
void yk__core_remove_app(struct yk_apps *apps, struct yk_application *app);
/* Releases all asks and allocations of the application in the core; there may be none. app->in_core and
 * in_core of the tasks stay, so call the function only for an application without tasks. */
void yk__core_release_app(struct yk_apps *apps, struct yk_application *app);
/* Passes the size of all placeholders of the gang to the core, which has the application and has accepted it:
 * yk_core_gang_changed(). */
void yk__core_put_gang(struct yk_apps *apps, const struct yk_application *app);
struct yk_namespace_tags;
/* Passes new limits of the namespace to the queue of the application: yk_core_namespace_changed(). */
void yk__core_namespace_changed(struct yk_apps *apps, const struct yk_application *app,
                                const struct yk_namespace_tags *tags);
/* Sends the task to the core as a new or changed ask, or as an allocation if its pod has a node, and sets
 * task->in_core. The core has accepted the application, and the caller has set the state of the task (Bound
 * for a bound pod, whose node is registered), and has released a foreign allocation of the pod
 * (yk__core_release_foreign()). If the core refuses the task, in_core is false afterwards, and the task is
 * Rejected and queued; an ask that the core had before is released. Clears app->resumed. */
void yk__core_put_task(struct yk_apps *apps, struct yk_task *task);
/* Informs the core that the pod is bound to its node. Has no effect if the task is not in the core. */
void yk__core_bound(struct yk_apps *apps, const struct yk_task *task);
/* Releases the ask or allocation of the task, and clears task->in_core. With YK_SI_SCHEDULING_FAILED_ON_RM,
 * in_core stays set: only the allocation is released, and the ask waits again unless the core ends it. Has no
 * effect if the task is not in the core. `message` may be NULL. Changes neither the state of the task nor the
 * node of its pod: the caller does. */
void yk__core_release_task(struct yk_apps *apps, struct yk_task *task, enum yk_si_termination termination,
                           const char *message);
/* Sends the pod to the core as a new or changed foreign allocation, and sets YK_POD_SENT. It is a pod of
 * another scheduler, or a bound pod of this scheduler that has no ask in the core, for example because it was
 * refused. The pod is on a registered node, and `started` is set: the caller checks both. */
void yk__core_put_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
/* Releases the foreign allocation of the pod, and clears YK_POD_SENT. Has no effect if the pod has none. */
void yk__core_release_foreign(struct yk_apps *apps, struct yk_cache_pod *pod);
/* Passes `action` for the node to the core: yk_core_update_node(). `changes`: the YK_CHANGED_ flags with
 * YK_SI_NODE_UPDATE, otherwise 0. With YK_SI_NODE_CREATE_DRAIN, node->registered says afterwards whether the
 * core has accepted the node. Changes no member of the node otherwise: the caller sets node->enabled, and
 * clears `registered` and `enabled` before YK_SI_NODE_DECOMMISSION. */
void yk__core_node(struct yk_apps *apps, struct yk_cache_node *node, enum yk_si_node_action action,
                   uint32_t changes);

/* No placeholders are created for the gang any longer. `why`: static, continues a sentence after "its
 * placeholders". */
static inline void yk__gang_fail(struct yk_app_gang *gang, const char *why)
{
    gang->failed = true;
    if (gang->failed_because == NULL)
        gang->failed_because = why;
}
/* Whether the gang waits for its placeholders: its application is Reserving, and the gang has not failed. */
static inline bool yk__gang_reserves(const struct yk_app_gang *gang)
{
    return gang->app->state == YK_APPLICATION_RESERVING && !gang->failed;
}

#endif
