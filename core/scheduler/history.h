/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ran, minute by minute, over the last day: a record per minute of how many applications are Running and
 * how many allocations there are, in all partitions.
 *
 * The ring lies in core->history. A minute in which the timer did not fire has no record.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, section 4, endpoints 5 and 6.
 */
#ifndef YK_SCHEDULER_HISTORY_H
#define YK_SCHEDULER_HISTORY_H

#include "state/core.h"

/* Makes an empty ring, whose timer is not armed. `core` is borrowed for life. */
void yk_history_init(struct yk_history *history, struct yk_core *core);
/* Frees the records and disarms the timer. */
void yk_history_done(struct yk_history *history);
/* Makes a record each YK_HISTORY_INTERVAL_NS from now on, the first after one interval. No effect when it was
 * started before. */
void yk_history_start(struct yk_history *history);
/* Makes a record now; replaces the oldest when there are YK_HISTORY_MAX. O(partitions). */
void yk_history_record(struct yk_history *history);
/* The record at `index` (below history->count), the oldest first. Borrowed until the next record. */
const struct yk_history_record *yk_history_at(const struct yk_history *history, size_t index);

#endif
