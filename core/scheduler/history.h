/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history of the last day: one record per minute with the number of Running applications and of
 * allocations in all partitions.
 *
 * The records are a ring in core->history. A minute in which the timer did not fire has no record.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, section 4, endpoints 5 and 6.
 */
#ifndef YK_SCHEDULER_HISTORY_H
#define YK_SCHEDULER_HISTORY_H

#include "state/core.h"

/* Makes an empty ring; the timer is not armed. `core` is borrowed until yk_history_done(). `history` may be
 * uninitialised. */
void yk_history_init(struct yk_history *history, struct yk_core *core);
/* Frees the records and cancels the timer. */
void yk_history_done(struct yk_history *history);
/* Arms the timer, which adds a record every YK_HISTORY_INTERVAL_NS, the first one after one interval. No
 * effect if it is armed. */
void yk_history_start(struct yk_history *history);
/* Adds a record now; if there are YK_HISTORY_MAX, it replaces the oldest. The timer does the same. A call
 * does not change when the timer fires. O(partitions). */
void yk_history_record(struct yk_history *history);
/* The record at `index`, which is below history->count; 0 is the oldest. Borrowed until the next record is
 * added. */
const struct yk_history_record *yk_history_at(const struct yk_history *history, size_t index);

#endif
