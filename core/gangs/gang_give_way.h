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
 * Makes `plan`, whose fields `partition`, `gang`, `claim`, `may_preempt` and `asks` the caller has set, and
 * whose other fields are zero. True: all its asks can start; a handover has begun (gangs/handover.h), and the
 * gangs that give way for it are marked. False: nothing has changed. Frees the vectors of the plan in both
 * cases. To be called in a look, after its count (gangs/gang_wait.h).
 */
bool yk_gang_give_way_try(struct yk_gang_plan *plan);

#endif
