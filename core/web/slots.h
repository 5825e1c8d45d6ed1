/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks over hash tables in slices, to collect names. A slice ends at a free slot: no change of the table
 * moves an item across a free slot to a part that the walk has visited. When the table has grown, the walk
 * begins again, and the names are cleared. An item that is added during the walk may be visited once, twice
 * or not at all.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_SLOTS_H
#define YK_WEB_SLOTS_H

#include "base/map.h"
#include "base/text_set.h"
#include "web/job.h"

/* Called for each item; it may add a name to the list of names, and must not change the table. */
typedef void yk_slot_taker(struct yk_job *job, const void *item);

/*
 * Calls `take` for values of `map`, until all were visited or the slice is over at `until_mono_ns`. `take`
 * adds names to `names`, which is cleared when the walk begins, and when it has to begin again; so `take` may
 * have no other lasting effect. `job->slots` has the place of the walk, so a job does one walk at a time; its
 * `at` is 0 before the first call. False: the slice is over; call again in the next one. True: all were
 * visited, and `at` is 0 again; the names are not sorted.
 */
bool yk__walk_map(struct yk_job *job, const struct yk_strmap *map, struct yk_names *names,
                  yk_slot_taker *take, int64_t until_mono_ns);
/* Like yk__walk_map(), over a set. */
bool yk__walk_set(struct yk_job *job, const struct yk_text_set *set, struct yk_names *names,
                  yk_slot_taker *take, int64_t until_mono_ns);

#endif
