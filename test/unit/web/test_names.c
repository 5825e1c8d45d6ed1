/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of names, compared with a list that is kept whole. */
#include "web/names.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NAMES_MAX = 3000, WINDOW = 4096 };

struct name {
    char text[40];
    int64_t rank;
};

static struct name source[NAMES_MAX];

static void fill(struct yk_random *random, size_t count, uint64_t ranks)
{
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(source[i].text, sizeof(source[i].text), "n.%llu.%zu",
                       (unsigned long long)yk_random_below(random, 100), i);
        source[i].rank = (int64_t)yk_random_below(random, ranks) - 1;
    }
}

static void add_all(struct yk_names *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        yk_names_add(names, yk_str_from(source[i].text), source[i].rank, &source[i]);
}

/* The windows one after the other are the whole list in its order, and each is small. */
static void windows_join_to_the_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct yk_random random;
        struct yk_names whole = {.as_paths = seed % 4 == 0},
                        part = {.window = WINDOW, .as_paths = seed % 4 == 0};
        yk_random_init(&random, seed);
        size_t count = (size_t)yk_random_below(&random, NAMES_MAX), at = 0, windows = 0;
        fill(&random, count, seed % 4 == 0 ? 1 : 1 + seed % 3 * 20);
        add_all(&whole, count);
        yk_names_sort(&whole);
        do {
            add_all(&part, count);
            yk_names_sort(&part);
            assert_true(part.block.len + part.count * sizeof(struct yk_name_entry) <= WINDOW);
            assert_int_equal(part.seen, count);
            assert_int_equal(part.behind, count - at);
            for (size_t i = 0; i < part.count; i++) {
                if (part.items[i].object != whole.items[at++].object)
                    fail_msg("seed %llu: entry %zu", (unsigned long long)seed, at - 1);
            }
            windows++;
        } while (yk_names_go_on(&part));
        assert_int_equal(at, count);
        assert_true(count < 200 || windows > 2);
        yk_names_done(&whole);
        yk_names_done(&part);
    }
}

static void entries_of_one_place_are_not_torn(void **state)
{
    (void)state;
    struct yk_names names = {.window = WINDOW};
    size_t met = 0;
    do {
        for (size_t i = 0; i < 300; i++)
            yk_names_add(&names, i % 3 == 0 ? YK_STR("same") : YK_STR("zz"), 0, &source[i]);
        yk_names_sort(&names);
        for (size_t i = 0; i < names.count; i++)
            met += yk_str_is(names.items[i].text, "same");
    } while (yk_names_go_on(&names));
    assert_true(met > 0 &&
                met <= 100); /* more than a window of one place: the others are lost, and it ends */
    yk_names_done(&names);
}

static void a_window_begins_at_or_behind_an_entry(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        int64_t rank;
        bool is_behind;
        const char *first;
    } cases[] = {
        {"at an entry", "b", 1, false, "b"},       {"behind an entry", "b", 1, true, "c"},
        {"between two", "bb", 1, false, "c"},      {"rank comes first", "z", 0, true, "a"},
        {"behind the last one", "c", 1, true, ""},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_names names = {.window = WINDOW};
        yk_names_go_to(&names, cases[i].rank, yk_str_from(cases[i].text), cases[i].is_behind);
        yk_names_add(&names, YK_STR("c"), 1, NULL);
        yk_names_add(&names, YK_STR("b"), 1, NULL);
        yk_names_add(&names, YK_STR("b"), 1, NULL);
        yk_names_add(&names, YK_STR("a"), 1, NULL);
        yk_names_sort(&names);
        if (cases[i].first[0] == '\0' ? names.count > 0 : !yk_str_is(names.items[0].text, cases[i].first))
            fail_msg("%s", cases[i].what);
        if (cases[i].first[0] == 'b')
            assert_int_equal(names.count, 2); /* what is there twice is listed once */
        yk_names_done(&names);
    }
}

static void the_last_entry_with_a_text_is_found(void **state)
{
    (void)state;
    struct yk_names names = {.window = WINDOW, .wanted = YK_STR("x")};
    yk_names_add(&names, YK_STR("x"), 3, NULL);
    yk_names_add(&names, YK_STR("x"), 7, NULL);
    yk_names_add(&names, YK_STR("x"), 5, NULL);
    assert_true(names.is_found && names.is_ranked);
    assert_int_equal(names.found_rank, 7);
    yk_names_clear(&names);
    assert_false(names.is_found || names.is_ranked);
    yk_names_done(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_join_to_the_list),
        cmocka_unit_test(entries_of_one_place_are_not_torn),
        cmocka_unit_test(a_window_begins_at_or_behind_an_entry),
        cmocka_unit_test(the_last_entry_with_a_text_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
