/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completion of the command line of `kubectl yunikorn`, in the convention of kubectl's plug-ins: kubectl runs
 * `kubectl_complete-yunikorn WORD...`, where the last word is the one to be completed and may be empty. Each
 * line of the answer is a word, and behind a tab its description; the last line is ":4", or ":0" if files
 * complete the word. Names of queues, applications and pods come from the scheduler.
 *
 * Thread: the command's only one.
 * Source: Kubernetes documentation, "Extend kubectl with plugins"; the directives of Cobra's __complete.
 */
#ifndef YK_CMD_KUBECTL_COMPLETE_H
#define YK_CMD_KUBECTL_COMPLETE_H

#include "cmd/kubectl_commands.h"

enum { YK_COMPLETE_NAMES_MAX = 1000 };

/* What is to be completed. */
struct yk_completion {
    const struct yk_ctl_command *command; /* NULL: it is not named yet */
    enum yk_ctl_words words;              /* of an operand or of the value of a flag */
    bool is_command, is_flag;             /* a command; a flag */
    const char *prefix;                   /* what is there already; borrowed */
    const char *before;                   /* what stands in front of each answer: "--output=" */
    char before_text[64];
};

/* Reads the words before the last one, and puts the values of flags into `flags`. `words`: at least one. */
void yk_completion_read(const char *const *words, int count, struct yk_ctl_flags *flags,
                        struct yk_completion *ret_completion);
/* Writes the answers to ctl->out. Errors of the server lead to no answers. ctl->link may be NULL: then names are not
 * known. */
void yk_completion_write(struct yk_ctl *ctl, const struct yk_completion *completion);

#endif
