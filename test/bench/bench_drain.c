/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a scheduler binds what waits when it starts.
 *
 *     bench_drain [--scheduler-name yunikorn] [--limit L] [--queue-vcore-max V] [--log FILE] -- COMMAND
 * [ARG...]
 *
 * KUBECONFIG names the cluster, which holds nodes and waiting pods. Starts COMMAND, watches until every
 * waiting pod of that schedulerName is bound, ends COMMAND with SIGTERM and lists again: every pod is bound,
 * its node never changed, no node holds more than it has, no queue (pod label "queue") more than V
 * millicores. Only then one JSON line is printed. Times count from the moment before exec. L: binds per
 * second without a scheduler, for the ratio.
 */
#include "base/map.h"
#include "base/vec.h"
#include "base/version.h"
#include "child.h"
#include "harness.h"
#include "resources/quantity.h"

#include <getopt.h>
#include <sys/wait.h>

enum { LIMIT_S = 600 };

struct pod {
    char *key;  /* namespace/name */
    char *node; /* NULL while it waits */
};

struct sum { /* of a node or queue */
    char *name;
    int64_t vcore, memory, pods;             /* in use */
    int64_t vcore_max, memory_max, pods_max; /* of a node */
};

struct bench {
    struct harness harness;
    const char *scheduler_name, *log_path;
    char **command;
    double limit_per_s;
    int64_t queue_vcore_max;
    pid_t pid;
    struct yk_strmap pods, nodes, queues;
    bool verifying;
    size_t waiting, bound, moved, verified;
    int64_t exec_ns, first_ns, last_ns;
    struct child_usage usage;
    struct yk_timer watchdog;
    int exit_status;
};

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_drain: %s: no result\n", what);
    exit(1);
}

/* ---- the scheduler under test ---- */

static void start_scheduler(struct bench *bench)
{
    bench->exec_ns = harness_now_ns();
    bench->pid = child_start(bench->command, bench->log_path);
}

/* A scheduler that ends by itself leaves nothing to wait for. */
static void look_after(struct yk_timer *timer)
{
    struct bench *bench = YK_CONTAINER(timer, struct bench, watchdog);
    if (bench->bound < bench->waiting && waitpid(bench->pid, &bench->exit_status, WNOHANG) == bench->pid)
        die("the scheduler has ended by itself, see its log");
    yk_timer_arm(&bench->harness.actor.timers, timer, YK_NS_PER_S);
}

/* ---- while it runs ---- */

static char *key_of(const struct yk_object *object)
{
    struct yk_buf key = {0};
    yk_buf_printf(&key, YK_STR_FMT "/" YK_STR_FMT, YK_STR_ARG(object->namespace_), YK_STR_ARG(object->name));
    return yk_buf_take(&key);
}

static void verify(struct bench *bench);

static void note_bound(struct bench *bench, struct pod *pod, struct yk_str node)
{
    if (pod->node != NULL) {
        bench->moved += !yk_str_is(node, pod->node);
        return;
    }
    pod->node = yk_str_dup(node);
    bench->last_ns = harness_now_ns();
    if (bench->bound++ == 0)
        bench->first_ns = bench->last_ns;
    if (bench->bound == bench->waiting) {
        bench->usage = child_usage(bench->pid);
        child_end(bench->pid, &bench->exit_status);
        verify(bench);
    }
}

static void see_pod(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct bench *bench = context;
    (void)kind;
    if (event == YK_WATCH_REPLACE_END && bench->pid == 0) {
        if (bench->waiting == 0)
            die("no pod waits");
        start_scheduler(bench);
        bench->watchdog.fire = look_after;
        yk_timer_arm(&bench->harness.actor.timers, &bench->watchdog, YK_NS_PER_S);
    }
    const struct yk_pod *view = object != NULL ? yk_pod_of(object) : NULL;
    if (event == YK_WATCH_UPSERT && yk_str_is(view->scheduler_name, bench->scheduler_name)) {
        char *key = key_of(object);
        struct pod *pod = yk_strmap_get(&bench->pods, yk_str_from(key));
        if (pod == NULL && bench->pid == 0 && view->node_name.len == 0) {
            pod = yk_new0(struct pod);
            pod->key = yk_strdup(key);
            (void)yk_strmap_put(&bench->pods, yk_str_from(pod->key), pod); /* is new */
            bench->waiting++;
        }
        free(key);
        if (pod != NULL && view->node_name.len > 0)
            note_bound(bench, pod, view->node_name);
    }
    yk_object_free(object);
}

/* ---- afterwards: a list of its own ---- */

static struct sum *sum_of(struct yk_strmap *map, struct yk_str name)
{
    struct sum *sum = yk_strmap_get(map, name);
    if (sum == NULL) {
        sum = yk_new0(struct sum);
        sum->name = yk_str_dup(name);
        (void)yk_strmap_put(map, yk_str_from(sum->name), sum); /* is new */
    }
    return sum;
}

static int64_t amount(const struct yk_amounts *amounts, const char *name)
{
    for (uint32_t i = 0; i < amounts->count; i++) {
        if (yk_str_is(amounts->items[i].name, name))
            return yk_quantity_amount(amounts->items[i].name, amounts->items[i].quantity);
    }
    return 0;
}

static void add_pod(struct sum *sum, const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < pod->container_count; i++) {
        sum->vcore += amount(&pod->containers[i].requests, "cpu");
        sum->memory += amount(&pod->containers[i].requests, "memory");
    }
    sum->pods++;
}

static void conclude(struct bench *bench)
{
    const struct sum *sum;
    yk_strmap_foreach (sum, &bench->nodes) {
        if (sum->vcore > sum->vcore_max || sum->memory > sum->memory_max || sum->pods > sum->pods_max)
            die("a node holds more than it has");
    }
    yk_strmap_foreach (sum, &bench->queues) {
        if (bench->queue_vcore_max > 0 && sum->vcore > bench->queue_vcore_max)
            die("a queue holds more than its maximum");
    }
    if (bench->verified != bench->waiting || bench->moved > 0)
        die("not every pod is bound exactly once");
    bench->harness.finished = true;
}

static void verify_pod(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct bench *bench = context;
    (void)kind;
    if (event == YK_WATCH_UPSERT && !bench->harness.finished) {
        const struct yk_pod *view = yk_pod_of(object);
        YK_CLEANUP(yk_freep) char *key = key_of(object);
        const struct pod *pod = yk_strmap_get(&bench->pods, yk_str_from(key));
        bench->verified += pod != NULL && yk_str_is(view->node_name, pod->node);
        if (view->node_name.len > 0)
            add_pod(sum_of(&bench->nodes, view->node_name), view);
        struct yk_str queue = yk_pairs_get(&object->labels, "queue");
        if (view->node_name.len > 0 && queue.p != NULL)
            add_pod(sum_of(&bench->queues, queue), view);
    }
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END && !bench->harness.finished)
        conclude(bench);
}

static void verify_node(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct bench *bench = context;
    (void)kind;
    if (event == YK_WATCH_UPSERT) {
        const struct yk_k8s_node *view = yk_node_of(object);
        struct sum *sum = sum_of(&bench->nodes, object->name);
        sum->vcore_max = amount(&view->allocatable, "cpu");
        sum->memory_max = amount(&view->allocatable, "memory");
        sum->pods_max = amount(&view->allocatable, "pods");
    }
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END && !bench->verifying) {
        struct yk_watch_spec pods = {.kind = YK_KIND_POD};
        bench->verifying = true;
        yk_api_watch(bench->harness.server, &pods, verify_pod, bench);
    }
}

static void verify(struct bench *bench)
{
    struct yk_watch_spec nodes = {.kind = YK_KIND_NODE};
    yk_api_watch(bench->harness.server, &nodes, verify_node, bench);
}

/* ---- */

static double seconds(int64_t ns)
{
    return (double)ns / (double)YK_NS_PER_S;
}

static void report(const struct bench *bench)
{
    double per_s = (double)(bench->bound - 1) / seconds(bench->last_ns - bench->first_ns);
    (void)printf(
        "{\"case\":\"drain\",\"pods\":%zu,\"nodes\":%zu,\"first_bind_s\":%.3f,\"last_bind_s\":%.3f,"
        "\"binds_per_s\":%.1f,\"limit_per_s\":%.1f,\"of_limit\":%.3f,\"peak_mib\":%.1f,\"cpu_s\":%.2f,"
        "\"exit\":%d,\"seed\":0,\"version\":\"%s\",\"revision\":\"%s\"}\n",
        bench->bound, bench->nodes.count, seconds(bench->first_ns - bench->exec_ns),
        seconds(bench->last_ns - bench->exec_ns), per_s, bench->limit_per_s,
        bench->limit_per_s > 0 ? per_s / bench->limit_per_s : 0, (double)bench->usage.peak_kib / 1024,
        bench->usage.cpu_s, WEXITSTATUS(bench->exit_status), yk_version, yk_revision);
}

static void read_arguments(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {{"scheduler-name", required_argument, NULL, 's'},
                                            {"limit", required_argument, NULL, 'l'},
                                            {"queue-vcore-max", required_argument, NULL, 'q'},
                                            {"log", required_argument, NULL, 'g'},
                                            {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 's')
            bench->scheduler_name = optarg;
        else if (c == 'g')
            bench->log_path = optarg;
        else if (c == 'l')
            bench->limit_per_s = strtod(optarg, NULL);
        else if (c != 'q' || yk_str_to_i64(yk_str_from(optarg), &bench->queue_vcore_max) != YK_OK)
            die("wrong arguments");
    }
    bench->command = argv + optind;
    if (bench->command[0] == NULL)
        die("usage: bench_drain [OPTIONS] -- COMMAND [ARG...]");
}

static void free_sums(struct yk_strmap *map)
{
    struct sum *sum;
    yk_strmap_foreach (sum, map) {
        free(sum->name);
        free(sum);
    }
    yk_strmap_done(map);
}

int main(int argc, char **argv)
{
    struct bench bench = {.scheduler_name = "yunikorn", .log_path = "/dev/null"};
    struct yk_watch_spec pods = {.kind = YK_KIND_POD};
    read_arguments(argc, argv, &bench);
    harness_init(&bench.harness, 64);
    yk_api_watch(bench.harness.server, &pods, see_pod, &bench);
    harness_run(&bench.harness, LIMIT_S);
    report(&bench);
    yk_api_stop(bench.harness.server);
    harness_done(&bench.harness);
    struct pod *pod;
    yk_strmap_foreach (pod, &bench.pods) {
        free(pod->key);
        free(pod->node);
        free(pod);
    }
    yk_strmap_done(&bench.pods);
    free_sums(&bench.nodes);
    free_sums(&bench.queues);
    return 0;
}
