/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to a what-if question for people. Thread: any. */
#ifndef YK_CMD_WHATIF_REPORT_H
#define YK_CMD_WHATIF_REPORT_H

#include "base/str.h"

#include <stdio.h>

struct json_t;

/* Prints the answer `text` of the scheduler to `out`, as JSON or as sentences. `*ret_good`: all pods start,
 * or the change is accepted. Errors: YK_ERR_INVALID, it is no answer. */
YK_NODISCARD enum yk_status yk_whatif_print(struct yk_str text, bool as_json, FILE *out, bool *ret_good,
                                            struct yk_err *err);
/* Prints what a configuration changes: the member `impact` of an answer. */
void yk_whatif_print_impact(const struct json_t *impact, FILE *out);

#endif
