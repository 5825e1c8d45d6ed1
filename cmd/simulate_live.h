/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows and changes a running simulation over REST: the paths below /sim/v1.
 *
 * Owns:   the steps of requests that submit pods. The simulation refers to them until it is finished. The
 *         steps of other requests are freed when they are done.
 * Thread: scheduling thread only.
 * Source: docs/reference/simulate.md, "On a web page".
 */
#ifndef YK_CMD_SIMULATE_LIVE_H
#define YK_CMD_SIMULATE_LIVE_H

#include "base/vec.h"
#include "cmd/pace.h"
#include "cmd/simulation.h"
#include "web/simulation_hook.h"

/* YK_LIVE_POSTS_MAX and YK_LIVE_BYTES_MAX also limit all requests with steps in one second of the simulation,
 * because changes wait in memory until the clock of the simulation moves on. */
enum {
    YK_LIVE_NOTES_MAX = 50,      /* lines of progress that are stored; later ones replace the oldest */
    YK_LIVE_POSTS_MAX = 10000,   /* requests with steps that submit pods; more are refused */
    YK_LIVE_PODS_MAX = 100000,   /* pods that one such request may create */
    YK_LIVE_BYTES_MAX = 64 << 20 /* memory of the steps of these requests */
};

struct yk_live_note {
    int64_t at_ns; /* since the start */
    char *text;    /* owned */
};

struct yk_live {
    struct yk_simulation *sim;                    /* borrowed; set by the caller */
    struct yk_pace pace;                          /* set by the caller; requests change it */
    struct yk_live_note notes[YK_LIVE_NOTES_MAX]; /* a ring: note n is at index n % YK_LIVE_NOTES_MAX */
    uint64_t note_count;                          /* lines of progress so far */
    struct yk_vec steps;               /* struct yk_scenario, owned; one per request that submits */
    int64_t second_ns;                 /* virtual monotonic time when `second_posts` was set to 0 */
    size_t second_posts, second_bytes; /* requests with steps since then, and their memory */
    size_t steps_bytes;                /* memory of `steps` */
    struct yk_web_simulation hook;     /* for the options of the web server */
};

/* Initialises `live`, and sets `live->hook`. The caller sets `sim`, and `pace` with yk_pace_init(), before a
 * request can come. `live` must not move in memory until yk_live_done(). */
void yk_live_init(struct yk_live *live);
/* Frees notes and steps. Call it after yk_simulation_finish(). */
void yk_live_done(struct yk_live *live);
/* Stores a copy of a line of progress. The function is `said` of struct yk_simulation_options. `live`, a
 * struct yk_live, is its context. */
void yk_live_note(void *live, int64_t at_ns, const char *text);

#endif
