/* SPDX-License-Identifier: Apache-2.0 */
#include "base/version.h"

#include "base/json_writer.h"
#include "cmd/arguments.h"
#include "cmd/commands.h"

#include <sys/utsname.h>

static void print_json(const char *machine)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_json json;
    yk_json_init(&json, &out);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "version", yk_version);
    yk_json_add_text(&json, "revision", yk_revision);
    yk_json_add_text(&json, "compiler", yk_compiler);
    yk_json_add_text(&json, "architecture", machine);
    yk_json_object_end(&json);
    printf("%s\n", yk_buf_cstr(&out));
}

int yk_cmd_version(int argc, char **argv)
{
    const char *output = NULL;
    const struct yk_flag flags[] = {
        {"output", 'o', "FORMAT", "text (default) or json", &output},
    };
    const struct yk_command_line line = {"yunikorn version [OPTIONS]", "Prints the version and the revision.",
                                         flags, YK_COUNT(flags), 0};
    int operands;
    bool as_json;
    enum yk_arguments arguments = yk_arguments_parse(&line, argc, argv, &operands);
    if (arguments != YK_ARGUMENTS_GO_ON)
        return arguments == YK_ARGUMENTS_HELPED ? YK_EXIT_OK : YK_EXIT_USAGE;
    if (!yk_arguments_output("version", output, &as_json))
        return YK_EXIT_USAGE;
    struct utsname system;
    const char *machine = uname(&system) == 0 ? system.machine : "unknown";
    if (as_json)
        print_json(machine);
    else
        printf("yunikorn %s (revision %s, %s, %s)\n", yk_version, yk_revision, yk_compiler, machine);
    return YK_EXIT_OK;
}
