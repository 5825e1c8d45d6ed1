/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/gang_wait.h"

#include "base/log.h"
#include "scheduler/backoff.h"
#include "scheduler/core.h"
#include "scheduler/event_tell.h"
#include "scheduler/freed_nodes.h"
#include "scheduler/gang.h"
#include "scheduler/gang_fit.h"
#include "scheduler/gang_order.h"
#include "scheduler/gang_plan.h"
#include "scheduler/handover.h"
#include "scheduler/limit_wait.h"
#include "scheduler/outstanding.h"
#include "scheduler/quota.h"
#include "scheduler/ready.h"
#include "scheduler/stateaware.h"
#include "scheduler/wait_order.h"

#define LOOK_NS  YK_NS_PER_S         /* between two looks */
#define RETRY_NS (5 * YK_NS_PER_S)   /* after a dry run that failed */
#define HELD_NS  (120 * YK_NS_PER_S) /* after a gang gave way */

enum {
    DRY_RUNS_MAX = 4,     /* that fail, in one look */
    TAKERS_MAX = 64,      /* groups of asks in one look */
    TAKER_ASKS_MAX = 256, /* asks of one group */
    FITS_MAX = 16,        /* gangs in one look whose largest possible size is computed */
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
    waits->capacity_epoch = 1;
}

void yk_gang_wait_done(struct yk_partition *partition)
{
    YK_ASSERT(yk_list_empty(&partition->gang_waits.gangs) && yk_list_empty(&partition->gang_waits.settled));
    yk_timer_cancel(partition->core->timers, &partition->gang_waits.timer);
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
    struct yk_gang *gang;
    partition->gang_waits.capacity_epoch++;
    yk_list_foreach (gang, &partition->gang_waits.gangs, struct yk_gang, in_waiting)
        gang->retry_mono_ns = INT64_MIN;
    yk_gang_wait_note(partition);
}

/* Whether the group waits for something that incomplete gangs may hold. */
static bool may_take(const struct yk_group *group)
{
    return (group->wait == YK_WAIT_NODES || group->wait == YK_WAIT_QUEUE_QUOTA ||
            group->wait == YK_WAIT_USER_QUOTA) &&
           group->required_node == NULL && group->asks.count > 0;
}

/* Also while no gang waits: what waits for a limit is not tried again when a gang comes. What waits for nodes
 * is listed in each look. */
void yk_gang_wait_refused(struct yk_group *group)
{
    struct yk_partition *partition = group->app->partition;
    if (!may_take(group))
        return;
    if (!group->placeholders && group->wait != YK_WAIT_NODES && !yk_list_linked(&group->in_takers))
        yk_list_append(&partition->gang_waits.takers, &group->in_takers);
    yk_gang_wait_note(partition);
}

bool yk_gang_wait_preempts_whole(const struct yk_group *group)
{
    return group->placeholders && group->task_group != NULL &&
           yk_list_linked(&group->task_group->gang->in_waiting) &&
           yk_gang_is_incomplete(group->task_group->gang);
}

bool yk_gang_wait_has_work(const struct yk_partition *partition)
{
    return partition->gang_waits.due || !yk_list_empty(&partition->gang_waits.settled);
}

/* ---- who waits, and how ---- */

/* A dynamic leaf has the properties of a template only: what its template leaves out, its parents say. */
static enum yk_gang_placement placement_in(const struct yk_queue *leaf)
{
    const struct yk_queue *queue = leaf;
    while (!queue->managed && queue->settings.gang_placement == YK_GANG_GRADUAL && queue->parent != NULL)
        queue = queue->parent;
    return queue->settings.gang_placement;
}

bool yk_gang_is_incomplete(const struct yk_gang *gang)
{
    const struct yk_app *app = gang->app;
    /* When real pods came, the resource manager counts the gang as started. */
    return (app->state == YK_APP_ACCEPTED || app->state == YK_APP_NEW) && !gang->real_came &&
           !yk_resvec_is_empty(&gang->total) && yk_resvec_is_empty(&app->allocated) && app->leaf != NULL &&
           placement_in(app->leaf) != YK_GANG_KEEP;
}

/* Its placeholders wait for the whole gang, or may be placed one by one. */
static void update_held(struct yk_gang *gang)
{
    const struct yk_app *app = gang->app;
    struct yk_group *group;
    bool incomplete = yk_list_linked(&gang->in_waiting) && app->leaf != NULL && yk_gang_is_incomplete(gang);
    gang->is_held = incomplete && (placement_in(app->leaf) == YK_GANG_WHOLE ||
                                   now_mono(app->partition) < gang->held_until_mono_ns ||
                                   (gang->never_fits && gang->gave_way));
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (!group->placeholders || gang->is_held == (group->wait == YK_WAIT_GANG))
            continue;
        yk_ready_set_wait(group, gang->is_held ? YK_WAIT_GANG : yk_group_wait_for_nodes(group));
    }
}

void yk_gang_wait_add(struct yk_gang *gang, const struct yk_ask *placeholder)
{
    struct yk_gang_waits *waits = waits_of(gang);
    gang->priority = yk_ask_priority(placeholder);
    gang->fits_epoch = 0; /* one member more */
    if (yk_resvec_is_empty(&gang->total) || yk_list_linked(&gang->in_waiting) || !yk_gang_is_incomplete(gang))
        return;
    yk_list_append(&waits->gangs, &gang->in_waiting);
    update_held(gang);
}

void yk_gang_wait_remove(struct yk_gang *gang)
{
    yk_list_remove(&gang->in_waiting);
    if (gang->handover != NULL)
        yk_handover_break(gang->handover);
    if (gang->is_held)
        update_held(gang);
}

/* ---- gangs that never fit ---- */

/* In the log of the attempts, for REST. */
static void note_in_log(struct yk_group *group)
{
    struct yk_wait_log *log = &group->log[YK_WAIT_GANG];
    log->count++;
    log->last_wall_ns = yk_core_now(group->app->partition->core);
}

/* Its placeholders say so, or what else they wait for. */
static void tell_members(const struct yk_gang *gang)
{
    struct yk_group *group;
    yk_tree_foreach (group, &gang->app->pending_groups, struct yk_group, in_pending) {
        if (!group->placeholders)
            continue;
        if (gang->never_fits)
            note_in_log(group);
        group->skipped_by = (struct yk_refusal){YK_REFUSAL_NONE, 0};
        yk_outstanding_tell_again(group);
    }
    yk_outstanding_note_app(gang->app);
}

static void update_never_fits(struct yk_gang *gang)
{
    const char *why = yk_gang_never_fits(gang, &gang->exceeds_limit), *before = gang->never_fits_why;
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
        yk_tell_gang_never_fits(gang->app, why);
    } else {
        yk_info(yk_log_app, "a gang may start now", KV("app", gang->app->id),
                KV("queue", gang->app->queue_path));
    }
    update_held(gang);
}

/* ---- giving way ---- */

/* A gang that gave way starts anew: its time-out begins again, and for a while it is placed as a whole only,
 * so that it does not take one by one what it would have to give up again. */
static void note_gave_way(const struct yk_gang_plan *plan, struct yk_gang *loser)
{
    struct yk_partition *partition = loser->app->partition;
    loser->gave_way = true;
    if (!loser->never_fits) {
        struct yk_claim its = yk_gang_claim(loser);
        loser->was_overtaken |= yk_gang_order(&plan->claim, &its) > 0;
        yk_gang_restart_timer(loser);
        loser->held_until_mono_ns = yk_i64_add(now_mono(partition), HELD_NS);
    }
    update_held(loser);
}

static void carry_out(struct yk_gang_plan *plan)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    const struct yk_app *app = plan->claim.app;
    struct yk_ask *victim;
    yk_buf_printf(&message, "Gives way to %s '%s' in queue '%s'", plan->gang != NULL ? "gang" : "application",
                  app->id, app->queue_path);
    yk_info(yk_log_alloc, plan->gang != NULL ? "a gang starts whole" : "an ask starts", KV("app", app->id),
            KV("queue", app->queue_path), KV("asks", plan->asks.count), KV("end", plan->victims.count));
    yk_vec_foreach (victim, &plan->victims) {
        struct yk_gang *loser = yk_ask_app(victim)->gang;
        if ((victim->flags & YK_ASK_PLACEHOLDER) != 0 && yk_list_linked(&loser->in_waiting))
            note_gave_way(plan, loser);
    }
    yk_handover_begin(plan->partition, plan->gang, &plan->asks, &plan->nodes, &plan->victims,
                      yk_buf_cstr(&message));
}

static int order_of_givers(const void *x, const void *y)
{
    const struct yk_gang *a = x, *b = y;
    if (a->never_fits != b->never_fits)
        return a->never_fits ? -1 : 1;
    return yk_gang_order_gangs(b, a); /* the last one first */
}

/* The gangs that may give way to the claim, the last one in the order first; those that never fit before all.
 */
static void list_givers(struct yk_partition *partition, const struct yk_claim *claim, bool is_gang,
                        struct yk_vec *ret_givers)
{
    struct yk_gang *gang;
    yk_list_foreach (gang, &partition->gang_waits.gangs, struct yk_gang, in_waiting) {
        struct yk_claim its = yk_gang_claim(gang);
        if (gang->app == claim->app || gang->handover != NULL || gang->app->placeholder_count == 0 ||
            !yk_gang_is_incomplete(gang))
            continue;
        if (gang->never_fits || (is_gang && !gang->was_overtaken) || yk_gang_order(claim, &its) < 0)
            yk_vec_append(ret_givers, gang);
    }
    yk_vec_sort(ret_givers, order_of_givers);
}

static bool try_plan(struct yk_gang_plan *plan)
{
    YK_CLEANUP(yk_vec_done) struct yk_vec givers = {0};
    list_givers(plan->partition, &plan->claim, plan->gang != NULL, &givers);
    bool found = yk_gang_plan_make(plan, &givers);
    if (found) {
        carry_out(plan);
        yk_gang_order_prepare(plan->partition);
    }
    yk_gang_plan_done(plan);
    return found;
}

/* Whether nothing but capacity keeps the application from starting. */
static bool may_start(struct yk_app *app)
{
    return !yk_backoff_rests(app) && !yk_stateaware_holds(app) && yk_quota_may_start(app);
}

/* ---- takers: asks that are no placeholders ---- */

static bool serve_first(struct yk_group *group)
{
    struct yk_app *app = group->app;
    if (!may_take(group) || !may_start(app))
        return false;
    struct yk_gang_plan plan = {
        .partition = app->partition, .claim = {app, group->priority}, .may_preempt = false};
    yk_vec_append(&plan.asks, group->first);
    return try_plan(&plan);
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

static bool serve(struct yk_group *group)
{
    size_t served = 0;
    while (served < TAKER_ASKS_MAX && serve_first(group))
        served++;
    return served > 0;
}

/* What waits for nodes, in the order of the walk: it is not tried again when nothing comes free, but
 * incomplete gangs may have taken what it could use. No group ends while others are served: their asks are
 * kept. */
static bool serve_waiting(struct yk_partition *partition)
{
    struct taker_list list = {.count = 0};
    const struct yk_wait_search search = {.visit = add_taker, .context = &list};
    bool any = false;
    (void)yk_wait_order_find(partition->root, &search); /* takes none: they are in the list */
    for (size_t i = 0; i < list.count; i++)
        any |= serve(list.groups[i]);
    return any;
}

/* What waits for limits, in the order in which it was tried. It is tried again after the next change. */
static bool serve_limited(struct yk_gang_waits *waits)
{
    bool any = false;
    for (size_t i = 0; i < TAKERS_MAX; i++) {
        struct yk_group *group = yk_list_first(&waits->takers, struct yk_group, in_takers);
        if (group == NULL)
            break;
        any |= serve(group);
        yk_list_remove(&group->in_takers);
        if (may_take(group) && group->wait != YK_WAIT_NODES)
            yk_list_append(&waits->tried, &group->in_takers);
    }
    return any;
}

static bool serve_takers(struct yk_partition *partition)
{
    bool any = serve_waiting(partition);
    return serve_limited(&partition->gang_waits) || any;
}

/* ---- gangs ---- */

/* All its placeholders are there: allocated, and not asked to end, or pending. */
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

static bool some_are_ending(const struct yk_gang *gang)
{
    uint64_t free_ones = 0;
    const struct yk_task_group *group;
    yk_list_foreach (group, &gang->groups, struct yk_task_group, in_gang)
        free_ones += group->placeholders.count;
    return free_ones != gang->app->placeholder_count;
}

/* What is free, and what incomplete gangs hold: no gang that lacks more can start. */
static void most_there_is(struct yk_partition *partition, struct yk_resvec *ret_most)
{
    const struct yk_gang *gang;
    yk_resvec_copy(ret_most, &partition->root->max);
    yk_resvec_sub(ret_most, &partition->root->allocated);
    yk_list_foreach (gang, &partition->gang_waits.gangs, struct yk_gang, in_waiting) {
        if (yk_gang_is_incomplete(gang))
            yk_resvec_add(ret_most, &gang->app->allocated_placeholder);
    }
}

/* Adds what is used above the capacity of single nodes: it is missing there only. O(nodes). */
static void add_overcommitment(const struct yk_partition *partition, struct yk_resvec *most)
{
    const struct yk_node *node;
    yk_vec_foreach (node, &partition->nodes) {
        if (node == NULL)
            continue;
        yk_resvec_foreach(t, node->available)
        {
            int64_t available = yk_resvec_get(node->available, t);
            if (available < 0)
                yk_resvec_put(most, t, yk_i64_sub(yk_resvec_get(most, t), available));
        }
    }
}

/* When preemption may be planned for it: INT64_MAX: never. */
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

struct look {
    struct yk_partition *partition;
    int64_t now_ns, next_ns; /* when to look again, if nothing changes before; INT64_MAX: not at all */
    struct yk_resvec most;
    bool has_overcommitment;  /* in `most` */
    struct yk_vec candidates; /* struct yk_gang */
};

static bool is_there(struct look *look, const struct yk_resvec *missing)
{
    if (!yk_resvec_fit_actual(&look->most, missing) && !look->has_overcommitment) {
        add_overcommitment(look->partition, &look->most);
        look->has_overcommitment = true;
    }
    return yk_resvec_fit_actual(&look->most, missing);
}

static void look_again_at(struct look *look, int64_t mono_ns)
{
    look->next_ns = YK_MIN(look->next_ns, mono_ns);
}

static void consider(struct look *look, struct yk_gang *gang)
{
    YK_RESVEC(missing);
    if (gang->handover != NULL || gang->never_fits || !has_all_asks(gang, &missing) ||
        some_are_ending(gang) || !may_start(gang->app))
        return;
    int64_t preempts_ns = preempts_at(gang);
    if (preempts_ns != INT64_MAX && preempts_ns > look->now_ns)
        look_again_at(look, preempts_ns);
    if (preempts_ns > look->now_ns && !is_there(look, &missing))
        return;
    if (gang->retry_mono_ns > look->now_ns) {
        look_again_at(look, gang->retry_mono_ns);
        return;
    }
    yk_vec_append(&look->candidates, gang);
}

static void update_all(struct look *look)
{
    struct yk_gang_waits *waits = &look->partition->gang_waits;
    struct yk_gang *gang;
    size_t computed = 0;
    yk_list_foreach (gang, &waits->gangs, struct yk_gang, in_waiting) {
        if (!yk_gang_is_incomplete(gang)) {
            yk_gang_wait_remove(gang);
            continue;
        }
        if (gang->fits_epoch != waits->capacity_epoch && computed < FITS_MAX) {
            computed++;
            update_never_fits(gang);
        } else if (gang->fits_epoch != waits->capacity_epoch) {
            look_again_at(look, yk_i64_add(look->now_ns, LOOK_NS));
        }
        update_held(gang);
        if (gang->held_until_mono_ns > look->now_ns)
            look_again_at(look, gang->held_until_mono_ns);
    }
}

static bool plan_gang(struct look *look, struct yk_gang *gang)
{
    struct yk_gang_plan plan = {.partition = look->partition,
                                .gang = gang,
                                .claim = yk_gang_claim(gang),
                                .may_preempt = preempts_at(gang) <= look->now_ns};
    yk_gang_plan_list_missing(gang, &plan.asks);
    if (try_plan(&plan))
        return true;
    gang->retry_mono_ns = yk_i64_add(look->now_ns, RETRY_NS);
    return false;
}

/* Plans for the first of the candidates in order that can start. */
static bool plan_gangs(struct look *look)
{
    struct yk_gang *gang;
    size_t failed = 0;
    look->partition->turn_was_long = true;
    most_there_is(look->partition, &look->most);
    yk_list_foreach (gang, &look->partition->gang_waits.gangs, struct yk_gang, in_waiting)
        consider(look, gang);
    yk_vec_sort(&look->candidates, yk_gang_order_gangs);
    yk_vec_foreach (gang, &look->candidates) {
        if (failed == DRY_RUNS_MAX) {
            look_again_at(look, yk_i64_add(look->now_ns, LOOK_NS));
            return false;
        }
        if (plan_gang(look, gang))
            return true;
        failed++;
    }
    return false;
}

/* Gangs that are held no longer, and nodes and limits of handovers that were broken, go to the first in the
 * walk: the look continues when the walk finds nothing. */
static bool walk_has_work(const struct yk_partition *partition)
{
    return yk_ready_has_work(partition->root) || yk_freed_nodes_has_work(partition) ||
           yk_limit_wait_has_work(partition);
}

enum yk_turn yk_gang_wait_turn(struct yk_partition *partition)
{
    struct yk_gang_waits *waits = &partition->gang_waits;
    struct look look = {.partition = partition, .now_ns = now_mono(partition), .next_ns = INT64_MAX};
    if (!waits->due)
        return YK_TURN_IDLE;
    waits->looks++;
    update_all(&look);
    yk_gang_order_prepare(partition);
    if (walk_has_work(partition))
        return YK_TURN_PARKED;
    if (waits->changed)
        yk_list_splice(&waits->takers, &waits->tried);
    waits->due = waits->changed = false;
    waits->last_look_mono_ns = look.now_ns;
    yk_timer_cancel(partition->core->timers, &waits->timer);
    bool found = plan_gangs(&look);
    found |= serve_takers(partition);
    yk_vec_done(&look.candidates);
    yk_resvec_done(&look.most);
    waits->changed |= found; /* the order, too: the next one may start as well */
    if (found)
        look_again_at(&look, look.now_ns);
    else if (waits->changed || !yk_list_empty(&waits->takers))
        look_again_at(&look, yk_i64_add(look.now_ns, LOOK_NS));
    if (look.next_ns != INT64_MAX)
        look_at(partition, look.next_ns);
    return found ? YK_TURN_DECIDED : YK_TURN_PARKED;
}
