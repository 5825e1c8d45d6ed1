/* SPDX-License-Identifier: Apache-2.0 */
/* The maps against naive models, in long random runs, and their hash; a failure prints the seed. */
#include "base/map.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { SEEDS = 20, STEPS = 3000, ITEMS = 200 };

static void an_idmap_is_what_was_put(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int things[ITEMS] = {0};
        bool there[ITEMS] = {0};
        size_t count = 0, walked = 0;
        struct yk_idmap map = {0};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int step = 0; step < STEPS; step++) {
            size_t i = yk_random_below(&random, ITEMS);
            uint64_t key = i * UINT64_C(0x100000000); /* collides where only low bits are looked at */
            void *was = yk_random_below(&random, 2) == 0 ? yk_idmap_put(&map, key, &things[i])
                                                         : yk_idmap_remove(&map, key);
            if ((was != NULL) != there[i] || (was != NULL && was != &things[i]))
                fail_msg("seed %llu, step %d: what was there", (unsigned long long)seed, step);
            there[i] = yk_idmap_get(&map, key) != NULL;
            if (yk_random_below(&random, STEPS / 4) == 0) {
                size_t more = yk_random_below(&random, ITEMS);
                yk_idmap_expect(&map, more);
                assert_true(more == 0 || (map.count + more) * 4 <= (map.mask + 1) * 3);
            }
        }
        for (size_t i = 0; i < ITEMS; i++) {
            count += there[i];
            assert_ptr_equal(yk_idmap_get(&map, i * UINT64_C(0x100000000)), there[i] ? &things[i] : NULL);
        }
        int *thing;
        yk_idmap_foreach (thing, &map)
            walked += there[thing - things];
        assert_int_equal(map.count, count);
        assert_int_equal(walked, count);
        yk_idmap_done(&map);
    }
}

static void a_strmap_is_what_was_put(void **state)
{
    (void)state;
    char names[ITEMS][16];
    for (int i = 0; i < ITEMS; i++)
        (void)snprintf(names[i], sizeof(names[i]), "%.*s%d", i % 4, "aaaa", i);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        bool there[ITEMS] = {0};
        struct yk_strmap map = {0};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int step = 0; step < STEPS; step++) {
            size_t i = yk_random_below(&random, ITEMS);
            struct yk_str key = yk_str_from(names[i]);
            bool put = yk_random_below(&random, 2) == 0;
            void *was = put ? yk_strmap_put(&map, key, names[i]) : yk_strmap_remove(&map, key);
            if (was != (there[i] ? names[i] : NULL))
                fail_msg("seed %llu, step %d", (unsigned long long)seed, step);
            there[i] = put;
        }
        for (int i = 0; i < ITEMS; i++)
            assert_ptr_equal(yk_strmap_get(&map, yk_str_from(names[i])), there[i] ? names[i] : NULL);
        assert_null(yk_strmap_get(&map, YK_STR("")));
        assert_null(yk_strmap_put(&map, YK_STR(""), names[0]));
        assert_ptr_equal(yk_strmap_get(&map, (struct yk_str){0}), names[0]); /* absent is empty */
        yk_strmap_done(&map);
    }
}

/* Equal for equal bytes; and each half tells apart what differs in one bit, or in length. */
static void a_hash_of_128_bits(void **state)
{
    (void)state;
    enum { LEN = 19 };
    unsigned char bytes[LEN] = {0};
    uint64_t seen[LEN * 9][2];
    size_t count = 0;
    for (size_t len = 0; len < LEN; len++)
        yk_hash_128(bytes, len, seen[count++]);
    for (size_t bit = 0; bit < 8 * LEN; bit++) {
        bytes[bit / 8] = (unsigned char)(1u << bit % 8);
        yk_hash_128(bytes, LEN, seen[count++]);
        bytes[bit / 8] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(seen[i][0] != seen[i][1]);
        for (size_t j = 0; j < i; j++)
            assert_true(seen[i][0] != seen[j][0] && seen[i][1] != seen[j][1]);
    }
    uint64_t again[2];
    yk_hash_128(bytes, 7, again);
    assert_memory_equal(again, seen[7], sizeof(again));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idmap_is_what_was_put),
        cmocka_unit_test(a_strmap_is_what_was_put),
        cmocka_unit_test(a_hash_of_128_bits),
    };
    return cmocka_run_group_tests_name("base/map", tests, NULL, NULL);
}
