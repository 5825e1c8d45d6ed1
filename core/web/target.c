/* SPDX-License-Identifier: Apache-2.0 */
#include "web/target.h"

#include "base/vec.h"

bool yk_target_parse(struct yk_str text, struct yk_target *ret_target)
{
    if (yk_str_starts(text, "http://")) { /* the form that proxies get: the path begins after the host */
        const char *slash = memchr(text.p + 7, '/', text.len - 7);
        text = slash == NULL ? YK_STR("/") : (struct yk_str){slash, (size_t)(text.p + text.len - slash)};
    }
    if (text.len == 0 || text.p[0] != '/')
        return false;
    const char *fragment = memchr(text.p, '#', text.len);
    if (fragment != NULL)
        text.len = (size_t)(fragment - text.p);
    const char *mark = memchr(text.p, '?', text.len);
    *ret_target = (struct yk_target){.path = text};
    if (mark != NULL) {
        ret_target->path.len = (size_t)(mark - text.p);
        ret_target->query = (struct yk_str){mark + 1, text.len - ret_target->path.len - 1};
    }
    return true;
}

static int hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool yk_percent_decode(struct yk_str text, bool plus_is_space, struct yk_buf *out, struct yk_str *ret_bad)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (c == '+' && plus_is_space)
            c = ' ';
        if (c == '%') {
            bool whole = text.len - i >= 3 && hex(text.p[i + 1]) >= 0 && hex(text.p[i + 2]) >= 0;
            if (!whole) {
                *ret_bad = (struct yk_str){text.p + i, YK_MIN(text.len - i, (size_t)3)};
                return false;
            }
            c = (char)(hex(text.p[i + 1]) * 16 + hex(text.p[i + 2]));
            i += 2;
        }
        yk_buf_char(out, c);
    }
    return true;
}

static bool decodes_to(struct yk_str text, const char *wanted)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf decoded = {0};
    struct yk_str bad;
    return yk_percent_decode(text, true, &decoded, &bad) && yk_str_is(yk_buf_view(&decoded), wanted);
}

bool yk_query_next(struct yk_str *rest, const char *key, struct yk_buf *ret_value)
{
    struct yk_str pair, bad;
    while (rest->p != NULL && yk_str_split(rest, '&', &pair)) {
        const char *equals = pair.len > 0 ? memchr(pair.p, '=', pair.len) : NULL;
        struct yk_str name = {pair.p, equals != NULL ? (size_t)(equals - pair.p) : pair.len};
        if (!decodes_to(name, key))
            continue;
        struct yk_str value = {0};
        if (equals != NULL)
            value = (struct yk_str){equals + 1, pair.len - name.len - 1};
        size_t before = ret_value != NULL ? ret_value->len : 0;
        if (ret_value == NULL || yk_percent_decode(value, true, ret_value, &bad))
            return true;
        ret_value->len = before;
    }
    return false;
}

bool yk_query_get(struct yk_str query, const char *key, struct yk_buf *ret_value)
{
    return yk_query_next(&query, key, ret_value);
}

static void drop_last_segment(struct yk_buf *out, size_t start)
{
    while (out->len > start && out->p[--out->len] != '/')
        ;
}

void yk_path_clean(struct yk_str path, struct yk_buf *out)
{
    size_t start = out->len;
    struct yk_str rest = path, part = {0};
    while (yk_str_split(&rest, '/', &part)) {
        if (part.len == 0 || yk_str_is(part, "."))
            continue;
        if (yk_str_is(part, "..")) {
            drop_last_segment(out, start);
            continue;
        }
        yk_buf_char(out, '/');
        yk_buf_str(out, part);
    }
    bool ends_in_slash = part.len == 0 || yk_str_is(part, ".") || yk_str_is(part, "..");
    if (out->len == start || ends_in_slash)
        yk_buf_char(out, '/');
}
