/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of which a window of names is kept: the same bytes, counts and pages as in one go, and answers that end when
 * objects come and go (docs/reference/rest.md 1.1 and 1.7).
 */
#include "web/browser.h"

#define P "/ws/v1/partition/default"

enum { NAMES = 90, ASKS = 700, WINDOW_BYTES = 600 };

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: root, "
    "submitacl: '*', queues: [{name: leaf}, {name: dyn, parent: true}]}]}]";

static void build(struct world *world)
{
    char id[32], queue[64];
    world_init(world, config);
    for (int i = 0; i < NAMES; i++) {
        (void)snprintf(id, sizeof(id), "node-%d", i * 37 % NAMES);
        world_node(world, id, 1000, 1000);
        (void)snprintf(id, sizeof(id), "app-%d", i * 53 % NAMES);
        (void)snprintf(queue, sizeof(queue), i % 3 == 0 ? "root.leaf" : "root.dyn.a%d.b", i % 23);
        world_submit(world, id, queue, i % 2 == 0 ? "ann" : "bob");
        if (i % 5 == 0)
            world_advance(world, 1);
        world_ask(world, id, id, i % 7 == 0 ? 100000 : 10, 1);
    }
    for (int i = 0; i < 20; i++) {
        (void)snprintf(id, sizeof(id), "bad-%d", i);
        world_submit(world, id, "root.leaf.below", "ann");
    }
    world_submit(world, "big", "root.leaf", "ann");
    for (int i = 0; i < ASKS; i++) { /* more than are written at once */
        (void)snprintf(id, sizeof(id), "key-%d", i * 19 % ASKS);
        world_ask(world, "big", id, 200, 1);
    }
    assert_true(world_schedule(world) > 100);
}

static struct yk_answer ask(struct world *world, const char *target, size_t window_bytes,
                            void (*between)(void *))
{
    struct yk_answer answer;
    yk_web_render(world->core, NULL,
                  &(struct yk_web_query){.target = target,
                                         .tiny_slices = window_bytes > 0,
                                         .window_bytes = window_bytes,
                                         .between = between,
                                         .context = world},
                  &answer);
    return answer;
}

static void expect_same(struct world *world, const char *target)
{
    struct yk_answer whole = ask(world, target, 0, NULL), part = ask(world, target, WINDOW_BYTES, NULL);
    if (whole.status != part.status || whole.total_count != part.total_count ||
        strcmp(yk_buf_cstr(&whole.next_after), yk_buf_cstr(&part.next_after)) != 0 ||
        strcmp(yk_buf_cstr(&whole.body), yk_buf_cstr(&part.body)) != 0)
        fail_msg("%s: %d %d, %lld %lld, '%s' '%s'\n%.400s\n%.400s", target, whole.status, part.status,
                 (long long)whole.total_count, (long long)part.total_count, yk_buf_cstr(&whole.next_after),
                 yk_buf_cstr(&part.next_after), yk_buf_cstr(&whole.body), yk_buf_cstr(&part.body));
    yk_answer_done(&whole);
    yk_answer_done(&part);
}

static void same_bytes(void **state)
{
    (void)state;
    static const char *const targets[] = {
        P "/nodes",
        P "/queues",
        P "/queue/root.dyn?subtree",
        P "/applications/active",
        P "/applications/active?view=summary&fields=applicationID",
        P "/applications/rejected",
        P "/queue/root.leaf/applications",
        P "/application/big",
        P "/usage/users",
        P "/usage/user/ann",
        P "/queue/root/pending?limit=100000",
        P "/queue/root/pending?order=age&offset=7&limit=50",
        "/ws/v1/scheduler/node-utilizations",
        P "/queue/root.none/applications",
    };
    struct world world;
    build(&world);
    for (size_t i = 0; i < YK_COUNT(targets); i++)
        expect_same(&world, targets[i]);
    world_done(&world);
}

static void same_pages(void **state)
{
    (void)state;
    static const char *const lists[] = {P "/nodes", P "/applications/active", P "/applications/rejected"};
    static const char *const afters[] = {
        "", "&after=node-3", "&after=app-7", "&after=bad-9", "&after=none", "&after=9:x"};
    struct world world;
    build(&world);
    for (size_t list = 0; list < YK_COUNT(lists); list++) {
        for (size_t after = 0; after < YK_COUNT(afters); after++) {
            for (int i = 0; i < 12; i++) {
                static const int limits[] = {0, 1, 3, 20, 60, 1000}, offsets[] = {0, 17};
                char target[256];
                (void)snprintf(target, sizeof(target), "%s?view=summary&limit=%d&offset=%d%s", lists[list],
                               limits[i % 6], offsets[i / 6], afters[after]);
                expect_same(&world, target);
            }
        }
    }
    world_done(&world);
}

/* Page by page, each of several windows. */
static void pages_follow_each_other(void **state)
{
    (void)state;
    struct world world;
    char target[256] = P "/applications/active?view=summary&limit=25";
    size_t count = 0;
    build(&world);
    for (bool more = true; more;) {
        struct yk_answer answer = ask(&world, target, WINDOW_BYTES, NULL);
        json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
        count += json_array_size(json);
        assert_int_equal(answer.total_count, NAMES + 1);
        more = answer.next_after.len > 0;
        (void)snprintf(target, sizeof(target), P "/applications/active?view=summary&limit=25&after=%s",
                       yk_buf_cstr(&answer.next_after));
        json_decref(json);
        yk_answer_done(&answer);
    }
    assert_int_equal(count, NAMES + 1);
    world_done(&world);
}

static int slices;

/* Nodes that stand in the middle of the list come, and go again. */
static void change_the_middle(void *context)
{
    char id[32];
    slices++;
    (void)snprintf(id, sizeof(id), "node-2x%d", slices / 2 % 30);
    if (slices / 60 % 2 == 0)
        world_node(context, id, 1, 1);
    else
        world_node_action(context, id, YK_SI_NODE_DECOMMISSION);
}

static void count_nodes(const struct yk_answer *answer, int *seen)
{
    json_t *json = json_loadb(answer->body.p, answer->body.len, 0, NULL);
    assert_non_null(json);
    for (size_t i = 0; i < json_array_size(json); i++) {
        const char *id = json_string_value(json_object_get(json_array_get(json, i), "nodeID"));
        uint64_t number;
        if (yk_str_to_u64(yk_str_from(id + strlen("node-")), &number) == YK_OK)
            seen[number]++;
    }
    json_decref(json);
}

enum { FAIR_APPS = 60 };

/* One application uses more than before, another one less: the fair order changes in both directions. */
static void change_shares(void *context)
{
    char id[32], key[32];
    slices++;
    (void)snprintf(id, sizeof(id), "fair-%d", slices * 17 % FAIR_APPS);
    (void)snprintf(key, sizeof(key), "more-%d", slices);
    world_ask(context, id, key, slices % 5 * 1000, 1);
    (void)world_schedule(context);
    if (slices <= 20)
        return;
    (void)snprintf(id, sizeof(id), "fair-%d", (slices - 20) * 17 % FAIR_APPS);
    (void)snprintf(key, sizeof(key), "more-%d", slices - 20);
    world_release(context, id, key, YK_SI_STOPPED_BY_RM);
}

/* Each application of a fair leaf has one pod that waits. */
static void build_fair(struct world *world)
{
    char id[32];
    world_init(world, "partitions: [{name: default, placementrules: [{name: provided}], queues: [{name: "
                      "root, submitacl: '*', "
                      "queues: [{name: leaf, properties: {application.sort.policy: fair}}]}]}]");
    world_node(world, "n1", 100000000, 100000000);
    for (int i = 0; i < FAIR_APPS; i++) {
        (void)snprintf(id, sizeof(id), "fair-%d", i);
        world_submit(world, id, "root.leaf", "ann");
        world_ask(world, id, "runs", 1000 * (1 + i * 37 % FAIR_APPS), 1);
        world_ask(world, id, "waits", 1000000000, 1);
    }
    (void)world_schedule(world);
}

static void a_fair_leaf_is_listed_once(void **state)
{
    (void)state;
    static const char *const targets[] = {P "/queue/root.leaf/pending",
                                          P "/queue/root/pending?order=priority"};
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        struct world world;
        int seen[FAIR_APPS] = {0};
        build_fair(&world);
        slices = 0;
        struct yk_answer answer = ask(&world, targets[i], WINDOW_BYTES, change_shares);
        json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
        const json_t *pending = json_object_get(json, "pending");
        for (size_t n = 0; n < json_array_size(pending); n++) {
            uint64_t number = 0;
            const char *id = look_text(json_array_get(pending, n), "applicationID");
            assert_int_equal(yk_str_to_u64(yk_str_from(id + strlen("fair-")), &number), YK_OK);
            seen[number]++;
        }
        for (int app = 0; app < FAIR_APPS; app++) {
            if (seen[app] != 1)
                fail_msg("%s: fair-%d: %d times", targets[i], app, seen[app]);
        }
        assert_int_equal(look_int(json, "total"), FAIR_APPS);
        json_decref(json);
        yk_answer_done(&answer);
        world_done(&world);
    }
}

/* What is there all the time stands in one page, however many come and go meanwhile. */
static void no_page_repeats_or_skips_what_stays(void **state)
{
    (void)state;
    struct world world;
    char target[256] = P "/nodes?fields=nodeID&limit=40";
    int seen[NAMES] = {0};
    build(&world);
    slices = 0;
    for (bool more = true; more;) {
        struct yk_answer answer = ask(&world, target, WINDOW_BYTES, change_the_middle);
        count_nodes(&answer, seen);
        more = answer.next_after.len > 0;
        (void)snprintf(target, sizeof(target), P "/nodes?fields=nodeID&limit=40&after=%s",
                       yk_buf_cstr(&answer.next_after));
        yk_answer_done(&answer);
    }
    for (int i = 0; i < NAMES; i++) {
        if (seen[i] != 1)
            fail_msg("node-%d: %d times", i, seen[i]);
    }
    world_done(&world);
}

static void remove_app(const struct world *world, const char *id)
{
    if (yk_core_remove_app(world->core, "rm", id, NULL) != YK_OK)
        return; /* it has gone already */
}

static void remove_some(void *context)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "app-%d", ++slices % NAMES);
    remove_app(context, id);
    (void)snprintf(id, sizeof(id), "node-%d", slices % NAMES);
    world_node_action(context, id, YK_SI_NODE_DECOMMISSION);
    (void)snprintf(id, sizeof(id), "node-%d", slices + 1000);
    if (slices < 100)
        world_node(context, id, 1, 1);
    if (slices == 50)
        remove_app(context, "big");
    world_advance(context, 1);
}

static void no_list_is_broken_by_what_goes(void **state)
{
    (void)state;
    static const char *const targets[] = {P "/nodes",
                                          P "/queues",
                                          P "/applications/active",
                                          P "/queue/root.leaf/applications",
                                          P "/queue/root.dyn.a1.b/applications",
                                          P "/usage/users",
                                          P "/queue/root/pending",
                                          P "/nodes?limit=40",
                                          "/debug/fullstatedump"};
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        struct world world;
        build(&world);
        slices = 0;
        struct yk_answer answer = ask(&world, targets[i], WINDOW_BYTES, remove_some);
        json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
        if (answer.status != 200 || json == NULL)
            fail_msg("%s: %d %s", targets[i], answer.status, yk_buf_cstr(&answer.body));
        json_decref(json);
        yk_answer_done(&answer);
        world_done(&world);
    }
}

enum { MANY = 600 };

static int removed_at;

static void remove_big(void *context)
{
    if (++slices == removed_at)
        remove_app(context, "big");
}

/* An application goes while its asks are collected, and their table is as large as that of the applications: the next
 * window of these is collected from the start all the same. */
static void the_next_window_is_complete(void **state)
{
    (void)state;
    for (removed_at = 30; removed_at < 120; removed_at += 10) {
        struct world world;
        char id[32];
        world_init(&world, config);
        world_submit(&world, "big", "root.leaf", "ann");
        world_advance(&world, 1);
        for (int i = 0; i < ASKS; i++) {
            (void)snprintf(id, sizeof(id), "key-%d", i);
            world_ask(&world, "big", id, 200, 1);
        }
        for (int i = 0; i < MANY; i++) {
            (void)snprintf(id, sizeof(id), "app-%d", i);
            world_submit(&world, id, "root.leaf", "ann");
        }
        slices = 0;
        struct yk_answer answer = ask(&world, P "/applications/active", 10 * WINDOW_BYTES, remove_big);
        json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
        if (json_array_size(json) < MANY)
            fail_msg("gone at slice %d: %zu", removed_at, json_array_size(json));
        json_decref(json);
        yk_answer_done(&answer);
        world_done(&world);
    }
}

static void add_behind(void *context)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "node-z%08d", ++slices);
    world_node(context, id, 1, 1);
}

/* A node is added behind the others for each that is written. */
static void a_list_ends_though_more_come_all_the_time(void **state)
{
    (void)state;
    struct world world;
    build(&world);
    slices = 0;
    struct yk_answer answer = ask(&world, P "/nodes?view=summary&fields=nodeID", WINDOW_BYTES, add_behind);
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
    assert_true(json_array_size(json) >= NAMES && json_array_size(json) <= 2 * NAMES + 1000);
    json_decref(json);
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(same_pages),
        cmocka_unit_test(pages_follow_each_other),
        cmocka_unit_test(no_page_repeats_or_skips_what_stays),
        cmocka_unit_test(a_fair_leaf_is_listed_once),
        cmocka_unit_test(no_list_is_broken_by_what_goes),
        cmocka_unit_test(the_next_window_is_complete),
        cmocka_unit_test(a_list_ends_though_more_come_all_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
