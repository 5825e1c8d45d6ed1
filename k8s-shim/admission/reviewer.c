/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/reviewer.h"

#include "admission/request.h"
#include "api/json_reader.h"
#include "base/log.h"

#include <jansson.h>

#define INVALID_UID "yunikorn-invalid-body"

enum { HTTP_FORBIDDEN = 403 };

struct yk_reviewer {
    char *namespace_;
    struct yk_cache cache;
    struct yk_cache_observer observer;
    struct yk_review_settings settings;
    bool changed; /* the ConfigMaps, since the settings were read */
};

/* ---- what is observed ---- */

static void config_changed(void *context)
{
    ((struct yk_reviewer *)context)->changed = true;
}

static void listed(void *context, enum yk_kind kind)
{
    (void)context, (void)kind;
}

static void read_settings(struct yk_reviewer *reviewer)
{
    struct yk_merged_config merged;
    yk_config_merge(yk_cache_config_map(&reviewer->cache, 0), yk_cache_config_map(&reviewer->cache, 1),
                    &merged);
    yk_review_settings_done(&reviewer->settings);
    yk_review_settings_init(&reviewer->settings, &merged);
    yk_merged_config_done(&merged);
    reviewer->changed = false;
}

struct yk_reviewer *yk_reviewer_new(const char *namespace_)
{
    struct yk_reviewer *reviewer = yk_new0(struct yk_reviewer);
    reviewer->namespace_ = yk_strdup(namespace_);
    reviewer->observer =
        (struct yk_cache_observer){.context = reviewer, .config_changed = config_changed, .listed = listed};
    yk_cache_init(&reviewer->cache, &reviewer->observer, namespace_);
    read_settings(reviewer);
    return reviewer;
}

void yk_reviewer_free(struct yk_reviewer *reviewer)
{
    if (reviewer == NULL)
        return;
    yk_cache_done(&reviewer->cache);
    yk_review_settings_done(&reviewer->settings);
    free(reviewer->namespace_);
    free(reviewer);
}

void yk_reviewer_observe(struct yk_reviewer *reviewer, enum yk_kind kind, enum yk_watch_event event,
                         struct yk_object *object)
{
    bool is_wanted =
        kind == YK_KIND_CONFIG_MAP || kind == YK_KIND_NAMESPACE || kind == YK_KIND_PRIORITY_CLASS;
    if (!YK_ASSERT(is_wanted)) {
        yk_object_free(object);
        return;
    }
    yk_cache_apply(&reviewer->cache, kind, event, object);
    if (reviewer->changed)
        read_settings(reviewer);
}

/* ---- requests ---- */

static const json_t *object_or_null(const json_t *json)
{
    return json_is_object(json) ? json : NULL;
}

/* A name with a NUL would be another one in a message or a log. */
static bool is_text(struct yk_str text)
{
    return text.p != NULL && memchr(text.p, '\0', text.len) == NULL;
}

static bool groups_are_texts(const json_t *groups)
{
    for (size_t i = 0; i < json_array_size(groups); i++) {
        if (!is_text(yk_json_str_of(json_array_get(groups, i))))
            return false;
    }
    return groups == NULL || json_is_array(groups) || json_is_null(groups);
}

static struct yk_str name_of(const json_t *request)
{
    struct yk_str name = yk_json_entry(request, "name");
    return yk_str_empty(name) ? yk_json_str_of(yk_json_at(request, "object", "metadata", "name", NULL))
                              : name;
}

/* False: it is no request. */
static bool read_request(const struct yk_reviewer *reviewer, const json_t *json,
                         struct yk_admission_request *ret)
{
    struct yk_str namespace_ = yk_json_entry(json, "namespace");
    *ret = (struct yk_admission_request){
        .uid = yk_json_entry(json, "uid"),
        .kind = yk_json_str_of(yk_json_at(json, "kind", "kind", NULL)),
        .operation = yk_json_entry(json, "operation"),
        .namespace_ = yk_str_empty(namespace_) ? YK_STR("default") : namespace_,
        .name = name_of(json),
        .user = yk_json_str_of(yk_json_at(json, "userInfo", "username", NULL)),
        .groups = yk_json_at(json, "userInfo", "groups", NULL),
        .object = object_or_null(json_object_get(json, "object")),
        .old_object = object_or_null(json_object_get(json, "oldObject")),
        .settings = &reviewer->settings,
        .cache = &reviewer->cache,
        .own_namespace = yk_str_from(reviewer->namespace_),
    };
    return ret->uid.len > 0 && is_text(ret->uid) && is_text(ret->kind) && is_text(ret->operation) &&
           is_text(ret->namespace_) && (ret->user.p == NULL || is_text(ret->user)) &&
           groups_are_texts(ret->groups);
}

static void decide(enum yk_review_path path, const struct yk_admission_request *request,
                   struct yk_admission_decision *decision)
{
    bool writes = yk_str_is(request->operation, "CREATE") || yk_str_is(request->operation, "UPDATE");
    if (!writes)
        return;
    if (request->object == NULL)
        yk_admission_deny(decision, "the request has no object");
    else if (path == YK_REVIEW_VALIDATE_CONF && yk_str_is(request->kind, "ConfigMap"))
        yk_review_config(request, decision);
    else if (path == YK_REVIEW_MUTATE && yk_str_is(request->kind, "Pod"))
        yk_review_pod(request, decision);
    else if (path == YK_REVIEW_MUTATE && yk_is_workload(request->kind))
        yk_review_workload(request, decision);
}

/* ---- answers ---- */

static void put_denial(struct yk_json *json, const struct yk_admission_decision *decision)
{
    yk_json_key(json, "status");
    yk_json_object_begin(json);
    yk_json_add_text(json, "status", "Failure");
    yk_json_add_text(json, "message", yk_buf_cstr(&decision->reason));
    yk_json_add_text(json, "reason", "Forbidden");
    yk_json_add_int(json, "code", HTTP_FORBIDDEN);
    yk_json_object_end(json);
}

static void put_patch(struct yk_json *json, const struct yk_json_patch *patch)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf encoded = {0};
    if (patch->operations.len == 0)
        return;
    yk_base64_encode(yk_buf_view(&patch->operations), &encoded);
    yk_json_add_text(json, "patchType", "JSONPatch");
    yk_json_key(json, "patch");
    yk_json_str(json, yk_buf_view(&encoded));
}

static void put_warnings(struct yk_json *json, const struct yk_admission_decision *decision)
{
    if (decision->warning_count == 0)
        return;
    yk_json_key(json, "warnings");
    yk_json_array_begin(json);
    for (size_t i = 0; i < decision->warning_count; i++)
        yk_json_str(json, yk_buf_view(&decision->warnings[i]));
    yk_json_array_end(json);
}

static void put_answer(struct yk_buf *out, struct yk_str uid, const struct yk_admission_decision *decision)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, out);
    yk_json_object_begin(json);
    yk_json_add_text(json, "kind", "AdmissionReview");
    yk_json_add_text(json, "apiVersion", "admission.k8s.io/v1");
    yk_json_key(json, "response");
    yk_json_object_begin(json);
    yk_json_key(json, "uid");
    yk_json_str(json, uid);
    yk_json_add_bool(json, "allowed", !decision->denied);
    if (decision->denied)
        put_denial(json, decision);
    else
        put_patch(json, &decision->patch);
    put_warnings(json, decision);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

static void log_denial(const struct yk_admission_request *request,
                       const struct yk_admission_decision *decision)
{
    yk_info(yk_log_admission, "request denied", KV("kind", request->kind),
            KV("operation", request->operation), KV("namespace", request->namespace_),
            KV("name", request->name), KV("user", request->user),
            KV("reason", yk_buf_cstr(&decision->reason)));
}

static void decision_done(struct yk_admission_decision *decision)
{
    yk_buf_done(&decision->reason);
    yk_json_patch_done(&decision->patch);
    for (size_t i = 0; i < decision->warning_count; i++)
        yk_buf_done(&decision->warnings[i]);
}

static void json_freep(json_t **json)
{
    json_decref(*json);
}

void yk_reviewer_review(struct yk_reviewer *reviewer, enum yk_review_path path, struct yk_str body,
                        struct yk_buf *ret_answer)
{
    YK_CLEANUP(json_freep) json_t *root = NULL;
    YK_CLEANUP(decision_done) struct yk_admission_decision decision = {0};
    struct yk_admission_request request;
    struct yk_err err = {.text = "no uid, kind or operation"};
    yk_json_patch_init(&decision.patch);
    if (yk_json_parse(body, &root, &err) != YK_OK ||
        !read_request(reviewer, json_object_get(root, "request"), &request)) {
        yk_admission_deny(&decision, "not an AdmissionReview: %s", err.text);
        put_answer(ret_answer, YK_STR(INVALID_UID), &decision);
        return;
    }
    decide(path, &request, &decision);
    yk_json_patch_finish(&decision.patch);
    if (decision.denied)
        log_denial(&request, &decision);
    put_answer(ret_answer, request.uid, &decision);
}
