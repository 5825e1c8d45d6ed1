/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of what waits, of more applications than are collected in one step (docs/reference/rest.md 12.6): their order,
 * and that what is there all the time is listed once, whatever happens between the slices.
 */
#include "base/random.h"
#include "partition/move.h"
#include "web/browser.h"

#define PENDING "/ws/v1/partition/default/queue/root/pending"

enum { STAY = 700, LEAVES = 3, PASSING_MAX = 4000 };

static const char config[] = "partitions: [{name: default, placementrules: [{name: provided}], queues: "
                             "[{name: root, submitacl: '*', queues: ["
                             "{name: a, properties: {application.sort.policy: fair}}, {name: b, properties: "
                             "{application.sort.policy: fair}}, "
                             "{name: c}, {name: empty}]}]}]";

static struct yk_random random_;
static int steps, passing_first, passing_end;

static const char *leaf(uint64_t number)
{
    static const char *const leaves[LEAVES] = {"root.a", "root.b", "root.c"};
    return leaves[number % LEAVES];
}

static void submit(struct world *world, const char *id, const char *queue)
{
    world_submit(world, id, queue, "ann");
    world_ask(world, id, "runs", 1000 * (1 + (int)yk_random_below(&random_, 50)), 1);
    world_ask(world, id, "waits", 1000000000, 1);
}

static void build(struct world *world, uint64_t seed)
{
    char id[32];
    yk_random_init(&random_, seed);
    steps = passing_first = passing_end = 0;
    world_init(world, config);
    for (int i = 0; i < 20; i++) { /* a node takes 110 of them */
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(world, id, 100000000, 100000000);
    }
    for (int i = 0; i < STAY; i++) {
        (void)snprintf(id, sizeof(id), "stay-%d", i);
        submit(world, id, leaf(yk_random_u64(&random_)));
        if (i % 7 == 0)
            world_advance(world, 1);
    }
    (void)world_schedule(world);
}

/* ---- while a list is written ---- */

static void use_more(struct world *world)
{
    char id[32], key[32];
    (void)snprintf(id, sizeof(id), "stay-%d", (int)yk_random_below(&random_, STAY));
    (void)snprintf(key, sizeof(key), "more-%d", steps);
    world_ask(world, id, key, 1000 * (1 + (int)yk_random_below(&random_, 50)), 1);
    (void)yk_core_schedule(world->core, SIZE_MAX, INT64_MAX); /* the shares follow */
}

static void use_less(struct world *world)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "stay-%d", (int)yk_random_below(&random_, STAY));
    world_release(world, id, "runs", YK_SI_STOPPED_BY_RM);
}

static void come_or_go(struct world *world)
{
    char id[32];
    if (passing_end - passing_first < 20 && passing_end < PASSING_MAX) {
        (void)snprintf(id, sizeof(id), "passing-%d", passing_end++);
        submit(world, id, leaf(yk_random_u64(&random_)));
        return;
    }
    (void)snprintf(id, sizeof(id), "passing-%d", passing_first++);
    assert_int_equal(yk_core_remove_app(world->core, "rm", id, NULL), YK_OK);
}

static void move_one(struct world *world)
{
    char id[32];
    struct yk_err err;
    (void)snprintf(id, sizeof(id), "stay-%d", (int)yk_random_below(&random_, STAY));
    struct yk_app *app = world_app(world, id);
    struct yk_queue *target = world_queue(world, leaf(yk_random_u64(&random_)));
    if (app->leaf != target)
        assert_int_equal(yk_app_move(app, target, "ann", &err), YK_OK);
}

static void change_something(void *context)
{
    static void (*const changes[])(struct world *) = {use_more, use_less, come_or_go, come_or_go, move_one};
    steps++;
    changes[yk_random_below(&random_, YK_COUNT(changes))](context);
}

/* ---- what is listed ---- */

static void expect_once(const json_t *pending, const char *target, uint64_t seed)
{
    int seen[STAY] = {0}, passed[PASSING_MAX] = {0};
    for (size_t i = 0; i < json_array_size(pending); i++) {
        const json_t *entry = json_array_get(pending, i);
        const char *id = look_text(entry, "applicationID");
        bool stays = strncmp(id, "stay-", 5) == 0;
        uint64_t number;
        assert_int_equal(yk_str_to_u64(yk_str_from(strchr(id, '-') + 1), &number), YK_OK);
        if (strcmp(look_text(entry, "allocationKey"), "waits") == 0)
            (stays ? seen : passed)[number]++;
    }
    for (int i = 0; i < STAY; i++) {
        if (seen[i] != 1)
            fail_msg("%s, seed %d: stay-%d: %d times", target, (int)seed, i, seen[i]);
    }
    for (int i = 0; i < PASSING_MAX; i++) {
        if (passed[i] > 1)
            fail_msg("%s, seed %d: passing-%d: %d times", target, (int)seed, i, passed[i]);
    }
}

static void what_stays_is_listed_once(void **state)
{
    (void)state;
    static const char *const targets[] = {PENDING "?limit=100000", PENDING "?limit=100000&order=age",
                                          PENDING "?limit=100000&order=priority"};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct world world;
        const char *target = targets[seed % YK_COUNT(targets)];
        build(&world, seed);
        json_t *json = browse_slices(&world, target, change_something, &world);
        expect_once(look(json, "pending"), target, seed);
        assert_true(steps > STAY);
        assert_true(look_int(json, "total") >= STAY);
        json_decref(json);
        world_check(&world);
        world_done(&world);
    }
}

/* Nothing changes: leaf by leaf, with positions from 0 on, and the parts of the list are the same in several answers. */
static void the_order_is_that_of_the_leaves(void **state)
{
    (void)state;
    struct world world;
    const char *last_leaf = "";
    json_int_t next = 0, last_share = 0;
    build(&world, 7);
    json_t *json = browse_slices(&world, PENDING "?limit=100000", NULL, NULL);
    const json_t *pending = look(json, "pending");
    assert_int_equal(json_array_size(pending), STAY);
    for (size_t i = 0; i < STAY; i++) {
        const json_t *entry = json_array_get(pending, i);
        const char *queue = look_text(entry, "queueName");
        const struct yk_app *app = world_app(&world, look_text(entry, "applicationID"));
        json_int_t share = yk_resvec_get(&app->allocated, YK_RESTYPE_VCORE);
        if (strcmp(queue, last_leaf) != 0) {
            assert_true(strcmp(last_leaf, queue) < 0);
            next = 0;
        } else if (strcmp(queue, "root.c") != 0) {
            assert_true(share >= last_share);
        }
        assert_int_equal(look_int(entry, "positionInQueue"), next++);
        last_leaf = queue;
        last_share = share;
    }
    json_t *part = browse_json(&world, PENDING "?offset=300&limit=50");
    for (size_t i = 0; i < 50; i++)
        assert_true(json_equal(json_array_get(look(part, "pending"), i), json_array_get(pending, 300 + i)));
    assert_int_equal(json_array_size(look(part, "pending")), 50);
    assert_int_equal(look_int(part, "total"), STAY);
    assert_true(json_equal(look(part, "reasons"), look(json, "reasons")));
    json_decref(part);
    json_decref(json);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_is_listed_once),
        cmocka_unit_test(the_order_is_that_of_the_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
