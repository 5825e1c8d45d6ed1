/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scope: in which queues an ask may look for victims, and up to which priority.
 *
 * The *fence* is the first queue from the ask's leaf upwards that has the preemption policy fence, that lacks
 * headroom itself (victims outside of it could not help), or that is the root. Leaves below the fence are in
 * scope, except the ask's own. The priorities of ask and victim are compared in the first queue that is above
 * both, with the priority offsets of the queues below it added. A queue with the priority policy fence counts
 * with its offset alone, whatever the priorities below it are.
 *
 * Owns:   its arrays, which are used again.
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md, 6.1 step 3.
 */
#ifndef YK_PREEMPTION_SCOPE_H
#define YK_PREEMPTION_SCOPE_H

#include "objects/app.h"

/* Zeroed before its first use. */
struct yk_scope {
    struct yk_queue *leaf;  /* of the ask */
    struct yk_queue **path; /* owned; by depth: the queues from the root to the leaf */
    int64_t *priorities;  /* owned; by depth: priority of the ask in that queue, without the queue's offset */
    uint32_t capacity;    /* of both arrays */
    uint32_t fence_depth; /* depth of the fence */
};
void yk_scope_done(struct yk_scope *scope);
/* Sets `scope` for an ask of that size and priority in `leaf`. `leaf` and the queues above it are borrowed
 * until the next call. False: the leaf itself is the fence, so no queue is in scope. `scope` is set in both
 * cases. It is valid until amounts (except in a dry run, dry_run.h), limits, or settings of preemption or
 * priority of these queues change. O(depth * types). */
bool yk_scope_set(struct yk_scope *scope, struct yk_queue *leaf, const struct yk_resvec *size,
                  int32_t priority);
/* The first queue from `queue` upwards, `queue` included, that is on the ask's path. `queue` is in the same
 * tree. O(depth). */
const struct yk_queue *yk_scope_meet(const struct yk_scope *scope, const struct yk_queue *queue);
/* Whether the allocation of an application is in scope: its leaf is below the fence, is not the ask's own and
 * does not disable preemption, and its priority is not above the ask's. Does not check yk_victim_eligible().
 * O(depth). */
bool yk_scope_admits(const struct yk_scope *scope, const struct yk_ask *victim);

/*
 * Sets `ret_lack` to the amounts, per type, by which an ask of `size` would exceed the maximum of `queue`
 * alone, after all victims have ended and all nominated asks have started. `apart` (NULL: nothing) is
 * subtracted from the nominated amounts first. False: it would not exceed the maximum, and `ret_lack` is
 * empty. Always false for the root, whose maximum is no limit (scheduling.md 3.5). The caller asks for each
 * queue on the path of the ask.
 */
bool yk_queue_lacks(const struct yk_queue *queue, const struct yk_resvec *size, const struct yk_resvec *apart,
                    struct yk_resvec *ret_lack);

#endif
