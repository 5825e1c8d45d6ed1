/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/random_scenario.h"

#include "base/random.h"

enum {
    QUEUES_MAX = 6,
    MINUTES = 30,
    LOAD_PERCENT = 140, /* requested cores as a part of all cores, when all streams run */
    MEAN_RUN_S = 40,
};

struct draw_queue {
    int guaranteed;  /* cores; 0: none */
    int max;         /* cores; 0: none */
    int weight;      /* part of the load, relative to the other queues */
    int shapes;      /* number of streams of equal pods */
    bool is_fair;    /* its applications are sorted by use */
    bool has_urgent; /* some of its pods have a high priority */
};

struct draw {
    struct yk_random random;
    struct yk_buf *out;
    int nodes, node_cores, cores;
    bool nested; /* the first two queues have a parent of their own */
    int queue_count;
    struct draw_queue queues[QUEUES_MAX];
    bool preemption, guarantees;
    /* Milli-CPU of each pod of a stream, in a scenario without reservations; 0: sizes differ. */
    int only_size;
    bool has_large; /* pods can have half a node, and nodes are filled one after the other (binpacking) */
};

static int between(struct draw *draw, int least, int most)
{
    return least + (int)yk_random_below(&draw->random, (uint64_t)(most - least + 1));
}

static bool chance(struct draw *draw, int percent)
{
    return between(draw, 1, 100) <= percent;
}

/* ---- nodes and queues ---- */

/* All nodes together are at least 48 times as large as the largest pod. In smaller clusters a queue's share
 * is a few pods, and a pod that ends late is a miss (docs/reference/simulate.md). */
static void draw_nodes(struct draw *draw)
{
    static const int sizes[] = {4, 8, 8, 16};
    draw->node_cores = sizes[between(draw, 0, 3)];
    draw->has_large = chance(draw, 30);
    draw->nodes = between(draw, 12, 24) * (draw->has_large ? 2 : 1);
    draw->cores = draw->nodes * draw->node_cores;
    if (chance(draw, 15))
        draw->only_size = 500 * between(draw, 1, 2);
}

static void draw_queues(struct draw *draw)
{
    int left = draw->cores;
    draw->queue_count = between(draw, 2, QUEUES_MAX);
    draw->nested = draw->queue_count >= 4 && chance(draw, 40);
    draw->preemption = chance(draw, 60);
    /* Either all siblings have a guarantee or none has: shares of queues with and without guarantees are not
     * comparable. */
    draw->guarantees = chance(draw, 65);
    for (int i = 0; i < draw->queue_count; i++) {
        struct draw_queue *queue = &draw->queues[i];
        int even = draw->cores / draw->queue_count;
        *queue = (struct draw_queue){0};
        queue->weight = between(draw, 2, 4); /* one draw per statement: so the order of draws is defined */
        queue->shapes = between(draw, 1, 3);
        queue->is_fair = chance(draw, 20);
        queue->has_urgent = chance(draw, 15);
        int guaranteed = even * between(draw, 50, 120) / 100;
        int max = even * between(draw, 60, 150) / 100;
        if (draw->guarantees)
            queue->guaranteed = YK_MAX(1, YK_MIN(left, guaranteed));
        if (chance(draw, 15))
            queue->max = YK_MAX(YK_MAX(4, queue->guaranteed), max);
        left = YK_MAX(1, left - queue->guaranteed);
    }
}

static void write_nodes(struct draw *draw)
{
    yk_buf_printf(
        draw->out,
        "nodes:\n  - {name: n, count: %d, allocatable: {cpu: \"%d\", memory: %dGi, pods: \"110\"}}\n",
        draw->nodes, draw->node_cores, draw->node_cores * 4);
    bool has_idle = chance(draw, 50);
    int idle = between(draw, 1, 3), idle_cores = between(draw, 1, draw->node_cores);
    if (has_idle)
        yk_buf_printf(draw->out,
                      "  - {name: idle, count: %d, allocatable: {cpu: \"%d\", memory: 64Gi, pods: \"110\"}, "
                      "taints: [{key: idle, value: \"yes\", effect: NoSchedule}]}\n",
                      idle, idle_cores);
}

static void write_queue(struct draw *draw, int index, const char *indent, int scale_percent)
{
    const struct draw_queue *queue = &draw->queues[index];
    yk_buf_printf(draw->out, "%s- name: q%d\n", indent, index);
    yk_buf_printf(draw->out, "%s  properties: {preemption.delay: 10s%s%s}\n", indent,
                  queue->is_fair ? ", application.sort.policy: fair" : "",
                  queue->has_urgent ? ", priority.policy: fence" : "");
    if (queue->guaranteed + queue->max == 0)
        return;
    yk_buf_printf(draw->out, "%s  resources: {", indent);
    if (queue->guaranteed > 0)
        yk_buf_printf(draw->out, "guaranteed: {vcore: %d}",
                      YK_MAX(1, queue->guaranteed * scale_percent / 100));
    if (queue->max > 0)
        yk_buf_printf(draw->out, "%smax: {vcore: %d}", queue->guaranteed > 0 ? ", " : "", queue->max);
    yk_buf_text(draw->out, "}\n");
}

/* Writes queues.yaml. Guarantees of all leaves but the first are scaled by `scale_percent`. */
static void write_config(struct draw *draw, const char *indent, int scale_percent)
{
    char inner[40], nested[40];
    (void)snprintf(inner, sizeof(inner), "%s          ", indent); /* fits */
    (void)snprintf(nested, sizeof(nested), "%s    ", inner);      /* fits */
    yk_buf_printf(draw->out, "%spartitions:\n%s  - name: default\n", indent, indent);
    if (!draw->preemption)
        yk_buf_printf(draw->out, "%s    preemption: {enabled: false}\n", indent);
    if (draw->has_large)
        yk_buf_printf(draw->out, "%s    nodesortpolicy: {type: binpacking}\n", indent);
    yk_buf_printf(draw->out,
                  "%s    queues:\n%s      - name: root\n%s        submitacl: \"*\"\n%s        queues:\n",
                  indent, indent, indent, indent);
    for (int i = 0; i < draw->queue_count; i++) {
        if (draw->nested && i == 0) {
            int sum = draw->queues[0].guaranteed + draw->queues[1].guaranteed;
            yk_buf_printf(draw->out, "%s- name: p\n", inner);
            if (draw->guarantees)
                yk_buf_printf(draw->out, "%s  resources: {guaranteed: {vcore: %d}}\n", inner, sum);
            yk_buf_printf(draw->out, "%s  queues:\n", inner);
        }
        bool is_nested = draw->nested && i < 2;
        write_queue(draw, i, is_nested ? nested : inner, i == 0 ? 100 : scale_percent);
    }
}

/* ---- the timeline ---- */

static const char *path_of(const struct draw *draw, int queue, char text[16])
{
    (void)snprintf(text, 16, draw->nested && queue < 2 ? "root.p.q%d" : "root.q%d", queue); /* fits */
    return text;
}

/* Writes a stream of equal pods in a queue. From its beginning on, the pods request about `load_percent` of
 * all cores on average. */
static void write_stream(struct draw *draw, int queue, int number, int load_percent)
{
    int halvings = draw->has_large ? between(draw, 1, 4) : between(draw, 2, 4);
    int size = YK_MAX(250, draw->node_cores * 1000 >> halvings); /* milli-CPU */
    if (draw->only_size > 0)
        size = draw->only_size;
    int run_s = between(draw, MEAN_RUN_S / 2, MEAN_RUN_S * 2);
    int every_ms = (int)YK_MAX(INT64_C(50), (int64_t)size * run_s * 100 / draw->cores / load_percent);
    int at_s = chance(draw, 70) ? 0 : between(draw, 60, 600);
    int pods = YK_MAX(1, (MINUTES * 60 - at_s) * 1000 / every_ms);
    char path[16];
    bool urgent = draw->queues[queue].has_urgent && number == 0;
    yk_buf_printf(
        draw->out,
        "  - at: %ds\n    submit: {application: a%d-%d-x, queue: %s, pods: %d, every: %dms, run: %ds, "
        "requests: {cpu: %dm, memory: %dMi}%s}\n",
        at_s, queue, number, path_of(draw, queue, path), pods, every_ms, run_s, size,
        size / 2 + between(draw, 0, 4) * 128, urgent ? ", priority: 10" : "");
}

static void write_load(struct draw *draw)
{
    int weights = 0;
    for (int i = 0; i < draw->queue_count; i++)
        weights += draw->queues[i].weight;
    for (int i = 0; i < draw->queue_count; i++) {
        const struct draw_queue *queue = &draw->queues[i];
        int load = LOAD_PERCENT * queue->weight / weights;
        for (int s = 0; s < queue->shapes; s++)
            write_stream(draw, i, s, YK_MAX(1, load / queue->shapes));
    }
}

static void write_gangs(struct draw *draw)
{
    int members = between(draw, 2, YK_MAX(2, draw->cores / 6)),
        queue = between(draw, 0, draw->queue_count - 1);
    char path[16];
    if (draw->queues[queue].is_fair || draw->only_size > 0)
        return; /* a gang needs a leaf with the policy fifo */
    for (int at = between(draw, 1, 5); at < MINUTES - 5; at += 4)
        yk_buf_printf(
            draw->out,
            "  - at: %dm\n    submit:\n      application: gang-%d\n      queue: %s\n      pods: %d\n"
            "      run: 45s\n      requests: {cpu: \"1\", memory: 512Mi}\n      annotations:\n"
            "        yunikorn.apache.org/task-group-name: w\n"
            "        yunikorn.apache.org/task-groups: '[{\"name\": \"w\", \"minMember\": %d, "
            "\"minResource\": {\"cpu\": \"1\", \"memory\": \"512Mi\"}}]'\n",
            at, at, path_of(draw, queue, path), members, members);
}

static void write_drains(struct draw *draw)
{
    int count = between(draw, 1, 3), at = between(draw, 5, 10);
    for (int i = 0; i < count; i++, at += 6)
        yk_buf_printf(draw->out, "  - {at: %dm, cordon: [n-%d]}\n  - {at: %dm, uncordon: [n-%d]}\n", at, i,
                      at + 4, i);
}

static void write_lost_node(struct draw *draw)
{
    int at = between(draw, 6, 12);
    yk_buf_printf(
        draw->out,
        "  - {at: %dm, removeNodes: [n-%d]}\n  - {at: %dm, addNodes: {name: new, count: 1, allocatable: "
        "{cpu: \"%d\", memory: %dGi, pods: \"110\"}}}\n",
        at, draw->nodes - 1, at + 8, draw->node_cores, draw->node_cores * 4);
}

static void write_shrunk_node(struct draw *draw)
{
    int at = between(draw, 6, 12);
    for (int i = 0; i < 2; i++)
        yk_buf_printf(
            draw->out,
            "  - {at: %dm, resizeNodes: {names: [n-0], allocatable: {cpu: \"%d\", memory: %dGi, pods: "
            "\"110\"}}}\n",
            at + 8 * i, i == 0 ? draw->node_cores / 2 : draw->node_cores, draw->node_cores * 4);
}

static void write_daemons(struct draw *draw)
{
    yk_buf_printf(
        draw->out,
        "  - {at: %dm, submit: {application: agent, queue: root.q%d, daemonSet: true, priority: 100, "
        "requests: {cpu: 250m, memory: 128Mi}}}\n",
        between(draw, 0, 15), draw->queue_count - 1);
}

static void write_reload(struct draw *draw)
{
    yk_buf_printf(draw->out, "  - at: %dm\n    reload: |\n", between(draw, 8, 15));
    write_config(draw, "      ", between(draw, 50, 90));
}

static void write_timeline(struct draw *draw)
{
    yk_buf_text(draw->out, "timeline:\n");
    write_load(draw);
    if (chance(draw, 25))
        write_gangs(draw);
    if (chance(draw, 25))
        write_drains(draw);
    if (chance(draw, 15))
        write_lost_node(draw);
    if (chance(draw, 15))
        write_shrunk_node(draw);
    if (chance(draw, 15))
        write_daemons(draw);
    if (draw->guarantees && chance(draw, 20))
        write_reload(draw);
}

void yk_random_scenario_write(uint64_t seed, struct yk_buf *out)
{
    struct draw draw = {.out = out};
    yk_random_init(&draw.random, seed);
    draw_nodes(&draw);
    draw_queues(&draw);
    yk_buf_printf(out, "name: random %llu\nseed: %llu\nsample: 10s\n", (unsigned long long)seed,
                  (unsigned long long)seed);
    if (draw.only_size > 0)
        yk_buf_text(out, "reservations: false\n");
    write_nodes(&draw);
    yk_buf_text(out, "queues: |\n");
    write_config(&draw, "  ", 100);
    write_timeline(&draw);
    yk_buf_printf(out, "end: {when: time, at: %dm}\n", MINUTES);
}
