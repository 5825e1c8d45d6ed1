/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The framing of chunked bodies. It is read strictly: input that another reader (such as a proxy) could split
 * differently is refused.
 *
 * Owns:   nothing; results are views into the input.
 * Thread: any.
 * Source: RFC 9112, section 7.1.
 */
#ifndef YK_HTTP_CHUNK_H
#define YK_HTTP_CHUNK_H

#include "base/str.h"

enum { YK_HTTP_CHUNK_LINE_MAX = 4096 }; /* bytes of a line, including its CR LF */

enum yk_http_line {
    YK_HTTP_LINE_PARTIAL, /* the end of the line has not arrived yet */
    YK_HTTP_LINE_THERE,   /* the line is complete */
    /* It is too long, or has an LF without CR or a control character other than a tab. */
    YK_HTTP_LINE_BAD,
};

/* Reads the first line of `bytes`. For YK_HTTP_LINE_THERE, `*ret_line` is the line without its CR LF, and
 * `*ret_len` the number of bytes of the line with its CR LF; else neither is set. */
enum yk_http_line yk_http_line(struct yk_str bytes, struct yk_str *ret_line, size_t *ret_len);
/* Reads the size line of a chunk, without its CR LF: 1 to 8 hexadecimal digits, then extensions that begin
 * with ';' and are ignored. Blanks may stand before and within extensions, but not at the end. `*ret_size`:
 * bytes of the chunk. False: the line is no size line, and the request has to be refused. */
bool yk_http_chunk_size(struct yk_str line, uint64_t *ret_size);

#endif
