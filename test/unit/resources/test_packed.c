/* SPDX-License-Identifier: Apache-2.0 */
/* Packed amounts say what a vector says after the same operations. */
#include "base/random.h"
#include "resources/packed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct yk_resvec random_amounts(struct yk_random *random)
{
    struct yk_resvec amounts = {0};
    for (int t = 0; t < 2 * YK_RESTYPE_DENSE; t++) {
        if (yk_random_below(random, 8) == 0)
            yk_resvec_put(&amounts, t, (int64_t)yk_random_u64(random) >> yk_random_below(random, 64));
    }
    return amounts;
}

static void as_a_vector(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct yk_random random;
        struct yk_packed packed = {0};
        YK_RESVEC(plain);
        yk_random_init(&random, seed);
        for (int step = 0; step < 50; step++) {
            YK_CLEANUP(yk_resvec_done) struct yk_resvec amounts = random_amounts(&random);
            if (yk_random_below(&random, 2) == 0) {
                yk_packed_add(&packed, &amounts);
                yk_resvec_add(&plain, &amounts);
            } else {
                yk_packed_sub(&packed, &amounts);
                yk_resvec_sub(&plain, &amounts);
            }
            for (int t = 0; t < 2 * YK_RESTYPE_DENSE; t++) {
                if (yk_packed_get(&packed, t) != yk_resvec_get(&plain, t))
                    fail_msg("seed %llu, step %d, type %d", (unsigned long long)seed, step, t);
            }
        }
        yk_packed_done(&packed);
        assert_int_equal(yk_packed_get(&packed, 3), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
