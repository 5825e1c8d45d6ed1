/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Incomplete gangs give way: which of them may, in which order, and what becomes of those that did.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6 to 5.8.
 */
#ifndef YK_GANGS_GANG_GIVE_WAY_H
#define YK_GANGS_GANG_GIVE_WAY_H

#include "gangs/gang_plan.h"

/*
 * Makes a dry run for `plan`, in which `partition`, `gang`, `claim`, `may_preempt` and `asks` are set. If all
 * its asks can start, begins a handover (gangs/handover.h) and marks the gangs that give way for it. Frees
 * the plan in both cases. False: nothing else has changed.
 */
bool yk_gang_give_way_try(struct yk_gang_plan *plan);

#endif
