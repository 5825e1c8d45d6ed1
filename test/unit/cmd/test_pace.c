/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const int64_t second_ns = INT64_C(1000000000);

static void it_runs_at_its_speed(void **state)
{
    (void)state;
    struct yk_pace pace;
    yk_pace_init(&pace, 20, 5 * second_ns, 100 * second_ns);
    yk_pace_move(&pace, 5 * second_ns, 100 * second_ns + second_ns / 10);
    assert_int_equal(pace.target_ns, 7 * second_ns);
    assert_false(pace.behind);
    assert_int_equal(yk_pace_when(&pace, 9 * second_ns), 100 * second_ns + second_ns / 5);
    assert_int_equal(yk_pace_when(&pace, 6 * second_ns), pace.real_ns);
}

static void it_waits_for_a_slow_machine(void **state)
{
    (void)state;
    struct yk_pace pace;
    yk_pace_init(&pace, 10, 0, 0);
    yk_pace_move(&pace, 0, 60 * second_ns);
    assert_true(pace.behind);
    assert_int_equal(pace.target_ns, 5 * second_ns / 2); /* a quarter of a real second ahead */
    yk_pace_move(&pace, pace.target_ns, 60 * second_ns + second_ns / 10);
    assert_false(pace.behind);
}

static void it_pauses_and_goes_forward(void **state)
{
    (void)state;
    struct yk_pace pace;
    yk_pace_init(&pace, 10, 0, 0);
    pace.paused = true;
    yk_pace_move(&pace, 0, 60 * second_ns);
    assert_int_equal(pace.target_ns, 0);
    assert_int_equal(yk_pace_when(&pace, 1), INT64_MAX);
    yk_pace_forward(&pace, 3 * second_ns, 10 * second_ns);
    assert_true(pace.paused);
    assert_int_equal(pace.target_ns, 13 * second_ns);
    yk_pace_forward(&pace, 0, INT64_MAX);
    assert_int_equal(pace.target_ns, YK_PACE_FORWARD_MAX);
}

static void extremes_do_not_overflow(void **state)
{
    (void)state;
    struct yk_pace pace;
    yk_pace_init(&pace, YK_PACE_SPEED_MAX, INT64_MAX - 10, 0);
    yk_pace_move(&pace, INT64_MAX - 10, INT64_MAX);
    assert_int_equal(pace.target_ns, INT64_MAX);
    yk_pace_init(&pace, YK_PACE_SPEED_MIN, 0, 0);
    assert_int_equal(yk_pace_when(&pace, INT64_MAX), INT64_MAX);
    yk_pace_move(&pace, 0, -5); /* a real clock does not go back; if it does, nothing happens */
    assert_int_equal(pace.target_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_runs_at_its_speed),
        cmocka_unit_test(it_waits_for_a_slow_machine),
        cmocka_unit_test(it_pauses_and_goes_forward),
        cmocka_unit_test(extremes_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
