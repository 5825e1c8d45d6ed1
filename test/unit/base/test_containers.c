/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, vectors, arenas, pools, names and random numbers. */
#include "base/arena.h"
#include "base/list.h"
#include "base/name.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { SEEDS = 20, STEPS = 3000, ITEMS = 200 };

#define AT(link_pointer, T, member) YK_CONTAINER(link_pointer, T, member)

struct link {
    struct yk_list in;
    int id;
};

static void a_list_keeps_its_order(void **state)
{
    (void)state;
    struct yk_list a, b;
    struct link links[6], *link;
    yk_list_init(&a);
    yk_list_init(&b);
    for (int i = 0; i < 6; i++) {
        links[i].id = i;
        yk_list_append(i < 3 ? &a : &b, &links[i].in);
    }
    yk_list_splice(&a, &b);
    assert_true(yk_list_empty(&b));
    yk_list_remove(&links[4].in);
    yk_list_prepend(&a, &links[4].in);
    static const int want[] = {4, 0, 1, 2, 3, 5};
    size_t at = 0;
    yk_list_foreach (link, &a, struct link, in) {
        assert_int_equal(link->id, want[at++]);
        yk_list_remove(&link->in); /* the current one may go */
    }
    assert_int_equal(at, 6);
    assert_true(yk_list_empty(&a) && yk_list_first(&a, struct link, in) == NULL);
}

static int by_tens(const void *a, const void *b)
{
    return *(const int *)a / 10 - *(const int *)b / 10;
}

static void a_vec_sorts_stably(void **state)
{
    (void)state;
    static int numbers[] = {31, 12, 11, 39, 5, 30, 10, 1};
    static const int want[] = {5, 1, 12, 11, 10, 31, 39, 30};
    struct yk_vec vec = {0};
    for (size_t i = 0; i < YK_COUNT(numbers); i++)
        yk_vec_append(&vec, &numbers[i]);
    yk_vec_sort(&vec, by_tens);
    for (size_t i = 0; i < YK_COUNT(want); i++)
        assert_int_equal(*(int *)vec.items[i], want[i]);
    assert_int_equal(yk_vec_find(&vec, &numbers[1]), 2);
    yk_vec_remove_swap(&vec, 2);
    assert_ptr_equal(vec.items[2], &numbers[5]);
    assert_int_equal(yk_vec_find(&vec, &numbers[1]), SIZE_MAX);
    yk_vec_done(&vec);
}

static void an_arena_is_aligned_and_zeroed(void **state)
{
    (void)state;
    struct yk_arena arena = {0};
    for (size_t i = 1; i < 2000; i += 7) {
        char *p = yk_arena_alloc0(&arena, i);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t at = 0; at < i; at++)
            assert_int_equal(p[at], 0);
        memset(p, 0xff, i);
        struct yk_str copy = yk_arena_str(&arena, YK_STR("abc"));
        assert_string_equal(copy.p, "abc");
    }
    assert_null(yk_arena_str(&arena, (struct yk_str){0}).p);
    assert_true(yk_arena_bytes(&arena) >= arena.used);
    yk_arena_done(&arena);
    assert_int_equal(yk_arena_bytes(&arena), 0);
}

struct thing {
    void *self;
    int64_t number;
    char rest[505]; /* so that it takes several blocks */
};

/* Over the ends of several blocks, up and down; what is given back is not another one's. */
static void a_pool_hands_out_what_it_got_back(void **state)
{
    (void)state;
    enum { THINGS = 1000 };
    static struct thing *things[THINGS];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct yk_random random;
        struct yk_pool pool;
        size_t count = 0;
        yk_random_init(&random, seed);
        yk_pool_init(&pool, sizeof(struct thing));
        yk_pool_give(&pool, NULL);
        for (int step = 0; step < STEPS; step++) {
            bool grows = (step / 500) % 2 == 0;
            if (count < THINGS && (count == 0 || yk_random_below(&random, 10) < (grows ? 8 : 2))) {
                struct thing *thing = things[count++] = yk_pool_take(&pool);
                if ((uintptr_t)thing % _Alignof(struct thing) != 0 || thing->self != NULL ||
                    thing->number != 0 || thing->rest[4] != 0 || thing->rest[504] != 0)
                    fail_msg("seed %llu, step %d: not zeroed or not aligned", (unsigned long long)seed, step);
                *thing = (struct thing){.self = thing, .number = step, .rest = "full"};
                thing->rest[504] = 1;
            } else {
                size_t at = (size_t)yk_random_below(&random, count);
                if (things[at]->self != things[at] || strcmp(things[at]->rest, "full") != 0)
                    fail_msg("seed %llu, step %d: of another list", (unsigned long long)seed, step);
                yk_pool_give(&pool, things[at]);
                things[at] = things[--count];
            }
            if (pool.used != count)
                fail_msg("seed %llu, step %d: %zu, want %zu", (unsigned long long)seed, step, pool.used,
                         count);
        }
        while (count > 0)
            yk_pool_give(&pool, things[--count]);
        assert_true(yk_list_empty(&pool.open)); /* nothing is held but the spare one */
        yk_pool_done(&pool);
    }
}

static void names_are_counted(void **state)
{
    (void)state;
    size_t before = yk_name_count();
    yk_name a = yk_name_get(YK_STR("root.a")), again = yk_name_get(YK_STR("root.a")),
            b = yk_name_get(YK_STR("root.b"));
    assert_true(yk_name_eq(a, again) && !yk_name_eq(a, b));
    assert_string_equal(yk_name_text(a), "root.a");
    assert_true(yk_name_eq(yk_name_find(YK_STR("root.b")), b));
    yk_name_put(a);
    assert_true(yk_name_eq(yk_name_find(YK_STR("root.a")), a)); /* still held once */
    yk_name_put(again);
    yk_name_put(b);
    assert_true(yk_name_eq(yk_name_find(YK_STR("root.a")), YK_NO_NAME));
    assert_int_equal(yk_name_count(), before);
    assert_string_equal(yk_name_text(YK_NO_NAME), "");
    yk_name_put(YK_NO_NAME);
}

static void the_same_seed_gives_the_same_numbers(void **state)
{
    (void)state;
    struct yk_random a, b, c;
    yk_random_init(&a, 7);
    yk_random_init(&b, 7);
    yk_random_init(&c, 8);
    bool differs = false;
    for (int i = 0; i < 100; i++) {
        uint64_t x = yk_random_u64(&a);
        assert_true(x == yk_random_u64(&b));
        differs = differs || x != yk_random_u64(&c);
        double unit = yk_random_unit(&a);
        assert_true(unit >= 0 && unit < 1);
        (void)yk_random_unit(&b); /* keeps the two in step */
        uint64_t bound = 1 + (uint64_t)i;
        assert_true(yk_random_below(&a, bound) < bound);
        (void)yk_random_below(&b, bound); /* likewise */
    }
    assert_true(differs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_keeps_its_order),
        cmocka_unit_test(a_vec_sorts_stably),
        cmocka_unit_test(an_arena_is_aligned_and_zeroed),
        cmocka_unit_test(a_pool_hands_out_what_it_got_back),
        cmocka_unit_test(names_are_counted),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
    };
    return cmocka_run_group_tests_name("base/containers", tests, NULL, NULL);
}
