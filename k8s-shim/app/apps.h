/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shim's applications and tasks: pods of this scheduler become tasks, tasks become asks of the core, and
 * decisions of the core are carried out.
 *
 * Everything is driven by events. A new pod is put on the run queue, and yk_apps_run() submits it to the
 * core. Callbacks of the core are recorded on the task or application and put on the run queue as well,
 * because a callback must not call the core. Work outside of this module (bindings, patches, Events) goes
 * through struct yk_app_effects, which bind/ implements.
 *
 * Owns:      applications and tasks. A task exists as long as its pod is in the cache.
 * Borrows:   the core, the cache, the effects.
 * Lends:     to the core, the uid of each pod as the key of its ask; the ask has ended before the pod is
 * removed.
 * Thread:    scheduling thread only.
 * Invariant: task->in_core exactly while the core has an ask or allocation with the pod's uid. A task has
 * pending work unless it is Bound and nothing is left to do.
 * Source:    docs/reference/kubernetes.md 3.2, 3.3, 3.6 (S04, S05, S06, S08, S10, S17, S18).
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
    YK_APPLICATION_NEW,
    YK_APPLICATION_SUBMITTED,
    YK_APPLICATION_ACCEPTED,
    YK_APPLICATION_RESERVING, /* a gang: its placeholders are created and scheduled */
    YK_APPLICATION_RESUMING,  /* a gang that timed out: until its placeholders have ended */
    YK_APPLICATION_RUNNING,
    YK_APPLICATION_REJECTED,
    YK_APPLICATION_FAILING,
    YK_APPLICATION_FAILED,
    YK_APPLICATION_COMPLETED,
};

enum yk_task_state {
    YK_TASK_NEW,
    YK_TASK_PENDING,
    YK_TASK_SCHEDULING,
    YK_TASK_ALLOCATED,
    YK_TASK_BOUND,
    YK_TASK_REJECTED,
    YK_TASK_FAILED,
    YK_TASK_COMPLETED,
};

/* The name of the state, as the log and the state dump show it; static. */
const char *yk_task_state_name(enum yk_task_state state);

/* Written by: app; shim ends it with its placeholders when the scheduler stops (`in_core`, `state`). */
struct yk_application {
    char *id;         /* owned */
    char *namespace_; /* owned; the namespace of its first pod */
    char *key;        /* owned; key in apps->by_id: the id, or a key made by application_scope.c */
    size_t key_len;
    struct yk_application *refused_by;  /* the application of another namespace that has this id; such an
                                           application is not in the core. NULL: none */
    struct yk_list refused, in_refused; /* the applications that it keeps from the id, in order of arrival */
    enum yk_application_state state;
    bool in_core;      /* it was submitted to the core, which has not ended it */
    bool heard;        /* the core has had a task of it since it was submitted */
    bool forced;       /* submitted for a pod that has a node, and not accepted yet: a refusal is final */
    bool tasks_failed; /* while Failing: waiting tasks have failed; later ones wait until the core has ended
                          it */
    bool over;         /* while Failing: the core has ended it */
    bool holds_start;  /* the start waits for the core's answer: counted in apps->holding_start */
    struct yk_list tasks; /* struct yk_task, in_app: in order of arrival */
    size_t task_count;
    struct yk_list in_queue;          /* linked: on the run queue */
    enum yk_si_failure failure;       /* why it failed */
    char *message;                    /* why it failed, as a sentence; owned; NULL: it has not failed */
    struct yk_app_gang *gang;         /* owned; NULL: not a gang (gang.c) */
    const struct yk_task *originator; /* the task of the pod that it was submitted for, while that exists */
    uint32_t live_real, live_placeholders; /* tasks that have not ended */
    bool resumed;                          /* the core has dropped its asks, and has had none since */
};

/* A gang: its task groups, and the state of their placeholders. Written by: app. */
struct yk_app_gang {
    struct yk_application *app;
    struct yk_task_groups groups;
    struct yk_gang_policy policy;
    struct yk_interned *details;  /* details of the pod that defined it; a copy, owned */
    char *namespace_;             /* owned */
    char *owner_name, *owner_uid; /* owned: the pod that owns the placeholders (P13) */
    uint64_t number;              /* answers about an earlier gang of the application have another number */
    int64_t begin_wall_ns;        /* creation of the pod that defined it */
    struct yk_list in_work;       /* in apps->making or apps->incomplete */
    size_t group;                 /* group of the next placeholder to create, */
    uint32_t member;              /* and its member */
    uint32_t in_flight;           /* requests without an answer */
    uint32_t refusals;            /* since their number was logged */
    size_t complete;              /* groups with all their placeholders on nodes */
    uint8_t rounds;               /* how often missing placeholders were created again */
    bool gave_way;                /* the core has ended some since then, because others need their capacity */
    bool lost;                    /* others than the core have deleted some since the last round */
    bool recovered;               /* found at the start */
    bool failed;                  /* its placeholders cannot be created */
    bool has_news;                /* another placeholder got a node */
    bool admitted;                /* its placeholders may be created (gang_cap.c) */
    bool is_short;                /* the core has reported that a placeholder waits, */
    bool are_held;                /* and the real pods were told (gang_wait.c) */
    uint32_t charged;             /* placeholders that it counts as in its namespace */
};

/* Work for a task. */
enum {
    YK_TODO_START = 1u << 0,   /* submit it to the core */
    YK_TODO_BIND = 1u << 1,    /* bind it: the core has made a decision */
    YK_TODO_RELEASE = 1u << 2, /* release it in the core: it ended before the decision */
    YK_TODO_GIVE_UP = 1u << 3, /* the decision cannot be carried out: the core decides again */
    YK_TODO_REPORT = 1u << 4,  /* report why the core does not place it */
    YK_TODO_REFUSED = 1u << 5, /* the core does not take it */
    YK_TODO_DELETE = 1u << 6,  /* delete its pod: the core has ended it */
};

/* State that a task needs only while it waits, is being bound, or something else is left to do. It is
 * allocated on demand, and freed when the pod has a node and nothing is left.
 * Written by: app, except where a field says otherwise. */
struct yk_pending_work {
    struct yk_task *task;
    struct yk_list in_queue;            /* in apps->task_queue while `todo` is not 0 */
    struct yk_volume_plan *volume_plan; /* owned until bind/ takes it; NULL: there are no volumes to bind */
    struct yk_binding *binding;         /* written by: bind, while the pod is being bound */
    /* Written by: bind. While it waits and the reason was reported. */
    struct yk_status_record *status_record;
    struct yk_interned
        *quota; /* counted; the limit that holds it (SKIPPED), or another reason of the core (FAILED) */
    struct yk_interned *hold;    /* counted; why the shim does not submit it to the core; NULL: it does */
    struct yk_gang_group *group; /* of a placeholder: the group of its gang */
    uint64_t sequence;           /* order of arrival */
    int64_t start_wall_ns;       /* status.startTime; 0: not known */
    uint64_t condition_hash;     /* hash of the condition with the reason; 0: none. Written by: app, bind */
    yk_si_class next_class;      /* class to use when it waits again; YK_SI_CLASS_ANY: task->class_ */
    uint32_t class_update_seen;  /* value of apps->renewals at the last class update */
    uint32_t todo;               /* YK_TODO_ bits; written by: app, and bind (YK_TODO_BIND) */
    uint8_t wait;                /* enum yk_si_scheduling_state: the last answer of the core */
    uint8_t give_ups;            /* consecutive decisions that could not be carried out */
    bool no_victims;             /* the core found no victims for it */
    /* Written by: bind. in_bind is in the list of binds to send, not in the list of reasons to report. */
    bool waits_for_bind;
    bool outgrown; /* the pod was resized beyond its node during a bind: the bind is not repeated */
};

/* One per pod. Most tasks are bound; what these do not need is in struct yk_pending_work.
 * Written by: app, except where a field says otherwise. When the scheduler stops, shim clears `in_core` of
 * placeholders and sets `going`. */
struct yk_task {
    struct yk_list in_app;
    struct yk_list in_bind; /* written by: bind; also of a bound task, until its Event is written */
    struct yk_application *app;
    struct yk_cache_pod *pod;
    struct yk_interned *app_details, *ask_details; /* counted */
    struct yk_pending_work *work;                  /* never NULL unless it is Bound */
    yk_si_class class_;
    uint8_t state;       /* enum yk_task_state */
    uint8_t termination; /* enum yk_si_termination: why the core ended it */
    bool in_core : 1, preempt_self : 1, preempt_other : 1;
    bool is_placeholder : 1;
    bool has_resource_claims : 1; /* nothing here allocates resource claims: it is held until it has a node */
    bool going : 1;               /* of a placeholder: its deletion was requested */
};

/* Whether its pod waits, with a condition that says why. */
static inline bool yk_task_waits(const struct yk_task *task)
{
    return task->state == YK_TASK_SCHEDULING || (task->work != NULL && task->work->hold != NULL);
}

/* Whether it is a real pod that the core gets once the placeholders of its gang have nodes, or have ended. */
bool yk_task_waits_for_gang(const struct yk_task *task);
/* How far the gang is that real pods of the application wait for; `app->gang` is not NULL. O(task groups). */
struct yk_si_gang_wait yk_gang_wait_of(const struct yk_application *app);

/* Work outside of this module, which bind/ carries out. None of these functions calls this module before
 * it returns. */
struct yk_app_effects {
    void *context;
    /* Bind the task's pod to pod->node. */
    void (*bind)(void *context, struct yk_task *task);
    /* Cancels the bind. False: a request was sent, and its answer will still be reported. */
    bool (*cancel_bind)(void *context, struct yk_task *task);
    /* The bind was answered, but the watch has not shown the pod on its node: bind/ sends it again unless
     * the watch does so soon. Ends with forget() or cancel_bind(). */
    void (*confirm)(void *context, struct yk_task *task);
    /* The API server has the pod on its node. */
    void (*bound)(void *context, struct yk_task *task);
    /* The pod waits; work->hold or work->wait says why. */
    void (*waits)(void *context, struct yk_task *task);
    void (*delete_pod)(void *context, struct yk_task *task);
    /* Sets the pod's phase to Failed. */
    void (*fail_pod)(void *context, struct yk_task *task, const char *reason, const char *message);
    void (*pod_event)(void *context, struct yk_task *task, bool warning, const char *reason,
                      const char *action, const char *note);
    void (*node_event)(void *context, struct yk_cache_node *node, bool warning, const char *reason,
                       const char *note);
    /* Removes the task from all lists of bind/: it is freed next, or the API server has settled where its
     * pod is. */
    void (*forget)(void *context, struct yk_task *task);
    void (*queue_draining)(void *context, const struct yk_si_draining *draining);
    /* It no longer waits, or waits as another kind of pod: the reason is reported again. */
    void (*wait_changed)(void *context, struct yk_task *task);
    /* Appends why no node fits the pod, as in its condition. See yk_unschedulable_add_reason(). */
    void (*add_wait_reason)(void *context, const struct yk_task *task, struct yk_buf *words);
    /* The reason in the condition of a pod that no node takes. See yk_unschedulable_node_reason(). */
    enum yk_si_reason (*node_reason)(void *context, const struct yk_task *task);
};

/* Written by: app, except where a line says otherwise. */
struct yk_apps {
    struct yk_core *core;                 /* borrowed for life */
    const struct yk_app_effects *effects; /* borrowed for life */
    struct yk_cache *cache;               /* borrowed for life */
    const struct yk_clock *clock;         /* borrowed for life. Written by: shim, before anything is added */
    struct yk_classes classes;
    /* Written by: shim, before the first node; `rm_id` to `is_standby`. app writes `started` and `enabled`. */
    const char *rm_id;         /* borrowed */
    char *instance_type_label; /* owned */
    bool unique_ids, with_gangs;
    enum yk_user_trust user_trust; /* whether pods that are added from now on may state their user */
    bool spans_namespaces;         /* pods of any namespace join the application that they name */
    bool registered;               /* registered with the core: nodes may be submitted */
    bool started;                  /* pods may be submitted */
    bool enabled;                  /* recovered: nodes may be used */
    bool is_standby;               /* another scheduler leads; this one follows */
    uint64_t restypes;             /* yk_restype_additions() when pods were last checked for new types */
    uint64_t sequence;
    struct yk_strmap by_id;
    struct yk_list task_queue; /* struct yk_pending_work, in_queue */
    struct yk_list app_queue;
    struct yk_pool tasks, pending_work_pool;
    uint64_t placeholders_max;       /* per namespace; 0: no maximum. Written by: shim, as the next one */
    bool closing;                    /* the process ends: tasks are dropped without ending applications */
    struct yk_strmap gang_members;   /* of gang_cap.c; by namespace, for namespaces with placeholders */
    struct yk_list making;           /* struct yk_app_gang, in_work: gangs with placeholders to create */
    struct yk_list incomplete;       /* the same: created, but not all have nodes; checked again later */
    struct yk_placeholder_look look; /* borrowed for life; written by: shim */
    size_t task_count;
    size_t holding_start; /* applications with pods that run and no answer yet */
    struct yk_ask_request ask;
    struct yk_buf scratch;
    struct yk_vec gone; /* scratch: pods that a question assumes to be gone */
    uint64_t signature_updates_seen;
    uint32_t class_update_count; /* number of class updates of waiting tasks */
};

/* Makes it without applications and tasks. The pointers are borrowed for life. End it with yk_apps_done(). */
void yk_apps_init(struct yk_apps *apps, struct yk_core *core, struct yk_cache *cache,
                  const struct yk_app_effects *effects);
/* Frees it, after yk_cache_done(). Only applications without tasks are left. */
void yk_apps_done(struct yk_apps *apps);

/* The callbacks of the core; `rm` is the struct yk_apps. */
extern const struct yk_si_callbacks yk_apps_callbacks;

/* The functions yk_apps_pod_ and yk_apps_node_ are for struct yk_cache_observer. They put work on the run
 * queue. */
/* A pod was added to the cache: makes a task if the pod is of this scheduler. `object` is borrowed for the
 * call. */
void yk_apps_pod_added(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object);
/* A pod of the cache has changed. `object` is the new one, borrowed for the call. `changes`: YK_CHANGED_
 * bits. O(1) besides what the change wakes. */
void yk_apps_pod_changed(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object,
                         uint32_t changes);
/* The pod is gone from the API server: ends its task. Called before the pod leaves the cache. */
void yk_apps_pod_removed(struct yk_apps *apps, struct yk_cache_pod *pod);
/* A node was added to the cache, or the scheduler starts: adds the node to the core. */
void yk_apps_node_added(struct yk_apps *apps, struct yk_cache_node *node);
/* A node of the cache has changed. `changes`: YK_CHANGED_ bits. Passes the change to the core. */
void yk_apps_node_changed(struct yk_apps *apps, struct yk_cache_node *node, uint32_t changes);
/* Offers the core the nodes that it rejected, because their partition may exist now. O(nodes). */
void yk_apps_offer_nodes(struct yk_apps *apps);
/* The node is gone from the API server: removes it from the core. Called before the node leaves the cache. */
void yk_apps_node_removed(struct yk_apps *apps, struct yk_cache_node *node);

/* A namespace was added (`before` NULL), changed or removed (`after` NULL). Both are borrowed for the call.
 * O(applications) if its limits changed. */
void yk_apps_namespace_changed(struct yk_apps *apps, const struct yk_object *before,
                               const struct yk_object *after);

/* All lists are complete: submits foreign pods, and puts pods of this scheduler on the run queue in order
 * of creation. */
void yk_apps_start(struct yk_apps *apps);
/*
 * Whether all running pods are accounted for, so that nodes may be used. Called with an empty run queue. If
 * not, counts the applications of running pods without an answer of the core in apps->holding_start, which
 * falls with each answer (after YK_SI_FORCED_APP_ANSWER_NS at the latest). O(applications).
 */
bool yk_apps_hold_start(struct yk_apps *apps);
/* Recovery is complete: opens the nodes that are not cordoned. */
void yk_apps_enable_nodes(struct yk_apps *apps);
/* This scheduler leads now: carries out what a standby only noted, such as pods to fail or to delete that
 * still exist. O(tasks). */
void yk_apps_take_over(struct yk_apps *apps);
/* Carries out up to `max` items of the run queue. True: there are more. */
bool yk_apps_run(struct yk_apps *apps, size_t max);

/* Checks that exactly the tasks with something to do have pending work. O(tasks). False: `err` names the
 * first violation. */
YK_NODISCARD bool yk_apps_check(const struct yk_apps *apps, struct yk_err *err);

/* The bind of the task was accepted: it is Bound. No effect unless it is Allocated. Called by bind/. */
void yk_task_bound(struct yk_apps *apps, struct yk_task *task);
/* Nothing is left to do about the bind of a bound pod: frees its pending work if it is empty. */
void yk_task_bind_settled(struct yk_apps *apps, struct yk_task *task);
/* The API server answered that the pod does not exist: the task completes, although its pod is in the cache. */
void yk_task_gone(struct yk_apps *apps, struct yk_task *task);
/* The opposite of yk_task_gone(), since the watch did not confirm it: the pod waits again. */
void yk_task_revive(struct yk_apps *apps, struct yk_task *task);
/* Hash of a PodScheduled condition for work->condition_hash, without the sentence (app/reason_words.h); never
 * 0. */
uint64_t yk_task_condition_hash(struct yk_str reason, struct yk_str message);
/* The bind of the task failed: its pod leaves the node, and waits again. It ends if it is being deleted. */
void yk_task_roll_back(struct yk_apps *apps, struct yk_task *task);

/* ---- placeholders to create, called by bind/ ---- */

struct yk_placeholder_order {
    const char *application_id, *namespace_; /* borrowed until the next call */
    uint64_t gang;
    size_t group;
    char name[YK_PLACEHOLDER_NAME_MAX + 1];
};

/* Sets `*ret` to the next placeholder to create, from each gang in turn, and appends the body of the request
 * to `body`. Answer it with yk_apps_placeholder_answered(). False: there is none for now. */
bool yk_apps_next_placeholder(struct yk_apps *apps, struct yk_placeholder_order *ret, struct yk_buf *body);

enum yk_placeholder_answer { YK_PLACEHOLDER_MADE, YK_PLACEHOLDER_WAS_THERE, YK_PLACEHOLDER_REFUSED };

/* Passes the answer to a request of yk_apps_next_placeholder() on; call it once per order. After a refusal
 * the gang gives up and runs as an ordinary application. */
void yk_apps_placeholder_answered(struct yk_apps *apps, const char *application_id, uint64_t gang,
                                  size_t group, enum yk_placeholder_answer answer);
/* Counts that a placeholder of that gang was refused. True if it is not the first one. */
bool yk_apps_note_placeholder_refusal(struct yk_apps *apps, const char *application_id, uint64_t gang);
/* Whether that gang still waits for its placeholders. */
bool yk_apps_gang_reserves(const struct yk_apps *apps, const char *application_id, uint64_t gang);
/* Creates placeholders of apps->incomplete again that have no node. Called after a while. */
void yk_apps_remake_placeholders(struct yk_apps *apps);

#endif
