/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/outstanding.h"

#include "base/vec.h"
#include "scheduler/core.h"
#include "scheduler/refusal.h"

#define INSPECTION_NS YK_NS_PER_S
#define STEP_NS       (10 * YK_NS_PER_MS) /* between two steps */

enum { STEP_MAX = 128 }; /* asks, groups and applications that one step looks at */

static const char waiting_for_nodes[] = "request is waiting for cluster resources become available";

static void on_timer(struct yk_timer *timer)
{
    yk_outstanding_report(YK_CONTAINER(timer, struct yk_partition, outstanding));
}

void yk_outstanding_note(struct yk_partition *partition)
{
    struct yk_core *core = partition->core;
    partition->outstanding.fire = on_timer;
    if (!core->manual && !yk_timer_armed(&partition->outstanding))
        yk_timer_arm(core->timers, &partition->outstanding, INSPECTION_NS);
}

static bool was_told(const struct yk_group *group, struct yk_refusal refusal)
{
    return group->unskipped == 0 && yk_refusal_is(group->skipped_by, refusal);
}

static void list_group(struct yk_group *group)
{
    if (!yk_list_linked(&group->in_skipped))
        yk_list_append(&group->app->partition->skipped, &group->in_skipped);
}

void yk_outstanding_note_group(struct yk_group *group)
{
    struct yk_refusal refusal = yk_refusal_of(group);
    bool by_limit = refusal.kind != YK_REFUSAL_NONE;
    if (by_limit && was_told(group, refusal))
        return;
    if (by_limit)
        list_group(group);
    yk_outstanding_note(group->app->partition);
}

void yk_outstanding_note_app(struct yk_app *app)
{
    if (!yk_list_linked(&app->in_skipped))
        yk_list_append(&app->partition->skipped_apps, &app->in_skipped);
    yk_outstanding_note(app->partition);
}

void yk_outstanding_note_leaf(struct yk_partition *partition, struct yk_queue *leaf, struct yk_queue *queue)
{
    if (leaf->short_by == queue)
        return; /* as before: it was reported one by one, or with the leaf */
    leaf->short_by = queue;
    if (queue->parent != NULL && !yk_list_linked(&leaf->in_skipped))
        yk_list_append(&partition->skipped_leaves, &leaf->in_skipped);
    yk_outstanding_note(partition);
}

static void tell(const struct yk_ask *ask, enum yk_si_scheduling_state state, const char *reason)
{
    const struct yk_rm *rm = yk_ask_app(ask)->partition->rm;
    if (rm->callbacks.scheduling_state != NULL)
        rm->callbacks.scheduling_state(rm->context, yk_ask_app(ask)->id, ask->key, state, reason,
                                       ask->cookie);
}

/* ---- what lacks a node ---- */

struct claim {
    struct yk_group *group;
    struct yk_resvec amount;
};

struct look {
    struct yk_vec claims; /* struct claim, owned: booked while we look, so that groups share the headroom */
    struct yk_vec asks;   /* struct yk_ask: to be reported: they lack a node */
    struct yk_vec beyond; /* struct yk_group: the headroom does not take all of its asks */
};

static void book_on(struct yk_usage *usage, const struct yk_resvec *amount, bool back)
{
    for (; usage != NULL; usage = usage->parent) {
        if (back)
            yk_resvec_sub(&usage->allocated, amount);
        else
            yk_resvec_add(&usage->allocated, amount);
        yk_resvec_prune(&usage->allocated);
    }
}

static void claim(struct look *look, struct yk_group *group, uint64_t count)
{
    struct yk_app *app = group->app;
    struct claim *made = yk_new0(struct claim);
    made->group = group;
    yk_resvec_copy(&made->amount, &group->shape->size);
    yk_resvec_mul(&made->amount, (int64_t)count);
    yk_queue_add_allocated(app->leaf, &made->amount);
    book_on(app->usage, &made->amount, false);
    book_on(app->group_usage, &made->amount, false);
    yk_vec_append(&look->claims, made);
}

static void drop_claims(struct look *look)
{
    struct claim *made;
    yk_vec_foreach (made, &look->claims) {
        const struct yk_app *app = made->group->app;
        yk_queue_sub_allocated(app->leaf, &made->amount);
        book_on(app->usage, &made->amount, true);
        book_on(app->group_usage, &made->amount, true);
        yk_resvec_done(&made->amount);
        free(made);
    }
    yk_vec_done(&look->claims);
}

/* How many of the group the headroom could take if there were nodes. */
static uint64_t count_fitting(const struct yk_group *group, const struct yk_resvec *room)
{
    const struct yk_resvec *size = &group->shape->size;
    uint64_t count = group->asks.count;
    yk_resvec_foreach_common(t, size, room)
    {
        if (yk_resvec_get(size, t) > 0)
            count = YK_MIN(count, (uint64_t)(YK_MAX(yk_resvec_get(room, t), 0) / yk_resvec_get(size, t)));
    }
    return count;
}

/* The first `count` asks, as far as it was not what was reported last. */
static void collect(struct look *look, struct yk_group *group, uint64_t count)
{
    struct yk_ask *ask;
    uint32_t left = group->unreported;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        if (count-- == 0 || left == 0)
            break;
        if ((ask->flags & YK_ASK_TOLD_FAILED) != 0)
            continue;
        left--;
        yk_vec_append(&look->asks, ask);
    }
}

/* Those that do not fit beside the first `count` wait for a limit. */
static void look_beyond(struct look *look, struct yk_group *group, uint64_t count)
{
    group->fitting = (uint32_t)count;
    group->beyond_by = (struct yk_refusal){YK_REFUSAL_NONE, 0};
    if (count == group->asks.count)
        return;
    group->beyond_by = yk_refusal_of_many(group, count + 1);
    yk_vec_append(&look->beyond, group);
}

/* What fits takes its part of the headroom, reported or not. */
static void look_at_group(struct look *look, struct yk_group *group)
{
    YK_RESVEC(room);
    const struct yk_gang *gang = yk_refusal_gang(group);
    if (group->required_node != NULL || yk_refusal_gates(group->app) ||
        (gang != NULL && gang->exceeds_limit)) /* another node would not help that */
        return;
    bool limited = yk_queue_headroom(group->app->leaf, false, &room);
    limited |= yk_usage_headroom(group->app, &room);
    uint64_t count = limited ? count_fitting(group, &room) : group->asks.count;
    look_beyond(look, group, count);
    if (count == 0)
        return;
    collect(look, group, count);
    if (limited)
        claim(look, group, count);
}

static void look_at_shape(struct look *look, const struct yk_shape *shape)
{
    struct yk_group *group;
    yk_list_foreach (group, &shape->groups, struct yk_group, in_shape) {
        if (group->wait == YK_WAIT_NODES)
            look_at_group(look, group);
    }
}

static void look_at_app(struct look *look, const struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->wait == YK_WAIT_QUEUE_QUOTA)
            look_at_group(look, group);
    }
}

/* Its applications wait for room in the root, or below. */
static void look_at_leaf(struct look *look, const struct yk_queue *leaf)
{
    const struct yk_app *app;
    yk_tree_foreach (app, &leaf->short_apps, struct yk_app, in_ready)
        look_at_app(look, app);
}

/* Its placeholders wait until all of them fit: more nodes would help them, too. */
static void look_at_held(struct look *look, const struct yk_gang *gang)
{
    struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (group->wait == YK_WAIT_GANG)
            look_at_group(look, group);
    }
}

static void look_at_all(struct look *look, const struct yk_partition *partition)
{
    const struct yk_gang *gang;
    yk_list_foreach (gang, &partition->gang_waits.gangs, struct yk_gang, in_waiting) {
        if (gang->is_held)
            look_at_held(look, gang);
    }
    const struct yk_shape *shape;
    yk_list_foreach (shape, &partition->shapes.parked, struct yk_shape, in_table)
        look_at_shape(look, shape);
    const struct yk_room_wait *wait;
    yk_list_foreach (wait, &partition->root->short_leaves, struct yk_room_wait, in_queue)
        look_at_leaf(look, wait->leaf);
}

bool yk_outstanding_in_vain(const struct yk_group *group)
{
    const struct yk_wait_log *log = group->preempt_log;
    return log[YK_PREEMPT_NO_HELP].count > 0 || log[YK_PREEMPT_GUARANTEES].count > 0 ||
           log[YK_PREEMPT_SHORT].count > 0;
}

void yk_outstanding_tell_again(struct yk_group *group)
{
    struct yk_ask *ask;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        group->unreported += (ask->flags & YK_ASK_TOLD_FAILED) != 0;
        ask->flags &= ~(uint32_t)YK_ASK_TOLD_FAILED;
    }
    yk_outstanding_note(group->app->partition);
}

static void tell_failed(struct yk_ask *ask)
{
    struct yk_group *group = ask->group;
    group->unreported--;
    group->unskipped += (ask->flags & YK_ASK_TOLD_SKIPPED) != 0;
    ask->flags &= ~(uint32_t)YK_ASK_TOLD_SKIPPED;
    ask->flags |= YK_ASK_TOLD_FAILED | YK_ASK_SCALE_UP;
    const struct yk_gang *gang = yk_refusal_gang(group);
    YK_CLEANUP(yk_buf_done) struct yk_buf reason = {0};
    if (gang != NULL)
        yk_buf_printf(&reason, YK_SI_GANG_NEVER_FITS "it %s", gang->never_fits_why);
    else
        yk_buf_text(&reason, yk_outstanding_in_vain(group) ? YK_SI_NO_VICTIMS : waiting_for_nodes);
    tell(ask, YK_SI_STATE_FAILED, yk_buf_cstr(&reason));
}

/* ---- what a limit refuses ---- */

static void tell_skipped(struct yk_ask *ask, const char *reason)
{
    struct yk_group *group = ask->group;
    group->unskipped--;
    group->unreported += (ask->flags & YK_ASK_TOLD_FAILED) != 0;
    ask->flags &= ~(uint32_t)YK_ASK_TOLD_FAILED;
    ask->flags |= YK_ASK_TOLD_SKIPPED;
    tell(ask, YK_SI_STATE_SKIPPED, reason);
}

/* Another limit refuses the asks now: the next look reports all of them. */
static void set_refusal(struct yk_group *group, struct yk_refusal refusal)
{
    struct yk_ask *ask;
    if (yk_refusal_is(group->skipped_by, refusal))
        return;
    group->skipped_by = refusal;
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        group->unskipped += (ask->flags & YK_ASK_TOLD_SKIPPED) != 0;
        ask->flags &= ~(uint32_t)YK_ASK_TOLD_SKIPPED;
    }
}

static bool lacks_nodes(const struct yk_group *group)
{
    return group->wait == YK_WAIT_NODES || group->wait == YK_WAIT_GANG || group->wait == YK_WAIT_QUEUE_QUOTA;
}

/* All asks but the first `from`, as far as `*budget` reaches. */
static void tell_asks_skipped(struct yk_group *group, uint32_t from, size_t *budget)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf reason = {0};
    struct yk_ask *ask;
    uint32_t left = group->unskipped;
    yk_refusal_text(group, group->skipped_by, &reason);
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        bool told = (ask->flags & YK_ASK_TOLD_SKIPPED) != 0;
        left -= !told;
        if (from > 0)
            from--;
        else if (!told && *budget > 0) {
            (*budget)--;
            tell_skipped(ask, yk_buf_cstr(&reason));
        }
        if (left == 0 || *budget == 0)
            break;
    }
}

static void tell_group_skipped(struct yk_group *group, size_t *budget)
{
    struct yk_refusal refusal = yk_refusal_of(group);
    uint32_t from = 0;
    (*budget)--;
    if (refusal.kind == YK_REFUSAL_NONE && lacks_nodes(group)) {
        refusal = group->beyond_by;
        from = group->fitting;
    }
    if (refusal.kind == YK_REFUSAL_NONE)
        return;
    set_refusal(group, refusal);
    tell_asks_skipped(group, from, budget);
}

/* Groups that were not looked at one by one when another queue began to refuse them all. */
static void look_at_refusing_queue(struct yk_group *group)
{
    struct yk_queue *refusing;
    if (group->wait == YK_WAIT_QUEUE_QUOTA &&
        !yk_queue_has_room(group->app->leaf, &group->shape->size, &refusing))
        group->waits_for = refusing;
}

static void list_groups(const struct yk_app *app, size_t *budget)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        look_at_refusing_queue(group);
        struct yk_refusal refusal = yk_refusal_of(group);
        if (refusal.kind != YK_REFUSAL_NONE && !was_told(group, refusal))
            list_group(group);
        *budget -= *budget > 0;
    }
}

static void list_apps(struct yk_partition *partition, struct yk_queue *leaf)
{
    struct yk_app *app;
    yk_tree_foreach (app, &leaf->short_apps, struct yk_app, in_ready) {
        if (!yk_list_linked(&app->in_skipped))
            yk_list_append(&partition->skipped_apps, &app->in_skipped);
    }
}

/* True: there is more. */
static bool step(struct yk_partition *partition)
{
    struct yk_queue *leaf;
    size_t budget = STEP_MAX;
    while ((leaf = yk_list_first(&partition->skipped_leaves, struct yk_queue, in_skipped)) != NULL) {
        yk_list_remove(&leaf->in_skipped);
        list_apps(partition, leaf);
    }
    while (budget > 0) {
        struct yk_group *group = yk_list_first(&partition->skipped, struct yk_group, in_skipped);
        struct yk_app *app = yk_list_first(&partition->skipped_apps, struct yk_app, in_skipped);
        if (group != NULL) {
            tell_group_skipped(group, &budget);
            if (budget > 0)
                yk_list_remove(&group->in_skipped);
        } else if (app != NULL) {
            yk_list_remove(&app->in_skipped);
            list_groups(app, &budget);
        } else {
            return false;
        }
    }
    return true;
}

static void on_step(struct yk_timer *timer)
{
    struct yk_partition *partition = YK_CONTAINER(timer, struct yk_partition, skipped_step);
    if (step(partition))
        yk_timer_arm(partition->core->timers, &partition->skipped_step, STEP_NS);
}

/* ---- both ---- */

static void tell_all_failed(struct look *look)
{
    struct yk_ask *ask;
    struct yk_group *group;
    yk_vec_foreach (ask, &look->asks)
        tell_failed(ask);
    yk_vec_done(&look->asks);
    yk_vec_foreach (group, &look->beyond) { /* those that were reported FAILED just now count as unskipped */
        if (group->unskipped > group->fitting || !yk_refusal_is(group->skipped_by, group->beyond_by))
            list_group(group);
    }
    yk_vec_done(&look->beyond);
}

void yk_outstanding_report(struct yk_partition *partition)
{
    struct look look = {0};
    look_at_all(&look, partition);
    drop_claims(&look);
    tell_all_failed(&look);
    partition->skipped_step.fire = on_step;
    if (!yk_timer_armed(&partition->skipped_step) && step(partition) && !partition->core->manual)
        yk_timer_arm(partition->core->timers, &partition->skipped_step, STEP_NS);
}
