/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the subcommands. Each gets the arguments from the name of the subcommand on, so argv[0] is
 * this name, and returns the exit code. It may reorder `argv`.
 *
 * Thread: the main thread.
 */
#ifndef YK_CMD_COMMANDS_H
#define YK_CMD_COMMANDS_H

enum {
    YK_EXIT_OK = 0,
    YK_EXIT_FAILURE = 1,   /* the command failed, or its check found an error */
    YK_EXIT_USAGE = 2,     /* the command line is wrong */
    YK_EXIT_UNREACHED = 3, /* kubectl yunikorn: the scheduler gave no answer */
};

/* One function for each row, yk_cmd_<symbol>(). */
#define ROW(symbol, name, summary) int yk_cmd_##symbol(int argc, char **argv);
#include "cmd/command_rows.h"
#undef ROW

/* Prints the words that can complete the command line of `kubectl yunikorn` in argv[1] and following
 * (cmd/kubectl_complete.h). main() calls it if the program is called `kubectl_complete-yunikorn`. */
int yk_cmd_ctl_complete(int argc, char **argv);

#endif
