/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of an HTTP/1 request, which is the request line and the header fields. It is read strictly.
 *
 * Owns:   nothing; results are views into the text.
 * Thread: any.
 * Source: RFC 9112, sections 2 to 7; RFC 9110, section 5.5.
 */
#ifndef YK_HTTP_HEAD_H
#define YK_HTTP_HEAD_H

#include "base/str.h"

enum {
    YK_HTTP_HEAD_MAX = 64 << 10, /* bytes of a head; the server refuses a longer one with 431 */
    YK_HTTP_FIELDS_MAX = 256,    /* maximum number of fields in a head, and in a trailer */
};

/* A head. If a field was sent more than once, its text is the first value; if it was not sent, `p` of the
 * text is NULL. */
struct yk_http_head {
    struct yk_str method, target;
    struct yk_str accept, accept_encoding, content_type;
    struct yk_str authorization; /* never logged; the parser refuses a second one */
    bool no_cache;               /* Cache-Control: no-cache; the answer must not come from a cache */
    struct yk_str if_none_match;
    struct yk_str request_id; /* X-Request-Id: any text without control characters other than tabs */
    bool is_1_0;              /* true: HTTP/1.0; false: HTTP/1.1 */
    bool keep_alive;          /* the client wants to send another request on the connection */
    bool wants_continue;      /* Expect: 100-continue */
    bool chunked;             /* Transfer-Encoding: chunked */
    uint64_t length;          /* bytes of the body; 0: none, or `chunked` */
};

/*
 * The length of the head at the start of `bytes`, including the empty line at its end; 0: it is not complete.
 * The caller skips empty lines before the request line, sets `*scanned` to 0 before the first call for a
 * head, and calls again with more bytes from the same start: `*scanned` makes the function skip what it has
 * examined. The function has no maximum: the caller compares with YK_HTTP_HEAD_MAX.
 */
size_t yk_http_head_end(struct yk_str bytes, size_t *scanned);
/* Reads a complete head, whose length is that of yk_http_head_end(). Returns 0, or the status code with which
 * to refuse the request (400, 417, 431, 501 or 505); then only `request_id` of `*ret_head` is set. Views in
 * `*ret_head` borrow from `head`. */
int yk_http_head_parse(struct yk_str head, struct yk_http_head *ret_head);
/* The value of the first X-Request-Id; `p` is NULL if there is none. `head` may be incomplete or invalid; a
 * last line without a line end is ignored. The result borrows from `head`. O(bytes). */
struct yk_str yk_http_head_request_id(struct yk_str head);

/* Whether `line`, without its line end, is a header or trailer field: a name, a colon, and a value without
 * control characters other than tabs. */
bool yk_http_is_field(struct yk_str line);

#endif
