/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event ring: the latest events. Events are numbered from 0; each number is one larger than the one
 * before.
 *
 * Events are stored in blocks of up to 512. Events close in time are mostly about the same objects, so a
 * block stores each name, message and vector of amounts about once. The oldest events are removed when there
 * are more events than the capacity, or when events need more memory on average than allowed. The memory of a
 * block is freed when all of its events are removed.
 *
 * Adding takes O(1) on average, reading an event O(log blocks).
 *
 * Thread: any, one thread at a time.
 * Source: docs/reference/rest.md 7.2.
 */
#ifndef YK_EVENTS_RING_H
#define YK_EVENTS_RING_H

#include "events/event.h"

enum {
    YK_EVENT_MESSAGE_MAX = 1024, /* bytes of a message; a longer one is cut and then ends in three dots */
    YK_EVENT_DOTS_LEN = 3,       /* bytes of these dots, which YK_EVENT_MESSAGE_MAX includes */
    YK_EVENT_ID_MAX = 4096,      /* bytes of object_id and reference_id; a longer one is cut */
    /* Bytes of memory per event of the capacity. If the events need more, fewer of them are kept, but a ring
     * may always use 128 KiB. */
    YK_RING_BYTES_PER_EVENT = 160,
    YK_RING_CAPACITY_DEFAULT = 100 * 1000,   /* events */
    YK_RING_CAPACITY_MAX = 10 * 1000 * 1000, /* events */
};

struct yk_ring;

/* Makes an empty ring for `capacity` events. 0 stands for YK_RING_CAPACITY_DEFAULT, and a larger number than
 * YK_RING_CAPACITY_MAX for YK_RING_CAPACITY_MAX. The caller frees the ring with yk_ring_free(). */
struct yk_ring *yk_ring_new(size_t capacity);
void yk_ring_free(struct yk_ring *ring);
YK_DEFINE_FREEP(yk_ring)

/* Adds a copy of the event, of which all fields are set, and returns its number. Texts that are too long are
 * cut. May remove the oldest events. Texts from yk_ring_get() are no longer valid. */
uint64_t yk_ring_add(struct yk_ring *ring, const struct yk_event *event);
/* The number of the oldest event in the ring; equal to yk_ring_next() when the ring is empty. */
uint64_t yk_ring_lowest(const struct yk_ring *ring);
/* The number that the next event will have. */
uint64_t yk_ring_next(const struct yk_ring *ring);
/* The number of events in the ring. */
static inline size_t yk_ring_count(const struct yk_ring *ring)
{
    return (size_t)(yk_ring_next(ring) - yk_ring_lowest(ring));
}
/* Sets `*ret_event` to the event with that number. Its texts are borrowed from the ring until the next
 * yk_ring_add() or yk_ring_resize(). The caller initialises `ret_event` (YK_EVENT()); its `resource` is
 * replaced. False: the ring does not have that event any longer or not yet, and nothing is set. */
bool yk_ring_get(const struct yk_ring *ring, uint64_t number, struct yk_event *ret_event);
/* Sets the capacity, with the rules of yk_ring_new(). Keeps the newest events that fit, with their
 * numbers. */
void yk_ring_resize(struct yk_ring *ring, size_t capacity);
/* The message as the ring would store it: `message` itself or, if it is too long, its beginning and three
 * dots, which are written to `space`. The result borrows from `message` or `space`. */
struct yk_str yk_event_cut_message(struct yk_str message, char space[YK_EVENT_MESSAGE_MAX]);
/* The number of bytes of memory that the ring uses. */
size_t yk_ring_bytes(const struct yk_ring *ring);

#endif
