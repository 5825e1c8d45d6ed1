/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From creating a pod to seeing it bound, under Poisson arrivals.
 *
 *     bench_latency --rate PODS_PER_S --seconds S [--reflex] [--app-per-pod] [--namespace NS] [--seed N]
 *
 * KUBECONFIG names the cluster. A scheduler called "yunikorn" runs already, or with --reflex this program
 * binds each pod at once on its watch event: the shortest way there is, to compare with. Times run from
 * sending the POST to the watch event that shows a node. Every pod must be bound, else there is no result.
 * One JSON line.
 */
#include "base/map.h"
#include "base/random.h"
#include "base/vec.h"
#include "base/version.h"
#include "harness.h"

#include <getopt.h>
#include <math.h>

struct pod {
    char name[64];
    int64_t created_ns, bound_ns;
    bool sent; /* reflex: bind requested */
};

struct bench {
    struct harness harness;
    const char *namespace_;
    double rate;
    int64_t duration_ns, end_ns;
    bool reflex, app_per_pod;
    uint64_t seed;
    struct yk_random random;
    struct yk_vec nodes; /* char *, owned */
    struct yk_vec pods;  /* struct pod, owned */
    struct yk_strmap by_name;
    struct yk_timer arrival;
    bool nodes_listed, pods_listed, creating;
    size_t bound, failed, next_node;
};

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_latency: %s: no result\n", what);
    exit(1);
}

static void finish_if_done(struct bench *bench)
{
    if (!bench->creating && bench->bound == bench->pods.count)
        bench->harness.finished = true;
}

static void answered(struct yk_op *op)
{
    struct bench *bench = op->context;
    bench->failed += op->result != YK_OP_OK;
    if (op->result != YK_OP_OK)
        (void)fprintf(stderr, "bench_latency: %d %s\n", op->http_status, op->reason.text);
    yk_op_free(op);
}

static void create_pod(struct bench *bench)
{
    struct pod *pod = yk_new0(struct pod);
    size_t number = bench->pods.count;
    (void)snprintf(pod->name, sizeof(pod->name), "lat-%llu-%06zu", (unsigned long long)bench->seed, number);
    struct yk_op *op = yk_op_new(YK_OP_CREATE_POD);
    op->namespace_ = yk_strdup(bench->namespace_);
    op->name = yk_strdup(pod->name);
    op->done = answered;
    op->context = bench;
    yk_buf_printf(
        &op->body,
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",\"labels\":{"
        "\"applicationId\":\"lat-%llu-%zu\",\"queue\":\"root.latency\"}},\"spec\":{\"schedulerName\":\"%s\","
        "\"containers\":[{\"name\":\"c\",\"image\":\"pause\",\"resources\":{\"requests\":{\"cpu\":\"10m\","
        "\"memory\":\"10Mi\"}}}]}}",
        pod->name, (unsigned long long)bench->seed, bench->app_per_pod ? number : 0,
        bench->reflex ? "bench-reflex" : "yunikorn");
    yk_vec_append(&bench->pods, pod);
    (void)yk_strmap_put(&bench->by_name, yk_str_from(pod->name), pod); /* is new */
    pod->created_ns = harness_now_ns();
    yk_api_submit(bench->harness.server, op);
}

static void on_arrival(struct yk_timer *timer)
{
    struct bench *bench = YK_CONTAINER(timer, struct bench, arrival);
    if (harness_now_ns() >= bench->end_ns) {
        bench->creating = false;
        finish_if_done(bench);
        return;
    }
    create_pod(bench);
    double gap_s = -log(1 - yk_random_unit(&bench->random)) / bench->rate;
    yk_timer_arm(&bench->harness.actor.timers, timer, (int64_t)(gap_s * (double)YK_NS_PER_S));
}

static void bind(struct bench *bench, struct pod *pod, const struct yk_object *object)
{
    struct yk_op *op = yk_op_new(YK_OP_BIND);
    op->namespace_ = yk_str_dup(object->namespace_);
    op->name = yk_str_dup(object->name);
    op->uid = yk_str_dup(object->uid);
    op->node = yk_strdup(bench->nodes.items[bench->next_node++ % bench->nodes.count]);
    op->done = answered;
    op->context = bench;
    pod->sent = true;
    yk_api_submit(bench->harness.server, op);
}

static void begin(struct bench *bench)
{
    if (!bench->nodes_listed || !bench->pods_listed || bench->end_ns != 0)
        return;
    if (bench->nodes.count == 0)
        die("there are no nodes");
    bench->creating = true;
    bench->end_ns = harness_now_ns() + bench->duration_ns;
    bench->arrival.fire = on_arrival;
    yk_timer_arm(&bench->harness.actor.timers, &bench->arrival, 0);
}

static void see_pod(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct bench *bench = context;
    (void)kind;
    struct pod *pod = event == YK_WATCH_UPSERT ? yk_strmap_get(&bench->by_name, object->name) : NULL;
    if (pod != NULL && yk_pod_of(object)->node_name.len > 0 && pod->bound_ns == 0) {
        pod->bound_ns = harness_now_ns();
        bench->bound++;
        finish_if_done(bench);
    } else if (pod != NULL && bench->reflex && !pod->sent) {
        bind(bench, pod, object);
    }
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END) {
        bench->pods_listed = true;
        begin(bench);
    }
}

static void see_node(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct bench *bench = context;
    (void)kind;
    if (event == YK_WATCH_UPSERT && !bench->nodes_listed)
        yk_vec_append(&bench->nodes, yk_str_dup(object->name));
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END) {
        bench->nodes_listed = true;
        begin(bench);
    }
}

static int by_latency(const void *a, const void *b)
{
    const struct pod *x = a, *y = b;
    int64_t left = x->bound_ns - x->created_ns, right = y->bound_ns - y->created_ns;
    return (left > right) - (left < right);
}

static double percentile_ms(const struct bench *bench, double share)
{
    const struct pod *pod = bench->pods.items[(size_t)(share * (double)(bench->pods.count - 1) + 0.5)];
    return (double)(pod->bound_ns - pod->created_ns) / (double)YK_NS_PER_MS;
}

static void report(struct bench *bench)
{
    if (bench->failed > 0 || bench->pods.count == 0)
        die("requests failed");
    yk_vec_sort(&bench->pods, by_latency);
    (void)printf(
        "{\"case\":\"latency\",\"who\":\"%s\",\"rate\":%.0f,\"app_per_pod\":%s,\"pods\":%zu,\"nodes\":%zu,"
        "\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"max_ms\":%.2f,\"seed\":%llu,\"version\":\"%s\",\"revision\":\"%"
        "s\"}\n",
        bench->reflex ? "reflex" : "yunikorn", bench->rate, bench->app_per_pod ? "true" : "false",
        bench->pods.count, bench->nodes.count, percentile_ms(bench, 0.5), percentile_ms(bench, 0.99),
        percentile_ms(bench, 1), (unsigned long long)bench->seed, yk_version, yk_revision);
}

static void read_arguments(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {{"rate", required_argument, NULL, 'r'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"reflex", no_argument, NULL, 'x'},
                                            {"app-per-pod", no_argument, NULL, 'a'},
                                            {"namespace", required_argument, NULL, 'n'},
                                            {"seed", required_argument, NULL, 'S'},
                                            {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        uint64_t number = 0;
        bool is_number =
            optarg != NULL && yk_str_to_u64(yk_str_from(optarg), &number) == YK_OK && number <= 1000000;
        if (c == 'x')
            bench->reflex = true;
        else if (c == 'a')
            bench->app_per_pod = true;
        else if (c == 'n')
            bench->namespace_ = optarg;
        else if (c == 'r' && is_number)
            bench->rate = (double)number;
        else if (c == 's' && is_number)
            bench->duration_ns = (int64_t)number * YK_NS_PER_S;
        else if (c == 'S' && is_number)
            bench->seed = number;
        else
            die("wrong arguments");
    }
    if (!(bench->rate > 0) || bench->duration_ns <= 0)
        die("usage: bench_latency --rate PODS_PER_S --seconds S [--reflex] [--app-per-pod] [--namespace NS] "
            "[--seed N]");
}

int main(int argc, char **argv)
{
    struct bench bench = {.namespace_ = "default", .seed = 1};
    struct yk_watch_spec nodes = {.kind = YK_KIND_NODE}, pods = {.kind = YK_KIND_POD};
    read_arguments(argc, argv, &bench);
    yk_random_init(&bench.random, bench.seed);
    harness_init(&bench.harness, 256);
    pods.namespace_ = bench.namespace_;
    yk_api_watch(bench.harness.server, &nodes, see_node, &bench);
    yk_api_watch(bench.harness.server, &pods, see_pod, &bench);
    harness_run(&bench.harness, bench.duration_ns / YK_NS_PER_S + 120);
    report(&bench);
    yk_api_stop(bench.harness.server);
    harness_done(&bench.harness);
    char *node;
    struct pod *pod;
    yk_vec_foreach (node, &bench.nodes)
        free(node);
    yk_vec_foreach (pod, &bench.pods)
        free(pod);
    yk_vec_done(&bench.nodes);
    yk_vec_done(&bench.pods);
    yk_strmap_done(&bench.by_name);
    return 0;
}
