/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The framing of chunked bodies, read to the letter: what another reader could frame otherwise is refused.
 *
 * Views borrow from the input.
 * Thread: any.
 * Source: RFC 9112, section 7.1.
 */
#ifndef YK_HTTP_CHUNK_H
#define YK_HTTP_CHUNK_H

#include "base/str.h"

enum { YK_HTTP_CHUNK_LINE_MAX = 4096 }; /* bytes, with its end */

enum yk_http_line {
    YK_HTTP_LINE_PARTIAL, /* its end is not there yet */
    YK_HTTP_LINE_THERE,
    YK_HTTP_LINE_BAD, /* too long, an LF without CR, or a control character other than a tab */
};

/* Reads the first line of `bytes`. YK_HTTP_LINE_THERE: sets `*ret_line` to the line without its CR LF, and
 * `*ret_len` to its length with it. */
enum yk_http_line yk_http_line(struct yk_str bytes, struct yk_str *ret_line, size_t *ret_len);
/* Reads the size line of a chunk: up to 8 hexadecimal digits, and extensions; blanks only before and within
 * an extension. False: the line is something else, and the request must be refused. */
bool yk_http_chunk_size(struct yk_str line, uint64_t *ret_size);

#endif
