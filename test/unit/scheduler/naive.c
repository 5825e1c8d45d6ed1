/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/naive.h"

#include <string.h>

#define NEVER         INT64_MAX
#define COMPLETING_NS (30 * YK_NS_PER_S)
#define STARTING_NS   (300 * YK_NS_PER_S)

static const struct naive_amount nothing;

const char *naive_state_name(enum naive_state state)
{
    static const char *const names[] = {"New",        "Accepted", "Starting", "Running",
                                        "Completing", "Resuming", "Failing"};
    return names[state];
}

void naive_init(struct naive *naive, int64_t now_ns)
{
    *naive = (struct naive){.now_ns = now_ns};
}

/* ---- looking around ---- */

int naive_find_pod(const struct naive *naive, const char *key)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->pods[i].used && strcmp(naive->pods[i].key, key) == 0)
            return i;
    }
    return -1;
}

int naive_find_app(const struct naive *naive, const char *id)
{
    for (int i = 0; i < NAIVE_APPS; i++) {
        if (naive->apps[i].used && strcmp(naive->apps[i].id, id) == 0)
            return i;
    }
    return -1;
}

static int count(const struct naive *naive, int app, enum naive_stage stage, bool placeholders)
{
    int found = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        found += pod->used && pod->app == app && pod->stage == stage && pod->placeholder == placeholders;
    }
    return found;
}

static int count_pending(const struct naive *naive, int app)
{
    return count(naive, app, NAIVE_PENDING, false) + count(naive, app, NAIVE_PENDING, true) +
           count(naive, app, NAIVE_HANDED, false) + count(naive, app, NAIVE_HANDED, true);
}

bool naive_has_asks(const struct naive *naive, int app)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->pods[i].used && naive->pods[i].app == app)
            return true;
    }
    return false;
}

/* ---- telling ---- */

static void tell(struct naive *naive, int pod, bool is_release, enum yk_si_termination why)
{
    const struct naive_pod *p = &naive->pods[pod];
    struct naive_told told = {.is_release = is_release, .why = is_release ? why : YK_SI_TERMINATION_UNKNOWN};
    memcpy(told.key, p->key, sizeof(told.key));
    if (!is_release)
        memcpy(told.node, naive->nodes[p->node].id, sizeof(told.node));
    naive->told[naive->told_count++] = told;
}

/* ---- states of applications (2.1 to 2.3) ---- */

static void drop_pending(struct naive *naive, int app)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (naive->pods[i].used && naive->pods[i].app == app && naive->pods[i].stage == NAIVE_PENDING)
            naive->pods[i].used = false;
    }
}

static void forget_app(struct naive *naive, int app)
{
    naive_gang_done(naive, app);
    drop_pending(naive, app);
    naive->apps[app].used = false;
}

static void enter(struct naive *naive, int app, enum naive_state state)
{
    struct naive_app *a = &naive->apps[app];
    a->state = state;
    a->state_due_ns = NEVER;
    if (state == NAIVE_STARTING)
        a->state_due_ns = naive->now_ns + STARTING_NS;
    if (state == NAIVE_COMPLETING)
        a->state_due_ns = naive->now_ns + COMPLETING_NS;
    if (state == NAIVE_STARTING || state == NAIVE_RUNNING)
        a->allocating = false;
}

static void run(struct naive *naive, int app)
{
    const struct naive_app *a = &naive->apps[app];
    switch (a->state) {
    case NAIVE_NEW:
    case NAIVE_RESUMING:
        enter(naive, app, NAIVE_ACCEPTED);
        break;
    case NAIVE_ACCEPTED: /* O7 */
        enter(naive, app, naive->queues[a->queue].sort == NAIVE_STATEAWARE ? NAIVE_STARTING : NAIVE_RUNNING);
        break;
    case NAIVE_STARTING:
    case NAIVE_COMPLETING:
        enter(naive, app, NAIVE_RUNNING);
        break;
    case NAIVE_RUNNING:
    case NAIVE_FAILING:
        break;
    }
}

static void complete(struct naive *naive, int app)
{
    enum naive_state state = naive->apps[app].state;
    if (state == NAIVE_COMPLETING)
        forget_app(naive, app);
    else if (state == NAIVE_ACCEPTED || state == NAIVE_STARTING || state == NAIVE_RUNNING)
        enter(naive, app, NAIVE_COMPLETING);
}

static void complete_if_done(struct naive *naive, int app)
{
    struct naive_app *a = &naive->apps[app];
    if (!a->used || a->removing || a->state == NAIVE_COMPLETING || naive_has_asks(naive, app))
        return;
    if (a->state == NAIVE_FAILING)
        forget_app(naive, app);
    else
        complete(naive, app);
}

static void real_ended(struct naive *naive, int app)
{
    const struct naive_app *a = &naive->apps[app];
    bool has_more = count_pending(naive, app) + count(naive, app, NAIVE_BOUND, false) +
                        count(naive, app, NAIVE_REPLACING, false) >
                    0;
    if (!has_more && !a->removing && (a->state == NAIVE_RUNNING || a->state == NAIVE_STARTING))
        complete(naive, app);
}

/* True: the state has taken care of the rest. */
static bool placeholder_ended(struct naive *naive, int app)
{
    struct naive_app *a = &naive->apps[app];
    if (count(naive, app, NAIVE_BOUND, true) > 0)
        return false;
    if (!a->never_fits || a->state != NAIVE_ACCEPTED) /* 5.8 */
        a->gang_due_ns = NEVER;
    if (a->removing)
        return true;
    if (a->state == NAIVE_RESUMING) {
        run(naive, app);
        return true;
    }
    if (a->state == NAIVE_COMPLETING && a->state_due_ns == NEVER) {
        complete(naive, app);
        return true;
    }
    return false;
}

/* L10: nothing of it is left. */
static void uncount(struct naive *naive, int app)
{
    if (!naive_has_asks(naive, app))
        naive->apps[app].counted = false;
}

/* ---- gangs (5) ---- */

void naive_let_go(struct naive *naive, int placeholder)
{
    naive->pods[placeholder].released = true;
    tell(naive, placeholder, true, YK_SI_TIMEOUT);
}

static void let_all_go(struct naive *naive, int app)
{
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->app == app && pod->placeholder && pod->stage == NAIVE_BOUND && !pod->released &&
            !pod->preempted)
            naive_let_go(naive, i);
    }
}

/* 5.4 */
static void gang_timeout(struct naive *naive, int app)
{
    struct naive_app *a = &naive->apps[app];
    a->gang_due_ns = NEVER;
    if (a->state != NAIVE_ACCEPTED && a->state != NAIVE_NEW) {
        let_all_go(naive, app);
        return;
    }
    naive_gang_done(naive, app);
    naive_break_handovers_of(naive, app);
    enter(naive, app, a->hard ? NAIVE_FAILING : NAIVE_RESUMING);
    for (int i = 0; i < NAIVE_PODS; i++) {
        struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || pod->app != app || pod->stage != NAIVE_PENDING)
            continue;
        tell(naive, i, true, YK_SI_TIMEOUT);
        pod->used = false;
    }
    uncount(naive, app);
    let_all_go(naive, app);
    if (count(naive, app, NAIVE_BOUND, true) > 0)
        return;
    if (a->state == NAIVE_RESUMING)
        run(naive, app);
    else
        complete_if_done(naive, app);
}

static void placeholder_allocated(struct naive *naive, int placeholder)
{
    int app = naive->pods[placeholder].app;
    struct naive_app *a = &naive->apps[app];
    if (a->gang_due_ns == NEVER) { /* 5.4: also if it runs, so that none is left behind */
        int64_t since_ns = a->forced ? naive->pods[placeholder].created_ns : naive->now_ns;
        a->gang_due_ns = YK_MAX(since_ns + a->gang_timeout_ns, naive->now_ns + YK_NS_PER_MS);
    }
    if (a->state != NAIVE_ACCEPTED)
        return;
    a->allocating = true;
    struct naive_amount sum = nothing;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        bool counts = pod->used && pod->app == app && pod->placeholder && pod->stage == NAIVE_BOUND;
        for (int t = 0; t < NAIVE_TYPES && counts; t++)
            sum.v[t] += pod->size.v[t];
    }
    if (a->gang_total.v[0] > 0 && memcmp(&sum, &a->gang_total, sizeof(sum)) == 0) {
        run(naive, app);
        naive_gang_done(naive, app);
    }
}

/* The real pod stands where it was promised to, if it may (5.3). False: it waits again. */
static bool take_over(struct naive *naive, int real, int placeholder)
{
    struct naive_pod *pod = &naive->pods[real];
    const struct naive_app *a = &naive->apps[pod->app];
    int node = pod->node >= 0 ? pod->node : naive->pods[placeholder].node;
    pod->peer = naive->pods[placeholder].peer = -1;
    pod->node = -1;
    pod->stage = NAIVE_PENDING;
    if (a->removing || a->state == NAIVE_FAILING || naive->nodes[node].leaving)
        return false;
    /* The first one of a gang does not make it run. */
    bool is_first = count(naive, pod->app, NAIVE_BOUND, false) == 0 && a->state != NAIVE_COMPLETING;
    pod->stage = NAIVE_BOUND;
    pod->node = node;
    pod->reserved = -1;
    pod->bound_ns = naive->nodes[node].placed_ns = naive->now_ns;
    naive->apps[pod->app].counted = true;
    if (!is_first &&
        (a->state == NAIVE_ACCEPTED || a->state == NAIVE_STARTING || a->state == NAIVE_COMPLETING))
        run(naive, pod->app);
    for (int q = a->queue; q >= 0; q = naive->queues[q].parent)
        naive->queues[q].served = naive->served + 1;
    naive->served++;
    return true;
}

/* ---- pods that end (5.3, 7.2 to 7.4) ---- */

static bool is_told(enum yk_si_termination why)
{
    return why != YK_SI_TIMEOUT && why != YK_SI_PREEMPTED_BY_SCHEDULER && why != YK_SI_KILLED &&
           why != YK_SI_PLACEHOLDER_REPLACED;
}

static void forget_pod(struct naive *naive, int pod)
{
    naive->pods[pod].used = false;
    uncount(naive, naive->pods[pod].app);
}

/* The decision to let it replace another is taken back. */
static void part(struct naive *naive, int real)
{
    naive->pods[naive->pods[real].peer].peer = -1;
    naive->pods[real].peer = -1;
    naive->pods[real].node = -1;
    naive->pods[real].stage = NAIVE_PENDING;
}

static void end_bound(struct naive *naive, int pod, enum yk_si_termination why)
{
    struct naive_pod *p = &naive->pods[pod];
    int app = p->app, real = p->placeholder ? p->peer : -1;
    naive_note_ended(naive, pod);
    if (real >= 0 && naive->apps[app].state == NAIVE_FAILING) {
        tell(naive, real, true, YK_SI_TIMEOUT);
        part(naive, real);
        naive->pods[real].used = false;
        real = -1;
    }
    bool stands = real >= 0 && take_over(naive, real, pod);
    if (is_told(why))
        tell(naive, pod, true, YK_SI_STOPPED_BY_RM);
    forget_pod(naive, pod);
    naive_handover_victim_ended(naive, p->handover);
    if (stands)
        tell(naive, real, false, YK_SI_TERMINATION_UNKNOWN);
    if (!p->placeholder)
        real_ended(naive, app);
    else if (placeholder_ended(naive, app))
        return;
    complete_if_done(naive, app);
}

static void drop_replacing(struct naive *naive, int pod)
{
    if (naive->pods[pod].stage == NAIVE_HANDED)
        naive_leave_handover(naive, pod);
    else
        part(naive, pod);
    forget_pod(naive, pod);
}

void naive_end_waiting(struct naive *naive, int pod)
{
    tell(naive, pod, true, YK_SI_TIMEOUT);
    drop_replacing(naive, pod);
}

void naive_release(struct naive *naive, int pod, enum yk_si_termination why)
{
    struct naive_pod *p = &naive->pods[pod];
    int app = p->app;
    bool failed = why == YK_SI_SCHEDULING_FAILED_ON_RM;
    switch (p->stage) {
    case NAIVE_HANDED:
    case NAIVE_REPLACING:
        drop_replacing(naive, pod);
        if (!p->placeholder)
            real_ended(naive, app);
        complete_if_done(naive, app);
        return;
    case NAIVE_PENDING:
        if (failed)
            return;
        forget_pod(naive, pod);
        if (!p->placeholder)
            real_ended(naive, app);
        complete_if_done(naive, app);
        return;
    case NAIVE_BOUND:
        break;
    }
    if (failed && naive->apps[app].state != NAIVE_FAILING && !p->released && !p->preempted) {
        naive_note_ended(naive, pod);
        p->stage = NAIVE_PENDING;
        p->node = -1;
        return;
    }
    end_bound(naive, pod, why);
}

/* What the application has, pending or not. Returns how many. */
static int list_in_arrival_order(const struct naive *naive, int app, int ret_pods[NAIVE_PODS])
{
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (!naive->pods[i].used || naive->pods[i].app != app)
            continue;
        int at = count++;
        for (; at > 0 && naive->pods[ret_pods[at - 1]].arrival > naive->pods[i].arrival; at--)
            ret_pods[at] = ret_pods[at - 1];
        ret_pods[at] = i;
    }
    return count;
}

/* The order counts: it is the one in which handovers start whose victims end in the same step. */
static void end_all(struct naive *naive, int app, enum yk_si_termination why)
{
    int pods[NAIVE_PODS], count = list_in_arrival_order(naive, app, pods);
    bool ends[NAIVE_PODS] = {false};
    for (int i = 0; i < count; i++) {
        enum naive_stage stage = naive->pods[pods[i]].stage;
        ends[i] = stage == NAIVE_BOUND;
        if (stage == NAIVE_REPLACING || stage == NAIVE_HANDED)
            drop_replacing(naive, pods[i]);
    }
    for (int i = 0; i < 2 * count; i++) { /* placeholders last */
        int pod = pods[i % count];
        if (ends[i % count] && naive->pods[pod].placeholder == (i >= count)) {
            ends[i % count] = false;
            end_bound(naive, pod, why);
        }
    }
}

void naive_release_all(struct naive *naive, int app, enum yk_si_termination why)
{
    if (why != YK_SI_TIMEOUT)
        drop_pending(naive, app);
    uncount(naive, app);
    end_all(naive, app, why);
    complete_if_done(naive, app);
}

/* ---- applications ---- */

int naive_add_app(struct naive *naive, const struct naive_app *app)
{
    int at = 0;
    while (naive->apps[at].used)
        at++;
    naive->apps[at] = *app;
    naive->apps[at].used = true;
    naive->apps[at].state = NAIVE_NEW;
    naive->apps[at].submit_ns = naive->now_ns;
    naive->apps[at].state_due_ns = naive->apps[at].gang_due_ns = NEVER;
    naive->apps[at].allocating = naive->apps[at].counted = naive->apps[at].removing = false;
    naive->apps[at].waits = naive->apps[at].real_came = naive->apps[at].held = false;
    naive->apps[at].never_fits = naive->apps[at].gave_way = naive->apps[at].was_overtaken = false;
    naive->apps[at].held_until_ns = naive->apps[at].rests_until_ns = 0;
    naive->apps[at].could_start_since_ns = NEVER;
    return at;
}

void naive_remove_app(struct naive *naive, int app)
{
    naive->apps[app].removing = true;
    drop_pending(naive, app);
    end_all(naive, app, YK_SI_STOPPED_BY_RM);
    forget_app(naive, app);
}

bool naive_kill_app(struct naive *naive, int app)
{
    struct naive_app *a = &naive->apps[app];
    if (a->state == NAIVE_FAILING || a->state == NAIVE_RESUMING)
        return false;
    if (a->state == NAIVE_COMPLETING) {
        a->state_due_ns = NEVER;
        if (count(naive, app, NAIVE_BOUND, true) == 0)
            complete(naive, app);
        else
            let_all_go(naive, app);
        return true;
    }
    drop_pending(naive, app);
    enter(naive, app, NAIVE_FAILING);
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->app == app && !pod->released && !pod->preempted)
            tell(naive, i, true, YK_SI_KILLED);
    }
    complete_if_done(naive, app);
    return true;
}

void naive_move_app(struct naive *naive, int app, int queue)
{
    naive_break_handovers_of(naive, app);
    naive->apps[app].queue = queue;
}

/* ---- pods that come ---- */

void naive_bind(struct naive *naive, int pod, int node)
{
    struct naive_pod *p = &naive->pods[pod];
    struct naive_app *a = &naive->apps[p->app];
    p->stage = NAIVE_BOUND;
    p->node = node;
    p->booked = ++naive->bookings;
    p->bound_ns = naive->nodes[node].placed_ns = naive->now_ns;
    p->reserved = p->handover = -1;
    a->counted = true;
    naive->served++;
    for (int q = a->queue; q >= 0; q = naive->queues[q].parent)
        naive->queues[q].served = naive->served;
    tell(naive, pod, false, YK_SI_TERMINATION_UNKNOWN);
    if (p->placeholder)
        placeholder_allocated(naive, pod);
    else if (a->state == NAIVE_ACCEPTED || a->state == NAIVE_STARTING || a->state == NAIVE_COMPLETING)
        run(naive, p->app);
}

void naive_link(struct naive *naive, int real, int placeholder, int node)
{
    naive->pods[real].stage = NAIVE_REPLACING;
    naive->pods[real].bound_ns = naive->now_ns; /* it holds capacity of another node from now on */
    naive->pods[real].node = node == naive->pods[placeholder].node ? -1 : node;
    naive->pods[real].peer = placeholder;
    naive->pods[placeholder].peer = real;
    naive->pods[placeholder].released = true;
    tell(naive, placeholder, true, YK_SI_PLACEHOLDER_REPLACED);
}

int naive_add_pod(struct naive *naive, const struct naive_pod *pod, int node)
{
    struct naive_app *app = &naive->apps[pod->app];
    int at = 0;
    if (app->state == NAIVE_FAILING)
        return -1;
    while (naive->pods[at].used)
        at++;
    naive->pods[at] = *pod;
    naive->pods[at].used = true;
    naive->pods[at].stage = NAIVE_PENDING;
    naive->pods[at].node = naive->pods[at].peer = naive->pods[at].reserved = naive->pods[at].handover = -1;
    naive->pods[at].released = naive->pods[at].preempted = false;
    naive->pods[at].arrival = ++naive->arrivals;
    naive_note_shape(naive, at);
    app->submit_ns = YK_MIN(app->submit_ns, pod->created_ns);
    if (app->state == NAIVE_NEW || app->state == NAIVE_COMPLETING)
        run(naive, pod->app);
    naive_gang_pod_came(naive, at);
    if (node >= 0)
        naive_bind(naive, at, node);
    return at;
}

void naive_place(struct naive *naive, int pod, int node)
{
    naive_bind(naive, pod, node);
}

/* ---- nodes ---- */

/* The allocations of the node in the order in which they were made, placeholders last. */
static int list_on_node(const struct naive *naive, int node, int ret_pods[NAIVE_PODS])
{
    int count = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || pod->node != node)
            continue;
        int at = count++;
        for (; at > 0; at--) {
            const struct naive_pod *before = &naive->pods[ret_pods[at - 1]];
            if (before->placeholder < pod->placeholder ||
                (before->placeholder == pod->placeholder && before->booked < pod->booked))
                break;
            ret_pods[at] = ret_pods[at - 1];
        }
        ret_pods[at] = i;
    }
    return count;
}

void naive_remove_node(struct naive *naive, int node)
{
    int pods[NAIVE_PODS], count = list_on_node(naive, node, pods);
    naive->nodes[node].leaving = true;
    for (int at = 0; at < count; at++) {
        int i = pods[at];
        const struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || pod->node != node)
            continue; /* left with one before it */
        bool waits = pod->stage == NAIVE_REPLACING || pod->stage == NAIVE_HANDED;
        if (waits && naive->apps[pod->app].state == NAIVE_FAILING) {
            naive_end_waiting(naive, i);
        } else if (pod->stage == NAIVE_HANDED) {
            naive_break_handover(naive, pod->handover);
        } else if (pod->stage == NAIVE_REPLACING) {
            part(naive, i);
        } else {
            end_bound(naive, i, YK_SI_TERMINATION_UNKNOWN);
        }
    }
    for (int i = 0; i < NAIVE_FOREIGN; i++)
        naive->foreign[i].used = naive->foreign[i].used && naive->foreign[i].node != node;
    naive->nodes[node].used = false;
    naive_note_node(naive, node);
}

/* ---- time ---- */

static void on_state_timer(struct naive *naive, int app)
{
    struct naive_app *a = &naive->apps[app];
    a->state_due_ns = NEVER;
    if (a->state == NAIVE_COMPLETING && count(naive, app, NAIVE_BOUND, true) > 0)
        let_all_go(naive, app);
    else if (a->state == NAIVE_COMPLETING)
        complete(naive, app);
    else
        run(naive, app);
}

void naive_advance(struct naive *naive, int64_t by_ns)
{
    naive->now_ns += by_ns;
    for (;;) {
        int64_t first_ns = NEVER;
        int app = -1;
        for (int i = 0; i < NAIVE_APPS; i++) {
            const struct naive_app *a = &naive->apps[i];
            int64_t due_ns = YK_MIN(a->state_due_ns, a->gang_due_ns);
            if (!a->used || due_ns >= first_ns)
                continue;
            first_ns = due_ns;
            app = i;
        }
        if (first_ns > naive->now_ns)
            return;
        if (naive->apps[app].state_due_ns == first_ns)
            on_state_timer(naive, app);
        else
            gang_timeout(naive, app);
    }
}
