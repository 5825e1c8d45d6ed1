/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A decision at the end of a long run against one at its beginning: one application with 100,000 asks, and
 * 10,000 applications of 10 asks in one leaf, each fair and fifo. A tenth counts with its best run.
 */
#include "report.h"
#include "rig.h"

#include <stdio.h>

enum { TENTHS = 10 };

struct work {
    const char *part, *policy;
    size_t apps, asks_each;
};

static void put_leaf(struct yk_buf *text, const char *policy)
{
    yk_buf_printf(text,
                  "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
                  "    - name: leaf\n      resources: {guaranteed: {vcore: 100, memory: 100Gi}}\n"
                  "      properties: {application.sort.policy: %s}\n",
                  policy);
}

static void fill(struct rig *rig, const struct work *work)
{
    struct yk_resvec capacity = rig_amounts(16000, INT64_C(64) << 30, 110);
    size_t asks = work->apps * work->asks_each;
    rig_add_nodes(rig, asks / 100 + 1, &capacity);
    for (size_t a = 0; a < work->apps; a++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "app-%05zu", a);
        rig_add_app(rig, id, "root.leaf");
        for (size_t i = 0; i < work->asks_each; i++)
            rig_add_ask(rig, id, a * work->asks_each + i);
    }
}

/* Lowers `best` to what each tenth took this time, in ns per decision. */
static void run_once(const struct work *work, double best[TENTHS], bool show)
{
    struct rig rig;
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    size_t tenth = work->apps * work->asks_each / TENTHS;
    put_leaf(&text, work->policy);
    rig_init(&rig, yk_buf_view(&text), &yk_clock_real);
    fill(&rig, work);
    for (int t = 0; t < TENTHS; t++) {
        int64_t start_ns = report_now_ns();
        if (yk_core_schedule(rig.core, tenth, INT64_MAX) != tenth)
            rig_die("not every ask was allocated");
        double each = (double)(report_now_ns() - start_ns) / (double)tenth;
        best[t] = YK_MIN(best[t], each);
    }
    if (rig.allocated != tenth * TENTHS || yk_core_has_work(rig.core))
        rig_die("not every ask was allocated exactly once");
    rig_expect(&rig, tenth * TENTHS);
    if (show)
        report_profile(rig.core);
    rig_done(&rig);
    yk_buf_done(&text);
}

static double run(const struct work *work, size_t repeat)
{
    double best[TENTHS];
    for (int t = 0; t < TENTHS; t++)
        best[t] = 1e18;
    report_begin("core-apps", work->part);
    for (size_t r = 0; r < repeat; r++)
        run_once(work, best, r + 1 == repeat);
    double ratio = best[TENTHS - 1] / best[0];
    report_text("policy", work->policy);
    report_count("applications", work->apps);
    report_count("asks", work->apps * work->asks_each);
    report_numbers("ns_per_decision", best, TENTHS);
    report_number("last_of_first_tenth", ratio);
    report_end();
    return ratio;
}

int main(int argc, char **argv)
{
    static const struct work large[] = {{"one", "fifo", 1, 100000},
                                        {"one", "fair", 1, 100000},
                                        {"many", "fifo", 10000, 10},
                                        {"many", "fair", 10000, 10}},
                             tiny[] = {{"one", "fifo", 1, 1000}, {"many", "fair", 100, 10}};
    static const char *const whats[] = {
        "one application, fifo: last tenth / first", "one application, fair: last tenth / first",
        "10,000 applications, fifo: last tenth / first", "10,000 applications, fair: last tenth / first"};
    struct report_options options = report_options(argc, argv, 7);
    size_t count = options.tiny ? YK_COUNT(tiny) : YK_COUNT(large);
    for (size_t i = 0; i < count; i++)
        report_goal(whats[i], run(options.tiny ? &tiny[i] : &large[i], options.repeat), REPORT_AT_MOST, 1.2);
    report_goals("core-apps");
    return 0;
}
