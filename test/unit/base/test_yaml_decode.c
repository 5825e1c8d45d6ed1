/* SPDX-License-Identifier: Apache-2.0 */
/* The schema decoder by itself: what a table can say, and the limits of a text. */
#include "base/yaml_decode.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct item {
    struct yk_str name;
    uint64_t weight;
};

struct thing {
    struct yk_str name;
    bool on, on_is_set;
    struct item *items;
    uint32_t item_count;
    struct thing *inner;
};

static enum yk_status no_thirteen(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                                  void *object)
{
    const struct item *item = object;
    return item->weight == 13 ? yk_yaml_fail(decoder, node, "13 is unlucky") : YK_OK;
}

static const struct yk_yaml_field item_fields[] = {
    {.key = "name", .kind = YK_YAML_FIELD_TEXT, .offset = offsetof(struct item, name), .required = true},
    {.key = "weight", .kind = YK_YAML_FIELD_UINT, .offset = offsetof(struct item, weight)},
};
static const struct item item_defaults = {.weight = 7};
static const struct yk_yaml_schema item_schema = {.what = "an item",
                                                  .size = sizeof(struct item),
                                                  .fields = item_fields,
                                                  .field_count = YK_COUNT(item_fields),
                                                  .defaults = &item_defaults,
                                                  .check = no_thirteen};

static const struct yk_yaml_schema thing_schema;
static const struct yk_yaml_field thing_fields[] = {
    {.key = "name", .kind = YK_YAML_FIELD_TEXT, .offset = offsetof(struct thing, name)},
    {.key = "on",
     .kind = YK_YAML_FIELD_BOOL,
     .offset = offsetof(struct thing, on),
     .aside = offsetof(struct thing, on_is_set)},
    {.key = "items",
     .kind = YK_YAML_FIELD_LIST,
     .offset = offsetof(struct thing, items),
     .aside = offsetof(struct thing, item_count),
     .schema = &item_schema,
     .max = 3},
    {.key = "inner",
     .kind = YK_YAML_FIELD_POINTER,
     .offset = offsetof(struct thing, inner),
     .schema = &thing_schema},
};
static const struct yk_yaml_schema thing_schema = {.what = "a thing",
                                                   .size = sizeof(struct thing),
                                                   .fields = thing_fields,
                                                   .field_count = YK_COUNT(thing_fields)};

static const struct yk_yaml_limits limits = {.nodes = 60, .memory_bytes = 4000, .depth = 3};

static enum yk_status decode(const char *text, bool names_keys, struct yk_arena *arena, struct thing *thing,
                             struct yk_err *err)
{
    struct yk_yaml_decoder decoder = {
        .arena = arena, .limits = &limits, .names_keys = names_keys, .refuses_nul = true, .err = err};
    struct yk_arena scratch = {0};
    struct yk_yaml_node *root = NULL;
    enum yk_status st = yk_yaml_parse(yk_str_from(text), &limits, &scratch, &root, err);
    if (st == YK_OK)
        st = yk_yaml_decode(&decoder, &thing_schema, root, thing);
    yk_arena_done(&scratch);
    return st;
}

static void a_table_fills_a_struct(void **state)
{
    (void)state;
    struct yk_arena arena = {0};
    struct thing thing = {0};
    struct yk_err err = {0};
    if (decode("base: &b {name: m, weight: 2}", false, &arena, &thing, &err) == YK_OK)
        fail_msg("an unknown key is accepted");
    if (decode("name: n\non: true\nitems: [&a {name: x}, ~, {<<: *a, weight: 2}]\ninner: {name: ~}", false,
               &arena, &thing, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_true(yk_str_is(thing.name, "n"));
    assert_true(thing.on && thing.on_is_set);
    assert_int_equal(thing.item_count, 2); /* a null is no item */
    assert_int_equal(thing.items[0].weight, 7);
    assert_true(yk_str_is(thing.items[1].name, "x"));
    assert_int_equal(thing.items[1].weight, 2);
    assert_non_null(thing.inner);
    assert_true(yk_str_empty(thing.inner->name));
    yk_arena_done(&arena);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *by_field, *by_key;
        enum yk_status status;
    } cases[] = {
        {"an unknown key", "nome: x", "line 1, column 1: field 'nome' is not known in a thing",
         "line 1, column 1: unknown key 'nome'; known here: name, on, items, inner", YK_ERR_INVALID},
        {"a key twice", "name: x\nname: y", "line 2, column 1: field 'name' is there twice in a thing",
         "line 2, column 1: 'name' is there twice", YK_ERR_INVALID},
        {"another shape", "name: [x]", "line 1, column 7: field 'name' must be a text, not a list",
         "line 1, column 7: a text is expected here", YK_ERR_INVALID},
        {"no mapping", "x", "line 1, column 1: a thing must be a mapping, not a single value",
         "line 1, column 1: a mapping is expected here", YK_ERR_INVALID},
        {"a required key", "items: [{weight: 1}]", "column 9: 'name' is missing", "'name' is missing",
         YK_ERR_INVALID},
        {"a required key that is null", "items: [{name: ~}]", "'name' is missing", "'name' is missing",
         YK_ERR_INVALID},
        {"a check", "items: [{name: a, weight: 13}]", "column 9: 13 is unlucky", "13 is unlucky",
         YK_ERR_INVALID},
        {"a zero byte", "name: \"\\0\"", "zero byte", "zero byte", YK_ERR_INVALID},
        {"too many items", "items: [{name: a}, {name: b}, {name: c}, {name: d}]", "4 items are more than 3",
         "4 items are more than 3", YK_ERR_LIMIT},
        {"too many values",
         "items: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,"
         "29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,"
         "56,57,58,59,60]",
         "too many values", "too many values", YK_ERR_LIMIT},
        {"too deep", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
         "nested too deeply", "nested too deeply", YK_ERR_LIMIT},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        for (int names_keys = 0; names_keys < 2; names_keys++) {
            struct yk_arena arena = {0};
            struct thing thing = {0};
            struct yk_err err = {0};
            enum yk_status st = decode(cases[i].text, names_keys == 1, &arena, &thing, &err);
            if (st != cases[i].status ||
                strstr(err.text, names_keys == 1 ? cases[i].by_key : cases[i].by_field) == NULL)
                fail_msg("%s: status %d, '%s'", cases[i].what, st, err.text);
            yk_arena_done(&arena);
        }
    }
}

static void what_aliases_repeat_is_bounded(void **state)
{
    (void)state;
    struct yk_arena arena = {0};
    struct thing thing = {0};
    struct yk_err err = {0};
    /* Each level holds the one before it three times. */
    assert_int_equal(decode("inner: {items: &a [{name: x}, {name: y}, {name: z}],\n"
                            " inner: {items: *a, inner: {items: *a, inner: {items: *a, inner: {items: *a,\n"
                            " inner: {items: *a, inner: {items: *a, inner: {items: *a}}}}}}}}",
                            false, &arena, &thing, &err),
                     YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "aliases repeat more than 60 values"));
    yk_arena_done(&arena);
}

static void an_error_by_its_line(void **state)
{
    (void)state;
    struct yk_err err = {0};
    assert_int_equal(yk_yaml_fail_by_line(&err, yk_fail_at(&err, YK_ERR_INVALID, 3, 5, "no")),
                     YK_ERR_INVALID);
    assert_string_equal(err.text, "line 3: no");
    (void)yk_fail_in(&err, YK_ERR_INVALID, "file"); /* the text is looked at */
    assert_string_equal(err.text, "file: line 3: no");
    (void)yk_yaml_fail_by_line(&err, yk_fail(&err, YK_ERR_INVALID, "no place"));
    assert_string_equal(err.text, "no place");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_fills_a_struct),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(what_aliases_repeat_is_bounded),
        cmocka_unit_test(an_error_by_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
