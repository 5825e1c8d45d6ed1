/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 100 runnable asks per second beside 100,000 that wait: because they fit on no node (in 8 sizes, and each in
 * a size of its own), because their queue is full, because their user is. A core with those that wait and one
 * without take turns, in blocks of arrivals; the ratio of their p99 is the median over the
 * blocks, and --repeat gives more of them.
 *
 * With events on, the slowest of a hundred arrivals are those that close a block of them (events/ring.h),
 * whose memory may be near or far; so that this can be told from what those that wait cost, it is done
 * without events, too.
 *
 * Time is simulated: 10 ms pass between two arrivals, in which timers run and a pod that was placed a second
 * ago ends. Measured is real time: from the ask's arrival to its decision. Then nothing happens for a minute,
 * in which the core should not be called; at last room for ten of those that wait is freed, which one slice
 * (5 ms) should use.
 */
#include "base/random.h"
#include "report.h"
#include "rig.h"

#include <stdio.h>

enum { LIFE = 100, FILLERS = 10, LEAVES = 100, APPS = 1000, IDLE_S = 60, TRIALS = 5 };
#define STEP_NS (10 * YK_NS_PER_MS)

enum kind { NOWHERE, NOWHERE_EACH, QUEUE_FULL, USER_FULL };

struct work {
    size_t nodes, blocked, blocks, block, warm;
};

struct holder { /* of room that those who wait could use */
    char app[32], key[48];
};

struct side {
    struct rig rig;
    struct yk_clock clock;
    enum kind kind;
    struct yk_random random;
    size_t arrived;
    int64_t decided_ns; /* the last decision */
    struct holder holders[FILLERS];
    size_t held; /* decided since it was set to 0; only the first ones are kept */
    int64_t timers_ns, timers_most_ns, release_ns, release_most_ns;
};

static const char *const kinds[] = {"nowhere", "nowhere-each-its-size", "queue-full", "user-full"};
static const char *const branches[] = {"root.large", "root.large", "root.full", "root.users"};

static void on_allocated(struct rig *rig, const struct yk_si_allocated *allocation)
{
    struct side *side = YK_CONTAINER(rig, struct side, rig);
    side->decided_ns = report_now_ns();
    if (side->held++ >= FILLERS)
        return;
    struct holder *holder = &side->holders[side->held - 1];
    (void)snprintf(holder->app, sizeof(holder->app), "%s", allocation->application_id);
    (void)snprintf(holder->key, sizeof(holder->key), "%s", allocation->key);
}

/* ---- who waits ---- */

static void put_branch(struct yk_buf *text, const char *name, const char *limit)
{
    yk_buf_printf(text, "    - name: %s\n%s      queues:\n", name, limit);
    for (int i = 0; i < LEAVES; i++)
        yk_buf_printf(text, "      - name: leaf-%02d\n", i);
}

static void put_queues(struct yk_buf *text)
{
    yk_buf_text(text,
                "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
                "    - name: free\n");
    put_branch(text, "large", "");
    put_branch(text, "full", "      resources: {max: {vcore: 10}}\n");
    put_branch(text, "users", "      limits: [{limit: x, users: [busy], maxresources: {vcore: 10}}]\n");
}

/* Of what fills the room, and of those that wait: ten fit in where ten of the former were. */
static struct yk_resvec size_of(enum kind kind, size_t number)
{
    int64_t vcore = kind == NOWHERE || kind == NOWHERE_EACH ? 32000 : 1000;
    return rig_amounts(vcore, (int64_t)(kind == NOWHERE_EACH ? number + 1 : number % 8 + 1) << 10, 1);
}

static void add_blocked(struct side *side, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char app[32], key[48];
        struct yk_resvec size = size_of(side->kind, i);
        (void)snprintf(app, sizeof(app), "blocked-%04zu", i % APPS);
        (void)snprintf(key, sizeof(key), "blocked-%08zu", i);
        rig_add_ask_of(&side->rig, app, key, &size, NULL);
    }
}

static void settle(struct side *side)
{
    while (yk_core_has_work(side->rig.core))
        (void)yk_core_schedule(side->rig.core, SIZE_MAX, INT64_MAX); /* counted by the rig */
}

/* The room that those who wait could use is taken. */
static void add_fillers(struct side *side)
{
    for (size_t i = 0; i < FILLERS; i++) {
        char key[48];
        struct yk_resvec size = size_of(side->kind, 0);
        (void)snprintf(key, sizeof(key), "filler-%zu", i);
        rig_add_ask_of(&side->rig, "blocked-0000", key, &size, NULL);
    }
    settle(side);
    rig_expect(&side->rig, FILLERS);
}

static void side_init(struct side *side, enum kind kind, const struct work *work, bool events, bool blocked)
{
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    struct yk_resvec small = rig_amounts(16000, INT64_C(64) << 30, 110),
                     large = rig_amounts(32000, INT64_C(64) << 30, 110);
    *side = (struct side){.kind = kind};
    yk_clock_virtual_init(&side->clock, 1700000000 * YK_NS_PER_S);
    yk_random_init(&side->random, 1);
    put_queues(&text);
    rig_init_with(&side->rig, yk_buf_view(&text), &(struct rig_options){&side->clock, true});
    yk_buf_done(&text);
    side->rig.core->events.on = events;
    rig_add_nodes(&side->rig, work->nodes, &small);
    for (int i = 0; i < FILLERS; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "large-%d", i);
        rig_add_node(&side->rig, id, &large);
    }
    rig_add_app(&side->rig, "free", "root.free");
    for (int i = 0; i < APPS; i++) {
        char id[32], queue[64];
        (void)snprintf(id, sizeof(id), "blocked-%04d", i);
        (void)snprintf(queue, sizeof(queue), "%s.leaf-%02d", branches[kind], i % LEAVES);
        rig_add_app_of(&side->rig, id, queue, "busy");
    }
    side->rig.on_allocated = on_allocated;
    add_fillers(side);
    if (blocked)
        add_blocked(side, work->blocked);
    settle(side);
    rig_expect(&side->rig, FILLERS);
}

/* ---- who runs ---- */

static void pass_time(struct side *side)
{
    yk_clock_advance(&side->clock, STEP_NS);
    int64_t start_ns = report_now_ns();
    (void)yk_timers_run(&side->rig.timers); /* whatever is due */
    int64_t took_ns = report_now_ns() - start_ns;
    side->timers_ns += took_ns;
    side->timers_most_ns = YK_MAX(side->timers_most_ns, took_ns);
}

static void name_runnable(char key[48], size_t number)
{
    (void)snprintf(key, 48, "runnable-%08zu", number);
}

static void end_oldest(struct side *side)
{
    char key[48];
    if (side->arrived < LIFE)
        return;
    name_runnable(key, side->arrived - LIFE);
    int64_t start_ns = report_now_ns();
    rig_release(&side->rig, "free", key, YK_SI_STOPPED_BY_RM);
    settle(side);
    int64_t took_ns = report_now_ns() - start_ns;
    side->release_ns += took_ns;
    side->release_most_ns = YK_MAX(side->release_most_ns, took_ns);
}

/*
 * Now and then a pod is gone before it was looked at. Events are kept in blocks, and an arrival that closes
 * one takes longer: without something irregular it would be luck whether arrivals or ends close them.
 */
static void come_and_go(struct side *side)
{
    struct yk_resvec size = rig_amounts(1000, 1 << 30, 1);
    if (yk_random_below(&side->random, 8) != 0)
        return;
    rig_add_ask_of(&side->rig, "free", "short-lived", &size, NULL);
    rig_release(&side->rig, "free", "short-lived", YK_SI_STOPPED_BY_RM);
    settle(side);
}

static int64_t arrive(struct side *side)
{
    char key[48];
    struct yk_resvec size = rig_amounts(1000, 1 << 30, 1);
    size_t before = side->rig.allocated;
    pass_time(side);
    settle(side);
    end_oldest(side);
    come_and_go(side);
    name_runnable(key, side->arrived++);
    int64_t start_ns = report_now_ns();
    rig_add_ask_of(&side->rig, "free", key, &size, NULL);
    settle(side);
    if (side->rig.allocated != before + 1)
        rig_die("a runnable ask was not placed, or one that should wait was");
    return side->decided_ns - start_ns;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

struct latency {
    double *p50, *p99; /* owned: of each block */
};

static void measure_block(struct side *side, const struct work *work, struct latency *latency, size_t number)
{
    int64_t *took = yk_new0_array(int64_t, work->block);
    for (size_t i = 0; i < work->block / 20; i++)
        (void)arrive(side); /* the caches are still the other side's */
    for (size_t i = 0; i < work->block; i++)
        took[i] = arrive(side);
    qsort(took, work->block, sizeof(*took), by_time);
    latency->p50[number] = (double)took[work->block / 2];
    latency->p99[number] = (double)took[work->block * 99 / 100];
    free(took);
}

/* ---- no ask can run ---- */

static size_t idle(struct side *side)
{
    size_t calls = 0;
    for (int i = 0; i < IDLE_S * 100; i++) {
        pass_time(side);
        calls += yk_core_has_work(side->rig.core);
        settle(side);
    }
    return calls;
}

/* From the first release to the last decision that uses its room. */
static double use_freed_room(struct side *side)
{
    struct holder holders[FILLERS];
    size_t before = side->rig.allocated;
    memcpy(holders, side->holders, sizeof(holders));
    side->held = 0;
    int64_t start_ns = report_now_ns();
    for (size_t i = 0; i < FILLERS; i++)
        rig_release(&side->rig, holders[i].app, holders[i].key, YK_SI_STOPPED_BY_RM);
    while (side->rig.allocated < before + FILLERS && yk_core_has_work(side->rig.core))
        (void)yk_core_schedule(side->rig.core, FILLERS, INT64_MAX); /* counted by the rig */
    double ms = (double)(side->decided_ns - start_ns) / 1e6;
    settle(side);
    if (side->rig.allocated != before + FILLERS)
        rig_die("the room was not used, or too much of it");
    return ms;
}

static void show_side(const char *case_, const struct side *side, const struct work *work,
                      const struct latency *latency)
{
    size_t arrivals = work->blocks * work->block;
    report_begin("core-blocked", kinds[side->kind]);
    report_text("events", side->rig.core->events.on ? "on" : "off");
    report_text("side", case_);
    report_count("arrivals", arrivals);
    report_number("p50_ns", report_median(latency->p50, NULL, work->blocks));
    report_number("p99_ns", report_median(latency->p99, NULL, work->blocks));
    report_number("release_mean_ns", (double)side->release_ns / (double)arrivals);
    report_number("release_most_ns", (double)side->release_most_ns);
    report_number("timers_ns_per_s", (double)side->timers_ns / ((double)arrivals / 100));
    report_number("timers_most_ns", (double)side->timers_most_ns);
    report_profile(side->rig.core);
    report_end();
}

static struct latency latency_new(size_t blocks)
{
    return (struct latency){yk_new0_array(double, blocks), yk_new0_array(double, blocks)};
}

static void latency_done(struct latency *latency)
{
    free(latency->p50);
    free(latency->p99);
}

static void show_rest(struct side *side, size_t blocked)
{
    static const char *const call_goals[] = {
        "nowhere: calls in an idle minute", "nowhere, each its size: calls in an idle minute",
        "queue full: calls in an idle minute", "user full: calls in an idle minute"};
    static const char *const room_goals[] = {
        "nowhere: ms until freed room is used", "nowhere, each its size: ms until freed room is used",
        "queue full: ms until freed room is used", "user full: ms until freed room is used"};
    int64_t cpu_ns = report_cpu_ns();
    size_t calls = idle(side);
    double idle_us = (double)(report_cpu_ns() - cpu_ns) / 1e3 / (double)IDLE_S, room_ms = 1e18;
    for (int i = 0; i < TRIALS; i++) {
        double ms = use_freed_room(side);
        room_ms = YK_MIN(room_ms, ms);
    }
    report_begin("core-blocked", kinds[side->kind]);
    report_count("blocked", blocked);
    report_count("calls_while_idle", calls);
    report_number("cpu_us_per_idle_s", idle_us);
    report_number("freed_room_ms", room_ms);
    report_end();
    report_goal(call_goals[side->kind], (double)calls, REPORT_AT_MOST, 0);
    report_goal(room_goals[side->kind], room_ms, REPORT_AT_MOST, 5);
}

static void show_ratio(enum kind kind, bool events, const struct latency *with, const struct latency *without,
                       size_t blocks)
{
    static const char *const goals[2][USER_FULL + 1] = {
        {"nowhere, no events: p99 / without", "nowhere, each its size, no events: p99 / without",
         "queue full, no events: p99 / without", "user full, no events: p99 / without"},
        {"nowhere: p99 / without", "nowhere, each its size: p99 / without", "queue full: p99 / without",
         "user full: p99 / without"}};
    double ratio = report_median(with->p99, without->p99, blocks);
    report_begin("core-blocked", kinds[kind]);
    report_text("events", events ? "on" : "off");
    report_number("p50_ratio", report_median(with->p50, without->p50, blocks));
    report_number("p99_ratio", ratio);
    report_end();
    report_goal(goals[events][kind], ratio, REPORT_AT_MOST, 1.1);
}

static void run(enum kind kind, const struct work *work, bool events)
{
    struct side *sides = yk_new0_array(struct side, 2);
    struct latency latency[2];
    for (int s = 0; s < 2; s++) {
        latency[s] = latency_new(work->blocks);
        side_init(&sides[s], kind, work, events, s == 0);
        for (size_t i = 0; i < work->warm; i++) /* until the ring of events is full */
            (void)arrive(&sides[s]);
        sides[s].timers_ns = sides[s].release_ns = sides[s].timers_most_ns = sides[s].release_most_ns = 0;
    }
    for (size_t b = 0; b < work->blocks; b++) {
        for (int s = 0; s < 2; s++)
            measure_block(&sides[s], work, &latency[s], b);
    }
    for (int s = 0; s < 2; s++)
        show_side(s == 0 ? "with" : "without", &sides[s], work, &latency[s]);
    show_ratio(kind, events, &latency[0], &latency[1], work->blocks);
    if (events)
        show_rest(&sides[0], work->blocked);
    rig_expect(&sides[0].rig, LIFE + FILLERS);
    for (int s = 0; s < 2; s++) {
        latency_done(&latency[s]);
        rig_done(&sides[s].rig);
    }
    free(sides);
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 1);
    const struct work work = options.tiny ? (struct work){20, 2000, 2, 20, 2 * LIFE}
                                          : (struct work){1000, 100000, 60 * options.repeat, 1000, 30000};
    for (enum kind kind = NOWHERE; kind <= USER_FULL; kind++) {
        for (int events = 0; events < 2; events++)
            run(kind, &work, events != 0);
    }
    report_goals("core-blocked");
    return 0;
}
