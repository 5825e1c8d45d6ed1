/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/*
 * Preemption at size: nodes full of pods of a queue without guarantee, and asks of one with it, each of which needs
 * three of them to end. One JSON line for 250, 500 and 1,000 asks, and one with how the cost per plan grows; and one for
 * a quarter as many asks whose nodes have capacity and whose parent queue is at its maximum, so that the victims may
 * stand anywhere (part "queue"). Times are those of the processor.
 *
 *     plan_us      making and carrying out a plan, mean; plan_p50_us, plan_p99_us; first_plan_us: the first, which
 *                  looks at all nodes; longest_us: the longest call until then, as it does so in steps
 *     end_us       a victim leaves, with all that is decided then, mean; end_p99_us
 *     in_vain      victims after which no preemptor started
 *
 *     bench_core_preempt [--nodes N] [--repeat R]
 */
/* clang-format on */
#include "base/log.h"
#include "base/version.h"
#include "rig.h"

#include <getopt.h>
#include <stdio.h>

enum { PODS_PER_NODE = 4, VICTIMS_PER_ASK = 3, APPS = 50, AGE_S = 60 };

/* Processor time of this thread. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* always there */
    return t.tv_sec * YK_NS_PER_S + t.tv_nsec;
}

struct run {
    struct rig rig;
    struct yk_clock clock;
    bool queue_is_full; /* the maximum of the parent is lacking; else the nodes are full */
    size_t asks, victims, in_vain;
    int64_t plan_ns, first_ns, longest_ns, plan_p50_ns, plan_p99_ns, end_ns, end_p99_ns;
};

/* Durations, in any order. */
struct times {
    int64_t *ns; /* owned */
    size_t count;
};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t percentile(struct times *times, size_t percent)
{
    qsort(times->ns, times->count, sizeof(*times->ns), by_value);
    return times->ns[(times->count - 1) * percent / 100];
}

static int64_t sum_of(const struct times *times)
{
    int64_t sum = 0;
    for (size_t i = 0; i < times->count; i++)
        sum += times->ns[i];
    return sum;
}

static void add_pod(struct run *run, const char *app, size_t number, int64_t vcore, size_t node)
{
    char key[32], id[32];
    struct yk_resvec size = rig_amounts(vcore, vcore << 20, 1);
    (void)snprintf(key, sizeof(key), "%s-%06zu", app, number);
    (void)snprintf(id, sizeof(id), "node-%06zu", node);
    struct yk_si_allocation pod = {
        .key = key,
        .application_id = app,
        .resource = &size,
        .node_id = node == SIZE_MAX ? NULL : id,
        .create_wall_ns = yk_clock_wall_ns(&run->clock) - AGE_S * YK_NS_PER_S,
        .scheduling_class = YK_SI_CLASS_ANY,
        .allow_preempt_self = true,
        .allow_preempt_other = true,
    };
    rig_must(yk_core_update_allocation(run->rig.core, "rm", &pod), "pod refused");
}

static void fill(struct run *run, size_t nodes)
{
    int64_t amount = (run->queue_is_full ? 2 : 1) * PODS_PER_NODE * 1000;
    struct yk_resvec capacity = rig_amounts(amount, amount << 20, 110);
    rig_add_nodes(&run->rig, nodes, &capacity);
    for (size_t i = 0; i < APPS; i++) {
        char app[32];
        (void)snprintf(app, sizeof(app), "low-%02zu", i);
        rig_add_app(&run->rig, app, run->queue_is_full ? "root.p.low" : "root.low");
        app[0] = 'h'; /* how-.. */
        rig_add_app(&run->rig, app, run->queue_is_full ? "root.p.high" : "root.high");
    }
    for (size_t i = 0; i < nodes * PODS_PER_NODE; i++) {
        char app[32];
        (void)snprintf(app, sizeof(app), "low-%02zu", i % APPS);
        add_pod(run, app, i, 1000, i / PODS_PER_NODE);
    }
}

static void ask(struct run *run)
{
    for (size_t i = 0; i < run->asks; i++) {
        char app[32];
        (void)snprintf(app, sizeof(app), "how-%02zu", i % APPS);
        add_pod(run, app, i, VICTIMS_PER_ASK * 1000, SIZE_MAX);
    }
}

static const struct yk_partition *partition_of(const struct run *run)
{
    return yk_core_find_partition(run->rig.core, YK_STR("default"));
}

static void collect_from(const struct yk_app *app, struct yk_vec *ret_victims)
{
    struct yk_ask *pod;
    yk_text_set_foreach (pod, &app->asks) {
        if ((pod->flags & YK_ASK_PREEMPTED) != 0)
            yk_vec_append(ret_victims, pod);
    }
}

static void collect_victims(const struct run *run, struct yk_vec *ret_victims)
{
    const struct yk_app *app;
    yk_strmap_foreach (app, &partition_of(run)->apps)
        collect_from(app, ret_victims);
}

/* They end in the order of the map: any. */
static void end_victims(struct run *run)
{
    struct yk_vec victims = {0};
    const struct yk_ask *victim;
    collect_victims(run, &victims);
    run->victims = victims.count;
    struct times times = {.ns = yk_new0_array(int64_t, victims.count)};
    yk_vec_foreach (victim, &victims) {
        struct yk_si_release release = {.application_id = yk_ask_app(victim)->id,
                                        .key = victim->key,
                                        .termination = YK_SI_PREEMPTED_BY_SCHEDULER};
        int64_t since_ns = cpu_ns();
        rig_must(yk_core_release(run->rig.core, "rm", &release), "victim refused");
        (void)yk_core_schedule(run->rig.core, SIZE_MAX, INT64_MAX); /* counted by the caller */
        times.ns[times.count++] = cpu_ns() - since_ns;
    }
    run->end_ns = sum_of(&times);
    run->end_p99_ns = percentile(&times, 99);
    free(times.ns);
    yk_vec_done(&victims);
}

/* One plan, or one step towards it, in each call. */
static void make_plans(struct run *run)
{
    struct times times = {.ns = yk_new0_array(int64_t, run->asks)};
    int64_t plan_ns = 0;
    while (times.count < run->asks && yk_core_has_work(run->rig.core)) {
        int64_t since_ns = cpu_ns();
        size_t decided = yk_core_schedule(run->rig.core, 1, 0);
        int64_t call_ns = cpu_ns() - since_ns;
        plan_ns += call_ns;
        if (times.count == 0)
            run->longest_ns = YK_MAX(run->longest_ns, call_ns);
        if (decided == 0)
            continue;
        times.ns[times.count++] = plan_ns;
        plan_ns = 0;
    }
    if (times.count != run->asks)
        rig_die("some asks have no victims");
    run->first_ns = times.ns[0];
    run->plan_ns = sum_of(&times);
    run->plan_p50_ns = percentile(&times, 50);
    run->plan_p99_ns = percentile(&times, 99);
    free(times.ns);
}

static void play(struct run *run, size_t nodes)
{
    run->rig.allocated = 0;
    fill(run, nodes);
    ask(run);
    size_t before = run->rig.allocated;
    make_plans(run);
    end_victims(run);
    size_t started = run->rig.allocated - before;
    if (started != run->asks)
        rig_die("some asks did not start");
    run->in_vain = run->victims - started * VICTIMS_PER_ASK;
}

static const char config[] =
    "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
    "    - {name: low}\n    - {name: high, resources: {guaranteed: {vcore: 1000000}}}\n";
static const char full_queue[] =
    "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
    "    - {name: p, resources: {max: {vcore: %zu}}, queues: [{name: low}, "
    "{name: high, resources: {guaranteed: {vcore: %zu}}}]}\n";

static void run_once(struct run *run, size_t nodes, size_t asks, bool queue_is_full)
{
    char text[512];
    *run = (struct run){.asks = asks, .queue_is_full = queue_is_full};
    yk_clock_virtual_init(&run->clock, 1700000000 * YK_NS_PER_S);
    (void)snprintf(text, sizeof(text), full_queue, nodes * PODS_PER_NODE, nodes * PODS_PER_NODE);
    rig_init(&run->rig, queue_is_full ? yk_str_from(text) : YK_STR(config), &run->clock);
    play(run, nodes);
    rig_done(&run->rig);
}

static double us(int64_t ns, size_t count)
{
    return (double)ns / 1000.0 / (double)count;
}

static void print(const struct run *run, size_t nodes)
{
    const char *part = run->queue_is_full ? "queue" : "asks";
    (void)printf("{\"case\":\"core-preempt\",\"part\":\"%s\",\"nodes\":%zu,\"asks\":%zu,\"victims\":%zu,"
                 "\"in_vain\":%zu,\"plan_us\":%.2f,\"plan_p50_us\":%.2f,\"plan_p99_us\":%.2f,"
                 "\"first_plan_us\":%.1f,\"longest_us\":%.1f,\"end_us\":%.2f,\"end_p99_us\":%.2f,",
                 part, nodes, run->asks, run->victims, run->in_vain, us(run->plan_ns, run->asks),
                 us(run->plan_p50_ns, 1), us(run->plan_p99_ns, 1), us(run->first_ns, 1),
                 us(run->longest_ns, 1), us(run->end_ns, run->victims), us(run->end_p99_ns, 1));
    (void)printf("\"version\":\"%s\",\"revision\":\"%s\",\"compiler\":\"%s\"}\n", yk_version, yk_revision,
                 yk_compiler);
}

static size_t number_from(const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);
    if (*end != '\0' || number == 0 || number > 1000000)
        rig_die("a number from 1 to 1000000 is expected");
    return (size_t)number;
}

static struct run best_of(size_t repeat, size_t nodes, size_t asks, bool queue_is_full)
{
    struct run best = {0};
    for (size_t r = 0; r < repeat; r++) {
        struct run run;
        run_once(&run, nodes, asks, queue_is_full);
        if (r == 0 || run.plan_ns < best.plan_ns)
            best = run;
    }
    return best;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"nodes", required_argument, NULL, 'n'}, {"repeat", required_argument, NULL, 'r'}, {0}};
    size_t nodes = 1000, repeat = 3;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == '?')
            return 2;
        *(option == 'n' ? &nodes : &repeat) = number_from(optarg);
    }
    yk_log_set_stream(NULL);
    double cost[3];
    for (size_t i = 0; i < YK_COUNT(cost); i++) {
        const struct run best = best_of(repeat, nodes, nodes / (4u >> i), false);
        print(&best, nodes);
        cost[i] = us(best.plan_ns, best.asks);
    }
    (void)printf("{\"case\":\"core-preempt\",\"part\":\"slope\",\"nodes\":%zu,\"plan_us_ratio_4x\":%.3f}\n",
                 nodes, cost[2] / cost[0]);
    const struct run best = best_of(repeat, nodes, YK_MAX(nodes / 4, (size_t)1), true);
    print(&best, nodes);
    return 0;
}
