/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topology: the domain of each node, for each topology key in use.
 *
 * Each known node has a *slot*: a number from 1, which is reused after the node is removed. A topology key in
 * use has a *column*: the domain of each node by slot, or 0 if the node lacks the label. A *domain* is a
 * value of the key that some node has. Domains are numbered from 1. The number of a domain is reused after
 * its last node has left.
 *
 * Only the pod index calls the functions that add, enter, leave and remove a node, because its counters are
 * by domain. Other modules report nodes with yk_classes_node_added() and the functions below it (classes.h).
 *
 * Owns:    columns and domains.
 * Borrows: nodes until yk_topology_remove(). It writes their slots.
 * Thread:  scheduling thread only.
 * Source:  docs/reference/predicates.md 7.3.
 */
#ifndef YK_PREDICATES_TOPOLOGY_H
#define YK_PREDICATES_TOPOLOGY_H

#include "cache/cache.h"

/* When a key is no longer used, its column is kept if there are at most this many columns at that time,
 * because a new column costs O(nodes). */
enum { YK_TOPOLOGY_KEYS_KEPT = 32 };

struct yk_domain {
    yk_name value;  /* counted */
    uint32_t nodes; /* number of nodes in the domain */
};

/* The column of a topology key. */
struct yk_topology_key {
    yk_name name;   /* counted */
    uint32_t users; /* references; 0: unused, but kept */
    bool is_hostname;
    uint32_t *domain_of;                    /* by slot; owned; NULL while no node has the key */
    uint32_t slots;                         /* capacity of domain_of */
    struct yk_domain *domains;              /* by number, from 1; owned */
    uint32_t domain_count, domain_capacity; /* numbers in use or free, including 0 */
    uint32_t *free_domains;                 /* owned */
    uint32_t free_count;
    struct yk_idmap by_value; /* name id -> domain number */
};

struct yk_topology {
    struct yk_vec keys;      /* struct yk_topology_key */
    struct yk_idmap by_name; /* struct yk_topology_key by name id */
    uint64_t generation;     /* number of columns that were made, except for the hostname; never decreases */
    struct yk_vec nodes;     /* by slot: struct yk_cache_node or NULL; [0] is NULL */
    struct yk_vec free_slots;
    yk_name hostname; /* "kubernetes.io/hostname", held; fixed for life */
};

/* Makes a topology without nodes and keys. */
void yk_topology_init(struct yk_topology *topology);
/* Frees the contents. All nodes were removed, and all references to keys were given back. */
void yk_topology_done(struct yk_topology *topology);

/* The column of the topology key `name`, with a reference, which the caller gives back with
 * yk_topology_unuse(). If there is no column, makes it from all nodes with a slot in O(nodes), and adds one
 * to `generation` unless the key is the hostname. */
struct yk_topology_key *yk_topology_use(struct yk_topology *topology, yk_name name);
/* Gives back a reference. After the last one, the column may be freed (YK_TOPOLOGY_KEYS_KEPT). */
void yk_topology_unuse(struct yk_topology *topology, struct yk_topology_key *key);

/* Gives a new node a slot (node->slot). The node has no domains until the caller calls yk_topology_enter(),
 * which it does next. */
void yk_topology_add(struct yk_topology *topology, struct yk_cache_node *node);
/* Takes the slot back: `node->slot` is 0. Call it after yk_topology_leave(), and before the node is freed. */
void yk_topology_remove(struct yk_topology *topology, struct yk_cache_node *node);
/* Adds the node, which has a slot and is in no domain, to the domains of its labels. */
void yk_topology_enter(struct yk_topology *topology, const struct yk_cache_node *node);
/* Removes the node from its domains. Before that, its pods must be removed from all counters by domain. After
 * a change of labels, call this, then yk_topology_enter(). */
void yk_topology_leave(struct yk_topology *topology, const struct yk_cache_node *node);

/* The domain of the node with that slot; 0: the node lacks the label. */
static inline uint32_t yk_domain_at(const struct yk_topology_key *key, uint32_t slot)
{
    return slot < key->slots ? key->domain_of[slot] : 0;
}

#endif
