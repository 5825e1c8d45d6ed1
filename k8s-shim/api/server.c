/* SPDX-License-Identifier: Apache-2.0 */
#include "api/server.h"

static size_t room_for(struct yk_str text)
{
    return text.p != NULL ? text.len + 1 : 0;
}

/* Copies `text` with a terminator to `*at`, and moves `*at` behind the copy. NULL if the text is absent. */
static const char *keep(struct yk_str text, char **at)
{
    char *copy = *at;
    if (text.p == NULL)
        return NULL;
    memcpy(copy, text.p, text.len);
    copy[text.len] = '\0';
    *at += text.len + 1;
    return copy;
}

struct yk_op *yk_op_new(enum yk_op_kind kind, const struct yk_op_target *target)
{
    static const struct yk_op_target nothing = {.name = {NULL, 0}};
    const struct yk_op_target *about = target != NULL ? target : &nothing;
    struct yk_op *op = yk_alloc0(sizeof(*op) + room_for(about->namespace_) + room_for(about->name) +
                                 room_for(about->uid) + room_for(about->node));
    char *at = (char *)(op + 1);
    op->kind = kind;
    op->namespace_ = keep(about->namespace_, &at);
    op->name = keep(about->name, &at);
    op->uid = keep(about->uid, &at);
    op->node = keep(about->node, &at);
    op->body.max = YK_OP_BODY_MAX;
    return op;
}

void yk_op_free(struct yk_op *op)
{
    if (op == NULL)
        return;
    void (*done)(struct yk_buf *) = yk_op_is_secret(op->kind) ? yk_buf_wipe : yk_buf_done;
    done(&op->body);
    done(&op->answer);
    yk_object_free(op->object);
    yk_token_review_free(op->review);
    free(op->reason);
    free(op);
}

struct yk_err *yk_op_err(struct yk_op *op)
{
    if (op->reason == NULL)
        op->reason = yk_new0(struct yk_err);
    return op->reason;
}

const char *yk_op_reason(const struct yk_op *op)
{
    return op->reason != NULL ? op->reason->text : "";
}

void yk_op_forget_answer(struct yk_op *op)
{
    op->http_status = 0;
    op->retry_after_ns = 0;
    free(yk_move(op->reason));
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
