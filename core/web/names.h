/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sorted list of names of objects. A long answer stores names between two slices, because the objects may
 * be removed meanwhile. The texts are copied into one block of memory.
 *
 * If a maximum size (`window`) is set, the list is a window of a longer list. It begins at a given place in
 * the order, and keeps the first names from there on, up to that size. The next window begins where this one
 * ended, and all names are added again. So the memory does not depend on the number of names.
 *
 * Use: set `window` and `as_paths`; yk_names_add() for each name; yk_names_sort() once; read `items`. For the
 * next window: yk_names_go_on(), then the same again.
 *
 * Thread: any.
 */
#ifndef YK_WEB_NAMES_H
#define YK_WEB_NAMES_H

#include "base/str.h"

struct yk_name_entry {
    struct yk_str text; /* borrowed from the list; valid from yk_names_sort() until the list changes */
    int64_t rank;       /* compared before the text, the smaller one first */
    const void *object; /* any value of the caller, which is not dereferenced; may be NULL */
    size_t offset;      /* index of the text in the block */
};

/* A place in the order: directly before the entries with that rank and text, or directly behind them
 * (`is_behind`). */
struct yk_name_place {
    bool is_set; /* false: there is no place, and the other fields mean nothing */
    bool is_behind;
    int64_t rank;
    struct yk_buf text; /* owned */
};

enum {
    YK_NAMES_BYTES_MAX = 256 << 20,    /* bytes of all texts of a list without a window */
    YK_NAMES_WINDOW_BYTES = 256 << 10, /* usual `window`: bytes of entries and texts */
};

struct yk_names {
    struct yk_buf block;         /* owned */
    struct yk_name_entry *items; /* owned; `count` entries */
    size_t count, capacity;
    /* The caller sets these two while the list is empty. */
    size_t window; /* maximum size of entries and texts in bytes; 0: no window */
    /* The order. False: by rank, then by bytes of the text. True: as queue paths, so the queues below a queue
     * come directly behind it, and siblings come in the order of their names; ranks are ignored. */
    bool as_paths;
    /* State of the window. */
    /* Begin: entries before it are not kept. Not set: the window begins at the first entry. */
    struct yk_name_place from;
    /* End: set if entries from there on were not kept, so another window follows. */
    struct yk_name_place bound;
    uint64_t seen;   /* number of entries that were added, kept or not */
    uint64_t behind; /* number of these that are not before `from` */
    bool is_ranked;  /* one of the added entries has a rank other than 0 */
    /* A text to look for among the added entries. If several entries have it, the last one in the order is
     * found. */
    struct yk_str wanted; /* borrowed, set by the caller; empty: none */
    bool is_found;
    int64_t found_rank; /* rank of the found entry */
};

/* Frees the memory and resets all fields, also `window`, `as_paths` and `wanted`. The list can be used
 * again. */
void yk_names_done(struct yk_names *names);
/* Removes all entries and resets the counts. The list keeps its memory, and the begin of its window. */
void yk_names_clear(struct yk_names *names);
/* Adds an entry; it is kept only if it is in the window. `text` is copied. `object`: see struct
 * yk_name_entry. An entry with which the texts would have more than YK_NAMES_BYTES_MAX bytes is not kept;
 * like one outside the window, it is counted (`seen`) and compared with `wanted`. O(1) on average. */
void yk_names_add(struct yk_names *names, struct yk_str text, int64_t rank, const void *object);
/* Sorts the entries, and removes duplicates among those without an object. Call it once, after the last add.
 * O(n log n). */
void yk_names_sort(struct yk_names *names);
/* Compares `entry` with a rank and text in the order of the list. Less than 0: `entry` comes before them; 0:
 * they are equal; more than 0: it comes behind them. */
int yk_names_compare(const struct yk_names *names, const struct yk_name_entry *entry, int64_t rank,
                     struct yk_str text);

/* Removes all entries, and lets the window begin directly before the entries with that rank and text, or
 * directly behind them (`is_behind`). `text` is copied. */
void yk_names_go_to(struct yk_names *names, int64_t rank, struct yk_str text, bool is_behind);
/* Removes all entries, and lets the window begin at the first entry of the order. */
void yk_names_go_to_start(struct yk_names *names);
/* Removes all entries, and lets the window begin where the present one ends. False, and no effect: none of
 * the added entries comes behind the present window. */
bool yk_names_go_on(struct yk_names *names);

#endif
