/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/outstanding.h"

#include "base/vec.h"
#include "scheduler/core.h"

#define INSPECTION_NS YK_NS_PER_S

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

static bool waits_for_quota(const struct yk_group *group)
{
    return group->wait == YK_WAIT_QUEUE_QUOTA && group->waits_for->parent != NULL;
}

void yk_outstanding_note_group(struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    bool by_quota = waits_for_quota(group);
    if (by_quota && group->unskipped == 0)
        return;
    if (by_quota && !yk_list_linked(&group->in_skipped))
        yk_list_append(&partition->skipped, &group->in_skipped);
    yk_outstanding_note(partition);
}

void yk_outstanding_note_leaf(struct yk_partition *partition, struct yk_queue *leaf, struct yk_queue *queue)
{
    if (leaf->short_by == queue)
        return; /* as before: it was told one by one, or with the leaf */
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
    struct yk_vec asks;   /* struct yk_ask: to be told */
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
        free(made);
    }
    yk_vec_done(&look->claims);
}

/* How many of the group the headroom could take if there were nodes. */
static uint64_t count_fitting(const struct yk_group *group, const struct yk_resvec *room)
{
    const struct yk_resvec *size = &group->shape->size;
    uint64_t count = group->asks.count;
    yk_resvec_foreach(t, size->set & room->set)
    {
        if (size->v[t] > 0)
            count = YK_MIN(count, (uint64_t)(YK_MAX(room->v[t], 0) / size->v[t]));
    }
    return count;
}

/* The first `count` asks, as far as it was not what they were told last. */
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

/* What fits takes its part of the headroom, told or not. */
static void look_at_group(struct look *look, struct yk_group *group)
{
    struct yk_resvec room;
    bool limited = yk_queue_headroom(group->app->leaf, false, &room);
    limited |= yk_usage_headroom(group->app, &room);
    uint64_t count = limited ? count_fitting(group, &room) : group->asks.count;
    if (count == 0 || group->required_node != NULL) /* another node would not help that */
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
    tell(ask, YK_SI_STATE_FAILED, yk_outstanding_in_vain(group) ? YK_SI_NO_VICTIMS : waiting_for_nodes);
}

/* ---- what a quota holds ---- */

static void tell_skipped(struct yk_ask *ask, const char *reason)
{
    struct yk_group *group = ask->group;
    if ((ask->flags & YK_ASK_TOLD_SKIPPED) != 0)
        return;
    group->unskipped--;
    group->unreported += (ask->flags & YK_ASK_TOLD_FAILED) != 0;
    ask->flags &= ~(uint32_t)YK_ASK_TOLD_FAILED;
    ask->flags |= YK_ASK_TOLD_SKIPPED;
    tell(ask, YK_SI_STATE_SKIPPED, reason);
}

static void tell_group_skipped(struct yk_group *group)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf reason = {0};
    struct yk_ask *ask;
    if (!waits_for_quota(group))
        return;
    yk_buf_printf(&reason, "quota of queue '%s' has been exceeded", group->waits_for->path);
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group)
        tell_skipped(ask, yk_buf_cstr(&reason));
}

static void tell_app_skipped(const struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        struct yk_queue *refusing;
        if (group->wait != YK_WAIT_QUEUE_QUOTA || group->unskipped == 0 ||
            yk_queue_has_room(app->leaf, &group->shape->size, &refusing))
            continue;
        group->waits_for = refusing;
        tell_group_skipped(group);
    }
}

/* They were not looked at one by one when another queue began to refuse them all. */
static void tell_leaf_skipped(struct yk_queue *leaf)
{
    const struct yk_app *app;
    yk_tree_foreach (app, &leaf->short_apps, struct yk_app, in_ready)
        tell_app_skipped(app);
}

/* ---- both ---- */

void yk_outstanding_report(struct yk_partition *partition)
{
    struct look look = {0};
    look_at_all(&look, partition);
    drop_claims(&look);
    struct yk_ask *ask;
    yk_vec_foreach (ask, &look.asks)
        tell_failed(ask);
    yk_vec_done(&look.asks);
    struct yk_group *group;
    while ((group = yk_list_first(&partition->skipped, struct yk_group, in_skipped)) != NULL) {
        yk_list_remove(&group->in_skipped);
        tell_group_skipped(group);
    }
    struct yk_queue *leaf;
    while ((leaf = yk_list_first(&partition->skipped_leaves, struct yk_queue, in_skipped)) != NULL) {
        yk_list_remove(&leaf->in_skipped);
        tell_leaf_skipped(leaf);
    }
}
