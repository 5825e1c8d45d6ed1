/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the part `steady` of a scenario: the times and maxima with which fairness is measured, which of the
 * general goals do not apply, and what the scenario itself expects. */
#include "simulate/scenario_priv.h"

enum { EXPECTATIONS_MAX = 1000, MAXIMA_MAX = 1000 };

static YK__READER(read_cores)
{
    struct yk_str text = {0};
    yk_quantity cores;
    enum yk_status status = yk__sim_name(decoder, &(struct yk_yaml_field){.key = field->key}, value, &text);
    if (status != YK_OK)
        return status;
    if (yk_quantity_parse(text, &cores, NULL) != YK_OK || cores < 0)
        return yk_yaml_fail(decoder, value, "'" YK_STR_FMT "' is not a number of cores", YK_STR_ARG(text));
    *(int64_t *)(void *)((char *)object + field->offset) = yk_quantity_amount(YK_STR("cpu"), cores);
    return YK_OK;
}

static enum yk_status check_expectation(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                                        void *object)
{
    const struct yk_scenario_expectation *expect = object;
    bool of_queue = expect->cores_at_least >= 0 || expect->cores_at_most >= 0;
    bool of_application = expect->wait_at_most_ns >= 0 || expect->ended_at_most_ns >= 0;
    bool counts = expect->bound_at_least >= 0 || expect->bound_at_most >= 0 || expect->killed_at_most >= 0;
    if (!of_queue && !of_application && !counts && expect->status_patches_at_most < 0)
        return yk_yaml_fail(decoder, node,
                            "an expectation needs a bound, such as 'coresAtLeast' or 'waitAtMost'");
    if (of_queue && (yk_str_empty(expect->queue) || expect->at_ns < 0))
        return yk_yaml_fail(decoder, node, "'coresAtLeast' and 'coresAtMost' need 'queue' and 'at'");
    if (of_application && yk_str_empty(expect->application))
        return yk_yaml_fail(decoder, node, "'waitAtMost' and 'endedAtMost' need 'application'");
    return YK_OK;
}

static const struct yk_yaml_field expectation_fields[] = {
    YK__FIELD("application", yk__sim_name, yk_scenario_expectation, application),
    YK__FIELD("queue", yk__sim_name, yk_scenario_expectation, queue),
    YK__FIELD("at", yk__sim_duration, yk_scenario_expectation, at_ns),
    YK__FIELD("coresAtLeast", read_cores, yk_scenario_expectation, cores_at_least),
    YK__FIELD("coresAtMost", read_cores, yk_scenario_expectation, cores_at_most),
    YK__FIELD("waitAtMost", yk__sim_duration, yk_scenario_expectation, wait_at_most_ns),
    YK__FIELD("endedAtMost", yk__sim_duration, yk_scenario_expectation, ended_at_most_ns),
    YK__FIELD("boundAtLeast", yk__sim_i64, yk_scenario_expectation, bound_at_least),
    YK__FIELD("boundAtMost", yk__sim_i64, yk_scenario_expectation, bound_at_most),
    YK__FIELD("killedAtMost", yk__sim_i64, yk_scenario_expectation, killed_at_most),
    YK__FIELD("statusPatchesAtMost", yk__sim_i64, yk_scenario_expectation, status_patches_at_most),
};
static const struct yk_scenario_expectation no_bounds = {.at_ns = -1,
                                                         .cores_at_least = -1,
                                                         .cores_at_most = -1,
                                                         .wait_at_most_ns = -1,
                                                         .ended_at_most_ns = -1,
                                                         .bound_at_least = -1,
                                                         .bound_at_most = -1,
                                                         .killed_at_most = -1,
                                                         .status_patches_at_most = -1};
static const struct yk_yaml_schema expectation_schema = {.what = "an expectation",
                                                         .size = sizeof(struct yk_scenario_expectation),
                                                         YK__ROWS(expectation_fields),
                                                         .defaults = &no_bounds,
                                                         .check = check_expectation};

static const char *const goal_names[] = {
    [YK_GOAL_JAIN_MEAN] = "jainMean",  [YK_GOAL_JAIN_MIN] = "jainMin", [YK_GOAL_USED] = "used",
    [YK_GOAL_OVERTAKEN] = "overtaken", [YK_GOAL_KILLS] = "kills",      [YK_GOAL_RESERVED] = "reserved",
};
YK_INDEXED_BY(goal_names, YK_GOAL_COUNT - 1);

const char *yk_goal_name(enum yk_goal goal)
{
    return goal_names[goal];
}

/* Reads a mapping from goals to the reasons why they do not apply. */
static YK__READER(read_exceptions)
{
    struct yk_str *exceptions = (void *)((char *)object + field->offset);
    struct yk_pairs pairs = {0};
    enum yk_status status = yk__sim_pairs(decoder, &(struct yk_yaml_field){.key = field->key}, value, &pairs);
    for (uint32_t i = 0; status == YK_OK && i < pairs.count; i++) {
        int goal = 0;
        while (goal < YK_GOAL_COUNT && !yk_str_is(pairs.items[i].key, goal_names[goal]))
            goal++;
        if (goal == YK_GOAL_COUNT)
            return yk_yaml_fail(decoder, value, "'" YK_STR_FMT "' is not a goal",
                                YK_STR_ARG(pairs.items[i].key));
        if (yk_str_empty(pairs.items[i].value))
            return yk_yaml_fail(decoder, value, "goal '%s' is left out without a reason", goal_names[goal]);
        exceptions[goal] = pairs.items[i].value;
    }
    return status;
}

static const struct yk_yaml_field maximum_fields[] = {
    YK__REQUIRED("queue", yk__sim_name, yk_scenario_maximum, queue),
    YK__REQUIRED("amounts", yk__sim_amounts, yk_scenario_maximum, amounts),
};
static const struct yk_yaml_schema maximum_schema = {
    .what = "a maximum", .size = sizeof(struct yk_scenario_maximum), YK__ROWS(maximum_fields)};

static const struct yk_yaml_field steady_fields[] = {
    YK__FIELD("settle", yk__sim_duration, yk_scenario_steady, settle_ns),
    YK__FIELD("longestRun", yk__sim_duration, yk_scenario_steady, longest_run_ns),
    YK__LIST("maxima", &maximum_schema, MAXIMA_MAX, yk_scenario_steady, maxima, maximum_count),
    YK__FIELD("notApplicable", read_exceptions, yk_scenario_steady, exceptions),
    YK__LIST("expect", &expectation_schema, EXPECTATIONS_MAX, yk_scenario_steady, expectations,
             expectation_count),
};
const struct yk_yaml_schema yk__scenario_steady = {
    .what = "steady", .size = sizeof(struct yk_scenario_steady), YK__ROWS(steady_fields)};
