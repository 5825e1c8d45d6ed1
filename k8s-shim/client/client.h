/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real API server behind the seam of api/server.h.
 *
 * Everything happens on the I/O thread; watches, operations and answers cross over in mailboxes. A watch
 * whose receiver is full stops reading until the mailbox has room (this takes the inbox's on_capacity for
 * itself).
 * Thread: the functions of api/server.h and those marked so on the scheduling thread, the others
 * before the threads start or after they have ended.
 */
#ifndef YK_CLIENT_CLIENT_H
#define YK_CLIENT_CLIENT_H

#include "api/fence.h"
#include "base/io_loop.h"
#include "client/discovery.h"

struct yk_client_options {
    struct yk_io *io;         /* borrowed; outlives the client */
    struct yk_mailbox *inbox; /* of the scheduling thread; borrowed, outlives the client */
    const struct yk_clock *clock;
    const char *kubeconfig; /* NULL: in-cluster, $KUBECONFIG or $HOME/.kube/config, see access.h */
    int64_t qps, burst;     /* of writes: kubernetes.qps, kubernetes.burst; see token_bucket.h */
    unsigned in_flight;     /* writes at once to start with; 0 reads as 64 */
    unsigned in_flight_max; /* 0 reads as 256 */
    uint64_t seed;
    const struct yk_fence *fence; /* of writes; borrowed for life; NULL: none */
};

/*
 * Reads the configuration and the credentials; nothing is sent until the I/O loop runs. SIGPIPE is ignored
 * from now on.
 * `*ret_server`: the caller's, yk_client_free() after both loops have ended.
 * Errors: anything that is wrong with the kubeconfig, the service account or the limits. All are fatal for a
 * scheduler.
 */
YK_NODISCARD enum yk_status yk_client_new(const struct yk_client_options *options,
                                          struct yk_api_server **ret_server, struct yk_err *err);
/* Operations that were not answered are freed without done(). NULL is fine. */
void yk_client_free(struct yk_api_server *server);
/* Sets the limits of writes (kubernetes.qps and .burst), e.g. once the ConfigMaps are read. Scheduling
 * thread. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_client_set_limits(struct yk_api_server *server, int64_t qps, int64_t burst,
                                                 struct yk_err *err);
/* What the API server serves, borrowed from the client. I/O thread. */
struct yk_discovery *yk_client_discovery(struct yk_api_server *server);
/* I/O thread. Appends the metrics of requests to the API server in the Prometheus text format. */
void yk_client_put_metrics(struct yk_api_server *server, struct yk_buf *out);
/* Whether the last request got no answer: the API server is away, or was never there. I/O thread. */
bool yk_client_is_cut_off(const struct yk_api_server *server);
/* The timers of the client, for callers that move a virtual clock; borrowed. I/O thread. */
struct yk_io_timers *yk_client_timers(struct yk_api_server *server);

#endif
