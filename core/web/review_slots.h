/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slots for token reviews by the authentication backend: few in all, fewer for one address. The slot of a
 * token that belonged to no user stays in use for a second, so that invented tokens put no load on it and do
 * not keep out callers from other addresses.
 *
 * Thread: scheduling thread.
 * Source: docs/reference/rest.md 12.4.
 */
#ifndef YK_WEB_REVIEW_SLOTS_H
#define YK_WEB_REVIEW_SLOTS_H

#include "http/caller.h"

enum { YK_REVIEW_SLOTS = 32, YK_REVIEW_SLOTS_OF_ADDRESS = 4 };
#define YK_REVIEW_REST_NS INT64_C(1000000000) /* after a token that belongs to no user */

struct yk_review_slots {
    struct yk_review_slot {
        uint8_t network[YK_NETWORK_LEN];
        bool is_busy;
        int64_t rests_until_mono_ns;
    } all[YK_REVIEW_SLOTS];
};

/* Takes a slot for a caller from that address, and returns its number; -1: none is free. Takes a resting slot of another
 * address if no other is free. */
int yk_review_slot_take(struct yk_review_slots *slots, const uint8_t network[YK_NETWORK_LEN],
                        int64_t now_mono_ns);
/* Gives the slot back. `is_nobody`: the token belongs to no user, so the slot stays in use for
 * YK_REVIEW_REST_NS. */
void yk_review_slot_give(struct yk_review_slots *slots, int slot, bool is_nobody, int64_t now_mono_ns);

#endif
