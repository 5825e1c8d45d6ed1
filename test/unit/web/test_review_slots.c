/* SPDX-License-Identifier: Apache-2.0 */
#include "web/review_slots.h"

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static int take(struct yk_review_slots *slots, uint8_t host, int64_t now)
{
    const uint8_t network[YK_NETWORK_LEN] = {2, 10, 0, 0, host};
    return yk_review_slot_take(slots, network, now);
}

static void an_address_has_few(void **state)
{
    (void)state;
    struct yk_review_slots slots = {0};
    for (int i = 0; i < YK_REVIEW_SLOTS_OF_ADDRESS; i++)
        assert_int_equal(take(&slots, 1, 1), i);
    assert_int_equal(take(&slots, 1, 1), -1);
    assert_int_equal(take(&slots, 2, 1), YK_REVIEW_SLOTS_OF_ADDRESS);
    yk_review_slot_give(&slots, 0, false, 1);
    assert_int_equal(take(&slots, 1, 1), 0);
}

static void made_up_tokens_rest(void **state)
{
    (void)state;
    struct yk_review_slots slots = {0};
    for (int i = 0; i < YK_REVIEW_SLOTS_OF_ADDRESS; i++)
        yk_review_slot_give(&slots, take(&slots, 1, 1), true, 1);
    assert_int_equal(take(&slots, 1, YK_REVIEW_REST_NS), -1);
    assert_true(take(&slots, 1, YK_REVIEW_REST_NS + 1) >= 0);
}

/* However many addresses send made-up tokens that are answered, one more address is served. */
static void resting_slots_are_given_to_others(void **state)
{
    (void)state;
    struct yk_review_slots slots = {0};
    for (int i = 0; i < YK_REVIEW_SLOTS; i++)
        yk_review_slot_give(&slots, take(&slots, (uint8_t)(10 + i), 1 + i), true, 1 + i);
    assert_int_equal(take(&slots, 1, 100), 0); /* the one that has rested longest */
    assert_int_equal(take(&slots, 2, 100), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_has_few),
        cmocka_unit_test(made_up_tokens_rest),
        cmocka_unit_test(resting_slots_are_given_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
