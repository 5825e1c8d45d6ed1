/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes and changes typed objects without an API server.
 *
 * A function that makes an object copies all texts and arrays of its arguments. Like an object that a reader
 * made, the result has an arena of its own, and yk_object_free() frees it as a whole.
 * Thread: any.
 */
#ifndef YK_SIMULATE_OBJECTS_H
#define YK_SIMULATE_OBJECTS_H

#include "api/object.h"

/* Describes a pod. Written by: the caller. */
struct yk_sim_pod {
    const char *namespace_, *name;
    const char *scheduler_name; /* NULL: "yunikorn" */
    const char *priority_class; /* NULL: none */
    const char *node_name;      /* NULL: not bound */
    int32_t priority;
    int64_t active_deadline_s; /* 0: none */
    struct yk_pairs labels, annotations, node_selector;
    struct yk_amounts requests;              /* of its only container */
    const struct yk_toleration *tolerations; /* `toleration_count` items; NULL if that is 0 */
    uint32_t toleration_count;
    /* The pod belongs to a DaemonSet and may run only on this node. NULL: it belongs to no DaemonSet. */
    const char *daemon_node;
};

/* Describes a node. Written by: the caller. */
struct yk_sim_node {
    const char *name;
    struct yk_pairs labels; /* kubernetes.io/hostname is added if it is missing */
    struct yk_amounts allocatable;
    const struct yk_taint *taints; /* `taint_count` items; NULL if that is 0 */
    uint32_t taint_count;
    bool unschedulable;
};

/* Makes a pod in the phase Pending, without uid, version and creation time. What `pod` points to is copied.
 * The caller frees the result with yk_object_free(). */
struct yk_object *yk_sim_pod_new(const struct yk_sim_pod *pod);
/* Makes a node, without uid, version and creation time. What `node` points to is copied. The caller frees the
 * result with yk_object_free(). */
struct yk_object *yk_sim_node_new(const struct yk_sim_node *node);
/* Makes a namespace. `annotations` NULL: there are none. All texts are copied. The caller frees the result
 * with yk_object_free(). */
struct yk_object *yk_sim_namespace_new(const char *name, const struct yk_pairs *annotations);
/* Makes a ConfigMap. All texts are copied. The caller frees the result with yk_object_free(). */
struct yk_object *yk_sim_config_map_new(const char *namespace_, const char *name,
                                        const struct yk_pairs *data);

/* A copy of an object of any kind, with an arena of its own. It has the uid and version of the original. The
 * caller frees the copy with yk_object_free(). O(size). */
struct yk_object *yk_sim_object_copy(const struct yk_object *object);

/* The next five functions copy what they set into the arena of the object. What was there before stays in the
 * arena until the object is freed. */

/* Sets the resourceVersion of an object. Also sets its uid, if `uid` is not NULL. */
void yk_sim_object_stamp(struct yk_object *object, const char *uid, uint64_t version);
/* Replaces all allocatable amounts of a node. */
void yk_sim_node_set_allocatable(struct yk_k8s_node *node, const struct yk_amounts *allocatable);
/* Sets spec.nodeName of a pod. */
void yk_sim_pod_set_node(struct yk_pod *pod, struct yk_str node);
/* Sets the phase of a pod ("Pending", "Running", ...). */
void yk_sim_pod_set_phase(struct yk_pod *pod, const char *phase);
/* Replaces the condition of the pod that has the type of `condition`, or adds one. */
void yk_sim_pod_set_condition(struct yk_pod *pod, const struct yk_condition *condition);

/*
 * Makes an entry of a resource list from texts, such as "cpu" and "500m". `*ret` borrows `name`. Errors:
 * YK_ERR_INVALID, `quantity` is not a quantity, or is negative.
 */
YK_NODISCARD enum yk_status yk_sim_amount(struct yk_str name, struct yk_str quantity, struct yk_amount *ret,
                                          struct yk_err *err);

#endif
