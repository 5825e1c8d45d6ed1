/* SPDX-License-Identifier: Apache-2.0 */
#include "http/http_head.h"

size_t yk_http_head_end(struct yk_str bytes, size_t *scanned)
{
    /* The head ends with LF LF or LF CR LF. The next call begins two bytes before the end, because such
     * a sequence may begin there. */
    for (size_t at = *scanned; at < bytes.len; at++) {
        if (bytes.p[at] != '\n')
            continue;
        if (at + 1 < bytes.len && bytes.p[at + 1] == '\n')
            return at + 2;
        if (at + 2 < bytes.len && bytes.p[at + 1] == '\r' && bytes.p[at + 2] == '\n')
            return at + 3;
    }
    *scanned = bytes.len > 2 ? bytes.len - 2 : 0;
    return 0;
}

static bool is_token_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool is_token(struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!is_token_char(text.p[i]))
            return false;
    }
    return text.len > 0;
}

/* Whether the target is not empty and has neither blanks nor control characters: logs and redirects contain
 * it. */
static bool is_target(struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.p[i] <= ' ' || text.p[i] == 0x7f)
            return false;
    }
    return text.len > 0;
}

static bool is_field_value(struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (((unsigned char)text.p[i] < ' ' && text.p[i] != '\t') || text.p[i] == 0x7f)
            return false;
    }
    return true;
}

static struct yk_str without_cr(struct yk_str line)
{
    if (line.len > 0 && line.p[line.len - 1] == '\r')
        line.len--;
    return line;
}

static int parse_request_line(struct yk_str line, struct yk_http_head *head)
{
    struct yk_str rest = line, version;
    if (!yk_str_split(&rest, ' ', &head->method) || !yk_str_split(&rest, ' ', &head->target) ||
        !yk_str_split(&rest, ' ', &version) || rest.p != NULL)
        return 400;
    if (!is_token(head->method) || !is_target(head->target))
        return 400;
    head->is_1_0 = yk_str_is(version, "HTTP/1.0");
    if (!head->is_1_0 && !yk_str_is(version, "HTTP/1.1"))
        return version.len == 8 && yk_str_starts(version, "HTTP/") ? 505 : 400;
    head->keep_alive = !head->is_1_0;
    return 0;
}

static void read_connection(struct yk_str value, struct yk_http_head *head)
{
    struct yk_str part;
    while (yk_str_split(&value, ',', &part)) {
        part = yk_str_trim(part);
        if (yk_str_is_nocase(part, "close"))
            head->keep_alive = false;
        else if (yk_str_is_nocase(part, "keep-alive") && head->is_1_0)
            head->keep_alive = true;
    }
}

/* Cache-Control of a request (RFC 9111, 5.2.1). */
static void read_cache_control(struct yk_str value, struct yk_http_head *head)
{
    struct yk_str part;
    while (yk_str_split(&value, ',', &part)) {
        if (yk_str_is_nocase(yk_str_trim(part), "no-cache"))
            head->no_cache = true;
    }
}

struct seen {
    bool host, length, authorization;
};

static int read_length(struct yk_str value, struct yk_http_head *head, struct seen *seen)
{
    uint64_t length;
    for (size_t i = 0; i < value.len; i++) {
        if (value.p[i] < '0' || value.p[i] > '9')
            return 400;
    }
    if (value.len == 0 || yk_str_to_u64(value, &length) != YK_OK)
        return 400;
    if (seen->length && length != head->length)
        return 400; /* two fields disagree on where the body ends */
    head->length = length;
    seen->length = true;
    return 0;
}

static int read_field(struct yk_str name, struct yk_str value, struct yk_http_head *head, struct seen *seen)
{
    if (yk_str_is_nocase(name, "host")) {
        if (seen->host)
            return 400;
        seen->host = true;
    } else if (yk_str_is_nocase(name, "content-length")) {
        return read_length(value, head, seen);
    } else if (yk_str_is_nocase(name, "transfer-encoding")) {
        if (!yk_str_is_nocase(value, "chunked") || head->chunked)
            return 501;
        head->chunked = true;
    } else if (yk_str_is_nocase(name, "connection")) {
        read_connection(value, head);
    } else if (yk_str_is_nocase(name, "expect")) {
        if (!yk_str_is_nocase(value, "100-continue"))
            return 417;
        head->wants_continue = true;
    } else if (yk_str_is_nocase(name, "authorization")) {
        if (seen->authorization)
            return 400; /* two fields disagree on who sends the request */
        seen->authorization = true;
        head->authorization = value;
    } else if (yk_str_is_nocase(name, "content-type") && head->content_type.p == NULL) {
        head->content_type = value;
    } else if (yk_str_is_nocase(name, "accept") && head->accept.p == NULL) {
        head->accept = value;
    } else if (yk_str_is_nocase(name, "accept-encoding") && head->accept_encoding.p == NULL) {
        head->accept_encoding = value;
    } else if (yk_str_is_nocase(name, "if-none-match") && head->if_none_match.p == NULL) {
        head->if_none_match = value;
    } else if (yk_str_is_nocase(name, "x-request-id") && head->request_id.p == NULL) {
        head->request_id = value;
    } else if (yk_str_is_nocase(name, "cache-control")) {
        read_cache_control(value, head);
    }
    return 0;
}

static bool split_field(struct yk_str line, struct yk_str *ret_name, struct yk_str *ret_value)
{
    const char *colon = line.len > 0 ? memchr(line.p, ':', line.len) : NULL;
    if (colon == NULL)
        return false;
    *ret_name = (struct yk_str){line.p, (size_t)(colon - line.p)};
    *ret_value = (struct yk_str){colon + 1, line.len - ret_name->len - 1};
    return is_token(*ret_name) &&
           /* A folded line is refused: it begins with a blank, so its name is no token. */
           is_field_value(*ret_value);
}

bool yk_http_is_field(struct yk_str line)
{
    struct yk_str name, value;
    return split_field(line, &name, &value);
}

static int parse_field(struct yk_str line, struct yk_http_head *head, struct seen *seen)
{
    struct yk_str name, value;
    if (!split_field(line, &name, &value))
        return 400;
    return read_field(name, yk_str_trim(value), head, seen);
}

struct yk_str yk_http_head_request_id(struct yk_str text)
{
    struct yk_str rest = text, line, name, value;
    while (yk_str_split(&rest, '\n', &line) && rest.p != NULL && without_cr(line).len > 0) {
        if (split_field(without_cr(line), &name, &value) && yk_str_is_nocase(name, "x-request-id"))
            return yk_str_trim(value);
    }
    return (struct yk_str){0};
}

static int parse(struct yk_str text, struct yk_http_head *ret_head)
{
    struct yk_http_head head = {0};
    struct seen seen = {0};
    struct yk_str rest = text, line;
    if (!yk_str_split(&rest, '\n', &line))
        return 400;
    int status = parse_request_line(without_cr(line), &head);
    for (int fields = 0; status == 0 && yk_str_split(&rest, '\n', &line); fields++) {
        line = without_cr(line);
        if (line.len == 0)
            break;
        status = fields >= YK_HTTP_FIELDS_MAX ? 431 : parse_field(line, &head, &seen);
    }
    if (status != 0)
        return status;
    if ((!seen.host && !head.is_1_0) || (head.chunked && (seen.length || head.is_1_0)))
        return 400;
    *ret_head = head;
    return 0;
}

int yk_http_head_parse(struct yk_str text, struct yk_http_head *ret_head)
{
    int status = parse(text, ret_head);
    if (status != 0)
        *ret_head = (struct yk_http_head){.request_id = yk_http_head_request_id(text)};
    return status;
}
