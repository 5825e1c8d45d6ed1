/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/resvec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static int add(const char *name)
{
    int type = -1;
    assert_int_equal(yk_restype_add(yk_str_from(name), &type, NULL), YK_OK);
    assert_string_equal(yk_restype_name(type), name);
    return type;
}

static void a_name_has_one_type(void **state)
{
    (void)state;
    struct yk_err err = {0};
    int again = -1;
    assert_int_equal(yk_restype_find(YK_STR("vcore")), YK_RESTYPE_VCORE);
    assert_int_equal(yk_restype_find(YK_STR("nvidia.com/gpu")), YK_RESTYPE_UNKNOWN);
    uint64_t additions = yk_restype_additions();
    int type = add("nvidia.com/gpu");
    bool has_column = YK_RESTYPE_WELL_KNOWN < YK_RESTYPE_DENSE;
    assert_int_equal(type, has_column ? YK_RESTYPE_WELL_KNOWN : YK_RESTYPE_ASKED + YK_RESTYPE_ASKED_MAX);
    assert_int_equal(add("nvidia.com/gpu"), type);
    assert_int_equal(yk_restype_additions(), additions + 1);
    assert_int_equal(yk_restype_find(YK_STR("nvidia.com/gpu")), type);
    char name[YK_RESTYPE_NAME_MAX + 1];
    memset(name, 'n', sizeof(name));
    assert_int_equal(yk_restype_add((struct yk_str){name, sizeof(name)}, &again, &err), YK_ERR_LIMIT);
    assert_int_equal(yk_restype_add(YK_STR(""), &again, &err), YK_ERR_LIMIT);
}

static void types_are_sorted_by_name(void **state)
{
    (void)state;
    YK_RESVEC(amounts);
    for (int i = 0; i < 100; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "sorted.example/%d", i);
        yk_resvec_put(&amounts, add(name), i);
    }
    int types[YK_RESTYPE_MAX], count = yk_resvec_types_by_name(&amounts, types);
    assert_int_equal(count, 100);
    for (int i = 1; i < count; i++)
        assert_true(strcmp(yk_restype_name(types[i - 1]), yk_restype_name(types[i])) < 0);
}

/* Ever new names come and go; what is in use keeps its name and its type. */
static void names_that_go_give_their_types_back(void **state)
{
    (void)state;
    char name[32];
    YK_RESVEC(kept);
    int gpu = -1;
    for (int i = 0; i < 40; i++) {
        (void)snprintf(name, sizeof(name), "kept.example/%d", i);
        gpu = add(name);
        yk_resvec_put(&kept, gpu, 1);
    }
    for (int round = 0; round < 300; round++) {
        YK_RESVEC(node);
        yk_restype_give_back();
        for (int i = 0; i < 40; i++) {
            (void)snprintf(name, sizeof(name), "round-%d.example/%d", round, i);
            yk_resvec_put(&node, add(name), 1);
        }
        assert_int_equal(yk_restype_find(YK_STR("kept.example/39")), gpu);
        assert_string_equal(yk_restype_name(gpu), "kept.example/39");
        assert_int_equal(yk_resvec_count(&node), 40);
    }
    assert_true(yk_restype_count() <= YK_RESTYPE_MAX);
    yk_restype_give_back();
    assert_int_equal(yk_restype_find(YK_STR("round-299.example/7")), YK_RESTYPE_UNKNOWN);
    assert_int_equal(yk_restype_in_use(), YK_RESTYPE_DENSE + 40);
}

/* The type of the name "<asker>/<number>", which `asker` asks for. */
static int asked(const char *asker, int number)
{
    char name[32];
    (void)snprintf(name, sizeof(name), "%s/%d", asker, number);
    return yk_restype_asked(yk_str_from(name), yk_str_from(asker));
}

/* However many names one asker has, few of them get types, and others get theirs. */
static void an_asker_has_its_share(void **state)
{
    (void)state;
    YK_RESVEC(held);
    uint64_t additions = yk_restype_additions();
    for (int i = 0; i < 100; i++) {
        int type = asked("hostile", i);
        assert_true(yk_restype_is_asked(type));
        assert_int_equal(type == YK_RESTYPE_UNKNOWN, i >= YK_RESTYPE_ASKED_SHARE);
        yk_resvec_put(&held, type, 1);
    }
    int typo = asked("typo", 0);
    assert_int_not_equal(typo, YK_RESTYPE_UNKNOWN);
    assert_string_equal(yk_restype_name(typo), "typo/0");
    yk_resvec_put(&held, typo, 1);
    assert_int_equal(asked("typo", 0), typo);
    assert_int_equal(yk_restype_asked(YK_STR("typo/0"), YK_STR("hostile")), typo); /* one type per name */
    /* What a node offers is something else: the asks are sent again with its type. */
    assert_int_equal(yk_restype_find(YK_STR("typo/0")), YK_RESTYPE_UNKNOWN);
    assert_int_equal(yk_restype_additions(), additions);
    int offered = add("typo/0");
    assert_false(yk_restype_is_asked(offered));
    assert_int_equal(yk_restype_find(YK_STR("typo/0")), offered);
}

/* A name that no ask has any longer gives its type, and its part of the share, to another. */
static void names_of_asks_become_free(void **state)
{
    (void)state;
    uint32_t generation = 0;
    for (int round = 0; round < 3; round++) {
        YK_RESVEC(held);
        for (int i = 0; i < YK_RESTYPE_ASKED_SHARE; i++)
            yk_resvec_put(&held, asked("often", 100 * round + i), 1);
        assert_false(yk_resvec_has(&held, YK_RESTYPE_UNKNOWN));
        assert_int_equal(yk_resvec_count(&held), YK_RESTYPE_ASKED_SHARE);
        int first = asked("often", 100 * round);
        assert_true(round == 0 || yk_restype_generation(first) > generation);
        generation = yk_restype_generation(first);
    }
    assert_true(yk_restype_count() <= YK_RESTYPE_MAX);
}

/* Then all askers share one type, as long as the others are held. */
static void names_of_asks_have_a_bound(void **state)
{
    (void)state;
    YK_RESVEC(held);
    char asker[32];
    for (int i = 0; i < YK_RESTYPE_ASKED_MAX; i++) {
        (void)snprintf(asker, sizeof(asker), "asker-%d", i);
        yk_resvec_put(&held, asked(asker, 0), 1);
    }
    assert_int_equal(yk_resvec_count(&held), YK_RESTYPE_ASKED_MAX);
    assert_int_equal(asked("late", 0), YK_RESTYPE_UNKNOWN);
    yk_resvec_done(&held);
    assert_int_not_equal(asked("late", 0), YK_RESTYPE_UNKNOWN);
}

static void the_table_has_an_end(void **state)
{
    (void)state;
    struct yk_err err = {0};
    YK_RESVEC(all);
    int type;
    char name[32];
    yk_restype_give_back();
    for (int i = yk_restype_in_use(); i < YK_RESTYPE_MAX - YK_RESTYPE_ASKED_MAX; i++) {
        (void)snprintf(name, sizeof(name), "type-%04d", YK_RESTYPE_MAX - i);
        yk_resvec_put(&all, add(name), i);
    }
    assert_int_equal(yk_restype_add(YK_STR("one-too-many"), &type, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "one-too-many"));
    assert_int_equal(yk_restype_find(YK_STR("one-too-many")), YK_RESTYPE_UNKNOWN);
    yk_resvec_clear(&all);
    yk_restype_give_back();
    assert_int_equal(yk_restype_add(YK_STR("one-too-many"), &type, &err), YK_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_one_type),
        cmocka_unit_test(types_are_sorted_by_name),
        cmocka_unit_test(names_that_go_give_their_types_back),
        cmocka_unit_test(an_asker_has_its_share),
        cmocka_unit_test(names_of_asks_become_free),
        cmocka_unit_test(names_of_asks_have_a_bound),
        cmocka_unit_test(the_table_has_an_end),
    };
    return cmocka_run_group_tests_name("resources/restype", tests, NULL, NULL);
}
