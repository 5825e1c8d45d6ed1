/* SPDX-License-Identifier: Apache-2.0 */
#include "api/server.h"

enum { OP_BODY_MAX = 3 << 20 }; /* the API server's own limit on requests */

struct yk_op *yk_op_new(enum yk_op_kind kind)
{
    struct yk_op *op = yk_realloc_array(NULL, 1, sizeof(*op));
    memset(op, 0, offsetof(struct yk_op, reason)); /* its text is long, and seldom there */
    op->reason.text[0] = '\0';
    op->reason.line = op->reason.column = 0;
    op->kind = kind;
    op->body.max = OP_BODY_MAX;
    return op;
}

void yk_op_free(struct yk_op *op)
{
    if (op == NULL)
        return;
    free(op->namespace_);
    free(op->name);
    free(op->uid);
    free(op->node);
    yk_buf_done(&op->body);
    yk_buf_done(&op->answer);
    yk_object_free(op->object);
    yk_token_review_free(op->review);
    free(op);
}

enum yk_op_result yk_op_refusal(int http_status)
{
    switch (http_status) {
    case 401:
        return YK_OP_UNAUTHORIZED;
    case 404:
        return YK_OP_NOT_FOUND;
    case 409:
        return YK_OP_CONFLICT;
    case 410:
        return YK_OP_GONE;
    case 0:
    case 408:
    case 429:
        return YK_OP_RETRY;
    }
    return http_status >= 500 ? YK_OP_RETRY : YK_OP_INVALID;
}
