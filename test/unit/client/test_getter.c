/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io_loop.h"
#include "client/getter.h"
#include "lib/mock_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

/* A getter and a scripted API server on one loop. */
struct stage {
    struct yk_io *io;
    struct mock mock;
    char kubeconfig[64];
    struct yk_getter *getter;
    int step;            /* for the script */
    struct yk_buf asked; /* paths, one per line */
    struct yk_buf items; /* what was delivered, joined */
};

static void write_kubeconfig(struct stage *stage)
{
    (void)snprintf(stage->kubeconfig, sizeof(stage->kubeconfig), "/tmp/yk-getter-XXXXXX");
    int fd = mkstemp(stage->kubeconfig);
    assert_true(fd >= 0);
    (void)dprintf(fd,
                  "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%u'}}]\nusers: [{name: u, user: "
                  "{token: t}}]\n"
                  "contexts: [{name: one, context: {cluster: c, user: u, namespace: home}}, {name: two, "
                  "context: {cluster: none}}]\n"
                  "current-context: two\n",
                  stage->mock.port);
    (void)close(fd);
}

static void open_stage_with_limit(struct stage *stage, mock_handler *handler, int64_t limit_ns)
{
    struct yk_err err = {0};
    *stage = (struct stage){0};
    assert_int_equal(yk_io_new(&stage->io, &err), YK_OK);
    mock_open(&stage->mock, yk_io_base(stage->io), NULL, handler, stage);
    write_kubeconfig(stage);
    const struct yk_getter_options options = {.kubeconfig = stage->kubeconfig,
                                              .context = "one",
                                              .page = 2,
                                              .pause_max_ns = YK_NS_PER_MS,
                                              .tries = 3,
                                              .request_limit_ns = limit_ns,
                                              .io = stage->io};
    if (yk_getter_new(&options, &stage->getter, &err) != YK_OK)
        fail_msg("%s", err.text);
}

static void open_stage(struct stage *stage, mock_handler *handler)
{
    open_stage_with_limit(stage, handler, 0);
}

static void close_stage(struct stage *stage)
{
    yk_getter_free(stage->getter);
    mock_close(&stage->mock);
    yk_io_free(stage->io);
    (void)unlink(stage->kubeconfig);
    yk_buf_done(&stage->asked);
    yk_buf_done(&stage->items);
}

static void note_item(void *context, struct yk_str json)
{
    yk_buf_str(&((struct stage *)context)->items, json);
}

static enum yk_status list(struct stage *stage, struct yk_err *err)
{
    const struct yk_list_text_sink sink = {note_item, stage};
    return yk_getter_list(stage->getter, "/api/v1/pods?x=y", "pods", NULL, &sink, err);
}

static void note_path(struct stage *stage, const char *path)
{
    yk_buf_printf(&stage->asked, "%s\n", path);
}

#define PAGE(more, items) "{\"kind\":\"PodList\",\"metadata\":{" more "},\"items\":[" items "]}"

static void pages(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    struct stage *stage = context;
    (void)mock;
    note_path(stage, path);
    const char *body =
        stage->step++ == 0 ? PAGE("\"continue\":\"a+b\"", "{\"n\":1},{\"n\":2}") : PAGE("", "{\"n\":3}");
    mock_answer(request, 200, "Content-Type", "application/json", body);
}

static void a_list_in_pages(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    open_stage(&stage, pages);
    assert_int_equal(list(&stage, &err), YK_OK);
    assert_string_equal(yk_buf_cstr(&stage.items), "{\"n\":1}{\"n\":2}{\"n\":3}");
    assert_string_equal(yk_buf_cstr(&stage.asked),
                        "/api/v1/pods?x=y&limit=2\n/api/v1/pods?x=y&limit=2&continue=a%2Bb\n");
    assert_string_equal(yk_getter_namespace(stage.getter), "home");
    close_stage(&stage);
}

/* The second page has expired: the answer offers a token with which the list goes on. */
static void expiring(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    struct stage *stage = context;
    (void)mock;
    note_path(stage, path);
    switch (stage->step++) {
    case 0:
        mock_answer(request, 200, "Content-Type", "application/json",
                    PAGE("\"continue\":\"old\"", "{\"n\":1}"));
        return;
    case 1:
        mock_answer(request, 410, "Content-Type", "application/json",
                    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{\"continue\":\"new\"},\"code\":"
                    "410,\"reason\":\"Expired\"}");
        return;
    default:
        mock_answer(request, 200, "Content-Type", "application/json", PAGE("", "{\"n\":2}"));
    }
}

static void a_page_that_expired(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    open_stage(&stage, expiring);
    assert_int_equal(list(&stage, &err), YK_OK);
    assert_string_equal(yk_buf_cstr(&stage.items), "{\"n\":1}{\"n\":2}");
    assert_non_null(strstr(yk_buf_cstr(&stage.asked), "continue=new"));
    close_stage(&stage);
}

/* Busy, then cut in the middle, then whole. */
static void troubled(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    struct stage *stage = context;
    (void)path;
    switch (stage->step++) {
    case 0:
        mock_refuse(request, 429, "TooManyRequests", "");
        return;
    case 1:
        mock_stream_open(mock, request, "application/json");
        mock_stream_text(mock, "{\"kind\":\"PodList\",\"items\":[{\"n\":1},{\"n\":");
        mock_stream_cut(mock);
        return;
    default:
        mock_answer(request, 200, "Content-Type", "application/json", PAGE("", "{\"n\":1},{\"n\":2}"));
    }
}

static void requests_are_repeated(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    open_stage(&stage, troubled);
    if (list(&stage, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_int_equal(stage.step, 3);
    assert_string_equal(yk_buf_cstr(&stage.items), "{\"n\":1}{\"n\":2}"); /* none of them twice */
    close_stage(&stage);
}

static void always_busy(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)mock;
    (void)path;
    ((struct stage *)context)->step++;
    mock_refuse(request, 503, "ServiceUnavailable", "");
}

static void a_busy_server_is_given_up(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    open_stage(&stage, always_busy);
    assert_int_equal(list(&stage, &err), YK_ERR_UNAVAILABLE);
    assert_int_equal(stage.step, 3);
    close_stage(&stage);
}

static void by_path(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)mock;
    (void)context;
    if (strcmp(path, "/secret") == 0)
        mock_answer(request, 403, "Content-Type", "application/json",
                    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":403,\"reason\":\"Forbidden\","
                    "\"message\":\"not for you\"}");
    else if (strcmp(path, "/none") == 0)
        mock_answer(request, 404, NULL, NULL, "no page");
    else if (strcmp(path, "/long") == 0)
        mock_answer(request, 200, NULL, NULL, "0123456789");
    else if (strcmp(path, "/api/v1/pods?x=y&limit=2") == 0)
        mock_answer(request, 200, "Content-Type", "application/json", "{\"kind\":\"Pod\",\"items\":[{}]}");
    else
        mock_answer(request, 200, NULL, NULL, mock_header(request, "Accept"));
}

static void what_answers_mean(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = 9};
    YK_CLEANUP(yk_buf_done) struct yk_buf more = {0};
    open_stage(&stage, by_path);
    assert_int_equal(yk_getter_get(stage.getter, "/secret", NULL, &more, &err), YK_ERR_DENIED);
    assert_string_equal(err.text, "not for you");
    assert_int_equal(yk_getter_get(stage.getter, "/none", NULL, &more, &err), YK_ERR_NOT_FOUND);
    assert_string_equal(err.text, "HTTP status 404");
    assert_int_equal(yk_getter_get(stage.getter, "/long", NULL, &body, &err), YK_ERR_LIMIT);
    assert_int_equal(yk_getter_get(stage.getter, "/any", "application/json;as=x", &more, &err), YK_OK);
    assert_string_equal(yk_buf_cstr(&more), "application/json;as=x");
    assert_int_equal(list(&stage, &err), YK_ERR_INVALID); /* no list */
    close_stage(&stage);
}

static void a_context_that_cannot_be_used(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    struct yk_getter *none = NULL;
    open_stage(&stage, by_path);
    assert_int_equal(yk_getter_new(&(struct yk_getter_options){.kubeconfig = stage.kubeconfig}, &none, &err),
                     YK_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "there is no cluster 'none'"));
    assert_int_equal(
        yk_getter_new(&(struct yk_getter_options){.kubeconfig = stage.kubeconfig, .context = "x"}, &none,
                      &err),
        YK_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "there is no context 'x'"));
    close_stage(&stage);
}

static void hang_up(struct mock *mock, intptr_t fd)
{
    ((struct stage *)mock->context)->step++;
    (void)close((int)fd);
}

/* A command that tries a wrong address again would only be slow. */
static void a_server_that_never_answered(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    open_stage(&stage, always_busy);
    stage.mock.take_socket = hang_up;
    assert_int_equal(list(&stage, &err), YK_ERR_UNAVAILABLE);
    assert_string_not_equal(err.text, "");
    assert_int_equal(stage.step, 1);
    close_stage(&stage);
}

/* The first answer begins with a status and never ends. */
static void stalls_once(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    (void)path;
    if (((struct stage *)context)->step++ == 0)
        mock_stream_open(mock, request, "application/json");
    else
        mock_answer(request, 200, "Content-Type", "application/json", "done");
}

static void an_answer_that_stalls_is_asked_for_again(void **state)
{
    (void)state;
    struct stage stage;
    struct yk_err err = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    open_stage_with_limit(&stage, stalls_once, 300 * YK_NS_PER_MS);
    if (yk_getter_get(stage.getter, "/x", NULL, &body, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_string_equal(yk_buf_cstr(&body), "done");
    assert_int_equal(stage.step, 2);
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_in_pages),
        cmocka_unit_test(a_page_that_expired),
        cmocka_unit_test(requests_are_repeated),
        cmocka_unit_test(a_busy_server_is_given_up),
        cmocka_unit_test(what_answers_mean),
        cmocka_unit_test(a_context_that_cannot_be_used),
        cmocka_unit_test(a_server_that_never_answered),
        cmocka_unit_test(an_answer_that_stalls_is_asked_for_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
