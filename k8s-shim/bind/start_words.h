/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the message of a condition: a range of times in which the pod will probably start, or why that
 * is unknown:
 *
 * "; estimated start between 15:10 and 15:40 UTC", "; start unknown: too few pods of queue root.a started
 * lately".
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md 3.9.
 */
#ifndef YK_BIND_START_WORDS_H
#define YK_BIND_START_WORDS_H

#include "base/clock.h"
#include "base/str.h"
#include "si.h"

/* A range of times, in whole minutes since 1970; both ends 0: unknown. */
struct yk_start_range {
    uint32_t from_min, to_min;
};

/* The range for an estimate of the core; both ends 0 if that is not known. The ends are rounded to steps
 * from a minute to a day, which are longer the later the start is. `now_wall_ns`: present time,
 * nanoseconds since 1970. */
struct yk_start_range yk_start_range_of(const struct yk_si_start *start, int64_t now_wall_ns);
/* Whether the range `written` has to be replaced by that of `start`: it has passed; the two do not
 * overlap; the new one is at most a quarter as wide; or only one of the two is known. Call it only while
 * `start->waits`: an object that does not wait counts as one whose start is unknown. */
bool yk_start_range_moved(struct yk_start_range written, const struct yk_si_start *start,
                          int64_t now_wall_ns);
/* Appends the range, or why it is unknown, to the message of a condition. Appends nothing if start->waits
 * is false. */
void yk_start_words_add(struct yk_buf *message, const struct yk_si_start *start, int64_t now_wall_ns);

#endif
