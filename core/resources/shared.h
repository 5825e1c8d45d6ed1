/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores equal vectors once, such as the capacities of thousands of nodes of a few sizes. A shared vector
 * never changes, and equal ones (yk_resvec_same()) have the same address.
 *
 * Owns:   every shared vector, until its last reference is dropped.
 * Thread: scheduling thread only, like the names (base/name.h).
 */
#ifndef YK_RESOURCES_SHARED_H
#define YK_RESOURCES_SHARED_H

#include "resources/resvec.h"

/* The shared vector that is equal to `amounts`, which is copied if there is none. Has a reference for the
 * caller, who drops it with yk_shared_put(). For one more reference to a shared vector, call it with that
 * vector. */
const struct yk_resvec *yk_shared_get(const struct yk_resvec *amounts);
/* Drops a reference to what yk_shared_get() returned; the last one frees the vector. NULL is fine. */
void yk_shared_put(const struct yk_resvec *shared);
/* The number of shared vectors. */
size_t yk_shared_count(void);

#endif
