/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole scheduler on one thread, on an API server that is no more than memory: it keeps the bytes of
 * objects, answers each binding with yes, and says the pod again as it is bound. What is measured is the
 * scheduler: decoding if asked for, cache, filters, core, request, answer, confirmation.
 */
#ifndef YK_BENCH_K8S_STAGE_H
#define YK_BENCH_K8S_STAGE_H

#include "api/server.h"
#include "cmd/engine.h"
#include "cmd/record_thread.h"
#include "pen.h"

enum k8s_wish { /* what a pod asks for, besides room */
                K8S_PLAIN,
                K8S_ZONE_SPREAD,   /* over zones, with those of its application */
                K8S_HOST_ANTI,     /* not beside one of its application */
                K8S_ZONE_AFFINITY, /* in the zone of its application */
                K8S_SELECTOR,      /* nodes of the pool that every 100th is in */
                K8S_NOWHERE,       /* nodes of a pool that does not exist */
                K8S_WISHES,
};

enum { K8S_ZONES = 3, K8S_POOL_EVERY = 100 }; /* node n is in zone n % 3, and in the pool if n % 100 is 0 */

struct k8s_pod {
    size_t app; /* its application, service and labels */
    enum k8s_wish query;
    size_t node; /* SIZE_MAX: waits */
};

struct k8s_stage {
    struct yk_api_server server;
    yk_watch_sink *sinks[YK_KIND_COUNT];
    void *contexts[YK_KIND_COUNT];
    struct yk_op *first, **last;
    size_t in_flight;
    struct yk_engine engine;
    struct pen pen;
    struct yk_str *pods; /* owned bytes, by number */
    size_t *node_at;     /* in these: where the name of its node stands */
    size_t pod_count, pod_capacity;
    int64_t decode_ns; /* spent on decoding */
    size_t bound, written;
};

/* Five queues, `nodes` nodes in three zones, each for 110 pods; nothing runs yet. */
void k8s_stage_init(struct k8s_stage *stage, size_t nodes);
/* The same with a recorder; `thread` gets its lines. NULL: nothing is recorded. */
void k8s_stage_init_recorded(struct k8s_stage *stage, size_t nodes, struct yk_record_thread *thread);
void k8s_stage_done(struct k8s_stage *stage);
/* Makes a pod's bytes; returns its number. */
size_t k8s_stage_make(struct k8s_stage *stage, const struct k8s_pod *pod);
/* Ends the start: those made so far with a node are there. */
void k8s_stage_begin(struct k8s_stage *stage);
struct k8s_took {
    double bytes_s;   /* seconds from the first byte to the last binding that is confirmed */
    double objects_s; /* the same without decoding */
};
/*
 * Creates the pods [from, to) and runs until `placeable` of them are bound and nothing is left to do. Dies if
 * it does not come to that.
 */
struct k8s_took k8s_stage_run(struct k8s_stage *stage, size_t from, size_t to, size_t placeable);
/* The node a pod was bound to; SIZE_MAX: none. */
size_t k8s_stage_node_of(const struct k8s_stage *stage, size_t number);
/* The pods [from, to) end and are gone. */
void k8s_stage_end(struct k8s_stage *stage, size_t from, size_t to);

#endif
