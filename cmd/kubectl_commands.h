/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands of `kubectl yunikorn` and their flags, as data: kubectl_rows.h. Any thread; nothing changes. */
#ifndef YK_CMD_KUBECTL_COMMANDS_H
#define YK_CMD_KUBECTL_COMMANDS_H

#include "cmd/arguments.h"
#include "cmd/kubectl.h"

enum { YK_CTL_FLAG_COUNT_MAX = 32 };

/* What completes an operand or the value of a flag. */
enum yk_ctl_words {
    YK_CTL_WORDS_NOTHING,
    YK_CTL_WORDS_FILES,
    YK_CTL_WORDS_WORKLOADS, /* applications, and pods that wait */
    YK_CTL_WORDS_QUEUES,
    YK_CTL_WORDS_LEAVES,
    YK_CTL_WORDS_APPS,
    YK_CTL_WORDS_TOP_KINDS,
    YK_CTL_WORDS_CONFIG_STEPS,
    YK_CTL_WORDS_CONFIG_OPERANDS, /* files, or what was in force, by the first operand */
    YK_CTL_WORDS_CONFIG_IDS,
    YK_CTL_WORDS_OUTPUTS,
    YK_CTL_WORDS_STATES,
    YK_CTL_WORDS_WAYS,
};

struct yk_ctl_command {
    const char *name, *arguments; /* what it takes, as the usage shows it; "" */
    const char *summary;          /* one line of the list */
    const char *details;          /* sentences of its help; "": the summary */
    unsigned flags;               /* that only some commands have */
    int operands_min, operands_max;
    enum yk_ctl_words first, second; /* of the operands */
    enum yk_status (*run)(struct yk_ctl *ctl, char **operands, struct yk_err *err);
};

extern const struct yk_ctl_command yk_ctl_commands[];
extern const size_t yk_ctl_command_count;
/* The command of that name; NULL: there is none. */
const struct yk_ctl_command *yk_ctl_command_find(const char *name);
/* Fills `flags`, of YK_CTL_FLAG_COUNT_MAX: those of `command` (NULL: none), then those that all have. Their texts go to
 * `to`. Returns their number. */
size_t yk_ctl_command_flags(const struct yk_ctl_command *command, struct yk_ctl_flags *to,
                            struct yk_flag *flags);
/* What completes the value of the flag of that name. */
enum yk_ctl_words yk_ctl_words_of_flag(const char *name);

#endif
