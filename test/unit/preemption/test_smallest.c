/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No superfluous victim for daemon sets and lowered maxima, on random nodes (test_random.c: for guarantees).
 *
 * YK_SEED chooses others than usual.
 */
#include "base/random.h"
#include "lib/preemption_stage.h"

#include <stdio.h>

enum { SCENARIOS = 1500, PODS_MAX = 12 };

struct scene {
    struct stage stage;
    struct yk_random random;
    uint64_t seed, number;
    size_t pods;
};

static uint64_t below(struct scene *scene, uint64_t bound)
{
    return yk_random_below(&scene->random, bound);
}

static void scene_fails(const struct scene *scene, const char *what, const char *name)
{
    fail_msg("%s: %s (YK_SEED=%llu, scenario %llu)", what, name, (unsigned long long)scene->seed,
             (unsigned long long)scene->number);
}

/* Pods p.. share a budget of one disruption. */
static void fill(struct scene *scene)
{
    int64_t vcore_left = 8000, memory_left = 8000;
    scene->stage.world.budget_letter = 'p';
    scene->stage.world.budget_allowed = 1;
    world_node(&scene->stage.world, "n1", 8000, 8000);
    world_node(&scene->stage.world, "n2", 8000, 8000); /* empty: the root has capacity */
    for (scene->pods = 0; scene->pods < PODS_MAX; scene->pods++) {
        static const char *const keys[2][PODS_MAX] = {
            {"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "pa", "pb"},
            {"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "xa", "xb"}};
        int64_t vcore = 500 * (int64_t)below(scene, 5), memory = 500 * (int64_t)below(scene, 5);
        if (vcore > vcore_left || memory > memory_left)
            break;
        const struct pod pod = POD(keys[below(scene, 2)][scene->pods], "root.b", vcore, memory, "n1",
                                   .age_s = (int64_t)below(scene, 9), .originator = below(scene, 6) == 0,
                                   .opted_out = below(scene, 4) == 0, .priority = (int32_t)below(scene, 2));
        stage_pod(&scene->stage, &pod);
        vcore_left -= vcore;
        memory_left -= memory;
    }
}

static const struct yk_resvec *size_of(struct scene *scene, size_t victim)
{
    return yk_ask_size(stage_ask(&scene->stage, scene->stage.waiting[victim]));
}

/* Whether the ask fits once all victims but `kept` have ended. */
static bool fits_without(struct scene *scene, const struct yk_ask *ask, size_t kept)
{
    YK_RESVEC(free_amounts);
    const struct yk_node *node = yk_partition_find_node(world_partition(&scene->stage.world), "n1");
    yk_resvec_copy(&free_amounts, node->available);
    for (size_t i = 0; i < scene->stage.waiting_count; i++) {
        if (i != kept)
            yk_resvec_add(&free_amounts, size_of(scene, i));
    }
    return yk_resvec_fit(&free_amounts, yk_ask_size(ask));
}

static void play_daemon(struct scene *scene)
{
    stage_init(&scene->stage, "", "    - {name: b}\n");
    fill(scene);
    const struct pod pod =
        POD("daemon", "root.b", 500 * (int64_t)(1 + below(scene, 8)), 500 * (int64_t)below(scene, 8), NULL,
            .required_node = "n1", .app = "d", .priority = 1);
    stage_pod(&scene->stage, &pod);
    stage_wait(&scene->stage, 1);
    const struct yk_ask *ask = stage_ask(&scene->stage, "daemon");
    for (size_t i = 0; i < scene->stage.waiting_count; i++) {
        if (fits_without(scene, ask, i))
            scene_fails(scene, "a victim that could be left out", scene->stage.waiting[i]);
    }
    if (scene->stage.waiting_count > 0 && !fits_without(scene, ask, SIZE_MAX))
        scene_fails(scene, "victims without need", "daemon");
    stage_confirm(&scene->stage);
    stage_wait(&scene->stage, 1);
    assert_string_equal(stage_where(&scene->stage, "daemon"), "n1");
    stage_done(&scene->stage);
}

static bool reduces(const struct yk_resvec *excess, const struct yk_resvec *size)
{
    yk_resvec_foreach_common(t, excess, size)
    {
        if (yk_resvec_get(excess, t) > 0 && yk_resvec_get(size, t) > 0)
            return true;
    }
    return false;
}

static void play_quota(struct scene *scene)
{
    static const char on[] = "  preemption: {quotapreemptionenabled: true}\n";
    char lowered[256];
    stage_init(&scene->stage, on, "    - {name: b, properties: {quota.preemption.delay: 1s}}\n");
    fill(scene);
    (void)snprintf(lowered, sizeof(lowered),
                   "    - {name: b, resources: {guaranteed: {memory: %lluM}, max: {vcore: %llu, memory: "
                   "8000Mi}}, properties: {quota.preemption.delay: 1s}}\n",
                   (unsigned long long)(500 * below(scene, 8)), (unsigned long long)(1 + below(scene, 7)));
    stage_reload(&scene->stage, on, lowered);
    const struct yk_queue *queue = world_queue(&scene->stage.world, "root.b");
    YK_RESVEC(excess);
    yk_resvec_foreach(t, &queue->max)
    {
        int64_t above = yk_resvec_get(&queue->allocated, t) - yk_resvec_get(&queue->max, t);
        if (above > 0)
            yk_resvec_put(&excess, t, above);
    }
    stage_wait(&scene->stage, 3);
    for (size_t i = 0; i < scene->stage.waiting_count; i++) {
        if (!reduces(&excess, size_of(scene, i)))
            scene_fails(scene, "a victim that frees nothing that is too much", scene->stage.waiting[i]);
        yk_resvec_sub_existing(&excess, size_of(scene, i));
    }
    yk_resvec_foreach(t, &excess)
    {
        if (yk_resvec_get(&excess, t) < 0 && scene->stage.waiting_count > 0)
            scene_fails(scene, "more was taken than is too much", "root.b");
    }
    stage_confirm(&scene->stage);
    stage_done(&scene->stage);
}

static void no_superfluous_victim(void **state)
{
    (void)state;
    static struct scene scene;
    size_t victims = 0;
    const char *seed = getenv("YK_SEED");
    scene.seed = seed != NULL ? strtoull(seed, NULL, 10) : 1;
    yk_random_init(&scene.random, scene.seed);
    for (scene.number = 1; scene.number <= SCENARIOS; scene.number++) {
        if (scene.number % 2 == 0)
            play_daemon(&scene);
        else
            play_quota(&scene);
        victims += strlen(scene.stage.victims) > 0;
    }
    if (victims < SCENARIOS / 5)
        fail_msg("only %zu preemptions", victims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_superfluous_victim)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
