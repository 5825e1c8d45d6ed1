/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random trees, random limits, random traffic, reloads at any moment; after every step all sums are compared
 * with books that know nothing of the core (model.h) and with the core's own invariants (docs/design.md 1, 2,
 * 3, 5).
 *
 * YK_SEED=N repeats a run that failed.
 */
#include "scheduler/model.h"

/* One thread only: the thread sanitizer has little to look at here. */
#ifdef __SANITIZE_THREAD__
enum { RUNS = 5, STEPS = 2000 };
#else
enum { RUNS = 100, STEPS = 2000 };
#endif

struct run {
    struct world world;
    struct model model;
    struct yk_random random;
    unsigned asks_made;
    size_t reloads, decisions, looks;
};

static uint64_t below(struct run *run, uint64_t bound)
{
    return yk_random_below(&run->random, bound);
}

static void on_allocated(void *context, const char *key, const char *node)
{
    model_allocated(context, key, node);
}

static void on_released(void *context, const char *key)
{
    model_released(context, key);
}

/* ---- steps ---- */

static void reload(struct run *run)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf yaml = {0};
    model_configure(&run->model, &run->random, &yaml);
    const char *refusal = world_reload(&run->world, yk_buf_cstr(&yaml));
    if (refusal != NULL)
        fail_msg("refused: %s\n%s", refusal, yk_buf_cstr(&yaml));
    run->reloads++;
}

static struct model_app *some_app(struct run *run, bool used)
{
    struct model_app *app = &run->model.apps[below(run, MODEL_APPS)];
    return app->used == used ? app : NULL;
}

static void submit(struct run *run)
{
    struct model_app *app = some_app(run, false);
    const struct model_queue *queue = &run->model.queues[below(run, run->model.queue_count)];
    char path[140], user[8];
    if (app == NULL)
        return;
    *app = (struct model_app){.used = true, .user = (int)below(run, MODEL_USERS)};
    (void)snprintf(app->id, sizeof(app->id), "app-%u", run->asks_made++);
    (void)snprintf(path, sizeof(path), "%s%s", queue->path, queue->leaf ? "" : ".dyn");
    (void)snprintf(user, sizeof(user), "u%d", app->user);
    world_submit(&run->world, app->id, path, user);
    const struct yk_app *placed = world_app(&run->world, app->id);
    app->used = placed != NULL; /* e.g. a queue of that name drains */
    if (placed != NULL)
        (void)snprintf(app->path, sizeof(app->path), "%s", placed->queue_path);
}

static void send(struct run *run, const struct model_ask *ask, const char *node)
{
    struct yk_resvec size = {0};
    yk_resvec_put(&size, YK_RESTYPE_VCORE, ask->size.v[0]);
    yk_resvec_put(&size, YK_RESTYPE_MEMORY, ask->size.v[1]);
    struct yk_si_allocation request = {.key = ask->key,
                                       .application_id = run->model.apps[ask->app].id,
                                       .resource = &size,
                                       .priority = (int32_t)below(run, 3),
                                       .node_id = node,
                                       .scheduling_class = YK_SI_CLASS_ANY};
    size_t rejected = run->world.alloc_rejected;
    assert_int_equal(yk_core_update_allocation(run->world.core, "rm", &request), YK_OK);
    assert_int_equal(run->world.alloc_rejected, rejected);
}

static void size_of(struct run *run, struct model_ask *ask)
{
    ask->size.v[0] = 100 * (int64_t)(1 + below(run, 12));
    ask->size.v[1] = 100 * (int64_t)(1 + below(run, 8));
}

static void ask_for(struct run *run)
{
    struct model_app *app = some_app(run, true);
    struct model_ask *ask = &run->model.asks[below(run, MODEL_ASKS)];
    if (app == NULL || ask->used)
        return;
    *ask = (struct model_ask){.used = true, .app = (int)(app - run->model.apps), .node = -1};
    (void)snprintf(ask->key, sizeof(ask->key), "k%u", run->asks_made++);
    size_of(run, ask);
    unsigned node = (unsigned)below(run, MODEL_NODES);
    char id[8];
    (void)snprintf(id, sizeof(id), "n%u", node);
    bool placed =
        below(run, 15) == 0 && run->model.nodes[node].used; /* by the resource manager: no limit asked */
    send(run, ask, placed ? id : NULL);
}

static void resize(struct run *run)
{
    struct model_ask *ask = &run->model.asks[below(run, MODEL_ASKS)];
    char node[8];
    if (!ask->used)
        return;
    size_of(run, ask);
    (void)snprintf(node, sizeof(node), "n%d", ask->node);
    send(run, ask, ask->node >= 0 ? node : NULL);
}

static void release(struct run *run)
{
    struct model_ask *ask = &run->model.asks[below(run, MODEL_ASKS)];
    if (!ask->used)
        return;
    world_release(&run->world, run->model.apps[ask->app].id, ask->key, YK_SI_STOPPED_BY_RM);
    ask->used = false; /* what waited is not told back */
}

static void drop_asks_of(struct model *model, int app)
{
    for (size_t i = 0; i < MODEL_ASKS; i++)
        model->asks[i].used = model->asks[i].used && model->asks[i].app != app;
}

static void remove_app(struct run *run)
{
    struct model_app *app = some_app(run, true);
    if (app == NULL)
        return;
    assert_int_equal(yk_core_remove_app(run->world.core, "rm", app->id, NULL), YK_OK);
    drop_asks_of(&run->model, (int)(app - run->model.apps));
    app->used = false;
}

static void change_node(struct run *run)
{
    unsigned number = (unsigned)below(run, MODEL_NODES);
    struct model_node *node = &run->model.nodes[number];
    char id[8];
    (void)snprintf(id, sizeof(id), "n%u", number);
    if (node->used && below(run, 3) == 0) {
        node->used = false;
        world_node_action(&run->world, id, YK_SI_NODE_DECOMMISSION);
        return;
    }
    node->capacity =
        (struct model_amount){{1000 * (int64_t)(1 + below(run, 4)), 1000 * (int64_t)(1 + below(run, 4))}};
    struct yk_resvec capacity = {0};
    yk_resvec_put(&capacity, YK_RESTYPE_VCORE, node->capacity.v[0]);
    yk_resvec_put(&capacity, YK_RESTYPE_MEMORY, node->capacity.v[1]);
    struct yk_si_node request = {
        .node_id = id, .action = node->used ? YK_SI_NODE_UPDATE : YK_SI_NODE_CREATE, .capacity = &capacity};
    assert_int_equal(yk_core_update_node(run->world.core, "rm", &request), YK_OK);
    node->used = true;
}

/* An application that has started is held back by nothing but room. */
static void nothing_waits_that_could_run(struct run *run)
{
    for (size_t i = 0; i < MODEL_ASKS; i++) {
        const struct model_ask *ask = &run->model.asks[i];
        if (!ask->used || ask->node >= 0)
            continue;
        const struct yk_app *app = world_app(&run->world, run->model.apps[ask->app].id);
        const struct yk_queue *queue = app->leaf;
        while (queue != NULL && queue->managed && queue->state == YK_STATE_ACTIVE)
            queue = queue->parent;
        if (app->state != YK_APP_RUNNING || queue != NULL)
            continue; /* the model knows no limits of queues that drain */
        run->looks++;
        if (model_could_run(&run->model, ask))
            fail_msg("ask '%s' of '%s' in '%s' waits (%s), but could run", ask->key, app->id, app->queue_path,
                     yk_wait_text(yk_app_find_ask(app, yk_str_from(ask->key))->group->wait));
    }
}

static void schedule(struct run *run, size_t most)
{
    run->model.decides = true;
    size_t made = yk_core_schedule(run->world.core, most, INT64_MAX);
    run->model.decides = false;
    run->decisions += made;
    if (made < most)
        nothing_waits_that_could_run(run);
}

static void step(struct run *run)
{
    switch (below(run, 24)) {
    case 0:
    case 1:
    case 2:
        submit(run);
        break;
    case 3:
        change_node(run);
        break;
    case 4:
        if (below(run, 3) == 0)
            reload(run);
        break;
    case 5:
        world_advance(&run->world, (int64_t)below(run, 40));
        break;
    case 6:
        if (below(run, 3) == 0)
            remove_app(run);
        break;
    case 7:
        resize(run);
        break;
    case 8:
    case 9:
    case 10:
    case 11:
        release(run);
        break;
    case 12:
        schedule(run, 1);
        break;
    case 13:
    case 14:
        schedule(run, SIZE_MAX);
        break;
    default:
        ask_for(run);
        break;
    }
}

/* Applications end by themselves when they had nothing for a while. */
static void note_ended(struct run *run)
{
    for (int i = 0; i < MODEL_APPS; i++) {
        struct model_app *app = &run->model.apps[i];
        if (!app->used || world_app(&run->world, app->id) != NULL)
            continue;
        app->used = false;
        for (size_t at = 0; at < MODEL_ASKS; at++)
            assert_false(run->model.asks[at].used && run->model.asks[at].app == i);
    }
}

static void one_run(uint64_t seed, size_t *decisions, size_t *looks)
{
    struct run run = {.asks_made = 0};
    yk_random_init(&run.random, seed);
    YK_CLEANUP(yk_buf_done) struct yk_buf yaml = {0};
    model_configure(&run.model, &run.random, &yaml);
    world_init(&run.world, yk_buf_cstr(&yaml));
    run.world.core->reservation_delay_ns = INT64_MAX; /* the model keeps no node for anybody */
    run.world.watcher = &run.model;
    run.world.watch_allocated = on_allocated;
    run.world.watch_released = on_released;
    for (size_t i = 0; i < STEPS; i++) {
        step(&run);
        note_ended(&run);
        world_check(&run.world);
        if (!model_agrees(&run.model, &run.world))
            fail_msg("YK_SEED=%llu, step %zu: %s", (unsigned long long)seed, i, run.model.text);
    }
    *decisions += run.decisions;
    *looks += run.looks;
    world_done(&run.world);
}

static void books_agree(void **state)
{
    (void)state;
    const char *given = getenv("YK_SEED");
    uint64_t seed = yk_random_system_seed();
    size_t decisions = 0, looks = 0, runs = RUNS;
    if (given != NULL) {
        assert_int_equal(yk_str_to_u64(yk_str_from(given), &seed), YK_OK);
        runs = 1;
    }
    for (uint64_t i = 0; i < runs; i++) {
        print_message("YK_SEED=%llu\n", (unsigned long long)(seed + i));
        one_run(seed + i, &decisions, &looks);
    }
    print_message("%zu decisions, %zu looks at what waits\n", decisions, looks);
    assert_true(decisions > runs * STEPS / 50); /* a run without decisions proves nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(books_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
