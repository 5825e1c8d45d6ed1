/* SPDX-License-Identifier: Apache-2.0 */
/* The bitset against an array, in long random runs; a failure prints the seed. */
#include "base/bitset.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { SEEDS = 20, STEPS = 3000, ITEMS = 200 };

static void a_bitset_is_what_was_set(void **state)
{
    (void)state;
    enum { BITS = 1000 };
    struct yk_bitset set = {0};
    bool want[BITS] = {0};
    struct yk_random random;
    yk_random_init(&random, 3);
    assert_int_equal(yk_bitset_next(&set, 0), YK_BITSET_END);
    for (int step = 0; step < STEPS; step++) {
        uint32_t bit = (uint32_t)yk_random_below(&random, BITS);
        want[bit] = yk_random_below(&random, 3) == 0;
        yk_bitset_assign(&set, bit, want[bit]);
    }
    size_t ones = 0;
    for (uint32_t bit = 0; bit < BITS; bit++) {
        assert_int_equal(yk_bitset_test(&set, bit), want[bit]);
        ones += want[bit];
    }
    assert_int_equal(set.ones, ones);
    int64_t last = -1;
    yk_bitset_foreach (bit, &set) {
        for (int64_t between = last + 1; between < bit; between++)
            assert_false(want[between]);
        assert_true(want[bit]);
        last = bit;
        ones--;
    }
    assert_int_equal(ones, 0);
    assert_false(yk_bitset_test(&set, UINT32_MAX));
    yk_bitset_clear(&set, UINT32_MAX); /* beyond the end: already clear */
    yk_bitset_clear_all(&set);
    yk_bitset_set(&set, 64);
    yk_bitset_add_word(&set, 1, UINT64_C(0x8000000000000005));
    assert_int_equal(set.ones, 3);
    assert_int_equal(yk_bitset_next(&set, 0), 64);
    assert_int_equal(yk_bitset_next(&set, 65), 66);
    assert_int_equal(yk_bitset_next(&set, 67), 127);
    yk_bitset_add_word(&set, 100000, 0); /* nothing to keep */
    assert_true(set.count < 100000);
    assert_int_equal(yk_bitset_next(&set, BITS + 64), YK_BITSET_END);
    yk_bitset_done(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bitset_is_what_was_set),
    };
    return cmocka_run_group_tests_name("base/bitset", tests, NULL, NULL);
}
