/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many asks started in each of the last minutes, how many batches they were, and how long the pauses were
 * between starts while asks waited.
 *
 * Part of a queue or an application.
 * Thread: scheduling thread only.
 */
#ifndef YK_OBJECTS_STARTS_H
#define YK_OBJECTS_STARTS_H

#include <stdint.h>

enum { YK_STARTS_MINUTES = 16 };

/* Written by: report. All zero: nothing has started. */
struct yk_starts {
    int64_t minute;        /* the last minute in `counts`, in minutes since the epoch; 0: no start so far */
    int64_t first_wall_ns; /* time of the first start since all `counts` were last cleared; 0: none */
    int64_t batch_wall_ns; /* time of the first start of the last batch; 0: none */
    int64_t last_wall_ns;  /* time of the last start; 0: none */
    uint32_t counts[YK_STARTS_MINUTES]; /* starts per minute; index: minute modulo YK_STARTS_MINUTES */
    /* Batches per minute, counted in the minute in which they began. A batch is all starts within 2 s of its
     * first one, such as those of a gang. */
    uint16_t batches[YK_STARTS_MINUTES];
    /* The longest wait, in seconds, rounded up, of asks that started in that minute, from the start before
     * theirs, or their creation if that is later. Between the two, an ask waited and none started. The first
     * start of all has none before it, and no wait. */
    uint16_t longest_s[YK_STARTS_MINUTES];
};

/* Of a leaf. Written by: report. */
struct yk_leaf_starts {
    struct yk_starts asks, placeholders; /* starts of real asks, and of placeholders, that have waited */
    struct yk_starts all_asks;           /* starts of real asks, also of those that have not waited */
    /* Asks that were added to applications that are a minute old, without those of task groups. */
    struct yk_starts added;
};

#endif
