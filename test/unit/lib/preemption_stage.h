/* SPDX-License-Identifier: Apache-2.0 */
/* A world in which preemption is watched: which pods have to end, in which order, and confirmations at
 * will. */
#ifndef TEST_LIB_PREEMPTION_STAGE_H
#define TEST_LIB_PREEMPTION_STAGE_H

#include "lib/core_world.h"

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
/* Activates another configuration, as in stage_init(). Fails the test if it is refused. */
void stage_reload(struct stage *stage, const char *partition, const char *queues);
/* Adds an ask or, with a node, an allocation; and its application if it is not there. */
void stage_pod(struct stage *stage, const struct pod *pod);
/* The ask or allocation of that key in any application, or NULL. */
struct yk_ask *stage_ask(struct stage *stage, const char *key);
/* Victims end, as the resource manager says: all, or one. */
void stage_confirm(struct stage *stage);
/* Ends the allocation of that key, as the resource manager does once its pod is gone. No effect if it is
 * gone. */
void stage_confirm_one(struct stage *stage, const char *key);
/* Seconds go by, then all is decided that can be. */
void stage_wait(struct stage *stage, int64_t seconds);
/* Fails unless these, and no others, were told to end since the last call. */
void stage_expect(struct stage *stage, const char *what, const char *victims);
/* Adds five nodes that are too small for a core, so that it is nodes that have no capacity, not the root. */
void stage_add_crumbs(struct stage *stage);
/* Moves the application to the queue, then checks all invariants. */
void stage_move(struct stage *stage, const char *app, const char *queue);
/* Adds an ask of one core and 100 MiB for the task group "group" of the application. */
void stage_real_of_class(struct stage *stage, const char *app, const char *key, yk_si_class class_);
/* The node of the ask's allocation, or "". */
const char *stage_where(struct stage *stage, const char *key);

#endif
