/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applications that have ended: the scheduler keeps them in lists, and several may have the same id.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_KUBECTL_ENDED_H
#define YK_CMD_KUBECTL_ENDED_H

#include "cmd/kubectl.h"

/* Finds the application `id` among those that have completed, failed, or were rejected. `*ret_app`: the one
 * that ended last; the caller frees it with json_decref(). `*ret_count`: how many have this id. Errors:
 * YK_ERR_NOT_FOUND, there is none; others like yk_ctl_list(). */
YK_NODISCARD enum yk_status yk_ctl_find_ended(struct yk_ctl *ctl, const char *id, json_t **ret_app,
                                              size_t *ret_count, struct yk_err *err);
/* Prints the state of `app`, the message of a failure or rejection, when it ended, how long it ran, and how
 * many of its id have ended if these are more than one. */
void yk_ctl_print_end(const struct yk_ctl *ctl, const json_t *app, size_t count);

#endif
