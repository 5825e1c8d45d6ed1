/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `kubectl yunikorn`: questions to a running scheduler, and a few changes, from a command line.
 *
 * kubectl_rows.h has the table of subcommands. A subcommand reads JSON over a connection
 * (kubectl_link.h) and prints a table (kubectl_table.h), or JSON or YAML (kubectl_output.h). Texts from the
 * server are escaped before they reach a terminal.
 *
 * Owns:   nothing besides the connection.
 * Thread: the command's only one.
 */
#ifndef YK_CMD_KUBECTL_H
#define YK_CMD_KUBECTL_H

#include "base/str.h"

#include <jansson.h>

struct yk_ctl_link;

enum yk_ctl_output { YK_CTL_TABLE, YK_CTL_WIDE, YK_CTL_JSON, YK_CTL_YAML };

/* Texts of flags; NULL: not given. */
struct yk_ctl_flags {
    /* Where the scheduler is, and who asks. */
    const char *kubeconfig, *context, *server, *via, *scheduler_namespace, *service;
    const char *token, *token_file, *service_account, *audience, *ca_file, *skip_tls_verify;
    /* What is asked for. */
    const char *namespace_, *partition, *output, *no_headers;
    /* Of some subcommands. */
    const char *tree, *watch, *timeline, *follow, *queue, *state, *limit;
    const char *file, *from, *for_, *restart, *hash_names;
};

struct yk_ctl {
    struct yk_ctl_flags flags;
    enum yk_ctl_output output;
    const char *partition;    /* "default" unless given */
    struct yk_ctl_link *link; /* borrowed */
    FILE *out;                /* standard output, or what a test reads */
    bool is_terminal;         /* `out` is one */
    int64_t now_ns;           /* wall clock; ages are counted from it */
    bool is_negative;         /* the answer is "no": exit code 1, without a complaint */
    bool is_misused;          /* an operand or a flag makes no sense: the exit code is that of the usage */
};

/* Reads what is at `path`. `*ret_tree`: the caller's to json_decref(). Errors: as yk_ctl_link_call(), and
 * YK_ERR_INVALID for what is not JSON. */
YK_NODISCARD enum yk_status yk_ctl_get(struct yk_ctl *ctl, const char *path, json_t **ret_tree,
                                       struct yk_err *err);
enum { YK_CTL_ITEMS_MAX = 200 * 1000 };
/*
 * Reads the list at `path`, which may have a query, in pages of 500. `*ret_list`: an array, the caller's.
 * Errors: as yk_ctl_get(); YK_ERR_LIMIT above YK_CTL_ITEMS_MAX entries.
 */
YK_NODISCARD enum yk_status yk_ctl_list(struct yk_ctl *ctl, const char *path, json_t **ret_list,
                                        struct yk_err *err);
/* Appends "/ws/v1/partition/<partition>/<words>", `words` may be "". */
void yk_ctl_path(const struct yk_ctl *ctl, const char *words, struct yk_buf *path);
/* The text at `key` of an object, borrowed from it; "" if there is none or the value has another type. */
const char *yk_ctl_text(const json_t *object, const char *key);
/* The integer at `key`; 0 if there is none or the value has another type. */
int64_t yk_ctl_number(const json_t *object, const char *key);
/* The boolean at `key`; false if there is none or the value has another type. */
bool yk_ctl_truth(const json_t *object, const char *key);

/* ---- subcommands: the exit code is made of the status ---- */

/* `operands`: as many as the row demands, then NULL. */
#define ROW(name, arguments, summary, details, flags, min, max, first, second)                               \
    enum yk_status yk_ctl_##name(struct yk_ctl *ctl, char **operands, struct yk_err *err);
#include "cmd/kubectl_rows.h"
#undef ROW

#endif
