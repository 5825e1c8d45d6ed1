/* SPDX-License-Identifier: Apache-2.0 */
#include "metrics/step_histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void what_is_not_measured_counts_with_the_next(void **state)
{
    (void)state;
    struct yk_step_histogram histogram = {.unmeasured = 63};
    yk_step_histogram_observe(&histogram, 0.00002); /* a bound belongs to its bucket */
    assert_int_equal(histogram.counts[1], 64);
    assert_int_equal(histogram.unmeasured, 0);
    yk_step_histogram_observe(&histogram, 0.2);
    yk_step_histogram_observe(&histogram, 0);
    assert_int_equal(histogram.counts[YK_STEP_BUCKETS], 1);
    assert_int_equal(histogram.counts[0], 1);
    assert_true(histogram.sum > 0.2012 && histogram.sum < 0.2014);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_measured_counts_with_the_next)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
