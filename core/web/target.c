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

/* Moves the next pair of the query from `*rest`. A key without '=' has the value "". */
static bool next_pair(struct yk_str *rest, struct yk_str *ret_name, struct yk_str *ret_value)
{
    struct yk_str pair;
    if (rest->p == NULL || !yk_str_split(rest, '&', &pair))
        return false;
    const char *equals = pair.len > 0 ? memchr(pair.p, '=', pair.len) : NULL;
    *ret_name = (struct yk_str){pair.p, equals != NULL ? (size_t)(equals - pair.p) : pair.len};
    *ret_value = (struct yk_str){0};
    if (equals != NULL)
        *ret_value = (struct yk_str){equals + 1, pair.len - ret_name->len - 1};
    return true;
}

bool yk_query_next(struct yk_str *rest, const char *key, struct yk_buf *ret_value)
{
    struct yk_str name, value, bad;
    while (next_pair(rest, &name, &value)) {
        if (!decodes_to(name, key))
            continue;
        size_t before = ret_value != NULL ? ret_value->len : 0;
        if (ret_value == NULL || yk_percent_decode(value, true, ret_value, &bad))
            return true;
        ret_value->len = before;
    }
    return false;
}

static bool can_be_decoded(struct yk_str text, struct yk_str *ret_bad)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf decoded = {0};
    return yk_percent_decode(text, true, &decoded, ret_bad);
}

bool yk_query_check(struct yk_str query, struct yk_str *ret_name, struct yk_str *ret_bad)
{
    struct yk_str value;
    while (next_pair(&query, ret_name, &value)) {
        if (!can_be_decoded(*ret_name, ret_bad) || !can_be_decoded(value, ret_bad))
            return false;
    }
    return true;
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
