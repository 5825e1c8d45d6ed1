/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn`, also called `yunikorn ctl`: finds the subcommand, runs it, and returns the exit
 * code. */
#include "base/clock.h"
#include "base/log.h"
#include "cmd/arguments.h"
#include "cmd/commands.h"
#include "cmd/kubectl_commands.h"
#include "cmd/kubectl_complete.h"
#include "cmd/kubectl_link.h"
#include "config/settings.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { USAGE_MAX = 256, COMPLETE_SECONDS = 5 };

static const int64_t watch_pause_ns = 2 * YK_NS_PER_S;

/* ---- finding the subcommand ---- */

/* Whether the word is a flag that takes the next word as its value. */
static bool takes_next_word(const char *word)
{
    struct yk_ctl_flags nowhere = {0};
    struct yk_flag flags[YK_CTL_FLAG_COUNT_MAX];
    const struct yk_flag *flag = yk_ctl_find_flag(NULL, &nowhere, flags, word);
    return flag != NULL && flag->value != NULL && yk_ctl_value_in(word) == NULL;
}

/* The index of the first word that is neither a flag nor the value of a flag; `argc` if there is none. */
static int find_word(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            return i;
        if (takes_next_word(argv[i]))
            i++;
    }
    return argc;
}

static void print_usage(const char *program, FILE *stream)
{
    (void)fprintf(stream,
                  "usage: %s COMMAND [OPTIONS]\n\nAsks a running scheduler, for example why a pod waits and "
                  "who uses what.\n\n"
                  "commands:\n",
                  program);
    for (size_t i = 0; i < yk_ctl_command_count; i++)
        (void)fprintf(stream, "  %-20s  %s\n", yk_ctl_commands[i].name, yk_ctl_commands[i].summary);
    (void)fprintf(stream,
                  "\noptions:\n  -h, --help                        show this text\n"
                  "\n%s COMMAND --help, or %s help COMMAND, shows the options of a command.\n"
                  "Exit codes: 0 done, 1 not found or refused, 2 the command line is wrong, 3 no answer.\n",
                  program, program);
}

/* ---- running the subcommand ---- */

static int exit_code(enum yk_status status)
{
    return status == YK_OK ? YK_EXIT_OK : status == YK_ERR_UNAVAILABLE ? YK_EXIT_UNREACHED : YK_EXIT_FAILURE;
}

static bool read_output(struct yk_ctl *ctl)
{
    static const struct {
        const char *word;
        enum yk_ctl_output output;
    } words[] = {{"wide", YK_CTL_WIDE}, {"json", YK_CTL_JSON}, {"yaml", YK_CTL_YAML}};
    if (ctl->flags.output == NULL)
        return true;
    for (size_t i = 0; i < YK_COUNT(words); i++) {
        if (strcmp(ctl->flags.output, words[i].word) == 0) {
            ctl->output = words[i].output;
            return true;
        }
    }
    (void)fprintf(stderr, "error: --output is wide, json or yaml, not '%s'\n", ctl->flags.output);
    return false;
}

static void complain(const struct yk_err *err)
{
    (void)fprintf(stderr, "error: %s\n", err->text); /* yk_fail() has escaped control characters */
}

static void pause_ns(int64_t ns)
{
    struct timespec left = {.tv_sec = ns / YK_NS_PER_S, .tv_nsec = ns % YK_NS_PER_S};
    (void)nanosleep(&left, NULL); /* a signal that does not end the program makes the pause shorter */
}

static enum yk_status watch(struct yk_ctl *ctl, const struct yk_ctl_command *command, char **operands,
                            struct yk_err *err)
{
    for (;;) {
        if (ctl->is_terminal)
            (void)fputs("\033[H\033[2J", ctl->out);
        enum yk_status st = command->run(ctl, operands, err);
        if (st != YK_OK || fflush(ctl->out) != 0)
            return st;
        pause_ns(watch_pause_ns);
        ctl->now_ns = yk_clock_wall_ns(&yk_clock_real);
        if (!ctl->is_terminal)
            (void)fputc('\n', ctl->out);
    }
}

static int run(struct yk_ctl *ctl, const struct yk_ctl_command *command, char **operands)
{
    struct yk_err err = {0};
    enum yk_status st =
        ctl->flags.watch != NULL ? watch(ctl, command, operands, &err) : command->run(ctl, operands, &err);
    if (st != YK_OK)
        complain(&err);
    if (fflush(ctl->out) != 0 && st == YK_OK) {
        (void)fputs("error: standard output cannot be written\n", stderr);
        return YK_EXIT_FAILURE;
    }
    if (st == YK_OK && ctl->is_negative)
        return YK_EXIT_FAILURE;
    return st != YK_OK && ctl->is_misused ? YK_EXIT_USAGE : exit_code(st);
}

static int connect_and_run(struct yk_ctl *ctl, const struct yk_ctl_command *command, char **operands)
{
    struct yk_err err = {0};
    if (!read_output(ctl))
        return YK_EXIT_USAGE;
    if (yk_ctl_link_new(&ctl->flags, NULL, &ctl->link, &err) != YK_OK) {
        complain(&err);
        return YK_EXIT_USAGE;
    }
    int code = run(ctl, command, operands);
    yk_ctl_link_free(ctl->link);
    return code;
}

/* Makes the client log only errors, to standard error: its other messages are for a scheduler. */
static void be_quiet(void)
{
    const struct yk_pair quiet = {YK_STR("log.level"), YK_STR("error")};
    yk_settings_apply_log_levels(&quiet, 1);
    yk_log_set_stream(stderr);
    yk_log_set_waits(true);
}

/* Whether an operand is empty, as the value of a variable that is not set is. */
static bool has_empty(char *const *operands)
{
    while (*operands != NULL && **operands != '\0')
        operands++;
    return *operands != NULL;
}

/* `argv[0]` is the name of the subcommand. */
static int run_command(const char *program, const struct yk_ctl_command *command, int argc, char **argv)
{
    struct yk_ctl ctl = {.partition = "default",
                         .out = stdout,
                         .is_terminal = isatty(STDOUT_FILENO) == 1,
                         .now_ns = yk_clock_wall_ns(&yk_clock_real)};
    struct yk_flag flags[YK_CTL_FLAG_COUNT_MAX];
    char usage[USAGE_MAX];
    int operands;
    size_t count = yk_ctl_command_flags(command, &ctl.flags, flags);
    (void)snprintf(usage, sizeof(usage), "%s %s [OPTIONS]%s%s", program, command->name,
                   command->arguments[0] != '\0' ? " " : "", command->arguments); /* fits */
    const struct yk_command_line line = {usage,
                                         command->details[0] != '\0' ? command->details : command->summary,
                                         flags, count, command->operands_max};
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    bool is_missing = argc - operands < command->operands_min;
    if (is_missing || has_empty(argv + operands)) {
        (void)fprintf(stderr, "error: %s is %s\nusage: %s\n", command->arguments,
                      is_missing ? "missing" : "empty", usage);
        return YK_EXIT_USAGE;
    }
    if (ctl.flags.partition != NULL)
        ctl.partition = ctl.flags.partition;
    be_quiet();
    return connect_and_run(&ctl, command, argv + operands);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static int help(const char *program, int argc, char **argv)
{
    static char flag[] = "--help";
    if (argc < 3) {
        print_usage(program, stdout);
        return YK_EXIT_OK;
    }
    const struct yk_ctl_command *command = yk_ctl_command_find(argv[2]);
    if (command == NULL) {
        (void)fprintf(stderr, "error: there is no command '%s'; see %s --help\n", argv[2], program);
        return YK_EXIT_USAGE;
    }
    char *of_command[] = {argv[2], flag, NULL};
    return run_command(program, command, 2, of_command);
}

/* Moves the name of the subcommand before the flags that precede it. */
static void bring_to_front(char **argv, int at)
{
    char *name = argv[at];
    for (; at > 0; at--)
        argv[at] = argv[at - 1];
    argv[0] = name;
}

/* Ends the program when the scheduler has not answered in time. Without the last line of the protocol, the shell
 * would complete names of files. */
static void end_completion(int number)
{
    static const char last[] = ":4\n";
    (void)number;
    _exit(write(STDOUT_FILENO, last, sizeof(last) - 1) > 0 ? YK_EXIT_OK : YK_EXIT_FAILURE);
}

/* Prints no errors of requests, because the shell expects only words. */
int yk_cmd_ctl_complete(int argc, char **argv)
{
    static const char *const nothing[] = {""};
    struct yk_ctl ctl = {.partition = "default", .out = stdout, .now_ns = yk_clock_wall_ns(&yk_clock_real)};
    struct yk_completion completion;
    yk_completion_read(argc > 1 ? (const char *const *)(argv + 1) : nothing, argc > 1 ? argc - 1 : 1,
                       &ctl.flags, &completion);
    if (ctl.flags.partition != NULL)
        ctl.partition = ctl.flags.partition;
    be_quiet();
    (void)signal(SIGALRM, end_completion); /* succeeds for this signal */
    (void)alarm(COMPLETE_SECONDS);
    if (yk_ctl_link_new(&ctl.flags, NULL, &ctl.link, NULL) != YK_OK)
        ctl.link = NULL;
    yk_completion_write(&ctl, &completion);
    yk_ctl_link_free(ctl.link);
    return fflush(stdout) == 0 ? YK_EXIT_OK : YK_EXIT_FAILURE;
}

int yk_cmd_ctl(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "__complete") == 0)
        return yk_cmd_ctl_complete(argc - 1, argv + 1);
    const char *program = strcmp(argv[0], "ctl") == 0 ? "yunikorn ctl" : "kubectl yunikorn";
    if (argc >= 2 && is_help(argv[1]))
        return help(program, argc, argv);
    int at = find_word(argc, argv);
    if (at == argc) {
        print_usage(program, stderr);
        return YK_EXIT_USAGE;
    }
    const struct yk_ctl_command *command = yk_ctl_command_find(argv[at]);
    if (command == NULL) {
        (void)fprintf(stderr, "error: there is no command '%s'; see %s --help\n", argv[at], program);
        return YK_EXIT_USAGE;
    }
    /* argv[0] is dropped. */
    bring_to_front(argv + 1, at - 1);
    return run_command(program, command, argc - 1, argv + 1);
}

int yk_cmd_record(int argc, char **argv)
{
    return run_command("yunikorn", yk_ctl_command_find("record"), argc, argv);
}
