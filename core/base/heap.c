/* SPDX-License-Identifier: Apache-2.0 */
#include "base/heap.h"

void yk_heap_done(struct yk_heap *heap)
{
    free(heap->entries);
    heap->entries = NULL;
    heap->count = heap->capacity = 0;
}

static void set(struct yk_heap *heap, size_t at, struct yk_heap_entry *entry)
{
    heap->entries[at] = entry;
    entry->place = at + 1;
}

static void sift_up(struct yk_heap *heap, size_t at)
{
    struct yk_heap_entry *entry = heap->entries[at];
    while (at > 0 && heap->before(entry, heap->entries[(at - 1) / 2])) {
        set(heap, at, heap->entries[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    set(heap, at, entry);
}

static void sift_down(struct yk_heap *heap, size_t at)
{
    struct yk_heap_entry *entry = heap->entries[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && heap->before(heap->entries[child + 1], heap->entries[child]))
            child++;
        if (!heap->before(heap->entries[child], entry))
            break;
        set(heap, at, heap->entries[child]);
        at = child;
    }
    set(heap, at, entry);
}

void yk_heap_insert(struct yk_heap *heap, struct yk_heap_entry *entry)
{
    if (!YK_ASSERT(entry->place == 0))
        return;
    if (heap->count == heap->capacity) {
        heap->capacity = heap->capacity > 0 ? yk_size_mul(heap->capacity, 2) : 16;
        heap->entries = yk_realloc_array(heap->entries, heap->capacity, sizeof(*heap->entries));
    }
    heap->entries[heap->count] = entry;
    sift_up(heap, heap->count++);
}

void yk_heap_remove(struct yk_heap *heap, struct yk_heap_entry *entry)
{
    if (entry->place == 0)
        return;
    size_t at = entry->place - 1;
    struct yk_heap_entry *last = heap->entries[--heap->count];
    entry->place = 0;
    if (last == entry)
        return;
    set(heap, at, last);
    sift_up(heap, at);
    sift_down(heap, last->place - 1);
}
