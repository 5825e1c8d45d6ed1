/* SPDX-License-Identifier: Apache-2.0 */
/* L16: what users and groups use, as REST shows it (docs/reference/rest.md, endpoints 18 to 21). */
#include "web/browser.h"

#define P "/ws/v1/partition/default/usage"

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: root, "
    "submitacl: '*', queues: [\n"
    "  {name: Lab, parent: true, queues: [\n"
    "    {name: east, limits: [{users: [ann], groups: [dev], maxresources: {vcore: 4, memory: 1Gi}, "
    "maxapplications: 3}]},\n"
    "    {name: west}]},\n"
    "  {name: free, limits: [{users: ['*'], maxapplications: 9}]}]}]}]";

static void open_world(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 10000, 10000);
    world_submit_in_group(world, "a1", "root.lab.east", "ann", "dev");
    world_submit_in_group(world, "a2", "root.lab.west", "ann", "dev");
    world_submit_in_group(world, "b1", "root.free", "bob", "ops");
    world_submit_in_group(world, "c/1", "root.free", "team/c", "ops");
    world_ask(world, "a1", "k1", 1000, 10);
    world_ask(world, "a2", "k2", 500, 20);
    world_ask(world, "b1", "k3", 250, 30);
    assert_int_equal(world_schedule(world), 3);
}

static size_t keys(const json_t *json)
{
    return json_object_size(json);
}

static void one_user(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    json_t *json = browse_json(&world, P "/user/ann");
    assert_string_equal(look_text(json, "userName"), "ann");
    assert_int_equal(keys(json), 3);
    assert_int_equal(keys(look(json, "groups")), 1); /* a2 has none: no group is named on its path */
    assert_string_equal(look_text(json, "groups.a1"), "dev");
    assert_string_equal(look_text(json, "queues.queuePath"), "root");
    assert_int_equal(keys(look(json, "queues")), 4); /* without limits */
    assert_int_equal(look_int(json, "queues.resourceUsage.vcore"), 1500);
    assert_int_equal(look_int(json, "queues.resourceUsage.memory"), 30 << 20);
    assert_string_equal(look_text(json, "queues.runningApplications.0"), "a1");
    assert_string_equal(look_text(json, "queues.runningApplications.1"), "a2");
    assert_string_equal(look_text(json, "queues.children.0.queuePath"), "root.lab");
    const json_t *east = look(json, "queues.children.0.children.0"),
                 *west = look(json, "queues.children.0.children.1");
    assert_int_equal(json_array_size(look(json, "queues.children.0.children")), 2);
    assert_string_equal(look_text(east, "queuePath"), "root.lab.east");
    assert_int_equal(look_int(east, "maxResources.vcore"), 4000);
    assert_int_equal(look_int(east, "maxResources.memory"), 1 << 30);
    assert_int_equal(look_int(east, "maxApplications"), 3);
    assert_int_equal(look_int(east, "resourceUsage.vcore"), 1000);
    assert_int_equal(json_array_size(look(east, "runningApplications")), 1);
    assert_null(look(east, "children"));
    assert_string_equal(look_text(west, "queuePath"), "root.lab.west");
    assert_null(look(west, "maxApplications"));
    json_decref(json);
    world_done(&world);
}

static void one_group(void **state)
{
    (void)state;
    struct world world;
    open_world(&world);
    world_submit_in_group(&world, "a0", "root.lab.east", "ann", "dev");
    world_ask(&world, "a0", "k0", 1000000, 10); /* waits: what uses nothing is not listed */
    json_t *json = browse_json(&world, P "/group/dev");
    assert_string_equal(look_text(json, "groupName"), "dev");
    assert_int_equal(json_array_size(look(json, "applications")), 1);
    assert_string_equal(look_text(json, "applications.0"), "a1");
    assert_int_equal(look_int(json, "queues.resourceUsage.vcore"), 1000);
    assert_int_equal(look_int(json, "queues.children.0.children.0.maxApplications"), 3);
    json_decref(json);
    world_release(&world, "a1", "k1", YK_SI_STOPPED_BY_RM);
    json = browse_json(&world, P "/group/dev"); /* named in the configuration: it stays, empty (L15) */
    assert_int_equal(keys(json), 2);
    assert_int_equal(keys(look(json, "queues")), 2);
    assert_string_equal(look_text(json, "queues.children.0.children.0.queuePath"), "root.lab.east");
    json_decref(json);
    world_done(&world);
}

static void lists(void **state)
{
    (void)state;
    static const struct {
        const char *what, *target, *key, *names;
    } cases[] = {
        {"users by name", P "/users", "userName", "ann bob team/c "},
        {"groups by name", P "/groups", "groupName", "dev "},
        {"a window", P "/users?limit=1&offset=1", "userName", "bob "},
        {"the partition is not checked", "/ws/v1/partition/other/usage/groups", "groupName", "dev "},
    };
    struct world world;
    open_world(&world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf names = {0};
        json_t *json = browse_json(&world, cases[i].target);
        for (size_t n = 0; n < json_array_size(json); n++)
            yk_buf_printf(&names, "%s ", look_text(json_array_get(json, n), cases[i].key));
        if (strcmp(yk_buf_cstr(&names), cases[i].names) != 0)
            fail_msg("%s: %s", cases[i].what, yk_buf_cstr(&names));
        json_decref(json);
    }
    world_done(&world);
}

static void names_in_paths(void **state)
{
    (void)state;
    static const struct browse_case cases[] = {
        {"no user of that name", P "/user/zoe", 404, "User not found"},
        {"no such group", P "/group/ops", 404, "Group not found"},
        {"not a user name", P "/user/1a", 400, "Invalid user name"},
        {"not a group name", P "/group/a@b", 400, "Invalid group name"},
        {"the wildcard is no name", P "/group/*", 400, "Invalid group name"},
        {"the second escape is broken", P "/user/a%25zz", 400, "invalid URL escape \"%zz\""},
        {"the name is looked at before the tracker", "/ws/v1/partition/x/usage/user/1a", 400,
         "Invalid user name"},
    };
    struct world world;
    open_world(&world);
    browse_errors(&world, cases, YK_COUNT(cases));
    json_t *json = browse_json(&world, P "/user/team%252Fc");
    assert_string_equal(look_text(json, "userName"), "team/c");
    json_decref(json);
    world_done(&world);
}

/* ---- slices ---- */

struct change {
    struct world *world;
    int slices;
    bool act;
};

static void between(void *context)
{
    struct change *change = context;
    char id[32];
    change->slices++;
    if (!change->act)
        return;
    (void)snprintf(id, sizeof(id), "app-%d", change->slices * 7 % 600);
    assert_int_equal(yk_core_remove_app(change->world->core, "rm", id, NULL), YK_OK);
    (void)snprintf(id, sizeof(id), "new-%d", change->slices);
    world_submit_in_group(change->world, id, "root.lab.east", "ann", "dev");
}

static json_t *in_slices(struct change *change, const char *target)
{
    return browse_slices(change->world, target, between, change);
}

/* Many applications in many queues, so that both parts are sorted elsewhere and written in slices. */
static void slices(void **state)
{
    (void)state;
    static const char *const targets[] = {P "/user/ann", P "/group/dev", P "/users", P "/groups"};
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 1000000, 1000000);
    for (int i = 0; i < 600; i++) {
        char id[32], queue[64];
        (void)snprintf(id, sizeof(id), "app-%d", i);
        (void)snprintf(queue, sizeof(queue), i % 3 == 0 ? "root.lab.east" : "root.lab.d%d.e%d", i % 40, i);
        world_submit_in_group(&world, id, queue, "ann", "dev");
        world_ask(&world, id, id, 1, 1);
    }
    (void)world_schedule(&world); /* how many start depends on the limit */
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        struct change change = {.world = &world};
        json_t *whole = browse_json(&world, targets[i]), *sliced = in_slices(&change, targets[i]);
        if (!json_equal(whole, sliced))
            fail_msg("%s differs", targets[i]);
        assert_true(change.slices > 1);
        json_decref(whole);
        json_decref(sliced);
    }
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        struct change change = {.world = &world, .act = true};
        json_t *json = in_slices(&change, targets[i]); /* well-formed, whatever happens in between */
        assert_true(change.slices > 1);
        json_decref(json);
    }
    world_check(&world);
    world_done(&world);
}

enum { MANY = 1500 };

/* The list of a queue is as long as a walk over all applications: it has slices, too. */
static void running_applications_in_slices(void **state)
{
    (void)state;
    struct world world;
    struct change change = {.world = &world};
    world_init(&world, config);
    for (int i = 0; i < MANY; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%d", i);
        if (i % 100 == 0)
            world_node(&world, id, 1000, 1000);
        (void)snprintf(id, sizeof(id), "app-%d", MANY - i);
        if (i % 10 == 0)
            world_advance(&world, 1);
        world_submit(&world, id, "root.lab.many", "ann");
        world_ask(&world, id, id, 1, 1);
    }
    assert_int_equal(world_schedule(&world), MANY);
    json_t *json = in_slices(&change, P "/user/ann"), *whole = browse_json(&world, P "/user/ann");
    assert_true(json_equal(json, whole));
    assert_true(change.slices > 3 * MANY / 20); /* root, root.lab, root.lab.many */
    static const char *const queues[] = {"queues", "queues.children.0", "queues.children.0.children.1"};
    for (size_t i = 0; i < YK_COUNT(queues); i++) {
        const json_t *running = json_object_get(look(json, queues[i]), "runningApplications");
        assert_int_equal(json_array_size(running), MANY);
        assert_string_equal(json_string_value(json_array_get(running, 0)),
                            "app-1491"); /* of ten, the first by name */
    }
    json_decref(json);
    json_decref(whole);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_user), cmocka_unit_test(one_group),
        cmocka_unit_test(lists),    cmocka_unit_test(names_in_paths),
        cmocka_unit_test(slices),   cmocka_unit_test(running_applications_in_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
