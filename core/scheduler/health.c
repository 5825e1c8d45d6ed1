/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/health.h"

#include "base/log.h"
#include "scheduler/cross_check.h"
#include "state/core.h"

#include <math.h>

enum {
    DIFFERENCES_MAX = 20, /* differences that one check names; the others are only counted */
    /* Nodes, allocations and table slots in a step. A step looks at all allocations of its last node, so it
     * may look at more. */
    STEP_MAX = 512,
};
#define PAUSE_NS (10 * YK_NS_PER_MS)

static void conclude(struct yk_health_check *check, const char *name, const char *description, bool succeeded,
                     struct yk_buf *diagnosis)
{
    free(check->diagnosis);
    check->name = name;
    check->description = description;
    check->succeeded = succeeded;
    check->diagnosis = yk_buf_take(diagnosis);
}

/* A text of the form: what: ["a" "b"] */
struct name_list {
    struct yk_buf text;
    size_t count;
};

static void list_begin(struct name_list *list, const char *what)
{
    *list = (struct name_list){.text = {.max = 64 << 10}};
    yk_buf_printf(&list->text, "%s: [", what);
}

static void list_add(struct name_list *list, const char *name)
{
    yk_buf_printf(&list->text, "%s\"%s\"", list->count++ > 0 ? " " : "", name);
}

static void list_end(struct name_list *list, struct yk_health_check *check, const char *name,
                     const char *description)
{
    yk_buf_char(&list->text, ']');
    conclude(check, name, description, list->count == 0, &list->text);
}

/* Fails if the counter has grown since the previous run, so that one error is not reported again in each
 * run. */
static void check_counter(struct yk_health_check *check, const char *name, const char *description,
                          const char *what, uint64_t now, uint64_t *seen)
{
    struct yk_buf text = {0};
    yk_buf_printf(&text, "There were %llu %s logged in the metrics", (unsigned long long)now, what);
    conclude(check, name, description, now == *seen, &text);
    *seen = now;
}

/* A walk over partitions, their nodes and their applications, and the lists that it fills. */
struct yk_health_walk {
    struct name_list negative_partitions, negative_nodes, uneven_partitions, uneven_nodes, node_orphans,
        app_orphans;
    struct yk_buf ratios;
    /* What is looked at next. The walk looks first at the totals of a partition, then at its nodes, then at
     * its applications. */
    size_t partition, node, app_slot, ask_slot;
    bool has_totals;
};

static void add_orphan(struct name_list *list, const struct yk_ask *ask)
{
    yk_buf_printf(&list->text, "%sallocationKey %s, applicationID %s, Resource map[",
                  list->count++ > 0 ? " " : "", ask->key, yk_ask_app(ask) != NULL ? yk_ask_app(ask)->id : "");
    yk_resvec_print(yk_ask_size(ask), &list->text);
    yk_buf_text(&list->text, "], Allocated true");
}

/* Returns 1 + the number of allocations that it looked at. */
static size_t look_at_node(struct yk_health_walk *walk, const struct yk_node *node)
{
    const struct yk_resvec *const values[] = {node->available, node->total};
    for (size_t i = 0; i < YK_COUNT(values); i++) {
        if (yk_resvec_has_negative(values[i]))
            list_add(&walk->negative_nodes, node->id);
    }
    YK_RESVEC(sum);
    const struct yk_ask *ask;
    size_t looked_at = 1;
    yk_node_occupied(node, &sum);
    yk_resvec_add(&sum, node->available);
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        looked_at++;
        yk_resvec_add(&sum, yk_ask_size(ask));
        if (yk_ask_app(ask) == NULL || yk_app_find_ask(yk_ask_app(ask), yk_str_from(ask->key)) != ask)
            add_orphan(&walk->node_orphans, ask);
    }
    if (!yk_resvec_eq(&sum, node->total))
        list_add(&walk->uneven_nodes, node->id);
    return looked_at;
}

static void look_at_ask(struct yk_health_walk *walk, const struct yk_partition *partition,
                        const struct yk_ask *ask)
{
    if (ask->node != NULL && partition->nodes.items[ask->node->index] != ask->node)
        add_orphan(&walk->app_orphans, ask);
}

/* Checks the totals, all in one step, because the sums have to be taken at the same time. O(nodes). */
static void look_at_totals(struct yk_health_walk *walk, const struct yk_partition *partition)
{
    YK_RESVEC(total);
    const struct yk_node *node;
    yk_vec_foreach (node, &partition->nodes) {
        if (node != NULL)
            yk_resvec_add(&total, node->total);
    }
    if (yk_resvec_has_negative(&partition->root->allocated))
        list_add(&walk->negative_partitions, partition->full_name);
    if (yk_resvec_has_negative(&total))
        list_add(&walk->negative_partitions, partition->full_name);
    if (!yk_resvec_eq(&total, &partition->root->max))
        list_add(&walk->uneven_partitions, partition->full_name);
    yk_buf_printf(&walk->ratios, "%s%f", walk->ratios.p[walk->ratios.len - 1] == '[' ? "" : " ",
                  partition->node_count > 0 ? (double)partition->reservation.count / partition->node_count
                                            : (double)NAN);
    walk->has_totals = true;
}

/* Looks at nodes, from `walk->node` on. True: all were looked at. */
static bool look_at_nodes(struct yk_health_walk *walk, const struct yk_partition *partition,
                          size_t *looked_at)
{
    for (; walk->node < partition->nodes.count && *looked_at < STEP_MAX; walk->node++) {
        const struct yk_node *node = partition->nodes.items[walk->node];
        *looked_at += node != NULL ? look_at_node(walk, node) : 1;
    }
    return walk->node >= partition->nodes.count;
}

static bool look_at_asks(struct yk_health_walk *walk, const struct yk_partition *partition,
                         const struct yk_text_set *asks, size_t *looked_at)
{
    size_t slots = asks->count > 0 ? asks->mask + 1 : 0;
    for (; walk->ask_slot < slots && *looked_at < STEP_MAX; walk->ask_slot++, (*looked_at)++) {
        if (asks->items[walk->ask_slot] != NULL)
            look_at_ask(walk, partition, asks->items[walk->ask_slot]);
    }
    return walk->ask_slot >= slots;
}

/* Looks at applications by slots of the table. If the table grows between two steps, some are missed or
 * looked at twice. True: all slots were looked at. */
static bool look_at_apps(struct yk_health_walk *walk, const struct yk_partition *partition, size_t *looked_at)
{
    size_t slots = partition->apps.count > 0 ? partition->apps.mask + 1 : 0;
    while (walk->app_slot < slots && *looked_at < STEP_MAX) {
        const struct yk_app *app = partition->apps.slots[walk->app_slot].value;
        (*looked_at)++;
        if (app != NULL && !look_at_asks(walk, partition, &app->asks, looked_at))
            return false;
        walk->app_slot++;
        walk->ask_slot = 0;
    }
    return walk->app_slot >= slots;
}

/* True: the whole partition was looked at. */
static bool look_at_partition(struct yk_health_walk *walk, const struct yk_partition *partition,
                              size_t *looked_at)
{
    if (!walk->has_totals)
        look_at_totals(walk, partition);
    return look_at_nodes(walk, partition, looked_at) && look_at_apps(walk, partition, looked_at);
}

static void begin(struct yk_health_walk *walk)
{
    list_begin(&walk->negative_partitions, "Partitions with negative resources");
    list_begin(&walk->negative_nodes, "Nodes with negative resources");
    list_begin(&walk->uneven_partitions, "Partitions with inconsistent data");
    list_begin(&walk->uneven_nodes, "Nodes with inconsistent data");
    list_begin(&walk->node_orphans, "Orphan allocations");
    list_begin(&walk->app_orphans, "OrphanAllocations");
    walk->ratios = (struct yk_buf){0};
    yk_buf_text(&walk->ratios, "Reservation/node nr ratio: [");
}

static void end(struct yk_health_walk *walk, struct yk_health_check *checks)
{
    list_end(&walk->negative_partitions, &checks[2], "Negative resources",
             "Check for negative resources in the partitions");
    list_end(&walk->negative_nodes, &checks[3], "Negative resources",
             "Check for negative resources in the nodes");
    list_end(&walk->uneven_partitions, &checks[4], "Consistency of data",
             "Check if total partition resource == sum of the node resources from the partition");
    list_end(&walk->uneven_nodes, &checks[5], "Consistency of data",
             "Check if node total resource = allocated resource + occupied resource + available resource");
    yk_buf_char(&walk->ratios, ']');
    conclude(&checks[6], "Reservation check", "Check the reservation nr compared to the number of nodes",
             true, &walk->ratios);
    list_end(&walk->node_orphans, &checks[7], "Orphan allocation on node check",
             "Check if there are orphan allocations on the nodes");
    list_end(&walk->app_orphans, &checks[8], "Orphan allocation on app check",
             "Check if there are orphan allocations on the applications");
}

static void add_difference(void *context, const char *text)
{
    list_add(context, text);
}

static void check_difference(const struct yk_core *core, enum yk_difference kind, const char *what,
                             struct yk_health_check *check, const char *name, const char *description)
{
    struct name_list list;
    list_begin(&list, what);
    size_t count = yk_cross_check_list(&core->cross_check, kind, DIFFERENCES_MAX, add_difference, &list);
    size_t more = count - list.count;
    yk_buf_char(&list.text, ']');
    if (more > 0)
        yk_buf_printf(&list.text, " and %zu more", more);
    conclude(check, name, description, count == 0, &list.text);
}

static void end_pass(struct yk_core *core)
{
    struct yk_health *health = &core->health;
    check_counter(&health->checks[0], "Scheduling errors", "Check for scheduling error entries in metrics",
                  "scheduling errors", core->metrics.scheduling_errors, &health->errors_seen);
    check_counter(&health->checks[1], "Failed nodes", "Check for failed nodes entries in metrics",
                  "failed nodes", core->metrics.nodes_failed, &health->failed_nodes_seen);
    end(health->walk, health->checks);
    check_difference(core, YK_DIFFERENCE_NO_OBJECT, "Allocations without a placed object", &health->checks[9],
                     "Allocation without object check",
                     "Check if each allocation has its object on the node of the allocation");
    check_difference(core, YK_DIFFERENCE_NO_ALLOCATION, "Placed objects without an allocation",
                     &health->checks[10], "Object without allocation check",
                     "Check if each object on a node has an allocation there");
    health->has_run = true;
    health->healthy = true;
    for (int i = 0; i < YK_HEALTH_CHECKS; i++) {
        health->healthy = health->healthy && health->checks[i].succeeded;
        health->failures[i] += !health->checks[i].succeeded;
        if (!health->checks[i].succeeded)
            yk_warn(yk_log_health, "health check failed", KV("check", health->checks[i].name),
                    KV("diagnosis", health->checks[i].diagnosis));
    }
    free(health->walk);
    health->walk = NULL;
}

/* If a partition is removed between two steps, the walk may miss another one. */
bool yk_health_step(struct yk_core *core)
{
    struct yk_health_walk *walk = core->health.walk;
    size_t looked_at = 0;
    if (walk == NULL)
        return false;
    while (walk->partition < core->partitions.count) {
        if (!look_at_partition(walk, core->partitions.items[walk->partition], &looked_at))
            return true;
        walk->partition++;
        walk->node = walk->app_slot = walk->ask_slot = 0;
        walk->has_totals = false;
    }
    end_pass(core);
    return false;
}

static void drop_walk(struct yk_health *health)
{
    struct yk_health_walk *walk = health->walk;
    if (walk == NULL)
        return;
    struct name_list *const lists[] = {&walk->negative_partitions, &walk->negative_nodes,
                                       &walk->uneven_partitions,   &walk->uneven_nodes,
                                       &walk->node_orphans,        &walk->app_orphans};
    for (size_t i = 0; i < YK_COUNT(lists); i++)
        yk_buf_done(&lists[i]->text);
    yk_buf_done(&walk->ratios);
    free(walk);
    health->walk = NULL;
}

static void begin_pass(struct yk_health *health)
{
    drop_walk(health);
    health->walk = yk_new0(struct yk_health_walk);
    begin(health->walk);
}

static void on_step(struct yk_timer *timer)
{
    struct yk_core *core = YK_CONTAINER(timer, struct yk_core, health.step);
    if (yk_health_step(core))
        yk_timer_arm(core->timers, timer, PAUSE_NS);
    yk_timers_nothing_changed(core->timers);
}

void yk_health_begin(struct yk_core *core)
{
    if (core->health.walk != NULL)
        return;
    begin_pass(&core->health);
    core->health.step.fire = on_step;
    on_step(&core->health.step);
}

void yk_health_run(struct yk_core *core)
{
    yk_timer_cancel(core->timers, &core->health.step);
    begin_pass(&core->health);
    while (yk_health_step(core))
        continue;
}

void yk_health_done(struct yk_health *health)
{
    for (int i = 0; i < YK_HEALTH_CHECKS; i++)
        free(health->checks[i].diagnosis);
    drop_walk(health);
    *health = (struct yk_health){0};
}
