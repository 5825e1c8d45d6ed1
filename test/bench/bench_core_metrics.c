/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a scrape of the metrics costs the scheduling thread, in processor time: 50,000 applications with a
 * pending ask each in one leaf, the same over 1,000 leaves, and the same beside 10,000 nodes that each have an
 * allocation; and the longest step that is not divided. What the I/O thread does of it (sorting the names of
 * the queues, the metrics of the process) is in the figure, too.
 */
#include "report.h"
#include "rig.h"
#include "web/web.h"

#include <stdio.h>

struct work {
    const char *part;
    size_t apps, leaves, nodes;
};

static void put_queues(struct yk_buf *text, size_t leaves)
{
    yk_buf_text(text,
                "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n");
    for (size_t i = 0; i < leaves; i++)
        yk_buf_printf(text, "    - {name: leaf-%05zu, maxapplications: 1}\n", i);
}

static void fill(struct rig *rig, const struct work *work)
{
    struct yk_resvec capacity = rig_amounts(10, INT64_C(64) << 30, 110); /* one ask each */
    rig_add_nodes(rig, work->nodes, &capacity);
    for (size_t a = 0; a < work->apps; a++) {
        char id[32], queue[32];
        (void)snprintf(id, sizeof(id), "app-%05zu", a);
        (void)snprintf(queue, sizeof(queue), "root.leaf-%05zu", a % work->leaves);
        rig_add_app(rig, id, queue);
        rig_add_ask(rig, id, a);
    }
    (void)yk_core_schedule(rig->core, SIZE_MAX, INT64_MAX); /* one per node fits */
}

struct steps {
    int64_t begun_ns, longest_ns;
};

static void note_step(void *context)
{
    struct steps *steps = context;
    int64_t now_ns = report_cpu_ns();
    steps->longest_ns = YK_MAX(steps->longest_ns, now_ns - steps->begun_ns);
    steps->begun_ns = now_ns;
}

/* The longest of the steps between which the thread may do something else, in us. */
static double longest_step_us(const struct rig *rig)
{
    struct yk_answer answer;
    struct steps steps = {.begun_ns = report_cpu_ns()};
    const struct yk_web_query query = {
        .target = "/ws/v1/metrics", .tiny_slices = true, .between = note_step, .context = &steps};
    yk_web_render(rig->core, NULL, &query, &answer);
    note_step(&steps);
    yk_answer_done(&answer);
    return (double)steps.longest_ns / 1e3;
}

static double run(const struct work *work, size_t repeat)
{
    struct rig rig;
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    double best_ms = 1e9, longest_us = 1e9;
    put_queues(&text, work->leaves);
    rig_init(&rig, yk_buf_view(&text), &yk_clock_real);
    fill(&rig, work);
    for (size_t i = 0; i < repeat; i++) {
        struct yk_answer answer;
        int64_t start_ns = report_cpu_ns();
        const struct yk_web_query query = {.target = "/ws/v1/metrics"};
        yk_web_render(rig.core, NULL, &query, &answer);
        best_ms = YK_MIN(best_ms, (double)(report_cpu_ns() - start_ns) / 1e6);
        longest_us = YK_MIN(longest_us, longest_step_us(&rig));
        if (answer.status != 200)
            rig_die("no metrics");
        yk_answer_done(&answer);
    }
    report_begin("core-metrics", work->part);
    report_count("applications", work->apps);
    report_count("leaves", work->leaves);
    report_count("nodes", work->nodes);
    report_number("ms_per_scrape", best_ms);
    report_number("longest_step_us", longest_us);
    report_end();
    rig_done(&rig);
    yk_buf_done(&text);
    return best_ms;
}

int main(int argc, char **argv)
{
    static const struct work large[] = {{"one leaf", 50000, 1, 100},
                                        {"many leaves", 50000, 1000, 100},
                                        {"many nodes", 50000, 1, 10000}},
                             tiny[] = {{"one leaf", 500, 1, 10}, {"many leaves", 500, 10, 10}};
    struct report_options options = report_options(argc, argv, 7);
    size_t count = options.tiny ? YK_COUNT(tiny) : YK_COUNT(large);
    for (size_t i = 0; i < count; i++) {
        const struct work *work = options.tiny ? &tiny[i] : &large[i];
        report_goal(work->part, run(work, options.repeat), REPORT_AT_MOST, 1);
    }
    report_goals("core-metrics");
    return 0;
}
