/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue configurations from elsewhere: the ConfigMaps of a cluster, the REST interface of a running
 * scheduler.
 *
 * Both wait for the network, a bounded time: for commands that end, not for the scheduler.
 *
 * Thread: any.
 */
#ifndef YK_CMD_CLUSTER_CONFIG_H
#define YK_CMD_CLUSTER_CONFIG_H

#include "cmd/effective_config.h"

/*
 * Reads what a scheduler started now would read from the ConfigMaps of `namespace_`. `kubeconfig` NULL: as
 * the scheduler finds it. After success the caller ends `*ret` with yk_effective_config_done(). Errors:
 * YK_ERR_UNAVAILABLE or another status, with a sentence: the cluster cannot be reached, or the user may not
 * read.
 */
YK_NODISCARD enum yk_status yk_cluster_config_read(const char *kubeconfig, const char *namespace_,
                                                   struct yk_effective_config *ret, struct yk_err *err);
struct yk_live_access {
    const char *token_file; /* with a bearer token; NULL: none is sent */
    const char *ca_file;    /* authorities of the scheduler's certificate; NULL: those of the system */
    bool skip_tls_verify;   /* any certificate is accepted */
};
/*
 * Appends the configuration that the scheduler behind `url` ("https://host:9080") has in force. Errors:
 * YK_ERR_UNAVAILABLE, no answer or another status than 200; YK_ERR_INVALID, the token; YK_ERR_IO. They name
 * the URL and never the token.
 */
YK_NODISCARD enum yk_status yk_live_config_read(const char *url, const struct yk_live_access *access,
                                                struct yk_buf *ret_text, struct yk_err *err);
/* The partitions in an answer of /ws/v1/config: checksum and settings behind them are no part of a
 * queues.yaml. Borrowed from `body`. */
struct yk_str yk_live_config_queues(struct yk_str body);
/*
 * Posts `body` to the path `/ws/v1/whatif` of the scheduler behind `url`. Appends the answer, a JSON object.
 * Errors: as yk_live_config_read(); YK_ERR_INVALID with the sentence of the scheduler if it refuses the
 * question, YK_ERR_STATE if a later try may succeed.
 */
YK_NODISCARD enum yk_status yk_live_whatif(const char *url, const struct yk_live_access *access,
                                           struct yk_str body, struct yk_buf *ret_answer, struct yk_err *err);
/* The namespace of the ConfigMaps unless a flag names one: $NAMESPACE, or "default". Borrowed for the life of
 * the process. */
const char *yk_default_namespace(void);

#endif
