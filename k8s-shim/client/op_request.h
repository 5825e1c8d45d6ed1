/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an operation to its HTTP request, and from an HTTP answer to the class of its result.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, 1.2 and 1.5 (K14).
 */
#ifndef YK_CLIENT_OP_REQUEST_H
#define YK_CLIENT_OP_REQUEST_H

#include "api/server.h"
#include "client/transport.h"

/* Writes method, path (into `ret_path`), content type and, for bind and delete, op->body. */
void yk_op_request(struct yk_op *op, struct yk_buf *ret_path, struct yk_k8s_request *ret_request);
/* The class of an answer, by the reason of its Status object if it has one, else by `http_status` (0: there
 * was no answer). */
enum yk_op_result yk_op_classify(int http_status, struct yk_str status_reason);

#endif
