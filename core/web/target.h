/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target of a request: path and query, percent-decoding.
 *
 * Views borrow from the text they were cut from.
 * Thread: any.
 * Source: docs/reference/rest.md 1.2 and 2.1; RFC 3986, section 2.1.
 */
#ifndef YK_WEB_TARGET_H
#define YK_WEB_TARGET_H

#include "base/str.h"

struct yk_target {
    struct yk_str path;  /* begins with '/', still encoded */
    struct yk_str query; /* without '?'; absent when there is none */
};

/* Splits the target of a request. The result borrows from `text`. False: it is neither a path nor an absolute
 * URL of http. */
bool yk_target_parse(struct yk_str text, struct yk_target *ret_target);

/*
 * Appends `text` decoded. `plus_is_space`: a '+' becomes a blank. False: two hex digits do not follow a '%'; `ret_bad`
 * is then that '%' with up to two bytes after it.
 */
bool yk_percent_decode(struct yk_str text, bool plus_is_space, struct yk_buf *out, struct yk_str *ret_bad);

/*
 * The decoded value of the first `key` in the query, appended to `ret_value` (may be NULL). False: the key is
 * not there. What cannot be decoded is passed over.
 */
bool yk_query_get(struct yk_str query, const char *key, struct yk_buf *ret_value);
/* Appends the next decoded value of `key` in `*rest` to `ret_value` (may be NULL), and moves `*rest` behind it. Start
 * with `*rest` = the whole query. False: there are no more. */
bool yk_query_next(struct yk_str *rest, const char *key, struct yk_buf *ret_value);

/* Appends `path` without empty, "." and ".." segments; a slash at the end stays. */
void yk_path_clean(struct yk_str path, struct yk_buf *out);

#endif
