/* SPDX-License-Identifier: Apache-2.0 */
/* What waits, as several subcommands show it. Thread: one. */
#ifndef YK_CMD_KUBECTL_PENDING_H
#define YK_CMD_KUBECTL_PENDING_H

#include "cmd/kubectl.h"

/* Prints the pods of an application that wait, with reasons. Nothing if none waits, or if the scheduler is of
 * a version that does not say. */
void yk_ctl_print_pending_of_app(struct yk_ctl *ctl, const char *id);
/* Prints an answer of `/pending`: sums by reason, then a row per pod. */
void yk_ctl_print_pending(const struct yk_ctl *ctl, const json_t *answer);

#endif
