/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compresses answers with gzip. Large bodies are compressed a piece at a time, so that the I/O thread can do
 * other work in between.
 *
 * Thread: any; one object is used by one thread at a time.
 * Source: docs/reference/rest.md 1.4.
 */
#ifndef YK_WEB_GZIP_H
#define YK_WEB_GZIP_H

#include "base/str.h"

enum { YK_GZIP_FROM = 1400 }; /* bytes; smaller bodies are not compressed */

struct yk_gzip;

/* Whether the value of an Accept-Encoding header has gzip, and the first gzip has no weight of 0, such as q=0
 * or q=0.000. False for an empty value (`p` may be NULL). */
bool yk_gzip_accepted(struct yk_str accept_encoding);

/* Makes a compressor for the bytes of `plain`, which are moved to it: `plain` is empty afterwards. The caller
 * frees the result with yk_gzip_free(). NULL: zlib has no memory, and `plain` is untouched: the caller
 * sends it as it is. */
struct yk_gzip *yk_gzip_new(struct yk_buf *plain);
void yk_gzip_free(struct yk_gzip *gzip);
YK_DEFINE_FREEP(yk_gzip)
/* Compresses the next `bytes` bytes (above 0) of the input of yk_gzip_new(), or all that are left. True: all
 * were compressed; then call yk_gzip_take(), and not this function again. False: call it again. `gzip` is
 * from yk_gzip_new(), not from yk_gzip_open(). */
bool yk_gzip_run(struct yk_gzip *gzip, size_t bytes);
/* Moves the compressed bytes to `ret_packed`, an initialised buffer whose old bytes are freed. Its `max`
 * becomes that of `plain` of yk_gzip_new(), or more if more was needed. Call it after yk_gzip_run() returned
 * true. Then the caller frees `gzip`, and for the body of an answer sets `gzipped` of struct yk_answer. */
void yk_gzip_take(struct yk_gzip *gzip, struct yk_buf *ret_packed);

/* ---- input that comes in pieces ---- */

/* Makes a compressor for yk_gzip_add(). The caller frees the result with yk_gzip_free(). NULL: zlib has no
 * memory. */
struct yk_gzip *yk_gzip_open(void);
/* Compresses `bytes` (may be empty), and appends to `out` the output that is ready; zlib may keep some output
 * back until a later call. `last`: appends all output and the end of the stream; do not call this function
 * again. `gzip` is from yk_gzip_open(). The output is at most a little longer than all bytes added so far. If
 * `out` has no space for output of that length, `out->failed` is set, and the stream cannot be continued. */
void yk_gzip_add(struct yk_gzip *gzip, struct yk_str bytes, bool last, struct yk_buf *out);

#endif
