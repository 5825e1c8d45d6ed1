/* SPDX-License-Identifier: Apache-2.0 */
/* The scenario as a whole; its steps are read in scenario_steps.c. */
#include "simulate/scenario_priv.h"

enum { NODE_GROUPS_MAX = 1000 };

static const int64_t sample_min_ns = 100 * YK_NS_PER_MS;
static const int64_t default_end_ns = 3600 * YK_NS_PER_S;

static enum yk_status read_node_groups(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario *scenario = target;
    void *items = NULL;
    enum yk_status status = yk_yaml_list(yaml, node, NODE_GROUPS_MAX, sizeof(*scenario->nodes),
                                         yk__scenario_nodes, &items, &scenario->node_group_count);
    scenario->nodes = items;
    return status;
}

static enum yk_status read_timeline(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario *scenario = target;
    void *items = NULL;
    enum yk_status status = yk_yaml_list(yaml, node, YK_SCENARIO_STEPS_MAX, sizeof(*scenario->steps),
                                         yk__scenario_step, &items, &scenario->step_count);
    scenario->steps = items;
    return status;
}

#define TIME(key, member)                                                                                    \
    {                                                                                                        \
        key, yk_yaml_duration, offsetof(struct yk_scenario, times.member), false                             \
    }
static enum yk_status read_times(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        TIME("request", request_ns),
        TIME("watch", watch_ns),
        TIME("watchJitter", watch_jitter_ns),
        TIME("podStart", start_ns),
        TIME("podTermination", termination_ns),
        TIME("nodeLost", node_lost_ns),
    };
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), target);
}

static enum yk_status read_sample(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    int64_t interval_ns = 0;
    enum yk_status status = yk_yaml_duration(yaml, node, &interval_ns);
    if (status == YK_OK && interval_ns < sample_min_ns)
        return yk_yaml_fail(yaml, node, "samples are at least 100ms apart");
    if (status == YK_OK)
        *(int64_t *)target = interval_ns;
    return status;
}

static enum yk_status read_reservations(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    bool made = true;
    enum yk_status status = yk_yaml_bool(yaml, node, &made);
    *(bool *)target = !made;
    return status;
}

static enum yk_status read_when(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_str when = {0};
    enum yk_status status = yk_yaml_name(yaml, node, &when);
    if (status != YK_OK)
        return status;
    if (!yk_str_is(when, "idle") && !yk_str_is(when, "time"))
        return yk_yaml_fail(yaml, node, "'" YK_STR_FMT "' is neither idle nor time", YK_STR_ARG(when));
    *(bool *)target = yk_str_is(when, "idle");
    return YK_OK;
}

static enum yk_status read_end(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"when", read_when, offsetof(struct yk_scenario, end.when_idle), false},
        {"at", yk_yaml_duration, offsetof(struct yk_scenario, end.at_ns), false},
    };
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), target);
}

static const struct yk_yaml_field scenario_fields[] = {
    {"name", yk_yaml_text, offsetof(struct yk_scenario, name), false},
    {"seed", yk_yaml_u64, offsetof(struct yk_scenario, seed), false},
    {"nodes", read_node_groups, 0, true},
    {"queues", yk_yaml_text, offsetof(struct yk_scenario, queues), true},
    {"settings", yk_yaml_pairs, offsetof(struct yk_scenario, settings), false},
    {"sample", read_sample, offsetof(struct yk_scenario, sample_ns), false},
    {"reservations", read_reservations, offsetof(struct yk_scenario, no_reservations), false},
    {"steady", yk__scenario_steady, 0, false},
    {"times", read_times, 0, false},
    {"timeline", read_timeline, 0, true},
    {"end", read_end, 0, false},
};

static void set_defaults(struct yk_scenario *scenario)
{
    scenario->seed = 1;
    scenario->times.request_ns = YK_NS_PER_MS;
    scenario->times.watch_ns = YK_NS_PER_MS;
    scenario->times.start_ns = YK_NS_PER_S;
    scenario->times.termination_ns = YK_NS_PER_S;
    scenario->times.node_lost_ns = 5 * YK_NS_PER_S;
    scenario->end.at_ns = default_end_ns;
    scenario->end.when_idle = true;
}

/* Products of what is written: each number alone is harmless. */
static enum yk_status check_totals(const struct yk_scenario *scenario, struct yk_err *err)
{
    uint64_t nodes = 0, pods = 0;
    for (uint32_t i = 0; i < scenario->node_group_count; i++)
        nodes += scenario->nodes[i].count; /* each is checked when read */
    for (uint32_t i = 0; i < scenario->step_count; i++) {
        const struct yk_scenario_step *step = &scenario->steps[i];
        if (step->kind == YK_STEP_ADD_NODES)
            nodes += step->with.nodes.count;
        if (step->kind == YK_STEP_SUBMIT)
            pods += step->with.submit.applications * step->with.submit.pods;
    }
    if (nodes > YK_SCENARIO_NODES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%llu nodes are more than %d", (unsigned long long)nodes,
                       YK_SCENARIO_NODES_MAX);
    if (pods > YK_SCENARIO_PODS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%llu pods are more than %d", (unsigned long long)pods,
                       YK_SCENARIO_PODS_MAX);
    return YK_OK;
}

static enum yk_status check_samples(const struct yk_scenario *scenario, struct yk_err *err)
{
    const struct yk_scenario_steady *steady = &scenario->steady;
    bool has_goals = steady->expectation_count > 0 || steady->settle_ns > 0;
    if (scenario->sample_ns == 0)
        return has_goals ? yk_fail(err, YK_ERR_INVALID, "'steady' needs 'sample'") : YK_OK;
    if (scenario->end.at_ns / scenario->sample_ns > YK_SCENARIO_SAMPLES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "more than %d samples until the end", YK_SCENARIO_SAMPLES_MAX);
    return YK_OK;
}

static enum yk_status read_scenario(struct yk_scenario *scenario, struct yk_str text, struct yk_err *err)
{
    YK_CLEANUP(yk_yaml_done) struct yk_yaml yaml = {0};
    enum yk_status status = yk_yaml_load(&yaml, text, &scenario->arena, err);
    if (status != YK_OK)
        return status;
    const yaml_node_t *root = yk_yaml_root(&yaml);
    if (root == NULL)
        return yk_fail(err, YK_ERR_INVALID, "the scenario is empty");
    status = yk_yaml_map(&yaml, root, scenario_fields, YK_COUNT(scenario_fields), scenario);
    if (status == YK_OK)
        status = check_samples(scenario, err);
    return status == YK_OK ? check_totals(scenario, err) : status;
}

enum yk_status yk_scenario_parse(struct yk_str text, struct yk_scenario **ret_scenario, struct yk_err *err)
{
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *scenario = yk_new0(struct yk_scenario);
    set_defaults(scenario);
    enum yk_status status = read_scenario(scenario, text, err);
    if (status != YK_OK)
        return yk_fail_in(err, status, "scenario");
    *ret_scenario = yk_move(scenario);
    return YK_OK;
}

void yk_scenario_free(struct yk_scenario *scenario)
{
    if (scenario == NULL)
        return;
    yk_arena_done(&scenario->arena);
    free(scenario);
}
