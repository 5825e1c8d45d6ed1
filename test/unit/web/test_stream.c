/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of events, over a network and two threads: docs/reference/rest.md 7.3. */
#include "web/site.h"

#include <sched.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static const char config[] = "partitions: [{name: default, placementrules: [{name: provided, create: true}], "
                             "queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";
#define STREAM "/ws/v1/events/stream"

static void start(struct site *site)
{
    site_init(site, config);
    site_listen(site, (struct yk_web_options){0});
    site_run(site);
}

/* ---- on the scheduling thread ---- */

struct deed {
    struct yk_command command;
    void (*run)(struct world *world, int number);
    struct world *world;
    int number;
    _Atomic bool done;
};

static void run_deed(struct yk_command *command)
{
    struct deed *deed = YK_CONTAINER(command, struct deed, command);
    deed->run(deed->world, deed->number);
    atomic_store(&deed->done, true);
}

static void drop_deed(struct yk_command *command)
{
    (void)command;
}

static void do_there(struct site *site, void (*run)(struct world *world, int number), int number)
{
    struct deed deed = {{.run = run_deed, .drop = drop_deed}, run, &site->world, number, false};
    yk_mailbox_post(&site->actor.inbox, &deed.command);
    while (!atomic_load(&deed.done))
        (void)sched_yield();
}

static void tell(struct world *world, int number)
{
    char id[32];
    (void)snprintf(id, sizeof(id), "app-%d", number);
    struct yk_event event = {.type = YK_EVENT_APP, .wall_ns = 1, .object_id = yk_str_from(id)};
    yk_events_tell(&world->core->events, &event);
}

static void tell_much(struct world *world, int number)
{
    static char text[1000];
    memset(text, 'x', sizeof(text));
    for (int i = 0; i < number; i++) {
        struct yk_event event = {.type = YK_EVENT_APP, .wall_ns = 1, .message = {text, sizeof(text)}};
        yk_events_tell(&world->core->events, &event);
    }
}

static void set(struct world *world, const char *key, const char *value)
{
    struct yk_si_tag tag = {key, value};
    struct yk_si_register request = {
        .rm_id = "rm", .config = yk_str_from(config), .extra_config = &tag, .extra_count = 1};
    assert_int_equal(yk_core_update_config(world->core, &request, NULL), YK_OK);
}

static void one_per_host(struct world *world, int number)
{
    (void)number;
    set(world, "event.maxStreamsPerHost", "1");
}
static void at_most(struct world *world, int number)
{
    set(world, "event.maxStreams", number == 0 ? "0" : "2");
}
static void off(struct world *world, int number)
{
    (void)number;
    set(world, "event.trackingEnabled", "false");
}
static void small_ring(struct world *world, int number)
{
    (void)number;
    set(world, "event.ringBufferCapacity", "100");
}
static void wait_seconds(struct world *world, int number)
{
    world_advance(world, number);
}

/* ---- a client ---- */

struct client {
    int fd;
    struct yk_buf heard, body; /* all there was; the chunks put together */
    bool complete;             /* the last chunk came */
};

static void dial(const struct site *site, struct client *client, const char *request)
{
    *client = (struct client){.fd = site_dial(site, 4096)};
    client->heard.max = client->body.max = 256 << 20;
    assert_int_equal(send(client->fd, request, strlen(request), MSG_NOSIGNAL), (ssize_t)strlen(request));
}

static void open_stream(const struct site *site, struct client *client, const char *query)
{
    char request[200];
    (void)snprintf(request, sizeof(request), "GET " STREAM "%s HTTP/1.1\r\nHost: h\r\n\r\n", query);
    dial(site, client, request);
}

static void hang_up(struct client *client)
{
    (void)close(client->fd);
    yk_buf_done(&client->heard);
    yk_buf_done(&client->body);
}

/* The chunks that are complete, put together. */
static void unchunk(struct client *client)
{
    const char *at = strstr(yk_buf_cstr(&client->heard), "\r\n\r\n");
    yk_buf_clear(&client->body);
    client->complete = false;
    if (at == NULL)
        return;
    at += 4;
    const char *all = client->heard.p + client->heard.len, *line;
    while ((line = memchr(at, '\n', (size_t)(all - at))) != NULL) {
        size_t size = strtoul(at, NULL, 16);
        if ((size_t)(all - line) < size + 3)
            return;
        client->complete = size == 0;
        if (client->complete)
            return;
        yk_buf_add(&client->body, line + 1, size);
        at = line + 1 + size + 2;
    }
}

static size_t count_lines(const struct client *client)
{
    size_t lines = 0;
    for (size_t i = 0; i < client->body.len; i++)
        lines += client->body.p[i] == '\n';
    return lines;
}

/* Until there are so many lines; all: until the end of the reply. */
static void hear(struct client *client, size_t lines)
{
    char bytes[16384];
    while (count_lines(client) < lines && !client->complete) {
        ssize_t got = recv(client->fd, bytes, sizeof(bytes), 0);
        if (got <= 0)
            fail_msg("the stream said:\n%.2000s", yk_buf_cstr(&client->heard));
        yk_buf_add(&client->heard, bytes, (size_t)got);
        unchunk(client);
    }
}

static void expect_status(const struct site *site, const char *query, const char *status, const char *text)
{
    struct client client;
    char bytes[4096];
    open_stream(site, &client, query);
    while (strstr(yk_buf_cstr(&client.heard), "}\n") == NULL) {
        ssize_t got = recv(client.fd, bytes, sizeof(bytes), 0);
        assert_true(got > 0);
        yk_buf_add(&client.heard, bytes, (size_t)got);
    }
    if (strstr(yk_buf_cstr(&client.heard), status) == NULL ||
        strstr(yk_buf_cstr(&client.heard), text) == NULL)
        fail_msg("wanted %s, %s:\n%s", status, text, yk_buf_cstr(&client.heard));
    hang_up(&client);
}

/* ---- tests ---- */

static void past_then_live_without_gap(void **state)
{
    (void)state;
    struct site site;
    struct client client;
    start(&site);
    for (int i = 0; i < 3; i++)
        do_there(&site, tell, i);
    open_stream(&site, &client, "?count=2");
    hear(&client, 3);
    for (int i = 3; i < 200; i++)
        do_there(&site, tell, i);
    hear(&client, 200);
    assert_non_null(strstr(yk_buf_cstr(&client.heard), "HTTP/1.1 200 OK\r\n"));
    assert_non_null(strstr(yk_buf_cstr(&client.heard), "Content-Type: application/json; charset=UTF-8\r\n"));
    assert_non_null(strstr(yk_buf_cstr(&client.heard), "Transfer-Encoding: chunked\r\n"));
    assert_null(strstr(yk_buf_cstr(&client.heard), "Content-Length"));
    YK_CLEANUP(yk_buf_done) struct yk_buf want = {0};
    yk_buf_printf(&want, "{\"InstanceUUID\":\"%s\"}\n", site.world.core->events.instance);
    for (int i = 1; i < 200; i++)
        yk_buf_printf(&want, "{\"type\":2,\"objectID\":\"app-%d\",\"timestampNano\":1,\"resource\":{}}\n", i);
    assert_string_equal(yk_buf_cstr(&client.body), yk_buf_cstr(&want));
    hang_up(&client);
    site_end(&site);
}

static void older_clients_get_no_chunks(void **state)
{
    (void)state;
    struct site site;
    struct client client;
    char bytes[512];
    start(&site);
    do_there(&site, tell, 7);
    dial(&site, &client, "GET " STREAM "?count=1 HTTP/1.0\r\n\r\n");
    while (strstr(yk_buf_cstr(&client.heard), "\r\n\r\n{\"InstanceUUID\"") == NULL ||
           strstr(yk_buf_cstr(&client.heard), "}\n{\"type\":2,\"objectID\":\"app-7\"") == NULL) {
        ssize_t got = recv(client.fd, bytes, sizeof(bytes), 0);
        assert_true(got > 0);
        yk_buf_add(&client.heard, bytes, (size_t)got);
    }
    assert_null(strstr(yk_buf_cstr(&client.heard), "chunked"));
    hang_up(&client);
    site_end(&site);
}

static void refusals(void **state)
{
    (void)state;
    struct site site;
    struct client first, second;
    start(&site);
    expect_status(&site, "?count=-1", "400 Bad Request", "strconv.ParseUint: parsing \\\"-1\\\"");
    do_there(&site, at_most, 2);
    open_stream(&site, &first, "");
    open_stream(&site, &second, "?count=");
    hear(&first, 1);
    hear(&second, 1);
    expect_status(&site, "?count=-1", "503 Service Unavailable", "Too many streaming connections");
    hang_up(&second);
    do { /* until the server has seen that it is gone */
        open_stream(&site, &second, "");
        char bytes[64] = {0};
        assert_true(recv(second.fd, bytes, sizeof(bytes) - 1, 0) > 12);
        if (strstr(bytes, "200 OK") != NULL)
            break;
        hang_up(&second);
    } while (true);
    do_there(&site, one_per_host, 0); /* open ones stay */
    expect_status(&site, "", "503 Service Unavailable", "Too many streaming connections");
    do_there(&site, at_most, 0);
    expect_status(&site, "", "503 Service Unavailable", "Too many streaming connections");
    do_there(&site, off, 0);
    expect_status(&site, "", "500 Internal Server Error", "Event tracking is disabled");
    do_there(&site, at_most, 2);
    do_there(&site, tell, 1);
    hear(&first, 2); /* still there */
    hang_up(&first);
    hang_up(&second);
    site_end(&site);
}

/* A client that does not read while the ring wraps around gets a last message, is cut off, and costs nothing
 * afterwards. */
static void slow_readers_are_cut_off(void **state)
{
    (void)state;
    struct site site;
    struct client slow;
    start(&site);
    do_there(&site, small_ring, 0);
    open_stream(&site, &slow, "");
    hear(&slow, 1);
    for (int i = 0; i < 400; i++)
        do_there(&site, tell_much, 40); /* 16 MB */
    hear(&slow, SIZE_MAX);
    assert_true(slow.complete);
    assert_true(count_lines(&slow) < 16000);
    const char *last = strstr(yk_buf_cstr(&slow.body), "{\"status_code\":200,");
    assert_non_null(last);
    assert_non_null(strstr(last, "\"message\":\"Event stream was closed by the producer\""));
    assert_ptr_equal(strchr(last, '\n'), slow.body.p + slow.body.len - 1);
    do_there(&site, one_per_host, 0);
    struct client next;
    open_stream(&site, &next, "");
    hear(&next, 1);
    assert_non_null(strstr(yk_buf_cstr(&next.heard), "200 OK"));
    hang_up(&slow);
    hang_up(&next);
    site_end(&site);
}

/* Nothing happens, and the clients have gone: within a second so have their streams. The last one stays open
 * until the server ends. */
static void idle_streams(void **state)
{
    (void)state;
    struct site site;
    struct client clients[5];
    start(&site);
    for (size_t i = 0; i < YK_COUNT(clients); i++) {
        open_stream(&site, &clients[i], "");
        hear(&clients[i], 1);
    }
    for (size_t i = 1; i < YK_COUNT(clients); i++)
        hang_up(&clients[i]);
    do_there(&site, wait_seconds, 2);
    do_there(&site, wait_seconds, 2);
    do_there(&site, tell, 1);
    hear(&clients[0], 2);
    site_end(&site);
    hang_up(&clients[0]);
}

static void tell_stopped(void *context)
{
    atomic_store((_Atomic bool *)context, true);
}

struct stop {
    struct yk_command command;
    struct site *site;
    _Atomic bool stopped;
};

static void run_stop(struct yk_command *command)
{
    struct stop *stop = YK_CONTAINER(command, struct stop, command);
    yk_web_stop(stop->site->web, tell_stopped, &stop->stopped);
}

static void streams_end_in_order_when_the_server_stops(void **state)
{
    (void)state;
    struct site site;
    struct client client;
    start(&site);
    open_stream(&site, &client, "");
    hear(&client, 1);
    struct stop stop = {{.run = run_stop, .drop = drop_deed}, &site, false};
    yk_io_post(site.io, &stop.command);
    while (!atomic_load(&stop.stopped)) {
        do_there(&site, wait_seconds, 2);
        (void)sched_yield();
    }
    hear(&client, SIZE_MAX);
    assert_non_null(strstr(yk_buf_cstr(&client.body), "Event stream was closed by the producer"));
    hang_up(&client);
    site_end(&site);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(past_then_live_without_gap),
        cmocka_unit_test(older_clients_get_no_chunks),
        cmocka_unit_test(refusals),
        cmocka_unit_test(slow_readers_are_cut_off),
        cmocka_unit_test(idle_streams),
        cmocka_unit_test(streams_end_in_order_when_the_server_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
