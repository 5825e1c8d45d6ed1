/* SPDX-License-Identifier: Apache-2.0 */
/* Applications in scheduling.md 2.1 to 2.5: actions of a change and their order, timers, retention
 * (D08, D20, D24). */
#include "base/log.h"
#include "lib/core_world.h"
#include "partition/lifecycle.h"
#include "scheduler/kill.h"

static const char config[] =
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n    - {name: a}\n    - {name: b}\n";

#define HOUR 3600

static void start(struct world *world)
{
    world_init(world, config);
    world_node(world, "n", 8000, 8192);
    world_submit(world, "app", "root.a", "ann");
}

static void run(struct world *world, const char *app, const char *key)
{
    world_ask(world, app, key, 1000, 10);
    assert_int_equal(world_schedule(world), 1);
}

static void stop(struct world *world, const char *app, const char *key)
{
    world_release(world, app, key, YK_SI_STOPPED_BY_RM);
}

/* 2.1: leave the queue, log the state, tell the resource manager, then the event. */
static struct yk_app *seen_app;
static size_t seen_log, seen_events;
static bool seen_leaf;

static void on_update(void *rm, const struct yk_si_app_update *update)
{
    struct world *world = rm;
    if (update->state != YK_APP_COMPLETED)
        return;
    seen_log = seen_app->state_log_count;
    seen_leaf = seen_app->leaf != NULL;
    seen_events = world_events(world, YK_EVENT_APP_COMPLETED);
}

static void order_of_actions(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k");
    seen_app = world_app(&world, "app");
    yk_core_first_rm(world.core)->callbacks.app_updated = on_update;
    stop(&world, "app", "k");
    size_t logged = seen_app->state_log_count;
    world_advance(&world, 30);
    assert_int_equal(seen_app->state, YK_APP_COMPLETED);
    assert_int_equal(seen_log, logged + 1); /* in the log before it is reported */
    assert_false(seen_leaf);                /* and after it has left its queue */
    assert_int_equal(seen_events, 0);       /* the event comes last */
    assert_int_equal(world_events(&world, YK_EVENT_APP_COMPLETED), 1);
    world_done(&world);
}

/* 2.1: an event that a state refuses changes nothing and is not reported. */
static void refused_events(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k");
    struct yk_app *app = world_app(&world, "app");
    static const enum yk_app_event refused[] = {YK_APP_REJECT, YK_APP_EXPIRE, YK_APP_RESUME};
    uint64_t told = yk_ring_next(world.core->events.ring);
    uint32_t logged = app->state_log_count;
    (void)snprintf(world.last_state, sizeof(world.last_state), "nothing");
    for (size_t i = 0; i < YK_COUNT(refused); i++)
        assert_false(yk_lifecycle_fire(app, refused[i], NULL));
    assert_true(yk_lifecycle_fire(app, YK_APP_RUN, NULL)); /* Running takes it: no transition, no callbacks */
    assert_int_equal(app->state, YK_APP_RUNNING);
    assert_int_equal(app->state_log_count, logged);
    assert_string_equal(world.last_state, "nothing");
    assert_int_equal(yk_ring_next(world.core->events.ring), told);
    world_check(&world);
    world_done(&world);
}

/* 2.1: the message of an update is what is given, or the name of the event. */
static void messages_of_updates(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err;
    start(&world);
    world_ask(&world, "app", "k", 1000, 10);
    assert_string_equal(world.last_state, "Accepted");
    assert_string_equal(world.last_message, "runApplication");
    assert_int_equal(world_schedule(&world), 1);
    assert_int_equal(yk_app_kill(world_app(&world, "app"), "joe", &err), YK_OK);
    assert_non_null(strstr(world.last_message, "ApplicationKilled"));
    world_done(&world);
}

/* 2.3: 30 s in Completing, unless something comes; each change of state cancels the timer. */
static void the_completing_timer(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k1");
    stop(&world, "app", "k1");
    const struct yk_app *app = world_app(&world, "app");
    assert_int_equal(app->state, YK_APP_COMPLETING);
    world_advance(&world, 29);
    assert_int_equal(app->state, YK_APP_COMPLETING);
    world_ask(&world, "app", "k2", 1000, 10); /* 2.2: back to Running */
    assert_int_equal(app->state, YK_APP_RUNNING);
    world_advance(&world, 60);
    assert_int_equal(app->state, YK_APP_RUNNING);
    stop(&world, "app", "k2"); /* pending: 2.2 (a) */
    assert_int_equal(app->state, YK_APP_COMPLETING);
    world_advance(&world, 29);
    assert_int_equal(app->state, YK_APP_COMPLETING);
    world_advance(&world, 1);
    assert_null(world_app(&world, "app"));
    assert_string_equal(world.last_state, "Completed");
    world_done(&world);
}

/* 7.4: what ends all at once ends the application like what ends one by one; 1.9 stops the timer. */
static void released_all_at_once(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k1");
    run(&world, "app", "k2");
    stop(&world, "app", "");
    assert_int_equal(world_app(&world, "app")->state, YK_APP_COMPLETING);
    world_advance(&world, 30);
    assert_null(world_app(&world, "app"));
    world_done(&world);
}

/* D24: a return to Running keeps the first start. */
static void the_first_start_stays(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k1");
    const struct yk_app *app = world_app(&world, "app");
    int64_t first = app->life.start_wall_ns;
    assert_int_not_equal(first, 0);
    world_advance(&world, 5);
    stop(&world, "app", "k1");
    world_advance(&world, 5);
    run(&world, "app", "k2");
    assert_int_equal(app->state, YK_APP_RUNNING);
    assert_int_equal(app->life.start_wall_ns, first);
    world_done(&world);
}

/* D08: who is refused before it has a queue counts as new once, and nothing is taken back. */
static void refused_ones_are_counted_evenly(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    const struct yk_partition *partition = world_partition(&world);
    uint32_t new_ = partition->apps_by_state[YK_APP_NEW];
    assert_int_equal(new_, 1);
    for (int i = 0; i < 3; i++)
        world_submit(&world, "app", "root.a", "ann"); /* active already */
    assert_int_equal(partition->apps_by_state[YK_APP_NEW], 1);
    assert_int_equal(partition->apps_by_state[YK_APP_REJECTED], 1); /* 2.5: one place for one id */
    assert_int_equal(world_queue(&world, "root.a")->apps_by_state[YK_APP_NEW], 1);
    world_check(&world);
    world_done(&world);
}

/* 2.3, 2.5: kept for 72 hours after the end, then until the daily sweep: 72 to 96 hours. */
static void kept_until_the_sweep(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k1");
    world_advance(&world, 12 * HOUR);             /* not at the hour of the sweep */
    world_submit(&world, "app", "root.a", "ann"); /* refused */
    stop(&world, "app", "k1");
    world_advance(&world, 30);
    const struct yk_partition *partition = world_partition(&world);
    for (int hours = 0; hours < 71; hours++) {
        world_advance(&world, HOUR);
        assert_int_equal(partition->completed_count + partition->rejected_count, 2);
    }
    world_advance(&world, HOUR); /* expired, both */
    assert_int_equal(partition->apps_by_state[YK_APP_EXPIRED], 2);
    assert_int_equal(world_events(&world, YK_EVENT_APP_EXPIRED), 2);
    world_advance(&world, 24 * HOUR);
    assert_int_equal(partition->completed_count + partition->rejected_count, 0);
    assert_int_equal(partition->apps_by_state[YK_APP_EXPIRED], 0);
    assert_null(yk_strmap_get(&partition->rejected_by_id, YK_STR("app")));
    world_check(&world);
    world_done(&world);
}

/* 2.5: at most 64 entries, the first ones and the latest. */
static void the_state_log_is_bounded(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k");
    const struct yk_app *app = world_app(&world, "app");
    for (int i = 0; i < 60; i++) {
        stop(&world, "app", "k");
        run(&world, "app", "k");
    }
    assert_in_range(app->state_log_count, 32, 64);
    assert_int_equal(app->state_log[0].state, YK_APP_ACCEPTED);
    assert_int_equal(app->state_log[app->state_log_count - 1].state, YK_APP_RUNNING);
    world_done(&world);
}

/* 2.5: one line when an application that ever ran ends, none for another. */
static void the_summary_line(void **state)
{
    (void)state;
    struct world world;
    char text[4096] = "";
    FILE *stream = tmpfile(); /* a line goes to its descriptor */
    start(&world);
    world_submit(&world, "never", "root.b", "ann");
    world_ask(&world, "never", "n1", 1000, 10);
    stop(&world, "never", "n1");
    run(&world, "app", "k");
    world_advance(&world, 7);
    stop(&world, "app", "k");
    yk_log_set_stream(stream);
    world_advance(&world, 30);
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    assert_int_not_equal(fread(text, 1, sizeof(text) - 1, stream), 0);
    (void)fclose(stream);
    assert_int_equal(world_partition(&world)->completed_count, 2);
    const char *line = strstr(text, "YK_APP_SUMMARY:");
    assert_non_null(line);
    assert_null(strstr(line + 1, "YK_APP_SUMMARY:"));
    static const char *const parts[] = {"core.scheduler.application.usage",
                                        "\"ApplicationID\": \"app\"",
                                        "\"SubmissionTime\": ",
                                        "\"StartTime\": ",
                                        "\"FinishTime\": ",
                                        "\"User\": \"ann\"",
                                        "\"Queue\": \"root.a\"",
                                        "\"State\": \"Completed\"",
                                        "\"RmID\": \"rm\"",
                                        "\"ResourceUsage\": \"UNKNOWN:{",
                                        "\"PreemptedResource\": ",
                                        "\"PlaceholderResource\": "};
    for (size_t i = 0; i < YK_COUNT(parts); i++) {
        if (strstr(text, parts[i]) == NULL)
            fail_msg("%s is not in %s", parts[i], text);
    }
    world_done(&world);
}

/* D20: who completes is found nowhere but in the list of ended ones. */
static void completed_ones_leave_the_maps(void **state)
{
    (void)state;
    struct world world;
    start(&world);
    run(&world, "app", "k");
    stop(&world, "app", "k");
    world_advance(&world, 30);
    const struct yk_partition *partition = world_partition(&world);
    assert_int_equal(partition->apps.count, 0);
    assert_int_equal(partition->shapes.count, 0);
    assert_int_equal(world_queue(&world, "root.a")->app_count, 0);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "app", NULL), YK_OK); /* 7.2: unknown, nothing */
    assert_int_equal(partition->completed_count, 1);
    const struct yk_app *app;
    yk_list_foreach (app, &partition->completed, struct yk_app,
                     life.in_ended) { /* nor do the maps of their own stay */
        assert_null(app->asks.items);
        assert_null(app->groups_by_shape.slots);
    }
    world_check(&world);
    world_done(&world);
}

/* At shutdown applications that live are not said to be removed, which would read like loss of data. */
static void shutdown_removes_no_application(void **state)
{
    (void)state;
    struct world world;
    char text[16384] = "";
    FILE *stream = tmpfile();
    start(&world);
    run(&world, "app", "k");
    world_submit(&world, "gone", "root.b", "ann");
    yk_log_set_stream(stream);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "gone", NULL), YK_OK);
    world_done(&world);
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    assert_int_not_equal(fread(text, 1, sizeof(text) - 1, stream), 0);
    (void)fclose(stream);
    const char *first = strstr(text, "application removed");
    assert_non_null(first);
    assert_null(strstr(first + 1, "application removed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shutdown_removes_no_application),
        cmocka_unit_test(order_of_actions),
        cmocka_unit_test(refused_events),
        cmocka_unit_test(messages_of_updates),
        cmocka_unit_test(the_completing_timer),
        cmocka_unit_test(released_all_at_once),
        cmocka_unit_test(the_first_start_stays),
        cmocka_unit_test(refused_ones_are_counted_evenly),
        cmocka_unit_test(kept_until_the_sweep),
        cmocka_unit_test(the_state_log_is_bounded),
        cmocka_unit_test(the_summary_line),
        cmocka_unit_test(completed_ones_leave_the_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
