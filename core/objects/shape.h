/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes: the scheduling class and the size of an ask, which together decide on which nodes it may run. Asks
 * with the same class and size share a shape, so that nodes are searched once per shape and not once per ask.
 *
 * A class keeps the set of nodes that pass its fixed constraints. A shape for which no node was found is
 * parked until an event could help (pending/parked.h).
 *
 * Owns:   struct yk_shapes owns classes and shapes. Each group of asks has a reference to its shape; the last
 *         one frees the shape, and the last shape of a class frees the class.
 * Thread: scheduling thread only.
 * Source: docs/design.md, "Performance"; docs/reference/predicates.md 7.
 */
#ifndef YK_OBJECTS_SHAPE_H
#define YK_OBJECTS_SHAPE_H

#include "base/bitset.h"
#include "base/list.h"
#include "base/map.h"
#include "base/owner.h"
#include "resources/resvec.h"
#include "si.h"

/* A scheduling class: asks with the same constraints. */
struct yk_class {
    YK_OWNED_BY(objects) struct {
        yk_si_class number;      /* from the resource manager */
        struct yk_list shapes;   /* struct yk_shape, by in_class */
        struct yk_list in_table; /* in yk_shapes.class_list */
    };
    YK_OWNED_BY(state) struct {    /* state/node_search.h */
        bool filled;               /* `feasible` has been computed */
        struct yk_bitset feasible; /* indexes of the nodes that satisfy the fixed constraints */
    };
    YK_OWNED_BY(partition) struct {
        bool tolerates_drain; /* its asks may use nodes that drain */
    };
    YK_OWNED_BY(policies) struct {
        uint32_t impatience; /* how many times its limit of refused nodes is halved (node_order.c) */
    };
};

/* The class and size of asks. */
struct yk_shape {
    YK_OWNED_BY(objects) struct {
        struct yk_class *class_;    /* NULL: its asks may use every node */
        struct yk_resvec size;      /* base units */
        uint32_t groups_count;      /* references: groups, and callers of yk_shape_get() */
        bool parked;                /* no node takes it; see yk_shape_set_parked() */
        struct yk_list groups;      /* struct yk_group, by in_shape */
        struct yk_list in_table;    /* yk_shapes.parked or yk_shapes.open */
        struct yk_list in_class;    /* in class_->shapes; not linked if `class_` is NULL */
        struct yk_shape *same_hash; /* the next shape with the same hash; NULL: none */
        uint64_t hash;              /* of class and size */
    };
    YK_OWNED_BY(pending) struct {
        uint32_t waiting_count; /* number of its groups that are in the order of pending/wait_order.h */
        /* In the partition's pending.retry_shapes: a node that was not checked may take it. */
        struct yk_list in_retry;
        /* In `fitting_shapes` of a node, or in a list of the partition's looks (pending/impossible.h). */
        struct yk_list in_looks;
        bool fits_nowhere; /* no node would have room for an ask if it were empty */
    };
    YK_OWNED_BY(reservation) struct {
        /* The partition's served_sequence at the last search for retry_shapes; UINT64_MAX: one is due. */
        uint64_t retry_sequence;
        /* The partition's reservation.candidates_epoch when no node was found to reserve; 0: never. */
        uint64_t no_candidate_epoch;
        int64_t placed_mono_ns; /* when an ask of it was last placed on a node; 0: never */
    };
};

/* All classes and shapes of a partition. Written by: objects. */
struct yk_shapes {
    struct yk_idmap classes;      /* number + 1 -> struct yk_class */
    struct yk_list class_list;    /* struct yk_class, by in_table; in order of arrival */
    struct yk_idmap by_hash;      /* hash -> the first struct yk_shape with it, linked by same_hash */
    struct yk_list open, parked;  /* struct yk_shape, by in_table */
    uint32_t count, parked_count; /* all shapes; parked ones */
};

/* Makes an empty set of shapes. */
void yk_shapes_init(struct yk_shapes *shapes);
/* Empties `shapes`. All references to its shapes were dropped before. */
void yk_shapes_done(struct yk_shapes *shapes);
/* Finds or makes the shape with `scheduling_class` (YK_SI_CLASS_ANY: no class) and `size` (base units,
 * copied). Adds one reference for the caller, who drops it with yk_shape_put(). A new shape is not parked. */
struct yk_shape *yk_shape_get(struct yk_shapes *shapes, yk_si_class scheduling_class,
                              const struct yk_resvec *size);
/* Whether the shape has that class and size. */
bool yk_shape_is(const struct yk_shape *shape, yk_si_class scheduling_class, const struct yk_resvec *size);
/* Drops one reference. The last one frees the shape, and its class if no other shape has it. */
void yk_shape_put(struct yk_shapes *shapes, struct yk_shape *shape);
/* The class with that number, borrowed until its last shape is freed; NULL: no shape has it. */
struct yk_class *yk_shapes_class(const struct yk_shapes *shapes, yk_si_class number);
/* Marks the shape as parked (no node takes it), or as not parked. Does not change what its groups wait for,
 * and wakes nothing. No effect if `parked` stays the same. Outside of core/pending, call yk_park_shape(), or
 * yk_freed_nodes_retry() if some node may take its asks now. O(1). */
void yk_shape_set_parked(struct yk_shapes *shapes, struct yk_shape *shape, bool parked);

#endif
