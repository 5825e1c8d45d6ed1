/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/counts.h"

enum { FIRST_SLOTS = 4 };

void yk_counts_done(struct yk_counts *counts)
{
    free(counts->slots);
    *counts = (struct yk_counts){.slots = NULL};
}

static struct yk_count *slot_of(const struct yk_counts *counts, uint32_t key)
{
    uint32_t at = yk_counts_slot(counts, key);
    while (counts->slots[at].value != 0 && counts->slots[at].key != key)
        at = (at + 1) & counts->mask;
    return &counts->slots[at];
}

/* At most three quarters full. */
static void make_room(struct yk_counts *counts)
{
    uint32_t size = counts->slots == NULL ? 0 : counts->mask + 1;
    if (size > 0 && counts->used < size / 4 * 3)
        return;
    struct yk_counts wider = {.used = counts->used, .mask = (size == 0 ? FIRST_SLOTS : size * 2) - 1};
    wider.slots = yk_new0_array(struct yk_count, (size_t)wider.mask + 1);
    for (uint32_t i = 0; i < size; i++) {
        if (counts->slots[i].value != 0)
            *slot_of(&wider, counts->slots[i].key) = counts->slots[i];
    }
    free(counts->slots);
    *counts = wider;
}

/* What follows moves up, unless it stands where it belongs. */
static void free_slot(struct yk_counts *counts, uint32_t hole)
{
    for (uint32_t at = (hole + 1) & counts->mask; counts->slots[at].value != 0;
         at = (at + 1) & counts->mask) {
        uint32_t home = yk_counts_slot(counts, counts->slots[at].key);
        if (((at - home) & counts->mask) < ((at - hole) & counts->mask))
            continue;
        counts->slots[hole] = counts->slots[at];
        hole = at;
    }
    counts->slots[hole].value = 0;
    counts->used--;
}

uint32_t yk_counts_add(struct yk_counts *counts, uint32_t key, int change)
{
    if (change == 0)
        return yk_counts_get(counts, key);
    if (change > 0)
        make_room(counts);
    else if (!YK_ASSERT(yk_counts_get(counts, key) >= (uint32_t)-change))
        return 0;
    struct yk_count *slot = slot_of(counts, key);
    bool is_new = slot->value == 0;
    slot->key = key;
    slot->value += (uint32_t)change;
    uint32_t now = slot->value;
    counts->used += is_new;
    if (now == 0)
        free_slot(counts, (uint32_t)(slot - counts->slots));
    return now;
}
