/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Incomplete gangs that give way: which of them give up placeholders for another gang or ask, and in which
 * order.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 5.6 to 5.8.
 */
#ifndef YK_GANGS_GANG_GIVE_WAY_H
#define YK_GANGS_GANG_GIVE_WAY_H

#include "gangs/gang_plan.h"

/*
 * Makes `plan` and carries it out. The caller has set the fields `partition`, `gang`, `claim`, `may_preempt`
 * and `asks`; the other fields are zero. True: there is a plan. A handover has begun (gangs/handover.h), or,
 * if the plan has no victims, its asks were allocated (yk_handover_begin() explains the exception). The gangs
 * that give way are marked. The counts of the look are out of date, so the caller begins them again. False:
 * there is no plan, and nothing has changed. Frees the vectors of the plan in both cases.
 *
 * Call it in a look, after the counts of yk_gang_order_count() and yk_gang_supply_count(). The group of users
 * of the application must have been chosen (yk_usage_choose_group()). The caller has checked that the
 * application may start and, for a gang, that all announced placeholders exist, that the gang is in no
 * handover, and that its `never_fits` is false.
 */
bool yk_gang_give_way_try(struct yk_gang_plan *plan);

#endif
