/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random operations on a core and on a naive scheduler (naive.h) at the same time. After each step both have
 * told the resource manager the same, their books agree and the core's invariants hold.
 *
 * Exact: the naive scheduler predicts each decision. Where the order is left open (which gang replaces first)
 * any order is taken that gives each gang what it should get. With reservations it predicts who is overtaken,
 * which ask gets a reservation, on which node, who uses the node, and when the reservation ends. Where gangs
 * give way it predicts who gives up which placeholders, in which order, for whom and on which nodes, each
 * time the core looks at the gangs, and that none could start for longer than the core may take to look.
 * Otherwise, with reservations, daemon sets and preemption, it checks what the core decides against all
 * limits, takes it over, and looks for pods that wait although they could run. Each set of victims is judged
 * by the laws of preemption (naive_preempt.c).
 *
 * YK_SEED=n repeats a run, YK_STEPS=n cuts it short; both are printed when a test fails.
 */
#ifndef TEST_SCHEDULER_PROOF_H
#define TEST_SCHEDULER_PROOF_H

#include "lib/core_world.h"
#include "lib/one_thread.h"
#include "scheduler/naive.h"

struct proof_style {
    bool exact;
    bool reserves; /* with `exact`: reservations are predicted, too */
    bool no_gangs;
    bool gang_heavy;     /* most applications are gangs, and their pods end less often */
    int nodes;           /* at most; 0: 6 */
    bool plain;          /* two leaves without limits instead of a made-up configuration */
    bool reloads, kills; /* of the configuration; of the scheduler */
    struct naive_style naive;
};

struct proof {
    struct world world;
    struct naive naive;
    struct yk_random random;
    struct proof_style style;
    struct yk_buf yaml; /* the active configuration */
    unsigned names;
    struct naive_told told[NAIVE_TOLD]; /* by the core, in this step */
    size_t told_count;
    int elsewhere; /* allocations of the other partition; its keys begin with 'x' */
    uint64_t seed, step;
    uint64_t story;          /* of the cores before this one */
    size_t decisions, looks; /* how much was proved */
    size_t replaced, recoveries, preempted, reserved;
    size_t judged; /* preemptions for guarantees */
    /* Gangs that give way. */
    uint64_t looks_before; /* of the core at gangs, before this call */
    size_t told_before_look;
    size_t gang_looks, gave_way, started_whole, asks_served, given_up, handovers_broken;
};

void proof_init(struct proof *proof, uint64_t seed, const struct proof_style *style);
void proof_done(struct proof *proof);
/* Some operation, then everything is compared. */
void proof_step(struct proof *proof);
/* `YK_SEED` or a new one; *ret_runs becomes 1 if it is given. `*ret_steps`: not more than YK_STEPS. */
uint64_t proof_seed(size_t *ret_runs, size_t *ret_steps);
/* The same, but 1 without `YK_SEED`: for comparisons that are known to fail with some seeds. */
uint64_t proof_same_seed(size_t *ret_runs, size_t *ret_steps);
/* For cmocka: says where a test has failed. */
int proof_where(void **state);

/* ---- single operations, for scenarios ---- */

/* Until nothing can be decided; each decision is compared. */
void proof_schedule(struct proof *proof);
void proof_advance(struct proof *proof, int64_t ns);
/* The scheduler ends and a new one receives what the resource manager knows. */
void proof_recover(struct proof *proof);
void proof_add_node(struct proof *proof, int node, struct naive_amount capacity);
void proof_remove_node(struct proof *proof, int node);
void proof_drain(struct proof *proof, int node, bool drain);
/* A gang of `members` placeholders of `size` in each of `groups` task groups. -1: refused. */
int proof_add_gang(struct proof *proof, const char *path, int members, int groups, struct naive_amount size,
                   int64_t timeout_ns, bool hard);
int proof_add_pod(struct proof *proof, const struct naive_pod *pod, int node);
void proof_release(struct proof *proof, int pod, enum yk_si_termination why);
void proof_remove_app(struct proof *proof, int app);
/* What an end of the pod is confirmed with. */
enum yk_si_termination proof_confirmation(const struct proof *proof, int pod);
/* Fails the test, saying where. */
void proof_fail(const struct proof *proof, const char *what, const char *name);

#endif
