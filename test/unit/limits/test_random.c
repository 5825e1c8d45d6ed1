/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random runs against a plain model of limits: users, groups and wildcards on five queues, reloaded at random
 * moments. After each step everything is recomputed; each decision is looked at alone (no one goes above a
 * limit by it), each choice of a group is made again from the configuration, and whatever still waits when
 * nothing more can be decided must have a reason (docs/design.md, Invariants 1, 3, 5 and 6).
 *
 * YK_SEED repeats one run.
 */
#include "base/random.h"
#include "lib/core_world.h"

#include <stdlib.h>

enum { QUEUES = 5, NAMES = 5, ANY = NAMES - 1, APPS = 14, KEYS = 8, RUNS = 24, STEPS = 900 };
enum { NOT_CHOSEN = -2, NO_GROUP = -1 };

static const char *const paths[QUEUES] = {"root", "root.p", "root.p.a", "root.p.b", "root.q"};
static const int parents[QUEUES] = {-1, 0, 1, 1, 0};
static const int leaves[] = {2, 3, 4};
static const char *const user_names[NAMES] = {"u0", "u1", "u2", "u3", "*"};
static const char *const group_names[NAMES] = {"g0", "g1", "g2", "g3", "*"};

struct entry {
    int place;           /* in configuration order, from 1; 0: not there */
    int64_t vcore, apps; /* 0: no limit */
};

struct model {
    struct entry users[QUEUES][NAMES], groups[QUEUES][NAMES];
    int chosen[APPS];
};

struct run {
    struct world world;
    struct yk_random random;
    struct model model;
    uint64_t seed;
    size_t decisions, refused_by_quota, group_moves;
};

static uint64_t below(struct run *run, uint64_t n)
{
    return yk_random_below(&run->random, n);
}

/* ---- the configuration ---- */

/* Limits shrink towards the leaves, so that every configuration is a valid one. */
static struct entry random_entry(struct run *run, int queue, int place)
{
    int depth = queue == 0 ? 0 : (queue == 1 || queue == 4) ? 1 : 2;
    static const int64_t vcores[] = {9, 6, 3}, apps[] = {6, 4, 2};
    struct entry entry = {.place = place, .apps = apps[depth] + (int64_t)below(run, 2)};
    if (below(run, 3) > 0)
        entry.vcore = vcores[depth] + (int64_t)below(run, 3);
    return entry;
}

static void random_list(struct run *run, int queue, struct entry list[NAMES])
{
    int place = 0, first = (int)below(run, ANY);
    for (int i = 0; i < ANY; i++) {
        if (below(run, 3) == 0) {
            place++;
            list[(first + i) % ANY] = random_entry(run, queue, place);
        }
    }
    if (place > 0 && below(run, 2) == 0) /* L4 */
        list[ANY] = random_entry(run, queue, place + 1);
}

static void put_list(struct yk_buf *out, const char *kind, const char *const names[NAMES],
                     const struct entry list[NAMES])
{
    for (int place = 1; place <= NAMES; place++) {
        for (int i = 0; i < NAMES; i++) {
            if (list[i].place != place)
                continue;
            yk_buf_printf(out, "{%s: ['%s'], maxapplications: %d", kind, names[i], (int)list[i].apps);
            if (list[i].vcore > 0)
                yk_buf_printf(out, ", maxresources: {vcore: %d}", (int)list[i].vcore);
            yk_buf_text(out, "}, ");
        }
    }
}

static void put_queue(struct yk_buf *out, const struct model *model, int queue, const char *more)
{
    const char *name = strrchr(paths[queue], '.');
    yk_buf_printf(out, "{name: %s, %s limits: [", name == NULL ? paths[queue] : name + 1, more);
    put_list(out, "users", user_names, model->users[queue]);
    put_list(out, "groups", group_names, model->groups[queue]);
    yk_buf_text(out, "]");
}

static void random_config(struct run *run, struct model *model, struct yk_buf *out)
{
    memset(model->users, 0, sizeof(model->users));
    memset(model->groups, 0, sizeof(model->groups));
    for (int queue = 0; queue < QUEUES; queue++) {
        if (below(run, 3) > 0)
            random_list(run, queue, model->users[queue]);
        if (below(run, 3) > 0)
            random_list(run, queue, model->groups[queue]);
    }
    yk_buf_text(out, "partitions: [{name: default, placementrules: [{name: provided}], queues: [");
    put_queue(out, model, 0, "submitacl: '*', ");
    yk_buf_text(out, ", queues: [");
    put_queue(out, model, 1, "parent: true, ");
    yk_buf_text(out, ", queues: [");
    put_queue(out, model, 2, "");
    yk_buf_text(out, "}, ");
    put_queue(out, model, 3, "resources: {max: {vcore: 5}}, ");
    yk_buf_text(out, "}]}, ");
    put_queue(out, model, 4, "");
    yk_buf_text(out, "}]}]}]");
}

/* ---- the model's answers ---- */

static const struct entry *limit_of(const struct model *model, bool group, int name, int queue)
{
    const struct entry *list = group ? model->groups[queue] : model->users[queue];
    if (list[name].place > 0)
        return &list[name];
    return !group && list[ANY].place > 0 ? &list[ANY] : NULL;
}

/* Application i belongs to user i % 4, whose groups are these two. */
static int user_of(int app)
{
    return app % ANY;
}

static bool is_member(int app, int group)
{
    int user = user_of(app);
    return group == user || group == (user + 1) % ANY;
}

static int choose(const struct model *model, int app, int leaf)
{
    for (int queue = leaf; queue >= 0; queue = parents[queue]) {
        int best = NO_GROUP;
        for (int g = 0; g < ANY; g++) {
            int place = model->groups[queue][g].place;
            if (place > 0 && is_member(app, g) && (best < 0 || place < model->groups[queue][best].place))
                best = g;
        }
        if (best >= 0)
            return best;
        if (model->groups[queue][ANY].place > 0)
            return ANY;
    }
    return NO_GROUP;
}

static bool is_named(const struct model *model, int group, int leaf)
{
    for (int queue = leaf; queue >= 0; queue = parents[queue]) {
        if (model->groups[queue][group].place > 0)
            return true;
    }
    return false;
}

static const char *app_name(int app)
{
    static char text[4][8];
    static int at;
    at = (at + 1) % 4;
    (void)snprintf(text[at], sizeof(text[at]), "app%d", app);
    return text[at];
}

/* Of a key: "app7-3" is one of application 7. */
static int app_number(const char *key)
{
    for (int i = APPS - 1; i >= 0; i--) {
        const char *name = app_name(i);
        if (strncmp(key, name, strlen(name)) == 0 && key[strlen(name)] == '-')
            return i;
    }
    fail_msg("a decision about '%s'", key);
    return -1;
}

static int queue_index(const struct yk_queue *queue)
{
    for (int i = 0; i < QUEUES; i++) {
        if (strcmp(paths[i], queue->path) == 0)
            return i;
    }
    return -1;
}

static bool is_below(int queue, int top)
{
    while (queue >= 0 && queue != top)
        queue = parents[queue];
    return queue == top;
}

struct sums {
    int64_t vcore_milli, apps;
};

/* What a user or group has at a queue, from the allocations alone. */
static struct sums sum(struct run *run, bool group, int name, int queue)
{
    struct sums sums = {0};
    for (int i = 0; i < APPS; i++) {
        const struct yk_app *app = world_app(&run->world, app_name(i));
        if (app == NULL || !is_below(queue_index(app->leaf), queue) ||
            (group ? run->model.chosen[i] != name : user_of(i) != name))
            continue;
        const struct yk_ask *ask;
        sums.apps += app->limit.counted;
        yk_text_set_foreach (ask, &app->asks) {
            if (!yk_ask_is_pending(ask))
                sums.vcore_milli += yk_resvec_get(yk_ask_size(ask), YK_RESTYPE_VCORE);
        }
    }
    return sums;
}

/* Whether `more` fits at every level of the user, or of the group. */
static bool fits(struct run *run, bool group, int name, int leaf, int64_t more_milli, int64_t more_apps)
{
    for (int queue = leaf; queue >= 0; queue = parents[queue]) {
        const struct entry *limit = limit_of(&run->model, group, name, queue);
        if (limit == NULL)
            continue;
        struct sums sums = sum(run, group, name, queue);
        if ((more_milli >= 0 && limit->vcore > 0 && sums.vcore_milli + more_milli > limit->vcore * 1000) ||
            (more_apps >= 0 && sums.apps + more_apps > limit->apps))
            return false;
    }
    return true;
}

static bool both_fit(struct run *run, int app, int leaf, int64_t more_milli, int64_t more_apps)
{
    int group = run->model.chosen[app];
    return fits(run, false, user_of(app), leaf, more_milli, more_apps) &&
           (group < 0 || fits(run, true, group, leaf, more_milli, more_apps));
}

/* ---- looking ---- */

/* The groups that were chosen since the last look. */
static void check_groups(struct run *run)
{
    for (int i = 0; i < APPS; i++) {
        const struct yk_app *app = world_app(&run->world, app_name(i));
        int *chosen = &run->model.chosen[i];
        if (app == NULL || (app->asks.count == 0 && *chosen >= 0))
            *chosen = NOT_CHOSEN;
        if (app == NULL)
            continue;
        if (app->limit.group_chosen && *chosen == NOT_CHOSEN)
            *chosen = choose(&run->model, i, queue_index(app->leaf));
        const char *want = *chosen >= 0 ? group_names[*chosen] : "";
        const char *got = app->limit.group != NULL ? app->limit.group->tracker->name : "";
        if (strcmp(want, got) != 0 || app->limit.group_chosen != (*chosen != NOT_CHOSEN))
            fail_msg("seed %llu: '%s' counts for group '%s', not '%s'", (unsigned long long)run->seed,
                     app->id, got, want);
    }
}

static void check_pending(struct run *run, int i, const struct yk_app *app, const struct yk_group *group)
{
    int leaf = queue_index(app->leaf);
    int64_t vcore = yk_resvec_get(&group->shape->size, YK_RESTYPE_VCORE);
    const struct yk_node *node = yk_partition_find_node(world_partition(&run->world), "n1");
    bool may_start = app->state != YK_APP_ACCEPTED || app->limit.counted || both_fit(run, i, leaf, -1, 1);
    bool has_capacity = both_fit(run, i, leaf, vcore, -1);
    run->refused_by_quota += !may_start || !has_capacity;
    if (may_start && has_capacity && yk_queue_has_headroom(app->leaf, &group->shape->size, NULL) &&
        yk_node_has_capacity(node, &group->shape->size))
        fail_msg("seed %llu: '%s' of '%s' waits (%s), but nothing is in its way",
                 (unsigned long long)run->seed, group->first->key, app->id, yk_wait_text(group->wait));
}

static void check_waiting(struct run *run)
{
    for (int i = 0; i < APPS; i++) {
        const struct yk_app *app = world_app(&run->world, app_name(i));
        const struct yk_group *group;
        if (app == NULL)
            continue;
        yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
            check_pending(run, i, app, group);
    }
}

/* ---- doing ---- */

static void reload(struct run *run)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    random_config(run, &run->model, &text);
    const char *refusal = world_reload(&run->world, yk_buf_cstr(&text));
    if (refusal != NULL)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)run->seed, refusal, yk_buf_cstr(&text));
    for (int i = 0; i < APPS; i++) { /* L18 */
        const struct yk_app *app = world_app(&run->world, app_name(i));
        int *chosen = &run->model.chosen[i];
        if (app == NULL || *chosen < 0 || is_named(&run->model, *chosen, queue_index(app->leaf)))
            continue;
        *chosen = choose(&run->model, i, queue_index(app->leaf));
        run->group_moves++;
    }
}

static void submit(struct run *run)
{
    int app = (int)below(run, APPS), user = user_of(app);
    const char *groups[] = {group_names[user], group_names[(user + 1) % ANY]};
    struct yk_si_new_app request = {
        .application_id = app_name(app),
        .queue = paths[leaves[below(run, YK_COUNT(leaves))]],
        .ugi = {.user = user_names[user], .groups = groups, .group_count = 2},
    };
    assert_int_equal(yk_core_add_app(run->world.core, "rm", &request), YK_OK);
}

/* A third of them new placements, some placeholders, a few placed from outside, others resized. */
static void ask(struct run *run)
{
    int app = (int)below(run, APPS);
    char key[24];
    (void)snprintf(key, sizeof(key), "%s-%d", app_name(app), (int)below(run, KEYS));
    struct yk_resvec size = world_size((int64_t)(1 + below(run, 4)) * 500, 1);
    bool is_placeholder = below(run, 6) == 0;
    struct yk_si_allocation request = {
        .key = key,
        .application_id = app_name(app),
        .resource = &size,
        .priority = (int32_t)below(run, 2),
        .placeholder = is_placeholder,
        .task_group = is_placeholder ? "tg" : "", /* no real pod replaces one here */
        .node_id = below(run, 12) == 0 ? "n1" : NULL,
    };
    assert_int_equal(yk_core_update_allocation(run->world.core, "rm", &request), YK_OK);
}

/* A few tries to hit something that is allocated. */
static const struct yk_ask *random_allocation(struct run *run)
{
    for (int tries = 0; tries < 30; tries++) {
        char key[24];
        int number = (int)below(run, APPS);
        const struct yk_app *app = world_app(&run->world, app_name(number));
        (void)snprintf(key, sizeof(key), "%s-%d", app_name(number), (int)below(run, KEYS));
        const struct yk_ask *found = app == NULL ? NULL : yk_app_find_ask(app, yk_str_from(key));
        if (found != NULL && !yk_ask_is_pending(found))
            return found;
    }
    return NULL;
}

static void release(struct run *run)
{
    char key[24] = "", app[16];
    const struct yk_ask *found = random_allocation(run);
    (void)snprintf(app, sizeof(app), "%s", app_name((int)below(run, APPS)));
    if (found != NULL && below(run, 15) > 0) {
        (void)snprintf(key, sizeof(key), "%s", found->key);
        (void)snprintf(app, sizeof(app), "%s", yk_ask_app(found)->id);
    } else if (below(run, 2) == 0) { /* often one that waits; else all of the application */
        (void)snprintf(key, sizeof(key), "%s-%d", app, (int)below(run, KEYS));
    }
    world_release(&run->world, app, key,
                  below(run, 6) == 0 ? YK_SI_SCHEDULING_FAILED_ON_RM : YK_SI_STOPPED_BY_RM);
}

/* One decision alone must not take a user or a group above a limit. */
static bool decide(struct run *run)
{
    bool counted[APPS], accepted[APPS];
    for (int i = 0; i < APPS; i++) {
        const struct yk_app *app = world_app(&run->world, app_name(i));
        counted[i] = app != NULL && app->limit.counted;
        accepted[i] = app != NULL && app->state == YK_APP_ACCEPTED;
    }
    bool decided = world_schedule_one(&run->world) > 0;
    check_groups(run); /* the attempts before chose some as well */
    if (!decided)
        return false;
    int number = app_number(run->world.last_key);
    const struct yk_app *app = world_app(&run->world, app_name(number));
    int leaf = queue_index(app->leaf);
    if (!both_fit(run, number, leaf, 0, -1))
        fail_msg("seed %llu: '%s' went above the quota", (unsigned long long)run->seed, run->world.last_key);
    if (accepted[number] && !counted[number] && !both_fit(run, number, leaf, -1, 0))
        fail_msg("seed %llu: '%s' was one application too many", (unsigned long long)run->seed, app->id);
    run->decisions++;
    return true;
}

static void step(struct run *run)
{
    switch (below(run, 14)) {
    case 0:
    case 1:
        submit(run);
        break;
    case 2:
        if (below(run, 3) == 0)
            reload(run);
        break;
    case 3:
        if (below(run, 5) == 0)
            assert_int_equal(yk_core_remove_app(run->world.core, "rm", app_name((int)below(run, APPS)), NULL),
                             YK_OK);
        else
            world_advance(&run->world, (int64_t)below(run, 15));
        break;
    case 4:
    case 5:
    case 9:
        release(run);
        break;
    case 6:
        (void)decide(run); /* leaves the rest for later */
        break;
    case 7:
    case 8:
        while (decide(run))
            world_check(&run->world);
        check_waiting(run);
        break;
    default:
        ask(run);
        break;
    }
    check_groups(run);
    world_check(&run->world);
}

static void everybody_leaves(struct run *run)
{
    for (int i = 0; i < APPS; i++)
        assert_int_equal(yk_core_remove_app(run->world.core, "rm", app_name(i), NULL), YK_OK);
    assert_null(world_reload(&run->world, "partitions: [{name: default, queues: [{name: root}]}]"));
    const struct yk_usages *usages = &world_partition(&run->world)->usages;
    assert_int_equal(usages->users.count + usages->groups.count, 0);
}

static void play(struct run *run)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_random_init(&run->random, run->seed);
    random_config(run, &run->model, &text);
    for (int i = 0; i < APPS; i++)
        run->model.chosen[i] = NOT_CHOSEN;
    world_init(&run->world, yk_buf_cstr(&text));
    run->world.core->reservation_delay_ns = INT64_MAX; /* no reservation is in the way of an ask */
    world_node(&run->world, "n1", 14000, 1000);
    for (int i = 0; i < STEPS; i++)
        step(run);
    everybody_leaves(run);
    world_done(&run->world);
}

static void limits_hold_in_random_runs(void **state)
{
    (void)state;
    const char *given = getenv("YK_SEED");
    uint64_t seed = yk_random_system_seed();
    size_t decisions = 0, refused = 0, moves = 0;
    if (given != NULL)
        assert_int_equal(yk_str_to_u64(yk_str_from(given), &seed), YK_OK);
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < (given != NULL ? 1 : RUNS); i++) {
        struct run run = {.seed = seed + i};
        play(&run);
        decisions += run.decisions;
        refused += run.refused_by_quota;
        moves += run.group_moves;
    }
    print_message("%zu decisions, %zu refusals by quota, %zu other groups\n", decisions, refused, moves);
    if (given == NULL && (decisions < 1000 || refused < 300 || moves < 20))
        fail_msg("too little happened to prove anything");
}

/* An application that was held back lost all its asks, and got one when it no longer waited to start. */
static void runs_that_failed_once(void **state)
{
    static const uint64_t seeds[] = {UINT64_C(8487394117483500027)};
    (void)state;
    for (size_t i = 0; i < YK_COUNT(seeds); i++) {
        struct run run = {.seed = seeds[i]};
        play(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits_hold_in_random_runs),
                                       cmocka_unit_test(runs_that_failed_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
