/* SPDX-License-Identifier: Apache-2.0 */
/* Mode `delegated` of REST (docs/reference/rest.md 12.5): the API server, played by the test, decides who may
 * see what. */
#include "web/page.h"
#include "web/site.h"

#include "base/log.h"
#include "web/guard.h"
#include "web/renderer.h"
#include "web/tenant.h"

#include <curl/curl.h>
#include <jansson.h>

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: root, "
    "submitacl: '*', queues: [{name: a, parent: true, queues: [{name: one}, {name: two}]}, {name: b}, "
    "{name: c, parent: true, queues: [{name: three}]}]}]}]";

enum { CALLS_MAX = 100 };

static struct {
    struct site site;
    _Atomic int token_reviews, access_reviews;
    _Atomic bool silent, fails, unavailable;
    char asked[CALLS_MAX][128]; /* of access reviews: "<user> <verb> <path or queue>"; scheduling thread */
} service;

/* ---- the API server ---- */

static enum yk_status review_token(void *context, struct yk_web *web, uint64_t ticket, const char *token,
                                   struct yk_err *err)
{
    static const char *const masters[] = {"system:masters"};
    static const char *const users[] = {"reader", "ann", "bob", "stranger", "metrics"};
    struct yk_backend_reply word = {0};
    (void)context, (void)err;
    atomic_fetch_add(&service.token_reviews, 1);
    for (size_t i = 0; i < YK_COUNT(users); i++) {
        if (strcmp(token, users[i]) == 0)
            word.user = users[i];
    }
    if (strcmp(token, "master") == 0)
        word = (struct yk_backend_reply){.user = "root", .groups = masters, .group_count = 1};
    site_reply_later(&service.site, web, ticket, &word);
    return YK_OK;
}

/* Who may what: a prefix of the path, or one queue. */
static bool is_allowed(const struct yk_web_access_question *question)
{
    static const struct {
        const char *user, *verb, *path, *queue;
    } rules[] = {
        {"reader", "get", "/ws/", NULL},      {"reader", "post", "/ws/v1/validate-conf", NULL},
        {"metrics", "get", "/metrics", NULL}, {"ann", "get", NULL, "root.a"},
        {"bob", "get", NULL, "root.a.two"},   {"bob", "get", NULL, "root.b"},
    };
    for (size_t i = 0; i < YK_COUNT(rules); i++) {
        if (strcmp(rules[i].user, question->caller->user) != 0 || strcmp(rules[i].verb, question->verb) != 0)
            continue;
        if (question->path != NULL && rules[i].path != NULL &&
            strncmp(question->path, rules[i].path, strlen(rules[i].path)) == 0)
            return true;
        if (question->queue != NULL && rules[i].queue != NULL && strcmp(question->queue, rules[i].queue) == 0)
            return true;
    }
    return false;
}

static enum yk_status review_access(void *context, struct yk_web *web, uint64_t ticket,
                                    const struct yk_web_access_question *question, struct yk_err *err)
{
    struct yk_backend_reply word = {.allowed = is_allowed(question)};
    (void)context;
    assert_true((question->path != NULL) != (question->queue != NULL));
    if (atomic_load(&service.unavailable))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is ending");
    int number = atomic_fetch_add(&service.access_reviews, 1);
    if (number < CALLS_MAX)
        (void)snprintf(service.asked[number], sizeof(service.asked[number]), "%s %s %s",
                       question->caller->user, question->verb,
                       question->path != NULL ? question->path : question->queue);
    if (atomic_load(&service.silent))
        return YK_OK;
    if (atomic_load(&service.fails))
        word = (struct yk_backend_reply){.status = 503, .text = "the API server is away"};
    site_reply_later(&service.site, web, ticket, &word);
    return YK_OK;
}

/* ---- the service ---- */

static void submit(const char *id, const char *queue)
{
    const struct yk_si_new_app app = {.application_id = id, .queue = queue, .ugi = {.user = "sue"}};
    assert_int_equal(yk_core_add_app(service.site.world.core, "rm", &app), YK_OK);
    world_ask(&service.site.world, id, id, 1000, 10);
}

static void start(enum yk_web_access access)
{
    memset(&service, 0, sizeof(service));
    site_init(&service.site, config);
    world_node(&service.site.world, "n1", 8000, 8192);
    submit("app-1", "root.a.one");
    submit("app-2", "root.a.two");
    submit("app-b", "root.b");
    submit("app-3", "root.c.three");
    const struct yk_auth_backend backend = {.review_token = review_token, .review_access = review_access};
    site_listen(&service.site, (struct yk_web_options){.backend = &backend, .access = access});
    site_run(&service.site);
}

static int set_up(void **state)
{
    (void)state;
    start(YK_WEB_ACCESS_DELEGATED);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    site_end(&service.site);
    return 0;
}

/* ---- a client ---- */

#define PARTITION "/ws/v1/partition/default"

struct client {
    CURL *curl;
    struct curl_slist *headers;
    struct page page;
};

static void client_begin(struct client *client, const char *token, const char *target, const char *body)
{
    char url[512], header[128];
    *client = (struct client){.curl = curl_easy_init()};
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", yk_web_port(service.site.web), target);
    (void)curl_easy_setopt(client->curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(client->curl, CURLOPT_TIMEOUT_MS, 20000L);
    (void)curl_easy_setopt(client->curl, CURLOPT_WRITEFUNCTION, page_take);
    (void)curl_easy_setopt(client->curl, CURLOPT_WRITEDATA, &client->page.body);
    if (body != NULL)
        (void)curl_easy_setopt(client->curl, CURLOPT_POSTFIELDS, body);
    if (token != NULL) {
        (void)snprintf(header, sizeof(header), "Authorization: Bearer %s", token);
        client->headers = curl_slist_append(client->headers, header);
        (void)curl_easy_setopt(client->curl, CURLOPT_HTTPHEADER, client->headers);
    }
}

static void client_end(struct client *client)
{
    (void)curl_easy_getinfo(client->curl, CURLINFO_RESPONSE_CODE, &client->page.status);
    curl_slist_free_all(client->headers);
    curl_easy_cleanup(client->curl);
}

static struct page fetch(const char *token, const char *target, const char *body)
{
    struct client client;
    client_begin(&client, token, target, body);
    (void)curl_easy_perform(client.curl); /* the status says how it went */
    client_end(&client);
    return client.page;
}

static void expect(const char *token, const char *target, long status, const char *part)
{
    struct page page = fetch(token, target, NULL);
    if (page.status != status || (part != NULL && strstr(yk_buf_cstr(&page.body), part) == NULL))
        fail_msg("%s %s: %ld %s", token != NULL ? token : "no token", target, page.status,
                 yk_buf_cstr(&page.body));
    page_done(&page);
}

static void expect_not(const char *token, const char *target, const char *part)
{
    struct page page = fetch(token, target, NULL);
    assert_int_equal(page.status, 200);
    if (strstr(yk_buf_cstr(&page.body), part) != NULL)
        fail_msg("%s %s: %s", token, target, yk_buf_cstr(&page.body));
    page_done(&page);
}

/* ---- paths ---- */

static void only_probes_are_open(void **state)
{
    (void)state;
    static const char *const open[] = {"/livez", "/readyz", "/healthz"};
    static const char *const closed[] = {"/ws/v1/clusters",
                                         "/metrics",
                                         "/ws/v1/metrics",
                                         "/ws/v1/config",
                                         PARTITION "/queues",
                                         PARTITION "/nodes",
                                         "/ws/v1/events/batch",
                                         "/ws/v1/events/stream",
                                         "/debug/fullstatedump",
                                         "/ws/v1/fullstatedump",
                                         "/version",
                                         "/sim/v1/state",
                                         PARTITION "/usage/users",
                                         "/ws/v1/scheduler/healthcheck"};
    for (size_t i = 0; i < YK_COUNT(open); i++)
        expect(NULL, open[i], 200, "ok");
    /* The files of the web page hold no data. */
    expect(NULL, "/", 200, "REST interface");
    expect(NULL, "/ui/mode", 200, "{\"simulated\":false}");
    expect(NULL, "/ui/licenses.txt", 200, "preact");
    for (size_t i = 0; i < YK_COUNT(closed); i++) {
        expect(NULL, closed[i], 401, "bearer token");
        expect("made-up", closed[i], 401, "belongs to no user");
        expect("stranger", closed[i], 403, "user 'stranger' cannot get path");
    }
    assert_int_equal(atomic_load(&service.token_reviews), 2);
}

static void paths_are_allowed(void **state)
{
    (void)state;
    expect("reader", "/ws/v1/clusters", 200, "partition");
    expect("reader", PARTITION "/queues", 200, "root.c.three");
    expect("reader", "/metrics", 403, "user 'reader' cannot get path '/metrics'");
    expect("metrics", "/metrics", 200, "yunikorn_");
    expect("metrics", "/ws/v1/clusters", 403, NULL);
    expect("reader", "/ws/v1/fullstatedump", 301, NULL);
    struct page page = fetch("reader", "/ws/v1/validate-conf", config);
    assert_int_equal(page.status, 200);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "\"allowed\":true"));
    page_done(&page);
    page = fetch("reader", "/ws/v1/validate-conf?diff=1", config);
    assert_int_equal(page.status, 403);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "cannot post path '/ws/v1/whatif'"));
    page_done(&page);
    page = fetch("metrics", "/ws/v1/validate-conf", config);
    assert_int_equal(page.status, 403);
    assert_non_null(strstr(yk_buf_cstr(&page.body), "cannot post path"));
    page_done(&page);
}

/* The query is no part of the path: a rule for the exact path allows it, and one decision serves all queries. */
static void the_query_is_not_reviewed(void **state)
{
    (void)state;
    expect("reader", "/ws/v1/clusters?limit=1", 200, "partition");
    expect("reader", "/ws/v1/clusters?limit=2", 200, "partition");
    expect("reader", "/metrics?limit=1", 403, "user 'reader' cannot get path '/metrics'\"");
    assert_int_equal(atomic_load(&service.access_reviews), 2);
    assert_string_equal(service.asked[0], "reader get /ws/v1/clusters");
    assert_string_equal(service.asked[1], "reader get /metrics");
}

static void masters_need_no_review(void **state)
{
    (void)state;
    expect("master", "/metrics", 200, "yunikorn_");
    expect("master", "/debug/fullstatedump", 200, NULL);
    assert_int_equal(atomic_load(&service.access_reviews), 0);
}

static void decisions_are_kept_for_ten_seconds(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        expect("reader", "/ws/v1/clusters", 200, NULL);
        expect("metrics", "/ws/v1/clusters", 403, NULL);
    }
    assert_int_equal(atomic_load(&service.access_reviews), 2);
}

static void a_failed_review_is_no_answer(void **state)
{
    (void)state;
    atomic_store(&service.fails, true);
    expect("reader", "/ws/v1/clusters", 503, "away");
    atomic_store(&service.fails, false);
    atomic_store(&service.unavailable, true);
    expect("reader", "/ws/v1/clusters", 503, "ending");
    atomic_store(&service.unavailable, false);
    expect("reader", "/ws/v1/clusters", 200, NULL);
}

/* Before the settings are read it is not known who may see anything. */
static void nothing_is_shown_before_the_settings_are_read(void **state)
{
    (void)state;
    start(YK_WEB_ACCESS_UNKNOWN);
    expect(NULL, "/livez", 200, "ok");
    expect(NULL, "/ws/v1/clusters", 503, "settings");
    expect("master", "/metrics", 503, "settings");
    site_end(&service.site);
}

/* ---- questions ---- */

/* A page loads many paths at once, from one address. */
static void requests_that_come_together_ask_once(void **state)
{
    (void)state;
    enum { CLIENTS = 20 };
    struct client clients[CLIENTS];
    CURLM *multi = curl_multi_init();
    for (int i = 0; i < CLIENTS; i++) {
        client_begin(&clients[i], "reader", "/ws/v1/clusters", NULL);
        assert_int_equal(curl_multi_add_handle(multi, clients[i].curl), CURLM_OK);
    }
    int running = 1;
    while (running > 0) {
        assert_int_equal(curl_multi_perform(multi, &running), CURLM_OK);
        assert_int_equal(curl_multi_poll(multi, NULL, 0, 100, NULL), CURLM_OK);
    }
    for (int i = 0; i < CLIENTS; i++) {
        (void)curl_multi_remove_handle(multi, clients[i].curl);
        client_end(&clients[i]);
        assert_int_equal(clients[i].page.status, 200);
        page_done(&clients[i].page);
    }
    (void)curl_multi_cleanup(multi);
    assert_int_equal(atomic_load(&service.token_reviews), 1);
    assert_int_equal(atomic_load(&service.access_reviews), 1);
}

/* ---- queues ---- */

static void who_may_see_a_queue_may_see_what_is_below(void **state)
{
    (void)state;
    expect("ann", PARTITION "/queue/root.a", 200, "\"queuename\":\"root.a\"");
    expect("ann", PARTITION "/queue/root.a.one", 200, "\"queuename\":\"root.a.one\"");
    expect("ann", PARTITION "/queue/Root.A.One", 200, "\"queuename\":\"root.a.one\"");
    expect("ann", PARTITION "/queue/root.a.one/applications", 200, "app-1");
    expect("ann", PARTITION "/queue/root.a.one/applications/active", 200, "app-1");
    expect("ann", PARTITION "/queue/root.a.two/application/app-2", 200, "app-2");
    expect("ann", PARTITION "/application/app-2", 200, "app-2");
    expect("bob", PARTITION "/queue/root.a.two", 200, "\"queuename\":\"root.a.two\"");
}

static void nothing_else_is_seen(void **state)
{
    (void)state;
    static const char *const hidden[] = {
        "/queue/root",
        "/queue/root.b",
        "/queue/root.b/applications",
        "/queue/root.b/applications/active",
        "/queue/root.c.three/application/app-3",
        "/queue/root.a.one/application/app-b/",
        "/queue/none.at.all",
        "/queue/",
        "/application/app-b",
        "/application/none",
        "/nodes",
        "/usage/users",
    };
    for (size_t i = 0; i < YK_COUNT(hidden); i++) {
        char target[128];
        (void)snprintf(target, sizeof(target), PARTITION "%s", hidden[i]);
        struct page page = fetch("ann", target, NULL);
        bool shows = page.status == 200;
        if (shows)
            fail_msg("%s: %s", target, yk_buf_cstr(&page.body));
        page_done(&page);
    }
    expect("ann", PARTITION "/application/none", 403, "none of its queues");
    expect("ann", PARTITION "/application/app-b", 403, "none of its queues");
    /* An application of another queue is not reached through one that may be seen. */
    expect("ann", PARTITION "/queue/root.a.one/application/app-b", 404, NULL);
    /* Encoded twice, as the router decodes it. */
    expect("ann", PARTITION "/queue/root%252Eb", 403, NULL);
}

static void lists_are_limited_to_queues_that_may_be_seen(void **state)
{
    (void)state;
    expect("bob", PARTITION "/queues", 200, "\"queuename\":\"root.a.two\"");
    expect("bob", PARTITION "/queues", 200, "\"queuename\":\"root.b\"");
    expect_not("bob", PARTITION "/queues", "root.a.one");
    expect_not("bob", PARTITION "/queues", "three");
    expect("bob", PARTITION "/applications/active", 200, "app-2");
    expect("bob", PARTITION "/applications/active", 200, "app-b");
    expect_not("bob", PARTITION "/applications/active", "app-1");
    expect_not("bob", PARTITION "/applications/active", "app-3");
    expect("ann", PARTITION "/applications/active", 200, "app-1");
    expect("stranger", PARTITION "/queues", 403, "none of its queues");
    expect("stranger", PARTITION "/applications/active", 403, "none of its queues");
    expect("stranger", "/ws/v1/partition/none/queues", 403, NULL);
}

/* A queue above one that is seen shows its name, and nothing about what it uses. */
static void queues_above_show_their_names_only(void **state)
{
    (void)state;
    struct page page = fetch("bob", PARTITION "/queues", NULL);
    json_t *root = json_loads(yk_buf_cstr(&page.body), 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "queuename")), "root");
    assert_null(json_object_get(root, "allocatedResource"));
    assert_null(json_object_get(root, "pendingResource"));
    assert_null(json_object_get(root, "childNames"));
    const json_t *children = json_object_get(root, "children");
    assert_int_equal(json_array_size(children), 2);
    const json_t *a = json_array_get(children, 0), *b = json_array_get(children, 1);
    assert_string_equal(json_string_value(json_object_get(a, "queuename")), "root.a");
    assert_null(json_object_get(a, "allocatedResource"));
    assert_int_equal(json_array_size(json_object_get(a, "children")), 1);
    assert_string_equal(json_string_value(json_object_get(b, "queuename")), "root.b");
    assert_non_null(json_object_get(b, "pendingResource"));
    json_decref(root);
    page_done(&page);
}

/* Root, then what is below, and not below what is allowed. */
static void few_queues_are_asked_about(void **state)
{
    (void)state;
    static const char *const want[] = {
        "ann get " PARTITION "/queues", "ann get root", "ann get root.a", "ann get root.b", "ann get root.c",
        "ann get root.c.three"};
    expect("ann", PARTITION "/queues", 200, NULL);
    assert_int_equal(atomic_load(&service.access_reviews), YK_COUNT(want));
    for (size_t i = 0; i < YK_COUNT(want); i++)
        assert_string_equal(service.asked[i], want[i]);
    expect("ann", PARTITION "/applications/active", 200, NULL);
    assert_int_equal(atomic_load(&service.access_reviews), YK_COUNT(want) + 1); /* about its own path */
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(only_probes_are_open),
        CASE(paths_are_allowed),
        CASE(the_query_is_not_reviewed),
        CASE(masters_need_no_review),
        CASE(decisions_are_kept_for_ten_seconds),
        CASE(a_failed_review_is_no_answer),
        cmocka_unit_test(nothing_is_shown_before_the_settings_are_read),
        CASE(requests_that_come_together_ask_once),
        CASE(who_may_see_a_queue_may_see_what_is_below),
        CASE(nothing_else_is_seen),
        CASE(lists_are_limited_to_queues_that_may_be_seen),
        CASE(queues_above_show_their_names_only),
        CASE(few_queues_are_asked_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
