/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What property_set.c knows of single properties: their numbers, and what of them is inherited (I1).
 * Thread: any.
 */
#ifndef YK_CONFIG_PROPERTIES_PRIV_H
#define YK_CONFIG_PROPERTIES_PRIV_H

#include "config/config.h"

enum { YK__PROPERTIES = 15 }; /* rows of the table of properties */

/* The row of `key`, or -1: its value means nothing to the scheduler. */
int yk__property_number(struct yk_str key);
/* The pair that a child inherits from `pair`: the same, or a static one with another value. NULL for NULL. */
const struct yk_pair *yk__property_inherited(const struct yk_pair *pair);
/* The row that the parent's value of is not inherited if a queue has `key` itself, or -1. */
int yk__property_hides(struct yk_str key);

#endif
