/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared bytes: what thousands of pods of one workload have in common is kept once and counted.
 *
 * A blob is immutable. Its bytes are usually packed texts (yk_interned_add_text(), yk_interned_text()).
 * Owns:   every blob, until its last holder gives it back.
 * Thread: scheduling thread only.
 */
#ifndef YK_CACHE_INTERNED_H
#define YK_CACHE_INTERNED_H

#include "base/text_set.h"

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
/* All blobs have been put back. */
void yk_intern_table_done(struct yk_intern_table *intern_table);
/* The blob with these bytes (copied), counted. */
struct yk_interned *yk_interned_get(struct yk_intern_table *intern_table, struct yk_str bytes);
/* Gives one back. NULL is fine. */
void yk_interned_put(struct yk_intern_table *intern_table, struct yk_interned *interned);

/* Packed texts: each is followed by a NUL, so NULs inside a text (no API text has one) cut it. */
void yk_interned_add_text(struct yk_buf *bytes, struct yk_str text);
/* The text at `*at` (start with 0), "" at the end; moves `*at` behind it. Terminated, borrowed from the
 * blob. */
const char *yk_interned_text(const struct yk_interned *interned, uint32_t *at);

#endif
