/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned bytes: what thousands of pods of one workload have in common is stored once, with a reference
 * count.
 *
 * Interned bytes do not change. Its bytes are usually packed texts (yk_interned_add_text(),
 * yk_interned_text()).
 * Owns:   all interned bytes, until their last reference is dropped.
 * Thread: scheduling thread only.
 */
#ifndef YK_CACHE_INTERNED_H
#define YK_CACHE_INTERNED_H

#include "base/text_set.h"

/* Written by: cache; bind counts its own holders. */
struct yk_interned {
    uint32_t holders;
    uint32_t len;
    char bytes[];
};

struct yk_intern_table {
    struct yk_text_set by_bytes;
};

/* An empty table. */
void yk_intern_table_init(struct yk_intern_table *intern_table);
/* Frees the table. All references were dropped. */
void yk_intern_table_done(struct yk_intern_table *intern_table);
/* The interned bytes equal to `bytes` (copied), with one more reference for the caller, who drops it with
 * yk_interned_put(). */
struct yk_interned *yk_interned_get(struct yk_intern_table *intern_table, struct yk_str bytes);
/* Drops a reference; the last one frees the bytes. NULL is fine. */
void yk_interned_put(struct yk_intern_table *intern_table, struct yk_interned *interned);

/* Appends a text and a NUL to `bytes`. A text with a NUL inside, which no text of the API has, is cut
 * there. */
void yk_interned_add_text(struct yk_buf *bytes, struct yk_str text);
/* The text at `*at` (start with 0), "" at the end; moves `*at` behind it. Terminated, borrowed from the
 * blob. */
const char *yk_interned_text(const struct yk_interned *interned, uint32_t *at);

#endif
