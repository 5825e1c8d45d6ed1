/* SPDX-License-Identifier: Apache-2.0 */
#include "web/target.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void targets(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool fine;
        const char *path, *query; /* NULL: absent */
    } cases[] = {
        {"/a/b", true, "/a/b", NULL},
        {"/a?x=1&y", true, "/a", "x=1&y"},
        {"/a?", true, "/a", ""},
        {"/a#b?c", true, "/a", NULL},
        {"http://host:9080/a?b", true, "/a", "b"},
        {"http://host", true, "/", NULL},
        {"", false, NULL, NULL},
        {"*", false, NULL, NULL},
        {"host:80", false, NULL, NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_target target = {0};
        bool fine = yk_target_parse(yk_str_from(cases[i].text), &target);
        if (fine != cases[i].fine || (fine && !yk_str_is(target.path, cases[i].path)) ||
            (fine && ((target.query.p == NULL) != (cases[i].query == NULL) ||
                      !yk_str_eq(target.query, yk_str_from(cases[i].query)))))
            fail_msg("'%s': path '" YK_STR_FMT "'", cases[i].text, YK_STR_ARG(target.path));
    }
}

static void decoding(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool plus;
        const char *want; /* NULL: refused */
        const char *bad;
    } cases[] = {
        {"a%2Fb", false, "a/b", NULL},  {"%41%5a%5A", false, "AZZ", NULL},
        {"a+b", false, "a+b", NULL},    {"a+b", true, "a b", NULL},
        {"%252F", false, "%2F", NULL},  {"%zz", false, NULL, "%zz"},
        {"ok%4", false, NULL, "%4"},    {"%", false, NULL, "%"},
        {"%2Gabc", false, NULL, "%2G"}, {"\xc3\xa4", false, "\xc3\xa4", NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf out = {0};
        struct yk_str bad = {0};
        bool fine = yk_percent_decode(yk_str_from(cases[i].text), cases[i].plus, &out, &bad);
        if (fine != (cases[i].want != NULL) || (fine && strcmp(yk_buf_cstr(&out), cases[i].want) != 0) ||
            (!fine && !yk_str_is(bad, cases[i].bad)))
            fail_msg("'%s': '%s', bad '" YK_STR_FMT "'", cases[i].text, yk_buf_cstr(&out), YK_STR_ARG(bad));
        yk_buf_done(&out);
    }
}

static void query_values(void **state)
{
    (void)state;
    static const struct {
        const char *query, *key;
        bool there;
        const char *value;
    } cases[] = {
        {"a=1&b=2", "b", true, "2"},
        {"a=1&a=2", "a", true, "1"}, /* the first counts */
        {"subtree", "subtree", true, ""},
        {"subtree=", "subtree", true, ""},
        {"xsubtree=1", "subtree", false, ""},
        {"a=x%20y+z", "a", true, "x y z"},
        {"%61=1", "a", true, "1"},
        {"a=%zz&a=2", "a", true, "2"}, /* what cannot be decoded is passed over */
        {"", "a", false, ""},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf value = {0};
        bool there = yk_query_get(yk_str_from(cases[i].query), cases[i].key, &value);
        if (there != cases[i].there || strcmp(yk_buf_cstr(&value), cases[i].value) != 0)
            fail_msg("'%s': '%s'", cases[i].query, yk_buf_cstr(&value));
        yk_buf_done(&value);
    }
    assert_false(yk_query_get((struct yk_str){0}, "a", NULL));
}

static void queries_that_cannot_be_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *query, *name, *bad; /* name NULL: the query is good */
    } cases[] = {
        {"", NULL, NULL},
        {"&&a", NULL, NULL},
        {"a=%00+%e4&%61==%25&b", NULL, NULL},
        {"a=1&filter=%zz", "filter", "%zz"},
        {"a=x%2", "a", "%2"},
        {"a=100%&b=%zz", "a", "%"},
        {"%6=1", "%6", "%6"},
        {"=%zz", "", "%zz"},
        {"subtree%", "subtree%", "%"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_str name = {0}, bad = {0};
        bool is_good = yk_query_check(yk_str_from(cases[i].query), &name, &bad);
        if (is_good != (cases[i].name == NULL) ||
            (!is_good && (!yk_str_is(name, cases[i].name) || !yk_str_is(bad, cases[i].bad))))
            fail_msg("'%s': '" YK_STR_FMT "' in '" YK_STR_FMT "'", cases[i].query, YK_STR_ARG(bad),
                     YK_STR_ARG(name));
    }
    struct yk_str name, bad;
    assert_true(yk_query_check((struct yk_str){0}, &name, &bad));
}

static void clean_paths(void **state)
{
    (void)state;
    static const struct {
        const char *path, *want;
    } cases[] = {
        {"/a/b", "/a/b"},   {"/a//b", "/a/b"}, {"//a", "/a"},      {"/a/./b", "/a/b"}, {"/a/../b", "/b"},
        {"/../../a", "/a"}, {"/a/", "/a/"},    {"/a/b/..", "/a/"}, {"/", "/"},         {"/..", "/"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf out = {0};
        yk_path_clean(yk_str_from(cases[i].path), &out);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("'%s': '%s'", cases[i].path, yk_buf_cstr(&out));
        yk_buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets),      cmocka_unit_test(decoding),
        cmocka_unit_test(query_values), cmocka_unit_test(queries_that_cannot_be_decoded),
        cmocka_unit_test(clean_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
