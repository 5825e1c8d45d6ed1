/* SPDX-License-Identifier: Apache-2.0 */
#include "web/names.h"

void yk_names_done(struct yk_names *names)
{
    yk_buf_done(&names->block);
    free(names->items);
    *names = (struct yk_names){0};
}

void yk_names_clear(struct yk_names *names)
{
    yk_buf_clear(&names->block);
    names->count = 0;
}

void yk_names_add(struct yk_names *names, struct yk_str text, int64_t rank, const void *object)
{
    if (names->count == names->capacity) {
        names->capacity = YK_MAX(names->capacity * 2, (size_t)64);
        names->items = yk_realloc_array(names->items, names->capacity, sizeof(*names->items));
    }
    names->block.max = YK_NAMES_BYTES_MAX;
    size_t offset = names->block.len;
    yk_buf_str(&names->block, text);
    if (names->block.failed) {
        names->block.failed = false; /* absurdly much: the list ends here */
        return;
    }
    names->items[names->count++] = (struct yk_name_entry){{NULL, text.len}, rank, object, offset};
}

static int by_rank_and_text(const void *a, const void *b)
{
    const struct yk_name_entry *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return yk_str_cmp(x->text, y->text);
}

int yk_names_compare(const struct yk_name_entry *entry, int64_t rank, struct yk_str text)
{
    const struct yk_name_entry other = {.text = text, .rank = rank};
    return by_rank_and_text(entry, &other);
}

size_t yk_names_find(const struct yk_names *names, int64_t rank, struct yk_str text)
{
    size_t from = 0, to = names->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (yk_names_compare(&names->items[middle], rank, text) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The dot comes before everything else, so that a branch stays together. */
static int by_path(const void *a, const void *b)
{
    const struct yk_str x = ((const struct yk_name_entry *)a)->text,
                        y = ((const struct yk_name_entry *)b)->text;
    size_t common = YK_MIN(x.len, y.len);
    for (size_t i = 0; i < common; i++) {
        if (x.p[i] == y.p[i])
            continue;
        if (x.p[i] == '.' || y.p[i] == '.')
            return x.p[i] == '.' ? -1 : 1;
        return (unsigned char)x.p[i] < (unsigned char)y.p[i] ? -1 : 1;
    }
    return (x.len > y.len) - (x.len < y.len);
}

void yk_names_sort(struct yk_names *names, bool as_paths)
{
    for (size_t i = 0; i < names->count; i++)
        names->items[i].text.p = names->block.p + names->items[i].offset;
    if (names->count > 1)
        qsort(names->items, names->count, sizeof(*names->items), as_paths ? by_path : by_rank_and_text);
}
