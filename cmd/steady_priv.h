/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files steady*.c share: pods, classes, applications and leaves as the measurement of fairness sees
 * them. steady.c creates and frees these structs and counts pods; steady_owed.c writes `owed`, steady_order.c
 * what was overtaken, steady_sample.c the sums.
 *
 * Units:  times in ns of the monotonic clock unless a comment says otherwise, amounts in base units. A share
 * is a part of the capacity of all nodes, of the type of which a leaf uses most: 0 to 1.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_STEADY_PRIV_H
#define YK_CMD_STEADY_PRIV_H

#include "base/list.h"
#include "base/map.h"
#include "base/vec.h"
#include "cmd/entitled.h"
#include "cmd/steady.h"

enum steady_kind {
    STEADY_ORDINARY,
    STEADY_PLACEHOLDER,
    STEADY_MEMBER, /* of a gang: it takes the place of a placeholder */
    STEADY_DAEMON,
};

struct steady_pod {
    struct yk_list link; /* of its class, while it is pending; in order of creation */
    char *key;           /* "<namespace>/<name>"; owned */
    struct steady_class *class;
    int64_t created_ns;
    uint64_t sequence;
    bool bound, evicted;
    bool was_head;
    uint64_t head_at;     /* number of the last binding at which it was first */
    int64_t overtaken_ns; /* so far */
};

struct steady_class { /* pods of an application that the scheduler cannot tell apart */
    char *key;        /* owned */
    struct steady_app *app;
    enum steady_kind kind;
    struct yk_object *example; /* a pod of it; owned */
    const struct yk_pod *pod;  /* the same */
    int32_t priority;
    struct yk_resvec size;
    struct yk_list pending; /* struct steady_pod */
    uint64_t pending_count, bound_count;
    bool can_run; /* some node is large enough, and so are the maxima of its queues */
};

struct steady_app {
    char *id; /* owned */
    struct steady_leaf *leaf;
    struct yk_vec classes; /* struct steady_class, owned by the leaf's list */
    uint64_t sequence;     /* order of submission */
    struct yk_resvec used;
    uint64_t placeholders; /* on nodes */
    struct yk_steady_application counts;
};

struct steady_owed { /* to a leaf, in one sample */
    int64_t at_ns;
    double share; /* as `entitled` */
};

struct steady_leaf {
    char *path;                /* owned */
    int64_t created_ns;        /* when its first pod was created */
    size_t queue;              /* index in the view; the view's count: it is not there */
    struct yk_vec classes;     /* struct steady_class, owned */
    struct steady_class *head; /* whose oldest pod is first in order; NULL: none. Valid unless `changed` */
    bool changed;
    /* For the samples. */
    double entitled;          /* dominant share of the capacity */
    double settled;           /* the same when the clock of the samples was set */
    struct steady_owed *owed; /* owned; within the last longest run time, the oldest first */
    size_t owed_count;
};

struct steady_guarantee { /* of a queue, to notice changes */
    char *path;           /* owned */
    struct yk_resvec guaranteed, max;
    bool has_guaranteed, has_max;
};

struct steady_sums { /* of the samples that count */
    uint64_t count;
    double jain, jain_min, jain_raw, jain_raw_min, used, reserved;
};

struct yk_steady {
    const struct yk_scenario *scenario;
    const struct yk_clock *clock;
    const struct yk_cluster *cluster;
    const struct yk_core *core;
    struct yk_cluster_observer observer;
    int64_t start_ns, longest_run_ns, settle_ns;
    /* Pods. */
    struct yk_strmap pods, classes, apps; /* by key; struct steady_pod, steady_class, steady_app */
    struct yk_vec app_list;               /* owned; in order of submission */
    struct yk_vec leaves;                 /* struct steady_leaf, owned */
    uint64_t sequence;
    bool has_priorities; /* not all have the same one */
    int32_t priority;
    /* Queues. */
    struct yk_core_view view;
    struct yk_entitled_queue *settings; /* owned; of each queue of the view */
    struct yk_resvec *used, *pending;   /* owned; of each queue of the view with all below */
    struct yk_resvec capacity;          /* of all nodes */
    double largest_share;               /* of a pod in the capacity as it was when the pod came */
    struct yk_vec guarantees;           /* struct steady_guarantee, owned */
    /* Figures. */
    uint64_t bindings; /* counted for `head_at` */
    int64_t last_binding_ns;
    int64_t *overtaken; /* owned: of each pod that was first, ns */
    size_t overtaken_count, overtaken_capacity;
    char *worst; /* owned; the pod of the largest of them */
    int64_t worst_ns;
    uint64_t killed;
    struct yk_resvec killed_amount, deficit;
    struct steady_sums sums;
    int64_t settled_since_ns; /* -1: demand does not exceed supply */
};

/* Nanoseconds since the measurement began. */
static inline int64_t yk__steady_now(const struct yk_steady *steady)
{
    return yk_clock_mono_ns(steady->clock) - steady->start_ns;
}

/* The object as a node. `node` must be of the kind YK_KIND_NODE. */
static inline const struct yk_k8s_node *yk__steady_node(const struct yk_object *node)
{
    return (const struct yk_k8s_node *)(const void *)node;
}

/* steady_owed.c */
/* Notes `leaf->entitled` as what the leaf is entitled to now. Once per sample. */
void yk__steady_note_owed(const struct yk_steady *steady, struct steady_leaf *leaf);
/* `used` (the share that the leaf uses), moved into the range from the smallest to the largest share that it
 * was entitled to in the last steady->longest_run_ns, the present sample included. A leaf that had no pods yet
 * was entitled to 0. */
double yk__steady_owed(const struct yk_steady *steady, const struct steady_leaf *leaf, double used);

/* steady_whole.c: the most of `type` that can be in use, of `capacity`, if each queue has its guarantee and
 * pods are whole: no scheduler that keeps guarantees and maxima uses more. */
double yk__steady_whole_bound(const struct yk_steady *steady, int type, int64_t capacity);

/* steady_order.c: notes that `pod` was bound to `node`, and which pods it has overtaken by that. */
void yk__steady_binding(struct yk_steady *steady, const struct steady_pod *pod, struct yk_str node);
/* The pod, which was first in its order, no longer waits: stores for how long it was overtaken. */
void yk__steady_head_left(struct yk_steady *steady, const struct steady_pod *pod);

/* Whether a pod of the class may run on the node by its node selector, its required node and the taints;
 * amounts do not count. */
bool yk__steady_allows(const struct yk_k8s_node *node, const struct steady_class *class);
/* Whether some node has the capacity for a pod of the class; `free_now`: what is in use is taken off. */
bool yk__steady_fits_somewhere(const struct yk_steady *steady, const struct steady_class *class,
                               bool free_now);

/* steady_deficit.c: a pod of `class` begins to wait. Adds to the deficit what preemption may have to free for
 * it. */
void yk__steady_wanted(struct yk_steady *steady, const struct steady_class *class);
/* A pod of `class` has left its node, and the scheduler did not end it. That is a deficit if the node went
 * as well, or if what ended is too small for what waits in its leaf. `has_ended`: the pod finished by
 * itself. */
void yk__steady_gone(struct yk_steady *steady, const struct steady_class *class, bool node_is_there,
                     bool has_ended);
/* After yk__steady_refresh() with other queue settings: a raised guarantee and usage above a lowered
 * maximum are added to the deficit. */
void yk__steady_settings_changed(struct yk_steady *steady);

/* steady.c */
/* Reads queues and nodes as they are now. O(queues * depth + classes * nodes). */
void yk__steady_refresh(struct yk_steady *steady);
/* Whether `size` is within maximum and limits of the queue with the index `leaf` and of all above it but
 * the root. `with_used`: on top of what is in use there. False if there is no such queue. */
bool yk__steady_is_below_max(const struct yk_steady *steady, size_t leaf, const struct yk_resvec *size,
                             bool with_used);
/* Pods that lack a place: members of a gang whose placeholder is on a node have one. */
uint64_t yk__steady_lacking(const struct steady_class *class);

#endif
