/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/core_crowd.h"

#include "partition/move.h"
#include "state/turn_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In these configurations, a leaf queue becomes a parent and a leaf again (queues.md R15), and policies
 * change. */
static const struct {
    const char *queues, *leaves[5];
} configs[] = {
    {"    - {name: a, properties: {application.sort.policy: fair}}\n"
     "    - {name: b, properties: {application.sort.priority: disabled}}\n"
     "    - {name: p, queues: [{name: x}, {name: y, resources: {guaranteed: {vcore: 8}}}]}\n",
     {"root.a", "root.b", "root.p.x", "root.p.y", "root.p.y"}},
    {"    - {name: a, queues: [{name: k}, {name: l, properties: {application.sort.policy: fair}}]}\n"
     "    - {name: b, properties: {priority.offset: '1'}}\n"
     "    - {name: p, properties: {application.sort.priority: disabled}, queues: [{name: x, properties: "
     "{application.sort.policy: fair, application.sort.priority: disabled}}, {name: y}]}\n",
     {"root.a.k", "root.a.l", "root.b", "root.p.x", "root.p.y"}},
    {"    - {name: a}\n"
     "    - {name: b, resources: {max: {vcore: 12}}}\n"
     "    - {name: p, properties: {priority.policy: fence}, queues: [{name: x, queues: [{name: z}]}, {name: "
     "y}]}\n",
     {"root.a", "root.b", "root.p.x.z", "root.p.y", "root.a"}},
};

static const char *config_text(size_t number)
{
    static char text[2048];
    (void)snprintf(
        text, sizeof(text),
        "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"
        "    submitacl: '*'\n    queues:\n%s",
        configs[number].queues);
    return text;
}

uint64_t crowd_below(struct crowd *crowd, uint64_t bound)
{
    return yk_random_below(&crowd->random, bound);
}

void crowd_init(struct crowd *crowd, uint64_t given_seed)
{
    static const char *const nodes[] = {"n1", "n2"};
    const char *seed = getenv("YK_SEED");
    *crowd = (struct crowd){0};
    yk_random_init(&crowd->random, seed != NULL ? strtoull(seed, NULL, 10) : given_seed);
    world_init(&crowd->world, config_text(0));
    for (size_t i = 0; i < YK_COUNT(nodes); i++) {
        world_node(&crowd->world, nodes[i], 1000000, 1000000);
        world_node_action(&crowd->world, nodes[i], YK_SI_NODE_DRAIN);
    }
}

void crowd_done(struct crowd *crowd)
{
    world_done(&crowd->world);
}

static const char *some_leaf(struct crowd *crowd)
{
    return configs[crowd->config].leaves[crowd_below(crowd, YK_COUNT(configs[0].leaves))];
}

static void submit(struct crowd *crowd, char *app)
{
    (void)snprintf(app, sizeof(crowd->apps[0]), "app-%u", crowd->names++);
    world_submit(&crowd->world, app, some_leaf(crowd), "joe");
}

static void move(struct crowd *crowd, struct yk_app *app)
{
    struct yk_err err;
    struct yk_queue *queue = world_queue(&crowd->world, some_leaf(crowd));
    if (queue == NULL || yk_app_move(app, queue, "ann", &err) != YK_OK)
        return; /* the application stays in its queue */
}

static void change_app(struct crowd *crowd)
{
    char *id = crowd->apps[crowd_below(crowd, CROWD_APPS)];
    struct yk_app *app = world_app(&crowd->world, id);
    if (app == NULL)
        submit(crowd, id);
    else if (crowd_below(crowd, 3) == 0)
        assert_int_equal(yk_core_remove_app(crowd->world.core, "rm", id, NULL), YK_OK);
    else
        move(crowd, app);
}

static void add_pod(struct crowd *crowd, size_t at)
{
    const char *app = crowd->apps[crowd_below(crowd, CROWD_APPS)];
    if (world_app(&crowd->world, app) == NULL)
        return;
    memcpy(crowd->pods[at].app, app, sizeof(crowd->pods[at].app));
    (void)snprintf(crowd->pods[at].key, sizeof(crowd->pods[at].key), "k%u", crowd->names++);
    world_ask_full(&crowd->world, app, crowd->pods[at].key, 1000 * (1 + (int64_t)crowd_below(crowd, 6)),
                   100 * (1 + (int64_t)crowd_below(crowd, 6)), (int32_t)crowd_below(crowd, 4) - 1,
                   YK_SI_CLASS_ANY, crowd_below(crowd, 6) == 0 ? "n1" : NULL);
}

static void change_pod(struct crowd *crowd)
{
    size_t at = (size_t)crowd_below(crowd, CROWD_PODS);
    const struct yk_app *app = world_app(&crowd->world, crowd->pods[at].app);
    if (app == NULL || yk_app_find_ask(app, yk_str_from(crowd->pods[at].key)) == NULL)
        add_pod(crowd, at);
    else
        world_release(&crowd->world, crowd->pods[at].app, crowd->pods[at].key, YK_SI_STOPPED_BY_RM);
}

static void reload(struct crowd *crowd)
{
    crowd->config = (size_t)crowd_below(crowd, YK_COUNT(configs));
    const char *refusal = world_reload(&crowd->world, config_text(crowd->config));
    if (refusal != NULL)
        fail_msg("refused: %s", refusal);
}

void crowd_change(struct crowd *crowd)
{
    switch (crowd_below(crowd, 40)) {
    case 0:
        reload(crowd);
        break;
    case 1:
    case 2:
    case 3:
        change_app(crowd);
        break;
    case 4:
        world_advance(&crowd->world, (int64_t)crowd_below(crowd, 15));
        break;
    default:
        change_pod(crowd);
        break;
    }
}

static int by_turn(const void *a, const void *b)
{
    struct yk_group *const *x = a, *const *y = b;
    return yk_turn_compare(*x, *y);
}

size_t crowd_groups(const struct crowd *crowd, struct yk_group *ret_groups[CROWD_PODS])
{
    const struct yk_partition *partition = yk_core_find_partition(crowd->world.core, YK_STR("default"));
    const struct yk_app *app;
    size_t count = 0;
    yk_strmap_foreach (app, &partition->apps) {
        struct yk_group *group;
        yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
            ret_groups[count++] = group;
    }
    qsort(ret_groups, count, sizeof(*ret_groups), by_turn);
    return count;
}
