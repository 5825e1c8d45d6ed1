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
 * A dry run for `plan`, whose asks, claim and gang are set; if all its asks can start, a handover begins and
 * those that give way for it are noted. Ends the plan. False: nothing has changed.
 */
bool yk_gang_give_way_try(struct yk_gang_plan *plan);

#endif
