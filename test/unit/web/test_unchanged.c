/* SPDX-License-Identifier: Apache-2.0 */
/* ETags: of answers that are sent as a whole, and of larger ones, whose ETag stands for the state of the
 * scheduling thread. */
#include "web/site.h"

#include "lib/dial.h"

#include <sys/socket.h>

#define NODES_PATH "/ws/v1/partition/default/nodes"
#define APPS_PATH  "/ws/v1/partition/default/applications/active"

enum { NODES = 5000, ASKS = 3000, ETAG_MAX = 128 };

static const char config[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf}]}]}]";

static struct site *site;

static int setup(void **state)
{
    (void)state;
    site = yk_new0(struct site);
    site_init(site, config);
    for (int i = 0; i < NODES; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%05d", i);
        world_node(&site->world, id, 4000, 8192);
    }
    world_submit(&site->world, "app", "root.leaf", "ann");
    for (int i = 0; i < ASKS; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "too-large-%05d", i);
        world_ask(&site->world, "app", key, 5000, 1);
    }
    assert_int_equal(world_schedule(&site->world), 0);
    site_listen(site, (struct yk_web_options){.actor = &site->actor, .timers = &site->actor.outside});
    site_run(site);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    site_end(site);
    free(site);
    return 0;
}

static void ask(const char *method, const char *target, const char *header, struct yk_buf *ret_page)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    int fd = site_dial(site, 0);
    yk_buf_printf(&text, "%s %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n%s\r\n", method, target, header);
    assert_int_equal(send(fd, text.p, text.len, MSG_NOSIGNAL), text.len);
    read_all(fd, ret_page);
}

/* The ETag of the answer; "": it has none. */
static void etag_of(struct yk_buf *page, char ret_etag[ETAG_MAX])
{
    const char *at = strstr(yk_buf_cstr(page), "ETag: ");
    ret_etag[0] = '\0';
    if (at != NULL)
        assert_int_equal(sscanf(at, "ETag: %127[^\r]", ret_etag), 1);
}

static void get_etag(const char *target, char ret_etag[ETAG_MAX])
{
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {.max = 64 << 20};
    ask("GET", target, "", &page);
    assert_true(yk_str_starts(yk_buf_view(&page), "HTTP/1.1 200 OK\r\n"));
    etag_of(&page, ret_etag);
}

static int status_with(const char *method, const char *target, const char *etag)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf page = {.max = 64 << 20}, header = {0};
    int status = 0;
    yk_buf_printf(&header, "If-None-Match: %s\r\n", etag);
    ask(method, target, yk_buf_cstr(&header), &page);
    assert_int_equal(sscanf(yk_buf_cstr(&page), "HTTP/1.1 %d ", &status), 1);
    if (status == 304) {
        const char *end = strstr(yk_buf_cstr(&page), "\r\n\r\n");
        assert_non_null(end);
        assert_int_equal(end + 4 - page.p, page.len);
    }
    return status;
}

static void cordon(struct yk_command *command)
{
    world_node_action(&site->world, "node-00007", YK_SI_NODE_DRAIN);
    free(command);
}

static void drop(struct yk_command *command)
{
    free(command);
}

static void change_a_node(void)
{
    struct yk_command *command = yk_new0(struct yk_command);
    *command = (struct yk_command){.run = cordon, .drop = drop};
    yk_mailbox_post(&site->actor.inbox, command);
}

static void a_large_answer_is_known_until_something_changes(void **state)
{
    (void)state;
    char first[ETAG_MAX], second[ETAG_MAX];
    get_etag(NODES_PATH, first);
    assert_memory_equal(first, "W/\"", 3);
    assert_int_equal(status_with("GET", NODES_PATH, first), 304);
    assert_int_equal(status_with("HEAD", NODES_PATH, first), 304);
    get_etag(NODES_PATH, second);
    assert_string_equal(first, second);
    change_a_node();
    assert_int_equal(status_with("GET", NODES_PATH, first), 200);
    get_etag(NODES_PATH, second);
    assert_string_not_equal(first, second);
    assert_int_equal(status_with("GET", NODES_PATH, second), 304);
}

/* The allocationLog of asks that wait for nodes has no words of a condition yet. Reading makes none, so it
 * changes nothing. */
static void reading_changes_nothing(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf first = {.max = 64 << 20}, second = {.max = 64 << 20};
    char etag[ETAG_MAX];
    ask("GET", APPS_PATH, "", &first);
    assert_non_null(strstr(yk_buf_cstr(&first), "\"message\":\"No node fits\""));
    assert_non_null(strstr(yk_buf_cstr(&first), "Transfer-Encoding: chunked\r\n")); /* it is a large one */
    etag_of(&first, etag);
    assert_int_equal(status_with("GET", APPS_PATH, etag), 304);
    ask("GET", APPS_PATH, "Cache-Control: no-cache\r\n", &second);
    assert_string_equal(strstr(yk_buf_cstr(&first), "\r\n\r\n"), strstr(yk_buf_cstr(&second), "\r\n\r\n"));
}

/* Many clients poll at the same time: what one of them writes for all turns out to be too large for that. */
static void clients_that_wait_for_the_same(void **state)
{
    (void)state;
    enum { CLIENTS = 6 };
    static const char request[] = "GET " NODES_PATH " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    int fds[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = site_dial(site, 0);
        assert_int_equal(send(fds[i], request, strlen(request), MSG_NOSIGNAL), strlen(request));
    }
    for (int i = 0; i < CLIENTS; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf page = {.max = 64 << 20};
        char etag[ETAG_MAX];
        read_all(fds[i], &page);
        etag_of(&page, etag);
        assert_int_equal(status_with("GET", NODES_PATH, etag), 304);
    }
}

static void an_etag_is_of_one_path_and_query(void **state)
{
    (void)state;
    char etag[ETAG_MAX];
    get_etag(NODES_PATH, etag);
    assert_int_equal(status_with("GET", NODES_PATH "?fields=nodeID,attributes,capacity,available", etag),
                     200);
    assert_int_equal(status_with("GET", "/ws/v1/partition/none/nodes", etag), 404);
}

static void any_answer_will_do(void **state)
{
    (void)state;
    assert_int_equal(status_with("GET", NODES_PATH, "*"), 304);
    assert_int_equal(status_with("GET", "/ws/v1/partition/none/nodes", "*"), 404);
    assert_int_equal(status_with("GET", "/ws/v1/clusters", "*"), 304);
    assert_int_equal(status_with("GET", "/ws/v1/partition/none/queue/root", "*"), 404);
}

static void who_wants_no_stored_answer_gets_no_etag(void **state)
{
    (void)state;
    static const char *const targets[] = {NODES_PATH, "/ws/v1/clusters"};
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf page = {.max = 64 << 20};
        char etag[ETAG_MAX];
        ask("GET", targets[i], "Cache-Control: no-cache\r\n", &page);
        etag_of(&page, etag);
        assert_string_equal(etag, "");
    }
}

/* Each answer of the API to GET has an ETag, except streams and the state dump. Metrics have none. */
static void short_answers_have_an_etag(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        bool has_etag;
    } cases[] = {
        {"/ws/v1/clusters", true},
        {"/ws/v1/config", true},
        {"/ws/v1/partitions", true},
        {"/ws/v1/partition/default/node/node-00001", true},
        {"/ws/v1/partition/default/queue/root.leaf", true},
        {"/ws/v1/partition/default/queue/root.leaf/pending?limit=3", true},
        {"/ws/v1/metrics", false},
        {"/debug/fullstatedump", false},
        {"/livez", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char etag[ETAG_MAX];
        get_etag(cases[i].target, etag);
        if ((etag[0] != '\0') != cases[i].has_etag)
            fail_msg("%s: ETag '%s'", cases[i].target, etag);
        if (cases[i].has_etag)
            assert_int_equal(status_with("GET", cases[i].target, etag), 304);
    }
}

static void a_short_answer_that_changes(void **state)
{
    (void)state;
    char etag[ETAG_MAX];
    get_etag("/ws/v1/partition/default/node/node-00007", etag);
    assert_int_equal(status_with("GET", "/ws/v1/partition/default/node/node-00008", etag), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_answer_is_known_until_something_changes),
        cmocka_unit_test(reading_changes_nothing),
        cmocka_unit_test(clients_that_wait_for_the_same),
        cmocka_unit_test(an_etag_is_of_one_path_and_query),
        cmocka_unit_test(any_answer_will_do),
        cmocka_unit_test(who_wants_no_stored_answer_gets_no_etag),
        cmocka_unit_test(short_answers_have_an_etag),
        cmocka_unit_test(a_short_answer_that_changes),
    };
    return cmocka_run_group_tests_name("web/unchanged", tests, setup, teardown);
}
