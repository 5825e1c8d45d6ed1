/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From creating a pod to seeing it bound, under Poisson arrivals.
 *
 *     bench_latency --rate PODS_PER_S --seconds S [--blocks B] [--reflex | --reason] [--namespace NS] [--seed N]
 *
 * Three ways to be bound are compared: by this program at once on the watch event ("reflex", the shortest way
 * there is), by the scheduler called "yunikorn" with all pods of a block in one application, and with an
 * application per pod. They take turns in B (1) blocks each of S seconds; every round is begun by another,
 * and all blocks of a round have the same arrivals. A block ends when its pods are bound, deleted and seen
 * gone, so that none finds a fuller server than the others. KUBECONFIG names the cluster; the scheduler runs
 * from before the first block to after the last, unless --reflex leaves only that way. Times run from sending
 * the POST to the watch event that shows a node. Every pod must be bound, else there is no result. One JSON
 * line.
 *
 * --reason is about pods that no node can take, each of another size, so that each reason is computed for
 * itself: how soon the scheduler says why they wait. Times run from the watch event that shows the pod to the
 * one that shows its condition.
 */
#include "base/map.h"
#include "base/random.h"
#include "base/vec.h"
#include "base/version.h"
#include "harness.h"

#include <getopt.h>
#include <math.h>

enum {
    NUMBER_MAX = 1000000,
    BLOCK_EXTRA_S = 120,          /* for what is not creating */
    NEVER_FITS_MILLI = 100 * 1000 /* more than a node has */
};

static const int64_t rest_ns = 3 * YK_NS_PER_S; /* between blocks, for what is written behind */

/* With --reflex and --reason, the only way is the one of that name. */
enum way { WAY_REFLEX, WAY_YUNIKORN, WAY_APP_PER_POD, WAY_REASON };
enum { WAYS_OF_BINDING = WAY_APP_PER_POD + 1 };
static const char *const way_names[] = {"reflex", "yunikorn", "yunikorn_app_per_pod", "reason"};

struct pod {
    char name[64];
    char *uid; /* NULL: not seen yet; owned */
    enum way way;
    int64_t created_ns; /* WAY_REASON: when it was seen */
    int64_t bound_ns;   /* WAY_REASON: when its condition was seen; 0: not yet */
};

struct bench {
    struct harness harness;
    const char *namespace_;
    double rate;
    int64_t block_ns, end_ns;
    unsigned blocks, ways, block; /* `block`: which one runs, counted over all ways */
    unsigned first_way;           /* the lowest of the ways, which follow each other */
    uint64_t seed;
    struct yk_random random;
    struct yk_vec nodes; /* char *, owned */
    struct yk_vec pods;  /* struct pod, owned, of all blocks */
    struct yk_strmap by_name;
    struct yk_timer arrival, rest;
    bool nodes_listed, pods_listed, creating;
    size_t first, bound, gone; /* of this block: the index of its first pod, how many are so far */
    size_t failed, next_node;
};

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_latency: %s: no result\n", what);
    exit(1);
}

static enum way way_of_block(const struct bench *bench)
{
    unsigned round = bench->block / bench->ways;
    return (enum way)(bench->first_way + (bench->block + round) % bench->ways);
}

static size_t block_size(const struct bench *bench)
{
    return bench->pods.count - bench->first;
}

static void answered(struct yk_op *op)
{
    struct bench *bench = op->context;
    bench->failed += op->result != YK_OP_OK;
    if (op->result != YK_OP_OK)
        (void)fprintf(stderr, "bench_latency: %d %s\n", op->http_status, yk_op_reason(op));
    yk_op_free(op);
}

/* `node`: of a bind, otherwise NULL. */
static struct yk_op *op_for(struct bench *bench, enum yk_op_kind kind, const struct pod *pod,
                            const char *node)
{
    struct yk_op *op = yk_op_new(kind, &(struct yk_op_target){.namespace_ = yk_str_from(bench->namespace_),
                                                              .name = yk_str_from(pod->name),
                                                              .uid = yk_str_from(pod->uid),
                                                              .node = yk_str_from(node)});
    op->done = answered;
    op->context = bench;
    return op;
}

/* ---- one block: create, see all bound, delete, see all gone, rest ---- */

static void remove_pods_if_all_bound(struct bench *bench)
{
    if (bench->creating || bench->bound < block_size(bench))
        return;
    for (size_t i = bench->first; i < bench->pods.count; i++)
        yk_api_submit(bench->harness.server, op_for(bench, YK_OP_DELETE_POD, bench->pods.items[i], NULL));
}

static void create_pod(struct bench *bench)
{
    struct pod *pod = yk_new0(struct pod);
    unsigned long long seed = bench->seed;
    size_t number = bench->pods.count;
    pod->way = way_of_block(bench);
    (void)snprintf(pod->name, sizeof(pod->name), "lat-%llu-%06zu", seed, number);
    struct yk_op *op = op_for(bench, YK_OP_CREATE_POD, pod, NULL);
    size_t cpu_milli = pod->way == WAY_REASON ? NEVER_FITS_MILLI + number : 10;
    yk_buf_printf(
        &op->body,
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",\"labels\":{"
        "\"applicationId\":\"lat-%llu-%zu\",\"queue\":\"root.latency\"}},\"spec\":{\"schedulerName\":\"%s\","
        "\"terminationGracePeriodSeconds\":0,\"containers\":[{\"name\":\"c\",\"image\":\"pause\","
        "\"resources\":{\"requests\":{\"cpu\":\"%zum\",\"memory\":\"10Mi\"}}}]}}",
        pod->name, seed, pod->way == WAY_APP_PER_POD ? number : bench->first,
        pod->way == WAY_REFLEX ? "bench-reflex" : "yunikorn", cpu_milli);
    yk_vec_append(&bench->pods, pod);
    (void)yk_strmap_put(&bench->by_name, yk_str_from(pod->name), pod); /* is new */
    pod->created_ns = harness_now_ns();
    yk_api_submit(bench->harness.server, op);
}

static void on_arrival(struct yk_timer *timer)
{
    struct bench *bench = YK_CONTAINER(timer, struct bench, arrival);
    if (harness_now_ns() >= bench->end_ns && block_size(bench) > 0) {
        bench->creating = false;
        remove_pods_if_all_bound(bench);
        return;
    }
    create_pod(bench);
    double gap_s = -log(1 - yk_random_unit(&bench->random)) / bench->rate;
    yk_timer_arm(&bench->harness.actor.timers, timer, (int64_t)(gap_s * (double)YK_NS_PER_S));
}

static void begin_block(struct bench *bench)
{
    yk_random_init(&bench->random, bench->seed + bench->block / bench->ways);
    bench->first = bench->pods.count;
    bench->bound = bench->gone = 0;
    bench->creating = true;
    bench->end_ns = harness_now_ns() + bench->block_ns;
    yk_timer_arm(&bench->harness.actor.timers, &bench->arrival, 0);
}

static void rested(struct yk_timer *timer)
{
    struct bench *bench = YK_CONTAINER(timer, struct bench, rest);
    bench->block++;
    if (bench->block < bench->blocks * bench->ways)
        begin_block(bench);
    else
        bench->harness.finished = true;
}

static void begin(struct bench *bench)
{
    if (!bench->nodes_listed || !bench->pods_listed || bench->end_ns != 0)
        return;
    if (bench->nodes.count == 0)
        die("there are no nodes");
    bench->arrival.fire = on_arrival;
    bench->rest.fire = rested;
    begin_block(bench);
}

/* ---- what the watches show ---- */

static void bind(struct bench *bench, const struct pod *pod)
{
    const char *node = bench->nodes.items[bench->next_node++ % bench->nodes.count];
    yk_api_submit(bench->harness.server, op_for(bench, YK_OP_BIND, pod, node));
}

static bool says_why(const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < pod->condition_count; i++) {
        if (yk_str_is(pod->conditions[i].type, "PodScheduled"))
            return true;
    }
    return false;
}

/* Whether the pod is what the block waits for. */
static bool is_done(const struct pod *pod, const struct yk_pod *object)
{
    return pod->way == WAY_REASON ? says_why(object) : object->node_name.len > 0;
}

static void pod_there(struct bench *bench, struct pod *pod, struct yk_object *object)
{
    bool is_new = pod->uid == NULL;
    if (is_new)
        pod->uid = yk_str_dup(object->uid);
    if (is_new && pod->way == WAY_REASON)
        pod->created_ns = harness_now_ns();
    if (is_done(pod, yk_pod_of(object)) && pod->bound_ns == 0) {
        pod->bound_ns = harness_now_ns();
        bench->bound++;
        remove_pods_if_all_bound(bench);
    } else if (is_new && pod->way == WAY_REFLEX) {
        bind(bench, pod);
    }
}

static void pod_gone(struct bench *bench, const struct pod *pod)
{
    if (pod->bound_ns == 0)
        die("a pod was deleted before it was bound or said why it waits");
    if (++bench->gone == block_size(bench))
        yk_timer_arm(&bench->harness.actor.timers, &bench->rest, rest_ns);
}

static void see_pod(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct bench *bench = context;
    (void)kind;
    struct pod *pod = object != NULL ? yk_strmap_get(&bench->by_name, object->name) : NULL;
    if (pod != NULL && event == YK_WATCH_UPSERT)
        pod_there(bench, pod, object);
    else if (pod != NULL && event == YK_WATCH_DELETED)
        pod_gone(bench, pod);
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

/* ---- the result ---- */

static int by_way_and_latency(const void *a, const void *b)
{
    const struct pod *x = a, *y = b;
    int64_t left = x->bound_ns - x->created_ns, right = y->bound_ns - y->created_ns;
    if (x->way != y->way)
        return (x->way > y->way) - (x->way < y->way);
    return (left > right) - (left < right);
}

/* Of `count` pods in order. */
static double percentile_ms(const struct pod *const *pods, size_t count, double share)
{
    const struct pod *pod = pods[(size_t)(share * (double)(count - 1) + 0.5)];
    return (double)(pod->bound_ns - pod->created_ns) / (double)YK_NS_PER_MS;
}

/* All blocks of one way together, from pods->items[*at] on. */
static void report_way(const struct yk_vec *pods, size_t *at, enum way way)
{
    const struct pod *const *first = (const struct pod *const *)&pods->items[*at];
    size_t count = 0;
    while (*at + count < pods->count && first[count]->way == way)
        count++;
    (void)printf(",\"%s\":{\"pods\":%zu,\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"max_ms\":%.2f}", way_names[way],
                 count, percentile_ms(first, count, 0.5), percentile_ms(first, count, 0.99),
                 percentile_ms(first, count, 1));
    *at += count;
}

static void report(struct bench *bench)
{
    if (bench->failed > 0)
        die("requests failed");
    yk_vec_sort(&bench->pods, by_way_and_latency);
    (void)printf("{\"case\":\"latency\",\"rate\":%.0f,\"block_s\":%lld,\"blocks\":%u,\"nodes\":%zu",
                 bench->rate, (long long)(bench->block_ns / YK_NS_PER_S), bench->blocks, bench->nodes.count);
    size_t at = 0;
    for (unsigned way = 0; way < bench->ways; way++)
        report_way(&bench->pods, &at, (enum way)(bench->first_way + way));
    (void)printf(",\"seed\":%llu,\"version\":\"%s\",\"revision\":\"%s\"}\n", (unsigned long long)bench->seed,
                 yk_version, yk_revision);
}

/* ---- running ---- */

static bool take_number(struct bench *bench, int option, uint64_t number)
{
    if (option == 'r')
        bench->rate = (double)number;
    else if (option == 's')
        bench->block_ns = (int64_t)number * YK_NS_PER_S;
    else if (option == 'b')
        bench->blocks = (unsigned)number;
    else if (option == 'S')
        bench->seed = number;
    else
        return false;
    return true;
}

static void read_arguments(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {
        {"rate", required_argument, NULL, 'r'},   {"seconds", required_argument, NULL, 's'},
        {"blocks", required_argument, NULL, 'b'}, {"reflex", no_argument, NULL, 'x'},
        {"reason", no_argument, NULL, 'w'},       {"namespace", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 'S'},   {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        uint64_t number = 0;
        if (c == 'x' || c == 'w') {
            bench->ways = 1;
            bench->first_way = c == 'w' ? WAY_REASON : WAY_REFLEX;
        } else if (c == 'n')
            bench->namespace_ = optarg;
        else if (optarg == NULL || yk_str_to_u64(yk_str_from(optarg), &number) != YK_OK ||
                 number > NUMBER_MAX || !take_number(bench, c, number))
            die("wrong arguments");
    }
    if (!(bench->rate > 0) || bench->block_ns <= 0 || bench->blocks == 0)
        die("usage: bench_latency --rate PODS_PER_S --seconds S [--blocks B] [--reflex | --reason] "
            "[--namespace NS] [--seed N]");
}

static void free_all(struct bench *bench)
{
    char *node;
    struct pod *pod;
    yk_vec_foreach (node, &bench->nodes)
        free(node);
    yk_vec_foreach (pod, &bench->pods) {
        free(pod->uid);
        free(pod);
    }
    yk_vec_done(&bench->nodes);
    yk_vec_done(&bench->pods);
    yk_strmap_done(&bench->by_name);
}

int main(int argc, char **argv)
{
    struct bench bench = {.namespace_ = "default", .seed = 1, .blocks = 1, .ways = WAYS_OF_BINDING};
    struct yk_watch_spec nodes = {.kind = YK_KIND_NODE}, pods = {.kind = YK_KIND_POD};
    read_arguments(argc, argv, &bench);
    harness_init(&bench.harness, 256);
    pods.namespace_ = bench.namespace_;
    yk_api_watch(bench.harness.server, &nodes, see_node, &bench);
    yk_api_watch(bench.harness.server, &pods, see_pod, &bench);
    harness_run(&bench.harness, (bench.block_ns / YK_NS_PER_S + BLOCK_EXTRA_S) * bench.blocks * bench.ways);
    report(&bench);
    yk_api_stop(bench.harness.server);
    harness_done(&bench.harness);
    free_all(&bench);
    return 0;
}
