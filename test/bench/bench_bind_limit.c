/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the API server can bind without a scheduler, over the project's own client.
 *
 *   bench_bind_limit [--in-flight N]      binds every pending pod round robin to the nodes, N at a time
 *   --scheduler NAME                      only pods of this schedulerName (default: any)
 *
 * KUBECONFIG names the cluster. Prints one JSON line. Afterwards a fresh list must show every pod that we
 * bound on the node that we chose; if not, nothing is printed and the exit code is 1.
 */
#include "base/map.h"
#include "base/vec.h"
#include "base/version.h"
#include "harness.h"

#include <getopt.h>

enum { PODS_MAX = 1 << 22, RUN_MAX_S = 3600 };

struct pod {
    char *namespace_, *name, *uid, *key; /* key: namespace/name */
    const char *node;                    /* borrowed; NULL: not bound yet */
    int64_t sent_mono_ns, took_ns;       /* took_ns 0: not answered */
    bool is_verified;
    struct bench *bench;
};

enum phase { PHASE_LIST, PHASE_BIND, PHASE_VERIFY, PHASE_DONE };

struct bench {
    struct harness harness;
    const char *scheduler;
    unsigned in_flight_max;
    enum phase phase;
    struct yk_vec nodes; /* char *, owned */
    struct yk_vec pods;  /* struct pod, owned */
    struct yk_strmap by_key, node_names;
    bool nodes_listed, pods_listed;
    size_t next_pod, next_node, answered, failed, verified;
    int64_t started_mono_ns, ended_mono_ns;
    struct yk_err failure;
};

static void end(struct bench *bench)
{
    bench->phase = PHASE_DONE;
    bench->harness.finished = true;
    yk_api_stop(bench->harness.server);
}

static void give_up(struct bench *bench, const char *why)
{
    if (bench->failure.text[0] == '\0')
        (void)yk_fail(&bench->failure, YK_ERR_STATE, "%s", why);
    end(bench);
}

/* ---- verification: a list of its own, through a watch of its own
 * ------------------------------------------- */

static void verify(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    (void)kind;
    struct bench *bench = context;
    if (event == YK_WATCH_UPSERT && bench->phase == PHASE_VERIFY) {
        struct yk_buf key = {0};
        yk_buf_printf(&key, YK_STR_FMT "/" YK_STR_FMT, YK_STR_ARG(object->namespace_),
                      YK_STR_ARG(object->name));
        struct pod *pod = yk_strmap_get(&bench->by_key, yk_buf_view(&key));
        if (pod != NULL && pod->node != NULL && !pod->is_verified &&
            yk_str_is(yk_pod_of(object)->node_name, pod->node)) {
            pod->is_verified = true;
            bench->verified++;
        }
        yk_buf_done(&key);
    }
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END && bench->phase == PHASE_VERIFY)
        end(bench);
}

static void start_verification(struct bench *bench)
{
    struct yk_watch_spec pods = {.kind = YK_KIND_POD};
    bench->phase = PHASE_VERIFY;
    yk_api_watch(bench->harness.server, &pods, verify, bench);
}

/* ---- binding
 * ------------------------------------------------------------------------------------------------ */

static void bind_more(struct bench *bench);

static void bound(struct yk_op *op)
{
    struct pod *pod = op->context;
    struct bench *bench = pod->bench;
    pod->took_ns = harness_now_ns() - pod->sent_mono_ns;
    bench->ended_mono_ns = harness_now_ns();
    bench->answered++;
    if (op->result != YK_OP_OK) {
        bench->failed++;
        (void)fprintf(stderr, "bind of %s: %d %s\n", pod->key, op->http_status, yk_op_reason(op));
    }
    yk_op_free(op);
    if (bench->phase != PHASE_BIND)
        return;
    bind_more(bench);
    if (bench->answered == bench->pods.count)
        start_verification(bench);
}

static void bind(struct bench *bench, struct pod *pod)
{
    pod->node = bench->nodes.items[bench->next_node++ % bench->nodes.count];
    struct yk_op *op =
        yk_op_new(YK_OP_BIND, &(struct yk_op_target){.namespace_ = yk_str_from(pod->namespace_),
                                                     .name = yk_str_from(pod->name),
                                                     .uid = yk_str_from(pod->uid),
                                                     .node = yk_str_from(pod->node)});
    op->done = bound;
    op->context = pod;
    pod->sent_mono_ns = harness_now_ns();
    yk_api_submit(bench->harness.server, op);
}

static void bind_more(struct bench *bench)
{
    while (bench->next_pod < bench->pods.count &&
           yk_api_in_flight(bench->harness.server) < bench->in_flight_max)
        bind(bench, bench->pods.items[bench->next_pod++]);
}

static void begin(struct bench *bench)
{
    if (!bench->nodes_listed || !bench->pods_listed || bench->phase != PHASE_LIST)
        return;
    if (bench->nodes.count == 0 || bench->pods.count == 0) {
        give_up(bench, "there are no nodes or no pending pods");
        return;
    }
    bench->phase = PHASE_BIND;
    bench->started_mono_ns = harness_now_ns();
    bind_more(bench);
}

/* ---- what is there
 * ------------------------------------------------------------------------------------------ */

static void add_pod(struct bench *bench, const struct yk_object *object)
{
    struct yk_buf key = {0};
    yk_buf_printf(&key, YK_STR_FMT "/" YK_STR_FMT, YK_STR_ARG(object->namespace_), YK_STR_ARG(object->name));
    if (yk_strmap_get(&bench->by_key, yk_buf_view(&key)) != NULL || bench->pods.count >= PODS_MAX) {
        yk_buf_done(&key);
        return;
    }
    struct pod *pod = yk_new0(struct pod);
    pod->namespace_ = yk_str_dup(object->namespace_);
    pod->name = yk_str_dup(object->name);
    pod->uid = yk_str_dup(object->uid);
    pod->key = yk_buf_take(&key);
    pod->bench = bench;
    (void)yk_strmap_put(&bench->by_key, yk_str_from(pod->key), pod);
    yk_vec_append(&bench->pods, pod);
}

static void see_pod(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    (void)kind;
    struct bench *bench = context;
    if (event == YK_WATCH_UPSERT && bench->phase == PHASE_LIST) {
        const struct yk_pod *view = yk_pod_of(object);
        bool is_ours = bench->scheduler == NULL || yk_str_is(view->scheduler_name, bench->scheduler);
        if (is_ours && view->node_name.len == 0 && !object->deleting)
            add_pod(bench, object);
    }
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END) {
        bench->pods_listed = true;
        begin(bench);
    }
}

static void see_node(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    (void)kind;
    struct bench *bench = context;
    if (event == YK_WATCH_UPSERT && yk_strmap_get(&bench->node_names, object->name) == NULL) {
        char *name = yk_str_dup(object->name);
        (void)yk_strmap_put(&bench->node_names, yk_str_from(name), name);
        yk_vec_append(&bench->nodes, name);
    }
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END) {
        bench->nodes_listed = true;
        begin(bench);
    }
}

/* ---- the result
 * --------------------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct pod *left = a, *right = b;
    return (left->took_ns > right->took_ns) - (left->took_ns < right->took_ns);
}

/* Sorts the pods by answer time; those never sent come first and are counted out. */
static double percentile_ms(struct bench *bench, size_t sent, double share)
{
    size_t first = bench->pods.count - sent;
    size_t rank = (size_t)(share * (double)(sent - 1) + 0.5);
    const struct pod *pod = bench->pods.items[first + rank];
    return (double)pod->took_ns / (double)YK_NS_PER_MS;
}

static bool report(struct bench *bench)
{
    size_t sent = bench->answered;
    if (bench->failure.text[0] != '\0' || sent == 0 || bench->failed > 0 || bench->verified != sent) {
        (void)fprintf(stderr, "bind_limit: no result: %s, %zu sent, %zu failed, %zu seen bound afterwards\n",
                      bench->failure.text[0] != '\0' ? bench->failure.text : "binds are missing", sent,
                      bench->failed, bench->verified);
        return false;
    }
    yk_vec_sort(&bench->pods, by_time);
    double seconds = (double)(bench->ended_mono_ns - bench->started_mono_ns) / (double)YK_NS_PER_S;
    (void)printf("{\"case\":\"limit\",\"in_flight\":%u,\"pods\":%zu,\"nodes\":%zu,\"seconds\":%.3f,\"binds_"
                 "per_s\":%.1f,"
                 "\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"version\":\"%s\",\"revision\":\"%s\",\"seed\":%d}\n",
                 bench->in_flight_max, sent, bench->nodes.count, seconds, (double)sent / seconds,
                 percentile_ms(bench, sent, 0.5), percentile_ms(bench, sent, 0.99), yk_version, yk_revision,
                 HARNESS_SEED);
    return true;
}

static void free_all(struct bench *bench)
{
    struct pod *pod;
    yk_vec_foreach (pod, &bench->pods) {
        free(pod->namespace_);
        free(pod->name);
        free(pod->uid);
        free(pod->key);
        free(pod);
    }
    char *node;
    yk_vec_foreach (node, &bench->nodes)
        free(node);
    yk_vec_done(&bench->pods);
    yk_vec_done(&bench->nodes);
    yk_strmap_done(&bench->by_key);
    yk_strmap_done(&bench->node_names);
}

/* ---- running
 * ------------------------------------------------------------------------------------------------ */

static void run(struct bench *bench)
{
    struct yk_watch_spec nodes = {.kind = YK_KIND_NODE}, pods = {.kind = YK_KIND_POD};
    pods.field_selector = "status.phase!=Succeeded,status.phase!=Failed";
    yk_api_watch(bench->harness.server, &nodes, see_node, bench);
    yk_api_watch(bench->harness.server, &pods, see_pod, bench);
    harness_run(&bench->harness, RUN_MAX_S);
}

static bool read_arguments(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {{"in-flight", required_argument, NULL, 'n'},
                                            {"scheduler", required_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        int64_t number = 0;
        if (option == 's')
            bench->scheduler = optarg;
        else if (option == 'n' && yk_str_to_i64(yk_str_from(optarg), &number) == YK_OK && number > 0 &&
                 number <= 100000)
            bench->in_flight_max = (unsigned)number;
        else
            return false;
    }
    return optind == argc;
}

int main(int argc, char **argv)
{
    struct bench bench = {.in_flight_max = 64};
    if (!read_arguments(argc, argv, &bench)) {
        (void)fprintf(stderr, "usage: bench_bind_limit [--in-flight N] [--scheduler NAME]\n");
        return 2;
    }
    harness_init(&bench.harness, bench.in_flight_max);
    run(&bench);
    bool ok = report(&bench);
    harness_done(&bench.harness);
    free_all(&bench);
    return ok ? 0 : 1;
}
