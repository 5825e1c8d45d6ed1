/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the core does by itself, on timers, over two minutes in which nothing happens: 5,000 nodes and 50,000
 * pods that run, 100,000 equal pods of one application that wait, for nodes or for the maximum of their
 * queue. Measured is the processor time of each single step, after which the scheduling thread handles
 * events. Time is simulated.
 */
#include "report.h"
#include "rig.h"

#include <stdio.h>

enum holder { NOTHING, NODES, QUEUE_MAX, HOLDERS };
static const char *const names[HOLDERS] = {"nothing-waits", "nodes", "queue-max"};
static const char *const goals[HOLDERS] = {"nothing waits: longest step, us", "nodes: longest step, us",
                                           "queue-max: longest step, us"};

#define SPAN_NS (120 * YK_NS_PER_S)

struct work {
    size_t nodes, apps, running, waiting;
};

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues:\n    - name: open\n    - name: full\n"
                             "      resources: {max: {vcore: 1}}\n";

static void add_asks(struct rig *rig, const char *app, const char *prefix, size_t count,
                     const struct yk_resvec *size)
{
    for (size_t i = 0; i < count; i++) {
        char key[48];
        (void)snprintf(key, sizeof(key), "%s-%06zu", prefix, i);
        rig_add_ask_of(rig, app, key, size, NULL);
    }
}

static void fill(struct rig *rig, const struct work *work)
{
    struct yk_resvec node = rig_amounts(16000, INT64_C(64) << 30, 110), pod = rig_amounts(100, 1 << 20, 1);
    rig_add_nodes(rig, work->nodes, &node);
    for (size_t i = 0; i < work->apps; i++) {
        char app[32];
        (void)snprintf(app, sizeof(app), "app-%06zu", i);
        rig_add_app(rig, app, "root.open");
        add_asks(rig, app, app, work->running / work->apps, &pod);
    }
    (void)yk_core_schedule(rig->core, SIZE_MAX, INT64_MAX); /* counted below */
    rig_expect(rig, work->running);
}

static void let_wait(struct rig *rig, const struct work *work, enum holder holder)
{
    struct yk_resvec size = rig_amounts(16000, 1 << 20, 1);
    if (holder == NOTHING)
        return;
    rig_add_app(rig, "waits", holder == NODES ? "root.open" : "root.full");
    add_asks(rig, "waits", "waits", work->waiting, &size);
    (void)yk_core_schedule(rig->core, SIZE_MAX, INT64_MAX); /* they wait */
    rig_expect(rig, work->running);
}

struct steps {
    size_t count;
    int64_t total_ns, max_ns, max_at_ns;
};

static void note(struct steps *steps, int64_t start_ns, int64_t at_ns)
{
    int64_t took_ns = report_cpu_ns() - start_ns;
    steps->count++;
    steps->total_ns += took_ns;
    if (took_ns > steps->max_ns) {
        steps->max_ns = took_ns;
        steps->max_at_ns = at_ns;
    }
}

static void run_timers(struct rig *rig, struct yk_clock *clock, struct steps *steps)
{
    int64_t begin_ns = yk_clock_mono_ns(clock), due_ns;
    while ((due_ns = yk_timers_next_ns(&rig->timers)) <= begin_ns + SPAN_NS) {
        yk_clock_advance(clock, YK_MAX(due_ns - yk_clock_mono_ns(clock), 0));
        int64_t start_ns = report_cpu_ns();
        (void)yk_timers_run(&rig->timers); /* one, as a rule */
        note(steps, start_ns, due_ns - begin_ns);
        while (yk_core_has_work(rig->core)) {
            start_ns = report_cpu_ns();
            (void)yk_core_schedule(rig->core, SIZE_MAX, INT64_MAX - 1); /* nothing fits */
            note(steps, start_ns, due_ns - begin_ns);
        }
    }
}

static void run(enum holder holder, const struct work *work)
{
    struct rig rig;
    struct yk_clock clock;
    struct steps steps = {0};
    yk_clock_virtual_init(&clock, 1700000000 * YK_NS_PER_S);
    rig_init_with(&rig, yk_str_from(config), &(struct rig_options){&clock, true});
    fill(&rig, work);
    let_wait(&rig, work, holder);
    run_timers(&rig, &clock, &steps);
    report_begin("core-periodic", names[holder]);
    report_count("steps", steps.count);
    report_number("total_ms", (double)steps.total_ns / 1e6);
    report_number("max_us", (double)steps.max_ns / 1e3);
    report_number("max_at_s", (double)steps.max_at_ns / 1e9);
    report_end();
    report_goal(goals[holder], (double)steps.max_ns / 1e3, REPORT_AT_MOST, 1000);
    rig_done(&rig);
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 1);
    const struct work work =
        options.tiny ? (struct work){20, 4, 100, 200} : (struct work){5000, 500, 50000, 100000};
    for (int holder = 0; holder < HOLDERS; holder++)
        run((enum holder)holder, &work);
    report_goals("core-periodic");
    return 0;
}
