/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of single events beside a herd: 16,000 applications that wait, for each reason to wait, on 10,000
 * nodes. Events are the end of a pod, which lets exactly one of those that wait start; the arrival of an ask,
 * which waits; its withdrawal, another priority of it, and the end of its application; of a node: an update
 * that changes nothing, more capacity and less, other labels, drain and its end, a new node and its removal;
 * and a configuration with another maximum, which lets no application start. Gangs that arrive time out after ten
 * seconds. The end of a pod follows the new configuration, and pays for what that leaves to be done.
 *
 * Measured is the processor time of the scheduling thread until nothing can be decided, and the longest part
 * of that after which the thread handles events again ("-step"). Time is simulated: 20 ms pass between two
 * events, and what the timers do then is reported apart. The same events are repeated several times, and the
 * least of its times counts for each: the same work takes 2 us or 200 us when the machine is busy.
 */
#include "report.h"
#include "rig.h"

#include <stdio.h>

enum {
    LEAVES = 100,
    NODE_CORES = 16,
    GANG_MEMBERS = 4,
    WHOLE_NODE = NODE_CORES * 1000,
    TAKERS = 200,
    REPEATS = 3
};
#define STEP_NS         (20 * YK_NS_PER_MS)
#define GANG_TIMEOUT_NS (10 * YK_NS_PER_S)

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
    const char *name, *branch;
    bool on_nodes; /* the nodes are full */
    bool shapes;   /* each has a size of its own */
    bool removes;  /* the application goes with its pod */
} holders[HOLDERS] = {
    [NODES_EQUAL] = {.name = "nodes-equal", .branch = "nodes", .on_nodes = true},
    [NODES_SHAPES] = {.name = "nodes-shapes", .branch = "nodes", .on_nodes = true, .shapes = true},
    [GPU_ENDS] = {.name = "gpu-gpu-ends", .branch = "nodes", .shapes = true},
    [CPU_ENDS] = {.name = "gpu-cpu-ends", .branch = "nodes", .shapes = true},
    [QUEUE_MAX] = {.name = "queue-max", .branch = "full"},
    [QUEUE_SHAPES] = {.name = "queue-max-shapes", .branch = "full", .shapes = true},
    [USER_MAX] = {.name = "user-max", .branch = "user"},
    [USER_SHAPES] = {.name = "user-max-shapes", .branch = "user", .shapes = true},
    [GROUP_MAX] = {.name = "group-max", .branch = "team"},
    [QUEUE_APPS] = {.name = "queue-apps", .branch = "apps", .removes = true},
    [USER_APPS] = {.name = "user-apps", .branch = "userapps", .removes = true},
    [GANGS] = {.name = "gangs", .branch = "nodes", .on_nodes = true},
    [GANGS_HOLD] = {.name = "gangs-hold", .branch = "nodes", .on_nodes = true},
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
    size_t first_waiting, end_waiting; /* numbers of applications, of those that waited at the beginning */
    int64_t step_ns;                   /* the longest since it was set to 0 */
    int64_t reload_ns;                 /* what the scheduling thread spent on the last configuration */
};

/* What happens, in this order, again and again. */
enum event {
    END,
    ARRIVAL,
    PRIORITY,
    WITHDRAWAL,
    APP_END,
    NODE,
    MORE,
    LESS,
    LABELS,
    DRAIN,
    OPEN,
    NODE_NEW,
    NODE_GONE,
    RELOAD,
    KINDS,
    TIMERS = KINDS, /* after each of these */
    EVENTS
};

static const struct {
    const char *name, *step_name;
    double most_us, most_step_us; /* 0: no goal */
} events[EVENTS] = {
    [END] = {"end", "end-step", 100, 0},
    [ARRIVAL] = {"arrival", "arrival-step", 100, 0},
    [PRIORITY] = {"priority", "priority-step", 100, 100},
    [WITHDRAWAL] = {"withdrawal", "withdrawal-step", 100, 100},
    [APP_END] = {"application-end", "application-end-step", 100, 100},
    [NODE] = {"node", "node-step", 100, 100},
    [MORE] = {"more-capacity", "more-capacity-step", 100, 100},
    [LESS] = {"less-capacity", "less-capacity-step", 100, 100},
    [LABELS] = {"labels", "labels-step", 100, 100},
    [DRAIN] = {"drain", "drain-step", 100, 100},
    [OPEN] = {"open", "open-step", 100, 100},
    [NODE_NEW] = {"node-new", "node-new-step", 100, 100},
    [NODE_GONE] = {"node-gone", "node-gone-step", 100, 100},
    [RELOAD] = {"reload", "reload-step", 0, 0}, /* of 600 queues; prepared by another thread */
    [TIMERS] = {"timers", "timers-step", 0, 300},
};

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

/* `more_milli`: cores of the maxima above what runs, less than one that waits asks for. */
static void put_queues(struct yk_buf *text, size_t running, int more_milli)
{
    char limit[160];
    yk_buf_text(text,
                "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n");
    put_branch(text, "nodes", "", 0);
    (void)snprintf(limit, sizeof(limit), "      resources: {max: {vcore: %zum}}\n",
                   running * 1000 + (size_t)more_milli);
    put_branch(text, "full", limit, 0);
    (void)snprintf(limit, sizeof(limit),
                   "      limits: [{limit: x, users: [busy], maxresources: {vcore: %zum}}]\n",
                   running * 1000 + (size_t)more_milli);
    put_branch(text, "user", limit, 0);
    (void)snprintf(limit, sizeof(limit),
                   "      limits: [{limit: x, groups: [team], maxresources: {vcore: %zum}}]\n",
                   running * 1000 + (size_t)more_milli);
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
                                .placeholder_ask = gang,
                                .placeholder_timeout_ns = herd->end_waiting > 0 ? GANG_TIMEOUT_NS : 0};
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
    put_queues(&text, work->running, 0);
    rig_init_with(&herd->rig, yk_buf_view(&text), &(struct rig_options){&herd->clock, true});
    yk_buf_done(&text);
    herd->rig.on_allocated = on_allocated;
    herd->running = yk_new0_array(struct pod, running_count(herd));
    add_nodes(herd);
    add_running(herd);
    size_t waiting = has_gangs(holder) ? work->gangs : work->herd, first = herd->arrived;
    herd->max = YK_MAX(herd->max, first);
    herd->first_waiting = first;
    while (herd->arrived < first + waiting) {
        if (has_gangs(holder))
            add_gang(herd, herd->arrived++);
        else
            arrive(herd);
    }
    settle(herd);
    herd->end_waiting = herd->arrived;
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

/* One of those that wait, others each time: the last ones, which do not start meanwhile. */
static void waiting_pod(const struct herd *herd, size_t number, struct pod *ret_pod)
{
    size_t app = herd->end_waiting - 1 - number % (herd->end_waiting - herd->first_waiting);
    (void)snprintf(ret_pod->app, sizeof(ret_pod->app), "app-%06zu", app);
    if (has_gangs(herd->holder))
        (void)snprintf(ret_pod->key, sizeof(ret_pod->key), "app-%06zu-0", app);
    else
        (void)snprintf(ret_pod->key, sizeof(ret_pod->key), "pod-%06zu", app);
}

static void change_priority(struct herd *herd, size_t number)
{
    struct pod pod;
    waiting_pod(herd, number, &pod);
    bool is_gang = has_gangs(herd->holder);
    size_t app = herd->end_waiting - 1 - number % (herd->end_waiting - herd->first_waiting);
    YK_CLEANUP(yk_resvec_done)
    struct yk_resvec size = is_gang ? member_size(herd, app, 0) : pod_size(herd, app);
    struct yk_si_allocation ask = {.key = pod.key,
                                   .application_id = pod.app,
                                   .resource = &size,
                                   .priority = -1,
                                   .task_group = is_gang ? "workers" : NULL,
                                   .placeholder = is_gang,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    rig_must(yk_core_update_allocation(herd->rig.core, "rm", &ask), "priority refused");
}

static void withdraw(struct herd *herd, size_t number)
{
    struct pod pod;
    waiting_pod(herd, number, &pod);
    rig_release(&herd->rig, pod.app, pod.key, YK_SI_STOPPED_BY_RM);
}

static void end_app(struct herd *herd, size_t number)
{
    struct pod pod;
    waiting_pod(herd, number, &pod);
    rig_must(yk_core_remove_app(herd->rig.core, "rm", pod.app, "default"), "application not removed");
}

static void send_node(struct herd *herd, struct yk_si_node *node, size_t number)
{
    char id[32];
    name_node(id, number);
    node->node_id = id;
    rig_must(yk_core_update_node(herd->rig.core, "rm", node), "node refused");
}

/* `more_memory`: bytes, too few for one that waits. */
static void update_node(struct herd *herd, size_t number, int64_t more_memory)
{
    YK_CLEANUP(yk_resvec_done) struct yk_resvec size = node_size(herd, number);
    yk_resvec_put(&size, YK_RESTYPE_MEMORY, yk_resvec_get(&size, YK_RESTYPE_MEMORY) + more_memory);
    send_node(herd, &(struct yk_si_node){.action = YK_SI_NODE_UPDATE, .capacity = &size}, number);
}

static void add_node(struct herd *herd, size_t number)
{
    YK_CLEANUP(yk_resvec_done) struct yk_resvec size = node_size(herd, number);
    send_node(herd, &(struct yk_si_node){.action = YK_SI_NODE_CREATE, .capacity = &size}, number);
}

static void reload(struct herd *herd, size_t number)
{
    struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    put_queues(&text, herd->work->running, number % 2 == 0 ? 500 : 0);
    const struct yk_si_register request = {
        .rm_id = "rm", .policy_group = "queues", .version = "0", .config = yk_buf_view(&text)};
    struct yk_reload *new_config = NULL;
    rig_must(yk_core_reload_begin(herd->rig.core, &request, &new_config, NULL), "configuration refused");
    yk_reload_prepare(new_config);
    int64_t start_ns = report_cpu_ns();
    rig_must(yk_core_reload_finish(herd->rig.core, new_config, NULL, NULL), "configuration refused");
    herd->reload_ns = report_cpu_ns() - start_ns;
    note_step(herd, start_ns);
    yk_reload_free(new_config);
    yk_buf_done(&text);
}

static void node_event(struct herd *herd, enum event event, size_t number)
{
    size_t some = number % herd->work->nodes, last = herd->work->nodes - 1;
    if (event == NODE)
        update_node(herd, some, 0);
    else if (event == MORE || event == LESS)
        update_node(herd, last, event == MORE ? 1 << 10 : 0);
    else if (event == LABELS)
        send_node(herd, &(struct yk_si_node){.action = YK_SI_NODE_UPDATE, .constraints_changed = true}, some);
    else if (event == DRAIN)
        send_node(herd, &(struct yk_si_node){.action = YK_SI_NODE_DRAIN}, some);
    else if (event == OPEN)
        send_node(herd, &(struct yk_si_node){.action = YK_SI_NODE_DRAIN_TO_SCHEDULABLE}, some);
    else if (event == NODE_NEW)
        add_node(herd, herd->work->nodes);
    else
        send_node(herd, &(struct yk_si_node){.action = YK_SI_NODE_DECOMMISSION}, herd->work->nodes);
}

static void happen_now(struct herd *herd, enum event event, size_t number)
{
    size_t started = herd->started;
    if (event == END)
        end_one(herd, number);
    else if (event == ARRIVAL)
        arrive_one(herd);
    else if (event == PRIORITY)
        change_priority(herd, number);
    else if (event == WITHDRAWAL)
        withdraw(herd, number);
    else if (event == APP_END)
        end_app(herd, number);
    else if (event == RELOAD)
        reload(herd, number);
    else if (event == TIMERS)
        (void)yk_timers_run(&herd->rig.timers); /* whatever is due */
    else
        node_event(herd, event, number);
    if (event == NODE_NEW || event == NODE_GONE)
        settle(herd);
    if (event == NODE_NEW)
        herd->started = started; /* what starts on the new node goes with it */
}

/* Its time; `*ret_step_ns`: of the longest part. */
static int64_t happen(struct herd *herd, enum event event, size_t number, int64_t *ret_step_ns)
{
    herd->step_ns = 0;
    if (event == TIMERS)
        yk_clock_advance(&herd->clock, STEP_NS);
    int64_t start_ns = report_cpu_ns();
    happen_now(herd, event, number);
    if (event >= PRIORITY && event != RELOAD)
        note_step(herd, start_ns);
    if (event == RELOAD) /* what other threads do does not count */
        start_ns = report_cpu_ns() - herd->reload_ns;
    settle(herd);
    int64_t took_ns = report_cpu_ns() - start_ns;
    *ret_step_ns = event >= PRIORITY ? herd->step_ns : took_ns;
    return took_ns;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the 99th percentile. */
static double show(const char *part, const char *event, int64_t *took_ns, size_t count)
{
    qsort(took_ns, count, sizeof(*took_ns), by_time);
    double p99_us = (double)took_ns[count * 99 / 100] / 1e3;
    report_begin("core-herds", part);
    report_text("event", event);
    report_count("events", count);
    report_number("p50_us", (double)took_ns[count / 2] / 1e3);
    report_number("p99_us", p99_us);
    report_number("max_us", (double)took_ns[count - 1] / 1e3);
    report_end();
    return p99_us;
}

/* Times in the order in which the events happened. */
struct times {
    int64_t *took_ns[EVENTS], *step_ns[EVENTS];
};

static void keep_least(struct times *times, enum event event, size_t at, int64_t took_ns, int64_t step_ns)
{
    times->took_ns[event][at] = YK_MIN(times->took_ns[event][at], took_ns);
    times->step_ns[event][at] = YK_MIN(times->step_ns[event][at], step_ns);
}

static void run_once(enum holder holder, const struct work *work, struct times *times)
{
    struct herd *herd = yk_new0(struct herd);
    herd_init(herd, holder, work);
    for (size_t i = 0; i < work->events; i++) {
        for (size_t e = 0; e < KINDS; e++) {
            int64_t step_ns, took_ns = happen(herd, (enum event)e, i, &step_ns);
            keep_least(times, (enum event)e, i, took_ns, step_ns);
            took_ns = happen(herd, TIMERS, i, &step_ns);
            keep_least(times, TIMERS, i * KINDS + e, took_ns, step_ns);
        }
    }
    herd_done(herd);
    free(herd);
}

static int64_t *new_times(size_t count)
{
    int64_t *times = yk_new0_array(int64_t, count);
    for (size_t i = 0; i < count; i++)
        times[i] = INT64_MAX;
    return times;
}

/* Over all herds. */
struct worst {
    double p99_us[EVENTS], step_p99_us[EVENTS];
};

static void run(enum holder holder, const struct work *work, size_t repeats, struct worst *worst)
{
    struct times times;
    for (int e = 0; e < EVENTS; e++) {
        times.took_ns[e] = new_times(work->events * KINDS);
        times.step_ns[e] = new_times(work->events * KINDS);
    }
    for (size_t i = 0; i < repeats; i++)
        run_once(holder, work, &times);
    for (int e = 0; e < EVENTS; e++) {
        size_t count = e == TIMERS ? work->events * KINDS : work->events;
        const char *name = holders[holder].name;
        worst->p99_us[e] = YK_MAX(worst->p99_us[e], show(name, events[e].name, times.took_ns[e], count));
        worst->step_p99_us[e] =
            YK_MAX(worst->step_p99_us[e], show(name, events[e].step_name, times.step_ns[e], count));
        free(times.took_ns[e]);
        free(times.step_ns[e]);
    }
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 1);
    const struct work work =
        options.tiny ? (struct work){20, 100, 20, 10, 10} : (struct work){10000, 16000, 1000, 1000, 400};
    struct worst worst = {0};
    for (int holder = 0; holder < HOLDERS; holder++)
        run((enum holder)holder, &work, options.tiny ? 1 : REPEATS * options.repeat, &worst);
    for (int e = 0; e < EVENTS; e++) {
        if (events[e].most_us > 0)
            report_goal(events[e].name, worst.p99_us[e], REPORT_AT_MOST, events[e].most_us);
        if (events[e].most_step_us > 0)
            report_goal(events[e].step_name, worst.step_p99_us[e], REPORT_AT_MOST, events[e].most_step_us);
    }
    report_goals("core-herds");
    return 0;
}
