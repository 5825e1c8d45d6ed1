/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads queue configurations from the ConfigMaps of a cluster and from the REST interface of a running
 * scheduler, and asks this scheduler what-if questions.
 *
 * These functions block for at most 15 s while they wait for the network. They are for commands such as
 * `yunikorn validate`, not for the scheduler.
 *
 * Thread: any.
 */
#ifndef YK_CMD_CLUSTER_CONFIG_H
#define YK_CMD_CLUSTER_CONFIG_H

#include "cmd/effective_config.h"

/*
 * Reads the configuration that a scheduler would read from the ConfigMaps yunikorn-defaults and
 * yunikorn-configs in `namespace_` if it started now. `kubeconfig` is a file; NULL: it is found as the
 * scheduler finds it. ConfigMaps that do not exist count as empty. Prints a note on standard error if no
 * ConfigMap has queues. On success, the caller ends `*ret` with yk_effective_config_done(). Errors:
 * YK_ERR_UNAVAILABLE, the API server does not answer or refuses; others, the kubeconfig cannot be used.
 */
YK_NODISCARD enum yk_status yk_cluster_config_read(const char *kubeconfig, const char *namespace_,
                                                   struct yk_effective_config *ret, struct yk_err *err);

/* How to reach a scheduler over REST. */
struct yk_live_access {
    /* File with a bearer token; NULL: no token is sent. Otherwise the functions below fail with YK_ERR_INVALID if
     * the URL is neither https:// nor of this machine. */
    const char *token_file;
    const char *ca_file;  /* file with the authorities of the certificate; NULL: those of the system */
    bool skip_tls_verify; /* accept any certificate */
};
/*
 * Appends the active queue configuration, a queues.yaml, of the scheduler at `url`, such as
 * "https://host:9080". Errors: YK_ERR_UNAVAILABLE, there is no answer, it has more than YK_CONFIG_BYTES_MAX
 * bytes, or its status is not 200; YK_ERR_INVALID, the token file has no token; the errors of yk_file_read(),
 * the token file cannot be read; YK_ERR_IO, there is no memory for a connection. The sentences in `err` never
 * contain the token.
 */
YK_NODISCARD enum yk_status yk_live_config_read(const char *url, const struct yk_live_access *access,
                                                struct yk_buf *ret_text, struct yk_err *err);
/* The queues.yaml in an answer of GET /ws/v1/config: the part before the checksum and the settings. Borrowed
 * from `body`. */
struct yk_str yk_live_config_queues(struct yk_str body);
/*
 * Posts the question `body`, JSON or YAML, to the path /ws/v1/whatif of the scheduler at `url`. Sends the
 * question once. Appends the answer as it is: the caller checks that it is a JSON object. Errors:
 * YK_ERR_UNAVAILABLE, there is no answer, or it has more than 8 MiB; YK_ERR_STATE, status 503: the scheduler
 * is busy, starts, ends or is a standby, so the caller may repeat the call after a pause, a limited number of
 * times; YK_ERR_INVALID, any other status than 200, such as 400, 401 or 500; the errors of
 * yk_live_config_read() about the token file and memory. `err` has the message of the scheduler, if there is
 * one.
 */
YK_NODISCARD enum yk_status yk_live_whatif(const char *url, const struct yk_live_access *access,
                                           struct yk_str body, struct yk_buf *ret_answer, struct yk_err *err);
/* The namespace of the ConfigMaps unless a flag names one: $NAMESPACE, or "default". Borrowed for the life of
 * the process. */
const char *yk_default_namespace(void);

#endif
