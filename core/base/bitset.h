/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing set of small integers. Test, set and clear O(1); next O(words skipped). A zeroed set is empty. A
 * bit beyond the size reads as 0. Bits are numbered from 0 to 2^32 - 2.
 *
 * Thread: any.
 */
#ifndef YK_BASE_BITSET_H
#define YK_BASE_BITSET_H

#include "base/base.h"

struct yk_bitset {
    uint64_t *words; /* owned; bit b is bit b % 64 of words[b / 64] */
    size_t count;    /* number of words */
    size_t ones;     /* number of bits that are set */
};

enum { YK_BITSET_END = -1 };

void yk_bitset_done(struct yk_bitset *set);
/* Sets the bit; the set grows up to it. O(1), amortized. */
void yk_bitset_set(struct yk_bitset *set, uint32_t bit);
/* Clears the bit; no effect if it is not set. */
void yk_bitset_clear(struct yk_bitset *set, uint32_t bit);
/* Clears all bits and keeps the memory. O(words). */
void yk_bitset_clear_all(struct yk_bitset *set);
/* Sets the bit if `value`, else clears it. */
void yk_bitset_assign(struct yk_bitset *set, uint32_t bit, bool value);
/* Sets each bit 64 * `word` + i for which bit i of `bits` is 1; clears no bit. The set grows if needed. */
void yk_bitset_add_word(struct yk_bitset *set, size_t word, uint64_t bits);
/* Whether the bit is set; false beyond the size. */
static inline bool yk_bitset_test(const struct yk_bitset *set, uint32_t bit)
{
    return bit / 64 < set->count && (set->words[bit / 64] >> (bit % 64) & 1) != 0;
}
/* The first bit set at or after `from`, or YK_BITSET_END. */
int64_t yk_bitset_next(const struct yk_bitset *set, uint32_t from);

/* For each bit that is set, in ascending order; `bit` is an int64_t that the loop declares. The set may be
 * changed in the loop, which sees changes of bits above the present one. */
#define yk_bitset_foreach(bit, set)                                                                          \
    for (int64_t bit = yk_bitset_next((set), 0); bit != YK_BITSET_END;                                       \
         bit = yk_bitset_next((set), (uint32_t)bit + 1))

#endif
