/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Books of our own: what a resource manager knows of queues, users and nodes, in flat tables and plain loops.
 *
 * The model writes the queue configuration itself, so it knows the limits without asking the core; it learns
 * of placements and decisions only as a resource manager does. Everything it claims is recomputed from the
 * list of asks, with nothing kept.
 */
#ifndef TEST_SCHEDULER_MODEL_H
#define TEST_SCHEDULER_MODEL_H

#include "scheduler/world.h"

#include "base/random.h"

enum {
    MODEL_QUEUES = 24,
    MODEL_USERS = 4,
    MODEL_APPS = 10,
    MODEL_ASKS = 120,
    MODEL_NODES = 6,
    MODEL_TYPES = 2, /* vcore, memory */
    MODEL_FREE = INT32_MAX,
};

struct model_amount {
    int64_t v[MODEL_TYPES];
};

struct model_queue {
    char path[128];
    bool configured, leaf;
    struct model_amount max;                       /* MODEL_FREE: no limit */
    struct model_amount user_max[MODEL_USERS + 1]; /* of each user, last: of the wildcard */
    bool has_user_limit[MODEL_USERS + 1];
    uint64_t max_apps; /* 0: no limit */
};

struct model_ask {
    bool used;
    int app, node; /* node -1: pending */
    struct model_amount size;
    char key[16];
};

struct model_app {
    bool used;
    int user;
    char id[16], path[128];
};

struct model_node {
    bool used;
    struct model_amount capacity;
};

struct model {
    struct model_queue queues[MODEL_QUEUES];
    size_t queue_count;
    struct model_app apps[MODEL_APPS];
    struct model_ask asks[MODEL_ASKS];
    struct model_node nodes[MODEL_NODES];
    const struct world *world;
    const char *wrong; /* the first thing that must not be; NULL: nothing */
    char text[300];
    bool decides; /* while the core decides: limits hold */
};

/* Makes up a tree, its limits and properties, and writes it as queues.yaml. */
void model_configure(struct model *model, struct yk_random *random, struct yk_buf *yaml);
/* The core put the ask on the node. */
void model_allocated(struct model *model, const char *key, const char *node);
void model_released(struct model *model, const char *key);
/* Sum over the asks of `path` and below; `user` -1: of everybody. */
struct model_amount model_sum(const struct model *model, const char *path, int user, bool pending);
/* The effective limit of a user at a queue; false: none. */
bool model_user_limit(const struct model_queue *queue, int user, struct model_amount *ret_max);
struct model_amount model_free(const struct model *model, int node);
/* Whether queues, user and some node have room for the ask. */
bool model_could_run(const struct model *model, const struct model_ask *ask);
/* Compares every sum with the core's. False: model->text says what differs. */
bool model_agrees(struct model *model, struct world *world);

#endif
