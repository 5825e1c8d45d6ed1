/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/goals.h"

#include <math.h>

static struct yk_goal_verdict *add(struct yk_verdicts *verdicts, double value, double bound, bool is_maximum)
{
    verdicts->items = yk_realloc_array(verdicts->items, verdicts->count + 1, sizeof(*verdicts->items));
    struct yk_goal_verdict *verdict = &verdicts->items[verdicts->count++];
    *verdict = (struct yk_goal_verdict){.value = value,
                                        .bound = bound,
                                        .is_maximum = is_maximum,
                                        .reached = is_maximum ? value <= bound : value >= bound};
    return verdict;
}

static void add_goal(struct yk_verdicts *verdicts, const struct yk_outcome *outcome, enum yk_goal goal,
                     double value, double bound, bool is_maximum)
{
    struct yk_goal_verdict *verdict = add(verdicts, value, bound, is_maximum);
    (void)snprintf(verdict->what, sizeof(verdict->what), "%s", yk_goal_name(goal)); /* fits */
    verdict->exception = outcome->scenario->steady.exceptions[goal];
    if (outcome->figures.samples == 0 && (goal <= YK_GOAL_USED || goal == YK_GOAL_RESERVED) &&
        yk_str_empty(verdict->exception))
        verdict->exception = YK_STR("demand does not exceed supply for long enough");
    verdict->reached |= !yk_str_empty(verdict->exception);
}

static void add_goals(struct yk_verdicts *verdicts, const struct yk_outcome *outcome)
{
    const struct yk_steady_figures *figures = &outcome->figures;
    double overtaken = (double)figures->overtaken_worst_ns / (double)figures->longest_run_ns;
    add_goal(verdicts, outcome, YK_GOAL_JAIN_MEAN, figures->jain_mean, 0.97, false);
    add_goal(verdicts, outcome, YK_GOAL_JAIN_MIN, figures->jain_min, YK_STEADY_JAIN_MIN, false);
    add_goal(verdicts, outcome, YK_GOAL_USED, figures->used, 0.95, false);
    add_goal(verdicts, outcome, YK_GOAL_OVERTAKEN, overtaken, 2, true);
    add_goal(verdicts, outcome, YK_GOAL_KILLS, figures->kills_ratio, 1.25, true);
    /* While a node drains for the largest pod, half of that pod is free there on average. */
    double reserved = fmax(0.02, figures->largest_share / 2);
    add_goal(verdicts, outcome, YK_GOAL_RESERVED, figures->reserved, reserved, true);
}

static double seconds(int64_t ns)
{
    return (double)ns / (double)YK_NS_PER_S;
}

static void expect(struct yk_verdicts *verdicts, const struct yk_scenario_expectation *of, const char *what,
                   double value, double bound, bool is_maximum)
{
    struct yk_goal_verdict *verdict = add(verdicts, value, bound, is_maximum);
    const char *application = yk_str_empty(of->application) ? "" : of->application.p;
    const char *queue = yk_str_empty(of->queue) ? "" : of->queue.p;
    char at[YK_TIME_TEXT_MAX] = "";
    if (of->at_ns >= 0)
        yk_duration_format(of->at_ns, at);
    (void)snprintf(verdict->what, sizeof(verdict->what), "%s%s%s%s%s%s%s", application,
                   *application != '\0' ? " " : "", queue, *queue != '\0' ? " " : "", what,
                   *at != '\0' ? " at " : "", at); /* longer texts are cut */
}

static bool is_of(const char *path, struct yk_str queue)
{
    struct yk_str text = yk_str_from(path);
    return yk_str_starts(text, queue.p) && (text.len == queue.len || text.p[queue.len] == '.');
}

/* Cores in use by the leaves at or below the queue, in the first sample that was taken at `at_ns` or
 * later. */
static double cores_at(const struct yk_samples *samples, struct yk_str queue, int64_t at_ns)
{
    const struct yk_simulation_sample *sample;
    yk_vec_foreach (sample, &samples->items) {
        if (sample->at_ns < at_ns)
            continue;
        int64_t sum = 0;
        for (size_t i = 0; i < sample->queue_count; i++) {
            if (is_of(sample->queues[i].queue, queue))
                sum += yk_resvec_get(&sample->queues[i].used, YK_RESTYPE_VCORE);
        }
        return (double)sum / 1000;
    }
    return (double)NAN; /* there is no such sample: every comparison with a bound is false */
}

static void add_expectation(struct yk_verdicts *verdicts, const struct yk_outcome *outcome,
                            const struct yk_scenario_expectation *of)
{
    struct yk_steady_application count;
    yk_steady_count(outcome->steady, of->application, of->queue, &count);
    if (of->cores_at_least >= 0)
        expect(verdicts, of, "cores", cores_at(&outcome->samples, of->queue, of->at_ns),
               (double)of->cores_at_least / 1000, false);
    if (of->cores_at_most >= 0)
        expect(verdicts, of, "cores", cores_at(&outcome->samples, of->queue, of->at_ns),
               (double)of->cores_at_most / 1000, true);
    if (of->wait_at_most_ns >= 0)
        expect(verdicts, of, "wait", seconds(count.wait_max_ns), seconds(of->wait_at_most_ns), true);
    if (of->ended_at_most_ns >= 0)
        expect(verdicts, of, "ended",
               count.ended + count.killed < count.pods ? HUGE_VAL : seconds(count.last_end_ns),
               seconds(of->ended_at_most_ns), true);
    if (of->bound_at_least >= 0)
        expect(verdicts, of, "bound", (double)count.bound, (double)of->bound_at_least, false);
    if (of->bound_at_most >= 0)
        expect(verdicts, of, "bound", (double)count.bound, (double)of->bound_at_most, true);
    if (of->killed_at_most >= 0)
        expect(verdicts, of, "killed", (double)count.killed, (double)of->killed_at_most, true);
    if (of->status_patches_at_most >= 0)
        expect(verdicts, of, "status patches", (double)outcome->cluster.status_patches,
               (double)of->status_patches_at_most, true);
}

void yk_goals_judge(const struct yk_outcome *outcome, struct yk_verdicts *ret)
{
    const struct yk_scenario_steady *steady = &outcome->scenario->steady;
    *ret = (struct yk_verdicts){.reached = true};
    add_goals(ret, outcome);
    for (uint32_t i = 0; i < steady->expectation_count; i++)
        add_expectation(ret, outcome, &steady->expectations[i]);
    for (size_t i = 0; i < ret->count; i++)
        ret->reached &= ret->items[i].reached;
}

void yk_verdicts_done(struct yk_verdicts *verdicts)
{
    free(verdicts->items);
    *verdicts = (struct yk_verdicts){0};
}
