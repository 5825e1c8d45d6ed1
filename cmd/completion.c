/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/completion.h"

#include "base/str.h"
#include "cmd/arguments.h"
#include "cmd/commands.h"

static int print_script(const char *script, size_t len)
{
    if (fwrite(script, 1, len, stdout) == len && fflush(stdout) == 0)
        return YK_EXIT_OK;
    yk_complain("completion", "standard output cannot be written");
    return YK_EXIT_FAILURE;
}

int yk_cmd_completion(int argc, char **argv)
{
    const struct yk_command_line line = {
        "yunikorn completion [OPTIONS] bash|zsh",
        "Prints a script that completes commands and options in a shell. For the current bash:\n"
        "  source <(yunikorn completion bash)",
        NULL, 0, 1};
    int operands;
    enum yk_arguments arguments = yk_arguments_parse(&line, argc, argv, &operands);
    if (arguments != YK_ARGUMENTS_GO_ON)
        return arguments == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    const char *shell = operands < argc ? argv[operands] : "";
    if (strcmp(shell, "bash") == 0)
        return print_script(yk_completion_bash, yk_completion_bash_len);
    if (strcmp(shell, "zsh") == 0)
        return print_script(yk_completion_zsh, yk_completion_zsh_len);
    yk_complain("completion", "the shell is bash or zsh, not '%s'", shell);
    return YK_EXIT_USAGE;
}
