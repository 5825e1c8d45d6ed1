/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the resource manager that are about one ask or allocation.
 *
 * Thread: scheduling thread only. A callback never calls the core (docs/design.md, Threads).
 * Source: core/si.h.
 */
#ifndef YK_REPORT_RM_CALLS_H
#define YK_REPORT_RM_CALLS_H

#include "state/partition.h"

/* Tells the resource manager that the ask is an allocation on its node now, and counts that in the
 * metrics. */
void yk_rm_call_allocated(const struct yk_partition *partition, const struct yk_ask *ask);
/*
 * Tells the resource manager that the allocation has ended or, for a reason `why` that only the resource
 * manager can carry out, has to end; then it stays until the resource manager confirms its end. `message` may
 * be NULL. Counts that in the metrics.
 */
void yk_rm_call_released(const struct yk_partition *partition, const struct yk_ask *ask,
                         enum yk_si_termination why, const char *message);
/* The tags of an ask, from the core or from the resource manager; the caller frees `*ret_tags` with
 * yk_tags_done(). */
void yk_rm_call_ask_tags(const struct yk_partition *partition, const struct yk_ask *ask,
                         struct yk_tags *ret_tags);
/* Appends the reasons of the resource manager why no node takes the ask, if it has any. */
void yk_rm_call_wait_words(const struct yk_partition *partition, const struct yk_ask *ask,
                           struct yk_buf *words);

/* Appends the namespace and the name of the object of the ask; the name is the key of the ask if the resource
 * manager says neither. */
void yk_rm_call_ask_name(const struct yk_partition *partition, const struct yk_ask *ask,
                         struct yk_buf *namespace_, struct yk_buf *name);

#endif
