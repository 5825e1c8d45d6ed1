/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about a configuration: where a problem is, and what a change would do. */
#include "config/config.h"

#include "config/configs.h"

static const char *const text = "partitions:\n"                                              /* 1 */
                                "  - name: default\n"                                        /* 2 */
                                "    limits: []\n"                                           /* 3 */
                                "    queues:\n"                                              /* 4 */
                                "      - name: Root\n"                                       /* 5 */
                                "        queues:\n"                                          /* 6 */
                                "          - name: a\n"                                      /* 7 */
                                "            queues: [{name: b}, {name: c}]\n"               /* 8 */
                                "          - {name: d, maxapplications: 3}\n"                /* 9 */
                                "        submitacl: '*'\n"                                   /* 10 */
                                "  - name: other\n"                                          /* 11 */
                                "    queues: [{name: x}, {name: y, queues: []}]\n"           /* 12 */
                                "  - queues: [{name: root, maxapplications: 1}, {name: z}]"; /* 13 */

static void a_place_is_in_a_queue(void **state)
{
    (void)state;
    static const struct {
        uint32_t line, column;
        const char *queue; /* NULL: none */
    } cases[] = {
        {1, 1, NULL},        {3, 5, NULL},          {5, 9, "root"},      {6, 9, "root"},
        {7, 13, "root.a"},   {8, 13, "root.a"},     {8, 22, "root.a.b"}, {8, 29, "root.a.b"},
        {8, 33, "root.a.c"}, {9, 13, "root.d"},     {9, 24, "root.d"},   {10, 9, "root"},
        {11, 5, NULL},       {12, 14, "root.x"},    {12, 25, "root.y"},  {99, 1, NULL},
        {0, 0, NULL},        {13, 27, "root.root"}, /* one of several */
    };
    YK_CLEANUP(yk_queue_places_freep) struct yk_queue_places *places = yk_queue_places_new(yk_str_from(text));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf path = {0};
        bool found = yk_queue_places_find(places, cases[i].line, cases[i].column, &path);
        if (found != (cases[i].queue != NULL) || (found && !yk_str_is(yk_buf_view(&path), cases[i].queue)))
            fail_msg("line %u, column %u: got '%s'", cases[i].line, cases[i].column, yk_buf_cstr(&path));
        yk_buf_done(&path);
    }
    YK_CLEANUP(yk_queue_places_freep)
    struct yk_queue_places *none = yk_queue_places_new(YK_STR("partitions: ["));
    struct yk_buf path = {0};
    assert_false(yk_queue_places_find(none, 1, 1, &path));
    assert_int_equal(path.len, 0);
    yk_buf_done(&path);
}

/* Each of many queues, and an aliased list: its entries belong to the queue where they are written. */
static void one_of_many_queues(void **state)
{
    (void)state;
    enum { QUEUES = 2000 };
    YK_CLEANUP(yk_buf_done) struct yk_buf many = {.max = 1 << 20};
    yk_buf_text(&many, "partitions: [{queues: [{name: root, queues: [{name: a, queues: &list [\n");
    for (int i = 0; i < QUEUES; i++)
        yk_buf_printf(&many, "{name: q%d},\n", i);
    yk_buf_text(&many, "]},\n{name: b, queues: *list}]}]}]\n");
    YK_CLEANUP(yk_queue_places_freep)
    struct yk_queue_places *places = yk_queue_places_new(yk_buf_view(&many));
    for (uint32_t i = 0; i < QUEUES + 1; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf path = {0}, want = {0};
        yk_buf_text(&want, "root.a");
        if (i < QUEUES)
            yk_buf_printf(&want, ".q%u", i);
        assert_true(yk_queue_places_find(places, i + 2, 1, &path));
        assert_string_equal(yk_buf_cstr(&path), yk_buf_cstr(&want));
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    assert_true(yk_queue_places_find(places, QUEUES + 3, 10, &path));
    assert_string_equal(yk_buf_cstr(&path), "root.b");
}

/* An error carries its place also where a program can read it, and layers above write behind the place. */
static void an_error_has_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *queue;
        uint32_t line, column;
        const char *sentence;
    } cases[] = {
        {"{name: x, colour: red}", 5, 17, "line 5, column 17: field 'colour' is not known in a queue"},
        {"{name: x, maxapplications: -1}", 5, 34, "line 5, column 34: "},
        {"{name: x, resources: {max: {vcore: 1x}}}", 5, 42,
         "line 5, column 42: partition 'default': queue 'root.x': max: "},
        {"{name: x, submitacl: 'a b c'}", 5, 28,
         "line 5, column 28: partition 'default': queue 'root.x': submitacl"},
        {"{name: x, limits: [{limit: l, users: [u]}]}", 5, 26,
         "line 5, column 26: partition 'default': queue 'root.x': limit 'l' has neither"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf yaml = {0};
        struct yk_config *config = NULL;
        struct yk_err err = {0};
        yk_buf_printf(&yaml, "partitions:\n- queues:\n  - name: root\n    queues:\n    - %s\n",
                      cases[i].queue);
        assert_int_not_equal(yk_config_load(yk_buf_view(&yaml), &config, &err), YK_OK);
        if (err.line != cases[i].line || err.column != cases[i].column ||
            strncmp(err.text, cases[i].sentence, strlen(cases[i].sentence)) != 0)
            fail_msg("%s: got %u, %u: '%s'", cases[i].queue, err.line, err.column, err.text);
        yk_buf_done(&yaml);
    }
}

static struct yk_config *load(const char *queues)
{
    struct yk_buf yaml = {0};
    struct yk_config *config = NULL;
    struct yk_err err = {0};
    yk_buf_printf(&yaml, "partitions:\n- name: default\n%s\n", queues);
    if (yk_config_load(yk_buf_view(&yaml), &config, &err) != YK_OK)
        fail_msg("%s: %s", queues, err.text);
    yk_buf_done(&yaml);
    return config;
}

static void what_a_change_would_do(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *want;
    } cases[] = {
        {"  queues: [{name: a}, {name: b}]", "  queues: [{name: b}, {name: A}]", ""},
        {"  queues: [{name: a}]", "  queues: [{name: a, queues: [{name: b}]}]",
         "~ queue root.a: kind leaf -> parent\n+ queue root.a.b\n"},
        {"  queues: [{name: a, queues: [{name: b}]}]", "  queues: [{name: c, maxapplications: 2}]",
         "- queue root.a\n- queue root.a.b\n+ queue root.c\n~ queue root.c: maxapplications none -> 2\n"},
        {"  queues: [{name: a, resources: {max: {vcore: 1, memory: 1G}}}]",
         "  queues: [{name: a, resources: {max: {memory: 1G, vcore: 2}}, properties: {x: y}}]",
         "~ queue root.a: resources max {memory: 1G, vcore: 1} -> max {memory: 1G, vcore: 2}\n"
         "~ queue root.a: properties none -> {x: y}\n"},
        {"  queues: [{name: a}]\n  placementrules: [{name: user, create: true}]",
         "  queues: [{name: a}]\n  placementrules: [{name: fixed, value: root.a, filter: {users: [u, v]}}]\n"
         "  preemption: {enabled: false}\n  nodesortpolicy: {type: binpacking}",
         "~ partition default: placementrules user create -> fixed value 'root.a' users [u, v]\n"
         "~ partition default: nodesortpolicy none -> binpacking\n~ partition default: preemption on -> "
         "off\n"},
        {"  queues: [{name: a}]\n  placementrules: [{name: provided}]",
         "  queues: [{name: a, limits: [{users: [u], maxapplications: 1}, {groups: [g], maxapplications: "
         "2}]}]\n"
         "  placementrules: [{name: provided}, {name: fixed, value: root.a}]",
         "~ partition default: placementrules provided -> provided | fixed value 'root.a'\n"
         "~ queue root.a: limits none -> users [u] maxapplications 1 | groups [g] maxapplications 2\n"},
        {"  queues: [{name: a}]", "  queues: [{name: a}]\n- name: two\n  queues: [{name: z}]",
         "+ partition two\n+ queue root.z\n"},
        {"  queues: [{name: a}]",
         "  queues: [{name: a, properties: {\"k\\ny\": \"v\\r\\n+ queue root.forged\"}}]\n"
         "- {name: \"t\\no\", queues: [{name: c, parent: true}]}",
         "~ queue root.a: properties none -> {k\\ny: v\\x0d\\n+ queue root.forged}\n"
         "+ partition t\\no\n+ queue root.c, a parent\n"},
        {"  queues: [{name: a}]\n- name: two\n  queues: [{name: z}]", "  queues: [{name: a}]",
         "- partition two\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_config *from = load(cases[i].from), *to = load(cases[i].to);
        struct yk_buf out = {0};
        size_t lines = yk_config_diff(from, to, &out), want = 0;
        for (const char *c = cases[i].want; *c != '\0'; c++)
            want += *c == '\n';
        assert_string_equal(yk_buf_cstr(&out), cases[i].want);
        assert_int_equal(lines, want);
        yk_buf_done(&out);
        yk_config_free(from);
        yk_config_free(to);
    }
}

/* Two values that differ only behind their first 100,000 bytes. */
static void a_long_value_is_compared_as_a_whole(void **state)
{
    (void)state;
    enum { NAMES = 20000 };
    struct yk_config *configs[2];
    for (int i = 0; i < 2; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf yaml = {0};
        yk_buf_text(&yaml, "  queues: [{name: a, submitacl: '");
        for (int name = 0; name < NAMES; name++)
            yk_buf_printf(&yaml, "%suser%d", name > 0 ? "," : "", name);
        yk_buf_printf(&yaml, ",%s'}]", i == 0 ? "ann" : "bob");
        configs[i] = load(yk_buf_cstr(&yaml));
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    assert_int_equal(yk_config_diff(configs[0], configs[1], &out), 1);
    assert_true(yk_str_starts(yk_buf_view(&out), "~ queue root.a: submitacl user0,user1,"));
    assert_non_null(strstr(yk_buf_cstr(&out), ",ann -> user0,"));
    assert_true(yk_str_ends(yk_buf_view(&out), ",bob\n"));
    yk_config_free(configs[0]);
    yk_config_free(configs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_is_in_a_queue),
        cmocka_unit_test(one_of_many_queues),
        cmocka_unit_test(an_error_has_a_place),
        cmocka_unit_test(what_a_change_would_do),
        cmocka_unit_test(a_long_value_is_compared_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
