/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A credential plug-in: the command of a kubeconfig that says who we are, run as a child process.
 *
 * Without a shell, with nothing of ours open but standard error's pipe and its own output; at most
 * YK_EXEC_OUTPUT_MAX bytes are taken and YK_EXEC_TIMEOUT_NS waited, then it and its process group are killed.
 * One at a time. The loop never waits for it.
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
    struct event_base *base; /* borrowed for life, as the next two */
    struct yk_io_timers *timers;
    const struct yk_access *access; /* with `exec` */
    /* The end of a run, never within yk_exec_plugin_start(): `credential` is borrowed, NULL when it
     * failed. */
    void (*done)(void *context, const struct yk_credential *credential, const struct yk_err *err);
    void *context;
};

/* Makes a plug-in that has not run. `options` are copied. The caller frees it with yk_exec_plugin_free().
 * Errors: YK_ERR_IO, no event could be made. */
YK_NODISCARD enum yk_status yk_exec_plugin_new(const struct yk_exec_options *options,
                                               struct yk_exec_plugin **ret_plugin, struct yk_err *err);
/* Kills the command if it runs, without calling `done`, and frees the plug-in. NULL is fine. */
void yk_exec_plugin_free(struct yk_exec_plugin *plugin);
/* Runs the command, unless it runs already. `ca`: PEM of the cluster, for plug-ins that want to know; copied.
 * The result comes through `done`. */
void yk_exec_plugin_start(struct yk_exec_plugin *plugin, struct yk_str ca);
/* Whether it was started and has not answered. */
bool yk_exec_plugin_runs(const struct yk_exec_plugin *plugin);

#endif
