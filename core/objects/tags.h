/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tags: a small immutable map of text, kept as one block "key\0value\0key\0value\0". Look-up is linear.
 * Thread: any, one object at a time.
 * Source: docs/reference/scheduling.md 1.4.
 */
#ifndef YK_OBJECTS_TAGS_H
#define YK_OBJECTS_TAGS_H

#include "base/str.h"
#include "si.h"

/* Written by: objects. */
struct yk_tags {
    char *block; /* owned; NULL when empty */
    uint32_t bytes;
    uint32_t count;
};

/* Fills `tags` with copies of the `count` entries of `from`. Entries without a key are left out; a missing
 * value reads "". The caller empties it with yk_tags_done(). */
void yk_tags_init(struct yk_tags *tags, const struct yk_si_tag *from, size_t count);
void yk_tags_done(struct yk_tags *tags);
/* The value of `key`, or NULL; borrowed from `tags`. Names of application tags are not case sensitive: use
 * yk_tags_get_nocase() for them. */
const char *yk_tags_get(const struct yk_tags *tags, const char *key);
/* Like yk_tags_get(), but ASCII letters of the key match in any case. */
const char *yk_tags_get_nocase(const struct yk_tags *tags, const char *key);
/* Next pair after `*at` (start with 0); false at the end. */
bool yk_tags_next(const struct yk_tags *tags, uint32_t *at, const char **ret_key, const char **ret_value);

#endif
