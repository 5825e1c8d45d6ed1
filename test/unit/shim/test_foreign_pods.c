/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of other schedulers, and pods of ours that something else bound (kubernetes.md P20 to P22). */
#include "bind/pod_status.h"
#include "lib/cmocka_headers.h"
#include "shim/world.h"

static void up_to_the_pods(struct world *world)
{
    listed_nodes(world, 1);
    settle(world);
}

static struct yk_pod *foreign_with(struct world *world, const char *resources)
{
    struct yk_pod *object = pod_on(world, "f", "n1");
    set_text(&object->object, &object->scheduler_name, "other");
    add_container(object, "more", resources);
    return object;
}

static void foreign_pods_learn_new_resources(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, foreign_with(world, "review.x/card=2"));
    told(world, "foreign uid-f@n1");
    upsert(world, make_node("n3", next_version(world), "cpu=4 pods=10 review.x/card=4"));
    told(world, "node n3 6 capacity; node n3 5; again foreign uid-f@n1");
    int type = yk_restype_find(YK_STR("review.x/card"));
    assert_int_equal(yk_resvec_get(&fake_core_ask(&world->core, "uid-f")->size, type), 2);
}

static void a_node_comes_while_pods_are_listed(void **state)
{
    struct world *world = *state;
    up_to_the_pods(world);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    struct yk_pod *wants = pod(world, "p");
    add_container(wants, "more", "review.y/card=1");
    upsert(world, wants);
    upsert(world, make_node("n3", next_version(world), "cpu=4 pods=10 review.y/card=4"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    work(world);
    int type = yk_restype_find(YK_STR("review.y/card"));
    const struct fake_ask *ask = fake_core_ask(&world->core, "uid-p");
    assert_non_null(ask);
    assert_false(yk_restype_is_asked(type));
    assert_int_equal(yk_resvec_get(&ask->size, type), 1);
}

/* P20: a pod of ours that another client binds while it waits becomes an allocation there. */
static void bound_by_somebody_else(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    told(world, "app app; ask uid-p");
    upsert(world, pod_on(world, "p", "n2"));
    told(world, "again alloc uid-p@n2");
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
    /* To a node that is not known yet: it is adopted when the node comes. */
    upsert(world, pod(world, "q"));
    told(world, "ask uid-q");
    upsert(world, pod_on(world, "q", "n9"));
    told(world, "release uid-q 1");
    upsert(world, node(world, "n9"));
    told(world, "node n9 6 capacity; node n9 5; alloc uid-q@n9");
    /* Gated and bound all the same: it uses its node. */
    struct yk_pod *gated = pod(world, "g");
    add_gate(gated, "first");
    upsert(world, gated);
    told(world, "");
    gated = pod_on(world, "g", "n1");
    upsert(world, gated);
    told(world, "alloc uid-g@n1");
}

/* P20: a foreign pod counts from its node to its end; a static one is marked, unbound ones are ignored. */
static void foreign_and_static_pods(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *foreign = pod(world, "f");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    upsert(world, foreign);
    told(world, "");
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    add_pair(&foreign->object, &foreign->object.labels, "colour", "red");
    add_pair(&foreign->object, &foreign->object.labels, "app", "x");
    upsert(world, foreign);
    told(world, "foreign uid-f@n1");
    const char *tags = fake_core_ask(&world->core, "uid-f")->tags;
    if (strstr(tags, "kubernetes.io/label/colour=red foreign=default") == NULL)
        fail_msg("tags of a foreign pod: %s", tags);
    assert_string_equal(
        world->core.nodes[0].attributes,
        "si.io/hostname=n1 si.io/rackname=/rack-default si/node-partition=[mycluster]default");
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    foreign->object.deleting = true;
    upsert(world, foreign);
    told(world, ""); /* it still runs */
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    set_text(&foreign->object, &foreign->phase, "Failed");
    upsert(world, foreign);
    told(world, "release uid-f 1");
    struct yk_pod *mirror = pod_on(world, "m", "n2");
    set_text(&mirror->object, &mirror->scheduler_name, "default-scheduler");
    add_owner(&mirror->object, "Node");
    upsert(world, mirror);
    told(world, "foreign uid-m@n2");
    assert_true(fake_core_ask(&world->core, "uid-m")->foreign);
    removed(world, pod_on(world, "m", "n2"));
    told(world, "release uid-m 1");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(foreign_pods_learn_new_resources),
        CASE(a_node_comes_while_pods_are_listed),
        CASE(bound_by_somebody_else),
        CASE(foreign_and_static_pods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
