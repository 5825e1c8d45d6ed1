/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/apply_config.h"

#include "base/log.h"
#include "gangs/gang_wait.h"
#include "limits/apply.h"
#include "partition/config_diff.h"
#include "partition/dynamic_queue_limits.h"
#include "partition/housekeeping.h"
#include "pending/active.h"
#include "pending/impossible.h"
#include "pending/limit_gate.h"
#include "pending/limit_hold.h"
#include "pending/parked.h"
#include "pending/stateaware.h"
#include "report/report.h"
#include "reservation/preempt.h"
#include "reservation/quota_preemption.h"
#include "reservation/reservation_look.h"
#include "state/core.h"
#include "state/turn.h"

struct yk_activation {
    const struct yk_config_partition *config;
    struct yk_placement *placement;
    struct yk_partition_plan plan;
    bool nodes_differ; /* the node sorting policy or its weights change */
};

/* ---- prepare: the steps that can fail ---- */

static bool same_node_order(const struct yk_config_partition *a, const struct yk_config_partition *b)
{
    if (!yk_str_eq(a->node_sort_type, b->node_sort_type) ||
        a->node_sort_weight_count != b->node_sort_weight_count)
        return false;
    for (uint32_t i = 0; i < a->node_sort_weight_count; i++) {
        if (!yk_str_eq(a->node_sort_weights[i].type, b->node_sort_weights[i].type) ||
            a->node_sort_weights[i].weight < b->node_sort_weights[i].weight ||
            a->node_sort_weights[i].weight > b->node_sort_weights[i].weight)
            return false;
    }
    return true;
}

enum yk_status yk_activation_prepare(const struct yk_config_partition *active,
                                     struct yk_config_partition *config, const struct yk_directory *directory,
                                     struct yk_activation **ret_activation, struct yk_err *err)
{
    YK_CLEANUP(yk_activation_freep) struct yk_activation *activation = yk_new0(struct yk_activation);
    activation->config = config;
    activation->nodes_differ = active == NULL || !same_node_order(active, config);
    enum yk_status st = yk_users_check_type(directory, config->resolver, err);
    if (st != YK_OK)
        st = yk_fail_is_at(err, st, config->resolver_place.line, config->resolver_place.column);
    if (st == YK_OK)
        st = yk_placement_new(config, &activation->placement, err);
    if (st == YK_OK)
        st = yk_partition_plan_make(active, config, &activation->plan, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "partition '" YK_STR_FMT "'", YK_STR_ARG(config->name));
    *ret_activation = yk_move(activation);
    return YK_OK;
}

void yk_activation_free(struct yk_activation *activation)
{
    if (activation == NULL)
        return;
    yk_placement_free(activation->placement);
    yk_partition_plan_done(&activation->plan);
    free(activation);
}

/* ---- commit: the steps that cannot fail ---- */

/* The queue takes over the reference to `properties`. */
static void set_properties(struct yk_queue *queue, struct yk_property_set *properties)
{
    yk_property_set_put(queue->properties);
    queue->properties = properties;
}

/* The queue takes over the reference to the properties of `template`. */
static void set_template(struct yk_queue *queue, const struct yk_queue_template *template)
{
    yk_property_set_put(queue->child_template.properties);
    yk_queue_template_copy(&queue->child_template, template);
}

/* Copies the amounts of a maximum or a guarantee. False: there is no limit, because no amount is positive, or
 * one is negative (R1); `to` is empty then. */
static bool set_limit(struct yk_resvec *to, const struct yk_resvec *from)
{
    yk_resvec_clear(to);
    if (!yk_resvec_is_positive(from))
        return false;
    yk_resvec_copy(to, from);
    return true;
}

/* Without a template of its own, the queue uses the whole template of its parent; templates are not merged
 * (T2). */
static void inherit_template(struct yk_queue *queue)
{
    if (queue->own_template || queue->is_leaf || queue->parent == NULL)
        return;
    (void)yk_property_set_hold(queue->parent->child_template.properties);
    set_template(queue, &queue->parent->child_template);
}

static void set_state(struct yk_partition *partition, struct yk_queue *queue, enum yk_object_state state)
{
    if (queue->state == state)
        return;
    queue->state = state;
    queue->state_wall_ns = yk_core_now(partition->core);
    yk_debug(yk_log_queue, "queue state changed", KV("queue", queue->path),
             KV("state", yk_object_state_name(state)));
}

#define swap(a, b)                                                                                           \
    do {                                                                                                     \
        __typeof__(a) kept_ = (a);                                                                           \
        (a) = (b);                                                                                           \
        (b) = kept_;                                                                                         \
    } while (false)

/* Gives the queue the settings of the plan. The plan gets the old ACLs, which are freed with it. */
static void take_over(struct yk_queue *queue, struct yk_queue_plan *plan)
{
    set_properties(queue, yk_property_set_hold(plan->config->effective));
    swap(queue->submit_acl, plan->submit_acl);
    swap(queue->admin_acl, plan->admin_acl);
    queue->settings = plan->settings;
    queue->managed = true;
    queue->is_leaf = plan->is_leaf;
    queue->max_apps = plan->config->max_applications;
    if (queue->parent != NULL) {
        queue->has_max = set_limit(&queue->max, &plan->config->max.amounts);
        queue->has_guaranteed = set_limit(&queue->guaranteed, &plan->config->guaranteed.amounts);
    }
    queue->own_template = plan->own_template != NULL;
    if (queue->own_template) {
        set_template(queue, plan->own_template);
        plan->own_template->properties = NULL; /* moved */
    } else if (queue->child_template.is_set) {
        set_template(queue, &(struct yk_queue_template){0});
    }
    inherit_template(queue);
}

/* The old settings of a queue, as far as orders, waits and quota preemption depend on them. */
struct before {
    bool has_max, has_guaranteed, is_leaf;
    struct yk_resvec max, guaranteed;
    uint64_t max_apps;
    struct yk_queue_settings settings;
    struct yk_quota_preemption_before quota;
};

static void remember(struct before *before, const struct yk_queue *queue)
{
    before->has_max = queue->has_max;
    before->has_guaranteed = queue->has_guaranteed;
    before->is_leaf = queue->is_leaf;
    before->max_apps = queue->max_apps;
    before->settings = queue->settings;
    yk_resvec_init(&before->max);
    yk_resvec_init(&before->guaranteed);
    yk_resvec_copy(&before->max, &queue->max);
    yk_resvec_copy(&before->guaranteed, &queue->guaranteed);
    yk_quota_preemption_before_init(&before->quota, queue);
}

static void before_done(struct before *before)
{
    yk_resvec_done(&before->max);
    yk_resvec_done(&before->guaranteed);
    yk_resvec_done(&before->quota.max);
}

static bool same_limit(bool has, const struct yk_resvec *limit, bool had, const struct yk_resvec *before)
{
    return has == had && (!has || yk_resvec_same(limit, before));
}

static void follow(struct yk_partition *partition, struct yk_queue *queue, const struct before *before)
{
    const struct yk_queue_settings *now = &queue->settings, *then = &before->settings;
    bool same_max = same_limit(queue->has_max, &queue->max, before->has_max, &before->max);
    bool same_sort = now->app_sort == then->app_sort && now->priority_sort == then->priority_sort;
    if (!same_sort)
        yk_active_sort_changed(queue);
    if (now->priority_policy != then->priority_policy || now->priority_offset != then->priority_offset)
        yk_active_priority_changed(queue);
    if (!same_max ||
        !same_limit(queue->has_guaranteed, &queue->guaranteed, before->has_guaranteed, &before->guaranteed))
        yk_wake_queue_for_limits(partition, queue, !same_max);
    if (queue->max_apps != before->max_apps)
        yk_wake_queue_for_app_slot(queue);
    if (now->hold == YK_HOLD_STRICT || then->hold == YK_HOLD_STRICT)
        yk_limit_hold_configured(partition, queue);
    yk_quota_preemption_configured(partition, queue, &before->quota);
}

/* ---- the report of changes ---- */

static bool is_over(const struct yk_queue *queue)
{
    YK_RESVEC(excess);
    return (queue->max_apps != 0 && queue->running_apps > queue->max_apps) ||
           (queue->parent != NULL && yk_quota_preemption_excess(queue, &excess));
}

enum { APPS_LOOKED_AT_MAX = 1000 }; /* queues and applications visited per queue above its limit */

/* Adds to `change` the applications in the branch of `top` that use a type of which `top` uses more than its
 * maximum (`excess`). */
static void note_apps(const struct yk_queue *top, const struct yk_resvec *excess,
                      struct yk_config_change *change)
{
    uint32_t looked_at = 0;
    for (const struct yk_queue *queue = top; queue != NULL && looked_at < APPS_LOOKED_AT_MAX;
         queue = yk_queue_next(queue, top)) {
        const struct yk_app *app;
        looked_at++;
        yk_list_foreach (app, &queue->apps, struct yk_app, in_leaf) {
            if (looked_at++ == APPS_LOOKED_AT_MAX)
                break;
            if (yk_resvec_match_any(&app->allocated, excess) ||
                yk_resvec_match_any(&app->allocated_placeholder, excess))
                yk_config_change_note(change, YK_CHANGE_APP_OVER_LIMIT, app->id);
        }
    }
}

static void note_over_limit(const struct yk_queue *queue, bool was_over, struct yk_config_change *change)
{
    YK_RESVEC(excess);
    if (was_over || !is_over(queue))
        return;
    yk_config_change_note(change, YK_CHANGE_OVER_LIMIT, queue->path);
    if (queue->parent != NULL && yk_quota_preemption_excess(queue, &excess))
        note_apps(queue, &excess, change);
}

static void note_change(const struct yk_queue *queue, const struct yk_queue_plan *plan, bool was_draining,
                        bool was_managed, struct yk_config_change *change)
{
    if (plan->is_new && queue->parent == NULL)
        /* For other new queues, add_queue() notes this. */
        yk_config_change_note(change, YK_CHANGE_ADDED, queue->path);
    else if (!was_managed)
        yk_config_change_note(change, YK_CHANGE_ADOPTED, queue->path);
    else if (was_draining)
        yk_config_change_note(change, YK_CHANGE_REACTIVATED, queue->path);
    else if (plan->differs_itself)
        yk_config_change_note(change, YK_CHANGE_CHANGED, queue->path);
}

/* Makes dynamic parents below `top` inherit the template again (T4). Configured queues that inherit it have a
 * plan of their own. */
static void refresh_dynamic_templates(struct yk_queue *top)
{
    struct yk_queue *child;
    yk_list_foreach (child, &top->child_list, struct yk_queue, in_children) {
        if (child->managed || child->is_leaf)
            continue;
        set_properties(child, NULL);
        inherit_template(child);
        refresh_dynamic_templates(child);
    }
}

static void configure_queue(struct yk_partition *partition, struct yk_queue *queue,
                            struct yk_queue_plan *plan, struct yk_config_change *change)
{
    YK_CLEANUP(before_done) struct before before;
    bool was_draining = queue->state == YK_STATE_DRAINING, was_managed = queue->managed;
    bool was_over = is_over(queue), had_template = queue->child_template.is_set;
    remember(&before, queue);
    set_state(partition, queue, YK_STATE_ACTIVE);
    yk_list_remove(&queue->housekeeping.in_draining);
    take_over(queue, plan);
    yk_limits_set(&partition->usages, queue, &plan->config->limits);
    follow(partition, queue, &before);
    yk_report_queue_max(partition, queue, &before.max);
    yk_report_queue_guaranteed(partition, queue, &before.guaranteed);
    if (before.is_leaf != queue->is_leaf)
        yk_report_queue_type(partition, queue);
    if (had_template || queue->child_template.is_set)
        refresh_dynamic_templates(queue);
    note_change(queue, plan, was_draining, was_managed, change);
    if (before.is_leaf != queue->is_leaf)
        yk_config_change_note(change, YK_CHANGE_TYPE, queue->path);
    note_over_limit(queue, was_over, change);
}

/* Makes a queue of the plan. It is empty, so there is nothing to update besides its settings. */
static struct yk_queue *add_queue(struct yk_partition *partition, struct yk_queue *parent,
                                  struct yk_queue_plan *plan, struct yk_config_change *change)
{
    static const struct yk_resvec nothing;
    struct yk_queue *queue =
        yk_queue_new(parent, plan->name, plan->is_leaf, true, yk_core_now(partition->core));
    take_over(queue, plan);
    yk_limits_set(&partition->usages, queue, &plan->config->limits);
    yk_queue_update_fair_max(queue);
    yk_report_queue_added(partition, queue);
    yk_report_queue_max(partition, queue, &nothing);
    yk_report_queue_guaranteed(partition, queue, &nothing);
    yk_config_change_note(change, YK_CHANGE_ADDED, queue->path);
    yk_debug(yk_log_queue, "queue added", KV("queue", queue->path));
    return queue;
}

static void drain_branch(struct yk_partition *partition, struct yk_queue *top,
                         struct yk_config_change *change)
{
    for (struct yk_queue *queue = top; queue != NULL; queue = yk_queue_next(queue, top)) {
        if (!queue->managed || queue->state == YK_STATE_DRAINING)
            continue;
        set_state(partition, queue, YK_STATE_DRAINING);
        yk_limits_set(&partition->usages, queue, NULL);
        yk_limit_hold_configured(partition, queue);
        yk_housekeeping_watch_draining(partition, queue);
        yk_housekeeping_check_queue(partition, queue);
        yk_config_change_note(change, YK_CHANGE_DRAINING, queue->path);
    }
}

/* Drains managed children that the configuration no longer names (R12). */
static void drain_gone(struct yk_partition *partition, struct yk_queue *queue,
                       const struct yk_queue_plan *plan, struct yk_config_change *change)
{
    for (const struct yk_plan_gone *gone = plan->gone; gone != NULL; gone = gone->next) {
        struct yk_queue *child = yk_queue_child(queue, gone->name);
        if (child != NULL)
            drain_branch(partition, child, change);
    }
}

static void carry_out(struct yk_partition *partition, struct yk_queue *queue, struct yk_queue_plan *plan,
                      struct yk_config_change *change)
{
    drain_gone(partition, queue, plan, change);
    for (struct yk_queue_plan *below = plan->first_child; below != NULL; below = below->next) {
        struct yk_queue *child = yk_queue_child(queue, below->name);
        if (child != NULL && below->differs)
            configure_queue(partition, child, below, change);
        else if (child == NULL && YK_ASSERT(below->differs))
            child = add_queue(partition, queue, below, change);
        if (child != NULL)
            carry_out(partition, child, below, change);
    }
}

void yk_activation_commit(struct yk_partition *partition, struct yk_activation *activation,
                          struct yk_config_change *change)
{
    const struct yk_config_partition *config = activation->config;
    struct yk_queue_plan *plan = activation->plan.root;
    swap(partition->placement, activation->placement);
    partition->preemption_enabled = config->preemption_enabled;
    partition->quota_preemption_enabled = config->quota_preemption_enabled;
    if (activation->nodes_differ)
        yk_node_order_configure(&partition->node_order, config);
    if (plan != NULL && plan->differs)
        configure_queue(partition, partition->root, plan, change);
    if (plan != NULL)
        carry_out(partition, partition->root, plan, change);
    yk_quota_preemption_enable(partition);
    (void)yk_preempt_configured(partition); /* the number of groups is for tests */
    yk_gang_wait_capacity_changed(partition);
    yk_impossible_maxima_changed(partition);
    yk_stateaware_capacity_changed(partition);
    yk_reservation_look_again(partition);
    yk_turn_order_changed(partition);
    yk_limit_gate_reloaded(partition);
    yk_dynamic_queue_limits_look(partition); /* the configuration may have added resource types */
    /* Last, because it may place applications that wait for their users. */
    yk_users_set_type(partition->users, config->resolver);
}

/* ---- dynamic queues ---- */

static void apply_template(const struct yk_partition *partition, struct yk_queue *leaf,
                           const struct yk_queue_template *template)
{
    if (!template->is_set || yk_queue_is_recovery(leaf))
        return;
    leaf->max_apps = template->max_apps;
    static const struct yk_resvec nothing;
    leaf->has_max = template->has_max;
    leaf->has_guaranteed = template->has_guaranteed;
    yk_resvec_copy(&leaf->max, &template->max);
    yk_resvec_copy(&leaf->guaranteed, &template->guaranteed);
    yk_report_queue_max(partition, leaf, &nothing);
    yk_report_queue_guaranteed(partition, leaf, &nothing);
    set_properties(leaf, yk_property_set_hold(template->properties));
    yk_queue_settings_from(leaf->properties, leaf->path, &leaf->settings);
    yk_queue_update_fair_max(leaf);
}

static struct yk_queue *create_one(struct yk_partition *partition, struct yk_queue *parent,
                                   struct yk_str name, bool is_leaf)
{
    struct yk_queue *queue = yk_queue_new(parent, name, is_leaf, false, yk_core_now(partition->core));
    yk_report_queue_added(partition, queue);
    if (is_leaf)
        apply_template(partition, queue, &parent->child_template);
    else
        inherit_template(queue);
    yk_info(yk_log_queue, "queue added", KV("queue", queue->path), KV("dynamic", true));
    return queue;
}

static enum yk_status check_new_path(const struct yk_queue *parent, struct yk_str path, struct yk_str rest,
                                     struct yk_err *err)
{
    struct yk_str part;
    uint32_t depth = parent->depth;
    if (parent->is_leaf)
        return yk_fail(err, YK_ERR_INVALID, "queue '" YK_STR_FMT "' cannot be created below leaf '%s'",
                       YK_STR_ARG(path), parent->path);
    if (yk_queue_is_draining(parent))
        return yk_fail(err, YK_ERR_STATE, "queue '" YK_STR_FMT "' cannot be created: '%s' is draining",
                       YK_STR_ARG(path), parent->path);
    while (yk_str_split(&rest, '.', &part)) {
        if (!yk_queue_name_valid(part))
            return yk_fail(err, YK_ERR_INVALID,
                           "queue '" YK_STR_FMT "': '" YK_STR_FMT "' is not a queue name", YK_STR_ARG(path),
                           YK_STR_ARG(part));
        if (++depth > YK_CONFIG_DEPTH_MAX)
            return yk_fail(err, YK_ERR_LIMIT, "queue '" YK_STR_FMT "' is deeper than %d levels",
                           YK_STR_ARG(path), YK_CONFIG_DEPTH_MAX);
    }
    return YK_OK;
}

enum yk_status yk_queues_find_or_create(struct yk_partition *partition, struct yk_str path,
                                        struct yk_queue **ret_leaf, struct yk_err *err)
{
    struct yk_str rest, part;
    struct yk_queue *queue = yk_queue_find_deepest(partition->root, path, &rest);
    if (queue == NULL)
        return yk_fail(err, YK_ERR_INVALID, "queue '" YK_STR_FMT "' is not below the root", YK_STR_ARG(path));
    if (rest.p != NULL) {
        enum yk_status st = check_new_path(queue, path, rest, err);
        if (st != YK_OK)
            return st;
        while (yk_str_split(&rest, '.', &part))
            queue = create_one(partition, queue, part, rest.p == NULL);
    }
    if (!queue->is_leaf)
        return yk_fail(err, YK_ERR_INVALID, "queue '%s' is not a leaf", queue->path);
    *ret_leaf = queue;
    return YK_OK;
}
