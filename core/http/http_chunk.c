/* SPDX-License-Identifier: Apache-2.0 */
#include "http/http_chunk.h"

enum { DIGITS_MAX = 8 };

static bool is_control(char c)
{
    return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

enum yk_http_line yk_http_line(struct yk_str bytes, struct yk_str *ret_line, size_t *ret_len)
{
    size_t end = 0;
    while (end < bytes.len && !is_control(bytes.p[end]))
        end++;
    if (end + 2 > YK_HTTP_CHUNK_LINE_MAX)
        return YK_HTTP_LINE_BAD;
    if (end == bytes.len || (end + 1 == bytes.len && bytes.p[end] == '\r'))
        return YK_HTTP_LINE_PARTIAL;
    if (bytes.p[end] != '\r' || bytes.p[end + 1] != '\n')
        return YK_HTTP_LINE_BAD;
    *ret_line = (struct yk_str){bytes.p, end};
    *ret_len = end + 2;
    return YK_HTTP_LINE_THERE;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        return (c | 0x20) - 'a' + 10;
    return -1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool yk_http_chunk_size(struct yk_str line, uint64_t *ret_size)
{
    uint64_t size = 0;
    size_t at = 0;
    for (; at < line.len && digit_of(line.p[at]) >= 0; at++) {
        if (at >= DIGITS_MAX)
            return false;
        size = size * 16 + (uint64_t)digit_of(line.p[at]);
    }
    if (at == 0 || is_blank(line.p[line.len - 1]))
        return false; /* blanks may precede an extension; no line ends with one */
    while (at < line.len && is_blank(line.p[at]))
        at++;
    if (at < line.len && line.p[at] != ';')
        return false; /* what follows the size is no extension */
    *ret_size = size;
    return true;
}
