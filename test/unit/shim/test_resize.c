/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that are resized in place (kubernetes.md P17). */
#include "lib/cmocka_headers.h"
#include "shim/world.h"

static int64_t cpu_of(struct world *world, const char *key)
{
    return yk_resvec_get(&fake_core_ask(&world->core, key)->size, yk_restype_find(YK_STR("vcore")));
}

static struct yk_pod *resized(struct world *world, const char *node, const char *spec, const char *actual)
{
    struct yk_pod *object = make_pod("ns", "p", next_version(world));
    add_container(object, "c", spec);
    add_pair(&object->object, &object->object.labels, "applicationId", "app");
    set_text(&object->object, &object->node_name, node);
    if (actual != NULL)
        add_status(object, "c", actual, actual);
    return object;
}

/* P17: in place while it runs: the larger of what is asked and in use counts until the kubelet has done
 * it. */
static void resized_while_running(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, resized(world, "n1", "cpu=2", "cpu=2"));
    told(world, "app app; alloc uid-p@n1");
    upsert(world, resized(world, "n1", "cpu=3", "cpu=2"));
    told(world, "again alloc uid-p@n1");
    assert_int_equal(cpu_of(world, "uid-p"), 3000);
    upsert(world, resized(world, "n1", "cpu=3", "cpu=3"));
    told(world, ""); /* it counted that much already */
    upsert(world, resized(world, "n1", "cpu=1", "cpu=3"));
    told(world, "");
    upsert(world, resized(world, "n1", "cpu=1", "cpu=1"));
    told(world, "again alloc uid-p@n1");
    assert_int_equal(cpu_of(world, "uid-p"), 1000);
    struct yk_pod *refused = resized(world, "n1", "cpu=9", "cpu=1");
    add_condition(refused, "PodResizePending", "Infeasible");
    upsert(world, refused);
    told(world, ""); /* it never will */
    struct yk_pod *deferred = resized(world, "n1", "cpu=4", "cpu=1");
    add_condition(deferred, "PodResizePending", "Deferred");
    upsert(world, deferred);
    told(world, "again alloc uid-p@n1"); /* its room is held already */
    assert_int_equal(cpu_of(world, "uid-p"), 4000);
}

/* Refused with its new size, it is not left behind with the old one. */
static void a_resize_that_is_refused_ends_the_allocation(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, resized(world, "n1", "cpu=2", "cpu=2"));
    told(world, "app app; alloc uid-p@n1");
    world->core.refuse_ask = "too much";
    upsert(world, resized(world, "n1", "cpu=3", "cpu=3"));
    told(world, "again alloc uid-p@n1; release uid-p 1; foreign uid-p@n1");
    assert_null(fake_core_ask(&world->core, "uid-p"));
    world->core.refuse_ask = NULL;
    upsert(world, resized(world, "n1", "cpu=4", "cpu=4"));
    const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
    assert_true(ask != NULL && ask->foreign); /* it uses its node all the same */
}

/* P17: while it waits, and while its bind is under way. */
static void resized_while_waiting(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, resized(world, NULL, "cpu=9", NULL));
    told(world, "app app; ask uid-p");
    upsert(world, resized(world, NULL, "cpu=2", NULL));
    told(world, "again ask uid-p");
    assert_int_equal(cpu_of(world, "uid-p"), 2000);
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    upsert(world, resized(world, NULL, "cpu=1", NULL));
    told(world, "again alloc uid-p@n1");
    assert_int_equal(cpu_of(world, "uid-p"), 1000);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    told(world, "");
}

/* Beyond its node before it is bound: the decision is taken back, at the latest when the request that is on
 * its way has failed. */
static void resized_beyond_its_node(void **state)
{
    static const struct {
        const char *what;
        bool fails_first; /* the request fails before the pod is resized, and would be sent again */
    } cases[] = {{"it waits to be sent again", true}, {"it is on its way", false}};
    struct world *world = *state;
    running(world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        decided(world, "p");
        if (cases[i].fails_first)
            assert_true(answer(world, YK_OP_RETRY, 500, "broken"));
        upsert(world, resized(world, NULL, "cpu=9", NULL));
        settle(world);
        if (!cases[i].fails_first)
            assert_true(answer(world, YK_OP_RETRY, 500, "broken"));
        settle(world);
        pass(world, 60 * YK_NS_PER_S);
        const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
        if (ask == NULL || ask->node[0] != '\0' || cpu_of(world, "uid-p") != 9000)
            fail_msg("%s: it does not wait with its new size", cases[i].what);
        if (fake_api_find(&world->api, YK_OP_BIND, NULL) != NULL)
            fail_msg("%s: it is bound all the same", cases[i].what);
        removed(world, pod(world, "p"));
        settle(world);
    }
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(resized_while_running),
        CASE(a_resize_that_is_refused_ends_the_allocation),
        CASE(resized_while_waiting),
        CASE(resized_beyond_its_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
