/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a limit that asks which lack nodes may still use. A walk over these asks subtracts the size of
 * each, so that a later ask only gets what the earlier ones leave.
 *
 * Part of a queue and of the usage of a user or group in a queue, which own it.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_UNCLAIMED_H
#define YK_OBJECTS_UNCLAIMED_H

#include "resources/resvec.h"

/* Written by: report. */
struct yk_unclaimed {
    uint64_t walk;         /* number of the walk that computed `left` (yk_outstanding.walk) */
    struct yk_resvec left; /* what is left of the limited types, in base units; may be negative */
};

/* Frees the object. NULL is fine. */
static inline void yk_unclaimed_free(struct yk_unclaimed *unclaimed)
{
    if (unclaimed == NULL)
        return;
    yk_resvec_done(&unclaimed->left);
    free(unclaimed);
}

#endif
