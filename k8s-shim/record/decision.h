/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decisions: the requests of the scheduler to the API server, as lines of a recording, and the hash over
 * these lines.
 *
 * Decisions are numbered from 1 in the order of the requests. They are bindings, deletions, placeholders and
 * changes of volumes, and also conditions and Events, so that the hash covers the messages of the scheduler,
 * too.
 *
 * Thread: any.
 */
#ifndef YK_RECORD_DECISION_H
#define YK_RECORD_DECISION_H

#include "api/server.h"

enum { YK_DECISION_HASH_TEXT = 64 + 1 }; /* bytes: the hexadecimal digits of SHA-256, and a NUL */

/* The hash over the decisions so far. */
struct yk_decisions {
    uint64_t count;             /* number of decisions; other code may read it */
    struct evp_md_ctx_st *hash; /* owned; private: the hash over the lines */
    struct evp_md_ctx_st *body; /* owned; private: for the digest of one body at a time */
};

/* Makes a hash over no decisions. The caller ends it with yk_decisions_done(). */
void yk_decisions_init(struct yk_decisions *decisions);
void yk_decisions_done(struct yk_decisions *decisions);
/* Adds a decision. `line`: the line that yk_decision_put() has written, without a newline. */
void yk_decisions_add(struct yk_decisions *decisions, struct yk_str line);
/* Writes the hash over all lines so far as hexadecimal text with a NUL. More lines may be added
 * afterwards. */
void yk_decisions_hash(const struct yk_decisions *decisions, char ret_hash[YK_DECISION_HASH_TEXT]);

/* Whether requests of this kind are decisions of the scheduler. Others, such as requests about a Lease, are
 * not, because users or other parts of the process cause them. */
bool yk_decision_is(enum yk_op_kind kind);
/* Appends the request to `line` as a JSON object without a newline: its number and kind, namespace, name and
 * UID of the pod or other object that it is about, the node of a binding, and a digest of its body.
 * yk_decision_is() must be true for op->kind. Uses memory of `decisions`, and does not add the decision. */
void yk_decision_put(struct yk_decisions *decisions, uint64_t number, const struct yk_op *op,
                     struct yk_buf *line);

#endif
