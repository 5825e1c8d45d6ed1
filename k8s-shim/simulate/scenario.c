/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a scenario as a whole; scenario_steps.c reads its steps. */
#include "simulate/scenario_priv.h"

enum { NODE_GROUPS_MAX = 1000 };

static const int64_t sample_min_ns = 100 * YK_NS_PER_MS;
static const int64_t default_end_ns = 3600 * YK_NS_PER_S;

static const struct yk_yaml_limits limits = {.nodes = 1000 * 1000, .memory_bytes = 512 << 20, .depth = 16};

static const struct yk_yaml_field time_fields[] = {
    YK__FIELD("request", yk__sim_duration, yk_scenario, times.request_ns),
    YK__FIELD("watch", yk__sim_duration, yk_scenario, times.watch_ns),
    YK__FIELD("watchJitter", yk__sim_duration, yk_scenario, times.watch_jitter_ns),
    YK__FIELD("podStart", yk__sim_duration, yk_scenario, times.start_ns),
    YK__FIELD("podTermination", yk__sim_duration, yk_scenario, times.termination_ns),
    YK__FIELD("nodeLost", yk__sim_duration, yk_scenario, times.node_lost_ns),
};
/* The offsets in the fields of `times` and `end` are those in struct yk_scenario. */
static const struct yk_yaml_schema times_schema = {.what = "times", YK__ROWS(time_fields)};

static YK__READER(read_sample)
{
    const int64_t *interval_ns = (void *)((char *)object + field->offset);
    enum yk_status status = yk__sim_duration(decoder, field, value, object);
    if (status == YK_OK && *interval_ns < sample_min_ns)
        return yk_yaml_fail(decoder, value, "samples are at least 100ms apart");
    return status;
}

static YK__READER(read_reservations)
{
    bool *no_reservations = (void *)((char *)object + field->offset);
    enum yk_status status = yk__sim_bool(decoder, field, value, object);
    if (status == YK_OK)
        *no_reservations = !*no_reservations;
    return status;
}

static YK__READER(read_when)
{
    bool is_text = value->kind == YK_YAML_SCALAR;
    bool is_idle = is_text && yk_str_is(value->u.text, "idle");
    if (!is_text)
        return yk_yaml_fail_shape(decoder, value, field->key, "a text");
    if (!is_idle && !yk_str_is(value->u.text, "time"))
        return yk_yaml_fail(decoder, value, "'" YK_STR_FMT "' is neither idle nor time",
                            YK_STR_ARG(value->u.text));
    *(bool *)((char *)object + field->offset) = is_idle;
    return YK_OK;
}

static const struct yk_yaml_field end_fields[] = {
    YK__FIELD("when", read_when, yk_scenario, end.when_idle),
    YK__FIELD("at", yk__sim_duration, yk_scenario, end.at_ns),
};
static const struct yk_yaml_schema end_schema = {.what = "end", YK__ROWS(end_fields)};

#define TIMELINE                                                                                             \
    {                                                                                                        \
        .key = "timeline", .read = yk__sim_timeline, .max = YK_SCENARIO_STEPS_MAX, .required = true          \
    }

static const struct yk_yaml_field scenario_fields[] = {
    YK__TEXT("name", yk_scenario, name),
    YK__FIELD("seed", yk__sim_u64, yk_scenario, seed),
    {.key = "nodes",
     .kind = YK_YAML_FIELD_LIST,
     .offset = YK__AT(yk_scenario, nodes),
     .aside = YK__AT(yk_scenario, node_group_count),
     .schema = &yk__scenario_nodes,
     .max = NODE_GROUPS_MAX,
     .required = true},
    YK__REQUIRED("queues", yk_yaml_read_text, yk_scenario, queues),
    YK__FIELD("settings", yk__sim_pairs, yk_scenario, settings),
    YK__FIELD("sample", read_sample, yk_scenario, sample_ns),
    YK__FIELD("reservations", read_reservations, yk_scenario, no_reservations),
    YK__STRUCT("steady", &yk__scenario_steady, yk_scenario, steady),
    {.key = "times", .kind = YK_YAML_FIELD_STRUCT, .schema = &times_schema},
    TIMELINE,
    {.key = "end", .kind = YK_YAML_FIELD_STRUCT, .schema = &end_schema},
};
static const struct yk_yaml_schema scenario_schema = {
    .what = "a scenario", .size = sizeof(struct yk_scenario), YK__ROWS(scenario_fields)};

static const struct yk_yaml_field steps_fields[] = {TIMELINE};
static const struct yk_yaml_schema steps_schema = {
    .what = "a list of steps", .size = sizeof(struct yk_scenario), YK__ROWS(steps_fields)};

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

/* Checks the total numbers of nodes and pods. Each number of the text is checked when it is read, but sums
 * and products of numbers are not. */
static enum yk_status check_totals(const struct yk_scenario *scenario, struct yk_err *err)
{
    uint64_t nodes = 0, pods = 0, daemon_sets = 0;
    for (uint32_t i = 0; i < scenario->node_group_count; i++)
        nodes += scenario->nodes[i].count;
    for (uint32_t i = 0; i < scenario->step_count; i++) {
        const struct yk_scenario_step *step = &scenario->steps[i];
        if (step->kind == YK_STEP_ADD_NODES)
            nodes += step->with.nodes.count;
        if (step->kind == YK_STEP_SUBMIT && step->with.submit.daemon_set)
            daemon_sets += step->with.submit.applications;
        else if (step->kind == YK_STEP_SUBMIT)
            pods += step->with.submit.applications * step->with.submit.pods;
    }
    pods += daemon_sets * nodes; /* an upper bound: tolerations may leave nodes out */
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

static enum yk_status read_text(struct yk_scenario *scenario, const struct yk_yaml_schema *schema,
                                struct yk_str text, struct yk_err *err)
{
    YK_CLEANUP(yk_arena_done) struct yk_arena scratch = {0};
    struct yk_yaml_decoder decoder = {
        .arena = &scenario->arena, .limits = &limits, .names_keys = true, .refuses_nul = true, .err = err};
    struct yk_yaml_node *root = NULL;
    if (text.len > YK_SCENARIO_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu bytes are more than %d", text.len, YK_SCENARIO_BYTES_MAX);
    enum yk_status status = yk_yaml_parse(text, &limits, &scratch, &root, err);
    if (status == YK_OK && root == NULL)
        return yk_fail(err, YK_ERR_INVALID,
                       schema == &scenario_schema ? "the scenario is empty" : "there are none");
    if (status == YK_OK)
        status = yk_yaml_decode(&decoder, schema, root, scenario);
    return status == YK_OK ? YK_OK : yk_yaml_fail_by_line(err, status);
}

static enum yk_status read_scenario(struct yk_scenario *scenario, struct yk_str text, struct yk_err *err)
{
    enum yk_status status = read_text(scenario, &scenario_schema, text, err);
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

enum yk_status yk_scenario_parse_steps(struct yk_str text, struct yk_scenario **ret_steps, struct yk_err *err)
{
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *steps = yk_new0(struct yk_scenario);
    enum yk_status status = read_text(steps, &steps_schema, text, err);
    if (status == YK_OK)
        status = check_totals(steps, err);
    if (status != YK_OK)
        return yk_fail_in(err, status, "steps");
    *ret_steps = yk_move(steps);
    return YK_OK;
}

void yk_scenario_free(struct yk_scenario *scenario)
{
    if (scenario == NULL)
        return;
    yk_arena_done(&scenario->arena);
    free(scenario);
}
