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

static bool one_line(void *rm, struct yk_si_dump *at, struct yk_buf *out)
{
    (void)rm;
    yk_buf_printf(out, "line %zu\n", at->at++);
    return at->at < LINES;
}

static void whole_answer_in_order(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    yk_core_first_rm(world.core)->callbacks.pod_resources = one_line;
    struct yk_answer answer = browse(&world, "/metrics/resources", 200);
    const char *text = yk_buf_cstr(&answer.body);
    for (int i = 0; i < LINES; i++) {
        char line[32];
        int len = snprintf(line, sizeof(line), "line %d\n", i);
        assert_memory_equal(text, line, (size_t)len);
        text += len;
    }
    assert_string_equal(text, "");
    assert_string_equal(answer.content_type, YK_TYPE_METRICS);
    yk_answer_done(&answer);
    world_done(&world);
}

static bool broken(void *rm, struct yk_si_dump *at, struct yk_buf *out)
{
    (void)rm;
    (void)at;
    out->failed = true;
    return false;
}

static void half_an_answer_is_none(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    yk_core_first_rm(world.core)->callbacks.pod_resources = broken;
    struct yk_answer answer = browse(&world, "/metrics/resources", 500);
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(off_by_default),
        cmocka_unit_test(nothing_to_show),
        cmocka_unit_test(whole_answer_in_order),
        cmocka_unit_test(half_an_answer_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
