/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include "base/log.h"
#include "base/version.h"
#include "scheduler/core.h"

#include <getopt.h>
#include <stdio.h>

enum { GOALS_MAX = 96 };

static struct {
    const char *what;
    double value, goal;
    enum report_goal kind;
} goals[GOALS_MAX];
static size_t goal_count;

int64_t report_now_ns(void)
{
    return yk_clock_mono_ns(&yk_clock_real);
}

int64_t report_cpu_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* always there */
    return t.tv_sec * YK_NS_PER_S + t.tv_nsec;
}

void report_begin(const char *case_, const char *part)
{
    (void)printf("{\"case\":\"%s\",\"part\":\"%s\"", case_, part);
}

void report_text(const char *key, const char *text)
{
    (void)printf(",\"%s\":\"%s\"", key, text);
}

void report_count(const char *key, uint64_t value)
{
    (void)printf(",\"%s\":%llu", key, (unsigned long long)value);
}

void report_number(const char *key, double value)
{
    (void)printf(",\"%s\":%.6g", key, value);
}

void report_numbers(const char *key, const double *values, size_t count)
{
    (void)printf(",\"%s\":[", key);
    for (size_t i = 0; i < count; i++)
        (void)printf("%s%.6g", i == 0 ? "" : ",", values[i]);
    (void)printf("]");
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double report_median(const double *values, const double *others, size_t count)
{
    double *sorted = yk_new0_array(double, count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = others == NULL ? values[i] : values[i] / others[i];
    qsort(sorted, count, sizeof(*sorted), by_value);
    double middle = sorted[count / 2];
    free(sorted);
    return middle;
}

static uint64_t times(const struct yk_histogram *histogram)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < YK_COUNT(histogram->counts); i++)
        sum += histogram->counts[i];
    return sum + histogram->unmeasured;
}

void report_profile(const struct yk_core *core)
{
    const struct yk_metrics *metrics = &core->metrics;
    const struct {
        const char *name;
        const struct yk_histogram *histogram;
    } steps[] = {{"queue_ms", &metrics->sorting_queues},
                 {"group_ms", &metrics->sorting_apps},
                 {"node_ms", &metrics->trynode_evaluation},
                 {"books_ms", &metrics->trynode},
                 {"all_ms", &metrics->scheduling_cycle}};
    (void)printf(",\"profile\":{\"turns\":%llu,\"searched\":%llu,\"decided\":%llu",
                 (unsigned long long)times(&metrics->sorting_queues),
                 (unsigned long long)times(&metrics->trynode_evaluation),
                 (unsigned long long)times(&metrics->trynode));
    for (size_t i = 0; i < YK_COUNT(steps) && !core->clock->is_virtual; i++)
        (void)printf(",\"%s\":%.3f", steps[i].name, steps[i].histogram->sum * 1e3);
    (void)printf("}");
}

void report_end(void)
{
    (void)printf(",\"seed\":0,\"version\":\"%s\",\"revision\":\"%s\",\"compiler\":\"%s\"}\n", yk_version,
                 yk_revision, yk_compiler);
    (void)fflush(stdout);
}

void report_goal(const char *what, double value, enum report_goal kind, double goal)
{
    if (goal_count == GOALS_MAX)
        rig_die("too many goals");
    goals[goal_count].what = what;
    goals[goal_count].value = value;
    goals[goal_count].kind = kind;
    goals[goal_count++].goal = goal;
}

static bool is_reached(size_t i)
{
    return goals[i].kind == REPORT_AT_LEAST ? goals[i].value >= goals[i].goal
                                            : goals[i].value <= goals[i].goal;
}

void report_goals(const char *case_)
{
    bool all = true;
    report_begin(case_, "goals");
    (void)printf(",\"goals\":[");
    for (size_t i = 0; i < goal_count; i++) {
        all = all && is_reached(i);
        (void)printf("%s{\"what\":\"%s\",\"value\":%.6g,\"%s\":%.6g,\"reached\":\"%s\"}", i == 0 ? "" : ",",
                     goals[i].what, goals[i].value, goals[i].kind == REPORT_AT_LEAST ? "at_least" : "at_most",
                     goals[i].goal, is_reached(i) ? "yes" : "no");
    }
    (void)printf("]");
    report_text("reached", all ? "yes" : "no");
    report_end();
}

struct report_options report_options(int argc, char **argv, size_t repeat)
{
    static const struct option known[] = {
        {"repeat", required_argument, NULL, 'r'}, {"tiny", no_argument, NULL, 't'}, {0}};
    struct report_options options = {.repeat = repeat};
    uint64_t value;
    for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        if (c == 't') {
            options.tiny = true;
            options.repeat = 1;
        } else if (c == 'r' && yk_str_to_u64(yk_str_from(optarg), &value) == YK_OK && value > 0 &&
                   value <= 1000) {
            options.repeat = (size_t)value;
        } else {
            rig_die("usage: [--repeat R] [--tiny]");
        }
    }
    if (optind < argc)
        rig_die("usage: [--repeat R] [--tiny]");
    yk_log_set_stream(NULL);
    return options;
}
