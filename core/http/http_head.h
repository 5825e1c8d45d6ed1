/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of an HTTP/1 request: request line and header fields, strictly read.
 *
 * Views borrow from the text.
 * Thread: any.
 * Source: RFC 9112, sections 2 to 7; RFC 9110, section 5.5.
 */
#ifndef YK_HTTP_HEAD_H
#define YK_HTTP_HEAD_H

#include "base/str.h"

enum { YK_HTTP_HEAD_MAX = 64 << 10, YK_HTTP_FIELDS_MAX = 256 };

struct yk_http_head {
    struct yk_str method, target;
    struct yk_str accept, accept_encoding, content_type; /* the first of each; absent: not sent */
    struct yk_str authorization;                         /* absent: not sent; never logged */
    bool no_cache;               /* Cache-Control: no-cache. The client wants an answer that is made for it */
    struct yk_str if_none_match; /* the first; absent: not sent */
    struct yk_str request_id;    /* X-Request-Id, the first; absent: not sent. Any characters of a field */
    bool is_1_0;
    bool keep_alive;
    bool wants_continue; /* Expect: 100-continue */
    bool chunked;
    uint64_t length; /* of the body unless chunked; 0 when not given */
};

/*
 * The length of the head at the start of `bytes`, with its empty line, or 0 when it is not complete.
 * `*scanned` (start with 0) remembers what was looked at, so that a slow head costs no more than a fast one.
 */
size_t yk_http_head_end(struct yk_str bytes, size_t *scanned);
/* Reads a complete head. Returns 0, or the status code with which to refuse the request: 400, 417, 431, 501,
 * 505; then `*ret_head` has only the `request_id`. Views in `*ret_head` borrow from `head`. */
int yk_http_head_parse(struct yk_str head, struct yk_http_head *ret_head);
/* The value of the first X-Request-Id, also of a head that is not complete or not to be read otherwise: lines without
 * an end do not count. Absent: there is none. O(bytes). */
struct yk_str yk_http_head_request_id(struct yk_str head);

/* Whether `line`, without its line end, is a header or trailer field: a name, a colon, a value without
 * control characters. */
bool yk_http_is_field(struct yk_str line);

#endif
