/* SPDX-License-Identifier: Apache-2.0 */
/* Long answers on their way: in pieces, shared, with validators; clients that do not read, and that go
 * away. */
#include "web/site.h"

#include "base/log.h"
#include "lib/dial.h"

#include <jansson.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define NODES_PATH "/ws/v1/partition/default/nodes"
#define QUEUES     "/ws/v1/partition/default/queues"

#define APP_PATH "/ws/v1/partition/default/application/large"

enum { NODES = 5000, ASKS = 6000, SLOW_READERS = 40 };

static const char config[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

static struct site *shared;

static int setup(void **state)
{
    (void)state;
    shared = yk_new0(struct site);
    site_init(shared, config);
    for (int i = 0; i < NODES; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%05d", i);
        world_node(&shared->world, id, 4000, 8192);
    }
    world_submit(&shared->world, "large", "root.leaf", "ann");
    for (int i = 0; i < ASKS; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "ask-%05d", i);
        world_ask(&shared->world, "large", key, 100000, 1); /* more than a node has */
    }
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

/* ---- a client ---- */

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* `method`, target, version and further header lines. */
static int ask(const char *method, const char *target, const char *version, const char *headers)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    int fd = site_dial(shared, 0);
    yk_buf_printf(&text, "%s %s %s\r\nHost: h\r\n%s\r\n", method, target, version, headers);
    say(fd, yk_buf_cstr(&text));
    return fd;
}

static void get(const char *target, const char *headers, struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf all = {0};
    yk_buf_printf(&all, "Connection: close\r\n%s", headers);
    read_all(ask("GET", target, "HTTP/1.1", yk_buf_cstr(&all)), out);
}

static bool has(const struct yk_buf *page, const char *text)
{
    return strstr(yk_buf_cstr(page), text) != NULL;
}

static struct yk_str body_of(const struct yk_buf *page)
{
    const char *end = strstr(yk_buf_cstr(page), "\r\n\r\n");
    assert_non_null(end);
    return (struct yk_str){end + 4, page->len - (size_t)(end + 4 - page->p)};
}

/* Fails the test unless the last chunk is there. */
static void join_chunks(struct yk_str body, struct yk_buf *out)
{
    out->max = 256 << 20;
    for (;;) {
        char *end;
        assert_true(body.len > 0);
        unsigned long size = strtoul(body.p, &end, 16);
        size_t head = (size_t)(end - body.p) + 2;
        assert_true(head + size + 2 <= body.len);
        if (size == 0)
            return;
        yk_buf_add(out, body.p + head, size);
        body.p += head + size + 2;
        body.len -= head + size + 2;
    }
}

static size_t count_entries(struct yk_str text)
{
    json_error_t error;
    json_t *json = json_loadb(text.p, text.len, 0, &error);
    if (json == NULL)
        fail_msg("%s at %d", error.text, error.position);
    size_t count = json_is_array(json) ? json_array_size(json) : json_object_size(json);
    json_decref(json);
    return count;
}

static void etag_of(const struct yk_buf *page, char etag[64])
{
    const char *at = strstr(yk_buf_cstr(page), "ETag: ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "ETag: %63[^\r]", etag), 1);
}

/* ---- tests ---- */

static void a_large_answer_comes_in_pieces(void **state)
{
    (void)state;
    static const char *const targets[] = {NODES_PATH, "/debug/fullstatedump"};
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf page = {0}, body = {0};
        get(targets[i], "", &page);
        assert_true(has(&page, "HTTP/1.1 200 OK\r\n"));
        assert_true(has(&page, "Transfer-Encoding: chunked\r\n"));
        assert_false(has(&page, "Content-Length"));
        join_chunks(body_of(&page), &body);
        assert_true(body.len > (512 << 10));
        assert_true(count_entries(yk_buf_view(&body)) >= (i == 0 ? NODES : 5));
    }
}

static void older_clients_get_it_without_chunks(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
    read_all(ask("GET", NODES_PATH, "HTTP/1.0", ""), &page);
    assert_false(has(&page, "chunked"));
    assert_int_equal(count_entries(body_of(&page)), NODES);
}

static void what_is_small_when_packed_has_a_length(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0}, small = {0};
    get(NODES_PATH, "Accept-Encoding: gzip\r\n", &page);
    assert_true(has(&page, "Content-Length: "));
    assert_true(has(&page, "Content-Encoding: gzip\r\n"));
    assert_true(has(&page, "X-Total-Count: 5000\r\n"));
    get(QUEUES, "", &small);
    assert_true(has(&small, "Content-Length: "));
    assert_true(has(&small, "Cache-Control: private, no-cache\r\n"));
}

static void validators(void **state)
{
    (void)state;
    static const struct {
        const char *form; /* of If-None-Match; %s: the ETag */
        bool unchanged;
    } cases[] = {{"%s", true}, {"\"x\", %s", true}, {"*", true}, {"\"x\"", false}, {"", false}};
    YK_CLEANUP(yk_buf_done) struct yk_buf first = {0};
    char etag[64];
    get(QUEUES, "", &first);
    etag_of(&first, etag);
    assert_memory_equal(etag, "W/\"", 3);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf page = {0}, header = {0};
        yk_buf_text(&header, "If-None-Match: ");
        for (const char *p = cases[i].form; *p != '\0'; p++) {
            if (*p == '%')
                yk_buf_text(&header, etag);
            else if (*p != 's')
                yk_buf_char(&header, *p);
        }
        yk_buf_text(&header, "\r\n");
        get(QUEUES, yk_buf_cstr(&header), &page);
        assert_true(has(&page, cases[i].unchanged ? "HTTP/1.1 304 Not Modified\r\n" : "HTTP/1.1 200 OK\r\n"));
        assert_true(has(&page, etag)); /* the same rendering, or one of the same content */
        assert_int_equal(body_of(&page).len > 0, !cases[i].unchanged);
    }
}

/* A client that wants no stored answer gets one of its own, which has no validator. */
static void answers_that_are_not_shared(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        bool shared;
    } cases[] = {{"Cache-Control: no-cache\r\n", false},
                 {"Cache-Control: max-age=0, No-Cache\r\n", false},
                 {"Cache-Control: no-cached\r\n", true}};
    YK_CLEANUP(yk_buf_done) struct yk_buf first = {0};
    get(QUEUES, "", &first);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
        get(QUEUES, cases[i].header, &page);
        assert_true(has(&page, "HTTP/1.1 200 OK\r\n"));
        assert_int_equal(has(&page, "ETag: "), cases[i].shared);
        assert_int_equal(body_of(&page).len > 0, true);
    }
}

/* The piece of a list that is too large to be kept has no validator; errors keep their status. */
static void errors_have_their_status(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
    get("/ws/v1/partition/none/nodes", "", &page);
    assert_true(has(&page, "HTTP/1.1 404 Not Found\r\n"));
    assert_true(has(&page, "Partition not found"));
}

static void a_head_of_a_large_answer(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
    int fd = ask("HEAD", NODES_PATH, "HTTP/1.1", "");
    say(fd, "HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"); /* the connection goes on */
    read_all(fd, &page);
    assert_true(has(&page, "Transfer-Encoding: chunked\r\n"));
    assert_true(strstr(body_of(&page).p, "HTTP/1.1 200 OK\r\n") == body_of(&page).p);
}

/* Lines of the access log about `path`. */
static int count_lines(FILE *log, const char *path)
{
    char line[4096];
    int count = 0;
    rewind(log);
    while (fgets(line, sizeof(line), log) != NULL)
        count += strstr(line, "request answered") != NULL && strstr(line, path) != NULL;
    return count;
}

static void each_answer_in_pieces_is_logged_once(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf head = {0}, page = {0};
    FILE *log = tmpfile();
    assert_non_null(log);
    yk_log_set_stream(log);
    (void)yk_log_set_level(YK_STR("core.rest"), YK_LOG_DEBUG);
    read_all(ask("HEAD", NODES_PATH, "HTTP/1.1", "Connection: close\r\n"), &head);
    get(NODES_PATH, "", &page);
    (void)yk_log_set_level(YK_STR("core.rest"), YK_LOG_INFO);
    yk_log_set_stream(NULL);
    assert_true(has(&head, "Transfer-Encoding: chunked\r\n"));
    assert_true(has(&page, "Transfer-Encoding: chunked\r\n"));
    assert_int_equal(count_lines(log, NODES_PATH), 2);
    (void)fclose(log);
}

/* No ranges are served: the whole is. */
static void ranges_are_not_served(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
    get(QUEUES, "Range: bytes=0-1\r\n", &page);
    assert_true(has(&page, "HTTP/1.1 200 OK\r\n"));
}

static void half_closed_clients_get_all(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0}, body = {0};
    int fd = ask("GET", NODES_PATH, "HTTP/1.1", "Connection: close\r\n");
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    read_all(fd, &page);
    join_chunks(body_of(&page), &body);
    assert_int_equal(count_entries(yk_buf_view(&body)), NODES);
}

/* An application with many pods is not kept whole, either. */
static void a_large_application_comes_in_pieces(void **state)
{
    (void)state;
    static const char *const paths[] = {APP_PATH,
                                        "/ws/v1/partition/default/queue/root.leaf/application/large"};
    for (size_t i = 0; i < YK_COUNT(paths); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf page = {.max = 64 << 20}, body = {0};
        json_error_t error;
        get(paths[i], "", &page);
        assert_true(has(&page, "Transfer-Encoding: chunked\r\n"));
        join_chunks(body_of(&page), &body);
        json_t *json = json_loadb(body.p, body.len, 0, &error);
        assert_int_equal(json_array_size(json_object_get(json, "requests")), ASKS);
        json_decref(json);
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf small = {0};
    get(APP_PATH "?view=summary", "", &small);
    assert_true(has(&small, "Content-Length: "));
}

static void slow_readers_do_not_hold_up_others(void **state)
{
    (void)state;
    int slow[SLOW_READERS];
    for (size_t i = 0; i < SLOW_READERS; i++) {
        slow[i] = site_dial(shared, 4096);
        say(slow[i], "GET " NODES_PATH " HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    for (size_t i = 0; i < SLOW_READERS; i++) { /* each has got something; more than are served at a time */
        struct pollfd wait = {.fd = slow[i], .events = POLLIN};
        (void)poll(&wait, 1, 60000); /* some were cut off for others */
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0}, body = {0};
    do { /* until one of them has been slow for a second, and goes for us */
        yk_buf_clear(&page);
        get(NODES_PATH "?limit=4999", "", &page);
    } while (has(&page, "HTTP/1.1 503 "));
    join_chunks(body_of(&page), &body);
    assert_int_equal(count_entries(yk_buf_view(&body)), NODES - 1);
    for (size_t i = 0; i < SLOW_READERS; i++)
        (void)close(slow[i]); /* in the middle of its answer */
}

static void clients_that_go_in_the_middle(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        char bytes[512];
        YK_CLEANUP(yk_buf_done) struct yk_buf target = {0};
        yk_buf_printf(&target, NODES_PATH "?offset=%d", i % 10);
        int fd = ask("GET", yk_buf_cstr(&target), "HTTP/1.1", i % 2 == 0 ? "" : "Accept-Encoding: gzip\r\n");
        if (i % 3 == 0)
            assert_true(recv(fd, bytes, sizeof(bytes), 0) > 0);
        (void)close(fd); /* whatever it was doing */
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
    get(QUEUES, "", &page);
    assert_true(has(&page, "HTTP/1.1 200 OK\r\n"));
}

/* Those who come while an answer is made get it as well. */
static bool always(void *context)
{
    (void)context;
    return true;
}

/* Bindings are under way all the time: requests wait for their turn, and each gets its answer. */
static void answers_come_while_the_scheduler_writes(void **state)
{
    (void)state;
    enum { REQUESTS = 30, CLIENTS = 3 };
    YK_CLEANUP(yk_buf_done) struct yk_buf said = {0};
    struct site *site = yk_new0(struct site);
    int clients[CLIENTS];
    site_init(site, config);
    site_listen(site, (struct yk_web_options){.is_writing = always});
    site_run(site);
    for (int i = 0; i < REQUESTS; i++)
        yk_buf_printf(&said, "GET %s HTTP/1.1\r\nHost: h\r\n%s\r\n",
                      i % 2 == 0 ? QUEUES : "/ws/v1/partitions",
                      i == REQUESTS - 1 ? "Connection: close\r\n" : "");
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = site_dial(site, 0);
        say(clients[i], yk_buf_cstr(&said));
    }
    for (int i = 0; i < CLIENTS; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
        int answers = 0;
        read_all(clients[i], &heard);
        for (const char *at = yk_buf_cstr(&heard); (at = strstr(at, "HTTP/1.1 200 OK")) != NULL; at++)
            answers++;
        assert_int_equal(answers, REQUESTS);
    }
    site_end(site);
    free(site);
}

static void many_ask_for_the_same(void **state)
{
    (void)state;
    enum { CLIENTS = 32 };
    int fds[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++)
        fds[i] = ask("GET", NODES_PATH "?view=summary", "HTTP/1.1",
                     "Accept-Encoding: gzip\r\nConnection: close\r\n");
    char first[64];
    for (size_t i = 0; i < CLIENTS; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf page = {0};
        char etag[64];
        read_all(fds[i], &page);
        assert_true(has(&page, "HTTP/1.1 200 OK\r\n"));
        etag_of(&page, etag);
        if (i == 0)
            memcpy(first, etag, sizeof(first));
        assert_string_equal(etag, first);
    }
}

static void freed_with_answers_under_way(void **state)
{
    (void)state;
    struct site site;
    site_init(&site, config);
    for (int i = 0; i < NODES; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%05d", i);
        world_node(&site.world, id, 4000, 8192);
    }
    site_listen(&site, (struct yk_web_options){0});
    site_run(&site);
    int fds[8];
    for (size_t i = 0; i < YK_COUNT(fds); i++) {
        fds[i] = site_dial(&site, 4096);
        say(fds[i], "GET " NODES_PATH " HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    char byte;
    assert_int_equal(recv(fds[0], &byte, 1, 0), 1);
    site_end(&site);
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]); /* its server has gone */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_answer_comes_in_pieces),
        cmocka_unit_test(older_clients_get_it_without_chunks),
        cmocka_unit_test(what_is_small_when_packed_has_a_length),
        cmocka_unit_test(validators),
        cmocka_unit_test(answers_that_are_not_shared),
        cmocka_unit_test(errors_have_their_status),
        cmocka_unit_test(a_head_of_a_large_answer),
        cmocka_unit_test(each_answer_in_pieces_is_logged_once),
        cmocka_unit_test(ranges_are_not_served),
        cmocka_unit_test(half_closed_clients_get_all),
        cmocka_unit_test(a_large_application_comes_in_pieces),
        cmocka_unit_test(slow_readers_do_not_hold_up_others),
        cmocka_unit_test(clients_that_go_in_the_middle),
        cmocka_unit_test(answers_come_while_the_scheduler_writes),
        cmocka_unit_test(many_ask_for_the_same),
        cmocka_unit_test(freed_with_answers_under_way),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
