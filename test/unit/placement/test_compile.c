/* SPDX-License-Identifier: Apache-2.0 */
/* Building a rule set from a loaded configuration (V10, P2), and showing it (P3). */
#include "placement/place.h"

#define RULES(rules) PLACE_CONFIG(rules, "    queues: [{name: par, parent: true}]\n")

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *what, *config, *refusal;
    } cases[] = {
        {"P2: unknown", RULES("  - name: magic\n"), "placement rule 'magic' is not known"},
        {"P2: unknown parent", RULES("  - {name: user, parent: {name: magic}}\n"), "'magic'"},
        {"P2: recovery is not configured", RULES("  - name: Recovery\n"),
         "placement rule 'recovery' is always there"},
        {"P2: nor as a parent", RULES("  - {name: user, parent: {name: recovery}}\n"), "'recovery'"},
        {"P2: test is for test builds", RULES("  - name: test\n"), "placement rule 'test' is not known"},
        {"5.3: tag without a name", RULES("  - name: tag\n"), "'tag' needs a value"},
        {"5.3: blanks are no name", RULES("  - {name: tag, value: ' '}\n"), "'tag' needs a value"},
        {"5.3: fixed without a queue", RULES("  - {name: fixed, create: true}\n"), "'fixed' needs a value"},
        {"5.3: an illegal part", RULES("  - {name: fixed, value: 'par.a b', create: true}\n"),
         "'a b' is not a queue name"},
        {"5.3: an empty part", RULES("  - {name: fixed, value: par..a, create: true}\n"),
         "line 4, column 5: placement rule 'fixed': queue 'par..a': '' is not a queue name, it is empty"},
        {"5.3: a full path with a parent",
         RULES("  - {name: fixed, value: root.par.x, create: true, parent: {name: user}}\n"),
         "takes no parent"},
        {"5.3: root itself with a parent",
         RULES("  - {name: user, parent: {name: fixed, value: ROOT, parent: {name: user}}}\n"),
         "takes no parent"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_config *config = NULL;
        struct yk_placement *placement = NULL;
        struct yk_err err = {0};
        if (yk_config_load(yk_str_from(cases[i].config), &config, &err) != YK_OK)
            fail_msg("%s: loading is to let it through: %s", cases[i].what, err.text);
        if (yk_placement_new(&config->partitions[0], &placement, &err) == YK_OK)
            fail_msg("%s: accepted", cases[i].what);
        assert_null(placement);
        if (strstr(err.text, cases[i].refusal) == NULL)
            fail_msg("%s: wanted '%s', got '%s'", cases[i].what, cases[i].refusal, err.text);
        if (err.line == 0 || err.column == 0)
            fail_msg("%s: no place: '%s'", cases[i].what, err.text);
        yk_config_free(config);
    }
}

/* `levels` user rules, each the parent of the one before. */
static char *chain_of(int levels)
{
    struct yk_buf text = {0};
    yk_buf_text(
        &text,
        "partitions:\n- name: default\n  queues: [{name: root, submitacl: '*'}]\n  placementrules:\n  - ");
    for (int i = 0; i < levels; i++)
        yk_buf_text(&text,
                    i + 1 < levels ? "{name: user, create: true, parent: " : "{name: user, create: true}");
    for (int i = 1; i < levels; i++)
        yk_buf_char(&text, '}');
    yk_buf_char(&text, '\n');
    return yk_buf_take(&text);
}

static void depth(void **state)
{
    (void)state;
    YK_CLEANUP(yk_freep) char *deep = chain_of(YK_PLACEMENT_RULE_DEPTH_MAX);
    struct place_world world;
    place_world_init(&world, deep);
    bool placed;
    char *got = place_in(&world, &(struct place_case){.user = "u"}, &placed);
    assert_false(placed); /* 1000 levels do not fit into the 256 bytes that this test allows */
    assert_non_null(strstr(got, "path is too long"));
    free(got);
    place_world_done(&world);

    YK_CLEANUP(yk_freep) char *deeper = chain_of(YK_PLACEMENT_RULE_DEPTH_MAX + 1);
    struct yk_config *config = NULL;
    struct yk_placement *placement = NULL;
    struct yk_err err = {0};
    assert_int_equal(yk_config_load(yk_str_from(deeper), &config, &err), YK_OK);
    assert_int_equal(yk_placement_new(&config->partitions[0], &placement, &err), YK_ERR_LIMIT);
    assert_non_null(strstr(err.text, "a chain of more than 1000 placement rules"));
    yk_config_free(config);
}

static void view(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *name, *value;
        bool create, qualified;
    } cases[] = {
        {"  - name: provided\n", "provided", NULL, false, false},
        {"  - {name: USERNAME, create: true}\n", "user", NULL, true, false},
        {"  - {name: fixed, value: Root.Par.X, create: true}\n", "fixed", "root.par.x", true, true},
        {"  - {name: fixed, value: par.x, create: true}\n", "fixed", "par.x", true, false},
        {"  - {name: tag, value: NameSpace}\n", "tag", "namespace", false, false},
        {"  - {name: PrimaryGroupName, value: ignored}\n", "primarygroup", NULL, false, false},
        {"  - {name: SecondaryGroupName, create: true}\n", "secondarygroup", NULL, true, false},
        {"  - {name: ApplicationType}\n", "applicationtype", NULL, false, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct place_world world;
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(
            &text,
            "partitions:\n- name: default\n  placementrules:\n%s  queues: [{name: par, parent: true}]\n",
            cases[i].rule);
        place_world_init(&world, yk_buf_cstr(&text));
        assert_int_equal(yk_placement_rule_count(world.placement), 2);
        struct yk_placement_rule_view rule;
        assert_true(yk_placement_rule_at(world.placement, 0, 0, &rule));
        assert_false(yk_placement_rule_at(world.placement, 0, 1, &(struct yk_placement_rule_view){0}));
        if (strcmp(rule.name, cases[i].name) != 0 || rule.create != cases[i].create ||
            rule.qualified != cases[i].qualified || (rule.value == NULL) != (cases[i].value == NULL) ||
            (rule.value != NULL && strcmp(rule.value, cases[i].value) != 0))
            fail_msg("P3: %s shows as %s, %s, %d, %d", cases[i].rule, rule.name,
                     rule.value != NULL ? rule.value : "no value", rule.create, rule.qualified);
        assert_true(yk_placement_rule_at(world.placement, 1, 0, &rule));
        assert_string_equal(rule.name, "recovery");
        assert_string_equal(rule.value, "root.@recovery@");
        place_world_done(&world);
    }
}

static void view_of_parents_and_filters(void **state)
{
    (void)state;
    struct place_world world;
    place_world_init(&world,
                     RULES("  - {name: user, filter: {type: DENY, users: [bob, zoe]}, parent: {name: tag, "
                           "value: t, filter: {groups: ['^x']}}}\n"));
    struct yk_placement_rule_view rule;
    assert_true(yk_placement_rule_at(world.placement, 0, 0, &rule));
    assert_false(rule.filter_allows);
    assert_int_equal(rule.filter->users.count, 2);
    assert_true(yk_placement_rule_at(world.placement, 0, 1, &rule));
    assert_string_equal(rule.name, "tag");
    assert_true(rule.filter_allows);
    assert_int_equal(rule.filter->groups.count, 1);
    assert_true(yk_str_is(rule.filter->groups.items[0], "^x"));
    assert_false(yk_placement_rule_at(world.placement, 0, 2, &rule));
    place_world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(depth),
        cmocka_unit_test(view),
        cmocka_unit_test(view_of_parents_and_filters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
