/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slots for token reviews by the authentication backend. There are few, and fewer for one address. A slot
 * whose token belonged to no user rests for a second, so that a client with invented tokens puts little load
 * on the backend. Callers from other addresses may take a resting slot, so such a client does not keep them
 * out.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_REVIEW_SLOTS_H
#define YK_WEB_REVIEW_SLOTS_H

#include "http/caller.h"

enum { YK_REVIEW_SLOTS = 32, YK_REVIEW_SLOTS_OF_ADDRESS = 4 }; /* slots in all, and those of one address */
/* rest after a token that belongs to no user */
#define YK_REVIEW_REST_NS INT64_C(1000000000)

/* Zeroed: all slots are free. */
struct yk_review_slots {
    struct yk_review_slot {
        uint8_t network[YK_NETWORK_LEN]; /* address of the caller that has or had the slot */
        bool is_busy;                    /* a review is under way */
        int64_t rests_until_mono_ns;     /* until then, the slot counts among those of `network` */
    } all[YK_REVIEW_SLOTS];
};

/* Takes a slot for a caller from the address `network` (struct yk_http_peer), and returns its number. If no
 * slot is free, takes the resting slot whose rest ends first. -1: a review is under way in all slots, or the
 * address has YK_REVIEW_SLOTS_OF_ADDRESS slots that are busy or rest. The caller gives the slot back with
 * yk_review_slot_give(). */
int yk_review_slot_take(struct yk_review_slots *slots, const uint8_t network[YK_NETWORK_LEN],
                        int64_t now_mono_ns);
/* Gives back the slot with that number, which is not -1. `is_nobody`: the token belongs to no user, so the
 * slot rests for YK_REVIEW_REST_NS from `now_mono_ns` on; false also if no answer came. The caller sets
 * job->review_slot to -1. */
void yk_review_slot_give(struct yk_review_slots *slots, int slot, bool is_nobody, int64_t now_mono_ns);

#endif
