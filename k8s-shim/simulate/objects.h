/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed objects without an API server: made from plain C descriptions, copied, kept as versions.
 *
 * Every text and array that a description names is copied. The result is like one that a reader made: it
 * lives in its own arena, and yk_object_free() drops it whole.
 * Thread: any, one object at a time.
 */
#ifndef YK_SIMULATE_OBJECTS_H
#define YK_SIMULATE_OBJECTS_H

#include "api/object.h"

struct yk_sim_pod {
    const char *namespace_, *name;
    const char *scheduler_name; /* NULL: "yunikorn" */
    const char *priority_class; /* NULL: none */
    const char *node_name;      /* NULL: not bound */
    int32_t priority;
    int64_t active_deadline_s; /* 0: none */
    struct yk_pairs labels, annotations, node_selector;
    struct yk_amounts requests; /* of its one container */
    const struct yk_toleration *tolerations;
    uint32_t toleration_count;
    const char *daemon_node; /* it belongs to a DaemonSet and may run on this node only; NULL: it does not */
};

struct yk_sim_node {
    const char *name;
    struct yk_pairs labels; /* kubernetes.io/hostname is added */
    struct yk_amounts allocatable;
    const struct yk_taint *taints;
    uint32_t taint_count;
    bool unschedulable;
};

/* Makes a pod. What `pod` points to is copied. The caller frees it with yk_object_free(). */
struct yk_object *yk_sim_pod_new(const struct yk_sim_pod *pod);
/* Makes a node. What `node` points to is copied. The caller frees it with yk_object_free(). */
struct yk_object *yk_sim_node_new(const struct yk_sim_node *node);
/* Makes a namespace. `annotations` NULL: none. All texts are copied. The caller frees it with
 * yk_object_free(). */
struct yk_object *yk_sim_namespace_new(const char *name, const struct yk_pairs *annotations);
/* Makes a ConfigMap. All texts are copied. The caller frees it with yk_object_free(). */
struct yk_object *yk_sim_config_map_new(const char *namespace_, const char *name,
                                        const struct yk_pairs *data);

/* A copy with an arena of its own. The caller frees it with yk_object_free(). O(size). */
struct yk_object *yk_sim_object_copy(const struct yk_object *object);

/* Sets what the server assigns: resourceVersion, and uid (NULL: stays as it is), which is copied. */
void yk_sim_object_stamp(struct yk_object *object, const char *uid, uint64_t version);
/* Replaces the allocatable amounts of the node; copied into its arena. */
void yk_sim_node_set_allocatable(struct yk_k8s_node *node, const struct yk_amounts *allocatable);
/* Sets spec.nodeName of a pod; `node` is copied into its arena. */
void yk_sim_pod_set_node(struct yk_pod *pod, struct yk_str node);
/* Sets the phase of a pod ("Pending", "Running", ...), which is copied into its arena. */
void yk_sim_pod_set_phase(struct yk_pod *pod, const char *phase);
/* Replaces the condition of the type of `condition`, or adds it. The texts are copied into the arena of the pod. */
void yk_sim_pod_set_condition(struct yk_pod *pod, const struct yk_condition *condition);

/*
 * Makes an entry of a resource list from text, e.g. "cpu", "500m"; `name` is borrowed. Errors:
 * YK_ERR_INVALID.
 */
YK_NODISCARD enum yk_status yk_sim_amount(struct yk_str name, struct yk_str quantity, struct yk_amount *ret,
                                          struct yk_err *err);

#endif
