/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "cmd/log_flags.h"
#include "cmd/scheduler_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void contains(const struct yk_buf *out, const char *line)
{
    if (strstr(yk_buf_cstr(out), line) == NULL)
        fail_msg("no '%s' in:\n%s", line, yk_buf_cstr(out));
}

static void each_family_is_described_once(void **state)
{
    (void)state;
    struct yk_scheduler_figures figures = {0};
    const struct yk_scheduler_state standby = {.leads = false, .scheduling_mailbox = 7};
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    atomic_store(&figures.numbers[YK_FIGURE_PODS], 5);
    atomic_store(&figures.numbers[YK_FIGURE_EVENTS_DROPPED], 3);
    yk_scheduler_metrics_put(&figures, &standby, &out);
    contains(&out, "\nyunikorn_leader 0\n");
    contains(&out, "\nyunikorn_mailbox_depth{queue=\"scheduling\"} 7\n");
    contains(&out, "\nyunikorn_cache_size{type=\"pods\"} 5\n");
    contains(&out, "\nyunikorn_kubernetes_events_total{result=\"dropped\"} 3\n");
    contains(&out, "\nyunikorn_pod_conditions_written_total 0\n");
    const char *first = strstr(yk_buf_cstr(&out), "# TYPE yunikorn_cache_size gauge\n");
    assert_non_null(first);
    assert_null(strstr(first + 1, "# TYPE yunikorn_cache_size"));
}

static void levels_of_kubectl(void **state)
{
    (void)state;
    static const struct {
        const char *verbosity;
        int level;
    } cases[] = {{"0", YK_LOG_WARN},
                 {"1", YK_LOG_INFO},
                 {"3", YK_LOG_INFO},
                 {"4", YK_LOG_DEBUG},
                 {"10", YK_LOG_DEBUG}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        const struct yk_log_arguments arguments = {.verbosity = cases[i].verbosity};
        assert_true(yk_log_flags_apply(&arguments, "scheduler"));
        assert_int_equal(atomic_load(&YK_LOGGER(yk_log_shim)->level), cases[i].level);
    }
    const struct yk_log_arguments loud = {.verbosity = "11"}, strange = {.format = "xml"};
    assert_false(yk_log_flags_apply(&loud, "scheduler"));
    assert_false(yk_log_flags_apply(&strange, "scheduler"));
    yk_log_set_default_level(YK_LOG_INFO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_family_is_described_once),
        cmocka_unit_test(levels_of_kubectl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
