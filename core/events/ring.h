/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event ring: the latest events, each with a number that rises by one and is never used again.
 *
 * Records have a fixed size; their texts and amounts lie behind each other in a second ring of bytes. What
 * has no room any more goes, oldest first, whichever of the two rings is full. Memory is reserved at once and
 * used as events come.
 *
 * Thread: one at a time (the scheduling thread's). Add and get O(1).
 * Source: docs/reference/rest.md 7.2.
 */
#ifndef YK_EVENTS_RING_H
#define YK_EVENTS_RING_H

#include "events/event.h"

enum {
    YK_EVENT_MESSAGE_MAX = 1024,   /* bytes; a longer one is cut and ends in three dots */
    YK_EVENT_ID_MAX = 4096,        /* bytes of an object's name; a longer one is cut */
    YK_RING_BYTES_PER_EVENT = 160, /* of texts and amounts, on average, before the record ring is the bound */
    YK_RING_CAPACITY_DEFAULT = 100 * 1000,
    YK_RING_CAPACITY_MAX = 10 * 1000 * 1000,
};

struct yk_ring;

/* `capacity`: records; 0 reads as the default, more than the maximum as the maximum. */
struct yk_ring *yk_ring_new(size_t capacity);
void yk_ring_free(struct yk_ring *ring);
YK_DEFINE_FREEP(yk_ring)

/* Copies the event and returns its number. */
uint64_t yk_ring_add(struct yk_ring *ring, const struct yk_event *event);
/* The numbers that are there: from lowest to before next; equal when the ring is empty. */
uint64_t yk_ring_lowest(const struct yk_ring *ring);
uint64_t yk_ring_next(const struct yk_ring *ring);
static inline size_t yk_ring_count(const struct yk_ring *ring)
{
    return (size_t)(yk_ring_next(ring) - yk_ring_lowest(ring));
}
/* False: no event of that number is there. The texts are borrowed until the next add or resize. */
bool yk_ring_get(const struct yk_ring *ring, uint64_t number, struct yk_event *ret_event);
/* Keeps the newest that fit, with their numbers. */
void yk_ring_resize(struct yk_ring *ring, size_t capacity);
size_t yk_ring_capacity(const struct yk_ring *ring);

#endif
