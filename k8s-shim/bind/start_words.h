/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the message of a condition: a range of times in which the pod will probably start, or the reason
 * why this range is unknown. Examples:
 *
 * "; estimated start between 15:10 and 15:40 UTC", "; start unknown: no waiting pods of queue root.a started
 * lately". The reason is that of REST (yk_si_start_basis()).
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

/* The range for an estimate of the core; both ends are 0 if the start is not known. The ends are rounded to
 * steps from a minute to a day: the later the start, the longer the step. `now_wall_ns`: present time,
 * nanoseconds since 1970. */
struct yk_start_range yk_start_range_of(const struct yk_si_start *start, int64_t now_wall_ns);
/* Whether the range of `start` has to replace the range `written`. This is so if `written` has passed, if the
 * two ranges do not overlap, if the new range is at most a quarter as wide, or if only one of the two is
 * known. Call it only if start->waits is true: otherwise, the start would be taken as unknown. */
bool yk_start_range_moved(struct yk_start_range written, const struct yk_si_start *start,
                          int64_t now_wall_ns);
/* Appends the range, or the reason why it is unknown, to the message of a condition. Appends nothing if
 * start->waits is false. If start->waits is true and start->is_known false, start->queue must be valid. The
 * message must have a token of a reason (app/reason_words.h): without one, each new range would count as
 * another message. This function does not check that. */
void yk_start_words_add(struct yk_buf *message, const struct yk_si_start *start, int64_t now_wall_ns);

#endif
