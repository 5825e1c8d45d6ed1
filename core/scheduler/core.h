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

/* The partition with that full name ("[rm]default"). A bare name ("default") means the partition of the
 * resource manager that registered first. NULL: there is none. Borrowed from the core. */
struct yk_partition *yk_core_find_partition(const struct yk_core *core, struct yk_str name);
/* The registered resource manager of that id, or NULL. Borrowed from the core. */
struct yk_rm *yk_core_find_rm(const struct yk_core *core, const char *rm_id);
/* The ask or allocation of that key in a live application, in any partition of that resource manager, or
 * NULL. Borrowed until the core changes. */
struct yk_ask *yk_core_find_ask(const struct yk_core *core, const char *rm_id, const char *application_id,
                                const char *key);
/* The resource manager that registered first, whose settings are those of the process; borrowed. NULL: none
 * has registered. */
struct yk_rm *yk_core_first_rm(const struct yk_core *core);

#endif
