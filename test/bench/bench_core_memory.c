/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes per node, queue, application, pending ask and allocation, by difference; and what is left of
 * 1,000,000 asks that were placed and released, as a slope over rounds of 10,000. Bytes are what the C
 * library's allocator has handed out (mallinfo2: in its heap, its own words and rounding included, and mapped
 * apart). Names are as Kubernetes gives them: 36 bytes for a pod. Events are kept, and the ring is full
 * before the rounds that count; before the differences it is off, for it is not theirs. A map doubles when it
 * is three quarters full: counts are chosen so that most have just done so.
 */
#include "report.h"
#include "rig.h"

#include <malloc.h>
#include <stdio.h>

struct work {
    size_t nodes, queues, apps, asks_each, die, round;
};

static double live_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

static void name_app(char id[64], size_t app)
{
    (void)snprintf(id, 64, "spark-application-%024zu", app);
}

static void name_pod(char key[48], size_t pod)
{
    (void)snprintf(key, 48, "%08zx-0000-4000-8000-%012zx", pod, pod);
}

static void put_queues(struct yk_buf *text, size_t leaves)
{
    yk_buf_text(text,
                "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n");
    for (size_t i = 0; i < leaves; i++)
        yk_buf_printf(text, "    - name: leaf-%05zu\n      resources:\n        max: {vcore: 9000000}\n", i);
}

/* One leaf is there from the start. */
static void add_queues(struct rig *rig, size_t count)
{
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    put_queues(&text, count + 1);
    struct yk_si_register request = {.rm_id = "rm", .config = yk_buf_view(&text)};
    rig_must(yk_core_update_config(rig->core, &request, NULL), "configuration refused");
    yk_buf_done(&text);
}

static void add_apps(struct rig *rig, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char id[64];
        name_app(id, i);
        rig_add_app(rig, id, "root.leaf-00000");
    }
}

/* All of one size, or each of its own. */
static void add_asks(struct rig *rig, size_t apps, size_t each, bool own_size)
{
    for (size_t i = 0; i < apps * each; i++) {
        char id[64], key[48];
        struct yk_resvec size = rig_amounts(10, (10 << 20) + (own_size ? (int64_t)i : 0), 1);
        name_app(id, i % apps);
        name_pod(key, i);
        rig_add_ask_of(rig, id, key, &size, NULL);
    }
}

static double report(const char *part, size_t count, double bytes)
{
    report_begin("core-memory", part);
    report_count("count", count);
    report_number("bytes_each", bytes / (double)count);
    report_end();
    return bytes / (double)count;
}

static void must_decide(struct rig *rig, size_t count)
{
    if (yk_core_schedule(rig->core, SIZE_MAX, INT64_MAX) != count)
        rig_die("not every ask was allocated");
}

static void rig_start(struct rig *rig)
{
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    put_queues(&text, 1);
    rig_init(rig, yk_buf_view(&text), &yk_clock_real);
    rig->core->events.on = false;
    yk_buf_done(&text);
}

static void nodes_queues_apps(const struct work *work)
{
    struct rig rig;
    rig_start(&rig);
    struct yk_resvec capacity = rig_amounts(INT64_C(64000), INT64_C(1) << 40, 1000);
    double before = live_bytes();
    rig_add_nodes(&rig, work->nodes, &capacity);
    double nodes = report("node", work->nodes, live_bytes() - before);
    before = live_bytes();
    add_queues(&rig, work->queues);
    (void)report("queue", work->queues, live_bytes() - before); /* no goal */
    before = live_bytes();
    add_apps(&rig, work->apps);
    (void)report("application", work->apps, live_bytes() - before); /* no goal */
    report_goal("bytes per node", nodes, REPORT_AT_MOST, 2048);
    rig_done(&rig);
}

/* With its share of the application's groups and maps, not of the application. */
static void asks(const struct work *work, size_t apps, size_t each, const char *part_pending,
                 const char *part_allocated)
{
    struct rig rig;
    rig_start(&rig);
    struct yk_resvec capacity = rig_amounts(INT64_C(64000), INT64_C(1) << 40, 1000);
    rig_add_nodes(&rig, work->nodes, &capacity);
    add_apps(&rig, apps);
    double before = live_bytes();
    add_asks(&rig, apps, each, false);
    double pending = report(part_pending, apps * each, live_bytes() - before);
    must_decide(&rig, apps * each);
    rig_expect(&rig, apps * each);
    double allocated = report(part_allocated, apps * each, live_bytes() - before);
    report_goal(part_pending, pending, REPORT_AT_MOST, 400);
    report_goal(part_allocated, allocated, REPORT_AT_MOST, 400);
    rig_done(&rig);
}

/* The worst case: nothing is shared. No goal. */
static void asks_of_own_size(const struct work *work)
{
    struct rig rig;
    rig_start(&rig);
    add_apps(&rig, work->apps);
    double before = live_bytes();
    add_asks(&rig, work->apps, 13, true);
    (void)report("ask-of-its-own-size", work->apps * 13, live_bytes() - before); /* no goal */
    rig_done(&rig);
}

static void live_and_die(struct rig *rig, size_t round, size_t from)
{
    struct yk_resvec size = rig_amounts(10, 10 << 20, 1);
    for (int step = 0; step < 2; step++) {
        for (size_t i = from; i < from + round; i++) {
            char id[64], key[48];
            name_app(id, i % 10);
            name_pod(key, i);
            if (step == 0)
                rig_add_ask_of(rig, id, key, &size, NULL);
            else
                rig_release(rig, id, key, YK_SI_STOPPED_BY_RM);
        }
        if (step == 0)
            must_decide(rig, round);
    }
}

/* Least squares over (asks that died, bytes that live). */
static double slope_of(const double *bytes, size_t count, double step)
{
    double mean_x = step * (double)(count - 1) / 2, mean_y = 0, above = 0, below = 0;
    for (size_t i = 0; i < count; i++)
        mean_y += bytes[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double x = step * (double)i - mean_x;
        above += x * (bytes[i] - mean_y);
        below += x * x;
    }
    return above / below;
}

static void slope(const struct work *work)
{
    struct rig rig;
    size_t rounds = work->die / work->round, before = rounds / 4 + 1;
    double *bytes = yk_new0_array(double, rounds);
    rig_start(&rig);
    rig.core->events.on = true;
    struct yk_resvec capacity = rig_amounts(INT64_C(64000), INT64_C(1) << 40, 1000);
    rig_add_nodes(&rig, 100, &capacity);
    add_apps(&rig, 10);
    for (size_t r = 0; r < before; r++) /* the ring fills */
        live_and_die(&rig, work->round, r * work->round);
    int64_t start_ns = report_now_ns();
    for (size_t r = 0; r < rounds; r++) {
        live_and_die(&rig, work->round, (before + r) * work->round);
        bytes[r] = live_bytes();
    }
    double each_ns = (double)(report_now_ns() - start_ns) / (double)(rounds * work->round);
    rig_expect(&rig, 0);
    double lost = slope_of(bytes, rounds, (double)work->round), least = bytes[0], most = bytes[0];
    for (size_t r = 1; r < rounds; r++) {
        least = YK_MIN(least, bytes[r]);
        most = YK_MAX(most, bytes[r]);
    }
    report_begin("core-memory", "live-and-die");
    report_count("asks", rounds * work->round);
    report_number("bytes_left_per_ask", lost);
    report_number("live_bytes_least", least);
    report_number("live_bytes_most", most);
    report_number("ns_per_life", each_ns);
    report_profile(rig.core);
    report_end();
    /* Events are packed in blocks, so that live bytes go up and down by a block. */
    report_goal("bytes left per ask that died", lost, REPORT_AT_MOST, 0.05);
    rig_done(&rig);
    free(bytes);
}

static void report_sizes(void)
{
    report_begin("core-memory", "structs");
    report_count("ask", sizeof(struct yk_ask));
    report_count("group", sizeof(struct yk_group));
    report_count("shape", sizeof(struct yk_shape));
    report_count("application", sizeof(struct yk_app));
    report_count("queue", sizeof(struct yk_queue));
    report_count("node", sizeof(struct yk_node));
    report_count("vector", sizeof(struct yk_resvec));
    report_end();
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 1);
    const struct work work = options.tiny ? (struct work){10, 10, 10, 10, 200, 20}
                                          : (struct work){10000, 10000, 10000, 800, 1000000, 10000};
    report_sizes();
    nodes_queues_apps(&work);
    asks(&work, work.apps, 13, "bytes per ask, 10,000 applications of 13",
         "bytes per allocation, 10,000 applications of 13");
    asks(&work, work.apps / 10, work.asks_each, "bytes per ask, 1,000 applications of 800",
         "bytes per allocation, 1,000 applications of 800");
    asks_of_own_size(&work);
    slope(&work);
    report_goals("core-memory");
    return 0;
}
