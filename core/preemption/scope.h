/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scope: where an ask may look for victims, and up to which priority. The fence is the lowest queue on the
 * ask's path that has the preemption policy fence, or lacks headroom itself (victims elsewhere could not
 * help), or is the root; only other leaves below it are in scope. Priorities are compared where the two paths
 * meet, with the offsets of the queues on the way; what is below a priority fence counts as a whole.
 *
 * Owns: its arrays, which are used again.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 step 3.
 */
#ifndef YK_PREEMPTION_SCOPE_H
#define YK_PREEMPTION_SCOPE_H

#include "objects/app.h"

struct yk_scope {
    struct yk_queue *leaf;  /* of the ask */
    struct yk_queue **path; /* by depth, root first; owned */
    int64_t *priorities;    /* the ask's as seen there, without the queue's own offset; by depth; owned */
    uint32_t capacity, fence_depth;
};
void yk_scope_done(struct yk_scope *scope);
/* Sets the scope of an ask of that size and priority in `leaf`, which is borrowed until the next call.
 * `scope` is zeroed before its first use. False: the leaf itself is the fence, no queue is in scope. O(depth
 * * types). */
bool yk_scope_set(struct yk_scope *scope, struct yk_queue *leaf, const struct yk_resvec *size,
                  int32_t priority);
/* The nearest queue on the ask's path that `queue` is below, or is. O(depth). */
const struct yk_queue *yk_scope_meet(const struct yk_scope *scope, const struct yk_queue *queue);
/* Whether the allocation is in scope: its queue may be preempted, its priority is not above the ask's.
 * O(depth). */
bool yk_scope_admits(const struct yk_scope *scope, const struct yk_ask *victim);

/*
 * Sets `ret_lack` to what the maximum of `queue` lacks for `size` once all victims have ended and all
 * nominated asks have started. `apart` (NULL: nothing) is subtracted from the nominated amounts. False: it
 * lacks nothing, and `ret_lack` is empty; always for the root, whose maximum is no limit (scheduling.md 3.5).
 */
bool yk_queue_lacks(const struct yk_queue *queue, const struct yk_resvec *size, const struct yk_resvec *apart,
                    struct yk_resvec *ret_lack);

#endif
