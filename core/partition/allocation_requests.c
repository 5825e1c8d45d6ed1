/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of the resource manager about asks and allocations: new, recovered, resized, released.
 *
 * Each request is checked completely before it changes anything. A change to application, queues and node is
 * one step.
 *
 * Source: docs/reference/scheduling.md 1.5, 2.6, 7.4.
 */
#include "base/log.h"
#include "gangs/handover.h"
#include "partition/accounting.h"
#include "partition/gang.h"
#include "partition/lifecycle.h"
#include "partition/node_accounting.h"
#include "partition/partition.h"
#include "pending/active.h"
#include "pending/limit_gate.h"
#include "pending/parked.h"
#include "report/report.h"
#include "report/rm_calls.h"
#include "reservation/preempt.h"
#include "reservation/quota_preemption.h"
#include "reservation/required_node.h"
#include "reservation/reservation_look.h"
#include "reservation/reservations.h"
#include "reservation/victims.h"
#include "state/core.h"
#include "state/partition.h"
#include "state/turn.h"

static void reject(struct yk_partition *partition, const struct yk_si_allocation *request, const char *reason)
{
    const struct yk_rm *rm = partition->rm;
    partition->core->metrics.containers_rejected++;
    yk_warn(yk_log_alloc, "allocation rejected", KV("app", request->application_id), KV("ask", request->key),
            KV("err", reason));
    if (rm->callbacks.allocation_rejected != NULL)
        rm->callbacks.allocation_rejected(rm->context, request->application_id, request->key, reason,
                                          request->cookie);
}

static bool has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

static enum yk_status check_key(const char *key, const char *what, struct yk_err *err)
{
    if (!has_text(key))
        return yk_fail(err, YK_ERR_INVALID, "%s is missing", what);
    if (strlen(key) > YK_SI_KEY_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%s of %zu bytes (%d allowed)", what, strlen(key), YK_SI_KEY_MAX);
    return YK_OK;
}

static enum yk_status check_amounts(const struct yk_si_allocation *request, struct yk_err *err)
{
    if (request->resource == NULL || yk_resvec_is_zero(request->resource))
        return yk_fail(err, YK_ERR_INVALID, "allocation '%s' asks for nothing", request->key);
    yk_resvec_foreach(t, request->resource)
    {
        int64_t amount = yk_resvec_get(request->resource, t);
        if (amount < 0)
            return yk_fail(err, YK_ERR_INVALID, "allocation '%s' asks for a negative amount", request->key);
        if (amount > YK_SI_AMOUNT_MAX)
            return yk_fail(err, YK_ERR_LIMIT, "allocation '%s' asks for %lld of '%s' (%lld allowed)",
                           request->key, (long long)amount, yk_restype_name(t), (long long)YK_SI_AMOUNT_MAX);
    }
    return YK_OK;
}

#define LARGE_AMOUNT (INT64_C(1) << 40)

/*
 * Refuses a request with which a sum of amounts could saturate: single amounts could not be subtracted from
 * such a sum again. `first` and `second` are the largest sums that the request is added to: pending and
 * allocated amounts of the root, or the amounts on a node for a foreign allocation. A request for a very
 * large amount may use only half of the range, so that normal requests are not refused because of it.
 */
static enum yk_status check_sums(const struct yk_resvec *first, const struct yk_resvec *second,
                                 const struct yk_si_allocation *request, struct yk_err *err)
{
    yk_resvec_foreach(t, request->resource)
    {
        int64_t most = yk_resvec_get(request->resource, t) > LARGE_AMOUNT ? INT64_MAX / 8 : INT64_MAX / 4;
        if (yk_i64_add(yk_resvec_get(first, t), yk_resvec_get(second, t)) > most)
            return yk_fail(err, YK_ERR_LIMIT, "allocation '%s': all requests together are for too much '%s'",
                           request->key, yk_restype_name(t));
    }
    return YK_OK;
}

static enum yk_status check_request(const struct yk_partition *partition,
                                    const struct yk_si_allocation *request, struct yk_err *err)
{
    enum yk_status st = check_key(request->key, "allocation key", err);
    if (st != YK_OK)
        return st;
    if (request->placeholder && !has_text(request->task_group))
        return yk_fail(err, YK_ERR_INVALID, "placeholder '%s' names no task group", request->key);
    if (partition->state == YK_STATE_STOPPED)
        return yk_fail(err, YK_ERR_STATE, "partition '%s' is stopped", partition->name);
    if (request->tag_count > YK_SI_TAGS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "allocation '%s' has %zu tags (%d allowed)", request->key,
                       request->tag_count, YK_SI_TAGS_MAX);
    if (request->required_node != NULL && strlen(request->required_node) > YK_SI_KEY_MAX)
        return yk_fail(err, YK_ERR_LIMIT,
                       "allocation '%s' requires a node with a name of %zu bytes (%d allowed)", request->key,
                       strlen(request->required_node), YK_SI_KEY_MAX);
    return check_amounts(request, err);
}

/* Whether an ask as `request` and `fixed` describe it belongs to the group. Thousands of equal asks arrive
 * one after the other, so most belong to the group of the last one. */
static bool joins(const struct yk_group *group, const struct yk_si_allocation *request,
                  const struct yk_group_key *fixed)
{
    return yk_shape_is(group->shape, request->scheduling_class, request->resource) &&
           group->priority == request->priority && group->task_group == fixed->task_group &&
           group->placeholders == fixed->placeholders && group->required_node == NULL &&
           fixed->required_node == NULL;
}

/* The group for an ask as `request` describes it, with one more reference. `fixed` has what never changes:
 * task group, whether it is a placeholder, required node. */
static struct yk_group *group_for(struct yk_partition *partition, struct yk_app *app,
                                  const struct yk_si_allocation *request, const struct yk_group_key *fixed)
{
    struct yk_group *group = app->last_group;
    if (group != NULL && joins(group, request, fixed)) {
        yk_group_hold(group);
    } else {
        struct yk_group_key key = *fixed;
        key.shape = yk_shape_get(&partition->shapes, request->scheduling_class, request->resource);
        key.priority = request->priority;
        group = app->last_group = yk_app_group(app, &key, &partition->shapes);
    }
    if (group->shape->class_ != NULL)
        group->shape->class_->tolerates_drain = request->tolerates_drain;
    return group;
}

/* Makes an ask from the request and adds it to the application. The ask counts neither as pending nor as
 * allocated yet. */
static struct yk_ask *adopt(struct yk_partition *partition, struct yk_app *app,
                            const struct yk_si_allocation *request, uint32_t key_hash)
{
    int64_t now_wall_ns = request->create_wall_ns > 0 ? 0 : yk_core_now(partition->core);
    struct yk_ask *ask = yk_ask_new(&partition->ask_pool, request, now_wall_ns, ++partition->ask_sequence);
    const struct yk_group_key fixed = {
        .task_group = has_text(request->task_group) ? yk_app_task_group(app, request->task_group) : NULL,
        .placeholders = request->placeholder,
        .required_node = has_text(request->required_node) ? request->required_node : NULL,
    };
    ask->group = group_for(partition, app, request, &fixed);
    ask->key_hash = key_hash;
    yk_text_set_add(&app->asks, ask, key_hash); /* the caller has checked that the key is new */
    yk_gang_ask_added(ask);
    if (yk_app_note_create_time(app, ask->create_wall_ns))
        yk_active_update_app(app);
    if (app->state == YK_APP_NEW || app->state == YK_APP_COMPLETING)
        (void)yk_lifecycle_fire(app, YK_APP_RUN, NULL); /* both states accept it */
    return ask;
}

static struct yk_group *other_group(const struct yk_ask *ask, const struct yk_si_allocation *request)
{
    const struct yk_group_key fixed = {
        .task_group = ask->group->task_group,
        .placeholders = ask->group->placeholders,
        .required_node = ask->group->required_node,
    };
    return group_for(yk_ask_app(ask)->partition, yk_ask_app(ask), request, &fixed);
}

static bool grows(const struct yk_resvec *delta)
{
    yk_resvec_foreach(t, delta)
    {
        if (yk_resvec_get(delta, t) > 0)
            return true;
    }
    return false;
}

static void resize(struct yk_partition *partition, struct yk_ask *ask, const struct yk_si_allocation *request)
{
    struct yk_app *app = yk_ask_app(ask);
    YK_RESVEC(delta);
    yk_resvec_add(&delta, request->resource);
    yk_resvec_sub(&delta, yk_ask_size(ask));
    struct yk_group *before = ask->group;
    /* An ask with YK_ASK_REPLACING is counted nowhere but on `ask->node`, which is set if its placeholder has
     * another node. */
    if ((ask->flags & YK_ASK_REPLACING) != 0) {
        if (ask->node != NULL) {
            yk_node_resize_allocation(ask->node, &delta);
            yk_node_order_update(&partition->node_order, ask->node);
        }
        ask->group = other_group(ask, request);
        if (ask->node != NULL) {
            yk_preempt_node_changed(partition, ask->node);
            yk_wake_for_node(partition, ask->node);
        }
    } else if (yk_ask_is_pending(ask)) {
        yk_accounting_sub_pending(ask);
        ask->group = other_group(ask, request);
        yk_accounting_add_pending(ask);
    } else {
        yk_queue_resize_allocated(app->leaf, &delta);
        yk_victim_resized(ask, &delta);
        yk_quota_preemption_lowered(app->leaf);
        if (grows(&delta))
            yk_quota_preemption_raised(partition, app->leaf, NULL);
        yk_usage_resize(&partition->usages, app, &delta);
        yk_resvec_add(yk_ask_account(app, ask), &delta);
        yk_resvec_prune(yk_ask_account(app, ask));
        yk_resvec_max(&app->max_used, yk_ask_account(app, ask));
        yk_node_resize_allocation(ask->node, &delta);
        yk_preempt_node_changed(partition, ask->node);
        ask->group = other_group(ask, request);
        if (ask->group->required_node != NULL) /* it counts as one that never ends */
            yk_required_node_note_candidate(partition, ask->node);
        yk_app_update_shares(app);
        yk_node_order_update(&partition->node_order, ask->node);
        yk_active_update_queue(app->leaf);
        yk_active_update_app(app);
        yk_turn_order_changed(partition);
        yk_reservation_look_again(partition);
        yk_wake_for_headroom(app->leaf);
        yk_limit_gate_freed(app);
        yk_wake_for_node(partition, ask->node);
    }
    yk_group_put(before, &partition->shapes);
}

static bool is_regrouped(const struct yk_ask *ask, const struct yk_si_allocation *request)
{
    const struct yk_class *class_ = ask->group->shape->class_;
    yk_si_class number = class_ == NULL ? YK_SI_CLASS_ANY : class_->number;
    return yk_ask_is_pending(ask) &&
           (number != request->scheduling_class || ask->group->priority != request->priority);
}

/* Counts an allocation that the resource manager placed itself, maybe before this process began. */
static void add_placed(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node,
                       int64_t start_wall_ns)
{
    yk_accounting_add_allocation(partition, ask, node, start_wall_ns > 0);
    if (start_wall_ns > 0)
        ask->bind_wall_ns = YK_MIN(start_wall_ns, ask->bind_wall_ns);
    yk_quota_preemption_raised(partition, yk_ask_app(ask)->leaf, NULL);
    yk_rm_call_allocated(partition, ask);
}

/* A changed limit may let the ask use a reserved node, so the order is looked at again. */
static void update_run_limit(struct yk_partition *partition, struct yk_ask *ask, int64_t limit_ns)
{
    if (yk_ask_run_limit_ns(ask) == limit_ns)
        return;
    yk_ask_set_run_limit_ns(ask, limit_ns);
    yk_turn_order_changed(partition);
}

static void update_known(struct yk_partition *partition, struct yk_ask *ask,
                         const struct yk_si_allocation *request, struct yk_node *node)
{
    bool has_handover = (ask->flags & YK_ASK_REPLACING) != 0 && yk_ask_handover(ask) != NULL;
    if (has_handover && (node != NULL || !yk_resvec_same(yk_ask_size(ask), request->resource)))
        yk_handover_break(yk_ask_handover(ask)); /* the handover does not fit the request */
    if (!yk_resvec_same(yk_ask_size(ask), request->resource) || is_regrouped(ask, request))
        resize(partition, ask, request);
    update_run_limit(partition, ask, request->run_limit_ns);
    if (node == NULL || !yk_ask_is_pending(ask))
        return;
    yk_accounting_sub_pending(ask); /* placed by the resource manager itself */
    add_placed(partition, ask, node, request->start_wall_ns);
}

static void add_new(struct yk_partition *partition, struct yk_app *app,
                    const struct yk_si_allocation *request, uint32_t key_hash, struct yk_node *node)
{
    struct yk_ask *ask = adopt(partition, app, request, key_hash);
    if (node == NULL) {
        yk_report_ask_added(ask);
        yk_accounting_add_pending(ask);
        return;
    }
    add_placed(partition, ask, node, request->start_wall_ns);
}

static enum yk_status update_foreign(struct yk_partition *partition, const struct yk_si_allocation *request,
                                     struct yk_err *err)
{
    struct yk_node *node =
        has_text(request->node_id) ? yk_partition_find_node(partition, request->node_id) : NULL;
    if (node == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "foreign allocation '%s': node '%s' is not known", request->key,
                       request->node_id != NULL ? request->node_id : "");
    YK_RESVEC(occupied);
    YK_RESVEC(allocated);
    yk_node_occupied(node, &occupied);
    yk_node_allocated(node, &allocated);
    enum yk_status st = check_sums(&occupied, &allocated, request, err);
    if (st != YK_OK)
        return st;
    struct yk_str key = yk_str_from(request->key);
    uint32_t key_hash = yk_text_set_hash(key);
    struct yk_ask *ask = yk_text_set_find(&partition->foreign, key, key_hash);
    if (ask != NULL) { /* a known one: counts its new size in place of the old one */
        yk_node_unbook(partition, ask);
        yk_ask_set_foreign_size(ask, request->resource);
    } else {
        ask = yk_ask_new(&partition->ask_pool, request, yk_core_now(partition->core),
                         ++partition->ask_sequence);
        ask->key_hash = key_hash;
        yk_text_set_add(&partition->foreign, ask, key_hash);
    }
    yk_node_book(partition, node, ask);
    yk_reservations_node_changed(partition, node);
    if ((ask->flags & YK_ASK_STATIC) != 0)
        yk_required_node_note_candidate(partition, node);
    return YK_OK;
}

static enum yk_status update(struct yk_partition *partition, const struct yk_si_allocation *request,
                             struct yk_err *err)
{
    enum yk_status st = check_request(partition, request, err);
    if (st != YK_OK)
        return st;
    if (request->foreign)
        return update_foreign(partition, request, err);
    st = check_sums(&partition->root->pending, &partition->root->allocated, request, err);
    if (st != YK_OK)
        return st;
    struct yk_app *app =
        has_text(request->application_id) ? yk_partition_find_app(partition, request->application_id) : NULL;
    if (app == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "allocation '%s': application '%s' is not known", request->key,
                       request->application_id != NULL ? request->application_id : "");
    struct yk_node *node = NULL;
    if (has_text(request->node_id)) {
        node = yk_partition_find_node(partition, request->node_id);
        if (node == NULL)
            return yk_fail(err, YK_ERR_NOT_FOUND, "allocation '%s': node '%s' is not known", request->key,
                           request->node_id);
    }
    struct yk_str key = yk_str_from(request->key);
    uint32_t key_hash = yk_text_set_hash(key);
    struct yk_ask *ask = yk_text_set_find(&app->asks, key, key_hash);
    if (ask == NULL && app->state == YK_APP_FAILING)
        return yk_fail(err, YK_ERR_STATE, "allocation '%s': application '%s' is being ended", request->key,
                       app->id);
    if (ask != NULL)
        update_known(partition, ask, request, node);
    else
        add_new(partition, app, request, key_hash, node);
    return YK_OK;
}

void yk_partition_update_allocation(struct yk_partition *partition, const struct yk_si_allocation *request)
{
    struct yk_err err; /* large, and needed seldom */
    if (update(partition, request, &err) == YK_OK)
        return;
    partition->core->metrics.scheduling_errors++;
    reject(partition, request, err.text);
}

static void release_foreign(struct yk_partition *partition, const char *key)
{
    struct yk_ask *ask = yk_text_set_remove(&partition->foreign, yk_str_from(key));
    if (ask == NULL)
        return;
    struct yk_node *node = ask->node;
    bool never_ended = (ask->flags & YK_ASK_STATIC) != 0;
    yk_node_unbook(partition, ask);
    yk_ask_free(&partition->ask_pool, ask);
    if (never_ended)
        yk_required_node_note_candidate(partition, node);
}

/* Makes the allocation a pending ask again, because the resource manager could not carry it out. The state of
 * the application does not change. */
static void back_to_pending(struct yk_partition *partition, struct yk_ask *ask)
{
    if ((ask->flags & YK_ASK_PLACEHOLDER) != 0)
        yk_gang_placeholder_taken(ask);
    yk_accounting_sub_allocation(partition, ask);
    yk_report_ended(ask, YK_SI_SCHEDULING_FAILED_ON_RM);
    yk_accounting_add_pending(ask);
}

static void release_one(struct yk_partition *partition, struct yk_ask *ask,
                        const struct yk_si_release *request)
{
    struct yk_app *app = yk_ask_app(ask);
    bool is_real = (ask->flags & YK_ASK_PLACEHOLDER) == 0;
    if ((ask->flags & YK_ASK_REPLACING) != 0) {
        yk_partition_drop_replacing(partition, ask);
        if (is_real)
            yk_lifecycle_real_ended(app);
        yk_lifecycle_complete_if_done(app);
    } else if (yk_ask_is_pending(ask)) {
        if (request->termination == YK_SI_SCHEDULING_FAILED_ON_RM)
            return; /* the failure was reported before, and the ask waits already */
        yk_partition_drop_ask(partition, ask);
        if (is_real)
            yk_lifecycle_real_ended(app);
        yk_lifecycle_complete_if_done(app);
    } else if (request->termination == YK_SI_SCHEDULING_FAILED_ON_RM && app->state != YK_APP_FAILING &&
               (ask->flags & (YK_ASK_RELEASED | YK_ASK_PREEMPTED)) == 0) {
        back_to_pending(partition, ask);
    } else {
        yk_partition_end_allocation(partition, ask, request->termination, request->message);
    }
}

static void release_all(struct yk_app *app, const struct yk_si_release *request)
{
    while (request->termination != YK_SI_TIMEOUT && app->pending_groups.count > 0)
        yk_partition_drop_ask(
            app->partition,
            YK_CONTAINER(yk_tree_first(&app->pending_groups), struct yk_group, in_pending)->first);
    yk_partition_end_all_allocations(app, request->termination, request->message);
    yk_lifecycle_complete_if_done(app);
}

void yk_partition_release(struct yk_partition *partition, const struct yk_si_release *request)
{
    if (!has_text(request->application_id)) {
        if (has_text(request->key))
            release_foreign(partition, request->key);
        return;
    }
    struct yk_app *app = yk_partition_find_app(partition, request->application_id);
    if (app == NULL)
        return;
    if (!has_text(request->key)) {
        release_all(app, request);
        return;
    }
    struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(request->key));
    if (ask != NULL)
        release_one(partition, ask, request);
    else if (app->asks.count == 0 && request->termination != YK_SI_TERMINATION_UNKNOWN)
        /* Confirms the end of the last ask of an application whose asks all were refused or timed out
         * (D23). */
        yk_lifecycle_complete_if_done(app);
}
