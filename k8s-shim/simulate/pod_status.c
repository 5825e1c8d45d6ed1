/* SPDX-License-Identifier: Apache-2.0 */
/* Strategic merge patches of the status of a pod: conditions are merged by their type; phase and
 * nominatedNodeName are replaced; other fields are ignored. */
#include "simulate/cluster_priv.h"

#include "api/json_reader.h"

#include <jansson.h>

static enum yk_status text_field(const json_t *object, const char *key, struct yk_str *ret,
                                 struct yk_err *err)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL || json_is_null(value))
        return YK_OK;
    if (!json_is_string(value))
        return yk_fail(err, YK_ERR_INVALID, "status patch: '%s' is not a text", key);
    *ret = (struct yk_str){json_string_value(value), json_string_length(value)};
    return YK_OK;
}

static enum yk_status merge_condition(struct yk_pod *pod, const json_t *item, struct yk_err *err)
{
    struct yk_condition condition = {0};
    enum yk_status status = text_field(item, "type", &condition.type, err);
    if (status == YK_OK && yk_str_empty(condition.type))
        return yk_fail(err, YK_ERR_INVALID, "status patch: a condition without a type");
    /* Fields that the patch does not name keep their values. */
    for (uint32_t i = 0; i < pod->condition_count; i++) {
        if (yk_str_eq(pod->conditions[i].type, condition.type))
            condition = pod->conditions[i];
    }
    if (status == YK_OK)
        status = text_field(item, "status", &condition.status, err);
    if (status == YK_OK)
        status = text_field(item, "reason", &condition.reason, err);
    if (status == YK_OK)
        status = text_field(item, "message", &condition.message, err);
    if (status == YK_OK)
        yk_sim_pod_set_condition(pod, &condition);
    return status;
}

static enum yk_status merge_conditions(struct yk_pod *pod, const json_t *status_part, struct yk_err *err)
{
    const json_t *conditions = json_object_get(status_part, "conditions");
    if (conditions == NULL)
        return YK_OK;
    if (!json_is_array(conditions))
        return yk_fail(err, YK_ERR_INVALID, "status patch: 'conditions' is not a list");
    for (size_t i = 0; i < json_array_size(conditions); i++) {
        enum yk_status status = merge_condition(pod, json_array_get(conditions, i), err);
        if (status != YK_OK)
            return status;
    }
    return YK_OK;
}

static enum yk_status check_guards(const struct yk_pod *pod, const json_t *patch, struct yk_err *err)
{
    const json_t *meta = json_object_get(patch, "metadata");
    struct yk_str uid = {0}, version = {0};
    enum yk_status status = text_field(meta, "uid", &uid, err);
    if (status == YK_OK)
        status = text_field(meta, "resourceVersion", &version, err);
    if (status == YK_OK && version.p != NULL && !yk_str_eq(version, pod->object.resource_version))
        return yk_fail(err, YK_ERR_STATE, "pod \"" YK_STR_FMT "\" has been modified",
                       YK_STR_ARG(pod->object.name));
    if (status == YK_OK && uid.p != NULL && !yk_str_eq(uid, pod->object.uid))
        return yk_fail(err, YK_ERR_STATE, "pod \"" YK_STR_FMT "\" has another uid than '" YK_STR_FMT "'",
                       YK_STR_ARG(pod->object.name), YK_STR_ARG(uid));
    return status;
}

static enum yk_status merge(struct yk_pod *pod, const json_t *patch, struct yk_err *err)
{
    const json_t *status_part = json_object_get(patch, "status");
    struct yk_str phase = {0}, nominated = {0};
    enum yk_status status = check_guards(pod, patch, err);
    if (status == YK_OK)
        status = merge_conditions(pod, status_part, err);
    if (status == YK_OK)
        status = text_field(status_part, "phase", &phase, err);
    if (status == YK_OK)
        status = text_field(status_part, "nominatedNodeName", &nominated, err);
    if (status == YK_OK && phase.p != NULL)
        pod->phase = yk_arena_str(&pod->object.arena, phase);
    if (status == YK_OK && nominated.p != NULL)
        pod->nominated_node = yk_arena_str(&pod->object.arena, nominated);
    return status;
}

char *yk__pod_status_message(struct yk_str body)
{
    json_t *patch = NULL;
    struct yk_str message = {0};
    char *copy = NULL;
    if (yk_json_parse(body, &patch, NULL) == YK_OK &&
        text_field(json_object_get(patch, "status"), "message", &message, NULL) == YK_OK && message.p != NULL)
        copy = yk_str_dup(message);
    json_decref(patch);
    return copy;
}

enum yk_status yk__pod_status_patch(struct yk_pod *pod, struct yk_str body, struct yk_err *err)
{
    json_t *patch = NULL;
    enum yk_status status = yk_json_parse(body, &patch, err);
    if (status != YK_OK)
        return yk_fail_in(err, YK_ERR_INVALID, "status patch");
    status = merge(pod, patch, err);
    json_decref(patch);
    return status;
}
