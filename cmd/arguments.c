/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/arguments.h"

#include <getopt.h>

enum { FLAGS_MAX = 32, COMMAND_MAX = 64 };

void yk_complain(const char *command, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "yunikorn %s: ", command);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static bool is_optional(const char *value)
{
    return value != NULL && value[0] == '[';
}

static void print_flag(char letter, const char *name, const char *value, const char *help)
{
    char left[64];
    (void)snprintf(left, sizeof(left), "  %c%c%s --%s%s%s", letter != 0 ? '-' : ' ',
                   letter != 0 ? letter : ' ', letter != 0 ? "," : " ", name,
                   value != NULL && !is_optional(value) ? " " : "", value != NULL ? value : ""); /* fits */
    printf("%-34s  %s\n", left, help);
}

static void print_help(const struct yk_command_line *line)
{
    printf("usage: %s\n\n%s\n\noptions:\n", line->usage, line->summary);
    for (size_t i = 0; i < line->flag_count; i++) {
        const struct yk_flag *flag = &line->flags[i];
        print_flag(flag->letter, flag->name, flag->value, flag->help);
    }
    print_flag('h', "help", NULL, "show this text");
}

/* For the long name of a flag, getopt_long() returns 256 + the index of the flag, which no letter equals. */
static void build_options(const struct yk_command_line *line, struct option *options, char *letters)
{
    size_t at = 0;
    for (size_t i = 0; i < line->flag_count; i++) {
        const struct yk_flag *flag = &line->flags[i];
        bool needs_value = flag->value != NULL && !is_optional(flag->value);
        options[i] = (struct option){flag->name, needs_value ? required_argument : optional_argument, NULL,
                                     256 + (int)i};
        if (flag->letter != 0) {
            letters[at++] = flag->letter;
            if (flag->value != NULL)
                letters[at++] = ':';
        }
    }
    options[line->flag_count] = (struct option){"help", no_argument, NULL, 'h'};
    letters[at++] = 'h';
    letters[at] = '\0';
}

static const struct yk_flag *flag_of(const struct yk_command_line *line, int code)
{
    if (code >= 256)
        return &line->flags[code - 256];
    for (size_t i = 0; i < line->flag_count; i++) {
        if (line->flags[i].letter == code)
            return &line->flags[i];
    }
    return NULL;
}

static bool take(const struct yk_flag *flag, char *value)
{
    bool on = true;
    if (flag->value == NULL) {
        if (value != NULL && yk_str_to_bool(yk_str_from(value), &on) != YK_OK)
            return false;
        *flag->text = on ? "true" : NULL;
        return true;
    }
    *flag->text = value != NULL ? value : "";
    return true;
}

static bool is_command_word(const char *word)
{
    return *word >= 'a' && *word <= 'z';
}

/* Writes the words of the usage before the options, such as "yunikorn validate". */
static void write_command(const struct yk_command_line *line, char name[COMMAND_MAX])
{
    size_t len = strcspn(line->usage, " ");
    while (line->usage[len] == ' ' && is_command_word(line->usage + len + 1))
        len += 1 + strcspn(line->usage + len + 1, " ");
    (void)snprintf(name, COMMAND_MAX, "%.*s", (int)len, line->usage); /* fits */
}

static enum yk_arguments refuse(const struct yk_command_line *line, const char *command)
{
    fprintf(stderr, "usage: %s\nsee %s --help\n", line->usage, command);
    return YK_ARGUMENTS_WRONG;
}

/* getopt_long() begins its messages with `argv[0]`. */
static enum yk_arguments parse(const struct yk_command_line *line, int argc, char **argv, int *ret_operands)
{
    struct option options[FLAGS_MAX + 2] = {0};
    char letters[2 * FLAGS_MAX + 2];
    if (!YK_ASSERT(line->flag_count <= FLAGS_MAX))
        return YK_ARGUMENTS_WRONG;
    build_options(line, options, letters);
    optind = 0; /* resets getopt_long(): tests parse more than one command line */
    int code;
    while ((code = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        if (code == 'h') {
            print_help(line);
            return YK_ARGUMENTS_HELPED;
        }
        const struct yk_flag *flag = code == '?' ? NULL : flag_of(line, code);
        if (flag == NULL)
            return refuse(line, argv[0]); /* getopt_long() has printed what is wrong */
        if (!take(flag, optarg)) {
            fprintf(stderr, "%s: --%s is true or false, not '%s'\n", argv[0], flag->name, optarg);
            return refuse(line, argv[0]);
        }
    }
    if (argc - optind > line->operands_max) {
        fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0], argv[optind + line->operands_max]);
        return refuse(line, argv[0]);
    }
    *ret_operands = optind;
    return YK_ARGUMENTS_GO_ON;
}

enum yk_arguments yk_arguments_parse(const struct yk_command_line *line, int argc, char **argv,
                                     int *ret_operands)
{
    char command[COMMAND_MAX], *given = argv[0];
    write_command(line, command);
    argv[0] = command;
    enum yk_arguments parsed = parse(line, argc, argv, ret_operands);
    argv[0] = given;
    return parsed;
}

bool yk_arguments_output(const char *command, const char *text, bool *ret_json)
{
    *ret_json = text != NULL && strcmp(text, "json") == 0;
    if (text == NULL || *ret_json || strcmp(text, "text") == 0)
        return true;
    yk_complain(command, "--output is text or json, not '%s'", text);
    return false;
}
