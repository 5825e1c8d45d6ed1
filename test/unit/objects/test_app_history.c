/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md, resourceHistory. */
#include "objects/app_history.h"
#include "resources/restype.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct yk_history_entry *entry(const struct yk_app_history *history, size_t index)
{
    assert_true(index < history->entries.count);
    return history->entries.items[index];
}

static void amounts_times_whole_seconds(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t amount, duration_ns, want;
    } cases[] = {
        {"two seconds", 7, 2 * YK_NS_PER_S, 14},
        {"what is left of a second is cut", 7, 3 * YK_NS_PER_S - 1, 14},
        {"below a second", 7, YK_NS_PER_S - 1, 0},
        {"a clock that was set back", 7, -5 * YK_NS_PER_S, 0},
        {"saturating", INT64_MAX / 2, 3 * YK_NS_PER_S, INT64_MAX},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_app_history history = {0};
        YK_RESVEC(size);
        yk_resvec_put(&size, YK_RESTYPE_VCORE, cases[i].amount);
        yk_app_history_add(&history, YK_HISTORY_USED, NULL, &size, cases[i].duration_ns);
        int64_t got = yk_resvec_get(&entry(&history, 0)->used, YK_RESTYPE_VCORE);
        if (got != cases[i].want || !yk_resvec_has(&entry(&history, 0)->used, YK_RESTYPE_VCORE))
            fail_msg("%s: %lld", cases[i].what, (long long)got);
        yk_app_history_clear(&history);
    }
}

static void kinds_and_types_are_in_order_and_bounded(void **state)
{
    (void)state;
    struct yk_app_history history = {0};
    YK_RESVEC(size);
    yk_resvec_put(&size, YK_RESTYPE_VCORE, 1);
    yk_app_history_add(&history, YK_HISTORY_PLACEHOLDER, "a", &size, YK_NS_PER_S);
    yk_app_history_add(&history, YK_HISTORY_USED, "b", &size, YK_NS_PER_S);
    yk_app_history_add(&history, YK_HISTORY_USED, "a", &size, YK_NS_PER_S);
    assert_string_equal(entry(&history, 0)->instance_type, "a");
    assert_string_equal(entry(&history, 1)->instance_type, "b");
    assert_int_equal(entry(&history, 2)->kind, YK_HISTORY_PLACEHOLDER);
    int64_t sum = 0;
    for (int i = 0; i < 1000; i++) {
        char type[16];
        (void)snprintf(type, sizeof(type), "type-%d", i);
        yk_app_history_add(&history, YK_HISTORY_USED, type, &size, YK_NS_PER_S);
    }
    assert_in_range(history.entries.count, 10, 64 + YK_HISTORY_KIND_COUNT);
    for (size_t i = 0; i < history.entries.count; i++)
        sum += yk_resvec_get(&entry(&history, i)->used, YK_RESTYPE_VCORE);
    assert_int_equal(sum, 1003); /* nothing is lost */
    yk_app_history_clear(&history);
    assert_int_equal(history.entries.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_times_whole_seconds),
        cmocka_unit_test(kinds_and_types_are_in_order_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
