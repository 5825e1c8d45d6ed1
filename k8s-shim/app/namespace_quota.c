/* SPDX-License-Identifier: Apache-2.0 */
#include "app/namespace_quota.h"

#include "base/json_writer.h"
#include "base/log.h"
#include "base/vec.h"
#include "cache/resource_sum.h"

#include <jansson.h>

#define PREFIX "yunikorn.apache.org/namespace."

enum { ANNOTATION_MAX = 256 << 10, TAG_MAX = 64 << 10, ENTRIES_MAX = 256 };

struct entry {
    struct yk_str name;
    int64_t amount;
};

/* The amounts of an annotation, one entry for each resource type of the core. */
struct quota {
    struct entry entries[ENTRIES_MAX];
    size_t count;
};

static struct entry *entry_of(struct quota *quota, struct yk_str name)
{
    for (size_t i = 0; i < quota->count; i++) {
        if (yk_str_eq(quota->entries[i].name, name))
            return &quota->entries[i];
    }
    return NULL;
}

/* Adds an amount. "cpu" and "vcore" are the same type: if both are given, the smaller amount is taken. */
static enum yk_status put_entry(struct quota *quota, struct yk_str name, int64_t amount, struct yk_err *err)
{
    struct entry *entry = entry_of(quota, name);
    if (entry == NULL && quota->count == ENTRIES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "more than %d resources", ENTRIES_MAX);
    if (entry != NULL)
        entry->amount = YK_MIN(entry->amount, amount);
    else
        quota->entries[quota->count++] = (struct entry){name, amount};
    return YK_OK;
}

static enum yk_status add_entry(struct quota *quota, struct yk_str name, struct yk_str text,
                                struct yk_err *err)
{
    yk_quantity quantity;
    enum yk_status st = yk_quantity_parse(text, &quantity, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "resource '" YK_STR_FMT "'", YK_STR_ARG(name));
    return put_entry(quota, yk_restype_of_kubernetes(name), yk_quantity_amount(name, quantity), err);
}

static enum yk_status add_json(struct quota *quota, const json_t *root, struct yk_err *err)
{
    const char *key;
    const json_t *value;
    if (!json_is_object(root))
        return yk_fail(err, YK_ERR_INVALID, "not a JSON object");
    void *at =
        /* jansson declares the argument without const but does not write to it */
        json_object_iter((json_t *)(uintptr_t)root);
    for (; at != NULL; at = json_object_iter_next((json_t *)(uintptr_t)root, at)) {
        key = json_object_iter_key(at);
        value = json_object_iter_value(at);
        if (!json_is_string(value))
            return yk_fail(err, YK_ERR_INVALID, "resource '%s' is not a text", key);
        enum yk_status st = add_entry(quota, yk_str_from(key), yk_str_from(json_string_value(value)), err);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

static int by_name(const void *a, const void *b)
{
    return yk_str_cmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* Appends {"resources":{"memory":{"value":1},"vcore":{"value":2}}}; appends nothing if all amounts are 0. */
static enum yk_status print(struct quota *quota, struct yk_buf *out, struct yk_err *err)
{
    bool any = false;
    for (size_t i = 0; i < quota->count; i++)
        any = any || quota->entries[i].amount != 0;
    if (!any)
        return YK_OK;
    qsort(quota->entries, quota->count, sizeof(quota->entries[0]), by_name);
    yk_buf_text(out, "{\"resources\":{");
    for (size_t i = 0; i < quota->count; i++) {
        if (i > 0)
            yk_buf_char(out, ',');
        yk_json_put_string(out, quota->entries[i].name);
        yk_buf_printf(out, ":{\"value\":%lld}", (long long)quota->entries[i].amount);
    }
    yk_buf_text(out, "}}");
    if (!out->failed)
        return YK_OK;
    yk_buf_clear(out);
    return yk_fail(err, YK_ERR_LIMIT, "longer than %d bytes", TAG_MAX);
}

static void from_json(const struct yk_object *namespace_, const char *annotation, struct yk_buf *out)
{
    struct yk_str text = yk_pairs_get(&namespace_->annotations, annotation);
    if (yk_str_empty(text))
        return;
    struct yk_err err;
    json_error_t why;
    json_t *root = text.len > ANNOTATION_MAX ? NULL : json_loadb(text.p, text.len, 0, &why);
    struct quota quota = {.count = 0};
    if (root == NULL || add_json(&quota, root, &err) != YK_OK || print(&quota, out, &err) != YK_OK)
        yk_warn(yk_log_shim_app, "namespace annotation is ignored", KV("namespace", namespace_->name),
                KV("annotation", annotation), KV("err", root == NULL ? "not valid JSON" : err.text));
    json_decref(root);
}

/* Reads the older annotations, one for each resource. */
static void from_old_annotations(const struct yk_object *namespace_, struct yk_buf *out)
{
    struct quota quota = {.count = 0};
    struct yk_err err;
    static const char *const names[] = {"cpu", "memory"};
    for (size_t i = 0; i < YK_COUNT(names); i++) {
        char annotation[64];
        snprintf(annotation, sizeof(annotation), PREFIX "max.%s", names[i]);
        struct yk_str text = yk_pairs_get(&namespace_->annotations, annotation);
        if (yk_str_empty(text))
            continue;
        if (add_entry(&quota, yk_str_from(names[i]), text, &err) == YK_OK)
            continue;
        yk_warn(yk_log_shim_app, "namespace annotation is ignored", KV("namespace", namespace_->name),
                KV("annotation", (const char *)annotation), KV("err", err.text));
        return;
    }
    (void)print(&quota, out, NULL); /* two entries fit */
}

static void max_apps(const struct yk_object *namespace_, char *ret, size_t size)
{
    struct yk_str text = yk_pairs_get(&namespace_->annotations, PREFIX "maxApps");
    int64_t number;
    if (yk_str_empty(text))
        return;
    if (yk_str_to_i64(text, &number) != YK_OK || number < 0)
        yk_warn(yk_log_shim_app, "namespace annotation is ignored", KV("namespace", namespace_->name),
                KV("annotation", PREFIX "maxApps"), KV("value", text));
    else
        snprintf(ret, size, "%lld", (long long)number);
}

void yk_namespace_tags_init(struct yk_namespace_tags *ret, const struct yk_object *namespace_)
{
    *ret = (struct yk_namespace_tags){.quota.max = TAG_MAX, .guaranteed.max = TAG_MAX};
    if (namespace_ == NULL)
        return;
    from_json(namespace_, PREFIX "quota", &ret->quota);
    if (yk_str_empty(yk_pairs_get(&namespace_->annotations, PREFIX "quota")))
        from_old_annotations(namespace_, &ret->quota);
    from_json(namespace_, PREFIX "guaranteed", &ret->guaranteed);
    max_apps(namespace_, ret->max_apps, sizeof(ret->max_apps));
    ret->parent_queue = yk_pairs_get(&namespace_->annotations, "yunikorn.apache.org/parentqueue");
}

void yk_namespace_tags_done(struct yk_namespace_tags *tags)
{
    yk_buf_done(&tags->quota);
    yk_buf_done(&tags->guaranteed);
}
