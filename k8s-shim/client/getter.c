/* SPDX-License-Identifier: Apache-2.0 */
#include "client/getter.h"

#include "api/json_reader.h"
#include "api/server_status.h"
#include "base/io_loop.h"
#include "client/backoff.h"
#include "client/transport.h"
#include "client/url.h"

#include <event2/event.h>
#include <jansson.h>

enum {
    PAGE_DEFAULT = 250,
    TRIES_DEFAULT = 5,
    PAGES_MAX = 100 * 1000,  /* pages of one list; limited because a faulty server may never end the list */
    CONTINUE_MAX = 64 << 10, /* bytes of a continue token */
};

static const int64_t request_limit_default_ns = 60 * YK_NS_PER_S;
static const int64_t pause_max_default_ns = 30 * YK_NS_PER_S;

struct yk_getter {
    /* Fixed for life. */
    struct yk_getter_options options;
    struct yk_io *io;
    struct yk_io_timers timers;
    struct yk_identity *identity;
    struct yk_transport *transport;
    struct yk_random random;
    bool has_answered; /* the API server has answered at least one request */
    /* One call. */
    const char *what, *accept;
    struct yk_buf *body;                  /* the argument of yk_getter_get(); NULL in yk_getter_list() */
    const struct yk_list_text_sink *sink; /* the argument of yk_getter_list(); NULL in yk_getter_get() */
    char *continue_token;                 /* owned; token of the page to request; NULL: the first page */
    uint64_t delivered;                   /* items of this page that the sink got, in all tries */
    /* One request. */
    struct yk_list_reader *reader;
    uint64_t seen; /* items of this page that were read in this try */
    bool is_done, is_retriable;
    int64_t retry_after_ns;
    char *continue_again; /* owned; the token that the server offered instead of an expired one; NULL: none */
    enum yk_status status;
    struct yk_err err;
};

/* ---- one request ---- */

static void take_item(void *context, struct yk_str json)
{
    struct yk_getter *getter = context;
    if (getter->seen++ < getter->delivered)
        return; /* an earlier try, which failed, has delivered this item */
    getter->delivered++;
    getter->sink->item(getter->sink->context, json);
}

static enum yk_chunk take_bytes(struct yk_transfer *transfer, struct yk_str bytes, void *context)
{
    (void)transfer;
    struct yk_getter *getter = context;
    if (getter->body != NULL) {
        yk_buf_str(getter->body, bytes);
        if (getter->body->failed)
            getter->status =
                yk_fail(&getter->err, YK_ERR_LIMIT, "the answer is larger than %zu bytes", getter->body->max);
    } else {
        getter->status = yk_list_reader_feed(getter->reader, bytes, &getter->err);
    }
    return getter->status == YK_OK ? YK_CHUNK_GO_ON : YK_CHUNK_STOP;
}

/* The continue token has expired. The answer may contain another token, with which the list continues at the
 * same place in a newer state. */
static void read_offer(struct yk_getter *getter, struct yk_str body)
{
    json_t *tree = NULL;
    if (yk_json_parse(body, &tree, NULL) != YK_OK)
        return;
    const char *token = json_string_value(json_object_get(json_object_get(tree, "metadata"), "continue"));
    if (token != NULL && token[0] != '\0' && strlen(token) <= CONTINUE_MAX)
        getter->continue_again = yk_strdup(token);
    json_decref(tree);
}

static enum yk_status status_of(int http_status)
{
    switch (http_status) {
    case 401:
    case 403:
        return YK_ERR_DENIED;
    case 404:
        return YK_ERR_NOT_FOUND;
    default:
        return http_status == 429 || http_status >= 500 ? YK_ERR_UNAVAILABLE : YK_ERR_INVALID;
    }
}

static void take_refusal(struct yk_getter *getter, const struct yk_http_answer *answer)
{
    struct yk_server_status status = {0};
    bool is_said = yk_server_status_read(YK_WIRE_JSON, answer->body, &status, NULL) == YK_OK;
    getter->is_retriable = answer->http_status == 429 || answer->http_status >= 500;
    getter->retry_after_ns = answer->retry_after_ns;
    getter->status =
        is_said && status.message.len > 0
            ? yk_fail(&getter->err, status_of(answer->http_status), YK_STR_FMT, YK_STR_ARG(status.message))
            : yk_fail(&getter->err, status_of(answer->http_status), "HTTP status %d", answer->http_status);
    if (is_said)
        yk_server_status_done(&status);
    if (answer->http_status == 410 && getter->continue_token != NULL)
        read_offer(getter, answer->body);
}

static void ended(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context)
{
    (void)transfer;
    struct yk_getter *getter = context;
    getter->is_done = true;
    getter->has_answered = getter->has_answered || answer->http_status != 0;
    event_base_loopbreak(yk_io_base(getter->io));
    if (getter->status != YK_OK)
        return; /* take_bytes() has set the error */
    if (answer->http_status >= 300 || (answer->http_status != 0 && answer->http_status < 200)) {
        take_refusal(getter, answer);
    } else if (!answer->complete) {
        /* if the server has never answered, the address is probably wrong */
        getter->is_retriable = getter->has_answered;
        getter->status = yk_fail(&getter->err, YK_ERR_UNAVAILABLE, "%s", answer->error.text);
    }
}

static void begin(struct yk_getter *getter)
{
    const struct yk_list_text_sink sink = {take_item, getter};
    getter->is_done = getter->is_retriable = false;
    getter->retry_after_ns = 0;
    getter->status = YK_OK;
    getter->seen = 0;
    if (getter->body != NULL)
        yk_buf_clear(getter->body);
    yk_list_reader_free(getter->reader);
    getter->reader = getter->sink != NULL ? yk_list_reader_new_text(getter->what, &sink) : NULL;
}

static void run_until(struct yk_getter *getter, const bool *is_done)
{
    while (!*is_done)
        event_base_loop(yk_io_base(getter->io), EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY);
}

static void try_once(struct yk_getter *getter, const char *path)
{
    int64_t limit_ns = getter->options.request_limit_ns;
    begin(getter);
    const struct yk_k8s_request request = {
        .lane = YK_LANE_STREAMS,
        .method = "GET",
        .path = path,
        .accept = getter->accept != NULL ? getter->accept : YK_MIME_JSON,
        .compressed = true,
        .timeout_ns = limit_ns > 0 ? limit_ns : request_limit_default_ns,
        .on_data = take_bytes,
        .on_done = ended,
        .context = getter,
    };
    (void)yk_transport_start(getter->transport, &request); /* ended() sets is_done */
    run_until(getter, &getter->is_done);
}

struct pause {
    struct yk_timer timer;
    bool is_over;
};

static void pause_over(struct yk_timer *timer)
{
    YK_CONTAINER(timer, struct pause, timer)->is_over = true;
}

static void wait_ns(struct yk_getter *getter, int64_t delay_ns)
{
    struct pause pause = {.timer.fire = pause_over};
    yk_io_timer_arm(&getter->timers, &pause.timer, delay_ns);
    run_until(getter, &pause.is_over);
}

static enum yk_status request(struct yk_getter *getter, const char *path, struct yk_err *err)
{
    struct yk_backoff backoff = {0};
    int64_t pause_max_ns =
        getter->options.pause_max_ns > 0 ? getter->options.pause_max_ns : pause_max_default_ns;
    unsigned tries = getter->options.tries > 0 ? getter->options.tries : TRIES_DEFAULT;
    for (;;) {
        try_once(getter, path);
        if (getter->status == YK_OK || !getter->is_retriable || --tries == 0)
            break;
        int64_t delay_ns =
            yk_backoff_next_ns(&backoff, &getter->random, yk_io_timers_now_ns(&getter->timers));
        wait_ns(getter, YK_MIN(YK_MAX(delay_ns, getter->retry_after_ns), pause_max_ns));
    }
    return getter->status == YK_OK ? YK_OK : yk_fail(err, getter->status, "%s", getter->err.text);
}

/* ---- calls ---- */

enum yk_status yk_getter_get(struct yk_getter *getter, const char *path, const char *accept,
                             struct yk_buf *ret_body, struct yk_err *err)
{
    getter->what = path;
    getter->accept = accept;
    getter->body = ret_body;
    getter->sink = NULL;
    return request(getter, path, err);
}

static enum yk_status page_ended(struct yk_getter *getter, struct yk_err *err)
{
    struct yk_list_meta meta = {.continue_token = NULL};
    enum yk_status st = yk_list_reader_finish(getter->reader, &meta, err);
    free(getter->continue_token);
    getter->continue_token = st == YK_OK ? meta.continue_token : NULL;
    return st;
}

static enum yk_status read_page(struct yk_getter *getter, const char *path, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf full = {0};
    char limit[24];
    (void)snprintf(limit, sizeof(limit), "%u",
                   getter->options.page > 0 ? getter->options.page : PAGE_DEFAULT);
    yk_buf_text(&full, path);
    yk_url_query(&full, "limit", limit);
    if (getter->continue_token != NULL)
        yk_url_query(&full, "continue", getter->continue_token);
    getter->delivered = 0;
    enum yk_status st = request(getter, yk_buf_cstr(&full), err);
    if (st != YK_OK && getter->continue_again != NULL) {
        free(getter->continue_token);
        getter->continue_token = yk_move(getter->continue_again);
        return YK_OK;
    }
    return st == YK_OK ? page_ended(getter, err) : st;
}

enum yk_status yk_getter_list(struct yk_getter *getter, const char *path, const char *what,
                              const char *accept, const struct yk_list_text_sink *sink, struct yk_err *err)
{
    enum yk_status st;
    unsigned pages = 0;
    getter->what = what;
    getter->accept = accept;
    getter->body = NULL;
    getter->sink = sink;
    do {
        st = pages++ < PAGES_MAX ? read_page(getter, path, err)
                                 : yk_fail(err, YK_ERR_LIMIT, "the list has more than %d pages", PAGES_MAX);
    } while (st == YK_OK && getter->continue_token != NULL);
    free(getter->continue_token);
    getter->continue_token = NULL;
    return st;
}

/* ---- life ---- */

static enum yk_status set_up(struct yk_getter *getter, struct yk_err *err)
{
    struct yk_access *access = NULL;
    enum yk_status st;
    if ((st = yk_access_find(getter->options.kubeconfig, getter->options.context, &access, err)) != YK_OK ||
        (st = yk_identity_new(access, &yk_clock_real, &getter->identity, err)) != YK_OK ||
        (getter->io == NULL && (st = yk_io_new(&getter->io, err)) != YK_OK))
        return st;
    struct event_base *base = yk_io_base(getter->io);
    if ((st = yk_io_timers_init(&getter->timers, base, &yk_clock_real, err)) != YK_OK)
        return st;
    return yk_transport_new(base, &getter->timers, getter->identity, &getter->transport, err);
}

enum yk_status yk_getter_new(const struct yk_getter_options *options, struct yk_getter **ret_getter,
                             struct yk_err *err)
{
    YK_CLEANUP(yk_getter_freep) struct yk_getter *getter = yk_new0(struct yk_getter);
    getter->options = *options;
    getter->io = options->io;
    yk_random_init(&getter->random, 1);
    enum yk_status st = set_up(getter, err);
    if (st == YK_OK)
        *ret_getter = yk_move(getter);
    return st;
}

void yk_getter_free(struct yk_getter *getter)
{
    if (getter == NULL)
        return;
    yk_transport_free(getter->transport);
    yk_list_reader_free(getter->reader);
    yk_io_timers_done(&getter->timers);
    yk_identity_free(getter->identity);
    if (getter->options.io == NULL)
        yk_io_free(getter->io);
    free(getter->continue_token);
    free(getter->continue_again);
    free(getter);
}

const char *yk_getter_namespace(const struct yk_getter *getter)
{
    return yk_identity_access(getter->identity)->namespace_;
}
