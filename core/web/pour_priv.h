/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of a long answer on its way: pieces come from the scheduling thread one after the other, are
 * compressed if the client takes that, and are held until the answer is complete or they are too many. An
 * answer that is complete by then has a length and an ETag, and may serve other requests (web/shelf.h); of
 * the others each piece is sent when the socket has taken the one before.
 *
 * Thread: I/O thread only.
 * Source: docs/reference/rest.md 1.1.
 */
#ifndef YK_WEB_POUR_PRIV_H
#define YK_WEB_POUR_PRIV_H

#include "base/str.h"

enum {
    YK_POUR_HELD_MAX = 512 << 10, /* bytes as they are sent that are held back; more are sent in pieces */
    YK_POUR_PIECE = 32 << 10,     /* bytes of a piece that is sent, unless it is the last */
};

struct yk_gzip;

struct yk_pour {
    struct yk_buf held;   /* owned; as it is sent */
    struct yk_gzip *gzip; /* owned; NULL: as it is */
    bool gzipped;
    /* Of all bytes so far, before they were compressed; they do not depend on how those came in pieces. */
    unsigned long crc, adler;
    uint64_t plain; /* how many those are */
    /* Once it is sent in pieces. */
    bool begun, last;
    bool waits;            /* the socket has a piece; since then: */
    int64_t waits_mono_ns; /* its time */
    int64_t begun_mono_ns;
    uint64_t sent; /* bytes */
};

/* Begins the body of an answer. `gzip`: the client takes gzip. The caller frees the result. */
struct yk_pour *yk_pour_new(bool gzip);
/* Frees it. NULL is fine. */
void yk_pour_free(struct yk_pour *pour);
/* Adds the bytes of `body`, which is empty afterwards. `last`: none follow; then a body of few bytes is not
 * compressed. */
void yk_pour_add(struct yk_pour *pour, struct yk_buf *body, bool last);

/* Writes a weak ETag of all that was added, with its quotes, to `ret_etag`, which has `size` bytes (YK_ETAG_MAX). Call it
 * after the last piece. */
void yk_pour_etag(const struct yk_pour *pour, char *ret_etag, size_t size);

#endif
