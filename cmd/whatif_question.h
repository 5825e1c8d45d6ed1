/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What-if questions of the command line, for `yunikorn whatif` and `kubectl yunikorn whatif`.
 *
 * Thread: any.
 */
#ifndef YK_CMD_WHATIF_QUESTION_H
#define YK_CMD_WHATIF_QUESTION_H

#include "base/str.h"

/* Parses the value of --count, a number of pods. `text` NULL: the flag is not given; `*ret_count` is 0.
 * Errors: YK_ERR_INVALID, `text` is not a number from 1 to YK_WHATIF_PODS_MAX (whatif/question.h). */
YK_NODISCARD enum yk_status yk_whatif_count(const char *text, uint32_t *ret_count, struct yk_err *err);
/*
 * Appends the question in the file `from`, or in standard input if `from` is "-", to `question`. The text may
 * have up to YK_WHATIF_BODY_MAX bytes (whatif/question.h). With `count` 0 the text is appended as it is,
 * unchecked. Otherwise it is the manifest of a Pod, and the question, as JSON, is about `count` such pods.
 * Errors: as yk_input_read(); YK_ERR_INVALID or YK_ERR_LIMIT, `count` is not 0, and the text is malformed,
 * too complex or not a Pod.
 */
YK_NODISCARD enum yk_status yk_whatif_read(const char *from, uint32_t count, struct yk_buf *question,
                                           struct yk_err *err);
/*
 * Gives the object of `question`, a text of yk_whatif_read(), the namespace `namespace_` if it has none, as
 * `kubectl create --namespace` does. The object is a Pod, a Job or a ConfigMap, or the member `pod` of a
 * question. `question` is then JSON. Otherwise it does not change: the object has a namespace, the question is
 * about something without a namespace, such as a node, or it is malformed, which the scheduler says.
 * Errors: YK_ERR_INVALID, `is_required`, and the object has another namespace; YK_ERR_LIMIT, the question
 * becomes too long.
 */
YK_NODISCARD enum yk_status yk_whatif_set_namespace(struct yk_buf *question, const char *namespace_,
                                                    bool is_required, struct yk_err *err);

#endif
