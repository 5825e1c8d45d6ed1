/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compressed answers. Large bodies are compressed a piece at a time, so that the I/O thread stays awake.
 *
 * Thread: one at a time; I/O thread in production.
 * Source: docs/reference/rest.md 1.4.
 */
#ifndef YK_WEB_GZIP_H
#define YK_WEB_GZIP_H

#include "base/str.h"

enum { YK_GZIP_FROM = 1400 }; /* smaller bodies are sent as they are */

struct yk_gzip;

/* Whether an Accept-Encoding header takes gzip: its first gzip token decides, unless its parameter is q=0. */
bool yk_gzip_accepted(struct yk_str accept_encoding);

/* Makes a compressor for the bytes of `plain`, which it takes: `plain` is empty afterwards. The caller frees the
 * result. NULL: zlib has no memory, and `plain` is untouched. */
struct yk_gzip *yk_gzip_new(struct yk_buf *plain);
void yk_gzip_free(struct yk_gzip *gzip);
YK_DEFINE_FREEP(yk_gzip)
/* Compresses up to `bytes` bytes more of the input. True: all is done; then call yk_gzip_take(). */
bool yk_gzip_run(struct yk_gzip *gzip, size_t bytes);
/* Moves the compressed bytes to `ret_packed`, after yk_gzip_run() returned true. */
void yk_gzip_take(struct yk_gzip *gzip, struct yk_buf *ret_packed);

/* ---- of what comes in pieces ---- */

/* Begins to compress pieces (yk_gzip_add()). The caller frees the result. NULL: zlib has no memory. */
struct yk_gzip *yk_gzip_open(void);
/* Compresses `bytes` and appends what there is so far to `out`. `last`: appends the end of the stream, too; no more may
 * be added. Only after yk_gzip_open(). */
void yk_gzip_add(struct yk_gzip *gzip, struct yk_str bytes, bool last, struct yk_buf *out);

#endif
