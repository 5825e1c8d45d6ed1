/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/fair_shares.h"

#include "pending/active.h"

enum { STEP_QUEUES = 64 };

void yk_fair_shares_note(struct yk_partition *partition)
{
    partition->shares_stale = true;
}

bool yk_fair_shares_are_fresh(const struct yk_partition *partition)
{
    return !partition->shares_stale && partition->shares_next == NULL;
}

void yk_fair_shares_forget(struct yk_partition *partition, const struct yk_queue *queue)
{
    if (partition->shares_next == queue)
        partition->shares_next = yk_queue_next(queue, partition->root);
}

bool yk_fair_shares_step(struct yk_partition *partition)
{
    if (yk_fair_shares_are_fresh(partition))
        return false;
    if (partition->shares_next == NULL) {
        partition->shares_stale = false;
        partition->shares_next = partition->root;
    }
    for (int budget = STEP_QUEUES; budget > 0 && partition->shares_next != NULL; budget--) {
        yk_active_update_fair_max(partition->shares_next);
        partition->shares_next = yk_queue_next(partition->shares_next, partition->root);
    }
    partition->turn_was_step = partition->shares_next != NULL;
    return partition->shares_next != NULL;
}
