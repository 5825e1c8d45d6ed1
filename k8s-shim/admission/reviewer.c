/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/reviewer.h"

#include "admission/namespaces.h"
#include "admission/request_priv.h"
#include "api/json_reader.h"
#include "api/json_splitter.h"
#include "api/pod_keys.h"
#include "base/json_writer.h"
#include "base/log.h"
#include "config/settings.h"

#include <ctype.h>

#define INVALID_UID "yunikorn-invalid-body"

enum { CLASS_FORBIDS_PREEMPTION = 1 };

enum yk_status yk_reviewer_new(const struct yk_reviewer_options *options, struct yk_reviewer **ret,
                               struct yk_err *err)
{
    const char *namespace_ = options->namespace_;
    if (namespace_ == NULL || *namespace_ == '\0')
        namespace_ = "default";
    if (strlen(namespace_) > 63)
        return yk_fail(err, YK_ERR_INVALID, "namespace '%s' is longer than 63 bytes", namespace_);
    struct yk_reviewer *reviewer = yk_new0(struct yk_reviewer);
    reviewer->namespace_ = yk_strdup(namespace_);
    yk_admission_settings_init(&reviewer->settings);
    *ret = reviewer;
    return YK_OK;
}

static void release_map(struct yk__shared_map *shared)
{
    if (shared == NULL || --shared->holders > 0)
        return;
    yk_object_free(&shared->map->object);
    free(shared);
}

static struct yk__shared_map *hold_map(struct yk__shared_map *shared)
{
    if (shared != NULL)
        shared->holders++;
    return shared;
}

static const struct yk_config_map *map_of(const struct yk__shared_map *shared)
{
    return shared != NULL ? shared->map : NULL;
}

void yk_reviewer_free(struct yk_reviewer *reviewer)
{
    if (reviewer == NULL)
        return;
    yk_admission_settings_done(&reviewer->settings);
    for (size_t i = 0; i < YK_COUNT(reviewer->maps); i++)
        release_map(reviewer->maps[i]);
    yk_marks_done(&reviewer->namespaces);
    yk_marks_done(&reviewer->classes);
    free(reviewer->namespace_);
    free(reviewer);
}

/* ---- ConfigMaps ---- */

static void apply_settings(struct yk_reviewer *reviewer)
{
    YK_CLEANUP(yk_merged_config_done) struct yk_merged_config merged = {.count = 0};
    YK_CLEANUP(yk_config_errors_done) struct yk_config_errors faults = {0};
    if (reviewer->has_reviewed && !reviewer->settings.hot_refresh) {
        yk_warn(yk_log_admission_conf, "settings do not change: service.enableConfigHotRefresh is false",
                KV("namespace", (const char *)reviewer->namespace_));
        return;
    }
    yk_config_merge(map_of(reviewer->maps[0]), map_of(reviewer->maps[1]), &merged);
    yk_admission_settings_apply(&reviewer->settings, &merged, &faults);
    yk_settings_apply_log_levels(merged.items, merged.count);
    for (uint32_t i = 0; i < faults.count; i++)
        yk_error(yk_log_admission_conf, "faulty setting, the old value stays",
                 KV("err", faults.items[i].text));
}

/* The member of `reviewer->maps` for one of the two ConfigMaps of the scheduler; NULL for any other. */
static struct yk__shared_map **place_of(struct yk_reviewer *reviewer, struct yk_str namespace_,
                                        struct yk_str name)
{
    if (!yk_str_is(namespace_, reviewer->namespace_))
        return NULL;
    if (yk_str_is(name, YK_CONFIG_MAP_DEFAULTS))
        return &reviewer->maps[0];
    return yk_str_is(name, YK_CONFIG_MAP_CONFIGS) ? &reviewer->maps[1] : NULL;
}

void yk_reviewer_put_config_map(struct yk_reviewer *reviewer, struct yk_config_map *taken)
{
    struct yk__shared_map **place = place_of(reviewer, taken->object.namespace_, taken->object.name);
    if (place == NULL) {
        yk_object_free(&taken->object);
        return;
    }
    release_map(*place);
    *place = yk_new0(struct yk__shared_map);
    **place = (struct yk__shared_map){taken, 1};
    apply_settings(reviewer);
}

void yk_reviewer_remove_config_map(struct yk_reviewer *reviewer, struct yk_str namespace_, struct yk_str name)
{
    struct yk__shared_map **place = place_of(reviewer, namespace_, name);
    if (place == NULL || *place == NULL)
        return;
    release_map(*place);
    *place = NULL;
    apply_settings(reviewer);
}

/* ---- Namespaces and PriorityClasses ---- */

static void log_left_out(const char *key, struct yk_str name, const struct yk_err *err)
{
    yk_error(yk_log_admission, "the annotations of an object are ignored", KV(key, name),
             KV("err", (const char *)err->text));
}

void yk_reviewer_put_namespace(struct yk_reviewer *reviewer, const struct yk_namespace *namespace_)
{
    struct yk_err err = {0};
    if (yk_namespaces_put(&reviewer->namespaces, &namespace_->object, &err) != YK_OK)
        log_left_out("namespace", namespace_->object.name, &err);
}

void yk_reviewer_remove_namespace(struct yk_reviewer *reviewer, struct yk_str name)
{
    yk_marks_forget(&reviewer->namespaces, name);
}

void yk_reviewer_put_priority_class(struct yk_reviewer *reviewer, const struct yk_priority_class *class_)
{
    struct yk_err err = {0};
    bool forbids = yk_str_is(yk_pairs_get(&class_->object.annotations, YK_KEY_PREEMPTION), "false");
    uint32_t bits = forbids ? CLASS_FORBIDS_PREEMPTION : 0;
    if (yk_marks_set(&reviewer->classes, class_->object.name, bits, &err) != YK_OK)
        log_left_out("priorityClass", class_->object.name, &err);
}

void yk_reviewer_remove_priority_class(struct yk_reviewer *reviewer, struct yk_str name)
{
    yk_marks_forget(&reviewer->classes, name);
}

/* ---- reviews ---- */

/* The webhooks are configured to send only requests for which this is true. */
static bool is_change(const struct yk__request *request)
{
    return (yk_str_is(request->operation, "CREATE") || yk_str_is(request->operation, "UPDATE")) &&
           yk_str_empty(request->sub_resource);
}

static void mutate(const struct yk_reviewer *reviewer, const struct yk__request *request,
                   struct yk__verdict *verdict)
{
    bool is_pod = yk_str_is(request->kind, "Pod") && yk_str_empty(request->group);
    if (!is_change(request))
        return;
    if (!is_pod)
        yk__workload(reviewer, request, verdict);
    else if (yk_str_is(request->operation, "CREATE"))
        yk__pod_create(reviewer, request, verdict);
    else
        yk__pod_update(reviewer, request, verdict);
}

static void write_patch(struct yk_json *json, const struct yk_patch *patch)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_REVIEW_ANSWER_MAX};
    if (yk_patch_empty(patch) || !yk_patch_base64(patch, &text))
        return;
    yk_json_key(json, "patch");
    yk_json_str(json, yk_buf_view(&text));
    yk_json_add_text(json, "patchType", "JSONPatch");
}

static void write_reason(struct yk_json *json, const struct yk_buf *reason)
{
    yk_json_key(json, "status");
    yk_json_object_begin(json);
    yk_json_key(json, "message");
    yk_json_str(json, yk_buf_view(reason));
    yk_json_object_end(json);
}

static void write_warnings(struct yk_json *json, const struct yk_config_errors *warnings)
{
    yk_json_key(json, "warnings");
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < warnings->count; i++)
        yk_json_str(json, warnings->items[i].text);
    yk_json_array_end(json);
}

static void write_answer(struct yk_buf *answer, struct yk_str uid, const struct yk__verdict *verdict)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, answer);
    yk_json_object_begin(json);
    yk_json_add_text(json, "kind", "AdmissionReview");
    yk_json_add_text(json, "apiVersion", "admission.k8s.io/v1");
    yk_json_key(json, "response");
    yk_json_object_begin(json);
    yk_json_key(json, "uid");
    yk_json_str(json, uid);
    yk_json_add_bool(json, "allowed", verdict->allowed);
    if (!verdict->allowed)
        write_reason(json, &verdict->reason);
    else
        write_patch(json, &verdict->patch);
    if (verdict->warnings.count > 0)
        write_warnings(json, &verdict->warnings);
    yk_json_object_end(json);
    yk_json_object_end(json);
    yk_buf_char(answer, '\n');
}

static void log_verdict(const struct yk__request *request, const struct yk__verdict *verdict)
{
    if (verdict->allowed)
        yk_debug(yk_log_admission_webhook, "allowed", KV("uid", request->uid), KV("kind", request->kind),
                 KV("operation", request->operation), KV("namespace", request->namespace_),
                 KV("user", request->user), KV("patched", !yk_patch_empty(&verdict->patch)));
    else
        yk_info(yk_log_admission_webhook, "denied", KV("uid", request->uid), KV("kind", request->kind),
                KV("operation", request->operation), KV("namespace", request->namespace_),
                KV("user", request->user), KV("reason", yk_buf_cstr(&verdict->reason)));
}

enum {
    UID_MAX = 256, /* bytes; an API server sends 36 */
    /* Upper bounds of the heap that a parsed review takes. */
    TREE_ENTRY_BYTES = 96, /* for each value of an array, and member of an object */
    TREE_NODE_BYTES = 256, /* for each array and object */
};

/* Whether the tree of `body` would be too large. Three bytes of text, such as "{},", can take 300 bytes of
 * the heap. */
static bool is_tree_too_large(struct yk_str body)
{
    struct yk_json_scan scan = {0};
    size_t bytes = 0;
    for (size_t i = 0; i < body.len; i++) {
        char c = body.p[i];
        if (!scan.in_string && (c == ',' || c == ':'))
            bytes += TREE_ENTRY_BYTES;
        else if (!scan.in_string && (c == '{' || c == '['))
            bytes += TREE_NODE_BYTES;
        yk_json_scan_byte(&scan, c);
    }
    return bytes > YK_REVIEW_TREE_MAX;
}

/* Searches for the uid at the beginning of a review that is too large to be parsed. API servers write the uid
 * before any text of a user. Absent: the uid was not found. */
static struct yk_str find_uid(struct yk_str body)
{
    static const char before[] = "\"request\":{\"uid\":\"";
    const char *found = memmem(body.p, YK_MIN(body.len, (size_t)UID_MAX), before, strlen(before));
    if (found == NULL)
        return (struct yk_str){0};
    struct yk_str uid = {found + strlen(before), 0};
    size_t rest = YK_MIN(body.len - (size_t)(uid.p - body.p), (size_t)UID_MAX);
    while (uid.len < rest && (isalnum((unsigned char)uid.p[uid.len]) != 0 || uid.p[uid.len] == '-'))
        uid.len++;
    return uid;
}

static enum yk_status read_review(struct yk_str body, json_t **ret_tree, struct yk__request *request,
                                  struct yk_err *err)
{
    if (body.len > YK_REVIEW_BODY_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu bytes (at most %d)", body.len, YK_REVIEW_BODY_MAX);
    if (is_tree_too_large(body)) {
        request->uid = find_uid(body);
        return yk_fail(err, YK_ERR_LIMIT, "too many values");
    }
    enum yk_status st = yk_json_parse(body, ret_tree, err);
    if (st == YK_OK)
        st = yk__request_read(*ret_tree, request, err);
    if (request->uid.len > UID_MAX) {
        request->uid = (struct yk_str){0};
        return yk_fail(err, YK_ERR_LIMIT, "the request has a uid of more than %d bytes", UID_MAX);
    }
    return st;
}

static struct yk__basis basis_of(const char *namespace_, struct yk__shared_map *const maps[2])
{
    return (struct yk__basis){namespace_, {map_of(maps[0]), map_of(maps[1])}};
}

/* Appends the answer to one review. If `reviewer` is NULL, it is a review of a ConfigMap, otherwise of a pod
 * or a workload. */
static void answer_review(const struct yk_reviewer *reviewer, const struct yk__basis *basis,
                          struct yk_str body, struct yk_buf *answer)
{
    YK_CLEANUP(yk__verdict_done) struct yk__verdict verdict = {.allowed = true};
    struct yk__request request = {.groups = NULL};
    struct yk_err err = {0};
    json_t *tree = NULL;
    if (read_review(body, &tree, &request, &err) != YK_OK)
        yk__deny(&verdict, "AdmissionReview: %s", err.text);
    else if (reviewer != NULL)
        mutate(reviewer, &request, &verdict);
    else if (is_change(&request))
        yk__config_map(basis, &request, &verdict);
    if (verdict.patch.text.failed)
        yk__deny(&verdict, "the patch is larger than %d bytes", YK_PATCH_MAX);
    log_verdict(&request, &verdict);
    write_answer(answer, yk_str_empty(request.uid) ? YK_STR(INVALID_UID) : request.uid, &verdict);
    json_decref(tree);
}

void yk_reviewer_review(struct yk_reviewer *reviewer, enum yk_review_path path, struct yk_str body,
                        struct yk_buf *answer)
{
    const struct yk__basis basis = basis_of(reviewer->namespace_, reviewer->maps);
    reviewer->has_reviewed = true;
    answer_review(path == YK_REVIEW_MUTATE ? reviewer : NULL, &basis, body, answer);
}

/* ---- reviews of ConfigMaps ---- */

struct yk_config_review {
    char *namespace_;               /* owned */
    struct yk__shared_map *maps[2]; /* counted; NULL: there is none */
    struct yk_buf body;
};

struct yk_config_review *yk_config_review_new(struct yk_reviewer *reviewer, struct yk_buf *body)
{
    struct yk_config_review *review = yk_new0(struct yk_config_review);
    reviewer->has_reviewed = true;
    review->namespace_ = yk_strdup(reviewer->namespace_);
    for (size_t i = 0; i < YK_COUNT(review->maps); i++)
        review->maps[i] = hold_map(reviewer->maps[i]);
    review->body = *body;
    *body = (struct yk_buf){0};
    return review;
}

void yk_config_review_run(const struct yk_config_review *review, struct yk_buf *answer)
{
    const struct yk__basis basis = basis_of(review->namespace_, review->maps);
    answer_review(NULL, &basis, yk_buf_view(&review->body), answer);
}

void yk_config_review_free(struct yk_config_review *review)
{
    if (review == NULL)
        return;
    for (size_t i = 0; i < YK_COUNT(review->maps); i++)
        release_map(review->maps[i]);
    yk_buf_done(&review->body);
    free(review->namespace_);
    free(review);
}

const char *yk_reviewer_service_name(const struct yk_reviewer *reviewer)
{
    return reviewer->settings.service_name;
}

bool yk_reviewer_wants_guard(const struct yk_reviewer *reviewer)
{
    return reviewer->settings.fails_closed && !reviewer->settings.bypass_auth;
}

const char *yk_reviewer_namespace(const struct yk_reviewer *reviewer)
{
    return reviewer->namespace_;
}
