/* SPDX-License-Identifier: Apache-2.0 */
/* Dry runs: each kind of step changes the amounts that it names, and all of them are as before when it is undone. */
#include "preemption/dry_run.h"

#include "lib/preemption_stage.h"
#include "policies/node_order.h"

#include <inttypes.h>

/* Node n2 is reserved for the ask `first`, for which x0 has still to end. The ask `ask` was not tried yet. */
struct scene {
    struct stage stage;
    struct yk_dry_run run;
    const struct yk_node *tried; /* the last node of which amounts have changed */
};

static struct scene *playing;

static void node_tried(struct yk_partition *partition, const struct yk_node *node)
{
    assert_ptr_equal(partition, world_partition(&playing->stage.world));
    playing->tried = node;
}

static struct yk_ask *ask_of(struct scene *scene, const char *key)
{
    return stage_ask(&scene->stage, key);
}

static void begin(struct scene *scene)
{
    struct world *world = &scene->stage.world;
    playing = scene;
    stage_init(&scene->stage, "",
               "    - {name: a, resources: {guaranteed: {vcore: 4}}, limits: [{limit: l, users: [joe], "
               "maxresources: {vcore: 40}}]}\n"
               "    - {name: p, properties: {preemption.budget: '9'}, queues: [{name: b}, {name: c}]}\n");
    world_node(world, "n1", 4000, 4096);
    world_node(world, "n2", 4000, 4096);
    world_node(world, "n3", 2000, 4096);
    const struct pod pods[] = {POD("x0", "root.p.b", 1000, 300, "n2", .age_s = 1),
                               POD("x1", "root.p.b", 1000, 300, "n2", .age_s = 50),
                               POD("x2", "root.p.b", 1500, 300, "n2", .age_s = 50),
                               POD("x3", "root.p.b", 500, 300, "n2", .age_s = 50),
                               POD("y1", "root.p.c", 2500, 100, "n1", .age_s = 50),
                               POD("y2", "root.p.c", 1500, 400, "n1", .age_s = 50),
                               POD("z1", "root.p.c", 2000, 200, "n3", .age_s = 50),
                               POD("first", "root.a", 1000, 200, NULL, .age_s = 40)};
    for (size_t i = 0; i < YK_COUNT(pods); i++)
        stage_pod(&scene->stage, &pods[i]);
    stage_wait(&scene->stage, 1);
    stage_expect(&scene->stage, "the scene", "x0");
    stage_pod(&scene->stage, &(struct pod)POD("ask", "root.a", 2000, 100, NULL));
    scene->run.now_mono_ns = yk_clock_mono_ns(&world->clock);
    scene->run.leaf = world_queue(world, "root.a");
    scene->run.node_order = &world_partition(world)->node_order;
    scene->run.node_tried = node_tried;
}

static void end(struct scene *scene)
{
    yk_dry_run_done(&scene->run);
    stage_done(&scene->stage);
}

static void add(struct scene *scene, enum yk_dry_kind kind, const char *key, const char *node)
{
    void *const *nodes = world_partition(&scene->stage.world)->nodes.items;
    struct yk_node *there = nodes[node[1] - '1'];
    assert_string_equal(there->id, node);
    yk_dry_run_add(&scene->run, kind, ask_of(scene, key), there);
}

static void add_all_kinds(struct scene *scene)
{
    add(scene, YK_DRY_END, "y2", "n1");
    add(scene, YK_DRY_END_VICTIM, "x2", "n2");
    add(scene, YK_DRY_VICTIM, "y1", "n1");
    add(scene, YK_DRY_PUT, "ask", "n2");
}

static void print(struct yk_buf *buf, const char *what, const struct yk_resvec *amounts)
{
    yk_buf_printf(buf, " %s [", what);
    yk_resvec_print(amounts, buf);
    yk_buf_text(buf, "]");
}

/* All that a step may change, in words. The caller frees it. */
static char *state_of(struct scene *scene)
{
    static const char *const keys[] = {"x0", "x1", "x2", "x3", "y1", "y2", "z1", "first", "ask"};
    struct yk_partition *partition = world_partition(&scene->stage.world);
    const struct yk_node *node;
    const struct yk_app *app;
    struct yk_buf buf = {0};
    for (struct yk_queue *queue = partition->root; queue != NULL;
         queue = yk_queue_next(queue, partition->root)) {
        yk_buf_printf(&buf, "%s: victims %" PRIu64, queue->path, queue->ended.count);
        print(&buf, "allocated", &queue->allocated);
        print(&buf, "preempting", &queue->preempting);
        print(&buf, "nominated", &queue->nominated);
        yk_buf_text(&buf, "\n");
    }
    yk_strmap_foreach (app, &partition->apps) {
        yk_buf_printf(&buf, "joe in %s:", app->id);
        for (const struct yk_usage *usage = app->limit.user; usage != NULL; usage = usage->parent)
            print(&buf, "allocated", &usage->allocated);
        yk_buf_text(&buf, "\n");
    }
    yk_tree_foreach (node, &partition->node_order.tree, struct yk_node, in_order)
        yk_buf_printf(&buf, "then %s\n", node->id);
    yk_vec_foreach (node, &partition->nodes) {
        yk_buf_printf(&buf, "%s:", node->id);
        print(&buf, "available", node->available);
        yk_buf_text(&buf, "\n");
    }
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        yk_buf_printf(&buf, "%s: %" PRIu32 "\n", keys[i], ask_of(scene, keys[i])->flags);
    char *state = yk_strdup(yk_buf_cstr(&buf));
    yk_buf_done(&buf);
    return state;
}

/* Fails unless the state is `state`. Frees it. */
static void expect_state(struct scene *scene, char *state)
{
    char *now = state_of(scene);
    assert_string_equal(now, state);
    free(now);
    free(state);
}

static int64_t vcore(const struct yk_resvec *amounts)
{
    return yk_resvec_get(amounts, YK_RESTYPE_VCORE);
}

/* What the queue has of cores in `allocated`, `preempting` and `nominated`, and its victims of this minute. */
static void expect_queue(struct scene *scene, const char *path, int64_t allocated, int64_t preempting,
                         int64_t nominated, uint64_t victims)
{
    const struct yk_queue *queue = world_queue(&scene->stage.world, path);
    assert_int_equal(vcore(&queue->allocated), allocated);
    assert_int_equal(vcore(&queue->preempting), preempting);
    assert_int_equal(vcore(&queue->nominated), nominated);
    assert_int_equal(queue->ended.count, victims);
}

/* What the node of the allocation has free of cores. */
static void expect_node(struct scene *scene, const char *key, int64_t available)
{
    assert_int_equal(vcore(ask_of(scene, key)->node->available), available);
}

static void expect_first_node(struct scene *scene, const char *node)
{
    const struct yk_tree *order = &world_partition(&scene->stage.world)->node_order.tree;
    assert_string_equal(YK_CONTAINER(yk_tree_first(order), struct yk_node, in_order)->id, node);
}

static void steps_change_what_they_name(void **state)
{
    (void)state;
    struct scene scene = {0};
    begin(&scene);
    const struct yk_usage *user = world_app(&scene.stage.world, "root.a")->limit.user;
    expect_queue(&scene, "root.a", 0, 0, 1000, 0);
    expect_queue(&scene, "root.p", 10000, 1000, 0, 1);
    expect_node(&scene, "y1", 0);
    expect_first_node(&scene, "n3");
    add(&scene, YK_DRY_END, "y2", "n1");
    expect_queue(&scene, "root.p", 8500, 1000, 0, 1);
    expect_node(&scene, "y1", 1500);
    expect_first_node(&scene, "n1");
    assert_string_equal(scene.tried->id, "n1");
    assert_true((ask_of(&scene, "y2")->flags & YK_ASK_REPLACING) != 0);
    add(&scene, YK_DRY_END_VICTIM, "x2", "n2");
    expect_queue(&scene, "root.p", 7000, 1000, 0, 2);
    expect_node(&scene, "x2", 1500);
    assert_true((ask_of(&scene, "x2")->flags & YK_ASK_REPLACING) != 0);
    scene.tried = NULL;
    add(&scene, YK_DRY_VICTIM, "y1", "n1");
    expect_queue(&scene, "root.p", 7000, 3500, 0, 3);
    expect_queue(&scene, "root.a", 0, 0, 3500, 0);
    assert_int_equal(vcore(&scene.run.booked), 2500);
    expect_node(&scene, "y1", 1500);
    assert_null(scene.tried);
    add(&scene, YK_DRY_PUT, "ask", "n2");
    expect_queue(&scene, "root.a", 2000, 0, 3500, 0);
    expect_queue(&scene, "root", 9000, 3500, 3500, 3);
    expect_node(&scene, "x2", -500);
    assert_int_equal(vcore(&user->allocated), 2000);
    assert_true(yk_ask_is_pending(ask_of(&scene, "ask")));
    end(&scene);
}

static void undone_all_amounts_are_as_before(void **state)
{
    (void)state;
    struct scene scene = {0};
    begin(&scene);
    char *before = state_of(&scene);
    add_all_kinds(&scene);
    char *with_all = state_of(&scene);
    assert_string_not_equal(before, with_all);
    free(with_all);
    yk_dry_run_undo(&scene.run, 0);
    assert_int_equal(scene.run.asks.count, 0);
    assert_int_equal(vcore(&scene.run.booked), 0);
    expect_state(&scene, before);
    end(&scene);
}

/* Each step in turn is undone before the others, and done again in its place. */
static void a_step_is_undone_between_others(void **state)
{
    (void)state;
    static const char *const keys[] = {"y2", "x2", "y1", "ask"};
    struct scene scene = {0};
    begin(&scene);
    char *before = state_of(&scene);
    add_all_kinds(&scene);
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        char *with_all = state_of(&scene);
        const struct yk_dry_step step = yk_dry_run_remove(&scene.run, i);
        char *without = state_of(&scene);
        assert_string_equal(step.ask->key, keys[i]);
        assert_string_not_equal(without, with_all);
        assert_int_equal(scene.run.asks.count, YK_COUNT(keys) - 1);
        assert_int_equal(yk_vec_find(&scene.run.asks, step.ask), SIZE_MAX);
        yk_dry_run_insert(&scene.run, i, &step);
        expect_state(&scene, with_all);
        free(without);
        for (size_t at = 0; at < YK_COUNT(keys); at++) {
            assert_ptr_equal(scene.run.asks.items[at], ask_of(&scene, keys[at]));
            assert_ptr_equal(scene.run.steps[at].ask, ask_of(&scene, keys[at]));
        }
    }
    yk_dry_run_undo(&scene.run, 1);
    assert_int_equal(scene.run.asks.count, 1);
    expect_node(&scene, "y1", 1500);
    expect_queue(&scene, "root.p", 8500, 1000, 0, 1);
    yk_dry_run_undo(&scene.run, 0);
    expect_state(&scene, before);
    end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_change_what_they_name),
        cmocka_unit_test(undone_all_amounts_are_as_before),
        cmocka_unit_test(a_step_is_undone_between_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
