/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A backlog that is replayed: 2 applications in 2 queues, 10,000 and 50,000 equal asks, 500 to 5,000 equal
 * nodes. Time runs from the first decision to the last one, callback included.
 */
#include "report.h"
#include "rig.h"

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues: [{name: a}, {name: b}]\n";

static double allocations_per_s(size_t nodes, size_t asks, bool show)
{
    static const char *const apps[] = {"app-a", "app-b"}, *const queues[] = {"root.a", "root.b"};
    struct rig rig;
    struct yk_resvec capacity = rig_amounts(16000, INT64_C(64) << 30, 110);
    rig_init(&rig, yk_str_from(config), &yk_clock_real);
    rig_add_nodes(&rig, nodes, &capacity);
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        rig_add_app(&rig, apps[i], queues[i]);
    for (size_t i = 0; i < asks; i++)
        rig_add_ask(&rig, apps[i % YK_COUNT(apps)], i);
    int64_t start_ns = report_now_ns();
    size_t decisions = yk_core_schedule(rig.core, SIZE_MAX, INT64_MAX);
    double each_s = (double)asks / ((double)(report_now_ns() - start_ns) / 1e9);
    if (decisions != asks || rig.allocated != asks)
        rig_die("not every ask was allocated exactly once");
    rig_expect(&rig, asks);
    if (show)
        report_profile(rig.core);
    rig_done(&rig);
    return each_s;
}

static double run(size_t nodes, size_t asks, size_t repeat)
{
    double best = 0;
    report_begin("core-replay", "run");
    for (size_t i = 0; i < repeat; i++) {
        double each_s = allocations_per_s(nodes, asks, i + 1 == repeat);
        best = YK_MAX(best, each_s);
    }
    report_count("nodes", nodes);
    report_count("asks", asks);
    report_number("allocations_per_s", best);
    report_number("ns_per_decision", 1e9 / best);
    report_end();
    return best;
}

int main(int argc, char **argv)
{
    static const size_t nodes[] = {500, 1000, 2000, 5000}, asks[] = {10000, 50000};
    struct report_options options = report_options(argc, argv, 9);
    double least = options.tiny ? run(20, 1000, 1) : 1e18;
    for (size_t n = 0; n < YK_COUNT(nodes) && !options.tiny; n++) {
        for (size_t a = 0; a < YK_COUNT(asks); a++) {
            double each_s = run(nodes[n], asks[a], options.repeat);
            least = YK_MIN(least, each_s);
        }
    }
    report_goal("allocations_per_s everywhere", least, REPORT_AT_LEAST, 500e3);
    report_goals("core-replay");
    return 0;
}
