/* SPDX-License-Identifier: Apache-2.0 */
/* The server as it runs: an I/O thread, a scheduling thread, and clients of all manners. */
#include "web/browser.h"
#include "web/page.h"
#include "web/site.h"

#include "http/http_server.h"
#include "web/checker.h"
#include "web/web_priv.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

static const char config[] = "partitions: [{name: default, placementrules: [{name: provided, create: true}], "
                             "queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

enum { NODES = 5000 };

struct service {
    struct site site;
    _Atomic bool ready;
    int64_t longest_ns, last_mono_ns; /* between two turns of the scheduling loop; scheduling thread */
    _Atomic bool watching;
};

static bool is_ready(void *context)
{
    return atomic_load(&((struct service *)context)->ready);
}

/* Stands for the scheduling cycle: notes how long it was kept waiting. */
static bool note_turn(void *context)
{
    struct service *service = context;
    int64_t now = yk_clock_mono_ns(&yk_clock_real);
    if (atomic_load(&service->watching) && service->last_mono_ns != 0)
        service->longest_ns = YK_MAX(service->longest_ns, now - service->last_mono_ns);
    service->last_mono_ns = now;
    /* The core's timers use the world's clock, which does not move: only what is due at once fires. */
    struct world *world = &service->site.world;
    (void)yk_timers_run(&world->timers); /* how many is not the question */
    return atomic_load(&service->watching) || yk_timers_next_ns(&world->timers) <= world->clock.mono_ns;
}

static void build(struct world *world)
{
    char id[32];
    for (int i = 0; i < NODES; i++) {
        (void)snprintf(id, sizeof(id), "node-%05d", (i * 7919) % NODES);
        world_node(world, id, 4000, 8192);
    }
    world_submit(world, "app", "root.leaf", "ann");
    for (int i = 0; i < 2 * NODES; i++) {
        (void)snprintf(id, sizeof(id), "key-%05d", i);
        world_ask(world, "app", id, 100, 64);
    }
    assert_int_equal(yk_core_schedule(world->core, SIZE_MAX, INT64_MAX), 2 * NODES);
}

static void start(struct service *service)
{
    site_init(&service->site, config);
    service->site.actor.work = note_turn;
    service->site.actor.context = service;
    build(&service->site.world);
    struct yk_web_check checks[] = {{"synced", is_ready, service, false, NULL, false}};
    site_listen(&service->site, (struct yk_web_options){.checks = checks, .check_count = 1});
    atomic_store(&service->ready, true);
    site_run(&service->site);
}

static struct service *shared;

static int setup(void **state)
{
    (void)state;
    shared = yk_new0(struct service);
    start(shared);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    site_end(&shared->site);
    free(shared);
    return 0;
}

/* ---- a client ---- */

static void url_of(const char *target, char *url, size_t size)
{
    (void)snprintf(url, size, "http://127.0.0.1:%u%s", yk_web_port(shared->site.web), target);
}

/* `prepare` sets further options; may be NULL. */
static void get(CURL *curl, const char *target, struct page *page)
{
    char url[4096];
    url_of(target, url, sizeof(url));
    page->headers.max = page->body.max = 256 << 20;
    yk_buf_clear(&page->headers);
    yk_buf_clear(&page->body);
    (void)curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT, 60L);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, page_take);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, &page->body);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, page_take);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, &page->headers);
    CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK)
        fail_msg("%s: %s", target, curl_easy_strerror(code));
    (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &page->status);
}

static void expect(CURL *curl, const char *target, long status, const char *header, const char *body)
{
    struct page page = {0};
    get(curl, target, &page);
    if (page.status != status || (header != NULL && strstr(yk_buf_cstr(&page.headers), header) == NULL) ||
        (body != NULL && strcmp(yk_buf_cstr(&page.body), body) != 0))
        fail_msg("%s: %ld\n%s\n%.300s", target, page.status, yk_buf_cstr(&page.headers),
                 yk_buf_cstr(&page.body));
    page_done(&page);
}

static json_t *parse(const struct page *page)
{
    json_error_t error;
    json_t *json = json_loadb(page->body.p, page->body.len, JSON_REJECT_DUPLICATES, &error);
    if (json == NULL)
        fail_msg("%s", error.text);
    return json;
}

/* ---- tests ---- */

static void small_answers(void **state)
{
    (void)state;
    CURL *curl = curl_easy_init();
    expect(curl, "/livez", 200, "Content-Type: text/plain; charset=utf-8\r\n", "ok");
    expect(curl, "/readyz", 200, " GMT\r\nContent-Length: ", "ok"); /* the Date */
    expect(curl, "/ws/v1/partitions", 200, "Content-Type: application/json; charset=UTF-8\r\n", NULL);
    expect(curl, "/ws/v1/partitions", 200, "Access-Control-Allow-Origin: *\r\n", NULL);
    expect(curl, "/ws/v1/partitions", 200, "X-Content-Type-Options: nosniff\r\n", NULL);
    expect(curl, "/ws/v1/nonsense", 404, "Content-Type: text/plain; charset=utf-8\r\n",
           "404 page not found\n");
    expect(curl, "/ws/v1/partitions/?a=b", 301, "Location: /ws/v1/partitions?a=b\r\n", NULL);
    expect(curl, "/WS//v1/partitions", 301, "Location: /ws/v1/partitions\r\n", NULL);
    expect(curl, "/ws/v1/partition/none/nodes", 404, "Content-Type: application/json; charset=UTF-8\r\n",
           NULL);
    (void)curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "DELETE");
    expect(curl, "/ws/v1/partitions", 405, "Allow: GET, OPTIONS\r\n", "Method Not Allowed\n");
    (void)curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "OPTIONS");
    expect(curl, "/ws/v1/validate-conf", 200, "Allow: OPTIONS, POST\r\n", "");
    long connects = 0;
    (void)curl_easy_getinfo(curl, CURLINFO_NUM_CONNECTS, &connects);
    assert_int_equal(connects, 0); /* the connection was kept all the while */
    curl_easy_cleanup(curl);
    atomic_store(&shared->ready, false);
    curl = curl_easy_init();
    expect(curl, "/readyz", 500, NULL,
           "[+]ping ok\n[-]synced failed: reason withheld\nreadyz check failed\n");
    atomic_store(&shared->ready, true);
    curl_easy_cleanup(curl);
}

static void head_has_the_length_and_no_body(void **state)
{
    (void)state;
    struct page page = {0};
    CURL *curl = curl_easy_init();
    (void)curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    get(curl, "/ws/v1/partitions", &page);
    curl_off_t length = 0;
    (void)curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    assert_int_equal(page.status, 200);
    assert_true(length > 100);
    assert_int_equal(page.body.len, 0);
    get(curl, "/livez", &page); /* and the connection is in order */
    assert_int_equal(page.status, 200);
    page_done(&page);
    curl_easy_cleanup(curl);
}

/* 5,000 nodes with two pods each: complete, in order, and scheduling goes on all the while. */
static void large_list_in_slices(void **state)
{
    (void)state;
    struct page page = {0};
    CURL *curl = curl_easy_init();
    atomic_store(&shared->watching, true);
    get(curl, "/ws/v1/partition/default/nodes", &page);
    atomic_store(&shared->watching, false);
    json_t *json = parse(&page);
    assert_int_equal(json_array_size(json), NODES);
    for (size_t i = 0; i < NODES; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%05zu", i);
        assert_string_equal(json_string_value(json_object_get(json_array_get(json, i), "nodeID")), id);
    }
    json_decref(json);
    get(curl, "/ws/v1/partition/default/application/app", &page);
    json = parse(&page);
    assert_int_equal(json_array_size(look(json, "allocations")), 2 * NODES);
    json_decref(json);
    print_message("longest wait of the scheduling loop: %lld us\n",
                  (long long)(shared->longest_ns / YK_NS_PER_US));
    page_done(&page);
    curl_easy_cleanup(curl);
}

static void compressed(void **state)
{
    (void)state;
    struct page plain = {0}, packed = {0};
    CURL *curl = curl_easy_init();
    get(curl, "/ws/v1/partition/default/nodes", &plain);
    assert_null(strstr(yk_buf_cstr(&plain.headers), "Vary"));
    (void)curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip"); /* curl unpacks */
    get(curl, "/ws/v1/partition/default/nodes", &packed);
    assert_non_null(strstr(yk_buf_cstr(&packed.headers), "Content-Encoding: gzip\r\n"));
    assert_non_null(strstr(yk_buf_cstr(&packed.headers), "Vary: Accept-Encoding\r\n"));
    curl_off_t sent = 0;
    (void)curl_easy_getinfo(curl, CURLINFO_SIZE_DOWNLOAD_T, &sent);
    assert_true((size_t)sent < plain.body.len / 4);
    assert_true(yk_str_eq(yk_buf_view(&plain.body), yk_buf_view(&packed.body)));
    get(curl, "/livez", &packed); /* small: as it is */
    assert_null(strstr(yk_buf_cstr(&packed.headers), "Content-Encoding"));
    get(curl, "/ws/v1/metrics", &packed); /* compressed once, not twice */
    assert_non_null(strstr(yk_buf_cstr(&packed.body), "\nyunikorn_scheduler_node{state=\"active\"} 5000\n"));
    assert_non_null(
        strstr(yk_buf_cstr(&packed.body), "\npromhttp_metric_handler_requests_total{code=\"200\"} 0\n"));
    get(curl, "/ws/v1/metrics", &packed);
    assert_non_null(
        strstr(yk_buf_cstr(&packed.body), "\npromhttp_metric_handler_requests_total{code=\"200\"} 1\n"));
    assert_non_null(strstr(yk_buf_cstr(&packed.body),
                           "\nyunikorn_rest_requests_total{code=\"200\",route=\"/ws/v1/metrics\"} 1\n"));
    page_done(&plain);
    page_done(&packed);
    curl_easy_cleanup(curl);
}

static void post(CURL *curl, const char *body, long size)
{
    (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, size);
    (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
}

static size_t give(char *room, size_t size, size_t count, void *context)
{
    struct yk_str *rest = context;
    size_t now = YK_MIN(YK_MIN(size * count, rest->len), (size_t)10);
    memcpy(room, rest->p, now);
    rest->p += now;
    rest->len -= now;
    return now;
}

static void bodies(void **state)
{
    (void)state;
    static const char target[] = "/ws/v1/validate-conf";
    struct page page = {0};
    CURL *curl = curl_easy_init();
    post(curl, config, -1);
    get(curl, target, &page);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "{\"allowed\":true,"));
    post(curl, "nonsense: 1", -1);
    get(curl, target, &page);
    assert_int_equal(page.status, 200);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "{\"allowed\":false,"));
    post(curl, "", 0);
    get(curl, target, &page);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "{\"allowed\":true,"));
    /* Chunked. */
    struct yk_str rest = YK_STR(config);
    struct curl_slist *chunked = curl_slist_append(NULL, "Transfer-Encoding: chunked");
    CURL *other = curl_easy_init();
    (void)curl_easy_setopt(other, CURLOPT_POST, 1L);
    (void)curl_easy_setopt(other, CURLOPT_HTTPHEADER, chunked);
    (void)curl_easy_setopt(other, CURLOPT_READFUNCTION, give);
    (void)curl_easy_setopt(other, CURLOPT_READDATA, &rest);
    get(other, target, &page);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "{\"allowed\":true,"));
    curl_easy_cleanup(other);
    curl_slist_free_all(chunked);
    page_done(&page);
    curl_easy_cleanup(curl);
}

static void bodies_that_are_too_large(void **state)
{
    (void)state;
    struct page page = {0};
    size_t size = (4 << 20) + 1;
    char *large = yk_alloc0(size);
    memset(large, ' ', size);
    CURL *curl = curl_easy_init();
    post(curl, large, (long)size - 1);
    get(curl, "/ws/v1/validate-conf", &page); /* just fits: then it is the configuration that is too large */
    assert_int_equal(page.status, 200);
    post(curl, large, (long)size);
    get(curl, "/ws/v1/validate-conf", &page);
    assert_int_equal(page.status, 413);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "the request body is larger than 4096 KiB"));
    curl_easy_cleanup(curl);
    free(large);
    page_done(&page);
}

static void headers_that_are_too_large(void **state)
{
    (void)state;
    struct page page = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf header = {0};
    yk_buf_text(&header, "X-Large: ");
    while (header.len < 70000)
        yk_buf_text(&header, "aaaaaaaaaaaaaaaa");
    CURL *curl = curl_easy_init();
    struct curl_slist *list =
        curl_slist_append(curl_slist_append(NULL, "X-Request-Id: r1"), yk_buf_cstr(&header));
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
    get(curl, "/ws/v1/partitions", &page);
    assert_int_equal(page.status, 431);
    assert_non_null(strstr(yk_buf_cstr(&page.headers), "X-Request-Id: r1\r\n"));
    curl_easy_cleanup(curl);
    curl_slist_free_all(list);
    page_done(&page);
}

/* ---- raw sockets ---- */

static int dial(void)
{
    return site_dial(&shared->site, 0);
}

static void say(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* Until the server closes. */
static void hear_all(int fd, struct yk_buf *heard)
{
    char bytes[4096];
    ssize_t got;
    while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0)
        yk_buf_add(heard, bytes, (size_t)got);
    assert_int_equal(got, 0); /* closed in order, in time */
}

static void raw_requests(void **state)
{
    (void)state;
    static const struct {
        const char *what, *said;
        const char *heard[3]; /* in this order */
    } cases[] = {
        {"garbage",
         "\x16\x03\x01 garbage\r\n\r\n",
         {"HTTP/1.1 400 Bad Request\r\n", "Connection: close\r\n", "malformed request"}},
        {"two requests at once",
         "GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\nConnection: "
         "close\r\n\r\n",
         {"HTTP/1.1 200 OK\r\n", "ok", "HTTP/1.1 404 Not Found\r\n"}},
        {"1.0 closes", "GET /livez HTTP/1.0\r\n\r\n", {"HTTP/1.1 200 OK\r\n", "Connection: close\r\n", "ok"}},
        {"empty lines first",
         "\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
         {"200 OK", "ok"}},
        {"no host", "GET /livez HTTP/1.1\r\n\r\n", {"400 Bad Request"}},
        {"a bad chunk",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
         {"400 Bad Request"}},
        {"a huge chunk",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
         {"413 "}},
        {"a chunk line without CR",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\n\r\n",
         {"400 Bad Request"}},
        {"a blank after the size of a chunk",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
         "chunked\r\n\r\n1 \r\n\n\r\n0\r\n\r\n",
         {"400 Bad Request", "Connection: close"}},
        {"a chunk that is longer than it says",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
         "chunked\r\n\r\n1\r\n  \r\n0\r\n\r\n",
         {"400 Bad Request"}},
        {"a trailer that is no field",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
         "chunked\r\n\r\n0\r\nGET / HTTP/1.1\r\n\r\n",
         {"400 Bad Request"}},
        {"a body that nothing takes is not read",
         "GET /ws/v1/partitions HTTP/1.1\r\nHost: x\r\nContent-Length: 16000000\r\n\r\n",
         {"413 ", "Connection: close", "this request takes no body"}},
        {"nor one of an unknown path",
         "PUT /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 16000000\r\n\r\n",
         {"404 ", "Connection: close"}},
        {"nor one of a request that does not say who sends it",
         "PUT /ws/v1/config HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
         {"401 ", "Connection: close"}},
        {"nor one without a length",
         "GET /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
         {"413 ", "Connection: close"}},
        {"chunks with extension and trailer",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: "
         "chunked\r\n\r\n1;a=b\r\n\n\r\n0\r\nX: y\r\n\r\n",
         {"200 OK", "\"allowed\":true"}},
        {"waits for permission",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: "
         "100-continue\r\nContent-Length: 1\r\n\r\n\n",
         {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK", "\"allowed\":true"}},
        {"a large body is refused before it is sent",
         "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
         "99999999\r\n\r\n",
         {"HTTP/1.1 413 Request Entity Too Large"}},
        {"an unknown path has the id of its request",
         "GET /none HTTP/1.1\r\nHost: x\r\nX-Request-Id: r1\r\nConnection: close\r\n\r\n",
         {"404 Not Found", "X-Request-Id: r1\r\n"}},
        {"another method has the id of its request",
         "DELETE /ws/v1/partitions HTTP/1.1\r\nHost: x\r\nX-Request-Id: r2\r\nConnection: close\r\n\r\n",
         {"405 Method Not Allowed", "X-Request-Id: r2\r\n"}},
        {"OPTIONS has the id of its request",
         "OPTIONS /ws/v1/partitions HTTP/1.1\r\nHost: x\r\nX-Request-Id: r3\r\nConnection: close\r\n\r\n",
         {"200 OK", "X-Request-Id: r3\r\n"}},
        {"a malformed request has its id",
         "GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\nX-Request-Id: r4\r\n\r\n",
         {"400 Bad Request", "X-Request-Id: r4\r\n"}},
        {"a malformed field may stand before it",
         "GET /livez HTTP/1.1\r\nHost: x\r\nno field\r\nX-Request-Id: r5\r\n\r\n",
         {"400 Bad Request", "X-Request-Id: r5\r\n"}},
        {"an unknown expectation has the id of its request",
         "GET /livez HTTP/1.1\r\nHost: x\r\nExpect: x\r\nX-Request-Id: r6\r\n\r\n",
         {"417 ", "X-Request-Id: r6\r\n"}},
        {"a body that is too large has the id of its request",
         "GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nX-Request-Id: r7\r\n\r\n",
         {"413 ", "X-Request-Id: r7\r\n"}},
        {"another version", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", {"505 "}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
        int fd = dial();
        say(fd, cases[i].said);
        hear_all(fd, &heard);
        (void)close(fd);
        const char *at = yk_buf_cstr(&heard);
        for (size_t part = 0; part < 3 && cases[i].heard[part] != NULL; part++) {
            at = strstr(at, cases[i].heard[part]);
            if (at == NULL)
                fail_msg("%s: no '%s' in\n%s", cases[i].what, cases[i].heard[part], yk_buf_cstr(&heard));
        }
    }
}

/* Everything is sent before anything is read. They are answered one after the other, in their order. */
static void many_requests_on_one_connection(void **state)
{
    (void)state;
    enum { REQUESTS = 500 };
    YK_CLEANUP(yk_buf_done) struct yk_buf said = {0}, heard = {0};
    for (int i = 0; i < REQUESTS; i++)
        yk_buf_printf(&said, "GET %s HTTP/1.1\r\nHost: x\r\nX-Request-Id: r%d.\r\n%s\r\n",
                      i % 2 == 0 ? "/livez" : "/ws/v1/partitions", i,
                      i == REQUESTS - 1 ? "Connection: close\r\n" : "");
    int fd = dial();
    say(fd, yk_buf_cstr(&said));
    hear_all(fd, &heard);
    (void)close(fd); /* read only */
    const char *at = yk_buf_cstr(&heard);
    for (int i = 0; i < REQUESTS; i++) {
        char id[64];
        (void)snprintf(id, sizeof(id), "X-Request-Id: r%d.\r\n", i);
        at = strstr(at, id);
        if (at == NULL)
            fail_msg("request %d has no answer behind those before it", i);
    }
}

static void an_id_that_is_no_id_is_not_sent_back(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
    int fd = dial();
    say(fd, "GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: <b>\r\nConnection: close\r\n\r\n");
    hear_all(fd, &heard);
    (void)close(fd); /* read only */
    assert_null(strstr(yk_buf_cstr(&heard), "X-Request-Id"));
}

/* For a reader of C strings the body would end at the NUL, and what follows were a request. */
static void a_nul_in_the_framing_ends_the_connection(void **state)
{
    (void)state;
    static const char request[] = "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
                                  "chunked\r\n\r\n0\0junk\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
    int fd = dial();
    assert_int_equal(send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL), sizeof(request) - 1);
    hear_all(fd, &heard);
    assert_true(yk_str_starts(yk_buf_view(&heard), "HTTP/1.1 400 Bad Request\r\n"));
    assert_null(strstr(yk_buf_cstr(&heard), "200 OK"));
    (void)close(fd);
}

/* A client that closes its half after the last request gets the answers to all of them. */
static void half_closed(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
    int fd = dial();
    say(fd, "GET /ws/v1/partitions HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
            "GET /none HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_int_equal(shutdown(fd, SHUT_WR), 0);
    hear_all(fd, &heard);
    (void)close(fd);
    const char *first = strstr(yk_buf_cstr(&heard), "\"totalNodes\":5000");
    assert_non_null(first);
    assert_non_null(strstr(first, "HTTP/1.1 404"));
}

/* Clients that ask for much and disconnect do not harm others. */
static void clients_that_go_away(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        int fd = dial();
        say(fd, "GET /ws/v1/partition/default/nodes?limit=500 HTTP/1.1\r\nHost: x\r\n\r\n");
        struct linger at_once = {.l_onoff = 1};
        if (i % 2 == 0)
            assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), 0);
        (void)close(fd);
    }
    CURL *curl = curl_easy_init();
    expect(curl, "/livez", 200, NULL, "ok");
    curl_easy_cleanup(curl);
}

/* While the configuration thread is busy, probes and reads are answered. It gets one check at a time. */
static void checks_run_aside_one_at_a_time(void **state)
{
    (void)state;
    enum { CLIENTS = 2 + YK_CHECKS_WAITING_MAX + 1 };
    static const char request[] = "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nConnection: "
                                  "close\r\nContent-Length: 1\r\n\r\n\n";
    struct yk_mailbox *aside = &shared->site.aside.inbox;
    CURL *curl = curl_easy_init();
    int fds[CLIENTS], refused = 0;
    site_hold_aside(&shared->site);
    size_t before = yk_mailbox_weight(aside);
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = dial();
        say(fds[i], request);
        expect(curl, "/livez", 200, NULL, "ok");
    }
    expect(curl, "/ws/v1/partitions", 200, NULL, NULL);
    assert_true(yk_mailbox_weight(aside) <= before + 1);
    site_release_aside(&shared->site);
    for (int i = 0; i < CLIENTS; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
        hear_all(fds[i], &heard);
        (void)close(fds[i]);
        bool is_refused = yk_str_starts(yk_buf_view(&heard), "HTTP/1.1 503 Service Unavailable\r\n");
        if (!is_refused && strstr(yk_buf_cstr(&heard), "\"allowed\":true") == NULL)
            fail_msg("%d: %s", i, yk_buf_cstr(&heard));
        refused += is_refused;
    }
    assert_int_equal(refused, CLIENTS - 1 - YK_CHECKS_WAITING_MAX);
    curl_easy_cleanup(curl);
}

/* Appends the line of /ws/v1/metrics that counts checks with status 503, if there is one. */
static void refused_checks(CURL *curl, struct yk_buf *ret_line)
{
    struct page page = {0};
    get(curl, "/ws/v1/metrics", &page);
    const char *line = strstr(yk_buf_cstr(&page.body),
                              "yunikorn_rest_requests_total{code=\"503\",route=\"/ws/v1/validate-conf\"}");
    if (line != NULL)
        yk_buf_str(ret_line, (struct yk_str){line, strcspn(line, "\n")});
    page_done(&page);
}

/* A check whose client goes while it waits is no refusal. */
static void a_client_that_does_not_wait_for_its_check(void **state)
{
    (void)state;
    static const char request[] = "POST /ws/v1/validate-conf HTTP/1.1\r\nHost: x\r\nConnection: "
                                  "close\r\nContent-Length: 1\r\n\r\n\n";
    YK_CLEANUP(yk_buf_done) struct yk_buf before = {0}, after = {0}, heard = {0};
    struct linger at_once = {.l_onoff = 1};
    CURL *curl = curl_easy_init();
    refused_checks(curl, &before);
    site_hold_aside(&shared->site);
    int first = dial(), second = dial();
    say(first, request);
    expect(curl, "/livez", 200, NULL, "ok");
    say(second, request);
    expect(curl, "/livez", 200, NULL, "ok");
    assert_int_equal(setsockopt(second, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), 0);
    (void)close(second);
    expect(curl, "/livez", 200, NULL, "ok");
    site_release_aside(&shared->site);
    hear_all(first, &heard);
    (void)close(first);
    refused_checks(curl, &after);
    assert_string_equal(yk_buf_cstr(&after), yk_buf_cstr(&before));
    curl_easy_cleanup(curl);
}

/* More clients at once than are accepted: the others get an answer that says so, and when to come back. */
static void too_many_at_once(void **state)
{
    (void)state;
    enum { CLIENTS = 100 };
    int fds[CLIENTS];
    int answered = 0, refused = 0;
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = dial();
        say(fds[i],
            "GET /ws/v1/partition/default/nodes?limit=500 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }
    for (int i = 0; i < CLIENTS; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
        hear_all(fds[i], &heard);
        (void)close(fds[i]);
        bool was_refused = yk_str_starts(yk_buf_view(&heard), "HTTP/1.1 503 Service Unavailable\r\n");
        if (was_refused && strstr(yk_buf_cstr(&heard), "Retry-After: 1\r\n") == NULL)
            fail_msg("no Retry-After");
        refused += was_refused;
        answered += yk_str_starts(yk_buf_view(&heard), "HTTP/1.1 200 OK\r\n");
    }
    assert_int_equal(answered + refused, CLIENTS);
    assert_true(answered > 0); /* those who went away before may still be worked for */
    print_message("%d answered, %d told to come back\n", answered, refused);
}

/* Silent connections make room for new ones. */
static void more_connections_than_allowed(void **state)
{
    (void)state;
    enum { SILENT = YK_HTTP_CONNECTIONS_MAX + 20 };
    int *fds = yk_new0_array(int, SILENT);
    for (int i = 0; i < SILENT; i++)
        fds[i] = dial();
    CURL *curl = curl_easy_init();
    expect(curl, "/livez", 200, NULL, "ok");
    char byte;
    assert_int_equal(recv(fds[0], &byte, 1, 0), 0); /* the oldest had to go */
    curl_easy_cleanup(curl);
    for (int i = 0; i < SILENT; i++)
        (void)close(fds[i]);
    free(fds);
}

struct latch {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
};

static void open_latch(void *context)
{
    struct latch *latch = context;
    pthread_mutex_lock(&latch->lock);
    latch->done = true;
    pthread_cond_signal(&latch->changed);
    pthread_mutex_unlock(&latch->lock);
}

struct stop_command {
    struct yk_command command;
    struct yk_web *web;
    struct latch *latch;
};

static void stop_web(struct yk_command *command)
{
    struct stop_command *stop = YK_CONTAINER(command, struct stop_command, command);
    yk_web_stop(stop->web, open_latch, stop->latch);
}

static void no_drop(struct yk_command *command)
{
    (void)command;
}

/* The last test: a request that is under way gets its answer, then the server stops listening. */
static void graceful_stop(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
    struct latch latch = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    struct stop_command stop = {
        .command = {.run = stop_web, .drop = no_drop}, .web = shared->site.web, .latch = &latch};
    int idle = dial(), asking = dial();
    say(asking, "GET /ws/v1/partition/default/nodes HTTP/1.1\r\nHost: x\r\n\r\n");
    char first[8];
    assert_true(recv(asking, first, 4, 0) > 0); /* it has begun to be sent */
    yk_io_post(shared->site.io, &stop.command);
    hear_all(asking, &heard);
    assert_true(heard.len > 1000000);
    assert_int_equal(recv(idle, first, 1, 0), 0);
    pthread_mutex_lock(&latch.lock);
    while (!latch.done)
        pthread_cond_wait(&latch.changed, &latch.lock);
    pthread_mutex_unlock(&latch.lock);
    (void)close(idle);
    (void)close(asking);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(yk_web_port(shared->site.web))};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_not_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
    (void)close(fd);
}

/* However far a request has come when both threads end, it is freed, once. */
static void freed_with_a_request_under_way(void **state)
{
    (void)state;
    enum { IN_INBOX, IN_RENDERER, ON_ITS_WAY_BACK, PLACES };
    for (int place = 0; place < PLACES; place++) {
        struct site site;
        site_init(&site, config);
        site_listen(&site, (struct yk_web_options){0});
        site_run_io(&site);
        int fd = site_dial(&site, 0);
        say(fd, "GET /ws/v1/clusters HTTP/1.1\r\nHost: x\r\n\r\n");
        while (yk_mailbox_weight(&site.actor.inbox) == 0)
            (void)sched_yield(); /* no other thread to wait for */
        site_stop_io(&site);
        if (place != IN_INBOX)
            assert_int_equal(yk_mailbox_run(&site.actor.inbox, 1), 1);
        if (place == ON_ITS_WAY_BACK)
            assert_int_equal(yk_timers_run(&site.world.timers), 1);
        site_done(&site);
        (void)close(fd);
    }
}

/* ---- pauses between requests ---- */

#define WAITS "GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

/* A server whose clock stands still while the scheduler is busy: a pause of `pause_ns` never ends. */
static void start_paused(struct site *site, struct yk_clock *clock, int64_t pause_ns)
{
    yk_clock_virtual_init(clock, 0);
    site_init(site, config);
    site_listen(site, (struct yk_web_options){0});
    site->web->options.clock = clock;
    site->web->paced_until_mono_ns = clock->mono_ns + pause_ns;
    atomic_store(&site->web->renderer.busy_mono_ns, clock->mono_ns);
    site_run_io(site);
}

static int ask_for(const struct site *site, const char *request)
{
    int fd = site_dial(site, 0);
    say(fd, request);
    return fd;
}

static void expect_start(int fd, const char *start)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
    hear_all(fd, &heard);
    (void)close(fd);
    if (!yk_str_starts(yk_buf_view(&heard), start))
        fail_msg("no '%s': %s", start, yk_buf_cstr(&heard));
}

/* The connection is reset, so that the server knows at once that the client has gone. */
static void hang_up(int fd)
{
    struct linger at_once = {.l_onoff = 1};
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)), 0);
    (void)close(fd);
}

/* Only work makes others wait: many requests that are refused must not keep out the others. */
static void refused_requests_make_no_pause(void **state)
{
    (void)state;
    struct yk_clock clock;
    struct site site;
    start_paused(&site, &clock, 0);
    expect_start(ask_for(&site, "GET /ws/v1/partitions HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n "),
                 "HTTP/1.1 413 ");
    site_stop_io(&site);
    assert_int_equal(site.web->paced_until_mono_ns, clock.mono_ns);
    site_done(&site);
}

/* The fixed cost of an answer counts once. */
static void an_answer_makes_one_pause(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf heard = {0};
    struct yk_clock clock;
    struct site site;
    start_paused(&site, &clock, 0);
    int fd = ask_for(&site, WAITS);
    hear_all(fd, &heard);
    (void)close(fd);
    site_stop_io(&site);
    const char *end = strstr(yk_buf_cstr(&heard), "\r\n\r\n");
    assert_non_null(end);
    assert_int_equal(site.web->paced_until_mono_ns, clock.mono_ns + yk_web_pause_ns(strlen(end + 4)));
    site_done(&site);
}

#define NODES_TO "GET /ws/v1/partition/default/nodes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"

/* A server as of start_paused(), whose scheduling thread runs as well, with nodes to list. */
static void start_with_nodes(struct site *site, struct yk_clock *clock, int nodes)
{
    yk_clock_virtual_init(clock, 0);
    site_init(site, config);
    for (int i = 0; i < nodes; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%05d", i);
        world_node(&site->world, id, 4000, 8192);
    }
    site_listen(site, (struct yk_web_options){0});
    site->web->options.clock = clock;
    atomic_store(&site->web->renderer.busy_mono_ns, clock->mono_ns);
    site_run(site);
}

static size_t body_len(const struct yk_buf *answer)
{
    const char *end = strstr(yk_buf_cstr(answer), "\r\n\r\n");
    assert_non_null(end);
    return answer->len - (size_t)(end + 4 - answer->p);
}

static void compression_lengthens_the_pause(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf plain = {0}, packed = {0};
    struct yk_clock clock;
    struct site site;
    start_with_nodes(&site, &clock, 20);
    int fd = ask_for(&site, NODES_TO "\r\n");
    hear_all(fd, &plain);
    (void)close(fd);
    fd = ask_for(&site, NODES_TO "Accept-Encoding: gzip\r\n\r\n");
    hear_all(fd, &packed);
    (void)close(fd);
    site_stop(&site);
    int64_t packing_ns = (YK_WEB_SHARE - 1) * YK_WEB_COMPRESSED_BYTE_NS * (int64_t)body_len(&plain);
    assert_true(body_len(&packed) < body_len(&plain) / 2);
    assert_int_equal(site.web->paced_until_mono_ns - clock.mono_ns,
                     yk_web_pause_ns(body_len(&plain)) + yk_web_pause_ns(body_len(&packed)) + packing_ns);
    site_done(&site);
}

/* The clock stands still, so the pause before each further part of the answer lasts as long as all parts before it
 * have cost. */
static void parts_of_a_long_answer_wait_for_the_pause(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf heard = {.max = 8 << 20};
    struct yk_clock clock;
    struct site site;
    start_with_nodes(&site, &clock, 6000);
    int64_t began_ns = yk_clock_mono_ns(&yk_clock_real);
    int fd = ask_for(&site, NODES_TO "\r\n");
    hear_all(fd, &heard);
    (void)close(fd);
    int64_t took_ns = yk_clock_mono_ns(&yk_clock_real) - began_ns;
    site_stop(&site);
    /* The first part has 512 KiB, each further one 64 KiB. */
    assert_true(heard.len > (1024 << 10));
    assert_true(took_ns >= 8 * (yk_web_pause_ns(512 << 10) - yk_web_pause_ns(0)));
    site_done(&site);
}

/* Other answers may lengthen the pause all the time: one request starts nevertheless each time it should end. */
static void a_request_starts_though_the_pause_goes_on(void **state)
{
    (void)state;
    enum { CLIENTS = 4 };
    struct yk_clock clock;
    struct site site;
    int fds[CLIENTS];
    start_paused(&site, &clock, 10 * YK_NS_PER_MS);
    for (int i = 0; i < CLIENTS; i++)
        fds[i] = ask_for(&site, WAITS);
    for (int i = 0; i < CLIENTS; i++)
        expect_start(fds[i], "HTTP/1.1 200 OK\r\n");
    site_stop_io(&site);
    assert_int_equal(site.web->paced_count, 0);
    site_done(&site);
}

/* Two of the requests are above the maximum and get 503. Their entries in `fds` are -1 afterwards. */
static void expect_two_refused(int *fds, size_t count)
{
    struct pollfd polled[YK_WEB_IN_FLIGHT_MAX + 2];
    for (int refused = 0; refused < 2;) {
        for (size_t i = 0; i < count; i++)
            polled[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
        assert_true(poll(polled, count, 60000) > 0);
        for (size_t i = 0; i < count; i++) {
            if (polled[i].revents == 0)
                continue;
            expect_start(fds[i], "HTTP/1.1 503 Service Unavailable\r\n");
            fds[i] = -1;
            refused++;
        }
    }
}

/* Whether a request waits now; the server may not have seen yet that others have gone. */
static bool waits(const struct site *site, int *ret_fd)
{
    *ret_fd = ask_for(site, WAITS);
    struct pollfd polled = {.fd = *ret_fd, .events = POLLIN};
    if (poll(&polled, 1, 500) == 0)
        return true;
    expect_start(*ret_fd, "HTTP/1.1 503 Service Unavailable\r\n");
    return false;
}

/* Those whose clients have gone make room. */
static void requests_that_wait_have_a_maximum(void **state)
{
    (void)state;
    enum { CLIENTS = YK_WEB_IN_FLIGHT_MAX + 2 };
    struct yk_clock clock;
    struct site site;
    int fds[CLIENTS], last;
    start_paused(&site, &clock, 3600 * YK_NS_PER_S);
    int64_t until = site.web->paced_until_mono_ns;
    for (int i = 0; i < CLIENTS; i++)
        fds[i] = ask_for(&site, WAITS);
    expect_two_refused(fds, CLIENTS);
    for (int i = 0; i < CLIENTS; i++)
        if (fds[i] >= 0)
            hang_up(fds[i]);
    while (!waits(&site, &last))
        ;
    site_stop_io(&site);
    assert_true(site.web->paced_count >= 1 && site.web->paced_count < YK_WEB_IN_FLIGHT_MAX);
    assert_int_equal(site.web->paced_until_mono_ns, until); /* neither those that went nor the refused */
    site_done(&site);
    (void)close(last);
}

static void addresses_that_are_refused(void **state)
{
    (void)state;
    struct yk_err err = {0};
    struct yk_web *web = NULL;
    struct yk_web_options options = {.io = shared->site.io,
                                     .inbox = &shared->site.actor.inbox,
                                     .core = shared->site.world.core,
                                     .clock = &yk_clock_real,
                                     .bind_address = "localhost"};
    assert_int_equal(yk_web_start(&options, &web, &err), YK_ERR_INVALID);
    assert_string_equal(err.text, "web server: 'localhost' is not an IP address");
    options.bind_address = "127.0.0.1";
    options.port = yk_web_port(shared->site.web);
    assert_int_equal(yk_web_start(&options, &web, &err), YK_ERR_IO);
    assert_non_null(strstr(err.text, "Address already in use"));
    assert_null(web);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(freed_with_a_request_under_way),
        cmocka_unit_test(addresses_that_are_refused),
        cmocka_unit_test(refused_requests_make_no_pause),
        cmocka_unit_test(an_answer_makes_one_pause),
        cmocka_unit_test(compression_lengthens_the_pause),
        cmocka_unit_test(parts_of_a_long_answer_wait_for_the_pause),
        cmocka_unit_test(a_request_starts_though_the_pause_goes_on),
        cmocka_unit_test(requests_that_wait_have_a_maximum),
        cmocka_unit_test(small_answers),
        cmocka_unit_test(head_has_the_length_and_no_body),
        cmocka_unit_test(large_list_in_slices),
        cmocka_unit_test(compressed),
        cmocka_unit_test(bodies),
        cmocka_unit_test(bodies_that_are_too_large),
        cmocka_unit_test(headers_that_are_too_large),
        cmocka_unit_test(raw_requests),
        cmocka_unit_test(many_requests_on_one_connection),
        cmocka_unit_test(an_id_that_is_no_id_is_not_sent_back),
        cmocka_unit_test(a_nul_in_the_framing_ends_the_connection),
        cmocka_unit_test(half_closed),
        cmocka_unit_test(clients_that_go_away),
        cmocka_unit_test(checks_run_aside_one_at_a_time),
        cmocka_unit_test(a_client_that_does_not_wait_for_its_check),
        cmocka_unit_test(too_many_at_once),
        cmocka_unit_test(more_connections_than_allowed),
        cmocka_unit_test(graceful_stop),
    };
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    int failed = cmocka_run_group_tests(tests, setup, teardown);
    curl_global_cleanup();
    return failed;
}
