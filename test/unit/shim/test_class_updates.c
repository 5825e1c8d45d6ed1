/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of waiting pods that no term looked at, until another pod's anti-affinity does (predicates.md 7.1,
 * 7.4). */
#include "shim/world.h"

#include "lib/cmocka_headers.h"

static struct yk_pod *labelled(struct world *world, const char *name, const char *role)
{
    struct yk_pod *object = pod(world, name);
    if (role != NULL)
        add_pair(&object->object, &object->object.labels, "role", role);
    return object;
}

/* A foreign pod on a node that wants no pod of that role beside it. */
static struct yk_pod *loner(struct world *world, const char *name, const char *node, const char *role)
{
    struct yk_pod *object = pod_on(world, name, node);
    set_text(&object->object, &object->scheduler_name, "default-scheduler");
    struct yk_pod_affinity_term *term = add_anti_affinity_term(object, "kubernetes.io/hostname");
    term->has_selector = true;
    add_pair(&object->object, &term->selector.labels, "role", role);
    return object;
}

static void *cookie_of(const struct yk_core *core, const char *node)
{
    for (size_t i = 0; i < core->node_count; i++) {
        if (strcmp(core->nodes[i].name, node) == 0)
            return core->nodes[i].cookie;
    }
    fail_msg("no node %s", node);
    return NULL;
}

/* As the core asks it. */
static bool fits(struct world *world, const char *key, const char *node)
{
    struct yk_core *core = &world->core;
    const struct fake_ask *ask = fake_core_ask(core, key);
    assert_non_null(ask);
    return core->callbacks->class_fits_now(core->rm, ask->class_, cookie_of(core, node), YK_SI_TO_ALLOCATE);
}

static yk_si_class class_of(struct world *world, const char *key)
{
    return fake_core_ask(&world->core, key)->class_;
}

static void waiting_pods_are_told_anew(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, labelled(world, "b", "x"));
    upsert(world, labelled(world, "a", "y"));
    upsert(world, labelled(world, "c", NULL));
    settle(world);
    assert_int_equal(class_of(world, "uid-a"), class_of(world, "uid-b"));
    upsert(world, loner(world, "l", "n1", "x"));
    told(world, "foreign uid-l@n1; release uid-b 1; ask uid-b; release uid-a 1; ask uid-a; release "
                "uid-c 1; ask uid-c");
    assert_false(fits(world, "uid-b", "n1"));
    assert_true(fits(world, "uid-b", "n2"));
    assert_true(fits(world, "uid-a", "n1") && fits(world, "uid-c", "n1"));
    upsert(world, loner(world, "m", "n2", "x")); /* nothing new is looked at */
    told(world, "foreign uid-m@n2");
    assert_false(fits(world, "uid-b", "n2"));
}

/* A pod that was decided about keeps its class until it waits again. */
static void decided_pods_are_renewed_when_they_wait_again(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, labelled(world, "a", "x"));
    settle(world);
    yk_si_class before = class_of(world, "uid-a");
    assert_true(fake_core_decide(&world->core, "uid-a", "n1"));
    settle(world);
    upsert(world, loner(world, "l", "n2", "x"));
    settle(world);
    assert_int_equal(class_of(world, "uid-a"), before);
    assert_true(answer(world, YK_OP_INVALID, 422, "no"));
    told(world, "release uid-a 5; release uid-a 1; ask uid-a");
    assert_false(fits(world, "uid-a", "n2"));
    assert_true(fits(world, "uid-a", "n1"));
}

/* Labels may change while a pod is decided about. */
static void labels_are_those_of_today(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, loner(world, "l", "n2", "x"));
    upsert(world, labelled(world, "a", "y"));
    settle(world);
    assert_true(fits(world, "uid-a", "n2"));
    assert_true(fake_core_decide(&world->core, "uid-a", "n1"));
    settle(world);
    upsert(world, labelled(world, "a", "x"));
    settle(world);
    assert_true(answer(world, YK_OP_INVALID, 422, "no"));
    settle(world);
    assert_false(fits(world, "uid-a", "n2"));
}

static struct yk_pod *tolerant(struct world *world, const char *name, bool tolerates)
{
    struct yk_pod *object = labelled(world, name, "x");
    if (tolerates)
        add_toleration(object, "t", "Exists", "", "");
    return object;
}

/* So may tolerations: they can be added (predicates.md 1.5). */
static void tolerations_are_those_of_today(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_k8s_node *tainted = node(world, "n2");
    add_taint(tainted, "t", "", "NoSchedule");
    upsert(world, tainted);
    upsert(world, tolerant(world, "a", false));
    settle(world);
    struct yk_core *core = &world->core;
    void *n2 = cookie_of(core, "n2");
    assert_false(core->callbacks->class_fits(core->rm, class_of(world, "uid-a"), n2));
    assert_true(fake_core_decide(core, "uid-a", "n1"));
    settle(world);
    upsert(world, tolerant(world, "a", true));
    upsert(world, tolerant(world, "a", true));
    settle(world);
    assert_true(answer(world, YK_OP_INVALID, 422, "no"));
    settle(world);
    assert_true(core->callbacks->class_fits(core->rm, class_of(world, "uid-a"), n2));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(waiting_pods_are_told_anew),
        CASE(decided_pods_are_renewed_when_they_wait_again),
        CASE(labels_are_those_of_today),
        CASE(tolerations_are_those_of_today),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
