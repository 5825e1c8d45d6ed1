/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary heap of intrusive entries; the smallest comes first. Insert, remove and update O(log n), first O(1).
 * `before` must be total (end it in a unique tie-breaker), so that equal entries leave in a fixed order.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_BASE_HEAP_H
#define YK_BASE_HEAP_H

#include "base/base.h"

struct yk_heap_entry {
    size_t place; /* 1 + index in the heap; 0: not in a heap */
};

struct yk_heap {
    struct yk_heap_entry **entries; /* owned array of borrowed entries */
    size_t count;
    size_t capacity;
    /* Written by: its holder, before the first insert. */
    bool (*before)(const struct yk_heap_entry *a, const struct yk_heap_entry *b);
};

void yk_heap_done(struct yk_heap *heap);
/* Adds the entry, which is in no heap and is borrowed until it is removed. O(log n). */
void yk_heap_insert(struct yk_heap *heap, struct yk_heap_entry *entry);
/* Removes the entry; no effect if it is not in the heap. O(log n). */
void yk_heap_remove(struct yk_heap *heap, struct yk_heap_entry *entry);
/* The smallest entry, borrowed; NULL if the heap is empty. O(1). */
static inline struct yk_heap_entry *yk_heap_first(const struct yk_heap *heap)
{
    return heap->count > 0 ? heap->entries[0] : NULL;
}

#endif
