/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a scrape of the metrics costs the scheduling thread, in processor time: 50,000 applications with a
 * pending ask each in one leaf, the same over 1,000 leaves, and the same beside 10,000 nodes that each have an
 * allocation; and the longest step that is not divided. What the I/O thread does, which makes the text, is a
 * figure of its own. So is the list of the first 1,000 asks that wait.
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

/* Of the scheduling thread in one scrape. */
struct steps {
    int64_t begun_ns, sum_ns, longest_ns;
};

static void note_step(void *context, bool begins)
{
    struct steps *steps = context;
    int64_t now_ns = report_cpu_ns();
    if (!begins) {
        steps->longest_ns = YK_MAX(steps->longest_ns, now_ns - steps->begun_ns);
        steps->sum_ns += now_ns - steps->begun_ns;
    }
    steps->begun_ns = now_ns;
}

/* Returns the processor time of the whole. `tiny_slices`: each step between which the thread may do something else
 * is measured. */
static int64_t scrape(const struct rig *rig, const char *target, bool tiny_slices, struct steps *ret_steps)
{
    struct yk_answer answer;
    int64_t start_ns = report_cpu_ns();
    const struct yk_web_query query = {
        .target = target, .tiny_slices = tiny_slices, .slice = note_step, .context = ret_steps};
    *ret_steps = (struct steps){0};
    yk_web_render(rig->core, NULL, &query, &answer);
    if (answer.status != 200)
        rig_die(target);
    yk_answer_done(&answer);
    return report_cpu_ns() - start_ns;
}

static double run(const struct work *work, size_t repeat)
{
    struct rig rig;
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    static const char metrics[] = "/ws/v1/metrics", waiting[] = "/ws/v1/partition/default/queue/root/pending";
    double best_ms = 1e9, other_ms = 1e9, longest_us = 1e9, waiting_ms = 1e9, waiting_us = 1e9;
    put_queues(&text, work->leaves);
    rig_init(&rig, yk_buf_view(&text), &yk_clock_real);
    fill(&rig, work);
    for (size_t i = 0; i < repeat; i++) {
        struct steps steps;
        int64_t whole_ns = scrape(&rig, metrics, false, &steps);
        best_ms = YK_MIN(best_ms, (double)steps.sum_ns / 1e6);
        other_ms = YK_MIN(other_ms, (double)(whole_ns - steps.sum_ns) / 1e6);
        (void)scrape(&rig, metrics, true, &steps);
        longest_us = YK_MIN(longest_us, (double)steps.longest_ns / 1e3);
    }
    for (size_t i = 0; i < repeat; i++) { /* behind the scrapes, whose data it pushes out of the cache */
        struct steps steps;
        (void)scrape(&rig, waiting, false, &steps);
        waiting_ms = YK_MIN(waiting_ms, (double)steps.sum_ns / 1e6);
        (void)scrape(&rig, waiting, true, &steps);
        waiting_us = YK_MIN(waiting_us, (double)steps.longest_ns / 1e3);
    }
    report_begin("core-metrics", work->part);
    report_count("applications", work->apps);
    report_count("leaves", work->leaves);
    report_count("nodes", work->nodes);
    report_number("ms_per_scrape", best_ms);
    report_number("io_thread_ms_per_scrape", other_ms);
    report_number("longest_step_us", longest_us);
    report_number("ms_per_list_of_what_waits", waiting_ms);
    report_number("its_longest_step_us", waiting_us);
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
