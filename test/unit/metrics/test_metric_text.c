/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md, section 10: the text format. */
#include "metrics/metric_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void head_comes_with_the_first_line(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_leader, &out);
    yk_metric_put_used(&lines, "", 0);
    yk_metric_put_shown(&lines, "", 0, false);
    assert_int_equal(out.len, 0);
    yk_metric_put_shown(&lines, "", 0, true);
    yk_metric_put(&lines, "a=\"b\"", 2);
    yk_metric_put_double(&lines, "", 0.5);
    yk_metric_putf(&lines, -3, "a=\"%s\"", "c");
    assert_string_equal(
        yk_buf_cstr(&out),
        "# HELP yunikorn_leader 1: this replica schedules, also without an election; 0: it is a "
        "standby.\n# TYPE yunikorn_leader gauge\nyunikorn_leader 0\nyunikorn_leader{a=\"b\"} 2\n"
        "yunikorn_leader 0.5\nyunikorn_leader{a=\"c\"} -3\n");
}

static void histograms_are_cumulated(void **state)
{
    (void)state;
    static const double bounds[] = {0.00001, 2.5};
    uint64_t counts[] = {0, 0, 0};
    const struct yk_metric_buckets buckets = {bounds, 2, counts, 7.25};
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_metric_lines lines = {&out, &yk_metric_bind_duration, true};
    yk_metric_put_histogram(&lines, "", &buckets);
    assert_int_equal(out.len, 0); /* never used */
    counts[0] = 1;
    counts[2] = 2;
    yk_metric_put_histogram(&lines, "result=\"bound\"", &buckets);
    yk_metric_put_histogram(&lines, "", &buckets);
#define N "yunikorn_bind_duration_seconds"
    assert_string_equal(
        yk_buf_cstr(&out),
        N "_bucket{le=\"1e-05\",result=\"bound\"} 1\n" N "_bucket{le=\"2.5\",result=\"bound\"} 1\n" N
          "_bucket{le=\"+Inf\",result=\"bound\"} 3\n" N "_sum{result=\"bound\"} 7.25\n" N
          "_count{result=\"bound\"} 3\n" N "_bucket{le=\"1e-05\"} 1\n" N "_bucket{le=\"2.5\"} 1\n" N
          "_bucket{le=\"+Inf\"} 3\n" N "_sum 7.25\n" N "_count 3\n");
}

static void names_and_labels_are_escaped(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_metric_label(&out, "queue", YK_STR("root.\"a\\b\nc"));
    yk_buf_char(&out, 32);
    yk_metric_name(&out, YK_STR("root.a-b:C_9\"}\n"));
    assert_string_equal(yk_buf_cstr(&out), "queue=\"root.\\\"a\\\\b\\nc\" root_a_b:C_9___");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_comes_with_the_first_line),
        cmocka_unit_test(histograms_are_cumulated),
        cmocka_unit_test(names_and_labels_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
