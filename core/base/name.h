/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned names: a 32-bit id instead of a string, so that comparing is comparing integers.
 *
 * Ids are counted: yk_name_get() takes one, yk_name_put() gives it back; the last put frees the text and the
 * id is used again. Names that never go (well-known keys) are simply never put. Id 0 is "no name".
 * Thread: scheduling thread only.
 */
#ifndef YK_BASE_NAME_H
#define YK_BASE_NAME_H

#include "base/str.h"

typedef struct yk_name {
    uint32_t id;
} yk_name;

#define YK_NO_NAME ((yk_name){0})

/* Whether both are the same name. */
static inline bool yk_name_eq(yk_name a, yk_name b)
{
    return a.id == b.id;
}
/* The name for `text`, with a reference for the caller, who drops it with yk_name_put(). */
yk_name yk_name_get(struct yk_str text);
/* The name for `text` if someone holds it, else YK_NO_NAME; not counted. */
yk_name yk_name_find(struct yk_str text);
/* Adds a reference to `name` and returns it. YK_NO_NAME is fine. */
yk_name yk_name_ref(yk_name name);
/* Drops a reference to `name`. YK_NO_NAME is fine. */
void yk_name_put(yk_name name);
/* Terminated text, valid while the name is held; "" for YK_NO_NAME. */
const char *yk_name_text(yk_name name);
/* The number of names that have references. */
size_t yk_name_count(void);

#endif
