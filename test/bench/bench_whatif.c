/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What-if questions beside 50,000 pods of 400 applications on 5,000 nodes: what the fork takes, what the
 * scheduling thread loses to pages that it copies while the trial is out, how long the trial takes, and how
 * much memory it has of its own.
 */
#include "cmd/engine_whatif.h"
#include "k8s_stage.h"
#include "report.h"

#include <stdio.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

#define POD                                                                                                  \
    "{\"metadata\":{\"name\":\"asked\",\"labels\":{\"applicationId\":\"asked\",\"queue\":\"root.q0\"}},"     \
    "\"spec\":{"                                                                                             \
    "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%s\",\"memory\":\"64Mi\"}}}]}}"

struct bench {
    struct k8s_stage stage;
    struct yk_engine_whatif whatif;
    size_t pods; /* made so far */
    size_t apps;
    struct yk_copy_cost cost; /* of the last question */
    int status;
};

static size_t resident_bytes(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu %lu", &pages, &resident) != 2)
        rig_die("cannot read /proc/self/statm");
    (void)fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void answered(void *asker, uint64_t ticket, const struct yk_whatif_result *result)
{
    struct bench *bench = asker;
    (void)ticket;
    bench->status = result->status;
    bench->cost = result->cost;
}

/* Seconds to create and bind `count` pods. */
static double bind_more(struct bench *bench, size_t count)
{
    size_t from = bench->pods;
    for (size_t i = 0; i < count; i++)
        (void)k8s_stage_make(&bench->stage, &(struct k8s_pod){.app = i % bench->apps, .node = SIZE_MAX});
    bench->pods += count;
    return k8s_stage_run(&bench->stage, from, bench->pods, count).objects_s;
}

static void ask(struct bench *bench, const char *question)
{
    struct yk_err err = {0};
    if (yk_whatif_ask(&bench->whatif.whatif, yk_str_from(question), 1, bench, answered, &err) != YK_OK)
        rig_die(err.text);
}

/* The scheduler binds pods while the trial is out, and before without one. */
static void measure(struct bench *bench, const char *part, const char *question, size_t more,
                    double *worst_ms)
{
    double alone_s = bind_more(bench, more);
    ask(bench, question);
    double beside_s = bind_more(bench, more);
    yk_whatif_wait(&bench->whatif.whatif);
    if (bench->status != 200)
        rig_die("the question was not answered");
    double fork_ms = (double)bench->cost.fork_ns / 1e6, pages_ms = YK_MAX((beside_s - alone_s) * 1e3, 0.0);
    report_begin("whatif", part);
    report_count("pods", bench->pods);
    report_number("fork_ms", fork_ms);
    report_number("pages_ms", pages_ms);
    report_number("trial_ms", (double)bench->cost.child_ns / 1e6);
    report_number("trial_mib", (double)bench->cost.bytes / MIB);
    report_number("resident_mib", (double)resident_bytes() / MIB);
    report_end();
    *worst_ms = YK_MAX(*worst_ms, fork_ms + pages_ms);
}

int main(int argc, char **argv)
{
    struct report_options options = report_options(argc, argv, 3);
    size_t nodes = options.tiny ? 50 : 5000, pods = options.tiny ? 500 : 50000,
           more = options.tiny ? 50 : 2000;
    struct bench *bench = yk_new0(struct bench);
    char fits[1024], waits[1024], job[1024];
    double worst_ms = 0, most_mib = 0;
    (void)snprintf(fits, sizeof(fits), "{\"kind\":\"pod\",\"pod\":" POD "}", "1m");
    (void)snprintf(waits, sizeof(waits), "{\"kind\":\"pod\",\"pod\":" POD "}", "100");
    (void)snprintf(job, sizeof(job), "{\"kind\":\"job\",\"count\":1000,\"pod\":" POD "}", "1m");
    bench->apps = options.tiny ? 4 : 400;
    k8s_stage_init(&bench->stage, nodes);
    k8s_stage_begin(&bench->stage);
    yk_engine_whatif_start(&bench->whatif, &bench->stage.engine, &yk_clock_real,
                           &bench->stage.engine.actor.outside, NULL, NULL);
    bench->whatif.whatif.no_pause = true;
    (void)bind_more(bench, pods);
    for (size_t i = 0; i < options.repeat; i++) {
        measure(bench, "pod that starts", fits, more, &worst_ms);
        measure(bench, "pod that waits", waits, more, &worst_ms);
        measure(bench, "job of 1000", job, more, &worst_ms);
        most_mib = YK_MAX(most_mib, (double)bench->cost.bytes / MIB);
    }
    double times = 1 + most_mib * MIB / (double)resident_bytes();
    yk_engine_whatif_done(&bench->whatif);
    k8s_stage_done(&bench->stage);
    free(bench);
    if (options.tiny)
        return 0;
    report_goal("ms of the scheduling thread for a question", worst_ms, REPORT_AT_MOST, 50);
    report_goal("times the memory", times, REPORT_AT_MOST, 2);
    report_goals("whatif");
    return 0;
}
