/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/rest.md 1.1: which connections and bodies the HTTP server keeps when there are too many. */
#include "http/http_server.h"

#include "base/clock.h"
#include "base/log.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/dial.h"

enum { BODY_MAX = 4 << 20, OUT_MAX = 1024 };

static struct {
    struct yk_io *io;
    struct yk_http_server *server;
    pthread_t thread;
    /* I/O thread; the test reads the counts. */
    struct yk_http_exchange *out[OUT_MAX]; /* not replied to */
    _Atomic size_t out_count;
} service;

static void release(void *context)
{
    (void)context;
}

static void reply(struct yk_http_exchange *exchange, int status)
{
    const struct yk_http_reply answer = {
        .status = status, .reason = "so", .headers = YK_STR("A: b\r\n"), .release = release};
    yk_http_reply(exchange, &answer);
}

/* "/probe" and what is refused is answered, everything else is kept. */
static void handle(void *context, struct yk_http_exchange *exchange)
{
    (void)context;
    if (exchange->refused != 0)
        reply(exchange, exchange->refused);
    else if (yk_str_is(exchange->head.target, "/probe"))
        reply(exchange, 200);
    else
        service.out[atomic_fetch_add(&service.out_count, 1)] = exchange;
}

static struct yk_http_admission admit(void *context, const struct yk_http_exchange *exchange)
{
    (void)context;
    bool is_probe = yk_str_is(exchange->head.target, "/probe");
    return (struct yk_http_admission){.body_max = is_probe ? 0 : BODY_MAX, .is_probe = is_probe};
}

static void *run_io(void *context)
{
    yk_io_run(context);
    return NULL;
}

static int set_up(void **state)
{
    struct yk_err err;
    (void)state;
    memset(&service, 0, sizeof(service));
    assert_int_equal(yk_io_new(&service.io, &err), YK_OK);
    const struct yk_http_options options = {
        .io = service.io, .address = "127.0.0.1", .admit = admit, .handle = handle};
    assert_int_equal(yk_http_server_new(&options, &service.server, &err), YK_OK);
    assert_int_equal(pthread_create(&service.thread, NULL, run_io, service.io), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    yk_io_stop(service.io);
    assert_int_equal(pthread_join(service.thread, NULL), 0);
    yk_http_server_free(service.server);
    for (size_t i = 0; i < service.out_count; i++)
        yk_http_exchange_free(service.out[i]);
    yk_io_free(service.io);
    return 0;
}

/* From 127.0.0.`host`. */
static int dial(int host)
{
    return dial_from(host, yk_http_server_port(service.server), 20);
}

static void say(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* The status of the answer; 0: closed without one. */
static int status_on(int fd)
{
    char bytes[256] = "";
    ssize_t got = recv(fd, bytes, sizeof(bytes) - 1, 0);
    int status = 0;
    return got > 12 && sscanf(bytes, "HTTP/1.1 %d", &status) == 1 ? status : 0;
}

static int ask(int host, const char *request)
{
    int fd = dial(host);
    say(fd, request);
    int status = status_on(fd);
    (void)close(fd);
    return status;
}

#define PROBE "GET /probe HTTP/1.1\r\nHost: x\r\n\r\n"
#define WORK  "GET /work HTTP/1.1\r\nHost: x\r\n\r\n"

static void wait_for_out(size_t count)
{
    while (atomic_load(&service.out_count) < count)
        (void)usleep(1000);
}

/* The client learns at once that the port does not speak TLS. */
static void tls_where_there_is_none(void **state)
{
    (void)state;
    int64_t began = yk_clock_mono_ns(&yk_clock_real);
    assert_int_equal(ask(1, "\x16\x03\x01\x02"), 400);
    assert_in_range((yk_clock_mono_ns(&yk_clock_real) - began) / YK_NS_PER_S, 0, YK_HTTP_HEAD_SECONDS / 2);
    assert_int_equal(ask(1, PROBE), 200);
}

static void slow_heads_go_first(void **state)
{
    (void)state;
    enum { SLOW = 600, PROBES = 160 };
    int fds[SLOW], kept = dial(1), answered = 0;
    say(kept, PROBE);
    assert_int_equal(status_on(kept), 200);
    for (int i = 0; i < SLOW; i++) {
        fds[i] = dial(1);
        say(fds[i], "GET /probe HTT");
    }
    for (int i = 0; i < PROBES; i++)
        answered += ask(i % 2 + 1, PROBE) == 200;
    assert_int_equal(answered, PROBES);
    for (int i = 0; i < SLOW; i++)
        (void)close(fds[i]);
    (void)close(kept);
}

/* A client sends requests and reads nothing, until its socket takes no more: one of them is worked on, what is read ahead
 * of the others is bounded, and other clients are answered. */
static void requests_behind_one_that_waits_are_not_read(void **state)
{
    (void)state;
    enum { SENT_MAX = 64 << 20 };
    size_t sent = 0;
    int fd = dial(1), refused = 0;
    while (refused < 50 && sent < SENT_MAX) {
        ssize_t took = send(fd, WORK, strlen(WORK), MSG_NOSIGNAL | MSG_DONTWAIT);
        sent += took > 0 ? (size_t)took : 0;
        refused = took > 0 ? 0 : refused + 1;
        if (took <= 0)
            assert_int_equal(ask(2, PROBE), 200);
    }
    assert_int_equal(refused, 50);
    wait_for_out(1);
    assert_int_equal(atomic_load(&service.out_count), 1);
    (void)close(fd);
}

/* One address uses up its connections with requests under way: others do not notice, and its probes pass. */
static void an_address_has_a_share(void **state)
{
    (void)state;
    int fds[YK_HTTP_CONNECTIONS_OF_ADDRESS_MAX];
    for (size_t i = 0; i < YK_COUNT(fds); i++) {
        fds[i] = dial(1);
        say(fds[i], WORK);
    }
    wait_for_out(YK_COUNT(fds));
    for (int i = 0; i < 50; i++)
        assert_int_equal(ask(1, PROBE), 200);
    assert_int_equal(ask(1, WORK), 503); /* that connection is for probes */
    assert_int_equal(ask(1, "PUT /work HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"), 503);
    int other = dial(2);
    say(other, WORK);
    wait_for_out(YK_COUNT(fds) + 1);
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]);
    (void)close(other);
}

static void probes_pass_when_all_are_busy(void **state)
{
    (void)state;
    int fds[YK_HTTP_CONNECTIONS_MAX], slow[20];
    for (size_t i = 0; i < YK_COUNT(fds); i++) {
        fds[i] = dial(1 + (int)i % 8);
        say(fds[i], WORK);
    }
    wait_for_out(YK_COUNT(fds));
    for (size_t i = 0; i < YK_COUNT(slow); i++) { /* one address cannot fill the connections for probes */
        slow[i] = dial(20);
        say(slow[i], "GET /probe HTT");
    }
    for (int i = 0; i < 40; i++)
        assert_int_equal(ask(30 + i % 2, PROBE), 200);
    assert_int_equal(ask(20, PROBE), 200);
    assert_int_equal(ask(30, WORK), 503);
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]);
    for (size_t i = 0; i < YK_COUNT(slow); i++)
        (void)close(slow[i]);
}

/* The connection that was accepted first has sent a request since, so the one after it has been idle longest. */
static void the_longest_idle_goes_first(void **state)
{
    (void)state;
    int fds[YK_HTTP_CONNECTIONS_OF_ADDRESS_MAX];
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        fds[i] = dial(1);
    say(fds[YK_COUNT(fds) - 1], PROBE); /* when it is answered, all have been accepted */
    assert_int_equal(status_on(fds[YK_COUNT(fds) - 1]), 200);
    say(fds[0], PROBE);
    assert_int_equal(status_on(fds[0]), 200);
    assert_int_equal(ask(1, PROBE), 200);
    say(fds[0], PROBE);
    assert_int_equal(status_on(fds[0]), 200);
    assert_int_equal(status_on(fds[1]), 0);
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]);
}

/* The time of a connection for probes runs from its beginning, also if the first byte comes late. */
static void a_probe_has_two_seconds(void **state)
{
    (void)state;
    int fds[YK_HTTP_CONNECTIONS_OF_ADDRESS_MAX];
    for (size_t i = 0; i < YK_COUNT(fds); i++) {
        fds[i] = dial(1);
        say(fds[i], WORK);
    }
    wait_for_out(YK_COUNT(fds));
    int64_t began = yk_clock_mono_ns(&yk_clock_real);
    int slow = dial(1);
    (void)usleep(1500000);
    say(slow, "GET /probe HTT");
    assert_int_equal(status_on(slow), 0);
    int64_t took = yk_clock_mono_ns(&yk_clock_real) - began;
    assert_in_range(took / YK_NS_PER_MS, 1900, 3000);
    (void)close(slow);
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]);
}

/* Sends a body of `bytes`; the status, or 0 when it is kept without an answer. */
static int upload(int fd, size_t bytes)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    size_t before = atomic_load(&service.out_count);
    yk_buf_printf(&text, "PUT /work HTTP/1.1\r\nHost: x\r\nContent-Length: %zu\r\n\r\n", bytes);
    (void)memset(yk_buf_reserve(&text, bytes), ' ', bytes);
    text.len += bytes;
    for (size_t sent = 0; sent < text.len;) {
        ssize_t now = send(fd, text.p + sent, text.len - sent, MSG_NOSIGNAL);
        if (now <= 0)
            return status_on(fd);
        sent += (size_t)now;
    }
    struct timeval moment = {.tv_usec = 10000};
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof(moment)), 0);
    for (int status = 0;;) {
        if (atomic_load(&service.out_count) > before)
            return 0;
        if ((status = status_on(fd)) != 0)
            return status;
    }
}

static void bodies_share_a_budget(void **state)
{
    (void)state;
    enum { OF_ONE = YK_HTTP_BODIES_OF_ADDRESS_MAX / BODY_MAX, ALL = YK_HTTP_BODIES_MAX / BODY_MAX };
    int fds[ALL + 4], count = 0;
    for (int i = 0; i < ALL; i++) {
        fds[count] = dial(1 + i / OF_ONE);
        assert_int_equal(upload(fds[count++], BODY_MAX), 0);
    }
    fds[count] = dial(1);
    assert_int_equal(upload(fds[count++], YK_HTTP_BODY_SMALL + 1), 503);
    fds[count] = dial(50);
    assert_int_equal(upload(fds[count++], YK_HTTP_BODY_SMALL + 1), 503);
    /* Small ones are not kept out by that. */
    fds[count] = dial(1);
    assert_int_equal(upload(fds[count++], YK_HTTP_BODY_SMALL), 0);
    fds[count] = dial(50);
    assert_int_equal(upload(fds[count++], 1000), 0);
    assert_int_equal(ask(50, PROBE), 200);
    for (int i = 0; i < count; i++)
        (void)close(fds[i]);
}

static void one_address_does_not_use_the_whole_budget(void **state)
{
    (void)state;
    enum { OF_ONE = YK_HTTP_BODIES_OF_ADDRESS_MAX / BODY_MAX };
    int fds[OF_ONE + 2];
    for (int i = 0; i < OF_ONE; i++)
        assert_int_equal(upload(fds[i] = dial(1), BODY_MAX), 0);
    assert_int_equal(upload(fds[OF_ONE] = dial(1), YK_HTTP_BODY_SMALL + 1), 503);
    assert_int_equal(upload(fds[OF_ONE + 1] = dial(2), BODY_MAX), 0);
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tls_where_there_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slow_heads_go_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(requests_behind_one_that_waits_are_not_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_address_has_a_share, set_up, tear_down),
        cmocka_unit_test_setup_teardown(probes_pass_when_all_are_busy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_longest_idle_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_probe_has_two_seconds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bodies_share_a_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_address_does_not_use_the_whole_budget, set_up, tear_down),
    };
    yk_log_set_stream(NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
