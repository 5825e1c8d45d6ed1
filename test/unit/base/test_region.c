/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: blocks near each other, of zeros whenever they are taken, and addresses that are no memory. */
#include "base/region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/status.h"

enum { MANY = 1000 /* more than become memory at once */ };

/* What the system counts as memory that may be written to, in KiB, touched or not. */
static long data_kib(void)
{
    return status_kib("VmData:");
}

static void addresses_are_no_memory(void **state)
{
    (void)state;
    struct yk_region region = {0};
    long before = data_kib();
    void *block = yk_region_take(&region);
    assert_true(data_kib() - before <= 64 << 10);
    yk_region_give(&region, block);
    yk_region_done(&region);
}

static void assert_zeros(const unsigned char *block)
{
    for (size_t i = 0; i < YK_REGION_BLOCK_BYTES; i += 512)
        assert_int_equal(block[i], 0);
}

static void blocks_are_near_and_of_zeros(void **state)
{
    (void)state;
    struct yk_region region = {0};
    static unsigned char *blocks[MANY];
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < MANY; i++) {
            blocks[i] = yk_region_take(&region);
            assert_int_equal((uintptr_t)blocks[i] % YK_REGION_BLOCK_BYTES, 0);
            assert_true((uintptr_t)blocks[i] - (uintptr_t)region.from < YK_REGION_BYTES);
            assert_zeros(blocks[i]);
            blocks[i][0] = blocks[i][YK_REGION_BLOCK_BYTES - 512] = 1;
        }
        assert_int_equal(region.begun, MANY); /* in the second round none is new */
        for (size_t i = 0; i < MANY; i++)
            yk_region_give(&region, blocks[(i * 7) % MANY]);
    }
    yk_region_done(&region);
    assert_null(region.from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_no_memory),
        cmocka_unit_test(blocks_are_near_and_of_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
