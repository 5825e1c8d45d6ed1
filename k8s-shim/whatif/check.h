/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the manifests in a what-if question: what an API server would refuse must not get an answer about
 * what would happen. Checked are names, labels, amounts and task groups, because they decide what the
 * scheduler does. Types of fields are checked when the manifests are read (api/json_reader.h).
 *
 * Thread: scheduling thread, or the process of a trial, because task groups are parsed (app/task_groups.h).
 * Source: docs/whatif.md, "Questions"; validation.go of Kubernetes.
 */
#ifndef YK_WHATIF_CHECK_H
#define YK_WHATIF_CHECK_H

#include "whatif/question.h"

/* Refuses a question with YK_ERR_INVALID or YK_ERR_LIMIT. The message names the field and its value. */
YK_NODISCARD enum yk_status yk_whatif_check(const struct yk_whatif_question *question, struct yk_err *err);

#endif
