/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A link to the REST interface of a scheduler, for `kubectl yunikorn`. There are three ways:
 *
 * - direct: to the address in --server.
 * - proxy: over the service proxy of the API server. The proxy removes the header Authorization, so the
 *   scheduler does not know the user. This way is enough for reads that need no token (`rest.access: none`).
 * - port-forward: over a child process, `kubectl port-forward`, with TLS if the scheduler has it, and with
 *   the credential of the flags, or else of the kubeconfig.
 *
 * Without --server, and with --via auto or without --via, reads use the proxy first. If the scheduler answers
 * with 401, or the API server with 403, the link uses the port-forward from then on. With a token or a
 * service account on the command line, and for requests with `is_guarded`, the link uses the port-forward at
 * once.
 *
 * Owns:   event loop, connections, credentials, the child process.
 * Thread: main thread.
 */
#ifndef YK_CMD_KUBECTL_LINK_H
#define YK_CMD_KUBECTL_LINK_H

#include "cmd/kubectl.h"

struct yk_io;

/* Makes a link from the flags, without sending a request. `flags` is borrowed for life. `io` is borrowed for
 * life, and its loop runs within each call; NULL: the link makes its own. The caller frees `*ret_link` with
 * yk_ctl_link_free(). Errors: YK_ERR_INVALID, a flag has a wrong value, or flags contradict each other;
 * YK_ERR_IO, no event loop can be made. */
YK_NODISCARD enum yk_status yk_ctl_link_new(const struct yk_ctl_flags *flags, struct yk_io *io,
                                            struct yk_ctl_link **ret_link, struct yk_err *err);
/* Ends the child process, closes the connections and frees the link. NULL is allowed. */
void yk_ctl_link_free(struct yk_ctl_link *link);
YK_DEFINE_FREEP(yk_ctl_link)

struct yk_ctl_request {
    const char *method;    /* such as "GET" */
    const char *path;      /* such as "/ws/v1/queues?limit=1", with escapes as in a URL */
    const char *accept;    /* value of the header Accept; NULL: application/json */
    struct yk_str body;    /* absent: the request has no body */
    const char *body_type; /* type of `body`; NULL: application/json */
    /* The scheduler may have to know the user: the proxy is used only with --via proxy. */
    bool is_guarded;
    bool is_endless; /* no time limit; false: 30 s */
    /* Called with each part of the body of a 2xx answer, which is then not added to `ret_body`; the bytes are
     * borrowed for the call. False: ends the request, which then succeeds. NULL: the body goes to
     * `ret_body`. */
    bool (*sink)(void *context, struct yk_str bytes);
    void *context; /* passed to `sink` */
};

/*
 * Sends a request to the scheduler, and waits for the end of the answer. Opens connections, and starts the
 * port-forward, when a call needs them. `*ret_body`, whose `max` the caller has set, is replaced by the body
 * of a 2xx answer, which may have at most `ret_body->max` bytes; the caller ends it with yk_buf_done(), also
 * after an error. `ret_body` is NULL if the request has a sink. Errors, with the message of the server if it
 * sent one: YK_ERR_NOT_FOUND, status 404 with a message, or there is no kubectl for the port-forward;
 * YK_ERR_INVALID, status 405, or 404 without a message (the server has no such path), or a flag cannot be
 * used; YK_ERR_DENIED, status 401 or 403; YK_ERR_LIMIT, the body is too long; YK_ERR_UNAVAILABLE, there is no
 * complete answer, or status 502, 503, 504, or 5xx without a message, or the port-forward fails;
 * YK_ERR_STATE, any other status, or there is no Service of the scheduler; others, the kubeconfig or a
 * credential cannot be used.
 */
YK_NODISCARD enum yk_status yk_ctl_link_call(struct yk_ctl_link *link, const struct yk_ctl_request *request,
                                             struct yk_buf *ret_body, struct yk_err *err);
/* Whether the API server may be asked for pods. False with --server and neither --kubeconfig nor --context. A
 * matter of the flags only: yk_ctl_link_call_cluster() may still find no kubeconfig. */
bool yk_ctl_link_has_cluster(const struct yk_ctl_link *link);
/* Like yk_ctl_link_call(), but sends the request to the API server, with the credentials of the kubeconfig.
 * `is_guarded` has no effect. Ask the API server for pods only if yk_ctl_link_has_cluster() is true:
 * otherwise it may be that of another cluster. */
YK_NODISCARD enum yk_status yk_ctl_link_call_cluster(struct yk_ctl_link *link,
                                                     const struct yk_ctl_request *request,
                                                     struct yk_buf *ret_body, struct yk_err *err);
/* The namespace of pods: the value of --namespace. Without the flag: the namespace of the context in the
 * kubeconfig, or of the pod that this program runs in. "default" if there is none, or it cannot be read.
 * Borrowed for the life of the link. May read the kubeconfig. */
const char *yk_ctl_link_namespace(struct yk_ctl_link *link);

#endif
