/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A memo: what was found out for things that are alike, by their likeness, so that it is not found out again.
 *
 * A likeness is a 128-bit hash under the process's secret (yk_hash_128()) of all that the answer depends on;
 * 0/0 stands for one that nobody knows, about which nothing is remembered. There is one place for each
 * likeness and others share it, so a memo forgets, and never says anything wrong: whoever keeps it calls
 * yk_memo_forget() where something changes that an answer depends on and the likeness does not say. That is
 * O(1), and so are the others; only the first answer allocates. A memo that is all zero is empty.
 *
 * Owns:   nothing but its table: values are borrowed until they are forgotten.
 * Thread: one at a time.
 */
#ifndef YK_BASE_MEMO_H
#define YK_BASE_MEMO_H

#include "base/base.h"

enum { YK_MEMO_SLOTS = 1024 };

struct yk_memo_slot {
    uint64_t likeness[2];
    uint64_t epoch; /* in which it was remembered */
    void *value;
};

struct yk_memo {
    struct yk_memo_slot *slots; /* owned; NULL while nothing was remembered */
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

/* Which of YK_MEMO_SLOTS places it has. */
static inline size_t yk_memo_place(const uint64_t likeness[2])
{
    return likeness[0] & (YK_MEMO_SLOTS - 1);
}

/* NULL when nothing is remembered. */
static inline void *yk_memo_get(const struct yk_memo *memo, const uint64_t likeness[2])
{
    if (memo->slots == NULL || !yk_likeness_is_known(likeness))
        return NULL;
    const struct yk_memo_slot *slot = &memo->slots[yk_memo_place(likeness)];
    bool same = slot->likeness[0] == likeness[0] && slot->likeness[1] == likeness[1];
    return same && slot->epoch == memo->epoch ? slot->value : NULL;
}

/* Remembers `value` instead of what was there; nothing if nobody knows the likeness. */
static inline void yk_memo_put(struct yk_memo *memo, const uint64_t likeness[2], void *value)
{
    if (!yk_likeness_is_known(likeness))
        return;
    if (memo->slots == NULL)
        memo->slots = yk_calloc(YK_MEMO_SLOTS, sizeof(*memo->slots));
    memo->slots[yk_memo_place(likeness)] =
        (struct yk_memo_slot){{likeness[0], likeness[1]}, memo->epoch, value};
}

/* Everything. */
static inline void yk_memo_forget(struct yk_memo *memo)
{
    memo->epoch++;
}

#endif
