/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes: scheduling class and size of an ask, which decide where it may run. Asks with the same shape share
 * it, so that nodes are searched once per shape and not once per ask.
 *
 * A class keeps the set of nodes that pass its fixed constraints. A shape for which no node was found is
 * parked until an event could help (pending/parked.h).
 *
 * Owns:   classes and shapes, counted by the groups of asks that use them.
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

struct yk_class {
    YK_OWNED_BY(objects) struct {
        yk_si_class number;
        struct yk_list shapes; /* struct yk_shape, by in_class */
        struct yk_list in_table;
    };
    YK_OWNED_BY(state) struct {    /* state/node_search.h */
        bool filled;               /* `feasible` has been computed */
        struct yk_bitset feasible; /* node index: satisfies the fixed constraints */
    };
    YK_OWNED_BY(partition) struct {
        bool tolerates_drain; /* its asks may use nodes that drain */
    };
    YK_OWNED_BY(policies) struct {
        uint32_t impatience; /* how often its limit of failed checks was halved (policies/node_order.c) */
    };
};

struct yk_shape {
    YK_OWNED_BY(objects) struct {
        struct yk_class *class_; /* NULL: every node */
        struct yk_resvec size;
        uint32_t groups_count;   /* groups that refer to it */
        bool parked;             /* no node takes it; see yk_shape_set_parked() */
        struct yk_list groups;   /* struct yk_group, by in_shape */
        struct yk_list in_table; /* yk_shapes.parked or yk_shapes.open */
        struct yk_list in_class; /* linked: it has a class */
        struct yk_shape *same_hash;
        uint64_t hash;
    };
    YK_OWNED_BY(pending) struct {
        uint32_t waiting_count;  /* groups in the order of what waits for nodes (pending/wait_order.h) */
        struct yk_list in_retry; /* of the partition: a node that was not checked may take it */
    };
    YK_OWNED_BY(reservation) struct {
        uint64_t retry_sequence;     /* of the partition, at the last such attempt; UINT64_MAX: none */
        uint64_t no_candidate_epoch; /* of the partition, when no node was found to reserve; 0: never */
    };
};

/* Written by: objects. */
struct yk_shapes {
    struct yk_idmap classes;     /* number + 1 -> struct yk_class */
    struct yk_list class_list;   /* struct yk_class, by in_table; in order of arrival */
    struct yk_idmap by_hash;     /* -> first struct yk_shape of a chain */
    struct yk_list open, parked; /* struct yk_shape, by in_table */
    uint32_t count, parked_count;
};

/* Makes an empty set of shapes. */
void yk_shapes_init(struct yk_shapes *shapes);
/* Empties `shapes`. All shapes were put back: no group refers to one. */
void yk_shapes_done(struct yk_shapes *shapes);
/* The shape for `scheduling_class` and `size`, made if new; give it back with yk_shape_put() once per
 * call. */
struct yk_shape *yk_shape_get(struct yk_shapes *shapes, yk_si_class scheduling_class,
                              const struct yk_resvec *size);
/* Whether the shape has that class and size. */
bool yk_shape_is(const struct yk_shape *shape, yk_si_class scheduling_class, const struct yk_resvec *size);
/* Drops one reference; the last one frees the shape. */
void yk_shape_put(struct yk_shapes *shapes, struct yk_shape *shape);
/* The class with that number, borrowed until its last shape is freed; NULL: no shape has it. */
struct yk_class *yk_shapes_class(const struct yk_shapes *shapes, yk_si_class number);
/* Marks a shape as fitting nowhere, or open again. O(1). */
void yk_shape_set_parked(struct yk_shapes *shapes, struct yk_shape *shape, bool parked);

#endif
