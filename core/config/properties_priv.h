/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers of the known properties, and what children inherit of each (I1).
 * Thread: any.
 */
#ifndef YK_CONFIG_PROPERTIES_PRIV_H
#define YK_CONFIG_PROPERTIES_PRIV_H

#include "config/config.h"

enum { YK__PROPERTIES = 15 }; /* rows of the table in properties.c */

/* The number of the known property `key`, its row from 0 on; -1: the scheduler does not know it. */
int yk__property_number(struct yk_str key);
/* The pair that a child inherits from `pair`: `pair` itself, or a static pair with another value. NULL
 * for NULL. */
const struct yk_pair *yk__property_inherited(const struct yk_pair *pair);
/* The number of a property that a queue does not inherit if it has the property `key` itself; -1: there
 * is none. */
int yk__property_hides(struct yk_str key);

#endif
