/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster as the API server last described it, with the decisions that this process has assumed since.
 *
 * Watch events go in (yk_cache_apply()), differences come out (struct yk_cache_observer). A full list marks
 * what it names and sweeps the rest, so that whatever happened while a watch was down is seen as ordinary
 * differences: an object that is gone is removed with its last known state, one that was replaced under its
 * name is removed and added, one that is as it was is not mentioned.
 *
 * Pods are kept small: ours with identity, size and node; foreign ones only while they are on a node. A pod
 * on a node that is not known (an orphan) is on a placeholder for that node until the node appears.
 *
 * Owns: every node and pod it describes, and every object of the kinds that are kept as they come
 * (namespaces, priority classes, ConfigMaps, disruption budgets, all about volumes).
 * Thread: scheduling thread only.
 * Invariant: node->used is the sum of the sizes of the pods on node->pods; nodes[i]->index == i for known
 * nodes.
 * Source: docs/reference/kubernetes.md 1.4 "Store semantics" (K11), 2.10, 3.6 (S17, S18).
 */
#ifndef YK_CACHE_CACHE_H
#define YK_CACHE_CACHE_H

#include "api/server.h"
#include "base/list.h"
#include "base/map.h"
#include "base/name.h"
#include "base/vec.h"
#include "cache/interned.h"
#include "cache/size.h"
#include "resources/resvec.h"

#define YK_SCHEDULER_NAME "yunikorn"

enum { YK_CACHE_NO_INDEX = UINT32_MAX };

struct yk_label {
    yk_name key, value;
};

enum yk_taint_effect {
    YK_TAINT_NO_SCHEDULE,
    YK_TAINT_NO_EXECUTE,
    YK_TAINT_PREFER_NO_SCHEDULE,
    YK_TAINT_OTHER,
};
/* The effect with that name, of a taint or in a toleration. */
enum yk_taint_effect yk_taint_effect_of(struct yk_str text);

struct yk_cache_taint {
    yk_name key, value;
    enum yk_taint_effect effect;
};

/* Written by: cache, except where a line says otherwise. */
struct yk_cache_node {
    /* What the API server says. */
    yk_name name;
    char *uid; /* owned; NULL while the node is not known */
    uint64_t version;
    int64_t creation_wall_ns;
    uint32_t mark;
    uint32_t index; /* in cache->nodes; YK_CACHE_NO_INDEX while the node is not known */
    bool known, unschedulable;
    uint32_t closers;  /* pods on it with YK_POD_CLOSES: it takes no new pods while there is one */
    uint32_t features; /* declared ones that pods may need: cache/features.h */
    struct yk_size *allocatable;
    struct yk_label *labels; /* owned, by key id */
    uint32_t label_count;
    uint32_t taint_count;
    struct yk_cache_taint *taints; /* owned, as listed */
    /* Pods on it. */
    struct yk_list pods;   /* struct yk_cache_pod, on_node */
    struct yk_resvec used; /* by the pods on it; a type without a column is absent when nothing is used */
    /* Written by: predicates. */
    uint32_t signature;
    uint32_t slot; /* its slot in the topology (predicates/topology.h); 0: none */
    /* Written by: app; shim clears `registered` when it ends. */
    bool registered; /* the core has it */
    bool enabled;    /* the core may use it */
};

/* The value of a label, YK_NO_NAME when there is none. O(log labels). */
yk_name yk_cache_node_label(const struct yk_cache_node *node, yk_name key);

enum {
    YK_POD_OURS = 1u << 0,    /* names our scheduler */
    YK_POD_ASSUMED = 1u << 1, /* this scheduler decided its node; the API server has not confirmed it */
    YK_POD_DELETING = 1u << 2,
    YK_POD_STATIC = 1u << 3,     /* owned by its node */
    YK_POD_SENT = 1u << 4,       /* foreign, and the core knows it (app) */
    YK_POD_RELABELLED = 1u << 5, /* its labels are others than when app looked last (predicates, app) */
    YK_POD_PARTIAL = 1u << 6,    /* it could not be read whole: it only uses its node */
    YK_POD_CLOSES = 1u << 7,     /* the same, and its amounts are not known: nothing new fits beside it */
};

/* Ended ones are not kept. */
enum yk_pod_phase { YK_PHASE_NONE, YK_PHASE_PENDING, YK_PHASE_RUNNING, YK_PHASE_UNKNOWN, YK_PHASE_COUNT };
/* The name of the phase as the API server writes it; "" for YK_PHASE_NONE. Static. */
const char *yk_pod_phase_name(enum yk_pod_phase phase);

/* There are many of these: the fields are ordered without gaps.
 * Written by: cache, except where a field says otherwise. */
struct yk_cache_pod {
    struct yk_cache_node *node; /* NULL: waiting */
    struct yk_list on_node;     /* on node->pods, while there is a node */
    struct yk_list of_profile;  /* on profile->pods, while it has one; written by: predicates */
    struct yk_size *size;
    struct yk_size *limits;           /* NULL: it has none */
    struct yk_task *task;             /* written by: app */
    struct yk_pod_profile *profile;   /* written by: predicates; what selectors and ports see of it */
    struct yk_own_labels *own_labels; /* written by: predicates; labels that are not in its profile */
    struct yk_pod_volumes *volumes;   /* written by: predicates; NULL: it has none that matter */
    uint64_t version;
    uint32_t creation_wall_s; /* 0: before 1970; the API server writes whole seconds */
    int32_t priority;
    int32_t generation;
    yk_name scheduler; /* counted; YK_NO_NAME: ours */
    uint16_t mark;     /* of the last list that named it; a list sweeps before the number comes round */
    uint8_t flags;     /* YK_POD_; written by: cache, and app and predicates those that name them */
    uint8_t phase;     /* enum yk_pod_phase */
    uint8_t namespace_len, name_len, uid_len;
    char text[]; /* "<namespace>/<name>" NUL "<uid>" NUL */
};

/* The creation time in nanoseconds since 1970, a multiple of a second; 0: before 1970. */
static inline int64_t yk_cache_pod_creation_wall_ns(const struct yk_cache_pod *pod)
{
    return pod->creation_wall_s * YK_NS_PER_S;
}
/* "NAMESPACE/NAME"; borrowed from the pod. */
static inline struct yk_str yk_cache_pod_key(const struct yk_cache_pod *pod)
{
    return (struct yk_str){pod->text, (size_t)pod->namespace_len + 1 + pod->name_len};
}
/* Compares two elements of type struct yk_cache_pod * by key, for yk_vec_sort(). */
int yk_cache_pod_order(const void *a, const void *b);
/* The namespace, not terminated. Borrowed from the pod. */
static inline struct yk_str yk_cache_pod_namespace(const struct yk_cache_pod *pod)
{
    return (struct yk_str){pod->text, pod->namespace_len};
}
/* The name, terminated. Borrowed from the pod. */
static inline struct yk_str yk_cache_pod_name(const struct yk_cache_pod *pod)
{
    return (struct yk_str){pod->text + pod->namespace_len + 1, pod->name_len};
}
/* The UID, terminated. Borrowed from the pod. */
static inline struct yk_str yk_cache_pod_uid(const struct yk_cache_pod *pod)
{
    return (struct yk_str){pod->text + pod->namespace_len + pod->name_len + 2, pod->uid_len};
}

/* What changed about a pod or node; several may be set. */
enum {
    YK_CHANGED_NODE = 1u << 0, /* pod: is on another node than before (assumptions included), or on none */
    YK_CHANGED_CONFIRMED = 1u << 1,   /* pod: the API server has it where we assumed it */
    YK_CHANGED_SIZE = 1u << 2,        /* pod: size; node: allocatable */
    YK_CHANGED_DELETING = 1u << 3,    /* pod: began to go */
    YK_CHANGED_CONSTRAINTS = 1u << 4, /* node: labels, taints, declared features or unschedulable */
    YK_CHANGED_CORDON = 1u << 5,      /* node: unschedulable, or closed by a pod that cannot be read */
    YK_CHANGED_DOUBTED = 1u << 6,     /* pod: an older version has no node; it stays where it was, assumed */
};

struct yk_cache_observer {
    void *context;
    /* `object` is what the API server sent; borrowed for the call. */
    void (*pod_added)(void *context, struct yk_cache_pod *pod, const struct yk_pod *object);
    /* Also called with `changes` 0: something else about the pod is different. */
    void (*pod_changed)(void *context, struct yk_cache_pod *pod, const struct yk_pod *object,
                        uint32_t changes);
    /* Ended or deleted. Freed afterwards. */
    void (*pod_removed)(void *context, struct yk_cache_pod *pod);
    /* Pods that were waiting for it are on node->pods already. */
    void (*node_added)(void *context, struct yk_cache_node *node);
    void (*node_changed)(void *context, struct yk_cache_node *node, uint32_t changes);
    /* Its pods are still on it. Assumed ones must be forgotten now; the others become orphans. */
    void (*node_removed)(void *context, struct yk_cache_node *node);
    /* One of the two ConfigMaps came, changed or went. */
    void (*config_changed)(void *context);
    /* A full list of `kind` is complete. */
    void (*listed)(void *context, enum yk_kind kind);
    /*
     * An object of a kept kind came (`before` NULL), changed (maybe into another of its name, with another
     * uid) or went (`after` NULL). Called after the change; `before` is freed afterwards. May be NULL.
     */
    void (*kept_changed)(void *context, enum yk_kind kind, const struct yk_object *before,
                         const struct yk_object *after);
};

/*
 * The observer that counts pods on nodes (predicates/pod_index.h). Called at once, in the middle of a change
 * and before struct yk_cache_observer.
 */
struct yk_cache_pod_observer {
    void *context;
    /* What the API server says of a pod, before anything else about the pod changes. NULL: it is freed
     * next. */
    void (*pod_described)(void *context, struct yk_cache_pod *pod, const struct yk_pod *object);
    /* The pod has come to the node (assumed ones included), or is about to leave it. */
    void (*pod_on_node)(void *context, struct yk_cache_pod *pod, struct yk_cache_node *node, bool is_added);
    /* It came, went, or has other labels. */
    void (*namespace_changed)(void *context, struct yk_str name);
};

struct yk_cache_entry {       /* of a kind that is kept as it comes */
    struct yk_object *object; /* owned */
    struct yk_str key;        /* in the object, or: */
    char *own_key;            /* owned; of claims and capacities */
    uint64_t version;
    uint32_t mark;
};

/* Written by: cache; predicates sets `pod_observer`. */
struct yk_cache {
    const struct yk_cache_observer *observer;         /* borrowed for life */
    const struct yk_cache_pod_observer *pod_observer; /* borrowed for life; NULL: pods are not counted */
    struct yk_vec nodes;                              /* known ones; read only */
    struct yk_strmap nodes_by_name;                   /* placeholders included */
    struct yk_text_set pods;                          /* by "<namespace>/<name>" */
    /* struct yk_cache_entry; not pods and nodes. By name; claims and capacities by "<namespace>/<name>",
     * budgets by uid. To look through all of a kind: yk_strmap_foreach(). */
    struct yk_strmap kept[YK_KIND_COUNT];
    struct yk_sizes sizes;
    struct yk_intern_table intern_table;
    char *config_namespace;
    uint32_t marks[YK_KIND_COUNT]; /* of the list under way, or the last one */
    bool listing[YK_KIND_COUNT];
    bool synced[YK_KIND_COUNT];
    size_t our_pods, refused;
};

/* Makes an empty cache. `observer` is borrowed for life. Of ConfigMaps only `yunikorn-defaults` and
 * `yunikorn-configs` of `config_namespace` (copied) are kept. */
void yk_cache_init(struct yk_cache *cache, const struct yk_cache_observer *observer,
                   const char *config_namespace);
/* Removes and frees everything; calls the observer for pods, then for nodes. */
void yk_cache_done(struct yk_cache *cache);
/*
 * Applies one watch event. Takes `object` (NULL for the REPLACE events), and calls the observers before it
 * returns. Objects with impossible names are refused and logged. A pod that was read in part is kept while it
 * is on a node, as a pod of another scheduler; one that was read whole before stays as it was, but for its
 * node and its end.
 */
void yk_cache_apply(struct yk_cache *cache, enum yk_kind kind, enum yk_watch_event event,
                    struct yk_object *object);

/* The known node of that name, borrowed until it is removed; NULL when there is none. O(1). */
struct yk_cache_node *yk_cache_find_node(const struct yk_cache *cache, struct yk_str name);
/* The pod of that namespace and name, or NULL. O(1). */
struct yk_cache_pod *yk_cache_find_pod(const struct yk_cache *cache, struct yk_str namespace_,
                                       struct yk_str name);
/* The namespace object of that name, borrowed until it changes; NULL when there is none. O(1). */
const struct yk_object *yk_cache_find_namespace(const struct yk_cache *cache, struct yk_str name);
/* The priority class of that name, borrowed until the cache changes; NULL: there is none. */
const struct yk_priority_class *yk_cache_find_priority_class(const struct yk_cache *cache,
                                                             struct yk_str name);
/* The ConfigMap yunikorn-defaults (`which` 0) or yunikorn-configs (1), borrowed until it changes; NULL when
 * there is none. */
const struct yk_config_map *yk_cache_config_map(const struct yk_cache *cache, int which);

/* Puts a waiting pod on a known node before the API server confirms it: sets YK_POD_ASSUMED and counts the
 * pod on the node. Ends with yk_cache_forget(), or when the API server shows the pod on a node. */
void yk_cache_assume(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_cache_node *node);
/* Takes an assumed pod off its node again. No effect on others. */
void yk_cache_forget(struct yk_cache *cache, struct yk_cache_pod *pod);
/* Replaces the size of the pod, and corrects `used` of its node. The caller's reference to `size` is
 * taken. */
void yk_cache_resize(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_size *size);

#endif
