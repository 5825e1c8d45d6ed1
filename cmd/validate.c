/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/arguments.h"
#include "cmd/commands.h"
#include "config/config.h"
#include "placement/placement.h"

#include <unistd.h>

static enum yk_status read_stdin(struct yk_buf *text, struct yk_err *err)
{
    for (;;) {
        char *to = yk_buf_reserve(text, 65536);
        if (to == NULL)
            return yk_fail(err, YK_ERR_LIMIT, "standard input is longer than %zu bytes", text->max);
        ssize_t bytes = read(STDIN_FILENO, to, 65536);
        if (bytes < 0)
            return yk_fail(err, YK_ERR_IO, "standard input cannot be read");
        if (bytes == 0)
            return YK_OK;
        text->len += (size_t)bytes;
    }
}

/* What a scheduler checks before it takes the text over, without taking it over. */
static enum yk_status check_activation(const struct yk_config *config, struct yk_err *err)
{
    enum yk_status status = yk_config_check_activation(config, err);
    for (uint32_t i = 0; i < config->partition_count && status == YK_OK; i++) {
        YK_CLEANUP(yk_placement_freep) struct yk_placement *placement = NULL;
        status = yk_placement_new(&config->partitions[i], &placement, err);
    }
    return status;
}

static int check(const char *name, struct yk_str text)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    struct yk_err err;
    enum yk_status status = yk_config_load(text, &config, &err);
    for (uint32_t i = 0; status == YK_OK && i < config->warning_count; i++)
        fprintf(stderr, "%s: warning: " YK_STR_FMT "\n", name, YK_STR_ARG(config->warnings[i]));
    if (status == YK_OK)
        status = check_activation(config, &err);
    if (status != YK_OK) {
        fprintf(stderr, "%s: error: %s\n", name, err.text);
        return YK_EXIT_FAILURE;
    }
    printf("%s: valid, %u warning%s, checksum %s\n", name, config->warning_count,
           config->warning_count == 1 ? "" : "s", config->checksum);
    return YK_EXIT_OK;
}

int yk_cmd_validate(int argc, char **argv)
{
    const struct yk_command_line line = {
        "yunikorn validate FILE|-",
        "Checks a queue configuration (queues.yaml; - reads standard input) as the scheduler would.\n"
        "Exits with 0 if it is valid, 1 if it is not, 2 if the command line is wrong.",
        NULL, 0, 1};
    int operands;
    enum yk_arguments arguments = yk_arguments_parse(&line, argc, argv, &operands);
    if (arguments != YK_ARGUMENTS_GO_ON)
        return arguments == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    if (operands == argc) {
        yk_complain("validate", "which file? - reads standard input");
        return YK_EXIT_USAGE;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX + 1};
    struct yk_err err;
    bool from_stdin = strcmp(argv[operands], "-") == 0;
    if ((from_stdin ? read_stdin(&text, &err) : yk_file_read(argv[operands], &text, &err)) != YK_OK) {
        yk_complain("validate", "%s", err.text);
        return YK_EXIT_FAILURE;
    }
    return check(from_stdin ? "standard input" : argv[operands], yk_buf_view(&text));
}
