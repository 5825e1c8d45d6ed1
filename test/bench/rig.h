/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of the core share: a core without a cluster, filled through si.h. */
#ifndef YK_BENCH_RIG_H
#define YK_BENCH_RIG_H

#include "base/clock.h"
#include "scheduler/core.h"
#include "si.h"

struct rig {
    struct yk_timers timers;
    struct yk_core *core;
    size_t allocated;
};

/* Ends the process with that message, and its own name. */
_Noreturn void rig_die(const char *what);
/* rig_die() unless it went well. */
void rig_must(enum yk_status st, const char *what);

/* `config` as in queues.yaml. */
void rig_init(struct rig *rig, struct yk_str config, const struct yk_clock *clock);
/* Dies when an invariant of the core is broken. */
void rig_done(struct rig *rig);
struct yk_resvec rig_amounts(int64_t vcore, int64_t memory, int64_t pods);
/* All alike. */
void rig_add_nodes(struct rig *rig, size_t count, const struct yk_resvec *capacity);
void rig_add_app(struct rig *rig, const char *id, const char *queue);
/* 10 millicores, 10 MiB. */
void rig_add_ask(struct rig *rig, const char *app, size_t number);

#endif
