/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may go wrong between the scheduler and the API server, on request and repeatable: the same seed and
 * the same requests give the same faults (docs/design.md, "Seams").
 *
 * Thread: that of its cluster.
 */
#ifndef YK_SIMULATE_FAULTS_H
#define YK_SIMULATE_FAULTS_H

#include "api/server.h"
#include "base/random.h"

enum yk_fault_kind {
    YK_FAULT_REFUSE,    /* answered with `http_status`, nothing was done */
    YK_FAULT_LOSE,      /* done, but the connection breaks: YK_OP_RETRY without a status */
    YK_FAULT_NO_ANSWER, /* not done, and the client gives up after its time-out: YK_OP_RETRY */
    YK_FAULT_SLOW,      /* done at once, answered `delay_ns` late */
};

struct yk_fault {
    enum yk_op_kind op;
    enum yk_fault_kind kind;
    /* Which requests of that kind: the nth from now (1: the next) and `count` - 1 more, or each with
     * `probability`. */
    uint64_t nth, count; /* nth 0: by probability; count 0: one for `nth`, unlimited otherwise */
    double probability;
    int http_status;        /* YK_FAULT_REFUSE */
    int64_t retry_after_ns; /* YK_FAULT_REFUSE; 0: the server says nothing */
    int64_t delay_ns;       /* YK_FAULT_SLOW */
};

enum yk_watch_fault {
    YK_WATCH_FAULT_PAUSE,  /* the connection breaks and is resumed where it was: nothing is lost, all is late
                            */
    YK_WATCH_FAULT_RELIST, /* 410: what happened in between is only seen by a new list */
    YK_WATCH_FAULT_CUT,    /* as RELIST, and that list breaks off in the middle once */
};

enum { YK_SIM_FAULTS_MAX = 64 };

struct yk_faults {
    struct yk_fault items[YK_SIM_FAULTS_MAX];
    size_t count;
    uint64_t hits; /* requests that met one */
};

/* Adds a copy of `fault`. Errors: YK_ERR_LIMIT, there are YK_SIM_FAULTS_MAX; YK_ERR_INVALID, YK_FAULT_REFUSE
 * without a status, or a probability outside of 0 to 1. */
YK_NODISCARD enum yk_status yk_faults_add(struct yk_faults *faults, const struct yk_fault *fault,
                                          struct yk_err *err);
/* The fault that this request meets: copied to `*storage`, which is returned. NULL: none. Counts the request.
 * `random` is drawn from for faults with a probability. */
const struct yk_fault *yk_faults_next(struct yk_faults *faults, enum yk_op_kind op, struct yk_random *random,
                                      struct yk_fault *storage);
/* The class of an answer with this HTTP status, as the client sees it; 0: there was no answer. */
enum yk_op_result yk_sim_result_of(int http_status);

#endif
