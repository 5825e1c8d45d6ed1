/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of names to visit: what a long answer remembers between two slices, since the objects may go in
 * between. The texts are copied into one block.
 *
 * With a maximum the list is a window on a longer one: of the names that are added it keeps the first ones in
 * the order of the list, from a given place on. The next window begins where it ends; the names are added again
 * for each window. So the memory does not depend on how many there are.
 *
 * Thread: one at a time.
 */
#ifndef YK_WEB_NAMES_H
#define YK_WEB_NAMES_H

#include "base/str.h"

struct yk_name_entry {
    struct yk_str text; /* valid after yk_names_sort() */
    int64_t rank;       /* compared first */
    const void *object; /* the caller's */
    size_t offset;      /* into the block */
};

/* A place in the order: at the entries of that rank and text, or directly behind them. */
struct yk_name_place {
    bool is_set;
    bool is_behind;
    int64_t rank;
    struct yk_buf text; /* owned */
};

enum {
    YK_NAMES_BYTES_MAX = 256 << 20,    /* of texts, without a window */
    YK_NAMES_WINDOW_BYTES = 256 << 10, /* of entries and texts, with one */
};

struct yk_names {
    struct yk_buf block;         /* owned */
    struct yk_name_entry *items; /* owned */
    size_t count, capacity;
    /* Set by the caller while the list is empty. */
    size_t window; /* bytes of entries and texts; 0: all are kept */
    bool
        as_paths; /* the order, of queue paths: parents right before their children, siblings by name; else by
                      rank, then bytewise */
    /* Of the window. */
    struct yk_name_place from;  /* entries before it are not kept; not set: none are before it */
    struct yk_name_place bound; /* set: entries from here on were dropped, so another window follows */
    uint64_t seen;              /* entries that were added, kept or not */
    uint64_t behind;            /* those of them that are not before `from` */
    bool is_ranked;             /* one of them has a rank other than 0 */
    /* The entry with this text, the last one in the order. */
    struct yk_str wanted; /* borrowed, set by the caller; empty: none */
    bool is_found;
    int64_t found_rank;
};

/* Frees the memory; the list is empty and without a window then. */
void yk_names_done(struct yk_names *names);
/* Makes the list empty and keeps its memory, and where the window begins. */
void yk_names_clear(struct yk_names *names);
/* Appends an entry, if it is in the window. `text` is copied; `object` is kept as it is, and not read. `rank` is the
 * first key of the order. Without effect once the texts have YK_NAMES_BYTES_MAX bytes. O(1) on average. */
void yk_names_add(struct yk_names *names, struct yk_str text, int64_t rank, const void *object);
/* Sorts the entries, and leaves out what is there twice without an object. Call it once, after the last add. O(n log
 * n). */
void yk_names_sort(struct yk_names *names);
/* Compares `entry` with that rank and text in the order of the list: less than 0 if it is before them, 0 if it is
 * equal, more than 0 if it is behind them. */
int yk_names_compare(const struct yk_names *names, const struct yk_name_entry *entry, int64_t rank,
                     struct yk_str text);

/* Makes the list empty. The window begins at the entries of that rank and text, or behind them (`is_behind`). */
void yk_names_go_to(struct yk_names *names, int64_t rank, struct yk_str text, bool is_behind);
/* Makes the list empty. The window begins at the first entry of all. */
void yk_names_go_to_start(struct yk_names *names);
/* Makes the list empty; the window begins where it ended. False, and no effect: there is nothing behind it. */
bool yk_names_go_on(struct yk_names *names);

#endif
