/* SPDX-License-Identifier: Apache-2.0 */
/* Making and freeing a partition. Source: docs/reference/scheduling.md 1.6. */
#include "partition/partition.h"

#include "base/log.h"
#include "gangs/gang_wait.h"
#include "partition/accounting.h"
#include "partition/lifecycle.h"
#include "partition/node_accounting.h"
#include "partition/submissions.h"
#include "partition/wait_events.h"
#include "pending/freed_nodes.h"
#include "pending/impossible.h"
#include "report/outstanding.h"
#include "report/preemption_log.h"
#include "report/report.h"
#include "reservation/make_reservation.h"
#include "reservation/preempt.h"
#include "state/core.h"

static const struct yk_steps steps = {
    .commit = yk_partition_commit,
    .commit_accounted = yk_partition_commit_accounted,
    .end_replacing = yk_partition_end_replacing,
    .add_pending = yk_accounting_add_pending,
    .sub_pending = yk_accounting_sub_pending,
    .node_book = yk_node_book,
    .node_unbook = yk_node_unbook,
};

static char *full_name(const struct yk_rm *rm, struct yk_str name)
{
    struct yk_buf text = {0};
    yk_buf_printf(&text, "[%s]" YK_STR_FMT, rm->id, YK_STR_ARG(name));
    return yk_buf_take(&text);
}

struct yk_partition *yk_partition_new(struct yk_core *core, struct yk_rm *rm, struct yk_str name)
{
    struct yk_partition *partition = yk_new0(struct yk_partition);
    partition->core = core;
    partition->rm = rm;
    partition->wait_listener = &yk_wait_events;
    partition->steps = &steps;
    partition->name = yk_str_dup(name);
    partition->full_name = full_name(rm, name);
    partition->state_wall_ns = yk_core_now(core);
    yk_list_init(&partition->housekeeping.due_queues);
    yk_outstanding_init(partition);
    yk_list_init(&partition->housekeeping.draining);
    yk_list_init(&partition->housekeeping.type_waits);
    yk_list_init(&partition->replaceable);
    yk_list_init(&partition->replace_waits);
    yk_make_reservation_init(partition);
    yk_freed_nodes_init(partition);
    yk_impossible_init(partition);
    yk_gang_wait_init(partition);
    partition->housekeeping.types_seen = yk_restype_additions();
    partition->preempt = yk_preempt_new(partition);
    yk_list_init(&partition->completed);
    yk_list_init(&partition->rejected);
    yk_node_order_init(&partition->node_order);
    yk_text_set_init_hashed(&partition->foreign, yk_ask_key, yk_ask_key_hash);
    yk_pool_init(&partition->ask_pool, sizeof(struct yk_ask));
    yk_shapes_init(&partition->shapes);
    yk_usages_init(&partition->usages, &core->events, core->clock);
    partition->root = yk_queue_new(NULL, YK_STR("root"), false, true, yk_core_now(core));
    yk_submissions_init(&partition->submissions);
    partition->users = yk_users_new(
        &(struct yk_users_options){.timers = core->timers, .directory = core->directory}, YK_STR(""));
    yk_report_queue_added(partition, partition->root);
    partition->housekeeping.expired_sweep.fire = yk_lifecycle_sweep_expired;
    yk_lifecycle_sweep_expired(&partition->housekeeping.expired_sweep); /* only arms the timer */
    return partition;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct yk_app *)a)->id, ((const struct yk_app *)b)->id);
}

static void fail_apps(struct yk_partition *partition)
{
    struct yk_vec apps = {0}, ids = {0};
    struct yk_app *app;
    yk_strmap_foreach (app, &partition->apps)
        yk_vec_append(&apps, app);
    yk_vec_sort(&apps, by_id); /* because the order of a map is not defined */
    yk_vec_foreach (app, &apps) {
        /* A Failing application was reported before, and has asks or allocations that have not ended. */
        if (app->state == YK_APP_RESUMING)
            (void)yk_lifecycle_fire(app, YK_APP_RUN, NULL); /* only the next state can fail */
        if (app->state != YK_APP_FAILING)
            (void)yk_lifecycle_fire(app, YK_APP_FAIL, "PartitionRemoved"); /* some states refuse it */
        yk_vec_append(&ids, yk_strdup(app->id));
    }
    yk_vec_done(&apps);
    char *id;
    yk_vec_foreach (id, &ids) {
        yk_partition_remove_app(partition, id);
        free(id);
    }
    yk_vec_done(&ids);
}

static void remove_nodes(struct yk_partition *partition)
{
    for (size_t i = 0; i < partition->nodes.count; i++) {
        const struct yk_node *node = partition->nodes.items[i];
        if (node == NULL)
            continue;
        YK_CLEANUP(yk_freep) char *id = yk_strdup(node->id);
        struct yk_si_node request = {.node_id = id, .action = YK_SI_NODE_DECOMMISSION};
        yk_partition_update_node(partition, &request);
    }
}

static void free_ended(struct yk_partition *partition, struct yk_list *list)
{
    struct yk_app *app;
    yk_list_foreach (app, list, struct yk_app, life.in_ended) {
        yk_timer_cancel(partition->core->timers, &app->life.timer);
        yk_app_free(app);
    }
}

void yk_partition_free(struct yk_partition *partition)
{
    if (partition == NULL)
        return;
    partition->removing = true;
    yk_submissions_done(partition);
    fail_apps(partition);
    remove_nodes(partition);
    free_ended(partition, &partition->completed);
    free_ended(partition, &partition->rejected);
    yk_timer_cancel(partition->core->timers, &partition->housekeeping.cleaner);
    yk_timer_cancel(partition->core->timers, &partition->housekeeping.draining_watch);
    yk_timer_cancel(partition->core->timers, &partition->housekeeping.expired_sweep);
    yk_outstanding_done(partition);
    yk_preempt_free(partition->preempt);
    yk_preemption_log_free(partition->preemptions);
    yk_gang_wait_done(partition);
    yk_impossible_done(partition);
    yk_make_reservation_done(partition);
    yk_usages_done(&partition->usages); /* its entries refer to queues */
    yk_queue_free(partition->root);
    yk_placement_free(partition->placement);
    yk_users_free(partition->users);
    yk_strmap_done(&partition->apps);
    yk_vec_done(&partition->apps_by_number);
    yk_bitset_done(&partition->free_app_numbers);
    yk_strmap_done(&partition->rejected_by_id);
    yk_text_set_done(&partition->foreign);
    yk_pool_done(&partition->ask_pool);
    yk_strmap_done(&partition->nodes_by_id);
    yk_vec_done(&partition->nodes);
    yk_shapes_done(&partition->shapes);
    yk_node_order_done(&partition->node_order);
    yk_node_signatures_done(&partition->node_signatures);
    free(partition->name);
    free(partition->full_name);
    free(partition);
}
