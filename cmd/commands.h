/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The subcommands. Each takes its own arguments (argv[0] is its name) and returns the exit code.
 *
 * Thread: the main thread.
 */
#ifndef YK_CMD_COMMANDS_H
#define YK_CMD_COMMANDS_H

enum {
    YK_EXIT_OK = 0,
    YK_EXIT_FAILURE = 1,   /* what was asked for could not be done, or was found wrong */
    YK_EXIT_USAGE = 2,     /* the command line makes no sense */
    YK_EXIT_UNREACHED = 3, /* kubectl yunikorn: the server gave no answer */
};

/* One function for each row, yk_cmd_<symbol>(). */
#define ROW(symbol, name, summary) int yk_cmd_##symbol(int argc, char **argv);
#include "cmd/command_rows.h"
#undef ROW

/* Completes the command line of `kubectl yunikorn` (cmd/kubectl_complete.h). Also called by the name of the program,
 * `kubectl_complete-yunikorn`. argv[0] is not looked at. */
int yk_cmd_ctl_complete(int argc, char **argv);

#endif
