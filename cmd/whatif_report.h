/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints answers to what-if questions.
 *
 * Thread: any.
 */
#ifndef YK_CMD_WHATIF_REPORT_H
#define YK_CMD_WHATIF_REPORT_H

#include "base/str.h"

#include <stdio.h>

struct json_t;

/* Prints the answer `text` of the scheduler to `out`: with `as_json` as it is, otherwise as sentences.
 * `*ret_good` says whether all pods start, or the change is accepted. Errors: YK_ERR_INVALID, `text` is not a
 * JSON object. */
YK_NODISCARD enum yk_status yk_whatif_print(struct yk_str text, bool as_json, FILE *out, bool *ret_good,
                                            struct yk_err *err);
/* Prints an answer as sentences. */
void yk_whatif_print_answer(const struct json_t *answer, FILE *out);
/* Prints the member `impact` of an answer as lines, such as "  + queue root.a"; nothing if `impact` is
 * NULL. */
void yk_whatif_print_impact(const struct json_t *impact, FILE *out);

#endif
