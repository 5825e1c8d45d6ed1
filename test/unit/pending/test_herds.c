/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of one pod beside many applications that wait: the one that starts is tried and no other, whatever
 * they wait for (scheduling.md 3.5, 4.5).
 */
#include "objects/wait_branch.h"

#include "lib/core_world.h"
#include "scheduler/cycle.h"

enum { HERD = 400, RUNNING = 4, TURNS_MAX = 4, OTHER_TYPES = 5 };

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n    queues:\n    - name: q\n"
#define LEAVES "      queues: [{name: one}, {name: two}]\n"

/* Each lets four pods of one core run. */
static const struct {
    const char *what, *config;
    int64_t node_vcore;
} herds[] = {
    {"nodes", HEAD LEAVES, RUNNING * 1000},
    {"maximum of a queue", HEAD "      resources: {max: {vcore: 4}}\n" LEAVES, 100000},
    {"limit of a user", HEAD "      limits: [{limit: x, users: [joe], maxresources: {vcore: 4}}]\n" LEAVES,
     100000},
    {"limit of a group", HEAD "      limits: [{limit: x, groups: [team], maxresources: {vcore: 4}}]\n" LEAVES,
     100000},
    {"applications of a queue",
     HEAD "      maxapplications: 4\n      queues: [{name: one, maxapplications: 4}, {name: two, "
          "maxapplications: 4}]\n",
     100000},
    {"applications of a user", HEAD "      limits: [{limit: x, users: [joe], maxapplications: 4}]\n" LEAVES,
     100000},
};

static void submit(struct world *world, int number, const struct yk_resvec *size)
{
    char id[16];
    (void)snprintf(id, sizeof(id), "m%03d", number);
    world_submit_in_group(world, id, number % 2 == 0 ? "root.q.one" : "root.q.two", "joe", "team");
    struct yk_si_allocation ask = {
        .key = id, .application_id = id, .resource = size, .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

/* Everything that can be decided; how many turns it took. */
static size_t turns(struct world *world, size_t *ret_decided)
{
    size_t count = 0;
    *ret_decided = 0;
    for (;; count++) {
        enum yk_turn turn = yk_partition_turn(world_partition(world), &(struct yk_step_timer){.clock = NULL});
        if (turn == YK_TURN_IDLE)
            break;
        *ret_decided += turn == YK_TURN_DECIDED;
    }
    world_check(world);
    return count;
}

/* The pods and their applications end. */
static void end_one(struct world *world, const char *what, int number, size_t expected)
{
    char id[16];
    size_t decided;
    (void)snprintf(id, sizeof(id), "m%03d", number);
    world_release(world, id, id, YK_SI_STOPPED_BY_RM);
    assert_int_equal(yk_core_remove_app(world->core, "rm", id, "default"), YK_OK);
    size_t count = turns(world, &decided);
    if (decided != expected || count > TURNS_MAX)
        fail_msg("%s: %zu decisions in %zu turns after the end of '%s'", what, decided, count, id);
}

static void one_end_tries_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(herds); i++) {
        struct world world;
        world_init(&world, herds[i].config);
        world_node(&world, "n1", herds[i].node_vcore, 1000000);
        for (int number = 0; number < HERD; number++) { /* each in a size of its own */
            struct yk_resvec size = world_size(1000, 1 + number);
            submit(&world, number, &size);
        }
        assert_int_equal(world_schedule(&world), RUNNING);
        for (int number = 0; number < RUNNING; number++)
            end_one(&world, herds[i].what, number, 1);
        world_done(&world);
    }
}

/* Behind types that each node has, as in a cluster with many extended resources. */
static int gpu_type(void)
{
    static const char *const names[OTHER_TYPES + 1] = {"one",  "two",  "three",
                                                       "four", "five", "nvidia.com/gpu"};
    int type = -1;
    for (size_t i = 0; i < YK_COUNT(names); i++)
        assert_int_equal(yk_restype_add(yk_str_from(names[i]), &type, NULL), YK_OK);
    return type;
}

/* A pod without the type ends beside pods that wait for it: none of them is tried, and the sums over them know
 * the type. */
static void what_is_scarce_is_not_looked_for(void **state)
{
    (void)state;
    struct world world;
    int gpu = gpu_type();
    world_init(&world, herds[0].config);
    world_node(&world, "n1", 8000, 1000000);
    for (int number = 0; number < RUNNING; number++) {
        struct yk_resvec size = world_size(2000, 1);
        submit(&world, number, &size);
    }
    assert_int_equal(world_schedule(&world), RUNNING);
    for (int number = RUNNING; number < HERD; number++) {
        YK_CLEANUP(yk_resvec_done) struct yk_resvec size = world_size(1000, 1 + number);
        yk_resvec_put(&size, gpu, 1);
        submit(&world, number, &size);
    }
    assert_int_equal(world_schedule(&world), 0);
    const struct yk_tree_link *top = world_partition(&world)->root->waiting.children.root;
    assert_non_null(top); /* what a search compares first */
    assert_int_equal(yk_resvec_get(&yk_wait_branch_of(top)->least, gpu), 1);
    for (int number = 0; number < RUNNING; number++)
        end_one(&world, "gpu", number, 0);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_end_tries_one),
        cmocka_unit_test(what_is_scarce_is_not_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
