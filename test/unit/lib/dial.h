/* SPDX-License-Identifier: Apache-2.0 */
/* Connects to a server of the test. Included after cmocka.h. */
#ifndef TEST_LIB_DIAL_H
#define TEST_LIB_DIAL_H

#include "base/str.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Connects to a port of this host, from the address 127.0.0.`from` (1 to 254). A receive fails after
 * `patience_s` seconds without data. Returns the socket, which the caller closes. Fails the test if it cannot
 * connect. */
static inline int dial_from(int from, uint16_t port, int patience_s)
{
    struct sockaddr_in client = {.sin_family = AF_INET}, server = client;
    struct timeval patience = {.tv_sec = patience_s};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    client.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + (uint32_t)from);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.sin_port = htons(port);
    assert_int_equal(bind(fd, (const struct sockaddr *)&client, sizeof(client)), 0);
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&server, sizeof(server)), 0);
    return fd;
}

/* Appends all bytes that come until the end of the connection, then closes the socket. Sets `out->max` to 256
 * MiB. */
static inline void read_all(int fd, struct yk_buf *out)
{
    char bytes[4096];
    ssize_t got;
    out->max = 256 << 20;
    while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0)
        yk_buf_add(out, bytes, (size_t)got);
    (void)close(fd); /* read only */
}

#endif
