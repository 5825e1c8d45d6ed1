/* SPDX-License-Identifier: Apache-2.0 */
/* What-if questions over REST: the question arrives whole, the answer comes later, and who may ask. */
#include "web/renderer.h"
#include "web/site.h"

#include <sys/socket.h>
#include <unistd.h>

static const char config[] = "partitions: [{name: default, queues: [{name: root, submitacl: '*'}]}]";

enum { BODY_MAX = 4 << 20 };

struct service {
    struct site site;
    /* Scheduling thread, but read here after an answer. */
    size_t asked_bytes;
    char asked_text[256]; /* the beginning of the question */
    _Atomic bool unavailable, silent, late;
    sem_t asked, cancelled;
    int status;       /* of the next answer; 0: success */
    const char *text; /* of it */
    struct yk_timer later;
    struct yk_web *web;
    uint64_t ticket;
};

static struct service service;

static void say(struct yk_timer *timer)
{
    (void)timer;
    const struct yk_backend_reply reply = {.status = service.status, .text = service.text};
    yk_web_replied(service.web, service.ticket, &reply);
}

static void pass_patience(struct yk_timer *timer)
{
    (void)timer;
    yk_clock_advance(&service.site.world.clock, YK_PATIENCE_NS);
}

static enum yk_status ask(void *context, struct yk_web *web, uint64_t ticket, struct yk_str body,
                          struct yk_err *err)
{
    (void)context;
    if (yk_str_is(body, "malformed"))
        return yk_fail(err, YK_ERR_INVALID, "the question is malformed");
    if (yk_str_is(body, "large"))
        return yk_fail(err, YK_ERR_LIMIT, "the question is too large");
    if (atomic_load(&service.unavailable))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "another what-if question is being answered, try again");
    service.asked_bytes = body.len;
    (void)snprintf(service.asked_text, sizeof(service.asked_text), YK_STR_FMT, YK_STR_ARG(body));
    service.web = web;
    service.ticket = ticket;
    sem_post(&service.asked);
    if (atomic_load(&service.silent))
        return YK_OK;
    service.later.fire = atomic_load(&service.late) ? pass_patience : say;
    yk_timer_arm(&service.site.world.timers, &service.later, 0);
    return YK_OK;
}

static void cancel(void *context, uint64_t ticket)
{
    (void)context;
    assert_int_equal(ticket, service.ticket);
    sem_post(&service.cancelled);
}

/* Sends the request and reads to the end of the connection. */
static void post_to(const char *target, const struct yk_buf *body, struct yk_buf *ret_answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf request = {0};
    char bytes[4096];
    ssize_t got;
    int fd = site_dial(&service.site, 0);
    yk_buf_printf(&request, "POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n",
                  target, body->len);
    yk_buf_str(&request, yk_buf_view(body));
    for (size_t at = 0; at < request.len;) {
        ssize_t sent = send(fd, request.p + at, request.len - at, MSG_NOSIGNAL);
        if (sent <= 0)
            break; /* refused before the end of the body */
        at += (size_t)sent;
    }
    while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0)
        yk_buf_add(ret_answer, bytes, (size_t)got);
    (void)close(fd);
}

static void post(const struct yk_buf *body, struct yk_buf *ret_answer)
{
    post_to("/ws/v1/whatif", body, ret_answer);
}

static void expect(const char *question, const char *head, const char *part)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0}, answer = {0};
    yk_buf_text(&body, question);
    post(&body, &answer);
    if (!yk_str_starts(yk_buf_view(&answer), head) || strstr(yk_buf_cstr(&answer), part) == NULL)
        fail_msg("wanted %s ... %s, got: %s", head, part, yk_buf_cstr(&answer));
}

static int set_up(void **state)
{
    (void)state;
    static const struct yk_whatif_backend backend = {NULL, ask, cancel};
    service = (struct service){.status = 0, .text = "{\"verdict\":\"starts\"}"};
    sem_init(&service.asked, 0, 0);
    sem_init(&service.cancelled, 0, 0);
    site_init(&service.site, config);
    site_listen(&service.site, (struct yk_web_options){.whatif = &backend});
    site_run(&service.site);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    site_end(&service.site);
    return 0;
}

static void the_answer_comes_later(void **state)
{
    (void)state;
    expect("{\"kind\":\"pod\"}", "HTTP/1.1 200 ", "{\"verdict\":\"starts\"}\n");
    assert_int_equal(service.asked_bytes, strlen("{\"kind\":\"pod\"}"));
}

static void what_is_refused_has_its_status_and_sentence(void **state)
{
    (void)state;
    service.status = 404;
    service.text = "there is no node 'n9'";
    expect("{}", "HTTP/1.1 404 ", "there is no node 'n9'");
    service.status = 503;
    service.text = "the trial took longer than 10 s";
    expect("{}", "HTTP/1.1 503 ", "the trial took longer than 10 s");
    expect("{}", "HTTP/1.1 503 ", "Retry-After: 1\r\n");
}

static void one_that_cannot_be_asked_now_may_be_asked_later(void **state)
{
    (void)state;
    atomic_store(&service.unavailable, true);
    expect("{}", "HTTP/1.1 503 ", "Retry-After: ");
    expect("malformed", "HTTP/1.1 400 ", "the question is malformed");
    expect("large", "HTTP/1.1 413 ", "the question is too large");
}

static void a_question_is_given_up_when_its_client_goes(void **state)
{
    (void)state;
    static const char request[] = "POST /ws/v1/whatif HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
    atomic_store(&service.silent, true);
    int fd = site_dial(&service.site, 0);
    assert_int_equal(send(fd, request, strlen(request), MSG_NOSIGNAL), strlen(request));
    sem_wait(&service.asked);
    (void)close(fd);
    sem_wait(&service.cancelled);
}

/* The API server has nothing to do with it. */
static void one_that_is_never_answered(void **state)
{
    (void)state;
    atomic_store(&service.late, true);
    expect("{}", "HTTP/1.1 503 ", "the what-if question was not answered in time, try again");
    sem_wait(&service.cancelled); /* the backend may stop */
    expect("{}", "HTTP/1.1 503 ", "Retry-After: 1\r\n");
}

static void a_body_that_is_too_large_is_not_read(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0}, answer = {0};
    while (body.len <= BODY_MAX)
        yk_buf_text(&body, "                                                                ");
    post(&body, &answer);
    /* The connection may be cut before the answer is read. */
    assert_true(answer.len == 0 || yk_str_starts(yk_buf_view(&answer), "HTTP/1.1 413 "));
    assert_int_equal(service.asked_bytes, 0);
}

/* ---- validate-conf?diff=1 ---- */

static const char valid[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: new}]}]}]";

static void validate(const char *target, const char *text, const char *head, const char *part)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0}, answer = {0};
    yk_buf_text(&body, text);
    post_to(target, &body, &answer);
    if (!yk_str_starts(yk_buf_view(&answer), head) || strstr(yk_buf_cstr(&answer), part) == NULL)
        fail_msg("wanted %s ... %s, got: %s", head, part, yk_buf_cstr(&answer));
}

static void a_configuration_and_what_it_changes(void **state)
{
    (void)state;
    service.text = "{\"impact\":{\"queuesAdded\":[\"root.new\"]}}";
    validate("/ws/v1/validate-conf?diff=1", valid, "HTTP/1.1 200 ", "{\"allowed\":true,\"checksum\":");
    assert_non_null(strstr(service.asked_text, "{\"kind\":\"queues\",\"queues\":\"partitions: "));
    validate("/ws/v1/validate-conf?diff=1", valid, "HTTP/1.1 200 ",
             ",\"diff\":{\"impact\":{\"queuesAdded\":[\"root.new\"]}}}\n");
}

static void what_is_not_asked_is_not_tried(void **state)
{
    (void)state;
    static const char *const targets[] = {"/ws/v1/validate-conf", "/ws/v1/validate-conf?diff=0",
                                          "/ws/v1/validate-conf?diff="};
    for (size_t i = 0; i < YK_COUNT(targets); i++)
        validate(targets[i], valid, "HTTP/1.1 200 ", "\"checksumMatch\":false}\n");
    validate("/ws/v1/validate-conf?diff=1", "partitions: 1", "HTTP/1.1 200 ",
             "{\"allowed\":false,\"reason\":");
    assert_int_equal(service.asked_bytes, 0);
}

static void a_difference_that_cannot_be_found(void **state)
{
    (void)state;
    service.status = 503;
    service.text = "there is no memory for a copy";
    validate("/ws/v1/validate-conf?diff=1", valid, "HTTP/1.1 503 ", "there is no memory for a copy");
    validate("/ws/v1/validate-conf?diff=1", valid, "HTTP/1.1 503 ", "Retry-After: 1\r\n");
    atomic_store(&service.unavailable, true);
    validate("/ws/v1/validate-conf?diff=1", valid, "HTTP/1.1 503 ", "Retry-After: ");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_answer_comes_later),
        TEST(what_is_refused_has_its_status_and_sentence),
        TEST(one_that_cannot_be_asked_now_may_be_asked_later),
        TEST(a_question_is_given_up_when_its_client_goes),
        TEST(one_that_is_never_answered),
        TEST(a_body_that_is_too_large_is_not_read),
        TEST(a_configuration_and_what_it_changes),
        TEST(what_is_not_asked_is_not_tried),
        TEST(a_difference_that_cannot_be_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
