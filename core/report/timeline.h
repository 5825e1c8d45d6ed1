/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of an application: what it waited for, and which of its asks and allocations were reserved,
 * started, preempted, replaced and ended, and when. It has at most YK_TIMELINE_MAX entries, and is freed with
 * the application. Nothing is entered while the partition is being removed.
 *
 * Owns:   yk_app_report.timeline.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_TIMELINE_H
#define YK_REPORT_TIMELINE_H

#include "report/reason.h"

/* Enters that the ask waits, and why, and sets the reason of the application in the metrics to that of
 * yk_why_of_ask(). The entry may have the more exact reason of yk_why_in_detail(). No effect if the reason of
 * yk_why_of_ask() is the same as at the last such entry of the application, also if the more exact one
 * differs, and the application has had waiting asks since; or if the ask is about to be tried
 * (YK_REASON_NOT_ATTEMPTED, YK_REASON_NONE). Call it for the first ask of a group when the ask is
 * reported. */
void yk_timeline_waits(const struct yk_ask *ask);
/* Enters that the node was reserved for the ask (`begins`), or that the reservation was dropped. */
void yk_timeline_reserved(const struct yk_ask *ask, const struct yk_node *node, bool begins);
/* Enters the start, the binding (if it was reported) and the end of the allocation. Call it when the
 * allocation ends, while it is still on its node. */
void yk_timeline_ended(const struct yk_ask *ask, enum yk_si_termination why);
/* Enters that the allocation, a victim of an application, is asked to end; `message` (copied) is the sentence
 * for users. Call it while the victim is on its node, which the entry names. */
void yk_timeline_preempted(const struct yk_ask *victim, const char *message);
/* Enters that the application was moved to another queue; `message` is copied. */
void yk_timeline_moved(const struct yk_app *app, const char *message);

/* An entry. Texts are borrowed. Written by: report, web. */
struct yk_timeline_view {
    int64_t wall_ns;                                            /* when it happened */
    const char *type;                                           /* "Waiting", "Reserved", ...; static */
    const char *reason, *key, *object_name, *node_id, *message; /* "" if the entry has none */
};
/* Sets `*ret_view` to the entry at `index` (0: the oldest that is kept); texts are borrowed until the next
 * entry. False: there is no such entry. */
bool yk_timeline_at(const struct yk_app *app, uint32_t index, struct yk_timeline_view *ret_view);

#endif
