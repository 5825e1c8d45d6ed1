/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The message of a condition or an Event that says why a pod waits. It begins with the words of
 * kube-scheduler or of YuniKorn 1.9, which tools may search for. Then come the token of the reason, a colon,
 * and a sentence with numbers: "0/5 nodes are available: 5 Insufficient cpu. InsufficientNodeResources: needs
 * 20 cores; ...".
 *
 * Messages that differ only in the sentence count as the same and are not written again, so that numbers that
 * change all the time cause no requests.
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md 3.9.
 */
#ifndef YK_APP_REASON_WORDS_H
#define YK_APP_REASON_WORDS_H

#include "base/str.h"
#include "si.h"

/* Appends " <token>: <sentence>" to the message; appends nothing if the reason is YK_REASON_NONE. */
void yk_reason_words_add(struct yk_buf *message, enum yk_si_reason reason, struct yk_str sentence);
/* The reason of the first token in the message; YK_REASON_NONE: the message has no token. `*ret_sentence`:
 * the text after the token or, without a token, the whole message; a view of `message`. */
enum yk_si_reason yk_reason_words_split(struct yk_str message, struct yk_str *ret_sentence);
/* The message up to and including the first token; the whole message if it has no token. A view of
 * `message`. */
struct yk_str yk_reason_words_lasting(struct yk_str message);

#endif
