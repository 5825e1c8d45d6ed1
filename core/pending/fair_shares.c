/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/fair_shares.h"

#include "pending/active.h"
#include "state/turn.h"

enum { STEP_QUEUES = 64 };

void yk_fair_shares_note(struct yk_partition *partition)
{
    partition->pending.shares_stale = true;
}

bool yk_fair_shares_are_fresh(const struct yk_partition *partition)
{
    return !partition->pending.shares_stale && partition->pending.shares_next == NULL;
}

void yk_fair_shares_forget(struct yk_partition *partition, const struct yk_queue *queue)
{
    if (partition->pending.shares_next == queue)
        partition->pending.shares_next = yk_queue_next(queue, partition->root);
}

bool yk_fair_shares_step(struct yk_partition *partition)
{
    if (yk_fair_shares_are_fresh(partition))
        return false;
    if (partition->pending.shares_next == NULL) {
        partition->pending.shares_stale = false;
        partition->pending.shares_next = partition->root;
    }
    for (int budget = STEP_QUEUES; budget > 0 && partition->pending.shares_next != NULL; budget--) {
        yk_active_update_fair_max(partition->pending.shares_next);
        partition->pending.shares_next = yk_queue_next(partition->pending.shares_next, partition->root);
    }
    yk_turn_note_step(partition, partition->pending.shares_next != NULL);
    return partition->pending.shares_next != NULL;
}
