/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of `kubectl yunikorn config`, which has two files.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_KUBECTL_CONFIG_H
#define YK_CMD_KUBECTL_CONFIG_H

#include "cmd/kubectl.h"

enum { YK_CTL_CONFIG_ANSWER_MAX = 8 << 20 }; /* maximum size of an answer with a configuration, in bytes */

/* Prints the lines of `text` to ctl->out, each escaped by yk_text_for_terminal(). */
void yk_ctl_print_lines(const struct yk_ctl *ctl, struct yk_str text);
/* Runs `config history [ID]`. If `id` is NULL, prints the list of configurations that became active or were
 * refused. Otherwise, prints what is known of the configuration `id`, as comments of YAML, and its text if
 * the scheduler still has it. `config diff -` and `config apply -` can read this output if it has the text.
 * With --output json or yaml, prints the same as a tree. Errors: as yk_ctl_get(); YK_ERR_INVALID, `id` is not
 * a number; YK_ERR_NOT_FOUND, the scheduler has no configuration with this id, or no longer has it. */
YK_NODISCARD enum yk_status yk_ctl_config_history(struct yk_ctl *ctl, const char *id, struct yk_err *err);

#endif
