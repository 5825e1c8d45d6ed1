/* SPDX-License-Identifier: Apache-2.0 */
/* A cluster in memory on a virtual clock, a receiver that keeps what watches tell, and requests that keep
 * their answer. */
#ifndef YK_TEST_SIMULATE_FIXTURE_H
#define YK_TEST_SIMULATE_FIXTURE_H

#include "simulate/cluster.h"

#define TEST_WALL_NS (INT64_C(1767225600) * YK_NS_PER_S) /* 2026-01-01 */

struct heard { /* one watch event */
    enum yk_kind kind;
    enum yk_watch_event event;
    char name[64], node[64], phase[16], uid[64];
    uint64_t version;
    bool deleting, unschedulable;
    int64_t at_ns; /* since the start */
};

enum { HEARD_MAX = 4096 };

struct fixture {
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_cluster *cluster;
    struct yk_api_server *api;
    struct heard heard[HEARD_MAX];
    size_t heard_count;
    int64_t start_ns;
};

struct answered { /* a request's answer */
    bool came;
    enum yk_op_result result;
    int http_status;
    int64_t at_ns, retry_after_ns;
    char reason[256];
    struct yk_object *object;
    struct fixture *fixture;
};

/* Options without times: everything happens in the next round. */
void fixture_init(struct fixture *f, const struct yk_cluster_options *options);
void fixture_done(struct fixture *f);
void fixture_watch(struct fixture *f, enum yk_kind kind, const char *field_selector);
/* Lets `ns` pass, timer by timer. */
void fixture_pass(struct fixture *f, int64_t ns);
/* What was heard since the last call: "[ +pod ]" a list, "+pod@node" a change, "!" being deleted, "-pod"
 * gone. */
const char *fixture_story(struct fixture *f, char *text, size_t bytes);
void fixture_expect_story(struct fixture *f, const char *want);

void add_node(struct fixture *f, const char *name, const char *cpu, const char *memory);
/* Runs for `run_ns`; 0: until deleted. */
void add_pod(struct fixture *f, const char *name, const char *cpu, int64_t run_ns);
const struct yk_pod *pod_named(struct fixture *f, const char *name);

/* Submits; the answer is written into `*answer` when it comes. `body` may be NULL. */
void submit(struct fixture *f, enum yk_op_kind kind, const char *name, const char *uid, const char *node,
            const char *body, struct answered *answer);
void bind_pod(struct fixture *f, const char *name, const char *node, struct answered *answer);

#endif
