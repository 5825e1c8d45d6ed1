/* SPDX-License-Identifier: Apache-2.0 */
/* To which namespace an application belongs, and what becomes of pods of others
 * (docs/reference/kubernetes.md, "Applications and namespaces"). */
#include "base/log.h"
#include "shim/world.h"

#include "lib/cmocka_headers.h"

static struct yk_pod *pod_in(struct world *world, const char *namespace_, const char *name, const char *node)
{
    struct yk_pod *object = make_pod(namespace_, name, next_version(world));
    add_container(object, "c", "cpu=1");
    add_pair(&object->object, &object->object.labels, "applicationId", "app");
    if (node != NULL)
        set_text(&object->object, &object->node_name, node);
    return object;
}

static void says(struct world *world, const char *name, const char *text)
{
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, name);
    if (op == NULL)
        fail_msg("%s: it is not told", name);
    if (strstr(yk_buf_cstr(&op->body), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, yk_buf_cstr(&op->body));
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, name, YK_OP_OK, 200, NULL));
}

#define REFUSED(owner, other)                                                                                \
    "\"reason\":\"Unschedulable\",\"message\":\"application 'app' belongs to namespace '" owner "', a pod "  \
    "of namespace '" other "' cannot join it\""

static void a_pod_of_another_namespace_waits(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod_in(world, "a", "first", NULL));
    told(world, "app app; ask uid-first");
    upsert(world, pod_in(world, "b", "other", NULL));
    upsert(world, pod_in(world, "a", "second", NULL));
    told(world, "ask uid-second");
    says(world, "other", REFUSED("a", "b"));
    pass(world, 120 * YK_NS_PER_S);
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "other")); /* said once */
    removed(world, pod_in(world, "b", "other", NULL));
    told(world, "");
}

/* The id is free when the application has ended; the first that waited takes it, and the next waits for
 * that. */
static void the_next_namespace_takes_an_id_that_is_free(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod_in(world, "a", "first", NULL));
    upsert(world, pod_in(world, "b", "b1", NULL));
    upsert(world, pod_in(world, "c", "c1", NULL));
    upsert(world, pod_in(world, "b", "b2", NULL));
    settle(world);
    says(world, "b1", REFUSED("a", "b"));
    says(world, "c1", REFUSED("a", "c"));
    says(world, "b2", REFUSED("a", "b"));
    removed(world, pod_in(world, "a", "first", NULL));
    told(world, "release uid-first 1"); /* the core may still have something of it */
    fake_core_app_state(&world->core, "app", YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "");
    told(world, "app app; ask uid-b1; ask uid-b2");
    pass(world, 20 * YK_NS_PER_S);
    says(world, "c1", REFUSED("b", "c"));
    settle(world);
}

static void a_pod_that_runs_uses_its_node_only(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod_in(world, "a", "first", NULL));
    upsert(world, pod_in(world, "b", "other", "n1"));
    settle(world);
    const struct fake_ask *ask = fake_core_ask(&world->core, "uid-other");
    assert_non_null(ask);
    assert_true(ask->foreign);
    removed(world, pod_in(world, "b", "other", "n1"));
    settle(world);
    assert_null(fake_core_ask(&world->core, "uid-other"));
}

/* Lists have no order: of pods that were there before, one that runs comes first, then the oldest. */
static void at_the_start(void **state)
{
    static const struct {
        const char *what, *node_of_b, *owner;
        int64_t created_a_s, created_b_s;
    } cases[] = {
        {"the older one", NULL, "b", 2, 1},
        {"listed first, and older", NULL, "a", 1, 2},
        {"one that runs", "n1", "b", 1, 2},
        {"of the same second: by name", NULL, "a", 1, 1},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (i > 0)
            assert_int_equal(set_up(state), 0);
        struct world *world = *state;
        listed_nodes(world, 2);
        list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
        struct yk_pod *a = pod_in(world, "a", "pa", NULL), *b = pod_in(world, "b", "pb", cases[i].node_of_b);
        a->object.creation_wall_ns = cases[i].created_a_s * YK_NS_PER_S;
        b->object.creation_wall_ns = cases[i].created_b_s * YK_NS_PER_S;
        upsert(world, a);
        upsert(world, b);
        list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
        settle(world);
        bool is_a = fake_core_ask(&world->core, "uid-pa") != NULL;
        bool is_b = fake_core_ask(&world->core, "uid-pb") != NULL;
        if (is_a == is_b || is_a != (cases[i].owner[0] == 'a'))
            fail_msg("%s: %d %d", cases[i].what, is_a, is_b);
        if (i + 1 < YK_COUNT(cases))
            assert_int_equal(tear_down(state), 0);
    }
}

static void the_whole_cluster(void **state)
{
    struct world *world = *state;
    running_with(world, "service.applicationScope", "cluster");
    upsert(world, pod_in(world, "a", "first", NULL));
    upsert(world, pod_in(world, "b", "other", NULL));
    told(world, "app app; ask uid-first; ask uid-other");
}

/* A pod without an id never waits for a stranger that has taken the id which is made for it. */
static void nobody_takes_the_id_of_pods_without_one(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *stranger = make_pod("b", "stranger", next_version(world));
    add_container(stranger, "c", "cpu=1");
    add_pair(&stranger->object, &stranger->object.labels, "applicationId", "yunikorn-a-autogen");
    upsert(world, stranger);
    told(world, "app yunikorn-b-autogen; ask uid-stranger");
    struct yk_pod *plain = make_pod("a", "plain", next_version(world));
    add_container(plain, "c", "cpu=1");
    upsert(world, plain);
    told(world, "app yunikorn-a-autogen; ask uid-plain");
}

/* At shutdown no application ends, and no id goes to another namespace. */
static void the_end_of_the_scheduler_hands_no_id_on(void **state)
{
    char text[16384] = "";
    FILE *stream = tmpfile();
    assert_int_equal(set_up(state), 0);
    struct world *world = *state;
    running(world);
    upsert(world, pod_in(world, "a", "first", NULL));
    upsert(world, pod_in(world, "b", "other", NULL));
    settle(world);
    yk_log_set_stream(stream);
    assert_int_equal(tear_down(state), 0);
    yk_info(yk_log_shim, "end of the test");
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    assert_int_not_equal(fread(text, 1, sizeof(text) - 1, stream), 0);
    (void)fclose(stream);
    assert_null(strstr(text, "its id goes"));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_pod_of_another_namespace_waits),
        CASE(the_next_namespace_takes_an_id_that_is_free),
        CASE(a_pod_that_runs_uses_its_node_only),
        CASE(at_the_start),
        CASE(the_whole_cluster),
        CASE(nobody_takes_the_id_of_pods_without_one),
        cmocka_unit_test(the_end_of_the_scheduler_hands_no_id_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
