/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mock, speaking HTTP/2: as much of RFC 9113 as a few small requests need. Headers are not read (that
 * would take HPACK's Huffman code): a request without a body gets an answer that suits everybody who asks at
 * the start, one with a body goes to `decide`. Lives on the mock's event loop.
 */
#ifndef YK_TEST_CLIENT_H2_H
#define YK_TEST_CLIENT_H2_H

#include "lib/mock_server.h"

enum h2_reply {
    H2_ANSWER,  /* 201 */
    H2_REFUSE,  /* RST_STREAM with REFUSED_STREAM: nothing was done */
    H2_GO_AWAY, /* GOAWAY that leaves out this stream: nothing was done; streams before it are answered */
    H2_SAY_GO,  /* GOAWAY that takes this stream in, which is answered */
};

struct h2 {
    struct mock *mock;
    /* `number`: of the requests with a body, from 1. */
    enum h2_reply (*decide)(struct h2 *h2, size_t number);
    size_t connections, with_body, answered;
    struct yk_list open; /* struct h2_connection */
};

/* `mock` is open with TLS and no client has connected yet. */
void h2_open(struct h2 *h2, struct mock *mock, enum h2_reply (*decide)(struct h2 *h2, size_t number));
void h2_close(struct h2 *h2);

#endif
