/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many asks of a queue started in each of the last minutes.
 *
 * Part of a queue; written by report/drain.c only.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_QUEUE_STARTS_H
#define YK_OBJECTS_QUEUE_STARTS_H

#include <stdint.h>

enum { YK_STARTS_MINUTES = 16 };

/* Written by: report. */
struct yk_queue_starts {
    int64_t minute;                     /* of the last start, since the epoch; 0: none so far */
    int64_t first_wall_ns;              /* of the first start that is counted */
    uint32_t counts[YK_STARTS_MINUTES]; /* by minute modulo YK_STARTS_MINUTES */
};

#endif
