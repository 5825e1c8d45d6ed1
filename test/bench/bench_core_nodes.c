/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A decision among 1,000 to 50,000 nodes of 10 shapes: 64 leaves in 4 levels, 640 applications, 100,000 asks
 * in 8 sizes; the cluster ends 90 % full, in `empty` from nothing, in `busy` from 100,000 pods that stand
 * there already.
 *
 * A node has room for a whole number of asks, two on average where there are 50,000 nodes, and a tenth of it
 * to spare, so that all asks find their place in any order and the last of them among nodes of which all but
 * a few are full. Shapes differ in that number and in memory, of which there is more than enough: what is
 * free there is no sign of room.
 */
#include "report.h"
#include "rig.h"

#include <stdio.h>

enum { LEAVES_PER_LEVEL = 4, LEAVES = 64, APPS = 640, SIZES = 8, SHAPES = 10, SLOTS_MEAN = 2, VCORE = 1000 };
static const int64_t mebibyte = 1 << 20;

struct sizes {
    size_t nodes[4], asks;
};

static void put_queues(struct yk_buf *text)
{
    yk_buf_text(text,
                "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n");
    for (int a = 0; a < LEAVES_PER_LEVEL; a++) {
        yk_buf_printf(text, "    - name: a%d\n      queues:\n", a);
        for (int b = 0; b < LEAVES_PER_LEVEL; b++) {
            yk_buf_printf(text, "      - name: b%d\n        queues:\n", b);
            for (int c = 0; c < LEAVES_PER_LEVEL; c++)
                yk_buf_printf(text, "        - name: c%d\n          resources: {guaranteed: {vcore: %d}}\n",
                              c, 10 * (c + 1));
        }
    }
}

/* In asks: `times` as many where there are fewer nodes for the same asks. */
static size_t slots_of(size_t node, size_t times)
{
    static const size_t slots[SHAPES] = {1, 3, 2, 2, 1, 2, 2, 3, 2, 2};
    return slots[node % SHAPES] * times;
}

static struct yk_resvec capacity_of(size_t node, size_t times)
{
    static const int64_t memory_percent[SHAPES] = {111, 111, 111, 125, 150, 150, 200, 250, 300, 400};
    int64_t slots = (int64_t)slots_of(node, times);
    return rig_amounts(slots * VCORE * 10 / 9, slots * 1000 * mebibyte * memory_percent[node % SHAPES] / 100,
                       slots * 2);
}

/* Eight sizes around 1,000 millicores and mebibytes, the more of the one the less of the other; each
 * application has all of them. */
static struct yk_resvec size_of(size_t number)
{
    size_t ask = number + number / APPS;
    static const int64_t more[SIZES] = {-70, -50, -30, -10, 10, 30, 50, 70};
    return rig_amounts(VCORE + more[ask % SIZES], (1000 - more[ask % SIZES]) * mebibyte, 1);
}

static void name_app(char id[32], size_t app)
{
    (void)snprintf(id, 32, "app-%03zu", app % APPS);
}

static void add_asks(struct rig *rig, const char *prefix, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char app[32], key[48];
        struct yk_resvec size = size_of(i);
        name_app(app, i);
        (void)snprintf(key, sizeof(key), "%s-%08zu", prefix, i);
        rig_add_ask_of(rig, app, key, &size, NULL);
    }
}

/* Half of each node. */
static void add_pods(struct rig *rig, size_t nodes, size_t times)
{
    for (size_t n = 0, i = 0; n < nodes; n++) {
        for (size_t k = 0; k < slots_of(n, times) / 2; k++, i++) {
            char app[32], key[48], node[32];
            struct yk_resvec size = size_of(i);
            name_app(app, i);
            (void)snprintf(key, sizeof(key), "old-%08zu", i);
            (void)snprintf(node, sizeof(node), "node-%06zu", n);
            rig_add_ask_of(rig, app, key, &size, node);
        }
    }
}

static void fill(struct rig *rig, size_t nodes, size_t times, bool busy)
{
    for (size_t i = 0; i < nodes; i++) {
        char id[32];
        struct yk_resvec capacity = capacity_of(i, times);
        (void)snprintf(id, sizeof(id), "node-%06zu", i);
        rig_add_node(rig, id, &capacity);
    }
    for (size_t i = 0; i < APPS; i++) {
        char id[32], queue[64];
        name_app(id, i);
        (void)snprintf(queue, sizeof(queue), "root.a%zu.b%zu.c%zu", i % 4, i / 4 % 4, i / 16 % 4);
        rig_add_app(rig, id, queue);
    }
    if (busy)
        add_pods(rig, nodes, times);
    rig->allocated = 0; /* those were told, too */
}

static double percent_full(const struct rig *rig)
{
    const struct yk_queue *root = rig_partition(rig)->root;
    return 100.0 * (double)yk_resvec_get(&root->allocated, YK_RESTYPE_VCORE) /
           (double)yk_resvec_get(&root->max, YK_RESTYPE_VCORE);
}

static double ns_per_decision(size_t nodes, size_t asks, bool busy, bool show)
{
    struct rig rig;
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    size_t times = asks / nodes / SLOTS_MEAN * (busy ? 2 : 1);
    put_queues(&text);
    rig_init(&rig, yk_buf_view(&text), &yk_clock_real);
    fill(&rig, nodes, times, busy);
    add_asks(&rig, "ask", asks);
    int64_t start_ns = report_now_ns();
    size_t decisions = yk_core_schedule(rig.core, SIZE_MAX, INT64_MAX);
    double each = (double)(report_now_ns() - start_ns) / (double)asks;
    if (decisions != asks || rig.allocated != asks)
        rig_die("not every ask was allocated exactly once");
    rig_expect(&rig, busy ? asks * 2 : asks);
    double full = percent_full(&rig);
    if (full < 89 || full > 91)
        rig_die("the cluster is not 90 % full");
    if (show) {
        report_begin("core-nodes", busy ? "busy" : "empty");
        report_count("nodes", nodes);
        report_count("asks", asks);
        report_number("percent_full", full);
        report_profile(rig.core);
    }
    rig_done(&rig);
    yk_buf_done(&text);
    return each;
}

/* The numbers of nodes take turns; each counts with its best turn. */
static void run(const struct sizes *sizes, size_t repeat, bool busy, double *ret_at_5k, double *ret_ratio)
{
    enum { COUNTS = YK_COUNT(sizes->nodes) };
    double best[COUNTS];
    for (size_t r = 0; r < repeat; r++) {
        for (size_t n = 0; n < COUNTS; n++) {
            double each = ns_per_decision(sizes->nodes[n], sizes->asks, busy, r + 1 == repeat);
            best[n] = r == 0 ? each : YK_MIN(best[n], each);
            if (r + 1 < repeat)
                continue;
            report_number("ns_per_decision", best[n]);
            report_number("of_fewest_nodes", best[n] / best[0]);
            report_end();
        }
    }
    *ret_at_5k = best[1];
    *ret_ratio = best[COUNTS - 1] / best[0];
}

int main(int argc, char **argv)
{
    static const struct sizes large = {{1000, 5000, 10000, 50000}, 100000}, tiny = {{10, 50, 100, 500}, 1000};
    struct report_options options = report_options(argc, argv, 5);
    const struct sizes *sizes = options.tiny ? &tiny : &large;
    double at_5k, ratio;
    run(sizes, options.repeat, false, &at_5k, &ratio);
    report_goal("empty: cost at 50k nodes / at 1k", ratio, REPORT_AT_MOST, 3.5);
    report_goal("empty: ns per decision at 5k nodes", at_5k, REPORT_AT_MOST, 2000);
    run(sizes, options.repeat, true, &at_5k, &ratio);
    report_goal("busy: cost at 50k nodes / at 1k", ratio, REPORT_AT_MOST, 3.5);
    report_goal("busy: ns per decision at 5k nodes", at_5k, REPORT_AT_MOST, 2000);
    report_goals("core-nodes");
    return 0;
}
