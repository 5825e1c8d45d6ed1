/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects of the cluster as the API server last reported them, and the nodes that this process has chosen
 * for pods since (assumed pods).
 *
 * yk_cache_apply() applies watch events, and reports changes to a struct yk_cache_observer. At the end of a
 * complete list, the cache removes the objects that were not in the list. So changes that were missed while a
 * watch was interrupted are reported like other changes. If a pod or a node was deleted and created again
 * under its name, the cache removes the old object and adds the new one. An object whose UID and
 * resourceVersion have not changed is not reported.
 *
 * Only a part of each pod is stored (struct yk_cache_pod). Pods of other schedulers are stored only while
 * they are on a node. A pod can be on a node that the API server has not reported; it is then called an
 * orphan. The cache makes a placeholder for the node, a struct yk_cache_node that is not `known`.
 *
 * Owns: all nodes and pods, and the objects of the other kinds, which are stored as they were read ("kept"
 * kinds: namespaces, priority classes, ConfigMaps, disruption budgets, device classes, webhook configurations
 * and the kinds about volumes).
 * Thread: scheduling thread only.
 * Invariant: node->used is the sum of the sizes of the pods in node->pods; cache->nodes.items[i]->index == i.
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

/* The value of spec.schedulerName of the pods that this scheduler schedules. */
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
/* The effect with the name `text`, such as "NoSchedule"; YK_TAINT_OTHER for unknown names and for "". */
enum yk_taint_effect yk_taint_effect_of(struct yk_str text);

struct yk_cache_taint {
    yk_name key, value;
    enum yk_taint_effect effect;
};

/* Written by: cache, except where a line says otherwise. */
struct yk_cache_node {
    /* The node as the API server reported it last. In a placeholder, `version`, `creation_wall_ns`, `mark`
     * and `signature` have no meaning, and the other fields that the API server reports, except `name`, are
     * 0, false or NULL. */
    yk_name name;
    char *uid;                /* owned; NULL while the node is not known */
    uint64_t version;         /* yk__version() of its resourceVersion */
    int64_t creation_wall_ns; /* nanoseconds since 1970 */
    uint32_t mark;            /* cache->marks[YK_KIND_NODE] when the API server reported the node last */
    uint32_t index;           /* in cache->nodes; YK_CACHE_NO_INDEX while the node is not known */
    bool known;               /* the API server has the node; false: a placeholder for the pods on it */
    bool unschedulable;       /* spec.unschedulable */
    /* number of pods with YK_POD_CLOSES on the node; if it is not 0, the node takes no new pods */
    uint32_t closers;
    uint32_t features;           /* YK_FEATURE_ bits that the node declares (cache/features.h) */
    struct yk_size *allocatable; /* counted; NULL while the node is not known */
    struct yk_label *labels;     /* owned, sorted by the id of the key */
    uint32_t label_count;
    uint32_t taint_count;
    struct yk_cache_taint *taints; /* owned, in the order of the spec */
    /* Pods on the node, assumed ones included. */
    struct yk_list pods; /* struct yk_cache_pod, by on_node */
    /* sum of the sizes of `pods`; a type without a column may be absent if its sum is 0 */
    struct yk_resvec used;
    /* Written by: predicates. */
    uint32_t signature; /* number of the node signature */
    uint32_t slot;      /* slot in the topology (predicates/topology.h); 0: the node has none */
    /* Written by: app and cache; shim clears `registered` when the scheduler ends. */
    bool registered; /* the node is registered in the core */
    bool enabled;    /* the core may place pods on the node */
};

/* The value of a label of the node; YK_NO_NAME if it has no such label. O(log labels). */
yk_name yk_cache_node_label(const struct yk_cache_node *node, yk_name key);

enum {
    YK_POD_OURS = 1u << 0, /* its schedulerName is YK_SCHEDULER_NAME; never with YK_POD_PARTIAL */
    /* this scheduler chose the node, and the API server has not confirmed it; also set after
     * YK_CHANGED_DOUBTED */
    YK_POD_ASSUMED = 1u << 1,
    YK_POD_DELETING = 1u << 2, /* its deletionTimestamp is set */
    YK_POD_STATIC = 1u << 3,   /* its owner is a node */
    /* the core has a foreign allocation for the pod: it is of another scheduler or has no task, or its task
     * has failed or may not join its application (written by: app, shim) */
    YK_POD_SENT = 1u << 4,
    /* its labels have changed since app read them (written by: predicates, app) */
    YK_POD_RELABELLED = 1u << 5,
    /* the pod could not be read whole; filters see a pod without labels, ports and volumes */
    YK_POD_PARTIAL = 1u << 6,
    YK_POD_CLOSES = 1u << 7, /* a PARTIAL pod with unknown requests, so its node takes no new pods */
};

/* The phase of a pod. Pods in the phases Succeeded and Failed are not stored. */
enum yk_pod_phase { YK_PHASE_NONE, YK_PHASE_PENDING, YK_PHASE_RUNNING, YK_PHASE_UNKNOWN, YK_PHASE_COUNT };
/* The name of the phase as the API server writes it; "" for YK_PHASE_NONE. Static. */
const char *yk_pod_phase_name(enum yk_pod_phase phase);

/* There are many of these structs, so the fields are ordered without gaps.
 * Written by: cache, except where a field says otherwise. */
struct yk_cache_pod {
    struct yk_cache_node *node;       /* the node that the pod is on or assumed on; NULL: none */
    struct yk_list on_node;           /* in node->pods, if `node` is not NULL */
    struct yk_list of_profile;        /* in profile->pods, if `profile` is not NULL; written by: predicates */
    struct yk_size *size;             /* counted; what the pod uses of its node */
    struct yk_size *limits;           /* counted; NULL: the pod has no limits */
    struct yk_task *task;             /* written by: app; NULL: the pod has no task */
    struct yk_pod_profile *profile;   /* written by: predicates; labels, ports and anti-affinity of the pod */
    struct yk_own_labels *own_labels; /* written by: predicates; labels that are not in its profile */
    struct yk_pod_volumes *volumes;   /* written by: predicates; NULL: no volume restricts its nodes */
    uint64_t version;                 /* yk__version() of its resourceVersion */
    uint32_t creation_wall_s;         /* seconds since 1970; 0: not given, or before 1970 */
    int32_t priority;
    int32_t generation; /* metadata.generation */
    yk_name scheduler;  /* counted; its schedulerName; YK_NO_NAME if that is YK_SCHEDULER_NAME */
    uint16_t mark;      /* low 16 bits of cache->marks[YK_KIND_POD] when the API server reported it last */
    uint8_t flags;      /* YK_POD_ bits; written by: cache, and the modules that the comment of a bit names */
    uint8_t phase;      /* enum yk_pod_phase */
    uint8_t namespace_len, name_len, uid_len; /* bytes in `text` */
    char text[];                              /* "<namespace>/<name>" NUL "<uid>" NUL */
};

/* The creation time in nanoseconds since 1970, a multiple of a second; 0: not given, or before 1970. */
static inline int64_t yk_cache_pod_creation_wall_ns(const struct yk_cache_pod *pod)
{
    return pod->creation_wall_s * YK_NS_PER_S;
}
/* "<namespace>/<name>", terminated. Borrowed from the pod. */
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

/* Flags that say what has changed about a pod or a node. */
enum {
    YK_CHANGED_NODE = 1u << 0,        /* pod: its `node` has changed */
    YK_CHANGED_CONFIRMED = 1u << 1,   /* pod: the API server reports the node that was assumed */
    YK_CHANGED_SIZE = 1u << 2,        /* pod: size; node: allocatable */
    YK_CHANGED_DELETING = 1u << 3,    /* pod: its deletionTimestamp was set */
    YK_CHANGED_CONSTRAINTS = 1u << 4, /* node: labels, taints, features, or what YK_CHANGED_CORDON means */
    YK_CHANGED_CORDON = 1u << 5,      /* node: unschedulable, or the number of pods with YK_POD_CLOSES */
    /* pod: the API server reported an older version, without a node; the pod stays on its node as assumed */
    YK_CHANGED_DOUBTED = 1u << 6,
};

/* The functions that the cache calls when it has changed. `object` is the object that the API server sent,
 * borrowed for the call. If object->object.read is not YK_READ_WHOLE, the fields that could not be read are
 * zero. The functions may call yk_cache_assume(), yk_cache_forget() and yk_cache_resize(), but not
 * yk_cache_apply(). */
struct yk_cache_observer {
    void *context;
    /* A pod was added. It may be on a node. */
    void (*pod_added)(void *context, struct yk_cache_pod *pod, const struct yk_pod *object);
    /* A pod has changed. `changes`: YK_CHANGED_ flags; 0: something else has changed. If
     * object->object.read is not YK_READ_WHOLE, `pod` was read whole before, and only its node, phase and
     * deletion were updated. */
    void (*pod_changed)(void *context, struct yk_cache_pod *pod, const struct yk_pod *object,
                        uint32_t changes);
    /* The pod is removed, for example because it has ended or was deleted. It is still on its node, and is
     * freed after the call. */
    void (*pod_removed)(void *context, struct yk_cache_pod *pod);
    /* A node was added. Orphans that waited for it are in node->pods already. */
    void (*node_added)(void *context, struct yk_cache_node *node);
    void (*node_changed)(void *context, struct yk_cache_node *node, uint32_t changes);
    /* The node was deleted. Its pods are still in node->pods. The function calls yk_cache_forget() for the
     * assumed pods; the other pods become orphans. */
    void (*node_removed)(void *context, struct yk_cache_node *node);
    /* The ConfigMap yunikorn-defaults or yunikorn-configs was added, changed or deleted, or both were
     * deleted. */
    void (*config_changed)(void *context);
    /* A list of `kind` has ended and was applied. It may have had gaps (YK_WATCH_REPLACE_GAPS). */
    void (*listed)(void *context, enum yk_kind kind);
    /*
     * An object of a kept kind was added (`before` is NULL), deleted (`after` is NULL), changed, or replaced
     * by another object of the same name. Called after the change; `before` is freed after the call.
     * `kept_changed` may be NULL: then there is no call.
     */
    void (*kept_changed)(void *context, enum yk_kind kind, const struct yk_object *before,
                         const struct yk_object *after);
};

/*
 * The observer that counts pods on nodes (predicates/pod_index.h). It is called at each single step of a
 * change. pod_added(), pod_changed() and kept_changed() of struct yk_cache_observer follow after all steps.
 * When a pod is removed, pod_removed() comes first.
 */
struct yk_cache_pod_observer {
    void *context;
    /* The API server reports the pod as `object`. Called before a new pod is put on its node, and before a
     * known pod is updated from an object that was read whole. Called once more if a known pod has left its
     * node and is on no other. `object` NULL: `pod` is on no node, and is freed after the call. */
    void (*pod_described)(void *context, struct yk_cache_pod *pod, const struct yk_pod *object);
    /* `is_added`: the pod was put on the node, or is assumed on it; false: the pod is about to leave the
     * node. A pod whose deletion begins leaves its node and is put on it again. */
    void (*pod_on_node)(void *context, struct yk_cache_pod *pod, struct yk_cache_node *node, bool is_added);
    /* The namespace was added, changed or deleted. */
    void (*namespace_changed)(void *context, struct yk_str name);
};

struct yk_cache_entry {       /* an object of a kept kind */
    struct yk_object *object; /* owned */
    struct yk_str key;        /* its key in cache->kept; borrowed from `object` or `own_key` */
    char *own_key;            /* owned; the key of a claim or a capacity; NULL for other objects */
    uint64_t version;         /* yk__version() of its resourceVersion */
    uint32_t mark;            /* cache->marks[kind] when the API server reported the object last */
};

/* Written by: cache; predicates sets `pod_observer`. */
struct yk_cache {
    const struct yk_cache_observer *observer;         /* borrowed until yk_cache_done() */
    const struct yk_cache_pod_observer *pod_observer; /* borrowed until yk_cache_done(); may be NULL */
    struct yk_vec nodes;                              /* struct yk_cache_node *, known nodes; not sorted */
    struct yk_strmap nodes_by_name;                   /* struct yk_cache_node *, including placeholders */
    struct yk_text_set pods;                          /* struct yk_cache_pod *, by "<namespace>/<name>" */
    /* struct yk_cache_entry *, for each kind except pods and nodes. The key of a volume claim or a CSI
     * storage capacity is "<namespace>/<name>", the key of a disruption budget is its UID, and the key of
     * another object is its name. yk_strmap_foreach() visits all objects of a kind. */
    struct yk_strmap kept[YK_KIND_COUNT];
    struct yk_sizes sizes;
    struct yk_intern_table intern_table;
    char *config_namespace;        /* owned */
    uint32_t marks[YK_KIND_COUNT]; /* number of the present or last list of the kind */
    bool listing[YK_KIND_COUNT];   /* a list of the kind has begun and not ended */
    bool synced[YK_KIND_COUNT];    /* a list of the kind has ended */
    size_t our_pods;               /* pods with YK_POD_OURS */
    size_t refused;                /* how many objects were refused because of their names or UIDs so far */
    uint64_t unchanged;            /* updates of nodes so far that changed nothing here, such as heartbeats */
};

/* Makes an empty cache without a pod observer. `observer` is borrowed until yk_cache_done(). Of all
 * ConfigMaps, the cache stores only `yunikorn-defaults` and `yunikorn-configs` of the namespace
 * `config_namespace`, which is copied. */
void yk_cache_init(struct yk_cache *cache, const struct yk_cache_observer *observer,
                   const char *config_namespace);
/* Removes and frees everything. Calls the observers for each pod, then for each node, in the order of
 * their names. Calls no observer for objects of kept kinds. When the observers have returned, all sizes of
 * cache->sizes and all bytes of cache->intern_table must have been given back. */
void yk_cache_done(struct yk_cache *cache);
/*
 * Applies one watch event, and calls the observers before it returns. `object` is taken; it is NULL for the
 * REPLACE events. Objects with impossible names or UIDs are logged and dropped. A pod that could not be read
 * whole is stored while it is on a node, like a pod of another scheduler. If an earlier version of the pod
 * could be read whole, only its node, phase and deletion are updated, but the pod is removed if it has lost
 * its node.
 */
void yk_cache_apply(struct yk_cache *cache, enum yk_kind kind, enum yk_watch_event event,
                    struct yk_object *object);

/* The node of that name, valid until it is removed. NULL: there is none, or only a placeholder. O(1). */
struct yk_cache_node *yk_cache_find_node(const struct yk_cache *cache, struct yk_str name);
/* The pod of that namespace and name, valid until it is removed; NULL: there is none. O(1). */
struct yk_cache_pod *yk_cache_find_pod(const struct yk_cache *cache, struct yk_str namespace_,
                                       struct yk_str name);
/*
 * Makes the next step of a walk over all pods: calls `visit` for some further pods, usually a few dozen.
 * The caller sets `*at` to 0 before the first step; `*at` and `*buckets` store the place for the next step. A
 * pod that exists during the whole walk is visited once. A pod that is replaced during the walk may be left
 * out or visited twice. `visit` does not change the cache. True: there are more steps.
 */
bool yk_cache_visit_pods(const struct yk_cache *cache, size_t *at, size_t *buckets,
                         void (*visit)(void *context, void *pod), void *context);
/* The namespace object of that name, valid until the next yk_cache_apply() for its kind; NULL: there is
 * none. O(1). */
const struct yk_object *yk_cache_find_namespace(const struct yk_cache *cache, struct yk_str name);
/* The priority class of that name, valid until the next yk_cache_apply() for its kind; NULL: there is
 * none. O(1). */
const struct yk_priority_class *yk_cache_find_priority_class(const struct yk_cache *cache,
                                                             struct yk_str name);
/* The ConfigMap yunikorn-defaults (`which` 0) or yunikorn-configs (`which` 1), valid until the next
 * yk_cache_apply() for its kind; NULL: there is none. */
const struct yk_config_map *yk_cache_config_map(const struct yk_cache *cache, int which);

/* Puts a pod on a node before the API server reports it there: sets YK_POD_ASSUMED and adds the pod to
 * node->pods and node->used. `pod` is on no node, and `node` is known. The pod is assumed until
 * yk_cache_forget() is called or the API server reports the pod on a node. Calls only the pod observer.
 * Checks neither filters nor resources, and binds no volumes: the caller has checked yk_class_fits_now(), and
 * has called yk_volumes_assume() before. */
void yk_cache_assume(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_cache_node *node);
/* Removes an assumed pod from its node, and clears YK_POD_ASSUMED. No effect on other pods. Calls only the
 * pod observer; the caller informs the core, changes the state of the task, and calls yk_volumes_forget() for
 * the plan of the pod. If the node is a placeholder without further pods, it is freed. */
void yk_cache_forget(struct yk_cache *cache, struct yk_cache_pod *pod);
/* Replaces the size of the pod, and changes `used` of its node accordingly. `size` is a size of cache->sizes;
 * the reference of the caller to it is taken. Calls no observer; the caller informs the core. Other modules
 * call it only with a result of yk_size_resolve(): yk_cache_apply() sets the sizes of changed pods itself. */
void yk_cache_resize(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_size *size);

#endif
