/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes waiting asks as JSON, and counts the asks that come before them.
 *
 * Thread: scheduling thread. yk__ahead_done(): the thread that frees the job.
 * Source: docs/reference/rest.md 12.6.
 */
#ifndef YK_WEB_PENDING_PRIV_H
#define YK_WEB_PENDING_PRIV_H

#include "report/reason.h"
#include "web/job.h"
#include "web/put_priv.h"

enum { YK__AHEAD_SHOWN = 5 }; /* most applications that an answer names */

/* What comes before an application in its leaf, counted in slices. A zeroed one is ready for use. */
struct yk__ahead {
    uint64_t asks;               /* number of pending asks of applications that come before */
    size_t count;                /* number of `apps` */
    char *apps[YK__AHEAD_SHOWN]; /* owned: ids of the applications that come first in the order */
    struct yk_buf last_app;      /* id of the application that was visited last; empty: none */
    int restarts;                /* how often the count began again, because its place was lost */
    bool is_counted;             /* the count is complete */
};
void yk__ahead_done(struct yk__ahead *ahead);
/* Continues the count of what comes before `app`, which is in a leaf, until `until_mono_ns` of job->clock.
 * `app` is the same application in all calls for one `ahead`, and may be in another leaf than before; the
 * caller looks it up in each slice. True: the count is complete; ahead->asks is 0 and `apps` is empty if the
 * count had to begin again too often. False: call the function again in the next slice. */
bool yk__ahead_count(struct yk_job *job, struct yk__ahead *ahead, const struct yk_app *app,
                     int64_t until_mono_ns);

/* The sentence that was composed last, so that asks of one group that wait for the same reason, and have the same
 * limit claimed by others (yk_why_claimed()), share it. A zeroed one is empty. Valid within one slice. */
struct yk__pending_words {
    const struct yk_group *group; /* only compared */
    struct yk_why why, claimed;
    struct yk_buf text; /* owned */
};
void yk__pending_words_done(struct yk__pending_words *words);

/* How many nodes refuse an ask, for each reason that the resource manager has (callback node_obstacles()), counted
 * in slices. A zeroed one is ready for use. */
struct yk__node_obstacles {
    uint64_t sequence;     /* of the ask that the counts are of; 0: none yet */
    struct yk_vec entries; /* owned */
    size_t at;             /* the node to go on with */
    uint32_t nodes;        /* number of nodes at the last slice */
    uint32_t restarts; /* how often the count began again, because nodes came or went, or the ask changed */
    bool are_counted;  /* the count is complete */
};
void yk__node_obstacles_done(struct yk__node_obstacles *obstacles);
/* Continues the count for the pending ask, until `until_mono_ns` of job->clock. If it is another ask than in the last
 * call, such as the next placeholder of a gang, the count begins again; after four times it ends in one call. True:
 * the count is complete, and of this ask; it is empty if the resource manager does not know obstacles. False: call
 * the function again in the next slice. */
bool yk__node_obstacles_count(struct yk_job *job, struct yk__node_obstacles *obstacles,
                              const struct yk_ask *ask, int64_t until_mono_ns);
/* Adds an object with the counts of one kind (of struct yk_si_node_obstacle). */
void yk__put_node_obstacles(struct yk_json *json, const struct yk__node_obstacles *obstacles, const char *key,
                            int kind);

/* What an explanation says about nodes, and looks at them that go on in several slices. Zeroed before its first
 * use. */
struct yk__node_facts {
    struct yk_node_looks looks; /* at the nodes as they are in this slice */
    struct yk_node_walk walk;
    struct yk__node_obstacles obstacles;
};
/* Looks at the nodes, until `until_mono_ns` of job->clock, if yk_why_in_detail() needs that for the pending ask: then
 * facts->looks has the look. False: the slice is over; call the function again in the next one. */
bool yk__node_facts_look(struct yk_job *job, struct yk__node_facts *facts, const struct yk_ask *ask,
                         int64_t until_mono_ns);
/* Like yk__node_facts_look(), for all that an explanation of the ask needs: yk__show_explanation() then visits no
 * nodes. */
bool yk__node_facts_gather(struct yk_job *job, struct yk__node_facts *facts, const struct yk_ask *ask,
                           int64_t until_mono_ns);

/* Adds the key "preemption": whether others are preempted for the pending ask, and what keeps it from that. */
void yk__put_preemption(struct yk_json *json, const struct yk_ask *ask);

#define YK__NO_POSITION UINT64_MAX

/* Writes an ask, which is pending, as an entry of a list of pending asks. `in_queue`: its position in the
 * order of its leaf; YK__NO_POSITION: the key is left out. `in_app`: its position in its application.
 * `why`: from yk_why_in_detail(). `words`: zeroed before the first ask, and reused from one ask of the list
 * to the next. */
void yk__show_pending(struct yk_json *json, const struct yk_ask *ask, const struct yk_why *why,
                      uint64_t in_queue, uint64_t in_app, struct yk__pending_words *words);
/* As yk__show_pending() for an object of `app` that waits for its gang (yk_si_callbacks.held). `sentence`:
 * the text of yk__held_sentence(). */
void yk__show_held(struct yk_json *json, const struct yk_app *app, const struct yk_si_held *held,
                   uint64_t in_queue, uint64_t in_app, const char *sentence);
/* Appends the sentence that says why the held objects of the gang wait; it is the same for all held objects
 * of an application. `looks`: as in yk_why_in_detail(). O(nodes). */
void yk__held_sentence(const struct yk_app *app, const struct yk_si_held *held, struct yk_node_looks *looks,
                       struct yk_buf *text);
/* Writes the explanation of an object that waits for its gang, as a JSON object: what the first waiting
 * placeholder of `app` waits for. `ahead`: a complete count for `app`; not read if no placeholder of `app`
 * waits (yk_why_waiting_placeholder() is NULL). `facts`: complete for that placeholder. */
void yk__show_held_explanation(struct yk_json *json, const struct yk_app *app, const struct yk_si_held *held,
                               const struct yk__ahead *ahead, struct yk__node_facts *facts);
/* Adds the first keys of an answer about an application to the open object: its id, its state, and why it
 * waits. `app`: a live or rejected application; NULL: it has ended meanwhile. `looks`: as in
 * yk_why_in_detail(). */
void yk__show_app_reason(struct yk_json *json, const char *app_id, const struct yk_app *app,
                         struct yk_node_looks *looks);
/* Adds the key "reasons" with the counts that are not 0 to the open object. */
void yk__show_reason_counts(struct yk_json *json, const uint64_t counts[YK_REASON_COUNT]);
/* Writes the explanation of an ask, which has a group, as a JSON object: why it waits, or that it has a node.
 * `ahead`: a complete count for its application; `facts`: complete for the ask. Both are read only if the ask is
 * pending. */
void yk__show_explanation(struct yk_json *json, const struct yk_ask *ask, const struct yk__ahead *ahead,
                          struct yk__node_facts *facts);

#endif
