/* SPDX-License-Identifier: Apache-2.0 */
#include "api/access_review.h"

#include "api/json_reader.h"
#include "base/json_writer.h"

#include <jansson.h>

static void add_path(struct yk_json *json, const struct yk_access_question *question)
{
    yk_json_key(json, "nonResourceAttributes");
    yk_json_object_begin(json);
    yk_json_add_text(json, "path", question->path);
    yk_json_add_text(json, "verb", question->verb);
    yk_json_object_end(json);
}

static void add_queue(struct yk_json *json, const struct yk_access_question *question)
{
    yk_json_key(json, "resourceAttributes");
    yk_json_object_begin(json);
    yk_json_add_text(json, "group", YK_QUEUES_API_GROUP);
    yk_json_add_text(json, "resource", YK_QUEUES_RESOURCE);
    yk_json_add_text(json, "name", question->queue);
    yk_json_add_text(json, "verb", question->verb);
    yk_json_object_end(json);
}

void yk_access_review_encode(struct yk_buf *body, const struct yk_access_question *question)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    yk_json_add_text(json, "apiVersion", "authorization.k8s.io/v1");
    yk_json_add_text(json, "kind", "SubjectAccessReview");
    yk_json_key(json, "spec");
    yk_json_object_begin(json);
    yk_json_add_text(json, "user", question->user);
    yk_json_key(json, "groups");
    yk_json_array_begin(json);
    for (size_t i = 0; i < question->group_count; i++)
        yk_json_str(json, yk_str_from(question->groups[i]));
    yk_json_array_end(json);
    if (question->queue != NULL)
        add_queue(json, question);
    else
        add_path(json, question);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

enum yk_status yk_access_review_read(struct yk_str text, bool *ret_allowed, struct yk_err *err)
{
    json_t *json = NULL;
    enum yk_status st = yk_json_parse(text, &json, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "SubjectAccessReview");
    const json_t *allowed = json_object_get(json_object_get(json, "status"), "allowed");
    if (json_is_boolean(allowed))
        *ret_allowed = json_is_true(allowed);
    else
        st = yk_fail(err, YK_ERR_INVALID, "SubjectAccessReview without status.allowed");
    json_decref(json);
    return st;
}
