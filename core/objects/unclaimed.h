/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a limit leaves to asks that lack nodes, beside those that came before them in the same walk.
 *
 * Part of a queue and of the usage of a user or group in a queue, which own it. Written by report/unclaimed.c
 * only.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_UNCLAIMED_H
#define YK_OBJECTS_UNCLAIMED_H

#include "resources/resvec.h"

/* Written by: report. */
struct yk_unclaimed {
    uint64_t walk;         /* the walk that `left` belongs to (struct yk_outstanding) */
    struct yk_resvec left; /* of the limited types, in base units; may be negative */
};

/* NULL is fine. */
static inline void yk_unclaimed_free(struct yk_unclaimed *unclaimed)
{
    if (unclaimed == NULL)
        return;
    yk_resvec_done(&unclaimed->left);
    free(unclaimed);
}

#endif
