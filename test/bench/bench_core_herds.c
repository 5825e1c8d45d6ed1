/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of single events beside a herd: 16,000 applications that wait, for each reason to wait, on 10,000
 * nodes. Events are the end of a pod, which lets exactly one of those that wait start; the arrival of an ask,
 * which waits; an update of a node that changes nothing; and one that changes its capacity. Measured is the
 * processor time of the scheduling thread until nothing can be decided. Time is simulated: 20 ms pass between
 * two events, and what the timers do then is reported apart: all of it, and the longest part of it after
 * which the thread handles events again. For a change of capacity, which is followed up in steps, that part
 * is reported, too.
 */
#include "report.h"
#include "rig.h"

#include <stdio.h>

enum { LEAVES = 100, NODE_CORES = 16, GANG_MEMBERS = 4, WHOLE_NODE = NODE_CORES * 1000, TAKERS = 200 };
#define STEP_NS (20 * YK_NS_PER_MS)

/* What the herd waits for. */
enum holder {
    NODES_EQUAL,  /* nodes, all in one size */
    NODES_SHAPES, /* nodes, each in a size of its own */
    GPU_ENDS,     /* nodes with a type that few nodes have, each in its size; pods with that type end */
    CPU_ENDS,     /* the same, and other pods end, which starts nothing */
    QUEUE_MAX,
    QUEUE_SHAPES, /* the same, each in a size of its own */
    USER_MAX,
    USER_SHAPES,
    GROUP_MAX,
    QUEUE_APPS, /* the number of applications of a queue */
    USER_APPS,
    GANGS,      /* nodes, 1,000 gangs */
    GANGS_HOLD, /* a whole node for the last member, after the others have their nodes; beside single pods */
    HOLDERS
};

static const struct {
    const char *name, *branch, *goals[6];
    bool on_nodes; /* the nodes are full */
    bool shapes;   /* each has a size of its own */
    bool removes;  /* the application goes with its pod */
} holders[HOLDERS] = {
#define GOALS(name)                                                                                          \
    {                                                                                                        \
        name ": end of a pod, p99 us", name ": arrival of an ask, p99 us", name ": node update, p99 us",     \
            name ": new capacity of a node, p99 us", name ": new capacity, longest step, p99 us",            \
            name ": longest step, p99 us"                                                                    \
    }
    [NODES_EQUAL] = {.name = "nodes-equal",
                     .branch = "nodes",
                     .goals = GOALS("nodes-equal"),
                     .on_nodes = true},
    [NODES_SHAPES] = {.name = "nodes-shapes",
                      .branch = "nodes",
                      .goals = GOALS("nodes-shapes"),
                      .on_nodes = true,
                      .shapes = true},
    [GPU_ENDS] = {.name = "gpu-gpu-ends", .branch = "nodes", .goals = GOALS("gpu-gpu-ends"), .shapes = true},
    [CPU_ENDS] = {.name = "gpu-cpu-ends", .branch = "nodes", .goals = GOALS("gpu-cpu-ends"), .shapes = true},
    [QUEUE_MAX] = {.name = "queue-max", .branch = "full", .goals = GOALS("queue-max")},
    [QUEUE_SHAPES] = {.name = "queue-max-shapes",
                      .branch = "full",
                      .goals = GOALS("queue-max-shapes"),
                      .shapes = true},
    [USER_MAX] = {.name = "user-max", .branch = "user", .goals = GOALS("user-max")},
    [USER_SHAPES] = {.name = "user-max-shapes",
                     .branch = "user",
                     .goals = GOALS("user-max-shapes"),
                     .shapes = true},
    [GROUP_MAX] = {.name = "group-max", .branch = "team", .goals = GOALS("group-max")},
    [QUEUE_APPS] = {.name = "queue-apps", .branch = "apps", .goals = GOALS("queue-apps"), .removes = true},
    [USER_APPS] = {.name = "user-apps", .branch = "userapps", .goals = GOALS("user-apps"), .removes = true},
    [GANGS] = {.name = "gangs", .branch = "nodes", .goals = GOALS("gangs"), .on_nodes = true},
    [GANGS_HOLD] = {.name = "gangs-hold", .branch = "nodes", .goals = GOALS("gangs-hold"), .on_nodes = true},
};

struct work {
    size_t nodes, herd, gangs, running, events;
};

struct pod {
    char app[32], key[32];
};

struct herd {
    struct rig rig;
    struct yk_clock clock;
    enum holder holder;
    const struct work *work;
    struct pod *running; /* owned: in the order in which they started */
    size_t started, ended, max, arrived;
    int64_t step_ns; /* the longest since it was set to 0 */
};

/* Those that happen, and what else is measured. */
enum event { END, ARRIVAL, NODE, CAPACITY, KINDS, CAPACITY_STEP = KINDS, STEP, TIMERS, EVENTS };
static const char *const events[EVENTS] = {"end",           "arrival", "node",  "capacity",
                                           "capacity-step", "step",    "timers"};

static void on_allocated(struct rig *rig, const struct yk_si_allocated *allocation)
{
    struct herd *herd = YK_CONTAINER(rig, struct herd, rig);
    if (allocation->node_id == NULL || herd->started == herd->max)
        return;
    struct pod *pod = &herd->running[herd->started++];
    (void)snprintf(pod->app, sizeof(pod->app), "%s", allocation->application_id);
    (void)snprintf(pod->key, sizeof(pod->key), "%s", allocation->key);
}

static void note_step(struct herd *herd, int64_t since_ns)
{
    herd->step_ns = YK_MAX(herd->step_ns, report_cpu_ns() - since_ns);
}

/* As the engine does: with a limit, so that it hears of events after each step. */
static void settle(struct herd *herd)
{
    while (yk_core_has_work(herd->rig.core)) {
        int64_t start_ns = report_cpu_ns();
        (void)yk_core_schedule(herd->rig.core, SIZE_MAX, INT64_MAX - 1); /* counted by the rig */
        note_step(herd, start_ns);
    }
}

/* ---- the cluster ---- */

static void put_branch(struct yk_buf *text, const char *name, const char *limit, size_t leaf_apps)
{
    char leaf[64] = "";
    if (leaf_apps > 0)
        (void)snprintf(leaf, sizeof(leaf), "        maxapplications: %zu\n", leaf_apps);
    yk_buf_printf(text, "    - name: %s\n%s      queues:\n", name, limit);
    for (int i = 0; i < LEAVES; i++)
        yk_buf_printf(text, "      - name: leaf-%02d\n%s", i, leaf);
}

static void put_queues(struct yk_buf *text, size_t running)
{
    char limit[160];
    yk_buf_text(text,
                "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n");
    put_branch(text, "nodes", "", 0);
    (void)snprintf(limit, sizeof(limit), "      resources: {max: {vcore: %zu}}\n", running);
    put_branch(text, "full", limit, 0);
    (void)snprintf(limit, sizeof(limit),
                   "      limits: [{limit: x, users: [busy], maxresources: {vcore: %zu}}]\n", running);
    put_branch(text, "user", limit, 0);
    (void)snprintf(limit, sizeof(limit),
                   "      limits: [{limit: x, groups: [team], maxresources: {vcore: %zu}}]\n", running);
    put_branch(text, "team", limit, 0);
    (void)snprintf(limit, sizeof(limit), "      maxapplications: %zu\n", running);
    put_branch(text, "apps", limit, running);
    (void)snprintf(limit, sizeof(limit), "      limits: [{limit: x, users: [busy], maxapplications: %zu}]\n",
                   running);
    put_branch(text, "userapps", limit, 0);
}

static bool has_gpus(enum holder holder)
{
    return holder == GPU_ENDS || holder == CPU_ENDS;
}

/* Behind types that everything else has, as in a cluster with many extended resources. */
static int gpu_type(void)
{
    static const char *const names[] = {"one", "two", "three", "four", "five", "nvidia.com/gpu"};
    int type = -1;
    for (size_t i = 0; i < YK_COUNT(names); i++)
        rig_must(yk_restype_add(yk_str_from(names[i]), &type, NULL), "resource type refused");
    return type;
}

static struct yk_resvec node_size(const struct herd *herd, size_t number)
{
    struct yk_resvec size = rig_amounts(WHOLE_NODE, INT64_C(64) << 30, 110);
    if (has_gpus(herd->holder) && number % 100 == 0)
        yk_resvec_put(&size, gpu_type(), 8);
    return size;
}

static void name_node(char id[32], size_t number)
{
    (void)snprintf(id, 32, "node-%06zu", number);
}

static void add_nodes(struct herd *herd)
{
    for (size_t i = 0; i < herd->work->nodes; i++) {
        char id[32];
        YK_CLEANUP(yk_resvec_done) struct yk_resvec size = node_size(herd, i);
        name_node(id, i);
        rig_add_node(&herd->rig, id, &size);
    }
}

/* ---- the herd ---- */

static struct yk_resvec pod_size(const struct herd *herd, size_t number)
{
    int64_t vcore = holders[herd->holder].on_nodes ? WHOLE_NODE : 1000;
    int64_t memory = holders[herd->holder].shapes ? (int64_t)(number % herd->work->herd + 1) << 10 : 1 << 20;
    struct yk_resvec size = rig_amounts(vcore, memory, 1);
    if (has_gpus(herd->holder))
        yk_resvec_put(&size, gpu_type(), 8);
    return size;
}

static void add_app(struct herd *herd, size_t number, const struct yk_resvec *gang)
{
    static const char *const groups[] = {"team"};
    char id[32], queue[64];
    (void)snprintf(id, sizeof(id), "app-%06zu", number);
    (void)snprintf(queue, sizeof(queue), "root.%s.leaf-%02zu", holders[herd->holder].branch, number % LEAVES);
    struct yk_si_new_app app = {.application_id = id,
                                .queue = queue,
                                .ugi = {.user = "busy", .groups = groups, .group_count = 1},
                                .placeholder_ask = gang};
    rig_must(yk_core_add_app(herd->rig.core, "rm", &app), "application refused");
}

static struct yk_resvec member_size(const struct herd *herd, size_t number, int member)
{
    bool is_small = herd->holder == GANGS_HOLD && member < GANG_MEMBERS - 1;
    return is_small ? rig_amounts(1000, 1 << 20, 1) : pod_size(herd, number);
}

static void add_gang(struct herd *herd, size_t number)
{
    char app[32];
    YK_RESVEC(total);
    for (int i = 0; i < GANG_MEMBERS; i++) {
        YK_CLEANUP(yk_resvec_done) struct yk_resvec size = member_size(herd, number, i);
        yk_resvec_add(&total, &size);
    }
    add_app(herd, number, &total);
    (void)snprintf(app, sizeof(app), "app-%06zu", number);
    for (int i = 0; i < GANG_MEMBERS; i++) {
        char key[48];
        YK_CLEANUP(yk_resvec_done) struct yk_resvec size = member_size(herd, number, i);
        (void)snprintf(key, sizeof(key), "%s-%d", app, i);
        struct yk_si_allocation ask = {.key = key,
                                       .application_id = app,
                                       .resource = &size,
                                       .task_group = i < GANG_MEMBERS - 1 ? "workers" : "last",
                                       .placeholder = true,
                                       .scheduling_class = YK_SI_CLASS_ANY};
        rig_must(yk_core_update_allocation(herd->rig.core, "rm", &ask), "ask refused");
    }
}

static bool has_gangs(enum holder holder)
{
    return holder == GANGS || holder == GANGS_HOLD;
}

/* What runs beside gangs that hold something leaves half of each node free. */
static struct yk_resvec single_size(const struct herd *herd, size_t number)
{
    bool is_half = herd->holder == GANGS_HOLD && number < herd->work->nodes;
    return is_half ? rig_amounts(WHOLE_NODE / 2, 1 << 20, 1) : pod_size(herd, number);
}

static void add_single(struct herd *herd, size_t number)
{
    char app[32], key[32];
    YK_CLEANUP(yk_resvec_done) struct yk_resvec size = single_size(herd, number);
    add_app(herd, number, NULL);
    (void)snprintf(app, sizeof(app), "app-%06zu", number);
    (void)snprintf(key, sizeof(key), "pod-%06zu", number);
    rig_add_ask_of(&herd->rig, app, key, &size, NULL);
}

/* One more, in an application of its own. */
static void arrive(struct herd *herd)
{
    add_single(herd, herd->arrived++);
}

/* Those that run: as many as the limit allows, or as the nodes take. */
static size_t running_count(const struct herd *herd)
{
    if (holders[herd->holder].on_nodes)
        return herd->work->nodes;
    return has_gpus(herd->holder) ? (herd->work->nodes + 99) / 100 : herd->work->running;
}

static void add_running(struct herd *herd)
{
    herd->max = running_count(herd);
    while (herd->arrived < herd->max)
        arrive(herd);
    settle(herd);
    if (herd->holder != GANGS_HOLD) /* which lets two run on some nodes */
        rig_expect(&herd->rig, herd->max);
    herd->max += herd->work->events * (GANG_MEMBERS + 2);
    herd->running = yk_realloc_array(herd->running, herd->max, sizeof(*herd->running));
}

static void add_cpu_pods(struct herd *herd)
{
    struct yk_resvec size = rig_amounts(2000, 1 << 20, 1);
    rig_add_app(&herd->rig, "cpu", "root.nodes.leaf-00");
    for (size_t i = 0; i < herd->work->events; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "cpu-%06zu", i);
        rig_add_ask_of(&herd->rig, "cpu", key, &size, NULL);
    }
    settle(herd);
}

static void herd_init(struct herd *herd, enum holder holder, const struct work *work)
{
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    *herd = (struct herd){.holder = holder, .work = work};
    yk_clock_virtual_init(&herd->clock, 1700000000 * YK_NS_PER_S);
    put_queues(&text, work->running);
    rig_init_with(&herd->rig, yk_buf_view(&text), &(struct rig_options){&herd->clock, true});
    yk_buf_done(&text);
    herd->rig.on_allocated = on_allocated;
    herd->running = yk_new0_array(struct pod, running_count(herd));
    add_nodes(herd);
    add_running(herd);
    size_t waiting = has_gangs(holder) ? work->gangs : work->herd, first = herd->arrived;
    herd->max = YK_MAX(herd->max, first);
    while (herd->arrived < first + waiting) {
        if (has_gangs(holder))
            add_gang(herd, herd->arrived++);
        else
            arrive(herd);
    }
    settle(herd);
    if (herd->started != first && holder != GANGS_HOLD)
        rig_die("what should wait was started");
    for (size_t i = 0; i < TAKERS && holder == GANGS_HOLD; i++)
        arrive(herd);
    settle(herd);
    if (holder == CPU_ENDS)
        add_cpu_pods(herd);
}

static void herd_done(struct herd *herd)
{
    rig_done(&herd->rig);
    free(herd->running);
}

/* ---- the events ---- */

static void release(struct herd *herd, const struct pod *pod)
{
    rig_release(&herd->rig, pod->app, pod->key, YK_SI_STOPPED_BY_RM);
    if (holders[herd->holder].removes)
        rig_must(yk_core_remove_app(herd->rig.core, "rm", pod->app, "default"), "application not removed");
    settle(herd);
}

static void end_one(struct herd *herd, size_t number)
{
    size_t before = herd->rig.allocated;
    if (herd->holder == CPU_ENDS) {
        struct pod pod = {.app = "cpu"};
        (void)snprintf(pod.key, sizeof(pod.key), "cpu-%06zu", number);
        release(herd, &pod);
        return;
    }
    release(herd, &herd->running[herd->ended++]);
    if (!has_gangs(herd->holder) && herd->rig.allocated != before + 1)
        rig_die("the end of a pod did not let one start");
}

static void arrive_one(struct herd *herd)
{
    size_t before = herd->rig.allocated;
    if (has_gangs(herd->holder))
        add_gang(herd, herd->arrived++);
    else
        arrive(herd);
    settle(herd);
    if (herd->rig.allocated != before && herd->holder != GANGS_HOLD)
        rig_die("what should wait was started");
}

/* `more_memory`: bytes, too few for one that waits. */
static void update_node(struct herd *herd, size_t number, int64_t more_memory)
{
    char id[32];
    YK_CLEANUP(yk_resvec_done) struct yk_resvec size = node_size(herd, number % herd->work->nodes);
    yk_resvec_put(&size, YK_RESTYPE_MEMORY, yk_resvec_get(&size, YK_RESTYPE_MEMORY) + more_memory);
    name_node(id, number % herd->work->nodes);
    struct yk_si_node node = {.node_id = id, .action = YK_SI_NODE_UPDATE, .capacity = &size};
    int64_t start_ns = report_cpu_ns();
    rig_must(yk_core_update_node(herd->rig.core, "rm", &node), "node refused");
    note_step(herd, start_ns);
    settle(herd);
}

static int64_t happen(struct herd *herd, enum event event, size_t number)
{
    int64_t start_ns = report_cpu_ns();
    switch (event) {
    case END:
        end_one(herd, number);
        break;
    case ARRIVAL:
        arrive_one(herd);
        break;
    case NODE:
        update_node(herd, number, 0);
        break;
    case CAPACITY:
        herd->step_ns = 0;
        update_node(herd, herd->work->nodes - 1, (int64_t)(number % 2 + 1) << 10);
        break;
    case TIMERS:
        yk_clock_advance(&herd->clock, STEP_NS);
        herd->step_ns = 0;
        (void)yk_timers_run(&herd->rig.timers); /* whatever is due */
        note_step(herd, start_ns);
        settle(herd);
        break;
    case CAPACITY_STEP:
    case STEP:
    case EVENTS:
        break;
    }
    return report_cpu_ns() - start_ns;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void show(enum holder holder, enum event event, int64_t *took_ns, size_t count)
{
    qsort(took_ns, count, sizeof(*took_ns), by_time);
    double p99_us = (double)took_ns[count * 99 / 100] / 1e3;
    report_begin("core-herds", holders[holder].name);
    report_text("event", events[event]);
    report_count("events", count);
    report_number("p50_us", (double)took_ns[count / 2] / 1e3);
    report_number("p99_us", p99_us);
    report_number("max_us", (double)took_ns[count - 1] / 1e3);
    report_end();
    if (event != TIMERS)
        report_goal(holders[holder].goals[event], p99_us, REPORT_AT_MOST, event == STEP ? 300 : 100);
}

static void run(enum holder holder, const struct work *work)
{
    struct herd *herd = yk_new0(struct herd);
    int64_t *took_ns[EVENTS];
    herd_init(herd, holder, work);
    for (int e = 0; e < EVENTS; e++)
        took_ns[e] = yk_new0_array(int64_t, work->events * EVENTS);
    for (size_t i = 0; i < work->events; i++) {
        for (size_t e = 0; e < KINDS; e++) {
            took_ns[e][i] = happen(herd, (enum event)e, i);
            if (e == CAPACITY)
                took_ns[CAPACITY_STEP][i] = herd->step_ns;
            took_ns[TIMERS][i * KINDS + e] = happen(herd, TIMERS, i);
            took_ns[STEP][i * KINDS + e] = herd->step_ns;
        }
    }
    for (int e = 0; e < EVENTS; e++) {
        show(holder, (enum event)e, took_ns[e], e >= STEP ? work->events * KINDS : work->events);
        free(took_ns[e]);
    }
    herd_done(herd);
    free(herd);
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 1);
    const struct work work = options.tiny ? (struct work){20, 100, 20, 10, 10}
                                          : (struct work){10000, 16000, 1000, 1000, 400 * options.repeat};
    for (int holder = 0; holder < HOLDERS; holder++)
        run((enum holder)holder, &work);
    report_goals("core-herds");
    return 0;
}
