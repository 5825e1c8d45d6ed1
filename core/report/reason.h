/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why an application or an ask waits: one reason (enum yk_si_reason), what it is about, and a sentence.
 *
 * All of it is read from stored state: what the last attempt came to, limits, usage and free capacity.
 * Nothing is tried. Every place that shows a reason (conditions, Events, REST, metrics) takes it from here.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md; docs/reference/rest.md 12.2.
 */
#ifndef YK_REPORT_REASON_H
#define YK_REPORT_REASON_H

#include "report/node_look.h"
#include "state/partition.h"

/* Borrowed objects are valid until the core changes. */
struct yk_why {
    enum yk_si_reason reason;
    const struct yk_queue *queue; /* whose limit refuses, or in which the limit of `usage` is; NULL: none */
    const struct yk_usage *usage; /* of the user or group whose limit refuses; NULL: none */
    bool is_held;                 /* what is free below the limit is held for a group that comes first */
    bool is_shared;               /* what is free below the limit is for asks that come first */
    bool is_listed;               /* its sentence leaves out other limits: they are listed beside it */
    bool one_at_a_time;           /* YK_REASON_QUEUE_MAX_APPS: the queue starts one application at a time */
};

/* What keeps the application from starting; YK_REASON_NONE: nothing, or it has started. O(depth). */
struct yk_why yk_why_of_app(const struct yk_app *app);
/* Why the ask, which is pending, waits. O(depth * types), and O(nodes / 64) if it waits for nodes: then the
 * resource manager's reason counts, and without one only whether its constraints exclude all nodes. */
struct yk_why yk_why_of_ask(const struct yk_ask *ask);
/* Like yk_why_of_ask(); without a reason of the resource manager the nodes are looked at. O(nodes). */
struct yk_why yk_why_in_detail(const struct yk_ask *ask);
/* Like yk_why_of_ask() for all asks of a group, which has pending ones: the first `*ret_first` of them
 * wait for `ret_why[0]`, the others for `ret_why[1]`. */
void yk_why_of_group(const struct yk_group *group, struct yk_why ret_why[2], uint32_t *ret_first);

/* What users can do about it: a phrase without a subject and a full stop; "" for YK_REASON_NONE. Static. */
const char *yk_why_remedy(enum yk_si_reason reason);
/* The reason of an ask that finds these nodes and no other obstacle; some node lacks something. */
enum yk_si_reason yk_why_of_look(const struct yk_node_look *look);

/* Appends the sentence, without a full stop. O(depth * types), and O(nodes) if it is about nodes. */
void yk_why_app_sentence(const struct yk_app *app, const struct yk_why *why, struct yk_buf *text);
/* Like yk_why_app_sentence() for an ask. */
void yk_why_ask_sentence(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text);
/* The placeholder of the application that is tried first of those that wait; NULL: none does. Looks at a few groups
 * only. */
const struct yk_ask *yk_why_waiting_placeholder(const struct yk_app *app);
/*
 * Appends the sentence of an object that waits for the placeholders of its gang: how many of them have nodes,
 * and what one of the others waits for. `ask` is the ask of that one, `why` its reason; NULL: none is in the
 * core.
 */
void yk_why_gang_sentence(const struct yk_ask *ask, const struct yk_why *why,
                          const struct yk_si_gang_wait *wait, struct yk_buf *text);
/* Amounts of a limit, of the types that it limits and that a size has. */
struct yk_why_amounts {
    struct yk_resvec max, used, requested, missing;
};
void yk_why_amounts_done(struct yk_why_amounts *amounts);
/* Sets `*ret_amounts`, which is zeroed before, to the amounts of the limit that `why` is about, in the types that the
 * limit and `size` have. The caller ends it with yk_why_amounts_done(). False: `why` is about no limit of amounts. */
bool yk_why_amounts(const struct yk_why *why, const struct yk_resvec *size,
                    struct yk_why_amounts *ret_amounts);
/* Calls `visit` for each limit of amounts on the path of the ask that has no headroom for it: queues from the root, then
 * the user's, then the group's. `why` is borrowed for the call. O(depth * types). */
void yk_why_each_limit(const struct yk_ask *ask, void (*visit)(void *context, const struct yk_why *why),
                       void *context);

#endif
