/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the subcommands of `kubectl yunikorn`, made from kubectl_rows.h, and their flags.
 *
 * Thread: any; the table is constant.
 */
#ifndef YK_CMD_KUBECTL_COMMANDS_H
#define YK_CMD_KUBECTL_COMMANDS_H

#include "cmd/arguments.h"
#include "cmd/kubectl.h"

enum { YK_CTL_FLAG_COUNT_MAX = 32 }; /* the most flags of a command */

/* The words that complete an operand or the value of a flag. */
enum yk_ctl_words {
    YK_CTL_WORDS_NOTHING,
    YK_CTL_WORDS_FILES,     /* names of files */
    YK_CTL_WORDS_WORKLOADS, /* applications, and pods that wait */
    YK_CTL_WORDS_QUEUES,
    YK_CTL_WORDS_LEAVES,
    YK_CTL_WORDS_APPS,
    YK_CTL_WORDS_TOP_KINDS,
    YK_CTL_WORDS_CONFIG_STEPS,
    /* For the second operand of `config`: files or ids, depending on the first operand. */
    YK_CTL_WORDS_CONFIG_OPERANDS,
    YK_CTL_WORDS_CONFIG_IDS, /* ids of earlier configurations */
    YK_CTL_WORDS_OUTPUTS,    /* values of --output */
    YK_CTL_WORDS_STATES,     /* values of --state */
    YK_CTL_WORDS_WAYS,       /* values of --via */
};

/* A row of kubectl_rows.h. */
struct yk_ctl_command {
    const char *name;
    const char *arguments;           /* operands, as the usage shows them; "": none */
    const char *summary;             /* one line for the list of commands */
    const char *details;             /* sentences of the help; "": the summary is shown */
    unsigned flags;                  /* FLAG_... of cmd/kubectl_flags.h */
    int operands_min, operands_max;  /* number of operands */
    enum yk_ctl_words first, second; /* the words that complete the operands */
    /* Declared in cmd/kubectl.h. */
    enum yk_status (*run)(struct yk_ctl *ctl, char **operands, struct yk_err *err);
};

extern const struct yk_ctl_command yk_ctl_commands[]; /* `yk_ctl_command_count` rows */
extern const size_t yk_ctl_command_count;
/* The command of that name; NULL: there is none. Static. */
const struct yk_ctl_command *yk_ctl_command_find(const char *name);
/* Writes the flags of `command` to `flags`, an array of YK_CTL_FLAG_COUNT_MAX, for yk_arguments_parse():
 * first its own flags, then the common ones. With `command` NULL, only the common ones. yk_arguments_parse()
 * will set the texts of the flags in `to`, which the caller has zeroed and which is borrowed until then.
 * Returns the number of flags. */
size_t yk_ctl_command_flags(const struct yk_ctl_command *command, struct yk_ctl_flags *to,
                            struct yk_flag *flags);
/* The flag of `word`, which begins with a dash, such as "--output", "-o" or "-ojson". It is one of `command`
 * or, if that is NULL, of any command. NULL: there is none. `table` is an array of YK_CTL_FLAG_COUNT_MAX that is
 * overwritten and holds the result; `to` is as in yk_ctl_command_flags(). */
const struct yk_flag *yk_ctl_find_flag(const struct yk_ctl_command *command, struct yk_ctl_flags *to,
                                       struct yk_flag *table, const char *word);
/* The value that is part of the word of a flag, as in "--output=json" or "-ojson", borrowed from `word`.
 * NULL: it has none, so if the flag takes a value, that is the next word. */
const char *yk_ctl_value_in(const char *word);
/* The words that complete the value of the flag `name`, which has no dashes; YK_CTL_WORDS_NOTHING if there
 * are none. */
enum yk_ctl_words yk_ctl_words_of_flag(const char *name);

#endif
