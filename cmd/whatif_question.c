/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/whatif_question.h"

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
