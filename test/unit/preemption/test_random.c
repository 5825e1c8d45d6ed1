/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hundred thousand small random clusters in which some asks preempt, while others come and victims end in
 * any order. Each preemption is judged by its outcome, recomputed from scratch: the laws hold, no victim
 * could be left out, the asker starts once they are gone, and it all comes to an end.
 *
 * YK_SEED and YK_SCENARIOS choose others than usual.
 */
#include "base/random.h"
#include "lib/core_world.h"
#include "lib/one_thread.h"
#include "preemption/naive_need.h"
#include "reservation/reservations.h"

#include <stdio.h>

enum {
    SCENARIOS = 100000 / ONE_THREAD_PART,
    TREES = 50,
    NODES_MAX = 3,
    PODS_MAX = 48,
    ROUNDS = 10,
    PREEMPTIONS_MAX = 40
};

struct scene {
    struct world world;
    struct yk_random random;
    uint64_t seed, number;
    char leaves[8][32];
    size_t leaf_count, node_count;
    size_t pods;    /* ever made */
    bool come_back; /* victims do, as new pods */
    /* Told to end, and not ended yet. */
    struct yk_ask *victims[PODS_MAX];
    size_t victim_count, victims_seen;
    struct yk_ask *askers[PREEMPTIONS_MAX];
    size_t asker_count;
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

/* ---- a tree of queues ---- */

/* Children of a parent are guaranteed no more than it is, and have no maximum but its own. */
static void put_limits(struct scene *scene, struct yk_buf *text, uint64_t least, bool is_child)
{
    uint64_t guaranteed = below(scene, 3) > 0 ? least + (is_child ? 0 : below(scene, 3)) : 0;
    if (guaranteed > 0)
        yk_buf_printf(text, "guaranteed: {%s: %llu", below(scene, 5) > 0 ? "vcore" : "pods",
                      (unsigned long long)guaranteed);
    if (guaranteed > 0 && below(scene, 2) == 0) /* of memory little, or more than there is */
        yk_buf_printf(text, ", memory: %lluMi",
                      (unsigned long long)((is_child ? 300 : 700) + (is_child ? 0 : 3000 * below(scene, 3))));
    if (guaranteed > 0)
        yk_buf_text(text, "}");
    if (!is_child && below(scene, 2) == 0)
        yk_buf_printf(text, "%smax: {%s: %llu}", guaranteed > 0 ? ", " : "", "vcore",
                      (unsigned long long)(YK_MAX(guaranteed, least) + below(scene, 3)));
}

static void put_properties(struct scene *scene, struct yk_buf *text)
{
    static const char *const some[] = {"",
                                       "",
                                       "",
                                       "",
                                       "",
                                       "preemption.policy: fence",
                                       "preemption.policy: disabled",
                                       "priority.policy: fence",
                                       "priority.offset: '1'",
                                       "priority.offset: '-1'",
                                       "priority.policy: fence, priority.offset: '1'"};
    yk_buf_printf(text, ", properties: {%s}", some[below(scene, YK_COUNT(some))]);
}

static void put_leaf(struct scene *scene, struct yk_buf *text, const char *parent, char letter, bool is_child)
{
    yk_buf_printf(text, "{name: %c, resources: {", letter);
    put_limits(scene, text, 1, is_child);
    yk_buf_text(text, "}");
    put_properties(scene, text);
    yk_buf_text(text, "}");
    (void)snprintf(scene->leaves[scene->leaf_count++], sizeof(scene->leaves[0]), "%s.%c", parent, letter);
}

static void put_parent(struct scene *scene, struct yk_buf *text, const char *name)
{
    char path[24];
    (void)snprintf(path, sizeof(path), "root.%s", name);
    yk_buf_printf(text, "    - {name: %s, resources: {", name);
    put_limits(scene, text, 2, false);
    yk_buf_text(text, "}");
    put_properties(scene, text);
    yk_buf_text(text, ", queues: [");
    put_leaf(scene, text, path, 'x', true);
    yk_buf_text(text, ", ");
    put_leaf(scene, text, path, 'y', true);
    yk_buf_text(text, "]}\n");
}

static void plant(struct scene *scene)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    scene->leaf_count = 0;
    yk_buf_text(
        &text,
        "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"
        "    submitacl: '*'\n    queues:\n");
    for (char letter = 'a'; letter < 'c' + (char)below(scene, 2); letter++) {
        yk_buf_text(&text, "    - ");
        put_leaf(scene, &text, "root", letter, false);
        yk_buf_text(&text, "\n");
    }
    if (below(scene, 2) == 0)
        put_parent(scene, &text, "p");
    if (below(scene, 2) == 0)
        put_parent(scene, &text, "q");
    world_init(&scene->world, yk_buf_cstr(&text));
    scene->world.core->events.on = false;
}

/* ---- pods ---- */

static struct yk_app *app_in(struct scene *scene, const char *leaf)
{
    char id[64];
    (void)snprintf(id, sizeof(id), "%s-%llu-%llu", leaf, (unsigned long long)scene->number,
                   (unsigned long long)below(scene, 2));
    if (world_app(&scene->world, id) == NULL)
        world_submit(&scene->world, id, leaf, "joe");
    return world_app(&scene->world, id);
}

static void add_pod(struct scene *scene, struct yk_app *app, const struct yk_resvec *size, const char *node,
                    int64_t age_s, int32_t priority)
{
    char key[32];
    (void)snprintf(key, sizeof(key), "%zu", scene->pods++);
    struct yk_si_allocation ask = {
        .key = key,
        .application_id = app->id,
        .resource = size,
        .priority = priority,
        .node_id = node,
        .create_wall_ns = yk_clock_wall_ns(&scene->world.clock) - age_s * YK_NS_PER_S,
        .scheduling_class = YK_SI_CLASS_ANY,
        .allow_preempt_self = below(scene, 6) > 0,
        .allow_preempt_other = true,
        .originator = below(scene, 8) == 0,
    };
    assert_int_equal(yk_core_update_allocation(scene->world.core, "rm", &ask), YK_OK);
}

static const char *any_leaf(struct scene *scene)
{
    return scene->leaves[below(scene, scene->leaf_count)];
}

static struct yk_resvec any_size(struct scene *scene)
{
    static const int64_t vcores[] = {500, 1000, 1000, 1000, 2000, 3000};
    return world_size(vcores[below(scene, YK_COUNT(vcores))], (int64_t)(100 + 400 * below(scene, 3)));
}

static int32_t any_priority(struct scene *scene)
{
    return (int32_t)below(scene, 4) / 2;
}

static void fill_node(struct scene *scene, size_t number)
{
    char id[8];
    (void)snprintf(id, sizeof(id), "n%zu", number);
    world_node(&scene->world, id, (int64_t)(2 + below(scene, 3)) * 1000, 2048);
    const struct yk_node *node = yk_partition_find_node(world_partition(&scene->world), id);
    for (uint64_t tries = 2 + below(scene, 5); tries > 0; tries--) {
        struct yk_resvec size = any_size(scene);
        if (yk_node_has_capacity(node, &size))
            add_pod(scene, app_in(scene, any_leaf(scene)), &size, id, (int64_t)below(scene, 100),
                    any_priority(scene));
    }
}

static void add_asks(struct scene *scene, size_t count, int64_t age_s)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_resvec size = any_size(scene);
        add_pod(scene, app_in(scene, any_leaf(scene)), &size, NULL, age_s, any_priority(scene));
    }
}

/* ---- what a preemption has to keep to ---- */

static bool is_above(const struct yk_queue *queue, const struct yk_queue *below_it)
{
    for (; below_it != NULL; below_it = below_it->parent) {
        if (below_it == queue)
            return true;
    }
    return false;
}

static int64_t in_the_end(const struct yk_queue *queue, int type)
{
    return yk_resvec_get(&queue->allocated, type) - yk_resvec_get(&queue->preempting, type);
}

/* What is in the queue without this preemption, apart from the asker. */
static int64_t without_it(const struct scene *scene, size_t first, const struct yk_queue *queue, int type)
{
    int64_t used = in_the_end(queue, type) + yk_resvec_get(&queue->nominated, type);
    for (size_t i = first; i < scene->victim_count; i++) {
        if (is_above(queue, yk_ask_app(scene->victims[i])->leaf))
            used += yk_resvec_get(yk_ask_size(scene->victims[i]), type);
    }
    return used;
}

static bool is_told(const struct scene *scene, size_t first, const struct yk_ask *ask)
{
    for (size_t i = first; i < scene->victim_count; i++) {
        if (scene->victims[i] == ask)
            return true;
    }
    return false;
}

/* What other asks are to have on the node, for which victims end there. */
static void nominated_there(const struct yk_ask *asker, struct yk_resvec *ret_amounts)
{
    const struct yk_reservation *reservation;
    yk_resvec_clear(ret_amounts);
    yk_list_foreach (reservation, &yk_ask_reservation(asker)->node->reservations, struct yk_reservation,
                     in_node) {
        if (reservation->ask != asker && reservation->why == YK_RESERVE_PREEMPTION)
            yk_resvec_add(ret_amounts, yk_ask_size(reservation->ask));
    }
}

/* Whether the asker would lack the type if its victims stayed. */
static bool is_lacking(const struct scene *scene, size_t first, const struct yk_ask *asker, int type)
{
    const struct yk_node *node = yk_ask_reservation(asker)->node;
    int64_t size = yk_resvec_get(yk_ask_size(asker), type),
            free_amount = yk_resvec_get(node->available, type);
    YK_RESVEC(nominated);
    nominated_there(asker, &nominated);
    free_amount -= yk_resvec_get(&nominated, type);
    bool own = yk_ask_app(asker)->leaf->has_guaranteed;
    const struct yk_ask *other;
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if ((other->flags & YK_ASK_PREEMPTED) != 0 && !is_told(scene, first, other))
            free_amount += yk_resvec_get(yk_ask_size(other), type);
    }
    if (size > free_amount)
        return true;
    for (const struct yk_queue *queue = yk_ask_app(asker)->leaf; queue != NULL && size > 0;
         queue = queue->parent) {
        int64_t used = without_it(scene, first, queue, type);
        bool answers = queue->has_guaranteed && (!own || queue == yk_ask_app(asker)->leaf);
        if (queue->has_max && yk_resvec_has(&queue->max, type) && used > yk_resvec_get(&queue->max, type))
            return true;
        if (answers && yk_resvec_has(&queue->guaranteed, type) &&
            used > yk_resvec_get(&queue->guaranteed, type))
            return true;
    }
    return false;
}

/* Law 2: a queue with its full guarantee of a type keeps it: of the lacking ones that it guarantees, or, if
 * it guarantees none of them, of all. */
static void check_guarantees(const struct scene *scene, size_t first, const struct yk_ask *victim,
                             const struct yk_ask *asker)
{
    const struct yk_resvec *size = yk_ask_size(victim);
    const struct yk_queue *leaf = yk_ask_app(asker)->leaf;
    uint32_t lacking = 0;
    for (int t = 0; t < YK_RESTYPE_DENSE; t++)
        lacking |= is_lacking(scene, first, asker, t) ? 1u << t : 0;
    uint32_t gives = lacking & yk_resvec_dense_types(size);
    for (const struct yk_queue *queue = yk_ask_app(victim)->leaf; !is_above(queue, leaf);
         queue = queue->parent) {
        uint32_t types = yk_resvec_dense_types(size);
        types &= queue->has_guaranteed ? yk_resvec_dense_types(&queue->guaranteed) : 0;
        uint32_t judged = (types & lacking) != 0 ? types & lacking : types;
        yk_bits_foreach(bit, types)
        {
            int t = (int)bit;
            int64_t guaranteed = yk_resvec_get(&queue->guaranteed, t);
            int64_t after = in_the_end(queue, t) + yk_resvec_get(&queue->nominated, t);
            if (after >= guaranteed)
                continue;
            gives &= ~(1u << t);
            if ((judged >> t & 1) != 0 && without_it(scene, first, queue, t) >= guaranteed)
                scene_fails(scene, "law 2, below the guarantee", queue->path);
        }
    }
    if (gives == 0)
        scene_fails(scene, "law 2, it has nothing above its guarantee that is lacking", victim->key);
}

static void check_victim(const struct scene *scene, const struct yk_ask *victim, const struct yk_ask *asker)
{
    const struct yk_queue *leaf = yk_ask_app(asker)->leaf;
    bool fenced = false, priority_fenced = false;
    if (yk_ask_app(victim) == yk_ask_app(asker) || yk_ask_app(victim)->leaf == leaf)
        scene_fails(scene, "law 3, the same application or queue", victim->key);
    if (yk_ask_app(victim)->leaf->settings.preemption_policy == YK_PREEMPTION_DISABLED)
        scene_fails(scene, "a disabled queue", victim->key);
    for (const struct yk_queue *queue = yk_ask_app(victim)->leaf; !is_above(queue, leaf);
         queue = queue->parent)
        priority_fenced |=
            queue->settings.priority_policy == YK_PRIORITY_FENCE || queue->settings.priority_offset != 0;
    for (const struct yk_queue *queue = leaf; queue != NULL; queue = queue->parent) {
        priority_fenced |=
            queue->settings.priority_policy == YK_PRIORITY_FENCE || queue->settings.priority_offset != 0;
        if (fenced && !is_above(queue, yk_ask_app(victim)->leaf))
            continue;
        if (fenced && queue->parent != NULL && queue->settings.preemption_policy == YK_PREEMPTION_FENCE &&
            !is_above(queue, yk_ask_app(victim)->leaf))
            scene_fails(scene, "outside the fence", victim->key);
        if (queue->settings.preemption_policy == YK_PREEMPTION_FENCE &&
            !is_above(queue, yk_ask_app(victim)->leaf))
            scene_fails(scene, "outside the fence", victim->key);
        fenced |= queue->settings.preemption_policy == YK_PREEMPTION_FENCE;
    }
    if (!priority_fenced && yk_ask_priority(victim) > yk_ask_priority(asker))
        scene_fails(scene, "law 5, higher priority", victim->key);
}

/* Whether the ask, which has a promise, would still start if `kept` stayed. */
static bool could_keep(const struct yk_ask *asker, const struct yk_ask *kept)
{
    const struct yk_resvec *size = yk_ask_size(asker);
    const struct yk_node *node = yk_ask_reservation(asker)->node;
    const struct yk_ask *other;
    YK_RESVEC(free_amounts);
    YK_RESVEC(nominated);
    nominated_there(asker, &nominated);
    yk_resvec_copy(&free_amounts, node->available);
    yk_resvec_sub(&free_amounts, &nominated);
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if ((other->flags & YK_ASK_PREEMPTED) != 0 && other != kept)
            yk_resvec_add(&free_amounts, yk_ask_size(other));
    }
    if (!yk_resvec_fit(&free_amounts, size))
        return false;
    for (const struct yk_queue *queue = yk_ask_app(asker)->leaf; queue != NULL; queue = queue->parent) {
        bool inside = kept != NULL && is_above(queue, yk_ask_app(kept)->leaf);
        yk_resvec_foreach(t, size)
        {
            int64_t used = in_the_end(queue, t) + yk_resvec_get(&queue->nominated, t) +
                           (inside ? yk_resvec_get(yk_ask_size(kept), t) : 0);
            if (queue->has_max && yk_resvec_has(&queue->max, t) && used > yk_resvec_get(&queue->max, t))
                return false;
            /* As its leaf is guaranteed by itself, or by all above. */
            bool counts = queue == yk_ask_app(asker)->leaf || !yk_ask_app(asker)->leaf->has_guaranteed;
            if (counts && queue->has_guaranteed && yk_resvec_has(&queue->guaranteed, t) &&
                used > yk_resvec_get(&queue->guaranteed, t))
                return false;
        }
    }
    return true;
}

static void check_preemption(struct scene *scene, size_t first)
{
    struct yk_ask *asker = NULL;
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &world_partition(&scene->world)->reservation.list, struct yk_reservation,
                     in_partition) {
        if (yk_ask_nomination(reservation->ask) != NULL &&
            yk_ask_nomination(reservation->ask) == yk_ask_nomination(scene->victims[first]))
            asker = reservation->ask;
    }
    if (asker == NULL) {
        scene_fails(scene, "victims without an asker", scene->victims[first]->key);
        return;
    }
    for (size_t i = first; i < scene->victim_count; i++) {
        if (yk_ask_nomination(scene->victims[i]) != yk_ask_nomination(asker))
            scene_fails(scene, "two preemptions in one decision", asker->key);
        check_victim(scene, scene->victims[i], asker);
        check_guarantees(scene, first, scene->victims[i], asker);
        if (could_keep(asker, scene->victims[i]))
            scene_fails(scene, "a victim that could be left out", scene->victims[i]->key);
    }
    if (!could_keep(asker, NULL))
        scene_fails(scene, "victims without need", asker->key);
    if (scene->asker_count == PREEMPTIONS_MAX)
        scene_fails(scene, "no end of preemptions", asker->key);
    scene->askers[scene->asker_count++] = asker;
}

/* ---- the run ---- */

static void on_released(void *context, const char *key)
{
    struct scene *scene = context;
    if (scene->world.last_termination != YK_SI_PREEMPTED_BY_SCHEDULER)
        return;
    const struct yk_app *app;
    yk_strmap_foreach (app, &world_partition(&scene->world)->apps) {
        struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(key));
        if (ask != NULL)
            scene->victims[scene->victim_count++] = ask;
    }
}

static int64_t promised_in_all(struct scene *scene)
{
    return yk_resvec_get(&world_partition(&scene->world)->root->nominated, YK_RESTYPE_VCORE);
}

static void decide(struct scene *scene)
{
    for (;;) {
        size_t first = scene->victim_count;
        struct need before = need_of(world_partition(&scene->world)->root);
        int64_t nominated = promised_in_all(scene);
        if (world_schedule_one(&scene->world) == 0)
            break;
        struct need after = need_of(world_partition(&scene->world)->root);
        int change = compare_needs(&after, &before);
        if (scene->victim_count > first) {
            world_check(&scene->world);
            check_preemption(scene, first);
            if (change >= 0)
                scene_fails(scene, "a preemption that does not lower the need", scene->victims[first]->key);
        } else if (change > 0 && promised_in_all(scene) >= nominated) {
            scene_fails(scene, "a start that raises the need", "of some queue");
        }
    }
    world_check(&scene->world);
}

static void end_victim(struct scene *scene, size_t index)
{
    const struct yk_ask *victim = scene->victims[index];
    struct yk_app *app = yk_ask_app(victim);
    YK_RESVEC(size);
    yk_resvec_copy(&size, yk_ask_size(victim));
    int32_t priority = yk_ask_priority(victim);
    YK_CLEANUP(yk_freep) char *key = yk_strdup(victim->key);
    YK_CLEANUP(yk_freep) char *id = yk_strdup(app->id);
    for (size_t i = 0; i < scene->asker_count; i++) {
        if (scene->askers[i] == victim) /* it had started, before others came for it */
            scene->askers[i] = scene->askers[--scene->asker_count];
    }
    scene->victims[index] = scene->victims[--scene->victim_count];
    world_release(&scene->world, id, key, YK_SI_PREEMPTED_BY_SCHEDULER);
    if (scene->come_back && scene->pods < PODS_MAX && world_app(&scene->world, id) != NULL)
        add_pod(scene, world_app(&scene->world, id), &size, NULL, 0, priority);
}

static void check_end(struct scene *scene)
{
    for (size_t i = 0; i < scene->asker_count; i++) {
        if (scene->askers[i]->node == NULL)
            scene_fails(scene, "preempted for, and has not started", scene->askers[i]->key);
    }
    const struct yk_queue *root = world_partition(&scene->world)->root;
    if (!yk_resvec_is_empty(&root->preempting) || !yk_resvec_is_empty(&root->nominated))
        scene_fails(scene, "something is left", root->path);
}

static void clear(struct scene *scene)
{
    struct yk_vec ids = {0};
    const struct yk_app *app;
    char *id;
    yk_strmap_foreach (app, &world_partition(&scene->world)->apps)
        yk_vec_append(&ids, yk_strdup(app->id));
    yk_vec_foreach (id, &ids) {
        assert_int_equal(yk_core_remove_app(scene->world.core, "rm", id, "default"), YK_OK);
        free(id);
    }
    yk_vec_done(&ids);
    for (size_t i = 0; i < scene->node_count; i++) {
        char node[8];
        (void)snprintf(node, sizeof(node), "n%zu", i);
        world_node_action(&scene->world, node, YK_SI_NODE_DECOMMISSION);
    }
}

static void play(struct scene *scene)
{
    scene->pods = scene->victim_count = scene->asker_count = 0;
    scene->come_back = below(scene, 3) == 0;
    scene->node_count = 1 + below(scene, NODES_MAX);
    for (size_t i = 0; i < scene->node_count; i++)
        fill_node(scene, i);
    add_asks(scene, 1 + below(scene, 3), 40);
    bool told = false;
    for (int round = 0; round < (scene->come_back && told ? ROUNDS : 3); round++) {
        decide(scene);
        told |= scene->victim_count > 0;
        if (round == 0 && told)
            add_asks(scene, 1, 0); /* they want what comes free */
        while (scene->victim_count > 0 && below(scene, 4) > 0) {
            end_victim(scene, below(scene, scene->victim_count));
            decide(scene);
        }
        world_advance(&scene->world, 16);
    }
    for (int round = 0; scene->victim_count > 0; round++) {
        if (round == 100)
            scene_fails(scene, "no end", "of preemptions");
        end_victim(scene, 0);
        decide(scene);
    }
    check_end(scene);
    clear(scene);
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void random_clusters(void **state)
{
    (void)state;
    static struct scene scene;
    uint64_t scenarios = number_from("YK_SCENARIOS", SCENARIOS), preemptions = 0;
    scene.seed = number_from("YK_SEED", 1);
    yk_random_init(&scene.random, scene.seed);
    for (uint64_t tree = 0; tree < TREES; tree++) {
        plant(&scene);
        scene.world.watch_released = on_released;
        scene.world.watcher = &scene;
        for (uint64_t i = 0; i < scenarios / TREES; i++) {
            scene.number++;
            play(&scene);
            preemptions += scene.asker_count;
        }
        world_done(&scene.world);
    }
    if (getenv("YK_VERBOSE") != NULL)
        print_message("%llu preemptions\n", (unsigned long long)preemptions);
    if (preemptions < scenarios / 20)
        fail_msg("only %llu preemptions", (unsigned long long)preemptions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_clusters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
