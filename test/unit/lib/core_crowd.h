/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A world with random applications, asks and allocations in a tree of queues with different orders. Nodes are
 * drained unless a test opens them, so that asks wait.
 */
#ifndef TEST_LIB_CORE_CROWD_H
#define TEST_LIB_CORE_CROWD_H

#include "base/random.h"
#include "lib/core_world.h"

enum { CROWD_APPS = 10, CROWD_PODS = 120 };

struct crowd {
    struct world world;
    struct yk_random random;
    unsigned names;
    size_t config; /* the active one */
    struct {
        char app[16], key[16];
    } pods[CROWD_PODS]; /* key "": none */
    char apps[CROWD_APPS][16];
};

/* Two drained nodes of 1,000 cores each. `given_seed`: YK_SEED replaces it. */
void crowd_init(struct crowd *crowd, uint64_t given_seed);
void crowd_done(struct crowd *crowd);
/* One random change: an ask, a release, a bound pod, an application, a move, another configuration. */
void crowd_change(struct crowd *crowd);
/* All groups with pending asks in turn order (yk_turn_compare()), at most CROWD_PODS; returns their
 * number. */
size_t crowd_groups(const struct crowd *crowd, struct yk_group *ret_groups[CROWD_PODS]);
/* A number from 0 to `bound` - 1, from the random numbers of the crowd. */
uint64_t crowd_below(struct crowd *crowd, uint64_t bound);

#endif
