/* SPDX-License-Identifier: Apache-2.0 */
#include "events/uuid.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const char some[] = "0f5c3ab2-e9a6-4d22-a2b9-cd2e1a0d7f11";

static bool comes_back(const char *text)
{
    char packed[YK_UUID_BYTES], again[YK_UUID_LEN];
    if (!yk_uuid_pack(text, packed))
        return false;
    yk_uuid_unpack(packed, again);
    assert_memory_equal(again, text, YK_UUID_LEN);
    return true;
}

/* Each byte in each place: only what can come back is taken. */
static void only_canonical_ones_are_packed(void **state)
{
    (void)state;
    for (size_t at = 0; at < YK_UUID_LEN; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char text[YK_UUID_LEN];
            bool is_digit = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
            memcpy(text, some, YK_UUID_LEN);
            text[at] = (char)byte;
            if (comes_back(text) != (some[at] == '-' ? byte == '-' : is_digit))
                fail_msg("byte %d at %zu", byte, at);
        }
    }
}

static void different_ones_stay_different(void **state)
{
    (void)state;
    char packed[YK_UUID_BYTES], other[YK_UUID_BYTES];
    struct yk_random random;
    yk_random_init(&random, 5);
    assert_true(yk_uuid_pack(some, packed));
    for (size_t i = 0; i < 1000; i++) {
        char text[YK_UUID_LEN];
        size_t at = yk_random_below(&random, YK_UUID_LEN);
        memcpy(text, some, YK_UUID_LEN);
        if (text[at] == '-')
            continue;
        text[at] = text[at] == '7' ? 'e' : '7';
        assert_true(yk_uuid_pack(text, other));
        assert_memory_not_equal(packed, other, YK_UUID_BYTES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_canonical_ones_are_packed),
        cmocka_unit_test(different_ones_stay_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
