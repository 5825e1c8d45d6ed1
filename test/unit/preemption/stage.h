/* SPDX-License-Identifier: Apache-2.0 */
/* A world in which preemption is watched: which pods have to end, in which order, and confirmations at
 * will. */
#ifndef YK_TEST_STAGE_H
#define YK_TEST_STAGE_H

#include "scheduler/world.h"

enum { STAGE_VICTIMS = 64 };

struct stage {
    struct world world;
    char queues[4096];  /* YAML */
    char victims[1024]; /* keys, in the order they were told to end, each with a blank behind */
    char waiting[STAGE_VICTIMS][32];
    size_t waiting_count;
    struct yk_vec names; /* of pods, owned: the cookies of their asks */
};

struct pod {
    const char *key, *queue;
    int64_t vcore, memory; /* millicores, MiB */
    const char *node;      /* where it runs; NULL: it waits */
    int32_t priority;
    int64_t age_s;
    bool opted_out, originator, never, is_placeholder;
    const char *required_node;
    const char *app; /* NULL: one for each queue */
};

/* Key, queue, cores, memory, node, and what else is to be said of it. */
#define POD(key_, queue_, vcore_, memory_, node_, ...)                                                       \
    {                                                                                                        \
        .key = key_, .queue = queue_, .vcore = vcore_, .memory = memory_, .node = node_, ##__VA_ARGS__       \
    }

/* `queues`: below root, in one line of YAML each. `partition`: further lines of the partition, or "". */
void stage_init(struct stage *stage, const char *partition, const char *queues);
void stage_done(struct stage *stage);
void stage_reload(struct stage *stage, const char *partition, const char *queues);
void stage_pod(struct stage *stage, const struct pod *pod);
struct yk_ask *stage_ask(struct stage *stage, const char *key);
/* Victims end, as the resource manager says: all, or one. */
void stage_confirm(struct stage *stage);
void stage_confirm_one(struct stage *stage, const char *key);
/* Seconds go by, then all is decided that can be. */
void stage_wait(struct stage *stage, int64_t seconds);
/* Fails unless these, and no others, were told to end since the last call. */
void stage_expect(struct stage *stage, const char *what, const char *victims);
/* The node of the ask's allocation, or "". */
const char *stage_where(struct stage *stage, const char *key);

#endif
