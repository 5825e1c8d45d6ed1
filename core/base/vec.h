/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing array of pointers. Append O(1) amortised, remove by swapping O(1), keeping order O(n).
 * The items are borrowed. Iterate backwards when removing.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_BASE_VEC_H
#define YK_BASE_VEC_H

#include "base/base.h"

struct yk_vec {
    void **items; /* owned */
    size_t count;
    size_t capacity;
};

void yk_vec_done(struct yk_vec *vec);
/* Adds the item at the end. O(1), amortized. */
void yk_vec_append(struct yk_vec *vec, void *item);
/* Removes the item at `index`; the last item takes its place. O(1). */
void yk_vec_remove_swap(struct yk_vec *vec, size_t index);
/* Removes the item at `index`; the order of the others stays. O(n). */
void yk_vec_remove(struct yk_vec *vec, size_t index);
/* First index of `item`, or SIZE_MAX. O(n). */
size_t yk_vec_find(const struct yk_vec *vec, const void *item);
/* Keeps the memory; items are not freed. */
static inline void yk_vec_clear(struct yk_vec *vec)
{
    vec->count = 0;
}
/* Sorts with a stable merge sort. `order` gets two items (the pointers in the array) and returns a negative
 * number if `a` comes first. */
void yk_vec_sort(struct yk_vec *vec, int (*order)(const void *a, const void *b));

#define yk_vec_foreach(item, vec)                                                                            \
    for (size_t yk_i_ = 0; yk_i_ < (vec)->count && ((item) = (vec)->items[yk_i_], true); yk_i_++)

#endif
