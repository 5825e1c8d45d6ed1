/* SPDX-License-Identifier: Apache-2.0 */
#include "client/op_request.h"

#include "api/encode.h"
#include "client/url.h"

static const char json[] = "application/json", merge[] = "application/merge-patch+json",
                  strategic_merge[] = "application/strategic-merge-patch+json";

static const char core[] = "/api/v1", events[] = "/apis/events.k8s.io/v1",
                  leases[] = "/apis/coordination.k8s.io/v1",
                  authentication[] = "/apis/authentication.k8s.io/v1",
                  authorization[] = "/apis/authorization.k8s.io/v1",
                  webhooks[] = "/apis/admissionregistration.k8s.io/v1";

/* The path is <group>[/namespaces/<namespace>]/<resource>[/<name>][/<subresource>]. */
static const struct request_row {
    const char *method, *content_type, *group, *resource;
    enum { IN_NAMESPACE = 1, HAS_NAME = 2 } path; /* flags: which parts the path has */
    const char *subresource;                      /* NULL: the path has no subresource */
} rows[] = {
    [YK_OP_BIND] = {"POST", json, core, "pods", IN_NAMESPACE | HAS_NAME, "binding"},
    [YK_OP_PATCH_POD_STATUS] = {"PATCH", strategic_merge, core, "pods", IN_NAMESPACE | HAS_NAME, "status"},
    [YK_OP_DELETE_POD] = {"DELETE", json, core, "pods", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_CREATE_POD] = {"POST", json, core, "pods", IN_NAMESPACE, NULL},
    [YK_OP_CREATE_EVENT] = {"POST", json, events, "events", IN_NAMESPACE, NULL},
    [YK_OP_PATCH_EVENT] = {"PATCH", strategic_merge, events, "events", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_PATCH_VOLUME] = {"PATCH", merge, core, "persistentvolumes", HAS_NAME, NULL},
    [YK_OP_PATCH_CLAIM] = {"PATCH", merge, core, "persistentvolumeclaims", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_GET_CONFIG_MAP] = {"GET", NULL, core, "configmaps", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_PATCH_CONFIG_MAP] = {"PATCH", merge, core, "configmaps", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_REVIEW_TOKEN] = {"POST", json, authentication, "tokenreviews", 0, NULL},
    [YK_OP_REVIEW_ACCESS] = {"POST", json, authorization, "subjectaccessreviews", 0, NULL},
    [YK_OP_GET_LEASE] = {"GET", NULL, leases, "leases", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_CREATE_LEASE] = {"POST", json, leases, "leases", IN_NAMESPACE, NULL},
    [YK_OP_UPDATE_LEASE] = {"PUT", json, leases, "leases", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_GET_SECRET] = {"GET", NULL, core, "secrets", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_UPDATE_SECRET] = {"PUT", json, core, "secrets", IN_NAMESPACE | HAS_NAME, NULL},
    [YK_OP_GET_MUTATING_WEBHOOKS] = {"GET", NULL, webhooks, "mutatingwebhookconfigurations", HAS_NAME, NULL},
    [YK_OP_CREATE_MUTATING_WEBHOOKS] = {"POST", json, webhooks, "mutatingwebhookconfigurations", 0, NULL},
    [YK_OP_UPDATE_MUTATING_WEBHOOKS] = {"PUT", json, webhooks, "mutatingwebhookconfigurations", HAS_NAME,
                                        NULL},
    [YK_OP_GET_VALIDATING_WEBHOOKS] = {"GET", NULL, webhooks, "validatingwebhookconfigurations", HAS_NAME,
                                       NULL},
    [YK_OP_CREATE_VALIDATING_WEBHOOKS] = {"POST", json, webhooks, "validatingwebhookconfigurations", 0, NULL},
    [YK_OP_UPDATE_VALIDATING_WEBHOOKS] = {"PUT", json, webhooks, "validatingwebhookconfigurations", HAS_NAME,
                                          NULL},
};
YK_INDEXED_BY(rows, YK_OP_KIND_COUNT - 1);

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void write_path(struct yk_buf *path, const struct request_row *row, const struct yk_op *op)
{
    yk_buf_text(path, row->group);
    if ((row->path & IN_NAMESPACE) != 0) {
        yk_buf_text(path, "/namespaces");
        yk_url_segment(path, text_or_empty(op->namespace_));
    }
    yk_url_segment(path, row->resource);
    if ((row->path & HAS_NAME) != 0)
        yk_url_segment(path, text_or_empty(op->name));
    if (row->subresource != NULL)
        yk_url_segment(path, row->subresource);
}

/* Writes the body of the two kinds of requests that callers submit without one. */
static void write_body(struct yk_op *op)
{
    if (op->kind != YK_OP_BIND && op->kind != YK_OP_DELETE_POD)
        return;
    yk_buf_clear(&op->body);
    if (op->kind == YK_OP_BIND)
        yk_encode_binding(&op->body, text_or_empty(op->namespace_), text_or_empty(op->name),
                          text_or_empty(op->uid), text_or_empty(op->node));
    else
        yk_encode_delete_options(&op->body, op->uid);
}

void yk_op_request(struct yk_op *op, struct yk_buf *ret_path, struct yk_k8s_request *ret_request)
{
    const struct request_row *row = &rows[op->kind];
    write_path(ret_path, row, op);
    write_body(op);
    ret_request->method = row->method;
    ret_request->content_type = row->content_type;
    ret_request->path = yk_buf_cstr(ret_path);
    ret_request->body = yk_buf_view(&op->body);
}

enum yk_op_result yk_op_classify(int http_status, struct yk_str status_reason)
{
    static const struct {
        const char *reason;
        enum yk_op_result result;
    } reasons[] = {
        {"NotFound", YK_OP_NOT_FOUND},
        {"Conflict", YK_OP_CONFLICT},
        {"AlreadyExists", YK_OP_CONFLICT},
        {"Expired", YK_OP_GONE},
        {"Gone", YK_OP_GONE},
        {"Invalid", YK_OP_INVALID},
        {"BadRequest", YK_OP_INVALID},
        {"Forbidden", YK_OP_INVALID},
        {"Unauthorized", YK_OP_UNAUTHORIZED},
        {"TooManyRequests", YK_OP_RETRY},
        {"ServerTimeout", YK_OP_RETRY},
        {"Timeout", YK_OP_RETRY},
        {"InternalError", YK_OP_RETRY},
        {"ServiceUnavailable", YK_OP_RETRY},
    };
    for (size_t i = 0; i < YK_COUNT(reasons); i++) {
        if (yk_str_is(status_reason, reasons[i].reason))
            return reasons[i].result;
    }
    return yk_op_refusal(http_status);
}
