/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes whose answer changes with what stands where (si.h: class_fits_now(), class_fits_without(),
 * node_signature(), yk_core_wake_class()), with a resource manager that lets only so many of a class run on
 * a node and on a kind of nodes. predicates.md 1.5, 7.4; scheduling.md 3.6, 5.2.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/timer.h"
#include "reservation/reservations.h"
#include "scheduler/core.h"
#include "scheduler/invariants.h"
#include "si.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CLASSES = 4, KINDS = 3, PLACES = 60, PODS = 400, TOLERANT = 3 };

struct place {
    char id[8];
    uint32_t kind;
    bool there, draining, opened;
    uint32_t pods[CLASSES];
};

struct pod {
    char key[16];
    yk_si_class class_;
    int64_t vcore;
    struct place *place; /* NULL: waits */
    bool asked;
};

struct rm {
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_core *core;
    struct yk_random random;
    struct place places[PLACES];
    struct pod pods[PODS];
    uint32_t per_node[CLASSES], per_kind[CLASSES], of_kind[CLASSES][KINDS];
    bool ruled_out[CLASSES];
    size_t decided, questions;
};

static bool kind_has_room(const struct rm *rm, yk_si_class class_, const struct place *place)
{
    return rm->of_kind[class_][place->kind] < rm->per_kind[class_];
}

static bool has_capacity(const struct rm *rm, yk_si_class class_, const struct place *place)
{
    return !rm->ruled_out[class_] && kind_has_room(rm, class_, place) &&
           place->pods[class_] < rm->per_node[class_];
}

/* Class 1 never runs on kind 0, and only the tolerant one where nothing new may stand. */
static bool is_admitted(yk_si_class class_, const struct place *place)
{
    return (class_ != 1 || place->kind != 0) && (!place->draining || class_ == TOLERANT);
}

static void stands(struct rm *rm, struct pod *pod, struct place *place)
{
    if (pod->place != NULL) {
        pod->place->pods[pod->class_]--;
        rm->of_kind[pod->class_][pod->place->kind]--;
    }
    pod->place = place;
    if (place != NULL) {
        place->pods[pod->class_]++;
        rm->of_kind[pod->class_][place->kind]++;
    }
}

static void on_allocated(void *context, const struct yk_si_allocated *allocation)
{
    struct rm *rm = context;
    struct pod *pod = allocation->ask_cookie;
    struct place *place = allocation->node_cookie;
    assert_true(place->opened && is_admitted(pod->class_, place));
    assert_true(has_capacity(rm, pod->class_, place));
    stands(rm, pod, place);
    rm->decided++;
}

static bool on_class_fits(void *context, yk_si_class class_, void *node_cookie)
{
    (void)context;
    return is_admitted(class_, node_cookie);
}

static bool on_fits_now(void *context, yk_si_class class_, void *node_cookie, enum yk_si_question question)
{
    struct rm *rm = context;
    const struct place *place = node_cookie;
    rm->questions++;
    if (place == NULL)
        return !rm->ruled_out[class_];
    if (question == YK_SI_FOR_KIND)
        return kind_has_room(rm, class_, place);
    return question == YK_SI_TO_RESERVE ? !rm->ruled_out[class_] : has_capacity(rm, class_, place);
}

static uint32_t on_node_signature(void *context, void *node_cookie)
{
    (void)context;
    return ((const struct place *)node_cookie)->kind;
}

static int on_fits_without(void *context, yk_si_class class_, void *node_cookie, void *const *gone,
                           size_t count, size_t start)
{
    struct rm *rm = context;
    struct place *was[PODS];
    int found = -1;
    size_t taken = 0;
    for (; taken < count && found < 0; taken++) {
        struct pod *pod = gone[taken];
        was[taken] = pod->place;
        stands(rm, pod, NULL);
        if (taken >= start && has_capacity(rm, class_, node_cookie))
            found = (int)taken;
    }
    while (taken-- > 0)
        stands(rm, gone[taken], was[taken]);
    return found;
}

static void on_released(void *context, const struct yk_si_released *release)
{
    struct pod *pod = release->ask_cookie;
    if (pod == NULL || release->termination != YK_SI_TERMINATION_UNKNOWN)
        return;                 /* our own word, or a wish: the pod ends later */
    stands(context, pod, NULL); /* its node went */
    pod->asked = false;
}

static const struct yk_si_callbacks callbacks = {
    .allocated = on_allocated,
    .released = on_released,
    .class_fits = on_class_fits,
    .class_fits_now = on_fits_now,
    .class_fits_without = on_fits_without,
    .node_signature = on_node_signature,
};

/* ---- short ways ---- */

static struct yk_resvec size_of(int64_t vcore)
{
    struct yk_resvec size = {0};
    yk_resvec_put(&size, YK_RESTYPE_VCORE, vcore);
    return size;
}

static void rm_init(struct rm *rm, uint64_t seed, const char *config)
{
    *rm = (struct rm){0};
    yk_log_set_stream(NULL);
    yk_random_init(&rm->random, seed);
    yk_clock_virtual_init(&rm->clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&rm->timers, &rm->clock);
    struct yk_core_options options = {.clock = &rm->clock, .timers = &rm->timers, .manual = true};
    rm->core = yk_core_new(&options);
    struct yk_si_register request = {.rm_id = "rm", .policy_group = "queues", .config = yk_str_from(config)};
    assert_int_equal(yk_core_register(rm->core, &request, &callbacks, rm, NULL), YK_OK);
    for (size_t i = 0; i < CLASSES; i++)
        rm->per_node[i] = rm->per_kind[i] = UINT32_MAX;
}

static void rm_done(struct rm *rm)
{
    yk_core_free(rm->core);
    yk_timers_done(&rm->timers);
}

static void submit(struct rm *rm, const char *id, const char *queue)
{
    struct yk_si_new_app app = {.application_id = id, .queue = queue, .ugi = {.user = "joe"}};
    assert_int_equal(yk_core_add_app(rm->core, "rm", &app), YK_OK);
}

static void node_action(struct rm *rm, struct place *place, enum yk_si_node_action action, int64_t vcore)
{
    struct yk_resvec capacity = size_of(vcore);
    struct yk_si_node node = {.node_id = place->id,
                              .action = action,
                              .capacity = vcore > 0 ? &capacity : NULL,
                              .constraints_changed = action == YK_SI_NODE_UPDATE,
                              .cookie = place};
    assert_int_equal(yk_core_update_node(rm->core, "rm", &node), YK_OK);
}

static struct place *add_node(struct rm *rm, size_t at, uint32_t kind, int64_t vcore)
{
    struct place *place = &rm->places[at];
    *place = (struct place){.kind = kind, .there = true, .opened = true};
    (void)snprintf(place->id, sizeof(place->id), "n%zu", at);
    node_action(rm, place, YK_SI_NODE_CREATE, vcore);
    return place;
}

static void ask_as(struct rm *rm, struct pod *pod, const struct yk_si_allocation *like)
{
    struct yk_resvec size = size_of(pod->vcore);
    struct yk_si_allocation ask = *like;
    ask.key = pod->key;
    ask.resource = &size;
    ask.scheduling_class = pod->class_;
    ask.tolerates_drain = pod->class_ == TOLERANT;
    ask.cookie = pod;
    pod->asked = true;
    assert_int_equal(yk_core_update_allocation(rm->core, "rm", &ask), YK_OK);
}

static struct pod *add_pod(struct rm *rm, size_t at, yk_si_class class_, int64_t vcore)
{
    struct pod *pod = &rm->pods[at];
    *pod = (struct pod){.class_ = class_, .vcore = vcore};
    (void)snprintf(pod->key, sizeof(pod->key), "pod-%zu", at);
    ask_as(rm, pod, &(struct yk_si_allocation){.application_id = "app"});
    return pod;
}

static void end_pod(struct rm *rm, struct pod *pod)
{
    struct yk_si_release release = {
        .application_id = "app", .key = pod->key, .termination = YK_SI_STOPPED_BY_RM};
    stands(rm, pod, NULL);
    pod->asked = false;
    assert_int_equal(yk_core_release(rm->core, "rm", &release), YK_OK);
    yk_core_wake_class(rm->core, "rm", pod->class_);
}

static size_t schedule(struct rm *rm)
{
    struct yk_err err = {0};
    struct yk_partition *partition = yk_core_find_partition(rm->core, YK_STR("default"));
    size_t decisions = yk_core_schedule(rm->core, SIZE_MAX, INT64_MAX);
    if (!yk_partition_check(partition, &err))
        fail_msg("invariant: %s", err.text);
    return decisions;
}

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues: [{name: a}, {name: b}]\n";

/* ---- one rule each ---- */

static void begin(struct rm *rm)
{
    rm_init(rm, 1, config);
    submit(rm, "app", "root.a");
}

static void waits_until_its_class_is_woken(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    (void)add_node(&rm, 0, 0, 10);
    (void)add_node(&rm, 1, 0, 10);
    rm.per_node[0] = 1;
    struct pod *first = add_pod(&rm, 0, 0, 1);
    (void)add_pod(&rm, 1, 0, 1);
    struct pod *third = add_pod(&rm, 2, 0, 1);
    assert_int_equal(schedule(&rm), 2);
    assert_false(yk_core_has_work(rm.core));
    end_pod(&rm, first);
    assert_int_equal(schedule(&rm), 1);
    assert_non_null(third->place);
    rm_done(&rm);
}

/* Capacity on a node that refuses the class starts nothing and leaves no work; nor does a wake-up that helps
 * nothing. */
static void capacity_where_it_may_not_run_starts_nothing(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    (void)add_node(&rm, 0, 0, 10);
    rm.per_node[0] = 1;
    struct pod *other = add_pod(&rm, 0, 2, 4);
    (void)add_pod(&rm, 1, 0, 1);
    struct pod *waiting = add_pod(&rm, 2, 0, 1);
    assert_int_equal(schedule(&rm), 2);
    stands(&rm, other, NULL);
    struct yk_si_release release = {
        .application_id = "app", .key = other->key, .termination = YK_SI_STOPPED_BY_RM};
    assert_int_equal(yk_core_release(rm.core, "rm", &release), YK_OK);
    assert_int_equal(schedule(&rm), 0);
    assert_false(yk_core_has_work(rm.core));
    yk_core_wake_class(rm.core, "rm", 0);
    yk_core_wake_class(rm.core, "rm", 77);
    yk_core_wake_class(rm.core, "nobody", 0);
    assert_true(yk_core_has_work(rm.core));
    assert_int_equal(schedule(&rm), 0);
    assert_false(yk_core_has_work(rm.core));
    assert_null(waiting->place);
    rm_done(&rm);
}

/* What is wrong with it is not about nodes: they are not even looked at. */
static void without_a_chance_no_node_is_asked(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    for (size_t i = 0; i < PLACES; i++)
        (void)add_node(&rm, i, 0, 10);
    rm.ruled_out[0] = true;
    struct pod *pod = add_pod(&rm, 0, 0, 1);
    assert_int_equal(schedule(&rm), 0);
    assert_in_range(rm.questions, 1, 3);
    rm.ruled_out[0] = false;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 1);
    assert_non_null(pod->place);
    rm_done(&rm);
}

static void pass(struct rm *rm, int64_t ns)
{
    yk_clock_advance(&rm->clock, ns);
    while (yk_timers_run(&rm->timers) > 0)
        continue;
}

static const struct yk_reservation *reservation_of(const struct rm *rm, const struct pod *pod)
{
    const struct yk_app *app =
        yk_partition_find_app(yk_core_find_partition(rm->core, YK_STR("default")), "app");
    return yk_ask_reservation(yk_app_find_ask(app, yk_str_from(pod->key)));
}

static int64_t until_next_timer_ns(const struct rm *rm)
{
    return yk_timers_next_ns(&rm->timers) - yk_clock_mono_ns(&rm->clock);
}

/* Nothing says that a class may no longer run on a node: while other asks wait for nodes, reservations are
 * looked at every 10 s. */
static void a_reservation_of_no_use_is_dropped(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    (void)add_node(&rm, 0, 0, 10);
    (void)add_pod(&rm, 0, 2, 4);
    struct pod *big = add_pod(&rm, 1, 0, 8);
    assert_int_equal(schedule(&rm), 1);
    (void)add_pod(&rm, 3, 3, 1); /* it overtakes */
    assert_int_equal(schedule(&rm), 1);
    pass(&rm, 3 * YK_NS_PER_S);
    assert_int_equal(schedule(&rm), 0);
    pass(&rm, 0);
    assert_non_null(reservation_of(&rm, big));
    assert_true(until_next_timer_ns(&rm) > 50 * YK_NS_PER_S); /* it waits alone */
    struct pod *small = add_pod(&rm, 2, 2, 1);
    assert_int_equal(schedule(&rm), 0);
    pass(&rm, YK_NS_PER_S);
    assert_int_equal(schedule(&rm), 0);
    assert_true(until_next_timer_ns(&rm) <= 10 * YK_NS_PER_S);
    rm.ruled_out[0] = true;
    pass(&rm, 10 * YK_NS_PER_S);
    assert_int_equal(schedule(&rm), 1);
    assert_ptr_equal(small->place, &rm.places[0]);
    assert_null(big->place);
    pass(&rm, 10 * YK_NS_PER_S);
    assert_true(until_next_timer_ns(&rm) > 50 * YK_NS_PER_S); /* nothing is reserved */
    rm_done(&rm);
}

/* Two of three kinds are full: they are passed by with a question each. */
static void full_signatures_are_skipped(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    for (size_t i = 0; i < PLACES; i++)
        (void)add_node(&rm, i, (uint32_t)i % KINDS, 100 + (int64_t)(i % KINDS) * 100);
    rm.per_kind[0] = 0;
    (void)add_pod(&rm, 0, 0, 1);
    assert_int_equal(schedule(&rm), 0);
    rm.per_kind[0] = 2; /* the first two tries make the trees of kinds */
    rm.of_kind[0][1] = rm.of_kind[0][2] = 2;
    yk_core_wake_class(rm.core, "rm", 0);
    rm.questions = 0;
    assert_int_equal(schedule(&rm), 1);
    assert_in_range(rm.questions, 1, 40);
    rm.of_kind[0][1] = rm.of_kind[0][2] = 0;
    /* New node signatures. */
    for (size_t i = 0; i < PLACES; i++)
        rm.places[i].kind = rm.places[i].kind == 0 ? 0 : 1;
    yk_core_signatures_changed(rm.core, "rm");
    (void)add_pod(&rm, 1, 0, 1);
    (void)add_pod(&rm, 2, 0, 1);
    (void)add_pod(&rm, 3, 0, 1);
    (void)add_pod(&rm, 4, 0, 1);
    assert_int_equal(schedule(&rm), 3);
    assert_int_equal(rm.of_kind[0][0] + rm.of_kind[0][1], 4);
    rm_done(&rm);
}

/* predicates.md 4.2: who tolerates it may run on a node that drains, but on none that is not open yet. */
static void a_draining_node_takes_who_tolerates_it(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    struct place *place = &rm.places[0];
    *place = (struct place){.id = "n0", .there = true, .draining = true};
    node_action(&rm, place, YK_SI_NODE_CREATE_DRAIN, 10);
    struct pod *tolerant = add_pod(&rm, 0, TOLERANT, 1), *other = add_pod(&rm, 1, 0, 1);
    assert_int_equal(schedule(&rm), 0);
    place->opened = true;
    node_action(&rm, place, YK_SI_NODE_DRAIN, 0);
    assert_int_equal(schedule(&rm), 1);
    assert_ptr_equal(tolerant->place, place);
    struct pod *large = add_pod(&rm, 2, TOLERANT, 10);
    assert_int_equal(schedule(&rm), 0);
    end_pod(&rm, tolerant); /* room on it wakes those who may use it */
    assert_int_equal(schedule(&rm), 1);
    assert_ptr_equal(large->place, place);
    end_pod(&rm, large);
    place->draining = false;
    node_action(&rm, place, YK_SI_NODE_UPDATE, 0);
    node_action(&rm, place, YK_SI_NODE_DRAIN_TO_SCHEDULABLE, 0);
    assert_int_equal(schedule(&rm), 1);
    assert_ptr_equal(other->place, place);
    rm_done(&rm);
}

/* 6.1: a victim may be needed for what stands there, not for room alone; none is taken where that is in
 * vain. */
static void victims_make_way_as_the_class_needs(void **state)
{
    static const char guaranteed[] =
        "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
        "    - {name: a, resources: {guaranteed: {vcore: 1m}}}\n"
        "    - {name: b, resources: {guaranteed: {vcore: 12m}}, properties: {preemption.delay: 1s}}\n";
    struct rm rm;
    (void)state;
    rm_init(&rm, 1, guaranteed);
    submit(&rm, "app", "root.a");
    submit(&rm, "high", "root.b");
    (void)add_node(&rm, 0, 0, 10);
    (void)add_node(&rm, 1, 0, 10);
    rm.per_node[0] = 2;
    for (size_t i = 0; i < 4; i++) { /* two of class 0 on each node, and one large one beside them */
        rm.pods[i] = (struct pod){.class_ = i % 2 == 0 ? 0 : 2, .vcore = i % 2 == 0 ? 1 : 9};
        (void)snprintf(rm.pods[i].key, sizeof(rm.pods[i].key), "low-%zu", i);
        ask_as(&rm, &rm.pods[i],
               &(struct yk_si_allocation){
                   .application_id = "app", .node_id = rm.places[i / 2].id, .allow_preempt_self = true});
        stands(&rm, &rm.pods[i], &rm.places[i / 2]);
    }
    rm.per_node[0] = 1;
    struct pod *high = &rm.pods[10];
    *high = (struct pod){.class_ = 0, .vcore = 5, .key = "high-0"};
    ask_as(&rm, high,
           &(struct yk_si_allocation){.application_id = "high", .allow_preempt_other = true, .priority = 1});
    for (int i = 0; i < 5; i++) {
        (void)schedule(&rm); /* a plan that is carried out counts as one, too */
        yk_clock_advance(&rm.clock, 40 * YK_NS_PER_S);
        (void)yk_timers_run(&rm.timers); /* how many fired is not the question */
    }
    const struct yk_app *app =
        yk_partition_find_app(yk_core_find_partition(rm.core, YK_STR("default")), "app");
    size_t victims = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(rm.pods[i].key));
        if ((ask->flags & YK_ASK_PREEMPTED) == 0)
            continue;
        victims++;
        end_pod(&rm, &rm.pods[i]);
    }
    assert_int_equal(victims, 2); /* room alone would need one */
    assert_int_equal(schedule(&rm), 1);
    assert_non_null(high->place);
    rm_done(&rm);
}

/* 5.2: a real pod takes its placeholder's node only if it may run there once that is gone. */
static void a_real_pod_fits_where_its_placeholder_goes(void **state)
{
    struct rm rm;
    (void)state;
    rm_init(&rm, 1, config);
    struct yk_resvec total = size_of(2);
    struct yk_si_new_app gang = {
        .application_id = "app", .queue = "root.a", .ugi = {.user = "joe"}, .placeholder_ask = &total};
    assert_int_equal(yk_core_add_app(rm.core, "rm", &gang), YK_OK);
    for (size_t i = 0; i < 2; i++)
        (void)add_node(&rm, i, 0, 2);
    rm.per_node[0] = 1;
    for (size_t i = 0; i < 2; i++) {
        rm.pods[i] = (struct pod){.class_ = 0, .vcore = 1};
        (void)snprintf(rm.pods[i].key, sizeof(rm.pods[i].key), "ph-%zu", i);
        ask_as(&rm, &rm.pods[i],
               &(struct yk_si_allocation){.application_id = "app", .task_group = "tg", .placeholder = true});
    }
    assert_int_equal(schedule(&rm), 2);
    struct pod *real = &rm.pods[10];
    *real = (struct pod){.class_ = 0, .vcore = 1, .key = "real"};
    ask_as(&rm, real, &(struct yk_si_allocation){.application_id = "app", .task_group = "tg"});
    assert_int_equal(schedule(&rm), 1);
    const struct yk_app *app =
        yk_partition_find_app(yk_core_find_partition(rm.core, YK_STR("default")), "app");
    const struct yk_ask *ask = yk_app_find_ask(app, YK_STR("real"));
    assert_non_null(yk_ask_peer(ask));
    struct pod *placeholder = yk_ask_peer(ask)->cookie;
    stands(&rm, placeholder, NULL);
    struct yk_si_release release = {
        .application_id = "app", .key = placeholder->key, .termination = YK_SI_PLACEHOLDER_REPLACED};
    assert_int_equal(yk_core_release(rm.core, "rm", &release), YK_OK);
    assert_non_null(real->place);
    /* The next one may stand neither there nor beside the first. */
    rm.per_node[0] = 0;
    struct pod *next = &rm.pods[11];
    *next = (struct pod){.class_ = 0, .vcore = 1, .key = "next"};
    ask_as(&rm, next, &(struct yk_si_allocation){.application_id = "app", .task_group = "tg"});
    assert_int_equal(schedule(&rm), 0);
    rm.per_node[0] = 1;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 1);
    rm_done(&rm);
}

static void a_daemon_is_woken_for_its_node(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    (void)add_node(&rm, 0, 0, 10);
    rm.per_node[0] = 1;
    struct pod *first = add_pod(&rm, 0, 0, 1), *daemon = &rm.pods[1];
    assert_int_equal(schedule(&rm), 1);
    *daemon = (struct pod){.class_ = 0, .vcore = 1, .key = "daemon"};
    ask_as(&rm, daemon, &(struct yk_si_allocation){.application_id = "app", .required_node = "n0"});
    assert_int_equal(schedule(&rm), 0);
    end_pod(&rm, first);
    assert_int_equal(schedule(&rm), 1);
    assert_ptr_equal(daemon->place, &rm.places[0]);
    rm_done(&rm);
}

static void pass_time(struct rm *rm, int64_t seconds)
{
    yk_clock_advance(&rm->clock, seconds * YK_NS_PER_S);
    (void)yk_timers_run(&rm->timers); /* how many fired is not the question */
    (void)schedule(rm);
}

/* scheduling.md 4.4: what runs on the node may end, so the reservation stays while the class is refused for
 * it; it is dropped when nothing has ended there for a minute. */
static void a_reserved_node_that_refuses_the_class(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    for (size_t i = 0; i < 3; i++)
        (void)add_node(&rm, i, 0, 10);
    rm.per_node[3] = 1;
    struct pod *running[3], *waiting;
    for (size_t i = 0; i < 3; i++)
        running[i] = add_pod(&rm, i, i < 2 ? 2 : 3, i < 2 ? 9 : 5);
    assert_int_equal(schedule(&rm), 3);
    waiting = add_pod(&rm, 3, 0, 6);
    assert_int_equal(schedule(&rm), 0);
    struct pod *later = add_pod(&rm, 5, 2, 1);
    assert_int_equal(schedule(&rm), 1); /* it overtakes */
    pass_time(&rm, 5);
    assert_non_null(reservation_of(&rm, waiting));
    const struct place *kept = reservation_of(&rm, waiting)->node->cookie;
    assert_ptr_equal(kept, running[2]->place); /* which lacks least */
    end_pod(&rm, later);
    rm.per_node[0] = 0;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 0);
    end_pod(&rm, running[2]);
    struct pod *other = add_pod(&rm, 4, 3, 10);
    assert_int_equal(schedule(&rm), 0);
    pass_time(&rm, 59);
    assert_non_null(reservation_of(&rm, waiting));
    assert_null(other->place);
    pass_time(&rm, 1);
    assert_ptr_equal(other->place, kept);
    end_pod(&rm, other);
    rm.per_node[0] = 1;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 1);
    assert_non_null(waiting->place);
    rm_done(&rm);
}

static struct pod *add_daemon(struct rm *rm, size_t at, int64_t vcore)
{
    struct pod *daemon = &rm->pods[at];
    *daemon = (struct pod){.class_ = 0, .vcore = vcore};
    (void)snprintf(daemon->key, sizeof(daemon->key), "daemon-%zu", at);
    ask_as(rm, daemon, &(struct yk_si_allocation){.application_id = "app", .required_node = "n0"});
    return daemon;
}

/* scheduling.md 3.7: a reservation keeps everybody else away, so none is made for an ask that room does not
 * help, and it ends when something else comes in the way. */
static void a_daemon_that_room_does_not_help_keeps_no_node(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    (void)add_node(&rm, 0, 0, 10);
    add_node(&rm, 1, 0, 10)->pods[2] = 1; /* nothing of class 2 goes there */
    rm.per_node[2] = 1;
    rm.per_node[0] = 0;
    struct pod *daemon = add_daemon(&rm, 0, 1);
    assert_int_equal(schedule(&rm), 0);
    struct pod *other = add_pod(&rm, 1, 2, 10);
    assert_int_equal(schedule(&rm), 1); /* the node is free for others */
    rm.per_node[0] = 1;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 0); /* now it is room that is missing: it has the node reserved */
    (void)add_pod(&rm, 2, 2, 10);
    for (uint32_t allowed = 0; allowed < 2; allowed++) {
        rm.per_node[0] = allowed;
        yk_core_wake_class(rm.core, "rm", 0);
        assert_int_equal(schedule(&rm), 0);
    }
    rm.per_node[0] = 0;
    end_pod(&rm, other);
    assert_int_equal(schedule(&rm), 1); /* again something else, and the next one gets it */
    end_pod(&rm, &rm.pods[2]);
    rm.per_node[0] = 1;
    rm.ruled_out[0] = true;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 0);
    other = add_pod(&rm, 3, 2, 10);
    assert_int_equal(schedule(&rm), 1); /* it has no chance anywhere */
    rm.ruled_out[0] = false;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 0);
    end_pod(&rm, other);
    assert_int_equal(schedule(&rm), 1);
    assert_non_null(daemon->place);
    rm_done(&rm);
}

/* 6.2: no pod ends for a daemon that could not run afterwards. */
static void no_victims_for_a_daemon_in_vain(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    (void)add_node(&rm, 0, 0, 10);
    (void)add_node(&rm, 1, 0, 10);
    rm.pods[0] = (struct pod){.class_ = 2, .vcore = 10, .key = "running"};
    ask_as(&rm, &rm.pods[0],
           &(struct yk_si_allocation){
               .application_id = "app", .node_id = "n0", .allow_preempt_self = true, .priority = -1});
    stands(&rm, &rm.pods[0], &rm.places[0]);
    rm.per_node[0] = 0;
    (void)add_daemon(&rm, 1, 5);
    assert_int_equal(schedule(&rm), 0);
    const struct yk_app *app =
        yk_partition_find_app(yk_core_find_partition(rm.core, YK_STR("default")), "app");
    assert_int_equal(yk_app_find_ask(app, YK_STR("running"))->flags & YK_ASK_PREEMPTED, 0);
    rm.per_node[0] = 1;
    yk_core_wake_class(rm.core, "rm", 0);
    for (int i = 0; i < 3; i++)
        (void)schedule(&rm); /* a victim is no decision */
    assert_int_not_equal(yk_app_find_ask(app, YK_STR("running"))->flags & YK_ASK_PREEMPTED, 0);
    rm_done(&rm);
}

/* Its node refuses it for what runs there, not for lack of room: others may use the node meanwhile (3.7). */
static void a_daemon_keeps_no_node_that_refuses_it(void **state)
{
    struct rm rm;
    (void)state;
    begin(&rm);
    (void)add_node(&rm, 0, 0, 10);
    rm.ruled_out[0] = true;
    struct pod *daemon = &rm.pods[0];
    *daemon = (struct pod){.class_ = 0, .vcore = 1, .key = "daemon"};
    ask_as(&rm, daemon, &(struct yk_si_allocation){.application_id = "app", .required_node = "n0"});
    assert_int_equal(schedule(&rm), 0);
    struct pod *other = add_pod(&rm, 1, 2, 1);
    assert_int_equal(schedule(&rm), 1);
    assert_ptr_equal(other->place, &rm.places[0]);
    rm.ruled_out[0] = false;
    yk_core_wake_class(rm.core, "rm", 0);
    assert_int_equal(schedule(&rm), 1);
    assert_ptr_equal(daemon->place, &rm.places[0]);
    rm_done(&rm);
}

/* ---- nothing waits that could run, whatever happens ---- */

static bool has_vcore(struct rm *rm, const struct place *place, int64_t vcore)
{
    const struct yk_partition *partition = yk_core_find_partition(rm->core, YK_STR("default"));
    const struct yk_node *node = yk_partition_find_node(partition, place->id);
    return node != NULL && yk_list_empty(&node->reservations) &&
           yk_resvec_get(node->available, YK_RESTYPE_VCORE) >= vcore;
}

static void check_who_waits(struct rm *rm, int step)
{
    for (size_t i = 0; i < PODS; i++) {
        const struct pod *pod = &rm->pods[i];
        bool waits = pod->asked && pod->place == NULL;
        for (size_t n = 0; waits && n < PLACES; n++) {
            const struct place *place = &rm->places[n];
            if (place->there && place->opened && is_admitted(pod->class_, place) &&
                has_capacity(rm, pod->class_, place) && has_vcore(rm, place, pod->vcore)) {
                const struct yk_app *app =
                    yk_partition_find_app(yk_core_find_partition(rm->core, YK_STR("default")), "app");
                const struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(pod->key));
                print_message("class %u vcore %ld wait %d parked %d res %p promised %u blocked %u draining "
                              "%d first %d\n",
                              pod->class_, (long)pod->vcore, ask->group->wait, ask->group->shape->parked,
                              (void *)yk_ask_reservation(ask), ask->group->reservation.nominated,
                              ask->group->reservation.blocked, place->draining, ask->group->first == ask);
                fail_msg("step %d: %s waits, and could run on %s", step, pod->key, place->id);
            }
        }
    }
}

static void change_node(struct rm *rm)
{
    size_t at = (size_t)yk_random_below(&rm->random, PLACES);
    struct place *place = &rm->places[at];
    if (!place->there) {
        (void)add_node(rm, at, (uint32_t)yk_random_below(&rm->random, KINDS),
                       5 + (int64_t)yk_random_below(&rm->random, 10));
        return;
    }
    switch (yk_random_below(&rm->random, 3)) {
    case 0:
        node_action(rm, place, YK_SI_NODE_DECOMMISSION, 0);
        place->there = false;
        for (yk_si_class class_ = 0; class_ < CLASSES; class_++)
            yk_core_wake_class(rm->core, "rm", class_); /* what stood there counts no more */
        break;
    case 1:
        place->draining = !place->draining;
        node_action(rm, place, YK_SI_NODE_UPDATE, 0);
        node_action(rm, place, place->draining ? YK_SI_NODE_DRAIN : YK_SI_NODE_DRAIN_TO_SCHEDULABLE, 0);
        break;
    default:
        node_action(rm, place, YK_SI_NODE_UPDATE, 5 + (int64_t)yk_random_below(&rm->random, 10));
        break;
    }
}

static void change_rules(struct rm *rm)
{
    yk_si_class class_ = (yk_si_class)yk_random_below(&rm->random, CLASSES);
    rm->per_node[class_] = (uint32_t)yk_random_below(&rm->random, 4);
    rm->per_kind[class_] = (uint32_t)yk_random_below(&rm->random, 40);
    rm->ruled_out[class_] = yk_random_below(&rm->random, 4) == 0;
    yk_core_wake_class(rm->core, "rm", class_);
}

static void change_pod(struct rm *rm)
{
    size_t at = (size_t)yk_random_below(&rm->random, PODS);
    if (rm->pods[at].asked)
        end_pod(rm, &rm->pods[at]);
    else
        (void)add_pod(rm, at, (yk_si_class)yk_random_below(&rm->random, CLASSES),
                      1 + (int64_t)yk_random_below(&rm->random, 4));
}

static void nothing_waits_that_could_run(void **state)
{
    enum { STEPS = 4000 };
    struct rm rm;
    (void)state;
    const char *given = getenv("YK_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : yk_random_system_seed();
    print_message("seed %llu\n", (unsigned long long)seed);
    rm_init(&rm, seed, config);
    submit(&rm, "app", "root.a");
    for (int step = 0; step < STEPS; step++) {
        uint64_t what = yk_random_below(&rm.random, 20);
        if (what == 0)
            change_node(&rm);
        else if (what == 1)
            change_rules(&rm);
        else
            change_pod(&rm);
        (void)schedule(&rm);
        check_who_waits(&rm, step);
        yk_clock_advance(&rm.clock, (int64_t)yk_random_below(&rm.random, 2) * YK_NS_PER_S);
        (void)yk_timers_run(&rm.timers); /* how many fired is not the question */
        (void)schedule(&rm);
    }
    assert_true(rm.decided > STEPS / 10);
    rm_done(&rm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_until_its_class_is_woken),
        cmocka_unit_test(capacity_where_it_may_not_run_starts_nothing),
        cmocka_unit_test(without_a_chance_no_node_is_asked),
        cmocka_unit_test(a_reservation_of_no_use_is_dropped),
        cmocka_unit_test(full_signatures_are_skipped),
        cmocka_unit_test(a_draining_node_takes_who_tolerates_it),
        cmocka_unit_test(victims_make_way_as_the_class_needs),
        cmocka_unit_test(a_real_pod_fits_where_its_placeholder_goes),
        cmocka_unit_test(a_daemon_is_woken_for_its_node),
        cmocka_unit_test(a_daemon_keeps_no_node_that_refuses_it),
        cmocka_unit_test(a_reserved_node_that_refuses_the_class),
        cmocka_unit_test(a_daemon_that_room_does_not_help_keeps_no_node),
        cmocka_unit_test(no_victims_for_a_daemon_in_vain),
        cmocka_unit_test(nothing_waits_that_could_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
