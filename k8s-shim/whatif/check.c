/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/check.h"

#include "api/json_reader.h"
#include "api/pod_keys.h"
#include "app/task_groups.h"
#include "resources/quantity.h"
#include "selectors/requirement.h"

#include <jansson.h>
#include <strings.h>

enum { PATH_MAX_BYTES = 96 };

static const yk_quantity nano = 1000000000; /* billionths of a unit in a unit */

/* The form of the messages of the API server. */
static enum yk_status wrong(const char *field, const char *value, const char *why, struct yk_err *err)
{
    return yk_fail(err, YK_ERR_INVALID, "%s: Invalid value: \"%.80s\": %s", field, value, why);
}

/* `compare` compares names as their reader does: strcmp or strcasecmp. */
static enum yk_status check_members(json_t *object, const char *const *known, size_t count,
                                    int (*compare)(const char *, const char *), struct yk_err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        bool is_known = false;
        for (size_t i = 0; i < count; i++)
            is_known |= compare(key, known[i]) == 0;
        if (!is_known)
            return yk_fail(err, YK_ERR_INVALID, "unknown member '%.40s'", key);
    }
    return YK_OK;
}

/* ---- names ---- */

/* A text, if it is there. */
static enum yk_status check_text(const json_t *object, const char *at, const char *key, struct yk_err *err)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL || json_is_null(value) || json_is_string(value))
        return YK_OK;
    return yk_fail(err, YK_ERR_INVALID, "%s.%s must be a text", at, key);
}

/* Labels, or a node selector. */
static enum yk_status check_labels(const char *field, json_t *labels, struct yk_err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(labels, key, value)
    {
        struct yk_str text = {json_string_value(value), json_string_length(value)};
        if (!yk_qualified_name_valid(yk_str_from(key)))
            return wrong(field, key,
                         "a label key is a name of at most 63 letters, digits, '-', '_' and '.', "
                         "with an optional DNS prefix and '/'",
                         err);
        if (json_is_string(value) && !yk_label_value_valid(text))
            return wrong(field, text.p,
                         "a label value has at most 63 letters, digits, '-', '_' and '.', "
                         "with a letter or digit at both ends",
                         err);
    }
    return YK_OK;
}

static enum yk_status check_annotations(json_t *annotations, struct yk_err *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(annotations, key, value)
    {
        if (!json_is_string(value))
            return yk_fail(err, YK_ERR_INVALID, "metadata.annotations[%.80s] must be a text", key);
    }
    return YK_OK;
}

static enum yk_status check_metadata(const json_t *metadata, struct yk_err *err)
{
    static const char *const texts[] = {"name", "generateName", "namespace"};
    enum yk_status st = YK_OK;
    for (size_t i = 0; st == YK_OK && i < YK_COUNT(texts); i++)
        st = check_text(metadata, "metadata", texts[i], err);
    if (st == YK_OK)
        st = check_labels("metadata.labels", json_object_get(metadata, "labels"), err);
    return st == YK_OK ? check_annotations(json_object_get(metadata, "annotations"), err) : st;
}

/* ---- amounts ---- */

static bool has_domain(const char *resource)
{
    return strchr(resource, '/') != NULL;
}

static bool is_huge_page(const char *resource)
{
    static const char prefix[] = "hugepages-";
    struct yk_str size = yk_str_from(resource);
    yk_quantity ignored;
    if (!yk_str_starts(size, prefix))
        return false;
    size.p += strlen(prefix);
    size.len -= strlen(prefix);
    return yk_quantity_parse(size, &ignored, NULL) == YK_OK;
}

static bool is_of_containers(const char *resource)
{
    return has_domain(resource) || strcmp(resource, "cpu") == 0 || strcmp(resource, "memory") == 0 ||
           strcmp(resource, "ephemeral-storage") == 0 || is_huge_page(resource);
}

/* Whether there are only whole units of the resource. */
static bool is_counted(const char *resource)
{
    return has_domain(resource) || strcmp(resource, "pods") == 0;
}

/* A quantity as the text that was written. The caller frees it. NULL: it is neither a text nor a number, which
 * its reader refuses or takes as 0. */
static char *text_of(const json_t *quantity)
{
    if (json_is_string(quantity))
        return yk_strdup(json_string_value(quantity));
    return json_is_number(quantity) ? json_dumps(quantity, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) : NULL;
}

/* `*ret` is 0 if there is no quantity. */
static enum yk_status check_amount(const char *field, const char *resource, const json_t *quantity,
                                   yk_quantity *ret, struct yk_err *err)
{
    YK_CLEANUP(yk_freep) char *text = text_of(quantity);
    char full[PATH_MAX_BYTES + 128];
    *ret = 0;
    if (text == NULL)
        return YK_OK;
    (void)snprintf(full, sizeof(full), "%s[%.80s]", field, resource); /* fits */
    if (yk_quantity_parse(yk_str_trim(yk_str_from(text)), ret, NULL) != YK_OK)
        return wrong(full, text, "it is not a quantity", err);
    if (*ret < 0)
        return wrong(full, text, "must be greater than or equal to 0", err);
    if (is_counted(resource) && *ret % nano != 0)
        return wrong(full, text, "must be an integer", err);
    return YK_OK;
}

/* `field` is at most PATH_MAX_BYTES long. `of_container`: the amounts of a container, not those of a node. */
static enum yk_status check_amounts(const char *field, json_t *amounts, bool of_container, struct yk_err *err)
{
    const char *resource;
    json_t *value;
    yk_quantity amount;
    enum yk_status st = YK_OK;
    json_object_foreach(amounts, resource, value)
    {
        if (!yk_qualified_name_valid(yk_str_from(resource)))
            return wrong(field, resource, "it is not the name of a resource", err);
        if (of_container && !is_of_containers(resource))
            return wrong(field, resource,
                         "must be cpu, memory, ephemeral-storage, hugepages-SIZE, or have a "
                         "domain, such as nvidia.com/gpu",
                         err);
        st = check_amount(field, resource, value, &amount, err);
        if (st != YK_OK)
            return st;
    }
    return st;
}

static enum yk_status check_limits(const char *at, const json_t *requests, json_t *limits, struct yk_err *err)
{
    const char *resource;
    json_t *value;
    yk_quantity limit, request;
    char field[PATH_MAX_BYTES];
    (void)snprintf(field, sizeof(field), "%s.resources.requests", at); /* fits */
    json_object_foreach(limits, resource, value)
    {
        const json_t *requested = json_object_get(requests, resource);
        if (requested == NULL || check_amount("", resource, value, &limit, NULL) != YK_OK ||
            check_amount("", resource, requested, &request, NULL) != YK_OK || request <= limit)
            continue;
        YK_CLEANUP(yk_freep) char *text = text_of(requested);
        return yk_fail(err, YK_ERR_INVALID,
                       "%s[%.80s]: Invalid value: \"%.80s\": must be less than or equal to the limit", field,
                       resource, text);
    }
    return YK_OK;
}

/* The member `resources` of a container or of a pod. */
static enum yk_status check_resources(const char *at, const json_t *resources, struct yk_err *err)
{
    char field[PATH_MAX_BYTES];
    json_t *requests = json_object_get(resources, "requests"), *limits = json_object_get(resources, "limits");
    (void)snprintf(field, sizeof(field), "%s.resources.requests", at); /* fits */
    enum yk_status st = check_amounts(field, requests, true, err);
    (void)snprintf(field, sizeof(field), "%s.resources.limits", at); /* fits */
    if (st == YK_OK)
        st = check_amounts(field, limits, true, err);
    return st == YK_OK ? check_limits(at, requests, limits, err) : st;
}

/* ---- pods ---- */

/* Adds the name of the container to `names`, an object that is used as a set. */
static enum yk_status check_name(const char *at, const json_t *container, json_t *names, struct yk_err *err)
{
    char field[PATH_MAX_BYTES];
    const char *name = json_string_value(json_object_get(container, "name"));
    (void)snprintf(field, sizeof(field), "%s.name", at); /* fits */
    if (name == NULL)
        return YK_OK;
    if (!yk_dns_label_valid(yk_str_from(name)))
        return wrong(field, name, "it is not the name of a container", err);
    if (json_object_get(names, name) != NULL)
        return yk_fail(err, YK_ERR_INVALID, "%s: Duplicate value: \"%s\"", field, name);
    (void)json_object_set_new(names, name, json_true()); /* a text of JSON */
    return YK_OK;
}

static enum yk_status check_containers(const char *list, const json_t *containers, struct yk_err *err)
{
    json_t *names = json_object();
    enum yk_status st = YK_OK;
    for (size_t i = 0; st == YK_OK && i < json_array_size(containers); i++) {
        const json_t *container = json_array_get(containers, i);
        char at[PATH_MAX_BYTES / 2];
        (void)snprintf(at, sizeof(at), "spec.%s[%zu]", list, i); /* fits */
        st = check_name(at, container, names, err);
        if (st == YK_OK)
            st = check_resources(at, json_object_get(container, "resources"), err);
    }
    json_decref(names);
    return st;
}

static enum yk_status check_spec(const json_t *spec, struct yk_err *err)
{
    const json_t *containers = json_object_get(spec, "containers");
    if (containers == NULL || json_is_null(containers) ||
        (json_is_array(containers) && json_array_size(containers) == 0))
        return yk_fail(err, YK_ERR_INVALID, "spec.containers: Required value");
    enum yk_status st = check_containers("containers", containers, err);
    if (st == YK_OK)
        st = check_containers("initContainers", json_object_get(spec, "initContainers"), err);
    if (st == YK_OK)
        st = check_resources("spec", json_object_get(spec, "resources"), err);
    if (st == YK_OK)
        st = check_amounts("spec.overhead", json_object_get(spec, "overhead"), true, err);
    if (st == YK_OK)
        st = check_labels("spec.nodeSelector", json_object_get(spec, "nodeSelector"), err);
    return st;
}

/* ---- task groups ---- */

static enum yk_status check_group(json_t *group, struct yk_err *err)
{
    static const char *const known[] = {"name",        "minMember",   "minResource",
                                        "labels",      "annotations", "nodeSelector",
                                        "tolerations", "affinity",    "topologySpreadConstraints"};
    enum yk_status st = check_members(group, known, YK_COUNT(known), strcasecmp, err);
    return st == YK_OK ? check_amounts("minResource", yk_json_member_nocase(group, "minResource"), true, err)
                       : st;
}

/* `text`: the JSON of task groups. */
static enum yk_status check_groups(const char *text, struct yk_err *err)
{
    struct yk_task_groups groups;
    json_t *list = NULL;
    enum yk_status st = yk_task_groups_parse(yk_str_from(text), YK_STR(""), &groups, err);
    if (st != YK_OK)
        return st;
    bool is_empty = groups.count == 0;
    yk_task_groups_done(&groups);
    if (is_empty)
        return yk_fail(err, YK_ERR_INVALID, "there is no task group");
    st = yk_json_parse_strict(yk_str_from(text), &list, err);
    for (size_t i = 0; st == YK_OK && i < json_array_size(list); i++) {
        st = check_group(json_array_get(list, i), err);
        if (st != YK_OK)
            st = yk_fail_in(err, st, "task group %zu", i + 1);
    }
    json_decref(list);
    return st;
}

/* The task groups of the question, which replace those in the annotation of the pod. */
static enum yk_status check_gang(const struct yk_whatif_question *question, struct yk_err *err)
{
    const json_t *metadata = json_object_get(question->object, "metadata");
    const json_t *given = json_object_get(json_object_get(metadata, "annotations"), YK_KEY_TASK_GROUPS);
    bool is_member = question->task_groups != NULL;
    if (!is_member && !json_is_string(given))
        return YK_OK;
    YK_CLEANUP(yk_freep)
    char *text = is_member ? json_dumps(question->task_groups, JSON_COMPACT) : text_of(given);
    enum yk_status st = check_groups(text, err);
    if (st == YK_OK)
        return YK_OK;
    /* A number out of its range does not make the question too long. */
    return yk_fail_in(err, YK_ERR_INVALID,
                      is_member ? "taskGroups" : "metadata.annotations[" YK_KEY_TASK_GROUPS "]");
}

/* ---- questions ---- */

static enum yk_status check_pod(const struct yk_whatif_question *question, struct yk_err *err)
{
    static const char *const known[] = {"apiVersion", "kind", "metadata", "spec", "status"};
    enum yk_status st = check_members(question->object, known, YK_COUNT(known), strcmp, err);
    if (st == YK_OK)
        st = check_metadata(json_object_get(question->object, "metadata"), err);
    if (st == YK_OK)
        st = check_spec(json_object_get(question->object, "spec"), err);
    return st == YK_OK ? check_gang(question, err) : st;
}

static enum yk_status check_node(json_t *node, struct yk_err *err)
{
    static const char *const known[] = {"name",     "allocatable", "apiVersion", "kind",
                                        "metadata", "spec",        "status"};
    const json_t *status = json_object_get(node, "status");
    enum yk_status st = check_members(node, known, YK_COUNT(known), strcmp, err);
    if (st == YK_OK)
        st = check_metadata(json_object_get(node, "metadata"), err);
    if (st == YK_OK)
        st = check_amounts("allocatable", json_object_get(node, "allocatable"), false, err);
    if (st == YK_OK)
        st = check_amounts("status.allocatable", json_object_get(status, "allocatable"), false, err);
    if (st == YK_OK)
        st = check_amounts("status.capacity", json_object_get(status, "capacity"), false, err);
    return st;
}

enum yk_status yk_whatif_check(const struct yk_whatif_question *question, struct yk_err *err)
{
    enum yk_status st = YK_OK;
    switch (question->kind) {
    case YK_WHATIF_POD:
    case YK_WHATIF_JOB:
    case YK_WHATIF_GANG:
        st = check_pod(question, err);
        return st == YK_OK ? YK_OK : yk_fail_in(err, st, "pod");
    case YK_WHATIF_NODE:
        st = check_node(question->object, err);
        return st == YK_OK ? YK_OK : yk_fail_in(err, st, "node");
    case YK_WHATIF_QUEUES:
        break; /* the reader of the configuration checks it */
    }
    return YK_OK;
}
