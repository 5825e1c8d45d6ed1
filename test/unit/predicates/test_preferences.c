/* SPDX-License-Identifier: Apache-2.0 */
/* What pods would rather have (predicates.md 5): preferred node affinity and PreferNoSchedule. */
#include "lib/kube_objects.h"
#include "predicates/world.h"

#include "lib/cmocka_headers.h"

/* Node "ssd" has disk=ssd in zone a, "hdd" disk=hdd in zone a, "taint" disk=ssd and two soft taints. */
static void put_nodes(struct world *world)
{
    struct yk_k8s_node *ssd = make_node("ssd", "1", "cpu=4"), *hdd = make_node("hdd", "1", "cpu=4"),
                       *taint = make_node("taint", "1", "cpu=4");
    add_pair(&ssd->object, &ssd->object.labels, "disk", "ssd");
    add_pair(&hdd->object, &hdd->object.labels, "disk", "hdd");
    add_pair(&taint->object, &taint->object.labels, "disk", "ssd");
    add_pair(&ssd->object, &ssd->object.labels, "zone", "a");
    add_pair(&hdd->object, &hdd->object.labels, "zone", "a");
    add_taint(taint, "soft", "", "PreferNoSchedule");
    add_taint(taint, "softer", "", "PreferNoSchedule");
    world_put_node(world, ssd);
    world_put_node(world, hdd);
    world_put_node(world, taint);
}

/* The pod would rather have these; weights 0 and terms without lines say nothing. */
static void prefer(struct yk_pod *pod, int32_t weight, const char *key, const char *operator_,
                   const char *values)
{
    pod->required_terms = NULL; /* made by the helper for required ones, then moved */
    pod->required_term_count = 0;
    if (key != NULL)
        add_expression(pod, 0, key, operator_, values);
    struct yk_preferred_term *terms =
        yk_arena_alloc0(&pod->object.arena, (pod->preferred_term_count + 1) * sizeof(*terms));
    if (pod->preferred_term_count > 0)
        memcpy(terms, pod->preferred_terms, pod->preferred_term_count * sizeof(*terms));
    terms[pod->preferred_term_count].weight = weight;
    if (key != NULL)
        terms[pod->preferred_term_count].term = pod->required_terms[0];
    pod->preferred_terms = terms;
    pod->preferred_term_count++;
    pod->required_terms = NULL;
    pod->required_term_count = 0;
    pod->has_required_affinity = false;
}

static int32_t liked(struct world *world, yk_si_class class_, const char *node)
{
    return yk_class_score(&world->classes, class_, world_node(world, node));
}

static void preferred_terms_add_up(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    struct yk_pod *pod = make_pod("default", "p", "1");
    prefer(pod, 30, "disk", "In", "ssd,nvme");
    prefer(pod, 10, "zone", "Exists", NULL);
    prefer(pod, 60, "disk", "In", "not a label value!"); /* never holds, yet it counts as wanted */
    prefer(pod, 0, "zone", "Exists", NULL);
    add_toleration(pod, "soft", "Exists", NULL, NULL);
    yk_si_class class_ = world_class(world, pod);
    assert_true(yk_class_has_preferences(&world->classes, class_));
    assert_int_equal(liked(world, class_, "ssd"), YK_SCORE_AFFINITY * 40 / 100);
    assert_int_equal(liked(world, class_, "hdd"), YK_SCORE_AFFINITY * 10 / 100);
    assert_int_equal(liked(world, class_, "taint"), YK_SCORE_AFFINITY * 30 / 100 - YK_SCORE_TAINT);
    assert_true(yk_class_fits(&world->classes, class_, world_node(world, "taint"))); /* it is only a wish */
    yk_class_put(&world->classes, class_);
}

/* Wishes about one node are not heard; an empty term says nothing. */
static void what_says_nothing(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    struct yk_pod *pod = make_pod("default", "p", "1");
    prefer(pod, 5, "kubernetes.io/hostname", "In", "ssd");
    prefer(pod, 5, NULL, NULL, NULL);
    yk_si_class class_ = world_class(world, pod);
    assert_int_equal(liked(world, class_, "ssd"), 0);
    assert_int_equal(liked(world, class_, "hdd"), 0);
    yk_class_put(&world->classes, class_);
}

/* Soft taints concern every class, from the first such node on until the last one has gone. */
static void soft_taints_concern_all(void **state)
{
    struct world *world = *state;
    world_put_node(world, make_node("plain", "1", "cpu=4"));
    yk_si_class class_ = world_class(world, make_pod("default", "p", "1"));
    assert_false(yk_class_has_preferences(&world->classes, class_));
    struct yk_k8s_node *tainted = make_node("plain", "2", "cpu=4");
    add_taint(tainted, "soft", "", "PreferNoSchedule");
    world_put_node(world, tainted);
    assert_true(yk_class_has_preferences(&world->classes, class_));
    assert_int_equal(liked(world, class_, "plain"), -YK_SCORE_TAINT);
    world_put_node(world, make_node("plain", "3", "cpu=4"));
    assert_false(yk_class_has_preferences(&world->classes, class_));
    yk_class_put(&world->classes, class_);
}

/* Pods that wish for different things are of different classes. */
static void preferences_make_classes(void **state)
{
    struct world *world = *state;
    struct yk_pod *a = make_pod("default", "a", "1"), *b = make_pod("default", "b", "1"),
                  *c = make_pod("default", "c", "1");
    prefer(a, 1, "disk", "Exists", NULL);
    prefer(b, 2, "disk", "Exists", NULL);
    prefer(c, 1, "disk", "Exists", NULL);
    yk_si_class class_a = world_class(world, a), class_b = world_class(world, b),
                class_c = world_class(world, c);
    assert_int_not_equal(class_a, class_b);
    assert_int_equal(class_a, class_c);
    yk_class_put(&world->classes, class_a);
    yk_class_put(&world->classes, class_b);
    yk_class_put(&world->classes, class_c);
}

/* Each repetition of a term adds its weight, in whatever order. */
static void repetitions_count(void **state)
{
    struct world *world = *state;
    put_nodes(world);
    struct yk_pod *once = make_pod("default", "a", "1"), *twice = make_pod("default", "b", "1"),
                  *mixed = make_pod("default", "c", "1");
    prefer(once, 10, "disk", "In", "ssd");
    prefer(once, 15, "disk", "In", "hdd");
    prefer(twice, 10, "disk", "In", "ssd");
    prefer(twice, 10, "disk", "In", "ssd");
    prefer(twice, 15, "disk", "In", "hdd");
    prefer(mixed, 10, "disk", "In", "ssd");
    prefer(mixed, 15, "disk", "In", "hdd");
    prefer(mixed, 10, "disk", "In", "ssd");
    yk_si_class class_once = world_class(world, once), class_twice = world_class(world, twice),
                class_mixed = world_class(world, mixed);
    assert_true(liked(world, class_once, "hdd") > liked(world, class_once, "ssd"));
    assert_true(liked(world, class_twice, "ssd") > liked(world, class_twice, "hdd"));
    assert_int_equal(class_twice, class_mixed);
    yk_class_put(&world->classes, class_once);
    yk_class_put(&world->classes, class_twice);
    yk_class_put(&world->classes, class_mixed);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, world_set_up, world_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(preferred_terms_add_up), CASE(what_says_nothing),
                                       CASE(soft_taints_concern_all), CASE(preferences_make_classes),
                                       CASE(repetitions_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
