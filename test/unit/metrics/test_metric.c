/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/metric.h"

#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* docs/reference/rest.md, section 10: what promtool would complain about. */
static bool is_of_1_9(const char *name)
{
    static const char *const prefixes[] = {"yunikorn_event_total_", "promhttp_", "process_"};
    for (size_t i = 0; i < YK_COUNT(prefixes); i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return strstr(name, "_milliseconds") != NULL || strstr(name, "_node_usage_total") != NULL ||
           strstr(name, "_queue_container") != NULL ||
           strcmp(name, "yunikorn_scheduler_application_total") == 0;
}

static bool ends_with(const char *text, const char *end)
{
    return yk_str_ends(yk_str_from(text), end);
}

static void names_follow_the_conventions(void **state)
{
    (void)state;
    for (size_t i = 0; i < yk_metric_count; i++) {
        const struct yk_metric *row = yk_metrics[i];
        if (is_of_1_9(row->name))
            continue;
        if ((row->type == YK_METRIC_COUNTER) != ends_with(row->name, "_total"))
            fail_msg("%s: counters end in _total, and only they", row->name);
        static const char *const forbidden[] = {"_bucket", "_sum", "_count"};
        for (size_t end = 0; end < YK_COUNT(forbidden); end++) {
            if (ends_with(row->name, forbidden[end]))
                fail_msg("%s: %s is for histograms", row->name, forbidden[end]);
        }
    }
}

static void rows_are_complete_and_different(void **state)
{
    (void)state;
    struct yk_strmap seen = {0};
    for (size_t i = 0; i < yk_metric_count; i++) {
        const struct yk_metric *row = yk_metrics[i];
        if (!ends_with(row->help, "."))
            fail_msg("%s: help is a sentence, not: %s", row->name, row->help);
        if (strpbrk(row->help, "|\n\\") != NULL || strpbrk(row->labels, "|\n") != NULL)
            fail_msg("%s: a character breaks the table or the line", row->name);
        if (row->series[0] == 0)
            fail_msg("%s: how many series are there at most?", row->name);
        if (yk_strmap_put(&seen, yk_str_from(row->name), (void *)(uintptr_t)row) != NULL)
            fail_msg("twice: %s", row->name);
    }
    yk_strmap_done(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_follow_the_conventions),
        cmocka_unit_test(rows_are_complete_and_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
