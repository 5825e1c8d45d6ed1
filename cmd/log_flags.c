/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/log_flags.h"

#include "base/log.h"

/* The numbers mean the same as in components of Kubernetes: 0 shows what operators must see, 2 is the
 * default, 4 and more are for debugging. */
enum { VERBOSITY_INFO = 1, VERBOSITY_DEBUG = 4, VERBOSITY_MAX = 10 };

void yk_log_flags(struct yk_log_arguments *arguments, struct yk_flag flags[YK_LOG_FLAGS])
{
    flags[0] = (struct yk_flag){"log-format", 0, "FORMAT",
                                "text, or json: one object per line (default: text)", &arguments->format};
    flags[1] =
        (struct yk_flag){"v", 'v', "NUMBER",
                         "0: warnings, 1 to 3: also changes, 4 to 10: debugging; log.level in the\n"
                         "                                    ConfigMaps takes precedence (default: 2)",
                         &arguments->verbosity};
}

static bool read_verbosity(const char *text, const char *command)
{
    uint64_t number;
    if (yk_str_to_u64(yk_str_from(text), &number) != YK_OK || number > VERBOSITY_MAX) {
        yk_complain(command, "-v is a number from 0 to %d, not '%s'", VERBOSITY_MAX, text);
        return false;
    }
    yk_log_set_default_level(number >= VERBOSITY_DEBUG  ? YK_LOG_DEBUG
                             : number >= VERBOSITY_INFO ? YK_LOG_INFO
                                                        : YK_LOG_WARN);
    return true;
}

bool yk_log_flags_apply(const struct yk_log_arguments *arguments, const char *command)
{
    bool is_json = arguments->format != NULL && strcmp(arguments->format, "json") == 0;
    if (arguments->format != NULL && !is_json && strcmp(arguments->format, "text") != 0) {
        yk_complain(command, "--log-format is text or json, not '%s'", arguments->format);
        return false;
    }
    yk_log_set_format(is_json ? YK_LOG_JSON : YK_LOG_TEXT);
    return arguments->verbosity == NULL || read_verbosity(arguments->verbosity, command);
}
