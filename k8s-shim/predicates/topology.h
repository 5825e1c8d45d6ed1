/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topology: the domain of each node, for each topology key in use.
 *
 * A key in use has a column: the domain of each node, by the slot of the node (a dense number of known
 * nodes), or 0 if the node lacks the key. A domain is a value of the key that some node has. Its number is
 * reused after its last node is gone.
 *
 * Owns:    columns and domains.
 * Borrows: nodes, which store their slot.
 * Thread:  scheduling thread only.
 * Source:  docs/reference/predicates.md 7.3.
 */
#ifndef YK_PREDICATES_TOPOLOGY_H
#define YK_PREDICATES_TOPOLOGY_H

#include "cache/cache.h"

/* Unused keys are kept, up to this many keys in all: taking a key into use costs O(nodes). */
enum { YK_TOPOLOGY_KEYS_KEPT = 32 };

struct yk_domain {
    yk_name value; /* counted */
    uint32_t nodes;
};

struct yk_topology_key {
    yk_name name; /* counted */
    uint32_t users;
    bool is_hostname;
    uint32_t *domain_of;                    /* by slot; owned; NULL while no node has the key */
    uint32_t slots;                         /* capacity of domain_of */
    struct yk_domain *domains;              /* by number, from 1; owned */
    uint32_t domain_count, domain_capacity; /* numbers in use or free, 0 included */
    uint32_t *free_domains;                 /* owned */
    uint32_t free_count;
    struct yk_idmap by_value; /* name id -> domain number */
};

struct yk_topology {
    struct yk_vec keys;      /* struct yk_topology_key */
    struct yk_idmap by_name; /* the same by name id */
    uint64_t generation; /* number of keys taken into use that are part of signatures: all but the hostname */
    struct yk_vec nodes; /* by slot: struct yk_cache_node or NULL; [0] is NULL */
    struct yk_vec free_slots;
    yk_name hostname; /* "kubernetes.io/hostname", held; fixed for life */
};

/* Makes a topology without nodes and keys. */
void yk_topology_init(struct yk_topology *topology);
/* Frees it. No node is left, and no key is in use. */
void yk_topology_done(struct yk_topology *topology);

/* The column of that key, made if there is none, with a reference for the caller. O(nodes) for a key that was
 * not in use. */
struct yk_topology_key *yk_topology_use(struct yk_topology *topology, yk_name name);
/* Gives back what yk_topology_use() took. */
void yk_topology_unuse(struct yk_topology *topology, struct yk_topology_key *key);

/* Gives the node a slot. It has no domains yet. */
void yk_topology_add(struct yk_topology *topology, struct yk_cache_node *node);
/* Takes the slot of the node back; call it before the node is freed, and after yk_topology_leave(). */
void yk_topology_remove(struct yk_topology *topology, struct yk_cache_node *node);
/* Adds the node, which has a slot, to its domains by its present labels. */
void yk_topology_enter(struct yk_topology *topology, const struct yk_cache_node *node);
/* Removes the node from its domains. Call it before its labels change; no pod on it may be counted then. */
void yk_topology_leave(struct yk_topology *topology, const struct yk_cache_node *node);

/* The domain of the node in that slot; 0: the node lacks the key. */
static inline uint32_t yk_domain_at(const struct yk_topology_key *key, uint32_t slot)
{
    return slot < key->slots ? key->domain_of[slot] : 0;
}

#endif
