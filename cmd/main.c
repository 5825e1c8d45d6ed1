/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "cmd/commands.h"
#include "cmd/json_memory.h"

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"admission-controller", "review pods, workloads and configurations for the API server",
     yk_cmd_admission_controller},
    {"ctl", "ask a running scheduler: kubectl yunikorn", yk_cmd_ctl},
    {"migrate", "check what a move from Apache YuniKorn changes", yk_cmd_migrate},
    {"scheduler", "schedule the pods of a Kubernetes cluster", yk_cmd_scheduler},
    {"simulate", "run a scenario on a cluster in memory", yk_cmd_simulate},
    {"validate", "check a queue configuration", yk_cmd_validate},
    {"whatif", "ask a scheduler what would happen", yk_cmd_whatif},
    {"completion", "print a completion script for bash or zsh", yk_cmd_completion},
    {"version", "say what this is", yk_cmd_version},
};

static void print_usage(FILE *stream)
{
    fputs("usage: yunikorn COMMAND [OPTIONS]\n\nA Kubernetes scheduler with queues, fair sharing and "
          "quotas.\n\ncommands:\n",
          stream);
    for (size_t i = 0; i < YK_COUNT(commands); i++)
        fprintf(stream, "  %-20s  %s\n", commands[i].name, commands[i].summary);
    fputs("\nyunikorn COMMAND --help, or yunikorn help COMMAND, shows the options of a command.\n", stream);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static int run(const char *name, int argc, char **argv)
{
    for (size_t i = 0; i < YK_COUNT(commands); i++) {
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc, argv);
    }
    fprintf(stderr, "yunikorn: unknown command '%s'; see yunikorn --help\n", name);
    return YK_EXIT_USAGE;
}

/* "help", or "help COMMAND", which is "COMMAND --help". */
static int help(int argc, char **argv)
{
    static char flag[] = "--help";
    if (argc == 2 || is_help(argv[2])) {
        print_usage(stdout);
        return YK_EXIT_OK;
    }
    char *of_command[] = {argv[2], flag, NULL};
    return run(argv[2], 2, of_command);
}

/* kubectl runs the program `kubectl-yunikorn` for `kubectl yunikorn`. */
static bool is_plugin(const char *program)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash != NULL ? slash + 1 : program, "kubectl-yunikorn") == 0;
}

int main(int argc, char **argv)
{
    yk_json_memory_init();
    if (argc > 0 && is_plugin(argv[0]))
        return yk_cmd_ctl(argc, argv);
    if (argc < 2) {
        print_usage(stderr);
        return YK_EXIT_USAGE;
    }
    if (is_help(argv[1]))
        return help(argc, argv);
    return run(strcmp(argv[1], "--version") == 0 ? "version" : argv[1], argc - 1, argv + 1);
}
