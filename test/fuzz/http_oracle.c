/* SPDX-License-Identifier: Apache-2.0 */
#include "http_oracle.h"

#include <string.h>
#include <strings.h>

enum verdict { COMPLETE, INCOMPLETE, REFUSED };

struct reading {
    const uint8_t *bytes;
    size_t len, at;
};

struct text {
    const uint8_t *p;
    size_t len;
};

struct framing {
    bool has_host, has_length, has_authorization, is_chunked, is_old, stays_open;
    uint64_t length;
};

static bool equals(struct text text, const char *word)
{
    return text.len == strlen(word) && strncasecmp((const char *)text.p, word, text.len) == 0;
}

static bool is_tchar(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != 0 && memchr("!#$%&'*+-.^_`|~", c, 15) != NULL);
}

static bool is_token(struct text text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!is_tchar(text.p[i]))
            return false;
    }
    return text.len > 0;
}

static struct text trimmed(struct text text)
{
    while (text.len > 0 && (text.p[0] == ' ' || text.p[0] == '\t'))
        text = (struct text){text.p + 1, text.len - 1};
    while (text.len > 0 && (text.p[text.len - 1] == ' ' || text.p[text.len - 1] == '\t'))
        text.len--;
    return text;
}

static bool read_length(struct text value, struct framing *framing)
{
    uint64_t length = 0;
    if (value.len == 0)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        uint64_t digit = (uint64_t)(value.p[i] - '0');
        if (value.p[i] < '0' || value.p[i] > '9' || length > (UINT64_MAX - digit) / 10)
            return false;
        length = length * 10 + digit;
    }
    bool agrees = !framing->has_length || framing->length == length;
    framing->has_length = true;
    framing->length = length;
    return agrees;
}

static void read_connection(struct text value, struct framing *framing)
{
    for (size_t from = 0, at = 0; at <= value.len; at++) {
        if (at < value.len && value.p[at] != ',')
            continue;
        struct text word = trimmed((struct text){value.p + from, at - from});
        if (equals(word, "close"))
            framing->stays_open = false;
        else if (equals(word, "keep-alive") && framing->is_old)
            framing->stays_open = true;
        from = at + 1;
    }
}

static bool once(bool *seen)
{
    bool first = !*seen;
    *seen = true;
    return first;
}

static bool split_field(struct text line, struct text *name, struct text *value)
{
    size_t colon = 0;
    while (colon < line.len && line.p[colon] != ':')
        colon++;
    if (colon == line.len)
        return false;
    *name = (struct text){line.p, colon};
    *value = (struct text){line.p + colon + 1, line.len - colon - 1};
    for (size_t i = 0; i < value->len; i++) {
        if ((value->p[i] < 0x20 && value->p[i] != '\t') || value->p[i] == 0x7f)
            return false;
    }
    *value = trimmed(*value);
    return is_token(*name);
}

static bool read_field(struct text line, struct framing *framing)
{
    struct text name, value;
    if (!split_field(line, &name, &value))
        return false;
    if (equals(name, "host"))
        return once(&framing->has_host);
    if (equals(name, "authorization"))
        return once(&framing->has_authorization);
    if (equals(name, "content-length"))
        return read_length(value, framing);
    if (equals(name, "transfer-encoding"))
        return equals(value, "chunked") && once(&framing->is_chunked);
    if (equals(name, "expect"))
        return equals(value, "100-continue");
    if (equals(name, "connection"))
        read_connection(value, framing);
    return true;
}

static bool read_request_line(struct text line, struct framing *framing, struct oracle_request *request)
{
    size_t first = 0, second;
    while (first < line.len && line.p[first] != ' ')
        first++;
    for (second = first + 1; second < line.len && line.p[second] != ' ';)
        second++;
    if (second >= line.len)
        return false;
    struct text version = {line.p + second + 1, line.len - second - 1};
    bool is_new = version.len == 8 && memcmp(version.p, "HTTP/1.1", 8) == 0;
    framing->is_old = version.len == 8 && memcmp(version.p, "HTTP/1.0", 8) == 0;
    framing->stays_open = is_new;
    request->method = line.p;
    request->method_len = first;
    request->target = line.p + first + 1;
    request->target_len = second - first - 1;
    for (size_t i = 0; i < request->target_len; i++) {
        if (request->target[i] <= ' ' || request->target[i] == 0x7f)
            return false;
    }
    return (is_new || framing->is_old) && request->target_len > 0 &&
           is_token((struct text){request->method, request->method_len});
}

/* Up to the first LF LF or LF CR LF. */
static bool has_whole_head(const struct reading *r)
{
    for (size_t i = r->at; i + 1 < r->len; i++) {
        if (r->bytes[i] == '\n' && (r->bytes[i + 1] == '\n' ||
                                    (i + 2 < r->len && r->bytes[i + 1] == '\r' && r->bytes[i + 2] == '\n')))
            return true;
    }
    return false;
}

static struct text head_line(struct reading *r)
{
    struct text line = {r->bytes + r->at, 0};
    while (line.p[line.len] != '\n')
        line.len++;
    r->at += line.len + 1;
    line.len -= line.len > 0 && line.p[line.len - 1] == '\r';
    return line;
}

static enum verdict read_head(struct reading *r, struct framing *framing, struct oracle_request *request)
{
    while (r->at < r->len && (r->bytes[r->at] == '\r' || r->bytes[r->at] == '\n'))
        r->at++;
    if (r->at < r->len && r->bytes[r->at] == 0x16)
        return REFUSED; /* the handshake of TLS on a port without it is refused at its first byte */
    if (!has_whole_head(r))
        return INCOMPLETE;
    bool fine = read_request_line(head_line(r), framing, request);
    size_t fields = 0;
    for (struct text line; (line = head_line(r)).len > 0; fields++)
        fine = fine && read_field(line, framing) && fields < 256;
    fine = fine && (framing->has_host || framing->is_old);
    fine = fine && !(framing->is_chunked && (framing->has_length || framing->is_old));
    return fine ? COMPLETE : REFUSED;
}

/* A line of the framing of chunks, which CR LF ends and nothing else. */
static enum verdict chunk_line(struct reading *r, struct text *line)
{
    *line = (struct text){r->bytes + r->at, 0};
    for (;; line->len++) {
        size_t at = r->at + line->len;
        if (line->len + 2 > 4096)
            return REFUSED;
        if (at == r->len)
            return INCOMPLETE;
        if (line->p[line->len] == '\r' && at + 1 == r->len)
            return INCOMPLETE;
        if (line->p[line->len] == '\r' && r->bytes[at + 1] == '\n')
            break;
        if ((line->p[line->len] < 0x20 && line->p[line->len] != '\t') || line->p[line->len] == 0x7f)
            return REFUSED;
    }
    r->at += line->len + 2;
    return COMPLETE;
}

/* RFC 9112, section 7.1.1: BWS ";" and more, up to a token or a quoted string. Only the frame is read. */
static bool read_extensions(struct text rest)
{
    size_t bws = 0;
    int last = rest.p[rest.len - 1];
    while (bws < rest.len && (rest.p[bws] == ' ' || rest.p[bws] == '\t'))
        bws++;
    return bws < rest.len && rest.p[bws] == ';' && last != ' ' && last != '\t';
}

static bool read_size(struct text line, uint64_t *size)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = 0;
    *size = 0;
    for (; at < line.len; at++) {
        int lower = line.p[at] >= 'A' && line.p[at] <= 'F' ? line.p[at] + 32 : line.p[at];
        const char *digit = memchr(digits, lower, 16);
        if (digit == NULL)
            break;
        *size = *size * 16 + (uint64_t)(digit - digits);
        if (at == 8)
            return false;
    }
    if (at == 0)
        return false;
    return at == line.len || read_extensions((struct text){line.p + at, line.len - at});
}

static enum verdict take(struct reading *r, uint64_t bytes, struct oracle_request *request)
{
    if (request->body_len + bytes > ORACLE_BODY_MAX)
        return REFUSED;
    if (r->len - r->at < bytes)
        return INCOMPLETE;
    memcpy(request->body + request->body_len, r->bytes + r->at, bytes);
    request->body_len += bytes;
    r->at += bytes;
    return COMPLETE;
}

static enum verdict read_trailer(struct reading *r)
{
    for (size_t fields = 0;; fields++) {
        struct text line, name, value;
        enum verdict verdict = chunk_line(r, &line);
        if (verdict != COMPLETE || line.len == 0)
            return verdict;
        if (!split_field(line, &name, &value) || fields >= 256)
            return REFUSED;
    }
}

static enum verdict read_chunks(struct reading *r, struct oracle_request *request)
{
    for (;;) {
        struct text line;
        uint64_t size;
        enum verdict verdict = chunk_line(r, &line);
        if (verdict == COMPLETE && !read_size(line, &size))
            verdict = REFUSED;
        if (verdict != COMPLETE)
            return verdict;
        if (size == 0)
            return read_trailer(r);
        verdict = take(r, size, request);
        if (verdict == COMPLETE)
            verdict = chunk_line(r, &line);
        if (verdict == COMPLETE && line.len > 0)
            verdict = REFUSED;
        if (verdict != COMPLETE)
            return verdict;
    }
}

size_t oracle_read(const uint8_t *bytes, size_t len, struct oracle_request *requests, size_t max)
{
    struct reading r = {bytes, len, 0};
    size_t count = 0;
    while (count < max) {
        struct oracle_request *request = &requests[count];
        struct framing framing = {0};
        memset(request, 0, sizeof(*request));
        enum verdict verdict = read_head(&r, &framing, request);
        if (verdict == COMPLETE)
            verdict = framing.is_chunked ? read_chunks(&r, request) : take(&r, framing.length, request);
        if (verdict == INCOMPLETE)
            break;
        request->refused = verdict == REFUSED;
        count++;
        if (request->refused || !framing.stays_open)
            break;
    }
    return count;
}
