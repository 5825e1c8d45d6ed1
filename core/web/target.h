/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target of a request, with its path and query, and percent-decoding.
 *
 * Owns:   nothing; texts in results are views into the arguments.
 * Thread: any.
 * Source: docs/reference/rest.md 1.2 and 2.1; RFC 3986, section 2.1.
 */
#ifndef YK_WEB_TARGET_H
#define YK_WEB_TARGET_H

#include "base/str.h"

struct yk_target {
    struct yk_str path;  /* begins with '/', still encoded */
    struct yk_str query; /* without '?', still encoded; `p` NULL: there is none */
};

/* Splits the target of a request into path and query; a fragment ("#...") is dropped. False: `text` is
 * neither a path nor an http:// URL, and nothing is set. */
bool yk_target_parse(struct yk_str text, struct yk_target *ret_target);

/*
 * Appends `text` to `out`, decoded; the result may have NUL bytes. `plus_is_space`: a '+' becomes a blank.
 * False: a '%' is not followed by two hex digits; `*ret_bad` is that '%' with up to two bytes after it, and
 * the decoded text before it has been appended.
 */
bool yk_percent_decode(struct yk_str text, bool plus_is_space, struct yk_buf *out, struct yk_str *ret_bad);

/*
 * Appends the decoded value of the first `key` in the query to `ret_value` (may be NULL). A key without '='
 * has the value "". A pair whose key cannot be decoded is ignored; so is one whose value cannot be decoded,
 * unless `ret_value` is NULL: yk_job_route() refuses such queries, except on probes and the web page. False:
 * the key is not there, and nothing was appended.
 */
bool yk_query_get(struct yk_str query, const char *key, struct yk_buf *ret_value);
/* Like yk_query_get(), for all values of `key`: appends the next one in `*rest`, and moves `*rest` behind it.
 * Before the first call, `*rest` is the whole query. False: there is no further value. */
bool yk_query_next(struct yk_str *rest, const char *key, struct yk_buf *ret_value);
/* Checks that each key and value of the query can be decoded. False: one cannot; `*ret_name` is its key as it
 * was sent, and `*ret_bad` is as that of yk_percent_decode(). */
bool yk_query_check(struct yk_str query, struct yk_str *ret_name, struct yk_str *ret_bad);

/* Appends `path` to `out` in canonical form: begins with '/', has no empty and "." segments, and ".." removes
 * the segment before it. The result ends with a slash if `path` ends with a slash, "." or "..". */
void yk_path_clean(struct yk_str path, struct yk_buf *out);

#endif
