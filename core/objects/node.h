/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node: its capacity, and what is allocated on it.
 *
 * Owns:      its attributes and vectors. Its allocations belong to applications, foreign ones to the
 * partition. Thread:    scheduling thread only. Invariant: available = total - the sum of its allocations
 * (docs/design.md, Invariants 2); negative after a node shrank. Source:    docs/reference/scheduling.md 2.7.
 */
#ifndef YK_OBJECTS_NODE_H
#define YK_OBJECTS_NODE_H

#include "base/list.h"
#include "base/tree.h"
#include "objects/tags.h"
#include "resources/shared.h"

struct yk_ask;

struct yk_node {
    /* The node order (policies/node_order.h) writes these. One cache line is compared, one summarised. */
    struct yk_tree_link in_order;
    double score;   /* lower is tried first; ties by id */
    char *id;       /* owned, fixed for life */
    uint32_t index; /* dense: 0 .. nodes - 1, used again after removal */
    bool schedulable;
    bool draining;          /* not schedulable, but for asks that tolerate it */
    bool leaving;           /* being removed: takes no new allocations */
    uint32_t most_free_set; /* bit t: of most_free, the others are 0 */
    /* The largest free amount of each dense type below this node; none: 0. All of them: a scarce one, which
     * few nodes have, is the one that saves most of a search. Amounts that no node has are never touched. */
    _Alignas(YK_LINE_BYTES) int64_t most_free[YK_RESTYPE_DENSE];
    uint64_t most_free_others; /* marks of the other types that a node below has (yk_resvec_others()) */
    /* Changes with each decision or node event, only through the functions below; or what these look at. */
    _Alignas(YK_LINE_BYTES) const struct yk_resvec *total; /* counted: resources/shared.h */
    struct yk_resvec *available; /* owned, and cut short: copied with yk_resvec_copy(), read like any other */
    struct yk_list allocations;  /* struct yk_ask, by in_node: ours */
    struct yk_list
        reservations; /* struct yk_reservation, by in_node: while there are any, it stands in no order */
    uint32_t allocation_count;
    uint32_t signature;      /* the resource manager's: nodes with the same one are equal for every class */
    void *cookie;            /* the resource manager's; fixed for life */
    uint8_t available_slots; /* for how many types `available` has room */
    struct yk_resvec
        *nominated;          /* sizes of the asks for which others end here; owned; NULL: there are none */
    struct yk_list foreign;  /* struct yk_ask, by in_node: pods of others */
    struct yk_list in_freed; /* of the partition: may take an ask that waits (pending/freed_nodes.h) */
    struct yk_list in_ended; /* of the partition: something ended here (reservation/make_reservation.h) */
    int64_t placed_mono_ns, ended_mono_ns; /* when something was placed here, or ended here, last; 0: never */
    struct yk_list
        in_unreserved; /* of the partition: has lost its reservations, others may be woken for it */
    /* The node order writes these, too: its place among the nodes of its signature, or among those that
     * drain. */
    struct yk_tree_link in_signature;
    int64_t most_free_of_signature[YK_RESTYPE_DENSE];
    uint64_t most_free_of_signature_others;
    uint32_t most_free_of_signature_set;
    uint64_t free_others; /* yk_resvec_others() of `available`, as the order knows it */
    struct yk_list in_draining;
    /* Fixed for life. */
    struct yk_tags attributes;
    /* What was available, and what incomplete gangs held, in that count (gangs/gang_supply.h). */
    uint64_t gang_epoch;
    struct yk_resvec gang_most;
};

/* `capacity` is copied without its zero types. */
struct yk_node *yk_node_new(const char *id, const struct yk_resvec *capacity,
                            const struct yk_si_tag *attributes, size_t attribute_count, void *cookie);
/* The node must hold nothing and stand in no order. NULL is fine. */
void yk_node_free(struct yk_node *node);
YK_DEFINE_FREEP(yk_node)

/* Whether `size` fits into what is free now. */
static inline bool yk_node_has_capacity(const struct yk_node *node, const struct yk_resvec *size)
{
    return yk_resvec_fit(node->available, size);
}
/* Puts an allocation on the node without asking for room. */
void yk_node_add_allocation(struct yk_node *node, struct yk_ask *ask);
/* Takes back what yk_node_add_allocation() did; the amounts are free again. */
void yk_node_remove_allocation(struct yk_node *node, struct yk_ask *ask);
/* Books a changed size of something on the node: `delta` may be negative. */
void yk_node_resize_allocation(struct yk_node *node, const struct yk_resvec *delta);
/*
 * Counts, or counts no longer, a pending ask of `size` as nominated: others were preempted so that it can run
 * here. `available` does not change.
 */
void yk_node_nominate(struct yk_node *node, const struct yk_resvec *size);
/* Takes back what yk_node_nominate() added. */
void yk_node_end_nomination(struct yk_node *node, const struct yk_resvec *size);
/* What our pods have, and those of others: for who looks, not for decisions. O(pods of others). */
void yk_node_allocated(const struct yk_node *node, struct yk_resvec *ret_amounts);
/* The amounts of pods that are not ours. */
void yk_node_occupied(const struct yk_node *node, struct yk_resvec *ret_amounts);
/* Replaces the capacity. Allocations stay, even if they no longer fit. */
void yk_node_set_capacity(struct yk_node *node, const struct yk_resvec *capacity);

#endif
