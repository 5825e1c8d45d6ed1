/* SPDX-License-Identifier: Apache-2.0 */
/* A core and a shim on a cluster in memory, on a virtual clock: what tests of the whole scheduler share. */
#ifndef TEST_SIMULATE_LIFE_H
#define TEST_SIMULATE_LIFE_H

#include "shim/shim.h"
#include "simulate/cluster.h"

struct life {
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_cluster *cluster;
    struct yk_core *core;
    struct yk_shim *shim;
    bool reserves; /* set before life_begin(): nodes are reserved for pods that wait */
};

/* An empty cluster; of `options`, clock and timers are filled in here. */
void life_init(struct life *life, const struct yk_cluster_options *options);
/* Creates or replaces an object, written with ' for ". Fails the test when it cannot be read. */
void life_put(struct life *life, enum yk_kind kind, struct yk_buf *json);
void life_put_text(struct life *life, enum yk_kind kind, const char *json);
/* As the API server has it; NULL when there is none. */
const struct yk_pod *life_pod(const struct life *life, const char *namespace_, const char *name);
/* Fails the test unless the pod is there and on that node; "": on none. */
void life_pod_is_on(const struct life *life, const char *namespace_, const char *name, const char *node);
/* Fails the test unless its condition says that it waits for nodes, with words that begin so. */
void life_pod_says(const struct life *life, const char *namespace_, const char *name, const char *message);
/* The scheduler comes, and has a second to find its way. */
void life_begin(struct life *life, uint64_t seed);
/* All that happens within that time. */
void life_pass(struct life *life, int64_t ns);
/* Scheduler and cluster end; nothing may be left. */
void life_end(struct life *life);

#endif
