/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned bytes: bytes that many pods have in common, such as details of their application, are stored once,
 * and count their holders.
 *
 * Interned bytes do not change. They are usually a sequence of texts: yk_interned_add_text() appends one,
 * yk_interned_text() reads the next one.
 * Owns:   all interned bytes, until their last holder gives them back.
 * Thread: scheduling thread only.
 */
#ifndef YK_CACHE_INTERNED_H
#define YK_CACHE_INTERNED_H

#include "base/text_set.h"

/* Written by: cache; bind counts its own holders, app fills its own copies. */
struct yk_interned {
    uint32_t holders; /* number of references */
    uint32_t len;     /* length of `bytes` */
    char bytes[];     /* followed by a NUL that is not included in `len` */
};

struct yk_intern_table {
    struct yk_text_set by_bytes;
};

/* Makes an empty table. */
void yk_intern_table_init(struct yk_intern_table *intern_table);
/* Frees the table. All interned bytes must have been given back with yk_interned_put(). */
void yk_intern_table_done(struct yk_intern_table *intern_table);
/* The interned bytes that are equal to `bytes` (copied if they are new), with one more holder: the caller
 * calls yk_interned_put(). */
struct yk_interned *yk_interned_get(struct yk_intern_table *intern_table, struct yk_str bytes);
/* Removes a holder; the last one frees the bytes. `interned` may be NULL. */
void yk_interned_put(struct yk_intern_table *intern_table, struct yk_interned *interned);

/* Appends a text and a NUL to `bytes`, which are interned later. A text is cut at a NUL, which no text of
 * the API contains. */
void yk_interned_add_text(struct yk_buf *bytes, struct yk_str text);
/* The text at the offset `*at`, terminated, borrowed from `interned`. Moves `*at` to the next text; the
 * offset of the first text is 0. After the last text, the result is "". */
const char *yk_interned_text(const struct yk_interned *interned, uint32_t *at);

#endif
