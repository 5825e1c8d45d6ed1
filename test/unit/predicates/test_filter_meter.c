/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of the filters: which of them run, what they answer, and that samples stand for all questions. */
#include "predicates/filter_meter.h"

#include "lib/kube_objects.h"
#include "predicates/world.h"

#include "lib/cmocka_headers.h"

static void assert_lines(const struct world *world, const char *const *lines, size_t count)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_filter_meter_put(&world->classes.meter, &out);
    for (size_t i = 0; i < count; i++) {
        if (strstr(yk_buf_cstr(&out), lines[i]) == NULL)
            fail_msg("no line '%s' in\n%s", lines[i], yk_buf_cstr(&out));
    }
}

static void nothing_is_shown_before_a_filter_has_run(void **state)
{
    struct world *world = *state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_filter_meter_put(&world->classes.meter, &out);
    assert_string_equal(yk_buf_cstr(&out), "");
}

/* The second node refuses at the taint, so the filters after it do not run there. */
static void each_filter_counts_where_it_ran(void **state)
{
    struct world *world = *state;
    world_put_node(world, make_node("n1", "1", "cpu=4"));
    struct yk_k8s_node *tainted = make_node("n2", "1", "cpu=4");
    add_taint(tainted, "k", "v", "NoSchedule");
    world_put_node(world, tainted);
    yk_si_class class_ = world_class(world, make_pod("ns", "p", "1"));
    for (int i = 0; i < 3; i++) { /* stored answers do not count */
        assert_true(yk_class_fits(&world->classes, class_, world_node(world, "n1")));
        assert_false(yk_class_fits(&world->classes, class_, world_node(world, "n2")));
    }
    static const char *const lines[] = {
        "yunikorn_predicate_evaluations_total{predicate=\"NodeUnschedulable\",result=\"passed\"} 2\n",
        "yunikorn_predicate_evaluations_total{predicate=\"NodeUnschedulable\",result=\"refused\"} 0\n",
        "yunikorn_predicate_evaluations_total{predicate=\"TaintToleration\",result=\"passed\"} 1\n",
        "yunikorn_predicate_evaluations_total{predicate=\"TaintToleration\",result=\"refused\"} 1\n",
        "yunikorn_predicate_evaluations_total{predicate=\"NodeAffinity\",result=\"passed\"} 1\n",
        "yunikorn_predicate_duration_seconds_bucket{le=\"1e-07\",predicate=\"NodeAffinity\"} ",
        "yunikorn_predicate_duration_seconds_count{predicate=\"TaintToleration\"} 2\n",
    };
    assert_lines(world, lines, YK_COUNT(lines));
    yk_class_put(&world->classes, class_);
}

/* Questions about ports and other pods are not stored. The last sample has counted those before it. */
static void samples_stand_for_all_questions(void **state)
{
    struct world *world = *state;
    enum { PERIODS = 5, QUESTIONS = YK_METERED_ALWAYS + PERIODS * YK_METER_PERIOD };
    world_put_node(world, make_node("free", "1", "cpu=4"));
    world_put_node(world, make_node("full", "1", "cpu=4"));
    struct yk_pod *other = make_pod("ns", "other", "1");
    add_port(other, add_container(other, "c", NULL), 80, NULL, NULL);
    set_text(&other->object, &other->node_name, "full");
    world_put_pod(world, other);
    struct yk_pod *pod = make_pod("ns", "p", "1");
    add_port(pod, add_container(pod, "c", NULL), 80, NULL, NULL);
    struct yk_spread_constraint *spread = add_spread(pod, "kubernetes.io/hostname", 1);
    spread->has_selector = true;
    yk_si_class class_ = world_class(world, pod);
    for (int i = 0; i < QUESTIONS; i++) {
        bool is_free = i % 2 == 0;
        const struct yk_cache_node *node = world_node(world, is_free ? "free" : "full");
        assert_true(yk_class_fits_now(&world->classes, class_, node, YK_CLASS_ALLOCATE) == is_free);
    }
    uint64_t ports = yk_durations_count(&world->classes.meter.times[YK_VERDICT_PORTS]);
    uint64_t refused = world->classes.meter.refused[YK_VERDICT_PORTS];
    uint64_t spreads = yk_durations_count(&world->classes.meter.times[YK_VERDICT_SPREAD]);
    assert_int_equal(ports, QUESTIONS);
    assert_int_equal(spreads, ports - refused); /* it runs where the ports are free */
    assert_true(refused > QUESTIONS / 3 && refused < QUESTIONS * 2 / 3);
    assert_int_equal(yk_durations_count(&world->classes.meter.times[YK_VERDICT_POD_AFFINITY]), 0);
    yk_class_put(&world->classes, class_);
    struct yk_pod *gone = make_pod("ns", "other", "2");
    world_delete_pod(world, gone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_shown_before_a_filter_has_run, world_set_up,
                                        world_tear_down),
        cmocka_unit_test_setup_teardown(each_filter_counts_where_it_ran, world_set_up, world_tear_down),
        cmocka_unit_test_setup_teardown(samples_stand_for_all_questions, world_set_up, world_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
