/* SPDX-License-Identifier: Apache-2.0 */
#include "gangs/gang_wait.h"

#include "base/log.h"
#include "gangs/gang_fit.h"
#include "gangs/gang_give_way.h"
#include "gangs/gang_order.h"
#include "gangs/gang_plan.h"
#include "gangs/gang_supply.h"
#include "gangs/handover.h"
#include "pending/active.h"
#include "pending/backoff.h"
#include "pending/freed_nodes.h"
#include "pending/limit_gate.h"
#include "pending/limit_wait.h"
#include "pending/stateaware.h"
#include "pending/wait_order.h"
#include "report/outstanding.h"
#include "report/report.h"
#include "state/core.h"
#include "state/limit_held.h"
#include "state/turn.h"

#define LOOK_NS  YK_NS_PER_S       /* shortest time from the begin of a look to one that a change causes */
#define RETRY_NS (5 * YK_NS_PER_S) /* pause after a failed dry run for a gang, if no capacity changes */

enum {
    /* How many dry runs for gangs may fail in one look; one more is then made out of order
     * (last_in_turn()). */
    DRY_RUNS_MAX = 4,
    TAKERS_MAX = 64,      /* in one look: takers that wait for nodes, and as many that wait for limits */
    TAKER_ASKS_MAX = 256, /* asks of one taker that may start in one look */
    FITS_MAX = 16,        /* gangs for which one look computes whether they can ever start */
    STEP_GANGS = 64,      /* gangs in one step without dry runs */
    STEP_NODES = 512,     /* nodes in one step */
};

static struct yk_gang_waits *waits_of(const struct yk_gang *gang)
{
    return &gang->app->partition->gang_waits;
}

static int64_t now_mono(const struct yk_partition *partition)
{
    return yk_clock_mono_ns(partition->core->clock);
}

/* ---- when to look ---- */

static void on_timer(struct yk_timer *timer)
{
    YK_CONTAINER(timer, struct yk_gang_waits, timer)->due = true;
}

void yk_gang_wait_init(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    yk_list_init(&waits->gangs);
    yk_list_init(&waits->takers);
    yk_list_init(&waits->tried);
    yk_list_init(&waits->settled);
    waits->timer.fire = on_timer;
    waits->last_look_mono_ns = INT64_MIN;
    waits->capacity_epoch = waits->order_epoch = 1;
    yk_list_init(&waits->look.serving);
    yk_gang_order_init(&waits->look.order);
}

void yk_gang_wait_done(struct yk_partition *partition)
{
    YK_ASSERT(yk_list_empty(&partition->gang_waits.gangs) && yk_list_empty(&partition->gang_waits.settled));
    yk_timer_cancel(partition->core->timers, &partition->gang_waits.timer);
    yk_resvec_done(&partition->gang_waits.look.most);
    yk_gang_supply_done(partition);
}

static void look_at(struct yk_partition *partition, int64_t at_mono_ns)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    int64_t now_ns = now_mono(partition);
    if (waits->due)
        return;
    if (at_mono_ns <= now_ns) {
        waits->due = true;
        return;
    }
    if (!yk_timer_armed(&waits->timer) || waits->timer.due_mono_ns > at_mono_ns)
        yk_timer_arm(partition->core->timers, &waits->timer, yk_i64_sub(at_mono_ns, now_ns));
}

void yk_gang_wait_note(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    if (yk_list_empty(&waits->gangs))
        return;
    waits->changed = true;
    look_at(partition, yk_i64_add(waits->last_look_mono_ns, LOOK_NS));
}

void yk_gang_wait_capacity_changed(struct yk_partition *partition)
{
    partition->gang_waits.capacity_epoch++;
    yk_gang_wait_note(partition);
}

/* Whether the group waits for something that incomplete gangs may hold. */
static bool may_take(const struct yk_group *group)
{
    return (group->wait == YK_WAIT_NODES || group->wait == YK_WAIT_QUEUE_QUOTA ||
            group->wait == YK_WAIT_USER_QUOTA) &&
           group->required_node == NULL && group->asks.count > 0;
}

/* Groups that wait for headroom become takers here, also while no gang waits, because nothing tries them
 * again when a gang begins to wait. Groups that wait for nodes are listed in each look (list_waiting()). */
void yk_gang_wait_refused(struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    if (!may_take(group))
        return;
    if (!group->placeholders && group->wait != YK_WAIT_NODES && !yk_list_linked(&group->in_takers))
        yk_list_append(&partition->gang_waits.takers, &group->in_takers);
    yk_gang_wait_note(partition);
}

bool yk_gang_wait_has_work(const struct yk_partition *partition)
{
    return partition->gang_waits.due || partition->gang_waits.look.phase != YK_GANG_NO_LOOK ||
           !yk_list_empty(&partition->gang_waits.settled);
}

/* ---- waiting gangs ---- */

void yk_gang_wait_update_held(struct yk_gang *gang)
{
    const struct yk_app *app = gang->app;
    struct yk_group *group;
    bool incomplete = yk_list_linked(&gang->in_waiting) && app->leaf != NULL && yk_gang_is_incomplete(gang);
    gang->is_held = incomplete && (yk_gang_placement_in(app->leaf) == YK_GANG_WHOLE ||
                                   now_mono(app->partition) < gang->held_until_mono_ns ||
                                   (gang->never_fits && gang->gave_way));
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (!group->placeholders || gang->is_held == (group->wait == YK_WAIT_GANG))
            continue;
        yk_active_set_wait(group, gang->is_held ? YK_WAIT_GANG : yk_group_wait_for_nodes(group));
    }
}

void yk_gang_wait_add(struct yk_gang *gang, const struct yk_ask *placeholder)
{
    struct yk_gang_waits *waits = waits_of(gang);
    gang->priority = yk_ask_priority(placeholder);
    if (yk_tree_linked(&gang->in_order))
        yk_tree_moved(&waits->look.order, &gang->in_order);
    gang->fits_epoch = 0; /* the gang has one placeholder more, so this has to be computed again */
    if (yk_resvec_is_empty(&gang->total) || yk_list_linked(&gang->in_waiting) || !yk_gang_is_incomplete(gang))
        return;
    yk_list_append(&waits->gangs, &gang->in_waiting);
    yk_gang_wait_update_held(gang);
}

void yk_gang_wait_members_changed(struct yk_gang *gang)
{
    gang->fits_epoch = 0;
}

void yk_gang_wait_leave_order(struct yk_gang *gang)
{
    if (yk_tree_linked(&gang->in_order))
        yk_tree_remove(&waits_of(gang)->look.order, &gang->in_order);
}

void yk_gang_wait_remove(struct yk_gang *gang)
{
    struct yk_gang_look *look = &waits_of(gang)->look;
    if (look->next == &gang->in_waiting)
        look->next = gang->in_waiting.next;
    yk_list_remove(&gang->in_waiting);
    yk_gang_wait_leave_order(gang);
    if (gang->handover != NULL)
        yk_handover_break(gang->handover);
    if (gang->is_held)
        yk_gang_wait_update_held(gang);
}

/* ---- gangs that never fit ---- */

/* Reports for the pending placeholders that the gang can never start, or, if it can, what else they wait
 * for. */
static void tell_members(const struct yk_gang *gang)
{
    struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (!group->placeholders)
            continue;
        if (gang->never_fits)
            yk_active_log_wait(group, YK_WAIT_GANG);
        yk_outstanding_reset_reason(group);
    }
    yk_outstanding_note_app(gang->app); /* also without pending placeholders */
}

static void update_never_fits(struct yk_gang *gang)
{
    const char *why = yk_gang_check_fit(gang, &gang->exceeds_limit), *before = gang->never_fits_why;
    gang->fits_epoch = waits_of(gang)->capacity_epoch;
    gang->never_fits = why != NULL;
    gang->never_fits_why = why;
    if (before != why)
        tell_members(gang);
    if ((before == NULL) == (why == NULL))
        return;
    if (why != NULL) {
        yk_warn(yk_log_app, "a gang can never start", KV("app", gang->app->id),
                KV("queue", gang->app->queue_path), KV("why", why));
        yk_report_gang_never_fits(gang->app, why);
    } else {
        yk_info(yk_log_app, "a gang may start now", KV("app", gang->app->id),
                KV("queue", gang->app->queue_path));
    }
    yk_gang_wait_update_held(gang);
}

static bool may_start(struct yk_app *app)
{
    return !yk_backoff_rests(app) && !yk_stateaware_holds(app) && yk_limit_gate_check_start(app);
}

/* ---- takers: asks that are no placeholders ---- */

static bool serve_first(struct yk_group *group)
{
    struct yk_app *app = group->app;
    struct yk_gang_plan plan = {
        .partition = app->partition, .claim = {app, group->priority}, .may_preempt = false};
    yk_vec_append(&plan.asks, group->first);
    return yk_gang_give_way_try(&plan);
}

struct taker_list {
    struct yk_group *groups[TAKERS_MAX];
    size_t count;
};

static enum yk_wait_visit add_taker(void *context, struct yk_group *group)
{
    struct taker_list *list = context;
    if (list->count == TAKERS_MAX)
        return YK_WAIT_VISIT_STOP;
    if (!group->placeholders)
        list->groups[list->count++] = group;
    return YK_WAIT_VISIT_NEXT;
}

/* Lists groups that wait for nodes, in the order of the cycle: they could use what incomplete gangs hold. */
static void list_waiting(struct yk_partition *partition)
{
    struct taker_list list = {.count = 0};
    const struct yk_wait_search search = {.visit = add_taker, .context = &list};
    (void)yk_wait_order_find(partition->root, &search); /* takes none: they are in the list */
    for (size_t i = 0; i < list.count; i++) {
        yk_list_remove(&list.groups[i]->in_takers);
        yk_list_append(&partition->gang_waits.look.serving, &list.groups[i]->in_takers);
    }
}

/* Whether a group that comes before it in order holds a limit of the group. */
static bool is_held_back(const struct yk_group *group)
{
    return yk_limit_held_usage(group) != NULL ||
           yk_limit_held_queue(group->app, group, &group->shape->size) != NULL;
}

/* Makes a dry run for the first ask of the first group in `takers`. False: none was made. Sets `*any` to
 * whether the ask starts. */
static bool serve(struct yk_gang_look *look, struct yk_list *takers, bool *any)
{
    struct yk_group *group = yk_list_first(takers, struct yk_group, in_takers);
    bool may_be_served = look->served < TAKER_ASKS_MAX && may_take(group) && may_start(group->app) &&
                         !is_held_back(group) && yk_gang_supply_may_do(group->app->partition, group->first);
    *any = may_be_served && serve_first(group);
    look->found |= *any;
    look->served++;
    return may_be_served;
}

/* Removes the first group from `takers` after it was served. If it waits for headroom, it is a taker again in
 * the first look after a change. */
static void put_aside(struct yk_gang_waits *waits, struct yk_list *takers)
{
    struct yk_group *group = yk_list_first(takers, struct yk_group, in_takers);
    waits->look.served = 0;
    yk_list_remove(&group->in_takers);
    if (may_take(group) && group->wait != YK_WAIT_NODES)
        yk_list_append(&waits->tried, &group->in_takers);
}

/* ---- gangs ---- */

/* Whether all placeholders that the gang announced exist, allocated or pending, and some are pending. Sets
 * `ret_missing` to the sum of the pending ones. */
static bool has_all_asks(const struct yk_gang *gang, struct yk_resvec *ret_missing)
{
    const struct yk_app *app = gang->app;
    const struct yk_group *group;
    YK_RESVEC(sum);
    yk_resvec_clear(ret_missing);
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        YK_RESVEC(size);
        if (!group->placeholders)
            continue;
        yk_resvec_copy(&size, &group->shape->size);
        yk_resvec_mul(&size, (int64_t)group->asks.count);
        yk_resvec_add(ret_missing, &size);
    }
    yk_resvec_copy(&sum, ret_missing);
    yk_resvec_add(&sum, &app->allocated_placeholder);
    return !yk_resvec_is_empty(ret_missing) && yk_resvec_eq(&sum, &gang->total);
}

/* Whether some allocated placeholders of the gang may no longer be replaced, because they have been asked to
 * end. */
static bool some_are_ending(const struct yk_gang *gang)
{
    uint64_t free_ones = 0;
    const struct yk_task_group *group;
    yk_list_foreach (group, &gang->groups, struct yk_task_group, in_gang)
        free_ones += group->placeholders.count;
    return free_ones != gang->app->placeholder_count;
}

/* Adds to `most` what is used above the capacity of the node: it makes the free amount of the partition
 * smaller, but other nodes do not lack it. */
static void add_overcommitment(const struct yk_node *node, struct yk_resvec *most)
{
    yk_resvec_foreach(t, node->available)
    {
        int64_t available = yk_resvec_get(node->available, t);
        if (available < 0)
            yk_resvec_put(most, t, yk_i64_sub(yk_resvec_get(most, t), available));
    }
}

/* The monotonic time from which on preemption may be planned for the gang; INT64_MAX: never. */
static int64_t preempts_at(const struct yk_gang *gang)
{
    const struct yk_app *app = gang->app;
    int64_t newest_wall_ns = INT64_MIN;
    const struct yk_group *group;
    if (!yk_gang_plan_could_preempt(app))
        return INT64_MAX;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->placeholders)
            newest_wall_ns = YK_MAX(newest_wall_ns, group->first->create_wall_ns);
    }
    int64_t left_ns = yk_i64_sub(yk_i64_add(newest_wall_ns, app->leaf->settings.preemption_delay_ns),
                                 yk_core_now(app->partition->core));
    return yk_i64_add(now_mono(app->partition), left_ns);
}

static void look_again_at(struct yk_gang_look *look, int64_t mono_ns)
{
    look->next_ns = YK_MIN(look->next_ns, mono_ns);
}

/* Whether a dry run for the gang has failed less than RETRY_NS ago, and the capacity has not changed
 * since. */
static bool rests(const struct yk_gang *gang, int64_t now_ns)
{
    return gang->retry_mono_ns > now_ns && gang->retry_epoch == waits_of(gang)->capacity_epoch;
}

/* Whether yk_gang_supply_may_do() is true for each missing placeholder of the gang. */
static bool could_be_placed(const struct yk_gang *gang)
{
    const struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (group->placeholders && !yk_gang_supply_may_do(gang->app->partition, group->first))
            return false;
    }
    return true;
}

/* Whether the gang may be able to start as a whole, so that a dry run is made for it. `*ret_needs_nodes` is
 * true if the answer is false now, but may be true after the phase YK_GANG_NODES. */
static bool may_start_whole(struct yk_gang_look *look, struct yk_gang *gang, bool *ret_needs_nodes)
{
    YK_RESVEC(missing);
    *ret_needs_nodes = false;
    if (gang->handover != NULL || gang->never_fits || !has_all_asks(gang, &missing) ||
        some_are_ending(gang) || !may_start(gang->app))
        return false;
    int64_t preempts_ns = preempts_at(gang);
    if (preempts_ns != INT64_MAX && preempts_ns > look->now_ns)
        look_again_at(look, preempts_ns);
    if (preempts_ns > look->now_ns && !yk_resvec_fit_actual(&look->most, &missing)) {
        *ret_needs_nodes = !look->has_overcommitment;
        return false;
    }
    if (rests(gang, look->now_ns)) {
        look_again_at(look, gang->retry_mono_ns);
        return false;
    }
    return preempts_ns <= look->now_ns || could_be_placed(gang);
}

/* Makes a dry run for the gang. True: it starts. */
static bool plan_gang(const struct yk_gang_look *look, struct yk_gang *gang)
{
    struct yk_gang_plan plan = {.partition = gang->app->partition,
                                .gang = gang,
                                .claim = yk_gang_claim(gang),
                                .may_preempt = preempts_at(gang) <= look->now_ns};
    yk_gang_plan_list_missing(gang, &plan.asks);
    gang->last_dry_run = waits_of(gang)->looks;
    if (yk_gang_give_way_try(&plan))
        return true;
    gang->retry_mono_ns = yk_i64_add(look->now_ns, RETRY_NS);
    gang->retry_epoch = waits_of(gang)->capacity_epoch;
    return false;
}

/* ---- a look, step by step ---- */

/* The next gang of a pass over all waiting gangs; NULL: the pass has ended. */
static struct yk_gang *next_gang(struct yk_gang_waits *waits)
{
    struct yk_list *next = waits->look.next;
    if (next == &waits->gangs)
        return NULL;
    waits->look.next = next->next;
    return YK_CONTAINER(next, struct yk_gang, in_waiting);
}

static void begin_pass(struct yk_gang_waits *waits, enum yk_gang_phase phase)
{
    waits->look.phase = phase;
    waits->look.next = waits->gangs.next;
}

/* Begins to count what gangs hold. `dry_runs`: the phase of dry runs that follows after the count. */
static void begin_count(struct yk_partition *partition, enum yk_gang_phase dry_runs)
{
    struct yk_gang_look *look = &partition->gang_waits.look;
    yk_resvec_clear(&look->most);
    look->has_overcommitment = false;
    look->dry_runs = dry_runs;
    yk_gang_order_begin(partition);
    if (dry_runs == YK_GANG_PLAN)
        yk_gang_supply_begin(partition);
    begin_pass(&partition->gang_waits, YK_GANG_COUNT);
}

/* The first phase for one gang. Ends the step (`*budget` 0) if it was expensive. */
static void update(struct yk_gang_waits *waits, struct yk_gang *gang, int *budget)
{
    struct yk_gang_look *look = &waits->look;
    if (!yk_gang_is_incomplete(gang)) {
        yk_gang_wait_remove(gang);
        return;
    }
    if (gang->fits_epoch != waits->capacity_epoch && look->computed < FITS_MAX) {
        look->computed++;
        *budget = 0;
        update_never_fits(gang);
    } else if (gang->fits_epoch != waits->capacity_epoch) {
        look_again_at(look, yk_i64_add(look->now_ns, LOOK_NS));
    }
    yk_gang_wait_update_held(gang);
    if (gang->held_until_mono_ns > look->now_ns)
        look_again_at(look, gang->held_until_mono_ns);
}

/* Whether the regular walk has something to try, such as placeholders of gangs that are no longer held. The
 * walk goes first, and the look begins again when the walk finds nothing. */
static bool walk_has_work(const struct yk_partition *partition)
{
    return yk_active_has_work(partition->root) || yk_freed_nodes_has_work(partition) ||
           yk_limit_wait_has_work(partition);
}

static void begin_look(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    struct yk_gang_look *look = &waits->look;
    waits->looks++;
    look->now_ns = now_mono(partition);
    look->next_ns = INT64_MAX;
    look->computed = look->failed = look->served = 0;
    look->groups_left = TAKERS_MAX;
    look->found = false;
    begin_pass(waits, YK_GANG_UPDATE);
}

static void step_update(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    struct yk_gang *gang;
    int budget = STEP_GANGS;
    while (budget-- > 0) {
        gang = next_gang(waits);
        if (gang != NULL) {
            update(waits, gang, &budget);
            continue;
        }
        waits->look.phase = YK_GANG_NO_LOOK; /* the look is still due, if the walk goes first */
        if (walk_has_work(partition))
            return;
        if (waits->changed)
            yk_list_splice(&waits->takers, &waits->tried);
        waits->due = waits->changed = false;
        waits->last_look_mono_ns = waits->look.now_ns;
        yk_timer_cancel(partition->core->timers, &waits->timer);
        begin_count(partition, YK_GANG_PLAN);
        return;
    }
}

static void step_count(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    struct yk_gang_look *look = &waits->look;
    for (int budget = STEP_GANGS; budget > 0; budget--) {
        struct yk_gang *gang = next_gang(waits);
        if (gang == NULL) {
            yk_resvec_add(&look->most, &partition->root->max);
            yk_resvec_sub(&look->most, &partition->root->allocated);
            begin_pass(waits, YK_GANG_CHOOSE);
            return;
        }
        if (yk_tree_linked(&gang->in_order))
            yk_tree_remove(&look->order, &gang->in_order);
        if (!yk_gang_is_incomplete(gang))
            continue;
        yk_gang_order_count(gang);
        if (look->dry_runs == YK_GANG_PLAN)
            budget -= (int)YK_MIN(yk_gang_supply_count(gang), (size_t)STEP_GANGS);
        yk_resvec_add(&look->most, &gang->app->allocated_placeholder);
    }
}

static void step_choose(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    struct yk_gang_look *look = &waits->look;
    for (int budget = STEP_GANGS; budget > 0; budget--) {
        bool needs_nodes = false;
        struct yk_list *at = look->next;
        struct yk_gang *gang = next_gang(waits);
        if (gang == NULL) {
            look->phase = look->dry_runs;
            return;
        }
        gang->is_candidate = look->dry_runs == YK_GANG_PLAN && may_start_whole(look, gang, &needs_nodes);
        if (needs_nodes) {
            look->next = at;
            look->next_node = 0;
            look->phase = YK_GANG_NODES;
            return;
        }
        if (gang->is_candidate || gang->app->placeholder_count > 0)
            yk_tree_insert(&look->order, &gang->in_order);
    }
}

static void step_nodes(struct yk_partition *partition)
{
    struct yk_gang_look *look = &partition->gang_waits.look;
    size_t end = YK_MIN(look->next_node + STEP_NODES, partition->nodes.count);
    for (; look->next_node < end; look->next_node++) {
        const struct yk_node *node = partition->nodes.items[look->next_node];
        if (node != NULL)
            add_overcommitment(node, &look->most);
    }
    if (end < partition->nodes.count)
        return;
    look->has_overcommitment = true;
    look->phase = YK_GANG_CHOOSE;
}

/* The candidate whose last dry run is the longest ago, so that the first ones in order do not use up the dry
 * runs of every look; among equals the first in order. */
static struct yk_gang *last_in_turn(const struct yk_gang_look *look)
{
    struct yk_gang *gang, *found = NULL;
    yk_tree_foreach (gang, &look->order, struct yk_gang, in_order) {
        if (gang->is_candidate && (found == NULL || gang->last_dry_run < found->last_dry_run))
            found = gang;
    }
    return found;
}

static struct yk_gang *next_candidate(const struct yk_gang_look *look)
{
    struct yk_gang *gang;
    if (look->failed == DRY_RUNS_MAX)
        return last_in_turn(look);
    yk_tree_foreach (gang, &look->order, struct yk_gang, in_order) {
        if (gang->is_candidate)
            return gang;
    }
    return NULL;
}

/* Makes a dry run for the next candidate. When a gang starts, the other candidates have their turn in the
 * next look. */
static void step_plan(struct yk_partition *partition)
{
    struct yk_gang_look *look = &partition->gang_waits.look;
    struct yk_gang *gang = next_candidate(look);
    /* Ignored: if true, amounts have changed, and the gang has its turn in the next look. */
    bool needs_nodes;
    bool has_turn = gang != NULL && look->failed <= DRY_RUNS_MAX;
    if (gang != NULL && !has_turn)
        look_again_at(look, yk_i64_add(look->now_ns, LOOK_NS));
    if (!has_turn) {
        list_waiting(partition);
        look->phase = YK_GANG_SERVE_NODES;
        return;
    }
    gang->is_candidate = false;
    if (!yk_gang_is_incomplete(gang) || !may_start_whole(look, gang, &needs_nodes))
        return;
    if (!plan_gang(look, gang)) {
        look->failed++;
        return;
    }
    look->found = true;
    list_waiting(partition);
    begin_count(partition, YK_GANG_SERVE_NODES);
}

/* Makes a dry run for an ask of the first taker that may start, and puts takers aside that may not, or whose
 * dry run failed; at most `*left` of them. False: there is no taker left, or `*left` is 0. */
static bool step_serve(struct yk_partition *partition, struct yk_list *takers, size_t *left)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    while (*left > 0 && !yk_list_empty(takers)) {
        bool any, was_run = serve(&waits->look, takers, &any);
        if (any) {
            begin_count(partition, waits->look.phase);
            return true;
        }
        put_aside(waits, takers);
        (*left)--;
        if (was_run)
            return true;
    }
    return false;
}

static void end_look(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    struct yk_gang_look *look = &waits->look;
    look->phase = YK_GANG_NO_LOOK;
    waits->changed |= look->found; /* the order has changed, so another gang may start, too */
    if (look->found)
        look_again_at(look, look->now_ns);
    else if (waits->changed || !yk_list_empty(&waits->takers))
        look_again_at(look, yk_i64_add(look->now_ns, LOOK_NS));
    if (look->next_ns != INT64_MAX)
        look_at(partition, look->next_ns);
}

bool yk_gang_wait_is_updating(const struct yk_partition *partition)
{
    return partition->gang_waits.look.phase == YK_GANG_UPDATE;
}

static void take_step(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    struct yk_gang_look *look = &waits->look;
    switch (look->phase) {
    case YK_GANG_NO_LOOK:
        begin_look(partition);
        step_update(partition);
        break;
    case YK_GANG_UPDATE:
        step_update(partition);
        break;
    case YK_GANG_COUNT:
        step_count(partition);
        break;
    case YK_GANG_CHOOSE:
        step_choose(partition);
        break;
    case YK_GANG_NODES:
        step_nodes(partition);
        break;
    case YK_GANG_PLAN:
        step_plan(partition);
        break;
    case YK_GANG_SERVE_NODES:
        if (!step_serve(partition, &look->serving, &look->groups_left)) {
            look->groups_left = TAKERS_MAX;
            look->phase = YK_GANG_SERVE_LIMITS;
        }
        break;
    case YK_GANG_SERVE_LIMITS:
        if (!step_serve(partition, &waits->takers, &look->groups_left))
            end_look(partition);
        break;
    }
}

enum yk_turn yk_gang_wait_turn(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    if (waits->look.phase == YK_GANG_NO_LOOK && !waits->due)
        return YK_TURN_IDLE;
    waits->steps++;
    yk_turn_note_step(partition, true);
    take_step(partition);
    return waits->look.phase == YK_GANG_NO_LOOK && waits->look.found ? YK_TURN_DECIDED : YK_TURN_PARKED;
}
