/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void what_nobody_knows_is_not_remembered(void **state)
{
    (void)state;
    const uint64_t unknown[2] = {0, 0}, known[2] = {0, 7};
    struct yk_memo memo = {.slots = NULL};
    int answer;
    yk_memo_put(&memo, unknown, &answer);
    assert_null(memo.slots);
    yk_memo_put(&memo, known, &answer);
    yk_memo_put(&memo, unknown, &answer);
    assert_null(yk_memo_get(&memo, unknown)); /* though empty places look like it */
    assert_ptr_equal(yk_memo_get(&memo, known), &answer);
    yk_memo_done(&memo);
    assert_null(yk_memo_get(&memo, known));
}

static void half_a_likeness_is_none(void **state)
{
    (void)state;
    static const uint64_t one[2] = {5, 9}, others[][2] = {{5, 8}, {5, 0}, {4, 9}, {0, 9}, {9, 5}};
    struct yk_memo memo = {.slots = NULL};
    int answer;
    yk_memo_put(&memo, one, &answer);
    for (size_t i = 0; i < YK_COUNT(others); i++)
        assert_null(yk_memo_get(&memo, others[i]));
    assert_ptr_equal(yk_memo_get(&memo, one), &answer);
    yk_memo_done(&memo);
}

static void all_is_forgotten_at_once(void **state)
{
    (void)state;
    const uint64_t one[2] = {1, 1}, two[2] = {1 << 20, 2};
    struct yk_memo memo = {.slots = NULL};
    int before, after;
    yk_memo_put(&memo, one, &before);
    yk_memo_put(&memo, two, &before);
    yk_memo_forget(&memo);
    assert_null(yk_memo_get(&memo, one));
    assert_null(yk_memo_get(&memo, two));
    yk_memo_put(&memo, one, &after);
    assert_ptr_equal(yk_memo_get(&memo, one), &after);
    assert_null(yk_memo_get(&memo, two));
    yk_memo_done(&memo);
}

/* Those that share their places: as many as there are of these are remembered, and the last one always. */
static void places_are_shared(void **state)
{
    (void)state;
    enum { LIKENESSES = 3 * YK_MEMO_PLACES };
    struct yk_memo memo = {.slots = NULL};
    int answers[LIKENESSES];
    for (uint64_t i = 0; i < LIKENESSES; i++) {
        const uint64_t likeness[2] = {i * YK_MEMO_SLOTS, i + 1};
        yk_memo_put(&memo, likeness, &answers[i]);
        yk_memo_put(&memo, likeness, &answers[i]); /* takes no second place */
        size_t remembered = 0;
        for (uint64_t j = 0; j <= i; j++) {
            const int *answer = yk_memo_get(&memo, (const uint64_t[2]){j * YK_MEMO_SLOTS, j + 1});
            assert_true(answer == NULL || answer == &answers[j]);
            remembered += answer != NULL;
        }
        assert_int_equal(remembered, YK_MIN(i + 1, (uint64_t)YK_MEMO_PLACES));
        assert_ptr_equal(yk_memo_get(&memo, likeness), &answers[i]);
    }
    yk_memo_done(&memo);
}

/* What was forgotten leaves its place to who comes. */
static void free_places_are_taken_first(void **state)
{
    (void)state;
    struct yk_memo memo = {.slots = NULL};
    int answer;
    for (uint64_t i = 0; i < YK_MEMO_PLACES; i++)
        yk_memo_put(&memo, (const uint64_t[2]){i * YK_MEMO_SLOTS, 1}, &answer);
    yk_memo_forget(&memo);
    for (uint64_t i = 0; i < YK_MEMO_PLACES; i++)
        yk_memo_put(&memo, (const uint64_t[2]){i * YK_MEMO_SLOTS, 2}, &answer);
    for (uint64_t i = 0; i < YK_MEMO_PLACES; i++)
        assert_ptr_equal(yk_memo_get(&memo, (const uint64_t[2]){i * YK_MEMO_SLOTS, 2}), &answer);
    yk_memo_done(&memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_knows_is_not_remembered),
        cmocka_unit_test(half_a_likeness_is_none),
        cmocka_unit_test(all_is_forgotten_at_once),
        cmocka_unit_test(places_are_shared),
        cmocka_unit_test(free_places_are_taken_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
