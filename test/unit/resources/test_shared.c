/* SPDX-License-Identifier: Apache-2.0 */
/* Equal vectors are one vector, as long as it has a holder. */
#include "base/random.h"
#include "resources/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void equal_is_the_same(void **state)
{
    (void)state;
    YK_RESVEC(one);
    YK_RESVEC(other);
    yk_resvec_put(&one, YK_RESTYPE_VCORE, 1000);
    yk_resvec_put(&other, YK_RESTYPE_VCORE, 1000);
    yk_resvec_put(&other, YK_RESTYPE_MEMORY, 7);
    yk_resvec_remove(&other, YK_RESTYPE_MEMORY); /* not present: no part of it */
    const struct yk_resvec *a = yk_shared_get(&one), *b = yk_shared_get(&other);
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, &one);
    yk_resvec_put(&other, YK_RESTYPE_MEMORY, 0); /* present with 0 is not absent */
    const struct yk_resvec *c = yk_shared_get(&other);
    assert_ptr_not_equal(a, c);
    assert_int_equal(yk_shared_count(), 2);
    yk_shared_put(b);
    assert_int_equal(yk_resvec_get(a, YK_RESTYPE_VCORE), 1000);
    yk_shared_put(a);
    yk_shared_put(c);
    yk_shared_put(NULL);
    assert_int_equal(yk_shared_count(), 0);
}

/* Few different ones, so that they are found again and freed in every order. */
static void many_come_and_go(void **state)
{
    enum { HELD = 64, STEPS = 20000 };
    const struct yk_resvec *held[HELD] = {0};
    struct yk_random random;
    (void)state;
    yk_random_init(&random, 1);
    for (int step = 0; step < STEPS; step++) {
        size_t at = yk_random_below(&random, HELD);
        YK_RESVEC(amounts);
        yk_resvec_put(&amounts, YK_RESTYPE_VCORE, (int64_t)yk_random_below(&random, 40));
        yk_shared_put(held[at]);
        held[at] = yk_shared_get(&amounts);
        assert_true(yk_resvec_same(held[at], &amounts));
        for (size_t i = 0; i < HELD; i++) {
            if (held[i] != NULL)
                assert_int_equal(held[i] == held[at], yk_resvec_same(held[i], &amounts));
        }
    }
    for (size_t i = 0; i < HELD; i++)
        yk_shared_put(held[i]);
    assert_int_equal(yk_shared_count(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_is_the_same),
        cmocka_unit_test(many_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
