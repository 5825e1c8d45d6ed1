/* SPDX-License-Identifier: Apache-2.0 */
/* Which names are valid: docs/reference/queues.md 1.4. Valid names have only ASCII characters, so the locale
 * does not matter. */
#include "config/config.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/* Whether all bytes of `text` from `start` on are word characters or in `extra`. */
static bool only_words_and(struct yk_str text, size_t start, const char *extra)
{
    for (size_t i = start; i < text.len; i++) {
        if (!is_word(text.p[i]) && (text.p[i] == '\0' || strchr(extra, text.p[i]) == NULL))
            return false;
    }
    return true;
}

static bool starts_like_a_name(struct yk_str text)
{
    return text.len > 0 && (is_letter(text.p[0]) || text.p[0] == '_');
}

bool yk_queue_name_valid(struct yk_str name)
{
    return name.len > 0 && name.len <= YK_CONFIG_QUEUE_NAME_MAX && only_words_and(name, 0, ":#/@-");
}

bool yk_user_name_valid(struct yk_str name)
{
    if (!starts_like_a_name(name))
        return false;
    if (name.len > 1 && name.p[name.len - 1] == '$') /* machine accounts of a Windows domain */
        name.len--;
    return only_words_and(name, 1, ":#/.@-");
}

bool yk_group_name_valid(struct yk_str name)
{
    return starts_like_a_name(name) && only_words_and(name, 1, ":.-");
}

bool yk_acl_group_name_valid(struct yk_str name)
{
    return yk_group_name_valid(name) && memchr(name.p, '.', name.len) == NULL;
}

bool yk_rule_name_valid(struct yk_str name)
{
    return starts_like_a_name(name) && only_words_and(name, 1, "");
}

bool yk_config_is_pattern(struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != '\0' && strchr("^$*+?()[{}|", text.p[i]) != NULL)
            return true;
    }
    return false;
}
