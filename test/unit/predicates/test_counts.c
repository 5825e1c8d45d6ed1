/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse counts against a plain array, through what comes, goes and collides. */
#include "predicates/counts.h"

#include "base/random.h"

#include "lib/cmocka_headers.h"

enum { KEYS = 300, STEPS = 60000 };

static void counts_are_those_of_an_array(void **state)
{
    (void)state;
    struct yk_counts counts = {0};
    uint32_t plain[KEYS] = {0}, used = 0;
    struct yk_random random;
    yk_random_init(&random, 1);
    for (int step = 0; step < STEPS; step++) {
        /* It fills up, empties, and fills up again. */
        bool grows = yk_random_below(&random, 10) < (step / (STEPS / 6) % 2 == 0 ? 7 : 3);
        uint32_t key = (uint32_t)yk_random_below(&random, KEYS);
        if (!grows && plain[key] == 0)
            continue;
        used -= plain[key] > 0;
        plain[key] += grows ? 1 : UINT32_MAX;
        used += plain[key] > 0;
        assert_int_equal(yk_counts_add(&counts, key, grows ? 1 : -1), plain[key]);
        assert_int_equal(counts.map.count, used);
        key = (uint32_t)yk_random_below(&random, KEYS);
        assert_int_equal(yk_counts_get(&counts, key), plain[key]);
    }
    for (uint32_t key = 0; key < KEYS; key++) {
        assert_int_equal(yk_counts_get(&counts, key), plain[key]);
        assert_int_equal(yk_counts_add(&counts, key, 0), plain[key]);
        assert_int_equal(yk_counts_add(&counts, key, -(int)plain[key]), 0);
    }
    assert_int_equal(counts.map.count, 0);
    yk_counts_done(&counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_those_of_an_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
