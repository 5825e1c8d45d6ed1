/* SPDX-License-Identifier: Apache-2.0 */
/* Rules M1 to M21 of docs/reference/queues.md, each with the cases that tell absent from zero. */
#include "lib/amounts.h"
#include "resources/resvec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define NONE (INT64_MIN + 7) /* absent */
#define MAX  INT64_MAX
#define MIN  INT64_MIN

/* vcore, memory, pods */
struct three {
    int64_t v[3];
};

static struct yk_resvec vec(struct three t)
{
    struct yk_resvec r = {0};
    for (int i = 0; i < 3; i++) {
        if (t.v[i] != NONE)
            yk_resvec_put(&r, i, t.v[i]);
    }
    return r;
}

static void check(const char *what, const struct yk_resvec *got, struct three wanted)
{
    struct yk_resvec want = vec(wanted);
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_resvec_print(got, &text);
    if (!yk_resvec_same(got, &want))
        fail_msg("%s: got '%s'", what, yk_buf_cstr(&text));
}

enum op { ADD, SUB, ADD_EXISTING, SUB_EXISTING, TAKE, LEAST, LEAST_EXISTING, MOST };

static bool run(enum op op, struct yk_resvec *a, const struct yk_resvec *b)
{
    switch (op) {
    case ADD:
        yk_resvec_add(a, b);
        break;
    case SUB:
        yk_resvec_sub(a, b);
        break;
    case ADD_EXISTING:
        yk_resvec_add_existing(a, b);
        break;
    case SUB_EXISTING:
        yk_resvec_sub_existing(a, b);
        break;
    case TAKE:
        return yk_resvec_take(a, b);
    case LEAST:
        yk_resvec_min(a, b);
        break;
    case LEAST_EXISTING:
        yk_resvec_min_existing(a, b);
        break;
    case MOST:
        yk_resvec_max(a, b);
        break;
    }
    return true;
}

static void vectors_from_two_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum op op;
        struct three a, b, want;
        bool wanted;
    } cases[] = {
        {"M1 add: union", ADD, {{1, 2, NONE}}, {{10, NONE, 30}}, {{11, 2, 30}}, true},
        {"M1 add: saturates", ADD, {{MAX, MIN, 0}}, {{1, -1, NONE}}, {{MAX, MIN, 0}}, true},
        {"M1 add: nothing", ADD, {{1, NONE, NONE}}, {{NONE, NONE, NONE}}, {{1, NONE, NONE}}, true},
        {"M1 sub: may go negative, absent is 0", SUB, {{1, NONE, 5}}, {{3, 4, NONE}}, {{-2, -4, 5}}, true},
        {"M1 sub: saturates", SUB, {{MIN, MAX, 0}}, {{1, -1, 0}}, {{MIN, MAX, 0}}, true},
        {"M2 add: types of the base only",
         ADD_EXISTING,
         {{1, NONE, 0}},
         {{10, 20, NONE}},
         {{11, NONE, 0}},
         true},
        {"M2 sub: types of the base only",
         SUB_EXISTING,
         {{1, NONE, 0}},
         {{10, 20, 3}},
         {{-9, NONE, -3}},
         true},
        {"M3: enough", TAKE, {{5, 6, NONE}}, {{5, 1, NONE}}, {{NONE, 5, NONE}}, true},
        {"M3: clamped, others untouched", TAKE, {{5, -6, 7}}, {{9, NONE, 1}}, {{NONE, -6, 6}}, false},
        {"M3: another one that is 0 goes, too", TAKE, {{5, 0, 7}}, {{1, NONE, 7}}, {{4, NONE, NONE}}, true},
        {"M3: absent in the base", TAKE, {{NONE, 1, NONE}}, {{1, NONE, NONE}}, {{NONE, 1, NONE}}, false},
        {"M3: absent and nothing subtracted",
         TAKE,
         {{NONE, 1, NONE}},
         {{0, NONE, NONE}},
         {{NONE, 1, NONE}},
         true},
        {"M7: union, the smaller", LEAST, {{1, 9, NONE}}, {{5, 2, 3}}, {{1, 2, 3}}, true},
        {"M7: one side only keeps its value", LEAST, {{1, NONE, -3}}, {{NONE, 7, 0}}, {{1, 7, -3}}, true},
        {"M8: types of the left only", LEAST_EXISTING, {{1, 9, NONE}}, {{5, 2, 3}}, {{1, 2, NONE}}, true},
        {"M9: union, the larger", MOST, {{1, 9, NONE}}, {{5, 2, 3}}, {{5, 9, 3}}, true},
        {"M9: absent counts as 0", MOST, {{-1, NONE, 4}}, {{NONE, -2, NONE}}, {{0, 0, 4}}, true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec a = vec(cases[i].a), b = vec(cases[i].b);
        if (run(cases[i].op, &a, &b) != cases[i].wanted)
            fail_msg("%s: answer", cases[i].what);
        check(cases[i].what, &a, cases[i].want);
    }
    struct yk_resvec a = vec((struct three){{1, NONE, 2}});
    yk_resvec_add_existing(&a, NULL);
    yk_resvec_sub_existing(&a, NULL);
    check("M2: nil delta", &a, (struct three){{1, NONE, 2}});
}

static void fits(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct three big, small;
        bool fit, undef, actual; /* M4, M5, M6 */
    } cases[] = {
        {"equal", {{5, 5, 5}}, {{5, 5, 5}}, true, true, true},
        {"one above", {{5, 5, 5}}, {{5, 6, 5}}, false, false, false},
        {"absent in big", {{5, NONE, NONE}}, {{5, 1, NONE}}, false, true, true},
        {"absent in big, zero asked", {{5, NONE, NONE}}, {{5, 0, NONE}}, true, true, true},
        {"zero in big is none", {{0, NONE, NONE}}, {{1, NONE, NONE}}, false, false, false},
        {"negative big, zero asked", {{-5, NONE, NONE}}, {{0, NONE, NONE}}, true, true, false},
        {"negative big, smaller asked", {{-5, NONE, NONE}}, {{-6, NONE, NONE}}, true, true, true},
        {"empty small", {{0, 0, 0}}, {{NONE, NONE, NONE}}, true, true, true},
        {"empty big", {{NONE, NONE, NONE}}, {{1, 1, 1}}, false, true, true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec big = vec(cases[i].big), small = vec(cases[i].small);
        if (yk_resvec_fit(&big, &small) != cases[i].fit)
            fail_msg("M4: %s", cases[i].what);
        if (yk_resvec_fit_undef(&big, &small) != cases[i].undef)
            fail_msg("M5: %s", cases[i].what);
        if (yk_resvec_fit_actual(&big, &small) != cases[i].actual)
            fail_msg("M6: %s", cases[i].what);
    }
    struct yk_resvec one = vec((struct three){{1, NONE, NONE}});
    assert_true(yk_resvec_fit(&one, NULL) && yk_resvec_fit_undef(&one, NULL) &&
                yk_resvec_fit_actual(&one, NULL));
    assert_false(yk_resvec_fit(NULL, &one));
    assert_true(yk_resvec_fit_undef(NULL, &one) && yk_resvec_fit_actual(NULL, &one));
}

static void sums_fit(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct three max, used, more;
        bool want;
    } cases[] = {
        {"exactly", {{10, NONE, NONE}}, {{4, 9, NONE}}, {{6, 9, NONE}}, true},
        {"one above", {{10, NONE, NONE}}, {{4, NONE, NONE}}, {{7, NONE, NONE}}, false},
        {"nothing used yet", {{10, NONE, NONE}}, {{NONE, NONE, NONE}}, {{10, NONE, NONE}}, true},
        {"over the limit already, but asks for something else",
         {{10, 5, NONE}},
         {{11, 1, NONE}},
         {{NONE, 1, NONE}},
         true},
        {"sums saturate instead of wrapping",
         {{MAX - 1, NONE, NONE}},
         {{MAX - 1, NONE, NONE}},
         {{2, NONE, NONE}},
         false},
        {"zero allowed", {{0, NONE, NONE}}, {{NONE, NONE, NONE}}, {{1, NONE, NONE}}, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec max = vec(cases[i].max), used = vec(cases[i].used), more = vec(cases[i].more);
        if (yk_resvec_fit_sum(&max, &used, &more) != cases[i].want)
            fail_msg("%s", cases[i].what);
        assert_true(yk_resvec_fit_sum(NULL, &used, &more));
    }
}

static void signs(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct three a;
        bool zero, positive, negative;
    } cases[] = {
        {"empty", {{NONE, NONE, NONE}}, true, false, false},
        {"all 0", {{0, 0, NONE}}, true, false, false},
        {"one above", {{0, 1, NONE}}, false, true, false},
        {"one below", {{5, -1, NONE}}, false, false, true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec a = vec(cases[i].a);
        if (yk_resvec_is_zero(&a) != cases[i].zero || yk_resvec_is_positive(&a) != cases[i].positive ||
            yk_resvec_has_negative(&a) != cases[i].negative)
            fail_msg("M10, M11: %s", cases[i].what);
    }
    assert_true(yk_resvec_is_zero(NULL));
    assert_false(yk_resvec_is_positive(NULL));
    struct yk_resvec a = vec((struct three){{0, 3, 0}});
    yk_resvec_prune(&a);
    check("prune", &a, (struct three){{NONE, 3, NONE}});
}

static void comparisons(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct three a, b;
        bool ge, eq, same, any;
    } cases[] = {
        {"equal", {{1, 2, NONE}}, {{1, 2, NONE}}, true, true, true, true},
        {"absent equals 0", {{1, NONE, NONE}}, {{1, 0, NONE}}, true, true, false, true},
        {"larger in one", {{2, 2, NONE}}, {{1, 2, NONE}}, true, false, false, true},
        {"larger by a type more", {{1, 2, NONE}}, {{1, NONE, NONE}}, true, false, false, true},
        {"smaller in one, larger in one", {{2, 1, NONE}}, {{1, 2, NONE}}, false, false, false, true},
        {"a type that a lacks", {{5, NONE, NONE}}, {{1, 2, NONE}}, false, false, false, true},
        {"a negative type that a lacks", {{5, NONE, NONE}}, {{5, -2, NONE}}, true, false, false, true},
        {"disjoint", {{5, NONE, NONE}}, {{NONE, 2, NONE}}, false, false, false, false},
        {"a empty", {{NONE, NONE, NONE}}, {{1, NONE, NONE}}, false, false, false, false},
        {"b empty, a above 0", {{1, 1, NONE}}, {{NONE, NONE, NONE}}, true, false, false, false},
        {"b empty, a with 0", {{1, 0, NONE}}, {{NONE, NONE, NONE}}, true, false, false, false},
        {"both empty", {{NONE, NONE, NONE}}, {{NONE, NONE, NONE}}, true, true, true, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec a = vec(cases[i].a), b = vec(cases[i].b);
        if (yk_resvec_ge(&a, &b) != cases[i].ge)
            fail_msg("M12: %s", cases[i].what);
        if (yk_resvec_eq(&a, &b) != cases[i].eq || yk_resvec_same(&a, &b) != cases[i].same)
            fail_msg("M14: %s", cases[i].what);
        if (yk_resvec_match_any(&a, &b) != cases[i].any)
            fail_msg("M15: %s", cases[i].what);
        if (cases[i].same && yk_resvec_hash(&a) != yk_resvec_hash(&b))
            fail_msg("hash: %s", cases[i].what);
    }
}

static void products(void **state)
{
    (void)state;
    struct yk_resvec a = vec((struct three){{MAX / 2, MIN / 2, 7}});
    yk_resvec_mul(&a, 3);
    check("mul saturates", &a, (struct three){{MAX, MIN, 21}});
    set_amounts(&a, vec((struct three){{MAX, MIN, NONE}}));
    yk_resvec_mul(&a, -1);
    check("mul: the smallest has no opposite", &a, (struct three){{-MAX, MAX, NONE}});
    yk_resvec_mul(&a, 0);
    check("mul by 0 keeps the types", &a, (struct three){{0, 0, NONE}});
}

/* M17 */
static void percentages(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct three capacity, used, want;
    } cases[] = {
        {"29 of 100 is 28: divided first", {{100, 200, NONE}}, {{29, 50, 1}}, {{28, 25, NONE}}},
        {"nothing used", {{100, 0, NONE}}, {{0, -5, NONE}}, {{0, 0, NONE}}},
        {"no capacity", {{0, -1, NONE}}, {{1, 1, NONE}}, {{100, 100, NONE}}},
        {"bounded", {{1, NONE, NONE}}, {{MAX, NONE, NONE}}, {{INT32_MAX, NONE, NONE}}},
        {"unused capacity is left out", {{100, 100, NONE}}, {{NONE, 10, NONE}}, {{NONE, 10, NONE}}},
    };
    YK_RESVEC(got);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec capacity = vec(cases[i].capacity), used = vec(cases[i].used);
        yk_resvec_percent(&capacity, &used, &got);
        check(cases[i].what, &got, cases[i].want);
        yk_resvec_percent(NULL, &used, &got);
        check("no capacity at all", &got, (struct three){{NONE, NONE, NONE}});
    }
}

static bool near(double a, double b)
{
    return a - b < 1e-12 && b - a < 1e-12;
}

/* M18: 0 stays 0, a total of 0 or none leaves the raw value, and the list is sorted. M19: the order of
 * lists. */
static void shares(void **state)
{
    (void)state;
    struct yk_resvec none = vec((struct three){{4, 0, 6}}), zero = vec((struct three){{0, 9, 3}});
    double shares_of_none[YK_RESTYPE_MAX];
    assert_int_equal(yk_resvec_shares(&none, &zero, shares_of_none), 3);
    assert_true(near(shares_of_none[0], 0) && near(shares_of_none[1], 2) && near(shares_of_none[2], 4));
    struct yk_resvec r = vec((struct three){{5, 10, 0}}), total = vec((struct three){{10, 100, NONE}});
    double list[YK_RESTYPE_MAX];
    assert_int_equal(yk_resvec_shares(&r, &total, list), 3);
    assert_true(near(list[0], 0) && near(list[1], 0.1) && near(list[2], 0.5));
    assert_int_equal(yk_resvec_shares(&r, NULL, list), 3); /* raw values */
    assert_true(near(list[0], 0) && near(list[1], 5) && near(list[2], 10));

    static const struct {
        const char *what;
        double a[3], b[3];
        int a_count, b_count, want;
    } cases[] = {
        {"largest decides", {0.1, 0.5}, {0.4, 0.6}, 2, 2, -1},
        {"next decides", {0.4, 0.5}, {0.1, 0.5}, 2, 2, 1},
        {"equal", {0.4, 0.5}, {0.4, 0.5}, 2, 2, 0},
        {"longer and positive is larger", {0.1, 0.5}, {0.5}, 2, 1, 1},
        {"longer and negative is smaller", {-0.1, 0.5}, {0.5}, 2, 1, -1},
        {"longer with zeros is equal", {0, 0.5}, {0.5}, 2, 1, 0},
        {"shorter", {0.5}, {0.2, 0.5}, 1, 2, -1},
        {"nothing on both sides", {0}, {0}, 0, 0, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        int got = yk_shares_cmp(cases[i].a, cases[i].a_count, cases[i].b, cases[i].b_count);
        if ((got > 0) - (got < 0) != cases[i].want)
            fail_msg("M19: %s: %d", cases[i].what, got);
    }
}

static void fair_shares(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct three allocated, guaranteed, fair_max;
        double want;
    } cases[] = {
        {"of the guarantee", {{5, 10, NONE}}, {{10, 100, NONE}}, {{NONE, NONE, NONE}}, 0.5},
        {"guarantee before maximum", {{5, NONE, NONE}}, {{10, NONE, NONE}}, {{100, NONE, NONE}}, 0.5},
        {"maximum where nothing is guaranteed",
         {{5, NONE, NONE}},
         {{NONE, 10, NONE}},
         {{20, NONE, NONE}},
         0.25},
        {"guarantee 0, used", {{1, NONE, NONE}}, {{0, NONE, NONE}}, {{100, NONE, NONE}}, 1.0},
        {"guarantee 0, unused", {{0, NONE, NONE}}, {{0, NONE, NONE}}, {{NONE, NONE, NONE}}, 0.0},
        {"maximum 0, used", {{1, NONE, NONE}}, {{NONE, NONE, NONE}}, {{0, NONE, NONE}}, 1.0},
        {"neither defines it", {{1, NONE, NONE}}, {{NONE, 1, NONE}}, {{NONE, 1, NONE}}, 0.0},
        {"negative use is ignored", {{-5, 1, NONE}}, {{1, 10, NONE}}, {{NONE, NONE, NONE}}, 0.1},
        {"above the guarantee", {{30, NONE, NONE}}, {{10, NONE, NONE}}, {{NONE, NONE, NONE}}, 3.0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_resvec allocated = vec(cases[i].allocated), guaranteed = vec(cases[i].guaranteed),
                         fair_max = vec(cases[i].fair_max);
        double got = yk_resvec_fair_share(&allocated, &guaranteed, &fair_max);
        if (!near(got, cases[i].want))
            fail_msg("M20: %s: %f", cases[i].what, got);
    }
    struct yk_resvec allocated = vec((struct three){{1, NONE, NONE}});
    assert_true(near(yk_resvec_fair_share(&allocated, NULL, NULL), 0));
}

static void vectors_print_in_name_order(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_resvec a = vec((struct three){{1, -2, 3}});
    yk_resvec_print(&a, &text);
    assert_string_equal(yk_buf_cstr(&text), "memory:-2 pods:3 vcore:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_from_two_vectors),
        cmocka_unit_test(fits),
        cmocka_unit_test(sums_fit),
        cmocka_unit_test(signs),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(products),
        cmocka_unit_test(percentages),
        cmocka_unit_test(shares),
        cmocka_unit_test(fair_shares),
        cmocka_unit_test(vectors_print_in_name_order),
    };
    return cmocka_run_group_tests_name("resources/resvec", tests, NULL, NULL);
}
