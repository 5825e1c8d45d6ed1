/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topology: which domain of each topology key in use a node stands in.
 *
 * A key in use has a column: for each spot (the dense number of a known node) the domain, 0 when the node
 * lacks the key. A domain is a value of the key that some node has; its number is used again after its last
 * node. Owns: columns and domains. Borrows: nodes, which carry their spot. Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 7.3.
 */
#ifndef YK_PREDICATES_TOPOLOGY_H
#define YK_PREDICATES_TOPOLOGY_H

#include "cache/cache.h"

/* Keys that nobody uses any more are kept, up to so many in all: to take one into use looks at all nodes. */
enum { YK_TOPOLOGY_KEYS_KEPT = 32 };

struct yk_domain {
    yk_name value; /* counted */
    uint32_t nodes;
};

struct yk_topology_key {
    yk_name name; /* counted */
    uint32_t users;
    bool is_hostname;
    uint32_t *domain_of;                    /* by spot; owned; NULL while no node has the key */
    uint32_t slots;                         /* room in domain_of */
    struct yk_domain *domains;              /* by number, from 1; owned */
    uint32_t domain_count, domain_capacity; /* numbers given out so far, 0 included */
    uint32_t *free_domains;                 /* owned */
    uint32_t free_count;
    struct yk_idmap by_value; /* name id -> domain number */
};

struct yk_topology {
    struct yk_vec keys;      /* struct yk_topology_key */
    struct yk_idmap by_name; /* the same by name id */
    uint64_t generation; /* how often a key came into use by which nodes are told apart: not the hostname */
    struct yk_vec nodes; /* by spot: struct yk_cache_node or NULL; [0] is NULL */
    struct yk_vec free_slots;
    yk_name hostname;
};

void yk_topology_init(struct yk_topology *topology);
/* No node may be there any more, and nobody who uses a key. */
void yk_topology_done(struct yk_topology *topology);

/* The column of that key, counted. O(nodes) for a key that nobody used. */
struct yk_topology_key *yk_topology_use(struct yk_topology *topology, yk_name name);
void yk_topology_unuse(struct yk_topology *topology, struct yk_topology_key *key);

/* Gives the node a spot; it stands in no domain yet. */
void yk_topology_add(struct yk_topology *topology, struct yk_cache_node *node);
void yk_topology_remove(struct yk_topology *topology, struct yk_cache_node *node);
/* By its labels as they are. Nothing may be counted on the node meanwhile. */
void yk_topology_enter(struct yk_topology *topology, const struct yk_cache_node *node);
void yk_topology_leave(struct yk_topology *topology, const struct yk_cache_node *node);

/* 0: the node lacks the key. */
static inline uint32_t yk_domain_at(const struct yk_topology_key *key, uint32_t slot)
{
    return slot < key->slots ? key->domain_of[slot] : 0;
}

#endif
