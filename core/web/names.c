/* SPDX-License-Identifier: Apache-2.0 */
#include "web/names.h"

static void place_done(struct yk_name_place *place)
{
    yk_buf_done(&place->text);
    *place = (struct yk_name_place){0};
}

static void place_set(struct yk_name_place *place, int64_t rank, struct yk_str text, bool is_behind)
{
    place->is_set = true;
    place->is_behind = is_behind;
    place->rank = rank;
    yk_buf_clear(&place->text);
    yk_buf_str(&place->text, text);
}

void yk_names_done(struct yk_names *names)
{
    yk_buf_done(&names->block);
    free(names->items);
    place_done(&names->from);
    place_done(&names->bound);
    *names = (struct yk_names){0};
}

void yk_names_clear(struct yk_names *names)
{
    yk_buf_clear(&names->block);
    names->count = 0;
    names->bound.is_set = false;
    names->seen = names->behind = 0;
    names->is_ranked = names->is_found = false;
}

/* ---- the order ---- */

static int by_rank_and_text(const void *a, const void *b)
{
    const struct yk_name_entry *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return yk_str_cmp(x->text, y->text);
}

/* The dot comes before all other characters, so that the queues of a branch stay together. */
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

static int compare(const struct yk_names *names, const struct yk_name_entry *a, const struct yk_name_entry *b)
{
    return names->as_paths ? by_path(a, b) : by_rank_and_text(a, b);
}

int yk_names_compare(const struct yk_names *names, const struct yk_name_entry *entry, int64_t rank,
                     struct yk_str text)
{
    const struct yk_name_entry other = {.text = text, .rank = rank};
    return compare(names, entry, &other);
}

static bool is_before(const struct yk_names *names, const struct yk_name_entry *entry,
                      const struct yk_name_place *place)
{
    int order = yk_names_compare(names, entry, place->rank, yk_buf_view(&place->text));
    return order < 0 || (order == 0 && place->is_behind);
}

static void set_texts(struct yk_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        names->items[i].text.p = names->block.p + names->items[i].offset;
}

/* ---- the window ---- */

static void swap(struct yk_name_entry *a, struct yk_name_entry *b)
{
    struct yk_name_entry held = *a;
    *a = *b;
    *b = held;
}

/* Reorders the entries so that the one at index `at` is the one that sorting would put there, those before it
 * are not larger, and those behind it are not smaller. O(n) on average: C. A. R. Hoare, Algorithm 65:
 * Find. */
static void select_place(struct yk_names *names, size_t at)
{
    struct yk_name_entry *items = names->items;
    size_t from = 0, to = names->count - 1;
    while (from < to) {
        struct yk_name_entry pivot = items[from + (to - from) / 2];
        size_t left = from, right = to;
        for (;;) {
            while (compare(names, &items[left], &pivot) < 0)
                left++;
            while (compare(names, &items[right], &pivot) > 0)
                right--;
            if (left >= right)
                break;
            swap(&items[left++], &items[right--]);
        }
        if (at <= right)
            to = right;
        else
            from = right + 1;
    }
}

static void compact(struct yk_names *names)
{
    struct yk_buf block = {.max = YK_NAMES_BYTES_MAX};
    for (size_t i = 0; i < names->count; i++) {
        struct yk_name_entry *entry = &names->items[i];
        entry->offset = block.len;
        yk_buf_str(&block, entry->text);
    }
    yk_buf_done(&names->block);
    names->block = block;
}

/* Keeps those entries of the first half that come before the middle one. If the whole first half is equal to
 * the middle one, it stays, and the window ends behind the entries equal to it. */
static void cut(struct yk_names *names)
{
    size_t middle = names->count / 2, kept = 0;
    set_texts(names);
    select_place(names, middle);
    const struct yk_name_entry bound = names->items[middle];
    for (size_t i = 0; i < middle; i++) {
        if (compare(names, &names->items[i], &bound) < 0)
            names->items[kept++] = names->items[i];
    }
    place_set(&names->bound, bound.rank, bound.text, kept == 0);
    names->count = kept > 0 ? kept : middle;
    compact(names);
}

static void note(struct yk_names *names, const struct yk_name_entry *entry)
{
    names->seen++;
    names->is_ranked = names->is_ranked || entry->rank != 0;
    if (names->wanted.len == 0 || !yk_str_eq(names->wanted, entry->text))
        return;
    names->found_rank = names->is_found ? YK_MAX(names->found_rank, entry->rank) : entry->rank;
    names->is_found = true;
}

static bool is_in_window(struct yk_names *names, const struct yk_name_entry *entry)
{
    if (names->from.is_set && is_before(names, entry, &names->from))
        return false;
    names->behind++;
    return !names->bound.is_set || is_before(names, entry, &names->bound);
}

void yk_names_add(struct yk_names *names, struct yk_str text, int64_t rank, const void *object)
{
    struct yk_name_entry entry = {text, rank, object, names->block.len};
    note(names, &entry);
    if (!is_in_window(names, &entry))
        return;
    if (names->count == names->capacity) {
        names->capacity = YK_MAX(names->capacity * 2, (size_t)64);
        names->items = yk_realloc_array(names->items, names->capacity, sizeof(*names->items));
    }
    names->block.max = YK_NAMES_BYTES_MAX;
    yk_buf_str(&names->block, text);
    if (names->block.failed) {
        names->block.failed = false; /* there is no space for this text */
        return;
    }
    names->items[names->count++] = entry;
    size_t bytes = names->block.len + names->count * sizeof(entry);
    if (names->window > 0 && bytes > names->window && names->count > 1)
        cut(names);
}

void yk_names_go_to(struct yk_names *names, int64_t rank, struct yk_str text, bool is_behind)
{
    /* The place is set before the list is cleared, because `text` may be borrowed from the list. */
    place_set(&names->from, rank, text, is_behind);
    yk_names_clear(names);
}

void yk_names_go_to_start(struct yk_names *names)
{
    names->from.is_set = false;
    yk_names_clear(names);
}

bool yk_names_go_on(struct yk_names *names)
{
    if (!names->bound.is_set)
        return false;
    struct yk_name_place before = names->from;
    names->from = names->bound;
    names->bound = before;
    yk_names_clear(names);
    return true;
}

/* ---- sorting ---- */

static bool is_twice(const struct yk_names *names, const struct yk_name_entry *entry,
                     const struct yk_name_entry *before)
{
    return entry->object == NULL && before->object == NULL && compare(names, entry, before) == 0;
}

void yk_names_sort(struct yk_names *names)
{
    size_t kept = names->count > 0;
    set_texts(names);
    if (names->count > 1)
        qsort(names->items, names->count, sizeof(*names->items),
              names->as_paths ? by_path : by_rank_and_text);
    for (size_t i = 1; i < names->count; i++) {
        if (!is_twice(names, &names->items[i], &names->items[kept - 1]))
            names->items[kept++] = names->items[i];
    }
    names->count = kept;
}
