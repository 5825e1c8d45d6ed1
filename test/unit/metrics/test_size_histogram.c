/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/size_histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void bounds_belong_to_their_bucket(void **state)
{
    (void)state;
    struct yk_size_histogram histogram = {0};
    static const struct {
        uint64_t number;
        int bucket;
    } cases[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {64, 6}, {65, 7}, {UINT64_MAX, 7}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        uint64_t before = histogram.counts[cases[i].bucket];
        yk_size_histogram_observe(&histogram, cases[i].number);
        if (histogram.counts[cases[i].bucket] != before + 1)
            fail_msg("%llu is not in bucket %d", (unsigned long long)cases[i].number, cases[i].bucket);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_belong_to_their_bucket)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
