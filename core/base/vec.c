/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

void yk_vec_done(struct yk_vec *vec)
{
    free(vec->items);
    *vec = (struct yk_vec){0};
}

void yk_vec_append(struct yk_vec *vec, void *item)
{
    if (vec->count == vec->capacity) {
        vec->capacity = vec->capacity > 0 ? yk_size_mul(vec->capacity, 2) : 8;
        vec->items = yk_realloc_array(vec->items, vec->capacity, sizeof(void *));
    }
    vec->items[vec->count++] = item;
}

void yk_vec_remove_swap(struct yk_vec *vec, size_t index)
{
    if (!YK_ASSERT(index < vec->count))
        return;
    vec->items[index] = vec->items[--vec->count];
}

void yk_vec_remove(struct yk_vec *vec, size_t index)
{
    if (!YK_ASSERT(index < vec->count))
        return;
    vec->count--;
    memmove(&vec->items[index], &vec->items[index + 1], (vec->count - index) * sizeof(void *));
}

size_t yk_vec_find(const struct yk_vec *vec, const void *item)
{
    for (size_t i = 0; i < vec->count; i++) {
        if (vec->items[i] == item)
            return i;
    }
    return SIZE_MAX;
}

static void merge(void **to, void **left, size_t left_count, void **right, size_t right_count,
                  int (*order)(const void *, const void *))
{
    while (left_count > 0 && right_count > 0) {
        if (order(*right, *left) < 0) {
            *to++ = *right++;
            right_count--;
        } else {
            *to++ = *left++;
            left_count--;
        }
    }
    memcpy(to, left, left_count * sizeof(void *));
    memcpy(to + left_count, right, right_count * sizeof(void *));
}

void yk_vec_sort(struct yk_vec *vec, int (*order)(const void *a, const void *b))
{
    if (vec->count < 2)
        return;
    void **from = vec->items;
    void **to = yk_calloc(vec->count, sizeof(void *));
    void **scratch = to;
    for (size_t width = 1; width < vec->count; width *= 2) {
        for (size_t at = 0; at < vec->count; at += 2 * width) {
            size_t left = YK_MIN(width, vec->count - at);
            size_t right = YK_MIN(width, vec->count - at - left);
            merge(to + at, from + at, left, from + at + left, right, order);
        }
        void **swap = from;
        from = to;
        to = swap;
    }
    if (from != vec->items)
        memcpy(vec->items, from, vec->count * sizeof(void *));
    free(scratch);
}
