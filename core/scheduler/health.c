/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/health.h"

#include "base/log.h"
#include "scheduler/core.h"

#include <math.h>

enum { DIFFERENCES_MAX = 20 }; /* names of one check; the others are counted */

static void conclude(struct yk_health_check *check, const char *name, const char *description, bool succeeded,
                     struct yk_buf *diagnosis)
{
    free(check->diagnosis);
    check->name = name;
    check->description = description;
    check->succeeded = succeeded;
    check->diagnosis = yk_buf_take(diagnosis);
}

/* ["a" "b"] */
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

/* Counts only what has come since the previous run, so that one error does not mean unhealthy for ever. */
static void check_counter(struct yk_health_check *check, const char *name, const char *description,
                          const char *what, uint64_t now, uint64_t *seen)
{
    struct yk_buf text = {0};
    yk_buf_printf(&text, "There were %llu %s logged in the metrics", (unsigned long long)now, what);
    conclude(check, name, description, now == *seen, &text);
    *seen = now;
}

struct walk { /* the lists that one walk over partitions and nodes fills */
    struct name_list negative_partitions, negative_nodes, uneven_partitions, uneven_nodes, node_orphans,
        app_orphans;
    struct yk_buf ratios;
};

static void add_orphan(struct name_list *list, const struct yk_ask *ask)
{
    yk_buf_printf(&list->text, "%sallocationKey %s, applicationID %s, Resource map[",
                  list->count++ > 0 ? " " : "", ask->key, yk_ask_app(ask) != NULL ? yk_ask_app(ask)->id : "");
    yk_resvec_print(yk_ask_size(ask), &list->text);
    yk_buf_text(&list->text, "], Allocated true");
}

static void look_at_node(struct walk *walk, const struct yk_node *node)
{
    const struct yk_resvec *const values[] = {node->available, node->total};
    for (size_t i = 0; i < YK_COUNT(values); i++) {
        if (yk_resvec_has_negative(values[i]))
            list_add(&walk->negative_nodes, node->id);
    }
    YK_RESVEC(sum);
    const struct yk_ask *ask;
    yk_node_occupied(node, &sum);
    yk_resvec_add(&sum, node->available);
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        yk_resvec_add(&sum, yk_ask_size(ask));
        if (yk_ask_app(ask) == NULL || yk_app_find_ask(yk_ask_app(ask), yk_str_from(ask->key)) != ask)
            add_orphan(&walk->node_orphans, ask);
    }
    if (!yk_resvec_eq(&sum, node->total))
        list_add(&walk->uneven_nodes, node->id);
}

static void look_at_apps(struct walk *walk, const struct yk_partition *partition)
{
    const struct yk_app *app;
    yk_strmap_foreach (app, &partition->apps) {
        const struct yk_ask *ask;
        yk_text_set_foreach (ask, &app->asks) {
            if (ask->node != NULL && partition->nodes.items[ask->node->index] != ask->node)
                add_orphan(&walk->app_orphans, ask);
        }
    }
}

static void look_at_partition(struct walk *walk, const struct yk_partition *partition)
{
    YK_RESVEC(total);
    for (size_t i = 0; i < partition->nodes.count; i++) {
        const struct yk_node *node = partition->nodes.items[i];
        if (node == NULL)
            continue;
        yk_resvec_add(&total, node->total);
        look_at_node(walk, node);
    }
    if (yk_resvec_has_negative(&partition->root->allocated))
        list_add(&walk->negative_partitions, partition->full_name);
    if (yk_resvec_has_negative(&total))
        list_add(&walk->negative_partitions, partition->full_name);
    if (!yk_resvec_eq(&total, &partition->root->max))
        list_add(&walk->uneven_partitions, partition->full_name);
    look_at_apps(walk, partition);
    yk_buf_printf(&walk->ratios, "%s%f", walk->ratios.p[walk->ratios.len - 1] == '[' ? "" : " ",
                  partition->node_count > 0 ? (double)partition->reservation_count / partition->node_count
                                            : (double)NAN);
}

static void begin(struct walk *walk)
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

static void end(struct walk *walk, struct yk_health_check *checks)
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

void yk_health_run(struct yk_core *core)
{
    struct yk_health *health = &core->health;
    struct walk walk;
    struct yk_partition *partition;
    begin(&walk);
    yk_vec_foreach (partition, &core->partitions)
        look_at_partition(&walk, partition);
    check_counter(&health->checks[0], "Scheduling errors", "Check for scheduling error entries in metrics",
                  "scheduling errors", core->metrics.scheduling_errors, &health->errors_seen);
    check_counter(&health->checks[1], "Failed nodes", "Check for failed nodes entries in metrics",
                  "failed nodes", core->metrics.nodes_failed, &health->failed_nodes_seen);
    end(&walk, health->checks);
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
        if (!health->checks[i].succeeded)
            yk_warn(yk_log_health, "health check failed", KV("check", health->checks[i].name),
                    KV("diagnosis", health->checks[i].diagnosis));
    }
}

void yk_health_done(struct yk_health *health)
{
    for (int i = 0; i < YK_HEALTH_CHECKS; i++)
        free(health->checks[i].diagnosis);
    *health = (struct yk_health){0};
}
