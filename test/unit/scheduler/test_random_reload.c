/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random trees, reloaded at random moments of random work: after each step the invariants hold, after each
 * reload every configured queue is what it is in a tree that was built from scratch (queues.md R9 to R13, I1, I2,
 * T2), and what order and shares rest on is what a fresh computation gives (R25, R46).
 */
#include "base/random.h"
#include "lib/core_world.h"
#include "pending/fair_shares.h"
#include "policies/queue_order.h"

enum { SEEDS = 12, STEPS = 600, FAN = 3, LEVELS = 3, APPS = 10 };

/* ---- a configuration ---- */

static const char *one_of(struct yk_random *random, const char *const *choices, size_t count)
{
    return choices[yk_random_below(random, count)];
}

static void put_settings(struct yk_buf *text, struct yk_random *random, int level)
{
    static const char *const properties[] = {"",
                                             "",
                                             ", properties: {application.sort.policy: fair}",
                                             ", properties: {priority.offset: '2', x: y}",
                                             ", properties: {application.sort.priority: disabled}",
                                             ", properties: {priority.policy: fence}",
                                             ", properties: {quota.preemption.delay: 5s}"};
    static const char *const acls[] = {"", "", ", submitacl: '*'", ", adminacl: 'joe'"};
    static const char *const maxima[LEVELS][2] = {
        {", resources: {max: {vcore: 9}}", ""},
        {", resources: {max: {vcore: 4, memory: 4Gi}}", ""},
        {", resources: {guaranteed: {vcore: 1}, max: {vcore: 2}}", ""}};
    yk_buf_text(text, one_of(random, properties, YK_COUNT(properties)));
    yk_buf_text(text, one_of(random, acls, YK_COUNT(acls)));
    yk_buf_text(text, one_of(random, maxima[level], 2));
}

static void put_queues(struct yk_buf *text, struct yk_random *random, int level)
{
    size_t shift = yk_random_below(random, FAN);
    const char *separator = "";
    yk_buf_char(text, '[');
    for (size_t i = 0; i < FAN; i++) {
        if (yk_random_below(random, 4) == 0)
            continue;
        yk_buf_printf(text, "%s{name: q%zu", separator, (i + shift) % FAN);
        separator = ", ";
        put_settings(text, random, level);
        if (yk_random_below(random, 4) == 0)
            yk_buf_printf(text, ", childtemplate: {maxapplications: %llu, properties: {a: b}}",
                          (unsigned long long)(1 + yk_random_below(random, 3)));
        if (level < LEVELS - 1 && yk_random_below(random, 3) > 0) {
            yk_buf_text(text, ", queues: ");
            put_queues(text, random, level + 1);
        } else if (yk_random_below(random, 4) == 0) {
            yk_buf_text(text, ", parent: true");
        }
        yk_buf_char(text, '}');
    }
    yk_buf_char(text, ']');
}

static void put_config(struct yk_buf *text, struct yk_random *random)
{
    yk_buf_clear(text);
    yk_buf_printf(text,
                  "partitions:\n- name: default\n  preemption: {quotapreemptionenabled: %s}\n"
                  "  placementrules: [{name: provided, create: true}]\n"
                  "  queues:\n  - name: root\n    submitacl: '*'\n",
                  yk_random_below(random, 2) == 0 ? "true" : "false");
    if (yk_random_below(random, 4) == 0)
        yk_buf_text(text, "    properties: {deep: down}\n");
    if (yk_random_below(random, 4) == 0)
        yk_buf_text(text, "    childtemplate: {maxapplications: 5}\n");
    yk_buf_text(text, "    queues: ");
    put_queues(text, random, 0);
    yk_buf_char(text, '\n');
}

/* ---- comparing with a tree built from scratch ---- */

static void same_properties(const struct yk_queue *queue, const struct yk_property_set *a,
                            const struct yk_property_set *b)
{
    struct yk_arena arena = {0};
    struct yk_pairs x = yk_property_set_list(a, &arena), y = yk_property_set_list(b, &arena);
    if (!yk_config_pairs_same(&x, &y))
        fail_msg("%s: properties differ", queue->path);
    yk_arena_done(&arena);
}

static void same_queue(const struct yk_queue *live, const struct yk_queue *fresh)
{
    const struct yk_queue_settings *a = &live->settings, *b = &fresh->settings;
    const struct yk_queue_template *x = &live->child_template, *y = &fresh->child_template;
    bool same = live->managed && live->state == YK_STATE_ACTIVE && live->is_leaf == fresh->is_leaf &&
                live->max_apps == fresh->max_apps && live->has_guaranteed == fresh->has_guaranteed &&
                a->app_sort == b->app_sort && a->priority_sort == b->priority_sort &&
                a->priority_policy == b->priority_policy && a->priority_offset == b->priority_offset &&
                a->quota_preemption_delay_ns == b->quota_preemption_delay_ns;
    if (live->parent != NULL)
        same = same && live->has_max == fresh->has_max &&
               (!live->has_max || yk_resvec_same(&live->max, &fresh->max));
    if (!live->is_leaf)
        same = same && x->is_set == y->is_set && x->max_apps == y->max_apps;
    if (live->has_guaranteed)
        same = same && yk_resvec_same(&live->guaranteed, &fresh->guaranteed);
    static const char *const users[] = {"joe", "ann"};
    for (size_t i = 0; i < YK_COUNT(users); i++)
        same = same &&
               yk_queue_may_submit(live, users[i], NULL, 0) == yk_queue_may_submit(fresh, users[i], NULL, 0);
    if (!same)
        fail_msg("%s is not what its configuration says", live->path);
    same_properties(live, live->properties, fresh->properties);
    if (!live->is_leaf)
        same_properties(live, x->properties, y->properties);
}

static void compare_with_new_tree(struct world *world, const char *config)
{
    struct world scratch;
    world_init(&scratch, config);
    struct yk_queue *fresh_root = world_partition(&scratch)->root, *root = world_partition(world)->root;
    for (struct yk_queue *q = fresh_root; q != NULL; q = yk_queue_next(q, fresh_root)) {
        const struct yk_queue *live = world_queue(world, q->path);
        if (live == NULL)
            fail_msg("%s is missing", q->path);
        else
            same_queue(live, q);
    }
    for (struct yk_queue *q = root; q != NULL; q = yk_queue_next(q, root)) {
        if (q->managed && q->state == YK_STATE_ACTIVE && world_queue(&scratch, q->path) == NULL)
            fail_msg("%s should drain", q->path);
    }
    world_done(&scratch);
}

/* Top down, so that each queue is recomputed from a parent that was. */
static void orders_rest_on_what_is(struct world *world)
{
    struct yk_queue *root = world_partition(world)->root;
    if (!yk_fair_shares_are_fresh(world_partition(world)))
        return; /* new nodes are looked at with the next decision */
    for (struct yk_queue *q = root; q != NULL; q = yk_queue_next(q, root)) {
        YK_RESVEC(kept);
        bool had = q->has_fair_max;
        yk_resvec_copy(&kept, &q->fair_max);
        yk_queue_update_fair_max(q);
        if (had != q->has_fair_max || (had && !yk_resvec_same(&kept, &q->fair_max)))
            fail_msg("fair maximum of %s is out of date", q->path);
        if (q->parent == NULL)
            continue;
        double share = yk_resvec_fair_share(&q->allocated, q->has_guaranteed ? &q->guaranteed : NULL,
                                            q->has_fair_max ? &q->fair_max : NULL);
        if (yk_tree_linked(&q->in_active) && (share < q->share || share > q->share))
            fail_msg("share of %s is out of date", q->path);
        if (q->priority != yk_queue_effective_priority(q, yk_priority_count_highest(&q->priorities)))
            fail_msg("priority of %s is out of date", q->path);
    }
}

/* R44, the slow way: a clock only where there is something to take back. */
static void clocks_run_where_they_may(struct world *world)
{
    struct yk_queue *root = world_partition(world)->root;
    for (struct yk_queue *q = root; q != NULL; q = yk_queue_next(q, root)) {
        bool above = false;
        yk_resvec_foreach(t, q->has_max ? &q->max : NULL)
        {
            int64_t used = yk_resvec_get(&q->allocated, t);
            above = above || (yk_resvec_has(&q->allocated, t) && used > yk_resvec_get(&q->max, t));
        }
        if (yk_list_linked(&q->quota.in_due) &&
            (!above || !q->managed || q->settings.quota_preemption_delay_ns <= 0 || q->parent == NULL))
            fail_msg("the clock of %s should not run", q->path);
    }
}

/* ---- work ---- */

static const char *queue_path(struct yk_random *random)
{
    static char text[64];
    uint64_t depth = 1 + yk_random_below(random, LEVELS);
    size_t at = (size_t)snprintf(text, sizeof(text), "root");
    for (uint64_t i = 0; i < depth; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, ".%c%llu", i > 0 && depth == 3 ? 'd' : 'q',
                               (unsigned long long)yk_random_below(random, FAN));
    return text;
}

static void work(struct world *world, struct yk_random *random)
{
    char app[16], key[32];
    (void)snprintf(app, sizeof(app), "a%llu", (unsigned long long)yk_random_below(random, APPS));
    (void)snprintf(key, sizeof(key), "%s-%llu", app, (unsigned long long)yk_random_below(random, 20));
    switch (yk_random_below(random, 10)) {
    case 0:
    case 1:
        world_submit(world, app, queue_path(random), yk_random_below(random, 2) == 0 ? "joe" : "ann");
        break;
    case 2:
        world_release(world, app, key, YK_SI_STOPPED_BY_RM);
        break;
    case 3:
        world_advance(world, (int64_t)yk_random_below(random, 15));
        break;
    case 4:
        assert_int_equal(yk_core_remove_app(world->core, "rm", app, NULL), YK_OK);
        break;
    case 5:
        (void)world_schedule_one(world); /* leaves the rest for later */
        break;
    case 6:
        (void)world_schedule(world); /* how many depends on the run */
        break;
    default:
        world_ask_full(world, app, key, (int64_t)(1 + yk_random_below(random, 3)) * 500, 100,
                       (int32_t)yk_random_below(random, 3), YK_SI_CLASS_ANY,
                       yk_random_below(random, 8) == 0 ? "n0" : NULL);
    }
}

/* Prepared early, finished some steps later: other things happen in between. */
struct late {
    struct yk_reload *reload;
    struct yk_buf text;
};

static void reload(struct world *world, struct yk_random *random, struct late *late)
{
    struct yk_err err;
    struct yk_si_told told;
    if (late->reload == NULL) {
        put_config(&late->text, random);
        struct yk_si_register request = {.rm_id = "rm", .config = yk_buf_view(&late->text)};
        assert_int_equal(yk_core_reload_begin(world->core, &request, &late->reload, &err), YK_OK);
        yk_reload_prepare(late->reload);
        return;
    }
    if (yk_core_reload_finish(world->core, late->reload, &told, &err) != YK_OK)
        fail_msg("refused: %s\n%s", err.text, yk_buf_cstr(&late->text));
    yk_reload_free(yk_move(late->reload));
    world_check(world);
    compare_with_new_tree(world, yk_buf_cstr(&late->text));
    orders_rest_on_what_is(world);
}

static void run(uint64_t seed)
{
    struct world world;
    struct yk_random random;
    struct late late = {.reload = NULL};
    yk_random_init(&random, seed);
    put_config(&late.text, &random);
    world_init(&world, yk_buf_cstr(&late.text));
    world_node(&world, "n0", 8000, 8192);
    world_node(&world, "n1", 5000, 8192);
    for (int i = 0; i < STEPS; i++) {
        if (yk_random_below(&random, 10) == 0)
            reload(&world, &random, &late);
        else
            work(&world, &random);
        world_check(&world);
        clocks_run_where_they_may(&world);
    }
    if (world.allocated < STEPS / 40)
        fail_msg("seed %llu: only %zu decisions: the run proves nothing", (unsigned long long)seed,
                 world.allocated);
    yk_reload_free(late.reload);
    yk_buf_done(&late.text);
    world_done(&world);
}

static void random_reloads_give_the_tree_that_is_configured(void **state)
{
    (void)state;
    uint64_t seed = yk_random_system_seed();
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < SEEDS; i++)
        run(seed + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_reloads_give_the_tree_that_is_configured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
