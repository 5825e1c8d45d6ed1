/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second scheduler, as plain as it can be: flat tables, loops over everything, nothing kept that could be
 * recomputed. It does what docs/reference/scheduling.md (2 to 5) and queues.md (O rows, 7) say and shares
 * nothing with the core but numbers of enumerations, so that the two are each other's witness.
 *
 * Operations are those of core/si.h. Each notes what a resource manager is to be told in `told`; nothing is
 * decided before naive_decide() or naive_replace() is asked. What a core decided otherwise is taken over with
 * naive_bind() and naive_link().
 *
 * Reservations for asks that were overtaken (section 4) are in naive_reserve.c; who of incomplete gangs gives
 * way to whom (5.6 to 5.8) is in naive_gang.c. When the core looks at the gangs is taken over from it. Left
 * out: placement (the caller says where an application went) and who is preempted: what the core chose is
 * judged (naive_preempt.c). With preemption or daemon sets the caller says which nodes are reserved.
 */
#ifndef TEST_SCHEDULER_NAIVE_H
#define TEST_SCHEDULER_NAIVE_H

#include "base/random.h"
#include "base/str.h"
#include "si.h"

enum {
    NAIVE_QUEUES = 64,
    NAIVE_USERS = 4,
    NAIVE_LIMITS = NAIVE_USERS + 1, /* the last: of the wildcard */
    NAIVE_GROUPS = 3,               /* g0, g1 and the wildcard */
    NAIVE_APPS = 8,
    NAIVE_PODS = 64,
    NAIVE_NODES = 24,
    NAIVE_FOREIGN = 8,
    NAIVE_HANDOVERS = NAIVE_PODS,
    NAIVE_TOLD = 4 * NAIVE_PODS,
    NAIVE_TYPES = 2, /* vcore, memory */
};
#define NAIVE_FREE INT32_MAX /* no limit */

struct naive_amount {
    int64_t v[NAIVE_TYPES];
};

struct naive_limit {
    bool is_set;
    struct naive_amount max;
    int apps; /* 0: no limit */
};

enum naive_sort { NAIVE_FIFO, NAIVE_FAIR, NAIVE_STATEAWARE };
enum naive_placement { NAIVE_GRADUAL, NAIVE_WHOLE, NAIVE_KEEP };

struct naive_queue {
    bool used, configured;
    char path[128];
    int parent; /* -1: the root */
    /* As configured. */
    bool is_leaf;
    struct naive_amount max, guaranteed; /* NAIVE_FREE: not set */
    int max_apps;
    enum naive_sort sort;
    bool priority_sort, fence;
    int32_t offset;
    enum naive_placement placement; /* of gangs */
    bool has_placement;             /* false: as the queue above */
    struct naive_limit users[NAIVE_LIMITS], groups[NAIVE_GROUPS];
    uint64_t served;
};

enum naive_state {
    NAIVE_NEW,
    NAIVE_ACCEPTED,
    NAIVE_STARTING,
    NAIVE_RUNNING,
    NAIVE_COMPLETING,
    NAIVE_RESUMING,
    NAIVE_FAILING,
};
const char *naive_state_name(enum naive_state state);

struct naive_app {
    bool used;
    char id[16];
    int user, queue;
    enum naive_state state;
    int64_t submit_ns;
    bool allocating; /* R35 */
    bool counted;    /* L10 */
    bool removing, forced;
    int64_t state_due_ns, gang_due_ns; /* timers; INT64_MAX: none */
    struct naive_amount gang_total;    /* zero: not a gang */
    struct naive_amount placeholder;   /* size of each */
    int64_t gang_timeout_ns;
    bool hard, picky; /* its placeholders run on nodes of class 1 only */
    /* An incomplete gang (naive_gang.c). */
    int32_t gang_priority; /* of the placeholder that came last */
    bool waits;            /* for placeholders: known to those who look at the gangs */
    bool real_came;        /* a real pod of a task group, at any time */
    bool held;             /* placed only as a whole */
    bool never_fits, gave_way, was_overtaken;
    int64_t held_until_ns, rests_until_ns;
    int64_t could_start_since_ns; /* with what others give up; INT64_MAX: it could not */
    int looks_since;              /* that could have started it, 5 s after that or later */
    int64_t last_look_ns;         /* the last one that `looks_since` counts */
};

/* HANDED: it has its node, once others have ended there. */
enum naive_stage { NAIVE_PENDING, NAIVE_BOUND, NAIVE_REPLACING, NAIVE_HANDED };

struct naive_pod {
    bool used;
    char key[16];
    int app;
    struct naive_amount size;
    int32_t priority;
    bool picky;   /* runs on nodes of class 1 only */
    int required; /* the only node it may run on; -1: any */
    int64_t created_ns;
    uint64_t arrival;
    int task_group; /* -1: none */
    bool placeholder;
    enum naive_stage stage;
    int node;       /* -1: none */
    int peer;       /* REPLACING: its placeholder; the other way for that; -1: none */
    bool released;  /* a placeholder that was asked to end */
    bool preempted; /* asked to end for another */
    int nominated;  /* 1 + the node where others end for it; 0: none; set by the caller */
    int handover;   /* HANDED: it starts with that; BOUND: it ends for that; -1: none */
    int64_t bound_ns;
    uint64_t booked; /* place in the order of its node's allocations */
    /* A reservation. */
    int reserved; /* the node, while the pod is pending; -1: none */
    int64_t reserved_ns;
    uint64_t reserved_sequence;
};

struct naive_node {
    bool used, schedulable, leaving;
    bool reserved; /* for others than those who are looking: set by the caller */
    char id[8];
    bool takes_picky;
    struct naive_amount capacity;
    int64_t placed_ns, ended_ns; /* something, last */
    bool has_ended;              /* something, since the last decision */
};

struct naive_run { /* how long pods that are alike ran lately */
    bool used;
    struct naive_pod like;
    int64_t run_ns;
};

/* A group of equal asks that was overtaken. */
struct naive_overtaken {
    bool used;
    struct naive_pod like; /* one of them, as it was then */
    int64_t since_ns;
    int64_t served_ns; /* the last start of one of them, else `since_ns` */
    bool has_started;  /* one of them, since then */
    double amount;     /* what later ones took since, in asks of the group, less the asks that started */
};

struct naive_foreign {
    bool used;
    int node;
    struct naive_amount size;
};

/* Pods that start together once others have ended. */
struct naive_handover {
    bool used, broken;
    int gang;          /* the application; -1: a single ask */
    uint64_t sequence; /* of its end; 0: some have not ended */
};

struct naive_told {
    bool is_release;
    char key[16], node[8];
    enum yk_si_termination why; /* of a release */
    char asker[16];             /* of a release: the ask that others were preempted for; "": none */
};

/* Pods of one size and class. */
struct naive_shape {
    bool used;
    struct naive_amount size;
    bool picky;
    int64_t placed_ns; /* one of them, last */
};

struct naive {
    int64_t now_ns;
    bool binpacking;
    uint64_t arrivals, served, bookings;
    struct naive_queue queues[NAIVE_QUEUES];
    struct naive_app apps[NAIVE_APPS];
    struct naive_pod pods[NAIVE_PODS];
    struct naive_node nodes[NAIVE_NODES];
    struct naive_foreign foreign[NAIVE_FOREIGN];
    struct naive_told told[NAIVE_TOLD];
    size_t told_count;
    /* Reservations (naive_reserve.c). */
    bool reserves;
    int64_t longest_run_ns; /* of what ended lately */
    struct naive_run runs[NAIVE_PODS];
    uint64_t reservations; /* made so far */
    bool used_its_node;    /* the pod that was placed last */
    struct naive_overtaken overtaken[NAIVE_PODS];
    struct naive_shape shapes[NAIVE_PODS]; /* of which one was placed */
    int turn[NAIVE_PODS];                  /* place of each pending pod in the order of the walk */
    /* Gangs that give way (naive_gang.c). */
    struct naive_handover handovers[NAIVE_HANDOVERS];
    uint64_t settled; /* handovers of which all have ended, so far */
};

/* ---- configurations (naive_config.c) ---- */

struct naive_style {
    bool preemption;
    bool second_partition; /* named "other", with one leaf root.x */
    bool unlimited;        /* no maximum of resources or applications anywhere */
    bool gives_way;        /* queues differ in how they place gangs; else these keep what they have */
};
/* Makes up a tree, limits and properties, takes them over and writes them as queues.yaml. */
void naive_configure(struct naive *naive, struct yk_random *random, const struct naive_style *style,
                     struct yk_buf *yaml);
/* root.a and root.b, without limits. */
void naive_configure_plain(struct naive *naive, struct yk_buf *yaml);
/* The queue of that path, made as a dynamic one if there is none, with those above it. */
int naive_queue_at(struct naive *naive, const char *path);
/* It has been cleaned away. */
void naive_forget_queue(struct naive *naive, int queue);

/* ---- operations (naive.c) ---- */

void naive_init(struct naive *naive, int64_t now_ns);
/* `app` with id, user, queue and the gang's fields; accepted. Returns its number. */
int naive_add_app(struct naive *naive, const struct naive_app *app);
void naive_remove_app(struct naive *naive, int app);
/* False: it cannot be killed in its state. */
bool naive_kill_app(struct naive *naive, int app);
void naive_move_app(struct naive *naive, int app, int queue);
/* `pod` with key, app, size, priority, picky, created_ns, task_group, placeholder; `node` -1: an ask. Returns
 * its number, -1: refused. */
int naive_add_pod(struct naive *naive, const struct naive_pod *pod, int node);
/* The resource manager has bound what waits. */
void naive_place(struct naive *naive, int pod, int node);
void naive_release(struct naive *naive, int pod, enum yk_si_termination why);
void naive_release_all(struct naive *naive, int app, enum yk_si_termination why);
void naive_remove_node(struct naive *naive, int node);
/* Runs the timers that come due. */
void naive_advance(struct naive *naive, int64_t by_ns);

/* Books for decisions, those of naive_choose.c or of others. */
void naive_bind(struct naive *naive, int pod, int node);
void naive_link(struct naive *naive, int real, int placeholder, int node);
void naive_let_go(struct naive *naive, int placeholder);

/* The pod, which has a node for later, ends because its application fails. */
void naive_end_waiting(struct naive *naive, int pod);

/* ---- decisions (naive_choose.c) ---- */

/* The next regular decision (3.3 to 3.6). False: there is none. */
bool naive_decide(const struct naive *naive, int *ret_pod, int *ret_node);
/*
 * What replacement does next for the application (5.2): placeholders that are let go, then at most one pair;
 * *ret_real -1: none.
 */
struct naive_swap {
    int let_go[NAIVE_PODS];
    size_t let_go_count;
    int real, placeholder, node; /* real -1: none */
};
void naive_replace(const struct naive *naive, int app, struct naive_swap *ret);
/* Whether queues, users and some node have room for what waits, and nothing else holds it back. */
bool naive_could_run(const struct naive *naive, int pod);
/* Whether the application runs, or may. */
bool naive_may_start(const struct naive *naive, int app);
/* Which limit a decision for the pod would break; NULL: none. Without the running limits. */
const char *naive_refuses(const struct naive *naive, int pod);
bool naive_fits(const struct naive *naive, int pod, int node);

/* Pods that wait, in the order in which the walk tries them, whatever fits or may start (3.3). Returns their
 * number. */
int naive_order(const struct naive *naive, int ret_pods[NAIVE_PODS]);
bool naive_fits_empty(const struct naive *naive, int pod, int node);
/* Place in the order of nodes: smaller comes first; equal ones by id. */
double naive_score(const struct naive *naive, int node);
bool naive_waits_for_placeholder(const struct naive *naive, int pod);

/* ---- reservations (naive_reserve.c) ---- */

/* Fills `turn`. To be called before a decision, and after each reservation that is made or dropped. */
void naive_take_turns(struct naive *naive);
/* The pod is about to be placed on the node: notes who is overtaken (4.1), and hands a reservation of another
 * node on within the group (4.4). */
void naive_note_placed(struct naive *naive, int pod, int node);
/* The pod has come, or has another size: if it is the only one of its shape, none of these was placed. */
void naive_note_shape(struct naive *naive, int pod);
/* It was placed: the next of its group keeps the node, if it was reserved for this one and the next one may
 * reserve a node (4.4). */
void naive_note_started(struct naive *naive, int pod, int node);
/* The pod, which is bound, is about to end or to wait again. */
void naive_note_ended(struct naive *naive, int pod);
/* Before a decision: reservations move to where something has ended and their asks lack less (4.2). */
void naive_move_reservations(struct naive *naive);
/* The node was drained, changed or removed: drops what it cannot serve (4.4). */
void naive_note_node(struct naive *naive, int node);
/* Forgets overtaken groups of which none waits. */
void naive_note_pods(struct naive *naive);
/* Before the pod is placed on the node: makes a reservation for a pod that this would overtake. False: none;
 * the pod may be placed. */
bool naive_reserve_early(struct naive *naive, int pod, int node);
/* When nothing can be decided: drops, makes or hands on one reservation. False: there is none. */
bool naive_reserve_step(struct naive *naive);
/* The pod that has the node reserved, or -1. */
int naive_holder(const struct naive *naive, int node);
/* A reserved node that takes the pod now, or -1 (4.3). */
int naive_reserved_node_for(const struct naive *naive, int pod);

/* ---- gangs that give way (naive_gang.c) ---- */

/* What an application gets: a node for each of `pods`, once `victims` have ended. */
struct naive_plan {
    int app;
    bool is_gang;
    int32_t priority;
    int pods[NAIVE_PODS], nodes[NAIVE_PODS], count;
    int victims[NAIVE_PODS], victim_count; /* in the order in which they are asked to end */
};

/* No real pod came, and not all that was announced has a node; in a queue where such a gang gives way. */
bool naive_is_incomplete(const struct naive *naive, int app);
/* Below 0: the first claim is before the second one. */
int naive_gang_order(const struct naive *naive, int app_a, int32_t priority_a, int app_b, int32_t priority_b);
/* It came; before that naive_add_pod() has put it into its table. */
void naive_gang_pod_came(struct naive *naive, int pod);
/* It is complete, ran out of time or ended. */
void naive_gang_done(struct naive *naive, int app);
/* The beginning of a look (5.7): who is held, who can never start, who waits at all. */
void naive_gang_look(struct naive *naive);
/* Gangs that wait, in order. Returns their number. */
int naive_gangs_in_order(const struct naive *naive, int ret_apps[NAIVE_APPS]);
/* How the gang could start whole now, or the pod, which is no placeholder. False: it could not. */
bool naive_plan_gang(const struct naive *naive, int app, struct naive_plan *ret_plan);
bool naive_plan_pod(const struct naive *naive, int pod, struct naive_plan *ret_plan);
void naive_hand_over(struct naive *naive, const struct naive_plan *plan);
/* The pod, which was HANDED, goes; or all of its handover wait again; or all of the application. */
void naive_leave_handover(struct naive *naive, int pod);
void naive_break_handover(struct naive *naive, int handover);
void naive_break_handovers_of(struct naive *naive, int app);
/* The allocation, which ended for a handover, has ended. */
void naive_handover_victim_ended(struct naive *naive, int handover);
/* Starts the pods of the first handover of which all have ended, or lets them wait again. False: none. */
bool naive_settle_handover(struct naive *naive);

/* ---- preemption (naive_preempt.c) ---- */

/* The victims are bound and not asked to end yet. */
struct naive_preemption {
    int pod, node; /* who asks, and where it is to start */
    int victims[NAIVE_PODS], count;
};

/* Which law the preemption for a guarantee (6.1), or of a daemon set (6.2), breaks; NULL: none. */
const char *naive_judge_preemption(const struct naive *naive, const struct naive_preemption *preemption);
const char *naive_judge_daemon(const struct naive *naive, const struct naive_preemption *preemption);

/* ---- sums ---- */

bool naive_is_below_guarantee(const struct naive *naive, int queue);
double naive_fair_share(const struct naive *naive, int queue);
/* The fair share if the queue used that much. */
double naive_share_of(const struct naive *naive, int queue, struct naive_amount used);
/* Of what waits below, as the queue above sees it; INT32_MIN: nothing. */
int32_t naive_queue_priority(const struct naive *naive, int queue);
/* `priority` of something in the queue, as the queue above sees it. */
int32_t naive_seen_priority(const struct naive *naive, int queue, int32_t priority);
/* The first node in order that has capacity for the pod and no reservation; -1: none. */
int naive_node_for(const struct naive *naive, int pod);
/* The same; if there is none, a reserved node that the pod may use. */
int naive_any_node_for(const struct naive *naive, int pod);
bool naive_is_alike(const struct naive_pod *a, const struct naive_pod *b);
bool naive_is_before(const struct naive_pod *a, const struct naive_pod *b);
bool naive_is_below(const struct naive *naive, int queue, int top);
struct naive_amount naive_queue_sum(const struct naive *naive, int queue, bool pending);
/* `user` or `group` -1: whichever. */
struct naive_amount naive_usage(const struct naive *naive, int queue, int user, int group);
struct naive_amount naive_available(const struct naive *naive, int node);
int naive_group_of(int user);
bool naive_has_asks(const struct naive *naive, int app);
int naive_find_pod(const struct naive *naive, const char *key);
int naive_find_app(const struct naive *naive, const char *id);

#endif
