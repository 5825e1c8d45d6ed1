/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preemption ends (scheduling.md 6.1): leaves that are guaranteed several types, pods of all shapes that come
 * and end, and victims that come back. Each preemption lowers the need of the partition, no start raises it,
 * and without further ends there is quiet. Where all pods ask for all guaranteed types, each leaf preempts no
 * more often than the argument says.
 *
 * YK_SEED and YK_SCENARIOS choose others than usual.
 */
#include "base/random.h"
#include "lib/core_world.h"
#include "lib/one_thread.h"
#include "preemption/naive_need.h"
#include "reservation/reservations.h"

#include <stdio.h>

enum { SCENARIOS = 2000 / ONE_THREAD_PART, STEPS = 60, QUIET_ROUNDS = 5, ROUNDS_MAX = 400, LEAVES_MAX = 3 };

struct leaf {
    char path[16];
    struct yk_resvec guaranteed;
    double ended; /* sum of the greatest shares of the pods that ended */
    size_t preemptions;
};

struct scene {
    struct world world;
    struct yk_random random;
    uint64_t seed, number;
    bool all_types; /* each pod asks for all that is guaranteed */
    struct leaf leaves[LEAVES_MAX];
    size_t leaf_count;
    size_t pods; /* ever made */
    size_t kills;
    struct yk_vec victims; /* char *: keys, owned */
};

static uint64_t below(struct scene *scene, uint64_t bound)
{
    return yk_random_below(&scene->random, bound);
}

static void scene_fails(const struct scene *scene, const char *what, const char *name)
{
    fail_msg("%s: %s (YK_SEED=%llu, scenario %llu)", what, name, (unsigned long long)scene->seed,
             (unsigned long long)scene->number);
}

static struct yk_queue *root_of(struct scene *scene)
{
    return world_partition(&scene->world)->root;
}

/* ---- the queues ---- */

static void put_leaf(struct scene *scene, struct yk_buf *text, size_t index)
{
    struct leaf *leaf = &scene->leaves[index];
    uint64_t vcore = 2 + below(scene, 9), memory = 2 + below(scene, 9);
    memset(leaf, 0, sizeof(*leaf));
    (void)snprintf(leaf->path, sizeof(leaf->path), "root.%c", (char)('a' + index));
    yk_resvec_put(&leaf->guaranteed, YK_RESTYPE_VCORE, (int64_t)vcore * 1000);
    yk_resvec_put(&leaf->guaranteed, YK_RESTYPE_MEMORY, (int64_t)memory << 30);
    yk_buf_printf(text,
                  "    - {name: %c, resources: {guaranteed: {vcore: %llu, memory: %lluGi}}, "
                  "properties: {preemption.delay: 1s}}\n",
                  (char)('a' + index), (unsigned long long)vcore, (unsigned long long)memory);
}

static void on_released(void *context, const char *key)
{
    struct scene *scene = context;
    if (scene->world.last_termination == YK_SI_PREEMPTED_BY_SCHEDULER)
        yk_vec_append(&scene->victims, yk_strdup(key));
}

static void plant(struct scene *scene)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    scene->leaf_count = 2 + below(scene, LEAVES_MAX - 1);
    scene->pods = scene->kills = 0;
    yk_buf_text(&text, "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n"
                       "  - name: root\n    submitacl: '*'\n    queues:\n");
    for (size_t i = 0; i < scene->leaf_count; i++)
        put_leaf(scene, &text, i);
    world_init(&scene->world, yk_buf_cstr(&text));
    scene->world.core->events.on = false;
    scene->world.watch_released = on_released;
    scene->world.watcher = scene;
    for (uint64_t i = 0; i < 1 + scene->number % 3; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "n%llu", (unsigned long long)i);
        world_node(&scene->world, id, (int64_t)(4 + below(scene, 5)) * 1000,
                   (int64_t)(4 + below(scene, 5)) * 1024);
    }
}

/* ---- pods ---- */

/* An application without pods is completed after a while. */
static void submit(struct scene *scene, const struct leaf *leaf)
{
    if (world_app(&scene->world, leaf->path) == NULL)
        world_submit(&scene->world, leaf->path, leaf->path, "joe");
}

static struct yk_ask *find_in(struct scene *scene, const struct leaf *leaf, const char *key)
{
    const struct yk_app *app = world_app(&scene->world, leaf->path);
    return app != NULL ? yk_app_find_ask(app, yk_str_from(key)) : NULL;
}

static void add_pod(struct scene *scene, struct leaf *leaf, const struct yk_resvec *size)
{
    char key[32];
    (void)snprintf(key, sizeof(key), "%zu", scene->pods++);
    struct yk_si_allocation ask = {
        .key = key,
        .application_id = leaf->path,
        .resource = size,
        .create_wall_ns = yk_clock_wall_ns(&scene->world.clock),
        .scheduling_class = YK_SI_CLASS_ANY,
        .allow_preempt_self = true,
        .allow_preempt_other = true,
    };
    submit(scene, leaf);
    assert_int_equal(yk_core_update_allocation(scene->world.core, "rm", &ask), YK_OK);
}

static struct yk_resvec any_size(struct scene *scene)
{
    static const int64_t vcores[] = {500, 1000, 1000, 2000, 4000}, memories[] = {512, 1024, 1024, 2048, 4096};
    int64_t vcore = vcores[below(scene, YK_COUNT(vcores))],
            memory = memories[below(scene, YK_COUNT(memories))];
    uint64_t shape = scene->all_types ? 0 : below(scene, 3);
    return world_size(shape == 1 ? 0 : vcore, shape == 2 ? 0 : memory);
}

static struct leaf *leaf_of(struct scene *scene, const struct yk_ask *ask)
{
    for (size_t i = 0; i < scene->leaf_count; i++) {
        if (strcmp(scene->leaves[i].path, yk_ask_app(ask)->id) == 0)
            return &scene->leaves[i];
    }
    return NULL;
}

static struct yk_ask *find(struct scene *scene, const char *key)
{
    for (size_t i = 0; i < scene->leaf_count; i++) {
        struct yk_ask *ask = find_in(scene, &scene->leaves[i], key);
        if (ask != NULL)
            return ask;
    }
    return NULL;
}

static double greatest_share(const struct leaf *leaf, const struct yk_resvec *size)
{
    double share = 0;
    yk_resvec_foreach(t, &leaf->guaranteed) share =
        YK_MAX(share, (double)yk_resvec_get(size, t) / (double)yk_resvec_get(&leaf->guaranteed, t));
    return share;
}

/* ---- decisions ---- */

static int64_t nominated(struct scene *scene)
{
    return yk_resvec_get(&root_of(scene)->nominated, YK_RESTYPE_PODS);
}

static struct leaf *note_asker(struct scene *scene, const char *victim_key)
{
    const struct yk_ask *victim = find(scene, victim_key);
    const struct yk_ask *asker = NULL;
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &world_partition(&scene->world)->reservation.list, struct yk_reservation,
                     in_partition) {
        if (yk_ask_nomination(reservation->ask) == yk_ask_nomination(victim))
            asker = reservation->ask;
    }
    assert_non_null(asker);
    return leaf_of(scene, asker);
}

static void decide(struct scene *scene)
{
    for (;;) {
        size_t told = scene->victims.count;
        int64_t promised_before = nominated(scene);
        struct need before = need_of(root_of(scene));
        if (world_schedule_one(&scene->world) == 0)
            return;
        struct need after = need_of(root_of(scene));
        int change = compare_needs(&after, &before);
        if (scene->victims.count > told) {
            scene->kills += scene->victims.count - told;
            note_asker(scene, scene->victims.items[told])->preemptions++;
            if (change >= 0)
                scene_fails(scene, "a preemption that does not lower the need", scene->victims.items[told]);
        } else if (change > 0 && nominated(scene) >= promised_before) {
            scene_fails(scene, "a start that raises the need", "of some leaf");
        }
    }
}

static void end_victim(struct scene *scene, size_t index)
{
    char *key = scene->victims.items[index];
    yk_vec_remove(&scene->victims, index);
    const struct yk_ask *victim = find(scene, key);
    assert_non_null(victim);
    struct leaf *leaf = leaf_of(scene, victim);
    YK_RESVEC(size);
    yk_resvec_copy(&size, yk_ask_size(victim));
    world_release(&scene->world, leaf->path, key, YK_SI_PREEMPTED_BY_SCHEDULER);
    add_pod(scene, leaf, &size);
    free(key);
}

/* A running pod, which is no victim, ends by itself. */
static void end_one(struct scene *scene)
{
    struct leaf *leaf = &scene->leaves[below(scene, scene->leaf_count)];
    char key[32];
    (void)snprintf(key, sizeof(key), "%llu", (unsigned long long)below(scene, scene->pods + 1));
    const struct yk_ask *ask = find_in(scene, leaf, key);
    if (ask == NULL || ask->node == NULL || (ask->flags & YK_ASK_PREEMPTED) != 0)
        return;
    leaf->ended += greatest_share(leaf, yk_ask_size(ask));
    world_release(&scene->world, leaf->path, key, YK_SI_STOPPED_BY_RM);
}

static void step(struct scene *scene)
{
    for (uint64_t i = below(scene, 4); i > 0 && scene->pods < 2000; i--) {
        struct yk_resvec size = any_size(scene);
        add_pod(scene, &scene->leaves[below(scene, scene->leaf_count)], &size);
    }
    for (uint64_t i = below(scene, 8); i > 0 && scene->pods > 0; i--)
        end_one(scene);
    decide(scene);
    while (scene->victims.count > 0 && below(scene, 4) > 0) {
        end_victim(scene, below(scene, scene->victims.count));
        decide(scene);
    }
    world_advance(&scene->world, 16);
    decide(scene);
}

static void until_quiet(struct scene *scene)
{
    size_t quiet = 0;
    for (int round = 0; quiet < QUIET_ROUNDS; round++) {
        size_t kills = scene->kills;
        if (round == ROUNDS_MAX)
            scene_fails(scene, "no end", "of preemptions");
        while (scene->victims.count > 0) {
            end_victim(scene, 0);
            decide(scene);
        }
        world_advance(&scene->world, 16);
        decide(scene);
        quiet = scene->kills == kills ? quiet + 1 : 0;
    }
}

/* The bound of 6.1: (1 + shares that ended) / least share of an ask. */
static void check_bound(struct scene *scene)
{
    for (size_t i = 0; i < scene->leaf_count && scene->all_types; i++) {
        const struct leaf *leaf = &scene->leaves[i];
        double vcore = 500.0 / (double)yk_resvec_get(&leaf->guaranteed, YK_RESTYPE_VCORE);
        double memory =
            (double)((int64_t)512 << 20) / (double)yk_resvec_get(&leaf->guaranteed, YK_RESTYPE_MEMORY);
        if ((double)leaf->preemptions > (1 + leaf->ended) / YK_MIN(vcore, memory))
            scene_fails(scene, "more preemptions than the argument allows", leaf->path);
    }
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void pods_that_end_and_come(void **state)
{
    (void)state;
    static struct scene scene;
    uint64_t scenarios = number_from("YK_SCENARIOS", SCENARIOS), kills = 0;
    scene.seed = number_from("YK_SEED", 1);
    yk_random_init(&scene.random, scene.seed);
    for (scene.number = 1; scene.number <= scenarios; scene.number++) {
        scene.all_types = scene.number % 2 == 0;
        plant(&scene);
        for (int i = 0; i < STEPS; i++)
            step(&scene);
        until_quiet(&scene);
        check_bound(&scene);
        kills += scene.kills;
        world_check(&scene.world);
        world_done(&scene.world);
    }
    yk_vec_done(&scene.victims);
    if (getenv("YK_VERBOSE") != NULL)
        print_message("%llu kills\n", (unsigned long long)kills);
    if (kills < scenarios)
        fail_msg("only %llu kills", (unsigned long long)kills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pods_that_end_and_come)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
