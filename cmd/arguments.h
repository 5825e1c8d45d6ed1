/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines: each command has a table of flags, which serves for parsing and for the help text.
 *
 * Flags have the style of GNU: --name VALUE, --name=VALUE or -x VALUE. If the value is optional, only --name
 * and --name=VALUE. A switch is --name or --name=false. Operands may stand between flags; after --, there
 * are only operands.
 *
 * Thread: main thread, before other threads start: getopt_long() has global variables.
 */
#ifndef YK_CMD_ARGUMENTS_H
#define YK_CMD_ARGUMENTS_H

#include "base/str.h"

struct yk_flag {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    /* The word for the value in the help, in capitals; "[=VALUE]": the value is optional; NULL: a switch. */
    const char *value;
    const char *help;
    /* Is set to the value, borrowed from argv; "" for an optional value that is not given. For a switch:
     * "true", or NULL if it is switched off. Unchanged if the flag is not given. */
    const char **text;
};

struct yk_command_line {
    /* Such as "yunikorn validate [OPTIONS] FILE|-". The words in lower case at its beginning name the command
     * in messages. */
    const char *usage;
    const char *summary; /* sentences below the usage; each line but the last one ends with "\n" */
    const struct yk_flag *flags;
    size_t flag_count; /* at most 32 */
    int operands_max;  /* more operands are an error */
};

enum yk_arguments {
    YK_ARGUMENTS_GO_ON,
    YK_ARGUMENTS_HELPED, /* the help text was asked for and printed: exit with YK_EXIT_OK */
    YK_ARGUMENTS_WRONG,  /* an error was printed: exit with YK_EXIT_USAGE */
};

/* Parses a command line and sets the texts of the flags, which the caller has initialised. The text of a flag
 * that is not given does not change. `argv[0]` is ignored. Moves the operands to the end of `argv`, in their
 * order: argv[*ret_operands] to argv[argc - 1], perhaps none. Too few operands are no error: the caller
 * checks their number. `*ret_operands` is set only with YK_ARGUMENTS_GO_ON. All commands have the flag --help
 * (-h), which is not in line->flags. */
YK_NODISCARD enum yk_arguments yk_arguments_parse(const struct yk_command_line *line, int argc, char **argv,
                                                  int *ret_operands);
/* Prints "yunikorn <command>: <text>" and a line break on standard error. */
void yk_complain(const char *command, const char *format, ...) YK_PRINTF(2, 3);
/* Reads the value of the flag --output: "json" sets `*ret_json` to true, "text" and NULL to false. False:
 * `text` is something else, and an error of `command` was printed. */
YK_NODISCARD bool yk_arguments_output(const char *command, const char *text, bool *ret_json);

#endif
