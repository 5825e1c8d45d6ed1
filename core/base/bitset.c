/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bitset.h"

void yk_bitset_done(struct yk_bitset *set)
{
    free(set->words);
    *set = (struct yk_bitset){0};
}

static void grow(struct yk_bitset *set, size_t word)
{
    if (word < set->count)
        return;
    size_t count = YK_MAX(word + 1, set->count * 2);
    set->words = yk_realloc_array(set->words, count, sizeof(*set->words));
    memset(set->words + set->count, 0, (count - set->count) * sizeof(*set->words));
    set->count = count;
}

void yk_bitset_set(struct yk_bitset *set, uint32_t bit)
{
    if (yk_bitset_test(set, bit))
        return;
    grow(set, bit / 64);
    set->words[bit / 64] |= UINT64_C(1) << (bit % 64);
    set->ones++;
}

void yk_bitset_clear(struct yk_bitset *set, uint32_t bit)
{
    if (!yk_bitset_test(set, bit))
        return;
    set->words[bit / 64] &= ~(UINT64_C(1) << (bit % 64));
    set->ones--;
}

void yk_bitset_clear_all(struct yk_bitset *set)
{
    if (set->ones > 0)
        memset(set->words, 0, set->count * sizeof(*set->words));
    set->ones = 0;
}

void yk_bitset_assign(struct yk_bitset *set, uint32_t bit, bool value)
{
    if (value)
        yk_bitset_set(set, bit);
    else
        yk_bitset_clear(set, bit);
}

void yk_bitset_add_word(struct yk_bitset *set, size_t word, uint64_t bits)
{
    if (bits == 0)
        return;
    grow(set, word);
    set->ones += (size_t)__builtin_popcountll(bits & ~set->words[word]);
    set->words[word] |= bits;
}

int64_t yk_bitset_next(const struct yk_bitset *set, uint32_t from)
{
    size_t word = from / 64;
    if (word >= set->count)
        return YK_BITSET_END;
    uint64_t bits = set->words[word] & (~UINT64_C(0) << (from % 64));
    while (bits == 0) {
        if (++word >= set->count)
            return YK_BITSET_END;
        bits = set->words[word];
    }
    return (int64_t)(word * 64) + __builtin_ctzll(bits);
}
