/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The subcommands. Each takes its own arguments (argv[0] is its name) and returns the exit code.
 */
#ifndef YK_CMD_COMMANDS_H
#define YK_CMD_COMMANDS_H

enum {
    YK_EXIT_OK = 0,
    YK_EXIT_FAILURE = 1,   /* what was asked for could not be done, or was found wrong */
    YK_EXIT_USAGE = 2,     /* the command line makes no sense */
    YK_EXIT_UNREACHED = 3, /* kubectl yunikorn: the server gave no answer */
};

/* `yunikorn admission-controller`: serves the admission webhooks until a signal ends it. */
int yk_cmd_admission_controller(int argc, char **argv);
/* `yunikorn completion`: prints a script for a shell. */
int yk_cmd_completion(int argc, char **argv);
/* Also called by the name of the program, `kubectl-yunikorn`. */
int yk_cmd_ctl(int argc, char **argv);
/* `yunikorn migrate`: lists what a move from Apache YuniKorn changes. */
int yk_cmd_migrate(int argc, char **argv);
/* `yunikorn scheduler`: schedules a cluster until a signal ends it. */
int yk_cmd_scheduler(int argc, char **argv);
/* `yunikorn simulate`: runs a scenario on a simulated cluster. */
int yk_cmd_simulate(int argc, char **argv);
/* `yunikorn validate`: checks a configuration. */
int yk_cmd_validate(int argc, char **argv);
/* `yunikorn version`: prints version, revision and compiler. */
int yk_cmd_version(int argc, char **argv);
/* As the others: the exit code. */
int yk_cmd_whatif(int argc, char **argv);

#endif
