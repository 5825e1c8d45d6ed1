/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of `kubectl yunikorn config`. Thread: the command's only one. */
#ifndef YK_CMD_KUBECTL_CONFIG_H
#define YK_CMD_KUBECTL_CONFIG_H

#include "cmd/kubectl.h"

enum { YK_CTL_CONFIG_ANSWER_MAX = 8 << 20 }; /* bytes */

/* Prints a text from the scheduler line by line, escaped for a terminal. */
void yk_ctl_print_lines(const struct yk_ctl *ctl, struct yk_str text);
/* `config history`: what was done with configurations. With an `id`: what is known of that one, as comments, and its
 * YAML, so that `config diff -` and `config apply -` can read it. `id` NULL: the list. Errors: as yk_ctl_get();
 * YK_ERR_INVALID for an id that is no number, YK_ERR_NOT_FOUND for one that is not kept. */
YK_NODISCARD enum yk_status yk_ctl_config_history(struct yk_ctl *ctl, const char *id, struct yk_err *err);

#endif
