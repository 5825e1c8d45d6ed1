/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the copy of an object, for the files of the module. Thread: one at a time. */
#ifndef YK_SIMULATE_OBJECTS_PRIV_H
#define YK_SIMULATE_OBJECTS_PRIV_H

#include "simulate/objects.h"

/* `copy` is a bytewise copy that points into another object: makes it own what it points to, in `arena`. */
void yk__object_own(struct yk_arena *arena, struct yk_object *copy);

/* Sets the value of `key` in `pairs`. Both are copied into `arena`; a value that was there is replaced. */
void yk__pair_set(struct yk_arena *arena, struct yk_pairs *pairs, struct yk_str key, struct yk_str value);
/* Takes the pair of that key out, if it is there. */
void yk__pair_drop(struct yk_pairs *pairs, const char *key);

#endif
