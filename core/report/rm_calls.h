/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls callbacks of the resource manager that are about one ask or allocation.
 *
 * Thread: scheduling thread only. A callback never changes the core (docs/design.md, Threads).
 * Source: core/si.h.
 */
#ifndef YK_REPORT_RM_CALLS_H
#define YK_REPORT_RM_CALLS_H

#include "state/partition.h"

/* Reports that the ask has become an allocation on `ask->node` (callback allocated()), and counts it in the
 * metrics. Call it after all amounts have changed. */
void yk_rm_call_allocated(const struct yk_partition *partition, const struct yk_ask *ask);
/*
 * Reports that the ask or allocation has ended, or asks the resource manager to end it (callback released());
 * si.h says which of the two `why` means. An allocation that the resource manager is asked to end counts as
 * allocated until the resource manager confirms the end. `message` may be NULL. Changes nothing in the core,
 * but counts the call in the metrics. Do not call it for a pending ask that the resource manager has
 * released, nor when the resource manager confirms an end that the core asked for (yk_core_release() in
 * si.h).
 */
void yk_rm_call_released(const struct yk_partition *partition, const struct yk_ask *ask,
                         enum yk_si_termination why, const char *message);
/* Sets `*ret_tags` to a copy of the tags of the ask: those that came with it, else those of the callback
 * allocation_tags(); empty if there are none. The caller ends it with yk_tags_done(). */
void yk_rm_call_ask_tags(const struct yk_partition *partition, const struct yk_ask *ask,
                         struct yk_tags *ret_tags);
/* Appends why no node takes the ask, as the resource manager has stored it (callback add_wait_reason());
 * appends nothing if nothing is stored. O(1). */
void yk_rm_call_wait_words(const struct yk_partition *partition, const struct yk_ask *ask,
                           struct yk_buf *words);

/* Appends why the resource manager does not use the gang of the application (callback gang_unused()); appends
 * nothing if the application has none, or its gang is used. O(1). */
void yk_rm_call_gang_unused(const struct yk_app *app, struct yk_buf *why);
/* Appends the namespace and the name of the object of the ask, from the callback ask_handle() or from its
 * tags. Without these the namespace is empty, and the name is the key of the ask. */
void yk_rm_call_ask_name(const struct yk_partition *partition, const struct yk_ask *ask,
                         struct yk_buf *namespace_, struct yk_buf *name);

#endif
