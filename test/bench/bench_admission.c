/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long the API server takes to create pods, for a comparison with and without an admission webhook.
 *
 *     bench_admission --pods N [--rate PODS_PER_S] [--name PREFIX] [--namespace NS] [--seed N]
 *
 * With a rate, pods arrive as a Poisson process; without, 64 requests are in flight all the time. Times run
 * from sending the POST to its answer. Pods name no scheduler. KUBECONFIG names the cluster. Every pod must
 * be created, else there is no result. One JSON line.
 */
#include "base/random.h"
#include "base/version.h"
#include "harness.h"

#include <getopt.h>
#include <math.h>

enum { PODS_MAX = 1000000, IN_FLIGHT = 64, LIMIT_S = 300 };

struct bench {
    struct harness harness;
    const char *namespace_, *prefix;
    uint64_t rate, pods, seed; /* rate 0: as fast as it goes */
    struct yk_random random;
    struct yk_timer arrival;
    int64_t *took_ns; /* of pods that are there */
    int64_t first_ns, last_ns;
    size_t sent, done;
};

struct request { /* in flight */
    struct bench *bench;
    int64_t sent_ns;
};

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_admission: %s: no result\n", what);
    exit(1);
}

static void create_pod(struct bench *bench);

static void created(struct yk_op *op)
{
    struct request *request = op->context;
    struct bench *bench = request->bench;
    bench->last_ns = harness_now_ns();
    if (op->result != YK_OP_OK)
        die(yk_op_reason(op));
    bench->took_ns[bench->done++] = bench->last_ns - request->sent_ns;
    free(request);
    yk_op_free(op);
    if (bench->done == bench->pods)
        bench->harness.finished = true;
    else if (bench->rate == 0 && bench->sent < bench->pods)
        create_pod(bench);
}

static void create_pod(struct bench *bench)
{
    struct request *request = yk_new0(struct request);
    char name[128];
    (void)snprintf(name, sizeof(name), "%s-%zu", bench->prefix, bench->sent++);
    struct yk_op *op =
        yk_op_new(YK_OP_CREATE_POD, &(struct yk_op_target){.namespace_ = yk_str_from(bench->namespace_),
                                                           .name = yk_str_from(name)});
    yk_buf_printf(
        &op->body,
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s\",\"labels\":{"
        "\"team\":\"bench\"}},\"spec\":{\"terminationGracePeriodSeconds\":0,\"containers\":[{\"name\":"
        "\"c\",\"image\":\"pause\",\"resources\":{\"requests\":{\"cpu\":\"10m\",\"memory\":\"10Mi\"}}}]}}",
        name);
    request->bench = bench;
    request->sent_ns = harness_now_ns();
    op->done = created;
    op->context = request;
    yk_api_submit(bench->harness.server, op);
}

static void on_arrival(struct yk_timer *timer)
{
    struct bench *bench = YK_CONTAINER(timer, struct bench, arrival);
    if (bench->sent == 0)
        bench->first_ns = harness_now_ns();
    if (bench->rate == 0) {
        while (bench->sent < YK_MIN(bench->pods, (uint64_t)IN_FLIGHT))
            create_pod(bench);
        return;
    }
    create_pod(bench);
    double gap_s = -log(1 - yk_random_unit(&bench->random)) / (double)bench->rate;
    if (bench->sent < bench->pods)
        yk_timer_arm(&bench->harness.actor.timers, timer, (int64_t)(gap_s * (double)YK_NS_PER_S));
}

static int by_time(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double percentile_ms(const struct bench *bench, double share)
{
    return (double)bench->took_ns[(size_t)(share * (double)(bench->pods - 1) + 0.5)] / (double)YK_NS_PER_MS;
}

static void report(struct bench *bench)
{
    qsort(bench->took_ns, bench->pods, sizeof(*bench->took_ns), by_time);
    double took_s = (double)(bench->last_ns - bench->first_ns) / (double)YK_NS_PER_S;
    (void)printf("{\"case\":\"admission\",\"name\":\"%s\",\"rate\":%llu,\"pods\":%llu,\"pods_per_s\":%.1f,"
                 "\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"max_ms\":%.2f,\"version\":\"%s\",\"revision\":\"%s\"}\n",
                 bench->prefix, (unsigned long long)bench->rate, (unsigned long long)bench->pods,
                 (double)bench->pods / took_s, percentile_ms(bench, 0.5), percentile_ms(bench, 0.99),
                 percentile_ms(bench, 1), yk_version, yk_revision);
}

static void read_arguments(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {
        {"pods", required_argument, NULL, 'p'}, {"rate", required_argument, NULL, 'r'},
        {"name", required_argument, NULL, 'n'}, {"namespace", required_argument, NULL, 'N'},
        {"seed", required_argument, NULL, 'S'}, {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        uint64_t *number = c == 'p' ? &bench->pods : c == 'r' ? &bench->rate : c == 'S' ? &bench->seed : NULL;
        if (c == 'n')
            bench->prefix = optarg;
        else if (c == 'N')
            bench->namespace_ = optarg;
        else if (number == NULL || yk_str_to_u64(yk_str_from(optarg), number) != YK_OK)
            die("wrong arguments");
    }
    if (bench->pods == 0 || bench->pods > PODS_MAX)
        die("usage: bench_admission --pods N [--rate PODS_PER_S] [--name PREFIX] [--namespace NS] [--seed "
            "N]");
}

int main(int argc, char **argv)
{
    struct bench bench = {.namespace_ = "default", .prefix = "admission", .seed = 1};
    read_arguments(argc, argv, &bench);
    bench.took_ns = yk_new0_array(int64_t, bench.pods);
    yk_random_init(&bench.random, bench.seed);
    harness_init(&bench.harness, IN_FLIGHT);
    bench.arrival.fire = on_arrival;
    yk_timer_arm(&bench.harness.actor.timers, &bench.arrival, YK_NS_PER_S / 2); /* once connected */
    harness_run(&bench.harness, LIMIT_S);
    report(&bench);
    yk_api_stop(bench.harness.server);
    harness_done(&bench.harness);
    free(bench.took_ns);
    return 0;
}
