/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines: a table of flags per command, from which both the parsing and the help come.
 *
 * Flags are GNU style: --name VALUE, --name=VALUE, -x VALUE, of a switch --name or --name=false; flags and
 * operands mix; -- ends the flags.
 *
 * Thread: any.
 */
#ifndef YK_CMD_ARGUMENTS_H
#define YK_CMD_ARGUMENTS_H

#include "base/str.h"

struct yk_flag {
    const char *name;  /* without dashes */
    char letter;       /* 0: none */
    const char *value; /* what it takes, in capitals; NULL: it is a switch; "[=VALUE]": it may be left out */
    const char *help;
    const char **text; /* where its value goes; for a switch "true", or NULL when it is off;
                          "" for a value that was left out */
};

struct yk_command_line {
    const char *usage;   /* "yunikorn validate [OPTIONS] FILE|-" */
    const char *summary; /* sentences */
    const struct yk_flag *flags;
    size_t flag_count;
    int operands_max;
};

enum yk_arguments {
    YK_ARGUMENTS_GO_ON,
    YK_ARGUMENTS_HELPED, /* help was asked for and printed: exit 0 */
    YK_ARGUMENTS_WRONG,  /* a sentence was printed: exit 2 */
};

/* Sets the flags' texts; operands are moved to argv[*ret_operands .. argc). --help (-h) is understood by
 * itself. */
YK_NODISCARD enum yk_arguments yk_arguments_parse(const struct yk_command_line *line, int argc, char **argv,
                                                  int *ret_operands);
/* Prints "<command>: <text>" on standard error. */
void yk_complain(const char *command, const char *format, ...) YK_PRINTF(2, 3);
/* Reads the value of -o: "text" (or NULL) or "json". False: it is something else, and a sentence was
 * printed. */
YK_NODISCARD bool yk_arguments_output(const char *command, const char *text, bool *ret_json);

#endif
