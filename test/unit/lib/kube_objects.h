/* SPDX-License-Identifier: Apache-2.0 */
/* Typed objects for tests, built piece by piece in their own arenas. */
#ifndef TEST_LIB_KUBE_OBJECTS_H
#define TEST_LIB_KUBE_OBJECTS_H

#include "api/object.h"

/* uid "uid-<name>", resourceVersion `version`. */
struct yk_pod *make_pod(const char *namespace_, const char *name, const char *version);
/* Amounts as in add_amounts(); it has the label kubernetes.io/hostname. The caller frees each object with
 * yk_object_free(). */
struct yk_k8s_node *make_node(const char *name, const char *version, const char *allocatable);
/* A namespace without labels and annotations. */
struct yk_namespace *make_namespace(const char *name, const char *version);
/* A priority class of value 0. */
struct yk_priority_class *make_priority_class(const char *name, const char *version);
/* A ConfigMap without data; add_pair() adds some. */
struct yk_config_map *make_config_map(const char *namespace_, const char *name, const char *version);

/* Sets a text field of the object; the text is copied. */
void set_text(struct yk_object *object, struct yk_str *field, const char *text);
/* Adds a label, annotation or datum; the texts are copied. */
void add_pair(struct yk_object *object, struct yk_pairs *pairs, const char *key, const char *value);
/* "cpu=500m memory=1Gi" */
void add_amounts(struct yk_object *object, struct yk_amounts *amounts, const char *list);
/* Adds a container with these requests, as in add_amounts(); NULL: none. */
struct yk_container *add_container(struct yk_pod *pod, const char *name, const char *requests);
/* `policy` NULL or "Always". */
struct yk_container *add_init_container(struct yk_pod *pod, const char *name, const char *requests,
                                        const char *policy);
/* Adds the status of a container: allocatedResources and, unless NULL, resources.requests. */
struct yk_container_status *add_status(struct yk_pod *pod, const char *name, const char *allocated,
                                       const char *actual);
/* Adds a condition without status. */
void add_condition(struct yk_pod *pod, const char *type, const char *reason);
/* NULL: the field is absent. */
void add_toleration(struct yk_pod *pod, const char *key, const char *operator_, const char *value,
                    const char *effect);
/* A new term when `term` is the count of those there are; `values` separated by commas, NULL: none. */
void add_expression(struct yk_pod *pod, uint32_t term, const char *key, const char *operator_,
                    const char *values);
/* Like add_expression() for matchFields. */
void add_field(struct yk_pod *pod, uint32_t term, const char *key, const char *operator_, const char *values);
/* Adds an owner reference that has a kind only. */
void add_owner(struct yk_object *object, const char *kind);
/* Adds a taint to the node. */
void add_taint(struct yk_k8s_node *node, const char *key, const char *value, const char *effect);
/* Adds a scheduling gate. */
void add_gate(struct yk_pod *pod, const char *name);
/* `protocol`, `ip` NULL: absent. */
void add_port(struct yk_pod *pod, struct yk_container *container, int32_t host_port, const char *protocol,
              const char *ip);
/* An affinity or anti-affinity term without selectors: fill what it returns. */
struct yk_pod_affinity_term *add_affinity_term(struct yk_pod *pod, const char *topology_key);
/* The same for anti-affinity. */
struct yk_pod_affinity_term *add_anti_affinity_term(struct yk_pod *pod, const char *topology_key);
/* A constraint DoNotSchedule without selector: fill what it returns. */
struct yk_spread_constraint *add_spread(struct yk_pod *pod, const char *topology_key, int32_t max_skew);
/* One line of a label selector; `values` separated by commas, NULL: none. */
void add_selector_line(struct yk_pod *pod, struct yk_label_selector *selector, const char *key,
                       const char *operator_, const char *values);
/* One more text of a list. */
void add_text(struct yk_object *object, struct yk_str **texts, uint32_t *count, const char *text);

#endif
