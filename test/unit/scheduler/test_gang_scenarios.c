/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gangs come together as a whole or not at all, whatever fails meanwhile: placeholders and real pods that are
 * deleted, nodes that go, bindings that fail, confirmations that come late, twice or with another type, a
 * scheduler that is killed. In the end no placeholder is left behind, and gangs that compete come to rest
 * (scheduling.md 5, 7.3, 7.4). Each step is compared with the naive scheduler.
 */
#include "scheduler/proof.h"

#include <stdlib.h>

enum { SCENARIOS = 10000, FAULTS = 12, GANGS = 3, ROUNDS = 200 };

struct scenario {
    struct proof proof;
    struct {
        int app; /* -1: refused */
        char id[16];
    } gangs[GANGS];
    int gang_count;
};

static uint64_t below(struct scenario *scenario, uint64_t bound)
{
    return yk_random_below(&scenario->proof.random, bound);
}

static void begin(struct scenario *scenario, uint64_t seed)
{
    static const struct proof_style style = {.exact = true, .plain = true};
    struct proof *proof = &scenario->proof;
    proof_init(proof, seed, &style);
    for (int node = 3; node < 3 + (int)below(scenario, 2); node++)
        proof_add_node(proof, node, (struct naive_amount){{3000, 3000}});
    scenario->gang_count = 1 + (int)below(scenario, GANGS);
    for (int i = 0; i < scenario->gang_count; i++) {
        int members = 1 + (int)below(scenario, 4), groups = 1 + (int)below(scenario, 2);
        int64_t timeout_ns = (int64_t)(5 + below(scenario, 50)) * YK_NS_PER_S;
        struct naive_amount size = {{500 * (int64_t)(1 + below(scenario, 4)), 500}};
        scenario->gangs[i].app = proof_add_gang(proof, below(scenario, 2) == 0 ? "root.a" : "root.b", members,
                                                groups, size, timeout_ns, below(scenario, 2) == 0);
        if (scenario->gangs[i].app >= 0)
            memcpy(scenario->gangs[i].id, proof->naive.apps[scenario->gangs[i].app].id,
                   sizeof(scenario->gangs[i].id));
    }
}

/* Its number now, -1: it has ended. */
static int find(const struct scenario *scenario, int gang)
{
    return scenario->gangs[gang].app < 0 ? -1
                                         : naive_find_app(&scenario->proof.naive, scenario->gangs[gang].id);
}

static int some_pod(struct scenario *scenario)
{
    int from = (int)below(scenario, NAIVE_PODS);
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (scenario->proof.naive.pods[(from + i) % NAIVE_PODS].used)
            return (from + i) % NAIVE_PODS;
    }
    return -1;
}

/* A real pod of some gang: as large as its placeholder, smaller or larger. */
static void real_comes(struct scenario *scenario)
{
    struct proof *proof = &scenario->proof;
    int app = find(scenario, (int)below(scenario, (uint64_t)scenario->gang_count));
    if (app < 0 || proof->naive.apps[app].state == NAIVE_FAILING)
        return;
    struct naive_pod pod = {.app = app, .required = -1, .created_ns = proof->naive.now_ns};
    (void)snprintf(pod.key, sizeof(pod.key), "r%u", proof->names++);
    pod.size = proof->naive.apps[app].placeholder;
    pod.size.v[0] += below(scenario, 8) == 0 ? 100 : -(int64_t)below(scenario, 2) * 100;
    pod.task_group = (int)below(scenario, 2);
    pod.picky = below(scenario, 4) == 0;
    for (int i = 0, room = 0; i < NAIVE_PODS; i++) {
        room += !proof->naive.pods[i].used;
        if (room == 8) { /* the table is not full */
            (void)proof_add_pod(proof, &pod, -1);
            return;
        }
    }
}

/* The first pod that should end has. */
static bool confirm_one(struct proof *proof)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &proof->naive.pods[i];
        bool ends = pod->used && pod->stage == NAIVE_BOUND &&
                    (pod->released || proof->naive.apps[pod->app].state == NAIVE_FAILING);
        if (!ends)
            continue;
        proof_release(proof, i, proof_confirmation(proof, i));
        return true;
    }
    return false;
}

static void confirm_twice(struct proof *proof, int pod)
{
    char app[16], key[16];
    memcpy(app, proof->naive.apps[proof->naive.pods[pod].app].id, sizeof(app));
    memcpy(key, proof->naive.pods[pod].key, sizeof(key));
    proof_release(proof, pod, proof_confirmation(proof, pod));
    if (naive_find_pod(&proof->naive, key) < 0 && naive_find_app(&proof->naive, app) >= 0 &&
        naive_has_asks(&proof->naive, naive_find_app(&proof->naive, app))) {
        world_release(&proof->world, app, key, YK_SI_PLACEHOLDER_REPLACED);
        proof_advance(proof, 0); /* nothing more was told, nothing has changed */
    }
}

static void something_fails(struct scenario *scenario)
{
    static const enum yk_si_termination whys[] = {YK_SI_STOPPED_BY_RM, YK_SI_TIMEOUT,
                                                  YK_SI_PREEMPTED_BY_SCHEDULER, YK_SI_PLACEHOLDER_REPLACED,
                                                  YK_SI_SCHEDULING_FAILED_ON_RM};
    struct proof *proof = &scenario->proof;
    int pod = some_pod(scenario), node = (int)below(scenario, 3);
    switch (below(scenario, 12)) {
    case 0:
        if (pod >= 0)
            proof_release(proof, pod, whys[below(scenario, YK_COUNT(whys))]);
        break;
    case 1:
        if (pod >= 0 && proof->naive.pods[pod].stage == NAIVE_BOUND)
            confirm_twice(proof, pod);
        break;
    case 2:
        if (proof->naive.nodes[node].used)
            proof_remove_node(proof, node);
        else
            proof_add_node(proof, node, (struct naive_amount){{4000, 4000}});
        break;
    case 3:
        if (proof->naive.nodes[node].used)
            proof_drain(proof, node, proof->naive.nodes[node].schedulable);
        break;
    case 4:
        if (below(scenario, 3) == 0)
            proof_recover(proof);
        break;
    case 5:
        proof_advance(proof, (int64_t)below(scenario, 20) * YK_NS_PER_S);
        break;
    case 6:
    case 7:
        (void)confirm_one(proof); /* or nothing has to end */
        break;
    default:
        real_comes(scenario);
        break;
    }
    if (below(scenario, 3) > 0)
        proof_schedule(proof);
}

/* From here on the resource manager ends what it has to end, and time passes. */
static void come_to_rest(struct scenario *scenario)
{
    struct proof *proof = &scenario->proof;
    for (int node = 0; node < 3; node++) {
        if (!proof->naive.nodes[node].used)
            proof_add_node(proof, node, (struct naive_amount){{4000, 4000}});
        else if (!proof->naive.nodes[node].schedulable)
            proof_drain(proof, node, false);
    }
    for (int round = 0, quiet = 0; round < ROUNDS; round++) {
        size_t before = proof->decisions;
        proof_schedule(proof);
        if (confirm_one(proof) || proof->decisions != before) {
            quiet = 0;
            continue;
        }
        if (quiet++ == 3)
            return;
        proof_advance(proof, 60 * YK_NS_PER_S); /* longer than any time-out */
    }
    proof_fail(proof, "gangs never come to rest", "");
}

/* All or none: no placeholder holds capacity for members that will never come. */
static void check_end(const struct scenario *scenario)
{
    const struct proof *proof = &scenario->proof;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &proof->naive.pods[i];
        if (pod->used && pod->placeholder && pod->stage == NAIVE_BOUND)
            proof_fail(proof, "a placeholder is left behind", pod->key);
        if (pod->used && pod->stage == NAIVE_REPLACING)
            proof_fail(proof, "a replacement never ends", pod->key);
    }
    for (int i = 0; i < NAIVE_APPS; i++) {
        if (proof->naive.apps[i].used &&
            (proof->naive.apps[i].state == NAIVE_FAILING || proof->naive.apps[i].state == NAIVE_RESUMING))
            proof_fail(proof, "neither whole nor given up", proof->naive.apps[i].id);
    }
}

static void all_or_none(void **state)
{
    (void)state;
    static struct scenario scenario;
    size_t scenarios = SCENARIOS / ONE_THREAD_PART, faults = FAULTS, decisions = 0, replaced = 0;
    uint64_t seed = proof_seed(&scenarios, &faults);
    for (uint64_t i = 0; i < scenarios; i++) {
        begin(&scenario, seed + i);
        proof_schedule(&scenario.proof);
        for (scenario.proof.step = 0; scenario.proof.step < faults; scenario.proof.step++)
            something_fails(&scenario);
        come_to_rest(&scenario);
        check_end(&scenario);
        decisions += scenario.proof.decisions;
        replaced += scenario.proof.replaced;
        proof_done(&scenario.proof);
    }
    print_message("%zu decisions, %zu replacements\n", decisions, replaced);
    if (scenarios == SCENARIOS)
        assert_true(replaced > scenarios / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(all_or_none, proof_where)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
