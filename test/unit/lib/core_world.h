/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core for tests, with a virtual clock, a resource manager that records the calls of the core, and short
 * functions for requests. A function fails the test if its request is refused, unless its comment says
 * otherwise.
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
    /* Calls of the resource manager since world_init(): how many of each kind, and the arguments of the last
     * ones. */
    size_t allocated, released, alloc_rejected, app_accepted, app_rejected, node_accepted, node_rejected;
    size_t told_failed, told_skipped; /* reports about asks that wait */
    char last_node[64], last_key[64], last_reason[1024], last_state[32];
    enum yk_si_obstacle last_obstacle;
    char last_message[256]; /* of a release or an application's state */
    enum yk_si_termination last_termination;
    uint64_t story; /* a hash of all calls in their order */
    /* Called for these calls, with `watcher`, if the test sets them after world_init(). */
    void (*watch_allocated)(void *context, const char *key, const char *node);
    void (*watch_released)(void *context, const char *key);
    void (*watch_state)(void *context, const char *key, enum yk_si_scheduling_state state,
                        const char *reason);
    void *watcher;
    /* The answers of the resource manager, which a test may set. */
    char class_letter; /* asks of class 1 fit only on nodes whose id starts with it; 0: on all nodes */
    const char *add_wait_reason;          /* its sentence about asks that fit on no node; NULL: none */
    struct yk_si_node_reason node_reason; /* what it has stored about nodes, for each ask */
    char protected_letter; /* pods whose cookie starts with this letter are preempted last; 0: none */
    char budget_letter;    /* keys that start with this letter share a disruption budget, */
    size_t budget_allowed; /* which allows so many disruptions in a plan */
    /* Time that passes whenever the RM hears of an application's state, so that the clock moves within a step of
     * the core, as a real one does. 0: none. */
    int64_t update_takes_ns;
};

/* Makes a world. `config`: the text of queues.yaml. The caller ends it with world_done(). */
void world_init(struct world *world, const char *config);
/* Like world_init() with a directory of the groups of users, which is borrowed until world_done(). */
void world_init_with(struct world *world, const char *config, const struct yk_directory *directory);
void world_done(struct world *world);
/* Activates another configuration. Returns why it is refused, or NULL. Borrowed until the next call. */
const char *world_reload(struct world *world, const char *config);
/* The partition "default". Borrowed. */
struct yk_partition *world_partition(struct world *world);
/* The queue of that full path, e.g. "root.a", or NULL. Borrowed. */
struct yk_queue *world_queue(struct world *world, const char *path);
/* The application of that id, or NULL. Borrowed. */
struct yk_app *world_app(struct world *world, const char *id);

/* A vector of `vcore` millicores, `memory_mib` MiB and one pod. */
struct yk_resvec world_size(int64_t vcore, int64_t memory_mib);
/* Adds a schedulable node of `vcore` millicores and `memory_mib` MiB, for 110 pods. */
void world_node(struct world *world, const char *id, int64_t vcore, int64_t memory_mib);
/* Sends a node update that has only this action. */
void world_node_action(struct world *world, const char *id, enum yk_si_node_action action);
/* Submits an application of `user` without groups. */
void world_submit(struct world *world, const char *id, const char *queue, const char *user);
/* Like world_submit(). `group`: the only group of the user; NULL: none. */
void world_submit_in_group(struct world *world, const char *id, const char *queue, const char *user,
                           const char *group);
/* Adds an ask with priority 0 for any node. Amounts as in world_size(). */
void world_ask(struct world *world, const char *app, const char *key, int64_t vcore, int64_t memory_mib);
/* Adds an ask (`node` NULL), or an allocation that runs on `node`. A rejection by the core does not fail the
 * test; it is counted in `alloc_rejected`. */
void world_ask_full(struct world *world, const char *app, const char *key, int64_t vcore, int64_t memory_mib,
                    int32_t priority, yk_si_class scheduling_class, const char *node);
/* Releases the ask or allocation, as the resource manager does. */
void world_release(struct world *world, const char *app, const char *key, enum yk_si_termination why);
/* Schedules until there is nothing to decide, then checks the invariants. Returns the number of decisions. */
size_t world_schedule(struct world *world);
/* Makes at most one decision. Returns the number of decisions. */
size_t world_schedule_one(struct world *world);
/* Moves the clock and runs the timers that are due. Does not schedule. */
void world_advance(struct world *world, int64_t seconds);
/* The number of events with that detail in the ring of events. */
size_t world_events(const struct world *world, enum yk_event_detail detail);
/* Fails the test if an invariant is violated. */
void world_check(struct world *world);

#endif
