/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission-server.md, "Requests": configurations are checked beside everything else. */
#include "admission/config_checks.h"

#include "base/log.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <sys/socket.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/dial.h"

static struct {
    struct yk_io *io;
    struct yk_reviewer *reviewer;
    struct yk_config_checks *checks;
    struct yk_admission_server *server;
    pthread_t thread;
    _Atomic int taken;
} service;

static void mutate(void *context, struct yk_str body, struct yk_buf *ret_answer)
{
    (void)context;
    yk_reviewer_review(service.reviewer, YK_REVIEW_MUTATE, body, ret_answer);
}

static void validate(void *context, struct yk_buf *body, struct yk_admission_call *call)
{
    (void)context;
    yk_config_checks_add(service.checks, body, call);
    atomic_fetch_add(&service.taken, 1);
}

static void *run_io(void *context)
{
    yk_io_run(context);
    return NULL;
}

static int set_up(void **state)
{
    struct yk_err err = {0};
    const struct yk_reviewer_options reviewer = {.namespace_ = "yunikorn"};
    (void)state;
    memset(&service, 0, sizeof(service));
    yk_log_set_stream(NULL);
    assert_int_equal(yk_reviewer_new(&reviewer, &service.reviewer, &err), YK_OK);
    assert_int_equal(yk_io_new(&service.io, &err), YK_OK);
    assert_int_equal(yk_config_checks_new(service.io, service.reviewer, &service.checks, &err), YK_OK);
    const struct yk_admission_server_options options = {
        .io = service.io, .address = "127.0.0.1", .mutate = mutate, .validate = validate};
    assert_int_equal(yk_admission_server_new(&options, &service.server, &err), YK_OK);
    assert_int_equal(pthread_create(&service.thread, NULL, run_io, service.io), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    yk_io_stop(service.io);
    assert_int_equal(pthread_join(service.thread, NULL), 0);
    yk_admission_server_free(service.server);
    yk_config_checks_free(service.checks);
    yk_reviewer_free(service.reviewer);
    yk_io_free(service.io);
    return 0;
}

static int dial(void)
{
    return dial_from(1, yk_admission_server_port(service.server), 120);
}

/* On a connection of its own. */
static int post(const char *path, struct yk_str body)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf request = {0};
    int fd = dial();
    yk_buf_printf(&request,
                  "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  "Content-Length: %zu\r\n\r\n",
                  path, body.len);
    yk_buf_str(&request, body);
    for (size_t sent = 0; sent < request.len;) {
        ssize_t now = send(fd, request.p + sent, request.len - sent, MSG_NOSIGNAL);
        assert_true(now > 0);
        sent += (size_t)now;
    }
    return fd;
}

/* The status of the answer, or 0: there is none yet, and `flags` has MSG_DONTWAIT. */
static int status_on(int fd, int flags, char *bytes, size_t len)
{
    ssize_t got = recv(fd, bytes, len - 1, flags);
    int status = 0;
    bytes[got > 0 ? got : 0] = '\0';
    (void)sscanf(bytes, "HTTP/1.1 %d", &status);
    return status;
}

/* The review of a ConfigMap with as many queues as 3 MB hold. */
static void write_large(struct yk_buf *ret)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf yaml = {0};
    yk_buf_text(&yaml, "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n");
    for (int i = 0; yaml.len < 3000000; i++)
        yk_buf_printf(&yaml,
                      "    - {name: q%d, resources: {max: {cpu: %d, memory: 1G}}, submitacl: 'a,b c'}\n", i,
                      i + 1);
    json_t *review =
        json_pack("{s:s, s:s, s:{s:s, s:s, s:s, s:{s:s, s:s}, s:{s:{s:s}, s:{s:s%}}}}", "kind",
                  "AdmissionReview", "apiVersion", "admission.k8s.io/v1", "request", "uid", "large",
                  "operation", "CREATE", "namespace", "yunikorn", "kind", "kind", "ConfigMap", "group", "",
                  "object", "metadata", "name", "yunikorn-configs", "data", "queues.yaml", yaml.p, yaml.len);
    assert_non_null(review);
    char *text = json_dumps(review, JSON_COMPACT);
    yk_buf_text(ret, text);
    free(text);
    json_decref(review);
}

static const char pod[] =
    "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"pod\","
    "\"operation\":\"CREATE\",\"namespace\":\"dev\",\"kind\":{\"kind\":\"Pod\",\"group\":\"\"},"
    "\"userInfo\":{\"username\":\"ann\"},\"object\":{\"metadata\":{},\"spec\":{}}}}";

static void wait_for_taken(int count)
{
    while (atomic_load(&service.taken) < count)
        (void)usleep(1000);
}

static void reviews_of_pods_do_not_wait_for_configurations(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf large = {0};
    enum { MANY = YK_CONFIG_CHECKS_BYTES_MAX / 3200000 };
    int fds[MANY];
    char bytes[4096];
    write_large(&large);
    for (int i = 0; i < MANY; i++)
        fds[i] = post("/validate-conf", yk_buf_view(&large));
    wait_for_taken(MANY);
    int one_more = post("/validate-conf", yk_buf_view(&large)), fd = post("/mutate", yk_str_from(pod));
    assert_int_equal(status_on(fd, 0, bytes, sizeof(bytes)), 200);
    assert_non_null(strstr(bytes, "\"uid\":\"pod\""));
    assert_int_equal(status_on(one_more, 0, bytes, sizeof(bytes)), 503);
    int waiting = 0;
    for (int i = 0; i < MANY; i++)
        waiting += status_on(fds[i], MSG_DONTWAIT | MSG_PEEK, bytes, sizeof(bytes)) == 0;
    assert_true(waiting > 0);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(status_on(fds[i], 0, bytes, sizeof(bytes)), 200);
        assert_non_null(strstr(bytes, "\"uid\":\"large\""));
        (void)close(fds[i]);
    }
    (void)close(fd);
    (void)close(one_more);
}

static void what_waits_at_the_end_is_given_up(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf large = {0};
    int fds[3];
    write_large(&large);
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        fds[i] = post("/validate-conf", yk_buf_view(&large));
    wait_for_taken(YK_COUNT(fds));
    for (size_t i = 0; i < YK_COUNT(fds); i++)
        (void)close(fds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reviews_of_pods_do_not_wait_for_configurations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_waits_at_the_end_is_given_up, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
