/* SPDX-License-Identifier: Apache-2.0 */
#include "config/property_set.h"

#include "lib/quiet.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct yk_queue_settings settings_from(const struct yk_pairs *pairs)
{
    struct yk_queue_settings settings;
    struct yk_property_set *set = yk_property_set_new(NULL, pairs);
    yk_queue_settings_from(set, "root.a", &settings);
    yk_property_set_put(set);
    return settings;
}

static struct yk_queue_settings settings_of(const char *key, const char *value)
{
    struct yk_pair pair = {yk_str_from(key), yk_str_from(value)};
    struct yk_pairs pairs = {&pair, 1};
    return settings_from(&pairs);
}

static const struct yk_queue_settings defaults = {.priority_sort = true,
                                                  .preemption_delay_ns = 30 * YK_NS_PER_S,
                                                  .backoff_delay_ns = 30 * YK_NS_PER_S,
                                                  .hold_delay_ns = 2 * YK_NS_PER_S};

static bool same(const struct yk_queue_settings *a, const struct yk_queue_settings *b)
{
    return a->app_sort == b->app_sort && a->priority_sort == b->priority_sort &&
           a->priority_policy == b->priority_policy && a->priority_offset == b->priority_offset &&
           a->preemption_policy == b->preemption_policy && a->preemption_delay_ns == b->preemption_delay_ns &&
           a->quota_preemption_delay_ns == b->quota_preemption_delay_ns &&
           a->preemption_min_runtime_ns == b->preemption_min_runtime_ns &&
           a->preemption_budget == b->preemption_budget &&
           a->unschedulable_asks_backoff == b->unschedulable_asks_backoff &&
           a->backoff_delay_ns == b->backoff_delay_ns && a->hold == b->hold &&
           a->hold_delay_ns == b->hold_delay_ns;
}

#define WITH(...)                                                                                            \
    {                                                                                                        \
        .priority_sort = true, .preemption_delay_ns = 30 * YK_NS_PER_S,                                      \
        .backoff_delay_ns = 30 * YK_NS_PER_S, .hold_delay_ns = 2 * YK_NS_PER_S, __VA_ARGS__                  \
    }

static void good_values(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
        struct yk_queue_settings want;
    } cases[] = {
        {"application.sort.policy", "fifo", WITH(.app_sort = YK_APP_SORT_FIFO)},
        {"application.sort.policy", "", WITH(.app_sort = YK_APP_SORT_FIFO)},
        {"application.sort.policy", "fair", WITH(.app_sort = YK_APP_SORT_FAIR)},
        {"application.sort.policy", "stateaware", WITH(.app_sort = YK_APP_SORT_STATEAWARE)},
        {"priority.policy", "Fence", WITH(.priority_policy = YK_PRIORITY_FENCE)},
        {"priority.offset", "-2147483648", WITH(.priority_offset = INT32_MIN)},
        {"priority.offset", "+5", WITH(.priority_offset = 5)},
        {"preemption.policy", "FENCE", WITH(.preemption_policy = YK_PREEMPTION_FENCE)},
        {"preemption.policy", "disabled", WITH(.preemption_policy = YK_PREEMPTION_DISABLED)},
        {"preemption.allowed", "false", WITH(.preemption_policy = YK_PREEMPTION_DISABLED)},
        {"preemption.allowed", "true", WITH(.preemption_policy = YK_PREEMPTION_DEFAULT)},
        {"preemption.min.runtime", "10m", WITH(.preemption_min_runtime_ns = 600 * YK_NS_PER_S)},
        {"preemption.min.runtime", "0", WITH(.preemption_min_runtime_ns = 0)},
        {"preemption.budget", "5", WITH(.preemption_budget = 5)},
        {"quota.preemption.delay", "1m30s", WITH(.quota_preemption_delay_ns = 90 * YK_NS_PER_S)},
        {"quota.preemption.delay", "0", WITH(.quota_preemption_delay_ns = 0)},
        {"application.sort.hold", "none", WITH(.hold = YK_HOLD_NONE)},
        {"application.sort.hold", "Strict", WITH(.hold = YK_HOLD_STRICT)},
        {"application.unschedasks.backoff", "10", WITH(.unschedulable_asks_backoff = 10)},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_queue_settings got = settings_of(cases[i].key, cases[i].value);
        if (!same(&got, &cases[i].want))
            fail_msg("3.1: %s: '%s'", cases[i].key, cases[i].value);
    }
    assert_int_equal(settings_of("preemption.delay", "1.5s").preemption_delay_ns, 1500 * YK_NS_PER_MS);
    assert_int_equal(settings_of("application.unschedasks.backoff.delay", "2h").backoff_delay_ns,
                     7200 * YK_NS_PER_S);
    assert_int_equal(settings_of("application.sort.hold.delay", "1m").hold_delay_ns, 60 * YK_NS_PER_S);
    assert_int_equal(settings_of("application.sort.hold.delay", "0").hold_delay_ns, 0);
    assert_false(settings_of("application.sort.priority", "Disabled").priority_sort);
    assert_true(settings_of("application.sort.priority", "ENABLED").priority_sort);
}

static void bad_values_are_the_default(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
    } cases[] = {
        {"application.sort.policy", "Fair"},
        {"application.sort.priority", "on"},
        {"priority.policy", ""},
        {"priority.offset", "2147483648"},
        {"priority.offset", "1.5"},
        {"preemption.policy", "never"},
        {"preemption.allowed", "maybe"},
        {"preemption.delay", "0s"},
        {"preemption.delay", "-1s"},
        {"preemption.delay", "10"},
        {"preemption.min.runtime", "-1s"},
        {"preemption.min.runtime", "long"},
        {"preemption.budget", "-1"},
        {"preemption.budget", "5/m"},
        {"quota.preemption.delay", "-1s"},
        {"quota.preemption.delay", "soon"},
        {"application.unschedasks.backoff", "-1"},
        {"application.unschedasks.backoff.delay", "0"},
        {"application.sort.hold", ""},
        {"application.sort.hold", "always"},
        {"application.sort.hold.delay", "-1s"},
        {"application.sort.hold.delay", "5"},
        {"Priority.Offset", "7"}, /* keys are case-sensitive */
        {"anything.else", "x"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_queue_settings got = settings_of(cases[i].key, cases[i].value);
        if (!same(&got, &defaults))
            fail_msg("3.1: %s: '%s'", cases[i].key, cases[i].value);
    }
    struct yk_pairs none = {0};
    struct yk_queue_settings got = settings_from(&none);
    assert_true(same(&got, &defaults));
}

static void an_explicit_policy_beats_its_alias(void **state)
{
    (void)state;
    struct yk_pair items[] = {{YK_STR("preemption.allowed"), YK_STR("false")},
                              {YK_STR("preemption.policy"), YK_STR("fence")}};
    struct yk_pairs pairs = {items, 2};
    struct yk_queue_settings got = settings_from(&pairs);
    assert_int_equal(got.preemption_policy, YK_PREEMPTION_FENCE);
}

static const char *value_of(const struct yk_pairs *pairs, const char *key)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_is(pairs->items[i].key, key))
            return pairs->items[i].value.p;
    }
    return "(none)";
}

static void inheritance_is_filtered(void **state)
{
    (void)state;
    static const struct {
        const char *what, *key, *parent, *own, *want;
    } cases[] = {
        {"I1: the sort policy goes down", "application.sort.policy", "fair", NULL, "fair"},
        {"I1: an own value wins", "application.sort.policy", "fair", "fifo", "fifo"},
        {"I1: unknown keys go down", "foo", "bar", NULL, "bar"},
        {"I1: a fence stays where it is", "priority.policy", "fence", NULL, "default"},
        {"I1: an offset stays where it is", "priority.offset", "5", NULL, "0"},
        {"I1: a preemption fence stays where it is", "preemption.policy", "fence", NULL, "default"},
        {"I1: disabled goes down, as written", "preemption.policy", "Disabled", NULL, "Disabled"},
        {"I1: nonsense does not", "preemption.policy", "x", NULL, "default"},
        {"I1: delays go down", "quota.preemption.delay", "1m", NULL, "1m"},
        {"I1: an own fence is not filtered", "priority.policy", "fence", "fence", "fence"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_arena arena = {0};
        struct yk_pair p = {yk_str_from(cases[i].key), yk_str_from(cases[i].parent)};
        struct yk_pair o = {yk_str_from(cases[i].key), yk_str_from(cases[i].own)};
        struct yk_pairs parent = {&p, 1}, own = {&o, cases[i].own != NULL};
        struct yk_property_set *above = yk_property_set_new(NULL, &parent);
        struct yk_property_set *set = yk_property_set_new(above, &own);
        yk_property_set_put(above);
        struct yk_pairs got = yk_property_set_list(set, &arena);
        if (got.count != 1 || strcmp(value_of(&got, cases[i].key), cases[i].want) != 0)
            fail_msg("%s: got '%s'", cases[i].what, value_of(&got, cases[i].key));
        yk_property_set_put(set);
        yk_arena_done(&arena);
    }
}

static void inheritance_merges_and_sorts(void **state)
{
    (void)state;
    struct yk_arena arena = {0};
    struct yk_pair p[] = {{YK_STR("z"), YK_STR("1")}, {YK_STR("preemption.policy"), YK_STR("disabled")}};
    struct yk_pair o[] = {{YK_STR("y"), YK_STR("2")}, {YK_STR("preemption.allowed"), YK_STR("true")}};
    struct yk_pairs parent = {p, 2}, own = {o, 2}, none = {0};
    struct yk_queue_settings settings;
    struct yk_property_set *above = yk_property_set_new(NULL, &parent);
    struct yk_property_set *set = yk_property_set_new(above, &own);
    struct yk_property_set *below = yk_property_set_new(set, &none);
    yk_property_set_put(above);
    struct yk_pairs got = yk_property_set_list(below, &arena);
    assert_int_equal(got.count, 3);
    assert_string_equal(got.items[0].key.p, "preemption.allowed");
    assert_string_equal(got.items[1].key.p, "y");
    assert_string_equal(got.items[2].key.p, "z");
    yk_queue_settings_from(below, "root.a", &settings);
    assert_int_equal(settings.preemption_policy, YK_PREEMPTION_DEFAULT);
    yk_property_set_put(set);
    yk_property_set_put(below);
    set = yk_property_set_new(NULL, &own);
    got = yk_property_set_list(set, &arena);
    assert_int_equal(got.count, 2);
    yk_property_set_put(set);
    yk_arena_done(&arena);
}

static void inherited_properties_are_shared(void **state)
{
    (void)state;
    struct yk_pair p[] = {{YK_STR("a"), YK_STR("1")}, {YK_STR("b"), YK_STR("2")}};
    struct yk_pair fence = {YK_STR("priority.policy"), YK_STR("fence")};
    struct yk_pair other = {YK_STR("c"), YK_STR("3")};
    struct yk_pairs many = {p, 2}, fenced = {&fence, 1}, own = {&other, 1}, none = {0};
    assert_null(yk_property_set_new(NULL, &none));
    struct yk_property_set *root = yk_property_set_new(NULL, &many);
    struct yk_property_set *same = yk_property_set_new(root, &none);
    assert_ptr_equal(same, root);
    struct yk_property_set *more = yk_property_set_new(root, &own);
    struct yk_property_set *stops = yk_property_set_new(root, &fenced);
    struct yk_property_set *filtered = yk_property_set_new(stops, &none);
    struct yk_property_set *deeper = yk_property_set_new(filtered, &none);
    assert_ptr_not_equal(filtered, stops); /* the fence is not inherited */
    assert_ptr_equal(deeper, filtered);
    yk_property_set_put(root);
    yk_property_set_put(same);
    yk_property_set_put(stops);
    yk_property_set_put(filtered);
    struct yk_arena arena = {0};
    assert_int_equal(yk_property_set_list(more, &arena).count, 3);
    struct yk_pairs got = yk_property_set_list(deeper, &arena);
    assert_int_equal(got.count, 3);
    assert_string_equal(value_of(&got, "priority.policy"), "default");
    yk_property_set_put(more);
    yk_property_set_put(deeper);
    yk_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_values),
        cmocka_unit_test(bad_values_are_the_default),
        cmocka_unit_test(an_explicit_policy_beats_its_alias),
        cmocka_unit_test(inheritance_is_filtered),
        cmocka_unit_test(inheritance_merges_and_sorts),
        cmocka_unit_test(inherited_properties_are_shared),
    };
    return cmocka_run_group_tests(tests, quiet, NULL);
}
