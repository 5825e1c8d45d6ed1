/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A credential plug-in: a command of the kubeconfig that prints credentials, run as a child process.
 *
 * The command is run without a shell, and inherits no open file of this process; its standard output and
 * standard error are pipes. If it prints more than YK_EXEC_OUTPUT_MAX bytes to standard output or runs longer
 * than YK_EXEC_TIMEOUT_NS, it is killed with its process group. No function waits until the command ends by
 * itself.
 *
 * Thread: I/O thread.
 * Source: docs/reference/kubernetes.md, 1.6 "exec plug-ins" (K03).
 */
#ifndef YK_CLIENT_EXEC_PLUGIN_H
#define YK_CLIENT_EXEC_PLUGIN_H

#include "client/exec_credential.h"
#include "client/io_timers.h"

#define YK_EXEC_TIMEOUT_NS (60 * YK_NS_PER_S)

enum { YK_EXEC_OUTPUT_MAX = 1 << 20 };

struct event_base;
struct yk_exec_plugin;

struct yk_exec_options {
    struct event_base *base;        /* borrowed for life */
    struct yk_io_timers *timers;    /* borrowed for life */
    const struct yk_access *access; /* borrowed for life; access->exec is not NULL */
    /* Called at the end of each run, but not before yk_exec_plugin_start() has returned. `credential`: the
     * answer, borrowed for the call; the credential may have expired. NULL: the run has failed, and `err`
     * says why. The function may start the next run. */
    void (*done)(void *context, const struct yk_credential *credential, const struct yk_err *err);
    void *context;
};

/* Makes a plug-in that has not run. `options` are copied. The caller frees `*ret_plugin` with
 * yk_exec_plugin_free(). Errors: YK_ERR_IO: no event could be made. */
YK_NODISCARD enum yk_status yk_exec_plugin_new(const struct yk_exec_options *options,
                                               struct yk_exec_plugin **ret_plugin, struct yk_err *err);
/* Kills the command if it runs, without calling `done`, and frees the plug-in. `plugin` may be NULL. */
void yk_exec_plugin_free(struct yk_exec_plugin *plugin);
/* Starts the command. No effect if it runs already. There is no pause between runs: after a failed run, the
 * caller waits before it calls this function again. An error at the start is passed to `done` later, too.
 * `ca`: certificate authorities of the cluster in PEM; may be absent. The command gets `ca` if the kubeconfig
 * says provideClusterInfo. The result is passed to `done`. */
void yk_exec_plugin_start(struct yk_exec_plugin *plugin, struct yk_str ca);
/* Whether a run was started and `done` has not been called for it. */
bool yk_exec_plugin_runs(const struct yk_exec_plugin *plugin);

#endif
