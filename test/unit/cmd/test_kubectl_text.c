/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, amounts, JSON and YAML of `kubectl yunikorn`, without a server. */
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void texts_cannot_steer_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *want;
    } cases[] = {
        {"plain", "root.a-b", "root.a-b"},
        {"letters of other scripts stay",
         "b\xc3\xbc"
         "cher",
         "b\xc3\xbc"
         "cher"},
        {"an escape sequence", "a\x1b[31mred", "a\\x1b[31mred"},
        {"a new line", "a\nb", "a\\nb"},
        {"C1: a control sequence in one character",
         "a\xc2\x9b"
         "31m",
         "a\\x9b31m"},
        {"delete", "a\x7f", "a\\x7f"},
        {"right to left",
         "a\xe2\x80\xae"
         "b",
         "a\\u202eb"},
        {"broken UTF-8", "a\xff\xc3x", "a??x"},
        {"cut UTF-8", "a\xe2\x80", "a??"},
        {"a surrogate", "\xed\xa0\x80", "???"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
        yk_text_for_terminal(yk_str_from(cases[i].text), &out);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("%s: got '%s'", cases[i].what, yk_buf_cstr(&out));
    }
}

static void amounts_are_cores_and_gibibytes(void **state)
{
    (void)state;
    static const struct {
        const char *resource;
        int64_t amount;
        const char *want;
    } cases[] = {
        {"vcore", 0, "0"},
        {"vcore", 4000, "4"},
        {"vcore", 1500, "1.5"},
        {"vcore", 1, "0.001"},
        {"vcore", -2500, "-2.5"},
        {"memory", 0, "0"},
        {"memory", 1023, "1023"},
        {"memory", 1024, "1Ki"},
        {"memory", 1536, "1.5Ki"},
        {"memory", INT64_C(16) << 30, "16Gi"},
        {"memory", (INT64_C(16) << 30) + (INT64_C(1) << 29), "16.5Gi"},
        {"memory", INT64_C(1573072896), "1.465Gi"},
        {"memory", INT64_C(999999999999999), "909.495Ti"},
        {"memory", (INT64_C(1) << 30) - 1, "1Gi"},
        {"memory", (INT64_C(1) << 20) - 1, "1023.999Ki"},
        {"memory", INT64_MAX, "8Ei"},
        {"memory", INT64_MIN, "-8Ei"},
        {"ephemeral-storage", INT64_C(10) << 20, "10Mi"},
        {"hugepages-2Mi", 2 << 20, "2Mi"},
        {"nvidia.com/gpu", 3, "3"},
        {"pods", 110, "110"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
        yk_quantity_put(&out, cases[i].resource, cases[i].amount);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("%s %lld: got '%s', not '%s'", cases[i].resource, (long long)cases[i].amount,
                     yk_buf_cstr(&out), cases[i].want);
    }
}

static void maps_begin_with_cpu_and_memory(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    json_t *map = json_pack("{s:i,s:I,s:i,s:i,s:s}", "nvidia.com/gpu", 2, "memory",
                            (json_int_t)(INT64_C(1) << 30), "pods", 0, "vcore", 250, "strange", "text");
    yk_quantities_put(&out, map, false);
    assert_string_equal(yk_buf_cstr(&out), "cpu 0.25, memory 1Gi, nvidia.com/gpu 2");
    yk_buf_clear(&out);
    yk_quantities_put(&out, map, true);
    assert_string_equal(yk_buf_cstr(&out), "cpu 0.25, memory 1Gi, nvidia.com/gpu 2, pods 0");
    yk_buf_clear(&out);
    yk_quantities_put(&out, NULL, true);
    assert_string_equal(yk_buf_cstr(&out), "");
    json_decref(map);
}

/* The largest amount stands for larger ones, but only in requests. */
static void requests_may_be_larger(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    json_int_t most = INT64_C(1) << 48;
    json_t *map = json_pack("{s:I,s:I,s:i}", "memory", most, "hugepages-2Mi", most - 1, "pods", 0);
    yk_request_put(&out, map, false);
    assert_string_equal(yk_buf_cstr(&out), "memory 256Ti or more, hugepages-2Mi 256Ti");
    yk_buf_clear(&out);
    yk_request_put(&out, map, true);
    assert_string_equal(yk_buf_cstr(&out), "memory 256Ti or more, hugepages-2Mi 256Ti, pods 0");
    yk_buf_clear(&out);
    yk_quantities_put(&out, map, false);
    assert_string_equal(yk_buf_cstr(&out), "memory 256Ti, hugepages-2Mi 256Ti");
    json_decref(map);
}

static void ages_are_those_of_kubectl(void **state)
{
    (void)state;
    static const struct {
        int64_t seconds;
        const char *want;
    } cases[] = {{-5, "0s"},
                 {0, "0s"},
                 {119, "119s"},
                 {180, "3m"},
                 {200, "3m20s"},
                 {3600, "60m"},
                 {3 * 3600, "3h"},
                 {5 * 3600 + 720, "5h12m"},
                 {36000, "10h"},
                 {3 * 86400, "3d"},
                 {3 * 86400 + 4 * 3600, "3d4h"},
                 {400 * 86400, "400d"}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
        yk_age_put(&out, cases[i].seconds * YK_NS_PER_S);
        if (strcmp(yk_buf_cstr(&out), cases[i].want) != 0)
            fail_msg("%lld s: got '%s'", (long long)cases[i].seconds, yk_buf_cstr(&out));
    }
}

/* What `print` writes. The caller frees it. */
static char *printed(void (*print)(FILE *out))
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    print(out);
    (void)fclose(out);
    return text;
}

static void print_small_table(FILE *out)
{
    static const char *const headers[] = {"NAME", "STATE"};
    struct yk_table table;
    yk_table_init(&table, headers, 2);
    yk_table_add(&table, YK_STR("b\xc3\xbc"
                                "cher"));
    yk_table_add(&table, YK_STR(""));
    yk_table_add(&table, YK_STR("7"));
    yk_table_add(&table, YK_STR("\x1b[2J"));
    yk_table_print(&table, true, out);
    yk_table_done(&table);
}

static void columns_are_as_wide_as_their_longest_cell(void **state)
{
    (void)state;
    char *text = printed(print_small_table);
    assert_string_equal(text, "NAME     STATE\n"
                              "b\xc3\xbc"
                              "cher   <none>\n"
                              "7        \\x1b[2J\n");
    free(text);
}

static void print_long_cell(FILE *out)
{
    static const char *const headers[] = {"A"};
    YK_CLEANUP(yk_buf_done) struct yk_buf cell = {0};
    struct yk_table table;
    for (int i = 0; i < 4000; i++)
        yk_buf_text(&cell, "\xc3\xbc");
    yk_table_init(&table, headers, 1);
    yk_table_add(&table, yk_buf_view(&cell));
    yk_table_print(&table, false, out);
    yk_table_done(&table);
}

static void long_cells_are_cut_between_characters(void **state)
{
    (void)state;
    char *text = printed(print_long_cell);
    assert_int_equal(strlen(text), YK_TABLE_CELL_MAX + strlen("...\n"));
    assert_non_null(strstr(text, "\xc3\xbc...\n"));
    free(text);
}

static void yaml_reads_back_as_it_was(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    json_t *tree = json_pack("{s:s,s:s,s:s,s:i,s:b,s:n,s:[],s:{},s:[s,{s:s}],s:s,s:s}", "name", "root.a",
                             "word", "no", "number", "12", "count", 12, "is", 1, "nothing", "list", "map",
                             "items", "a: b", "key", "v", "hostile", "\x1b[31m\xc2\x9b", "empty", "");
    assert_true(yk_yaml_put(tree, &out));
    assert_string_equal(yk_buf_cstr(&out), "name: root.a\n"
                                           "word: \"no\"\n"
                                           "number: \"12\"\n"
                                           "count: 12\n"
                                           "is: true\n"
                                           "nothing: null\n"
                                           "list: []\n"
                                           "map: {}\n"
                                           "items:\n"
                                           "- 'a: b'\n"
                                           "- key: v\n"
                                           "hostile: \"\\e[31m\\x9B\"\n"
                                           "empty: \"\"\n");
    json_decref(tree);
}

static void json_stays_json(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_json_for_terminal(YK_STR("{\"a\":\"\\u001b b\xc3\xbc \xc2\x9b \xe2\x80\xae \x7f\"}"), &out);
    assert_string_equal(yk_buf_cstr(&out), "{\"a\":\"\\u001b b\xc3\xbc \\u009b \\u202e \\u007f\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_cannot_steer_a_terminal),
        cmocka_unit_test(amounts_are_cores_and_gibibytes),
        cmocka_unit_test(maps_begin_with_cpu_and_memory),
        cmocka_unit_test(requests_may_be_larger),
        cmocka_unit_test(ages_are_those_of_kubectl),
        cmocka_unit_test(columns_are_as_wide_as_their_longest_cell),
        cmocka_unit_test(long_cells_are_cut_between_characters),
        cmocka_unit_test(yaml_reads_back_as_it_was),
        cmocka_unit_test(json_stays_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
