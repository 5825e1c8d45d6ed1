/* SPDX-License-Identifier: Apache-2.0 */
/* Asks that wait as JSON, and how many come before them. Scheduling thread. Source: docs/reference/rest.md
 * 12.2. */
#ifndef YK_WEB_PENDING_PRIV_H
#define YK_WEB_PENDING_PRIV_H

#include "report/reason.h"
#include "web/job.h"
#include "web/put_priv.h"

enum { YK__AHEAD_SHOWN = 5 };

/* What comes before an application in its leaf: counted in slices. Zeroed it is ready for use. */
struct yk__ahead {
    uint64_t asks;
    size_t count;                /* of `apps` */
    char *apps[YK__AHEAD_SHOWN]; /* owned: ids of the first ones in order */
    struct yk_buf last_app;      /* visited last; empty: at the beginning */
    int restarts;
    bool is_counted;
};
void yk__ahead_done(struct yk__ahead *ahead);
/* Continues the count of what comes before `app`, which is in a leaf, until `until_mono_ns`. True: all applications of
 * the leaf were visited. */
bool yk__ahead_count(struct yk_job *job, struct yk__ahead *ahead, const struct yk_app *app,
                     int64_t until_mono_ns);

/* The sentences made last: asks of a group that wait for the same share one. Zeroed it is empty. */
struct yk__pending_words {
    const struct yk_group *group;
    struct yk_why why;
    struct yk_buf text;
};
void yk__pending_words_done(struct yk__pending_words *words);

#define YK__NO_POSITION UINT64_MAX

/* Writes an ask as an entry of a list of pending asks. `in_queue`, `in_app`: its position there, or
 * YK__NO_POSITION. */
void yk__show_pending(struct yk_json *json, const struct yk_ask *ask, uint64_t in_queue, uint64_t in_app,
                      struct yk__pending_words *words);
/* Like yk__show_pending() for an object that waits for its gang (yk_si_callbacks.held). `sentence` is that of
 * yk__held_sentence(). */
void yk__show_held(struct yk_json *json, const struct yk_app *app, const struct yk_si_held *held,
                   uint64_t in_queue, uint64_t in_app, const char *sentence);
/* Appends the sentence why the held objects of the gang wait; it is the same for all of the application that
 * wait for it. O(nodes). */
void yk__held_sentence(const struct yk_app *app, const struct yk_si_held *held, struct yk_buf *text);
/* Writes the explanation of an object that waits for its gang, as a JSON object: what the first waiting
 * placeholder of `app` waits for. `ahead`: the asks before it, used if there is such a placeholder. */
void yk__show_held_explanation(struct yk_json *json, const struct yk_app *app, const struct yk_si_held *held,
                               const struct yk__ahead *ahead);
/* Writes the first keys of an answer about an application; `app` NULL: it has ended meanwhile. */
void yk__show_app_reason(struct yk_json *json, const char *app_id, const struct yk_app *app);
/* Writes the key "reasons" with the counts that are not 0. */
void yk__show_reason_counts(struct yk_json *json, const uint64_t counts[YK_REASON_COUNT]);
/* Writes the explanation of an ask as an object. */
void yk__show_explanation(struct yk_json *json, const struct yk_ask *ask, const struct yk__ahead *ahead);

#endif
