/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a `struct yk_op` to an HTTP request, and an HTTP answer to a result of the op.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, 1.2 and 1.5 (K14).
 */
#ifndef YK_CLIENT_OP_REQUEST_H
#define YK_CLIENT_OP_REQUEST_H

#include "api/server.h"
#include "client/transport.h"

/* Sets method, path, content type and body of `*ret_request`. Other members do not change. `ret_path`: an
 * empty buffer for the path; it must exist as long as the request. The body is op->body. For YK_OP_BIND and
 * YK_OP_DELETE_POD, this function writes op->body. */
void yk_op_request(struct yk_op *op, struct yk_buf *ret_path, struct yk_k8s_request *ret_request);
/* The result for an unsuccessful answer: `http_status` is neither 0 nor 2xx. Without an answer, the caller
 * takes YK_OP_RETRY itself. `status_reason`: the reason of the Status object in the answer; may be absent. If
 * the reason is known, it decides the result; otherwise, the result is yk_op_refusal(http_status). */
enum yk_op_result yk_op_classify(int http_status, struct yk_str status_reason);

#endif
