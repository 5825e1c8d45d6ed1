/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queues of a core as plain values, for the samples of a simulation: settings, and what is in use.
 *
 * Apart from core and cluster, whose headers cannot be included together.
 * Owns:   the array and its texts.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_CORE_VIEW_H
#define YK_CMD_CORE_VIEW_H

#include "base/base.h"
#include "resources/resvec.h"

struct yk_core;

enum yk_view_order { YK_VIEW_FIFO, YK_VIEW_FAIR, YK_VIEW_STATEAWARE }; /* of the applications in a leaf */

struct yk_queue_view {
    char *path;    /* owned */
    size_t parent; /* index; of a root: its own */
    bool is_leaf;
    /* Settings. */
    bool has_guaranteed, has_max;
    struct yk_resvec guaranteed, max; /* the root's maximum is what the nodes have */
    bool priority_sort, priority_fence;
    int32_t priority_offset;
    enum yk_view_order order;
    /* State. */
    struct yk_resvec used, pending;
    struct yk_resvec reserved; /* of a leaf: free on nodes whose oldest reservation is for an ask of it */
    double share;              /* fair share in use, as the core compares it (queues.md M20) */
};

struct yk_core_view {
    struct yk_queue_view *queues; /* owned; parents before children */
    size_t count;
};

/* Fills `*ret` with the queues of the first partition as they are now. The caller ends it with
 * yk_core_view_done(). O(queues + nodes). */
void yk_core_view_take(const struct yk_core *core, struct yk_core_view *ret);
void yk_core_view_done(struct yk_core_view *view);

#endif
