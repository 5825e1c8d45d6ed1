/* SPDX-License-Identifier: Apache-2.0 */
/* GET /metrics/resources: off by default, and in pieces (docs/reference/rest.md 10.5). */
#include "state/core.h"
#include "web/browser.h"

static void begin(struct world *world)
{
    world_init(world, "partitions:\n- name: default\n  queues:\n  - name: root\n");
    world->core->metric_pods = true;
}

static void off_by_default(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    world.core->metric_pods = false;
    struct yk_answer answer = browse(&world, "/metrics/resources", 404);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), "the setting metrics.pods is off"));
    yk_answer_done(&answer);
    world_done(&world);
}

/* A resource manager that does not know them. */
static void nothing_to_show(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics/resources", 200);
    assert_string_equal(yk_buf_cstr(&answer.body), "");
    yk_answer_done(&answer);
    world_done(&world);
}

enum { LINES = 5000 };

/* Of each metric, a head unless there is one, then lines. */
static bool one_line(void *rm, struct yk_si_dump *at, struct yk_buf *out)
{
    (void)rm;
    if (!at->is_open)
        yk_buf_printf(out, "head of %d\n", at->part);
    at->is_open = true;
    yk_buf_printf(out, "line %d %zu\n", at->part, at->at++);
    return at->at < LINES;
}

static void expect(const char **text, const char *word, int metric, int number)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf line = {0};
    yk_buf_printf(&line, "%s %d", word, metric);
    if (number >= 0)
        yk_buf_printf(&line, " %d", number);
    yk_buf_char(&line, '\n');
    assert_memory_equal(*text, yk_buf_cstr(&line), line.len);
    *text += line.len;
}

/* The lines of a metric are together, though they come from two resource managers. */
static void whole_answer_in_order(void **state)
{
    (void)state;
    const struct yk_si_callbacks callbacks = {.pod_resources = one_line};
    const struct yk_si_register request = {
        .rm_id = "second", .config = YK_STR("partitions: [{name: default, queues: [{name: root}]}]")};
    struct yk_err err = {0};
    struct world world;
    begin(&world);
    yk_core_first_rm(world.core)->callbacks.pod_resources = one_line;
    assert_int_equal(yk_core_register(world.core, &request, &callbacks, &world, &err), YK_OK);
    struct yk_answer answer = browse(&world, "/metrics/resources", 200);
    const char *text = yk_buf_cstr(&answer.body);
    for (int metric = 0; metric < YK_SI_POD_METRIC_COUNT; metric++) {
        expect(&text, "head of", metric, -1);
        for (int i = 0; i < 2 * LINES; i++)
            expect(&text, "line", metric, i % LINES);
    }
    assert_string_equal(text, "");
    assert_string_equal(answer.content_type, YK_TYPE_METRICS);
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off_by_default),
        cmocka_unit_test(nothing_to_show),
        cmocka_unit_test(whole_answer_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
