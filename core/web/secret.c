/* SPDX-License-Identifier: Apache-2.0 */
#include "web/secret.h"

#include <strings.h>

bool yk_is_secret_name(struct yk_str name)
{
    static const char *const words[] = {"password", "passwd", "secret", "token", "credential", "privatekey"};
    for (size_t i = 0; i < YK_COUNT(words); i++) {
        size_t len = strlen(words[i]);
        for (size_t at = 0; at + len <= name.len; at++) {
            if (strncasecmp(name.p + at, words[i], len) == 0)
                return true;
        }
    }
    return false;
}

static void put_value(struct yk_str name, struct yk_str value, struct yk_buf *out)
{
    yk_buf_char(out, '=');
    yk_buf_str(out, yk_is_secret_name(name) ? YK_STR(YK_SECRET_MASK) : value);
}

void yk_put_flags(struct yk_str arguments, struct yk_buf *out)
{
    struct yk_str rest = arguments, word, name = {0};
    bool any = false, has_value = true;
    if (rest.len > 0 && rest.p[rest.len - 1] == '\0')
        rest.len--;
    while (yk_str_split(&rest, '\0', &word)) {
        bool is_secret_value = !has_value && yk_is_secret_name(name); /* also if it begins with '-' */
        bool is_flag = yk_str_starts(word, "-") && word.len > 1 && !is_secret_value;
        if (is_flag) {
            while (word.len > 0 && word.p[0] == '-')
                word = (struct yk_str){word.p + 1, word.len - 1};
            if (any)
                yk_buf_char(out, '\n');
            struct yk_str value = word;
            (void)yk_str_split(&value, '=', &name); /* there is a first part */
            yk_buf_str(out, name);
            has_value = value.p != NULL;
            if (has_value)
                put_value(name, value, out);
            any = true;
        } else if (!has_value) {
            put_value(name, word, out);
            has_value = true;
        }
    }
    if (any)
        yk_buf_char(out, '\n');
}

/* Whether the word is a flag with a secret name. `*ret_value`: offset of its value in the word; the length of
 * the word if there is no value. */
static bool is_secret_flag(struct yk_str word, size_t *ret_value)
{
    const char *equals = word.len > 0 ? memchr(word.p, '=', word.len) : NULL;
    size_t name_len = equals != NULL ? (size_t)(equals - word.p) : word.len;
    *ret_value = equals != NULL ? name_len + 1 : word.len;
    return yk_str_starts(word, "-") && yk_is_secret_name((struct yk_str){word.p, name_len});
}

void yk_mask_secret_flags(char *arguments, size_t len)
{
    bool is_value = false; /* the next word is the value of a flag with a secret name */
    for (size_t at = 0, end; at < len; at = end + 1) {
        const char *nul = memchr(arguments + at, '\0', len - at);
        end = nul != NULL ? (size_t)(nul - arguments) : len;
        struct yk_str word = {arguments + at, end - at};
        size_t value = 0;
        bool is_flag = !is_value && is_secret_flag(word, &value);
        if (is_flag || is_value)
            memset(arguments + at + (is_flag ? value : 0), '*', word.len - (is_flag ? value : 0));
        is_value = is_flag && value == word.len;
    }
}
