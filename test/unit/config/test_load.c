/* SPDX-License-Identifier: Apache-2.0 */
#include "config/configs.h"

#include <openssl/sha.h>

static void decoding_is_strict(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"C8: keys are lower case", ROOT("    submitAcl: '*'\n"),
         "line 5, column 5: field 'submitAcl' is not known in a queue"},
        {"C8: an unknown key at the top", "partition: []\n",
         "field 'partition' is not known in the configuration"},
        {"C8: an unknown key of a partition", PARTITION("  statedumpfilepath: x\n  queues: []\n"),
         "line 3, column 3: field 'statedumpfilepath' is not known in a partition"},
        {"C8: an unknown key of resources",
         BELOW_ROOT("    - name: a\n      resources:\n        maximum: {}\n"),
         "field 'maximum' is not known in resources"},
        {"C8: an unknown key of a limit", ROOT("    limits:\n    - user: [a]\n"),
         "field 'user' is not known in a limit"},
        {"C8: an unknown key of a rule", PARTITION("  placementrules:\n  - nam: x\n  queues: []\n"),
         "is not known in a placement rule"},
        {"C8: an unknown key of a filter",
         PARTITION("  placementrules:\n  - name: user\n    filter: {user: x}\n  queues: []\n"),
         "is not known in a filter"},
        {"C8: an unknown key of a template", ROOT("    childtemplate: {submitacl: x}\n"),
         "is not known in a child template"},
        {"C9: a key twice in a structure", PARTITION("  queues: []\n  name: x\n"),
         "field 'name' is there twice"},
        {"C9: a key twice in properties", ROOT("    properties: {a: 1, b: 2, a: 3}\n"),
         "key 'a' is there twice"},
        {"C9: a key twice in a resource map",
         BELOW_ROOT("    - name: a\n      resources: {max: {vcore: 1, vcore: 2}}\n"),
         "key 'vcore' is there twice"},
        {"C9: a key twice in the weights",
         PARTITION("  nodesortpolicy: {resourceweights: {vcore: 1, vcore: 1}}\n  queues: []\n"),
         "key 'vcore' is there twice"},
        {"C11: base64",
         "partitions:\n- name: !!binary ZGVmYXVsdA==\n  queues: []\n- name: default\n  queues: []\n",
         "partition 'default' is there twice"},
        {"C11: not base64", "partitions:\n- name: !!binary '%'\n  queues: []\n",
         "line 2, column 9: a !!binary value is not base64"},
        {"C10: a second document", "partitions:\n- queues: []\n---\nnonsense: 1\n",
         "line 4, column 1: a second document"},
        {"C10: a marker in the middle of the tree",
         "partitions:\n- queues:\n  - name: root\n    queues:\n    - name: a\n---\n    - name: b\n",
         "line 7, column 5: a second document"},
        {"C10: a directive in the middle", "partitions:\n- queues:\n  - name: a\n%YAML 1.1\n  - name: b\n",
         "line 5, column 3: after the end of a document"},
        {"C10: a percent sign in the middle", "partitions:\n- queues:\n  - name: a\n%name: b\n",
         "while scanning a directive"},
        {"C10: an end marker in the middle", "partitions:\n- queues: []\n...\n- name: b\n",
         "after the end of a document"},
        {"C10: what follows is not YAML", "partitions:\n- queues: []\n---\nnonsense: {\n", "line 5"},
        {"C10: an anchor of an earlier document", "---\n---\na: *b\n", "alias '*b' has no anchor"},
        {"C10: empty documents may follow", "partitions:\n- queues: []\n---\n# end\n---\n...\n", NULL},
        {"C10: markers around the only one", "%YAML 1.1\n---\npartitions:\n- queues: []\n...\n", NULL},
        {"C14: a value where a list belongs", "partitions: x\n",
         "field 'partitions' must be a list, not a single value"},
        {"C14: a mapping where a list belongs", "partitions: {}\n", "must be a list, not a mapping"},
        {"C14: a list where a mapping belongs", BELOW_ROOT("    - name: a\n      resources: []\n"),
         "field 'resources' must be a mapping, not a list"},
        {"C14: a list where a text belongs", ROOT("    submitacl: [a]\n"),
         "field 'submitacl' must be a text, not a list"},
        {"C14: a value where a list of names belongs",
         ROOT("    limits: [{users: bob, maxapplications: 1}]\n"), "field 'users' must be a list"},
        {"C14: a list inside a list of names", ROOT("    limits: [{users: [[bob]], maxapplications: 1}]\n"),
         "an entry of 'users' must be a single value"},
        {"C14: a mapping inside properties", ROOT("    properties: {a: {b: c}}\n"),
         "entry 'a' of 'properties'"},
        {"C14: the document is a list", "- a\n", "the configuration must be a mapping, not a list"},
        {"C14: the document is a word", "hello\n", "the configuration must be a mapping"},
        {"C14: an element that is no mapping", ROOT("    queues: [a]\n"), "a queue must be a mapping"},
        {"C14: null elements are dropped", ROOT("    queues: [~, {name: a}, null]\n"), NULL},
        {"C14: null mappings and values are defaults",
         ROOT("    resources: ~\n    properties:\n    submitacl: null\n    maxapplications: ~\n    parent:\n "
              "   limits:\n"),
         NULL},
        {"C14: a key that is a list", "{[a]: b}\n", "a key of the configuration must be a single value"},
        {"C15: a wildcard without quotes is an alias", ROOT("    submitacl: *\n"), "line 5"},
        {"C15: a star of its own", ROOT("    submitacl: *\n"), "must be in quotes: \"*\""},
        {"C15: an alias without its anchor", ROOT("    submitacl: *x\n"), "alias '*x' has no anchor"},
        {"C15: an anchor inside itself", "partitions: &a [*a]\n", "anchor 'a' contains itself"},
        {"C15: a merge of something else", ROOT("    <<: 3\n"), "field '<<' must be a mapping"},
        {"C15: a merge of a list of something else", ROOT("    <<: [3]\n"), "field '<<' must be a mapping"},
        {"C15: two merge keys", ROOT("    <<: {}\n    <<: {}\n"), "field '<<' is there twice"},
        {"C15: a merged mapping is checked, too", ROOT("    <<: {submitAcl: x}\n"),
         "field 'submitAcl' is not known"},
        {"C15: a quoted merge key is a key like others", ROOT("    '<<': {}\n"), "field '<<' is not known"},
        {"broken YAML names its place", "partitions:\n  - name: [x\n", "line 3, column 1"},
        {"a tab as indentation", "partitions:\n\t- a\n", "line 2"},
        {"a control character", "partitions: \"\x01\"\n", "not valid text at byte"},
        {"text that is not UTF-8", "partitions: \xff\xfe\n", "not valid text at byte"},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

static void booleans_and_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *what, *value;
        int want; /* -1: refused */
    } booleans[] = {
        {"C12: true", "true", 1},
        {"C12: TRUE", "TRUE", 1},
        {"C12: y", "y", 1},
        {"C12: Yes", "Yes", 1},
        {"C12: quoted yes", "'yes'", 1},
        {"C12: on", "\"on\"", 1},
        {"C12: false", "False", 0},
        {"C12: off", "OFF", 0},
        {"C12: quoted n", "'n'", 0},
        {"C12: null is the default", "~", 0},
        {"C12: quoted true", "'true'", -1},
        {"C12: a number", "1", -1},
        {"C12: an empty text", "''", -1},
        {"C12: mixed case", "tRue", -1},
        {"C12: a tagged text", "!!str true", -1},
        {"C12: a tagged boolean", "!!bool 'true'", 1},
    };
    for (size_t i = 0; i < YK_COUNT(booleans); i++) {
        char text[200];
        (void)snprintf(text, sizeof(text), BELOW_ROOT("    - {name: a, parent: %s}\n"), booleans[i].value);
        struct yk_config *config = NULL;
        enum yk_status st = yk_config_load(yk_str_from(text), &config, NULL);
        int got = st != YK_OK ? -1 : config->partitions[0].root.queues[0].parent;
        if (got != booleans[i].want)
            fail_msg("%s: got %d", booleans[i].what, got);
        yk_config_free(config);
    }
    static const struct {
        const char *what, *value;
        bool refused;
        uint64_t want;
    } numbers[] = {
        {"C13: decimal", "42", false, 42},
        {"C13: plus sign", "+42", false, 42},
        {"C13: hexadecimal", "0x1F", false, 31},
        {"C13: octal", "0o17", false, 15},
        {"C13: octal by a leading zero", "017", false, 15},
        {"C13: not octal after all, so a float", "089", false, 89},
        {"C13: binary", "0b101", false, 5},
        {"C13: separators", "1_000_000", false, 1000000},
        {"C13: a float is truncated", "7.9", false, 7},
        {"C13: an exponent", "1e3", false, 1000},
        {"C13: the largest", "18446744073709551615", false, UINT64_MAX},
        {"C13: minus zero", "-0", false, 0},
        {"C13: 2^64", "18446744073709551616", true, 0},
        {"C13: a float of 2^64", "1.8446744073709552e19", true, 0},
        {"C13: negative", "-1", true, 0},
        {"C13: a negative float", "-0.5", true, 0},
        {"C13: quoted", "'42'", true, 0},
        {"C13: a tagged number", "!!int '42'", false, 42},
        {"C13: infinity", ".inf", true, 0},
        {"C13: not a number", ".nan", true, 0},
        {"C13: words of strtod", "inf", true, 0},
        {"C13: a hexadecimal float", "0x1p3", true, 0},
        {"C13: a unit", "10k", true, 0},
        {"C13: only a prefix", "0x", true, 0},
        {"C13: only a point", ".", true, 0},
        {"C13: a boolean", "true", true, 0},
    };
    for (size_t i = 0; i < YK_COUNT(numbers); i++) {
        char text[200];
        (void)snprintf(text, sizeof(text), ROOT("    maxapplications: %s\n"), numbers[i].value);
        struct yk_config *config = NULL;
        enum yk_status st = yk_config_load(yk_str_from(text), &config, NULL);
        if ((st != YK_OK) != numbers[i].refused)
            fail_msg("%s: %s", numbers[i].what, st == YK_OK ? "accepted" : "refused");
        if (st == YK_OK && config->partitions[0].root.max_applications != numbers[i].want)
            fail_msg("%s: got %llu", numbers[i].what,
                     (unsigned long long)config->partitions[0].root.max_applications);
        yk_config_free(config);
    }
}

static void check_pair(const struct yk_pairs *pairs, uint32_t index, const char *key, const char *value)
{
    assert_true(index < pairs->count);
    assert_string_equal(pairs->items[index].key.p, key);
    assert_string_equal(pairs->items[index].value.p, value);
}

static void texts_stay_as_written(void **state)
{
    (void)state;
    struct yk_config *config =
        config_of(ROOT("    properties:\n      priority.offset: -5\n      x: 010\n      y: true\n"
                       "      n: ~\n      1.5: 'a b'\n      z: 2001-01-01\n"
                       "    submitacl: 12\n"));
    const struct yk_config_queue *root = &config->partitions[0].root;
    assert_int_equal(root->properties.count, 6); /* C11, sorted by key */
    check_pair(&root->properties, 0, "1.5", "a b");
    check_pair(&root->properties, 1, "n", "");
    check_pair(&root->properties, 2, "priority.offset", "-5");
    check_pair(&root->properties, 3, "x", "010");
    check_pair(&root->properties, 4, "y", "true");
    check_pair(&root->properties, 5, "z", "2001-01-01");
    assert_string_equal(root->submit_acl.p, "12");
    assert_null(root->admin_acl.p);
    yk_config_free(config);
}

static void merges_and_aliases(void **state)
{
    (void)state;
    struct yk_config *config = config_of(
        BELOW_ROOT("    - &base\n      name: a\n      maxapplications: 5\n      submitacl: &acl u1\n"
                   "      properties: &p {k: base, only: base}\n"
                   "    - {<<: *base, name: b, maxapplications: 7}\n"
                   "    - {name: c, <<: [{maxapplications: 1, submitacl: first}, *base], adminacl: *acl}\n"
                   "    - {name: d, properties: {<<: *p, k: own}}\n"
                   "    - {<<: {<<: *base, maxapplications: 9}, name: e}\n"));
    const struct yk_config_queue *q = config->partitions[0].root.queues;
    assert_int_equal(config->partitions[0].root.queue_count, 5);
    assert_int_equal(q[1].max_applications, 7); /* explicit keys win, wherever the merge key stands */
    assert_string_equal(q[1].name.p, "b");
    assert_string_equal(q[1].submit_acl.p, "u1");
    check_pair(&q[1].properties, 1, "only", "base");
    assert_int_equal(q[2].max_applications, 1); /* the first of a list wins */
    assert_string_equal(q[2].submit_acl.p, "first");
    assert_string_equal(q[2].admin_acl.p, "u1");
    check_pair(&q[3].properties, 0, "k", "own"); /* in a free map, too */
    check_pair(&q[3].properties, 1, "only", "base");
    assert_int_equal(q[4].max_applications, 9); /* a merge inside of a merge */
    assert_string_equal(q[4].submit_acl.p, "u1");
    yk_config_free(config);
}

static void lenient_forms_warn(void **state)
{
    (void)state;
    struct yk_config *config = config_of(PARTITION("  nodesortpolicy: binpacking\n  queues: []\n"
                                                   "  placementrules:\n  - name: user\n    create: true\n    "
                                                   "parent:\n    - {name: tag, value: namespace}\n"));
    const struct yk_config_partition *p = &config->partitions[0];
    assert_string_equal(p->node_sort_type.p, "binpacking"); /* C16 */
    assert_string_equal(p->rules[0].parent->name.p, "tag");
    assert_true(has_warning(config, "'nodesortpolicy' given as a single value"));
    assert_true(has_warning(config, "'parent' given as a list of one"));
    yk_config_free(config);

    static const struct config_case cases[] = {
        {"C16: a list of two parents",
         PARTITION("  queues: []\n  placementrules: [{name: user, parent: [{name: a}, {name: b}]}]\n"),
         "field 'parent' must be a mapping, not a list"},
        {"C16: an empty list of parents",
         PARTITION("  queues: []\n  placementrules: [{name: user, parent: []}]\n"),
         "field 'parent' must be a mapping"},
        {"C16: a single value elsewhere", PARTITION("  queues: []\n  usergroupresolver: os\n"),
         "field 'usergroupresolver' must be a mapping"},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

static void defaults_and_empty_texts(void **state)
{
    (void)state;
    static const char *const blank[] = {"", "   \n\n", "# only a comment\n", "\n# a\n   # b\n"};
    for (size_t i = 0; i < YK_COUNT(blank); i++) {
        struct yk_config *config = config_of(blank[i]); /* C3, C4 */
        assert_int_equal(config->partition_count, 1);
        const struct yk_config_partition *p = &config->partitions[0];
        assert_string_equal(p->name.p, "default");
        assert_string_equal(p->root.submit_acl.p, "*");
        assert_int_equal(p->root.queue_count, 0);
        assert_int_equal(p->rule_count, 1);
        assert_string_equal(p->rules[0].name.p, "tag");
        assert_string_equal(p->rules[0].value.p, "namespace");
        assert_true(p->rules[0].create);
        assert_true(p->preemption_enabled);
        assert_false(p->quota_preemption_enabled);
        yk_config_free(config);
    }
    static const char *const empty[] = {"---\n", "~\n", "{}\n", "partitions:\n", "partitions: []\n"};
    for (size_t i = 0; i < YK_COUNT(empty); i++) {
        struct yk_err err = {0};
        struct yk_config *config = config_of(empty[i]); /* C4: loads, but cannot be activated */
        assert_int_equal(config->partition_count, 0);
        assert_int_equal(yk_config_check_activation(config, &err), YK_ERR_INVALID);
        assert_string_equal(err.text, "the configuration has no partition");
        yk_config_free(config);
    }
    struct yk_config *config = NULL;
    assert_int_equal(yk_config_load((struct yk_str){0}, &config, NULL), YK_OK);
    yk_config_free(config);
}

static void checksum_ignores_itself(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *hashed;
    } cases[] = {
        {"C17: without one, the text as it is", "abc", "abc"},
        {"C17: a checksum at the end, newline kept", "a\nchecksum: 12\n", "a\n\n"},
        {"C17: trailing newlines are not part of the value", "a\nchecksum: 12\n\n\n", "a\n\n\n\n"},
        {"C17: the value ends at 64 bytes",
         "checksum: 0123456789012345678901234567890123456789012345678901234567890123tail", "tail"},
        {"C17: every occurrence of the same fragment goes", "checksum: xchecksum: x", ""},
        {"C17: another value stays", "checksum: xchecksum: y", "checksum: y"},
        {"C17: without a blank it is no marker", "checksum:x", "checksum:x"},
        {"C17: an empty value", "achecksum: \n", "a\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char got[YK_CONFIG_CHECKSUM_LEN + 1], want[YK_CONFIG_CHECKSUM_LEN + 1];
        unsigned char digest[32];
        SHA256((const unsigned char *)cases[i].hashed, strlen(cases[i].hashed), digest);
        for (size_t k = 0; k < sizeof(digest); k++)
            (void)snprintf(want + 2 * k, 3, "%02X", digest[k]);
        yk_config_checksum(yk_str_from(cases[i].text), got);
        if (strcmp(got, want) != 0)
            fail_msg("%s: got %s, want %s", cases[i].what, got, want);
    }
    struct yk_config *a = config_of("partitions: [{queues: []}]\n");
    struct yk_config *b = config_of("partitions: [{queues: []}]\nchecksum: ABCD");
    assert_string_equal(b->submitted_checksum, "ABCD");
    assert_string_equal(a->submitted_checksum, "");
    assert_string_equal(a->checksum, b->checksum);
    yk_config_free(a);
    yk_config_free(b);
}

/* `depth` queues below each other, root included. */
static char *nested_queues(int depth)
{
    struct yk_buf text = {0};
    yk_buf_text(&text, "partitions: [{queues: [");
    for (int i = 0; i < depth; i++)
        yk_buf_text(&text, i == 0 ? "{name: root, queues: [" : "{name: a, queues: [");
    for (int i = 0; i < depth; i++)
        yk_buf_text(&text, "]}");
    yk_buf_text(&text, "]}]");
    return yk_buf_take(&text);
}

static void hostile_sizes_are_refused(void **state)
{
    (void)state;
    struct yk_err err = {0};
    struct yk_config *config = NULL;

    YK_CLEANUP(yk_freep) char *deep = nested_queues(1000);
    config = config_of(deep); /* C7 */
    yk_config_free(config);
    config = NULL;
    YK_CLEANUP(yk_freep) char *deeper = nested_queues(1200);
    assert_int_equal(yk_config_load(yk_str_from(deeper), &config, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "nested too deeply"));

    struct yk_buf text = {0};
    for (int i = 0; i < 100000; i++)
        yk_buf_char(&text, '[');
    assert_int_equal(yk_config_load(yk_buf_view(&text), &config, &err), YK_ERR_LIMIT);

    /* C15: nine lists of nine aliases each */
    yk_buf_clear(&text);
    yk_buf_text(&text, "partitions:\n- queues:\n  - &l0 {name: a}\n");
    for (int i = 1; i <= 9; i++) {
        yk_buf_printf(&text, "  - &l%d {name: a, queues: [", i);
        for (int k = 0; k < 9; k++)
            yk_buf_printf(&text, "%s*l%d", k > 0 ? "," : "", i - 1);
        yk_buf_text(&text, "]}\n");
    }
    assert_int_equal(yk_config_load(yk_buf_view(&text), &config, &err), YK_ERR_LIMIT);

    /* many small queues, which are smaller with fewer columns: more memory than a configuration may take */
    int small_queues = YK_RESTYPE_DENSE == 30 ? 400000 : 900000;
    yk_buf_clear(&text);
    yk_buf_text(&text, "partitions: [{queues: [");
    for (int i = 0; i < small_queues; i++)
        yk_buf_text(&text, "{},");
    yk_buf_text(&text, "]}]");
    assert_int_equal(yk_config_load(yk_buf_view(&text), &config, &err), YK_ERR_LIMIT);

    yk_buf_clear(&text);
    for (size_t i = 0; i <= YK_CONFIG_BYTES_MAX; i++)
        yk_buf_char(&text, ' ');
    assert_int_equal(yk_config_load(yk_buf_view(&text), &config, &err), YK_ERR_LIMIT);
    assert_null(config);
    yk_buf_done(&text);
}

static void refused_texts_leave_no_resource_types(void **state)
{
    (void)state;
    int before = yk_restype_count(), in_use = yk_restype_in_use();
    struct yk_config *config = NULL;
    assert_int_equal(yk_config_load(YK_STR(BELOW_ROOT("    - {name: a, resources: {max: {left.over/a: 1}}}\n"
                                                      "    - {name: '!'}\n")),
                                    &config, NULL),
                     YK_ERR_INVALID);
    assert_int_equal(yk_restype_count(), before);
    assert_int_equal(
        yk_config_check(YK_STR(BELOW_ROOT("    - {name: a, resources: {max: {only.checked/a: 1}}}\n")),
                        &config, NULL),
        YK_OK);
    yk_config_free(config);
    assert_int_equal(yk_restype_count(), before);
    config = config_of(BELOW_ROOT("    - {name: a, resources: {max: {new.type/a: 3, vcore: 500m}}}\n"));
    assert_int_equal(yk_restype_in_use(), in_use + 1);
    int after = yk_restype_count();
    const struct yk_resvec *max = &config->partitions[0].root.queues[0].max.amounts;
    assert_int_equal(yk_resvec_get(max, yk_restype_find(YK_STR("new.type/a"))), 3);
    assert_int_equal(yk_resvec_get(max, YK_RESTYPE_VCORE), 500);
    yk_config_free(config);

    struct yk_buf text = {0};
    yk_buf_text(&text, BELOW_ROOT("    - {name: a, resources: {max: {"));
    for (int i = 0; i < YK_RESTYPE_MAX; i++)
        yk_buf_printf(&text, "t%d: 1,", i);
    yk_buf_text(&text, "}}}\n");
    struct yk_err err = {0};
    config = NULL;
    assert_int_equal(yk_config_load(yk_buf_view(&text), &config, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "more than 4096 resource types"));
    yk_buf_clear(&text);
    yk_buf_text(&text, BELOW_ROOT("    - {name: a, limits: [{limit: x, users: ['*'], maxresources: {"));
    for (int i = 0; i < YK_RESTYPE_MAX; i++)
        yk_buf_printf(&text, "t%d: 1,", i);
    yk_buf_text(&text, "}}]}\n");
    assert_int_equal(yk_config_load(yk_buf_view(&text), &config, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "more than 4096 resource types"));
    assert_int_equal(yk_restype_count(), after);
    yk_buf_done(&text);
}

/* Names that have gone leave free types below the last one. */
static void new_names_take_types_that_were_freed(void **state)
{
    (void)state;
    static const char text[] = BELOW_ROOT("    - {name: a, resources: {max: {taken/a: 7, taken/b: 8}}}\n");
    YK_RESVEC(all);
    int type = 0, before = 0;
    char name[32];
    for (int i = 0; yk_restype_count() < YK_RESTYPE_MAX; i++) {
        (void)snprintf(name, sizeof(name), "full/%d", i);
        assert_int_equal(yk_restype_add(yk_str_from(name), &type, NULL), YK_OK);
        yk_resvec_put(&all, type, 1);
    }
    struct yk_config *config = NULL;
    struct yk_err err = {0};
    assert_int_equal(yk_config_load(YK_STR(text), &config, &err), YK_ERR_LIMIT); /* none is free */
    for (int i = 100; i < 200; i++)
        yk_resvec_remove(&all, YK_RESTYPE_ASKED + YK_RESTYPE_ASKED_MAX + i);
    yk_restype_give_back();
    before = yk_restype_in_use();
    assert_int_equal(yk_config_check(YK_STR(text), &config, NULL), YK_OK);
    assert_int_equal(yk_restype_in_use(), before + 2);
    yk_config_free(config);
    assert_int_equal(yk_restype_in_use(), before);
    config = config_of(text);
    const struct yk_resvec *max = &config->partitions[0].root.queues[0].max.amounts;
    assert_int_equal(yk_resvec_get(max, yk_restype_find(YK_STR("taken/a"))), 7);
    assert_int_equal(yk_resvec_get(max, yk_restype_find(YK_STR("taken/b"))), 8);
    yk_config_free(config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding_is_strict),
        cmocka_unit_test(booleans_and_numbers),
        cmocka_unit_test(texts_stay_as_written),
        cmocka_unit_test(merges_and_aliases),
        cmocka_unit_test(lenient_forms_warn),
        cmocka_unit_test(defaults_and_empty_texts),
        cmocka_unit_test(checksum_ignores_itself),
        cmocka_unit_test(hostile_sizes_are_refused),
        cmocka_unit_test(refused_texts_leave_no_resource_types),
        cmocka_unit_test(new_names_take_types_that_were_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
