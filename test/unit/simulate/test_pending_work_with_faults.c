/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whatever happens to pods at whatever moment, of ours or of others, and whatever requests come to, books of
 * core and shim agree: tasks have an errand or none (app/apps.h), asks borrow the keys of pods that are
 * there. Pods are resized, some to more than any node has, relabelled, bound by others, deleted and made again under
 * their names; nodes come, go and change; requests fail, watches break. YK_SEED and YK_STEPS repeat and
 * prolong it.
 */
#include "cmd/core_check.h"

#include "app/apps.h"
#include "base/random.h"
#include "simulate/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEEDS = 10, STEPS = 250, NODES = 4, PODS = 24 };

struct world {
    uint64_t seed;
    struct yk_random random;
    struct life life;
    size_t stood;
};

static int below(struct world *world, int bound)
{
    return (int)yk_random_below(&world->random, (uint64_t)bound);
}

static void put_node(struct world *world, int number)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    bool absurd = below(world, 12) == 0;
    yk_buf_printf(
        &json,
        "{'metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d','disk':'%d'}},"
        "'spec':{'unschedulable':%s},'status':{'allocatable':{'cpu':'%d','memory':'%s','pods':'9'}}}",
        number, number, below(world, 2), below(world, 8) == 0 ? "true" : "false", 2 + below(world, 5),
        absurd ? "9000000000000000000" : "64Gi");
    life_put(&world->life, YK_KIND_NODE, &json);
}

/* A new pod, or the existing one as it is now, on its node or on the node where another client binds it. */
static void put_pod(struct world *world, int number, const char *node, bool foreign)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    static const char *const memory[] = {"1Gi", "2Gi", "4Gi", "9000000000000000000"};
    int size = below(world, 8);
    yk_buf_printf(&json, "{'metadata':{'name':'p%d','namespace':'x','labels':{'app':'%c','id':'i%d'", number,
                  'a' + below(world, 2), below(world, 3) == 0 ? below(world, PODS) : number);
    if (number % 8 != 0)
        yk_buf_printf(&json, ",'applicationId':'app%d'", number % 5);
    yk_buf_printf(&json, "}},'spec':{'schedulerName':'%s'", foreign ? "other" : "yunikorn");
    if (node[0] != '\0')
        yk_buf_printf(&json, ",'nodeName':'%s'", node);
    if (number % 6 == 0)
        yk_buf_printf(
            &json,
            ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
            "'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':{'%s':'%s'}}}]}}",
            below(world, 2) == 0 ? "app" : "id", below(world, 2) == 0 ? "a" : "i3");
    yk_buf_printf(
        &json,
        ",'priority':%d,'containers':[{'name':'c','resources':{'requests':{'cpu':'%d','memory':'%s'}}}]"
        "},'status':{'phase':'%s'}}",
        number % 3, 1 + below(world, 2), memory[size < 4 ? size : 0],
        node[0] != '\0' ? "Running" : "Pending");
    life_put(&world->life, YK_KIND_POD, &json);
}

static void change_pod(struct world *world)
{
    char name[16], node[16] = "";
    int number = below(world, PODS), what = below(world, 10);
    (void)snprintf(name, sizeof(name), "p%d", number);
    const struct yk_pod *there = life_pod(&world->life, "x", name);
    if (there == NULL) {
        bool foreign = number % 7 == 0;
        if (foreign || what == 0)
            (void)snprintf(node, sizeof(node), "n%d", below(world, NODES));
        put_pod(world, number, node, foreign);
        return;
    }
    bool foreign = !yk_str_is(there->scheduler_name, "yunikorn");
    if (what < 4) {
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_POD, "x", name); /* is there */
        if (what == 0 && life_pod(&world->life, "x", name) == NULL)
            put_pod(world, number, node, foreign);
    } else if (!there->object.deleting && !yk_pod_has_ended(there)) {
        (void)snprintf(node, sizeof(node), YK_STR_FMT, YK_STR_ARG(there->node_name));
        if (node[0] == '\0' && what == 9)
            (void)snprintf(node, sizeof(node), "n%d", below(world, NODES));
        put_pod(world, number, node, foreign);
    }
}

static void change_node(struct world *world)
{
    char name[16];
    int number = below(world, NODES);
    (void)snprintf(name, sizeof(name), "n%d", number);
    if (yk_cluster_find(world->life.cluster, YK_KIND_NODE, NULL, name) != NULL && below(world, 2) == 0)
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_NODE, NULL, name); /* is there */
    else
        put_node(world, number);
}

static void add_fault(struct world *world)
{
    static const enum yk_op_kind ops[] = {YK_OP_BIND, YK_OP_BIND, YK_OP_PATCH_POD_STATUS, YK_OP_DELETE_POD};
    static const int statuses[] = {403, 404, 409, 422, 429, 500};
    const struct yk_fault fault = {
        .op = ops[below(world, 4)],
        .kind = (enum yk_fault_kind)below(world, 4),
        .nth = 1,
        .count = 1 + (uint64_t)below(world, 3),
        .http_status = statuses[below(world, 6)],
        .delay_ns = (1 + below(world, 20)) * YK_NS_PER_S,
    };
    yk_cluster_clear_faults(world->life.cluster);
    assert_int_equal(yk_cluster_add_fault(world->life.cluster, &fault, NULL), YK_OK);
}

static void something_happens(struct world *world)
{
    switch (below(world, 16)) {
    case 0:
    case 1:
        change_node(world);
        break;
    case 2:
        yk_cluster_break_watch(world->life.cluster, below(world, 2) == 0 ? YK_KIND_NODE : YK_KIND_POD,
                               (enum yk_watch_fault)below(world, 3), below(world, 9) * YK_NS_PER_S);
        break;
    case 3:
    case 4:
        add_fault(world);
        break;
    default:
        change_pod(world);
        break;
    }
}

static void count(void *context, const struct yk_object *object)
{
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    ((struct world *)context)->stood += !yk_str_empty(pod->node_name) && pod->phase.len > 0;
}

static void check(struct world *world, int step)
{
    struct yk_err err;
    if (!yk_core_check(world->life.core, &err) || !yk_shim_check(world->life.shim, &err))
        fail_msg("seed %llu, step %d: %s", (unsigned long long)world->seed, step, err.text);
    yk_cluster_each(world->life.cluster, YK_KIND_POD, count, world);
}

static size_t run_seed(uint64_t seed, int steps)
{
    struct world world = {.seed = seed, .life.reserves = seed % 2 == 0};
    yk_random_init(&world.random, seed);
    const struct yk_cluster_options options = {.seed = seed,
                                               .request_ns = 50 * YK_NS_PER_MS,
                                               .watch_ns = 20 * YK_NS_PER_MS,
                                               .watch_jitter_ns = 200 * YK_NS_PER_MS,
                                               .timeout_ns = 10 * YK_NS_PER_S};
    life_init(&world.life, &options);
    for (int i = 0; i < NODES; i++)
        put_node(&world, i);
    life_begin(&world.life, seed);
    yk_shim_apps(world.life.shim)->classes.pod_index.own_from = 3;
    for (int step = 0; step < steps; step++) {
        for (int events = 1 + below(&world, 4); events > 0; events--)
            something_happens(&world);
        life_pass(&world.life, below(&world, 4) == 0 ? 8 * YK_NS_PER_S : below(&world, 200) * YK_NS_PER_MS);
        check(&world, step);
    }
    yk_cluster_clear_faults(world.life.cluster);
    yk_shim_stop(world.life.shim);
    life_pass(&world.life, 60 * YK_NS_PER_S); /* all is answered */
    life_end(&world.life);
    return world.stood;
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void books_agree(void **state)
{
    (void)state;
    uint64_t given = number_from("YK_SEED", 0), first = given != 0 ? given : yk_random_system_seed();
    int steps = (int)number_from("YK_STEPS", STEPS);
    size_t stood = 0;
    print_message("seed %llu\n", (unsigned long long)first);
    for (uint64_t i = 0; i < (given != 0 ? 1 : SEEDS); i++)
        stood += run_seed(first + i, steps);
    assert_true(stood > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(books_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
