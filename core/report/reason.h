/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why an application or an ask waits: one reason (enum yk_si_reason), the object that it is about, and a
 * sentence.
 *
 * A reason is computed from the result of the last attempt or walk (report/outstanding.h) and from the
 * present limits, usage and free capacity. Nothing is changed.
 *
 * Thread: scheduling thread only.
 * Source: docs/reasons.md; docs/reference/rest.md 12.6.
 */
#ifndef YK_REPORT_REASON_H
#define YK_REPORT_REASON_H

#include "report/node_look.h"
#include "state/partition.h"

/* A value. Pointers are borrowed, and valid until a queue, user, group or node is removed. */
struct yk_why {
    enum yk_si_reason reason;
    /* The queue that the reason is about, such as the one whose limit refuses, or that has the limit of
     * `usage`; NULL: none. */
    const struct yk_queue *queue;
    const struct yk_usage *usage; /* the user or group of users whose limit refuses; NULL: none */
    /* Free amounts below the limit are held for an earlier group (limit_hold.h). */
    bool is_held;
    bool is_shared; /* free amounts below the limit are for earlier asks that lack nodes, as this one does */
    bool is_listed; /* in a list of obstacles: the sentence does not name other limits */
    /* YK_REASON_QUEUE_MAX_APPS: the queue starts one application at a time. */
    bool one_at_a_time;
    bool has_look;            /* the reason comes from `look`, and so does its sentence */
    struct yk_node_look look; /* all 0 if `has_look` is false */
};

/* Why the application was rejected, or why none of its asks can start: its partition is stopped, or the
 * application may not start. YK_REASON_NONE: none of these. yk_why_of_ask() and yk_why_of_group() return this
 * reason, too, if it is not YK_REASON_NONE. O(depth). */
struct yk_why yk_why_of_app(const struct yk_app *app);
/* Why the pending ask waits, for those that need no sentence, such as counts. If the ask waits for nodes, and
 * its application does not pause, the reason is the last one of yk_why_in_detail() that the resource manager
 * has stored (callback node_reason()). If it has stored none, the reason is YK_REASON_PREDICATES if the fixed
 * constraints of the ask exclude all nodes, else YK_REASON_NODE_RESOURCES. O(depth * types + nodes / 64), and as
 * yk_why_is_preempting(). */
struct yk_why yk_why_of_ask(const struct yk_ask *ask);
/* Like yk_why_of_ask(), but if the ask waits for nodes, looks at them now: the reason and the sentence of
 * yk_why_ask_sentence() come from the same look. `looks`: as in yk_node_look_shared(), may be NULL. O(nodes *
 * types), or as yk_why_of_ask() if `looks` has the look. */
struct yk_why yk_why_in_detail(const struct yk_ask *ask, struct yk_node_looks *looks);
/* Whether yk_why_in_detail() looks at the nodes for the ask. Like yk_why_of_ask(). */
bool yk_why_needs_look(const struct yk_ask *ask);
/* Like yk_why_of_ask(), for all asks of a group with pending asks. Nominations are left out. */
struct yk_why yk_why_of_group(const struct yk_group *group);
/* The limit whose headroom earlier asks that lack nodes, too, have claimed, so that the ask would not start
 * with more nodes alone; `is_shared` of the result is true. YK_REASON_NONE: the ask does not lack nodes, or
 * the last walk (report/outstanding.h) has found headroom for it, or the limit has no headroom for the ask even
 * without the others. This limit is not the reason of the ask. O(depth + types). */
struct yk_why yk_why_claimed(const struct yk_ask *ask);
/* Whether allocations are ending for the pending ask. O(1), or O(allocations of the node) if the ask requires its
 * node. */
bool yk_why_is_preempting(const struct yk_ask *ask);

/* Whether the resource manager has found that volumes keep the pending ask from starting, whatever capacity
 * is free and whatever ends. O(1). */
bool yk_why_lacks_volumes(const struct yk_ask *ask);
/* Whether it has found that a claim or a volume of the pending ask is missing or not bound. O(1). */
bool yk_why_misses_volumes(const struct yk_ask *ask);
/* The limit of a queue, user or group on the path of the application, which has a leaf, that is smaller than
 * `size`, with the reason YK_REASON_EXCEEDS_MAX; YK_REASON_NONE: there is none. O(depth * types). */
struct yk_why yk_why_maximum_below(const struct yk_app *app, const struct yk_resvec *size);
/* Whether the pending ask itself is larger than a maximum of a queue, user or group on its path: so it can
 * never start. O(depth * types). */
bool yk_why_exceeds_max(const struct yk_ask *ask);

/* What keeps asks of the group, which wait for the reason `why`, from being tried. YK_REFUSAL_NONE: nothing
 * does, or the application pauses, or the partition is stopped. O(depth). */
struct yk_refusal yk_why_refusal(const struct yk_group *group, const struct yk_why *why);
/* Appends what users can do about the reason why the pending ask waits: a phrase such as "wait until pods end",
 * without a full stop; nothing if there is nothing. Says so if the application fails at the timeout of its gang.
 * `ends_by_itself`: the field of that name in the result of yk_start_estimate(). `looks`: as in
 * yk_node_look_shared(), may be NULL. O(1), but for a gang that does
 * not fit on the nodes as yk_node_look_shared(). */
void yk_why_remedy(const struct yk_ask *ask, const struct yk_why *why, bool ends_by_itself,
                   struct yk_node_looks *looks, struct yk_buf *text);
/* The same for a rejected application. Static. */
const char *yk_why_remedy_of_rejected(const struct yk_app *app);
/*
 * The reason why nodes do not take a pending ask, from what yk_node_look() has just counted for its group.
 * The first of these that is true:
 * - the resource manager has found that its filters refuse the ask where capacity would be enough: what it
 *   has found, YK_REASON_VOLUMES or YK_REASON_PREDICATES;
 * - a node without reservations fits: the filter that refuses such nodes, or YK_REASON_NOT_ATTEMPTED if none
 *   does. If the resource manager has stored nothing, YK_REASON_PREDICATES for an ask with constraints
 *   that waits for nodes, because it was tried there;
 * - nodes fit, and all of them have reservations: YK_REASON_RESERVED;
 * - nodes may take the ask, but none has enough free, or there are no nodes: YK_REASON_NODE_RESOURCES;
 * - no node may take the ask: YK_REASON_PREDICATES.
 * O(1).
 */
enum yk_si_reason yk_why_of_look(const struct yk_ask *ask, const struct yk_node_look *look);

/* Appends the sentence for a reason of yk_why_of_app(), without a full stop; nothing for YK_REASON_NONE.
 * O(types), and a bounded number of applications. */
void yk_why_app_sentence(const struct yk_app *app, const struct yk_why *why, struct yk_buf *text);
/* Appends the sentence for a reason why the pending ask waits, without a full stop; nothing for
 * YK_REASON_NONE. The sentence has no subject: "needs 20 cores, ...". Of a placeholder, it ends with what happens
 * after the timeout of its gang, if that is running. If the reason is about nodes, `why` is from
 * yk_why_in_detail() or yk_obstacles_of_ask(), so that it has the look. O(depth * types). */
void yk_why_ask_sentence(const struct yk_ask *ask, const struct yk_why *why, struct yk_buf *text);
/* Appends the sentence why the gang can never start, with what it needs, and what happens after its timeout
 * if that is running: "the gang can never start: it is larger than the maximum of its queue; it needs 7
 * cores, queue root.a may have 6 cores in all". `never_fits` of the gang is set. O(depth * types). */
void yk_why_too_large_sentence(const struct yk_gang *gang, struct yk_buf *text);
/* The application that the stateaware leaf of `app` is starting, borrowed; NULL: none, or not among the first 64
 * applications of the leaf. */
const struct yk_app *yk_why_starting(const struct yk_app *app);
/* The first pending placeholder of the application, in the order of the cycle, borrowed; NULL: it has none
 * among its first 64 groups with pending asks. */
const struct yk_ask *yk_why_waiting_placeholder(const struct yk_app *app);
/*
 * Appends the sentence for an object that waits for the placeholders of its gang: how many of them have nodes
 * (`wait`), and what one of the others waits for: the pending placeholder `ask` for the reason `why`. `ask`
 * NULL: no placeholder is known to wait in the core, and `why` is not used.
 */
void yk_why_gang_sentence(const struct yk_ask *ask, const struct yk_why *why,
                          const struct yk_si_gang_wait *wait, struct yk_buf *text);
/* A maximum of running applications, and how many run. */
struct yk_why_number {
    uint64_t max, running;
};
/* The numbers of the maximum of running applications that `why` is about. The caller has checked that its
 * reason is one of the three YK_REASON_..._MAX_APPS and that `one_at_a_time` is false: if it is true, there
 * is no such maximum, and the numbers have no meaning. */
struct yk_why_number yk_why_number(const struct yk_why *why);
/* Amounts of a limit, in base units. Zeroed before its first use. */
struct yk_why_amounts {
    struct yk_resvec max;       /* the limit, for the types that both it and the size have */
    struct yk_resvec used;      /* what is used of these types; may be more than `max` */
    struct yk_resvec requested; /* the whole size */
    /* How much has to become free before the size fits below the limit; only types that are missing. More
     * than `requested` if more than `max` is used. */
    struct yk_resvec missing;
};
void yk_why_amounts_done(struct yk_why_amounts *amounts);
/* Sets `*ret_amounts`, which is zeroed, to the amounts of the limit that `why` is about, for an ask of
 * `size`. The caller ends it with yk_why_amounts_done(). False: `why` is not about a limit of amounts, or the
 * queue, user or group has no such limit now, and `*ret_amounts` is untouched. */
bool yk_why_amounts(const struct yk_why *why, const struct yk_resvec *size,
                    struct yk_why_amounts *ret_amounts);
/* Like yk_why_amounts(), for the pending ask that waits for the reason `why`. If its whole gang is larger than the
 * limit, the amounts are those of the gang, and `missing` is without what its placeholders hold. */
bool yk_why_amounts_of_ask(const struct yk_ask *ask, const struct yk_why *why,
                           struct yk_why_amounts *ret_amounts);
/* Calls `visit`, with `context` (may be NULL), for each limit of amounts on the path of the ask that has no
 * headroom for it: those of queues from the leaf up to, but without, the root, then those of the user, then
 * those of the group, both from the leaf to the root. `why` is borrowed for the call. `is_listed` of `why` is
 * false. To make one sentence per limit, set `is_listed` in a copy of `why`: otherwise each sentence also
 * names the other limits. Limits whose free amounts are only held or shared (`is_held`, `is_shared`) are left
 * out, so there may be none even if a limit is the reason of yk_why_of_ask(). O(depth * types), and
 * O(depth * groups of the user) before a group is chosen. */
void yk_why_each_limit(const struct yk_ask *ask, void (*visit)(void *context, const struct yk_why *why),
                       void *context);

#endif
