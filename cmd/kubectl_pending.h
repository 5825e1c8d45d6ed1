/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting pods, as several subcommands show them.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_KUBECTL_PENDING_H
#define YK_CMD_KUBECTL_PENDING_H

#include "cmd/kubectl.h"

/* Reads up to 20 waiting pods of the application `id`. The caller frees the answer with json_decref(). NULL:
 * the request fails, such as with an older scheduler. */
json_t *yk_ctl_get_pending_of_app(struct yk_ctl *ctl, const char *id);
/* Prints why the application waits, if the answer of yk_ctl_get_pending_of_app() says so, then its pods as
 * yk_ctl_print_pending() does. */
void yk_ctl_print_pending_of_app(const struct yk_ctl *ctl, json_t *answer);
/* Prints an answer of a path `.../pending`: the number of pods for each reason, then a table of the pods that
 * the answer lists, and how many more there are. The caller has printed the message of the answer. Messages
 * of pods that repeat it or each other are replaced by "as above" in `answer`, too. */
void yk_ctl_print_pending(const struct yk_ctl *ctl, json_t *answer);

/* Prints why the gang of an application is not used (gangNotUsed of the answer); nothing if there is no
 * reason. */
void yk_ctl_print_gang_unused(const struct yk_ctl *ctl, const json_t *answer);

#endif
