/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How `kubectl yunikorn` reaches the REST interface of a scheduler. There are three ways:
 *
 * direct:       the address of the scheduler is given (--server).
 * proxy:        the service proxy of the API server. It removes the header Authorization, so the scheduler
 *               does not learn who asks. This is enough where reads are open (`rest.access: none`).
 * port-forward: `kubectl port-forward` runs as a child, and the request goes through it over TLS, with a
 *               token or a client certificate of the user.
 *
 * Without a choice, reads try the proxy first, and what the scheduler answers with 401 goes over the
 * port-forward. What changes something is guarded always, so it uses the port-forward at once.
 *
 * Owns:   event loop, connections, credentials, the child process.
 * Thread: one.
 */
#ifndef YK_CMD_KUBECTL_LINK_H
#define YK_CMD_KUBECTL_LINK_H

#include "cmd/kubectl.h"

struct yk_io;

/* Makes a link from the flags, without sending anything. `flags`: borrowed for life. `io`: borrowed for life,
 * its loop runs within each call; NULL: one of its own. The caller frees `*ret_link`. Errors: flags that
 * contradict each other, a token file that cannot be read. */
YK_NODISCARD enum yk_status yk_ctl_link_new(const struct yk_ctl_flags *flags, struct yk_io *io,
                                            struct yk_ctl_link **ret_link, struct yk_err *err);
/* Ends the child process, too. NULL is fine. */
void yk_ctl_link_free(struct yk_ctl_link *link);
YK_DEFINE_FREEP(yk_ctl_link)

struct yk_ctl_request {
    const char *method; /* "GET" */
    const char *path;   /* "/ws/v1/..." with its query, encoded */
    const char *accept; /* NULL: JSON */
    struct yk_str body; /* absent: none. Of type JSON, unless `body_type` is set */
    const char *body_type;
    bool is_guarded; /* it changes something */
    bool is_endless; /* no time limit */
    /* Bytes of a 2xx answer instead of `ret_body`; false: enough, which is no error. */
    bool (*sink)(void *context, struct yk_str bytes);
    void *context;
};

/*
 * Sends a request and waits for its end. `ret_body` is emptied first and sets the maximum; NULL with a sink.
 *
 * Errors: YK_ERR_NOT_FOUND (404), YK_ERR_INVALID (the server has no such path),
 * YK_ERR_DENIED (401, 403, with the right that is missing), YK_ERR_STATE
 * (another refusal, with the sentence of the server), YK_ERR_LIMIT, YK_ERR_UNAVAILABLE (no answer).
 */
YK_NODISCARD enum yk_status yk_ctl_link_call(struct yk_ctl_link *link, const struct yk_ctl_request *request,
                                             struct yk_buf *ret_body, struct yk_err *err);
/* Whether an API server can be asked for pods: false with --server and no kubeconfig. */
bool yk_ctl_link_has_cluster(const struct yk_ctl_link *link);
/* As yk_ctl_link_call(), but `request` goes to the API server itself. */
YK_NODISCARD enum yk_status yk_ctl_link_call_cluster(struct yk_ctl_link *link,
                                                     const struct yk_ctl_request *request,
                                                     struct yk_buf *ret_body, struct yk_err *err);
/* The namespace of pods: the flag, else that of the context, else "default". Borrowed. */
const char *yk_ctl_link_namespace(struct yk_ctl_link *link);

#endif
