/* SPDX-License-Identifier: Apache-2.0 */
/* A world (lib/core_world.h) for tests of preemption: it records which pods have to end, in which order, and
 * the test says when they have ended. */
#ifndef TEST_LIB_PREEMPTION_STAGE_H
#define TEST_LIB_PREEMPTION_STAGE_H

#include "lib/core_world.h"

enum { STAGE_VICTIMS = 64 };

struct stage {
    struct world world;
    char queues[4096];               /* the active configuration in YAML */
    char victims[1024];              /* keys in the order of their ends, each followed by a space */
    char waiting[STAGE_VICTIMS][32]; /* keys of victims whose end is not confirmed */
    size_t waiting_count;
    struct yk_vec names; /* owned texts: the cookies of the asks */
};

struct pod {
    const char *key, *queue;
    int64_t vcore, memory; /* millicores, MiB */
    const char *node;      /* where it runs; NULL: it waits */
    int32_t priority;
    int64_t age_s;             /* time since its creation */
    bool opted_out;            /* annotation allow-preemption: "false" */
    bool originator;           /* it is the first pod of its application */
    bool never;                /* preemptionPolicy: Never */
    bool is_placeholder;       /* of a gang */
    const char *required_node; /* of a pod of a daemon set; NULL: none */
    const char *app;           /* NULL: one application for each queue */
};

/* A struct pod: key, queue, millicores, MiB, node, and initialisers of further members. */
#define POD(key_, queue_, vcore_, memory_, node_, ...)                                                       \
    {                                                                                                        \
        .key = key_, .queue = queue_, .vcore = vcore_, .memory = memory_, .node = node_, ##__VA_ARGS__       \
    }

/* Makes a stage. `queues`: the queues below root, one line of YAML each. `partition`: further lines of the
 * partition, or "". The caller ends it with stage_done(). */
void stage_init(struct stage *stage, const char *partition, const char *queues);
void stage_done(struct stage *stage);
/* Activates another configuration, as in stage_init(). Fails the test if it is refused. */
void stage_reload(struct stage *stage, const char *partition, const char *queues);
/* Adds an ask or, if the pod has a node, an allocation. Adds its application if it does not exist. */
void stage_pod(struct stage *stage, const struct pod *pod);
/* The ask or allocation of that key in any application, or NULL. Borrowed. */
struct yk_ask *stage_ask(struct stage *stage, const char *key);
/* Confirms the end of all victims in `waiting`, as the resource manager does when their pods are gone. */
void stage_confirm(struct stage *stage);
/* Confirms the end of the allocation of that key. No effect if there is none. */
void stage_confirm_one(struct stage *stage, const char *key);
/* Moves the clock, then schedules until there is nothing to decide. */
void stage_wait(struct stage *stage, int64_t seconds);
/* Fails the test, with the message `what`, unless exactly these allocations had to end since the last call.
 * `victims`: as stage->victims. */
void stage_expect(struct stage *stage, const char *what, const char *victims);
/* Adds five nodes that have too little for a pod of one core. They enlarge the root queue, so that pods wait
 * for nodes and not for the root. */
void stage_add_crumbs(struct stage *stage);
/* Moves the application to the queue, then checks all invariants. */
void stage_move(struct stage *stage, const char *app, const char *queue);
/* Adds an ask of one core and 100 MiB for the task group "group" of the application. */
void stage_real_of_class(struct stage *stage, const char *app, const char *key, yk_si_class class_);
/* The node of the allocation of that key; "": it has none. Borrowed. */
const char *stage_where(struct stage *stage, const char *key);

#endif
