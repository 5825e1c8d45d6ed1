/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of objects.c and object_copy.c for the files of the module.
 *
 * Thread: any.
 */
#ifndef YK_SIMULATE_OBJECTS_PRIV_H
#define YK_SIMULATE_OBJECTS_PRIV_H

#include "simulate/objects.h"

/* `copy` is a bytewise copy of another object, so its pointers lead to data of the other object. Replaces
 * them by pointers to copies of the data in `arena`. `next` and `more_owners` stay as they are. The
 * caller then moves the arena to copy->arena. */
void yk__object_own(struct yk_arena *arena, struct yk_object *copy);

/* Sets the value of `key` in `pairs`, or adds the pair. Both texts are copied into `arena`. */
void yk__pair_set(struct yk_arena *arena, struct yk_pairs *pairs, struct yk_str key, struct yk_str value);
/* Removes the pair with that key, if there is one. Moves the pairs behind it within `pairs->items`. */
void yk__pair_drop(struct yk_pairs *pairs, const char *key);

#endif
