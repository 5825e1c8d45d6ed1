/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary heap of intrusive entries; the smallest comes first. Insert and remove O(log n), first O(1). A
 * zeroed heap with `before` set is empty, and a zeroed entry is in no heap. No two entries may be equal for
 * `before` (let it end in a unique tie-breaker), so that they leave the heap in a fixed order. What `before`
 * compares must not change while the entry is in the heap: remove the entry, change it, insert it again.
 *
 * Thread: any.
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
    /* Whether `a` comes before `b`. Written by: its holder, before the first insert. */
    bool (*before)(const struct yk_heap_entry *a, const struct yk_heap_entry *b);
};

/* Frees the memory of the heap, but no entry. Entries that were in it may not be used again until they are
 * zeroed. The heap is empty afterwards and may be used again. */
void yk_heap_done(struct yk_heap *heap);
/* Adds the entry, which is in no heap and is borrowed until it is removed. O(log n). */
void yk_heap_insert(struct yk_heap *heap, struct yk_heap_entry *entry);
/* Removes the entry, which is in this heap or in none; no effect if it is in none. O(log n). */
void yk_heap_remove(struct yk_heap *heap, struct yk_heap_entry *entry);
/* The smallest entry; NULL if the heap is empty. O(1). */
static inline struct yk_heap_entry *yk_heap_first(const struct yk_heap *heap)
{
    return heap->count > 0 ? heap->entries[0] : NULL;
}

#endif
