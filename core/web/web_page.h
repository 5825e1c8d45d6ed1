/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The web page: its compressed files, which are in the binary.
 *
 * `npm run build` makes the files from web/src; they are checked in as web/dist, and the build of the binary
 * turns them into arrays (module.cmake). They contain no data of a cluster, so everybody may read them; the
 * page gets its data over the REST interface, like any other client.
 *
 * Thread: any.
 * Source: docs/page.md; docs/reference/rest.md 1.9.
 */
#ifndef YK_WEB_WEB_PAGE_H
#define YK_WEB_WEB_PAGE_H

#include "base/str.h"

struct yk_answer;

/* One file. All texts are static. */
struct yk_page_file {
    const char *path;     /* "/ui/app.js"; "/" is the page itself */
    const char *type;     /* Content-Type */
    const char *etag;     /* with its quotes: the SHA-256 of `bytes` */
    const uint8_t *bytes; /* the file, compressed with gzip */
    size_t len;           /* of `bytes` */
};

/* All files, yk_page_file_count of them, in the order of module.cmake. The build makes the arrays. */
extern const struct yk_page_file yk_page_files[];
extern const size_t yk_page_file_count;

enum { YK_PAGE_FILE_MAX = 4 << 20 }; /* bytes of one file before compression */

/* The file with that path; NULL: there is none. */
const struct yk_page_file *yk_page_find(const char *path);

/*
 * Fills `answer`, which is initialised, with `file`: compressed if the client takes gzip (`takes_gzip`),
 * otherwise uncompressed. If the client has the file already, according to `if_none_match` (the value of
 * If-None-Match; `p` NULL: not sent), the answer is 304 without a body. `is_versioned`: the request names the
 * version of the file, so the client may keep the answer for a year.
 */
void yk_page_answer(const struct yk_page_file *file, bool takes_gzip, struct yk_str if_none_match,
                    bool is_versioned, struct yk_answer *answer);

/* Whether the value of an Accept header names text/html, so that the client wants a page instead of plain
 * text. */
bool yk_page_wanted(struct yk_str accept);

#endif
