/* SPDX-License-Identifier: Apache-2.0 */
/* The index of nodes with victims: a change of one node costs the work of that node, and the order stays right. */
#include "preemption/victim_index.h"

#include "lib/preemption_stage.h"

enum {
    NODES = 200,
    PODS = 4,
    /* Out of the heap, in again, out as the first one and back: each at most twice as many as the heap is high. */
    COMPARED_MAX = 5 * 2 * 8,
};

struct bench {
    struct stage stage;
    struct yk_ask *ask;
    struct yk_scope scope;
    struct yk_victim_index victim_index;
    struct yk_plan_view view;
    uint64_t changed[NODES];
};

static void name_node(char id[8], int number)
{
    (void)snprintf(id, 8, "n%03d", number);
}

/* Nodes full of pods, each of which one has to end for the ask. */
static void begin(struct bench *bench)
{
    *bench = (struct bench){0};
    struct world *world = &bench->stage.world;
    stage_init(&bench->stage, "", "    - {name: a, resources: {guaranteed: {vcore: 2}}}\n    - {name: b}\n");
    for (int i = 0; i < NODES; i++) {
        char id[8], key[16];
        name_node(id, i);
        world_node(world, id, PODS * 1000, 4096);
        for (int p = 0; p < PODS; p++) {
            (void)snprintf(key, sizeof(key), "x%03d-%d", i, p);
            stage_pod(&bench->stage, &(struct pod)POD(key, "root.b", 1000, 1024, id));
        }
    }
    stage_pod(&bench->stage, &(struct pod)POD("ask", "root.a", 1000, 1024, NULL));
    struct yk_partition *partition = world_partition(world);
    bench->ask = stage_ask(&bench->stage, "ask");
    assert_true(yk_scope_set(&bench->scope, yk_ask_app(bench->ask)->leaf, yk_ask_size(bench->ask), 0));
    for (int i = 0; i < NODES; i++)
        bench->changed[i] = 1;
    bench->view = (struct yk_plan_view){.root = partition->root,
                                        .nodes = partition->nodes.items,
                                        .node_count = NODES,
                                        .changed = bench->changed,
                                        .change = 1};
}

/* One step; whether it was the last one. */
static bool step(struct bench *bench, uint32_t work)
{
    return yk_victim_index_update(&bench->victim_index, &bench->view, &bench->scope, bench->ask, &work);
}

static void update(struct bench *bench)
{
    assert_true(step(bench, UINT32_MAX));
}

static void note(struct bench *bench, uint32_t index)
{
    bench->changed[index] = ++bench->view.change;
}

static void end(struct bench *bench)
{
    yk_victim_index_done(&bench->victim_index);
    yk_scope_done(&bench->scope);
    stage_done(&bench->stage);
}

/* Takes the first node, and puts it back with the bound `least`. */
static const struct yk_node *look_at_first(struct bench *bench, uint32_t least)
{
    const struct yk_node *node = yk_victim_index_take(&bench->victim_index, &bench->view);
    assert_non_null(node);
    yk_victim_index_put(&bench->victim_index, &bench->view, node, least);
    return node;
}

static void one_change_costs_one_node(void **state)
{
    (void)state;
    struct bench bench;
    begin(&bench);
    update(&bench);
    for (uint32_t i = 0; i < NODES; i++) { /* as plans do: the node that was taken has changed afterwards */
        uint64_t before = bench.victim_index.compared;
        note(&bench, look_at_first(&bench, 1)->index);
        update(&bench);
        if (bench.victim_index.compared - before > COMPARED_MAX)
            fail_msg("%llu pairs of nodes were compared after one of %d changed",
                     (unsigned long long)(bench.victim_index.compared - before), NODES);
    }
    end(&bench);
}

/* All nodes of the index, in its order, are those of one that is made now. */
static void compare_with_new(struct bench *bench)
{
    struct yk_victim_index made = {0};
    uint32_t work = UINT32_MAX;
    assert_true(yk_victim_index_update(&made, &bench->view, &bench->scope, bench->ask, &work));
    const struct yk_node *expected;
    while ((expected = yk_victim_index_take(&made, &bench->view)) != NULL)
        assert_ptr_equal(yk_victim_index_take(&bench->victim_index, &bench->view), expected);
    assert_null(yk_victim_index_take(&bench->victim_index, &bench->view));
    yk_victim_index_done(&made);
}

static void the_order_is_that_of_a_new_one(void **state)
{
    (void)state;
    struct bench bench;
    begin(&bench);
    struct world *world = &bench.stage.world;
    update(&bench);
    for (int i = 0; i < NODES; i += 3) { /* no victim is needed there now */
        char key[16];
        (void)snprintf(key, sizeof(key), "x%03d-0", i);
        world_release(world, "root.b", key, YK_SI_STOPPED_BY_RM);
        note(&bench, (uint32_t)i);
        if (i % 2 == 0)
            update(&bench);
    }
    update(&bench);
    compare_with_new(&bench);
    end(&bench);
}

static void a_node_may_leave(void **state)
{
    (void)state;
    struct bench bench;
    begin(&bench);
    struct world *world = &bench.stage.world;
    update(&bench);
    for (int i = 0; i < NODES / 2; i++) {
        char id[8];
        name_node(id, i);
        world_node_action(world, id, YK_SI_NODE_DECOMMISSION);
        note(&bench, (uint32_t)i);
        bench.view.last_left = bench.view.change;
        if (i % 10 == 0) {
            note(&bench, NODES - 1 - (uint32_t)i);
            update(&bench);
        }
    }
    world_node(world, "late", PODS * 1000, 4096); /* with the index of one that left */
    note(&bench, 0);
    update(&bench);
    compare_with_new(&bench);
    end(&bench);
}

static void release(struct bench *bench, int node)
{
    char key[16];
    (void)snprintf(key, sizeof(key), "x%03d-0", node);
    world_release(&bench->stage.world, "root.b", key, YK_SI_STOPPED_BY_RM);
    note(bench, (uint32_t)node);
}

static void leave(struct bench *bench, int node)
{
    char id[8];
    name_node(id, node);
    world_node_action(&bench->stage.world, id, YK_SI_NODE_DECOMMISSION);
    note(bench, (uint32_t)node);
    bench->view.last_left = bench->view.change;
}

/* Between the steps nodes change that were looked at and nodes that were not, and one of each leaves. */
static void it_is_built_in_steps(void **state)
{
    (void)state;
    enum { NODES_PER_STEP = 5, WORK = NODES_PER_STEP * (1 + PODS) };
    struct bench bench;
    int steps = 1;
    begin(&bench);
    for (; !step(&bench, WORK); steps++) {
        if (steps % 3 == 0) {
            release(&bench, steps);
            release(&bench, NODES - 1 - steps);
        }
        if (steps == 20) {
            leave(&bench, NODES / 3); /* in the heap, above nodes that are still to come */
            leave(&bench, NODES - 2);
        }
        assert_in_range(steps, 1, 2 * NODES / NODES_PER_STEP);
    }
    assert_in_range(steps, NODES / NODES_PER_STEP, 2 * NODES / NODES_PER_STEP);
    compare_with_new(&bench);
    end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_change_costs_one_node),
        cmocka_unit_test(the_order_is_that_of_a_new_one),
        cmocka_unit_test(a_node_may_leave),
        cmocka_unit_test(it_is_built_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
