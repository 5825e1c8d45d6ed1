/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/proof.h"

#include "gangs/handover.h"
#include "partition/move.h"
#include "reservation/reservations.h"
#include "scheduler/invariants.h"
#include "scheduler/kill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN_NS        (1700000000 * YK_NS_PER_S)
#define NEVER_PLACED_NS (BEGIN_NS - YK_NS_PER_S) /* when the monotonic clock of a world is 0 */

static const struct proof *last; /* the one that runs */

/* ---- chance ---- */

static uint64_t below(struct proof *proof, uint64_t bound)
{
    return yk_random_below(&proof->random, bound);
}

static bool one_in(struct proof *proof, uint64_t n)
{
    return below(proof, n) == 0;
}

/* ---- failing ---- */

/* What the core says that the ask waits for. */
static void print_wait_in(const struct yk_partition *partition, const char *key)
{
    const struct yk_app *app;
    yk_strmap_foreach (app, &partition->apps) {
        const struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(key));
        if (ask != NULL && ask->group != NULL)
            print_message(
                "'%s' of '%s' (%s) in '%s': %s%s%s%s%s\n", key, app->id, yk_app_state_name(app->state),
                app->queue_path, yk_wait_text(ask->group->wait), app->start.held ? ", held" : "",
                yk_list_linked(&app->start.in_gated) ? ", gated" : "",
                ask->group->shape->parked ? ", parked" : "", app->wait.may_wait ? "" : ", may not wait");
    }
}

void proof_fail(const struct proof *proof, const char *what, const char *name)
{
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &proof->world.core->partitions)
        print_wait_in(partition, name);
    fail_msg("YK_SEED=%llu YK_STEPS=%llu: %s: '%s'", (unsigned long long)proof->seed,
             (unsigned long long)proof->step + 1, what, name);
}

int proof_where(void **state)
{
    (void)state;
    if (last != NULL)
        print_message("last: YK_SEED=%llu YK_STEPS=%llu\n", (unsigned long long)last->seed,
                      (unsigned long long)last->step + 1);
    return 0;
}

static uint64_t read_seed(uint64_t seed, size_t *ret_runs, size_t *ret_steps)
{
    uint64_t steps;
    const char *given = getenv("YK_SEED"), *cut = getenv("YK_STEPS");
    if (given != NULL) {
        assert_int_equal(yk_str_to_u64(yk_str_from(given), &seed), YK_OK);
        *ret_runs = 1;
    }
    if (cut != NULL) {
        assert_int_equal(yk_str_to_u64(yk_str_from(cut), &steps), YK_OK);
        *ret_steps = YK_MIN(*ret_steps, steps);
    }
    print_message("YK_SEED=%llu, %zu runs of %zu steps\n", (unsigned long long)seed, *ret_runs, *ret_steps);
    return seed;
}

uint64_t proof_seed(size_t *ret_runs, size_t *ret_steps)
{
    return read_seed(yk_random_system_seed() >> 1, ret_runs, ret_steps); /* with room for one per run */
}

uint64_t proof_same_seed(size_t *ret_runs, size_t *ret_steps)
{
    return read_seed(1, ret_runs, ret_steps);
}

/* ---- what the core tells ---- */

static struct naive_told *note(struct proof *proof, const char *key)
{
    static struct naive_told none;
    if (key[0] == 'x') /* of the other partition */
        return &none;
    if (proof->told_count == NAIVE_TOLD)
        proof_fail(proof, "too many reports at once", key);
    struct naive_told *told = &proof->told[proof->told_count++];
    *told = (struct naive_told){.is_release = false};
    (void)snprintf(told->key, sizeof(told->key), "%s", key);
    return told;
}

static void on_allocated(void *context, const char *key, const char *node)
{
    struct proof *proof = context;
    struct naive_told *told = note(proof, key);
    proof->elsewhere += key[0] == 'x';
    (void)snprintf(told->node, sizeof(told->node), "%s", node);
}

static void on_released(void *context, const char *key)
{
    struct proof *proof = context;
    struct naive_told *told = note(proof, key);
    proof->elsewhere -= key[0] == 'x';
    told->is_release = true;
    told->why = proof->world.last_termination;
    /* "Preempted by ask 'k1' of ...", "preempted for 'k1', which ..." */
    if (sscanf(proof->world.last_message, "Preempted by ask '%15[^']'", told->asker) != 1)
        (void)sscanf(proof->world.last_message, "preempted for '%15[^']'", told->asker); /* or neither */
}

static int compare_told(const void *a, const void *b)
{
    const struct naive_told *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    if (order == 0)
        order = (int)x->is_release - (int)y->is_release;
    if (order == 0)
        order = (int)x->why - (int)y->why;
    return order != 0 ? order : strcmp(x->node, y->node);
}

static void describe(const struct naive_told *told, size_t count, const char *who)
{
    for (size_t i = 0; i < count; i++)
        print_message("  %s: %s %s %s %d\n", who, told[i].is_release ? "release" : "allocated", told[i].key,
                      told[i].node, (int)told[i].why);
}

/* Within one step the order of reports is not defined. */
static void compare_all_told(struct proof *proof)
{
    struct naive *naive = &proof->naive;
    bool same = proof->told_count == naive->told_count;
    qsort(proof->told, proof->told_count, sizeof(proof->told[0]), compare_told);
    qsort(naive->told, naive->told_count, sizeof(naive->told[0]), compare_told);
    for (size_t i = 0; same && i < proof->told_count; i++)
        same = compare_told(&proof->told[i], &naive->told[i]) == 0;
    if (!same || getenv("YK_TRACE") != NULL) {
        print_message("step %llu\n", (unsigned long long)proof->step + 1);
        describe(proof->told, proof->told_count, "core ");
        describe(naive->told, naive->told_count, "naive");
    }
    if (!same) {
        if (naive->told_count > 0)
            print_wait_in(world_partition(&proof->world), naive->told[0].key);
        proof_fail(proof, "told otherwise", proof->told_count > 0 ? proof->told[0].key : "nothing");
    }
    proof->told_count = naive->told_count = 0;
}

/* ---- books ---- */

static int node_number(const char *name)
{
    int number = name[1] - '0';
    return name[2] == '\0' ? number : 10 * number + name[2] - '0';
}

static void compare_amount(const struct proof *proof, const char *what, const char *name,
                           const struct yk_resvec *core, const struct naive_amount *naive)
{
    static const int types[NAIVE_TYPES] = {YK_RESTYPE_VCORE, YK_RESTYPE_MEMORY};
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (yk_resvec_get(core, types[t]) == naive->v[t])
            continue;
        print_message("%s of '%s', type %d: %lld, should be %lld\n", what, name, t,
                      (long long)yk_resvec_get(core, types[t]), (long long)naive->v[t]);
        proof_fail(proof, what, name);
    }
}

static void compare_apps(struct proof *proof)
{
    const struct naive *naive = &proof->naive;
    size_t count = 0;
    for (int i = 0; i < NAIVE_APPS; i++) {
        if (!naive->apps[i].used)
            continue;
        const struct yk_app *app = world_app(&proof->world, naive->apps[i].id);
        count++;
        if (app == NULL)
            proof_fail(proof, "application is missing", naive->apps[i].id);
        else if (strcmp(yk_app_state_name(app->state), naive_state_name(naive->apps[i].state)) != 0) {
            print_message("%s, should be %s\n", yk_app_state_name(app->state),
                          naive_state_name(naive->apps[i].state));
            proof_fail(proof, "state of application", app->id);
        }
    }
    if (count != world_partition(&proof->world)->apps.count)
        proof_fail(proof, "an application should have ended", "");
}

static void compare_books(struct proof *proof)
{
    const struct naive *naive = &proof->naive;
    compare_apps(proof);
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        const struct yk_queue *queue =
            naive->queues[i].used ? world_queue(&proof->world, naive->queues[i].path) : NULL;
        if (queue == NULL)
            continue;
        struct naive_amount sum = naive_queue_sum(naive, i, false);
        compare_amount(proof, "allocated", queue->path, &queue->allocated, &sum);
        sum = naive_queue_sum(naive, i, true);
        compare_amount(proof, "pending", queue->path, &queue->pending, &sum);
    }
    for (int i = 0; i < NAIVE_NODES; i++) {
        if (!naive->nodes[i].used)
            continue;
        struct naive_amount left = naive_available(naive, i);
        const struct yk_node *node =
            yk_strmap_get(&world_partition(&proof->world)->nodes_by_id, yk_str_from(naive->nodes[i].id));
        if (node == NULL)
            proof_fail(proof, "node is missing", naive->nodes[i].id);
        else
            compare_amount(proof, "available", node->id, node->available, &left);
    }
}

/* The order of several ends in one step is not defined, and the time depends on it a little. */
static void compare_run_times(struct proof *proof)
{
    int64_t *mine = &proof->naive.longest_run_ns,
            core = world_partition(&proof->world)->reservation.longest_run_ns;
    if (llabs(*mine - core) > *mine / 50)
        proof_fail(proof, "longest run time", "");
    *mine = core;
}

static void compare_reservations(struct proof *proof)
{
    const struct naive *naive = &proof->naive;
    const struct yk_reservation *reservation;
    uint32_t count = 0;
    yk_list_foreach (reservation, &world_partition(&proof->world)->reservation.list, struct yk_reservation,
                     in_partition) {
        int pod = naive_find_pod(naive, reservation->ask->key);
        if (pod < 0 || naive->pods[pod].stage != NAIVE_PENDING ||
            naive->pods[pod].reserved != node_number(reservation->node->id))
            proof_fail(proof, "has a reservation, or that is for another node", reservation->ask->key);
    }
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        bool has_one = pod->used && pod->stage == NAIVE_PENDING && pod->reserved >= 0;
        const struct yk_app *app = has_one ? world_app(&proof->world, naive->apps[pod->app].id) : NULL;
        if (has_one && yk_ask_reservation(yk_app_find_ask(app, yk_str_from(pod->key))) == NULL)
            proof_fail(proof, "has no reservation", pod->key);
        count += has_one;
    }
    proof->reserved += count;
}

static void compare(struct proof *proof)
{
    struct yk_err err = {0};
    compare_all_told(proof);
    compare_books(proof);
    naive_note_pods(&proof->naive);
    if (proof->style.reserves) {
        compare_run_times(proof);
        compare_reservations(proof);
    }
    if (proof->elsewhere > 3)
        proof_fail(proof, "above the maximum of the other partition's queue", "root.x");
    struct yk_partition *partition;
    yk_vec_foreach (partition, &proof->world.core->partitions) {
        if (!yk_partition_check(partition, &err))
            proof_fail(proof, "invariant", err.text);
    }
}

/* ---- to the core ---- */

static struct yk_resvec size_of(const struct naive_amount *amount)
{
    struct yk_resvec size = {0};
    yk_resvec_put(&size, YK_RESTYPE_VCORE, amount->v[0]);
    yk_resvec_put(&size, YK_RESTYPE_MEMORY, amount->v[1]);
    return size;
}

static const char *task_group(int number)
{
    static const char *const names[] = {"t0", "t1"};
    return number < 0 ? NULL : names[number];
}

/* Those with an odd number satisfy the constraints of class 1. */
static const char *node_name(int node)
{
    static const char *const names[NAIVE_NODES] = {"n0",  "m1",  "n2",  "m3",  "n4",  "m5",  "n6",  "m7",
                                                   "n8",  "m9",  "n10", "m11", "n12", "m13", "n14", "m15",
                                                   "n16", "m17", "n18", "m19", "n20", "m21", "n22", "m23"};
    return node < 0 ? NULL : names[node];
}

static void send_pod(struct proof *proof, const struct naive_pod *pod, const char *node)
{
    struct yk_resvec size = size_of(&pod->size);
    struct yk_si_allocation request = {
        .key = pod->key,
        .application_id = proof->naive.apps[pod->app].id,
        .node_id = node,
        .resource = &size,
        .priority = pod->priority,
        .create_wall_ns = pod->created_ns,
        .task_group = task_group(pod->task_group),
        .required_node = node_name(pod->required),
        .placeholder = pod->placeholder,
        .scheduling_class = pod->picky ? 1 : YK_SI_CLASS_ANY,
        .allow_preempt_self = (pod->created_ns / YK_NS_PER_S) % 2 == 0,
        .allow_preempt_other = true,
        .originator = (pod->created_ns / YK_NS_PER_S) % 5 == 0,
    };
    assert_int_equal(yk_core_update_allocation(proof->world.core, "rm", &request), YK_OK);
}

static void send_node(struct proof *proof, int node, enum yk_si_node_action action)
{
    const struct naive_node *n = &proof->naive.nodes[node];
    struct yk_resvec capacity = size_of(&n->capacity);
    struct yk_si_node request = {.node_id = n->id,
                                 .action = action,
                                 .capacity = &capacity,
                                 .cookie = (void *)(uintptr_t)(unsigned char)n->id[0]};
    assert_int_equal(yk_core_update_node(proof->world.core, "rm", &request), YK_OK);
}

static void send_app(struct proof *proof, const struct naive_app *app, const char *path)
{
    static const char *const groups[NAIVE_USERS][2] = {{"g0"}, {"g1"}, {"other"}, {"g1", "g0"}};
    struct yk_resvec total = size_of(&app->gang_total);
    const struct yk_si_tag tag = {YK_SI_TAG_FORCE_CREATE, "true"};
    char user[8];
    (void)snprintf(user, sizeof(user), "u%d", app->user);
    struct yk_si_new_app request = {
        .application_id = app->id,
        .queue = path,
        .ugi = {.user = user, .groups = groups[app->user], .group_count = app->user == 3 ? 2 : 1},
        .tags = &tag,
        .tag_count = app->forced,
        .placeholder_timeout_ns = app->gang_timeout_ns,
        .placeholder_ask = app->gang_total.v[0] > 0 ? &total : NULL,
        .gang_style = app->hard ? YK_SI_GANG_HARD : YK_SI_GANG_SOFT,
    };
    assert_int_equal(yk_core_add_app(proof->world.core, "rm", &request), YK_OK);
}

/* Queues that were cleaned away; what they were does not matter to those of the same name. */
static void forget_gone_queues(struct proof *proof)
{
    struct naive *naive = &proof->naive;
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        if (naive->queues[i].used && world_queue(&proof->world, naive->queues[i].path) == NULL)
            naive_forget_queue(naive, i);
    }
}

/* Where it goes is up to placement. -1: refused. */
static int add_app(struct proof *proof, const struct naive_app *app, const char *path)
{
    forget_gone_queues(proof);
    send_app(proof, app, path);
    const struct yk_app *placed = world_app(&proof->world, app->id);
    if (placed == NULL)
        return -1;
    struct naive_app mine = *app;
    mine.queue = naive_queue_at(&proof->naive, placed->queue_path);
    return naive_add_app(&proof->naive, &mine);
}

/* ---- single operations ---- */

int proof_add_pod(struct proof *proof, const struct naive_pod *pod, int node)
{
    send_pod(proof, pod, node_name(node));
    int added = naive_add_pod(&proof->naive, pod, node);
    compare(proof);
    return added;
}

void proof_release(struct proof *proof, int pod, enum yk_si_termination why)
{
    const struct naive_pod *p = &proof->naive.pods[pod];
    world_release(&proof->world, proof->naive.apps[p->app].id, p->key, why);
    naive_release(&proof->naive, pod, why);
    compare(proof);
}

void proof_remove_app(struct proof *proof, int app)
{
    assert_int_equal(yk_core_remove_app(proof->world.core, "rm", proof->naive.apps[app].id, NULL), YK_OK);
    naive_remove_app(&proof->naive, app);
    compare(proof);
}

void proof_add_node(struct proof *proof, int node, struct naive_amount capacity)
{
    struct naive_node *n = &proof->naive.nodes[node];
    enum yk_si_node_action action = n->used ? YK_SI_NODE_UPDATE : YK_SI_NODE_CREATE;
    if (!n->used) {
        *n = (struct naive_node){.used = true,
                                 .schedulable = true,
                                 .takes_picky = node % 2 == 1,
                                 .placed_ns = NEVER_PLACED_NS,
                                 .ended_ns = NEVER_PLACED_NS};
        (void)snprintf(n->id, sizeof(n->id), "%s", node_name(node));
    }
    n->capacity = capacity;
    naive_note_node(&proof->naive, node);
    send_node(proof, node, action);
    compare(proof);
}

void proof_remove_node(struct proof *proof, int node)
{
    send_node(proof, node, YK_SI_NODE_DECOMMISSION);
    naive_remove_node(&proof->naive, node);
    compare(proof);
}

void proof_drain(struct proof *proof, int node, bool drain)
{
    send_node(proof, node, drain ? YK_SI_NODE_DRAIN : YK_SI_NODE_DRAIN_TO_SCHEDULABLE);
    proof->naive.nodes[node].schedulable = !drain;
    naive_note_node(&proof->naive, node);
    compare(proof);
}

void proof_advance(struct proof *proof, int64_t ns)
{
    yk_clock_advance(&proof->world.clock, ns);
    (void)yk_timers_run(&proof->world.timers); /* how many fired is not the question */
    naive_advance(&proof->naive, ns);
    compare(proof);
}

static struct naive_pod new_pod(struct proof *proof, int app)
{
    struct naive_pod pod = {.app = app, .task_group = -1, .required = -1, .created_ns = proof->naive.now_ns};
    (void)snprintf(pod.key, sizeof(pod.key), "k%u", proof->names++);
    return pod;
}

static struct naive_app new_app(struct proof *proof)
{
    struct naive_app app = {.user = (int)below(proof, NAIVE_USERS)};
    (void)snprintf(app.id, sizeof(app.id), "app-%u", proof->names++);
    return app;
}

static size_t count_pods(const struct naive *naive)
{
    size_t count = 0;
    for (int i = 0; i < NAIVE_PODS; i++)
        count += naive->pods[i].used;
    return count;
}

static size_t count_apps(const struct naive *naive)
{
    size_t count = 0;
    for (int i = 0; i < NAIVE_APPS; i++)
        count += naive->apps[i].used;
    return count;
}

int proof_add_gang(struct proof *proof, const char *path, int members, int groups, struct naive_amount size,
                   int64_t timeout_ns, bool hard)
{
    struct naive_app app = new_app(proof);
    app.placeholder = size;
    app.picky = proof->style.naive.gives_way && one_in(proof, 6);
    app.gang_timeout_ns = timeout_ns;
    app.hard = hard;
    for (int t = 0; t < NAIVE_TYPES; t++)
        app.gang_total.v[t] = size.v[t] * members * groups;
    int at = add_app(proof, &app, path);
    compare(proof);
    for (int i = 0; at >= 0 && i < members * groups; i++) {
        struct naive_pod pod = new_pod(proof, at);
        pod.size = size;
        pod.picky = app.picky;
        pod.placeholder = true;
        pod.task_group = i % groups;
        (void)proof_add_pod(proof, &pod, -1); /* its application has just come */
    }
    return at;
}

enum yk_si_termination proof_confirmation(const struct proof *proof, int pod)
{
    const struct naive_pod *p = &proof->naive.pods[pod];
    if (p->peer >= 0)
        return YK_SI_PLACEHOLDER_REPLACED;
    if (p->preempted)
        return YK_SI_PREEMPTED_BY_SCHEDULER;
    if (p->released)
        return YK_SI_TIMEOUT;
    return proof->naive.apps[p->app].state == NAIVE_FAILING ? YK_SI_KILLED : YK_SI_STOPPED_BY_RM;
}

/* ---- decisions that are predicted ---- */

static bool any_swap(const struct naive *naive, int app, struct naive_swap *swap)
{
    if (!naive->apps[app].used)
        return false;
    naive_replace(naive, app, swap);
    return swap->let_go_count > 0 || swap->real >= 0;
}

/* The swap of the application that told[at] is about. False: it has none. */
static bool swap_of_told(const struct proof *proof, size_t at, struct naive_swap *ret)
{
    const struct naive *naive = &proof->naive;
    int pod = naive_find_pod(naive, proof->told[at].key);
    return pod >= 0 && any_swap(naive, naive->pods[pod].app, ret);
}

/* What the core told about one application because of `swap`; returns how much. */
static size_t follow_swap(struct proof *proof, const struct naive_swap *swap)
{
    struct naive *naive = &proof->naive;
    size_t before = naive->told_count;
    for (size_t i = 0; i < swap->let_go_count; i++)
        naive_let_go(naive, swap->let_go[i]);
    if (swap->real >= 0) {
        naive_link(naive, swap->real, swap->placeholder, swap->node);
        proof->replaced++;
    }
    return naive->told_count - before;
}

static void no_swap_is_left(struct proof *proof)
{
    struct naive_swap swap;
    for (int i = 0; i < NAIVE_APPS; i++) {
        if (any_swap(&proof->naive, i, &swap))
            proof_fail(proof, "a placeholder could be replaced", proof->naive.apps[i].id);
    }
}

/* ---- gangs that give way (5.6, 5.7) ---- */

#define LATE_NS (8 * YK_NS_PER_S) /* a dry run that failed rests for 5 s; then a look, and two more */
#define REST_NS (5 * YK_NS_PER_S)
/* After the rest each look makes dry runs for the first four in the order and for the one whose last is the
 * longest ago: of NAIVE_APPS gangs each has one within four looks. The first opportunity may come within a
 * second after a look. The clock may jump by 20 s, so seconds alone say nothing. */
enum { LATE_LOOKS = NAIVE_APPS - 4 + 1 };

static uint64_t gang_looks(struct proof *proof)
{
    return world_partition(&proof->world)->gang_waits.looks;
}

static bool is_told(const struct proof *proof, size_t at, const char *key, const char *node)
{
    const struct naive_told *told = &proof->told[at];
    if (at >= proof->told_count || strcmp(told->key, key) != 0 || told->is_release != (node == NULL))
        return false;
    return node == NULL ? told->why == YK_SI_PREEMPTED_BY_SCHEDULER : strcmp(told->node, node) == 0;
}

/* Whether the core told from `at` on what the plan says, in that order. */
static bool is_carried_out(const struct proof *proof, const struct naive_plan *plan, size_t at)
{
    const struct naive *naive = &proof->naive;
    for (int i = 0; i < plan->victim_count; i++) {
        if (!is_told(proof, at + (size_t)i, naive->pods[plan->victims[i]].key, NULL))
            return false;
    }
    for (int i = 0; i < plan->count && plan->victim_count == 0; i++) {
        if (!is_told(proof, at + (size_t)i, naive->pods[plan->pods[i]].key, naive->nodes[plan->nodes[i]].id))
            return false;
    }
    return true;
}

static void describe_plan(const struct proof *proof, const struct naive_plan *plan)
{
    const struct naive *naive = &proof->naive;
    print_message("plan for '%s' in '%s', priority %d:\n", naive->apps[plan->app].id,
                  naive->queues[naive->apps[plan->app].queue].path, (int)plan->priority);
    for (int i = 0; i < plan->victim_count; i++)
        print_message("  ends: %s of '%s'\n", naive->pods[plan->victims[i]].key,
                      naive->apps[naive->pods[plan->victims[i]].app].id);
    for (int i = 0; i < plan->count; i++)
        print_message("  %s on %s\n", naive->pods[plan->pods[i]].key, naive->nodes[plan->nodes[i]].id);
    describe(proof->told, proof->told_count, "core ");
}

static size_t carry_out(struct proof *proof, const struct naive_plan *plan)
{
    naive_hand_over(&proof->naive, plan);
    proof->gave_way += plan->victim_count > 0;
    proof->given_up += (size_t)plan->victim_count;
    proof->started_whole += plan->is_gang;
    proof->asks_served += !plan->is_gang;
    return (size_t)(plan->victim_count > 0 ? plan->victim_count : plan->count);
}

/* The first pod for which the core lets something end, or which it allocates. */
static int taker_of(struct proof *proof, size_t at)
{
    const struct naive *naive = &proof->naive;
    const struct naive_told *told = &proof->told[at];
    int pod = at < proof->told_count ? naive_find_pod(naive, told->key) : -1;
    if (pod < 0 || !told->is_release)
        return pod;
    const struct yk_app *app = world_app(&proof->world, naive->apps[naive->pods[pod].app].id);
    const struct yk_handover *handover = yk_ask_handover(yk_app_find_ask(app, yk_str_from(told->key)));
    if (handover == NULL || handover->asks.count == 0)
        return -1;
    const struct yk_ask *taker = handover->asks.items[0];
    return naive_find_pod(naive, taker->key);
}

/* The first gang in order that can start; one whose dry run may have failed within 5 s may be left out, and
 * so may those behind four that fail. Returns how much of what was told it explains. */
static size_t follow_gang(struct proof *proof, size_t at)
{
    struct naive *naive = &proof->naive;
    struct naive_plan plan;
    int gangs[NAIVE_APPS], count = naive_gangs_in_order(naive, gangs), failed = 0;
    for (int i = 0; i < count; i++) {
        struct naive_app *app = &naive->apps[gangs[i]];
        bool may_rest = app->rests_until_ns > naive->now_ns || failed >= 4;
        if (!naive_plan_gang(naive, gangs[i], &plan)) {
            app->rests_until_ns = naive->now_ns + 5 * YK_NS_PER_S;
            failed++;
        } else if (taker_of(proof, at) == plan.pods[0] && is_carried_out(proof, &plan, at)) {
            return carry_out(proof, &plan);
        } else if (!may_rest) {
            describe_plan(proof, &plan);
            proof_fail(proof, "a gang should start", naive->pods[plan.pods[0]].key);
        }
    }
    return 0;
}

/* Asks of others, in any order; if nothing is found, none could start. What is not explained is found when
 * all that was told is compared. */
static void follow_asks(struct proof *proof, size_t at)
{
    struct naive *naive = &proof->naive;
    struct naive_plan plan;
    while (at < proof->told_count) {
        int taker = taker_of(proof, at);
        if (taker < 0 || !naive_plan_pod(naive, taker, &plan) || !is_carried_out(proof, &plan, at))
            break;
        at += carry_out(proof, &plan);
    }
    for (int i = 0; i < NAIVE_PODS && at == proof->told_before_look; i++) {
        if (!naive_plan_pod(naive, i, &plan))
            continue;
        describe_plan(proof, &plan);
        proof_fail(proof, "should start with what an incomplete gang gives up", naive->pods[i].key);
    }
}

/* The core looked at the gangs; `at`: what was told until then. */
static void follow_look(struct proof *proof, size_t at)
{
    int pod, node;
    proof->gang_looks++;
    naive_gang_look(&proof->naive);
    if (naive_decide(&proof->naive, &pod, &node))
        return; /* what is held no longer is tried at its turn first */
    proof->told_before_look = at;
    follow_asks(proof, at + follow_gang(proof, at));
}

/* The gang could start, and the core had time for a look at it now. */
static bool is_late(struct naive_app *app, int64_t now_ns)
{
    if (app->could_start_since_ns == INT64_MAX) {
        app->could_start_since_ns = now_ns;
        app->looks_since = 0;
    }
    if (now_ns - app->could_start_since_ns >= REST_NS &&
        (app->looks_since == 0 || now_ns - app->last_look_ns >= YK_NS_PER_S)) {
        app->looks_since++;
        app->last_look_ns = now_ns;
    }
    return now_ns - app->could_start_since_ns >= LATE_NS && app->looks_since > LATE_LOOKS;
}

/* Nothing happens: no gang could start for long. */
static void nothing_is_late(struct proof *proof)
{
    struct naive *naive = &proof->naive;
    struct naive_plan plan;
    for (int i = 0; i < NAIVE_APPS; i++) {
        struct naive_app *app = &naive->apps[i];
        if (!app->used || !app->waits || !naive_plan_gang(naive, i, &plan)) {
            app->could_start_since_ns = INT64_MAX;
            continue;
        }
        if (!is_late(app, naive->now_ns))
            continue;
        describe_plan(proof, &plan);
        proof_fail(proof, "a gang could start for long", naive->pods[plan.pods[0]].key);
    }
}

/* ---- decisions that are predicted ---- */

/* The walk finds nothing. True: a gang was looked at. */
static bool after_walk(struct proof *proof, size_t at, bool *looked)
{
    if (*looked || gang_looks(proof) == proof->looks_before)
        return false;
    *looked = true;
    follow_look(proof, at);
    return true;
}

/* The end of a placeholder that was allocated and is to end for no other gang. */
static bool is_of_replacement(const struct naive *naive, const struct naive_told *told)
{
    int pod = naive_find_pod(naive, told->key);
    return told->is_release && told->why != YK_SI_PREEMPTED_BY_SCHEDULER &&
           (pod < 0 || naive->pods[pod].stage == NAIVE_BOUND);
}

/* Placeholders that real pods replace, from told[*at] on. True: a real pod has its place, which is a
 * decision. */
static bool follow_swaps(struct proof *proof, size_t *at)
{
    struct naive_swap swap;
    bool replaced = false;
    while (*at < proof->told_count && is_of_replacement(&proof->naive, &proof->told[*at]) &&
           swap_of_told(proof, *at, &swap)) {
        *at += follow_swap(proof, &swap);
        replaced = proof->told[*at - 1].why == YK_SI_PLACEHOLDER_REPLACED;
    }
    if (!replaced)
        no_swap_is_left(proof);
    return replaced;
}

/* Nothing can be decided: what is reserved changes, and that may let a real pod move to another node. */
static bool reserve_or_replace(struct proof *proof, size_t *at, bool *replaced)
{
    if (!naive_reserve_step(&proof->naive))
        return false;
    *replaced = follow_swaps(proof, at);
    return !*replaced;
}

/* The next decision, after the reservations that are made before it. */
static bool decide(struct naive *naive, int *ret_pod, int *ret_node)
{
    while (naive_decide(naive, ret_pod, ret_node)) {
        while (*ret_node >= 0 && naive_reserve_early(naive, *ret_pod, *ret_node))
            *ret_node = naive_any_node_for(naive, *ret_pod);
        if (*ret_node >= 0)
            return true;
    }
    return false;
}

static void predict(struct proof *proof, size_t made)
{
    struct naive *naive = &proof->naive;
    size_t at = 0;
    int pod, node;
    naive_move_reservations(naive);
    if (naive_settle_handover(naive))
        return;
    bool replaced = follow_swaps(proof, &at);
    if (replaced && made > 0)
        return;
    bool decides, looked = false;
    size_t before = proof->started_whole + proof->asks_served;
    do {
        naive_take_turns(naive);
        decides = decide(naive, &pod, &node);
    } while (!decides && (after_walk(proof, at, &looked) ? proof->started_whole + proof->asks_served == before
                                                         : reserve_or_replace(proof, &at, &replaced)));
    if (replaced && made > 0)
        return;
    if (!decides && proof->started_whole + proof->asks_served > before)
        return; /* others give way */
    if (decides) {
        naive_note_placed(naive, pod, node);
        naive_bind(naive, pod, node);
        naive_note_started(naive, pod, node);
    } else {
        nothing_is_late(proof);
    }
    if (decides != (made > 0))
        proof_fail(proof, decides ? "waits, but could run" : "should wait",
                   decides ? naive->pods[pod].key : proof->told[at].key);
}

/* ---- decisions that are followed ---- */

static void follow_allocation(struct proof *proof, const struct naive_told *told)
{
    struct naive *naive = &proof->naive;
    int pod = naive_find_pod(naive, told->key), node = node_number(told->node);
    if (pod < 0 || naive->pods[pod].stage != NAIVE_PENDING)
        proof_fail(proof, "allocated what does not wait", told->key);
    if (!naive->nodes[node].used || !naive_fits(naive, pod, node) ||
        (naive->pods[pod].required < 0 ? !naive->nodes[node].schedulable : naive->pods[pod].required != node))
        proof_fail(proof, "does not fit on its node", told->key);
    const char *refuses = naive_refuses(naive, pod);
    if (refuses != NULL) {
        print_message("%s\n", refuses);
        proof_fail(proof, "above a maximum because of a decision", told->key);
    }
    naive_bind(naive, pod, node);
}

static void follow_replacement(struct proof *proof, const struct naive_told *told)
{
    struct naive *naive = &proof->naive;
    int placeholder = naive_find_pod(naive, told->key), node = naive->pods[placeholder].node;
    const struct yk_app *app = world_app(&proof->world, naive->apps[naive->pods[placeholder].app].id);
    const struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(told->key));
    int real = naive_find_pod(naive, yk_ask_peer(ask)->key);
    if (yk_ask_peer(ask)->node != NULL)
        node = node_number(yk_ask_peer(ask)->node->id);
    if (real < 0 || naive->pods[real].stage != NAIVE_PENDING || naive->pods[placeholder].released ||
        naive->pods[real].task_group != naive->pods[placeholder].task_group ||
        (node != naive->pods[placeholder].node && !naive_fits(naive, real, node)))
        proof_fail(proof, "must not be replaced", told->key);
    naive_link(naive, real, placeholder, node);
    proof->replaced++;
}

/* ---- preemption ---- */

/* For whom nodes are kept until others have ended there. */
static void note_nominated(struct proof *proof)
{
    struct naive *naive = &proof->naive;
    const struct yk_reservation *reservation;
    for (int i = 0; i < NAIVE_PODS; i++)
        naive->pods[i].nominated = 0;
    yk_list_foreach (reservation, &world_partition(&proof->world)->reservation.list, struct yk_reservation,
                     in_partition) {
        int pod = naive_find_pod(naive, reservation->ask->key);
        if (pod >= 0 && reservation->why == YK_RESERVE_PREEMPTION)
            naive->pods[pod].nominated = 1 + node_number(reservation->node->id);
    }
}

/* The reservation that the ask has now; NULL: none. */
static const struct yk_reservation *reservation_of(struct proof *proof, int pod)
{
    const struct naive *naive = &proof->naive;
    const struct yk_app *app = world_app(&proof->world, naive->apps[naive->pods[pod].app].id);
    const struct yk_ask *ask = app == NULL ? NULL : yk_app_find_ask(app, yk_str_from(naive->pods[pod].key));
    return ask == NULL ? NULL : yk_ask_reservation(ask);
}

/* Where the ask, which preempted others, has its reservation now; -1: none. */
static int node_of_asker(struct proof *proof, int pod)
{
    const struct yk_reservation *reservation = reservation_of(proof, pod);
    return reservation == NULL ? -1 : node_number(reservation->node->id);
}

/* A nomination that ended in this step without a decision may have ended before the asker was considered. The
 * nominee may have got a reservation of the other kind since. */
static void drop_ended_nominations(struct proof *proof)
{
    struct naive *naive = &proof->naive;
    for (int i = 0; i < NAIVE_PODS; i++) {
        struct naive_pod *pod = &naive->pods[i];
        if (!pod->used || pod->nominated <= 0 || pod->stage != NAIVE_PENDING)
            continue;
        const struct yk_reservation *reservation = reservation_of(proof, i);
        if (reservation == NULL || reservation->why != YK_RESERVE_PREEMPTION)
            pod->nominated = 0;
    }
}

static const char *judge(struct proof *proof, const struct naive_preemption *preemption)
{
    const struct naive *naive = &proof->naive;
    if (naive->pods[preemption->pod].required >= 0)
        return naive_judge_daemon(naive, preemption);
    const char *law = naive_judge_preemption(naive, preemption);
    if (law == NULL)
        return NULL;
    drop_ended_nominations(proof);
    return naive_judge_preemption(naive, preemption);
}

/* The victims from `at` on that end for the same ask. */
static void judge_victims(struct proof *proof, size_t at)
{
    struct naive *naive = &proof->naive;
    const char *asker = proof->told[at].asker;
    struct naive_preemption preemption = {.pod = naive_find_pod(naive, asker)};
    if (asker[0] == '\0' || (at > 0 && strcmp(proof->told[at - 1].asker, asker) == 0))
        return; /* for a lowered maximum; judged with the first one */
    preemption.node = preemption.pod < 0 ? -1 : node_of_asker(proof, preemption.pod);
    if (preemption.node < 0)
        proof_fail(proof, "preempted for what has no node", asker);
    for (size_t i = at; i < proof->told_count && strcmp(proof->told[i].asker, asker) == 0; i++)
        preemption.victims[preemption.count++] = naive_find_pod(naive, proof->told[i].key);
    struct naive_pod *pod = &naive->pods[preemption.pod];
    const char *law = judge(proof, &preemption);
    proof->judged += pod->required < 0;
    if (law != NULL) {
        describe(proof->told, proof->told_count, "core ");
        print_message("%s: on %s\n", law, naive->nodes[preemption.node].id);
        proof_fail(proof, law, asker);
    }
    if (pod->required < 0)
        pod->nominated = 1 + preemption.node;
}

static void follow(struct proof *proof)
{
    struct naive *naive = &proof->naive;
    for (size_t i = 0; i < proof->told_count; i++) {
        const struct naive_told *told = &proof->told[i];
        int pod = naive_find_pod(naive, told->key);
        if (!told->is_release) {
            follow_allocation(proof, told);
        } else if (told->why == YK_SI_PLACEHOLDER_REPLACED) {
            follow_replacement(proof, told);
        } else if (told->why == YK_SI_TIMEOUT && pod >= 0 && naive->pods[pod].placeholder) {
            naive_let_go(naive, pod);
        } else if (told->why == YK_SI_PREEMPTED_BY_SCHEDULER && pod >= 0 && !naive->pods[pod].preempted &&
                   naive->pods[pod].stage == NAIVE_BOUND) {
            judge_victims(proof, i);
            naive->pods[pod].preempted = true;
            naive->told[naive->told_count++] = *told;
            proof->preempted++;
        } else {
            proof_fail(proof, "nothing to be released", told->key);
        }
    }
}

/* Section 4: who may keep a node, and who no longer needs it. */
static void check_reservation(struct proof *proof, const struct yk_reservation *reservation, bool at_rest)
{
    const struct naive *naive = &proof->naive;
    int pod = naive_find_pod(naive, reservation->ask->key), node = node_number(reservation->node->id);
    const char *key = reservation->ask->key;
    if (pod < 0 || naive->pods[pod].stage != NAIVE_PENDING || !naive->nodes[node].used)
        proof_fail(proof, "reserved for what does not wait", key);
    const struct naive_pod *p = &naive->pods[pod];
    bool required = p->required >= 0;
    if (yk_ask_reservation(reservation->ask) != reservation)
        proof_fail(proof, "reserved twice", key);
    if (required && (p->required != node || reservation->why != YK_RESERVE_REQUIRED))
        proof_fail(proof, "bound to another node", key);
    bool shares = reservation->node->reservations.next != reservation->node->reservations.prev &&
                  reservation->why != YK_RESERVE_PREEMPTION; /* nominated asks share a node */
    if (!required && (shares || !naive->nodes[node].schedulable))
        proof_fail(proof, "not alone on its node, or that is drained", key);
    for (int t = 0; t < NAIVE_TYPES; t++) {
        if (p->size.v[t] > naive->nodes[node].capacity.v[t] || (p->picky && !naive->nodes[node].takes_picky))
            proof_fail(proof, "reserved without need", key);
    }
    bool has_nominations = world_partition(&proof->world)->root->has_nominations; /* capacity for nominees */
    if (at_rest && !has_nominations && naive_may_start(naive, p->app) && naive_refuses(naive, pod) == NULL &&
        naive_fits(naive, pod, node) &&
        yk_list_first(&reservation->node->reservations, struct yk_reservation, in_node) == reservation)
        proof_fail(proof, "waits, but fits on its reserved node", key);
}

static void check_reservations(struct proof *proof, bool at_rest)
{
    const struct yk_reservation *reservation;
    yk_list_foreach (reservation, &world_partition(&proof->world)->reservation.list, struct yk_reservation,
                     in_partition)
        check_reservation(proof, reservation, at_rest);
}

static void note_reserved(struct proof *proof)
{
    const struct yk_partition *partition = world_partition(&proof->world);
    for (int i = 0; i < NAIVE_NODES; i++) {
        struct naive_node *node = &proof->naive.nodes[i];
        const struct yk_node *n = yk_strmap_get(&partition->nodes_by_id, yk_str_from(node->id));
        node->reserved = node->used && n != NULL && !yk_list_empty(&n->reservations);
        proof->reserved += node->reserved;
    }
}

/* Of what waits; what others were preempted for is theirs. */
static void nothing_waits_that_could_run(struct proof *proof)
{
    const struct naive *naive = &proof->naive;
    if (world_partition(&proof->world)->root->has_nominations)
        return;
    for (int i = 0; i < NAIVE_PODS; i++) {
        if (!naive->pods[i].used)
            continue;
        proof->looks++;
        if (naive_could_run(naive, i))
            proof_fail(proof, "waits, but could run", naive->pods[i].key);
    }
}

static bool schedule_one(struct proof *proof)
{
    proof->looks_before = gang_looks(proof);
    if (!proof->style.exact)
        note_nominated(proof);
    size_t made = yk_core_schedule(proof->world.core, 1, INT64_MAX);
    proof->decisions += made;
    if (proof->style.exact) {
        predict(proof, made);
    } else {
        follow(proof);
        note_reserved(proof);
        check_reservations(proof, made == 0);
        if (made == 0)
            nothing_waits_that_could_run(proof);
    }
    compare(proof);
    return made > 0;
}

void proof_schedule(struct proof *proof)
{
    for (int i = 0; i < 4 * NAIVE_PODS; i++) {
        if (!schedule_one(proof))
            return;
    }
    proof_fail(proof, "never comes to rest", "");
}

/* ---- kill and recover ---- */

static void begin_core(struct proof *proof, int64_t now_ns)
{
    proof->elsewhere = 0;
    world_init(&proof->world, yk_buf_cstr(&proof->yaml));
    yk_clock_advance(&proof->world.clock, now_ns - BEGIN_NS);
    proof->world.watcher = proof;
    proof->world.watch_allocated = on_allocated;
    proof->world.watch_released = on_released;
    proof->world.class_letter = 'm';
    if (proof->style.exact && !proof->style.reserves)
        proof->world.core->reservation_delay_ns = INT64_MAX;
}

static void recover_nodes(struct proof *proof, const struct naive *before)
{
    for (int i = 0; i < NAIVE_NODES; i++) {
        if (!before->nodes[i].used)
            continue;
        proof->naive.nodes[i] = before->nodes[i];
        proof->naive.nodes[i].schedulable = false;
        proof->naive.nodes[i].placed_ns = proof->naive.nodes[i].ended_ns = NEVER_PLACED_NS;
        send_node(proof, i, YK_SI_NODE_CREATE_DRAIN);
    }
}

static void send_foreign(struct proof *proof, int number)
{
    const struct naive_foreign *foreign = &proof->naive.foreign[number];
    struct yk_resvec size = size_of(&foreign->size);
    char key[8];
    (void)snprintf(key, sizeof(key), "f%d", number);
    struct yk_si_allocation request = {
        .key = key, .node_id = proof->naive.nodes[foreign->node].id, .resource = &size, .foreign = true};
    assert_int_equal(yk_core_update_allocation(proof->world.core, "rm", &request), YK_OK);
}

static void recover_apps(struct proof *proof, const struct naive *before, int ret_apps[NAIVE_APPS])
{
    for (int i = 0; i < NAIVE_APPS; i++) {
        struct naive_app app = before->apps[i];
        ret_apps[i] = -1;
        if (!app.used || !naive_has_asks(before, i))
            continue;
        app.forced = true;
        ret_apps[i] = add_app(proof, &app, before->queues[before->apps[i].queue].path);
        if (ret_apps[i] < 0)
            proof_fail(proof, "a restored application is refused", app.id);
    }
}

/* In the order in which they came. */
static void recover_pods(struct proof *proof, const struct naive *before, const int apps[NAIVE_APPS],
                         bool bound)
{
    for (uint64_t arrival = 1; arrival <= before->arrivals; arrival++) {
        for (int i = 0; i < NAIVE_PODS; i++) {
            struct naive_pod pod = before->pods[i];
            if (!pod.used || pod.arrival != arrival || (pod.stage == NAIVE_BOUND) != bound)
                continue;
            pod.app = apps[pod.app];
            (void)proof_add_pod(proof, &pod, bound ? pod.node : -1); /* compared there */
        }
    }
}

void proof_recover(struct proof *proof)
{
    static struct naive before;
    int apps[NAIVE_APPS];
    before = proof->naive;
    proof->story = yk_hash_u64(proof->story ^ proof->world.story);
    world_done(&proof->world);
    begin_core(proof, before.now_ns);
    naive_init(&proof->naive, before.now_ns);
    proof->naive.binpacking = before.binpacking;
    proof->naive.reserves = proof->style.reserves;
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        proof->naive.queues[i] = before.queues[i];
        proof->naive.queues[i].used = before.queues[i].used && before.queues[i].configured;
        proof->naive.queues[i].served = 0;
    }
    recover_nodes(proof, &before);
    for (int i = 0; i < NAIVE_FOREIGN; i++) {
        proof->naive.foreign[i] = before.foreign[i];
        if (before.foreign[i].used)
            send_foreign(proof, i);
    }
    recover_apps(proof, &before, apps);
    recover_pods(proof, &before, apps, true);
    for (int i = 0; i < NAIVE_NODES; i++) {
        if (before.nodes[i].used && before.nodes[i].schedulable)
            proof_drain(proof, i, false);
    }
    recover_pods(proof, &before, apps, false);
    if (count_pods(&proof->naive) != count_pods(&before))
        proof_fail(proof, "a pod was lost", "");
    proof->recoveries++;
}

/* ---- random operations ---- */

static int some_app(struct proof *proof)
{
    int app = (int)below(proof, NAIVE_APPS);
    return proof->naive.apps[app].used ? app : -1;
}

static int some_pod(struct proof *proof)
{
    int pod = (int)below(proof, NAIVE_PODS);
    return proof->naive.pods[pod].used ? pod : -1;
}

static uint64_t nodes_max(const struct proof *proof)
{
    return proof->style.nodes > 0 ? (uint64_t)proof->style.nodes : 6;
}

static int some_node(struct proof *proof)
{
    int node = (int)below(proof, nodes_max(proof));
    return proof->naive.nodes[node].used ? node : -1;
}

static struct naive_amount some_size(struct proof *proof)
{
    return (struct naive_amount){
        {100 * (int64_t)(1 + below(proof, 10)), 100 * (int64_t)(1 + below(proof, 6))}};
}

static int some_queue(struct proof *proof)
{
    int queue;
    do
        queue = (int)below(proof, NAIVE_QUEUES);
    while (!proof->naive.queues[queue].used);
    return queue;
}

static void submit(struct proof *proof)
{
    const struct naive_queue *queue = &proof->naive.queues[some_queue(proof)];
    char path[160];
    if (count_apps(&proof->naive) == NAIVE_APPS)
        return;
    (void)snprintf(path, sizeof(path), "%s%s", queue->path, queue->is_leaf ? "" : ".dyn");
    bool is_gang =
        !proof->style.no_gangs && (one_in(proof, 3) || (proof->style.gang_heavy && !one_in(proof, 3)));
    if (is_gang && count_pods(&proof->naive) + 12 < NAIVE_PODS) {
        int groups = 1 + (int)below(proof, 2), members = 1 + (int)below(proof, 4);
        bool is_large = proof->style.gang_heavy && !one_in(proof, 3);
        if (is_large)
            members += 2;
        struct naive_amount size = some_size(proof);
        if (is_large) /* few fit at the same time */
            size.v[0] += 500;
        (void)proof_add_gang(proof, path, members, groups, size,
                             (int64_t)(1 + below(proof, proof->style.gang_heavy ? 600 : 100)) * YK_NS_PER_S,
                             one_in(proof, 2));
        return;
    }
    struct naive_app app = new_app(proof);
    (void)add_app(proof, &app, path); /* refused: then it is not there */
}

/* Where gangs give way only those are made again that ended: a gang with more than it announced never starts
 * whole. */
static bool may_have_placeholder(const struct proof *proof, int app)
{
    const struct naive *naive = &proof->naive;
    int64_t sum = 0;
    for (int i = 0; i < NAIVE_PODS; i++) {
        const struct naive_pod *pod = &naive->pods[i];
        if (pod->used && pod->app == app && pod->placeholder && !pod->preempted)
            sum += pod->size.v[0];
    }
    return !proof->style.naive.gives_way || sum < naive->apps[app].gang_total.v[0];
}

/* The resource manager makes a placeholder again. */
static void make_again(struct proof *proof)
{
    int app = some_app(proof);
    if (app < 0 || !naive_is_incomplete(&proof->naive, app) || !may_have_placeholder(proof, app) ||
        count_pods(&proof->naive) == NAIVE_PODS)
        return;
    const struct naive_app *a = &proof->naive.apps[app];
    struct naive_pod pod = new_pod(proof, app);
    pod.size = a->placeholder;
    pod.picky = a->picky;
    pod.task_group = 0;
    pod.placeholder = true;
    (void)proof_add_pod(proof, &pod, -1); /* its application waits for it */
}

static void ask_for(struct proof *proof)
{
    int app = some_app(proof), node = some_node(proof);
    if (app < 0 || (proof->style.gang_heavy && !one_in(proof, 3)) || count_pods(&proof->naive) == NAIVE_PODS)
        return;
    const struct naive_app *a = &proof->naive.apps[app];
    struct naive_pod pod = new_pod(proof, app);
    pod.size = some_size(proof);
    if (proof->style.reserves && one_in(proof, 4)) /* waits for a node to drain */
        pod.size.v[0] = nodes_max(proof) > 6 ? 1500 : 4000;
    pod.priority = one_in(proof, 2) ? 0 : (int32_t)below(proof, 5) - 2;
    pod.picky = one_in(proof, 4);
    if (one_in(proof, 4)) /* whole seconds, as pods have */
        pod.created_ns -= (int64_t)below(proof, 10) * YK_NS_PER_S;
    bool starts_late =
        proof->style.gang_heavy && naive_is_incomplete(&proof->naive, app) && !one_in(proof, 10);
    if (a->gang_total.v[0] > 0 && !one_in(proof, 3) && !starts_late) {
        pod.task_group = (int)below(proof, 2);
        pod.placeholder = one_in(proof, 4) && may_have_placeholder(proof, app);
        if (pod.placeholder || !one_in(proof, 4))
            pod.size = a->placeholder;
        if (pod.placeholder && proof->style.naive.gives_way)
            pod.picky = a->picky;
        if (!pod.placeholder && one_in(proof, 4))
            pod.size.v[0] = (pod.size.v[0] + 1) / 2;
    }
    if (!proof->style.exact && pod.task_group < 0 && node >= 0 && one_in(proof, 10))
        pod.required = node;
    (void)proof_add_pod(proof, &pod, one_in(proof, 15) ? node : -1); /* refused: then it is not there */
}

static void resize(struct proof *proof)
{
    int at = some_pod(proof);
    if (at < 0)
        return;
    struct naive_pod *pod = &proof->naive.pods[at];
    const struct naive_pod before = *pod;
    if (!pod->placeholder)
        pod->size = some_size(proof);
    bool is_resized = memcmp(&before.size, &pod->size, sizeof(before.size)) != 0;
    if (is_resized)
        naive_note_shape(&proof->naive, at);
    if (pod->stage == NAIVE_HANDED && is_resized) /* it was handed over for another size */
        naive_break_handover(&proof->naive, pod->handover);
    if (pod->stage == NAIVE_PENDING && one_in(proof, 3))
        pod->priority = (int32_t)below(proof, 5) - 2;
    if (is_resized || before.priority != pod->priority)
        pod->reserved = -1; /* it is another ask now */
    send_pod(proof, pod, pod->stage == NAIVE_BOUND ? node_name(pod->node) : NULL);
}

static void place(struct proof *proof)
{
    int pod = some_pod(proof), node = some_node(proof);
    if (pod < 0 || node < 0 || proof->naive.pods[pod].stage != NAIVE_PENDING)
        return;
    send_pod(proof, &proof->naive.pods[pod], node_name(node));
    naive_place(&proof->naive, pod, node);
}

static void release(struct proof *proof)
{
    static const enum yk_si_termination whys[] = {
        YK_SI_STOPPED_BY_RM,       YK_SI_STOPPED_BY_RM,        YK_SI_TIMEOUT, YK_SI_PREEMPTED_BY_SCHEDULER,
        YK_SI_TERMINATION_UNKNOWN, YK_SI_PLACEHOLDER_REPLACED, YK_SI_KILLED};
    int pod = some_pod(proof);
    bool stays = proof->style.gang_heavy && !one_in(proof, 3);
    if (pod < 0 || stays || (proof->naive.pods[pod].stage == NAIVE_PENDING && one_in(proof, 2)))
        return;
    if (one_in(proof, 4))
        proof_release(proof, pod, YK_SI_SCHEDULING_FAILED_ON_RM);
    else
        proof_release(proof, pod,
                      one_in(proof, 4) ? whys[below(proof, YK_COUNT(whys))] : YK_SI_STOPPED_BY_RM);
}

/* What should end has ended. */
static void confirm(struct proof *proof)
{
    int from = (int)below(proof, NAIVE_PODS);
    for (int i = 0; i < NAIVE_PODS; i++) {
        int at = (from + i) % NAIVE_PODS;
        const struct naive_pod *pod = &proof->naive.pods[at];
        bool ends = pod->used && pod->stage == NAIVE_BOUND &&
                    (pod->released || pod->preempted || proof->naive.apps[pod->app].state == NAIVE_FAILING);
        if (!ends)
            continue;
        proof_release(proof, at, proof_confirmation(proof, at));
        return;
    }
}

static void change_node(struct proof *proof)
{
    int node = (int)below(proof, nodes_max(proof));
    struct naive_amount capacity = {
        {1000 * (int64_t)(1 + below(proof, 7)), 1000 * (int64_t)(1 + below(proof, 5))}};
    if (nodes_max(proof) > 6)
        capacity.v[0] = 600 + 300 * (int64_t)below(proof, 5);
    bool used = proof->naive.nodes[node].used;
    if (used && one_in(proof, 3))
        proof_remove_node(proof, node);
    else if (used && one_in(proof, 2))
        proof_drain(proof, node, proof->naive.nodes[node].schedulable);
    else
        proof_add_node(proof, node, capacity);
}

static void change_foreign(struct proof *proof)
{
    int number = (int)below(proof, NAIVE_FOREIGN), node = some_node(proof);
    struct naive_foreign *foreign = &proof->naive.foreign[number];
    char key[8];
    (void)snprintf(key, sizeof(key), "f%d", number);
    if (foreign->used && one_in(proof, 2)) {
        foreign->used = false;
        world_release(&proof->world, NULL, key, YK_SI_STOPPED_BY_RM);
    } else if (node >= 0) {
        *foreign = (struct naive_foreign){.used = true, .node = node, .size = some_size(proof)};
        send_foreign(proof, number);
    }
}

static void end_app(struct proof *proof)
{
    int app = some_app(proof);
    struct yk_err err;
    if (app < 0)
        return;
    const char *id = proof->naive.apps[app].id;
    switch (below(proof, 4)) {
    case 0:
        proof_remove_app(proof, app);
        break;
    case 1:
        world_release(&proof->world, id, NULL, YK_SI_STOPPED_BY_RM);
        naive_release_all(&proof->naive, app, YK_SI_STOPPED_BY_RM);
        break;
    case 2: {
        bool killed = yk_app_kill(world_app(&proof->world, id), "ann", &err) == YK_OK;
        if (killed != naive_kill_app(&proof->naive, app))
            proof_fail(proof, "killed or not", id);
        break;
    }
    default: {
        struct yk_queue *target = world_queue(&proof->world, proof->naive.queues[some_queue(proof)].path);
        if (target != NULL && yk_app_move(world_app(&proof->world, id), target, "ann", &err) == YK_OK)
            naive_move_app(&proof->naive, app, naive_queue_at(&proof->naive, target->path));
        break;
    }
    }
}

static void reload(struct proof *proof)
{
    forget_gone_queues(proof);
    yk_buf_clear(&proof->yaml);
    naive_configure(&proof->naive, &proof->random, &proof->style.naive, &proof->yaml);
    const char *refusal = world_reload(&proof->world, yk_buf_cstr(&proof->yaml));
    if (refusal != NULL) {
        (void)fputs(yk_buf_cstr(&proof->yaml), stderr);
        proof_fail(proof, "refused", refusal);
    }
}

/* A partition of its own, with three places in its queue. */
static void work_elsewhere(struct proof *proof)
{
    char app[8], key[8], node[8];
    (void)snprintf(app, sizeof(app), "x%d", (int)below(proof, 2));
    (void)snprintf(key, sizeof(key), "x%d", (int)below(proof, 8));
    (void)snprintf(node, sizeof(node), "o%d", (int)below(proof, 2));
    struct yk_resvec size = world_size(1000, 1), capacity = world_size(4000, 9);
    struct yk_si_new_app new_app = {
        .application_id = app, .queue = "root.x", .partition = "other", .ugi = {.user = "u0"}};
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .partition = "other",
                                   .resource = &size,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    struct yk_si_release gone = {
        .partition = "other", .application_id = app, .key = key, .termination = YK_SI_STOPPED_BY_RM};
    struct yk_si_node here = {.node_id = node, .partition = "other", .capacity = &capacity};
    here.action = one_in(proof, 2) ? YK_SI_NODE_CREATE : YK_SI_NODE_DECOMMISSION;
    struct yk_core *core = proof->world.core;
    switch (below(proof, 8)) {
    case 0:
        assert_int_equal(yk_core_add_app(core, "rm", &new_app), YK_OK);
        break;
    case 1:
        assert_int_equal(yk_core_update_node(core, "rm", &here), YK_OK);
        break;
    case 2:
    case 3:
        assert_int_equal(yk_core_release(core, "rm", &gone), YK_OK);
        break;
    default:
        assert_int_equal(yk_core_update_allocation(core, "rm", &ask), YK_OK);
        break;
    }
}

static void rare(struct proof *proof)
{
    switch (below(proof, 8)) {
    case 0:
        if (proof->style.reloads && one_in(proof, 3))
            reload(proof);
        break;
    case 1:
        if (proof->style.kills && one_in(proof, 6))
            proof_recover(proof);
        break;
    case 2:
        end_app(proof);
        break;
    case 3:
    case 4:
        change_foreign(proof);
        break;
    default:
        change_node(proof);
        break;
    }
}

void proof_step(struct proof *proof)
{
    switch (below(proof, 25)) {
    case 0:
    case 1:
        submit(proof);
        break;
    case 2:
        rare(proof);
        break;
    case 3:
        proof_advance(proof, (int64_t)below(proof, 20 * YK_NS_PER_S));
        break;
    case 4:
        resize(proof);
        break;
    case 5:
        if (one_in(proof, 3))
            place(proof);
        break;
    case 6:
    case 7:
    case 8:
    case 14:
    case 15:
        release(proof);
        break;
    case 9:
    case 10:
        confirm(proof);
        break;
    case 11:
    case 12:
        (void)schedule_one(proof);
        break;
    case 13:
        proof_schedule(proof);
        break;
    case 16:
        if (proof->style.naive.second_partition)
            work_elsewhere(proof);
        if (proof->style.gang_heavy) { /* long enough for another look at the gangs */
            proof_advance(proof, (int64_t)below(proof, 4 * YK_NS_PER_S));
            proof_schedule(proof);
        }
        break;
    case 17:
    case 18:
    case 19:
        if (proof->style.gang_heavy) {
            for (int i = 0; i < 3; i++)
                make_again(proof);
            break;
        }
        ask_for(proof);
        break;
    default:
        ask_for(proof);
        break;
    }
    compare(proof);
    proof->step++;
}

void proof_init(struct proof *proof, uint64_t seed, const struct proof_style *style)
{
    *proof = (struct proof){.seed = seed, .style = *style};
    last = proof;
    yk_random_init(&proof->random, seed);
    naive_init(&proof->naive, BEGIN_NS);
    proof->naive.reserves = style->reserves;
    if (style->plain)
        naive_configure_plain(&proof->naive, &proof->yaml);
    else
        naive_configure(&proof->naive, &proof->random, &proof->style.naive, &proof->yaml);
    begin_core(proof, BEGIN_NS);
    bool many = style->nodes > 6;
    for (int node = 0; node < (many ? style->nodes : 3); node++)
        proof_add_node(proof, node, (struct naive_amount){{many ? 1500 : 5000, 4000}});
}

void proof_done(struct proof *proof)
{
    world_done(&proof->world);
    yk_buf_done(&proof->yaml);
    last = NULL;
}
