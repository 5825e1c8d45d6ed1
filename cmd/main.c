/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base.h"
#include "cmd/commands.h"
#include "cmd/json_memory.h"

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
#define ROW(symbol, name, summary) {name, summary, yk_cmd_##symbol},
#include "cmd/command_rows.h"
#undef ROW
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

/* Runs "help", or "help COMMAND", which does the same as "COMMAND --help". */
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

/* kubectl runs the program `kubectl-yunikorn` for `kubectl yunikorn`, and `kubectl_complete-yunikorn` to
 * complete its words. */
static bool is_called(const char *program, const char *name)
{
    const char *slash = strrchr(program, '/');
    return strcmp(slash != NULL ? slash + 1 : program, name) == 0;
}

int main(int argc, char **argv)
{
    yk_json_memory_init();
    if (argc > 0 && is_called(argv[0], "kubectl-yunikorn"))
        return yk_cmd_ctl(argc, argv);
    if (argc > 0 && is_called(argv[0], "kubectl_complete-yunikorn"))
        return yk_cmd_ctl_complete(argc, argv);
    if (argc < 2) {
        print_usage(stderr);
        return YK_EXIT_USAGE;
    }
    if (is_help(argv[1]))
        return help(argc, argv);
    return run(strcmp(argv[1], "--version") == 0 ? "version" : argv[1], argc - 1, argv + 1);
}
