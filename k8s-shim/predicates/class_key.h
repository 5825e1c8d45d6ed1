/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The canonical form of the constraints of a scheduling class. Pods with the same bytes have equivalent
 * tolerations, node names, node selectors, required and preferred node affinity, needed features, host ports,
 * required pod affinity and anti-affinity terms, hard spread constraints and volumes. The bytes do not depend
 * on order and repetition, with two exceptions. Order and repetition matter for spread constraints and
 * volumes. Repetition matters for preferred terms of the node affinity, because each one adds its weight.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 7.1.
 */
#ifndef YK_PREDICATES_CLASS_KEY_H
#define YK_PREDICATES_CLASS_KEY_H

#include "api/object.h"

/* Scratch memory that is reused for each pod. All zero at first. The caller may read `bytes` and append to
 * it; the rest is private. */
struct yk_class_key {
    struct yk_buf bytes; /* the result, valid until the next call with this key */
    struct yk_buf spare;
    struct part *parts; /* owned */
    size_t part_count, part_capacity;
};

void yk_class_key_done(struct yk_class_key *key);
/* Replaces `key->bytes` by the canonical form of the constraints of `pod`. */
void yk_class_key_make(struct yk_class_key *key, const struct yk_pod *pod);

/* Empties `key->bytes`. The functions below then append parts, to make the key of a record that pods share.
 * Not needed before yk_class_key_make(). If one table has keys of several kinds, the caller appends the kind
 * to `key->bytes` before it calls these functions. */
void yk_class_key_begin(struct yk_class_key *key);
/* Appends a term of pod affinity. `owner_namespace`: the namespace of its pod, which a term with neither
 * namespaces nor a namespaceSelector selects. */
void yk_class_key_term(struct yk_class_key *key, const struct yk_pod_affinity_term *term,
                       struct yk_str owner_namespace);
/* Appends `count` terms of pod affinity. Their order does not matter: equal sets give equal bytes. */
void yk_class_key_terms(struct yk_class_key *key, const struct yk_pod_affinity_term *terms, uint32_t count,
                        struct yk_str owner_namespace);
/* Appends what decides which pods a spread constraint counts, and its topology key. Its skew, its minimum of
 * domains and its node inclusion policies are left out. `namespace_` and `labels`: of the pod that has the
 * constraint. */
void yk_class_key_spread_selector(struct yk_class_key *key, const struct yk_spread_constraint *constraint,
                                  struct yk_str namespace_, const struct yk_pairs *labels);
/* Appends what decides on which nodes `constraint`, a spread constraint of `pod`, counts pods. */
void yk_class_key_spread_nodes(struct yk_class_key *key, const struct yk_pod *pod,
                               const struct yk_spread_constraint *constraint);
/* Appends the protocol, address and number of a host port. */
void yk_class_key_port(struct yk_class_key *key, const struct yk_container_port *port);
/* Appends the host ports of the pod's containers and sidecars, sorted and each only once. */
void yk_class_key_ports(struct yk_class_key *key, const struct yk_pod *pod);
/* Appends the text, with its length. */
void yk_class_key_text(struct yk_class_key *key, struct yk_str text);

/* The protocol of the port, "TCP" if the port names none. Borrowed from the port, or static. */
static inline struct yk_str yk_port_protocol(const struct yk_container_port *port)
{
    return yk_str_empty(port->protocol) ? YK_STR("TCP") : port->protocol;
}
/* The address of the port, "0.0.0.0" if the port names none. Borrowed from the port, or static. */
static inline struct yk_str yk_port_ip(const struct yk_container_port *port)
{
    return yk_str_empty(port->host_ip) ? YK_STR("0.0.0.0") : port->host_ip;
}
/* Whether the constraint refuses nodes that violate it (DoNotSchedule). */
static inline bool yk_spread_is_hard(const struct yk_spread_constraint *constraint)
{
    return yk_str_is(constraint->when_unsatisfiable, "DoNotSchedule");
}
/* Whether the constraint counts pods only on nodes that the pod's node selector and affinity allow. */
static inline bool yk_spread_honors_affinity(const struct yk_spread_constraint *constraint)
{
    return yk_str_empty(constraint->node_affinity_policy) ||
           yk_str_is(constraint->node_affinity_policy, "Honor");
}
/* Whether the constraint counts pods only on nodes whose taints the pod tolerates. */
static inline bool yk_spread_honors_taints(const struct yk_spread_constraint *constraint)
{
    return yk_str_is(constraint->node_taints_policy, "Honor");
}

#endif
