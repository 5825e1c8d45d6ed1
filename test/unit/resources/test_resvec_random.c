/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors with and without columns against a table of all types, in random operations. */
#include "base/random.h"
#include "resources/resvec.h"
#include "resources/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TYPES = 3 * YK_RESTYPE_DENSE, VECTORS = 4, STEPS = 20000 };

struct naive {
    bool has[TYPES];
    int64_t amount[TYPES];
};

static int64_t of(const struct naive *n, int type)
{
    return n->has[type] ? n->amount[type] : 0;
}

static void check(const struct yk_resvec *r, const struct naive *n, const struct naive *other,
                  const struct yk_resvec *other_vector, int step)
{
    int count = 0, last = -1, common = 0;
    bool same = true, equal = true, fits = true, fits_undef = true;
    for (int t = 0; t < TYPES; t++) {
        if (yk_resvec_has(r, t) != n->has[t] || yk_resvec_get(r, t) != of(n, t))
            fail_msg("step %d: type %d", step, t);
        count += n->has[t];
        common += n->has[t] && other->has[t];
        same = same && n->has[t] == other->has[t] && of(n, t) == of(other, t);
        equal = equal && of(n, t) == of(other, t);
        fits = fits && !(n->has[t] && of(n, t) > YK_MAX(of(other, t), 0));
        fits_undef = fits_undef && !(n->has[t] && other->has[t] && of(n, t) > YK_MAX(of(other, t), 0));
    }
    yk_resvec_foreach(t, r)
    {
        if (t <= last)
            fail_msg("step %d: order", step);
        last = t;
        count--;
    }
    assert_int_equal(count, 0);
    assert_int_equal(yk_resvec_count_common(r, other_vector), common);
    assert_int_equal(yk_resvec_match_any(r, other_vector), common > 0);
    assert_int_equal(yk_resvec_same(r, other_vector), same);
    assert_int_equal(yk_resvec_eq(r, other_vector), equal);
    assert_int_equal(yk_resvec_fit(other_vector, r), fits);
    assert_int_equal(yk_resvec_fit_undef(other_vector, r), fits_undef);
    if (same)
        assert_int_equal(yk_resvec_hash(r), yk_resvec_hash(other_vector));
}

static void change(struct yk_resvec *a, struct naive *n, const struct yk_resvec *b, const struct naive *m,
                   struct yk_random *random)
{
    uint64_t operation = yk_random_below(random, 10);
    int type = (int)yk_random_below(random, TYPES);
    int64_t amount = (int64_t)yk_random_below(random, 9) - 4;
    switch (operation) {
    case 0:
        yk_resvec_put(a, type, amount);
        break;
    case 1:
        yk_resvec_remove(a, type);
        break;
    case 2:
        yk_resvec_add(a, b);
        break;
    case 3:
        yk_resvec_sub(a, b);
        break;
    case 4:
        yk_resvec_min(a, b);
        break;
    case 5:
        yk_resvec_max(a, b);
        break;
    case 6:
        yk_resvec_keep_types(a, b);
        break;
    case 7:
        yk_resvec_remove_types(a, b);
        break;
    case 8:
        yk_resvec_prune(a);
        break;
    default:
        yk_resvec_copy(a, b);
        break;
    }
    const struct naive own = *n, by = *m;
    for (int t = 0; t < TYPES; t++) {
        bool either = own.has[t] || by.has[t];
        switch (operation) {
        case 0:
            n->has[t] = own.has[t] || t == type;
            n->amount[t] = t == type ? amount : own.amount[t];
            break;
        case 1:
            n->has[t] = own.has[t] && t != type;
            break;
        case 2:
        case 3:
            n->has[t] = either;
            n->amount[t] =
                operation == 2 ? yk_i64_add(of(&own, t), of(&by, t)) : yk_i64_sub(of(&own, t), of(&by, t));
            break;
        case 4:
            n->has[t] = either;
            n->amount[t] = !own.has[t]  ? by.amount[t]
                           : !by.has[t] ? own.amount[t]
                                        : YK_MIN(own.amount[t], by.amount[t]);
            break;
        case 5:
            n->has[t] = either;
            n->amount[t] = YK_MAX(of(&own, t), of(&by, t));
            break;
        case 6:
            n->has[t] = own.has[t] && by.has[t];
            break;
        case 7:
            n->has[t] = own.has[t] && !by.has[t];
            break;
        case 8:
            n->has[t] = own.has[t] && own.amount[t] != 0;
            break;
        default:
            *n = by;
            break;
        }
    }
}

static void as_a_table(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct yk_resvec vectors[VECTORS] = {{0}, {0}, {0}, {0}};
        struct naive naive[VECTORS] = {{.has = {false}}};
        struct yk_random random;
        yk_random_init(&random, seed);
        for (int step = 0; step < STEPS; step++) {
            size_t a = yk_random_below(&random, VECTORS), b = yk_random_below(&random, VECTORS);
            if (a == b)
                continue;
            change(&vectors[a], &naive[a], &vectors[b], &naive[b], &random);
            check(&vectors[a], &naive[a], &naive[b], &vectors[b], step);
            const struct yk_resvec *shared = yk_shared_get(&vectors[a]);
            assert_true(yk_resvec_same(shared, &vectors[a]));
            yk_shared_put(shared);
        }
        for (int i = 0; i < VECTORS; i++)
            yk_resvec_done(&vectors[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_table)};
    return cmocka_run_group_tests_name("resources/resvec_random", tests, NULL, NULL);
}
