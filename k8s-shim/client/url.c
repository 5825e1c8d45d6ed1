/* SPDX-License-Identifier: Apache-2.0 */
#include "client/url.h"

#include <arpa/inet.h>

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

/* Whether the characters from `text` on are an address of the family, and the address is a loopback address. */
static bool is_loopback_address(int family, const char *text, size_t len)
{
    char copy[INET6_ADDRSTRLEN];
    struct in6_addr six;
    struct in_addr four;
    if (len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    if (family == AF_INET6)
        return inet_pton(AF_INET6, copy, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
    return inet_pton(AF_INET, copy, &four) == 1 && ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
}

bool yk_url_is_loopback(const char *url)
{
    const char *scheme_end = strstr(url, "://"), *host = scheme_end != NULL ? scheme_end + 3 : url;
    bool is_v6 = host[0] == '[';
    host += is_v6;
    size_t len = strcspn(host, is_v6 ? "]" : ":/");
    const char *end = host + len;
    if (strchr(url, '@') != NULL || (is_v6 && (end[0] == '\0' || strchr(":/", end[1]) == NULL)))
        return false;
    return is_loopback_address(is_v6 ? AF_INET6 : AF_INET, host, len) ||
           (!is_v6 && yk_str_is((struct yk_str){host, len}, "localhost"));
}

bool yk_url_may_have_token(const char *url)
{
    return strncmp(url, "https://", 8) == 0 || yk_url_is_loopback(url);
}
