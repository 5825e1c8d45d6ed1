/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs `kubectl port-forward` as a child process: a local port that leads to a pod of the scheduler over the
 * API server, with the rights of the user.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_KUBECTL_FORWARD_H
#define YK_CMD_KUBECTL_FORWARD_H

#include "base/str.h"

struct yk_forward;

struct yk_forward_options {
    const char *kubeconfig, *context;        /* flags of kubectl; NULL: the flag is left out */
    const char *namespace_, *service, *port; /* of the Service; `port` is a name or a number */
    int patience_ms;                         /* the longest wait until kubectl forwards */
};

/*
 * Starts the program that $KUBECTL names, or kubectl if this variable is unset or empty, and waits until the
 * program forwards. The caller frees `*ret_forward` with yk_forward_free(), which ends the program. When this
 * process ends, however it ends, the program gets SIGTERM. Errors: YK_ERR_NOT_FOUND, there is no such
 * program, or it cannot be executed; YK_ERR_UNAVAILABLE, the program does not forward in time, or it has
 * ended (the sentence then has the first line of its standard error); YK_ERR_IO, there is no pipe, or no
 * child process can be made.
 */
YK_NODISCARD enum yk_status yk_forward_start(const struct yk_forward_options *options,
                                             struct yk_forward **ret_forward, struct yk_err *err);
/* Ends the program and waits for its end. NULL is allowed. */
void yk_forward_free(struct yk_forward *forward);
YK_DEFINE_FREEP(yk_forward)
/* The TCP port on 127.0.0.1 where the program listens. */
uint16_t yk_forward_port(const struct yk_forward *forward);
/* Whether the program still runs. If not, the port may belong to another program. Also reads what the program
 * has printed, because the program blocks when its pipes are full. */
bool yk_forward_is_alive(struct yk_forward *forward);

#endif
