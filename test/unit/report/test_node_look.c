/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes come nearest to having the capacity for an ask. */
#include "report/node_look.h"

#include "lib/core_world.h"

static const char config[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

static void expect_best(const struct yk_node_look *look, size_t at, const char *id)
{
    assert_non_null(look->best[at]);
    assert_string_equal(look->best[at]->id, id);
}

/* All cores are in use, so each node lacks the cores wholly; one has the memory, one has none at all. */
static void a_node_without_the_type_comes_last(void **state)
{
    struct world world;
    struct yk_node_look look;
    (void)state;
    world_init(&world, config);
    world_node(&world, "cores", 4000, 0);
    world_node(&world, "half", 4000, 1024);
    world_node(&world, "both", 4000, 2048);
    world_submit(&world, "runs", "root.leaf", "ann");
    world_ask_full(&world, "runs", "a", 4000, 0, 0, YK_SI_CLASS_ANY, "cores");
    world_ask_full(&world, "runs", "b", 4000, 0, 0, YK_SI_CLASS_ANY, "half");
    world_ask_full(&world, "runs", "c", 4000, 0, 0, YK_SI_CLASS_ANY, "both");
    world_submit(&world, "waits", "root.leaf", "ann");
    world_ask(&world, "waits", "w", 4000, 2048);
    const struct yk_ask *ask = yk_app_find_ask(world_app(&world, "waits"), YK_STR("w"));
    yk_node_look(ask->group, &look);
    assert_int_equal(look.allowed, 3);
    assert_int_equal(look.large, 1);
    assert_int_equal(look.fitting, 0);
    expect_best(&look, 0, "both");
    expect_best(&look, 1, "half");
    expect_best(&look, 2, "cores");
    assert_string_equal(look.largest->id, "both");
    world_release(&world, "runs", "a", YK_SI_STOPPED_BY_RM); /* cores without memory are of no use */
    yk_node_look(ask->group, &look);
    expect_best(&look, 0, "both");
    world_release(&world, "runs", "b", YK_SI_STOPPED_BY_RM); /* half of the memory never is enough */
    yk_node_look(ask->group, &look);
    expect_best(&look, 0, "both");
    expect_best(&look, 1, "half");
    world_done(&world);
}

/* The free part of a small node is nearer to the size, but it never takes the ask. */
static void a_node_that_is_too_small_comes_last(void **state)
{
    struct world world;
    struct yk_node_look look;
    (void)state;
    world_init(&world, config);
    world_node(&world, "small", 900, 1024);
    world_node(&world, "large", 2000, 1024);
    world_submit(&world, "runs", "root.leaf", "ann");
    world_ask_full(&world, "runs", "a", 2000, 0, 0, YK_SI_CLASS_ANY, "large");
    world_submit(&world, "waits", "root.leaf", "ann");
    world_ask(&world, "waits", "w", 1000, 64);
    const struct yk_ask *ask = yk_app_find_ask(world_app(&world, "waits"), YK_STR("w"));
    yk_node_look(ask->group, &look);
    expect_best(&look, 0, "large");
    expect_best(&look, 1, "small");
    world_done(&world);
}

/* Groups of one shape share a look until the slice ends; one with a required node has its own. */
static void equal_shapes_share_a_look(void **state)
{
    struct world world;
    struct yk_node_look look;
    struct yk_node_looks looks = {.count = 0};
    (void)state;
    world_init(&world, config);
    world_node(&world, "n1", 4000, 2048);
    world_submit(&world, "one", "root.leaf", "ann");
    world_ask(&world, "one", "a", 3000, 1);
    world_submit(&world, "two", "root.leaf", "bob");
    world_ask(&world, "two", "b", 3000, 1);
    world_ask(&world, "two", "c", 2000, 1);
    const struct yk_ask *a = yk_app_find_ask(world_app(&world, "one"), YK_STR("a"));
    const struct yk_ask *b = yk_app_find_ask(world_app(&world, "two"), YK_STR("b"));
    const struct yk_ask *c = yk_app_find_ask(world_app(&world, "two"), YK_STR("c"));
    assert_ptr_not_equal(a->group, b->group);
    yk_node_look_shared(&looks, a->group, &look);
    assert_int_equal(look.total, 1);
    world_node(&world, "n2", 4000, 2048); /* a later look finds it */
    yk_node_look_shared(&looks, b->group, &look);
    assert_int_equal(look.total, 1);
    yk_node_look_shared(&looks, c->group, &look);
    assert_int_equal(look.total, 2);
    yk_node_look_shared(NULL, b->group, &look);
    assert_int_equal(look.total, 2);
    struct yk_group required = *b->group;
    required.required_node = (char[]){"n2"};
    yk_node_look_shared(&looks, &required, &look);
    assert_int_equal(look.closed, 1);
    assert_int_equal(looks.count, 3);
    char ids[YK_NODE_LOOKS][16];
    for (size_t i = 0; i < YK_NODE_LOOKS; i++) { /* the first looks are given up */
        (void)snprintf(ids[i], sizeof(ids[i]), "other%zu", i);
        required.required_node = ids[i];
        yk_node_look_shared(&looks, &required, &look);
    }
    yk_node_look_shared(&looks, b->group, &look);
    assert_int_equal(look.total, 2);
    looks.count = 0;
    yk_node_look_shared(&looks, a->group, &look);
    assert_int_equal(look.total, 2);
    assert_int_equal(looks.count, 1);
    world_done(&world);
}

enum { MANY = 200 };

/* One node of MANY is larger than the others; all of them are in use but for one core each. */
static const struct yk_group *begin_many(struct world *world)
{
    world_init(world, config);
    world_submit(world, "runs", "root.leaf", "ann");
    for (int i = 0; i < MANY; i++) {
        char id[16], key[16];
        (void)snprintf(id, sizeof(id), "n%d", i);
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_node(world, id, i == 150 ? 5000 : 4000, 1024);
        world_ask_full(world, "runs", key, 3000, 0, 0, YK_SI_CLASS_ANY, id);
    }
    world_submit(world, "waits", "root.leaf", "ann");
    world_ask(world, "waits", "w", 4000, 0);
    return yk_app_find_ask(world_app(world, "waits"), YK_STR("w"))->group;
}

/* Returns the number of steps. */
static int walk_to_end(struct yk_node_walk *walk, struct yk_node_looks *looks, const struct yk_group *group)
{
    int steps = 1;
    while (!yk_node_look_go_on(walk, looks, group) && steps < 100)
        steps++;
    return steps;
}

static void a_look_takes_several_steps(void **state)
{
    struct world world;
    struct yk_node_walk walk = {.at = 0};
    struct yk_node_looks looks = {.count = 0};
    struct yk_node_look whole, sliced;
    (void)state;
    const struct yk_group *group = begin_many(&world);
    assert_int_equal(walk_to_end(&walk, &looks, group), 4);
    yk_node_look(group, &whole);
    yk_node_look_shared(&looks, group, &sliced);
    expect_best(&sliced, 0, "n150");
    assert_memory_equal(&whole, &sliced, sizeof(whole));
    assert_int_equal(walk_to_end(&walk, &looks, group), 1); /* it has that look */
    struct yk_group required = *group;
    required.required_node = (char[]){"n7"};
    assert_false(yk_node_look_go_on(&walk, &looks, &required));
    looks.count = 0;
    assert_int_equal(walk_to_end(&walk, &looks, group), 4); /* another question: the look begins again */
    world_done(&world);
}

/* The nodes change between two steps: the look is one about which a sentence is true. */
static void a_look_survives_changes(void **state)
{
    struct world world;
    struct yk_node_walk walk = {.at = 0};
    struct yk_node_looks looks = {.count = 0};
    struct yk_node_look look;
    (void)state;
    const struct yk_group *group = begin_many(&world);
    for (int i = 0; i < 3; i++)
        assert_false(yk_node_look_go_on(&walk, &looks, group));
    world_ask_full(&world, "runs", "more", 1000, 0, 0, YK_SI_CLASS_ANY, "n10"); /* no sentence names it */
    assert_int_equal(walk_to_end(&walk, &looks, group), 1);
    looks.count = 0;
    for (int i = 0; i < 3; i++)
        assert_false(yk_node_look_go_on(&walk, &looks, group));
    world_node_action(&world, "n150", YK_SI_NODE_DECOMMISSION);
    assert_int_equal(walk_to_end(&walk, &looks, group), 1 + 4);
    yk_node_look_shared(&looks, group, &look);
    assert_int_equal(look.total, MANY - 1);
    expect_best(&look, 0, "n0");
    looks.count = 0;
    for (int i = 0; i < 3; i++)
        assert_false(yk_node_look_go_on(&walk, &looks, group));
    world_release(&world, "runs", "k0", YK_SI_STOPPED_BY_RM);
    assert_int_equal(walk_to_end(&walk, &looks, group), 1 + 4);
    yk_node_look_shared(&looks, group, &look);
    assert_int_equal(look.fitting, 1);
    world_done(&world);
}

/* The node that comes nearest changes with each step: at last, all nodes are looked at in one step. */
static void a_look_ends(void **state)
{
    struct world world;
    struct yk_node_walk walk = {.at = 0};
    struct yk_node_looks looks = {.count = 0};
    struct yk_node_look look;
    int steps = 1;
    (void)state;
    const struct yk_group *group = begin_many(&world);
    struct yk_node *node = yk_partition_find_node(group->app->partition, "n150");
    while (!yk_node_look_go_on(&walk, &looks, group)) {
        node->schedulable = steps++ % 4 != 3; /* only at the last step of a walk it is cordoned */
        assert_true(steps < 100);
    }
    assert_int_equal(steps, 5 * 4);
    yk_node_look_shared(&looks, group, &look);
    assert_int_equal(look.closed, 1);
    expect_best(&look, 0, "n0");
    node->schedulable = true;
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_without_the_type_comes_last),
        cmocka_unit_test(a_node_that_is_too_small_comes_last),
        cmocka_unit_test(equal_shapes_share_a_look),
        cmocka_unit_test(a_look_takes_several_steps),
        cmocka_unit_test(a_look_survives_changes),
        cmocka_unit_test(a_look_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
