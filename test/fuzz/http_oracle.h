/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second reading of what requests a stream of bytes is: RFC 9112 as docs/reference/rest.md 1.1 narrows it,
 * over all bytes at once and without a state that could be left. It shares no code with core/web.
 */
#ifndef YK_TEST_FUZZ_HTTP_ORACLE_H
#define YK_TEST_FUZZ_HTTP_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_request {
    bool refused; /* the last one; nothing else is set */
    const uint8_t *method, *target;
    size_t method_len, target_len;
    uint8_t body[1024];
    size_t body_len;
};

enum { ORACLE_BODY_MAX = 1000, ORACLE_REQUESTS_MAX = 512 };

/* The requests in `bytes`, until one is refused, closes the connection or is not complete. How many. */
size_t oracle_read(const uint8_t *bytes, size_t len, struct oracle_request *requests, size_t max);

#endif
