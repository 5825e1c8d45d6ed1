/* SPDX-License-Identifier: Apache-2.0 */
#ifndef YK_SIMULATE_OBJECTS_PRIV_H
#define YK_SIMULATE_OBJECTS_PRIV_H

#include "simulate/objects.h"

/* `copy` is a bytewise copy that points into another object: makes it own what it points to, in `arena`. */
void yk__object_own(struct yk_arena *arena, struct yk_object *copy);

#endif
