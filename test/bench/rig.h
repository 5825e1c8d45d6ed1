/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of the core share: a core without a cluster, filled through si.h. */
#ifndef YK_BENCH_RIG_H
#define YK_BENCH_RIG_H

#include "base/clock.h"
#include "die.h"
#include "scheduler/core.h"
#include "si.h"

struct rig {
    struct yk_timers timers;
    struct yk_core *core;
    size_t allocated;
    /* Told as the core tells it; NULL: only counted. Set after rig_init(). */
    void (*on_allocated)(struct rig *rig, const struct yk_si_allocated *allocation);
    void (*on_released)(struct rig *rig, const struct yk_si_released *release);
};

/* How a core runs that is not only stepped by hand. */
struct rig_options {
    const struct yk_clock *clock;
    bool inspections; /* health, outstanding requests: as in the scheduler, run rig->timers */
};

/* Ends the process with that message, and its own name. */

/* rig_die() unless it went well. */
void rig_must(enum yk_status st, const char *what);

/* `config` as in queues.yaml. */
void rig_init(struct rig *rig, struct yk_str config, const struct yk_clock *clock);
void rig_init_with(struct rig *rig, struct yk_str config, const struct rig_options *options);
/* Dies when an invariant of the core is broken. */
void rig_done(struct rig *rig);
struct yk_resvec rig_amounts(int64_t vcore, int64_t memory, int64_t pods);
void rig_add_node(struct rig *rig, const char *id, const struct yk_resvec *capacity);
/* All alike: node-000000 and so on. */
void rig_add_nodes(struct rig *rig, size_t count, const struct yk_resvec *capacity);
void rig_add_app(struct rig *rig, const char *id, const char *queue);
void rig_add_app_of(struct rig *rig, const char *id, const char *queue, const char *user);
/* 10 millicores, 10 MiB. */
void rig_add_ask(struct rig *rig, const char *app, size_t number);
/* Any node, no priority; on `node` if that is not NULL, as found at the start. */
void rig_add_ask_of(struct rig *rig, const char *app, const char *key, const struct yk_resvec *size,
                    const char *node);
void rig_release(struct rig *rig, const char *app, const char *key, enum yk_si_termination why);
/* The partition's own books, and what the resource manager was told: dies when they do not say
 * `allocations`. */
void rig_expect(const struct rig *rig, size_t allocations);
struct yk_partition *rig_partition(const struct rig *rig);

#endif
