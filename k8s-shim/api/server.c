/* SPDX-License-Identifier: Apache-2.0 */
#include "api/server.h"

enum { OP_BODY_MAX = 3 << 20 }; /* the API server's own limit on requests */

struct yk_op *yk_op_new(enum yk_op_kind kind)
{
    struct yk_op *op = yk_new0(struct yk_op);
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
    yk_object_free(op->object);
    free(op);
}
