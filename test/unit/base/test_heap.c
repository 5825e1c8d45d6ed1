/* SPDX-License-Identifier: Apache-2.0 */
/* The heap against a naive model, in long random runs; a failure prints the seed. */
#include "base/heap.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { SEEDS = 20, STEPS = 3000, ITEMS = 200 };

#define AT(link_pointer, T, member) YK_CONTAINER(link_pointer, T, member)

struct ball {
    struct yk_heap_entry entry;
    uint64_t key;
    int id;
};

static bool ball_before(const struct yk_heap_entry *a, const struct yk_heap_entry *b)
{
    const struct ball *x = AT(a, const struct ball, entry), *y = AT(b, const struct ball, entry);
    return x->key != y->key ? x->key < y->key : x->id < y->id;
}

static const struct ball *smallest(const struct ball *balls)
{
    const struct ball *best = NULL;
    for (int i = 0; i < ITEMS; i++) {
        if (balls[i].entry.place != 0 && (best == NULL || ball_before(&balls[i].entry, &best->entry)))
            best = &balls[i];
    }
    return best;
}

static void a_heap_gives_the_smallest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct ball balls[ITEMS] = {0};
        struct yk_heap heap = {.before = ball_before};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int i = 0; i < ITEMS; i++)
            balls[i].id = i;
        for (int step = 0; step < STEPS; step++) {
            struct ball *ball = &balls[yk_random_below(&random, ITEMS)];
            yk_heap_remove(&heap, &ball->entry); /* also when it is not in */
            ball->key = yk_random_below(&random, 30);
            if (yk_random_below(&random, 3) > 0)
                yk_heap_insert(&heap, &ball->entry);
            const struct ball *best = smallest(balls);
            if (yk_heap_first(&heap) != (best == NULL ? NULL : &best->entry))
                fail_msg("seed %llu, step %d: not the smallest", (unsigned long long)seed, step);
        }
        yk_heap_done(&heap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_gives_the_smallest),
    };
    return cmocka_run_group_tests_name("base/heap", tests, NULL, NULL);
}
