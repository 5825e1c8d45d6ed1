/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resident memory of a scheduler on a real API server, at rest and over the lives of many pods.
 *
 *     bench_k8s_memory [--pods 50000] [--lives 60000] [--rate 400] [--first 0] [--log FILE] -- COMMAND
 * [ARG...]
 *
 * KUBECONFIG names the cluster, which holds nodes; pods of an earlier run may be there if the first of this
 * one has a higher number. Starts COMMAND, creates the pods (heavy_pod.h) and waits until all are bound and
 * nothing has happened for a while: the memory of then is the first figure. Then pods are created at that
 * rate at most, and the oldest of them deleted so that LIVING of them are there; each is bound before it is
 * deleted. The resident memory of each second is set against the lives ended so far. The slope of the line
 * through these after the warm-up is the second figure. The warm-up is the first third of the lives, at least
 * WARM_UP of them: meanwhile pools, caches and histories fill up, which takes about as much memory for many
 * lives as for few, so it is not a leak. It is shown beside the slope of all lives. With less than WARM_UP
 * lives after the warm-up, the slope is shown and is no goal. Every pod must be bound, else there is no
 * result. Bytes are 10^6 to the MB. All pods are of applications that stay: one that has ended is remembered
 * for three days (docs/reference/scheduling.md), which is no matter of pods.
 */
#include "base/vec.h"
#include "child.h"
#include "harness.h"
#include "heavy_pod.h"
#include "report.h"

#include <getopt.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LIMIT_S = 3600,
    QUIET_S = 15,
    SETTLE_S = 10,         /* after the start, before pods come */
    OUTSTANDING_MAX = 128, /* creations without an answer */
    LIVING = 1000,
    UNBOUND_MAX = 2000,
    WARM_UP = 20000,
    APPS = 400,
    TICK_MS = 10,
};

static const double goal_resident_mb = 48, goal_slope = 1;

enum step { STEP_SETTLE, STEP_FILL, STEP_QUIET, STEP_LIVES, STEP_OVER };

struct life {
    char uid[40];
    bool bound, gone;
};

struct bench {
    struct harness harness;
    char **command;
    const char *log_path;
    uint64_t pods, lives, rate, first;
    pid_t pid;
    enum step step;
    int64_t begun_ns, step_ns, changed_ns;
    struct life *all; /* of `pods` + `lives`, in order of creation */
    size_t created, outstanding, bound, deleted, gone;
    uint64_t body_bytes;
    struct yk_timer tick, sample;
    double *lives_at, *bytes_at; /* of each sample while pods come and go */
    size_t samples, samples_max;
    struct child_usage full;
};

static void die(const char *what)
{
    (void)fprintf(stderr, "bench_k8s_memory: %s: no result\n", what);
    exit(1);
}

static size_t ended(const struct bench *bench)
{
    return bench->gone;
}

static uint64_t warm_up(const struct bench *bench)
{
    return YK_MAX(bench->lives / 3, (uint64_t)WARM_UP);
}

/* ---- creating and deleting ---- */

static void answered(struct yk_op *op)
{
    struct bench *bench = op->context;
    bench->outstanding--;
    if (op->result != YK_OP_OK) {
        (void)fprintf(stderr, "bench_k8s_memory: %s: %d %s\n", op->name, op->http_status, yk_op_reason(op));
        die("a request failed");
    }
    yk_op_free(op);
}

/* `uid`: NULL for none. */
static struct yk_op *op_for(struct bench *bench, enum yk_op_kind kind, size_t number, const char *uid)
{
    char name[32];
    (void)snprintf(name, sizeof(name), "heavy-%zu", (size_t)bench->first + number);
    struct yk_op *op = yk_op_new(kind, &(struct yk_op_target){.namespace_ = YK_STR("default"),
                                                              .name = yk_str_from(name),
                                                              .uid = yk_str_from(uid)});
    op->done = answered;
    op->context = bench;
    bench->outstanding++;
    return op;
}

static void create(struct bench *bench)
{
    char app[48];
    size_t number = bench->created++;
    struct yk_op *op = op_for(bench, YK_OP_CREATE_POD, number, NULL);
    (void)snprintf(app, sizeof(app), "application-%zu", number % APPS);
    heavy_pod(&op->body, op->name, app, number);
    bench->body_bytes += op->body.len;
    yk_api_submit(bench->harness.server, op);
}

static void remove_oldest(struct bench *bench)
{
    size_t number = bench->pods + bench->deleted++;
    yk_api_submit(bench->harness.server, op_for(bench, YK_OP_DELETE_POD, number, bench->all[number].uid));
}

static size_t unbound(const struct bench *bench)
{
    return bench->created - bench->bound;
}

static void fill(struct bench *bench)
{
    while (bench->created < bench->pods && bench->outstanding < OUTSTANDING_MAX &&
           unbound(bench) < UNBOUND_MAX)
        create(bench);
}

/* As many as the time since the step's begin allows; a server that is slower sets the pace, for both. */
static void let_live(struct bench *bench)
{
    int64_t passed_ms = (harness_now_ns() - bench->step_ns) / YK_NS_PER_MS;
    uint64_t due = YK_MIN((uint64_t)passed_ms * bench->rate / 1000, bench->lives);
    size_t begun = bench->created - bench->pods;
    size_t keep = begun == bench->lives ? 0 : LIVING;
    while (begun - bench->deleted > keep && bench->outstanding < OUTSTANDING_MAX &&
           bench->all[bench->pods + bench->deleted].bound)
        remove_oldest(bench);
    while (bench->created < bench->pods + due && bench->outstanding < OUTSTANDING_MAX &&
           bench->created - bench->pods - bench->deleted < LIVING + OUTSTANDING_MAX)
        create(bench);
}

/* ---- steps ---- */

static void enter(struct bench *bench, enum step step)
{
    bench->step = step;
    bench->step_ns = bench->changed_ns = harness_now_ns();
}

static double seconds_since(int64_t then_ns)
{
    return (double)(harness_now_ns() - then_ns) / (double)YK_NS_PER_S;
}

static double mb(int64_t kib)
{
    return (double)kib * 1024 / 1e6;
}

static void put_usage(const struct child_usage *usage)
{
    report_number("resident_mb", mb(usage->resident_kib));
    report_number("anonymous_mb", mb(usage->anonymous_kib));
    report_number("peak_mb", mb(usage->peak_kib));
    report_number("cpu_s", usage->cpu_s);
}

static void report_full(struct bench *bench)
{
    bench->full = child_usage(bench->pid);
    report_begin("k8s-memory", "resident");
    report_count("pods", bench->pods);
    report_number("body_bytes", (double)bench->body_bytes / (double)bench->created);
    report_number("seconds", seconds_since(bench->begun_ns));
    put_usage(&bench->full);
    report_end();
}

/* Least squares: bytes per life. */
static double slope(const double *x, const double *y, size_t count)
{
    double mean_x = 0, mean_y = 0, above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        above += (x[i] - mean_x) * (y[i] - mean_y);
        below += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return below > 0 ? above / below : 0;
}

/* The number of samples in the warm-up. */
static size_t warm_samples(const struct bench *bench)
{
    size_t count = 0;
    while (count < bench->samples && bench->lives_at[count] < (double)warm_up(bench))
        count++;
    return count;
}

static double sample_mb(const struct bench *bench, size_t index)
{
    return index < bench->samples ? bench->bytes_at[index] / 1e6 : 0;
}

static void report_lives(struct bench *bench)
{
    struct child_usage usage = child_usage(bench->pid);
    size_t warm = warm_samples(bench);
    double per_life = slope(bench->lives_at + warm, bench->bytes_at + warm, bench->samples - warm);
    report_begin("k8s-memory", "lives");
    report_count("lives", bench->lives);
    report_count("warm_up_lives", YK_MIN(warm_up(bench), bench->lives));
    report_number("lives_per_s", (double)bench->lives / seconds_since(bench->step_ns));
    report_count("samples", bench->samples);
    report_number("first_mb", sample_mb(bench, 0));
    report_number("warm_mb", sample_mb(bench, warm));
    report_number("last_mb", sample_mb(bench, bench->samples - 1));
    report_number("bytes_per_life", slope(bench->lives_at, bench->bytes_at, bench->samples));
    report_number("bytes_per_life_after_warm_up", per_life);
    put_usage(&usage);
    report_end();
    report_goal("resident MB with all pods bound", mb(bench->full.resident_kib), REPORT_AT_MOST,
                goal_resident_mb);
    if (bench->lives >= warm_up(bench) + WARM_UP)
        report_goal("bytes per life after the warm-up", per_life, REPORT_AT_MOST, goal_slope);
}

static void finish(struct bench *bench)
{
    int status = 0;
    if (bench->lives > 0)
        report_lives(bench);
    else
        report_goal("resident MB with all pods bound", mb(bench->full.resident_kib), REPORT_AT_MOST,
                    goal_resident_mb);
    enter(bench, STEP_OVER);
    child_end(bench->pid, &status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        die("the scheduler did not end well");
    bench->harness.finished = true;
}

static void on_tick(struct yk_timer *timer)
{
    struct bench *bench = YK_CONTAINER(timer, struct bench, tick);
    switch (bench->step) {
    case STEP_SETTLE:
        if (seconds_since(bench->step_ns) >= (double)SETTLE_S) {
            bench->begun_ns = harness_now_ns();
            enter(bench, STEP_FILL);
        }
        break;
    case STEP_FILL:
        fill(bench);
        if (bench->bound == bench->pods)
            enter(bench, STEP_QUIET);
        break;
    case STEP_QUIET:
        if (seconds_since(bench->changed_ns) >= (double)QUIET_S) {
            report_full(bench);
            enter(bench, STEP_LIVES);
        }
        break;
    case STEP_LIVES:
        let_live(bench);
        if (ended(bench) == bench->lives && bench->outstanding == 0)
            finish(bench);
        break;
    case STEP_OVER:
        return;
    }
    yk_timer_arm(&bench->harness.actor.timers, timer, TICK_MS * YK_NS_PER_MS);
}

/* The line is drawn through the time when lives begin and end, not through the last ones' end. */
static void on_sample(struct yk_timer *timer)
{
    struct bench *bench = YK_CONTAINER(timer, struct bench, sample);
    struct child_usage usage = child_usage(bench->pid);
    if (getenv("BENCH_VERBOSE") != NULL)
        (void)fprintf(stderr, "%zu bound, %zu ended, %.1f MB\n", bench->bound, bench->gone,
                      mb(usage.resident_kib));
    if (bench->step == STEP_LIVES && bench->created < bench->pods + bench->lives &&
        bench->samples < bench->samples_max) {
        bench->lives_at[bench->samples] = (double)ended(bench);
        bench->bytes_at[bench->samples++] = (double)usage.resident_kib * 1024;
    }
    if (bench->step != STEP_OVER)
        yk_timer_arm(&bench->harness.actor.timers, timer, YK_NS_PER_S);
}

/* ---- what the watch shows ---- */

static struct life *life_named(struct bench *bench, struct yk_str name)
{
    uint64_t number;
    size_t prefix = strlen("heavy-");
    if (name.len <= prefix ||
        yk_str_to_u64((struct yk_str){name.p + prefix, name.len - prefix}, &number) != YK_OK ||
        number < bench->first || number - bench->first >= bench->pods + bench->lives)
        return NULL;
    return &bench->all[number - bench->first];
}

static void see_pod(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct bench *bench = context;
    (void)kind;
    bench->changed_ns = harness_now_ns();
    struct life *life = object != NULL ? life_named(bench, object->name) : NULL;
    if (life != NULL && event == YK_WATCH_DELETED && !life->gone) {
        if (!life->bound)
            die("a pod ended before it was bound");
        life->gone = true;
        bench->gone++;
    } else if (life != NULL && event == YK_WATCH_UPSERT && yk_pod_of(object)->node_name.len > 0 &&
               !life->bound) {
        life->bound = true;
        bench->bound++;
        (void)snprintf(life->uid, sizeof(life->uid), "%s", object->uid.p);
    }
    yk_object_free(object);
    if (event == YK_WATCH_REPLACE_END && bench->pid == 0) {
        bench->pid = child_start(bench->command, bench->log_path);
        enter(bench, STEP_SETTLE);
        yk_timer_arm(&bench->harness.actor.timers, &bench->tick, YK_NS_PER_MS);
        yk_timer_arm(&bench->harness.actor.timers, &bench->sample, YK_NS_PER_S);
    }
}

/* ---- */

static void read_arguments(int argc, char **argv, struct bench *bench)
{
    static const struct option options[] = {
        {"pods", required_argument, NULL, 'p'}, {"lives", required_argument, NULL, 'l'},
        {"rate", required_argument, NULL, 'r'}, {"first", required_argument, NULL, 'f'},
        {"log", required_argument, NULL, 'g'},  {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        uint64_t *number = c == 'p'   ? &bench->pods
                           : c == 'l' ? &bench->lives
                           : c == 'r' ? &bench->rate
                                      : &bench->first;
        if (c == 'g')
            bench->log_path = optarg;
        else if (c == '?' || yk_str_to_u64(yk_str_from(optarg), number) != YK_OK || *number > 10000000)
            die("wrong arguments");
    }
    bench->command = argv + optind;
    if (bench->command[0] == NULL || bench->pods == 0 || bench->rate == 0)
        die("usage: bench_k8s_memory [OPTIONS] -- COMMAND [ARG...]");
}

int main(int argc, char **argv)
{
    struct bench bench = {.log_path = "/dev/null", .pods = 50000, .lives = 60000, .rate = 400};
    struct yk_watch_spec pods = {.kind = YK_KIND_POD};
    read_arguments(argc, argv, &bench);
    bench.all = yk_new0_array(struct life, bench.pods + bench.lives);
    bench.samples_max = LIMIT_S;
    bench.lives_at = yk_new0_array(double, bench.samples_max);
    bench.bytes_at = yk_new0_array(double, bench.samples_max);
    bench.tick.fire = on_tick;
    bench.sample.fire = on_sample;
    harness_init(&bench.harness, 64);
    yk_api_watch(bench.harness.server, &pods, see_pod, &bench);
    harness_run(&bench.harness, LIMIT_S);
    report_goals("k8s-memory");
    yk_api_stop(bench.harness.server);
    harness_done(&bench.harness);
    free(bench.all);
    free(bench.lives_at);
    free(bench.bytes_at);
    return 0;
}
