/* SPDX-License-Identifier: Apache-2.0 */
/* What the process says of itself: settings in effect, flags, status. */
#include "web/browser.h"

static const char config[] = "partitions: [{name: default, queues: [{name: root}]}]";

static const char *of(const json_t *settings, const char *key, const char *what)
{
    return json_string_value(json_object_get(json_object_get(settings, key), what));
}

static void reload(struct world *world, const struct yk_si_tag *tags, size_t count)
{
    const struct yk_si_register request = {
        .rm_id = "rm", .config = yk_str_from(config), .extra_config = tags, .extra_count = count};
    struct yk_err err = {0};
    if (yk_core_update_config(world->core, &request, &err) != YK_OK)
        fail_msg("%s", err.text);
}

static void settings_and_where_they_come_from(void **state)
{
    (void)state;
    static const struct yk_si_tag tags[] = {{"event.maxStreams", "7"},         {"service.web.port", "9999"},
                                            {"health.checkInterval", "90s"},   {"x.bindPassword", "geheim"},
                                            {"queues.yaml", "partitions: []"}, {"log.core.level", "INFO"}};
    struct world world;
    world_init(&world, config);
    reload(&world, tags, YK_COUNT(tags));
    json_t *json = browse_json(&world, "/configz");
    const json_t *settings = json_object_get(json, "settings"), *others = json_object_get(json, "others");
    assert_string_equal(of(settings, "event.maxStreams", "value"), "7");
    assert_string_equal(of(settings, "event.maxStreams", "source"), "ConfigMap");
    assert_null(of(settings, "event.maxStreams", "afterRestart"));
    assert_string_equal(of(settings, "health.checkInterval", "value"), "1m30s");
    assert_string_equal(of(settings, "service.web.port", "value"), "9080");
    assert_string_equal(of(settings, "service.web.port", "source"), "default");
    assert_string_equal(of(settings, "service.web.port", "applies"), "at restart");
    assert_string_equal(of(settings, "service.web.port", "afterRestart"), "9999");
    assert_string_equal(of(settings, "service.web.access", "value"), "none");
    assert_string_equal(json_string_value(json_object_get(others, "x.bindPassword")), "***");
    assert_string_equal(json_string_value(json_object_get(others, "log.core.level")), "INFO");
    assert_null(json_object_get(others, "queues.yaml"));
    assert_non_null(json_object_get(json_object_get(json, "loggers"), "core.rest"));
    json_decref(json);
    world_done(&world);
}

static void expect_text(struct world *world, const char *target, const char *part)
{
    struct yk_answer answer = browse(world, target, 200);
    if (strstr(yk_buf_cstr(&answer.body), part) == NULL)
        fail_msg("%s lacks '%s': %s", target, part, yk_buf_cstr(&answer.body));
    assert_string_equal(answer.content_type, YK_TYPE_TEXT);
    yk_answer_done(&answer);
}

static void texts_for_people(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    expect_text(&world, "/statusz", "yunikorn statusz\nWarning: ");
    expect_text(&world, "/statusz", "\nStarted: 2");
    expect_text(&world, "/statusz", "\nUp: ");
    expect_text(&world, "/statusz", " /configz ");
    expect_text(&world, "/flagz", "yunikorn flagz\nWarning: ");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settings_and_where_they_come_from),
                                       cmocka_unit_test(texts_for_people)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
