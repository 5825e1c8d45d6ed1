/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `kubectl port-forward` as a child process: a local port that leads to the scheduler's pod through the API
 * server, with the user's own rights.
 *
 * Thread: one.
 */
#ifndef YK_CMD_KUBECTL_FORWARD_H
#define YK_CMD_KUBECTL_FORWARD_H

#include "base/str.h"

struct yk_forward;

struct yk_forward_options {
    const char *kubeconfig, *context; /* NULL: kubectl finds them */
    const char *namespace_, *service, *port;
    int patience_ms; /* until it forwards */
};

/*
 * Starts the process, and waits until it forwards. The caller frees `*ret_forward`. The program is $KUBECTL,
 * else `kubectl`. Errors: YK_ERR_UNAVAILABLE with what kubectl complained about; YK_ERR_NOT_FOUND, there is
 * no kubectl.
 */
YK_NODISCARD enum yk_status yk_forward_start(const struct yk_forward_options *options,
                                             struct yk_forward **ret_forward, struct yk_err *err);
/* Ends the process. NULL is fine. */
void yk_forward_free(struct yk_forward *forward);
YK_DEFINE_FREEP(yk_forward)
/* The local TCP port, on 127.0.0.1. */
uint16_t yk_forward_port(const struct yk_forward *forward);
/* Whether the process still runs, so that the port is still its own. Reads what it has written meanwhile. */
bool yk_forward_is_alive(struct yk_forward *forward);

#endif
