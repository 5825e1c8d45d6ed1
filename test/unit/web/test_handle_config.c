/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md, section 5: the configuration in force, and validate-conf. */
#include "web/browser.h"

static const char config[] = "partitions: [{name: default, queues: [{name: root, queues: [{name: leaf}]}]}]";

static void init(struct world *world)
{
    world_init(world, config);
    const struct yk_si_tag extra[] = {{"queues.yaml", "x"}, {"service.b", "2"}, {"log.level", "INFO"}};
    struct yk_si_register request = {
        .rm_id = "rm", .config = yk_str_from(config), .extra_config = extra, .extra_count = 3};
    struct yk_err err = {0};
    assert_int_equal(yk_core_update_config(world->core, &request, &err), YK_OK);
}

static void which_form(void **state)
{
    (void)state;
    static const struct {
        const char *accept;
        bool json;
    } cases[] = {
        {NULL, false},
        {"*/*", false},
        {"application/json", true},
        {"Application/JSON", true},
        {"application/json, text/plain, */*", true},
        {"application/json;q=0.5, application/x-yaml", false},
        {"application/json;q=0.9, text/yaml;q=0.8", true},
        {"application/json;q=0", false},
        {"application/json;q=0.123,*/*;q=0.1", true},
        {"text/html", false},
        {"application/jsonp", false},
        {"", false},
    };
    struct world world;
    init(&world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_answer answer;
        struct yk_web_query query = {.target = "/ws/v1/config", .accept = cases[i].accept};
        yk_web_render(world.core, NULL, &query, &answer);
        assert_int_equal(answer.status, 200);
        const char *want =
            cases[i].json ? "application/json; charset=UTF-8" : "application/x-yaml; charset=UTF-8";
        if (strcmp(answer.content_type, want) != 0)
            fail_msg("Accept '%s': %s", cases[i].accept != NULL ? cases[i].accept : "(none)",
                     answer.content_type);
        yk_answer_done(&answer);
    }
    world_done(&world);
}

static void json_form(void **state)
{
    (void)state;
    struct world world;
    struct yk_answer answer;
    struct yk_web_query query = {.target = "/ws/v1/config", .accept = "application/json"};
    init(&world);
    yk_web_render(world.core, NULL, &query, &answer);
    assert_int_equal(answer.body.p[answer.body.len - 1], '}'); /* no newline */
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
    assert_string_equal(look_text(json, "Partitions.0.Name"), "default");
    assert_string_equal(look_text(json, "Partitions.0.Queues.0.Queues.0.Name"), "leaf");
    assert_string_equal(look_text(json, "Checksum"), yk_core_first_rm(world.core)->config->checksum);
    assert_int_equal(json_object_size(look(json, "Extra")), 2); /* without *.yaml */
    assert_string_equal(look_text(json, "Extra.service.b"), "2");
    json_decref(json);
    yk_answer_done(&answer);
    query.accept = NULL;
    yk_web_render(world.core, NULL, &query, &answer);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "partitions:"));
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "service.b:"));
    yk_answer_done(&answer);
    world_done(&world);
}

static json_t *validate(struct world *world, struct yk_str body)
{
    struct yk_answer answer;
    struct yk_web_query query = {.method = "POST", .target = "/ws/v1/validate-conf", .body = body};
    yk_web_render(world->core, NULL, &query, &answer);
    assert_int_equal(answer.status, 200); /* always */
    assert_string_equal(answer.content_type, "application/json; charset=UTF-8");
    assert_string_equal(answer.cors_methods, "OPTIONS, POST");
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
    assert_non_null(json);
    yk_answer_done(&answer);
    return json;
}

static void verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        const char *reason; /* part of it; NULL: allowed */
    } cases[] = {
        {"empty is the default", "", NULL},
        {"the usual", config, NULL},
        {"not YAML", "\t{", "line 1"},
        {"an unknown key", "partitions: [{name: default, queues: [{name: root, colour: red}]}]", "colour"},
        {"no partition", "partitions: []", "partition"},
        {"found when activated: stray blanks in an ACL",
         "partitions: [{name: default, queues: [{name: root, submitacl: 'a  b c d'}]}]", "acl"},
        {"found when activated: a template's quantity",
         "partitions: [{name: default, queues: [{name: root, childtemplate: {resources: {max: {vcore: x}}}, "
         "queues: [{name: a}]}]}]",
         "vcore"},
        {"found when activated: an unknown rule",
         "partitions: [{name: default, placementrules: [{name: magic}], queues: [{name: root}]}]", "magic"},
        {"found when activated: a rule without its value",
         "partitions: [{name: default, placementrules: [{name: tag, create: true}], queues: [{name: root}]}]",
         "tag"},
        {"a resource that no node has",
         "partitions: [{name: default, queues: [{name: root, queues: [{name: a, resources: {max: "
         "{example.com/unknown: 1}}}]}]}]",
         NULL},
    };
    struct world world;
    init(&world);
    int types = yk_restype_count();
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        json_t *json = validate(&world, yk_str_from(cases[i].text));
        bool allowed = look_bool(json, "allowed");
        if (allowed != (cases[i].reason == NULL))
            fail_msg("%s: %s", cases[i].what, allowed ? "allowed" : look_text(json, "reason"));
        if (!allowed && strstr(look_text(json, "reason"), cases[i].reason) == NULL)
            fail_msg("%s: %s", cases[i].what, look_text(json, "reason"));
        size_t warned = json_object_get(json, "warnings") != NULL; /* few texts say who may submit */
        assert_int_equal(json_object_size(json), allowed ? 3 + warned : 2);
        json_decref(json);
    }
    assert_int_equal(yk_restype_count(), types); /* texts from outside use nothing up */
    assert_string_equal(yk_core_first_rm(world.core)->config->partitions[0].root.queues[0].name.p,
                        "leaf"); /* and change nothing */
    world_done(&world);
}

/* V11, 3.1, A2: what will not apply is no reason to refuse, and is reported with its place. */
static void warnings(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json =
        validate(&world, YK_STR("partitions:\n- name: default\n  queues:\n"
                                "  - {name: a, submitacl: 'bob,*', properties: {preemption.delay: soon}}\n"));
    assert_true(look_bool(json, "allowed"));
    assert_int_equal(json_array_size(look(json, "warnings")), 2);
    assert_string_equal(look_text(json, "warnings.0"),
                        "line 4, column 66: queue 'root.a': property 'preemption.delay' is 'soon', which is "
                        "not a duration above 0, such as 30s: the default is used, 30s");
    assert_string_equal(
        look_text(json, "warnings.1"),
        "line 4, column 26: queue 'root.a': submitacl: '*' is not a name of a user and is ignored");
    json_decref(json);
    world_done(&world);
}

/* The text of GET config has settings beside the queues, and can be checked as it is. */
static void what_is_in_force_is_valid(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/config", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "\nextra:\n"));
    json_t *json = validate(&world, yk_buf_view(&answer.body));
    assert_true(look_bool(json, "allowed"));
    size_t found = 0;
    for (size_t i = 0; i < json_array_size(look(json, "warnings")); i++)
        found += strstr(json_string_value(json_array_get(look(json, "warnings"), i)),
                        "is no part of the queues") != NULL;
    assert_int_equal(found, 3);
    json_decref(json);
    yk_answer_done(&answer);
    world_done(&world);
}

static void checksums(void **state)
{
    (void)state;
    struct world world;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    init(&world);
    json_t *json = validate(&world, YK_STR(config));
    assert_string_equal(look_text(json, "checksum"), yk_core_first_rm(world.core)->config->checksum);
    assert_false(look_bool(json, "checksumMatch"));
    json_decref(json);
    yk_buf_printf(&text, "%s\n", config);
    yk_config_checksum(yk_buf_view(&text), checksum);
    yk_buf_printf(&text, "checksum: %s", checksum);
    json = validate(&world, yk_buf_view(&text));
    assert_true(look_bool(json, "checksumMatch"));
    json_decref(json);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_form), cmocka_unit_test(json_form),
        cmocka_unit_test(verdicts),   cmocka_unit_test(warnings),
        cmocka_unit_test(checksums),  cmocka_unit_test(what_is_in_force_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
