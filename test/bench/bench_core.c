/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core alone, through si.h: 2 queues, 2 applications, N asks, M equal nodes. Time runs from the first
 * decision to the last one, callback included. One JSON line per run; afterwards every allocation is checked
 * against the nodes' and queues' own books.
 *
 *     bench_core [--nodes M] [--asks N] [--repeat R] [--events on|off]
 */
#include "base/log.h"
#include "base/version.h"
#include "rig.h"

#include <getopt.h>
#include <stdio.h>

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues: [{name: a}, {name: b}]\n";

static void add_asks(struct rig *rig, size_t count)
{
    static const char *const apps[] = {"app-a", "app-b"}, *const queues[] = {"root.a", "root.b"};
    for (size_t i = 0; i < YK_COUNT(apps); i++)
        rig_add_app(rig, apps[i], queues[i]);
    for (size_t i = 0; i < count; i++)
        rig_add_ask(rig, apps[i % YK_COUNT(apps)], i);
}

static void check(const struct rig *rig, size_t asks)
{
    const struct yk_partition *partition = yk_core_find_partition(rig->core, YK_STR("default"));
    if (rig->allocated != asks || partition->allocation_count != asks)
        rig_die("not every ask was allocated exactly once");
    for (size_t i = 0; i < partition->nodes.count; i++) {
        if (yk_resvec_has_negative(((const struct yk_node *)partition->nodes.items[i])->available))
            rig_die("a node is above its capacity");
    }
}

static void run(size_t nodes, size_t asks, bool events)
{
    struct rig rig;
    struct yk_resvec capacity = rig_amounts(16000, INT64_C(64) << 30, 110);
    rig_init(&rig, yk_str_from(config), &yk_clock_real);
    rig.core->events.on = events;
    rig_add_nodes(&rig, nodes, &capacity);
    add_asks(&rig, asks);
    int64_t start_ns = yk_clock_mono_ns(&yk_clock_real);
    size_t decisions = yk_core_schedule(rig.core, SIZE_MAX, INT64_MAX);
    double seconds = (double)(yk_clock_mono_ns(&yk_clock_real) - start_ns) / 1e9;
    check(&rig, asks);
    rig_done(&rig);
    (void)printf(
        "{\"case\":\"core\",\"events\":%s,\"nodes\":%zu,\"asks\":%zu,\"decisions\":%zu,\"seconds\":%.6f,"
        "\"allocations_per_s\":%.0f,\"ns_per_decision\":%.0f,\"seed\":0,\"version\":\"%s\","
        "\"revision\":\"%s\","
        "\"compiler\":\"%s\"}\n",
        events ? "true" : "false", nodes, asks, decisions, seconds, (double)decisions / seconds,
        seconds * 1e9 / (double)decisions, yk_version, yk_revision, yk_compiler);
}

static size_t number(const char *text)
{
    uint64_t value;
    if (yk_str_to_u64(yk_str_from(text), &value) != YK_OK || value == 0)
        rig_die("a positive number is expected");
    return (size_t)value;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"nodes", required_argument, NULL, 'n'},
                                            {"asks", required_argument, NULL, 'a'},
                                            {"repeat", required_argument, NULL, 'r'},
                                            {"events", required_argument, NULL, 'e'},
                                            {0}};
    size_t nodes = 5000, asks = 0, repeat = 3;
    bool events = true;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'n')
            nodes = number(optarg);
        else if (c == 'a')
            asks = number(optarg);
        else if (c == 'r')
            repeat = number(optarg);
        else if (c == 'e')
            events = strcmp(optarg, "off") != 0;
        else
            return 2;
    }
    yk_log_set_stream(NULL);
    for (size_t i = 0; i < repeat; i++) {
        run(nodes, asks > 0 ? asks : 10000, events);
        if (asks == 0)
            run(nodes, 50000, events);
    }
    return 0;
}
