/* SPDX-License-Identifier: Apache-2.0 */
/* Preemption lowers the need of the partition (scheduling.md 6.1), also while a reload turns leaves into parents and
 * parents into leaves. */
#include "lib/preemption_stage.h"

#define A_LEAF   "    - {name: a, resources: {guaranteed: {vcore: 4}}}\n"
#define A_PARENT "    - {name: a, resources: {guaranteed: {vcore: 4}}, queues: [{name: k}]}\n"

/* The victim has cores that the queue above it guarantees and does not have in full, and memory that the ask lacks. */
static void try_exchange(const char *what, const char *queues, const char *reloaded, const char *ask_queue,
                         const char *victim_queue, const char *victims)
{
    struct stage stage;
    stage_init(&stage, "", queues);
    world_node(&stage.world, "n1", 10000, 4096);
    stage_pod(&stage, &(struct pod)POD("x", victim_queue, 1000, 4096, "n1"));
    stage_pod(&stage, &(struct pod)POD("first", ask_queue, 10, 0, "n1"));
    stage_reload(&stage, "", reloaded);
    stage_pod(&stage, &(struct pod)POD("ask", ask_queue, 100, 1024, NULL, .age_s = 40));
    stage_wait(&stage, 100);
    stage_expect(&stage, what, victims);
    stage_done(&stage);
}

static void the_need_of_leaves_comes_first(void **state)
{
    (void)state;
    static const char parent[] =
        A_LEAF "    - {name: p, resources: {guaranteed: {vcore: 4}}, queues: [{name: c}]}\n";
    try_exchange("a leaf gains, a parent loses", parent, parent, "root.a", "root.p.c", "x");
}

static void a_parent_that_became_a_leaf_counts_as_one(void **state)
{
    (void)state;
    try_exchange("the leaf p loses more than a gains",
                 A_LEAF "    - {name: p, resources: {guaranteed: {vcore: 4}}, queues: [{name: c}]}\n",
                 A_LEAF "    - {name: p, resources: {guaranteed: {vcore: 4}}}\n", "root.a", "root.p.c", "");
    try_exchange(
        "p, which is above both, loses more than a gains",
        "    - {name: p, resources: {guaranteed: {vcore: 4}}, queues: [{name: a, resources: {guaranteed: "
        "{vcore: 4}}}, {name: c}]}\n",
        "    - {name: p, resources: {guaranteed: {vcore: 1}}}\n", "root.p.a", "root.p.c", "");
}

static void a_leaf_that_became_a_parent_counts_as_one(void **state)
{
    (void)state;
    static const char deep[] = "    - {name: p, queues: [{name: c, resources: {guaranteed: {vcore: 4}}, "
                               "queues: [{name: d}]}]}\n";
    char queues[1024], reloaded[1024];
    (void)snprintf(queues, sizeof(queues), "%s%s", A_LEAF, deep);
    (void)snprintf(reloaded, sizeof(reloaded), "%s%s", A_PARENT, deep);
    try_exchange("a is a leaf", queues, queues, "root.a", "root.p.c.d", "x");
    try_exchange("a is above its deeper parent c no longer", queues, reloaded, "root.a", "root.p.c.d", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_need_of_leaves_comes_first),
        cmocka_unit_test(a_parent_that_became_a_leaf_counts_as_one),
        cmocka_unit_test(a_leaf_that_became_a_parent_counts_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
