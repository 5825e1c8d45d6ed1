/* SPDX-License-Identifier: Apache-2.0 */
#include "client/url.h"

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/* "." and ".." are encoded, because they would lead to another path. */
static void url_escape(struct yk_buf *url, struct yk_str text)
{
    bool climbs = yk_str_is(text, ".") || yk_str_is(text, "..");
    for (size_t i = 0; i < text.len; i++) {
        if (is_unreserved(text.p[i]) && !climbs)
            yk_buf_char(url, text.p[i]);
        else
            yk_buf_printf(url, "%%%02X", (unsigned)(unsigned char)text.p[i]);
    }
}

void yk_url_segment(struct yk_buf *url, const char *text)
{
    yk_buf_char(url, '/');
    url_escape(url, yk_str_from(text));
}

void yk_url_query(struct yk_buf *url, const char *key, const char *value)
{
    bool is_first = url->p == NULL || memchr(url->p, '?', url->len) == NULL;
    yk_buf_char(url, is_first ? '?' : '&');
    yk_buf_text(url, key);
    yk_buf_char(url, '=');
    url_escape(url, yk_str_from(value));
}
