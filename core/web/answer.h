/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a request is answered with: status, headers, body. Filled by one thread at a time.
 * Source: docs/reference/rest.md 1.2, 1.3 and 1.6.
 */
#ifndef YK_WEB_ANSWER_H
#define YK_WEB_ANSWER_H

#include "base/str.h"

enum { YK_ANSWER_BODY_MAX = 512 << 20 }; /* bytes; more becomes a 500 */

/* Written by: web; in a simulation also cmd. */
struct yk_answer {
    int status;
    const char *content_type; /* a literal; NULL: none */
    const char *allow;        /* a literal, or as long as the request; NULL: none */
    const char *cors_methods; /* a literal; NULL: no headers for foreign origins */
    bool no_sniff, no_store;
    bool is_page;              /* a file of the web page: has the policy of what a page may load */
    const char *cache_control; /* a literal, instead of no-store; NULL: by `no_store` */
    const char *vary;          /* a literal; NULL: what `gzipped` implies */
    bool gzipped;              /* the body is compressed */
    bool retry_later;
    const char *etag;         /* with quotes, as long as the answer; NULL: none */
    int64_t total_count;      /* of a list, whatever part of it this is; -1: none */
    struct yk_buf next_after; /* of a page of a list: `after` of the next one; else empty */
    struct yk_str request_id; /* of the request, as long as it; checked; absent: none */
    struct yk_buf location;   /* of a redirect; else empty */
    struct yk_buf body;
};

#define YK_TYPE_JSON    "application/json; charset=UTF-8"
#define YK_TYPE_YAML    "application/x-yaml; charset=UTF-8"
#define YK_TYPE_TEXT    "text/plain; charset=utf-8"
#define YK_TYPE_HTML    "text/html; charset=utf-8"
#define YK_TYPE_METRICS "text/plain; version=0.0.4; charset=utf-8"

/* Makes an answer with status 200, no body and no headers. End it with yk_answer_done(). */
void yk_answer_init(struct yk_answer *answer);
void yk_answer_done(struct yk_answer *answer);
/* Replaces the body by the JSON error of the API with `status` and `text`, which is copied and may have any
 * length. */
void yk_answer_error(struct yk_answer *answer, int status, const char *text);
/* Replaces the body by a plain text, as the router answers: "404 page not found" and the like. */
void yk_answer_text(struct yk_answer *answer, int status, const char *text);
/* Sets a redirect (`status` 301 or 307) to `path` with the query of the request. `with_body`: adds the body
 * with a link, as for GET. */
void yk_answer_redirect(struct yk_answer *answer, int status, struct yk_str path, struct yk_str query,
                        bool with_body);
/* Appends "Name: value\r\n" for each header but those about length and connection. */
void yk_answer_headers(const struct yk_answer *answer, struct yk_buf *out);
/*
 * Whether the client has the answer already: `if_none_match`, the value of its header (absent: not sent), is a
 * star or lists `etag`. Compared weakly (RFC 9110, 13.1.2). `etag` has its quotes, and W/ if it is weak.
 */
bool yk_answer_is_known(struct yk_str if_none_match, const char *etag);
/* Whether a client's X-Request-Id is sent back: 1 to 128 letters, digits, '-', '_', '.', ':', '/', '+',
 * '='. */
bool yk_answer_is_request_id(struct yk_str id);
/* The reason phrase of an HTTP status, such as "Not Found"; static. */
const char *yk_answer_reason(int status);

#endif
