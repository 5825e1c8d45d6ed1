/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/preempt.h"

#include "base/log.h"
#include "pending/limit_gate.h"
#include "pending/stateaware.h"
#include "preemption/plan.h"
#include "report/outstanding.h"
#include "report/preemption_log.h"
#include "reservation/nomination.h"
#include "reservation/reservations.h"
#include "reservation/victims.h"
#include "state/core.h"
#include "state/node_search.h"
#include "state/turn.h"

#define REST_NS  (15 * YK_NS_PER_S)
#define VISIT_NS (100 * YK_NS_PER_MS)

enum {
    ATTEMPTS_PER_VISIT = 10, /* failed attempts for one leaf in VISIT_NS */
    MEMOS_MAX = 1024,        /* at this number all are dropped */
    WORK_MAX = 2000,         /* nodes and allocations that one turn looks at for an index; about 200 µs */
};

/* The result of an attempt that failed; equal asks share it. */
struct memo {
    int64_t rest_until_mono_ns; /* no attempt before */
    uint64_t change;            /* the number of changes at the attempt: the next attempt needs another one */
    int64_t again_mono_ns;      /* when limits of victims may allow more; 0: they refused no victim */
};

struct yk_preempt {
    struct yk_partition *partition;
    struct yk_planner planner;
    struct yk_idmap memos; /* key of a plan -> struct memo, owned */
    struct yk_heap due;    /* struct yk_group, by preempt.in_due: those to be tried later, by time */
    uint64_t due_sequence; /* of the last group that was added */
    struct yk_timer timer; /* armed while `due` has groups: for the first one */
    struct yk_list now;    /* struct yk_group, by preempt.in_tries: those that are due */
    struct yk_list idle;   /* struct yk_group, by preempt.in_tries: not tried before something changes */
    uint64_t change, all_changed, last_left; /* as in struct yk_plan_view */
    uint64_t *changed;                       /* owned; likewise */
    uint32_t capacity;                       /* of `changed` */
    int64_t last_mono_ns;                    /* when the last attempt began */
    bool attempted;                          /* there was one */
};

static struct yk_preempt *of(const struct yk_group *group)
{
    return group->app->partition->preempt;
}

static int64_t now_mono(const struct yk_preempt *preempt)
{
    return yk_clock_mono_ns(preempt->partition->core->clock);
}

/* ---- the state of a partition ---- */

static bool earlier(const struct yk_heap_entry *a, const struct yk_heap_entry *b)
{
    const struct yk_group *x = YK_CONTAINER(a, struct yk_group, preempt.in_due),
                          *y = YK_CONTAINER(b, struct yk_group, preempt.in_due);
    return x->preempt.due_mono_ns != y->preempt.due_mono_ns
               ? x->preempt.due_mono_ns < y->preempt.due_mono_ns
               : x->preempt.due_sequence < y->preempt.due_sequence;
}

static void on_due(struct yk_timer *timer);

struct yk_preempt *yk_preempt_new(struct yk_partition *partition)
{
    struct yk_preempt *preempt = yk_new0(struct yk_preempt);
    preempt->partition = partition;
    preempt->due.before = earlier;
    preempt->timer.fire = on_due;
    preempt->change = 1;
    yk_list_init(&preempt->now);
    yk_list_init(&preempt->idle);
    return preempt;
}

static void forget_memos(struct yk_preempt *preempt)
{
    struct memo *memo;
    yk_idmap_foreach (memo, &preempt->memos)
        free(memo);
    yk_idmap_done(&preempt->memos);
}

void yk_preempt_free(struct yk_preempt *preempt)
{
    if (preempt == NULL)
        return;
    YK_ASSERT(preempt->due.count == 0 && yk_list_empty(&preempt->now) && yk_list_empty(&preempt->idle));
    yk_timer_cancel(preempt->partition->core->timers, &preempt->timer);
    yk_planner_done(&preempt->planner);
    forget_memos(preempt);
    yk_heap_done(&preempt->due);
    free(preempt->changed);
    free(preempt);
}

/* ---- which group is tried when ---- */

static bool may_preempt(const struct yk_ask *ask)
{
    return (ask->flags & (YK_ASK_PREEMPT_OTHER | YK_ASK_PREEMPTION_TRIGGERED)) == YK_ASK_PREEMPT_OTHER &&
           ask->group->required_node == NULL;
}

struct yk_ask *yk_preempt_candidate(struct yk_group *group)
{
    struct yk_tree_link *link = group->preempt.passed != NULL ? yk_tree_next(&group->preempt.passed->in_group)
                                                              : yk_tree_first(&group->asks);
    for (; link != NULL; link = yk_tree_next(link)) {
        struct yk_ask *ask = YK_CONTAINER(link, struct yk_ask, in_group);
        if (may_preempt(ask))
            return ask;
        group->preempt.passed = ask;
    }
    return NULL;
}

bool yk_preempt_is_guaranteed(const struct yk_queue *leaf)
{
    for (; leaf != NULL; leaf = leaf->parent) {
        if (leaf->has_guaranteed && !yk_resvec_is_empty(&leaf->guaranteed))
            return true;
    }
    return false;
}

static void arm_timer(struct yk_preempt *preempt)
{
    const struct yk_heap_entry *first = yk_heap_first(&preempt->due);
    struct yk_timers *timers = preempt->partition->core->timers;
    if (first == NULL) {
        yk_timer_cancel(timers, &preempt->timer);
        return;
    }
    int64_t due_ns = YK_CONTAINER(first, struct yk_group, preempt.in_due)->preempt.due_mono_ns;
    if (!yk_timer_armed(&preempt->timer) || preempt->timer.due_mono_ns > due_ns)
        yk_timer_arm(timers, &preempt->timer, yk_i64_sub(due_ns, now_mono(preempt)));
}

static void schedule_at(struct yk_preempt *preempt, struct yk_group *group, int64_t due_mono_ns)
{
    group->preempt.due_mono_ns = due_mono_ns;
    group->preempt.due_sequence = ++preempt->due_sequence;
    yk_heap_insert(&preempt->due, &group->preempt.in_due);
    arm_timer(preempt);
}

static void on_due(struct yk_timer *timer)
{
    struct yk_preempt *preempt = YK_CONTAINER(timer, struct yk_preempt, timer);
    struct yk_heap_entry *entry;
    int64_t now_ns = now_mono(preempt);
    while ((entry = yk_heap_first(&preempt->due)) != NULL) {
        struct yk_group *group = YK_CONTAINER(entry, struct yk_group, preempt.in_due);
        if (group->preempt.due_mono_ns > now_ns)
            break;
        yk_heap_remove(&preempt->due, entry);
        yk_list_append(&preempt->now, &group->preempt.in_tries);
    }
    arm_timer(preempt);
}

/* The monotonic time from which on the ask may be tried: when it has waited for preemption.delay, counted
 * from the time at which its queue fell below its guarantee if that was later, and when the pause of its
 * group has ended. */
static int64_t due_of(const struct yk_preempt *preempt, const struct yk_ask *ask)
{
    const struct yk_core *core = preempt->partition->core;
    struct yk_queue *leaf = yk_ask_app(ask)->leaf;
    const struct yk_queue *holder = yk_guarantee_holder(leaf);
    int64_t delay_ns = leaf->settings.preemption_delay_ns, since_wall_ns = ask->create_wall_ns;
    if (holder != NULL && yk_guarantee_is_missed(holder))
        since_wall_ns = YK_MAX(since_wall_ns, holder->housekeeping.fell_below_wall_ns);
    int64_t left_ns = yk_i64_sub(yk_i64_add(since_wall_ns, delay_ns), yk_core_now(core));
    int64_t due_ns = yk_i64_add(now_mono(preempt), left_ns);
    return YK_MAX(due_ns, ask->group->preempt.pause_mono_ns);
}

static bool is_noted(const struct yk_group *group)
{
    return group->preempt.in_due.place != 0 || yk_list_linked(&group->preempt.in_tries);
}

void yk_preempt_note(struct yk_group *group)
{
    struct yk_preempt *preempt = of(group);
    if (!preempt->partition->preemption_enabled || is_noted(group) || group->asks.count == 0 ||
        group->app->leaf == NULL || !yk_preempt_is_guaranteed(group->app->leaf))
        return;
    const struct yk_ask *ask = yk_preempt_candidate(group);
    if (ask == NULL)
        return;
    int64_t due_ns = due_of(preempt, ask);
    if (due_ns > now_mono(preempt))
        schedule_at(preempt, group, due_ns);
    else
        yk_list_append(&preempt->now, &group->preempt.in_tries);
}

static void take_out(struct yk_group *group)
{
    struct yk_preempt *preempt = of(group);
    yk_list_remove(&group->preempt.in_tries);
    yk_heap_remove(&preempt->due, &group->preempt.in_due);
}

void yk_preempt_forget(struct yk_group *group)
{
    if (group->asks.count == 0)
        take_out(group);
}

/* Notes the group again, not to be tried before `until_mono_ns`. */
static void rest(struct yk_group *group, int64_t until_mono_ns)
{
    group->preempt.pause_mono_ns = YK_MAX(group->preempt.pause_mono_ns, until_mono_ns);
    take_out(group);
    yk_preempt_note(group);
}

void yk_preempt_again(struct yk_group *group)
{
    struct yk_preempt *preempt = of(group);
    group->preempt.passed = NULL;
    rest(group, yk_i64_add(now_mono(preempt), REST_NS));
}

/* ---- changes ---- */

static void wake_idle(struct yk_preempt *preempt)
{
    struct yk_group *group;
    while ((group = yk_list_first(&preempt->idle, struct yk_group, preempt.in_tries)) != NULL) {
        yk_list_remove(&group->preempt.in_tries);
        yk_preempt_note(group);
    }
}

static void grow(struct yk_preempt *preempt, uint32_t nodes)
{
    if (nodes <= preempt->capacity)
        return;
    uint32_t capacity = YK_MAX(nodes, 2 * preempt->capacity);
    preempt->changed = yk_realloc_array(preempt->changed, capacity, sizeof(uint64_t));
    for (uint32_t i = preempt->capacity; i < capacity; i++)
        preempt->changed[i] = preempt->change;
    preempt->capacity = capacity;
}

void yk_preempt_node_changed(struct yk_partition *partition, const struct yk_node *node)
{
    struct yk_preempt *preempt = partition->preempt;
    grow(preempt, node->index + 1);
    preempt->changed[node->index] = ++preempt->change;
    if (node->leaving)
        preempt->last_left = preempt->change;
    wake_idle(preempt);
}

void yk_preempt_node_tried(struct yk_partition *partition, const struct yk_node *node)
{
    struct yk_preempt *preempt = partition->preempt;
    grow(preempt, node->index + 1);
    preempt->changed[node->index] = ++preempt->change;
}

static void preempt_all_changed(struct yk_partition *partition)
{
    struct yk_preempt *preempt = partition->preempt;
    preempt->all_changed = ++preempt->change;
    wake_idle(preempt);
}

static void note_group_anew(struct yk_group *group)
{
    if (group->wait != YK_WAIT_NODES && group->wait != YK_WAIT_QUEUE_QUOTA)
        return;
    take_out(group);
    yk_preempt_note(group);
}

static size_t note_anew(const struct yk_shape *shape)
{
    size_t count = 0;
    struct yk_group *group;
    yk_list_foreach (group, &shape->groups, struct yk_group, in_shape) {
        note_group_anew(group);
        count++;
    }
    return count;
}

static size_t note_all(const struct yk_list *shapes)
{
    size_t count = 0;
    const struct yk_shape *shape;
    yk_list_foreach (shape, shapes, struct yk_shape, in_table)
        count += note_anew(shape);
    return count;
}

/* Whether no queue has a guarantee. Then no group needs to be noted; those that were noted before fail when
 * they are tried. */
static bool is_nothing_guaranteed(const struct yk_partition *partition)
{
    const struct yk_queue *queue = partition->root;
    for (; queue != NULL; queue = yk_queue_next(queue, partition->root)) {
        if (queue->has_guaranteed)
            return false;
    }
    return true;
}

static void note_app(const struct yk_app *app)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        note_group_anew(group);
}

void yk_preempt_app_changed(struct yk_app *app)
{
    preempt_all_changed(app->partition);
    note_app(app);
}

void yk_preempt_leaf_changed(struct yk_partition *partition, const struct yk_queue *leaf)
{
    const struct yk_app *app;
    preempt_all_changed(partition);
    yk_list_foreach (app, &leaf->apps, struct yk_app, in_leaf)
        note_app(app);
}

size_t yk_preempt_configured(struct yk_partition *partition)
{
    preempt_all_changed(partition);
    if (!partition->preemption_enabled || is_nothing_guaranteed(partition))
        return 0;
    return note_all(&partition->shapes.open) + note_all(&partition->shapes.parked);
}

/* ---- preconditions ---- */

static void log_note(const struct yk_preempt *preempt, struct yk_group *group, enum yk_preempt_note note)
{
    group->preempt.log[note].count++;
    group->preempt.log[note].last_wall_ns = yk_core_now(preempt->partition->core);
}

bool yk_preempt_is_loaded(const struct yk_partition *partition)
{
    const struct yk_queue *root = partition->root;
    int64_t least = partition->core->preemption_min_load;
    if (least <= 0)
        return true;
    YK_RESVEC(percent);
    yk_resvec_percent(&root->max, &root->allocated, &percent);
    yk_resvec_foreach(t, &percent)
    {
        if (yk_resvec_get(&percent, t) >= least)
            return true;
    }
    return false;
}

/* For how long, in nanoseconds, nothing is to be tried for the leaf; 0: it may be tried now. */
static int64_t pause_for(struct yk_preempt *preempt, struct yk_queue *leaf, int64_t now_ns)
{
    int64_t interval_ns = preempt->partition->core->preemption_interval_ns;
    int64_t next_ns = yk_i64_add(preempt->last_mono_ns, interval_ns);
    if (interval_ns > 0 && preempt->attempted && next_ns > now_ns)
        return next_ns - now_ns;
    if (now_ns - leaf->preempt.since_mono_ns >= VISIT_NS) {
        leaf->preempt.since_mono_ns = now_ns;
        leaf->preempt.attempts = 0;
    }
    return leaf->preempt.attempts < ATTEMPTS_PER_VISIT ? 0 : leaf->preempt.since_mono_ns + VISIT_NS - now_ns;
}

static struct memo *memo_of(const struct yk_preempt *preempt, const struct yk_ask *ask)
{
    return yk_idmap_get(&preempt->memos, yk_plan_key(ask));
}

/* Whether an attempt for an equal ask has failed, and another one is not due: its pause has not ended, or
 * nothing has changed since. If so, the group is noted for later or becomes idle. */
static bool is_known_in_vain(struct yk_preempt *preempt, const struct yk_ask *ask, int64_t now_ns)
{
    struct memo *memo = memo_of(preempt, ask);
    struct yk_group *group = ask->group;
    if (memo == NULL)
        return false;
    if (memo->again_mono_ns != 0) {
        if (now_ns < memo->again_mono_ns) {
            rest(group, memo->again_mono_ns);
            return true;
        }
        memo->again_mono_ns = 0;
        preempt->change++; /* plans look again at nodes that were put aside */
        return false;
    }
    if (memo->change == preempt->change) {
        take_out(group);
        group->preempt.pause_mono_ns = YK_MAX(group->preempt.pause_mono_ns, memo->rest_until_mono_ns);
        yk_list_append(&preempt->idle, &group->preempt.in_tries);
        return true;
    }
    if (now_ns < memo->rest_until_mono_ns) {
        rest(group, memo->rest_until_mono_ns);
        return true;
    }
    return false;
}

static bool may_try(struct yk_preempt *preempt, const struct yk_ask *ask)
{
    struct yk_group *group = ask->group;
    int64_t now_ns = now_mono(preempt);
    if (due_of(preempt, ask) > now_ns) {
        log_note(preempt, group, YK_PREEMPT_NOT_YET);
        yk_preempt_note(group);
        return false;
    }
    if (is_known_in_vain(preempt, ask, now_ns))
        return false;
    if (!yk_preempt_is_loaded(preempt->partition) || !yk_nomination_could_start(ask)) {
        log_note(preempt, group, YK_PREEMPT_NOT_YET);
        rest(group, yk_i64_add(now_ns, REST_NS));
        return false;
    }
    int64_t pause_ns = pause_for(preempt, group->app->leaf, now_ns);
    if (pause_ns == 0)
        return true;
    log_note(preempt, group, YK_PREEMPT_EXHAUSTED);
    rest(group, now_ns + pause_ns);
    return false;
}

/* ---- an attempt ---- */

static bool is_free(void *context, const struct yk_node *node, const struct yk_ask *ask)
{
    return yk_reservations_may_yield(context, node, ask);
}

static bool displaces(void *context, const struct yk_node *node, const struct yk_ask *ask)
{
    const struct yk_reservation *first = yk_list_first(&node->reservations, struct yk_reservation, in_node);
    (void)context;
    return first != NULL && first->ask != ask && first->why == YK_RESERVE_WAITING;
}

/* `work_max`: as in struct yk_plan_view. */
static enum yk_plan make_plan(struct yk_preempt *preempt, struct yk_ask *ask, uint32_t work_max)
{
    struct yk_partition *partition = preempt->partition;
    grow(preempt, (uint32_t)partition->nodes.count);
    yk_turn_note_long(partition);
    const struct yk_plan_view view = {
        .root = partition->root,
        .nodes = partition->nodes.items,
        .node_count = (uint32_t)partition->nodes.count,
        .changed = preempt->changed,
        .change = preempt->change,
        .all_changed = preempt->all_changed,
        .last_left = preempt->last_left,
        .work_max = work_max,
        .ranking = {&partition->rm->callbacks, partition->rm->context},
        .now_wall_ns = yk_core_now(partition->core),
        .now_mono_ns = now_mono(preempt),
        .is_free = is_free,
        .displaces = displaces,
        .context = partition,
    };
    yk_node_search_prepare(partition, ask);
    return yk_plan_make(&preempt->planner, &view, ask);
}

struct yk_node *yk_preempt_plan(struct yk_partition *partition, struct yk_ask *ask,
                                const struct yk_vec **ret_victims)
{
    struct yk_preempt *preempt = partition->preempt;
    if ((ask->flags & YK_ASK_PREEMPT_OTHER) == 0 || !yk_preempt_is_loaded(partition) ||
        make_plan(preempt, ask, UINT32_MAX) != YK_PLAN_FOUND)
        return NULL;
    *ret_victims = &preempt->planner.victims;
    return preempt->planner.node;
}

static void remember(struct yk_preempt *preempt, const struct yk_ask *ask, int64_t rest_until_mono_ns)
{
    uint64_t key = yk_plan_key(ask);
    if (preempt->memos.count >= MEMOS_MAX)
        forget_memos(preempt);
    struct memo *memo = yk_idmap_get(&preempt->memos, key);
    if (memo == NULL) {
        memo = yk_new0(struct memo);
        (void)yk_idmap_put(&preempt->memos, key, memo); /* is new */
    }
    *memo = (struct memo){rest_until_mono_ns, preempt->change, 0};
}

static void note_failure(struct yk_preempt *preempt, struct yk_group *group, enum yk_preempt_note note)
{
    bool was_in_vain = yk_outstanding_in_vain(group);
    log_note(preempt, group, note);
    if (!was_in_vain && yk_outstanding_in_vain(group))
        yk_outstanding_tell_again(group);
}

/* Makes the group idle after a failed attempt: it is tried again when something has changed, but not before
 * `rest_ns` have passed. */
static void set_aside(struct yk_preempt *preempt, struct yk_ask *ask, int64_t rest_ns)
{
    struct yk_group *group = ask->group;
    int64_t until_mono_ns = yk_i64_add(now_mono(preempt), rest_ns);
    yk_ask_app(ask)->leaf->preempt.attempts++;
    remember(preempt, ask, until_mono_ns);
    take_out(group);
    group->preempt.pause_mono_ns = until_mono_ns;
    yk_list_append(&preempt->idle, &group->preempt.in_tries);
}

/* Notes the group again for the time when the limits of victims may allow more. No other change is needed for
 * that. */
static void try_later(struct yk_preempt *preempt, struct yk_ask *ask)
{
    int64_t pause_ns = yk_victim_limits_pause_ns(&preempt->planner.trial.victim_limits, REST_NS);
    int64_t again_mono_ns = yk_i64_add(now_mono(preempt), pause_ns);
    yk_ask_app(ask)->leaf->preempt.attempts++;
    remember(preempt, ask, again_mono_ns);
    memo_of(preempt, ask)->again_mono_ns = again_mono_ns;
    rest(ask->group, again_mono_ns);
}

static void fail(struct yk_preempt *preempt, struct yk_ask *ask, enum yk_preempt_note note)
{
    note_failure(preempt, ask->group, note);
    if (preempt->planner.trial.victim_limits.wait_ns != YK_VICTIM_LIMITS_NONE_REFUSED) {
        try_later(preempt, ask);
        return;
    }
    set_aside(preempt, ask, REST_NS);
}

/* Carries out the plan (scheduling.md 6.1 step 10). Reserves the node first, so that no victim was asked to
 * end if that fails. */
static bool carry_out(struct yk_preempt *preempt, struct yk_ask *ask)
{
    struct yk_partition *partition = preempt->partition;
    const struct yk_planner *planner = &preempt->planner;
    if (!yk_reserve(partition, ask, planner->node, YK_RESERVE_PREEMPTION))
        return false;
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    yk_buf_printf(&message, "Preempted by ask '%s' of application '%s' in queue '%s'", ask->key,
                  yk_ask_app(ask)->id, yk_ask_app(ask)->queue_path);
    struct yk_ask *const *victims = (struct yk_ask *const *)planner->victims.items;
    yk_info(yk_log_alloc, "preempting for an ask", KV("app", yk_ask_app(ask)->id), KV("ask", ask->key),
            KV("node", planner->node->id), KV("victims", planner->victims.count));
    yk_nomination_make(ask, victims, planner->victims.count);
    yk_preemption_note(partition, victims, planner->victims.count, YK_PREEMPTION_GUARANTEE, ask, NULL);
    yk_victims_take(partition, victims, planner->victims.count, yk_buf_cstr(&message));
    yk_preempt_node_tried(partition, planner->node);
    return true;
}

/* A plan that needs several turns counts as an attempt in the last one. */
static enum yk_plan attempt(struct yk_preempt *preempt, struct yk_ask *ask)
{
    struct yk_metrics *metrics = &preempt->partition->core->metrics;
    int64_t since_ns = now_mono(preempt);
    enum yk_plan plan = make_plan(preempt, ask, WORK_MAX);
    if (plan == YK_PLAN_UNFINISHED)
        return plan;
    preempt->last_mono_ns = since_ns;
    preempt->attempted = true;
    metrics->preemption_attempts[YK_PREEMPTION_GUARANTEE]++;
    yk_histogram_observe(&metrics->trypreemption,
                         (double)(now_mono(preempt) - since_ns) / (double)YK_NS_PER_S);
    return plan;
}

/* Makes the group the first one that is due, so that yk_preempt_turn() goes on with its plan. */
static void go_on_next(struct yk_preempt *preempt, struct yk_group *group)
{
    take_out(group);
    yk_list_prepend(&preempt->now, &group->preempt.in_tries);
    yk_turn_note_step(preempt->partition, true);
}

bool yk_preempt_try(struct yk_partition *partition, struct yk_group *group)
{
    static const enum yk_preempt_note notes[] = {
        [YK_PLAN_NO_HELP] = YK_PREEMPT_NO_HELP,
        [YK_PLAN_GUARANTEES] = YK_PREEMPT_GUARANTEES,
        [YK_PLAN_SHORT] = YK_PREEMPT_SHORT,
    };
    YK_INDEXED_BY(notes, YK_PLAN_SHORT);
    struct yk_preempt *preempt = partition->preempt;
    if (!partition->preemption_enabled || !yk_preempt_is_guaranteed(group->app->leaf) ||
        yk_gang_preempts_whole(group))
        return false;
    struct yk_ask *ask = yk_preempt_candidate(group);
    if (ask == NULL || !may_try(preempt, ask))
        return false;
    enum yk_plan plan = attempt(preempt, ask);
    if (plan == YK_PLAN_UNFINISHED) {
        go_on_next(preempt, group);
        return false;
    }
    if (plan == YK_PLAN_KEPT) { /* no pause: the reservation that is in the way may end at any time */
        set_aside(preempt, ask, 0);
        return false;
    }
    if (plan != YK_PLAN_FOUND) {
        fail(preempt, ask, notes[plan]);
        return false;
    }
    if (!carry_out(preempt, ask)) {
        fail(preempt, ask, YK_PREEMPT_TOO_LATE);
        return false;
    }
    return true;
}

/* Whether the ask passes the gates of the cycle that preemption cannot open: the start of the application,
 * which a stateaware leaf may hold, and the limits of user and group. */
static bool passes_gates(struct yk_app *app, const struct yk_resvec *size)
{
    return !yk_stateaware_holds(app) && yk_limit_gate_check_start(app) &&
           yk_usage_without_headroom(app, size) == NULL;
}

enum yk_turn yk_preempt_turn(struct yk_partition *partition)
{
    struct yk_preempt *preempt = partition->preempt;
    struct yk_group *group = yk_list_first(&preempt->now, struct yk_group, preempt.in_tries);
    if (group == NULL)
        return YK_TURN_IDLE;
    yk_list_remove(&group->preempt.in_tries);
    if (group->wait != YK_WAIT_NODES && group->wait != YK_WAIT_QUEUE_QUOTA)
        return YK_TURN_PARKED; /* it is noted again when it waits for nodes or headroom again */
    if (!passes_gates(group->app, &group->shape->size)) {
        rest(group, yk_i64_add(now_mono(preempt), REST_NS));
        return YK_TURN_PARKED;
    }
    if (!yk_preempt_try(partition, group))
        return YK_TURN_PARKED;
    yk_preempt_note(group); /* for the next candidate of the group */
    return YK_TURN_DECIDED;
}

bool yk_preempt_has_work(const struct yk_partition *partition)
{
    return !yk_list_empty(&partition->preempt->now);
}
