/* SPDX-License-Identifier: Apache-2.0 */
/* A whole scheduler on a cluster in memory, to which what-if questions are put: the cluster has timers of its
 * own, which stand still in a trial. */
#ifndef TEST_WHATIF_STAGE_H
#define TEST_WHATIF_STAGE_H

#include "simulate/cluster.h"
#include "whatif/whatif.h"

#include <jansson.h>

struct stage {
    struct yk_clock clock;
    struct yk_timers timers, outside; /* of the scheduler; of the cluster */
    struct yk_cluster *cluster;
    struct yk_core *core;
    struct yk_shim *shim;
    struct yk_whatif whatif;
    struct yk_vec
        evicted; /* owned texts "<namespace>/<name>": pods that the scheduler ended, but placeholders */
    struct yk_vec bound; /* owned texts "<namespace>/<name> <node>", in the same way */
    int status;          /* of the last answer */
    char *text;          /* owned; of the last answer */
    struct yk_copy_cost cost;
};

/* A cluster with these queues and no nodes; the scheduler is there and has found its way. */
void stage_init(struct stage *stage, const char *queues, uint64_t seed);
void stage_done(struct stage *stage);
/* All that happens within that time, 0: until nothing happens now. */
void stage_pass(struct stage *stage, int64_t ns);
/* Creates an object from JSON, written with ' for ". A pod runs until it is deleted. */
void stage_put(struct stage *stage, enum yk_kind kind, const char *json);
void stage_put_queues(struct stage *stage, const char *queues);
/* The node of a pod; "" if it has none. "-": there is no such pod. Borrowed until the pod changes. */
const char *stage_node_of(const struct stage *stage, const char *namespace_, const char *name);
/* Puts a question, written with ' for ", and waits for its answer. The status. */
int stage_ask(struct stage *stage, const char *question);
/* The answer to it as a tree, to be json_decref()ed. Fails the test unless the status is 200. */
json_t *stage_answer(struct stage *stage, const char *question);
/* The text of a member of an object of the answer; fails the test if it is none. */
const char *stage_text(const json_t *object, const char *key);
void stage_forget_moments(struct stage *stage);

#endif
