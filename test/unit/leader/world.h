/* SPDX-License-Identifier: Apache-2.0 */
/* Electors that share an API server in memory, on a virtual clock; what they ask for is written down. */
#ifndef TEST_LEADER_WORLD_H
#define TEST_LEADER_WORLD_H

#include "leader/elector.h"
#include "simulate/cluster.h"

enum { ASKED_MAX = 4096, LEASE_TEXT_MAX = 2048 };

struct tap {                     /* an API server in front of the cluster */
    struct yk_api_server server; /* first */
    struct yk_api_server *behind;
    struct {
        enum yk_op_kind kind;
        int64_t at_ns;
    } asked[ASKED_MAX];
    size_t count;
};

struct member { /* one scheduler */
    struct world *world;
    struct yk_fence fence;
    struct yk_elector *elector;
    unsigned led, lost;
    int64_t led_at_ns, lost_at_ns;
    char why[1024];
};

struct world {
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_cluster *cluster;
    struct tap tap;
    int64_t start_ns;
    uint64_t seed;
    const char *identity; /* of members that join: of a process before; NULL: a new one each */
    char lease[LEASE_TEXT_MAX];
};

/* Requests take 10 ms there and 10 ms back. */
void world_init(struct world *world, uint64_t seed);
void world_done(struct world *world);
int64_t world_now_ns(const struct world *world); /* since the start */
/* Timer by timer; `between` (may be NULL) is called after each. */
void world_pass(struct world *world, int64_t ns, void (*between)(void *context), void *context);

/* Starts to look, and `stands` for election. */
void member_join(struct world *world, struct member *member, bool stands);
void member_end(struct member *member);
/* Its fence lets writes through now. */
bool member_may_write(const struct member *member);

/* Another client writes the Lease: creates it, or replaces the spec of the one that is there. */
void lease_write(struct world *world, const char *spec);
/* The Lease as it is, with sorted keys; "" when there is none. */
const char *lease_text(struct world *world);
/* Each request for a Lease of that kind from now on, or only the next one (`nth` 1). */
void lease_fault(struct world *world, enum yk_op_kind op, enum yk_fault_kind kind, int status, uint64_t nth);
void lease_faults(struct world *world, enum yk_fault_kind kind, int status, double probability);

#endif
