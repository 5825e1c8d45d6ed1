/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults between the scheduler and the simulated API server, which scenarios and tests add. They are
 * repeatable: the same seed and the same requests give the same faults (docs/design.md, "Seams").
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_SIMULATE_FAULTS_H
#define YK_SIMULATE_FAULTS_H

#include "api/server.h"
#include "base/random.h"

enum yk_fault_kind {
    YK_FAULT_REFUSE, /* the request is not performed; it is answered with `http_status` */
    /* The request is performed, but the answer is lost: YK_OP_RETRY without an HTTP status. */
    YK_FAULT_LOSE,
    YK_FAULT_NO_ANSWER, /* not performed; the answer YK_OP_RETRY comes after the time-out of the client */
    YK_FAULT_SLOW,      /* the request is performed in time, and answered `delay_ns` later than usual */
};

/* A fault, and the requests that meet it. All of them are of the kind `op`. If `nth` is above 0, they are the
 * nth request and the `count` - 1 requests after it. If `nth` is 0, each request meets the fault with
 * `probability`, until `count` requests have met it. */
struct yk_fault {
    enum yk_op_kind op;
    enum yk_fault_kind kind;
    uint64_t nth;           /* 1: the next request after the fault was added; 0: `probability` decides */
    uint64_t count;         /* requests that meet it; 0: one if `nth` is above 0, otherwise no limit */
    double probability;     /* 0 to 1; ignored if `nth` is above 0 */
    int http_status;        /* of YK_FAULT_REFUSE: 400 to 599 */
    int64_t retry_after_ns; /* of YK_FAULT_REFUSE: the header Retry-After; 0: no such header */
    int64_t delay_ns;       /* of YK_FAULT_SLOW */
};

/* How a watch goes on after its connection was broken for a while. */
enum yk_watch_fault {
    YK_WATCH_FAULT_PAUSE,  /* with the events that were missed: no event is lost */
    YK_WATCH_FAULT_RELIST, /* with a new list: events that were missed are lost, as after a status 410 */
    YK_WATCH_FAULT_CUT,    /* with half of a new list, and then with a whole one */
};

enum { YK_SIM_FAULTS_MAX = 64 };

/* The faults that requests can meet. Zeroed, there are none. */
struct yk_faults {
    struct yk_fault items[YK_SIM_FAULTS_MAX]; /* `nth` and `count` are reduced as requests come */
    size_t count;                             /* of `items` */
    uint64_t hits;                            /* requests that have met a fault */
};

/* Adds a copy of `fault`. Errors: YK_ERR_LIMIT, there are already YK_SIM_FAULTS_MAX faults; YK_ERR_INVALID, a
 * YK_FAULT_REFUSE has a status outside 400 to 599, or a probability is outside 0 to 1. */
YK_NODISCARD enum yk_status yk_faults_add(struct yk_faults *faults, const struct yk_fault *fault,
                                          struct yk_err *err);
/* Counts a request of the kind `op` for all faults of that kind. Copies the first fault that the request
 * meets to `*storage`, and returns it; NULL: the request meets no fault. Call it once per request. Faults
 * that are used up are removed. Draws from `random` for each fault of the kind that has a probability. */
const struct yk_fault *yk_faults_next(struct yk_faults *faults, enum yk_op_kind op, struct yk_random *random,
                                      struct yk_fault *storage);
/* The class of an answer with this HTTP status, as the client reports it. 0: there was no answer. */
enum yk_op_result yk_sim_result_of(int http_status);

#endif
