/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of names to visit: what a long answer remembers between two slices, since the objects may go in
 * between. The texts are copied into one block.
 * Thread: one at a time.
 */
#ifndef YK_WEB_NAMES_H
#define YK_WEB_NAMES_H

#include "base/str.h"

struct yk_name_entry {
    struct yk_str text; /* valid after yk_names_sort(), which is called once, after the last add */
    int64_t rank;       /* compared first */
    const void *object; /* the caller's */
    size_t offset;      /* into the block */
};

struct yk_names {
    struct yk_buf block;         /* owned */
    struct yk_name_entry *items; /* owned */
    size_t count, capacity;
};

enum { YK_NAMES_BYTES_MAX = 256 << 20 };

void yk_names_done(struct yk_names *names);
/* Makes the list empty and keeps its memory. */
void yk_names_clear(struct yk_names *names);
/* Appends an entry. `text` is copied; `object` is kept as it is, and not read. `rank` is the first key of
 * the order. Without effect once the texts have YK_NAMES_BYTES_MAX bytes. */
void yk_names_add(struct yk_names *names, struct yk_str text, int64_t rank, const void *object);
/* By rank, then bytewise, or as queue paths: parents right before their children, siblings by name. O(n log
 * n). */
void yk_names_sort(struct yk_names *names, bool as_paths);
/* The first of sorted names that does not stand before that rank and text; `count` if all do. Not for paths.
 * O(log n). */
size_t yk_names_find(const struct yk_names *names, int64_t rank, struct yk_str text);
/* Less than 0, 0, more than 0: `entry` stands before, at, behind that rank and text. Not for paths. */
int yk_names_compare(const struct yk_name_entry *entry, int64_t rank, struct yk_str text);

#endif
