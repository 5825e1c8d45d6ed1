/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of an application, and the list of preempted pods (docs/reference/rest.md 12.6). */
#include "report/outstanding.h"
#include "report/preemption_log.h"
#include "report/timeline.h"
#include "reservation/victims.h"
#include "scheduler/kill.h"
#include "web/browser.h"

#define P "/ws/v1/partition/default"

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues:\n    - {name: a, resources: {max: {vcore: 4}}}\n    - {name: b}\n"
                             "    - {name: g, resources: {guaranteed: {vcore: 1}}, queues: [{name: leaf}]}\n";

#define DURATION "yunikorn_scheduler_pod_scheduling_duration_seconds"

static void begin(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 4000, 8192);
}

static void settle(struct world *world)
{
    (void)world_schedule(world);
    world_advance(world, 2);
    (void)world_schedule(world); /* whatever comes of it */
    yk_outstanding_report(world_partition(world));
}

/* "TYPE TYPE ...": the events of the application, in order. */
static void types_of(struct world *world, const char *app, char ret[1024])
{
    char url[128];
    (void)snprintf(url, sizeof(url), P "/application/%s/timeline", app);
    json_t *json = browse_json(world, url);
    const json_t *events = json_object_get(json, "events");
    json_int_t last = 0;
    ret[0] = '\0';
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        assert_true(look_int(event, "time") >= last);
        last = look_int(event, "time");
        size_t len = strlen(ret);
        (void)snprintf(ret + len, 1024 - len, "%s%s", len > 0 ? " " : "", look_text(event, "type"));
    }
    json_decref(json);
}

static void from_submission_to_the_end(void **state)
{
    struct world world;
    char types[1024];
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.a", "ann");
    world_ask(&world, "app", "first", 3000, 64);
    settle(&world);
    world_ask(&world, "app", "second", 2000, 64);
    settle(&world);
    settle(&world); /* the same reason once more is no event */
    types_of(&world, "app", types);
    assert_string_equal(types, "Submitted Accepted Running Allocated Waiting");
    yk_core_allocation_bound(world.core, "rm", "app", "first");
    yk_core_allocation_bound(world.core, "rm", "app", "second"); /* it waits: nothing */
    settle(&world);
    yk_core_allocation_bound(world.core, "rm", "app", "first"); /* only the first time counts */
    types_of(&world, "app", types);
    assert_string_equal(types, "Submitted Accepted Running Allocated Waiting Bound");
    json_t *json = browse_json(&world, P "/application/app/timeline");
    assert_string_equal(look_text(json, "events.4.reason"), "QueueQuota");
    assert_string_equal(
        look_text(json, "events.4.message"),
        "second waits: needs 2 cores, queue root.a has 1 of 4 cores free; ann's application app "
        "holds 3 cores");
    assert_string_equal(look_text(json, "events.3.message"), "first got node n1");
    assert_string_equal(look_text(json, "state"), "Running");
    json_decref(json);
    world_release(&world, "app", "first", YK_SI_STOPPED_BY_RM);
    settle(&world);
    world_release(&world, "app", "second", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 60);
    types_of(&world, "app", types);
    assert_string_equal(types,
                        "Submitted Accepted Running Allocated Waiting Bound Released Allocated Completing "
                        "Released Completed");
    world_done(&world);
}

/* The message of the event Failing, or of Rejected. */
static char *last_message(struct world *world, const char *app)
{
    char url[128];
    (void)snprintf(url, sizeof(url), P "/application/%s/timeline", app);
    json_t *json = browse_json(world, url), *events = json_object_get(json, "events"), *found = NULL;
    for (size_t i = 0; i < json_array_size(events); i++) {
        json_t *event = json_array_get(events, i);
        if (look_text(event, "message")[0] != '\0')
            found = event;
    }
    char *message = yk_strdup(found != NULL ? look_text(found, "message") : "");
    json_decref(json);
    return message;
}

static void why_it_failed(void **state)
{
    struct world world;
    struct yk_err err = {0};
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.a", "ann");
    assert_int_equal(yk_app_kill(world_app(&world, "app"), "chief", &err), YK_OK);
    char *message = last_message(&world, "app");
    assert_string_equal(message, "ApplicationKilled: killed by user 'chief'");
    free(message);
    json_t *json = browse_json(&world, P "/applications/completed");
    assert_string_equal(look_text(json, "0.failedMessage"), "ApplicationKilled: killed by user 'chief'");
    assert_null(look(json, "0.rejectedMessage"));
    json_decref(json);
    world_advance(&world, 10); /* the same name ends again, by a rejection */
    world_submit(&world, "app", "root.none", "ann");
    message = last_message(&world, "app");
    assert_non_null(strstr(message, "root.none"));
    free(message);
    world_done(&world);
}

/* The core ends placeholders with one termination. The timeline has the cause. */
static void why_a_placeholder_ended(void **state)
{
    static const struct {
        const char *what;
        int64_t real_vcore; /* 0: no real ask */
        int seconds;        /* until the placeholder was asked to end */
        const char *want;
    } cases[] = {
        {"a larger pod", 3000, 2, "ph left node n1: a pod of its task group is larger"},
        {"the timeout", 0, 16 * 60, "ph left node n1: its time was up"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        bool found = false;
        struct yk_resvec size = world_size(1000, 10), larger = world_size(cases[i].real_vcore, 10);
        begin(&world);
        const struct yk_si_new_app app = {
            .application_id = "gang", .queue = "root.a", .ugi = {.user = "joe"}, .placeholder_ask = &size};
        assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
        const struct yk_si_allocation placeholder = {.key = "ph",
                                                     .application_id = "gang",
                                                     .resource = &size,
                                                     .task_group = "tg",
                                                     .placeholder = true,
                                                     .scheduling_class = YK_SI_CLASS_ANY};
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &placeholder), YK_OK);
        settle(&world);
        const struct yk_si_allocation real = {.key = "real",
                                              .application_id = "gang",
                                              .resource = &larger,
                                              .task_group = "tg",
                                              .scheduling_class = YK_SI_CLASS_ANY};
        if (cases[i].real_vcore > 0)
            assert_int_equal(yk_core_update_allocation(world.core, "rm", &real), YK_OK);
        world_advance(&world, cases[i].seconds);
        settle(&world);
        world_release(&world, "gang", "ph", YK_SI_TIMEOUT);
        json_t *json = browse_json(&world, P "/application/gang/timeline");
        const json_t *events = json_object_get(json, "events");
        for (size_t event = 0; event < json_array_size(events); event++)
            found |= strcmp(look_text(json_array_get(events, event), "message"), cases[i].want) == 0;
        if (!found)
            fail_msg("%s", cases[i].what);
        json_decref(json);
        world_done(&world);
    }
}

static void many_events_are_bounded(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.b", "ann");
    for (int i = 0; i < YK_TIMELINE_MAX; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "app", key, 100, 1);
        settle(&world);
        world_release(&world, "app", key, YK_SI_STOPPED_BY_RM);
    }
    json_t *json = browse_json(&world, P "/application/app/timeline");
    assert_int_equal(look_int(json, "omitted"), YK_TIMELINE_MAX);
    assert_true(json_array_size(json_object_get(json, "events")) >= YK_TIMELINE_MAX);
    json_decref(json);
    world_done(&world);
}

static void count_slice(void *context)
{
    (*(size_t *)context)++;
}

/* The allocations that began first are shown. The pods of the application are visited in slices. */
static void many_running_pods_are_bounded(void **state)
{
    enum { PODS = 1100, SHOWN = 1024 };
    struct world world;
    size_t slices = 0;
    (void)state;
    world_init(&world, config);
    for (int i = 0; i < PODS / 100; i++) { /* a node takes 110 pods */
        char id[16];
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(&world, id, 4000, 8192);
    }
    world_submit(&world, "app", "root.b", "ann");
    for (int i = 0; i < PODS; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "k%d", i);
        world_ask(&world, "app", key, 10, 1);
        if (i == 0) {
            assert_int_equal(world_schedule(&world), 1);
            world_advance(&world, 1);
        }
    }
    assert_int_equal(world_schedule(&world), PODS - 1);
    json_t *json = browse_slices(&world, P "/application/app/timeline", count_slice, &slices);
    assert_int_equal(look_int(json, "omitted"), PODS - SHOWN);
    assert_int_equal(json_array_size(look(json, "events")), 3 + SHOWN); /* Submitted Accepted Running */
    assert_string_equal(look_text(json, "events.3.allocationKey"), "k0");
    assert_true(slices > 2);
    json_decref(json);
    world_done(&world);
}

static void preempt(struct world *world, int number)
{
    char key[16];
    (void)snprintf(key, sizeof(key), "v%d", number);
    world_ask(world, "victims", key, 100, 1);
    (void)world_schedule(world);
    struct yk_ask *victim = yk_app_find_ask(world_app(world, "victims"), yk_str_from(key));
    const struct yk_ask *by = yk_app_find_ask(world_app(world, "big"), YK_STR("waits"));
    yk_preemption_note(world_partition(world), &victim, 1, YK_PREEMPTION_GUARANTEE, by, NULL);
    world_release(world, "victims", key, YK_SI_STOPPED_BY_RM);
}

static void preempted_pods_are_listed(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    json_t *json = browse_json(&world, P "/preemptions");
    assert_int_equal(look_int(json, "total"), 0);
    assert_int_equal(json_array_size(json_object_get(json, "preemptions")), 0);
    json_decref(json);
    world_submit(&world, "victims", "root.b", "vic");
    world_submit(&world, "big", "root.a", "ann");
    world_ask(&world, "big", "waits", 4000, 16000);
    for (int i = 0; i < YK_PREEMPTION_LOG_MAX + 10; i++)
        preempt(&world, i);
    json = browse_json(&world, P "/preemptions?limit=2&offset=1");
    assert_int_equal(look_int(json, "total"), YK_PREEMPTION_LOG_MAX);
    assert_int_equal(json_array_size(json_object_get(json, "preemptions")), 2);
    assert_string_equal(look_text(json, "preemptions.0.victim.allocationKey"), "v1008");
    assert_string_equal(look_text(json, "preemptions.0.kind"), "guarantee");
    assert_string_equal(look_text(json, "preemptions.0.for.allocationKey"), "waits");
    assert_string_equal(look_text(json, "preemptions.0.for.queueName"), "root.a");
    assert_int_equal(look_int(json, "preemptions.0.victim.resource.vcore"), 100);
    assert_string_equal(look_text(json, "preemptions.0.nodeID"), "n1");
    assert_string_equal(
        look_text(json, "preemptions.0.message"),
        "v1008 (application victims of vic in queue root.b) ends because a queue is below its "
        "guarantee, for waits (application big of ann in queue root.a)");
    json_decref(json);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    assert_non_null(
        strstr(yk_buf_cstr(&answer.body),
               "yunikorn_preempted_pods_total{preempting_queue=\"root.a\",reason=\"guarantee\"} 1010\n"));
    yk_answer_done(&answer);
    world_done(&world);
}

static void metrics_of_waiting(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    world.update_takes_ns = 1;
    world_submit(&world, "app", "root.a", "ann");
    world_ask(&world, "app", "first", 3000, 64);
    settle(&world);
    world_submit(&world, "late", "root.a", "ann");
    world_ask(&world, "late", "second", 2000, 64);
    settle(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    const char *text = yk_buf_cstr(&answer.body);
    assert_non_null(
        strstr(text, "yunikorn_pending_applications{queue=\"root.a\",reason=\"QueueQuota\"} 1\n"));
    assert_non_null(strstr(text, DURATION "_count{queue_class=\"best_effort\"} 1\n"));
    assert_non_null(
        strstr(text, "yunikorn_queue_wait_seconds_count{queue=\"root.a\",stage=\"running\"} 1\n"));
    yk_answer_done(&answer);
    world_release(&world, "app", "first", YK_SI_STOPPED_BY_RM);
    settle(&world);
    answer = browse(&world, "/ws/v1/metrics", 200);
    assert_null(strstr(yk_buf_cstr(&answer.body), "yunikorn_pending_applications{"));
    assert_null(strstr(yk_buf_cstr(&answer.body), "queue_class=\"guaranteed\""));
    assert_non_null(strstr(yk_buf_cstr(&answer.body), DURATION "_count{queue_class=\"best_effort\"} 2\n"));
    yk_answer_done(&answer);
    world_submit(&world, "owed", "root.g.leaf", "ann"); /* the queue above it has a guarantee */
    world_ask(&world, "owed", "third", 100, 64);
    settle(&world);
    answer = browse(&world, "/ws/v1/metrics", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), DURATION "_count{queue_class=\"guaranteed\"} 1\n"));
    assert_non_null(strstr(yk_buf_cstr(&answer.body), DURATION "_count{queue_class=\"best_effort\"} 2\n"));
    yk_answer_done(&answer);
    world_done(&world);
}

static void expect_waiting(struct world *world, const char *series)
{
    struct yk_answer answer = browse(world, "/ws/v1/metrics", 200);
    const char *text = yk_buf_cstr(&answer.body);
    const char *found = strstr(text, "yunikorn_pending_applications{");
    if (found == NULL || strncmp(found, series, strlen(series)) != 0)
        fail_msg("not %s: %.100s", series, found != NULL ? found : "none");
    yk_answer_done(&answer);
}

/* The asks that are left still wait, and need not be reported again. */
static void some_asks_start_and_others_wait(void **state)
{
    static const char by_queue[] =
        "yunikorn_pending_applications{queue=\"root.a\",reason=\"QueueQuota\"} 1\n";
    static const char by_nodes[] =
        "yunikorn_pending_applications{queue=\"root.a\",reason=\"InsufficientNodeResources\"} 1\n";
    struct world world;
    (void)state;
    begin(&world);
    world_submit(&world, "app", "root.a", "ann");
    world_ask(&world, "app", "first", 2000, 64);
    world_ask(&world, "app", "second", 2000, 64);
    settle(&world);
    world_ask(&world, "app", "third", 2000, 64);
    world_ask(&world, "app", "fourth", 2000, 64);
    world_ask(&world, "app", "large", 100, 9000); /* more memory than the node has */
    settle(&world);
    expect_waiting(&world, by_queue);
    world_release(&world, "app", "first", YK_SI_STOPPED_BY_RM);
    settle(&world);
    settle(&world);
    expect_waiting(&world, by_queue);
    world_release(&world, "app", "second", YK_SI_STOPPED_BY_RM);
    world_release(&world, "app", "third", YK_SI_STOPPED_BY_RM);
    settle(&world);
    settle(&world);
    expect_waiting(&world, by_nodes); /* now that none waits for the queue */
    world_done(&world);
}

/* After a restart, pods that run are reported to the core. How old they are says nothing about their waits. */
static void metrics_of_restored(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    struct yk_resvec size = world_size(1000, 64);
    int64_t now_ns = yk_clock_wall_ns(&world.clock);
    struct yk_si_tag force = {"application.create.force", "true"};
    const struct yk_si_new_app app = {.application_id = "app",
                                      .queue = "root.a",
                                      .partition = "default",
                                      .ugi = {.user = "ann"},
                                      .tags = &force,
                                      .tag_count = 1};
    const struct yk_si_allocation pod = {.key = "pod",
                                         .application_id = "app",
                                         .resource = &size,
                                         .node_id = "n1",
                                         .create_wall_ns = now_ns - 1000 * YK_NS_PER_S,
                                         .start_wall_ns = now_ns - 990 * YK_NS_PER_S};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &pod), YK_OK);
    settle(&world);
    assert_int_equal(world_app(&world, "app")->state, YK_APP_RUNNING);
    struct yk_answer answer = browse(&world, "/ws/v1/metrics", 200);
    assert_null(strstr(yk_buf_cstr(&answer.body), "yunikorn_queue_wait_seconds_count{"));
    assert_null(strstr(yk_buf_cstr(&answer.body), DURATION "_count{"));
    yk_answer_done(&answer);
    world_ask(&world, "app", "next", 1000, 64);
    settle(&world);
    answer = browse(&world, "/ws/v1/metrics", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body), DURATION "_count{queue_class=\"best_effort\"} 1\n"));
    yk_answer_done(&answer);
    world_done(&world);
}

/* The sentence about preemption looks at no node, so it is there however many nodes there are. */
static void preemption_has_a_sentence(void **state)
{
    struct world world;
    struct yk_timeline_view view;
    (void)state;
    world_init(&world, config);
    for (int i = 0; i < 300; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(&world, id, 10, 10);
    }
    world_submit(&world, "app", "root.b", "ann");
    world_ask(&world, "app", "waits", 1000, 10);
    struct yk_app *app = world_app(&world, "app");
    struct yk_ask *ask = yk_app_find_ask(app, YK_STR("waits"));
    assert_int_equal(world_schedule(&world), 0);
    struct yk_nomination *nomination = (struct yk_nomination *)(void *)&world; /* only compared with NULL */
    yk_ask_set_nomination(ask, nomination);
    yk_timeline_waits(ask);
    yk_ask_set_nomination(ask, NULL);
    assert_true(yk_timeline_at(app, 0, &view));
    assert_string_equal(view.reason, "PreemptionInProgress");
    assert_non_null(strstr(view.message, "to make room for it"));
    world_done(&world);
}

static void errors(void **state)
{
    struct world world;
    (void)state;
    begin(&world);
    static const struct browse_case cases[] = {
        {"partition", "/ws/v1/partition/none/application/x/timeline", 404, "Partition not found"},
        {"application", P "/application/x/timeline", 404, "Application not found"},
        {"partition of preemptions", "/ws/v1/partition/none/preemptions", 404, "Partition not found"},
        {"number", P "/preemptions?offset=-1", 400, "strconv.ParseUint: parsing \"-1\": invalid syntax"},
    };
    browse_errors(&world, cases, YK_COUNT(cases));
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_submission_to_the_end),
        cmocka_unit_test(why_it_failed),
        cmocka_unit_test(why_a_placeholder_ended),
        cmocka_unit_test(many_events_are_bounded),
        cmocka_unit_test(many_running_pods_are_bounded),
        cmocka_unit_test(preempted_pods_are_listed),
        cmocka_unit_test(metrics_of_waiting),
        cmocka_unit_test(some_asks_start_and_others_wait),
        cmocka_unit_test(metrics_of_restored),
        cmocka_unit_test(preemption_has_a_sentence),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
