/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of the message of a condition: when the pod may start, as a coarse range of UTC times that is marked as an
 * estimate, or why that is unknown.
 *
 * "; estimated start between 15:10 and 15:40 UTC", "; start unknown: too few pods of queue root.a started lately".
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md 3.9.
 */
#ifndef YK_BIND_START_WORDS_H
#define YK_BIND_START_WORDS_H

#include "base/clock.h"
#include "base/str.h"
#include "si.h"

/* A range of wall times in whole minutes since 1970; both 0: unknown. */
struct yk_start_range {
    uint32_t from_min, to_min;
};

/* The range around the estimate (both ends 0 if it is not known): the further away it is, the longer are the
 * steps to which both ends are rounded, from a minute to a day. `now_wall_ns`: present time. */
struct yk_start_range yk_start_range_of(const struct yk_si_start *start, int64_t now_wall_ns);
/* Whether `written` is no longer right: the present estimate lies outside it, is a quarter as wide or less, or is known
 * where the written one was not, or the other way round. */
bool yk_start_range_moved(struct yk_start_range written, const struct yk_si_start *start,
                          int64_t now_wall_ns);
/* Appends these words to the message of a condition. Appends nothing if `start` is of something that does not
 * wait. */
void yk_start_words_add(struct yk_buf *message, const struct yk_si_start *start, int64_t now_wall_ns);

#endif
