/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen in a scenario, one reader per kind of step. */
#include "simulate/scenario_priv.h"

enum {
    TAINTS_MAX = 100,
    NAMES_MAX = 10000,
    NAME_BYTES_MAX = 200, /* leaves room for the numbers that are put behind it */
};

static enum yk_status read_short_name(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_str name = {0};
    enum yk_status status = yk_yaml_name(yaml, node, &name);
    if (status == YK_OK && name.len > NAME_BYTES_MAX)
        return yk_yaml_fail(yaml, node, "the name is longer than %d bytes", NAME_BYTES_MAX);
    if (status == YK_OK)
        *(struct yk_str *)target = name;
    return status;
}

static enum yk_status read_count(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    uint64_t count = 0;
    enum yk_status status = yk_yaml_u64(yaml, node, &count);
    if (status == YK_OK && (count == 0 || count > YK_SCENARIO_PODS_MAX))
        return yk_yaml_fail(yaml, node, "%llu is not between 1 and %d", (unsigned long long)count,
                            YK_SCENARIO_PODS_MAX);
    if (status == YK_OK)
        *(uint64_t *)target = count;
    return status;
}

/* One of `words`; the target is an enum that counts from 0. */
static enum yk_status read_word(struct yk_yaml *yaml, const yaml_node_t *node, const char *const *words,
                                size_t count, int *ret)
{
    struct yk_str word = {0};
    enum yk_status status = yk_yaml_text(yaml, node, &word);
    if (status != YK_OK)
        return status;
    YK_CLEANUP(yk_buf_done) struct yk_buf known = {0};
    for (size_t i = 0; i < count; i++) {
        if (words[i] != NULL && yk_str_is(word, words[i])) {
            *ret = (int)i;
            return YK_OK;
        }
        yk_buf_printf(&known, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    return yk_yaml_fail(yaml, node, "'" YK_STR_FMT "' is none of %s", YK_STR_ARG(word), yk_buf_cstr(&known));
}

/* ---- nodes ---- */

static enum yk_status read_taint(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"key", yk_yaml_name, offsetof(struct yk_taint, key), true},
        {"value", yk_yaml_text, offsetof(struct yk_taint, value), false},
        {"effect", yk_yaml_name, offsetof(struct yk_taint, effect), true},
    };
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), target);
}

static enum yk_status read_taints(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_nodes *nodes = target;
    void *items = NULL;
    enum yk_status status =
        yk_yaml_list(yaml, node, TAINTS_MAX, sizeof(*nodes->taints), read_taint, &items, &nodes->taint_count);
    nodes->taints = items;
    return status;
}

enum yk_status yk__scenario_nodes(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"name", read_short_name, offsetof(struct yk_scenario_nodes, name), true},
        {"count", read_count, offsetof(struct yk_scenario_nodes, count), true},
        {"labels", yk_yaml_pairs, offsetof(struct yk_scenario_nodes, labels), false},
        {"allocatable", yk_yaml_amounts, offsetof(struct yk_scenario_nodes, allocatable), true},
        {"taints", read_taints, 0, false},
    };
    struct yk_scenario_nodes *nodes = target;
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), nodes);
}

/* ---- pods ---- */

static enum yk_status read_toleration(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"key", yk_yaml_text, offsetof(struct yk_toleration, key), false},
        {"operator", yk_yaml_text, offsetof(struct yk_toleration, operator_), false},
        {"value", yk_yaml_text, offsetof(struct yk_toleration, value), false},
        {"effect", yk_yaml_text, offsetof(struct yk_toleration, effect), false},
    };
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), target);
}

static enum yk_status read_tolerations(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_submit *submit = target;
    void *items = NULL;
    enum yk_status status = yk_yaml_list(yaml, node, TAINTS_MAX, sizeof(*submit->tolerations),
                                         read_toleration, &items, &submit->toleration_count);
    submit->tolerations = items;
    return status;
}

/* As the API server takes it: 1 to INT32_MAX whole seconds. */
static enum yk_status read_deadline(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    int64_t deadline_ns = 0;
    enum yk_status status = yk_yaml_duration(yaml, node, &deadline_ns);
    if (status == YK_OK &&
        (deadline_ns <= 0 || deadline_ns % YK_NS_PER_S != 0 || deadline_ns / YK_NS_PER_S > INT32_MAX))
        return yk_yaml_fail(yaml, node, "a deadline is 1 to %d whole seconds", INT32_MAX);
    if (status == YK_OK)
        *(int64_t *)target = deadline_ns;
    return status;
}

static enum yk_status read_submit(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"application", read_short_name, offsetof(struct yk_scenario_submit, application), true},
        {"applications", read_count, offsetof(struct yk_scenario_submit, applications), false},
        {"pods", read_count, offsetof(struct yk_scenario_submit, pods), false},
        {"daemonSet", yk_yaml_bool, offsetof(struct yk_scenario_submit, daemon_set), false},
        {"queue", yk_yaml_name, offsetof(struct yk_scenario_submit, queue), false},
        {"user", yk_yaml_name, offsetof(struct yk_scenario_submit, user), false},
        {"namespace", yk_yaml_name, offsetof(struct yk_scenario_submit, namespace_), false},
        {"requests", yk_yaml_amounts, offsetof(struct yk_scenario_submit, requests), false},
        {"run", yk_yaml_duration, offsetof(struct yk_scenario_submit, run_ns), false},
        {"deadline", read_deadline, offsetof(struct yk_scenario_submit, deadline_ns), false},
        {"every", yk_yaml_duration, offsetof(struct yk_scenario_submit, every_ns), false},
        {"priority", yk_yaml_i32, offsetof(struct yk_scenario_submit, priority), false},
        {"priorityClass", yk_yaml_name, offsetof(struct yk_scenario_submit, priority_class), false},
        {"labels", yk_yaml_pairs, offsetof(struct yk_scenario_submit, labels), false},
        {"annotations", yk_yaml_pairs, offsetof(struct yk_scenario_submit, annotations), false},
        {"nodeSelector", yk_yaml_pairs, offsetof(struct yk_scenario_submit, node_selector), false},
        {"tolerations", read_tolerations, 0, false},
    };
    struct yk_scenario_step *step = target;
    step->kind = YK_STEP_SUBMIT;
    step->with.submit = (struct yk_scenario_submit){.applications = 1, .namespace_ = YK_STR("default")};
    struct yk_scenario_submit *submit = &step->with.submit;
    enum yk_status status = yk_yaml_map(yaml, node, fields, YK_COUNT(fields), submit);
    if (status == YK_OK && submit->daemon_set && submit->pods + submit->every_ns > 0)
        return yk_yaml_fail(yaml, node, "a daemonSet has one pod per node: no 'pods' and no 'every'");
    if (status == YK_OK && !submit->daemon_set && submit->pods == 0)
        return yk_yaml_fail(yaml, node, "'pods' is missing");
    return status;
}

static enum yk_status read_delete(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"application", yk_yaml_name, offsetof(struct yk_scenario_delete, application), true},
        {"pods", read_count, offsetof(struct yk_scenario_delete, pods), false},
    };
    struct yk_scenario_step *step = target;
    step->kind = YK_STEP_DELETE;
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), &step->with.delete_);
}

/* ---- the cluster ---- */

static enum yk_status read_reload(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_step *step = target;
    step->kind = YK_STEP_RELOAD;
    return yk_yaml_text(yaml, node, &step->with.queues);
}

static enum yk_status read_add_nodes(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_step *step = target;
    step->kind = YK_STEP_ADD_NODES;
    return yk__scenario_nodes(yaml, node, &step->with.nodes);
}

static enum yk_status read_names(struct yk_yaml *yaml, const yaml_node_t *node, struct yk_scenario_step *step,
                                 enum yk_step_kind kind)
{
    void *items = NULL;
    step->kind = kind;
    enum yk_status status = yk_yaml_list(yaml, node, NAMES_MAX, sizeof(struct yk_str), yk_yaml_name, &items,
                                         &step->with.names.count);
    step->with.names.items = items;
    return status;
}

static enum yk_status read_remove_nodes(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_names(yaml, node, target, YK_STEP_REMOVE_NODES);
}

static enum yk_status read_node_names(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_resize *resize = target;
    void *items = NULL;
    enum yk_status status =
        yk_yaml_list(yaml, node, NAMES_MAX, sizeof(struct yk_str), yk_yaml_name, &items, &resize->name_count);
    resize->names = items;
    return status;
}

static enum yk_status read_resize_nodes(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"names", read_node_names, 0, true},
        {"allocatable", yk_yaml_amounts, offsetof(struct yk_scenario_resize, allocatable), true},
    };
    struct yk_scenario_step *step = target;
    step->kind = YK_STEP_RESIZE_NODES;
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), &step->with.resize);
}

static enum yk_status read_cordon(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_names(yaml, node, target, YK_STEP_CORDON);
}

static enum yk_status read_uncordon(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    return read_names(yaml, node, target, YK_STEP_UNCORDON);
}

/* ---- faults ---- */

static enum yk_status read_op(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const char *const words[] = {
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
    int index = 0;
    enum yk_status status = read_word(yaml, node, words, YK_COUNT(words), &index);
    *(enum yk_op_kind *)target = (enum yk_op_kind)index;
    return status;
}

static enum yk_status read_fault_kind(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const char *const words[] = {
        [YK_FAULT_REFUSE] = "refuse",
        [YK_FAULT_LOSE] = "loseAnswer",
        [YK_FAULT_NO_ANSWER] = "noAnswer",
        [YK_FAULT_SLOW] = "slow",
    };
    YK_INDEXED_BY(words, YK_FAULT_SLOW);
    int index = 0;
    enum yk_status status = read_word(yaml, node, words, YK_COUNT(words), &index);
    *(enum yk_fault_kind *)target = (enum yk_fault_kind)index;
    return status;
}

static enum yk_status read_fault(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"on", read_op, offsetof(struct yk_fault, op), true},
        {"do", read_fault_kind, offsetof(struct yk_fault, kind), true},
        {"status", yk_yaml_i32, offsetof(struct yk_fault, http_status), false},
        {"nth", yk_yaml_u64, offsetof(struct yk_fault, nth), false},
        {"count", yk_yaml_u64, offsetof(struct yk_fault, count), false},
        {"probability", yk_yaml_unit, offsetof(struct yk_fault, probability), false},
        {"retryAfter", yk_yaml_duration, offsetof(struct yk_fault, retry_after_ns), false},
        {"delay", yk_yaml_duration, offsetof(struct yk_fault, delay_ns), false},
    };
    struct yk_scenario_step *step = target;
    step->kind = YK_STEP_FAULT;
    enum yk_status status = yk_yaml_map(yaml, node, fields, YK_COUNT(fields), &step->with.fault);
    if (status != YK_OK)
        return status;
    const struct yk_fault *fault = &step->with.fault;
    if (fault->kind == YK_FAULT_REFUSE && (fault->http_status < 400 || fault->http_status > 599))
        return yk_yaml_fail(yaml, node, "a refusal needs a status from 400 to 599");
    if ((fault->nth > 0) == (fault->probability > 0))
        return yk_yaml_fail(yaml, node, "a fault needs either 'nth' or 'probability'");
    return YK_OK;
}

static enum yk_status read_clear_faults(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    struct yk_scenario_step *step = target;
    bool truth = false;
    enum yk_status status = yk_yaml_bool(yaml, node, &truth);
    if (status == YK_OK && !truth)
        return yk_yaml_fail(yaml, node, "only true makes sense here");
    step->kind = YK_STEP_CLEAR_FAULTS;
    return status;
}

static enum yk_status read_kind(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    const char *words[YK_KIND_COUNT];
    for (int kind = 0; kind < YK_KIND_COUNT; kind++)
        words[kind] = yk_kind_name((enum yk_kind)kind);
    int index = 0;
    enum yk_status status = read_word(yaml, node, words, YK_COUNT(words), &index);
    *(enum yk_kind *)target = (enum yk_kind)index;
    return status;
}

static enum yk_status read_watch_fault(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const char *const words[] = {
        [YK_WATCH_FAULT_PAUSE] = "pause",
        [YK_WATCH_FAULT_RELIST] = "relist",
        [YK_WATCH_FAULT_CUT] = "cutList",
    };
    YK_INDEXED_BY(words, YK_WATCH_FAULT_CUT);
    int index = 0;
    enum yk_status status = read_word(yaml, node, words, YK_COUNT(words), &index);
    *(enum yk_watch_fault *)target = (enum yk_watch_fault)index;
    return status;
}

static enum yk_status read_break_watch(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"of", read_kind, offsetof(struct yk_scenario_break, kind), true},
        {"how", read_watch_fault, offsetof(struct yk_scenario_break, how), true},
        {"gap", yk_yaml_duration, offsetof(struct yk_scenario_break, gap_ns), false},
    };
    struct yk_scenario_step *step = target;
    step->kind = YK_STEP_BREAK_WATCH;
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), &step->with.break_);
}

/* ---- the step ---- */

static enum yk_status count_actions(struct yk_yaml *yaml, const yaml_node_t *node, int *ret_actions)
{
    *ret_actions = 0;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = yaml_document_get_node(&yaml->document, pair->key);
        if (key->type != YAML_SCALAR_NODE)
            return yk_yaml_fail(yaml, key, "a key is expected here");
        const char *text = (const char *)key->data.scalar.value;
        *ret_actions += strcmp(text, "at") != 0 && strcmp(text, "note") != 0;
    }
    return YK_OK;
}

enum yk_status yk__scenario_step(struct yk_yaml *yaml, const yaml_node_t *node, void *target)
{
    static const struct yk_yaml_field fields[] = {
        {"at", yk_yaml_duration, offsetof(struct yk_scenario_step, at_ns), true},
        {"note", yk_yaml_text, offsetof(struct yk_scenario_step, note), false},
        {"submit", read_submit, 0, false},
        {"delete", read_delete, 0, false},
        {"reload", read_reload, 0, false},
        {"addNodes", read_add_nodes, 0, false},
        {"removeNodes", read_remove_nodes, 0, false},
        {"resizeNodes", read_resize_nodes, 0, false},
        {"cordon", read_cordon, 0, false},
        {"uncordon", read_uncordon, 0, false},
        {"fault", read_fault, 0, false},
        {"clearFaults", read_clear_faults, 0, false},
        {"breakWatch", read_break_watch, 0, false},
    };
    int actions = 0;
    if (node->type == YAML_MAPPING_NODE) {
        enum yk_status status = count_actions(yaml, node, &actions);
        if (status != YK_OK)
            return status;
        if (actions > 1)
            return yk_yaml_fail(yaml, node, "a step does one thing; this one names %d", actions);
    }
    return yk_yaml_map(yaml, node, fields, YK_COUNT(fields), target);
}
