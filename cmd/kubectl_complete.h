/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion of the command line of `kubectl yunikorn`, as plug-ins of kubectl do it. kubectl runs
 * `kubectl_complete-yunikorn WORD...`; the last word, which may be empty, has to be completed. Each line of
 * the output is a possible word, then perhaps a tab and its description. The last line is ":4", or ":0" if
 * the shell should complete names of files. Names of queues, applications and pods come from the scheduler.
 *
 * Thread: main thread.
 * Source: Kubernetes documentation, "Extend kubectl with plugins"; the directives of Cobra's __complete.
 */
#ifndef YK_CMD_KUBECTL_COMPLETE_H
#define YK_CMD_KUBECTL_COMPLETE_H

#include "cmd/kubectl_commands.h"

enum { YK_COMPLETE_NAMES_MAX = 1000 }; /* the most words that are printed */

/* What the last word of the command line is, and what can complete it. */
struct yk_completion {
    const struct yk_ctl_command *command; /* the subcommand; NULL: no earlier word names one */
    bool is_command;                      /* names of subcommands can complete the last word */
    bool is_flag;                         /* names of flags can complete it: it is "--out", for example */
    enum yk_ctl_words words;              /* if both are false: the words that can complete it */
    const char *prefix;                   /* the part that is typed already; borrowed from the last word */
    /* Printed before each word: "--output=" if that is part of the last word, or "". */
    const char *before;
    char before_text[64]; /* memory of `before` */
};

/* Finds out what the last of `count` (at least 1) words is. Sets the values of flags among the other words in
 * `flags`, which the caller has zeroed. `words` is borrowed as long as `flags` and `*ret_completion` are
 * used. `*ret_completion` points into itself and must not be copied. */
void yk_completion_read(const char *const *words, int count, struct yk_ctl_flags *flags,
                        struct yk_completion *ret_completion);
/* Prints to ctl->out the words that complete the last word, then the line ":4" or ":0". The caller has set
 * `out`, `partition` and `link` of `ctl`, from the flags that yk_completion_read() has found. `ctl->link`
 * may be NULL; names of the scheduler are then left out, as if it did not answer. A scheduler that does not
 * answer can delay this function by more than a minute: the caller limits the time, such as with alarm(). */
void yk_completion_write(struct yk_ctl *ctl, const struct yk_completion *completion);

#endif
