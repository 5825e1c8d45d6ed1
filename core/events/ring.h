/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event ring: the latest events, each with a number that rises by one and is never used again.
 *
 * Events stand in blocks of some hundreds. Within a block each name, message and vector of amounts is kept
 * once, for much of what happens in one moment happens to the same objects; a closed block takes exactly the
 * memory it needs and goes, oldest first, when all of its events are gone. Above the capacity, or above so
 * many bytes per event, the oldest go.
 *
 * Thread: one at a time (the scheduling thread's). Add O(1), get O(log blocks).
 * Source: docs/reference/rest.md 7.2.
 */
#ifndef YK_EVENTS_RING_H
#define YK_EVENTS_RING_H

#include "events/event.h"

enum {
    YK_EVENT_MESSAGE_MAX = 1024,   /* bytes; a longer one is cut and ends in three dots */
    YK_EVENT_ID_MAX = 4096,        /* bytes of an object's name; a longer one is cut */
    YK_RING_BYTES_PER_EVENT = 160, /* on average; with larger ones fewer are kept than the capacity says */
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
/* The number that the next event will have. */
uint64_t yk_ring_next(const struct yk_ring *ring);
/* Events in the ring. */
static inline size_t yk_ring_count(const struct yk_ring *ring)
{
    return (size_t)(yk_ring_next(ring) - yk_ring_lowest(ring));
}
/* False: no event of that number is there. Its texts are borrowed, from the ring until the next add or
 * resize. */
bool yk_ring_get(const struct yk_ring *ring, uint64_t number, struct yk_event *ret_event);
/* Keeps the newest that fit, with their numbers. */
void yk_ring_resize(struct yk_ring *ring, size_t capacity);
/* The message as it is kept: itself, or its beginning and three dots in `space`. */
struct yk_str yk_event_cut_message(struct yk_str message, char space[YK_EVENT_MESSAGE_MAX]);
/* Memory in use. */
size_t yk_ring_bytes(const struct yk_ring *ring);

#endif
