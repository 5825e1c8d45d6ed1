/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a partition: adding, changing, draining, removing. Source: docs/reference/scheduling.md 1.5, 2.7,
 * 7.3. */
#include "base/log.h"
#include "gangs/gang_wait.h"
#include "partition/dynamic_queue_limits.h"
#include "partition/gang.h"
#include "partition/partition.h"
#include "pending/fair_shares.h"
#include "pending/freed_nodes.h"
#include "pending/impossible.h"
#include "pending/parked.h"
#include "pending/stateaware.h"
#include "report/report.h"
#include "reservation/preempt.h"
#include "reservation/required_node.h"
#include "reservation/reservation_look.h"
#include "state/core.h"
#include "state/node_search.h"
#include "state/partition.h"
#include "state/turn.h"

/* Changes the maximum of the root, which is the sum of the capacities of all nodes (R2): adds `more` and
 * subtracts `less`. Either may be NULL. */
static void change_total(struct yk_partition *partition, const struct yk_resvec *more,
                         const struct yk_resvec *less)
{
    struct yk_queue *root = partition->root;
    YK_RESVEC(before);
    yk_resvec_copy(&before, &root->max);
    if (less != NULL)
        yk_resvec_sub(&root->max, less);
    if (more != NULL)
        yk_resvec_add(&root->max, more);
    yk_resvec_prune(&root->max);
    root->has_max = !yk_resvec_is_empty(&root->max);
    yk_report_queue_max(partition, root, &before);
    yk_dynamic_queue_limits_look(partition);
    yk_turn_order_changed(partition);
    yk_fair_shares_note(partition);
    yk_gang_wait_capacity_changed(partition);
    yk_stateaware_capacity_changed(partition);
    if (more != NULL)
        yk_wake_for_headroom(root);
}

/* The lowest free index, so that bitsets stay dense. */
static uint32_t take_index(struct yk_partition *partition, struct yk_node *node)
{
    if (partition->node_count < partition->nodes.count) {
        size_t free_index = yk_vec_find(&partition->nodes, NULL);
        partition->nodes.items[free_index] = node;
        return (uint32_t)free_index;
    }
    yk_vec_append(&partition->nodes, node);
    return (uint32_t)partition->nodes.count - 1;
}

static void update_kind(struct yk_partition *partition, struct yk_node *node)
{
    const struct yk_rm *rm = partition->rm;
    if (rm->callbacks.node_signature == NULL)
        return;
    yk_node_order_set_signature(&partition->node_order, node,
                                rm->callbacks.node_signature(rm->context, node->cookie));
    yk_node_signatures_set(&partition->node_signatures, node->index, node->signature);
}

/* Asks the resource manager for the signature of the node, and which classes it takes. */
static void learn(struct yk_partition *partition, struct yk_node *node)
{
    update_kind(partition, node);
    yk_node_search_update(partition, node);
}

void yk_partition_signatures_changed(struct yk_partition *partition)
{
    struct yk_node *node;
    yk_vec_foreach (node, &partition->nodes) {
        if (node != NULL)
            update_kind(partition, node);
    }
}

static void reject(struct yk_partition *partition, const struct yk_si_node *request, const char *reason)
{
    const struct yk_rm *rm = partition->rm;
    yk_warn(yk_log_node, "node rejected", KV("node", request->node_id), KV("err", reason));
    if (rm->callbacks.node_rejected != NULL)
        rm->callbacks.node_rejected(rm->context, request->node_id, reason, request->cookie);
}

/* The reason why a node cannot have `capacity` (may be NULL: none); static. NULL: the node can have it. The
 * sum over all nodes must not saturate. */
static const char *refuse_capacity(const struct yk_partition *partition, const struct yk_resvec *capacity)
{
    const struct yk_resvec *sum = &partition->root->max;
    yk_resvec_foreach(t, capacity)
    {
        if (yk_resvec_get(capacity, t) < 0 || yk_resvec_get(capacity, t) > YK_SI_AMOUNT_MAX)
            return "its capacity is negative or absurdly large";
        if (yk_i64_add(yk_resvec_get(sum, t), yk_resvec_get(capacity, t)) > INT64_MAX / 4)
            return "all nodes together are absurdly large";
    }
    return NULL;
}

static void add_node(struct yk_partition *partition, const struct yk_si_node *request)
{
    const struct yk_rm *rm = partition->rm;
    if (partition->state != YK_STATE_ACTIVE) {
        reject(partition, request, "partition takes no new nodes");
        return;
    }
    if (yk_partition_find_node(partition, request->node_id) != NULL) {
        reject(partition, request, "a node of that name is registered already");
        return;
    }
    const char *refusal = refuse_capacity(partition, request->capacity);
    if (refusal != NULL) {
        reject(partition, request, refusal);
        return;
    }
    static const struct yk_resvec nothing = {0};
    struct yk_node *node =
        yk_node_new(request->node_id, request->capacity != NULL ? request->capacity : &nothing,
                    request->attributes, request->attribute_count, request->cookie);
    node->schedulable = request->action == YK_SI_NODE_CREATE;
    node->index = take_index(partition, node);
    partition->node_count++;
    (void)yk_strmap_put(&partition->nodes_by_id, yk_str_from(node->id), node); /* the id is new */
    yk_report_node_schedulable(partition, node);
    yk_report_node_added(partition, node);
    learn(partition, node);
    yk_node_order_update(&partition->node_order, node);
    yk_preempt_node_changed(partition, node);
    change_total(partition, node->total, NULL);
    yk_impossible_node_changed(partition, node, false);
    yk_required_node_note_candidate(partition, node);
    yk_wake_for_node(partition, node);
    yk_debug(yk_log_node, "node added", KV("node", node->id), KV("schedulable", node->schedulable),
             KV("nodes", partition->node_count));
    if (rm->callbacks.node_accepted != NULL)
        rm->callbacks.node_accepted(rm->context, node->id, node->cookie);
}

/* Returns whether the capacity has changed; `*ret_is_smaller`: it has less of some type. */
static bool update_capacity(struct yk_partition *partition, struct yk_node *node,
                            const struct yk_resvec *capacity, bool *ret_is_smaller)
{
    *ret_is_smaller = false;
    const char *refusal = refuse_capacity(partition, capacity);
    if (refusal != NULL)
        yk_warn(yk_log_node, "capacity of a node stays", KV("node", node->id), KV("err", refusal));
    if (refusal != NULL || capacity == NULL)
        return false;
    YK_RESVEC(before);
    yk_resvec_copy(&before, node->total); /* the next call may free `node->total` */
    yk_node_set_capacity(node, capacity);
    if (yk_resvec_same(&before, node->total))
        return false;
    *ret_is_smaller = !yk_resvec_fit(node->total, &before);
    yk_report_node_capacity(partition, node);
    change_total(partition, node->total, &before);
    return true;
}

static void update_node(struct yk_partition *partition, struct yk_node *node,
                        const struct yk_si_node *request)
{
    bool is_smaller;
    bool capacity_changed = update_capacity(partition, node, request->capacity, &is_smaller);
    if (request->constraints_changed) {
        learn(partition, node);
        yk_gang_wait_capacity_changed(partition);
        yk_stateaware_capacity_changed(partition);
        /* Called here because yk_wake_for_node() does not call it for some reserved nodes. */
        yk_gang_wake_node(partition, node);
    }
    if (capacity_changed || request->constraints_changed)
        yk_impossible_node_changed(partition, node, is_smaller);
    yk_node_order_update(&partition->node_order, node);
    yk_preempt_node_changed(partition, node);
    yk_reservations_node_changed(partition, node);
    yk_required_node_note_candidate(partition, node);
    yk_wake_for_node(partition, node);
}

static void set_schedulable(struct yk_partition *partition, struct yk_node *node, bool schedulable)
{
    if (node->schedulable == schedulable && node->draining != schedulable) {
        yk_debug(yk_log_node, "node is that already", KV("node", node->id), KV("schedulable", schedulable));
        return;
    }
    bool is_news = node->schedulable != schedulable;
    node->schedulable = schedulable;
    node->draining = !schedulable;
    if (is_news)
        yk_report_node_schedulable(partition, node);
    yk_node_order_update(&partition->node_order, node);
    yk_preempt_node_changed(partition, node);
    yk_reservations_node_changed(partition, node);
    yk_required_node_note_candidate(partition, node);
    yk_wake_for_node(partition, node);
    yk_debug(yk_log_node, schedulable ? "node takes pods again" : "node takes no more pods",
             KV("node", node->id));
}

static void end_one(struct yk_partition *partition, struct yk_ask *ask, const char *message)
{
    if ((ask->flags & YK_ASK_REPLACING) != 0 && yk_ask_app(ask)->state == YK_APP_FAILING)
        yk_partition_end_replacing(partition, ask, message);
    else if ((ask->flags & YK_ASK_REPLACING) != 0)
        yk_gang_lose_node(ask);
    else
        yk_partition_end_allocation(partition, ask, YK_SI_TERMINATION_UNKNOWN, message);
}

/* Ends the allocations on the node. Placeholders end last: the end of its last placeholder decides the state
 * of a gang, and the state must not depend on the order of the allocations on the node. */
static void end_allocations(struct yk_partition *partition, struct yk_node *node)
{
    char message[512];
    (void)snprintf(message, sizeof(message), "node %s was removed", node->id); /* may be truncated */
    struct yk_ask *ask;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        if ((ask->flags & YK_ASK_PLACEHOLDER) == 0)
            end_one(partition, ask, message);
    }
    while ((ask = yk_list_first(&node->allocations, struct yk_ask, in_node)) != NULL)
        end_one(partition, ask, message);
    while ((ask = yk_list_first(&node->foreign, struct yk_ask, in_node)) != NULL) {
        YK_ASSERT(yk_text_set_take(&partition->foreign, ask, ask->key_hash));
        yk_node_remove_allocation(node, ask);
        yk_ask_free(&partition->ask_pool, ask);
    }
}

static void remove_node(struct yk_partition *partition, struct yk_node *node)
{
    node->schedulable = node->draining = false;
    node->leaving = true;
    yk_report_node_schedulable(partition, node);
    yk_unreserve_node(partition, node);
    yk_freed_nodes_remove(node);
    yk_node_order_remove(&partition->node_order, node);
    (void)yk_strmap_remove(&partition->nodes_by_id, yk_str_from(node->id)); /* returns `node` */
    end_allocations(partition, node);
    yk_reservation_look_node_leaves(node);
    yk_node_search_forget(partition, node);
    partition->nodes.items[node->index] = NULL;
    yk_node_signatures_forget(&partition->node_signatures, node->index);
    yk_preempt_node_changed(partition, node);
    partition->node_count--;
    partition->core->metrics.nodes_decommissioned++;
    yk_debug(yk_log_node, "node removed", KV("node", node->id), KV("nodes", partition->node_count));
    yk_report_node_removed(partition, node);
    change_total(partition, NULL, node->total);
    yk_impossible_node_changed(partition, node, true);
    yk_node_free(node);
}

void yk_partition_update_node(struct yk_partition *partition, const struct yk_si_node *request)
{
    if (request->action == YK_SI_NODE_CREATE || request->action == YK_SI_NODE_CREATE_DRAIN) {
        add_node(partition, request);
        return;
    }
    struct yk_node *node = yk_partition_find_node(partition, request->node_id);
    if (node == NULL) {
        yk_warn(yk_log_node, "update of an unknown node ignored", KV("node", request->node_id),
                KV("action", (int)request->action));
        return;
    }
    switch (request->action) {
    case YK_SI_NODE_UPDATE:
        update_node(partition, node, request);
        break;
    case YK_SI_NODE_DRAIN:
        set_schedulable(partition, node, false);
        break;
    case YK_SI_NODE_DRAIN_TO_SCHEDULABLE:
        set_schedulable(partition, node, true);
        break;
    case YK_SI_NODE_DECOMMISSION:
        remove_node(partition, node);
        break;
    case YK_SI_NODE_UNKNOWN:
    case YK_SI_NODE_CREATE:
    case YK_SI_NODE_CREATE_DRAIN:
        yk_warn(yk_log_node, "unknown node action ignored", KV("node", node->id),
                KV("action", (int)request->action));
        break;
    }
}
