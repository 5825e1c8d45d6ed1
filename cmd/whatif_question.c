/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/whatif_question.h"

#include "api/json_reader.h"
#include "cmd/input.h"
#include "whatif/question.h"
#include "whatif/yaml_json.h"

#include <jansson.h>

enum yk_status yk_whatif_count(const char *text, uint32_t *ret_count, struct yk_err *err)
{
    uint64_t count = 0;
    if (text != NULL &&
        (yk_str_to_u64(yk_str_from(text), &count) != YK_OK || count == 0 || count > YK_WHATIF_PODS_MAX))
        return yk_fail(err, YK_ERR_INVALID, "--count is a number from 1 to %d, not '%s'", YK_WHATIF_PODS_MAX,
                       text);
    *ret_count = (uint32_t)count;
    return YK_OK;
}

/* Replaces the manifest of a pod by the question about `count` such pods. */
static enum yk_status multiply(json_t **tree, uint32_t count, struct yk_err *err)
{
    const char *kind = json_string_value(json_object_get(*tree, "kind"));
    if (kind == NULL || strcmp(kind, "Pod") != 0)
        return yk_fail(err, YK_ERR_INVALID, "--count needs the manifest of a Pod");
    *tree = json_pack("{s:s, s:I, s:o}", "kind", "job", "count", (json_int_t)count, "pod", *tree);
    return YK_OK;
}

enum yk_status yk_whatif_read(const char *from, uint32_t count, struct yk_buf *question, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_WHATIF_BODY_MAX};
    json_t *tree = NULL;
    enum yk_status st = yk_input_read(from, &text, err);
    if (st == YK_OK && count == 0)
        yk_buf_str(question, yk_buf_view(&text)); /* JSON or YAML: the scheduler reads both */
    if (st != YK_OK || count == 0)
        return st;
    st = yk_yaml_to_json(yk_buf_view(&text), &tree, err);
    if (st == YK_OK)
        st = multiply(&tree, count, err);
    char *json = st == YK_OK ? json_dumps(tree, JSON_COMPACT) : NULL;
    if (json != NULL)
        yk_buf_text(question, json);
    free(json);
    json_decref(tree);
    return st;
}

/* ---- namespaces ---- */

/* The object of the question that has a namespace, an object of JSON; NULL: there is none. */
static json_t *find_namespaced(const json_t *tree)
{
    static const char *const manifests[] = {"Pod", "Job", "ConfigMap"};
    json_t *pod = json_object_get(tree, "pod"); /* only of questions that are no manifests */
    const char *kind = json_string_value(json_object_get(tree, "kind"));
    for (size_t i = 0; kind != NULL && i < YK_COUNT(manifests); i++) {
        if (strcmp(kind, manifests[i]) == 0)
            return (json_t *)(uintptr_t)tree;
    }
    return json_is_object(pod) ? pod : NULL;
}

/* The metadata of `object`, which gets them if it has none. NULL: they are malformed. */
static json_t *need_metadata(json_t *object)
{
    json_t *metadata = json_object_get(object, "metadata");
    if (metadata == NULL || json_is_null(metadata)) {
        (void)json_object_set_new(object, "metadata", json_object()); /* `object` is an object */
        metadata = json_object_get(object, "metadata");
    }
    return json_is_object(metadata) ? metadata : NULL;
}

/* Sets `*ret_changed` if the namespace was set. */
static enum yk_status set_namespace(json_t *object, const char *namespace_, bool is_required,
                                    bool *ret_changed, struct yk_err *err)
{
    json_t *metadata = need_metadata(object), *given = json_object_get(metadata, "namespace");
    const char *text = json_string_value(given);
    bool is_absent = given == NULL || json_is_null(given) || (text != NULL && text[0] == '\0');
    if (metadata != NULL && is_absent) {
        *ret_changed = json_object_set_new(metadata, "namespace", json_string(namespace_)) == 0;
        return *ret_changed ? YK_OK : yk_fail(err, YK_ERR_INVALID, "the namespace is not UTF-8");
    }
    if (is_required && text != NULL && strcmp(text, namespace_) != 0)
        return yk_fail(err, YK_ERR_INVALID,
                       "the namespace '%s' of the object does not match the namespace '%s' of --namespace; "
                       "use --namespace=%s, or change the object",
                       text, namespace_, text);
    return YK_OK;
}

static enum yk_status replace_text(struct yk_buf *question, const json_t *tree, struct yk_err *err)
{
    char *json = json_dumps(tree, JSON_COMPACT);
    yk_buf_clear(question);
    if (json != NULL)
        yk_buf_text(question, json);
    free(json);
    if (question->failed)
        return yk_fail(err, YK_ERR_LIMIT, "the question has more than %d bytes", YK_WHATIF_BODY_MAX);
    return YK_OK;
}

enum yk_status yk_whatif_set_namespace(struct yk_buf *question, const char *namespace_, bool is_required,
                                       struct yk_err *err)
{
    struct yk_str text = yk_buf_view(question);
    json_t *tree = NULL;
    bool is_json = yk_str_starts(yk_str_trim(text), "{"), is_changed = false;
    enum yk_status st =
        is_json ? yk_json_parse_strict(text, &tree, NULL) : yk_yaml_to_json(text, &tree, NULL);
    if (st != YK_OK)
        return YK_OK; /* the scheduler says what is wrong, and where */
    json_t *object = find_namespaced(tree);
    if (object != NULL)
        st = set_namespace(object, namespace_, is_required, &is_changed, err);
    if (is_changed)
        st = replace_text(question, tree, err);
    json_decref(tree);
    return st;
}
