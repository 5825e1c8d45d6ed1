/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods through the whole scheduler: 50,000 pods of 400 applications in 5 queues on 5,000 nodes, from typed
 * objects and from the bytes of a watch, until each is bound and its binding confirmed.
 */
#include "k8s_stage.h"
#include "report.h"

static struct k8s_took once(size_t nodes, size_t pods, size_t apps)
{
    struct k8s_stage stage;
    k8s_stage_init(&stage, nodes);
    k8s_stage_begin(&stage);
    for (size_t i = 0; i < pods; i++)
        (void)k8s_stage_make(&stage, &(struct k8s_pod){.app = i % apps, .node = SIZE_MAX});
    struct k8s_took took = k8s_stage_run(&stage, 0, pods, pods);
    k8s_stage_done(&stage);
    return took;
}

static double show(const char *part, size_t nodes, size_t pods, double seconds)
{
    report_begin("k8s-shim", part);
    report_count("nodes", nodes);
    report_count("pods", pods);
    report_number("pods_per_s", (double)pods / seconds);
    report_number("ns_per_pod", seconds * 1e9 / (double)pods);
    report_end();
    return (double)pods / seconds;
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 5);
    size_t nodes = options.tiny ? 50 : 5000, pods = options.tiny ? 500 : 50000, apps = options.tiny ? 4 : 400;
    struct k8s_took best = {1e9, 1e9};
    for (size_t i = 0; i < options.repeat; i++) {
        struct k8s_took took = once(nodes, pods, apps);
        best.bytes_s = YK_MIN(best.bytes_s, took.bytes_s);
        best.objects_s = YK_MIN(best.objects_s, took.objects_s);
    }
    double typed = show("objects", nodes, pods, best.objects_s),
           bytes = show("bytes", nodes, pods, best.bytes_s);
    if (options.tiny)
        return 0;
    report_goal("pods/s from typed objects", typed, REPORT_AT_LEAST, 200e3);
    report_goal("pods/s from watch bytes", bytes, REPORT_AT_LEAST, 100e3);
    report_goals("k8s-shim");
    return 0;
}
