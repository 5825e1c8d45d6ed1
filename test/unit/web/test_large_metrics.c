/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of many queues leave in pieces, while the I/O thread makes their text (docs/reference/rest.md 1.1). */
#include "web/site.h"

#include "lib/dial.h"

#include <sys/socket.h>
#include <unistd.h>

enum { LEAVES = 2000 };

static struct site *shared;

static int setup(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_CONFIG_BYTES_MAX};
    yk_buf_text(&text,
                "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}");
    for (int i = 0; i < LEAVES; i++)
        yk_buf_printf(&text, ", {name: leaf%d, resources: {max: {vcore: 1, memory: 1}}}", i);
    yk_buf_text(&text, "]}]}]");
    shared = yk_new0(struct site);
    site_init(shared, yk_buf_cstr(&text));
    site_listen(shared, (struct yk_web_options){0});
    site_run(shared);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    site_end(shared);
    free(shared);
    return 0;
}

static int ask(const char *version)
{
    char text[256];
    int fd = site_dial(shared, 0);
    int len =
        snprintf(text, sizeof(text), "GET /metrics %s\r\nHost: h\r\nConnection: close\r\n\r\n", version);
    assert_int_equal(send(fd, text, (size_t)len, MSG_NOSIGNAL), len);
    return fd;
}

static size_t count_lines(const struct yk_buf *page, const char *start)
{
    size_t count = 0;
    for (const char *at = yk_buf_cstr(page); (at = strstr(at, start)) != NULL; at++)
        count += at[-1] == '\n';
    return count;
}

static void they_leave_in_pieces(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0}, plain = {0};
    read_all(ask("HTTP/1.1"), &page);
    assert_non_null(strstr(yk_buf_cstr(&page), "Transfer-Encoding: chunked\r\n"));
    assert_non_null(strstr(yk_buf_cstr(&page), "Content-Type: text/plain; version=0.0.4"));
    assert_true(yk_str_ends(yk_buf_view(&page), "\r\n0\r\n\r\n"));
    read_all(ask("HTTP/1.0"), &plain);
    assert_int_equal(count_lines(&plain, "yunikorn_queue_headroom{"), 2 * LEAVES);
    assert_int_equal(count_lines(&plain, "yunikorn_queue_status{"), 3 * (LEAVES + 2));
    assert_int_equal(count_lines(&plain, "# TYPE yunikorn_queue_status "), 1);
    assert_int_equal(count_lines(&plain, "promhttp_metric_handler_requests_in_flight 1\n"), 1);
}

static void clients_may_go_in_the_middle(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        char bytes[1000];
        int fd = ask("HTTP/1.1");
        assert_true(recv(fd, bytes, sizeof(bytes), 0) > 0);
        (void)close(fd);
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf plain = {0};
    read_all(ask("HTTP/1.0"), &plain);
    assert_int_equal(count_lines(&plain, "yunikorn_queue_headroom{"), 2 * LEAVES);
}

static void freed_while_they_are_written(void **state)
{
    (void)state;
    int fds[20];
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        fds[i] = ask("HTTP/1.1");
    char byte;
    assert_int_equal(recv(fds[0], &byte, 1, 0), 1);
    (void)teardown(NULL); /* returns 0 */
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]);
    (void)setup(NULL); /* returns 0 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_leave_in_pieces),
        cmocka_unit_test(clients_may_go_in_the_middle),
        cmocka_unit_test(freed_while_they_are_written),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
