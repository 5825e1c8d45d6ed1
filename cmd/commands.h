/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the subcommands. Each gets the arguments from the word on that names the subcommand:
 * argv[0] is this word. If the program is called `kubectl-yunikorn`, argv[0] of yk_cmd_ctl() is the path of
 * the program. Each function returns the exit code, and may reorder `argv`.
 *
 * Thread: the main thread.
 */
#ifndef YK_CMD_COMMANDS_H
#define YK_CMD_COMMANDS_H

enum {
    YK_EXIT_OK = 0,
    YK_EXIT_FAILURE = 1,   /* the command failed, or its check found an error */
    YK_EXIT_USAGE = 2,     /* the command line is wrong */
    YK_EXIT_UNREACHED = 3, /* kubectl yunikorn: no answer, or "not available" (YK_ERR_UNAVAILABLE) */
};

/* One function for each row, yk_cmd_<symbol>(). */
#define ROW(symbol, name, summary) int yk_cmd_##symbol(int argc, char **argv);
#include "cmd/command_rows.h"
#undef ROW

/* Prints the words that can complete the command line of `kubectl yunikorn` in argv[1] and following
 * (cmd/kubectl_complete.h). main() calls it if the program is called `kubectl_complete-yunikorn`. */
int yk_cmd_ctl_complete(int argc, char **argv);

#endif
