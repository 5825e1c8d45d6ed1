/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/webhook_objects.h"

#include <jansson.h>
#include <stdio.h>

#define API_VERSION "admissionregistration.k8s.io/v1"

enum { HTTPS_PORT = 443, GUARD_MINOR = 30 };

/*
 * Conditions in CEL. `t` is the pod, or the pod template of a workload. A request is guarded when it creates
 * an object that names user.info or the scheduler, or when it changes user.info. Pods labelled app=yunikorn
 * without user.info are not guarded: the scheduler and this controller must start while the controller does
 * not run.
 *
 * An API server evaluates each condition twice for a pod that a webhook patches. Most of the time is taken by
 * converting the object, so a simpler expression gains little.
 */
#define CEL_TEMPLATE(object)                                                                                 \
    "(request.resource.resource == 'pods' ? " object ": request.resource.resource == 'cronjobs' ? " object   \
    ".spec.jobTemplate.spec.template : " object ".spec.template)"
#define CEL_ANNOTATED(t)                                                                                     \
    "(has(" t ".metadata) && has(" t ".metadata.annotations) && 'yunikorn.apache.org/user.info' in " t       \
    ".metadata.annotations)"
#define CEL_USER(t)                                                                                          \
    "(" CEL_ANNOTATED(t) " ? " t ".metadata.annotations['yunikorn.apache.org/user.info'] : '')"
#define CEL_LABELLED                                                                                         \
    "(has(t.metadata) && has(t.metadata.labels) && 'app' in t.metadata.labels && t.metadata.labels['app'] "  \
    "== 'yunikorn')"
#define CEL_SCHEDULED                                                                                        \
    "(has(t.spec) && has(t.spec.schedulerName) && t.spec.schedulerName == 'yunikorn' && !" CEL_LABELLED ")"
#define CEL_NAMED "(" CEL_ANNOTATED("t") " || " CEL_SCHEDULED ")"

static const char guarded[] =
    "[" CEL_TEMPLATE("object") "].exists(t, request.operation == 'CREATE' ? " CEL_NAMED " : [" CEL_TEMPLATE(
        "oldObject") "].exists(o, " CEL_USER("t") " != " CEL_USER("o") "))";
static const char created_not_guarded[] = "![" CEL_TEMPLATE("object") "].exists(t, " CEL_NAMED ")";

enum { GROUPS_MAX = 4, RESOURCES_MAX = 8, OPERATIONS_MAX = 3 };

static const char *const pod_groups[GROUPS_MAX] = {"", "apps", "batch"};
static const char *const pod_kinds[RESOURCES_MAX] = {
    "pods", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs"};
static const char *const core_group[GROUPS_MAX] = {""};
static const char *const config_maps[RESOURCES_MAX] = {"configmaps"};

struct rule {
    const char *operations[OPERATIONS_MAX];
    const char *const *groups, *const *resources; /* arrays of GROUPS_MAX and RESOURCES_MAX entries */
};

static const struct rule pod_rule = {{"CREATE", "UPDATE"}, pod_groups, pod_kinds};
static const struct rule created_pod_rule = {{"CREATE"}, pod_groups, pod_kinds};
static const struct rule config_map_rule = {{"CREATE", "UPDATE"}, core_group, config_maps};

struct webhook {
    const char *name, *path, *failure_policy;
    const struct rule *rule;
    const char *condition_name, *condition; /* NULL: there is no condition */
};

static const struct {
    const char *kind, *name;
} objects[] = {
    [YK_WEBHOOK_VALIDATING] = {"ValidatingWebhookConfiguration", "yunikorn-admission-controller-validations"},
    [YK_WEBHOOK_MUTATING] = {"MutatingWebhookConfiguration", "yunikorn-admission-controller-mutations"},
};
YK_INDEXED_BY(objects, YK_WEBHOOK_KINDS - 1);

static const struct webhook validate_conf = {
    "admission-webhook.yunikorn.validate-conf", "/validate-conf", "Ignore", &config_map_rule, NULL, NULL};
static const struct webhook mutate_pods = {
    "admission-webhook.yunikorn.mutate-pods", "/mutate", "Ignore", &pod_rule, NULL, NULL};
static const struct webhook guard_pods = {
    "admission-webhook.yunikorn.guard-pods", "/mutate", "Fail", &pod_rule, "pods-of-yunikorn", guarded};
/* Its rule has no updates: only updates that change user.info matter, and those are guarded. */
static const struct webhook mutate_others = {"admission-webhook.yunikorn.mutate-pods",
                                             "/mutate",
                                             "Ignore",
                                             &created_pod_rule,
                                             "not-guarded",
                                             created_not_guarded};

const char *yk_webhook_object_name(enum yk_webhook_kind kind)
{
    return objects[kind].name;
}

bool yk_webhook_can_guard(const char *version)
{
    unsigned major = 0, minor = 0;
    if (sscanf(version, "v%u.%u", &major, &minor) != 2)
        return false;
    return major > 1 || (major == 1 && minor >= GUARD_MINOR);
}

/* ---- how they must look ---- */

static json_t *texts(const char *const *items, size_t max)
{
    json_t *array = json_array();
    for (size_t i = 0; i < max && items[i] != NULL; i++)
        json_array_append_new(array, json_string(items[i]));
    return array;
}

static json_t *client_of(const struct webhook *webhook, const struct yk_webhook_settings *settings)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf bundle = {0}, url = {0};
    yk_base64_encode(settings->ca_bundle, &bundle);
    if (settings->url != NULL) {
        yk_buf_printf(&url, "%s%s", settings->url, webhook->path);
        return json_pack("{s:s, s:s}", "url", yk_buf_cstr(&url), "caBundle", yk_buf_cstr(&bundle));
    }
    return json_pack("{s:{s:s, s:s, s:s, s:i}, s:s}", "service", "name", settings->service, "namespace",
                     settings->namespace_, "path", webhook->path, "port", HTTPS_PORT, "caBundle",
                     yk_buf_cstr(&bundle));
}

static json_t *rules_of(const struct rule *rule)
{
    static const char *const versions[] = {"v1"};
    return json_pack("[{s:o, s:o, s:o, s:o, s:s}]", "operations", texts(rule->operations, OPERATIONS_MAX),
                     "apiGroups", texts(rule->groups, GROUPS_MAX), "apiVersions",
                     texts(versions, YK_COUNT(versions)), "resources", texts(rule->resources, RESOURCES_MAX),
                     "scope", "*");
}

static json_t *webhook_of(const struct webhook *webhook, const struct yk_webhook_settings *settings)
{
    json_t *made = json_pack("{s:s, s:o, s:o, s:s, s:s, s:[s]}", "name", webhook->name, "clientConfig",
                             client_of(webhook, settings), "rules", rules_of(webhook->rule), "failurePolicy",
                             webhook->failure_policy, "sideEffects", "None", "admissionReviewVersions", "v1");
    if (webhook->condition != NULL)
        json_object_set_new(
            made, "matchConditions",
            json_pack("[{s:s, s:s}]", "name", webhook->condition_name, "expression", webhook->condition));
    return made;
}

static json_t *webhooks_of(enum yk_webhook_kind kind, const struct yk_webhook_settings *settings)
{
    json_t *array = json_array();
    if (kind == YK_WEBHOOK_VALIDATING) {
        json_array_append_new(array, webhook_of(&validate_conf, settings));
    } else if (settings->is_guarding) {
        /* The guard is first: a patch of the other webhook would make the condition of the guard true. */
        json_array_append_new(array, webhook_of(&guard_pods, settings));
        json_array_append_new(array, webhook_of(&mutate_others, settings));
    } else {
        json_array_append_new(array, webhook_of(&mutate_pods, settings));
    }
    return array;
}

/* ---- what differs ---- */

static bool differ(struct yk_err *why, const char *webhook, const char *field)
{
    (void)yk_fail(why, YK_ERR_STATE, "webhook '%s': %s", webhook, field); /* the status is not used */
    return true;
}

/* Whether the webhook has match conditions. If it has none, the API server may write an empty list. */
static bool has_conditions(json_t *webhook)
{
    return json_array_size(json_object_get(webhook, "matchConditions")) > 0;
}

static bool webhook_differs(json_t *have, json_t *want, struct yk_err *why)
{
    const char *field, *name = json_string_value(json_object_get(want, "name"));
    json_t *value;
    json_object_foreach(want, field, value)
    {
        if (!json_equal(json_object_get(have, field), value))
            return differ(why, name, field);
    }
    return has_conditions(have) && !has_conditions(want) && differ(why, name, "matchConditions");
}

static bool is_labelled(json_t *object)
{
    json_t *labels = json_object_get(json_object_get(object, "metadata"), "labels");
    const char *app = json_string_value(json_object_get(labels, "app"));
    return app != NULL && strcmp(app, "yunikorn") == 0;
}

static bool object_differs(json_t *object, json_t *want, struct yk_err *why)
{
    json_t *have = json_object_get(object, "webhooks"), *webhook;
    size_t i;
    if (!is_labelled(object)) {
        (void)yk_fail(why, YK_ERR_STATE, "the label app=yunikorn is missing"); /* the status is not used */
        return true;
    }
    if (json_array_size(have) != json_array_size(want)) {
        (void)yk_fail(why, YK_ERR_STATE, "it has %zu webhooks instead of %zu", json_array_size(have),
                      json_array_size(want)); /* the status is not used */
        return true;
    }
    json_array_foreach(want, i, webhook)
    {
        if (webhook_differs(json_array_get(have, i), webhook, why))
            return true;
    }
    return false;
}

/* ---- repair ---- */

static json_t *find_webhook(json_t *webhooks, const char *name)
{
    size_t i;
    json_t *webhook;
    json_array_foreach(webhooks, i, webhook)
    {
        const char *its = json_string_value(json_object_get(webhook, "name"));
        if (its != NULL && strcmp(its, name) == 0)
            return webhook;
    }
    return NULL;
}

/* A copy of the webhook in `have` that has the name of `want`, with the fields of `want` set. Without such a
 * webhook, a copy of `want`. */
static json_t *merge_webhook(json_t *have, json_t *want)
{
    json_t *found = find_webhook(have, json_string_value(json_object_get(want, "name")));
    json_t *merged = json_is_object(found) ? json_copy(found) : json_object();
    (void)json_object_del(merged, "matchConditions"); /* fails only if the key is absent */
    json_object_update(merged, want);
    return merged;
}

static void repair(json_t *object, json_t *want)
{
    json_t *metadata = json_object_get(object, "metadata"), *webhook;
    json_t *labels = json_object_get(metadata, "labels"), *merged = json_array();
    size_t i;
    if (!json_is_object(labels)) {
        labels = json_object();
        json_object_set_new(metadata, "labels", labels);
    }
    json_object_set_new(labels, "app", json_string("yunikorn"));
    json_array_foreach(want, i, webhook)
        json_array_append_new(merged, merge_webhook(json_object_get(object, "webhooks"), webhook));
    json_object_set_new(object, "webhooks", merged);
}

static json_t *new_object(enum yk_webhook_kind kind)
{
    return json_pack("{s:s, s:s, s:{s:s}}", "apiVersion", API_VERSION, "kind", objects[kind].kind, "metadata",
                     "name", objects[kind].name);
}

static enum yk_status read_object(enum yk_webhook_kind kind, struct yk_str text, json_t **ret_object,
                                  struct yk_err *err)
{
    if (text.len > YK_WEBHOOK_OBJECT_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%s '%s': %zu bytes, at most %d are read", objects[kind].kind,
                       objects[kind].name, text.len, YK_WEBHOOK_OBJECT_MAX);
    json_t *object = json_loadb(text.p, text.len, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(object) && json_is_object(json_object_get(object, "metadata"))) {
        *ret_object = object;
        return YK_OK;
    }
    json_decref(object);
    return yk_fail(err, YK_ERR_INVALID, "%s '%s': the answer is not such an object", objects[kind].kind,
                   objects[kind].name);
}

static int add_bytes(const char *bytes, size_t len, void *context)
{
    yk_buf_add(context, bytes, len);
    return 0;
}

enum yk_status yk_webhook_object_plan(enum yk_webhook_kind kind, const struct yk_webhook_settings *settings,
                                      struct yk_str current, bool *ret_differs, struct yk_buf *ret_body,
                                      struct yk_err *why, struct yk_err *err)
{
    json_t *object = NULL, *want = webhooks_of(kind, settings);
    enum yk_status st = YK_OK;
    bool differs = true;
    if (current.p == NULL) {
        object = new_object(kind);
        (void)yk_fail(why, YK_ERR_NOT_FOUND, "it does not exist"); /* the status is not used */
    } else {
        st = read_object(kind, current, &object, err);
        differs = st == YK_OK && object_differs(object, want, why);
    }
    if (st == YK_OK && differs) {
        repair(object, want);
        (void)json_dump_callback(object, add_bytes, ret_body, JSON_COMPACT); /* `failed` is checked below */
        if (ret_body->failed)
            st = yk_fail(err, YK_ERR_LIMIT, "%s '%s' is too large", objects[kind].kind, objects[kind].name);
    }
    json_decref(object);
    json_decref(want);
    if (st == YK_OK)
        *ret_differs = differs;
    return st;
}
