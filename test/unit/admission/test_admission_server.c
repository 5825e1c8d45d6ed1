/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission-server.md, "Requests": what is answered how, also to clients that mean harm. */
#include "admission/admission_server.h"
#include "http/certificates.h"

#include "base/clock.h"
#include "base/log.h"
#include "http/http_server.h"
#include "http/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/dial.h"

static struct {
    struct yk_io *io;
    struct yk_admission_server *server;
    struct yk_tls *tls;
    struct yk_ca_pair authorities;
    SSL_CTX *client;
    pthread_t thread;
    bool is_encrypted;
} service;

static void mutate(void *context, struct yk_str body, struct yk_buf *ret_answer)
{
    (void)context;
    yk_buf_printf(ret_answer, "{\"path\":\"/mutate\",\"bytes\":%zu}", body.len);
}

static void validate(void *context, struct yk_buf *body, struct yk_admission_call *call)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
    (void)context;
    yk_buf_printf(&answer, "{\"path\":\"/validate-conf\",\"bytes\":%zu}", body->len);
    yk_buf_done(body);
    yk_admission_answer(call, &answer);
}

static void *run_io(void *context)
{
    yk_io_run(context);
    return NULL;
}

static void start(bool is_encrypted)
{
    struct yk_err err = {0};
    unsigned renewed;
    int64_t now = yk_clock_wall_ns(&yk_clock_real);
    struct yk_key_pair leaf = {0};
    memset(&service, 0, sizeof(service));
    yk_log_set_stream(NULL);
    service.is_encrypted = is_encrypted;
    assert_int_equal(yk_ca_pair_renew(&service.authorities, now, &renewed, &err), YK_OK);
    const struct yk_serving_names names = {"webhook", "team", "127.0.0.1"};
    assert_int_equal(yk_serving_certificate(&service.authorities, &names, now, &leaf, &err), YK_OK);
    const struct yk_tls_options tls = {.cert_pem = yk_str_from(leaf.cert_pem),
                                       .key_pem = yk_str_from(leaf.key_pem),
                                       .clock = &yk_clock_real};
    assert_int_equal(yk_tls_new(&tls, &service.tls, &err), YK_OK);
    yk_key_pair_done(&leaf);
    assert_int_equal(yk_io_new(&service.io, &err), YK_OK);
    const struct yk_admission_server_options options = {.io = service.io,
                                                        .address = "127.0.0.1",
                                                        .tls = is_encrypted ? service.tls : NULL,
                                                        .mutate = mutate,
                                                        .validate = validate};
    assert_int_equal(yk_admission_server_new(&options, &service.server, &err), YK_OK);
    service.client = SSL_CTX_new(TLS_client_method());
    assert_int_equal(pthread_create(&service.thread, NULL, run_io, service.io), 0);
}

static int set_up(void **state)
{
    (void)state;
    start(false);
    return 0;
}

static int set_up_tls(void **state)
{
    (void)state;
    start(true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    yk_io_stop(service.io);
    assert_int_equal(pthread_join(service.thread, NULL), 0);
    yk_admission_server_free(service.server);
    yk_tls_free(service.tls);
    yk_ca_pair_done(&service.authorities);
    SSL_CTX_free(service.client);
    yk_io_free(service.io);
    return 0;
}

static int dial(void)
{
    return dial_from(1, yk_admission_server_port(service.server), 20);
}

static void say(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, text, len, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the server has closed it */
        text += sent;
        len -= (size_t)sent;
    }
}

/* The whole answer to `request` on a connection of its own. */
static void ask(struct yk_str request, struct yk_buf *answer)
{
    int fd = dial();
    char bytes[4096];
    ssize_t got;
    yk_buf_clear(answer);
    say(fd, request.p, request.len);
    while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0) {
        yk_buf_add(answer, bytes, (size_t)got);
        const char *end = strstr(yk_buf_cstr(answer), "\r\n\r\n"), *field;
        size_t length = 0;
        if (end != NULL && (field = strstr(yk_buf_cstr(answer), "Content-Length: ")) != NULL &&
            sscanf(field, "Content-Length: %zu", &length) == 1 &&
            answer->len >= (size_t)(end + 4 - answer->p) + length)
            break;
    }
    (void)close(fd);
}

#define POST(path, type, body) "POST " path " HTTP/1.1\r\nHost: x\r\n" type "Content-Length: " body "\r\n\r\n"
#define JSON                   "Content-Type: application/json\r\n"

static void requests_and_their_answers(void **state)
{
    (void)state;
    static const struct {
        const char *what, *request;
        int status;
        const char *part;
    } cases[] = {
        {"health", "GET /health HTTP/1.1\r\nHost: x\r\n\r\n", 200, "\r\n\r\nOK\r\n"},
        {"health is plain text", "GET /health HTTP/1.1\r\nHost: x\r\n\r\n", 200, "Content-Type: text/plain"},
        {"a mutation", POST("/mutate", JSON, "2") "{}", 200, "{\"path\":\"/mutate\",\"bytes\":2}"},
        {"as an API server asks", POST("/mutate?timeout=10s", JSON, "2") "{}", 200, "{\"path\":\"/mutate\""},
        {"a validation", POST("/validate-conf", JSON, "3") "{ }", 200,
         "{\"path\":\"/validate-conf\",\"bytes\":3}"},
        {"an answer is JSON", POST("/mutate", JSON, "2") "{}", 200, "Content-Type: application/json"},
        {"a type with parameters",
         POST("/mutate", "content-type: Application/JSON; charset=utf-8\r\n", "2") "{}", 200, "\"bytes\":2"},
        {"no body", POST("/mutate", JSON, "0"), 400, "empty request body"},
        {"no body and no length", "GET /mutate HTTP/1.1\r\nHost: x\r\n\r\n", 400, "empty request body"},
        {"no type", POST("/mutate", "", "2") "{}", 415, "application/json"},
        {"another type", POST("/mutate", "Content-Type: text/plain\r\n", "2") "{}", 415, "application/json"},
        {"a longer type", POST("/mutate", "Content-Type: application/json-patch+json\r\n", "2") "{}", 415,
         ""},
        {"another path", POST("/", JSON, "2") "{}", 404, "no such path"},
        {"a longer path", POST("/mutate/", JSON, "2") "{}", 404, "no such path"},
        {"a path without a body", "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", 404, "no such path"},
        {"a body that is too large", POST("/mutate", JSON, "7340033"), 413, "too large"},
        {"a length that is no number", POST("/mutate", JSON, "x"), 400, "malformed"},
        {"two lengths", POST("/mutate", JSON "Content-Length: 3\r\n", "2") "{}", 400, "malformed"},
        {"a chunked body",
         "POST /mutate HTTP/1.1\r\nHost: x\r\n" JSON "Transfer-Encoding: chunked\r\n\r\n"
         "2\r\n{}\r\n0\r\n\r\n",
         200, "\"bytes\":2"},
        {"not HTTP", "hello\r\n\r\n", 400, "malformed"},
        {"HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, ""},
    };
    YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        int status = 0;
        ask(yk_str_from(cases[i].request), &answer);
        (void)sscanf(yk_buf_cstr(&answer), "HTTP/1.1 %d", &status);
        if (status != cases[i].status || strstr(yk_buf_cstr(&answer), cases[i].part) == NULL)
            fail_msg("%s: %s", cases[i].what, yk_buf_cstr(&answer));
    }
}

static void a_large_review_is_read(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf request = {0}, answer = {0};
    yk_buf_printf(&request, POST("/mutate", JSON, "%d"), YK_ADMISSION_BODY_MAX);
    size_t head = request.len;
    char *body = yk_buf_reserve(&request, YK_ADMISSION_BODY_MAX);
    memset(body, ' ', YK_ADMISSION_BODY_MAX);
    request.len = head + YK_ADMISSION_BODY_MAX;
    ask(yk_buf_view(&request), &answer);
    assert_non_null(strstr(yk_buf_cstr(&answer), "\"bytes\":7340032"));
}

/* ---- over TLS ---- */

static SSL *dial_tls(void)
{
    SSL *ssl = SSL_new(service.client);
    SSL_set_fd(ssl, dial());
    if (SSL_connect(ssl) != 1)
        fail_msg("no TLS: %s", ERR_reason_error_string(ERR_peek_last_error()));
    return ssl;
}

static void hang_up(SSL *ssl)
{
    (void)close(SSL_get_fd(ssl));
    SSL_free(ssl);
}

static bool asks_over(SSL *ssl)
{
    static const char request[] = POST("/mutate", JSON, "2") "{}";
    char bytes[1024] = "";
    if (SSL_write(ssl, request, (int)strlen(request)) <= 0)
        return false;
    int got = SSL_read(ssl, bytes, sizeof(bytes) - 1);
    bool is_ok = got > 0 && strstr(bytes, "HTTP/1.1 200") != NULL;
    while (is_ok && strstr(bytes, "\"bytes\":2}") == NULL &&
           (got = SSL_read(ssl, bytes, sizeof(bytes) - 1)) > 0)
        ;
    return is_ok && got > 0;
}

static void expect_service(const char *beside)
{
    SSL *ssl = dial_tls();
    if (!asks_over(ssl))
        fail_msg("not answered beside %s", beside);
    hang_up(ssl);
}

static void reviews_come_over_tls(void **state)
{
    (void)state;
    SSL *ssl = dial_tls();
    assert_true(strcmp(SSL_get_version(ssl), "TLSv1.3") == 0 || strcmp(SSL_get_version(ssl), "TLSv1.2") == 0);
    for (int i = 0; i < 10; i++)
        assert_true(asks_over(ssl)); /* all on one connection */
    hang_up(ssl);
    SSL_CTX_set_max_proto_version(service.client, TLS1_1_VERSION);
    ssl = SSL_new(service.client);
    SSL_set_fd(ssl, dial());
    assert_int_not_equal(SSL_connect(ssl), 1);
    hang_up(ssl);
    ERR_clear_error();
}

static void garbage_slow_clients_and_200_connections(void **state)
{
    (void)state;
    enum { MANY = 200 };
    int fds[MANY];
    SSL *slow[50];
    char garbage[512];
    for (size_t i = 0; i < sizeof(garbage); i++)
        garbage[i] = (char)(i * 167 + 13);
    for (int i = 0; i < 20; i++) { /* no TLS, or TLS that breaks off */
        int fd = dial();
        say(fd, garbage + i, sizeof(garbage) - (size_t)i);
        (void)close(fd);
        fd = dial();
        say(fd, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
        fds[i] = fd;
    }
    expect_service("garbage");
    for (int i = 0; i < 20; i++)
        (void)close(fds[i]);
    for (int i = 0; i < 50; i++) { /* bodies that do not come */
        static const char head[] = POST("/mutate", JSON, "1000000") "{\"kind\": ";
        slow[i] = dial_tls();
        assert_int_equal(SSL_write(slow[i], head, (int)strlen(head)), (int)strlen(head));
    }
    expect_service("slow bodies");
    for (int i = 0; i < MANY; i++) /* silent */
        fds[i] = dial();
    expect_service("200 silent connections");
    for (int i = 0; i < MANY; i++)
        (void)close(fds[i]);
    for (int i = 0; i < 50; i++)
        hang_up(slow[i]);
    ERR_clear_error();
    expect_service("what is left of them");
}

/* An API server keeps 25 connections that are not in use, and opens others while those are busy. */
static void an_api_server_may_have_600_connections(void **state)
{
    (void)state;
    enum { MANY = 600 };
    SSL *open[MANY];
    for (int i = 0; i < MANY; i++)
        open[i] = dial_tls();
    for (int i = 0; i < MANY; i++) {
        if (!asks_over(open[i]))
            fail_msg("connection %d was closed", i);
        hang_up(open[i]);
    }
    ERR_clear_error();
}

/* Clients dial before they know whether they need the connection. */
static void a_connection_without_a_request_stays(void **state)
{
    (void)state;
    SSL *ssl = dial_tls();
    (void)sleep(YK_HTTP_HEAD_SECONDS + 1);
    assert_true(asks_over(ssl));
    hang_up(ssl);
}

/* ---- the end ---- */

struct order {
    struct yk_command command; /* first */
    void (*act)(struct yk_admission_server *server);
    _Atomic bool is_done;
};

static void run_order(struct yk_command *command)
{
    struct order *order = (struct order *)(void *)command;
    order->act(service.server);
    atomic_store(&order->is_done, true);
}

static void on_io_thread(void (*act)(struct yk_admission_server *server))
{
    struct order order = {.command = {.run = run_order}, .act = act};
    yk_io_post(service.io, &order.command);
    while (!atomic_load(&order.is_done))
        (void)usleep(1000);
}

static bool is_idle;
static void look(struct yk_admission_server *server)
{
    is_idle = yk_admission_server_is_idle(server);
}

static void it_retires_and_drains(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
    struct yk_str request = YK_STR(POST("/mutate", JSON, "2") "{}");
    char bytes[16];
    ask(request, &answer);
    assert_null(strstr(yk_buf_cstr(&answer), "Connection: close"));
    int silent = dial();
    on_io_thread(yk_admission_server_retire);
    ask(request, &answer); /* still taken, but as the last one */
    assert_non_null(strstr(yk_buf_cstr(&answer), "HTTP/1.1 200"));
    assert_non_null(strstr(yk_buf_cstr(&answer), "Connection: close"));
    int half = dial();
    say(half, request.p, request.len - 2); /* its body comes during the drain */
    (void)usleep(50000);
    on_io_thread(yk_admission_server_drain);
    assert_int_equal(recv(silent, bytes, sizeof(bytes), 0), 0); /* closed */
    on_io_thread(look);
    assert_false(is_idle);
    say(half, "{}", 2);
    assert_true(recv(half, bytes, sizeof(bytes), 0) > 12);
    assert_memory_equal(bytes, "HTTP/1.1 200", 12);
    (void)close(half);
    (void)close(silent);
    for (is_idle = false; !is_idle;)
        on_io_thread(look);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons(yk_admission_server_port(service.server));
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), -1);
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(requests_and_their_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_large_review_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reviews_come_over_tls, set_up_tls, tear_down),
        cmocka_unit_test_setup_teardown(garbage_slow_clients_and_200_connections, set_up_tls, tear_down),
        cmocka_unit_test_setup_teardown(an_api_server_may_have_600_connections, set_up_tls, tear_down),
        cmocka_unit_test_setup_teardown(a_connection_without_a_request_stays, set_up_tls, tear_down),
        cmocka_unit_test_setup_teardown(it_retires_and_drains, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
