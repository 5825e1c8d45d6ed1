/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole core under a test's control: virtual clock, a resource manager that records its calls, and
 * short ways to submit things.
 */
#ifndef TEST_LIB_CORE_WORLD_H
#define TEST_LIB_CORE_WORLD_H

#include "base/clock.h"
#include "base/timer.h"
#include "scheduler/core.h"
#include "si.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct world {
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_core *core;
    /* What the resource manager was told. */
    size_t allocated, released, alloc_rejected, app_accepted, app_rejected, node_accepted, node_rejected;
    size_t told_failed, told_skipped; /* of asks that wait */
    char last_node[64], last_key[64], last_reason[1024], last_state[32];
    enum yk_si_obstacle last_obstacle;
    char last_message[256]; /* of a release or an application's state */
    enum yk_si_termination last_termination;
    uint64_t story; /* a number made of all that the resource manager was told, in order */
    /* Told as well, when set after world_init(). */
    void (*watch_allocated)(void *context, const char *key, const char *node);
    void (*watch_released)(void *context, const char *key);
    void (*watch_state)(void *context, const char *key, enum yk_si_scheduling_state state,
                        const char *reason);
    void *watcher;
    /* class 1 runs on nodes whose id starts with this letter only; others everywhere. 0: no restriction */
    char class_letter;
    /* The resource manager would rather keep what has a cookie that starts with this letter. 0: nothing. */
    const char
        *add_wait_reason; /* what the resource manager says of asks that no node takes; NULL: nothing */
    char protected_letter;
    char budget_letter;    /* keys that begin so share a budget: */
    size_t budget_allowed; /* of that many disruptions in a plan */
};

/* `config` as in queues.yaml; fails the test when it is refused. */
void world_init(struct world *world, const char *config);
/* With a directory that knows users' groups; borrowed until world_done(). */
void world_init_with(struct world *world, const char *config, const struct yk_directory *directory);
void world_done(struct world *world);
/* Refusal text, or NULL when accepted. */
const char *world_reload(struct world *world, const char *config);
/* The partition "default". Borrowed. */
struct yk_partition *world_partition(struct world *world);
/* The queue of that full path, e.g. "root.a", or NULL. Borrowed. */
struct yk_queue *world_queue(struct world *world, const char *path);
/* The application of that id, or NULL. Borrowed. */
struct yk_app *world_app(struct world *world, const char *id);

/* Amounts in millicores, MiB; pods: 1 per ask, 110 per node. */
struct yk_resvec world_size(int64_t vcore, int64_t memory_mib);
/* Adds a schedulable node. Amounts as in world_size(). */
void world_node(struct world *world, const char *id, int64_t vcore, int64_t memory_mib);
/* Sends a node update with that action and nothing else. */
void world_node_action(struct world *world, const char *id, enum yk_si_node_action action);
/* Submits an application of `user` without groups. */
void world_submit(struct world *world, const char *id, const char *queue, const char *user);
/* `group`: of the user; NULL: none. */
void world_submit_in_group(struct world *world, const char *id, const char *queue, const char *user,
                           const char *group);
/* An ask with priority 0 for any node. */
void world_ask(struct world *world, const char *app, const char *key, int64_t vcore, int64_t memory_mib);
/* `node` NULL: an ask; else an allocation that runs there. Fails the test if the request itself is
 * refused; a rejection is counted. */
void world_ask_full(struct world *world, const char *app, const char *key, int64_t vcore, int64_t memory_mib,
                    int32_t priority, yk_si_class scheduling_class, const char *node);
/* Releases the ask or allocation, as the resource manager does. */
void world_release(struct world *world, const char *app, const char *key, enum yk_si_termination why);
/* Decides all that can be decided, checking the invariants afterwards; returns the number of decisions. */
size_t world_schedule(struct world *world);
/* Exactly one decision, or 0. */
size_t world_schedule_one(struct world *world);
/* Moves the clock and runs the timers that are due. Decides nothing besides. */
void world_advance(struct world *world, int64_t seconds);
/* How many events with that detail the ring holds. */
size_t world_events(const struct world *world, enum yk_event_detail detail);
/* Fails the test when an invariant is broken. */
void world_check(struct world *world);

#endif
