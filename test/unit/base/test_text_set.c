/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of objects by a text of theirs (base/text_set.h) against a naive model; a failure prints the seed. */
#include "base/map.h"
#include "base/random.h"
#include "base/text_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { SEEDS = 20, STEPS = 3000, ITEMS = 200 };

struct person {
    char name[16];
    bool is_there;
    size_t seen;
    uint32_t hash;
};

static struct yk_str name_of(const void *item)
{
    return yk_str_from(((const struct person *)item)->name);
}

static uint32_t hash_of(const void *item)
{
    return ((const struct person *)item)->hash;
}

static void fill(struct person *people)
{
    for (int i = 0; i < ITEMS; i++) {
        people[i] = (struct person){.is_there = false};
        (void)snprintf(people[i].name, sizeof(people[i].name), "%.*s%d", i % 4, "aaaa", i);
        people[i].hash = yk_text_set_hash(name_of(&people[i]));
    }
}

static size_t count_of(const struct person *people)
{
    size_t count = 0;
    for (int i = 0; i < ITEMS; i++)
        count += people[i].is_there;
    return count;
}

/* Each member is found, under its text and by iteration; nothing else is. */
static void check(const struct yk_text_set *set, struct person *people, uint64_t seed)
{
    struct person *each;
    for (int i = 0; i < ITEMS; i++)
        people[i].seen = 0;
    yk_text_set_foreach (each, set)
        each->seen++;
    for (int i = 0; i < ITEMS; i++) {
        const struct person *want = people[i].is_there ? &people[i] : NULL;
        if (yk_text_set_get(set, name_of(&people[i])) != want || people[i].seen != people[i].is_there)
            fail_msg("seed %llu: '%s' was seen %zu times", (unsigned long long)seed, people[i].name,
                     people[i].seen);
    }
    assert_int_equal(set->count, count_of(people));
    assert_true(set->count * 8 <= (set->mask + 1) * 7);
}

static void step(struct yk_text_set *set, struct person *one, uint64_t how, uint64_t seed)
{
    struct person *want = one->is_there ? one : NULL;
    uint32_t hash = yk_text_set_hash(name_of(one));
    bool as_said = true;
    switch (how) {
    case 0:
        as_said = yk_text_set_find(set, name_of(one), hash) == want;
        if (want == NULL)
            yk_text_set_add(set, one, hash);
        break;
    case 1:
        as_said = yk_text_set_remove(set, name_of(one)) == want;
        break;
    case 2:
        as_said = yk_text_set_take(set, one, hash) == one->is_there;
        break;
    default:
        as_said = yk_text_set_find(set, name_of(one), hash) == want;
        if (want == NULL)
            yk_text_set_add(set, one, hash);
    }
    one->is_there = how == 0 || how > 2;
    if (!as_said)
        fail_msg("seed %llu: '%s', way %llu", (unsigned long long)seed, one->name, (unsigned long long)how);
}

static void a_text_set_is_what_was_put(void **state)
{
    (void)state;
    struct person people[ITEMS];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct yk_text_set set;
        struct yk_random random;
        yk_random_init(&random, seed);
        fill(people);
        if (seed % 2 == 0)
            yk_text_set_init(&set, name_of);
        else
            yk_text_set_init_hashed(&set, name_of, hash_of);
        for (int i = 0; i < STEPS; i++) {
            /* Now it fills up, now it empties. */
            uint64_t ways = i / 500 % 2 == 0 ? 4 : 3;
            step(&set, &people[yk_random_below(&random, ITEMS)], yk_random_below(&random, ways), seed);
            if (i % 100 == 0)
                check(&set, people, seed);
        }
        check(&set, people, seed);
        yk_text_set_done(&set);
        assert_null(yk_text_set_get(&set, YK_STR("1")));
    }
}

static void count_visit(void *context, void *item)
{
    (void)context;
    ((struct person *)item)->seen++;
}

/* The first half is there all the time, and others come and go, so that the set grows. */
static void a_walk_in_pieces_meets_each_once(void **state)
{
    enum { STAY = ITEMS / 2 };
    (void)state;
    struct person people[ITEMS];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct yk_text_set set;
        struct yk_random random;
        yk_random_init(&random, seed);
        fill(people);
        if (seed % 2 == 0)
            yk_text_set_init(&set, name_of);
        else
            yk_text_set_init_hashed(&set, name_of, hash_of);
        yk_text_set_visit(&set, 0, 1, count_visit, NULL); /* nothing */
        for (int i = 0; i < STAY; i++)
            step(&set, &people[i], 0, seed);
        size_t buckets = set.mask + 1;
        for (size_t i = 0; i < buckets; i++) {
            yk_text_set_visit(&set, i, buckets, count_visit, NULL);
            for (int j = 0; j < 3; j++)
                step(&set, &people[STAY + yk_random_below(&random, STAY)], yk_random_below(&random, 4), seed);
        }
        assert_true(set.mask + 1 > buckets);
        for (int i = 0; i < STAY; i++) {
            if (people[i].seen != 1)
                fail_msg("seed %llu: '%s' was seen %zu times", (unsigned long long)seed, people[i].name,
                         people[i].seen);
        }
        yk_text_set_done(&set);
    }
}

static void another_with_the_same_text_is_not_it(void **state)
{
    (void)state;
    struct person one = {.name = "same"}, other = {.name = "same"}, empty = {.name = ""};
    struct yk_text_set set;
    yk_text_set_init(&set, name_of);
    assert_null(yk_text_set_remove(&set, YK_STR("same")));
    assert_false(yk_text_set_take(&set, &one, yk_text_set_hash(YK_STR("same"))));
    yk_text_set_add(&set, &one, yk_text_set_hash(YK_STR("same")));
    assert_int_equal(set.count, 1);
    assert_false(yk_text_set_take(&set, &other, yk_text_set_hash(YK_STR("same"))));
    assert_ptr_equal(yk_text_set_get(&set, YK_STR("same")), &one);
    assert_null(yk_text_set_get(&set, YK_STR("")));
    yk_text_set_add(&set, &empty, yk_text_set_hash(YK_STR("")));
    assert_ptr_equal(yk_text_set_get(&set, (struct yk_str){0}), &empty); /* absent is empty */
    yk_text_set_done(&set);
}

/* Two texts with one hash cannot be made up: the hash is given. */
static void equal_hashes_are_told_apart_by_their_texts(void **state)
{
    (void)state;
    struct person people[ITEMS];
    struct yk_text_set set;
    fill(people);
    yk_text_set_init(&set, name_of);
    for (int i = 0; i < ITEMS; i++)
        yk_text_set_add(&set, &people[i], 7);
    assert_true(yk_text_set_take(&set, &people[3], 7));
    assert_null(yk_text_set_find(&set, name_of(&people[3]), 7));
    for (int i = 0; i < ITEMS; i++) {
        if (i != 3)
            assert_ptr_equal(yk_text_set_find(&set, name_of(&people[i]), 7), &people[i]);
    }
    yk_text_set_done(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_set_is_what_was_put),
        cmocka_unit_test(a_walk_in_pieces_meets_each_once),
        cmocka_unit_test(another_with_the_same_text_is_not_it),
        cmocka_unit_test(equal_hashes_are_told_apart_by_their_texts),
    };
    return cmocka_run_group_tests_name("base/text_set", tests, NULL, NULL);
}
