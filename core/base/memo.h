/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A memo: what was found out for things that are alike, by their likeness, so that it is not found out again.
 *
 * A likeness is a 128-bit hash under the process's secret (yk_hash_128()) of all that the answer depends on;
 * 0/0 stands for one that nobody knows, about which nothing is remembered. A likeness has a few places, which
 * it shares with others: so a memo forgets, and never says anything wrong if whoever keeps it calls
 * yk_memo_forget() where something changes that an answer depends on and the likeness does not say. Each
 * function is O(1); only the first answer allocates. A memo that is all zero is empty.
 *
 * Owns:   nothing but its table: values are borrowed until they are forgotten.
 * Thread: one at a time.
 */
#ifndef YK_BASE_MEMO_H
#define YK_BASE_MEMO_H

#include "base/base.h"

enum { YK_MEMO_SLOTS = 1024, YK_MEMO_PLACES = 4 /* of a likeness, side by side */ };

struct yk_memo_slot {
    uint64_t likeness[2];
    uint64_t epoch; /* in which it was remembered */
    void *value;
};

struct yk_memo {
    struct yk_memo_slot *slots; /* owned, YK_MEMO_SLOTS; NULL while nothing was remembered */
    uint64_t epoch;
};

static inline void yk_memo_done(struct yk_memo *memo)
{
    free(memo->slots);
    *memo = (struct yk_memo){.slots = NULL};
}

static inline bool yk_likeness_is_known(const uint64_t likeness[2])
{
    return (likeness[0] | likeness[1]) != 0;
}

static inline struct yk_memo_slot *yk_memo_places(const struct yk_memo *memo, const uint64_t likeness[2])
{
    return &memo->slots[likeness[0] & (YK_MEMO_SLOTS - YK_MEMO_PLACES)];
}

static inline bool yk_memo_is_of(const struct yk_memo_slot *slot, const uint64_t likeness[2])
{
    return slot->likeness[0] == likeness[0] && slot->likeness[1] == likeness[1];
}

/* NULL when nothing is remembered. */
static inline void *yk_memo_get(const struct yk_memo *memo, const uint64_t likeness[2])
{
    if (memo->slots == NULL || !yk_likeness_is_known(likeness))
        return NULL;
    const struct yk_memo_slot *slot = yk_memo_places(memo, likeness);
    for (int i = 0; i < YK_MEMO_PLACES; i++, slot++) {
        if (yk_memo_is_of(slot, likeness))
            return slot->epoch == memo->epoch ? slot->value : NULL;
    }
    return NULL;
}

/* Where to remember something of it, the value being up to the caller: a place that is free, or else that of
 * another. NULL if nobody knows the likeness. */
struct yk_memo_slot *yk_memo_take(struct yk_memo *memo, const uint64_t likeness[2]);

/* Remembers `value`; nothing if nobody knows the likeness. */
static inline void yk_memo_put(struct yk_memo *memo, const uint64_t likeness[2], void *value)
{
    struct yk_memo_slot *slot = yk_memo_take(memo, likeness);
    if (slot != NULL)
        slot->value = value;
}

/* Everything. */
static inline void yk_memo_forget(struct yk_memo *memo)
{
    memo->epoch++;
}

#endif
