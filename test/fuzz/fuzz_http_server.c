/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HTTP server over a socket: any bytes, in pieces of any size. The handler gets the requests that a
 * second reading of the same bytes finds (http_oracle.h), with the same bodies, and the connection ends. The
 * first byte of an input says how large the pieces are.
 */
#include "http_oracle.h"

#include "base/log.h"
#include "http/http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 8192, TURNS_MAX = 20000 };

static struct yk_io *io;
static struct yk_http_server *server;
static struct oracle_request wanted[ORACLE_REQUESTS_MAX];
static size_t wanted_count, came;

static void release(void *context)
{
    (void)context;
}

static struct yk_http_admission admit(void *context, const struct yk_http_exchange *exchange)
{
    (void)context, (void)exchange;
    return (struct yk_http_admission){.body_max = ORACLE_BODY_MAX};
}

static void compare(const struct oracle_request *want, const struct yk_http_exchange *exchange)
{
    struct yk_str method = exchange->head.method, target = exchange->head.target;
    if (want->refused != (exchange->refused != 0))
        abort();
    if (want->refused)
        return;
    if (method.len != want->method_len || memcmp(method.p, want->method, method.len) != 0 ||
        target.len != want->target_len || memcmp(target.p, want->target, target.len) != 0)
        abort();
    if (exchange->body.len != want->body_len ||
        (want->body_len > 0 && memcmp(exchange->body.p, want->body, want->body_len) != 0))
        abort();
}

static void handle(void *context, struct yk_http_exchange *exchange)
{
    const struct yk_http_reply reply = {
        .status = exchange->refused != 0 ? exchange->refused : 200, .reason = "so", .release = release};
    (void)context;
    if (came >= wanted_count)
        abort(); /* a request that is none */
    compare(&wanted[came++], exchange);
    yk_http_reply(exchange, &reply);
}

static void set_up(void)
{
    const struct yk_http_options options = {.address = "127.0.0.1", .admit = admit, .handle = handle};
    struct yk_http_options with_io = options;
    yk_log_set_stream(NULL);
    if (yk_io_new(&io, NULL) != YK_OK)
        abort();
    with_io.io = io;
    if (yk_http_server_new(&with_io, &server, NULL) != YK_OK)
        abort();
}

/* Another address of 127.0.0.0/8 each time: the ports of one address are used up within seconds, because a
 * port stays in TIME_WAIT when the server closes first. */
static struct sockaddr_in next_own_address(void)
{
    static uint32_t count;
    count = count % 0xfffffd + 1;
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000000 + count)};
}

static int dial(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(yk_http_server_port(server))};
    struct sockaddr_in from = next_own_address();
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct pollfd open = {.fd = fd, .events = POLLOUT};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&from, sizeof(from)) != 0 ||
        (connect(fd, (const struct sockaddr *)&to, sizeof(to)) != 0 && errno != EINPROGRESS))
        abort();
    while (poll(&open, 1, -1) < 0)
        ; /* the fuzzer's alarm interrupts */
    return fd;
}

static void turn(void)
{
    (void)event_base_loop(yk_io_base(io), EVLOOP_NONBLOCK | EVLOOP_ONCE);
}

/* True: the server has closed. */
static bool is_over(int fd)
{
    char bytes[4096];
    ssize_t got;
    while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0)
        ;
    return got == 0 || (errno != EAGAIN && errno != EINTR);
}

static void send_all(int fd, const uint8_t *bytes, size_t len, size_t piece)
{
    for (size_t at = 0; at < len && !is_over(fd); at += piece) {
        if (send(fd, bytes + at, YK_MIN(piece, len - at), MSG_NOSIGNAL) < 0)
            return; /* refused already */
        turn();
        turn();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > INPUT_MAX)
        return 0;
    if (server == NULL)
        set_up();
    size_t piece = data[0] == 0 ? INPUT_MAX : data[0];
    wanted_count = oracle_read(data + 1, size - 1, wanted, YK_COUNT(wanted));
    if (wanted_count == YK_COUNT(wanted))
        return 0;
    came = 0;
    int fd = dial();
    turn();
    send_all(fd, data + 1, size - 1, piece);
    (void)shutdown(fd, SHUT_WR);
    int turns = 0;
    for (; !is_over(fd) && turns < TURNS_MAX; turns++)
        turn();
    if (turns == TURNS_MAX || came != wanted_count)
        abort();
    (void)close(fd);
    turn();
    return 0;
}
