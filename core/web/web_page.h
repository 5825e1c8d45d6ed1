/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The web page: its files, compressed, in the binary.
 *
 * The files are made from web/src by `npm run build` and checked in as web/dist; the build of the binary
 * turns them into arrays (module.cmake). They hold no data of a cluster, so everybody may read them; the page
 * gets its data over the REST API, like any other client.
 *
 * Thread: any.
 * Source: docs/page.md; docs/reference/rest.md 1.9.
 */
#ifndef YK_WEB_WEB_PAGE_H
#define YK_WEB_WEB_PAGE_H

#include "base/str.h"

struct yk_answer;

struct yk_page_file {
    const char *path;     /* "/ui/app.js"; "/" is the page itself */
    const char *type;     /* Content-Type */
    const char *etag;     /* with its quotes: the SHA-256 of the packed bytes */
    const uint8_t *bytes; /* gzip */
    size_t len;
};

/* Sorted as in module.cmake. Made by the build. */
extern const struct yk_page_file yk_page_files[];
extern const size_t yk_page_file_count;

enum { YK_PAGE_FILE_MAX = 4 << 20 }; /* bytes of one file, unpacked */

/* The file of that path; NULL: there is none. */
const struct yk_page_file *yk_page_find(const char *path);

/*
 * Answers with `file`: as it is stored if the client takes gzip, else unpacked; 304 without a body if the
 * client has it (`if_none_match`, absent: not sent). `is_versioned`: the request names the version of the
 * file, so the client may keep the answer for a year.
 */
void yk_page_answer(const struct yk_page_file *file, bool takes_gzip, struct yk_str if_none_match,
                    bool is_versioned, struct yk_answer *answer);

/* Whether an Accept header prefers a page to plain text: it names text/html. */
bool yk_page_wanted(struct yk_str accept);

#endif
