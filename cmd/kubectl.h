/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `kubectl yunikorn`: a client of the REST interface of a running scheduler, for questions and a few changes.
 *
 * kubectl_rows.h has the table of subcommands. A subcommand reads JSON over a link (kubectl_link.h) and
 * prints it as a table (kubectl_table.h), or as JSON or YAML (kubectl_output.h). Texts of the server are
 * escaped before they are printed.
 *
 * Thread: main thread.
 */
#ifndef YK_CMD_KUBECTL_H
#define YK_CMD_KUBECTL_H

#include "base/str.h"

#include <jansson.h>

struct yk_ctl_link;

enum yk_ctl_output { YK_CTL_TABLE, YK_CTL_WIDE, YK_CTL_JSON, YK_CTL_YAML };

/* The texts of the flags, borrowed from argv. kubectl_commands.c has the flags. NULL: the flag is not given.
 * A switch has the text "true". */
struct yk_ctl_flags {
    /* The address of the scheduler, and the credentials. */
    const char *kubeconfig, *context, *server, *via, *scheduler_namespace, *service;
    const char *token, *token_file, *service_account, *audience, *ca_file, *skip_tls_verify;
    /* Flags of most subcommands. */
    const char *namespace_, *partition, *output, *no_headers;
    /* Of some subcommands. */
    const char *tree, *watch, *timeline, *follow, *queue, *state, *limit, *count;
    const char *file, *from, *for_, *restart, *hash_names;
};

/* One run of a subcommand. */
struct yk_ctl {
    struct yk_ctl_flags flags;
    enum yk_ctl_output output;
    const char *partition;    /* of the scheduler; "default" without --partition */
    struct yk_ctl_link *link; /* owned by the caller of the subcommand; `record` replaces it */
    FILE *out;                /* for the result: standard output, or a file in tests */
    bool is_terminal;         /* `out` is a terminal */
    /* Present time, in ns since 1970; ages are counted from it. yk_ctl_get() sets it to the time of a simulated
     * cluster. */
    int64_t now_ns;
    bool is_real; /* the cluster behind --server is not simulated; false: it is, or that is not known yet */
    /* Set by a subcommand that succeeds with a negative answer: the exit code is 1. */
    bool is_negative;
    bool is_misused; /* set with an error if the command line is wrong: the exit code is 2 */
};

/* Parses `text`, the answer to a request of `path`. The caller frees `*ret_tree` with json_decref().
 * Errors, which name `path`: YK_ERR_INVALID, the text is not JSON; YK_ERR_LIMIT, it is nested too deep. */
YK_NODISCARD enum yk_status yk_ctl_parse(const char *path, struct yk_str text, json_t **ret_tree,
                                         struct yk_err *err);
/* Sends GET `path` to the scheduler and parses the answer. If that is a simulation, its time becomes
 * ctl->now_ns. The caller frees `*ret_tree` with json_decref().
 * Errors: as yk_ctl_link_call() and yk_ctl_parse(). */
YK_NODISCARD enum yk_status yk_ctl_get(struct yk_ctl *ctl, const char *path, json_t **ret_tree,
                                       struct yk_err *err);
/* Like yk_ctl_get() for the queue `name`, which an error names. */
YK_NODISCARD enum yk_status yk_ctl_get_queue(struct yk_ctl *ctl, const char *name, json_t **ret_queue,
                                             struct yk_err *err);
enum {
    YK_CTL_ITEMS_MAX = 200 * 1000, /* the longest list */
    YK_CTL_QUEUE_DEPTH_MAX = 1000, /* levels of queues, as many as a configuration may have */
};
/*
 * Reads the list at `path` with requests for up to 500 entries each. `path` may have a query, but without
 * `limit` and `offset`. If the list changes between two requests, entries may be missing or twice in the
 * result. `*ret_list` is a JSON array, which the caller frees with json_decref(). Errors: as yk_ctl_get();
 * YK_ERR_INVALID, an answer is not a list; YK_ERR_LIMIT, the list has more than YK_CTL_ITEMS_MAX entries.
 */
YK_NODISCARD enum yk_status yk_ctl_list(struct yk_ctl *ctl, const char *path, json_t **ret_list,
                                        struct yk_err *err);
/* Appends "/ws/v1/partition/<partition><words>". `words` begins with a slash, such as "/queues", or is "".
 * `words` is not escaped: append names with yk_url_segment(). */
void yk_ctl_path(const struct yk_ctl *ctl, const char *words, struct yk_buf *path);

/* In the next three functions, `object` may be NULL or a JSON value that is not an object. It then has no
 * members. */

/* The string at `key`, borrowed from `object`; "" if there is none. */
const char *yk_ctl_text(const json_t *object, const char *key);
/* The integer at `key`; 0 if there is none. */
int64_t yk_ctl_number(const json_t *object, const char *key);
/* Whether the value at `key` is the boolean true. */
bool yk_ctl_truth(const json_t *object, const char *key);

/* ---- subcommands ---- */

/* One function for each row, yk_ctl_<name>(). Reads from ctl->link and prints to ctl->out (`config diff`
 * prints its text to standard output). `operands` has `min` to `max` texts, then NULL. Errors are printed by
 * the caller; YK_ERR_UNAVAILABLE gives the exit code 3, other errors 1, or 2 if `is_misused` was set. */
#define ROW(name, arguments, summary, details, flags, min, max, first, second)                               \
    enum yk_status yk_ctl_##name(struct yk_ctl *ctl, char **operands, struct yk_err *err);
#include "cmd/kubectl_rows.h"
#undef ROW

#endif
