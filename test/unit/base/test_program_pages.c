/* SPDX-License-Identifier: Apache-2.0 */
#include "base/program_pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/status.h"

static int counter = 1;
/* Addresses that the linker wrote into what is read only afterwards. */
static int *const counters[] = {&counter, &counter};
static const char text[] = "as it was";

/* What is mapped from files, in KiB. */
static long file_pages_kib(void)
{
    return status_kib("RssFile:");
}

static void unused_pages_go_and_nothing_is_lost(void **state)
{
    (void)state;
    for (int round = 2; round < 5; round++) {
        counter = round;
        long before = file_pages_kib();
        assert_true(yk_program_pages_give_back() > 0);
        long after = file_pages_kib();
        if (round == 2 && after >= before)
            fail_msg("%ld KiB before, %ld after", before, after);
        assert_int_equal(*counters[round % 2], round);
        assert_string_equal(text, "as it was");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unused_pages_go_and_nothing_is_lost),
    };
    return cmocka_run_group_tests_name("base/program_pages", tests, NULL, NULL);
}
