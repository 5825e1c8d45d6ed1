/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node: its capacity, and what is allocated on it.
 *
 * Owns: a node owns its attributes and vectors. Applications own its allocations; the partition owns foreign
 * ones.
 * Thread: scheduling thread only.
 * Invariant: available = total - the sum of its allocations, foreign ones included (docs/design.md,
 * Invariants 2). It may be negative, for example after the capacity became smaller.
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
    /* A search for nodes reads the first cache line of each node it visits, and most_free in the next
     * ones. */
    YK_OWNED_BY(policies) struct {    /* policies/node_order.h */
        struct yk_tree_link in_order; /* in the node order of the partition */
        double score;                 /* a lower one is tried first; ties by id */
    };
    YK_OWNED_BY(objects) struct {
        char *id; /* owned, fixed for life */
    };
    YK_OWNED_BY(partition) struct { /* partition/nodes.c */
        uint32_t index; /* in the partition's `nodes`; given to another node after this one was removed */
        bool schedulable;
        bool draining; /* not schedulable, except for asks that tolerate it */
        bool leaving;  /* being removed: takes no new allocations */
    };
    YK_OWNED_BY(policies) struct {
        uint32_t most_free_set; /* bit t is set if most_free[t] is not 0 */
    };
    YK_OWNED_BY(policies) struct {
        /* The largest free amount of each dense type in the subtree of this node. */
        _Alignas(YK_LINE_BYTES) int64_t most_free[YK_RESTYPE_DENSE];
        uint64_t most_free_others; /* bits of the other types in the subtree (yk_resvec_others()) */
    };
    /* Changed by decisions and node events, through the functions below. One cache line. */
    YK_OWNED_BY(objects) struct {
        /* The capacity in base units, without types whose amount is 0; shared (resources/shared.h). */
        _Alignas(YK_LINE_BYTES) const struct yk_resvec *total;
        struct yk_resvec *available; /* owned: `total` less all allocations; may be negative */
        struct yk_list allocations;  /* struct yk_ask, by in_node: those of applications */
        struct yk_list foreign;      /* struct yk_ask, by in_node: those of other schedulers */
        struct yk_resvec *nominated; /* owned: sum of sizes of asks nominated for this node; NULL: none */
        void *cookie;                /* of the resource manager; fixed for life */
    };
    YK_OWNED_BY(reservation) struct {
        /* struct yk_reservation, by in_node; a reserved node is in no node order. */
        struct yk_list reservations;
        struct yk_list in_ended; /* in the partition's reservation.ended_nodes: an allocation ended here */
        /* In the partition's reservation.unreserved_nodes: it lost its reservations, so waiting asks may have
         * to be woken for it. */
        struct yk_list in_unreserved;
        int64_t ended_mono_ns; /* last time that an allocation, not a foreign one, ended here; 0: never */
    };
    YK_OWNED_BY(partition) struct {
        /* Last time that yk_accounting_add_allocation() counted an allocation here; 0: never. */
        int64_t placed_mono_ns;
    };
    YK_OWNED_BY(pending) struct {
        /* In the partition's pending.freed_nodes: it may take an ask that waits (pending/freed_nodes.h). */
        struct yk_list in_freed;
        /* struct yk_shape, by in_looks: an ask of each would fit here if the node were empty. A shape is in the list
         * of one such node only (pending/impossible.h). */
        struct yk_list fitting_shapes;
    };
    /* Its place in the order of the nodes with its signature, or in the list of draining nodes
     * (policies/node_order.h). The fields most_free_of_signature... are like most_free... above. */
    YK_OWNED_BY(policies) struct {
        struct yk_tree_link in_signature;
        int64_t most_free_of_signature[YK_RESTYPE_DENSE];
        uint64_t most_free_of_signature_others;
        uint32_t most_free_of_signature_set;
        /* From the resource manager: nodes with the same number pass the same fixed constraints of each
         * class. */
        uint32_t signature;
        uint64_t free_others; /* yk_resvec_others() of `available` at the last update of the node order */
        struct yk_list in_draining;
    };
    YK_OWNED_BY(objects) struct {
        uint32_t allocation_count; /* length of `allocations` */
        struct yk_tags attributes; /* fixed for life */
    };
    /* gang_most: the available amounts plus those that incomplete gangs held here, at the count with the
     * number gang_epoch (gangs/gang_supply.h). */
    YK_OWNED_BY(gangs) struct {
        uint64_t gang_epoch;
        struct yk_resvec gang_most;
    };
};

/* Makes a node without allocations, in no node order. It is not schedulable and its index is 0: the caller
 * sets `index` and `schedulable`. `id`, `capacity` (base units) and the `attribute_count` `attributes` are
 * copied; types of `capacity` whose amount is 0 are left out. `attributes` may be NULL if there are none.
 * `cookie` belongs to the resource manager and may be NULL. The caller frees the node with yk_node_free(). */
struct yk_node *yk_node_new(const char *id, const struct yk_resvec *capacity,
                            const struct yk_si_tag *attributes, size_t attribute_count, void *cookie);
/* Frees the node, which has no allocations, foreign ones included, and no reservations, and is in no node
 * order and no list of the partition. NULL is fine. */
void yk_node_free(struct yk_node *node);
YK_DEFINE_FREEP(yk_node)

/* Whether `size` fits into the available amounts of the node. Nothing else is considered: neither
 * reservations, nominations and constraints, nor whether the node is schedulable. yk_node_takes()
 * (state/node_search.h) considers these, too. */
static inline bool yk_node_has_capacity(const struct yk_node *node, const struct yk_resvec *size)
{
    return yk_resvec_fit(node->available, size);
}
/* Adds an allocation of an application or a foreign one (YK_ASK_FOREIGN) to the node: sets `ask->node` and
 * lowers the available amounts by its size. The ask is on no node and no longer in group->asks. Does not
 * check the capacity. Like the other functions here, it does not update the node order and wakes nothing. A
 * step of yk_node_book(), which other modules call: that also calls yk_node_order_update() and
 * yk_preempt_node_changed(), and records an event. */
void yk_node_add_allocation(struct yk_node *node, struct yk_ask *ask);
/* Reverses yk_node_add_allocation(): sets `ask->node` to NULL and makes its amounts available. The ask is on
 * this node and still has its size. Other modules call yk_node_unbook(), which does the same as
 * yk_node_book() besides, and wakes asks. */
void yk_node_remove_allocation(struct yk_node *node, struct yk_ask *ask);
/* Call it when the size of an allocation on the node changes by `delta` (base units, may be negative):
 * subtracts `delta` from the available amounts. The caller changes the size itself, before or after, and also
 * calls yk_node_order_update(), yk_preempt_node_changed() and yk_wake_for_node(). A dry run subtracts and
 * adds whole sizes with it, and calls yk_node_order_update() and yk_preempt_node_tried(). */
void yk_node_resize_allocation(struct yk_node *node, const struct yk_resvec *delta);
/* A step of yk_reserve() with YK_RESERVE_PREEMPTION: adds `size` to node->nominated, for an ask of that size
 * that will start on this node when its victims have ended. `available` does not change. */
void yk_node_nominate(struct yk_node *node, const struct yk_resvec *size);
/* Whether victims of preemption, for any ask, are still to end on the node. O(allocations of the node). */
bool yk_node_has_victims(const struct yk_node *node);
/* Subtracts `size`, which yk_node_nominate() added, from node->nominated, when the reservation ends. */
void yk_node_end_nomination(struct yk_node *node, const struct yk_resvec *size);
/* Sets `ret_amounts` (initialised before) to the sum of the sizes of the allocations of applications, without
 * foreign ones, in base units. O(foreign allocations). */
void yk_node_allocated(const struct yk_node *node, struct yk_resvec *ret_amounts);
/* Sets `ret_amounts` (initialised before) to the sum of the sizes of foreign allocations (those of other
 * schedulers), in base units. O(foreign allocations). */
void yk_node_occupied(const struct yk_node *node, struct yk_resvec *ret_amounts);
/* Replaces the capacity by a copy of `capacity`, in base units, and changes the available amounts by the
 * difference. Allocations stay, even if they no longer fit. May free the old `node->total`, so the caller
 * copies it before if it needs it. The caller also changes the maximum of the root queue, and wakes what may
 * use the node now (yk_wake_for_node() says what it calls before). A step of yk_partition_update_node(),
 * which other modules call. */
void yk_node_set_capacity(struct yk_node *node, const struct yk_resvec *capacity);

#endif
