/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed objects for tests. make_...() makes an object, which the caller frees with yk_object_free().
 * add_...() add parts to it, in its own arena; what they return is borrowed from the object. All texts are
 * copied.
 */
#ifndef TEST_LIB_KUBE_OBJECTS_H
#define TEST_LIB_KUBE_OBJECTS_H

#include "api/object.h"

/* A pod without containers, with the UID "uid-<name>" and the resourceVersion `version`, as all these
 * objects. */
struct yk_pod *make_pod(const char *namespace_, const char *name, const char *version);
/* A node with the label kubernetes.io/hostname. `allocatable`: as in add_amounts(). */
struct yk_k8s_node *make_node(const char *name, const char *version, const char *allocatable);
/* A namespace without labels and annotations. */
struct yk_namespace *make_namespace(const char *name, const char *version);
/* A priority class of value 0. */
struct yk_priority_class *make_priority_class(const char *name, const char *version);
/* A ConfigMap without data. */
struct yk_config_map *make_config_map(const char *namespace_, const char *name, const char *version);

/* Sets `field`, a text of the object. */
void set_text(struct yk_object *object, struct yk_str *field, const char *text);
/* Adds an entry to `pairs`, such as the labels, annotations or data of the object. */
void add_pair(struct yk_object *object, struct yk_pairs *pairs, const char *key, const char *value);
/* Adds amounts, given as "cpu=500m memory=1Gi". */
void add_amounts(struct yk_object *object, struct yk_amounts *amounts, const char *list);
/* Adds a container. `requests`: as in add_amounts(); NULL: none. */
struct yk_container *add_container(struct yk_pod *pod, const char *name, const char *requests);
/* Like add_container() for an init container. `policy`: its restartPolicy; "Always": a sidecar; NULL:
 * none. */
struct yk_container *add_init_container(struct yk_pod *pod, const char *name, const char *requests,
                                        const char *policy);
/* Adds the status of a container. `allocated`, `actual`: allocatedResources and resources.requests, as in
 * add_amounts(); NULL: none. */
struct yk_container_status *add_status(struct yk_pod *pod, const char *name, const char *allocated,
                                       const char *actual);
/* Adds a condition without status. */
void add_condition(struct yk_pod *pod, const char *type, const char *reason);
/* Adds a toleration; an argument that is NULL is absent. */
void add_toleration(struct yk_pod *pod, const char *key, const char *operator_, const char *value,
                    const char *effect);
/* Adds a requirement of matchExpressions to term number `term` of the required node affinity. `term` equal to
 * the number of terms: adds a term first. `values`: separated by commas; NULL: none. */
void add_expression(struct yk_pod *pod, uint32_t term, const char *key, const char *operator_,
                    const char *values);
/* Like add_expression() for matchFields. */
void add_field(struct yk_pod *pod, uint32_t term, const char *key, const char *operator_, const char *values);
/* Adds an owner reference that has only a kind. */
void add_owner(struct yk_object *object, const char *kind);
/* Adds a taint to the node. */
void add_taint(struct yk_k8s_node *node, const char *key, const char *value, const char *effect);
/* Adds a scheduling gate. */
void add_gate(struct yk_pod *pod, const char *name);
/* Adds a host port to a container of the pod. `protocol`, `ip`: NULL: absent. */
void add_port(struct yk_pod *pod, struct yk_container *container, int32_t host_port, const char *protocol,
              const char *ip);
/* Adds a required term of pod affinity without selectors, which the caller fills. */
struct yk_pod_affinity_term *add_affinity_term(struct yk_pod *pod, const char *topology_key);
/* Like add_affinity_term() for anti-affinity. */
struct yk_pod_affinity_term *add_anti_affinity_term(struct yk_pod *pod, const char *topology_key);
/* Adds a spread constraint with DoNotSchedule and without a selector, which the caller fills. */
struct yk_spread_constraint *add_spread(struct yk_pod *pod, const char *topology_key, int32_t max_skew);
/* Adds a requirement to a label selector of the pod. `values`: separated by commas; NULL: none. */
void add_selector_line(struct yk_pod *pod, struct yk_label_selector *selector, const char *key,
                       const char *operator_, const char *values);
/* Adds a text to a list of the object, which has `*count` texts. */
void add_text(struct yk_object *object, struct yk_str **texts, uint32_t *count, const char *text);

#endif
