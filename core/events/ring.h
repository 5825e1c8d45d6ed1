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
    YK_EVENT_MESSAGE_MAX = 1024, /* bytes; a longer one is cut and ends in three dots */
    YK_EVENT_DOTS_LEN = 3,
    YK_EVENT_ID_MAX = 4096,        /* bytes of an object's name; a longer one is cut */
    YK_RING_BYTES_PER_EVENT = 160, /* on average; with larger ones fewer are kept than the capacity says */
    YK_RING_CAPACITY_DEFAULT = 100 * 1000,
    YK_RING_CAPACITY_MAX = 10 * 1000 * 1000,
};

struct yk_ring;

/* Makes an empty ring of `capacity` events; 0 reads as the default, more than the maximum as the maximum. The
 * caller frees it. */
struct yk_ring *yk_ring_new(size_t capacity);
void yk_ring_free(struct yk_ring *ring);
YK_DEFINE_FREEP(yk_ring)

/* Copies the event and returns its number. */
uint64_t yk_ring_add(struct yk_ring *ring, const struct yk_event *event);
/* The number of the oldest event that is kept; equal to yk_ring_next() when the ring is empty. */
uint64_t yk_ring_lowest(const struct yk_ring *ring);
/* The number that the next event will have. */
uint64_t yk_ring_next(const struct yk_ring *ring);
/* The number of events in the ring. */
static inline size_t yk_ring_count(const struct yk_ring *ring)
{
    return (size_t)(yk_ring_next(ring) - yk_ring_lowest(ring));
}
/* Sets `*ret_event` to the event with that number. Its texts are borrowed from the ring until the next add or
 * resize; its `resource` is initialised before, and is replaced. False: there is no event with that
 * number. */
bool yk_ring_get(const struct yk_ring *ring, uint64_t number, struct yk_event *ret_event);
/* Sets the capacity. Keeps the newest events that fit, with their numbers. */
void yk_ring_resize(struct yk_ring *ring, size_t capacity);
/* The message as the ring stores it: `message` itself or, if it is too long, its beginning and three dots in
 * `space`. Borrowed from one of them. */
struct yk_str yk_event_cut_message(struct yk_str message, char space[YK_EVENT_MESSAGE_MAX]);
/* The number of bytes that the ring uses. */
size_t yk_ring_bytes(const struct yk_ring *ring);

#endif
