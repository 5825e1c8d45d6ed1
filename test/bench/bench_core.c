/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core alone, through si.h: 2 queues, 2 applications, N asks, M equal nodes. Time runs from the first
 * decision to the last one, callback included. One JSON line per run; afterwards every allocation is checked
 * against the nodes' and queues' own books.
 *
 *     bench_core [--nodes M] [--asks N] [--repeat R] [--events on|off]
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/version.h"
#include "scheduler/core.h"
#include "si.h"

#include <getopt.h>
#include <stdio.h>

static const char config[] = "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                             "    queues: [{name: a}, {name: b}]\n";

struct bench {
    struct yk_timers timers;
    struct yk_core *core;
    size_t allocated;
};

static void on_allocated(void *rm, const struct yk_si_allocated *allocation)
{
    struct bench *bench = rm;
    bench->allocated += allocation->node_id != NULL;
}

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_core: %s\n", what);
    exit(1);
}

static void must(enum yk_status st, const char *what)
{
    if (st != YK_OK)
        die(what);
}

static struct yk_resvec amounts(int64_t vcore, int64_t memory, int64_t pods)
{
    struct yk_resvec r = {0};
    yk_resvec_put(&r, YK_RESTYPE_VCORE, vcore);
    yk_resvec_put(&r, YK_RESTYPE_MEMORY, memory);
    yk_resvec_put(&r, YK_RESTYPE_PODS, pods);
    return r;
}

static void add_nodes(struct bench *bench, size_t count)
{
    struct yk_resvec capacity = amounts(16000, INT64_C(64) << 30, 110);
    for (size_t i = 0; i < count; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%06zu", i);
        struct yk_si_node node = {.node_id = id, .action = YK_SI_NODE_CREATE, .capacity = &capacity};
        must(yk_core_update_node(bench->core, "rm", &node), "node refused");
    }
}

static void add_asks(struct bench *bench, size_t count)
{
    static const char *const apps[] = {"app-a", "app-b"}, *const queues[] = {"root.a", "root.b"};
    struct yk_resvec size = amounts(10, 10 << 20, 1);
    for (size_t i = 0; i < YK_COUNT(apps); i++) {
        struct yk_si_new_app app = {.application_id = apps[i], .queue = queues[i], .ugi = {.user = "bench"}};
        must(yk_core_add_app(bench->core, "rm", &app), "application refused");
    }
    for (size_t i = 0; i < count; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "ask-%08zu", i);
        struct yk_si_allocation ask = {.key = key,
                                       .application_id = apps[i % YK_COUNT(apps)],
                                       .resource = &size,
                                       .scheduling_class = YK_SI_CLASS_ANY};
        must(yk_core_update_allocation(bench->core, "rm", &ask), "ask refused");
    }
}

static void check(const struct bench *bench, size_t asks)
{
    struct yk_err err = {0};
    const struct yk_partition *partition = yk_core_find_partition(bench->core, YK_STR("default"));
    if (bench->allocated != asks || partition->allocation_count != asks)
        die("not every ask was allocated exactly once");
    if (!yk_partition_check(partition, &err))
        die(err.text);
    for (size_t i = 0; i < partition->nodes.count; i++) {
        if (yk_resvec_has_negative(&((const struct yk_node *)partition->nodes.items[i])->available))
            die("a node is above its capacity");
    }
}

static void run(size_t nodes, size_t asks, bool events)
{
    static const struct yk_si_callbacks callbacks = {.allocated = on_allocated};
    struct bench bench = {0};
    yk_timers_init(&bench.timers, &yk_clock_real);
    struct yk_core_options options = {.clock = &yk_clock_real, .timers = &bench.timers, .manual = true};
    bench.core = yk_core_new(&options);
    struct yk_si_register request = {.rm_id = "rm", .config = yk_str_from(config)};
    must(yk_core_register(bench.core, &request, &callbacks, &bench, NULL), "configuration refused");
    bench.core->events.on = events;
    add_nodes(&bench, nodes);
    add_asks(&bench, asks);
    int64_t start_ns = yk_clock_mono_ns(&yk_clock_real);
    size_t decisions = yk_core_schedule(bench.core, SIZE_MAX, INT64_MAX);
    double seconds = (double)(yk_clock_mono_ns(&yk_clock_real) - start_ns) / 1e9;
    check(&bench, asks);
    (void)printf(
        "{\"case\":\"core\",\"events\":%s,\"nodes\":%zu,\"asks\":%zu,\"decisions\":%zu,\"seconds\":%.6f,"
        "\"allocations_per_s\":%.0f,\"ns_per_decision\":%.0f,\"seed\":0,\"version\":\"%s\","
        "\"revision\":\"%s\","
        "\"compiler\":\"%s\"}\n",
        events ? "true" : "false", nodes, asks, decisions, seconds, (double)decisions / seconds,
        seconds * 1e9 / (double)decisions, yk_version, yk_revision, yk_compiler);
    yk_core_free(bench.core);
    yk_timers_done(&bench.timers);
}

static size_t number(const char *text)
{
    uint64_t value;
    if (yk_str_to_u64(yk_str_from(text), &value) != YK_OK || value == 0)
        die("a positive number is expected");
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
