/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks over hash tables in slices, to collect names. A slice ends at a free slot: what lies behind one belongs
 * behind it, so neither a put nor a removal moves it to where the walk has been. When the table has grown the walk
 * begins again, and the names are cleared. What comes meanwhile may be met or not, or twice.
 *
 * Thread: scheduling thread.
 */
#ifndef YK_WEB_SLOTS_H
#define YK_WEB_SLOTS_H

#include "base/map.h"
#include "base/text_set.h"
#include "web/job.h"

/* Is called with each item; it may add a name to the list of names. */
typedef void yk_slot_taker(struct yk_job *job, const void *item);

/*
 * Gives each value of `map` to `take`, which adds to `names`. `job->slots` is where the walk is; a new one starts
 * with `at` = 0. False: the slice is over. True: the walk is at its end, and `at` is 0 again.
 */
bool yk__walk_map(struct yk_job *job, const struct yk_strmap *map, struct yk_names *names,
                  yk_slot_taker *take, int64_t until_mono_ns);
/* Like yk__walk_map(), over a set. */
bool yk__walk_set(struct yk_job *job, const struct yk_text_set *set, struct yk_names *names,
                  yk_slot_taker *take, int64_t until_mono_ns);

#endif
