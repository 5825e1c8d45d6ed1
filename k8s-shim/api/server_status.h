/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Status object, which the API server sends when it refuses a request or ends a watch (rule K14).
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "Status".
 */
#ifndef YK_API_SERVER_STATUS_H
#define YK_API_SERVER_STATUS_H

#include "api/wire_format.h"
#include "base/arena.h"

struct yk_status_cause {
    /* such as "ResourceVersionTooLarge" for `reason`, "spec.nodeName" for `field` */
    struct yk_str reason, message, field;
};

/* Written by: api; client sets `code` if the server did not. */
struct yk_server_status {
    struct yk_arena arena; /* owns every text below */
    struct yk_str status;  /* "Success" or "Failure" */
    struct yk_str reason, message;
    int32_t code;          /* HTTP status code; 0: not given */
    int32_t retry_after_s; /* details.retryAfterSeconds; 0: not given */
    struct yk_status_cause *causes;
    uint32_t cause_count;
};

/*
 * Reads a Status. `*ret` is overwritten, so it must not own anything; the caller ends it with
 * yk_server_status_done(). Errors: YK_ERR_INVALID (not a Status), YK_ERR_LIMIT; `*ret` is then untouched.
 */
YK_NODISCARD enum yk_status yk_server_status_read(enum yk_wire_format format, struct yk_str bytes,
                                                  struct yk_server_status *ret, struct yk_err *err);
void yk_server_status_done(struct yk_server_status *status);
/* Whether a cause of the status has the reason `reason` or the field `field`. An argument that is NULL
 * matches no cause. */
bool yk_server_status_has_cause(const struct yk_server_status *status, const char *reason, const char *field);

#endif
