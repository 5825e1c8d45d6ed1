/* SPDX-License-Identifier: Apache-2.0 */
/* The schemas of the steps of a scenario, one for each kind of step. */
#include "simulate/scenario_priv.h"

enum { TAINTS_MAX = 100, NAMES_MAX = 10000 };

/* ---- nodes ---- */

static const struct yk_yaml_field taint_fields[] = {
    YK__REQUIRED("key", yk__sim_name, yk_taint, key),
    YK__TEXT("value", yk_taint, value),
    YK__REQUIRED("effect", yk__sim_name, yk_taint, effect),
};
static const struct yk_yaml_schema taint_schema = {
    .what = "a taint", .size = sizeof(struct yk_taint), YK__ROWS(taint_fields)};

static const struct yk_yaml_field nodes_fields[] = {
    YK__REQUIRED("name", yk__sim_short_name, yk_scenario_nodes, name),
    YK__REQUIRED("count", yk__sim_count, yk_scenario_nodes, count),
    YK__FIELD("labels", yk__sim_pairs, yk_scenario_nodes, labels),
    YK__REQUIRED("allocatable", yk__sim_amounts, yk_scenario_nodes, allocatable),
    YK__LIST("taints", &taint_schema, TAINTS_MAX, yk_scenario_nodes, taints, taint_count),
};
const struct yk_yaml_schema yk__scenario_nodes = {
    .what = "a group of nodes", .size = sizeof(struct yk_scenario_nodes), YK__ROWS(nodes_fields)};

static const struct yk_yaml_field resize_fields[] = {
    {.key = "names",
     .read = yk__sim_names,
     .offset = YK__AT(yk_scenario_resize, names),
     .aside = YK__AT(yk_scenario_resize, name_count),
     .max = NAMES_MAX,
     .required = true},
    YK__REQUIRED("allocatable", yk__sim_amounts, yk_scenario_resize, allocatable),
};
static const struct yk_yaml_schema resize_schema = {
    .what = "resizeNodes", .size = sizeof(struct yk_scenario_resize), YK__ROWS(resize_fields)};

/* ---- pods ---- */

static const struct yk_yaml_field toleration_fields[] = {
    YK__TEXT("key", yk_toleration, key),
    YK__TEXT("operator", yk_toleration, operator_),
    YK__TEXT("value", yk_toleration, value),
    YK__TEXT("effect", yk_toleration, effect),
};
static const struct yk_yaml_schema toleration_schema = {
    .what = "a toleration", .size = sizeof(struct yk_toleration), YK__ROWS(toleration_fields)};

/* The API server accepts 1 to INT32_MAX whole seconds. */
static YK__READER(read_deadline)
{
    const int64_t *deadline_ns = (void *)((char *)object + field->offset);
    enum yk_status status = yk__sim_duration(decoder, field, value, object);
    if (status == YK_OK &&
        (*deadline_ns <= 0 || *deadline_ns % YK_NS_PER_S != 0 || *deadline_ns / YK_NS_PER_S > INT32_MAX))
        return yk_yaml_fail(decoder, value, "a deadline is 1 to %d whole seconds", INT32_MAX);
    return status;
}

static enum yk_status check_submit(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                                   void *object)
{
    const struct yk_scenario_submit *submit = object;
    if (submit->daemon_set && submit->pods + submit->every_ns > 0)
        return yk_yaml_fail(decoder, node, "a daemonSet has one pod per node: no 'pods' and no 'every'");
    if (!submit->daemon_set && submit->pods == 0)
        return yk_yaml_fail(decoder, node, "'pods' is missing");
    return YK_OK;
}

static const struct yk_yaml_field submit_fields[] = {
    YK__REQUIRED("application", yk__sim_short_name, yk_scenario_submit, application),
    YK__FIELD("applications", yk__sim_count, yk_scenario_submit, applications),
    YK__FIELD("pods", yk__sim_count, yk_scenario_submit, pods),
    YK__FIELD("daemonSet", yk__sim_bool, yk_scenario_submit, daemon_set),
    YK__FIELD("queue", yk__sim_name, yk_scenario_submit, queue),
    YK__FIELD("user", yk__sim_name, yk_scenario_submit, user),
    YK__FIELD("namespace", yk__sim_name, yk_scenario_submit, namespace_),
    YK__FIELD("requests", yk__sim_amounts, yk_scenario_submit, requests),
    YK__FIELD("run", yk__sim_duration, yk_scenario_submit, run_ns),
    YK__FIELD("deadline", read_deadline, yk_scenario_submit, deadline_ns),
    YK__FIELD("every", yk__sim_duration, yk_scenario_submit, every_ns),
    YK__FIELD("priority", yk__sim_i32, yk_scenario_submit, priority),
    YK__FIELD("priorityClass", yk__sim_name, yk_scenario_submit, priority_class),
    YK__FIELD("labels", yk__sim_pairs, yk_scenario_submit, labels),
    YK__FIELD("annotations", yk__sim_pairs, yk_scenario_submit, annotations),
    YK__FIELD("nodeSelector", yk__sim_pairs, yk_scenario_submit, node_selector),
    YK__LIST("tolerations", &toleration_schema, TAINTS_MAX, yk_scenario_submit, tolerations,
             toleration_count),
};
static const struct yk_scenario_submit submit_defaults = {.applications = 1, .namespace_ = {"default", 7}};
static const struct yk_yaml_schema submit_schema = {.what = "submit",
                                                    .size = sizeof(struct yk_scenario_submit),
                                                    YK__ROWS(submit_fields),
                                                    .defaults = &submit_defaults,
                                                    .check = check_submit};

static const struct yk_yaml_field delete_fields[] = {
    YK__REQUIRED("application", yk__sim_name, yk_scenario_delete, application),
    YK__FIELD("pods", yk__sim_count, yk_scenario_delete, pods),
};
static const struct yk_yaml_schema delete_schema = {
    .what = "delete", .size = sizeof(struct yk_scenario_delete), YK__ROWS(delete_fields)};

/* ---- faults ---- */

static const char *const op_words[] = {
    [YK_OP_BIND] = "bind",
    [YK_OP_PATCH_POD_STATUS] = "patchPodStatus",
    [YK_OP_DELETE_POD] = "deletePod",
    [YK_OP_CREATE_POD] = "createPod",
    [YK_OP_CREATE_EVENT] = "createEvent",
    [YK_OP_PATCH_EVENT] = "patchEvent",
    [YK_OP_PATCH_VOLUME] = "patchVolume",
    [YK_OP_PATCH_CLAIM] = "patchClaim",
    [YK_OP_GET_CONFIG_MAP] = "getConfigMap",
};
static const struct yk__words ops = {op_words, YK_COUNT(op_words)};

static const char *const fault_words[] = {
    [YK_FAULT_REFUSE] = "refuse",
    [YK_FAULT_LOSE] = "loseAnswer",
    [YK_FAULT_NO_ANSWER] = "noAnswer",
    [YK_FAULT_SLOW] = "slow",
};
YK_INDEXED_BY(fault_words, YK_FAULT_SLOW);
static const struct yk__words faults = {fault_words, YK_COUNT(fault_words)};

static enum yk_status check_fault(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                                  void *object)
{
    const struct yk_fault *fault = object;
    if (fault->kind == YK_FAULT_REFUSE && (fault->http_status < 400 || fault->http_status > 599))
        return yk_yaml_fail(decoder, node, "a refusal needs a status from 400 to 599");
    if ((fault->nth > 0) == (fault->probability > 0))
        return yk_yaml_fail(decoder, node, "a fault needs either 'nth' or 'probability'");
    return YK_OK;
}

static const struct yk_yaml_field fault_fields[] = {
    YK__WORD("on", &ops, yk_fault, op),
    YK__WORD("do", &faults, yk_fault, kind),
    YK__FIELD("status", yk__sim_i32, yk_fault, http_status),
    YK__FIELD("nth", yk__sim_u64, yk_fault, nth),
    YK__FIELD("count", yk__sim_u64, yk_fault, count),
    YK__FIELD("probability", yk__sim_unit, yk_fault, probability),
    YK__FIELD("retryAfter", yk__sim_duration, yk_fault, retry_after_ns),
    YK__FIELD("delay", yk__sim_duration, yk_fault, delay_ns),
};
static const struct yk_yaml_schema fault_schema = {
    .what = "fault", .size = sizeof(struct yk_fault), YK__ROWS(fault_fields), .check = check_fault};

static YK__READER(read_kind)
{
    const char *items[YK_KIND_COUNT];
    for (int kind = 0; kind < YK_KIND_COUNT; kind++)
        items[kind] = yk_kind_name((enum yk_kind)kind);
    const struct yk__words kinds = {items, YK_COUNT(items)};
    struct yk_yaml_field with_words = *field;
    with_words.detail = &kinds;
    return yk__sim_word(decoder, &with_words, value, object);
}

static const char *const watch_words[] = {
    [YK_WATCH_FAULT_PAUSE] = "pause",
    [YK_WATCH_FAULT_RELIST] = "relist",
    [YK_WATCH_FAULT_CUT] = "cutList",
};
YK_INDEXED_BY(watch_words, YK_WATCH_FAULT_CUT);
static const struct yk__words watch_faults = {watch_words, YK_COUNT(watch_words)};

static const struct yk_yaml_field break_fields[] = {
    YK__REQUIRED("of", read_kind, yk_scenario_break, kind),
    YK__WORD("how", &watch_faults, yk_scenario_break, how),
    YK__FIELD("gap", yk__sim_duration, yk_scenario_break, gap_ns),
};
static const struct yk_yaml_schema break_schema = {
    .what = "breakWatch", .size = sizeof(struct yk_scenario_break), YK__ROWS(break_fields)};

/* ---- the step ---- */

struct action {
    enum yk_step_kind kind;
    struct yk_yaml_field field; /* how the value of the action is read into its member of `with` */
};

static enum yk_status fail_actions(struct yk_yaml_decoder *decoder, const struct yk_yaml_node *node,
                                   int actions)
{
    return yk_yaml_fail(decoder, node, "a step does one thing; this one names %d", actions);
}

static YK__READER(read_action)
{
    const struct action *action = field->detail;
    struct yk_scenario_step *step = object;
    if (step->kind != YK_STEP_NONE) /* a merge key has set another action already */
        return fail_actions(decoder, value, 2);
    step->kind = action->kind;
    return yk_yaml_value(decoder, &action->field, value, object);
}

static YK__READER(read_true)
{
    (void)object;
    bool truth = false;
    enum yk_status status = yk__sim_bool(decoder, &(struct yk_yaml_field){.key = field->key}, value, &truth);
    if (status == YK_OK && !truth)
        return yk_yaml_fail(decoder, value, "the only allowed value is true");
    return status;
}

#define ACTION(name, kind_, ...)                                                                             \
    {                                                                                                        \
        .key = (name), .read = read_action,                                                                  \
        .detail = &(const struct action){(kind_), {.key = (name), __VA_ARGS__}},                             \
    }
#define IN(member, schema_)                                                                                  \
    .kind = YK_YAML_FIELD_STRUCT, .offset = YK__AT(yk_scenario_step, with.member), .schema = (schema_)
#define NAMES                                                                                                \
    .read = yk__sim_names, .offset = YK__AT(yk_scenario_step, with.names.items),                             \
    .aside = YK__AT(yk_scenario_step, with.names.count), .max = NAMES_MAX

static const struct yk_yaml_field step_fields[] = {
    YK__REQUIRED("at", yk__sim_duration, yk_scenario_step, at_ns),
    YK__TEXT("note", yk_scenario_step, note),
    ACTION("submit", YK_STEP_SUBMIT, IN(submit, &submit_schema)),
    ACTION("delete", YK_STEP_DELETE, IN(delete_, &delete_schema)),
    ACTION("reload", YK_STEP_RELOAD, .kind = YK_YAML_FIELD_TEXT,
           .offset = YK__AT(yk_scenario_step, with.queues)),
    ACTION("addNodes", YK_STEP_ADD_NODES, IN(nodes, &yk__scenario_nodes)),
    ACTION("removeNodes", YK_STEP_REMOVE_NODES, NAMES),
    ACTION("resizeNodes", YK_STEP_RESIZE_NODES, IN(resize, &resize_schema)),
    ACTION("cordon", YK_STEP_CORDON, NAMES),
    ACTION("uncordon", YK_STEP_UNCORDON, NAMES),
    ACTION("drain", YK_STEP_DRAIN, NAMES),
    ACTION("fault", YK_STEP_FAULT, IN(fault, &fault_schema)),
    ACTION("clearFaults", YK_STEP_CLEAR_FAULTS, .read = read_true),
    ACTION("breakWatch", YK_STEP_BREAK_WATCH, IN(break_, &break_schema)),
};
static const struct yk_yaml_schema step_schema = {
    .what = "a step", .size = sizeof(struct yk_scenario_step), YK__ROWS(step_fields)};

/* Reads a step. Actions share a union, so a second action would overwrite the first one. So the actions are
 * counted before they are read. */
static enum yk_status read_step(struct yk_yaml_decoder *decoder, const struct yk_yaml_field *field,
                                const struct yk_yaml_node *node, void *item)
{
    (void)field;
    const struct yk_yaml_node *mapping = yk_yaml_behind(node);
    const struct yk_yaml_node *key = mapping->kind == YK_YAML_MAPPING ? mapping->u.children.first : NULL;
    int actions = 0;
    for (; key != NULL; key = key->next->next) {
        struct yk_str text =
            yk_yaml_behind(key)->kind == YK_YAML_SCALAR ? yk_yaml_behind(key)->u.text : YK_STR("");
        actions += !yk_str_is(text, "at") && !yk_str_is(text, "note") && !yk_str_is(text, "<<");
    }
    if (actions > 1)
        return fail_actions(decoder, node, actions);
    return yk_yaml_decode(decoder, &step_schema, node, item);
}

YK__READER(yk__sim_timeline)
{
    struct yk_scenario *scenario = object;
    return yk_yaml_list(decoder, field, value, sizeof(*scenario->steps), read_step,
                        (void **)(void *)&scenario->steps, &scenario->step_count);
}
