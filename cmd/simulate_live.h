/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulation that is shown and changed over REST while it runs: the paths below /sim/v1.
 *
 * Owns: the steps that were posted, until it is done: what they submit refers to them.
 * Thread: scheduling thread.
 * Source: docs/reference/simulate.md, "On a web page".
 */
#ifndef YK_CMD_SIMULATE_LIVE_H
#define YK_CMD_SIMULATE_LIVE_H

#include "base/vec.h"
#include "cmd/pace.h"
#include "cmd/simulation.h"
#include "web/simulation_hook.h"

enum {
    YK_LIVE_NOTES_MAX = 50,      /* latest lines of progress that are kept */
    YK_LIVE_POSTS_MAX = 10000,   /* bodies with steps; further ones are refused */
    YK_LIVE_PODS_MAX = 100000,   /* pods of one body with steps */
    YK_LIVE_BYTES_MAX = 64 << 20 /* of the steps that are kept */
};

struct yk_live_note {
    int64_t at_ns; /* since the start */
    char *text;    /* owned */
};

struct yk_live {
    struct yk_simulation *sim; /* borrowed */
    struct yk_pace pace;
    struct yk_live_note notes[YK_LIVE_NOTES_MAX]; /* a ring; the oldest is at `note_count` modulo its size */
    uint64_t note_count;
    struct yk_vec steps; /* struct yk_scenario, owned */
    size_t steps_bytes;
    struct yk_web_simulation hook; /* for the web server's options */
};

/* Initialises `live`, and sets `live->hook`. The caller sets `sim` and `pace`. `live` must stay in place
 * until yk_live_done(). */
void yk_live_init(struct yk_live *live);
/* Frees notes and steps, after the simulation was freed or finished. */
void yk_live_done(struct yk_live *live);
/* Keeps a line of progress: `said` of yk_simulation_options, with the struct yk_live as its context. */
void yk_live_note(void *live, int64_t at_ns, const char *text);

#endif
