/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What constraints cost: as many pods as nodes stand there, 5,000 more come that are to be spread over zones,
 * kept apart, kept together, put on few nodes, or cannot run at all; each kind alone, and all mixed. On 5,000
 * nodes, and on 1,000 for comparison.
 */
#include "k8s_stage.h"
#include "report.h"

enum { FEW_NODES = 1000, MANY_NODES = 5000, PODS = 5000 };
enum { PODS_PER_APP = 50, FRESH_APPS = 10000, MIXED = K8S_WISHES };

static const struct {
    const char *name;
    enum k8s_wish query; /* MIXED: all */
    size_t nowhere_in;   /* every so many-th cannot run; 0: none */
    double goal;
} cases[] = {
    {"plain", K8S_PLAIN, 0, 0},
    {"zone spread", K8S_ZONE_SPREAD, 0, 100e3},
    {"host anti-affinity", K8S_HOST_ANTI, 0, 100e3},
    {"zone affinity", K8S_ZONE_AFFINITY, 0, 100e3},
    {"selector of 1 % of nodes", K8S_SELECTOR, 0, 100e3},
    {"20 % unplaceable", K8S_PLAIN, 5, 100e3},
    {"all mixed", (enum k8s_wish)MIXED, 5, 30e3},
};

static enum k8s_wish preference_of(size_t case_, size_t pod)
{
    if (cases[case_].nowhere_in != 0 && pod % cases[case_].nowhere_in == 0)
        return K8S_NOWHERE;
    if (cases[case_].query != (enum k8s_wish)MIXED)
        return cases[case_].query;
    return (enum k8s_wish)(pod / PODS_PER_APP % K8S_NOWHERE);
}

/* Pods that are kept together have none there to begin with, so that the first one decides. */
static size_t app_of(size_t case_, size_t pod)
{
    size_t app = pod / PODS_PER_APP;
    return preference_of(case_, pod) == K8S_ZONE_AFFINITY ? FRESH_APPS + app : app;
}

/* Where the pods of an application stand: what they asked for holds. */
static void check_app(const struct k8s_stage *stage, size_t case_, size_t from, size_t nodes, size_t app)
{
    size_t zones[K8S_ZONES] = {0}, first = app * PODS_PER_APP;
    bool *taken = yk_calloc(nodes, sizeof(bool));
    bool fine = true;
    for (size_t i = first; i < first + PODS_PER_APP && i < from; i++) { /* those that were there */
        zones[i % K8S_ZONES]++;
        taken[i] = true;
    }
    for (size_t i = first; i < first + PODS_PER_APP; i++) {
        enum k8s_wish query = preference_of(case_, i);
        size_t node = k8s_stage_node_of(stage, from + i);
        fine = fine && (node == SIZE_MAX) == (query == K8S_NOWHERE);
        if (node == SIZE_MAX)
            continue;
        fine = fine && (query != K8S_SELECTOR || node % K8S_POOL_EVERY == 0);
        fine = fine && (query != K8S_HOST_ANTI || !taken[node]);
        fine = fine && (query != K8S_ZONE_AFFINITY ||
                        node % K8S_ZONES == k8s_stage_node_of(stage, from + first + 1) % K8S_ZONES);
        taken[node] = true;
        zones[node % K8S_ZONES]++;
    }
    if (preference_of(case_, first + 1) == K8S_ZONE_SPREAD) {
        size_t least = YK_MIN(zones[0], YK_MIN(zones[1], zones[2]));
        fine = fine && YK_MAX(zones[0], YK_MAX(zones[1], zones[2])) - least <= 1;
    }
    free(taken);
    if (!fine)
        rig_die("pods stand where they did not want to");
}

static double pods_per_s(size_t case_, size_t nodes, size_t pods)
{
    struct k8s_stage stage;
    size_t placeable = 0;
    k8s_stage_init(&stage, nodes);
    for (size_t i = 0; i < nodes; i++)
        (void)k8s_stage_make(&stage, &(struct k8s_pod){.app = i / PODS_PER_APP, .node = i});
    k8s_stage_begin(&stage);
    for (size_t i = 0; i < pods; i++) {
        enum k8s_wish query = preference_of(case_, i);
        placeable += query != K8S_NOWHERE;
        (void)k8s_stage_make(&stage,
                             &(struct k8s_pod){.app = app_of(case_, i), .query = query, .node = SIZE_MAX});
    }
    double seconds = k8s_stage_run(&stage, nodes, nodes + pods, placeable).objects_s;
    for (size_t app = 0; app < pods / PODS_PER_APP; app++)
        check_app(&stage, case_, nodes, nodes, app);
    k8s_stage_done(&stage);
    return (double)pods / seconds;
}

static void tell(size_t case_, size_t nodes, double best)
{
    report_begin("k8s-constraints", cases[case_].name);
    report_count("nodes", nodes);
    report_count("pods", PODS);
    report_number("pods_per_s", best);
    report_number("ns_per_pod", 1e9 / best);
    report_end();
}

/*
 * How many times as much a pod costs on many nodes: few and many in turn, and the median of these pairs,
 * since what else the machine does slows both runs of a pair.
 */
static double run(size_t case_, size_t repeat)
{
    double few = 0, many = 0;
    double *on_few = yk_new0_array(double, repeat), *on_many = yk_new0_array(double, repeat);
    for (size_t i = 0; i < repeat; i++) {
        on_few[i] = pods_per_s(case_, FEW_NODES, PODS);
        on_many[i] = pods_per_s(case_, MANY_NODES, PODS);
        few = YK_MAX(few, on_few[i]);
        many = YK_MAX(many, on_many[i]);
    }
    tell(case_, FEW_NODES, few);
    tell(case_, MANY_NODES, many);
    if (cases[case_].goal > 0)
        report_goal(cases[case_].name, many, REPORT_AT_LEAST, cases[case_].goal);
    double ratio = report_median(on_few, on_many, repeat);
    free(on_few);
    free(on_many);
    return ratio;
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 15);
    double worst = 0;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        if (options.tiny) {
            (void)pods_per_s(i, 200, 500); /* whether it comes to its end is what counts */
            continue;
        }
        double ratio = run(i, options.repeat);
        worst = YK_MAX(worst, ratio);
    }
    if (options.tiny)
        return 0;
    report_goal("cost at 5,000 nodes / at 1,000, worst", worst, REPORT_AT_MOST, 1.6);
    report_goals("k8s-constraints");
    return 0;
}
