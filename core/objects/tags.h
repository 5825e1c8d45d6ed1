/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags: a small immutable map from text to text, stored as one block "key\0value\0key\0value\0". A look-up
 * takes time in proportion to the block. A zeroed struct yk_tags is empty.
 * Thread: any.
 * Source: docs/reference/scheduling.md 1.4.
 */
#ifndef YK_OBJECTS_TAGS_H
#define YK_OBJECTS_TAGS_H

#include "base/str.h"
#include "si.h"

/* Written by: objects. */
struct yk_tags {
    char *block;    /* owned; NULL when empty */
    uint32_t bytes; /* size of `block` */
    uint32_t count; /* number of pairs */
};

/* Fills `tags`, whose old contents are ignored, with copies of the `count` entries of `from`, which may be
 * NULL if `count` is 0. An entry whose key is NULL or "" is left out; a value NULL becomes "". If all
 * together are longer than a struct yk_buf may be, the first entry that does not fit and all later ones are
 * left out. The caller empties `tags` with yk_tags_done(). */
void yk_tags_init(struct yk_tags *tags, const struct yk_si_tag *from, size_t count);
void yk_tags_done(struct yk_tags *tags);
/* The value of the first pair with `key`, or NULL; borrowed from `tags`. Names of application tags are not
 * case sensitive: use yk_tags_get_nocase() for them. */
const char *yk_tags_get(const struct yk_tags *tags, const char *key);
/* Like yk_tags_get(), but ASCII letters of the key match in any case. */
const char *yk_tags_get_nocase(const struct yk_tags *tags, const char *key);
/* For a walk over all pairs in the order of yk_tags_init(): sets the next pair, borrowed from `tags`, and
 * moves `*at`, which the caller sets to 0 before the first call. False: there is no further pair, and nothing
 * was set. */
bool yk_tags_next(const struct yk_tags *tags, uint32_t *at, const char **ret_key, const char **ret_value);

#endif
