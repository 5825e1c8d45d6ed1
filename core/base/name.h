/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned names: a 32-bit id instead of a string, so that names are compared as integers.
 *
 * References to a name are counted: yk_name_get() adds one, yk_name_put() drops one. When the last reference
 * is dropped, the text is freed, and another name may get the id. Names that are needed until the process
 * ends, such as well-known keys, are never put. Id 0 is "no name".
 * Thread: scheduling thread only.
 */
#ifndef YK_BASE_NAME_H
#define YK_BASE_NAME_H

#include "base/str.h"

typedef struct yk_name {
    uint32_t id;
} yk_name;

#define YK_NO_NAME ((yk_name){0})

/* Whether both are the same name, or both are YK_NO_NAME. */
static inline bool yk_name_eq(yk_name a, yk_name b)
{
    return a.id == b.id;
}
/* The name for `text`, with a reference for the caller, who drops it with yk_name_put(). An empty or
 * absent text has a name, too, which is not YK_NO_NAME. */
yk_name yk_name_get(struct yk_str text);
/* The name for `text`; YK_NO_NAME if there is no reference to such a name. Adds no reference. */
yk_name yk_name_find(struct yk_str text);
/* Adds a reference to `name`, which has one already, and returns `name`. YK_NO_NAME is fine. */
yk_name yk_name_ref(yk_name name);
/* Drops a reference to `name`. YK_NO_NAME is fine. */
void yk_name_put(yk_name name);
/* The terminated text of `name`, valid as long as the name has references; "" for YK_NO_NAME. */
const char *yk_name_text(yk_name name);
/* The number of names that have references. */
size_t yk_name_count(void);

#endif
