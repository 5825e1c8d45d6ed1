/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications and tasks as Kubernetes sees them: pods of ours become tasks, tasks become asks, decisions
 * come back.
 *
 * Everything is driven by events: a pod that appears is put on the run queue, yk_apps_run() submits it. What
 * the core says in its callbacks is recorded on the task or application and put on the run queue as well,
 * because a callback must not call the core. What has to be done outside (bind, patch, event) goes through
 * struct yk_app_effects, which bind/ implements.
 *
 * Owns:      applications and tasks. A task lives as long as its pod is in the cache.
 * Borrows:   the core, the cache, the scheduling classes, the effects.
 * Lends:     the core each pod's uid as the key of its ask: it has ended there before the pod goes.
 * Thread:    scheduling thread only.
 * Invariant: task->in_core exactly while the core has an ask or allocation under the pod's uid. A task has an
 *            errand unless it is Bound; it has none then if nothing is to be done about it.
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
    YK_APPLICATION_RESERVING, /* a gang: its placeholders are made and scheduled */
    YK_APPLICATION_RESUMING,  /* a gang that did not come together: until its placeholders are gone */
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

const char *yk_application_state_name(enum yk_application_state state);
const char *yk_task_state_name(enum yk_task_state state);

struct yk_application {
    char *id;         /* owned */
    char *namespace_; /* owned; that of its first pod */
    char *key;        /* owned; in apps->by_id: the id, or what application_scope.c makes of it */
    size_t key_len;
    struct yk_application
        *refused_by; /* NULL, or that of its id in another namespace: it is not in the core */
    struct yk_list refused, in_refused; /* those that it refuses, in order of arrival */
    enum yk_application_state state;
    bool in_core; /* the core was told and has not ended it */
    bool heard;   /* the core was told of a task of it since it was submitted */
    bool forced;  /* submitted for a pod that has its node, not accepted yet: if refused, nothing is left to
                     try */
    bool
        tasks_failed; /* while Failing: done with those that waited; later ones wait for the core to end it */
    bool over;        /* while Failing: the core has ended it */
    bool holds_start; /* the start waits for the core's answer: apps->holding_start counts it */
    struct yk_list tasks; /* struct yk_task, in_app: in order of arrival */
    size_t task_count;
    struct yk_list in_queue;               /* linked: something is to be done */
    enum yk_si_failure failure;            /* why it failed */
    char *message;                         /* the same as a sentence; owned; NULL: it has not failed */
    struct yk_app_gang *gang;              /* owned; NULL: it is none (gang.c) */
    const struct yk_task *originator;      /* of the pod it was submitted for, while there is one */
    uint32_t live_real, live_placeholders; /* tasks that have not ended */
    bool resumed;                          /* the core has dropped its asks, and was told of nothing since */
};

/* A gang: its task groups, and how far their placeholders are. */
struct yk_app_gang {
    struct yk_application *app;
    struct yk_task_groups groups;
    struct yk_gang_policy policy;
    struct yk_interned *details;  /* of the pod that brought it; a copy, owned */
    char *namespace_;             /* owned */
    char *owner_name, *owner_uid; /* owned: the pod that placeholders are made for (P13) */
    uint64_t number;        /* an answer about an earlier gang of the application is not about this one */
    int64_t begin_wall_ns;  /* creation of the pod that brought it */
    struct yk_list in_work; /* on apps->making or apps->incomplete */
    size_t group;           /* where to look for the next one to make ... */
    uint32_t member;        /* ... and who of it */
    uint32_t in_flight;     /* requests that have no answer yet */
    uint32_t refusals;      /* since their number was logged */
    size_t complete;        /* groups that have all their placeholders on nodes */
    uint8_t rounds;         /* how often what was missing was made again */
    bool gave_way;          /* some ended because the core needs their capacity for others, since then */
    bool lost;              /* some were taken away by others than the core, since the last round */
    bool recovered;         /* found at the start */
    bool failed;            /* its placeholders cannot be made */
    bool has_news;          /* one more is on its node */
    bool admitted;          /* its placeholders may be made (gang_cap.c) */
    uint32_t charged;       /* to its namespace: so many placeholders it counts as */
};

/* What is to be done about a task. */
enum {
    YK_TODO_START = 1u << 0,   /* tell the core */
    YK_TODO_BIND = 1u << 1,    /* the core decided */
    YK_TODO_RELEASE = 1u << 2, /* the core decided about a task that is over */
    YK_TODO_GIVE_UP = 1u << 3, /* the decision cannot be followed: tell the core to decide again */
    YK_TODO_REPORT = 1u << 4,  /* the core said why it waits */
    YK_TODO_REFUSED = 1u << 5, /* the core does not take it */
    YK_TODO_DELETE = 1u << 6,  /* the core wants the pod gone */
};

/*
 * What a task needs while it waits, is bound, or something else is to be done about it. Made when there is
 * something to do, given back once its pod has its node and nothing is left.
 */
struct yk_pending_work {
    struct yk_task *task;
    struct yk_list in_queue;            /* on apps->task_queue while `todo` is not 0 */
    struct yk_volume_plan *volume_plan; /* owned until bind/ takes it; NULL: nothing to bind but the pod */
    struct yk_binding *binding;         /* bind/'s, while a bind is under way */
    struct yk_status_record *status_record; /* bind/'s, while it waits and was told why */
    struct yk_interned
        *quota; /* counted; which limit holds it (SKIPPED), or what else the core says (FAILED) */
    struct yk_interned *hold;    /* counted; why the shim keeps it from the core; NULL: it does not */
    struct yk_gang_group *group; /* of a placeholder that its gang counts */
    uint64_t sequence;           /* arrival among those that wait */
    int64_t start_wall_ns;       /* status.startTime; 0: not known */
    uint64_t told;               /* hash of the condition that says why it waits; 0: none */
    yk_si_class next_class;      /* for when it waits again; YK_SI_CLASS_ANY: task->class_ */
    uint32_t renewal;            /* of apps->renewals: as of which its class is right */
    uint32_t todo;
    uint8_t wait;        /* enum yk_si_scheduling_state: what the core said last */
    uint8_t give_ups;    /* decisions in a row that could not be followed */
    bool no_victims;     /* the core has looked for some, while it waits */
    bool waits_for_bind; /* bind/'s: in_bind is on the list of binds to send, not on that of news */
    bool outgrown; /* the pod was resized beyond its node while a bind was on its way: it is not sent again */
};

/* There is one per pod, most of them bound and quiet: what these do not need is the errand's. */
struct yk_task {
    struct yk_list in_app;
    struct yk_list in_bind; /* bind/'s: also of one that is bound, until that is announced */
    struct yk_application *app;
    struct yk_cache_pod *pod;
    struct yk_interned *app_details, *ask_details; /* counted */
    struct yk_pending_work *work;                  /* never NULL unless it is Bound */
    yk_si_class class_;
    uint8_t state;       /* enum yk_task_state */
    uint8_t termination; /* enum yk_si_termination: why the core wants it gone */
    bool in_core : 1, preempt_self : 1, preempt_other : 1;
    bool is_placeholder : 1;
    bool has_resource_claims : 1; /* which nothing here allocates: it is held until it has its node */
    bool going : 1;               /* of a placeholder: its deletion is asked for, until it is gone */
};

/* Its pod waits, and its condition says why. */
static inline bool yk_task_waits(const struct yk_task *task)
{
    return task->state == YK_TASK_SCHEDULING || (task->work != NULL && task->work->hold != NULL);
}

/* What app/ wants done outside; bind/ does it. None of these calls back into app/ at once. */
struct yk_app_effects {
    void *context;
    /* Bind the task's pod to pod->node. */
    void (*bind)(void *context, struct yk_task *task);
    /* The bind is not wanted any more. False: a request is on its way and its answer will still be reported.
     */
    bool (*cancel_bind)(void *context, struct yk_task *task);
    /* The bind was answered, but the watch has not shown the pod on its node: it is sent again unless the
     * watch does so soon. Ends with forget() or cancel_bind(). */
    void (*confirm)(void *context, struct yk_task *task);
    /* The API server has the pod on its node. */
    void (*bound)(void *context, struct yk_task *task);
    /* The pod waits; errand->hold or errand->wait says why. */
    void (*waits)(void *context, struct yk_task *task);
    void (*delete_pod)(void *context, struct yk_task *task);
    /* Sets the pod's phase to Failed. */
    void (*fail_pod)(void *context, struct yk_task *task, const char *reason, const char *message);
    void (*pod_event)(void *context, struct yk_task *task, bool warning, const char *reason,
                      const char *action, const char *note);
    void (*node_event)(void *context, struct yk_cache_node *node, bool warning, const char *reason,
                       const char *note);
    /* Drops every thought of the task: it is freed next, or the API server has settled where it is. */
    void (*forget)(void *context, struct yk_task *task);
    void (*queue_draining)(void *context, const struct yk_si_draining *draining);
    /* It does not wait any more, or as another kind of pod: why it waits is to be said anew. */
    void (*waits_anew)(void *context, struct yk_task *task);
    /* Appends why no node takes the pod, in the words of its condition. See yk_unschedulable_add_reason(). */
    void (*wait_words)(void *context, const struct yk_task *task, struct yk_buf *words);
};

struct yk_apps {
    struct yk_core *core;                 /* borrowed for life */
    const struct yk_app_effects *effects; /* borrowed for life */
    struct yk_cache *cache;               /* borrowed for life */
    const struct yk_clock *clock;         /* borrowed for life; set before anything is added */
    struct yk_classes classes;
    const char *rm_id;         /* borrowed; set before the first node */
    char *instance_type_label; /* owned */
    bool unique_ids, with_gangs;
    enum yk_user_trust user_trust; /* what pods that are added from now on may say about their user */
    bool spans_namespaces;         /* pods of any namespace join the application that they name */
    bool registered;               /* the core knows us: nodes may be told */
    bool started;                  /* pods may be told */
    bool enabled;                  /* recovered: nodes may be used */
    bool is_standby;               /* another scheduler decides and tells; we only follow */
    uint64_t restypes;             /* yk_restype_additions() when pods were last looked at for new ones */
    uint64_t sequence;
    struct yk_strmap by_id;
    struct yk_list task_queue; /* struct yk_pending_work, in_queue */
    struct yk_list app_queue;
    struct yk_pool tasks, pending_work_pool;
    uint64_t placeholders_max;       /* per namespace; 0: no maximum */
    bool closing;                    /* the process ends: pods are given up, which ends no application */
    struct yk_strmap gang_members;   /* of gang_cap.c; by namespace, of those that have placeholders */
    struct yk_list making;           /* struct yk_app_gang, in_work: placeholders of it are to be made */
    struct yk_list incomplete;       /* the same: made, but not all have come up; looked at again later */
    struct yk_placeholder_look look; /* borrowed for life */
    size_t task_count;
    size_t holding_start; /* applications with pods that run and no answer yet */
    struct yk_ask_request ask;
    struct yk_buf scratch;
    struct yk_vec gone; /* of a question: pods that are taken for gone */
    uint64_t signings_told;
    uint32_t renewals; /* of the classes of who waits */
};

void yk_apps_init(struct yk_apps *apps, struct yk_core *core, struct yk_cache *cache,
                  const struct yk_app_effects *effects);
/* After the cache is done: nothing is left then but applications without tasks. */
void yk_apps_done(struct yk_apps *apps);

/* What the core calls; `rm` is the struct yk_apps. */
extern const struct yk_si_callbacks yk_apps_callbacks;

/* From the cache: see struct yk_cache_observer. */
void yk_apps_pod_added(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object);
void yk_apps_pod_changed(struct yk_apps *apps, struct yk_cache_pod *pod, const struct yk_pod *object,
                         uint32_t changes);
void yk_apps_pod_removed(struct yk_apps *apps, struct yk_cache_pod *pod);
void yk_apps_node_added(struct yk_apps *apps, struct yk_cache_node *node);
void yk_apps_node_changed(struct yk_apps *apps, struct yk_cache_node *node, uint32_t changes);
void yk_apps_node_removed(struct yk_apps *apps, struct yk_cache_node *node);

/* `before` NULL: it is new; `after` NULL: it has gone. O(applications) when its limits are others now. */
void yk_apps_namespace_changed(struct yk_apps *apps, const struct yk_object *before,
                               const struct yk_object *after);

/* All lists are complete: foreign pods are told at once, ours go on the run queue in order of creation. */
void yk_apps_start(struct yk_apps *apps);
/*
 * The run queue is empty, but the core may still have to learn who owns applications of pods that run. Counts
 * these in apps->holding_start, which falls as the core answers (YK_SI_FORCED_APP_ANSWER_NS at most). False:
 * all that runs is counted, nodes may be used. O(applications).
 */
bool yk_apps_hold_start(struct yk_apps *apps);
/* Recovery is over: nodes that are not cordoned may be used. */
void yk_apps_enable_nodes(struct yk_apps *apps);
/*
 * The other scheduler is gone, from now on we decide: pods that were to fail or to go meanwhile, and are
 * still there, do so. O(tasks).
 */
void yk_apps_take_over(struct yk_apps *apps);
/* Does up to `max` things of the run queue; true when there is more. */
bool yk_apps_run(struct yk_apps *apps, size_t max);

/* Whoever is left alone has no errand, everybody else has one. O(tasks). False: `err` names the first break.
 */
YK_NODISCARD bool yk_apps_check(const struct yk_apps *apps, struct yk_err *err);

/* Results of binds, from bind/. */
void yk_task_bound(struct yk_apps *apps, struct yk_task *task);
/* Nothing is left to be done about the bind of a pod that is bound: its errand goes if nothing else is left.
 */
void yk_task_bind_settled(struct yk_apps *apps, struct yk_task *task);
/* The API server says that it does not know the pod: it is over for the core, though still in the cache. */
void yk_task_gone(struct yk_apps *apps, struct yk_task *task);
/* The watch did not confirm that the pod is gone: it waits again. */
void yk_task_revive(struct yk_apps *apps, struct yk_task *task);
/* What errand->told says of a PodScheduled condition; never 0. */
uint64_t yk_task_condition_hash(struct yk_str reason, struct yk_str message);
/* The bind came to nothing: the pod waits again. */
void yk_task_roll_back(struct yk_apps *apps, struct yk_task *task);

/* ---- placeholders to be made, by bind/ ---- */

struct yk_placeholder_order {
    const char *application_id, *namespace_; /* borrowed until the next call */
    uint64_t gang;
    size_t group;
    char name[YK_PLACEHOLDER_NAME_MAX + 1];
};

/* The next one, of each gang in turn; appends what is to be sent to `body`. False: there is none for now. */
bool yk_apps_next_placeholder(struct yk_apps *apps, struct yk_placeholder_order *ret, struct yk_buf *body);

enum yk_placeholder_answer { YK_PLACEHOLDER_MADE, YK_PLACEHOLDER_WAS_THERE, YK_PLACEHOLDER_REFUSED };

/* Once for each order. After a refusal the gang gives up and runs as an ordinary application. */
void yk_apps_placeholder_answered(struct yk_apps *apps, const char *application_id, uint64_t gang,
                                  size_t group, enum yk_placeholder_answer answer);
/* A placeholder of that gang was refused. False: none was before, or nothing is known of the gang. */
bool yk_apps_placeholder_refused_before(struct yk_apps *apps, const char *application_id, uint64_t gang);
/* Whether that gang still waits for its placeholders. */
bool yk_apps_gang_reserves(const struct yk_apps *apps, const char *application_id, uint64_t gang);
/* A while has passed: what has not come up of apps->incomplete is made again. */
void yk_apps_remake_placeholders(struct yk_apps *apps);

#endif
