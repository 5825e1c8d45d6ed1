/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing array of borrowed pointers. A zeroed vector is empty. Append O(1) amortised. To remove items
 * while iterating, iterate backwards by index.
 *
 * Thread: any.
 */
#ifndef YK_BASE_VEC_H
#define YK_BASE_VEC_H

#include "base/base.h"

struct yk_vec {
    void **items; /* owned */
    size_t count;
    size_t capacity;
};

/* Frees the memory of the vector, but no item. The vector is empty afterwards and may be used again. */
void yk_vec_done(struct yk_vec *vec);
/* Adds the pointer at the end. O(1), amortised. */
void yk_vec_append(struct yk_vec *vec, void *item);
/* Removes the item at `index`, which is below `count`; the last item takes its place. O(1). */
void yk_vec_remove_swap(struct yk_vec *vec, size_t index);
/* Removes the item at `index`, which is below `count`; the order of the others stays. O(n). */
void yk_vec_remove(struct yk_vec *vec, size_t index);
/* The first index of the pointer `item`; SIZE_MAX: it is not there. O(n). */
size_t yk_vec_find(const struct yk_vec *vec, const void *item);
/* Empties the vector, keeps its memory and frees no item. */
static inline void yk_vec_clear(struct yk_vec *vec)
{
    vec->count = 0;
}
/* Sorts the vector; items that are equal stay in their order. `order` gets two items, which are the
 * pointers in the vector (qsort() would pass pointers to them), and returns a negative number if `a`
 * comes before `b`. O(n log n). */
void yk_vec_sort(struct yk_vec *vec, int (*order)(const void *a, const void *b));

/* For each item in order. `item` is a pointer variable of the caller, which is set to it. Items may be
 * appended meanwhile. */
#define yk_vec_foreach(item, vec)                                                                            \
    for (size_t yk_i_ = 0; yk_i_ < (vec)->count && ((item) = (vec)->items[yk_i_], true); yk_i_++)

#endif
