/* SPDX-License-Identifier: Apache-2.0 */
#include "state/turn.h"

#include "state/partition.h"

void yk_turn_order_changed(struct yk_partition *partition)
{
    partition->turn.order_changed = true;
}

void yk_turn_order_seen(struct yk_partition *partition)
{
    partition->turn.order_changed = false;
}

void yk_turn_note_long(struct yk_partition *partition)
{
    partition->turn.was_long = true;
}

void yk_turn_note_step(struct yk_partition *partition, bool is_step)
{
    partition->turn.was_step = is_step;
}

bool yk_turn_take_long(struct yk_partition *partition)
{
    bool was_long = partition->turn.was_long;
    partition->turn.was_long = false;
    return was_long;
}

bool yk_turn_take_step(struct yk_partition *partition)
{
    bool was_step = partition->turn.was_step;
    partition->turn.was_step = false;
    return was_step;
}
