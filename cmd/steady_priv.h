/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structs of the measurement of fairness, for the files steady*.c: pods, classes of pods, applications
 * and leaf queues.
 *
 * Units:  times in ns since the start of the measurement (yk__steady_now()), amounts in base units. A share
 *         of a leaf is a fraction, 0 to 1, of the capacity of the nodes where some pod may run, in one type
 *         of resource: the one in which the leaf is entitled to the largest fraction.
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
    STEADY_MEMBER, /* of a gang: it replaces a placeholder */
    STEADY_DAEMON, /* of a DaemonSet */
};

struct steady_pod {
    struct yk_list link; /* in `pending` of its class while the pod is pending, in order of creation */
    char *key;           /* "<namespace>/<name>"; owned */
    struct steady_class *class;
    int64_t created_ns;
    uint64_t sequence;    /* order of creation of pods and applications */
    bool bound, evicted;  /* `bound`: it is on a node; `evicted`: the scheduler has deleted it */
    bool was_head;        /* it was the first pod in the order of its leaf when some pod was bound */
    uint64_t head_at;     /* number of the last such binding */
    int64_t overtaken_ns; /* how long it was overtaken so far */
};

/* Pods of an application that the scheduler cannot tell apart. */
struct steady_class {
    char *key; /* application, kind, priority, size and constraints as text; owned */
    struct steady_app *app;
    enum steady_kind kind;
    struct yk_object *example; /* a copy of a pod of the class; owned */
    const struct yk_pod *pod;  /* `example` as a pod */
    int32_t priority;
    struct yk_resvec size;  /* of each pod */
    struct yk_list pending; /* struct steady_pod */
    uint64_t pending_count, bound_count;
    bool can_run; /* some node, if it were empty, and the maxima of its queues have enough for a pod */
};

struct steady_app {
    char *id; /* owned */
    struct steady_leaf *leaf;
    struct yk_vec classes; /* struct steady_class; owned by leaf->classes */
    uint64_t sequence;     /* order of creation of pods and applications */
    struct yk_resvec used; /* sum of the sizes of its pods that are on nodes */
    uint64_t placeholders; /* number of its placeholders that are on nodes */
    struct yk_steady_application counts;
};

/* What a leaf was entitled to in one sample. */
struct steady_owed {
    int64_t at_ns;
    double share; /* steady_leaf.entitled at that time */
};

/* A leaf queue that pods have named. */
struct steady_leaf {
    char *path;            /* owned */
    int64_t created_ns;    /* when its first pod was created */
    size_t queue;          /* its index in steady->view; steady->view.count: the core has no such queue */
    struct yk_vec classes; /* struct steady_class, owned */
    /* The class whose oldest pod is first in order; NULL: none. Valid unless `changed`. */
    struct steady_class *head;
    bool changed; /* `head` must be found again */
    /* For the samples. */
    double entitled;          /* share that the leaf is entitled to */
    double settled;           /* value of `entitled` at steady->settled_since_ns */
    struct steady_owed *owed; /* owned; the samples of the last steady->longest_run_ns, oldest first */
    size_t owed_count;
};

/* Settings of a queue as of the last refresh, to notice changes. */
struct steady_guarantee {
    char *path; /* owned */
    struct yk_resvec guaranteed, max;
    bool has_guaranteed, has_max;
};

/* Sums of the figures over the samples that count; the ..._min are minima. */
struct steady_sums {
    uint64_t count;
    double jain, jain_min, jain_raw, jain_raw_min, used, reserved;
};

struct yk_steady {
    const struct yk_scenario *scenario; /* borrowed, like the next three */
    const struct yk_clock *clock;
    const struct yk_cluster *cluster;
    const struct yk_core *core;
    struct yk_cluster_observer observer;
    int64_t start_ns;                  /* of the monotonic clock */
    int64_t longest_run_ns, settle_ns; /* as in struct yk_scenario_steady, with the defaults filled in */
    /* Pods. */
    struct yk_strmap pods, classes, apps; /* by key or id; struct steady_pod, steady_class, steady_app */
    struct yk_vec app_list;               /* struct steady_app, owned; in order of submission */
    struct yk_vec leaves;                 /* struct steady_leaf, owned */
    uint64_t sequence;                    /* of the next pod or application */
    bool has_priorities;                  /* there were pods of different priorities */
    int32_t priority;                     /* priority of the latest class */
    /* Queues, as of the last yk__steady_refresh(). */
    struct yk_core_view view;
    struct yk_entitled_queue *settings; /* owned; one per queue of the view */
    /* Owned; one per queue of the view, of the pods in it and below it; `pending` without placeholders. */
    struct yk_resvec *used, *pending;
    struct yk_resvec capacity; /* of all nodes */
    double largest_share;      /* the largest size of a pod as a part of the capacity when it was created */
    struct yk_vec guarantees;  /* struct steady_guarantee, owned */
    /* Figures. */
    uint64_t bindings;       /* bindings so far, without those of gang members */
    int64_t last_binding_ns; /* when the last of them was */
    /* Owned: for each pod that was first in its leaf, how long it was overtaken, in ns. */
    int64_t *overtaken;
    size_t overtaken_count, overtaken_capacity;
    char *worst;      /* owned; key of the pod that was overtaken longest; NULL: no pod was overtaken */
    int64_t worst_ns; /* how long that pod was overtaken */
    uint64_t killed;  /* pods that the scheduler has ended, without placeholders */
    struct yk_resvec killed_amount, deficit; /* sizes of the killed pods; what preemption had to restore */
    struct steady_sums sums;
    int64_t settled_since_ns; /* when entitlements last changed; -1: demand does not exceed supply */
};

/* Nanoseconds since the measurement began. */
static inline int64_t yk__steady_now(const struct yk_steady *steady)
{
    return yk_clock_mono_ns(steady->clock) - steady->start_ns;
}

/* The object as a node; it must be of the kind YK_KIND_NODE. */
static inline const struct yk_k8s_node *yk__steady_node(const struct yk_object *node)
{
    return (const struct yk_k8s_node *)(const void *)node;
}

/* steady_owed.c */
/* Adds leaf->entitled, with the present time, to leaf->owed, and drops entries that are older than
 * steady->longest_run_ns. Call it once per sample, after leaf->entitled was set. */
void yk__steady_note_owed(const struct yk_steady *steady, struct steady_leaf *leaf);
/* The share that the leaf is owed: the value closest to `used`, the share that it uses, between the smallest
 * and the largest share that it was entitled to in the last steady->longest_run_ns. If the leaf is younger
 * than that, the smallest share is 0. Call it after yk__steady_note_owed() of the sample. */
double yk__steady_owed(const struct yk_steady *steady, const struct steady_leaf *leaf, double used);

/* steady_whole.c */
/* The most of `type` that pods, without those of DaemonSets, can use, in base units, if each queue gets its
 * guarantee and pods are not divided. No scheduler that keeps guarantees and maxima uses more. `capacity`:
 * what the nodes that such pods may use have of `type`, without the sizes of the pods of DaemonSets there, in
 * base units. Compare the result only with usage that leaves these pods out. Call it after
 * yk__steady_refresh(), before queues or nodes change. */
double yk__steady_whole_bound(const struct yk_steady *steady, int type, int64_t capacity);

/* steady_order.c */
/* Counts the binding of `pod` to `node` in `bindings`, and adds to the times of the pods that it has
 * overtaken. Call it before the other counts change, while the pod is still in `pending` of its class. If its
 * leaf is not in the view, the caller calls yk__steady_refresh() before. No effect for a gang member. */
void yk__steady_binding(struct yk_steady *steady, const struct steady_pod *pod, struct yk_str node);
/* The pod no longer waits, or the measurement ends: if it was ever the first of its leaf, stores for how long
 * it was overtaken. Call it once per pod, after yk__steady_binding() if it was bound. */
void yk__steady_head_left(struct yk_steady *steady, const struct steady_pod *pod);

/* steady_nodes.c */
/* Whether a pod of the class may run on the node, by its node selector, its required node, taints and
 * cordons. Amounts are not compared: yk__steady_fits_somewhere() does both. */
bool yk__steady_allows(const struct yk_k8s_node *node, const struct steady_class *class);
/* Whether a pod of the class fits on some node where it may run: by the free amounts if `free_now`, by all
 * allocatable amounts otherwise. Maxima of queues are not looked at (yk__steady_is_below_max()). O(nodes). */
bool yk__steady_fits_somewhere(const struct yk_steady *steady, const struct steady_class *class,
                               bool free_now);

/* steady_deficit.c */
/* A pod of `class`, which is not a placeholder, begins to wait. Adds to the deficit what preemption may have
 * to free for it, and updates `largest_share`. Call it before the pod is counted as pending. */
void yk__steady_wanted(struct yk_steady *steady, const struct steady_class *class);
/* A pod of `class` has left its node, and the scheduler did not end it. Adds to the deficit if the node was
 * removed (`node_is_there` is false), or if the pod finished by itself (`has_ended`) and every pod that waits
 * in its leaf is larger. Call it after the pod is no longer counted as bound. */
void yk__steady_gone(struct yk_steady *steady, const struct steady_class *class, bool node_is_there,
                     bool has_ended);
/* Compares the settings of the queues with those of the last call. Adds to the deficit what a raised
 * guarantee makes the queue lack, and the usage above a maximum that has changed. */
void yk__steady_settings_changed(struct yk_steady *steady);

/* steady.c */
/* Reads the queues of the core and the nodes of the cluster again, and computes what depends on them: `queue`
 * and `changed` of leaves, `can_run` of classes, and what changed settings add to the deficit. Replaces
 * `view`, `settings`, `used` and `pending`: pointers into them are no longer valid. O(queues * queues +
 * classes * (depth + nodes)). */
void yk__steady_refresh(struct yk_steady *steady);
/* Whether `size`, together with the present usage if `with_used`, is within the maxima and limits of the
 * queue with the index `leaf` in the view, and of all its ancestors but the root. False if there is no such
 * queue. */
bool yk__steady_is_below_max(const struct yk_steady *steady, size_t leaf, const struct yk_resvec *size,
                             bool with_used);
/* The number of pending pods of the class that need capacity: neither placeholders, nor gang members for
 * which a placeholder is on a node. */
uint64_t yk__steady_lacking(const struct steady_class *class);

#endif
