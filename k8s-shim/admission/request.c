/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/request_priv.h"

#include "api/pod_keys.h"

#include <stdio.h>

enum { PATH_MAX_BYTES = 128 };

static struct yk_str text_of(const json_t *value)
{
    return (struct yk_str){json_string_value(value), json_string_length(value)};
}

enum yk_status yk__text_at(const json_t *map, const char *key, struct yk_str *ret, struct yk_err *err)
{
    const json_t *value = json_object_get(map, key);
    if (value == NULL)
        *ret = (struct yk_str){0};
    else if (json_is_null(value))
        *ret = YK_STR("");
    else if (json_is_string(value))
        *ret = text_of(value);
    else
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not a text", key);
    return YK_OK;
}

enum yk_status yk__object_at(const json_t *map, const char *key, const json_t **ret, struct yk_err *err)
{
    const json_t *value = json_object_get(map, key);
    if (value != NULL && !json_is_null(value) && !json_is_object(value))
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not an object", key);
    *ret = json_is_object(value) ? value : NULL;
    return YK_OK;
}

struct text_member {
    const char *key;
    struct yk_str *at;
};

static enum yk_status read_texts(const json_t *map, const struct text_member *members, size_t count,
                                 struct yk_err *err)
{
    enum yk_status st = YK_OK;
    for (size_t i = 0; i < count && st == YK_OK; i++)
        st = yk__text_at(map, members[i].key, members[i].at, err);
    return st;
}

static enum yk_status read_kind(const json_t *request, struct yk__request *ret, struct yk_err *err)
{
    const json_t *kind = NULL;
    enum yk_status st = yk__object_at(request, "kind", &kind, err);
    const struct text_member members[] = {{"group", &ret->group}, {"kind", &ret->kind}};
    if (st == YK_OK)
        st = read_texts(kind, members, YK_COUNT(members), err);
    return st;
}

static enum yk_status read_user(const json_t *request, struct yk__request *ret, struct yk_err *err)
{
    const json_t *user = NULL;
    enum yk_status st = yk__object_at(request, "userInfo", &user, err);
    if (st == YK_OK)
        st = yk__text_at(user, "username", &ret->user, err);
    const json_t *groups = json_object_get(user, "groups");
    if (st != YK_OK || groups == NULL || json_is_null(groups))
        return st;
    if (!json_is_array(groups))
        return yk_fail(err, YK_ERR_INVALID, "'groups' is not a list");
    for (size_t i = 0; i < json_array_size(groups); i++) {
        if (!json_is_string(json_array_get(groups, i)))
            return yk_fail(err, YK_ERR_INVALID, "group %zu is not a text", i + 1);
    }
    ret->groups = groups;
    return YK_OK;
}

static enum yk_status read_objects(const json_t *request, struct yk__request *ret, struct yk_err *err)
{
    enum yk_status st = yk__object_at(request, "object", &ret->object, err);
    if (st == YK_OK)
        st = yk__object_at(request, "oldObject", &ret->old, err);
    if (st == YK_OK && ret->object == NULL &&
        (yk_str_is(ret->operation, "CREATE") || yk_str_is(ret->operation, "UPDATE")))
        return yk_fail(err, YK_ERR_INVALID, "the request has no object");
    return st;
}

/* Reads the members that every AdmissionReview has: its type, the request and the uid. */
static enum yk_status read_head(const json_t *review, const json_t **ret_request, struct yk_str *ret_uid,
                                struct yk_err *err)
{
    struct yk_str kind = {0}, version = {0}, uid = {0};
    const struct text_member members[] = {{"kind", &kind}, {"apiVersion", &version}};
    if (!json_is_object(review))
        return yk_fail(err, YK_ERR_INVALID, "not an object");
    enum yk_status st = read_texts(review, members, YK_COUNT(members), err);
    if (st == YK_OK && (!yk_str_is(kind, "AdmissionReview") || !yk_str_is(version, "admission.k8s.io/v1")))
        return yk_fail(err, YK_ERR_INVALID,
                       "'" YK_STR_FMT "' of '" YK_STR_FMT
                       "' is not an AdmissionReview of admission.k8s.io/v1",
                       YK_STR_ARG(kind), YK_STR_ARG(version));
    if (st == YK_OK)
        st = yk__object_at(review, "request", ret_request, err);
    if (st == YK_OK && *ret_request == NULL)
        return yk_fail(err, YK_ERR_INVALID, "there is no request");
    if (st == YK_OK)
        st = yk__text_at(*ret_request, "uid", &uid, err);
    if (st == YK_OK && yk_str_empty(uid))
        return yk_fail(err, YK_ERR_INVALID, "the request has no uid");
    if (st == YK_OK)
        *ret_uid = uid;
    return st;
}

enum yk_status yk__request_read(const json_t *review, struct yk__request *ret, struct yk_err *err)
{
    const json_t *request = NULL;
    *ret = (struct yk__request){.groups = NULL};
    const struct text_member members[] = {
        {"operation", &ret->operation}, {"namespace", &ret->namespace_}, {"subResource", &ret->sub_resource}};
    enum yk_status st = read_head(review, &request, &ret->uid, err);
    if (st == YK_OK)
        st = read_texts(request, members, YK_COUNT(members), err);
    if (st == YK_OK)
        st = read_kind(request, ret, err);
    if (st == YK_OK)
        st = read_user(request, ret, err);
    if (st == YK_OK)
        st = read_objects(request, ret, err);
    if (yk_str_empty(ret->namespace_))
        ret->namespace_ = YK_STR("default");
    return st;
}

void yk__verdict_done(struct yk__verdict *verdict)
{
    yk_buf_done(&verdict->reason);
    yk_patch_done(&verdict->patch);
    yk_config_errors_done(&verdict->warnings);
}

void yk__deny(struct yk__verdict *verdict, const char *format, ...)
{
    char text[YK__VERDICT_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args); /* a long reason is cut */
    va_end(args);
    verdict->allowed = false;
    yk_buf_clear(&verdict->reason);
    yk_buf_text(&verdict->reason, text);
    yk_patch_clear(&verdict->patch);
}

/* ---- metadata ---- */

static enum yk_status read_labels(const json_t *labels, struct yk__meta *ret, struct yk_err *err)
{
    const struct text_member members[] = {
        {YK_KEY_APP_ID, &ret->app_id}, {YK_KEY_OLD_APP_ID, &ret->old_app_id}, {YK_KEY_SPARK, &ret->spark_id},
        {YK_KEY_QUEUE, &ret->queue},   {YK_KEY_OLD_QUEUE, &ret->old_queue},   {"app", &ret->app},
    };
    ret->has_labels = labels != NULL;
    enum yk_status st = read_texts(labels, members, YK_COUNT(members), err);
    return st == YK_OK ? st : yk_fail_in(err, st, "labels");
}

static enum yk_status read_annotations(const json_t *annotations, struct yk__meta *ret, struct yk_err *err)
{
    const struct text_member members[] = {{YK_KEY_APP_ID, &ret->annotated_app_id},
                                          {YK_KEY_USER_INFO, &ret->user_info},
                                          {YK_KEY_PREEMPTION, &ret->preemption}};
    ret->has_annotations = annotations != NULL;
    enum yk_status st = read_texts(annotations, members, YK_COUNT(members), err);
    ret->has_user_info = ret->user_info.p != NULL;
    return st == YK_OK ? st : yk_fail_in(err, st, "annotations");
}

enum yk_status yk__meta_read(const json_t *holder, const char *path, struct yk__meta *ret, struct yk_err *err)
{
    const json_t *meta = NULL, *labels = NULL, *annotations = NULL;
    *ret = (struct yk__meta){.path = path};
    enum yk_status st = yk__object_at(holder, "metadata", &meta, err);
    ret->has_meta = meta != NULL;
    if (st == YK_OK)
        st = yk__object_at(meta, "labels", &labels, err);
    if (st == YK_OK)
        st = yk__object_at(meta, "annotations", &annotations, err);
    if (st == YK_OK)
        st = read_labels(labels, ret, err);
    if (st == YK_OK)
        st = read_annotations(annotations, ret, err);
    return st == YK_OK ? st : yk_fail_in(err, st, "%s", path);
}

static void add_to_map(struct yk__meta *meta, const char *map, bool *has_map, struct yk_patch *patch,
                       const char *key, struct yk_str value)
{
    char path[PATH_MAX_BYTES];
    (void)snprintf(path, sizeof(path), "%s/%s", meta->path, map); /* a short constant path, which fits */
    if (!meta->has_meta)
        yk_patch_add_empty_object(patch, meta->path);
    if (!*has_map)
        yk_patch_add_empty_object(patch, path);
    meta->has_meta = *has_map = true;
    yk_patch_add_member(patch, path, key, value);
}

void yk__meta_label(struct yk__meta *meta, struct yk_patch *patch, const char *key, struct yk_str value)
{
    add_to_map(meta, "labels", &meta->has_labels, patch, key, value);
}

void yk__meta_annotate(struct yk__meta *meta, struct yk_patch *patch, const char *key, struct yk_str value)
{
    add_to_map(meta, "annotations", &meta->has_annotations, patch, key, value);
}

bool yk__meta_has_app_label(const struct yk__meta *meta)
{
    return !yk_str_empty(meta->app_id) || !yk_str_empty(meta->old_app_id) || !yk_str_empty(meta->spark_id);
}
