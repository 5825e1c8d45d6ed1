/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answer to a request: status, headers and body.
 *
 * Thread: any.
 * Source: docs/reference/rest.md 1.2, 1.3 and 1.6.
 */
#ifndef YK_WEB_ANSWER_H
#define YK_WEB_ANSWER_H

#include "base/str.h"

/* bytes of a body that is sent as a whole; a larger one is replaced by an error 500 */
enum { YK_ANSWER_BODY_MAX = 512 << 20 };

/* The comment of a field names the header that the field sets, if it sets one.
 * Written by: web; in a simulation also cmd. */
struct yk_answer {
    int status;               /* HTTP status code */
    const char *content_type; /* Content-Type: a literal; NULL: none */
    const char *allow;        /* Allow: a literal, or a text that lives as long as the request; NULL: none */
    /* Access-Control-Allow-Methods: a literal; NULL: no headers for foreign origins */
    const char *cors_methods;
    bool no_sniff; /* X-Content-Type-Options: nosniff */
    bool no_store; /* Cache-Control: no-store, if `cache_control` and `etag` are NULL */
    /* The body is a file of the web page: adds headers that limit what the page may load. */
    bool is_page;
    const char *cache_control; /* Cache-Control: a literal; NULL: depends on `etag` and `no_store` */
    const char *vary;          /* Vary: a literal; NULL: Accept-Encoding if `gzipped` or `etag` is set */
    bool gzipped;              /* the body is compressed: Content-Encoding: gzip */
    bool retry_later;          /* Retry-After: 1 */
    const char *etag;          /* ETag: with its quotes; borrowed for the life of the answer; NULL: none */
    int64_t total_count;       /* X-Total-Count: entries of the list, on all its pages; -1: none */
    /* X-Next-After: the value of `after` for the next page of a list; empty: none */
    struct yk_buf next_after;
    struct yk_str request_id; /* X-Request-Id: borrowed from the request and checked; empty: none */
    struct yk_buf location;   /* Location of a redirect; empty: none */
    struct yk_buf body;
};

#define YK_TYPE_JSON    "application/json; charset=UTF-8"
#define YK_TYPE_YAML    "application/x-yaml; charset=UTF-8"
#define YK_TYPE_TEXT    "text/plain; charset=utf-8"
#define YK_TYPE_HTML    "text/html; charset=utf-8"
#define YK_TYPE_METRICS "text/plain; version=0.0.4; charset=utf-8"

/* Initialises `answer` with status 200, an empty body of at most YK_ANSWER_BODY_MAX, `no_sniff` and
 * `no_store`, and no other headers. The caller ends it with yk_answer_done(). */
void yk_answer_init(struct yk_answer *answer);
void yk_answer_done(struct yk_answer *answer);
/* Sets the status, and replaces the body by the JSON error of the API with `status` and `text`. `text` is
 * copied; it may have any length, and must not point into the body. Sets the content type, and removes
 * `total_count` and `next_after`. Keeps the other headers, such as `retry_later`. */
void yk_answer_error(struct yk_answer *answer, int status, const char *text);
/* Sets the status, and replaces the body by `text`, such as "404 page not found\n", with the type text/plain.
 * `text` is copied, and must not point into the body. Keeps the other headers. */
void yk_answer_text(struct yk_answer *answer, int status, const char *text);
/* Sets the status (301 or 307), and the header Location to `path` and `query`. Both are copied as they are:
 * still encoded, as in struct yk_target. `query` has no '?'; its `p` is NULL if there is no query. Removes
 * the body, or, with `with_body` (for GET), replaces it by an HTML link. */
void yk_answer_redirect(struct yk_answer *answer, int status, struct yk_str path, struct yk_str query,
                        bool with_body);
/* Appends "Name: value\r\n" for each header of the answer, and WWW-Authenticate if the status is 401. The
 * HTTP server adds Date, Content-Length, Connection and Transfer-Encoding. */
void yk_answer_headers(const struct yk_answer *answer, struct yk_buf *out);
/*
 * Whether the client has the answer already. `if_none_match` is the value of the header If-None-Match (`p`
 * NULL: the header was not sent). The client has the answer if the value is "*" or lists `etag`, in a weak
 * comparison (RFC 9110, 13.1.2). `etag` has its quotes, and W/ before them if it is weak.
 */
bool yk_answer_is_known(struct yk_str if_none_match, const char *etag);
/* Whether the X-Request-Id of a client may be sent back: it has 1 to 128 letters, digits, '-', '_', '.', ':',
 * '/', '+' or '='. */
bool yk_answer_is_request_id(struct yk_str id);
/* The reason phrase of an HTTP status, such as "Not Found"; "Status" for a status without a phrase here.
 * Static. */
const char *yk_answer_reason(int status);

#endif
