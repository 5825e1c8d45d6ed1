/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shim's applications and tasks: pods of this scheduler become tasks, tasks become asks of the core, and
 * decisions of the core are carried out.
 *
 * There are two run queues, one of applications and one of tasks. A callback of the core must not change the
 * core. It may change the cache and the structs of the shim, records what has to be done in the core, and
 * puts the application or task into its run queue. yk_apps_run() does the recorded work later. Work outside
 * of this module (bindings, patches, Events) is done by the functions of struct yk_app_effects.
 *
 * Owns:      applications and tasks. A task exists at most as long as its pod is in the cache.
 * Borrows:   the core, the cache, the effects.
 * Lends:     to the core, the UID of each pod as the key of its ask; the ask has ended before the pod is
 *            removed.
 * Thread:    scheduling thread only.
 * Invariant: task->in_core is set while the core has an ask or allocation of the task. A task has no pending
 *            work if it is Bound, is no placeholder, and nothing is left to do; every other task has pending
 *            work.
 * Source:    docs/reference/kubernetes.md 3.2 to 3.4, 3.6 (S04, S05, S06, S08, S10, S17, S18).
 */
#ifndef YK_APP_APPS_H
#define YK_APP_APPS_H

#include "app/placeholder_pod.h"
#include "app/pod_to_app.h"
#include "app/pod_to_ask.h"
#include "base/pool.h"
#include "predicates/classes.h"
#include "si.h"

enum yk_application_state {
    YK_APPLICATION_NEW,       /* not submitted to the core */
    YK_APPLICATION_SUBMITTED, /* submitted, and the core has not answered */
    YK_APPLICATION_ACCEPTED,  /* accepted by the core; its tasks or its gang are started next */
    YK_APPLICATION_RESERVING, /* a gang whose placeholders are created and scheduled */
    YK_APPLICATION_RESUMING,  /* a gang that has timed out, until its placeholders have ended */
    YK_APPLICATION_RUNNING,   /* its tasks are submitted to the core */
    YK_APPLICATION_REJECTED,  /* refused by the core; its tasks fail next */
    YK_APPLICATION_FAILING,   /* failed; becomes Failed when the core no longer has it */
    YK_APPLICATION_FAILED,    /* failed and ended; a new pod starts it again */
    YK_APPLICATION_COMPLETED, /* ended by the core, or a gang without real pods; a new pod starts it again */
};

enum yk_task_state {
    YK_TASK_NEW,        /* not submitted to the core */
    YK_TASK_PENDING,    /* being submitted; only within the function that submits it */
    YK_TASK_SCHEDULING, /* submitted; waits for a decision of the core */
    YK_TASK_ALLOCATED,  /* the core has chosen a node, on which the pod is assumed; it is being bound */
    YK_TASK_BOUND,      /* the pod is bound to its node */
    YK_TASK_REJECTED,   /* refused by the core; becomes Failed next */
    /* the core has refused the task, its application has failed, or it is a placeholder that was ended */
    YK_TASK_FAILED,
    YK_TASK_COMPLETED, /* the pod has ended or is gone, or is being deleted and has no node */
};

/* The name of the state for messages, such as "Scheduling"; static. */
const char *yk_task_state_name(enum yk_task_state state);

/* Written by: app. While the shim is freed, it also writes `in_core` and `state`, so that the core is not
 * called. */
struct yk_application {
    char *id;         /* owned */
    char *namespace_; /* owned; the namespace of its first pod */
    char *key;        /* owned; key in apps->by_id: the id, or a key made by application_scope.c */
    size_t key_len;
    /* The application of another namespace to which the id belongs. NULL: the id belongs to this application,
     * which can be submitted to the core. */
    struct yk_application *refused_by;
    /* struct yk_application, in_refused: the applications whose refused_by is this one */
    struct yk_list refused;
    struct yk_list in_refused; /* in refused_by->refused */
    enum yk_application_state state;
    bool in_core; /* the core has it */
    bool heard;   /* the core has got a task of it since it was submitted */
    bool forced;  /* submitted for a bound pod, and not accepted yet: a refusal is final */
    /* While Failing: the waiting tasks have failed. Tasks that are added later wait until the core has
     * ended the application. */
    bool tasks_failed;
    bool over;            /* while Failing: the core no longer has it */
    bool holds_start;     /* counted in apps->holding_start: the start waits for the answer of the core */
    struct yk_list tasks; /* struct yk_task, in_app: in order of arrival */
    size_t task_count;
    struct yk_list in_queue;    /* in apps->app_queue */
    enum yk_si_failure failure; /* why it failed; only if `message` is not NULL */
    char *message;              /* owned; why it failed, as a sentence; NULL: it has not failed */
    /* owned; why its pods are scheduled without the gang that a pod has announced, as a phrase; NULL: they
     * are not, or the gang has timed out */
    char *gang_unused;
    struct yk_app_gang *gang; /* owned; NULL: not a gang (gang.c) */
    /* If the application has a gang: the task of the real pod that owns the placeholders. Otherwise: the task
     * of the real pod for which the application was submitted. NULL: there is no such pod, or the task was
     * freed. */
    const struct yk_task *originator;
    uint32_t live_real, live_placeholders; /* number of tasks in the states New to Bound */
    bool resumed;                          /* the core has dropped its asks, and has got none since */
};

/* A gang: its task groups, and the state of their placeholders. It exists until the application is submitted
 * again or freed, or until no real pod is left while the application is Reserving or Resuming. Written by:
 * app. */
struct yk_app_gang {
    struct yk_application *app;
    struct yk_task_groups groups;
    struct yk_gang_policy policy;
    struct yk_interned *details;  /* owned copy: details of the pod that defined the task groups */
    char *namespace_;             /* owned; of the placeholders */
    char *owner_name, *owner_uid; /* owned; of the pod that owns the placeholders (P13) */
    /* identifies the gang in answers: an earlier gang of the application has another number */
    uint64_t number;
    /* creation of the pod for which the application was submitted, nanoseconds since 1970 */
    int64_t begin_wall_ns;
    struct yk_list in_work; /* in apps->making or apps->incomplete, or not linked */
    size_t group;           /* index of the task group of the next placeholder to create */
    uint32_t member;        /* number of the next placeholder in that group, from 0 */
    uint32_t in_flight;     /* placeholders whose requests have no final answer */
    uint32_t refusals;      /* refused requests since their number was logged */
    size_t complete;        /* groups of which enough placeholders are bound */
    /* how often missing placeholders were created again; rounds after `gave_way` alone are not counted */
    uint8_t rounds;
    /* since the last round, the core has ended placeholders because others need their capacity */
    bool gave_way;
    bool lost;      /* since the last round, placeholders have ended for other reasons than `gave_way` */
    bool recovered; /* its application was submitted before recovery was complete */
    bool failed;    /* no placeholders are created for the gang any longer */
    const char *failed_because; /* static: continues a sentence after "its placeholders"; NULL: not known */
    bool has_news;              /* another placeholder was bound since the last Event */
    bool admitted;              /* its placeholders may be created (gang_cap.c) */
    bool is_short;              /* the core has reported that a placeholder waits */
    bool are_held;              /* the real pods got a condition because of `is_short` (gang_wait.c) */
    uint32_t charged;           /* number of placeholders that count for it in its namespace (gang_cap.c) */
};

/* What is to be done for a task: flags of `todo` in struct yk_pending_work. */
enum {
    YK_TODO_START = 1u << 0, /* submit it to the core */
    YK_TODO_BIND = 1u << 1,  /* bind its pod to the node that the core has chosen */
    /* release it in the core, which chose a node after the task had ceased to wait */
    YK_TODO_RELEASE = 1u << 2,
    YK_TODO_GIVE_UP = 1u << 3, /* the node cannot be used: the core has to choose again */
    YK_TODO_REPORT = 1u << 4,  /* report why it waits */
    YK_TODO_REFUSED = 1u << 5, /* the core has refused it: it fails */
    YK_TODO_DELETE = 1u << 6,  /* delete its pod, because the core or this module has ended the task */
};

/* State that a task needs only while it waits, is being bound, or something else is left to do. It is
 * allocated on demand, and freed when the pod is bound and nothing is left to do. A placeholder always has
 * it. Written by: app, except where a field says otherwise. */
struct yk_pending_work {
    struct yk_task *task;
    struct yk_list in_queue;            /* in apps->task_queue; linked while `todo` is not 0 */
    struct yk_volume_plan *volume_plan; /* owned until bind/ takes it; NULL: there are no volumes to bind */
    /* written by: bind; the binding of the pod (bind/binder.c); NULL: there is none */
    struct yk_binding *binding;
    /* Written by: bind. The reports about the waiting pod (bind/unschedulable.c); NULL: there are none. */
    struct yk_status_record *status_record;
    /* Counted; a sentence of the core, or NULL. If `wait` is YK_SI_STATE_SKIPPED, it names the limit that
     * holds the task; otherwise it says that the gang is too large (YK_SI_GANG_TOO_LARGE). */
    struct yk_interned *quota;
    struct yk_interned *hold;    /* counted; why the shim does not submit the task; NULL: it is not held */
    struct yk_gang_group *group; /* the task group of a placeholder; borrowed from the gang; may be NULL */
    uint64_t sequence;           /* order in which pending work was made */
    int64_t start_wall_ns;       /* status.startTime, nanoseconds since 1970; 0: not known */
    /* yk_task_condition_hash() of the condition PodScheduled=False that the pod has, or that is being
     * written; 0: none. Written by: app, bind. */
    uint64_t condition_hash;
    yk_si_class next_class;     /* counted; the class when it waits again; YK_SI_CLASS_ANY: task->class_ */
    uint32_t class_update_seen; /* equals apps->class_update_count if the class of the task is up to date */
    uint32_t todo;              /* YK_TODO_ flags; written by: app, and bind, which clears YK_TODO_START */
    uint8_t wait;               /* enum yk_si_scheduling_state: the last report of the core */
    uint8_t give_ups;           /* how often in a row yk_task_roll_back() has undone a decision; at most 8 */
    bool no_victims;            /* the core has found no victims for it */
    bool waits_for_bind;        /* written by: bind; task->in_bind is in the list of bindings to send */
    /* the pod was resized beyond its node while being bound: the request to bind it is not repeated */
    bool outgrown;
};

/* A task: a pod of this scheduler. Most tasks are bound, so fields that bound tasks do not need are in struct
 * yk_pending_work. Written by: app, except where a field says otherwise. While the shim is freed, it clears
 * `in_core` and sets `going`, so that the core is not called and no pod is deleted. */
struct yk_task {
    struct yk_list in_app;      /* in app->tasks */
    struct yk_list in_bind;     /* written by: bind; in a list of bindings or of reports, or not linked */
    struct yk_application *app; /* never NULL */
    struct yk_cache_pod *pod;   /* never NULL; pod->task is this task */
    struct yk_interned *app_details, *ask_details; /* counted; see pod_to_app.h and pod_to_ask.h */
    struct yk_pending_work *work;                  /* NULL only if it is Bound and nothing is left to do */
    yk_si_class class_;  /* counted; YK_SI_CLASS_ANY: the pod was bound when the task was made */
    uint8_t state;       /* enum yk_task_state */
    uint8_t termination; /* enum yk_si_termination: why the core has ended it; UNKNOWN: it has not */
    /* `preempt_self`: it may be preempted; `preempt_other`: it may preempt others */
    bool in_core : 1, preempt_self : 1, preempt_other : 1;
    bool is_placeholder : 1;
    bool has_resource_claims : 1; /* it is held until it has a node: resource claims are not supported */
    bool going : 1;               /* a placeholder whose deletion was requested */
};

/* Whether the pod of the task waits, so that a reason may be reported: it is in the core without a node, or
 * the shim holds it. False for a New task that is not held, such as one whose application is not accepted
 * yet. The pod need not have the condition already. */
static inline bool yk_task_waits(const struct yk_task *task)
{
    return task->state == YK_TASK_SCHEDULING || (task->work != NULL && task->work->hold != NULL);
}

/* Whether the task waits until the placeholders of its gang are bound or have ended. True for a New task of a
 * real pod that is not bound, if the application has a gang and is Reserving or Resuming. False for a pod
 * with resource claims, which is held because of the claims. True does not mean that the task is held
 * (work->hold): that needs gang->is_short, too. */
bool yk_task_waits_for_gang(const struct yk_task *task);
/* How many members the gang of the application has, and how many of their placeholders are bound.
 * app->gang is not NULL. O(task groups). */
struct yk_si_gang_wait yk_gang_wait_of(const struct yk_application *app);

/* Work outside of this module, which bind/ carries out. Before they return, these functions call only those
 * functions of this module that change nothing. All texts are copied if they are kept. */
struct yk_app_effects {
    void *context;
    /* Binds the pod of the task, which is Allocated, to pod->node: yk_binder_bind(). */
    void (*bind)(void *context, struct yk_task *task);
    /* Cancels the binding of the task: yk_binder_cancel(). False: a request was sent, and its answer will
     * be reported. */
    bool (*cancel_bind)(void *context, struct yk_task *task);
    /* The task is Bound, but the watch has not shown the pod on its node. bind/ sends the binding again if
     * neither forget() nor cancel_bind() is called within 30 s. task->work is not NULL. */
    void (*confirm)(void *context, struct yk_task *task);
    /* The task is Bound: writes the Scheduled Event. */
    void (*bound)(void *context, struct yk_task *task);
    /* The pod waits (yk_task_waits()): writes the reason if it was not written before. work->hold or
     * work->wait says why. */
    void (*waits)(void *context, struct yk_task *task);
    /* Deletes the pod: yk_pod_status_delete(). On a standby, this function, fail_pod() and confirm() have no
     * effect. */
    void (*delete_pod)(void *context, struct yk_task *task);
    /* Sets the phase of the pod to Failed. */
    void (*fail_pod)(void *context, struct yk_task *task, const char *reason, const char *message);
    /* Writes an Event about the pod. The type of the Event is Warning if `warning` is true, otherwise
     * Normal. */
    void (*pod_event)(void *context, struct yk_task *task, bool warning, const char *reason,
                      const char *action, const char *note);
    /* Writes an Event about the node. */
    void (*node_event)(void *context, struct yk_cache_node *node, bool warning, const char *reason,
                       const char *note);
    /* Removes the task from all lists of bind/, and drops answers that come later. Called before the task is
     * freed. Also called when the watch shows the pod on a node before the binding was answered, on another
     * node than the chosen one, or no longer on a node. */
    void (*forget)(void *context, struct yk_task *task);
    /* A queue has been draining for some time: writes an Event. Called when the callback queue_draining() of
     * struct yk_si_callbacks (si.h) is called. */
    void (*queue_draining)(void *context, const struct yk_si_draining *draining);
    /* The task no longer waits, or waits for another reason: bind/ forgets the reason, and computes it again
     * when waits() is called. */
    void (*wait_changed)(void *context, struct yk_task *task);
    /* Appends the stored reason why no node fits the pod. See yk_unschedulable_add_reason(). */
    void (*add_wait_reason)(void *context, const struct yk_task *task, struct yk_buf *words);
    /* What is stored about nodes for the pod. See yk_unschedulable_node_reason(). */
    struct yk_si_node_reason (*node_reason)(void *context, const struct yk_task *task);
};

/* Written by: app, except where a line says otherwise. */
struct yk_apps {
    struct yk_core *core;                 /* borrowed for life */
    const struct yk_app_effects *effects; /* borrowed for life */
    struct yk_cache *cache;               /* borrowed for life */
    const struct yk_clock *clock;         /* borrowed for life. Written by: shim, before anything is added */
    struct yk_classes classes;
    /* `rm_id` to `is_standby` are written by: shim, before the first node; it changes `user_trust` later,
     * too. app sets `started` and `enabled`, and clears `is_standby`. */
    const char *rm_id;             /* borrowed; the id of this shim in the core */
    char *instance_type_label;     /* owned; the label of a node with its instance type */
    bool unique_ids;               /* each pod without an application id gets an application of its own */
    bool with_gangs;               /* task groups of pods are used; false: they are ignored */
    enum yk_user_trust user_trust; /* how pods that are added from now on can name their user */
    bool spans_namespaces;         /* pods of any namespace join the application that they name */
    bool registered;               /* the shim is registered in the core: nodes may be submitted */
    bool started;                  /* pods may be submitted */
    bool enabled;                  /* recovery is complete: nodes may be used */
    bool is_standby;               /* another process leads, and this one writes nothing */
    uint64_t restypes;             /* yk_restype_additions() when pods were last checked for new types */
    uint64_t sequence;             /* the last number given to pending work or to a gang */
    struct yk_strmap by_id;        /* struct yk_application by `key`, owned */
    struct yk_list task_queue;     /* struct yk_pending_work, in_queue: the run queue of tasks */
    struct yk_list app_queue;      /* struct yk_application, in_queue: the run queue of applications */
    struct yk_pool tasks, pending_work_pool;
    uint64_t placeholders_max;     /* per namespace; 0: no maximum. Written by: shim, as the next one */
    bool closing;                  /* the process ends: tasks are dropped without ending applications */
    struct yk_strmap gang_members; /* struct usage of gang_cap.c, by namespace; owned */
    struct yk_list making;         /* struct yk_app_gang, in_work: gangs with placeholders to create */
    struct yk_list incomplete;     /* struct yk_app_gang, in_work: gangs for yk_apps_remake_placeholders() */
    struct yk_placeholder_look look; /* settings of placeholders; written by: shim */
    size_t task_count;
    size_t holding_start;            /* applications whose holds_start is set */
    struct yk_ask_request ask;       /* memory for a request */
    struct yk_buf scratch;           /* memory for a text */
    struct yk_vec gone;              /* memory for the pods that a question of the core assumes to be gone */
    uint64_t signature_updates_seen; /* classes.signature_updates when the core was informed last */
    uint32_t class_update_count;     /* how often the classes of all waiting tasks were updated */
};

/* Initialises `apps` without applications and tasks. The other arguments are borrowed for the life of `apps`;
 * `cache` was initialised before, and gets the pod observer of apps->classes (yk_classes_init()). `apps` must
 * not move. The caller sets the members that the shim writes: `clock` and `is_standby` before anything is
 * added, `rm_id` and the settings before the first node, and `registered` when the shim is registered in the
 * core. The caller ends `apps` with yk_apps_done(). */
void yk_apps_init(struct yk_apps *apps, struct yk_core *core, struct yk_cache *cache,
                  const struct yk_app_effects *effects);
/* Frees what `apps` owns. To be called after yk_cache_done(), which removes all tasks. Before
 * yk_cache_done(), the caller has set `closing`, and has unregistered the shim from the core. */
void yk_apps_done(struct yk_apps *apps);

/* The callbacks of the core; `rm` is the struct yk_apps. */
extern const struct yk_si_callbacks yk_apps_callbacks;

/* The functions yk_apps_pod_...() and yk_apps_node_...() do the work of the functions of struct
 * yk_cache_observer with these names. They call the core, and put tasks and applications into the run queues:
 * the caller calls yk_apps_run() afterwards. */
/* A pod was added. A pod of this scheduler gets a task, which is put into the run queue. There are two
 * exceptions. A pod that is not bound gets no task if it has scheduling gates or is being deleted. A pod
 * whose application id is too long gets no task, and a warning is logged. Such a pod, or a pod of another
 * scheduler, is sent to the core if it is on a node that is registered there. Before yk_apps_start(), tasks
 * are made but not queued, and nothing is sent to the core: yk_apps_start() does both. */
void yk_apps_pod_added(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object);
/* A pod has changed: changes its task and its ask accordingly. `changes`: YK_CHANGED_ flags. A pod of this
 * scheduler without a task gets one now, under the conditions of yk_apps_pod_added(). */
void yk_apps_pod_changed(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object,
                         uint32_t changes);
/* The pod has ended or was deleted: cancels its binding, releases it in the core, and frees its task, and the
 * application if it was the last task and the core does not need the application. A placeholder that ended
 * without a request of this scheduler is deleted. To be called before the cache frees the pod. */
void yk_apps_pod_removed(struct yk_apps *apps, struct yk_cache_pod *pod);
/* A node was added: registers it in the core, if the shim is registered. node->registered then says whether
 * the core has accepted the node; if the core has refused it, an Event is written. After yk_apps_start(), the
 * pods on the node are submitted, too. After yk_apps_enable_nodes(), the core may use the node under the
 * conditions of that function. */
void yk_apps_node_added(struct yk_apps *apps, struct yk_cache_node *node);
/* A node has changed: informs the core. `changes`: YK_CHANGED_ flags. A node that is not registered is
 * treated like an added node if its size has changed, and is ignored otherwise. */
void yk_apps_node_changed(struct yk_apps *apps, struct yk_cache_node *node, uint32_t changes);
/* Tries again to register those nodes in the core that are not registered, like yk_apps_node_added(). To be
 * called after a change of the configuration, because the core may have refused nodes under the former
 * configuration. O(nodes). */
void yk_apps_offer_nodes(struct yk_apps *apps);
/* The node was deleted: removes it from the core. Pods of Allocated tasks leave it and wait again. Pods of
 * Bound tasks stay on it: their tasks are New until the node is registered again. To be called before the
 * cache frees the node. */
void yk_apps_node_removed(struct yk_apps *apps, struct yk_cache_node *node);

/* A namespace was added (`before` NULL) or changed. If its annotations with limits differ, passes the new
 * limits to the queues of its applications, which are the applications in the core whose first remaining pod
 * is in the namespace. Has no effect if the namespace was removed (`after` NULL), and before yk_apps_start().
 * O(applications) if the annotations differ. */
void yk_apps_namespace_changed(struct yk_apps *apps, const struct yk_object *before,
                               const struct yk_object *after);

/* All lists are complete: sets `started`, and sends the pods that have no task, such as pods of other
 * schedulers, to the core if they are on registered nodes. Puts the tasks into the run queue: first those of
 * real pods, then placeholders, each in order of the creation of their pods. Also decides which namespace
 * each application id belongs to. To be called once, after the shim and the nodes are registered.
 * yk_apps_run() then submits the tasks. Nodes are not used before yk_apps_enable_nodes(), which the caller
 * calls when yk_apps_hold_start() has returned false. */
void yk_apps_start(struct yk_apps *apps);
/*
 * Whether nodes must not be used yet, because the core has not answered for each application with running
 * pods. To be called during recovery (after yk_apps_start(), before yk_apps_enable_nodes()), when
 * yk_apps_run() has returned false and apps->holding_start is 0: the caller checks both, this function does
 * not. Counts the applications without an answer in apps->holding_start, which is decreased with each answer;
 * the core answers within YK_SI_FORCED_APP_ANSWER_NS. An application that was submitted for a waiting pod is
 * submitted again for a running one, which the core may answer at once. The result is also true if
 * applications are in their run queue. If the result is true, the caller calls yk_apps_run(), and later this
 * function again, when the run queues are empty and apps->holding_start is 0. If the result is false, the
 * caller calls yk_apps_enable_nodes(). O(tasks of applications without an answer).
 */
bool yk_apps_hold_start(struct yk_apps *apps);
/* Recovery is complete: sets `enabled`, and lets the core use the registered nodes. A node that is cordoned
 * or closed by a pod can only get pods that tolerate it. Nodes that are added later may be used at once. To
 * be called once, also on a standby, after yk_apps_hold_start() has returned false. */
void yk_apps_enable_nodes(struct yk_apps *apps);
/* This process leads now: clears `is_standby`, and does what a standby must not do, such as failing pods.
 * Tasks whose pods have to be deleted are put into the run queue: the caller calls yk_apps_run() afterwards.
 * Before the call, the caller has let the effects write: delete_pod(), fail_pod() and confirm() no longer
 * return without effect, and yk_recorder.muted is false. Called once, in any phase. O(tasks). */
void yk_apps_take_over(struct yk_apps *apps);
/* Runs up to `max` items of the run queues, applications first. True: more items are left, and the caller
 * calls again soon; an item may put others into the queues. Also passes changes of scheduling classes and
 * resource types to the core. So the caller calls the function after each change of the cache, and before the
 * core decides, also if the run queues are empty. The shim must be registered in the core, and
 * yk_apps_start() must have been called. Not to be called from a callback of the core or an effect. */
bool yk_apps_run(struct yk_apps *apps, size_t max);

/* Checks that each task has pending work exactly if it needs it, and that there is no other pending work.
 * False: `err` says what is wrong. O(tasks). */
YK_NODISCARD bool yk_apps_check(const struct yk_apps *apps, struct yk_err *err);

/* The functions yk_task_...() are called by bind/ with the results of bindings. bind/ has freed the binding
 * before (work->binding is NULL), unless a function says that it may be kept. task->work may be NULL
 * afterwards. They call the core, and may put the task into the run queue: yk_apps_run() runs it later. */
/* The binding of the task succeeded: it becomes Bound, the core is informed, and the effect bound() is
 * called. work->binding may be kept until the watch shows the pod on its node (YK_POD_ASSUMED is set); bind/
 * then frees it and calls yk_task_bind_settled(). Has no effect if the task is not Allocated. */
void yk_task_bound(struct yk_apps *apps, struct yk_task *task);
/* bind/ has freed the binding of a bound task after yk_task_bound(): frees the pending work of the task if
 * nothing is left to do. */
void yk_task_bind_settled(struct yk_apps *apps, struct yk_task *task);
/* The API server has answered that the pod does not exist: the task completes, although its pod is in the
 * cache, and is released in the core. An assumed pod leaves its node. work->binding may be kept; bind/ frees
 * it before yk_task_revive(). If the watch does not report that the pod was deleted, the caller calls
 * yk_task_revive() after some time: this function starts no timer. */
void yk_task_gone(struct yk_apps *apps, struct yk_task *task);
/* Reverses yk_task_gone(), because the watch has not reported that the pod was deleted: the task is started
 * again. Has no effect if the task is not Completed, or if its pod is on a node. */
void yk_task_revive(struct yk_apps *apps, struct yk_task *task);
/* The hash of a PodScheduled condition for work->condition_hash. The sentence after the token
 * (app/reason_words.h) is left out. Never 0. */
uint64_t yk_task_condition_hash(struct yk_str reason, struct yk_str message);
/* The binding of the task failed. If the task is Allocated, its pod leaves the node, work->volume_plan is
 * forgotten, work->give_ups is increased, and the task waits again in the core, which may choose a node at
 * once: to delay that, the caller calls this function later. If the pod is being deleted, or is a placeholder
 * whose deletion was requested, the task becomes Completed instead. If the task is New (its node was removed
 * meanwhile), it is put into the run queue, to be started again. Has no effect in other states. Writes no
 * Event. */
void yk_task_roll_back(struct yk_apps *apps, struct yk_task *task);

/* ---- placeholders to create, called by bind/ ---- */

struct yk_placeholder_order {
    const char *application_id, *namespace_; /* borrowed until the next call of a function of this header */
    uint64_t gang;                           /* number of the gang */
    size_t group;                            /* index of the task group */
    char name[YK_PLACEHOLDER_NAME_MAX + 1];  /* of the pod */
};

/* Sets `*ret` to the next placeholder to create, and appends the body of the request to `body`. The gangs of
 * apps->making take turns. The caller sends the request, and reports the final answer with
 * yk_apps_placeholder_answered(). Call it only on the leader, with `enabled` set. The caller limits the
 * number of open requests; this function does not. False: there is no placeholder to create at present. Gangs
 * without a placeholder to create leave apps->making. Incomplete ones go to apps->incomplete, for which the
 * caller calls yk_apps_remake_placeholders() later. */
bool yk_apps_next_placeholder(struct yk_apps *apps, struct yk_placeholder_order *ret, struct yk_buf *body);

enum yk_placeholder_answer {
    YK_PLACEHOLDER_MADE,      /* the pod was created */
    YK_PLACEHOLDER_WAS_THERE, /* the pod exists, or is not needed any longer */
    YK_PLACEHOLDER_REFUSED,   /* the API server has refused the pod, or has not created it after all tries */
};

/* Reports the final answer to a request of yk_apps_next_placeholder(). Call it once for each request. The
 * caller repeats a request that fails temporarily; if yk_apps_gang_reserves() is false before the repetition,
 * it reports YK_PLACEHOLDER_WAS_THERE instead. After a refusal, a gang that waits for its placeholders
 * continues as an ordinary application: its application is queued, and yk_apps_run() ends the other
 * placeholders. Has no effect if the gang does not exist any longer. */
void yk_apps_placeholder_answered(struct yk_apps *apps, const char *application_id, uint64_t gang,
                                  size_t group, enum yk_placeholder_answer answer);
/* Counts that a placeholder of that gang was refused. To be called before yk_apps_placeholder_answered(),
 * which logs the number after the last open answer. True: another placeholder was refused before, so the
 * caller does not log the reason again. False also if the gang does not exist any longer. */
bool yk_apps_note_placeholder_refusal(struct yk_apps *apps, const char *application_id, uint64_t gang);
/* Whether that gang exists and waits for its placeholders. False: a request for one of them need not be
 * repeated, but has to be reported as YK_PLACEHOLDER_WAS_THERE. Not the whole condition for repeating: the
 * caller also checks that the cache has no pod of that name. */
bool yk_apps_gang_reserves(const struct yk_apps *apps, const char *application_id, uint64_t gang);
/* Checks the gangs in apps->incomplete: those with missing placeholders are moved to apps->making, so that
 * yk_apps_next_placeholder() creates them. Gangs with open requests, and those that the maximum of
 * placeholders holds back, stay in the list. A gang whose placeholders are deleted again and again
 * continues as an ordinary application. To be called some seconds after a gang was added to
 * apps->incomplete, and again while the list is not empty. Creates nothing itself. May queue applications:
 * the caller's loop calls yk_apps_run() afterwards, and yk_apps_next_placeholder() after that. */
void yk_apps_remake_placeholders(struct yk_apps *apps);

#endif
