/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of a long answer. Its pieces come one after the other, are compressed if the client takes gzip,
 * and are held back until the answer is complete or they exceed YK_POUR_HELD_MAX. An answer that is complete
 * by then is sent as a whole, with a length; if others may share it (web/shelf_priv.h), also with an ETag. A
 * longer one is sent in pieces, each when the socket has taken the one before.
 *
 * Thread: I/O thread only.
 * Source: docs/reference/rest.md 1.1.
 */
#ifndef YK_WEB_POUR_PRIV_H
#define YK_WEB_POUR_PRIV_H

#include "base/str.h"

enum {
    /* Bytes, after compression, that are held back. If there are more before the last piece is added, the
     * body is sent in pieces. */
    YK_POUR_HELD_MAX = 512 << 10,
    YK_POUR_PIECE = 32 << 10, /* least bytes of a piece that is sent; the last one may be smaller */
};

struct yk_gzip;

struct yk_pour {
    struct yk_buf held;   /* owned: bytes that are not sent yet */
    struct yk_gzip *gzip; /* owned; NULL: the body is not compressed, or it is complete */
    bool gzipped;         /* the bytes in `held` are compressed */
    /* Checksums and number of all bytes so far, before compression. They do not depend on the borders of
     * pieces. */
    unsigned long crc, adler;
    uint64_t plain;
    /* While the body is sent in pieces. */
    bool begun;            /* the head of the answer was sent */
    bool last;             /* no more bytes will be added */
    bool waits;            /* the socket has not taken the latest piece yet */
    int64_t waits_mono_ns; /* if `waits`: since when */
    int64_t waited_ns;     /* how long the socket took for the earlier pieces */
    uint64_t sent;         /* bytes of the body that the socket was given */
};

/* Makes the empty body of an answer. `gzip`: the client takes gzip, so the body is compressed, unless zlib
 * has no memory. The caller frees the result with yk_pour_free(). */
struct yk_pour *yk_pour_new(bool gzip);
void yk_pour_free(struct yk_pour *pour);
/* Moves the bytes of `body` to the end of pour->held, compressed if pour->gzipped; `body` is empty
 * afterwards. `last`: no more follow; a body that is small as a whole is then not compressed. Does not set
 * pour->last. */
void yk_pour_add(struct yk_pour *pour, struct yk_buf *body, bool last);

/* Writes a weak ETag for the bytes of `body`: that of yk_pour_etag() for an answer with these bytes. */
void yk_etag_of(struct yk_str body, char *ret_etag, size_t size);
/* Writes a weak ETag for all bytes that were added, with its quotes and a NUL, to `ret_etag`, which has
 * `size` bytes (YK_ETAG_MAX). Call it after the last piece. */
void yk_pour_etag(const struct yk_pour *pour, char *ret_etag, size_t size);

#endif
