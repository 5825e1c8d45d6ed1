/* SPDX-License-Identifier: Apache-2.0 */
#include "report/outstanding.h"

#include "report/refusal.h"
#include "report/timeline.h"
#include "report/unclaimed.h"
#include "report/wait_metrics.h"
#include "state/core.h"

#define INSPECTION_NS (YK_NS_PER_S * 8 / 10) /* time from yk_outstanding_note() to the walk */
#define STEP_NS       (10 * YK_NS_PER_MS)    /* time between two steps */

enum {
    STEP_MAX = 256,  /* budget of one step; a group that is visited costs 1 */
    ASK_COST = 2,    /* cost of an ask that is reported */
    PASSED_ASKS = 8, /* asks that are passed without a report at the cost of 1 */
};

static const char waiting_for_nodes[] = "request is waiting for cluster resources become available";
static const char no_victims[] =
    "request is waiting for cluster resources become available, and preemption would not help";
static const struct yk_refusal no_refusal = {YK_REFUSAL_NONE, 0};

/* ---- lists of what is to be visited or reported ---- */

static struct yk_partition *partition_of(struct yk_outstanding *outstanding)
{
    return YK_CONTAINER(outstanding, struct yk_partition, outstanding);
}

static void arm(struct yk_partition *partition, struct yk_timer *timer, int64_t delay_ns)
{
    struct yk_core *core = partition->core;
    if (!core->manual && !yk_timer_armed(timer))
        yk_timer_arm(core->timers, timer, delay_ns);
}

void yk_outstanding_note(struct yk_partition *partition)
{
    arm(partition, &partition->outstanding.begin, INSPECTION_NS);
}

static bool may_lack_nodes(const struct yk_group *group)
{
    return group->wait == YK_WAIT_NODES || group->wait == YK_WAIT_GANG;
}

void yk_outstanding_note_wait(struct yk_group *group)
{
    const struct yk_app *app = group->app;
    if (group->wait == YK_WAIT_PLACEHOLDER || group->wait == YK_WAIT_REQUIRED_NODE ||
        (app->leaf != NULL && yk_refusal_waits_to_start(app)))
        yk_outstanding_note_group(group);
    if (!may_lack_nodes(group) || yk_list_linked(&group->report.in_lacking))
        return;
    group->report.fitting = 0; /* not known before a walk has visited the group */
    group->report.beyond_by = no_refusal;
    yk_list_append(&group->app->partition->outstanding.lacking, &group->report.in_lacking);
}

/* Whether the first `failed` asks have been reported as FAILED, and the others as SKIPPED because of
 * `refusal`. With YK_REFUSAL_NONE there is nothing to report about the others. */
static bool is_reported(const struct yk_group *group, uint64_t failed, struct yk_refusal refusal)
{
    uint64_t others = group->asks.count - YK_MIN(failed, (uint64_t)group->asks.count);
    if (group->report.unreported != others || group->report.forgotten != 0)
        return false;
    return refusal.kind == YK_REFUSAL_NONE || (group->report.unskipped == group->asks.count - others &&
                                               yk_refusal_is(group->report.skipped_by, refusal));
}

static void list_group(struct yk_group *group)
{
    if (!yk_list_linked(&group->report.in_skipped))
        yk_list_append(&group->app->partition->outstanding.groups, &group->report.in_skipped);
}

static void list_app(struct yk_app *app)
{
    if (!yk_list_linked(&app->report.in_skipped))
        yk_list_append(&app->partition->outstanding.apps, &app->report.in_skipped);
}

void yk_outstanding_note_group(struct yk_group *group)
{
    struct yk_refusal refusal = yk_refusal_of(group);
    bool by_limit = refusal.kind != YK_REFUSAL_NONE;
    if (by_limit && is_reported(group, 0, refusal))
        return;
    if (by_limit)
        list_group(group);
    yk_outstanding_note(group->app->partition);
}

void yk_outstanding_note_app(struct yk_app *app)
{
    list_app(app);
    yk_outstanding_note(app->partition);
}

void yk_outstanding_note_start(struct yk_app *app)
{
    if (app->report.wait_leaf == NULL)
        return; /* nothing was noted */
    app->report.is_outdated = true;
    yk_outstanding_note_app(app);
}

void yk_outstanding_note_leaf(struct yk_partition *partition, struct yk_queue *leaf, struct yk_queue *queue)
{
    struct yk_outstanding *outstanding = &partition->outstanding;
    if (leaf->report.refused_by == queue)
        return; /* the same queue as before: it was reported, or is about to be */
    leaf->report.refused_by = queue;
    if (outstanding->next_app != NULL && outstanding->next_app->leaf == leaf)
        outstanding->next_app = NULL; /* begins again with the first application */
    if (!yk_list_linked(&leaf->report.in_skipped))
        yk_list_append(&outstanding->leaves, &leaf->report.in_skipped);
    yk_outstanding_note(partition);
}

/* ---- the walk over groups that lack nodes ---- */

/* Whether another node could let asks of the group run, as far as limits allow. */
static bool would_use_nodes(const struct yk_group *group)
{
    const struct yk_gang *gang = yk_refusal_gang(group);
    /* While the application pauses, it is not tried, so its shape need not be parked. */
    bool pauses = group->wait == YK_WAIT_NODES && yk_timer_armed(&group->app->backoff.pause);
    return (group->wait == YK_WAIT_GANG || group->shape->parked || pauses) && group->required_node == NULL &&
           !yk_refusal_gates(group->app) && (gang == NULL || !gang->exceeds_limit);
}

static void visit(struct yk_group *group, uint64_t walk)
{
    group->report.fitting = 0;
    group->report.beyond_by = no_refusal;
    if (!would_use_nodes(group))
        return;
    /* The application may have no group of users yet, if it was never tried because asks of the same shape
     * found no node. */
    yk_usage_choose_group(&group->app->partition->usages, group->app);
    group->report.fitting = yk_unclaimed_claim(group, walk, &group->report.beyond_by);
    if (!is_reported(group, group->report.fitting, group->report.beyond_by))
        list_group(group);
}

static void walk_on(struct yk_outstanding *outstanding, int *budget)
{
    struct yk_list *place = &outstanding->place;
    for (; yk_list_linked(place) && *budget > 0; (*budget)--) {
        struct yk_list *next = place->next;
        yk_list_remove(place);
        if (next == &outstanding->lacking)
            return; /* all groups were visited */
        struct yk_group *group = YK_CONTAINER(next, struct yk_group, report.in_lacking);
        yk_list_insert_before(next->next, place);
        if (may_lack_nodes(group))
            visit(group, outstanding->walk);
        else
            yk_list_remove(&group->report.in_lacking);
    }
}

/* ---- one ask ---- */

static void report(const struct yk_ask *ask, enum yk_si_scheduling_state state, enum yk_si_obstacle obstacle,
                   const char *reason)
{
    const struct yk_rm *rm = yk_ask_app(ask)->partition->rm;
    const struct yk_si_waiting waiting = {.application_id = yk_ask_app(ask)->id,
                                          .key = ask->key,
                                          .state = state,
                                          .obstacle = obstacle,
                                          .reason = reason,
                                          .ask_cookie = ask->cookie};
    if (rm->callbacks.scheduling_state != NULL)
        rm->callbacks.scheduling_state(rm->context, &waiting);
}

bool yk_outstanding_in_vain(const struct yk_group *group)
{
    const struct yk_wait_log *log = group->preempt.log;
    return log[YK_PREEMPT_NO_HELP].count > 0 || log[YK_PREEMPT_GUARANTEES].count > 0 ||
           log[YK_PREEMPT_SHORT].count > 0;
}

/* Clears `flag` in all asks of the group, in later steps, so that they are reported again. */
static void forget(struct yk_group *group, uint32_t flag)
{
    group->report.forgotten |= flag;
    group->report.next = NULL;
    list_group(group);
}

void yk_outstanding_tell_again(struct yk_group *group)
{
    if (group->report.unreported < group->asks.count)
        forget(group, YK_ASK_TOLD_FAILED);
    yk_outstanding_note(group->app->partition);
}

void yk_outstanding_reset_reason(struct yk_group *group)
{
    group->report.skipped_by = (struct yk_refusal){YK_REFUSAL_NONE, 0};
    yk_outstanding_tell_again(group);
    yk_outstanding_note_app(group->app); /* a limit may refuse the asks now */
}

void yk_outstanding_remove_group(struct yk_group *group)
{
    struct yk_app *app = group->app;
    yk_list_remove(&group->report.in_lacking);
    if (app->pending_groups.count > 0) {
        yk_outstanding_note_start(app);
        return;
    }
    yk_wait_metrics_set_reason(app, YK_REASON_NONE);
    if (app->report.timeline != NULL)
        app->report.timeline->waiting_for = 0;
}

void yk_outstanding_remove_app(struct yk_app *app)
{
    yk_list_remove(&app->report.in_skipped);
}

static void tell_failed(struct yk_ask *ask)
{
    struct yk_group *group = ask->group;
    group->report.unreported--;
    group->report.unskipped += (ask->flags & YK_ASK_TOLD_SKIPPED) != 0;
    ask->flags &= ~(uint32_t)YK_ASK_TOLD_SKIPPED;
    ask->flags |= YK_ASK_TOLD_FAILED | YK_ASK_SCALE_UP;
    const struct yk_gang *gang = yk_refusal_gang(group);
    if (gang != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf reason = {0};
        yk_why_too_large_sentence(gang, &reason);
        report(ask, YK_SI_STATE_FAILED, YK_SI_GANG_TOO_LARGE, yk_buf_cstr(&reason));
    } else if (yk_outstanding_in_vain(group)) {
        report(ask, YK_SI_STATE_FAILED, YK_SI_NO_VICTIMS, no_victims);
    } else {
        report(ask, YK_SI_STATE_FAILED, YK_SI_NO_CAPACITY, waiting_for_nodes);
    }
}

static void tell_skipped(struct yk_ask *ask, const char *reason)
{
    struct yk_group *group = ask->group;
    group->report.unskipped--;
    group->report.unreported += (ask->flags & YK_ASK_TOLD_FAILED) != 0;
    ask->flags &= ~(uint32_t)YK_ASK_TOLD_FAILED;
    ask->flags |= YK_ASK_TOLD_SKIPPED;
    report(ask, YK_SI_STATE_SKIPPED, YK_SI_NO_CAPACITY, reason);
}

/* ---- all asks of a group ---- */

/* Notes what refuses asks of the group. If that differs from what was noted before, the asks that were
 * reported as SKIPPED are reported again. */
static void set_refusal(struct yk_group *group, struct yk_refusal refusal)
{
    if (refusal.kind == YK_REFUSAL_NONE || yk_refusal_is(group->report.skipped_by, refusal))
        return;
    group->report.skipped_by = refusal;
    if (group->report.unskipped < group->asks.count)
        forget(group, YK_ASK_TOLD_SKIPPED);
}

static struct yk_ask *ask_after(const struct yk_ask *ask)
{
    struct yk_tree_link *next = yk_tree_next(&ask->in_group);
    return next == NULL ? NULL : YK_CONTAINER(next, struct yk_ask, in_group);
}

/* Begins the reports with the first ask. If the previous step ended in the middle of the group, and the
 * number `failed` was the same, the reports continue there instead. */
static void begin_reports(struct yk_group *group, uint32_t failed)
{
    if (group->report.next != NULL && group->report.failed == failed)
        return;
    group->report.next = group->first;
    group->report.before = 0;
    group->report.failed = failed;
    group->report.joined_before = false;
}

/* Clears the flags `forgotten` in the asks of the group, as far as the budget reaches. True: all are
 * cleared. */
static bool clear_forgotten(struct yk_group *group, int *budget)
{
    if (group->report.forgotten == 0)
        return true;
    if (group->report.next == NULL) {
        group->report.next = group->first;
        group->report.before = 0;
    }
    while (group->report.next != NULL && *budget > 0) {
        struct yk_ask *ask = group->report.next;
        uint32_t cleared = ask->flags & group->report.forgotten;
        group->report.unreported += (cleared & YK_ASK_TOLD_FAILED) != 0;
        group->report.unskipped += (cleared & YK_ASK_TOLD_SKIPPED) != 0;
        ask->flags &= ~cleared;
        *budget -= group->report.before % PASSED_ASKS == 0;
        group->report.next = ask_after(ask);
        group->report.before++;
    }
    if (group->report.next != NULL)
        return false;
    group->report.forgotten = 0;
    return true;
}

/* Reports one ask, as FAILED (`fails`) or SKIPPED, unless its last report was the same. */
static void report_ask(struct yk_ask *ask, bool fails, const char *reason, int *budget)
{
    if ((ask->flags & (fails ? YK_ASK_TOLD_FAILED : YK_ASK_TOLD_SKIPPED)) != 0) {
        *budget -= ask->group->report.before % PASSED_ASKS == 0;
        return;
    }
    *budget -= ASK_COST;
    if (fails)
        tell_failed(ask);
    else
        tell_skipped(ask, reason);
    if (ask == ask->group->first)
        yk_timeline_waits(ask);
}

/* Reports the first `failed` asks as FAILED and the others as SKIPPED, as far as `*budget` reaches. True: all
 * have been reported. */
static bool report_asks(struct yk_group *group, uint32_t failed, struct yk_refusal refusal, int *budget)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf reason = {0};
    yk_refusal_text(group, refusal, &reason);
    begin_reports(group, failed);
    while (group->report.next != NULL) {
        struct yk_ask *ask = group->report.next;
        bool fails = group->report.before < failed;
        if (is_reported(group, failed, refusal) || (!fails && refusal.kind == YK_REFUSAL_NONE))
            break;
        if (*budget <= 0)
            return false;
        report_ask(ask, fails, yk_buf_cstr(&reason), budget);
        group->report.next = ask_after(ask);
        group->report.before++;
    }
    group->report.next = NULL;
    return !group->report.joined_before;
}

/* True: all asks of the group have been reported. */
static bool report_group(struct yk_group *group, int *budget)
{
    struct yk_refusal refusal = yk_refusal_of(group);
    uint32_t failed = 0;
    (*budget)--;
    if (refusal.kind == YK_REFUSAL_NONE && may_lack_nodes(group)) {
        refusal = group->report.beyond_by;
        failed = group->report.fitting;
    }
    set_refusal(group, refusal);
    return clear_forgotten(group, budget) && report_asks(group, failed, refusal, budget);
}

/* ---- steps ---- */

/* Updates the queue that the group waits for. When another queue begins to refuse all groups of a leaf, the
 * queue of each group is not updated at once. */
static void look_at_refusing_queue(struct yk_group *group)
{
    struct yk_queue *refusing;
    if (group->wait == YK_WAIT_QUEUE_QUOTA &&
        !yk_queue_has_headroom(group->app->leaf, &group->shape->size, &refusing))
        yk_group_set_waits_for(group, refusing);
}

/* Notes what the first of the asks that are left waits for. It need not be reported again, so nothing else
 * would note it. */
static void note_reason(struct yk_app *app)
{
    struct yk_tree_link *first = yk_tree_first(&app->pending_groups);
    if (app->report.is_outdated && app->report.wait_leaf != NULL && first != NULL)
        yk_timeline_waits(YK_CONTAINER(first, struct yk_group, in_pending)->first);
    app->report.is_outdated = false;
}

static void list_groups(struct yk_app *app, int *budget)
{
    struct yk_group *group;
    note_reason(app);
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        look_at_refusing_queue(group);
        struct yk_refusal refusal = yk_refusal_of(group);
        if (refusal.kind != YK_REFUSAL_NONE && !is_reported(group, 0, refusal))
            list_group(group);
        (*budget)--;
    }
}

static struct yk_app *waiting_app_of(struct yk_tree_link *link)
{
    return link == NULL ? NULL : YK_CONTAINER(link, struct yk_app, in_active);
}

static void list_apps(struct yk_outstanding *outstanding, struct yk_queue *leaf, int *budget)
{
    struct yk_app **next = &outstanding->next_app;
    if (*next == NULL)
        *next = waiting_app_of(yk_tree_first(&leaf->wait.apps));
    for (; *next != NULL && *budget > 0; (*budget)--) {
        list_app(*next);
        *next = waiting_app_of(yk_tree_next(&(*next)->in_active));
    }
    if (*next == NULL)
        yk_list_remove(&leaf->report.in_skipped);
}

void yk_outstanding_note_move(struct yk_app *app)
{
    struct yk_outstanding *outstanding = &app->partition->outstanding;
    if (!app->wait.for_queue || !yk_list_linked(&app->leaf->report.in_skipped))
        return;
    if (outstanding->next_app == app)
        outstanding->next_app = waiting_app_of(yk_tree_next(&app->in_active));
    list_app(app);
}

/* True: there may be more to report. */
static bool report_listed(struct yk_outstanding *outstanding, int *budget)
{
    while (*budget > 0) {
        struct yk_queue *leaf = yk_list_first(&outstanding->leaves, struct yk_queue, report.in_skipped);
        struct yk_group *group = yk_list_first(&outstanding->groups, struct yk_group, report.in_skipped);
        struct yk_app *app = yk_list_first(&outstanding->apps, struct yk_app, report.in_skipped);
        if (group != NULL) {
            if (report_group(group, budget))
                yk_list_remove(&group->report.in_skipped);
        } else if (app != NULL) {
            yk_list_remove(&app->report.in_skipped);
            list_groups(app, budget);
        } else if (leaf != NULL) {
            list_apps(outstanding, leaf, budget);
            (*budget)--;
        } else {
            return false;
        }
    }
    return true;
}

static void take_step(struct yk_outstanding *outstanding)
{
    int budget = STEP_MAX / 2;
    walk_on(outstanding, &budget);
    budget += STEP_MAX / 2;
    bool more = report_listed(outstanding, &budget);
    walk_on(outstanding, &budget); /* with the budget that the reports have left */
    if (more || !yk_list_empty(&outstanding->groups) || yk_list_linked(&outstanding->place))
        arm(partition_of(outstanding), &outstanding->step, STEP_NS);
}

static void on_step(struct yk_timer *timer)
{
    take_step(YK_CONTAINER(timer, struct yk_outstanding, step));
}

static void on_begin(struct yk_timer *timer)
{
    yk_outstanding_report(partition_of(YK_CONTAINER(timer, struct yk_outstanding, begin)));
}

void yk_outstanding_report(struct yk_partition *partition)
{
    struct yk_outstanding *outstanding = &partition->outstanding;
    if (yk_list_linked(&outstanding->place)) {
        /* Another walk has to follow, for groups that this one has visited already. */
        yk_outstanding_note(partition);
    } else {
        outstanding->walk++;
        yk_list_prepend(&outstanding->lacking, &outstanding->place);
    }
    if (!yk_timer_armed(&outstanding->step))
        take_step(outstanding);
}

void yk_outstanding_init(struct yk_partition *partition)
{
    struct yk_outstanding *outstanding = &partition->outstanding;
    outstanding->begin.fire = on_begin;
    outstanding->step.fire = on_step;
    yk_list_init(&outstanding->lacking);
    yk_list_init(&outstanding->place);
    yk_list_init(&outstanding->groups);
    yk_list_init(&outstanding->apps);
    yk_list_init(&outstanding->leaves);
}

void yk_outstanding_done(struct yk_partition *partition)
{
    yk_timer_cancel(partition->core->timers, &partition->outstanding.begin);
    yk_timer_cancel(partition->core->timers, &partition->outstanding.step);
}
