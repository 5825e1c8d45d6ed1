/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn`, also `yunikorn ctl`: the table of subcommands, the flags, and the exit code. */
#include "base/clock.h"
#include "base/log.h"
#include "cmd/arguments.h"
#include "cmd/commands.h"
#include "cmd/kubectl_link.h"
#include "config/settings.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { FLAG_COUNT_MAX = 32, USAGE_MAX = 256 };

static const int64_t watch_pause_ns = 2 * YK_NS_PER_S;

/* Flags of some subcommands only. */
enum {
    FLAG_TREE = 1u << 0,
    FLAG_WATCH = 1u << 1,
    FLAG_TIMELINE = 1u << 2,
    FLAG_FOLLOW = 1u << 3,
    FLAG_QUEUE = 1u << 4,
    FLAG_STATE = 1u << 5,
    FLAG_LIMIT = 1u << 6,
};

struct command {
    const char *name, *arguments; /* what it takes, as the usage shows it; "" */
    const char *summary;          /* one line of the list */
    const char *details;          /* sentences of its help; NULL: the summary */
    unsigned flags;
    int operands_min, operands_max;
    enum yk_status (*run)(struct yk_ctl *ctl, char **operands, struct yk_err *err);
};

static const struct command commands[] = {
    {"why", "POD|APP", "say why a pod or an application waits",
     "Says why a pod or an application waits, what would have to change, who is ahead and when it may "
     "start.\n"
     "A name is an application if there is one, else a pod. pod/NAME and app/NAME say which.",
     0, 1, 1, yk_ctl_why},
    {"queues", "", "list queues, what they use and what they may use",
     "Lists all queues with what they use, their maximum, and what waits in them.\n"
     "\"12/40\" is 12 used of a maximum of 40.",
     FLAG_TREE | FLAG_WATCH, 0, 0, yk_ctl_queues},
    {"queue", "QUEUE", "describe a queue", NULL, 0, 1, 1, yk_ctl_queue},
    {"apps", "", "list applications", NULL, FLAG_QUEUE | FLAG_STATE | FLAG_WATCH, 0, 0, yk_ctl_apps},
    {"app", "APP", "describe an application", NULL, FLAG_TIMELINE, 1, 1, yk_ctl_app},
    {"nodes", "", "list nodes and what is free on them", NULL, FLAG_WATCH, 0, 0, yk_ctl_nodes},
    {"users", "", "list users and groups, what they use and their limits", NULL, FLAG_WATCH, 0, 0,
     yk_ctl_users},
    {"top", "[queues|users|groups|apps|nodes]", "show who uses most of the cluster",
     "Shows who uses most of the cluster, the largest share first. A share is the largest part of any\n"
     "resource, so that cores, memory and GPUs compare.",
     FLAG_WATCH, 0, 1, yk_ctl_top},
    {"preemptions", "", "list pods that had to end for others", NULL, FLAG_LIMIT | FLAG_WATCH, 0, 0,
     yk_ctl_preemptions},
    {"events", "", "list the latest events of the scheduler", NULL, FLAG_FOLLOW | FLAG_LIMIT, 0, 0,
     yk_ctl_events},
    {"whatif", "FILE|-", "ask what would happen, on a copy of the scheduler's state", NULL, 0, 1, 1,
     yk_ctl_whatif},
    {"config", "[show|diff FILE|apply FILE]", "show, compare or replace the queue configuration",
     "Shows the queues that the scheduler has in force, compares them with a file, or puts a queues.yaml in\n"
     "their place. - is standard input. apply names the checksum of what it replaces, and is refused if "
     "that\n"
     "has changed meanwhile.",
     0, 0, 2, yk_ctl_config},
    {"move", "APP QUEUE", "move an application to another queue", NULL, 0, 2, 2, yk_ctl_move},
    {"kill", "APP", "end an application and its pods", NULL, 0, 1, 1, yk_ctl_kill},
    {"dump", "", "print the whole state of the scheduler as JSON", NULL, 0, 0, 0, yk_ctl_dump},
};

/* ---- flags ---- */

static size_t put_common_flags(struct yk_ctl_flags *to, struct yk_flag *flags)
{
    const struct yk_flag common[] = {
        {"namespace", 'n', "NAME", "namespace of the pod (default: that of the context)", &to->namespace_},
        {"output", 'o', "FORMAT", "wide, json or yaml", &to->output},
        {"no-headers", 0, NULL, "leave out the first line of a table", &to->no_headers},
        {"partition", 0, "NAME", "partition of the scheduler (default: default)", &to->partition},
        {"kubeconfig", 0, "FILE", "cluster and credentials (default: $KUBECONFIG, ~/.kube/config)",
         &to->kubeconfig},
        {"context", 0, "NAME", "context of the kubeconfig", &to->context},
        {"scheduler-namespace", 0, "NAME", "namespace of the scheduler (default: yunikorn)",
         &to->scheduler_namespace},
        {"service", 0, "NAME", "Service of the scheduler (default: yunikorn-service)", &to->service},
        {"via", 0, "WAY", "auto, proxy or port-forward", &to->via},
        {"server", 0, "URL", "address of the scheduler, instead of the way through the API server",
         &to->server},
        {"token", 0, "TOKEN", "bearer token for the scheduler", &to->token},
        {"token-file", 0, "FILE", "file with it", &to->token_file},
        {"service-account", 0, "NAME",
         "ask as this service account, [NAMESPACE/]NAME: a token for 10 minutes", &to->service_account},
        {"audience", 0, "NAME", "audience of that token", &to->audience},
        {"certificate-authority", 0, "FILE", "authorities of the scheduler's certificate", &to->ca_file},
        {"insecure-skip-tls-verify", 0, NULL, "accept any certificate of --server", &to->skip_tls_verify},
    };
    memcpy(flags, common, sizeof(common));
    return YK_COUNT(common);
}

static size_t put_own_flags(struct yk_ctl_flags *to, unsigned which, struct yk_flag *flags)
{
    const struct {
        unsigned bit;
        struct yk_flag flag;
    } own[] = {
        {FLAG_TREE, {"tree", 0, NULL, "show the names as a tree", &to->tree}},
        {FLAG_WATCH, {"watch", 'w', NULL, "show it again every 2 seconds", &to->watch}},
        {FLAG_TIMELINE, {"timeline", 0, NULL, "show what happened to it", &to->timeline}},
        {FLAG_FOLLOW, {"follow", 'f', NULL, "go on with what happens", &to->follow}},
        {FLAG_QUEUE, {"queue", 'q', "NAME", "of this leaf only", &to->queue}},
        {FLAG_STATE, {"state", 0, "STATE", "active, completed or rejected (default: active)", &to->state}},
        {FLAG_LIMIT, {"limit", 0, "COUNT", "at most so many", &to->limit}},
    };
    size_t count = 0;
    for (size_t i = 0; i < YK_COUNT(own); i++) {
        if ((which & own[i].bit) != 0)
            flags[count++] = own[i].flag;
    }
    return count;
}

/* ---- finding the subcommand ---- */

static bool takes_value(const struct yk_flag *flags, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (flags[i].value == NULL)
            continue;
        if (word[1] == flags[i].letter && word[2] == '\0' && flags[i].letter != 0)
            return true;
        if (word[1] == '-' && strcmp(word + 2, flags[i].name) == 0)
            return true;
    }
    return false;
}

/* The place of the first word that is no flag; `argc` if there is none. */
static int find_word(int argc, char **argv)
{
    struct yk_ctl_flags nowhere = {0};
    struct yk_flag flags[FLAG_COUNT_MAX];
    size_t count = put_common_flags(&nowhere, flags);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            return i;
        if (takes_value(flags, count, argv[i]))
            i++;
    }
    return argc;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < YK_COUNT(commands); i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static void print_usage(const char *program, FILE *stream)
{
    (void)fprintf(
        stream,
        "usage: %s COMMAND [OPTIONS]\n\nAsks a running scheduler: why a pod waits, who uses what.\n\n"
        "commands:\n",
        program);
    for (size_t i = 0; i < YK_COUNT(commands); i++)
        (void)fprintf(stream, "  %-20s  %s\n", commands[i].name, commands[i].summary);
    (void)fprintf(stream,
                  "\noptions:\n  -h, --help                        show this text\n"
                  "\n%s COMMAND --help, or %s help COMMAND, shows the options of a command.\n"
                  "Exit codes: 0 done, 1 not found or refused, 2 the command line is invalid, 3 no answer.\n",
                  program, program);
}

/* ---- running it ---- */

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
    (void)fprintf(stderr, "error: %s\n", err->text); /* control characters are escaped already */
}

static void pause_ns(int64_t ns)
{
    struct timespec left = {.tv_sec = ns / YK_NS_PER_S, .tv_nsec = ns % YK_NS_PER_S};
    (void)nanosleep(&left, NULL); /* a signal ends the program, or the pause is shorter */
}

/* Again and again: until a signal, or the reader is gone. */
static enum yk_status watch(struct yk_ctl *ctl, const struct command *command, char **operands,
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

static int run(struct yk_ctl *ctl, const struct command *command, char **operands)
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

static int connect_and_run(struct yk_ctl *ctl, const struct command *command, char **operands)
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

/* Warnings of the client belong to standard error, and what is normal for a scheduler is none here. */
static void be_quiet(void)
{
    const struct yk_pair quiet = {YK_STR("log.level"), YK_STR("error")};
    yk_settings_apply_log_levels(&quiet, 1);
    yk_log_set_stream(stderr);
    yk_log_set_waits(true);
}

/* `argv[0]` is the name of the subcommand. */
static int run_command(const char *program, const struct command *command, int argc, char **argv)
{
    struct yk_ctl ctl = {.partition = "default",
                         .out = stdout,
                         .is_terminal = isatty(STDOUT_FILENO) == 1,
                         .now_ns = yk_clock_wall_ns(&yk_clock_real)};
    struct yk_flag flags[FLAG_COUNT_MAX];
    char usage[USAGE_MAX];
    int operands;
    size_t own = put_own_flags(&ctl.flags, command->flags, flags);
    size_t count = own + put_common_flags(&ctl.flags, flags + own);
    (void)snprintf(usage, sizeof(usage), "%s %s [OPTIONS]%s%s", program, command->name,
                   command->arguments[0] != '\0' ? " " : "", command->arguments); /* fits */
    const struct yk_command_line line = {usage,
                                         command->details != NULL ? command->details : command->summary,
                                         flags, count, command->operands_max};
    enum yk_arguments parsed = yk_arguments_parse(&line, argc, argv, &operands);
    if (parsed != YK_ARGUMENTS_GO_ON)
        return parsed == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    if (argc - operands < command->operands_min) {
        (void)fprintf(stderr, "error: %s is missing\nusage: %s\n", command->arguments, usage);
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

/* "help", "--help" or "help COMMAND". */
static int help(const char *program, int argc, char **argv)
{
    static char flag[] = "--help";
    if (argc < 3) {
        print_usage(program, stdout);
        return YK_EXIT_OK;
    }
    const struct command *command = find_command(argv[2]);
    if (command == NULL) {
        (void)fprintf(stderr, "error: there is no command '%s'; see %s --help\n", argv[2], program);
        return YK_EXIT_USAGE;
    }
    char *of_command[] = {argv[2], flag, NULL};
    return run_command(program, command, 2, of_command);
}

/* Flags may stand in front of the subcommand: its name changes places with what is in front of it. */
static void bring_to_front(char **argv, int at)
{
    char *name = argv[at];
    for (; at > 0; at--)
        argv[at] = argv[at - 1];
    argv[0] = name;
}

int yk_cmd_ctl(int argc, char **argv)
{
    const char *program = strcmp(argv[0], "ctl") == 0 ? "yunikorn ctl" : "kubectl yunikorn";
    if (argc >= 2 && is_help(argv[1]))
        return help(program, argc, argv);
    int at = find_word(argc, argv);
    if (at == argc) {
        print_usage(program, stderr);
        return YK_EXIT_USAGE;
    }
    const struct command *command = find_command(argv[at]);
    if (command == NULL) {
        (void)fprintf(stderr, "error: there is no command '%s'; see %s --help\n", argv[at], program);
        return YK_EXIT_USAGE;
    }
    /* What was argv[0] is dropped: the flags in front of the name follow it. */
    bring_to_front(argv + 1, at - 1);
    return run_command(program, command, argc - 1, argv + 1);
}
