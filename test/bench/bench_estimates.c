/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates of the start compared with real starts: runs the built-in scenarios of `yunikorn simulate` and
 * random ones, asks for the estimate of waiting pods every ASK_S seconds of their clocks, and notes when
 * these pods start. The result does not depend on the machine.
 *
 *   bench_estimates [--random N] [--first SEED] [--list] [--tiny]
 *
 * --list prints each question as a line on standard error. A gang is asked about as its pods are: by its
 * first placeholder that waits. It starts when none of its placeholders waits any longer.
 */
#include "base/log.h"
#include "cmd/example.h"
#include "cmd/random_scenario.h"
#include "cmd/simulation.h"
#include "report.h"
#include "state/core.h"

#include <getopt.h>
#include <stdio.h>

#define POLL_NS YK_NS_PER_S

enum {
    ASK_S = 20,           /* between two times of questions */
    ASKED_PER_TIME = 60,  /* about as many asks, spread evenly over all that wait */
    HOURS_MAX = 2,        /* a scenario is left after that time */
    RATIOS_MAX = 1 << 20, /* of the width to the wait; more are not kept */
};

struct question {
    char *app, *key;  /* owned; `key` NULL: the gang of the application */
    int64_t asked_ns; /* wall time, like the two ends of the estimate */
    struct yk_si_start start;
};

struct counts {
    uint64_t asked, unknown, open, inside, early, late;
    double *widths; /* width of the range, in waits, of those that have started */
    double *uppers; /* from the question to the upper end, in waits */
    size_t kept;
};

struct bench {
    struct yk_simulation *sim;
    struct yk_vec questions; /* struct question, owned: those that have no answer yet */
    const char *scenario;
    struct counts asks, gangs, *all;
    bool lists;
};

static const struct yk_partition *partition_of(const struct bench *bench)
{
    const struct yk_core *core = yk_simulation_engine(bench->sim)->core;
    return core->partitions.count > 0 ? core->partitions.items[0] : NULL;
}

static int64_t now_of(const struct bench *bench)
{
    return yk_clock_wall_ns(yk_simulation_clock(bench->sim));
}

/* ---- questions ---- */

static void ask(struct bench *bench, const struct yk_app *app, const char *key)
{
    const struct yk_partition *partition = app->partition;
    struct counts *counts = key != NULL ? &bench->asks : &bench->gangs;
    struct yk_si_start start = yk_core_start(partition->core, partition->rm->id, app->id, key, NULL);
    if (!start.waits)
        return;
    counts->asked++;
    bench->all->asked++;
    if (!start.is_known) {
        counts->unknown++;
        bench->all->unknown++;
        return;
    }
    struct question *question = yk_new0(struct question);
    question->app = yk_str_dup(yk_str_from(app->id));
    question->key = key != NULL ? yk_str_dup(yk_str_from(key)) : NULL;
    question->asked_ns = now_of(bench);
    question->start = start;
    yk_vec_append(&bench->questions, question);
}

static uint64_t pending_of(const struct yk_app *app)
{
    uint64_t count = 0;
    for (int i = 0; i < YK_PENDING_COUNT; i++)
        count += app->pending_count.asks[i];
    return count;
}

static bool has_waiting_placeholder(const struct yk_app *app)
{
    const struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (group->placeholders)
            return true;
    }
    return false;
}

/* Asks about each `step`th ask. */
static void ask_group(struct bench *bench, const struct yk_group *group, uint64_t step, uint64_t *place)
{
    const struct yk_ask *each;
    yk_tree_foreach (each, &group->asks, struct yk_ask, in_group) {
        if ((*place)++ % step == 0)
            ask(bench, group->app, each->key);
    }
}

/* Asks about the gang if there is one, else about each `step`th ask. `*place`: of the first ask, among all
 * that wait. */
static void ask_app(struct bench *bench, const struct yk_app *app, uint64_t step, uint64_t *place)
{
    const struct yk_group *group;
    if (has_waiting_placeholder(app)) {
        ask(bench, app, NULL);
        return;
    }
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending)
        ask_group(bench, group, step, place);
}

static void ask_all(struct bench *bench)
{
    const struct yk_partition *partition = partition_of(bench);
    const struct yk_app *app;
    uint64_t waiting = 0, place = 0;
    if (partition == NULL)
        return;
    yk_vec_foreach (app, &partition->apps_by_number)
        waiting += app != NULL ? pending_of(app) : 0;
    uint64_t step = waiting / ASKED_PER_TIME + 1;
    place = (uint64_t)(now_of(bench) / (ASK_S * YK_NS_PER_S)) * 7; /* another first ask each time */
    yk_vec_foreach (app, &partition->apps_by_number) {
        if (app != NULL && pending_of(app) > 0)
            ask_app(bench, app, step, &place);
    }
}

/* ---- answers ---- */

static void question_free(struct question *question)
{
    free(question->app);
    free(question->key);
    free(question);
}

static void keep(struct counts *counts, double width, double upper)
{
    if (counts->kept == RATIOS_MAX)
        return;
    counts->widths[counts->kept] = width;
    counts->uppers[counts->kept++] = upper;
}

static const char *judge(struct counts *counts, const struct question *question, int64_t now_ns, bool started)
{
    const struct yk_si_start *start = &question->start;
    double wait_ns = (double)YK_MAX(now_ns - question->asked_ns, POLL_NS);
    if (now_ns - POLL_NS > start->latest_wall_ns) {
        counts->late++;
    } else if (!started) {
        counts->open++;
        return "open";
    } else if (now_ns < start->earliest_wall_ns) {
        counts->early++;
    } else {
        counts->inside++;
    }
    if (started)
        keep(counts, (double)(start->latest_wall_ns - start->earliest_wall_ns) / wait_ns,
             (double)(start->latest_wall_ns - question->asked_ns) / wait_ns);
    return now_ns - POLL_NS > start->latest_wall_ns ? "late"
           : now_ns < start->earliest_wall_ns       ? "early"
                                                    : "inside";
}

static void answer(struct bench *bench, const struct question *question, bool started)
{
    int64_t now_ns = now_of(bench);
    const char *what = judge(question->key != NULL ? &bench->asks : &bench->gangs, question, now_ns, started);
    (void)judge(bench->all, question, now_ns, started); /* gives the same text */
    if (bench->lists)
        fprintf(stderr, "A %lld %s %s %s %s %s %.0f-%.0f s, %s %.0f s\n", (long long)question->asked_ns,
                bench->scenario, what, question->app, question->key != NULL ? question->key : "gang",
                question->start.queue, (double)(question->start.earliest_wall_ns - question->asked_ns) / 1e9,
                (double)(question->start.latest_wall_ns - question->asked_ns) / 1e9,
                started ? "started after" : "waits for", (double)(now_ns - question->asked_ns) / 1e9);
}

enum state { WAITS, STARTED, GONE };

static enum state state_of(const struct bench *bench, const struct question *question)
{
    const struct yk_app *app = yk_strmap_get(&partition_of(bench)->apps, yk_str_from(question->app));
    if (app == NULL)
        return GONE;
    if (question->key == NULL) {
        if (has_waiting_placeholder(app))
            return WAITS;
        return app->allocation_count > 0 ? STARTED : GONE;
    }
    const struct yk_ask *found = yk_app_find_ask(app, yk_str_from(question->key));
    if (found == NULL)
        return GONE;
    return yk_ask_is_pending(found) ? WAITS : STARTED;
}

static void look(struct bench *bench)
{
    size_t kept = 0;
    for (size_t i = 0; i < bench->questions.count; i++) {
        struct question *question = bench->questions.items[i];
        enum state state = state_of(bench, question);
        if (state == WAITS) {
            bench->questions.items[kept++] = question;
            continue;
        }
        if (state == STARTED)
            answer(bench, question, true);
        question_free(question);
    }
    bench->questions.count = kept;
}

/* ---- runs ---- */

static int compare_numbers(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double quantile(double *values, size_t count, double part)
{
    qsort(values, count, sizeof(*values), compare_numbers);
    return count > 0 ? values[(size_t)((double)(count - 1) * part)] : 0;
}

static double inside_of(const struct counts *counts)
{
    uint64_t judged = counts->inside + counts->early + counts->late;
    return judged > 0 ? (double)counts->inside / (double)judged : 1;
}

static void say(const char *scenario, const char *what, struct counts *counts)
{
    if (counts->asked == 0)
        return;
    report_begin("estimates", scenario);
    report_text("of", what);
    report_count("asked", counts->asked);
    report_count("unknown", counts->unknown);
    report_count("still_open", counts->open);
    report_count("early", counts->early);
    report_count("late", counts->late);
    report_number("inside", inside_of(counts));
    report_number("width_to_wait_p50", quantile(counts->widths, counts->kept, 0.5));
    report_number("upper_to_wait_p50", quantile(counts->uppers, counts->kept, 0.5));
    report_number("upper_to_wait_p90", quantile(counts->uppers, counts->kept, 0.9));
    report_end();
}

static void counts_init(struct counts *counts)
{
    *counts = (struct counts){.widths = yk_calloc(RATIOS_MAX, sizeof(double)),
                              .uppers = yk_calloc(RATIOS_MAX, sizeof(double))};
}

static void counts_done(struct counts *counts)
{
    free(counts->widths);
    free(counts->uppers);
}

static void run(struct yk_str text, const char *name, int64_t most_s, struct counts *all, bool lists)
{
    struct bench bench = {.scenario = name, .all = all, .lists = lists};
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *scenario = NULL;
    YK_CLEANUP(yk_outcome_freep) struct yk_outcome *outcome = NULL;
    struct question *question;
    struct yk_err err = {0};
    if (yk_scenario_parse(text, &scenario, &err) != YK_OK)
        rig_die(err.text);
    const struct yk_simulation_options options = {.seed = scenario->seed, .log_level = "error"};
    counts_init(&bench.asks);
    counts_init(&bench.gangs);
    bench.sim = yk_simulation_new(scenario, &options);
    int64_t until_ns = yk_clock_mono_ns(yk_simulation_clock(bench.sim));
    for (int64_t second = 0; second < most_s && !yk_simulation_is_over(bench.sim); second++) {
        until_ns += POLL_NS;
        while (yk_simulation_step(bench.sim, until_ns) && !yk_simulation_is_over(bench.sim)) {
        }
        look(&bench);
        if (second % ASK_S == 0)
            ask_all(&bench);
    }
    yk_vec_foreach (question, &bench.questions) {
        answer(&bench, question, false);
        question_free(question);
    }
    yk_vec_done(&bench.questions);
    say(name, "pods", &bench.asks);
    say(name, "gangs", &bench.gangs);
    if (yk_simulation_finish(bench.sim, &outcome, &err) != YK_OK)
        rig_die(err.text);
    yk_simulation_free(bench.sim);
    counts_done(&bench.asks);
    counts_done(&bench.gangs);
}

int main(int argc, char **argv)
{
    const struct option known[] = {{"random", required_argument, NULL, 'r'},
                                   {"first", required_argument, NULL, 'f'},
                                   {"list", no_argument, NULL, 'l'},
                                   {"tiny", no_argument, NULL, 't'},
                                   {0}};
    uint64_t randoms = 20, first = 1;
    bool lists = false, tiny = false;
    struct counts all;
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) >= 0;) {
        if (option == 'l')
            lists = true;
        else if (option == 't')
            tiny = true;
        else if ((option != 'r' && option != 'f') ||
                 yk_str_to_u64(yk_str_from(optarg), option == 'r' ? &randoms : &first) != YK_OK)
            rig_die("usage: bench_estimates [--random N] [--first SEED] [--list] [--tiny]");
    }
    int64_t most_s = tiny ? 120 : (int64_t)HOURS_MAX * 3600;
    yk_log_set_stream(stderr);
    for (size_t i = 0; i < yk_logger_count; i++)
        atomic_store_explicit(&yk_loggers[i].level, (int)YK_LOG_ERROR, memory_order_relaxed);
    counts_init(&all);
    run((struct yk_str){yk_example_bytes, yk_example_len}, "two teams", most_s, &all, lists);
    run((struct yk_str){yk_live_example_bytes, yk_live_example_len}, "four teams", most_s, &all, lists);
    for (uint64_t seed = first; seed < first + (tiny ? 1 : randoms); seed++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        char name[32];
        (void)snprintf(name, sizeof(name), "random %llu", (unsigned long long)seed); /* fits */
        yk_random_scenario_write(seed, &text);
        run(yk_buf_view(&text), name, most_s, &all, lists);
    }
    say("all", "pods and gangs", &all);
    double inside = inside_of(&all), width = quantile(all.widths, all.kept, 0.5);
    counts_done(&all);
    if (tiny)
        return 0;
    report_goal("part that starts within its estimate", inside, REPORT_AT_LEAST, 0.9);
    report_goal("median width in waits", width, REPORT_AT_MOST, 3);
    report_goals("estimates");
    return 0;
}
