/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing set of small integers. Test, set and clear O(1); next O(words skipped); and/or O(words).
 * Bits beyond the size read 0. Holds at most 2^32 bits.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_BASE_BITSET_H
#define YK_BASE_BITSET_H

#include "base/base.h"

struct yk_bitset {
    uint64_t *words; /* owned */
    size_t count;    /* words */
    size_t ones;     /* bits set */
};

enum { YK_BITSET_END = -1 };

void yk_bitset_done(struct yk_bitset *set);
/* Sets the bit; the set grows up to it. O(1), amortized. */
void yk_bitset_set(struct yk_bitset *set, uint32_t bit);
/* Clears the bit; no effect if it is not set. */
void yk_bitset_clear(struct yk_bitset *set, uint32_t bit);
/* Clears all bits, and keeps the memory. O(size). */
void yk_bitset_clear_all(struct yk_bitset *set);
/* Sets or clears the bit. */
void yk_bitset_assign(struct yk_bitset *set, uint32_t bit, bool value);
/* Sets those of the bits 64 * `word` to 64 * `word` + 63 that are 1 in `bits`; clears none. The set grows. */
void yk_bitset_add_word(struct yk_bitset *set, size_t word, uint64_t bits);
/* Whether the bit is set; false beyond the size. */
static inline bool yk_bitset_test(const struct yk_bitset *set, uint32_t bit)
{
    return bit / 64 < set->count && (set->words[bit / 64] >> (bit % 64) & 1) != 0;
}
/* The first bit set at or after `from`, or YK_BITSET_END. */
int64_t yk_bitset_next(const struct yk_bitset *set, uint32_t from);

#define yk_bitset_foreach(bit, set)                                                                          \
    for (int64_t bit = yk_bitset_next((set), 0); bit != YK_BITSET_END;                                       \
         bit = yk_bitset_next((set), (uint32_t)bit + 1))

#endif
