/* SPDX-License-Identifier: Apache-2.0 */
/* The goals of a scenario: which of the general ones do not apply, and what else it expects. */
#include "simulate/scenario_priv.h"

enum { EXPECTATIONS_MAX = 1000, MAXIMA_MAX = 1000 };

static enum yk_status read_cores(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_str text = {0};
    yk_quantity cores;
    enum yk_status status = yk_yaml_name(yaml, node, &text);
    if (status != YK_OK)
        return status;
    if (yk_quantity_parse(text, &cores, NULL) != YK_OK || cores < 0)
        return yk_yaml_fail(yaml, node, "'" YK_STR_FMT "' is not a number of cores", YK_STR_ARG(text));
    *(int64_t *)target = yk_quantity_amount(YK_STR("cpu"), cores);
    return YK_OK;
}

static enum yk_status read_number(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    uint64_t number = 0;
    enum yk_status status = yk_yaml_u64(yaml, node, &number);
    if (status == YK_OK && number > INT64_MAX)
        return yk_yaml_fail(yaml, node, "the number is too large");
    if (status == YK_OK)
        *(int64_t *)target = (int64_t)number;
    return status;
}

static enum yk_status check_expectation(struct yk_yaml *yaml, const yaml_node_t *node,
                                        const struct yk_scenario_expectation *expect)
{
    bool of_queue = expect->cores_at_least >= 0 || expect->cores_at_most >= 0;
    bool of_application = expect->wait_at_most_ns >= 0 || expect->ended_at_most_ns >= 0;
    bool counts = expect->bound_at_least >= 0 || expect->bound_at_most >= 0 || expect->killed_at_most >= 0;
    if (!of_queue && !of_application && !counts && expect->status_patches_at_most < 0)
        return yk_yaml_fail(yaml, node, "an expectation names a bound");
    if (of_queue && (yk_str_empty(expect->queue) || expect->at_ns < 0))
        return yk_yaml_fail(yaml, node, "cores are expected of a 'queue' and 'at' a time");
    if (of_application && yk_str_empty(expect->application))
        return yk_yaml_fail(yaml, node, "waits and ends are expected of an 'application'");
    return YK_OK;
}

static enum yk_status read_expectation(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"application", yk_yaml_name, offsetof(struct yk_scenario_expectation, application), false},
        {"queue", yk_yaml_name, offsetof(struct yk_scenario_expectation, queue), false},
        {"at", yk_yaml_duration, offsetof(struct yk_scenario_expectation, at_ns), false},
        {"coresAtLeast", read_cores, offsetof(struct yk_scenario_expectation, cores_at_least), false},
        {"coresAtMost", read_cores, offsetof(struct yk_scenario_expectation, cores_at_most), false},
        {"waitAtMost", yk_yaml_duration, offsetof(struct yk_scenario_expectation, wait_at_most_ns), false},
        {"endedAtMost", yk_yaml_duration, offsetof(struct yk_scenario_expectation, ended_at_most_ns), false},
        {"boundAtLeast", read_number, offsetof(struct yk_scenario_expectation, bound_at_least), false},
        {"boundAtMost", read_number, offsetof(struct yk_scenario_expectation, bound_at_most), false},
        {"killedAtMost", read_number, offsetof(struct yk_scenario_expectation, killed_at_most), false},
        {"statusPatchesAtMost", read_number, offsetof(struct yk_scenario_expectation, status_patches_at_most),
         false},
    };
    struct yk_scenario_expectation *expect = target;
    *expect = (struct yk_scenario_expectation){.at_ns = -1,
                                               .cores_at_least = -1,
                                               .cores_at_most = -1,
                                               .wait_at_most_ns = -1,
                                               .ended_at_most_ns = -1,
                                               .bound_at_least = -1,
                                               .bound_at_most = -1,
                                               .killed_at_most = -1,
                                               .status_patches_at_most = -1};
    enum yk_status status = yk_yaml_map(yaml, node, fields, YK_COUNT(fields), expect);
    return status == YK_OK ? check_expectation(yaml, node, expect) : status;
}

static enum yk_status read_expectations(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_steady *steady = target;
    void *items = NULL;
    enum yk_status status = yk_yaml_list(yaml, node, EXPECTATIONS_MAX, sizeof(*steady->expectations),
                                         read_expectation, &items, &steady->expectation_count);
    steady->expectations = items;
    return status;
}

static const char *const goal_names[] = {
    [YK_GOAL_JAIN_MEAN] = "jainMean",  [YK_GOAL_JAIN_MIN] = "jainMin", [YK_GOAL_USED] = "used",
    [YK_GOAL_OVERTAKEN] = "overtaken", [YK_GOAL_KILLS] = "kills",      [YK_GOAL_RESERVED] = "reserved",
};
YK_INDEXED_BY(goal_names, YK_GOAL_COUNT - 1);

const char *yk_goal_name(enum yk_goal goal)
{
    return goal_names[goal];
}

/* "jainMin: why it does not apply" for each goal that is left out. */
static enum yk_status read_exceptions(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_steady *steady = target;
    struct yk_pairs pairs = {0};
    enum yk_status status = yk_yaml_pairs(yaml, node, &pairs);
    for (uint32_t i = 0; status == YK_OK && i < pairs.count; i++) {
        int goal = 0;
        while (goal < YK_GOAL_COUNT && !yk_str_is(pairs.items[i].key, goal_names[goal]))
            goal++;
        if (goal == YK_GOAL_COUNT)
            return yk_yaml_fail(yaml, node, "'" YK_STR_FMT "' is no goal", YK_STR_ARG(pairs.items[i].key));
        if (yk_str_empty(pairs.items[i].value))
            return yk_yaml_fail(yaml, node, "goal '%s' is left out without a reason", goal_names[goal]);
        steady->exceptions[goal] = pairs.items[i].value;
    }
    return status;
}

static enum yk_status read_maximum(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"queue", yk_yaml_name, offsetof(struct yk_scenario_maximum, queue), true},
        {"amounts", yk_yaml_amounts, offsetof(struct yk_scenario_maximum, amounts), true},
    };
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), target);
}

static enum yk_status read_maxima(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_steady *steady = target;
    void *items = NULL;
    enum yk_status status = yk_yaml_list(yaml, node, MAXIMA_MAX, sizeof(*steady->maxima), read_maximum,
                                         &items, &steady->maximum_count);
    steady->maxima = items;
    return status;
}

enum yk_status yk__scenario_steady(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"settle", yk_yaml_duration, offsetof(struct yk_scenario_steady, settle_ns), false},
        {"longestRun", yk_yaml_duration, offsetof(struct yk_scenario_steady, longest_run_ns), false},
        {"maxima", read_maxima, 0, false},
        {"notApplicable", read_exceptions, 0, false},
        {"expect", read_expectations, 0, false},
    };
    struct yk_scenario *scenario = target;
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), &scenario->steady);
}
