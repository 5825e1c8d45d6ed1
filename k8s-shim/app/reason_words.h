/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The message of a condition or an Event that says why a pod waits: words that tools know, then the token of
 * the reason, a colon, and a sentence with numbers: "0/5 nodes are available: 5 Insufficient cpu.
 * InsufficientNodeResources: needs 20 cores; ...".
 *
 * The sentence is as of when the message was written: a message that differs in nothing else counts as the
 * same, so that numbers that change all the time cost no requests.
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md 3.9.
 */
#ifndef YK_APP_REASON_WORDS_H
#define YK_APP_REASON_WORDS_H

#include "base/str.h"
#include "si.h"

/* Appends " TOKEN: sentence". Nothing if the reason is YK_REASON_NONE. */
void yk_reason_words_add(struct yk_buf *message, enum yk_si_reason reason, struct yk_str sentence);
/* The reason whose token the message has; YK_REASON_NONE: none. `*ret_sentence` is what follows it, or the whole
 * message. */
enum yk_si_reason yk_reason_words_split(struct yk_str message, struct yk_str *ret_sentence);
/* The message up to the token, which is included; the whole message if it has none. */
struct yk_str yk_reason_words_lasting(struct yk_str message);

#endif
