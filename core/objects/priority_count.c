/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/priority_count.h"

void yk_priority_count_done(struct yk_priority_count *counts)
{
    free(counts->items);
    *counts = (struct yk_priority_count){0};
}

/* The index of `priority` in `items`, or the index at which it has to be inserted. */
static uint32_t place_of(const struct yk_priority_count *counts, int32_t priority)
{
    uint32_t low = 0, high = counts->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (counts->items[middle].priority > priority)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void yk_priority_count_add(struct yk_priority_count *counts, int32_t priority)
{
    if (priority == YK_PRIORITY_NONE)
        return;
    uint32_t at = place_of(counts, priority);
    if (at < counts->count && counts->items[at].priority == priority) {
        counts->items[at].count++;
        return;
    }
    if (counts->count == counts->capacity) {
        counts->capacity = counts->capacity > 0 ? counts->capacity * 2 : 2;
        counts->items = yk_realloc_array(counts->items, counts->capacity, sizeof(*counts->items));
    }
    memmove(counts->items + at + 1, counts->items + at, (counts->count - at) * sizeof(*counts->items));
    counts->items[at].priority = priority;
    counts->items[at].count = 1;
    counts->count++;
}

void yk_priority_count_remove(struct yk_priority_count *counts, int32_t priority)
{
    if (priority == YK_PRIORITY_NONE)
        return;
    uint32_t at = place_of(counts, priority);
    if (!YK_ASSERT(at < counts->count && counts->items[at].priority == priority) ||
        --counts->items[at].count > 0)
        return;
    counts->count--;
    memmove(counts->items + at, counts->items + at + 1, (counts->count - at) * sizeof(*counts->items));
}
