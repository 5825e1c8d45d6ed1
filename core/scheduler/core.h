/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds resource managers, partitions and asks of the core, for this module and for web/. core.c also
 * implements si.h.
 * Thread: scheduling thread only.
 */
#ifndef YK_SCHEDULER_CORE_H
#define YK_SCHEDULER_CORE_H

#include "scheduler/cross_check.h"
#include "scheduler/health.h"
#include "state/core.h"

/* The partition with that full name ("[rm]default"), or with that bare name ("default"). If several have the
 * bare name, the result is the partition of the resource manager that registered first. NULL: there is none.
 * Borrowed until the next configuration, or until its resource manager unregisters or registers again. */
struct yk_partition *yk_core_find_partition(const struct yk_core *core, struct yk_str name);
/* The registered resource manager of that id (may be NULL), borrowed until it registers again or unregisters;
 * NULL: there is none. */
struct yk_rm *yk_core_find_rm(const struct yk_core *core, const char *rm_id);
/* The ask or allocation of that key in a live application, in any partition of that resource manager (`rm_id`
 * may be NULL); NULL: there is none. Borrowed until the ask ends. */
struct yk_ask *yk_core_find_ask(const struct yk_core *core, const char *rm_id, const char *application_id,
                                const char *key);
/* The registered resource manager that registered first, borrowed; NULL: there is none. Its settings apply to
 * the whole process. */
struct yk_rm *yk_core_first_rm(const struct yk_core *core);

#endif
