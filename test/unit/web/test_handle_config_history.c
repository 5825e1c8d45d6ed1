/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md 5.3: what was done with queue configurations, and their texts. */
#include "web/browser.h"

#define HISTORY "/ws/v1/config/history"

static const char first[] =
    "# secret\npartitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]\n";
static const char second[] = "partitions: [{name: default, queues: [{name: root, queues: [{name: b}]}]}]\n";
static const char refused[] =
    "partitions: [{name: default, queues: [{name: root, queues: [{name: '<i>x'}]}]}]\n";

static void init(struct world *world)
{
    world_init(world, first);
    world_advance(world, 60);
    assert_null(world_reload(world, second));
    world_advance(world, 60);
    assert_non_null(world_reload(world, refused));
}

static void newest_first(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, HISTORY);
    assert_int_equal(look_int(json, "total"), 3);
    assert_int_equal(look_int(json, "kept"), 3);
    assert_int_equal(json_array_size(look(json, "entries")), 3);

    assert_int_equal(look_int(json, "entries.0.id"), 3);
    assert_string_equal(look_text(json, "entries.0.outcome"), "refused");
    assert_false(look_bool(json, "entries.0.active"));
    assert_non_null(strstr(look_text(json, "entries.0.error"), "<i>x"));
    assert_null(look(json, "entries.0.summary"));
    assert_null(look(json, "entries.0.changes"));
    assert_true(look_bool(json, "entries.0.hasText"));

    assert_string_equal(look_text(json, "entries.1.outcome"), "applied");
    assert_true(look_bool(json, "entries.1.active"));
    assert_string_equal(look_text(json, "entries.1.trigger"), "reload");
    assert_string_equal(look_text(json, "entries.1.checksum"),
                        yk_core_first_rm(world.core)->config->checksum);
    assert_string_equal(look_text(json, "entries.1.summary"), "queues added: 1, queues draining: 1");
    assert_int_equal(look_int(json, "entries.1.changeCount"), 2);
    assert_string_equal(look_text(json, "entries.1.changes.0"), "- queue root.a");
    assert_string_equal(look_text(json, "entries.1.changes.1"), "+ queue root.b");
    assert_null(look(json, "entries.1.error"));

    assert_int_equal(look_int(json, "entries.2.id"), 1);
    assert_string_equal(look_text(json, "entries.2.trigger"), "start");
    assert_false(look_bool(json, "entries.2.active"));
    assert_int_equal(look_int(json, "entries.1.time") - look_int(json, "entries.2.time"), 60 * YK_NS_PER_S);
    json_decref(json);
    json = browse_json(&world, HISTORY "?limit=1");
    assert_int_equal(json_array_size(look(json, "entries")), 1);
    assert_int_equal(look_int(json, "entries.0.id"), 3);
    assert_int_equal(look_int(json, "total"), 3);
    assert_int_equal(look_int(json, "entries.0.repeated"), 0);
    json_decref(json);
    assert_non_null(world_reload(&world, refused));
    json = browse_json(&world, HISTORY);
    assert_int_equal(look_int(json, "total"), 3);
    assert_int_equal(look_int(json, "entries.0.repeated"), 1);
    assert_null(look(json, "entries.1.repeated")); /* applied */
    json_decref(json);
    world_done(&world);
}

/* Raw bytes of markup never leave as such in JSON, and the YAML is no page. */
static void texts(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    struct yk_answer answer = browse(&world, HISTORY "/3", 200);
    assert_string_equal(yk_buf_cstr(&answer.body), refused);
    assert_string_equal(answer.content_type, "application/x-yaml; charset=UTF-8");
    yk_answer_done(&answer);
    answer = browse(&world, HISTORY "/1", 200);
    assert_null(strstr(yk_buf_cstr(&answer.body), "secret")); /* /ws/v1/config does not show it either */
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "{name: a}"));
    yk_answer_done(&answer);
    answer = browse(&world, HISTORY, 200);
    assert_null(strchr(yk_buf_cstr(&answer.body), '<'));
    yk_answer_done(&answer);
    world_done(&world);
}

static void errors(void **state)
{
    (void)state;
    static const struct browse_case cases[] = {
        {"limit", HISTORY "?limit=x", 400, "strconv.ParseUint: parsing \"x\": invalid syntax"},
        {"no number", HISTORY "/x", 400, "the id of a configuration is a number"},
        {"too large", HISTORY "/99999999999999999999", 400, "the id of a configuration is a number"},
        {"none", HISTORY "/0", 404, "the history has no configuration with this id, or no longer"},
        {"not yet", HISTORY "/4", 404, "the history has no configuration with this id, or no longer"},
    };
    struct world world;
    init(&world);
    browse_errors(&world, cases, YK_COUNT(cases));
    yk_core_unregister(world.core, "rm");
    browse_error(&world, HISTORY, 503, "no configuration has been loaded yet");
    browse_error(&world, HISTORY "/1", 503, "no configuration has been loaded yet");
    world_done(&world);
}

static void a_text_that_went(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf large = {0};
    struct world world;
    init(&world);
    yk_buf_text(&large, first);
    while (large.len < 2 << 20)
        yk_buf_text(&large, "                                                              \n");
    large.len = 2 << 20;
    large.p[large.len] = '\0';
    assert_null(world_reload(&world, yk_buf_cstr(&large)));
    browse_error(&world, HISTORY "/3", 404, "the text of this configuration is not kept");
    json_t *json = browse_json(&world, HISTORY);
    assert_true(look_bool(json, "entries.0.hasText"));
    assert_false(look_bool(json, "entries.1.hasText"));
    json_decref(json);
    world_done(&world);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_first),
        cmocka_unit_test(texts),
        cmocka_unit_test(errors),
        cmocka_unit_test(a_text_that_went),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
