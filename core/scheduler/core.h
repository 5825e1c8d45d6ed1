/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core: resource managers, their partitions, the active configuration. Implements si.h and is read by
 * web/.
 * Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_CORE_H
#define YK_SCHEDULER_CORE_H

#include "scheduler/cross_check.h"
#include "scheduler/health.h"
#include "state/core.h"

/* By full name ("[rm]default"), or by bare name ("default"): then the one of the resource manager that
 * registered first. Or NULL. */
struct yk_partition *yk_core_find_partition(const struct yk_core *core, struct yk_str name);
/* The registered resource manager of that id, or NULL. */
struct yk_rm *yk_core_find_rm(const struct yk_core *core, const char *rm_id);
/* The ask or allocation of that key in a live application, in any partition of that resource manager, or
 * NULL. */
struct yk_ask *yk_core_find_ask(const struct yk_core *core, const char *rm_id, const char *application_id,
                                const char *key);
/* The one that registered first: its settings are those of the process. NULL: none has. */
struct yk_rm *yk_core_first_rm(const struct yk_core *core);

#endif
