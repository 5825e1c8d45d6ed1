/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equal vectors kept once: the capacities of thousands of nodes are of a few sizes. A shared vector never
 * changes, and equal ones (yk_resvec_same) are the same pointer.
 *
 * Owns:   every shared vector, until its last holder gives it back.
 * Thread: scheduling thread only, like the names (base/name.h).
 */
#ifndef YK_RESOURCES_SHARED_H
#define YK_RESOURCES_SHARED_H

#include "resources/resvec.h"

/* The shared vector with these amounts (copied), with a reference for the caller, who drops it with yk_shared_put(). */
const struct yk_resvec *yk_shared_get(const struct yk_resvec *amounts);
/* Drops a reference; the last one frees the vector. NULL is fine. */
void yk_shared_put(const struct yk_resvec *shared);
/* The number of shared vectors. */
size_t yk_shared_count(void);

#endif
