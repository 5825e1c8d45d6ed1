/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings and use of the queues of a core, and its reserved nodes, as plain values for the samples of a
 * simulation. Amounts are in base units.
 *
 * Owns:   arrays, texts and vectors.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_CORE_VIEW_H
#define YK_CMD_CORE_VIEW_H

#include "base/base.h"
#include "resources/resvec.h"

struct yk_core;

/* The order of the applications in a leaf. */
enum yk_view_order { YK_VIEW_FIFO, YK_VIEW_FAIR, YK_VIEW_STATEAWARE };

struct yk_queue_view {
    char *path;    /* "root.a.b"; owned */
    size_t parent; /* index in yk_core_view.queues; the root has its own index */
    bool is_leaf;
    /* Settings. */
    bool has_guaranteed, has_max;     /* if false, the vector below is empty */
    struct yk_resvec guaranteed, max; /* the maximum of the root is the capacity of the nodes */
    /* `priority_sort`: its children or applications are sorted by priority first. `priority_fence`: its
     * parent sees `priority_offset` instead of priorities below it. */
    bool priority_sort, priority_fence;
    int32_t priority_offset; /* added to priorities below it */
    enum yk_view_order order;
    /* State. */
    struct yk_resvec used, pending; /* `used`: by allocations; `pending`: by asks that wait */
    /* For a leaf: free amounts on nodes whose oldest reservation is for one of its asks, without the resource
     * type "pods". */
    struct yk_resvec reserved;
    double share; /* the number by which the core compares queues (queues.md M20) */
};

/* A node with reservations. */
struct yk_reserved_view {
    char *node;                 /* its name; owned */
    struct yk_resvec available; /* its free amounts above 0, without the resource type "pods" */
};

struct yk_core_view {
    struct yk_queue_view *queues; /* owned; parents before children, the root first */
    size_t count;
    struct yk_reserved_view *reserved; /* owned */
    size_t reserved_count;
};

/* Sets `*ret`, which needs no initialisation, to the queues of the first partition as they are now; without a
 * partition, it is empty. The caller ends it with yk_core_view_done(). O(queues * (queues + nodes with
 * reservations) + nodes). */
void yk_core_view_take(const struct yk_core *core, struct yk_core_view *ret);
void yk_core_view_done(struct yk_core_view *view);

#endif
