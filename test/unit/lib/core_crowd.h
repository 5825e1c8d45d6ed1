/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A world (lib/core_world.h) with random applications, asks and allocations, in a tree of queues with
 * different sort policies. Its nodes are drained, so that asks wait, unless a test makes them schedulable.
 */
#ifndef TEST_LIB_CORE_CROWD_H
#define TEST_LIB_CORE_CROWD_H

#include "base/random.h"
#include "lib/core_world.h"

enum { CROWD_APPS = 10, CROWD_PODS = 120 };

struct crowd {
    struct world world;
    struct yk_random random;
    unsigned names; /* number of names that were made */
    size_t config;  /* index of the active configuration */
    struct {
        char app[16], key[16];
    } pods[CROWD_PODS];        /* asks and allocations; key "": the entry is free */
    char apps[CROWD_APPS][16]; /* ids; "": the entry is free */
};

/* Makes a crowd with two drained nodes of 1,000 cores each. `given_seed`: of its random numbers; the
 * environment variable YK_SEED replaces it. The caller ends it with crowd_done(). */
void crowd_init(struct crowd *crowd, uint64_t given_seed);
void crowd_done(struct crowd *crowd);
/* Makes one random change: adds an ask, an allocation or an application, releases or moves one, or activates
 * another configuration. */
void crowd_change(struct crowd *crowd);
/* All groups with pending asks in turn order (yk_turn_compare()), at most CROWD_PODS; returns their
 * number. */
size_t crowd_groups(const struct crowd *crowd, struct yk_group *ret_groups[CROWD_PODS]);
/* A number from 0 to `bound` - 1, from the random numbers of the crowd. */
uint64_t crowd_below(struct crowd *crowd, uint64_t bound);

#endif
