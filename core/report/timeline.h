/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of an application: what it waited for, what was reserved, started, preempted, replaced and
 * ended. Kept as long as the application is, ended or not; at most YK_TIMELINE_MAX entries.
 *
 * Owns: yk_app_report.timeline.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.2.
 */
#ifndef YK_REPORT_TIMELINE_H
#define YK_REPORT_TIMELINE_H

#include "report/reason.h"

/* Enters that the ask was reported to wait. No effect if the application was last reported to wait for the
 * same reason. */
void yk_timeline_waits(const struct yk_ask *ask);
/* Enters that the node is reserved for the ask from now on (`begins`), or no longer. */
void yk_timeline_reserved(const struct yk_ask *ask, const struct yk_node *node, bool begins);
/* Enters the start, the binding and the end of the allocation. Call it while the allocation is still on its
 * node. */
void yk_timeline_ended(const struct yk_ask *ask, enum yk_si_termination why);
/* Enters that the allocation is asked to end for others; `message` (copied) says for whom. */
void yk_timeline_preempted(const struct yk_ask *victim, const char *message);
/* Enters that the application was moved to another queue; `message` is copied. */
void yk_timeline_moved(const struct yk_app *app, const char *message);

/* An entry. Texts are borrowed. Written by: report, web. */
struct yk_timeline_view {
    int64_t wall_ns;
    const char *type;                                           /* "Waiting", "Reserved", ... */
    const char *reason, *key, *object_name, *node_id, *message; /* "" where there is none */
};
/* Sets `*ret_view` to the entry at `index`, the oldest first; texts are borrowed until the timeline changes.
 * False: there are no more. */
bool yk_timeline_at(const struct yk_app *app, uint32_t index, struct yk_timeline_view *ret_view);

#endif
