/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of what waiting asks wait for are made in steps of bounded cost, and say the same as one walk over
 * everything (docs/reference/scheduling.md 3.9).
 */
#include "report/outstanding.h"

#include "base/random.h"
#include "lib/core_world.h"
#include "report/refusal.h"

enum { APPS = 700, QUEUES = 4, USERS = 3, ROUNDS = 12, EVENTS = 40, STEP_GROUPS = 256, STEP_ASKS = 128 };

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"        \
    "    submitacl: '*'\n"

static const char *const configs[] = {
    HEAD "    queues:\n"
         "    - name: p\n      resources: {max: {vcore: 900m}}\n"
         "      limits: [{limit: x, users: [u0], maxresources: {vcore: 300m}}]\n"
         "      queues: [{name: q0, resources: {max: {vcore: 500m}}}, {name: q1}]\n"
         "    - name: r\n      limits: [{limit: x, groups: [g1], maxresources: {memory: 1Gi}},\n"
         "               {limit: y, users: ['*'], maxresources: {vcore: 800m}}]\n"
         "      queues: [{name: q2, resources: {max: {vcore: 1000m, memory: 9Gi}}}, {name: q3}]\n",
    HEAD "    queues:\n"
         "    - name: p\n      resources: {max: {vcore: 1200m}}\n"
         "      queues: [{name: q0}, {name: q1, resources: {max: {vcore: 200m}}}]\n"
         "    - name: r\n      queues: [{name: q2}, {name: q3, limits: [{limit: x, users: [u2],\n"
         "        maxresources: {vcore: 90m}}]}]\n",
};
static const char *const queues[QUEUES] = {"root.p.q0", "root.p.q1", "root.r.q2", "root.r.q3"};
static const char *const users[USERS] = {"u0", "u1", "u2"};
static const char *const groups[USERS] = {"g0", "g1", "g2"};

struct told {
    enum yk_si_scheduling_state state;
    char reason[128];
    bool any;
};

struct scene {
    struct world world;
    struct yk_random random;
    struct told told[APPS][2]; /* of each application's two asks: what was reported last */
};

/* ---- what was told ---- */

static struct told *told_of(struct scene *scene, const char *key)
{
    return &scene->told[strtoul(key + 1, NULL, 10)][key[0] == 'b'];
}

static void on_state(void *context, const char *key, enum yk_si_scheduling_state state, const char *reason)
{
    struct told *told = told_of(context, key);
    told->state = state;
    told->any = true;
    (void)snprintf(told->reason, sizeof(told->reason), "%s", reason);
}

static size_t told_count(const struct scene *scene)
{
    return scene->world.told_failed + scene->world.told_skipped;
}

/* ---- the walk over everything: claims are booked as if they were allocations ---- */

struct claim {
    const struct yk_group *group;
    struct yk_resvec amount;
};

static void book(const struct claim *claim, int sign)
{
    struct yk_app *app = claim->group->app;
    if (sign > 0)
        yk_queue_add_allocated(app->leaf, &claim->amount);
    else
        yk_queue_sub_allocated(app->leaf, &claim->amount);
    yk_usage_try(app, &claim->amount, sign);
}

static void amount_of(const struct yk_group *group, uint64_t count, struct yk_resvec *ret_amount)
{
    yk_resvec_copy(ret_amount, &group->shape->size);
    yk_resvec_mul(ret_amount, (int64_t)count);
}

/* Why not so many asks of the group; YK_REFUSAL_NONE: they fit. */
static struct yk_refusal refusal_of(const struct yk_group *group, uint64_t count)
{
    YK_RESVEC(sum);
    struct yk_queue *queue;
    amount_of(group, count, &sum);
    if (!yk_queue_has_headroom(group->app->leaf, &sum, &queue))
        return yk_refusal_by_queue(queue);
    const struct yk_usage *usage = yk_usage_without_headroom(group->app, &sum);
    return usage != NULL ? yk_refusal_by_usage(usage) : (struct yk_refusal){YK_REFUSAL_NONE, 0};
}

static void expect_told(struct scene *scene, const struct yk_ask *ask, bool fits, const char *reason)
{
    const struct told *told = told_of(scene, ask->key);
    enum yk_si_scheduling_state want = fits ? YK_SI_STATE_FAILED : YK_SI_STATE_SKIPPED;
    if (!told->any || told->state != want || (!fits && strcmp(told->reason, reason) != 0))
        fail_msg("'%s' of '%s': %d '%s', expected %d '%s'", ask->key, yk_ask_app(ask)->queue_path,
                 told->any ? (int)told->state : -1, told->reason, (int)want, reason);
}

static void look_at_group(struct scene *scene, const struct yk_group *group, struct claim *claim)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf reason = {0};
    const struct yk_ask *ask;
    uint64_t count = 0, number = 0;
    while (count < group->asks.count && refusal_of(group, count + 1).kind == YK_REFUSAL_NONE)
        count++;
    if (count < group->asks.count)
        yk_refusal_text(group, refusal_of(group, count + 1), &reason);
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group)
        expect_told(scene, ask, number++ < count, yk_buf_cstr(&reason));
    claim->group = group;
    amount_of(group, count, &claim->amount);
    book(claim, 1);
}

static size_t compare_with_full_walk(struct scene *scene)
{
    struct yk_outstanding *outstanding = &world_partition(&scene->world)->outstanding;
    struct claim *claims = yk_new0_array(struct claim, APPS * 2);
    const struct yk_group *group;
    size_t count = 0;
    assert_false(yk_list_linked(&outstanding->place));
    yk_list_foreach (group, &outstanding->lacking, struct yk_group, report.in_lacking) {
        assert_int_equal(group->wait, YK_WAIT_NODES);
        assert_true(group->app->limit.group_chosen);
        look_at_group(scene, group, &claims[count++]);
    }
    for (size_t i = 0; i < count; i++) {
        book(&claims[i], -1);
        yk_resvec_done(&claims[i].amount);
    }
    free(claims);
    world_check(&scene->world);
    return count;
}

/* ---- events ---- */

static void begin(struct scene *scene, uint64_t seed)
{
    *scene = (struct scene){0};
    yk_random_init(&scene->random, seed);
    world_init(&scene->world, configs[0]);
    scene->world.watch_state = on_state;
    scene->world.watcher = scene;
    world_node(&scene->world, "n0", 60, 1 << 20);
}

static void submit(struct scene *scene, size_t number, size_t queue, size_t user, int64_t vcore)
{
    char app[16], key[16];
    (void)snprintf(app, sizeof(app), "app%zu", number);
    world_submit_in_group(&scene->world, app, queues[queue], users[user], groups[user]);
    (void)snprintf(key, sizeof(key), "a%zu", number);
    world_ask(&scene->world, app, key, vcore, 16 + (int64_t)number % 64); /* many shapes */
    (void)snprintf(key, sizeof(key), "b%zu", number);
    world_ask(&scene->world, app, key, vcore, 16 + (int64_t)number % 64);
}

static void submit_random(struct scene *scene, size_t number)
{
    submit(scene, number, yk_random_below(&scene->random, QUEUES), yk_random_below(&scene->random, USERS),
           2 + (int64_t)yk_random_below(&scene->random, 9));
}

static void release_random(struct scene *scene)
{
    char app[16], key[16];
    size_t number = yk_random_below(&scene->random, APPS);
    (void)snprintf(app, sizeof(app), "app%zu", number);
    (void)snprintf(key, sizeof(key), "%c%zu", yk_random_below(&scene->random, 2) == 0 ? 'a' : 'b', number);
    struct yk_app *found = world_app(&scene->world, app);
    if (found != NULL && yk_app_find_ask(found, yk_str_from(key)) != NULL)
        world_release(&scene->world, app, key, YK_SI_STOPPED_BY_RM);
}

static void one_event(struct scene *scene)
{
    switch (yk_random_below(&scene->random, 8)) {
    case 0:
        assert_null(world_reload(&scene->world, configs[yk_random_below(&scene->random, YK_COUNT(configs))]));
        break;
    case 1:
        world_node(&scene->world, "n1", 20, 1 << 20); /* refused if it is there */
        break;
    case 2:
        world_node_action(&scene->world, "n1", YK_SI_NODE_DECOMMISSION);
        break;
    case 3:
        (void)world_schedule(&scene->world);
        break;
    default:
        release_random(scene);
    }
}

/* Takes steps until two walks have found nothing to report. Each step reports a bounded number of asks. */
static void settle(struct scene *scene)
{
    struct yk_outstanding *outstanding = &world_partition(&scene->world)->outstanding;
    (void)world_schedule(&scene->world);
    for (size_t quiet = 0; quiet < 2;) {
        size_t before = told_count(scene);
        do {
            size_t told = told_count(scene);
            yk_outstanding_report(world_partition(&scene->world));
            assert_in_range(told_count(scene) - told, 0, STEP_ASKS);
        } while (yk_list_linked(&outstanding->place));
        quiet = told_count(scene) == before && yk_list_empty(&outstanding->groups) ? quiet + 1 : 0;
    }
}

/* ---- tests ---- */

static void steps_say_what_a_full_walk_says(void **state)
{
    (void)state;
    struct scene *scene = yk_new0(struct scene);
    size_t most = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        begin(scene, seed);
        for (size_t i = 0; i < APPS; i++)
            submit_random(scene, i);
        for (int round = 0; round < ROUNDS; round++) {
            settle(scene);
            most = YK_MAX(most, compare_with_full_walk(scene));
            for (int i = 0; i < EVENTS; i++) {
                one_event(scene);
                if (yk_random_below(&scene->random, 4) == 0)
                    yk_outstanding_report(world_partition(&scene->world));
            }
        }
        world_done(&scene->world);
    }
    assert_true(most > STEP_GROUPS); /* a walk takes more than one step */
    free(scene);
}

static void expect_state(struct scene *scene, const char *key, enum yk_si_scheduling_state want)
{
    const struct told *told = told_of(scene, key);
    if (!told->any || told->state != want)
        fail_msg("'%s': %d '%s', expected %d", key, told->any ? (int)told->state : -1, told->reason,
                 (int)want);
}

/* Asks share the headroom in the order in which they began to wait. */
static void the_first_to_wait_comes_first(void **state)
{
    (void)state;
    struct scene *scene = yk_new0(struct scene);
    begin(scene, 1);
    assert_null(world_reload(&scene->world, configs[1])); /* 200m below root.p.q1, 60m on the node */
    submit(scene, 0, 1, 0, 40);
    settle(scene);
    submit(scene, 1, 1, 1, 70);
    settle(scene);
    expect_state(scene, "b0", YK_SI_STATE_FAILED); /* a0 runs */
    expect_state(scene, "a1", YK_SI_STATE_FAILED);
    expect_state(scene, "b1", YK_SI_STATE_SKIPPED);
    assert_int_equal(compare_with_full_walk(scene), 2);
    world_release(&scene->world, "app0", "b0", YK_SI_STOPPED_BY_RM);
    world_ask(&scene->world, "app0", "b0", 40, 16); /* waits again */
    settle(scene);
    expect_state(scene, "b1", YK_SI_STATE_FAILED);
    expect_state(scene, "b0", YK_SI_STATE_SKIPPED);
    assert_int_equal(compare_with_full_walk(scene), 2);
    world_done(&scene->world);
    free(scene);
}

/* What leaves while the walk is at it, or before it, does not stop the walk. */
static void groups_leave_during_a_walk(void **state)
{
    (void)state;
    struct scene *scene = yk_new0(struct scene);
    begin(scene, 1);
    for (size_t i = 0; i < APPS; i++)
        submit(scene, i, 3, 1, 70);
    (void)world_schedule(&scene->world);
    yk_outstanding_report(world_partition(&scene->world));
    assert_true(yk_list_linked(&world_partition(&scene->world)->outstanding.place));
    for (size_t i = 0; i < APPS; i++) {
        char app[16];
        (void)snprintf(app, sizeof(app), "app%zu", i);
        if (i % 300 != 0)
            assert_int_equal(yk_core_remove_app(scene->world.core, "rm", app, NULL), YK_OK);
    }
    settle(scene);
    assert_int_equal(compare_with_full_walk(scene), 3);
    world_done(&scene->world);
    free(scene);
}

/* ---- applications that a queue refuses ---- */

static void expect_group_skipped(struct scene *scene, const struct yk_app *app, const char *reason)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        expect_told(scene, group->first, false, reason);
}

static void expect_all_skipped(struct scene *scene, const char *reason)
{
    struct yk_app *app;
    yk_tree_foreach (app, &world_queue(&scene->world, "root.q.one")->wait.apps, struct yk_app, in_active)
        expect_group_skipped(scene, app, reason);
}

/* Each application in root.q.one runs a small pod and waits with a larger one. An application in root.q.two
 * runs; with it root.q is full, and root.q.one in any case. */
static void fill_queues(struct scene *scene)
{
    static const char config[] =
        HEAD "    queues:\n    - name: q\n      resources: {max: {vcore: 760m}}\n"
             "      queues: [{name: two}, {name: one, properties: {application.sort.policy: fair},\n"
             "                resources: {max: {vcore: 700m}}}]\n";
    char app[16], key[16];
    assert_null(world_reload(&scene->world, config));
    for (size_t i = 1; i <= APPS / 100; i++) { /* a node takes 110 pods */
        (void)snprintf(key, sizeof(key), "n%zu", i);
        world_node(&scene->world, key, 10000, 1 << 20);
    }
    world_submit(&scene->world, "two", "root.q.two", "u1");
    world_ask(&scene->world, "two", "runs", 60, 1);
    for (size_t i = 0; i < APPS; i++) {
        (void)snprintf(app, sizeof(app), "app%zu", i);
        (void)snprintf(key, sizeof(key), "b%zu", i);
        world_submit(&scene->world, app, "root.q.one", "u1");
        world_ask(&scene->world, app, key, 1, 1);
        world_advance(&scene->world, 1);
    }
    assert_int_equal(world_schedule(&scene->world), APPS + 1);
    for (size_t i = 0; i < APPS; i++) {
        (void)snprintf(app, sizeof(app), "app%zu", i);
        (void)snprintf(key, sizeof(key), "a%zu", i);
        world_ask(&scene->world, app, key, 50, 1);
    }
    settle(scene);
}

/* The last application in order runs nothing then, and comes first. */
static void move_last_app(struct scene *scene, size_t number)
{
    char app[16], key[16];
    (void)snprintf(app, sizeof(app), "app%zu", number);
    (void)snprintf(key, sizeof(key), "b%zu", number);
    world_release(&scene->world, app, key, YK_SI_STOPPED_BY_RM);
}

/* An application that changes its place while its leaf is listed could be passed over. */
static void what_moves_is_listed(void **state)
{
    (void)state;
    struct scene *scene = yk_new0(struct scene);
    begin(scene, 1);
    fill_queues(scene);
    const struct yk_outstanding *outstanding = &world_partition(&scene->world)->outstanding;
    struct yk_app *last = world_app(&scene->world, "app699");
    world_release(&scene->world, "two", "runs", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(&scene->world), 0);
    yk_outstanding_report(world_partition(&scene->world));
    assert_non_null(outstanding->next_app);
    assert_false(yk_list_linked(&last->report.in_skipped));
    yk_outstanding_note_move(last);
    assert_true(yk_list_linked(&last->report.in_skipped));
    struct yk_app *next = outstanding->next_app;
    yk_outstanding_note_move(next);
    assert_true(outstanding->next_app != next && yk_list_linked(&next->report.in_skipped));
    world_done(&scene->world);
    free(scene);
}

/* Another queue refuses all of a leaf: all are reported, those that move in its order meanwhile included,
 * and all again when that changes before all were told. */
static void a_leaf_is_told_in_steps(void **state)
{
    (void)state;
    static const char by_leaf[] = "quota of queue 'root.q.one' has been exceeded";
    static const char by_parent[] = "quota of queue 'root.q' has been exceeded";
    for (int changes_back = 0; changes_back < 2; changes_back++) {
        struct scene *scene = yk_new0(struct scene);
        begin(scene, 1);
        fill_queues(scene);
        expect_all_skipped(scene, by_parent);
        world_release(&scene->world, "two", "runs", YK_SI_STOPPED_BY_RM);
        for (size_t i = 0; i < 8; i++) {
            assert_int_equal(world_schedule(&scene->world), 0);
            yk_outstanding_report(world_partition(&scene->world));
            move_last_app(scene, APPS - 1 - i);
        }
        if (changes_back) {
            world_ask(&scene->world, "two", "runs", 60, 1);
            assert_int_equal(world_schedule(&scene->world), 1);
            move_last_app(scene, APPS - 9);
        }
        settle(scene);
        assert_int_equal(world_queue(&scene->world, "root.q.one")->wait.apps.count, APPS);
        expect_all_skipped(scene, changes_back ? by_parent : by_leaf);
        world_done(&scene->world);
        free(scene);
    }
}

/* Steps go on where the one before ended: what was reported already costs a little, not another report. */
static void one_large_group_is_reported_in_steps(void **state)
{
    (void)state;
    enum { PASSED_MAX = 8 * STEP_GROUPS, GONE = 100 };
    struct scene *scene = yk_new0(struct scene);
    begin(scene, 1);
    world_submit_in_group(&scene->world, "app", queues[0], users[1], groups[1]);
    for (size_t i = 0; i < APPS * 2; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "%c%zu", i < APPS ? 'a' : 'b', i % APPS);
        world_ask(&scene->world, "app", key, 300, 16); /* q0 takes one, no node takes any */
    }
    (void)world_schedule(&scene->world);
    struct yk_partition *partition = world_partition(&scene->world);
    const struct yk_group *group = yk_app_find_ask(world_app(&scene->world, "app"), YK_STR("a0"))->group;
    size_t steps = 0, most = 0;
    do {
        uint32_t before = group->report.before;
        size_t told = told_count(scene);
        yk_outstanding_report(partition);
        assert_in_range(told_count(scene) - told, 0, STEP_ASKS);
        if (group->report.next != NULL)
            assert_in_range(group->report.before, group->report.next == group->first ? 0 : before,
                            before + PASSED_MAX);
        most = YK_MAX(most, group->report.before);
        if (steps++ == 4) { /* the first ones and the last ones go, and others come */
            char key[16];
            for (int i = 0; i < GONE; i++) {
                (void)snprintf(key, sizeof(key), "a%d", i);
                world_release(&scene->world, "app", key, YK_SI_STOPPED_BY_RM);
                (void)snprintf(key, sizeof(key), "b%d", APPS - 1 - i);
                world_release(&scene->world, "app", key, YK_SI_STOPPED_BY_RM);
            }
            assert_int_equal(group->report.before, most - GONE);
        }
    } while (!yk_list_empty(&partition->outstanding.groups) || steps < 6);
    assert_in_range(steps, (APPS * 2 - GONE) / STEP_ASKS, APPS * 2);
    settle(scene);
    assert_int_equal(group->report.unreported, APPS * 2 - 2 * GONE - 1);
    assert_int_equal(group->report.unskipped, 1);
    assert_int_equal(compare_with_full_walk(scene), 1);
    assert_null(world_reload(&scene->world, configs[1])); /* another queue refuses it */
    for (size_t told = told_count(scene); told == told_count(scene);) {
        uint32_t before = group->report.next != NULL ? group->report.before : 0;
        yk_outstanding_report(partition);
        assert_in_range(group->report.before, 0, before + PASSED_MAX + STEP_ASKS);
    }
    settle(scene);
    (void)compare_with_full_walk(scene);
    world_done(&scene->world);
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_say_what_a_full_walk_says),
        cmocka_unit_test(the_first_to_wait_comes_first),
        cmocka_unit_test(groups_leave_during_a_walk),
        cmocka_unit_test(what_moves_is_listed),
        cmocka_unit_test(a_leaf_is_told_in_steps),
        cmocka_unit_test(one_large_group_is_reported_in_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
