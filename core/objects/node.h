/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node: its capacity, and what is allocated on it.
 *
 * Owns: its attributes and vectors. Its allocations belong to applications, foreign ones to the partition.
 * Thread: scheduling thread only.
 * Invariant: available = total - the sum of its allocations (docs/design.md, Invariants 2); negative after a
 * node shrank.
 * Source: docs/reference/scheduling.md 2.7.
 */
#ifndef YK_OBJECTS_NODE_H
#define YK_OBJECTS_NODE_H

#include "base/list.h"
#include "base/owner.h"
#include "base/tree.h"
#include "objects/tags.h"
#include "resources/shared.h"

struct yk_ask;

struct yk_node {
    /* The first cache line is compared during a search, the next ones hold the summary. */
    YK_OWNED_BY(policies) struct { /* policies/node_order.h */
        struct yk_tree_link in_order;
        double score; /* lower is tried first; ties by id */
    };
    YK_OWNED_BY(objects) struct {
        char *id; /* owned, fixed for life */
    };
    YK_OWNED_BY(partition) struct { /* partition/nodes.c */
        uint32_t index;             /* dense: 0 .. nodes - 1, used again after removal */
        bool schedulable;
        bool draining; /* not schedulable, except for asks that tolerate it */
        bool leaving;  /* being removed: takes no new allocations */
    };
    YK_OWNED_BY(policies) struct {
        uint32_t most_free_set; /* bit t: most_free[t] is not 0 */
    };
    YK_OWNED_BY(policies) struct {
        /* The largest free amount of each dense type in the subtree of this node. All types are here, because a
         * type that few nodes have saves most of a search. */
        _Alignas(YK_LINE_BYTES) int64_t most_free[YK_RESTYPE_DENSE];
        uint64_t most_free_others; /* marks of the other types in the subtree (yk_resvec_others()) */
    };
    /* Changed by decisions and node events, through the functions below. One cache line. */
    YK_OWNED_BY(objects) struct {
        _Alignas(YK_LINE_BYTES) const struct yk_resvec *total; /* counted: resources/shared.h */
        struct yk_resvec *available;                           /* owned */
        struct yk_list allocations;  /* struct yk_ask, by in_node: those of applications */
        struct yk_list foreign;      /* struct yk_ask, by in_node: those of other schedulers */
        struct yk_resvec *nominated; /* owned: sizes of the asks for which victims end here; NULL: none */
        void *cookie;                /* the resource manager's; fixed for life */
    };
    YK_OWNED_BY(reservation) struct {
        struct yk_list
            reservations;        /* struct yk_reservation, by in_node; a reserved node is in no node order */
        struct yk_list in_ended; /* of the partition: an allocation ended here (make_reservation.h) */
        struct yk_list
            in_unreserved;     /* of the partition: lost its reservations, so waiting asks may be woken */
        int64_t ended_mono_ns; /* last time that an allocation ended here; 0: never */
    };
    YK_OWNED_BY(partition) struct {
        int64_t placed_mono_ns; /* last time that an allocation began here; 0: never */
    };
    YK_OWNED_BY(pending) struct {
        struct yk_list in_freed; /* of the partition: may take an ask that waits (pending/freed_nodes.h) */
    };
    /* Its place among the nodes with its signature, or among the draining ones (policies/node_order.h). */
    YK_OWNED_BY(policies) struct {
        struct yk_tree_link in_signature;
        int64_t most_free_of_signature[YK_RESTYPE_DENSE];
        uint64_t most_free_of_signature_others;
        uint32_t most_free_of_signature_set;
        uint32_t signature;   /* the resource manager's: nodes with the same one are equal for every class */
        uint64_t free_others; /* yk_resvec_others() of `available` at the last update of the node order */
        struct yk_list in_draining;
    };
    YK_OWNED_BY(objects) struct {
        uint32_t allocation_count;
        struct yk_tags attributes; /* fixed for life */
    };
    /* Available amounts plus those that incomplete gangs held, in the count `gang_epoch`
     * (gangs/gang_supply.h). */
    YK_OWNED_BY(gangs) struct {
        uint64_t gang_epoch;
        struct yk_resvec gang_most;
    };
};

/* Makes a node without allocations, in no node order. All arguments are copied; of `capacity` without types
 * whose amount is 0. `cookie` belongs to the resource manager. */
struct yk_node *yk_node_new(const char *id, const struct yk_resvec *capacity,
                            const struct yk_si_tag *attributes, size_t attribute_count, void *cookie);
/* Frees the node, which has no allocations and is in no node order. NULL is fine. */
void yk_node_free(struct yk_node *node);
YK_DEFINE_FREEP(yk_node)

/* Whether `size` fits into what is free now. */
static inline bool yk_node_has_capacity(const struct yk_node *node, const struct yk_resvec *size)
{
    return yk_resvec_fit(node->available, size);
}
/* Adds an allocation, ours or foreign, to the node: sets `ask->node` and lowers the available amounts. Does
 * not check the capacity and does not update the node order. */
void yk_node_add_allocation(struct yk_node *node, struct yk_ask *ask);
/* Takes back what yk_node_add_allocation() did; the amounts are free again. */
void yk_node_remove_allocation(struct yk_node *node, struct yk_ask *ask);
/* Changes the available amounts by the change `delta` (may be negative) of the size of an allocation. */
void yk_node_resize_allocation(struct yk_node *node, const struct yk_resvec *delta);
/* Adds `size` to the amounts that are nominated here: an ask of that size, for which victims end on this
 * node. `available` does not change. */
void yk_node_nominate(struct yk_node *node, const struct yk_resvec *size);
/* Takes back what yk_node_nominate() added. */
void yk_node_end_nomination(struct yk_node *node, const struct yk_resvec *size);
/* The sum of the sizes of the allocations of applications, without foreign ones, in base units; for REST and
 * metrics. `ret_amounts` is initialised and overwritten. O(foreign allocations). */
void yk_node_allocated(const struct yk_node *node, struct yk_resvec *ret_amounts);
/* The sum of the sizes of foreign allocations (those of other schedulers), in base units. `ret_amounts` is
 * initialised and overwritten. O(foreign allocations). */
void yk_node_occupied(const struct yk_node *node, struct yk_resvec *ret_amounts);
/* Replaces the capacity by a copy of `capacity`, in base units. Allocations stay, even if they no longer
 * fit. */
void yk_node_set_capacity(struct yk_node *node, const struct yk_resvec *capacity);

#endif
