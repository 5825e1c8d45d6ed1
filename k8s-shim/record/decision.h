/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decisions: the requests of the scheduler to the API server, as lines of a recording, and the hash over
 * them.
 *
 * A request has the number of its place among all requests. Bindings, evictions and placeholders are
 * requests; conditions and Events are, too, so that the hash also covers what the scheduler says.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_RECORD_DECISION_H
#define YK_RECORD_DECISION_H

#include "api/server.h"

enum { YK_DECISION_HASH_TEXT = 64 + 1 }; /* hexadecimal digits of SHA-256, and the end */

struct yk_decisions {
    uint64_t count;
    struct evp_md_ctx_st *hash; /* owned */
};

/* Begins without decisions. Ends with yk_decisions_done(), which frees the hash. */
void yk_decisions_init(struct yk_decisions *decisions);
void yk_decisions_done(struct yk_decisions *decisions);
/* Counts a line as yk_decision_put() writes it, without its newline. */
void yk_decisions_add(struct yk_decisions *decisions, struct yk_str line);
/* Writes the hash over all lines so far, terminated. More lines may be added afterwards. */
void yk_decisions_hash(const struct yk_decisions *decisions, char ret_hash[YK_DECISION_HASH_TEXT]);

/* Whether a request is a decision of the scheduler. A request for a Lease, a review or a new configuration is
 * not: it is made for others. */
bool yk_decision_is(enum yk_op_kind kind);
/* Appends the request as a JSON object: number, kind, what it is about, and a digest of its body. */
void yk_decision_put(uint64_t number, const struct yk_op *op, struct yk_buf *line);

#endif
