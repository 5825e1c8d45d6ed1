/* SPDX-License-Identifier: Apache-2.0 */
#include "client/op_request.h"

#include "api/encode.h"
#include "client/url.h"

#define STRATEGIC_MERGE "application/strategic-merge-patch+json"
#define MERGE           "application/merge-patch+json"

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* <prefix>/namespaces/<namespace>/<plural>[/<name>][/<subresource>] */
static void write_path(struct yk_buf *path, const char *prefix, const struct yk_op *op, const char *plural,
                       const char *name, const char *subresource)
{
    yk_buf_text(path, prefix);
    yk_buf_text(path, "/namespaces");
    yk_url_segment(path, text_or_empty(op->namespace_));
    yk_url_segment(path, plural);
    if (name != NULL)
        yk_url_segment(path, name);
    if (subresource != NULL)
        yk_url_segment(path, subresource);
}

static void set(struct yk_k8s_request *request, const char *method, const char *content_type)
{
    request->method = method;
    request->content_type = content_type;
}

void yk_op_request(struct yk_op *op, struct yk_buf *ret_path, struct yk_k8s_request *ret_request)
{
    static const char core[] = "/api/v1", events[] = "/apis/events.k8s.io/v1",
                      leases[] = "/apis/coordination.k8s.io/v1";
    const char *name = text_or_empty(op->name);
    switch (op->kind) {
    case YK_OP_BIND:
        write_path(ret_path, core, op, "pods", name, "binding");
        set(ret_request, "POST", "application/json");
        yk_buf_clear(&op->body);
        yk_encode_binding(&op->body, text_or_empty(op->namespace_), name, text_or_empty(op->uid),
                          text_or_empty(op->node));
        break;
    case YK_OP_PATCH_POD_STATUS:
        write_path(ret_path, core, op, "pods", name, "status");
        set(ret_request, "PATCH", STRATEGIC_MERGE);
        break;
    case YK_OP_DELETE_POD:
        write_path(ret_path, core, op, "pods", name, NULL);
        set(ret_request, "DELETE", "application/json");
        yk_buf_clear(&op->body);
        yk_encode_delete_options(&op->body, op->uid);
        break;
    case YK_OP_CREATE_POD:
        write_path(ret_path, core, op, "pods", NULL, NULL);
        set(ret_request, "POST", "application/json");
        break;
    case YK_OP_CREATE_EVENT:
        write_path(ret_path, events, op, "events", NULL, NULL);
        set(ret_request, "POST", "application/json");
        break;
    case YK_OP_PATCH_EVENT:
        write_path(ret_path, events, op, "events", name, NULL);
        set(ret_request, "PATCH", STRATEGIC_MERGE);
        break;
    case YK_OP_GET_CONFIG_MAP:
        write_path(ret_path, core, op, "configmaps", name, NULL);
        set(ret_request, "GET", NULL);
        break;
    case YK_OP_PATCH_CONFIG_MAP:
        write_path(ret_path, core, op, "configmaps", name, NULL);
        set(ret_request, "PATCH", MERGE);
        break;
    case YK_OP_PATCH_VOLUME:
        yk_buf_text(ret_path, "/api/v1/persistentvolumes");
        yk_url_segment(ret_path, name);
        set(ret_request, "PATCH", MERGE);
        break;
    case YK_OP_PATCH_CLAIM:
        write_path(ret_path, core, op, "persistentvolumeclaims", name, NULL);
        set(ret_request, "PATCH", MERGE);
        break;
    case YK_OP_REVIEW_TOKEN:
        yk_buf_text(ret_path, "/apis/authentication.k8s.io/v1/tokenreviews");
        set(ret_request, "POST", "application/json");
        break;
    case YK_OP_REVIEW_ACCESS:
        yk_buf_text(ret_path, "/apis/authorization.k8s.io/v1/subjectaccessreviews");
        set(ret_request, "POST", "application/json");
        break;
    case YK_OP_GET_LEASE:
        write_path(ret_path, leases, op, "leases", name, NULL);
        set(ret_request, "GET", NULL);
        break;
    case YK_OP_CREATE_LEASE:
        write_path(ret_path, leases, op, "leases", NULL, NULL);
        set(ret_request, "POST", "application/json");
        break;
    case YK_OP_UPDATE_LEASE:
        write_path(ret_path, leases, op, "leases", name, NULL);
        set(ret_request, "PUT", "application/json");
        break;
    }
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
