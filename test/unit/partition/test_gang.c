/* SPDX-License-Identifier: Apache-2.0 */
/* Gangs in the core: totals, replacement on the same and on another node, sizes that differ, time-outs, and
 * what may happen in the middle (scheduling.md 5, D14, D15). */
#include "base/random.h"
#include "lib/core_world.h"
#include "scheduler/kill.h"

static const char config[] =
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
    "    - {name: q, resources: {max: {vcore: 100}}}\n    - {name: other}\n";

struct gang {
    int64_t vcore; /* of all placeholders; 0: not said */
    enum yk_si_gang_style style;
    int64_t timeout_s;
    bool forced;
};

static void submit_gang(struct world *world, const char *id, const struct gang *gang)
{
    YK_RESVEC(total);
    yk_resvec_put(&total, YK_RESTYPE_VCORE, gang->vcore);
    yk_resvec_put(&total, YK_RESTYPE_MEMORY, gang->vcore / 1000 * (INT64_C(10) << 20));
    yk_resvec_put(&total, YK_RESTYPE_PODS, gang->vcore / 1000);
    const struct yk_si_tag forced = {YK_SI_TAG_FORCE_CREATE, "true"};
    struct yk_si_new_app app = {.application_id = id,
                                .queue = "root.q",
                                .ugi = {.user = "joe"},
                                .placeholder_ask = gang->vcore > 0 ? &total : NULL,
                                .gang_style = gang->style,
                                .placeholder_timeout_ns = gang->timeout_s * YK_NS_PER_S,
                                .tags = &forced,
                                .tag_count = gang->forced};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

static void ask_of(struct world *world, const char *app, const char *key, const char *task_group,
                   int64_t vcore, bool placeholder, const char *node, yk_si_class class_)
{
    struct yk_resvec size = world_size(vcore, 10);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .task_group = task_group,
                                   .placeholder = placeholder,
                                   .node_id = node,
                                   .create_wall_ns = yk_clock_wall_ns(&world->clock),
                                   .scheduling_class = class_};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

static void placeholder(struct world *world, const char *key, int64_t vcore)
{
    ask_of(world, "app", key, "tg", vcore, true, NULL, YK_SI_CLASS_ANY);
}

static void real(struct world *world, const char *key, int64_t vcore)
{
    ask_of(world, "app", key, "tg", vcore, false, NULL, YK_SI_CLASS_ANY);
}

static void begin(struct world *world, const struct gang *gang, size_t placeholders)
{
    static const char *const keys[] = {"p0", "p1", "p2", "p3"};
    world_init(world, config);
    world_node(world, "n1", 8000, 8192);
    submit_gang(world, "app", gang);
    for (size_t i = 0; i < placeholders; i++)
        placeholder(world, keys[i], 1000);
}

static const struct yk_task_group *group_of(struct world *world)
{
    return yk_strmap_get(&world_app(world, "app")->gang->by_name, YK_STR("tg"));
}

static int64_t used(struct world *world)
{
    return yk_resvec_get(&world_queue(world, "root.q")->allocated, YK_RESTYPE_VCORE);
}

static void state_is(struct world *world, enum yk_app_state state)
{
    assert_string_equal(yk_app_state_name(world_app(world, "app")->state), yk_app_state_name(state));
}

/* ---- 5.1, 2.2: when the gang is whole the application runs ---- */

static void runs_when_all_placeholders_are_there(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 3000}, 2);
    assert_int_equal(world_schedule(&world), 2);
    state_is(&world, YK_APP_ACCEPTED);
    placeholder(&world, "p2", 1000);
    assert_int_equal(world_schedule(&world), 1);
    state_is(&world, YK_APP_RUNNING);
    const struct yk_app *app = world_app(&world, "app");
    assert_true(yk_resvec_is_empty(&app->allocated)); /* apart */
    assert_int_equal(yk_resvec_get(&app->allocated_placeholder, YK_RESTYPE_VCORE), 3000);
    assert_int_equal(group_of(&world)->count, 3);
    world_done(&world);
}

/* 2.2: placeholders that go without a real pod leave an application that completes as any other. */
static void completes_without_real_pods(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 3000}, 2);
    assert_int_equal(world_schedule(&world), 2);
    placeholder(&world, "p2", 1000);
    world_release(&world, "app", "p2", YK_SI_STOPPED_BY_RM);
    world_release(&world, "app", "p0", YK_SI_STOPPED_BY_RM);
    state_is(&world, YK_APP_ACCEPTED);
    world_release(&world, "app", "p1", YK_SI_STOPPED_BY_RM);
    state_is(&world, YK_APP_COMPLETING);
    assert_int_equal(world_app(&world, "app")->allocation_count, 0);
    world_advance(&world, 31);
    assert_int_equal(world_partition(&world)->completed_count, 1);
    world_done(&world);
}

/* ---- 5.2, 5.3: replacement ---- */

static void a_real_pod_takes_the_place_of_a_placeholder(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 2000}, 2);
    assert_int_equal(world_schedule(&world), 2);
    real(&world, "r0", 600); /* smaller */
    assert_int_equal(world_schedule(&world), 1);
    /* Decided: the placeholder is to end, nothing else has changed but that r0 waits no more. */
    assert_string_equal(world.last_key, "p0");
    assert_int_equal(world.last_termination, YK_SI_PLACEHOLDER_REPLACED);
    assert_int_equal(world.allocated, 2);
    assert_int_equal(used(&world), 2000);
    assert_true(yk_resvec_is_empty(&world_queue(&world, "root.q")->pending));
    size_t released = world.released;
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED);
    assert_int_equal(world.allocated, 3);
    assert_string_equal(world.last_key, "r0");
    assert_string_equal(world.last_node, "n1");
    assert_int_equal(world.released, released); /* a confirmation is not answered */
    assert_int_equal(used(&world), 1600);       /* 5.3: the queue gives back the difference */
    const struct yk_app *app = world_app(&world, "app");
    assert_int_equal(yk_resvec_get(&app->allocated, YK_RESTYPE_VCORE), 600);
    assert_int_equal(app->placeholder_count, 1);
    assert_int_equal(group_of(&world)->replaced, 1);
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED); /* twice: ignored */
    world_check(&world);
    assert_int_equal(world.allocated, 3);
    world_done(&world);
}

/* 2.2: the first replacement alone does not make the application run. */
static void the_second_replacement_runs_it(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 4000}, 2); /* two of four */
    real(&world, "r0", 1000);
    assert_int_equal(world_schedule(&world), 3);
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED);
    state_is(&world, YK_APP_ACCEPTED);
    real(&world, "r1", 1000);
    assert_int_equal(world_schedule(&world), 1);
    world_release(&world, "app", "p1", YK_SI_PLACEHOLDER_REPLACED);
    state_is(&world, YK_APP_RUNNING);
    world_done(&world);
}

/* 3.5: as long as placeholders are to come or to be replaced, real pods of the group wait for them. */
static void real_pods_wait_for_placeholders(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 20000}, 0);
    placeholder(&world, "big", 20000); /* fits nowhere */
    real(&world, "r0", 1000);
    ask_of(&world, "app", "free", "", 1000, false, NULL, YK_SI_CLASS_ANY);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "free");
    world_release(&world, "app", "big", YK_SI_STOPPED_BY_RM); /* none is left: r0 goes its own way */
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "r0");
    world_done(&world);
}

/* 5.2 point 1: a real pod that is larger sends all placeholders of its group away, and is scheduled. */
static void a_larger_real_pod_sends_placeholders_away(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 2000}, 2);
    assert_int_equal(world_schedule(&world), 2);
    size_t released = world.released;
    real(&world, "r0", 1500);
    assert_int_equal(world_schedule(&world), 0);
    assert_int_equal(world.released, released + 2);
    assert_int_equal(world.last_termination, YK_SI_TIMEOUT);
    world_release(&world, "app", "p0", YK_SI_TIMEOUT);
    assert_int_equal(world_schedule(&world), 0); /* one is still there */
    world_release(&world, "app", "p1", YK_SI_TIMEOUT);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_key, "r0");
    assert_int_equal(group_of(&world)->timed_out, 2);
    world_done(&world);
}

/* 5.2 point 3: class 1 may run on nodes whose name begins with m only. */
static void replaced_on_another_node(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 1000}, 1);
    world.class_letter = 'm';
    assert_int_equal(world_schedule(&world), 1);
    ask_of(&world, "app", "r0", "tg", 1000, false, NULL, 1);
    assert_int_equal(world_schedule(&world), 0); /* no such node */
    world_node(&world, "m1", 8000, 8192);
    assert_int_equal(world_schedule(&world), 1);
    const struct yk_ask *moving = yk_app_find_ask(world_app(&world, "app"), YK_STR("r0"));
    assert_string_equal(moving->node->id, "m1"); /* it holds the room there */
    assert_int_equal(used(&world), 1000);        /* and counts once */
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED);
    assert_string_equal(world.last_node, "m1");
    assert_int_equal(used(&world), 1000);
    const struct yk_node *n1 = yk_partition_find_node(world_partition(&world), "n1");
    assert_int_equal(n1->allocation_count, 0);
    world_check(&world);
    world_done(&world);
}

/* It becomes smaller before it is allocated: who waits for that node is woken. */
static void room_that_a_replacement_gives_back(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 4000}, 0);
    world.class_letter = 'm';
    placeholder(&world, "p0", 4000);
    assert_int_equal(world_schedule(&world), 1);
    ask_of(&world, "app", "r0", "tg", 4000, false, NULL, 1);
    world_node(&world, "m1", 4000, 8192);
    assert_int_equal(world_schedule(&world), 1);
    world_submit(&world, "waits", "root.other", "joe");
    world_ask_full(&world, "waits", "w", 3000, 10, 0, 1, NULL);
    assert_int_equal(world_schedule(&world), 0);
    ask_of(&world, "app", "r0", "tg", 1000, false, NULL, 1);
    assert_int_equal(world_schedule(&world), 1);
    assert_string_equal(world.last_node, "m1");
    world_done(&world);
}

/* ---- 5.3, D14: what may come in between ---- */

enum event {
    PLACEHOLDER_DELETED,
    REAL_DELETED,
    NODE_REMOVED,
    OTHER_NODE_REMOVED,
    APP_REMOVED,
    CONFIRMED_LATE
};

static void in_the_middle(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum event event;
        bool other_node;
        int64_t used;        /* afterwards */
        const char *real_on; /* where the real pod is allocated; NULL: it is not */
        bool waits;          /* the real ask */
    } cases[] = {
        {"the placeholder is deleted by hand: there is room for the real one", PLACEHOLDER_DELETED, false,
         1000, "n1", false},
        {"the same with another node", PLACEHOLDER_DELETED, true, 1000, "m1", false},
        {"the real pod is deleted: the placeholder ends all the same", REAL_DELETED, false, 1000, NULL,
         false},
        {"the real pod is deleted and gives up the other node", REAL_DELETED, true, 1000, NULL, false},
        {"the node goes: the real one waits again", NODE_REMOVED, false, 0, NULL, true},
        {"the placeholder's node goes: the real one has its own", NODE_REMOVED, true, 1000, "m1", false},
        {"the other node goes: the real one waits again", OTHER_NODE_REMOVED, true, 1000, NULL, true},
        {"the application goes", APP_REMOVED, false, 0, NULL, false},
        {"the application goes, with another node", APP_REMOVED, true, 0, NULL, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, &(struct gang){.vcore = 1000}, 1);
        world.class_letter = cases[i].other_node ? 'm' : 0;
        assert_int_equal(world_schedule(&world), 1);
        if (cases[i].other_node)
            world_node(&world, "m1", 8000, 8192);
        ask_of(&world, "app", "r0", "tg", 1000, false, NULL, 1);
        assert_int_equal(world_schedule(&world), 1);
        switch (cases[i].event) {
        case PLACEHOLDER_DELETED:
            world_release(&world, "app", "p0", YK_SI_STOPPED_BY_RM);
            break;
        case REAL_DELETED:
            world_release(&world, "app", "r0", YK_SI_STOPPED_BY_RM);
            break;
        case NODE_REMOVED:
            world_node_action(&world, "n1", YK_SI_NODE_DECOMMISSION);
            break;
        case OTHER_NODE_REMOVED:
            world_node_action(&world, "m1", YK_SI_NODE_DECOMMISSION);
            break;
        case APP_REMOVED:
        case CONFIRMED_LATE:
            assert_int_equal(yk_core_remove_app(world.core, "rm", "app", NULL), YK_OK);
            break;
        }
        world_check(&world);
        const struct yk_app *app = world_app(&world, "app");
        const struct yk_ask *ask = app != NULL ? yk_app_find_ask(app, YK_STR("r0")) : NULL;
        bool waits = ask != NULL && yk_ask_is_pending(ask);
        const char *node = ask != NULL && ask->node != NULL ? ask->node->id : NULL;
        if (used(&world) != cases[i].used || waits != cases[i].waits ||
            (node == NULL) != (cases[i].real_on == NULL) ||
            (node != NULL && strcmp(node, cases[i].real_on) != 0))
            fail_msg("%s: %lld used, waits %d, on %s", cases[i].what, (long long)used(&world), waits,
                     node != NULL ? node : "no node");
        if (cases[i].event == REAL_DELETED || cases[i].event == OTHER_NODE_REMOVED) {
            world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED); /* a confirmation without link */
            assert_int_equal(used(&world), 0);
        }
        (void)world_schedule(&world); /* nothing hangs */
        world_done(&world);
    }
}

/* ---- 5.4: time ---- */

static void time_outs(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct gang gang;
        int placed, total;          /* placeholders of 1000 */
        const char *during, *after; /* states at the time-out and when the placeholders have gone */
    } cases[] = {
        {"soft: resumes, and goes on without a gang",
         {.vcore = 9000, .timeout_s = 60},
         2,
         9,
         "Resuming",
         "Accepted"},
        {"hard: fails",
         {.vcore = 9000, .timeout_s = 60, .style = YK_SI_GANG_HARD},
         2,
         9,
         "Failing",
         "Failed"},
        {"whole: what is not used is given back",
         {.vcore = 2000, .timeout_s = 60},
         2,
         2,
         "Running",
         "Completing"},
        {"the default is 15 minutes", {.vcore = 9000}, 1, 9, "Resuming", "Accepted"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        begin(&world, &cases[i].gang, 0);
        for (int p = 0; p < cases[i].total && p < 4; p++) {
            char key[8];
            (void)snprintf(key, sizeof(key), "p%d", p);
            placeholder(&world, key, p < cases[i].placed ? 1000 : 90000);
        }
        ask_of(&world, "app", "waits", "", 80000, false, NULL, YK_SI_CLASS_ANY);
        assert_int_equal(world_schedule(&world), cases[i].placed);
        int64_t timeout_s = cases[i].gang.timeout_s > 0 ? cases[i].gang.timeout_s : 900;
        world_advance(&world, timeout_s - 1);
        size_t released = world.released;
        world_advance(&world, 2);
        if (strcmp(yk_app_state_name(world_app(&world, "app")->state), cases[i].during) != 0)
            fail_msg("%s: %s", cases[i].what, yk_app_state_name(world_app(&world, "app")->state));
        assert_true(world.released >= released + (size_t)cases[i].placed);
        for (int p = 0; p < cases[i].placed; p++) {
            char key[8];
            (void)snprintf(key, sizeof(key), "p%d", p);
            world_release(&world, "app", key, YK_SI_TIMEOUT);
        }
        if (strcmp(cases[i].after, "Failed") == 0) {
            assert_null(world_app(&world, "app"));
            assert_string_equal(world.last_state, "Failed");
            const struct yk_app *ended =
                YK_CONTAINER(world_partition(&world)->completed.prev, const struct yk_app, life.in_ended);
            assert_true(yk_str_starts(yk_str_from(ended->life.message), "ResourceReservationTimeout: "));
        } else if (strcmp(cases[i].after, "Completing") != 0) {
            state_is(&world, YK_APP_ACCEPTED);
            assert_int_equal(used(&world), 0);
            const struct yk_queue_waits *waits = world_app(&world, "app")->leaf->report.waits;
            uint64_t accepted = 0;
            for (size_t bucket = 0; bucket <= YK_WAIT_BUCKETS; bucket++)
                accepted += waits->accepted.counts[bucket];
            assert_int_equal(accepted, 1); /* the first time only */
            real(&world, "r9", 1000);      /* as an ordinary ask */
            assert_int_equal(world_schedule(&world), 1);
            state_is(&world, YK_APP_RUNNING);
        } else {
            assert_int_equal(used(&world), 0);
        }
        world_check(&world);
        world_done(&world);
    }
}

/* An application that resumes after the time-out of its gang fails with its partition, as others do. */
static void resumes_while_the_partition_goes(void **state)
{
    (void)state;
    const struct gang gang = {.vcore = 9000, .timeout_s = 60};
    struct world world;
    begin(&world, &gang, 0);
    placeholder(&world, "p0", 1000);
    assert_int_equal(world_schedule(&world), 1);
    world_advance(&world, 61);
    state_is(&world, YK_APP_RESUMING);
    assert_null(world_reload(&world, "partitions: [{name: other, queues: [{name: root}]}]"));
    assert_string_equal(world.last_state, "Failing");
    world_done(&world);
}

static void note_order(void *context, const char *key)
{
    struct yk_buf *released = context;
    yk_buf_text(released, key);
    yk_buf_char(released, ' ');
}

/* All at once means one after the other as they came, and no order that a hash makes up. */
static void placeholders_go_in_order(void **state)
{
    static const char *const keys[] = {"p5", "p2", "p7", "p0", "p3", "p6", "p1", "p4"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf released = {0};
        struct world world;
        begin(&world, &(struct gang){.vcore = 90000, .timeout_s = 60, .style = YK_SI_GANG_HARD}, 0);
        for (size_t k = 0; k < YK_COUNT(keys); k++)
            placeholder(&world, keys[k], 1000);
        assert_int_equal(world_schedule(&world), YK_COUNT(keys));
        world.watch_released = note_order;
        world.watcher = &released;
        if (i == 0)
            world_advance(&world, 60);
        else
            assert_int_equal(yk_app_kill(world_app(&world, "app"), "joe", NULL), YK_OK);
        assert_string_equal(yk_buf_cstr(&released), "p5 p2 p7 p0 p3 p6 p1 p4 ");
        world_check(&world);
        world_done(&world);
    }
}

/* 5.4: without an allocated placeholder time does not run. */
static void no_placeholder_no_time(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 90000, .timeout_s = 10}, 0);
    placeholder(&world, "p0", 90000);
    assert_int_equal(world_schedule(&world), 0);
    world_advance(&world, 1000);
    state_is(&world, YK_APP_ACCEPTED);
    world_done(&world);
}

/* 2.3: after a restart the time runs since the pods were made. */
static void restored_gangs_have_less_time(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 8000, 8192);
    submit_gang(&world, "app", &(struct gang){.vcore = 9000, .timeout_s = 100, .forced = true});
    struct yk_resvec size = world_size(1000, 10);
    struct yk_si_allocation bound = {.key = "p0",
                                     .application_id = "app",
                                     .resource = &size,
                                     .task_group = "tg",
                                     .placeholder = true,
                                     .node_id = "n1",
                                     .create_wall_ns = yk_clock_wall_ns(&world.clock) - 70 * YK_NS_PER_S,
                                     .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &bound), YK_OK);
    world_advance(&world, 29);
    state_is(&world, YK_APP_ACCEPTED);
    world_advance(&world, 2);
    state_is(&world, YK_APP_RESUMING);
    world_done(&world);
}

/* 5.5: what a reload allows no more runs on, also after a restart. */
static void a_restored_gang_is_taken(void **state)
{
    (void)state;
    static const char *const queues[] = {"{max: {vcore: 1}}}",
                                         "{}, properties: {application.sort.policy: fair}}"};
    for (size_t i = 0; i < YK_COUNT(queues); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(&text,
                      "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                      "    queues:\n    - {name: q, resources: %s\n",
                      queues[i]);
        struct world world;
        world_init(&world, yk_buf_cstr(&text));
        submit_gang(&world, "new", &(struct gang){.vcore = 2000});
        assert_null(world_app(&world, "new"));
        submit_gang(&world, "app", &(struct gang){.vcore = 2000, .forced = true});
        assert_non_null(world_app(&world, "app"));
        world_done(&world);
    }
}

/* 2.2: an application that completes gives its placeholders back first. */
static void completing_waits_for_placeholders(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 2000}, 2);
    real(&world, "r0", 1000);
    assert_int_equal(world_schedule(&world), 3);
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED);
    world_release(&world, "app", "r0", YK_SI_STOPPED_BY_RM); /* its pod is done */
    state_is(&world, YK_APP_COMPLETING);
    size_t released = world.released;
    world_advance(&world, 31);
    state_is(&world, YK_APP_COMPLETING);
    assert_int_equal(world.released, released + 1);
    assert_int_equal(world.last_termination, YK_SI_TIMEOUT);
    world_release(&world, "app", "p1", YK_SI_TIMEOUT);
    assert_string_equal(world.last_state, "Completed");
    assert_int_equal(used(&world), 0);
    world_done(&world);
}

/* A real pod that no node takes does not hold up others, of its task group or another one. */
static void one_that_fits_nowhere_blocks_nobody(void **state)
{
    (void)state;
    for (int same_group = 0; same_group < 2; same_group++) {
        struct world world;
        begin(&world, &(struct gang){.vcore = 2000}, 1);
        world.class_letter = 'z'; /* class 1: no node at all */
        ask_of(&world, "app", "p1", same_group ? "tg" : "th", 1000, true, NULL, YK_SI_CLASS_ANY);
        assert_int_equal(world_schedule(&world), 2);
        ask_of(&world, "app", "blocked", "tg", 1000, false, NULL, 1);
        ask_of(&world, "app", "fits", same_group ? "tg" : "th", 1000, false, NULL, YK_SI_CLASS_ANY);
        assert_int_equal(world_schedule(&world), 1);
        const struct yk_ask *fits = yk_app_find_ask(world_app(&world, "app"), YK_STR("fits"));
        assert_non_null(yk_ask_peer(fits));
        world_done(&world);
    }
}

/* A gang that fails while a replacement is under way keeps neither pod. */
static void failing_in_the_middle(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 9000, .timeout_s = 60, .style = YK_SI_GANG_HARD}, 1);
    real(&world, "r0", 1000);
    assert_int_equal(world_schedule(&world), 2);
    world_advance(&world, 61);
    state_is(&world, YK_APP_FAILING);
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED);
    assert_int_equal(world_schedule(&world), 0);
    assert_string_equal(world.last_key, "r0"); /* told to end, too */
    assert_null(world_app(&world, "app"));
    assert_string_equal(world.last_state, "Failed");
    assert_int_equal(used(&world), 0);
    world_check(&world);
    world_done(&world);
}

/* D23: a gang that resumed with nothing left completes when the resource manager says that its last pod is
 * gone. */
static void nothing_is_left_after_a_time_out(void **state)
{
    (void)state;
    for (int all_at_once = 0; all_at_once < 2; all_at_once++) {
        struct world world;
        begin(&world, &(struct gang){.vcore = 9000, .timeout_s = 60}, 1);
        assert_int_equal(world_schedule(&world), 1);
        world_advance(&world, 61);
        world_release(&world, "app", "p0", YK_SI_TIMEOUT);
        state_is(&world, YK_APP_ACCEPTED);
        world_advance(&world, 1000);
        state_is(&world, YK_APP_ACCEPTED);
        world_release(&world, "app", all_at_once ? "" : "r0", YK_SI_STOPPED_BY_RM);
        state_is(&world, YK_APP_COMPLETING);
        world_advance(&world, 31);
        assert_null(world_app(&world, "app"));
        assert_string_equal(world.last_state, "Completed");
        world_check(&world);
        world_done(&world);
    }
}

/* The last pod that placeholders were kept for goes before it stood anywhere: they are given back as at any
 * end. */
static void nobody_is_left_who_waits(void **state)
{
    (void)state;
    for (int linked = 0; linked < 2; linked++) {
        struct world world;
        begin(&world, &(struct gang){.vcore = 2000}, 2);
        assert_int_equal(world_schedule(&world), 2);
        state_is(&world, YK_APP_RUNNING);
        real(&world, "r0", 1000);
        if (linked)
            assert_int_equal(world_schedule(&world), 1);
        world_release(&world, "app", "r0", YK_SI_STOPPED_BY_RM);
        state_is(&world, YK_APP_COMPLETING);
        world_advance(&world, 31);
        world_release(&world, "app", "p0", linked ? YK_SI_PLACEHOLDER_REPLACED : YK_SI_TIMEOUT);
        world_release(&world, "app", "p1", YK_SI_TIMEOUT);
        assert_string_equal(world.last_state, "Completed");
        assert_int_equal(used(&world), 0);
        world_check(&world);
        world_done(&world);
    }
}

/* 5.4 after a restart: a real pod was found first, so the application runs; its placeholders have their
 * time. */
static void placeholders_of_one_that_runs_time_out(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n1", 8000, 8192);
    submit_gang(&world, "app", &(struct gang){.vcore = 2000, .timeout_s = 100, .forced = true});
    ask_of(&world, "app", "r0", "tg", 1000, false, "n1", YK_SI_CLASS_ANY);
    state_is(&world, YK_APP_RUNNING);
    ask_of(&world, "app", "p0", "tg", 1000, true, "n1", YK_SI_CLASS_ANY);
    size_t released = world.released;
    world_advance(&world, 101);
    assert_int_equal(world.released, released + 1);
    assert_string_equal(world.last_key, "p0");
    assert_int_equal(world.last_termination, YK_SI_TIMEOUT);
    state_is(&world, YK_APP_RUNNING);
    world_done(&world);
}

/* An application that fails has no pending asks: not even when the other node of a replacement goes. */
static void failing_and_the_other_node_goes(void **state)
{
    (void)state;
    struct world world;
    begin(&world, &(struct gang){.vcore = 9000, .timeout_s = 60, .style = YK_SI_GANG_HARD}, 1);
    world.class_letter = 'm';
    assert_int_equal(world_schedule(&world), 1);
    world_node(&world, "m1", 8000, 8192);
    ask_of(&world, "app", "r0", "tg", 1000, false, NULL, 1);
    assert_int_equal(world_schedule(&world), 1);
    world_advance(&world, 61);
    state_is(&world, YK_APP_FAILING);
    world_node_action(&world, "m1", YK_SI_NODE_DECOMMISSION);
    assert_string_equal(world.last_key, "r0"); /* told to end */
    assert_int_equal(world.last_termination, YK_SI_TIMEOUT);
    world_check(&world);
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED);
    assert_string_equal(world.last_state, "Failed");
    world_check(&world);
    world_done(&world);
}

/* Killed while only placeholders are left. */
static void killed_while_completing(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    begin(&world, &(struct gang){.vcore = 2000}, 2);
    real(&world, "r0", 1000);
    assert_int_equal(world_schedule(&world), 3);
    world_release(&world, "app", "p0", YK_SI_PLACEHOLDER_REPLACED);
    world_release(&world, "app", "r0", YK_SI_STOPPED_BY_RM);
    state_is(&world, YK_APP_COMPLETING);
    assert_int_equal(yk_app_kill(world_app(&world, "app"), "ann", &err), YK_OK);
    assert_string_equal(world.last_key, "p1");
    world_check(&world);
    world_release(&world, "app", "p1", YK_SI_TIMEOUT);
    assert_null(world_app(&world, "app"));
    assert_int_equal(used(&world), 0);
    world_check(&world);
    world_done(&world);
}

/* ---- at random ---- */

enum { STEPS = 20000, APPS = 4, KEYS = 6 };

static void random_step(struct world *world, struct yk_random *random)
{
    char app[8], key[32];
    (void)snprintf(app, sizeof(app), "a%d", (int)yk_random_below(random, APPS));
    bool is_placeholder = yk_random_below(random, 2) == 0;
    (void)snprintf(key, sizeof(key), "%s-%c%d", app, is_placeholder ? 'p' : 'r',
                   (int)yk_random_below(random, KEYS));
    const struct yk_app *there = world_app(world, app);
    const struct yk_ask *ask = there != NULL ? yk_app_find_ask(there, yk_str_from(key)) : NULL;
    switch (yk_random_below(random, 12)) {
    case 0:
        if (there == NULL)
            submit_gang(
                world, app,
                &(struct gang){.vcore = (int64_t)(1 + yk_random_below(random, KEYS)) * 1000,
                               .style = yk_random_below(random, 2) == 0 ? YK_SI_GANG_SOFT : YK_SI_GANG_HARD,
                               .timeout_s = 1 + (int64_t)yk_random_below(random, 100)});
        break;
    case 1:
        if (yk_random_below(random, 8) == 0)
            assert_int_equal(yk_core_remove_app(world->core, "rm", app, NULL), YK_OK);
        break;
    case 2:
        world_node_action(world, yk_random_below(random, 2) == 0 ? "n1" : "m1",
                          yk_random_below(random, 2) == 0 ? YK_SI_NODE_DRAIN
                                                          : YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
        break;
    case 3:
        if (yk_random_below(random, 10) == 0) {
            world_node_action(world, "m1", YK_SI_NODE_DECOMMISSION);
            world_node(world, "m1", 4000, 8192);
        }
        break;
    case 4:
        world_advance(world, (int64_t)yk_random_below(random, 40));
        break;
    case 5:
    case 6:
        if (ask != NULL && yk_ask_peer(ask) != NULL && is_placeholder)
            world_release(world, app, key, YK_SI_PLACEHOLDER_REPLACED);
        else if (ask != NULL && (ask->flags & YK_ASK_RELEASED) != 0)
            world_release(world, app, key, YK_SI_TIMEOUT);
        break;
    case 7:
        if (ask != NULL)
            world_release(world, app, key,
                          yk_random_below(random, 3) == 0 ? YK_SI_SCHEDULING_FAILED_ON_RM
                                                          : YK_SI_STOPPED_BY_RM);
        break;
    default:
        if (there != NULL && ask == NULL && there->state != YK_APP_FAILING)
            ask_of(world, app, key, key[strlen(key) - 1] < '4' ? "tg" : "th",
                   is_placeholder || yk_random_below(random, 8) > 0 ? 1000 : 1500, is_placeholder, NULL,
                   (yk_si_class)yk_random_below(random, 2));
        break;
    }
}

/* The books are right after each step, and
 * nothing is left in the end. */
static void gangs_at_random(void **state)
{
    (void)state;
    uint64_t seed = yk_random_system_seed();
    const char *given = getenv("YK_SEED");
    if (given != NULL)
        assert_int_equal(yk_str_to_u64(yk_str_from(given), &seed), YK_OK);
    print_message("seed %llu\n", (unsigned long long)seed);
    struct world world;
    struct yk_random random;
    yk_random_init(&random, seed);
    world_init(&world, config);
    world.class_letter = 'm';
    world_node(&world, "n1", 6000, 8192);
    world_node(&world, "m1", 4000, 8192);
    uint64_t replaced = 0;
    for (int step = 0; step < STEPS; step++) {
        size_t before = world.allocated;
        random_step(&world, &random);
        replaced += world.allocated - before; /* only a replacement is reported outside of a turn */
        (void)world_schedule(&world);
        world_check(&world);
    }
    print_message("%llu replaced\n", (unsigned long long)replaced);
    assert_true(replaced > STEPS / 200);
    for (int i = 0; i < APPS; i++) {
        char app[8];
        (void)snprintf(app, sizeof(app), "a%d", i);
        assert_int_equal(yk_core_remove_app(world.core, "rm", app, NULL), YK_OK);
    }
    assert_int_equal(used(&world), 0);
    assert_int_equal(world_partition(&world)->allocation_count, 0);
    assert_int_equal(world_partition(&world)->usages.users.count, 0);
    assert_true(yk_list_empty(&world_partition(&world)->replaceable));
    world_check(&world);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_when_all_placeholders_are_there),
        cmocka_unit_test(completes_without_real_pods),
        cmocka_unit_test(a_real_pod_takes_the_place_of_a_placeholder),
        cmocka_unit_test(the_second_replacement_runs_it),
        cmocka_unit_test(real_pods_wait_for_placeholders),
        cmocka_unit_test(a_larger_real_pod_sends_placeholders_away),
        cmocka_unit_test(replaced_on_another_node),
        cmocka_unit_test(room_that_a_replacement_gives_back),
        cmocka_unit_test(in_the_middle),
        cmocka_unit_test(time_outs),
        cmocka_unit_test(resumes_while_the_partition_goes),
        cmocka_unit_test(placeholders_go_in_order),
        cmocka_unit_test(no_placeholder_no_time),
        cmocka_unit_test(restored_gangs_have_less_time),
        cmocka_unit_test(a_restored_gang_is_taken),
        cmocka_unit_test(completing_waits_for_placeholders),
        cmocka_unit_test(one_that_fits_nowhere_blocks_nobody),
        cmocka_unit_test(failing_in_the_middle),
        cmocka_unit_test(nothing_is_left_after_a_time_out),
        cmocka_unit_test(nobody_is_left_who_waits),
        cmocka_unit_test(placeholders_of_one_that_runs_time_out),
        cmocka_unit_test(failing_and_the_other_node_goes),
        cmocka_unit_test(killed_while_completing),
        cmocka_unit_test(gangs_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
