/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many asks of a queue started in each of the last minutes.
 *
 * Part of a queue.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_QUEUE_STARTS_H
#define YK_OBJECTS_QUEUE_STARTS_H

#include <stdint.h>

enum { YK_STARTS_MINUTES = 16 };

/* Written by: report. */
struct yk_queue_starts {
    int64_t minute;        /* the last minute in `counts`, in minutes since the epoch; 0: no start so far */
    int64_t first_wall_ns; /* time of the first start since all `counts` were last cleared; 0: none */
    uint32_t counts[YK_STARTS_MINUTES]; /* starts per minute; index: minute modulo YK_STARTS_MINUTES */
};

#endif
