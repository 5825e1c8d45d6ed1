/* SPDX-License-Identifier: Apache-2.0 */
/* `yunikorn simulate --web`: addresses, and a server that serves until it has to stop. */
#include "cmd/simulate_web.h"

#include <curl/curl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static void addresses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *host; /* NULL: refused */
        uint16_t port;
    } cases[] = {
        {"127.0.0.1:9889", "127.0.0.1", 9889},
        {"0.0.0.0:0", "0.0.0.0", 0},
        {":8080", "127.0.0.1", 8080},
        {"8080", "127.0.0.1", 8080},
        {"[::1]:9889", "::1", 9889},
        {"localhost:1", "localhost", 1},
        {"::1:9889", NULL, 0},
        {"host:", NULL, 0},
        {"host:65536", NULL, 0},
        {"host", NULL, 0},
        {"", NULL, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_freep) char *host = NULL;
        struct yk_err err = {0};
        uint16_t port = 7;
        enum yk_status status = yk_simulate_web_address(cases[i].text, &host, &port, &err);
        if ((status == YK_OK) != (cases[i].host != NULL))
            fail_msg("'%s': %s", cases[i].text, err.text);
        if (status != YK_OK)
            continue;
        assert_string_equal(host, cases[i].host);
        assert_int_equal(port, cases[i].port);
    }
}

struct visit {
    uint16_t port;
    long state_status, refused_status, page_status;
    size_t answered;      /* number of `questions` with the right answer */
    char answer[1 << 16]; /* the beginning of the last answer */
};

static size_t keep(char *bytes, size_t size, size_t count, void *context)
{
    struct visit *visit = context;
    size_t had = strlen(visit->answer), len = YK_MIN(size * count, sizeof(visit->answer) - 1 - had);
    memcpy(visit->answer + had, bytes, len);
    visit->answer[had + len] = '\0';
    return size * count;
}

static long fetch(struct visit *visit, const char *path, const char *body, const char *header)
{
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = header != NULL ? curl_slist_append(NULL, header) : NULL;
    char url[128];
    long status = 0;
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", visit->port, path); /* fits */
    (void)curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT, 60L);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, visit);
    if (headers != NULL)
        (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (body != NULL)
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    if (curl_easy_perform(curl) == CURLE_OK)
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return status;
}

#define POD(labels)                                                                                          \
    "{\"metadata\":{\"name\":\"tried\"," labels                                                              \
    "},\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{"                                            \
    "\"requests\":{\"cpu\":\"1\"}}}]}}"
#define LABELS "\"labels\":{\"yunikorn.apache.org/app-id\":\"t\",\"yunikorn.apache.org/queue\":\"root.a\"}"

/* One question of each kind, about an empty cluster of two nodes with 8 cores, and what its answer has. */
static const struct {
    const char *text, *answer;
} questions[] = {
    {"{\"kind\":\"pod\",\"pod\":" POD(LABELS) "}", "pod default/tried starts now on m-0"},
    {"{\"kind\":\"job\",\"count\":17,\"pod\":" POD(LABELS) "}", "of 17 pods 16 start now, 1 waits"},
    {"{\"kind\":\"gang\",\"taskGroups\":[{\"name\":\"g\",\"minMember\":2,\"minResource\":{\"cpu\":1}}],"
     "\"pod\":" POD(LABELS ",\"annotations\":{\"yunikorn.apache.org/task-group-name\":\"g\"}") "}",
     "2 of 2 placeholders get a node"},
    {"{\"kind\":\"node\",\"action\":\"remove\",\"node\":{\"name\":\"m-1\"}}", "\"verdict\":\"accepted\""},
    {"{\"kind\":\"queues\",\"queues\":\"partitions: [{name: default, queues: [{name: root, submitacl: '*', "
     "queues: [{name: b}]}]}]\"}",
     "\"queuesAdded\":[\"root.b\"]"},
};

static void ask(struct visit *visit)
{
    for (size_t i = 0; i < YK_COUNT(questions); i++) {
        long status;
        do { /* 503: the scheduler is starting, or rests after the last question */
            visit->answer[0] = '\0';
            status = fetch(visit, "/ws/v1/whatif", questions[i].text, "Content-Type: application/json");
        } while (status == 503);
        if (status == 200 && strstr(visit->answer, questions[i].answer) != NULL)
            visit->answered++;
        else
            print_message("%zu: %ld %s\n", i, status, visit->answer);
    }
}

/* As a person would: looks, acts, and ends the program with a signal. */
static void *visit_and_stop(void *context)
{
    struct visit *visit = context;
    do {
        visit->state_status = fetch(visit, "/sim/v1/state", NULL, NULL);
    } while (visit->state_status == 0);
    (void)kill(getpid(), SIGHUP); /* ignored */
    visit->page_status = fetch(visit, "/", NULL, "Accept: text/html");
    /* A page of another site can send this without asking: it is not declared as JSON. */
    visit->refused_status = fetch(visit, "/sim/v1/clock", "{\"paused\":true}", "Content-Type: text/plain");
    (void)fetch(visit, "/sim/v1/clock", "{\"forward\":\"5s\"}", "Content-Type: application/json");
    ask(visit);
    (void)fetch(visit, "/sim/v1/clock", "{\"forward\":\"10m\"}", "Content-Type: application/json");
    (void)kill(getpid(), SIGTERM);
    return NULL;
}

static uint16_t free_port(void)
{
    return (uint16_t)(20000 + getpid() % 12000);
}

static void it_serves_until_a_signal(void **state)
{
    (void)state;
    static const char text[] = "nodes: [{name: m, count: 2, allocatable: {cpu: 8, pods: 110}}]\n"
                               "queues: |\n  partitions: [{name: default, queues: [{name: root, submitacl: "
                               "'*', queues: [{name: a}]}]}]\n"
                               "timeline:\n- {at: 1s, submit: {application: x, pods: 4, queue: root.a, run: "
                               "1s, requests: {cpu: 1}}}\n";
    struct yk_scenario *scenario = NULL;
    struct yk_outcome *outcome = NULL;
    struct yk_err err = {0};
    static struct visit visit;
    pthread_t visitor;
    visit.port = free_port();
    assert_ptr_not_equal(signal(SIGHUP, SIG_IGN), SIG_ERR); /* as nohup does */
    if (yk_scenario_parse(yk_str_from(text), &scenario, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_int_equal(pthread_create(&visitor, NULL, visit_and_stop, &visit), 0);
    const struct yk_simulate_web_options options = {
        .simulation = {.seed = 1, .log_level = "fatal"}, .host = "127.0.0.1", .port = visit.port, .speed = 1};
    if (yk_simulate_web(scenario, &options, &outcome, &err) != YK_OK)
        fail_msg("%s", err.text);
    (void)pthread_join(visitor, NULL);
    assert_int_equal(visit.state_status, 200);
    assert_int_equal(visit.page_status, 200);
    assert_int_equal(visit.answered, YK_COUNT(questions));
    assert_int_equal(visit.refused_status, 415);
    assert_string_equal(outcome->broken.text, "");
    yk_outcome_free(outcome);
    yk_scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses),
                                       cmocka_unit_test(it_serves_until_a_signal)};
    curl_global_init(CURL_GLOBAL_DEFAULT);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    curl_global_cleanup();
    return failed;
}
