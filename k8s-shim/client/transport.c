/* SPDX-License-Identifier: Apache-2.0 */
#include "client/transport.h"

#include "base/list.h"
#include "base/log.h"
#include "base/map.h"
#include "base/vec.h"
#include "base/version.h"
#include "client/api_stats.h"
#include "client/exec_plugin.h"
#include "client/url.h"

#include <curl/curl.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    ERROR_BODY_MAX = 64 << 10,
    URL_MAX = 16 << 10,
    CONNECT_TIMEOUT_S = 40, /* 30 to connect, 10 to shake hands */
    HTTP2_CONNECTIONS = 4,
    HTTP2_STREAMS_PER_CONNECTION = 64,
    HTTP1_CONNECTIONS = 32, /* for the lane of requests, if the server does not support HTTP/2 */
    IDLE_HANDLES_MAX = 64,
    UPLOAD_BUFFER_BYTES = 16 << 10, /* per handle; the smallest size that libcurl accepts */
    ANSWER_BUFFER_BYTES = 4 << 10,  /* per handle in the lane of requests, because the answers are short */
    WARNINGS_MAX = 256,
    WARNING_TEXT_MAX = 512,
    KEEPALIVE_IDLE_S = 30,
    KEEPALIVE_ANSWER_S = 15,
    KEEPALIVE_MAX_S = 3600,
};

/* after a failure, the plug-in is not run again for this time */
static const int64_t plugin_pause_ns = 5 * YK_NS_PER_S;
static const int64_t retry_after_max_ns = 600 * YK_NS_PER_S;
static const int64_t idle_look_ns = 3 * YK_NS_PER_S;

struct lane {
    struct yk_transport *transport;
    CURLM *multi;
    struct event *timer;
    struct yk_list active; /* struct yk_transfer */
    struct yk_list idle;   /* struct yk_transfer whose handles can be used again; the last used comes first */
    size_t idle_count, active_count;
    size_t idle_low; /* the smallest idle_count since look_at_idle() ran last */
};

struct yk_transport {
    /* Fixed for life. */
    struct event_base *base;
    struct yk_io_timers *timers;  /* borrowed */
    struct yk_identity *identity; /* borrowed */
    char *user_agent, *server, *connect_to, *host_header, *proxy;
    bool no_http2;
    int keepalive_idle_s, keepalive_answer_s;
    /* May change. */
    struct lane lanes[YK_LANE_COUNT];
    struct yk_timer idle_look; /* armed while there are idle handles */
    bool knows_http_version;
    uint64_t certificate_generation;
    /* warnings of the API server that have been logged: text -> itself, owned */
    struct yk_strmap warnings;
    struct yk_exec_plugin *plugin; /* owned; NULL: there is none */
    struct yk_err plugin_trouble;  /* why the last run of the plug-in failed; empty: it did not fail */
    int64_t plugin_failed_mono_ns;
    struct yk_api_stats stats;
};

struct yk_transfer {
    struct yk_list link; /* in `active` or `idle` of the lane */
    struct lane *lane;
    CURL *easy;
    uint64_t tls_generation; /* the generation of the identity when `easy` was set up */
    struct yk_timer timeout;
    /* One request. */
    struct curl_slist *headers, *connect_to;
    char *method, *path, *accept, *content_type;
    int64_t started_mono_ns;
    struct yk_str body;
    int64_t timeout_ns;
    enum yk_chunk (*on_data)(struct yk_transfer *transfer, struct yk_str bytes, void *context);
    void (*on_done)(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context);
    void *context;
    bool in_multi, asked_again, went_away, stopped, paused;
    bool is_parked;      /* the plug-in has to run first, so libcurl does not have the request yet */
    uint64_t credential; /* number of the credential with which the request was sent */
    bool sent;           /* libcurl has sent the request */
    /* libcurl has sent the request again, because the connection or the stream was refused */
    bool repeated;
    long http_status; /* 0 until the headers are complete */
    struct yk_buf error_body;
    char curl_error[CURL_ERROR_SIZE];
};

/* A socket of libcurl and its event. */
struct watched_socket {
    struct event *event;
    struct lane *lane;
};

static void take_finished(struct lane *lane);

/* ---- sockets and timer of libcurl on the loop of libevent ---- */

static void socket_ready(evutil_socket_t fd, short what, void *context)
{
    struct watched_socket *socket = context;
    struct lane *lane = socket->lane; /* read first, because the next call may free `socket` */
    int running, action = ((what & EV_READ) != 0 ? CURL_CSELECT_IN : 0) |
                          ((what & EV_WRITE) != 0 ? CURL_CSELECT_OUT : 0);
    (void)curl_multi_socket_action(lane->multi, fd, action, &running);
    take_finished(lane);
}

static void timer_due(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    struct lane *lane = context;
    int running;
    (void)curl_multi_socket_action(lane->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    take_finished(lane);
}

static int set_timer(CURLM *multi, long timeout_ms, void *context)
{
    (void)multi;
    struct lane *lane = context;
    if (timeout_ms < 0) {
        (void)event_del(lane->timer);
        return 0;
    }
    struct timeval delay = {.tv_sec = timeout_ms / 1000, .tv_usec = timeout_ms % 1000 * 1000};
    return event_add(lane->timer, &delay) == 0 ? 0 : -1;
}

static int set_socket(CURL *easy, curl_socket_t fd, int what, void *context, void *socket_context)
{
    (void)easy;
    struct lane *lane = context;
    struct watched_socket *socket = socket_context;
    if (socket != NULL && socket->event != NULL)
        event_free(socket->event);
    if (what == CURL_POLL_REMOVE) {
        free(socket);
        return 0;
    }
    if (socket == NULL) {
        socket = yk_new0(struct watched_socket);
        socket->lane = lane;
        (void)curl_multi_assign(lane->multi, fd, socket);
    }
    short events = (short)(EV_PERSIST | ((what & CURL_POLL_IN) != 0 ? EV_READ : 0) |
                           ((what & CURL_POLL_OUT) != 0 ? EV_WRITE : 0));
    socket->event = event_new(lane->transport->base, fd, events, socket_ready, socket);
    return socket->event != NULL && event_add(socket->event, NULL) == 0 ? 0 : -1;
}

/* ---- callbacks of libcurl for a transfer ---- */

static size_t take_body(char *bytes, size_t size, size_t count, void *context)
{
    struct yk_transfer *t = context;
    size_t len = size * count;
    if (t->http_status == 0)
        (void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->http_status);
    if (t->http_status < 200 || t->http_status > 299) {
        yk_buf_add(&t->error_body, bytes, YK_MIN(len, ERROR_BODY_MAX - t->error_body.len));
        return len;
    }
    enum yk_chunk next =
        t->on_data != NULL ? t->on_data(t, (struct yk_str){bytes, len}, t->context) : YK_CHUNK_GO_ON;
    switch (next) {
    case YK_CHUNK_GO_ON:
        return len;
    case YK_CHUNK_PAUSE:
        t->paused = true;
        (void)curl_easy_pause(t->easy, CURLPAUSE_RECV); /* cannot fail within a callback */
        return len;
    case YK_CHUNK_STOP:
        t->stopped = true;
        return CURL_WRITEFUNC_ERROR;
    }
    return len;
}

/* Logs a header Warning of the API server. Each text is logged at most once. */
static void note_warning(struct yk_transport *transport, struct yk_str line)
{
    struct yk_str text = yk_str_trim(line);
    text.len = YK_MIN(text.len, (size_t)WARNING_TEXT_MAX);
    if (transport->warnings.count >= WARNINGS_MAX || yk_strmap_get(&transport->warnings, text) != NULL)
        return;
    char *copy = yk_str_dup(text);
    (void)yk_strmap_put(&transport->warnings, (struct yk_str){copy, text.len}, copy);
    yk_warn(yk_log_client, "the API server warns", KV("warning", (const char *)copy));
}

/* Calls on_data without bytes, so that the owner of a watch knows that the watch is open: the first event may
 * come only after a minute. */
static void headers_complete(struct yk_transfer *t)
{
    (void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &t->http_status);
    if (t->http_status >= 200 && t->http_status <= 299 && t->on_data != NULL)
        (void)t->on_data(t, (struct yk_str){"", 0}, t->context);
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context)
{
    static const char name[] = "warning:";
    struct yk_transfer *t = context;
    struct yk_str line = {bytes, size * count};
    if (line.len > sizeof(name) - 1 && strncasecmp(line.p, name, sizeof(name) - 1) == 0)
        note_warning(t->lane->transport,
                     (struct yk_str){line.p + sizeof(name) - 1, line.len - (sizeof(name) - 1)});
    if (yk_str_trim(line).len == 0)
        headers_complete(t);
    return size * count;
}

/* Sets socket options that detect a lost peer: keep-alive probes on idle connections, and on the others a
 * time-out for data that is not acknowledged. */
static int tune_socket(void *context, curl_socket_t fd, curlsocktype purpose)
{
    const struct yk_transport *transport = context;
    int one = 1, probes = 1;
    unsigned patience_ms = (unsigned)(transport->keepalive_idle_s + transport->keepalive_answer_s) * 1000;
    if (purpose != CURLSOCKTYPE_IPCXN)
        return CURL_SOCKOPT_OK;
    /* Errors are ignored, because some kinds of sockets do not have these options. Time-outs detect a lost
     * peer, too. */
    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one));
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
    (void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience_ms, sizeof(patience_ms));
    return CURL_SOCKOPT_OK;
}

#if LIBCURL_VERSION_NUM >= 0x075000
/* Called before a request is sent, and again if libcurl sends it once more because the server has not
 * handled it (GOAWAY, REFUSED_STREAM, a lost connection). */
static int about_to_send(void *context, char *remote_ip, char *local_ip, int remote_port, int local_port)
{
    (void)remote_ip;
    (void)local_ip;
    (void)remote_port;
    (void)local_port;
    struct yk_transfer *t = context;
    t->repeated |= t->sent;
    t->sent = true;
    return CURL_PREREQFUNC_OK;
}
#endif

/* ---- handles ---- */

#define SET(easy, option, value)                                                                             \
    do {                                                                                                     \
        if (curl_easy_setopt(easy, option, value) != CURLE_OK)                                               \
            yk_debug(yk_log_client, "libcurl does not know an option", KV("option", #option));               \
    } while (0)

static void set_protocols(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    SET(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    SET(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static void set_interned(CURL *easy, CURLoption option, struct yk_str pem)
{
    if (pem.p == NULL)
        return;
    struct curl_blob blob = {.data = yk_str_dup(pem), .len = pem.len, .flags = CURL_BLOB_COPY};
    (void)curl_easy_setopt(easy, option, &blob); /* fails only if memory is exhausted */
    explicit_bzero(blob.data, blob.len);
    free(blob.data);
}

static void set_up_tls(struct yk_transfer *t)
{
    struct yk_identity_tls tls = yk_identity_tls(t->lane->transport->identity);
    const struct yk_access *access = yk_identity_access(t->lane->transport->identity);
    SET(t->easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2); /* this version or a newer one */
    if (access->insecure_skip_verify) {
        SET(t->easy, CURLOPT_SSL_VERIFYPEER, 0L);
        SET(t->easy, CURLOPT_SSL_VERIFYHOST, 0L);
    }
    set_interned(t->easy, CURLOPT_CAINFO_BLOB, tls.ca);
    set_interned(t->easy, CURLOPT_SSLCERT_BLOB, tls.certificate);
    set_interned(t->easy, CURLOPT_SSLKEY_BLOB, tls.key);
    t->tls_generation = tls.generation;
}

static void set_up_lane(struct yk_transfer *t)
{
    const struct yk_transport *transport = t->lane->transport;
    bool is_stream = t->lane == &transport->lanes[YK_LANE_STREAMS];
    SET(t->easy, CURLOPT_HTTP_VERSION,
        (long)(is_stream || transport->no_http2 ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS));
    if (!is_stream) {
        SET(t->easy, CURLOPT_PIPEWAIT, 1L);
        SET(t->easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)UPLOAD_BUFFER_BYTES);
        SET(t->easy, CURLOPT_BUFFERSIZE, (long)ANSWER_BUFFER_BYTES);
    }
}

static void set_up_handle(struct yk_transfer *t)
{
    const struct yk_transport *transport = t->lane->transport;
    t->easy = curl_easy_init();
    if (t->easy == NULL)
        abort(); /* out of memory */
    SET(t->easy, CURLOPT_PRIVATE, t);
    SET(t->easy, CURLOPT_NOSIGNAL, 1L);
    SET(t->easy, CURLOPT_ERRORBUFFER, t->curl_error);
    SET(t->easy, CURLOPT_WRITEFUNCTION, take_body);
    SET(t->easy, CURLOPT_WRITEDATA, t);
    SET(t->easy, CURLOPT_HEADERFUNCTION, take_header);
    SET(t->easy, CURLOPT_HEADERDATA, t);
    SET(t->easy, CURLOPT_USERAGENT, transport->user_agent);
    SET(t->easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_TIMEOUT_S);
    SET(t->easy, CURLOPT_TCP_KEEPALIVE, 1L);
    SET(t->easy, CURLOPT_TCP_KEEPIDLE, (long)transport->keepalive_idle_s);
    SET(t->easy, CURLOPT_TCP_KEEPINTVL, (long)transport->keepalive_answer_s);
    SET(t->easy, CURLOPT_SOCKOPTFUNCTION, tune_socket);
    SET(t->easy, CURLOPT_SOCKOPTDATA, transport);
#if LIBCURL_VERSION_NUM >= 0x075000
    SET(t->easy, CURLOPT_PREREQFUNCTION, about_to_send);
    SET(t->easy, CURLOPT_PREREQDATA, t);
#endif
    SET(t->easy, CURLOPT_PATH_AS_IS, 1L);
    SET(t->easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (transport->proxy != NULL)
        SET(t->easy, CURLOPT_PROXY, transport->proxy);
    if (yk_identity_access(transport->identity)->proxy_url != NULL)
        SET(t->easy, CURLOPT_NOPROXY, ""); /* NO_PROXY applies only to the proxies of the environment */
    if (transport->connect_to != NULL) {
        t->connect_to = curl_slist_append(NULL, transport->connect_to);
        SET(t->easy, CURLOPT_CONNECT_TO, t->connect_to);
    }
    set_protocols(t->easy);
    set_up_lane(t);
    set_up_tls(t);
}

static void free_transfer(struct yk_transfer *t)
{
    curl_easy_cleanup(t->easy);
    curl_slist_free_all(t->headers);
    curl_slist_free_all(t->connect_to);
    free(t->method);
    free(t->accept);
    free(t->path);
    free(t->content_type);
    yk_buf_done(&t->error_body);
    free(t);
}

/* Removes the transfer from libcurl and from the active list. The options of the handle stay. */
static void detach(struct yk_transfer *t)
{
    struct lane *lane = t->lane;
    yk_io_timer_cancel(lane->transport->timers, &t->timeout);
    if (t->in_multi)
        (void)curl_multi_remove_handle(lane->multi, t->easy);
    if (yk_list_linked(&t->link)) {
        yk_list_remove(&t->link);
        lane->active_count--;
    }
    t->in_multi = false;
}

static void free_idle(struct lane *lane, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_transfer *t = YK_CONTAINER(lane->idle.prev, struct yk_transfer, link);
        yk_list_remove(&t->link);
        lane->idle_count--;
        free_transfer(t);
    }
}

/* Frees the handles that have been idle since the last check, because a handle has buffers of 20 KiB or more.
 * After a burst, nearly all handles are idle. */
static void look_at_idle(struct yk_timer *timer)
{
    struct yk_transport *transport = YK_CONTAINER(timer, struct yk_transport, idle_look);
    size_t left = 0;
    for (int i = 0; i < YK_LANE_COUNT; i++) {
        struct lane *lane = &transport->lanes[i];
        free_idle(lane, lane->idle_low);
        lane->idle_low = lane->idle_count;
        left += lane->idle_count;
    }
    if (left > 0)
        yk_io_timer_arm(transport->timers, timer, idle_look_ns);
}

static void recycle(struct yk_transfer *t)
{
    struct lane *lane = t->lane;
    bool outdated = t->tls_generation != yk_identity_tls(lane->transport->identity).generation;
    /* A handle that has repeated a request is freed, because libcurl allows only five repetitions in the life
     * of a handle. */
    if (outdated || t->repeated || lane->idle_count >= IDLE_HANDLES_MAX) {
        free_transfer(t);
        return;
    }
    yk_buf_done(&t->error_body);
    lane->idle_count++;
    yk_list_prepend(&lane->idle, &t->link);
    if (!yk_timer_armed(&lane->transport->idle_look))
        yk_io_timer_arm(lane->transport->timers, &lane->transport->idle_look, idle_look_ns);
}

static struct yk_transfer *take_handle(struct lane *lane)
{
    struct yk_transfer *t;
    while ((t = yk_list_first(&lane->idle, struct yk_transfer, link)) != NULL) {
        yk_list_remove(&t->link);
        lane->idle_count--;
        lane->idle_low = YK_MIN(lane->idle_low, lane->idle_count);
        if (t->tls_generation == yk_identity_tls(lane->transport->identity).generation)
            return t;
        free_transfer(t); /* the handle has old certificates, and new connections must use the new ones */
    }
    t = yk_new0(struct yk_transfer);
    t->lane = lane;
    yk_list_init(&t->link);
    set_up_handle(t);
    return t;
}

/* ---- one request ---- */

static void add_header(struct yk_transfer *t, const char *name, struct yk_str value)
{
    struct yk_buf line = {0};
    yk_buf_text(&line, name);
    yk_buf_str(&line, value);
    struct curl_slist *longer = curl_slist_append(t->headers, yk_buf_cstr(&line));
    if (longer != NULL)
        t->headers = longer;
    yk_buf_wipe(&line);
}

static void set_headers(struct yk_transfer *t)
{
    const struct yk_transport *transport = t->lane->transport;
    struct yk_str token = yk_identity_token(transport->identity);
    curl_slist_free_all(t->headers);
    t->headers = NULL;
    add_header(t, "Accept: ", yk_str_from(t->accept));
    if (t->content_type != NULL)
        add_header(t, "Content-Type: ", yk_str_from(t->content_type));
    if (token.p != NULL)
        add_header(t, "Authorization: Bearer ", token);
    if (transport->host_header != NULL)
        add_header(t, "Host: ", yk_str_from(transport->host_header));
    SET(t->easy, CURLOPT_HTTPHEADER, t->headers);
}

static void set_method(struct yk_transfer *t)
{
    bool has_body = t->content_type != NULL;
    if (has_body) {
        SET(t->easy, CURLOPT_POST, 1L);
        SET(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)t->body.len);
        SET(t->easy, CURLOPT_POSTFIELDS, t->body.p != NULL ? t->body.p : "");
    } else {
        SET(t->easy, CURLOPT_HTTPGET, 1L);
    }
    SET(t->easy, CURLOPT_CUSTOMREQUEST, t->method);
}

static void hand_over(struct yk_transfer *t)
{
    struct lane *lane = t->lane;
    t->credential = yk_identity_credential(lane->transport->identity);
    set_headers(t);
    t->in_multi = curl_multi_add_handle(lane->multi, t->easy) == CURLM_OK;
    if (t->timeout_ns > 0 || !t->in_multi)
        yk_io_timer_arm(lane->transport->timers, &t->timeout, t->in_multi ? t->timeout_ns : 0);
}

/* Makes the transfer wait until the plug-in has ended. If the plug-in failed less than plugin_pause_ns ago,
 * the transfer fails as soon as its timer fires. */
static void park(struct yk_transfer *t)
{
    struct yk_transport *transport = t->lane->transport;
    bool failed_just_now =
        transport->plugin_trouble.text[0] != '\0' &&
        yk_io_timers_now_ns(transport->timers) - transport->plugin_failed_mono_ns < plugin_pause_ns;
    t->is_parked = true;
    if (!failed_just_now)
        yk_exec_plugin_start(transport->plugin, yk_identity_tls(transport->identity).ca);
    if (t->timeout_ns > 0 || failed_just_now)
        yk_io_timer_arm(transport->timers, &t->timeout, failed_just_now ? 0 : t->timeout_ns);
}

static void run(struct yk_transfer *t)
{
    struct lane *lane = t->lane;
    t->http_status = 0;
    t->stopped = t->paused = t->sent = t->is_parked = false;
    t->curl_error[0] = '\0';
    yk_buf_clear(&t->error_body);
    yk_list_append(&lane->active, &t->link);
    lane->active_count++;
    if (yk_identity_needs_plugin(lane->transport->identity))
        park(t);
    else
        hand_over(t);
}

static void finish(struct yk_transfer *t, const struct yk_http_answer *answer)
{
    struct yk_http_answer final = *answer;
    struct yk_transport *transport = t->lane->transport;
    yk_api_stats_count(&transport->stats, t->method, t->path, answer->http_status,
                       yk_io_timers_now_ns(transport->timers) - t->started_mono_ns);
    detach(t);
    final.body = yk_buf_view(&t->error_body);
    t->on_done(t, &final, t->context);
    recycle(t);
}

static void timed_out(struct yk_timer *timer)
{
    struct yk_transfer *t = YK_CONTAINER(timer, struct yk_transfer, timeout);
    struct yk_http_answer answer = {.http_status = (int)t->http_status}; /* 0: no status has arrived */
    (void)yk_fail(&answer.error, YK_ERR_UNAVAILABLE, "no answer within %lld s",
                  (long long)(t->timeout_ns / YK_NS_PER_S));
    finish(t, &answer);
}

/* If the client certificate was replaced, ends all streams without a time-out as if the server had closed
 * them. Their owners open them again, on connections with the new certificate. */
static void end_outdated_streams(struct yk_transport *transport)
{
    struct lane *lane = &transport->lanes[YK_LANE_STREAMS];
    uint64_t generation = yk_identity_tls(transport->identity).certificate_generation;
    if (generation == transport->certificate_generation)
        return;
    transport->certificate_generation = generation;
    yk_info(yk_log_client, "client certificate replaced, opening new connections",
            KV("streams", lane->active_count));
    struct yk_transfer *t;
    yk_list_foreach (t, &lane->active, struct yk_transfer, link) {
        if (t->in_multi && t->timeout_ns == 0)
            yk_io_timer_arm(transport->timers, &t->timeout, 0);
    }
}

/* The timer of a transfer has fired. It is armed for the time-out, and with a delay of 0 by functions that
 * have to end the transfer. */
static void timer_fired(struct yk_timer *timer)
{
    struct yk_transfer *t = YK_CONTAINER(timer, struct yk_transfer, timeout);
    const struct yk_transport *transport = t->lane->transport;
    if (t->is_parked && !yk_exec_plugin_runs(transport->plugin)) {
        const struct yk_http_answer none = {.error = transport->plugin_trouble};
        finish(t, &none);
        return;
    }
    if (t->timeout_ns > 0) {
        timed_out(timer);
        return;
    }
    struct yk_http_answer answer = {.http_status = (int)t->http_status, .complete = true};
    finish(t, &answer);
}

/* ---- the plug-in ---- */

static void collect_parked(struct yk_transport *transport, struct yk_vec *ret_parked)
{
    struct yk_transfer *t;
    for (int i = 0; i < YK_LANE_COUNT; i++) {
        yk_list_foreach (t, &transport->lanes[i].active, struct yk_transfer, link) {
            if (t->is_parked)
                yk_vec_append(ret_parked, t);
        }
    }
}

static void unpark(struct yk_transfer *t)
{
    detach(t);
    if (t->tls_generation != yk_identity_tls(t->lane->transport->identity).generation)
        set_up_tls(t);
    run(t);
}

static void note_plugin_trouble(struct yk_transport *transport, const struct yk_err *err)
{
    if (strcmp(transport->plugin_trouble.text, err->text) != 0)
        yk_error(yk_log_client, "no credential, nothing can be sent", KV("err", err->text));
    transport->plugin_trouble = *err;
    transport->plugin_failed_mono_ns = yk_io_timers_now_ns(transport->timers);
}

static void plugin_ended(void *context, const struct yk_credential *credential, const struct yk_err *err)
{
    struct yk_transport *transport = context;
    struct yk_vec parked = {0};
    struct yk_err trouble = *err;
    bool ok = credential != NULL && yk_identity_put(transport->identity, credential, &trouble) == YK_OK;
    if (ok && yk_identity_needs_plugin(transport->identity)) {
        ok = false;
        (void)yk_fail(&trouble, YK_ERR_INVALID, "the credential plug-in gave what has expired already");
    }
    if (ok) {
        transport->plugin_trouble = (struct yk_err){0};
        end_outdated_streams(transport);
    } else {
        note_plugin_trouble(transport, &trouble);
    }
    collect_parked(transport, &parked);
    struct yk_transfer *t;
    yk_vec_foreach (t, &parked) {
        if (ok)
            unpark(t);
        else
            yk_io_timer_arm(transport->timers, &t->timeout, 0);
    }
    yk_vec_done(&parked);
}

static enum yk_status set_up_plugin(struct yk_transport *transport, struct yk_err *err)
{
    const struct yk_exec_options options = {.base = transport->base,
                                            .timers = transport->timers,
                                            .access = yk_identity_access(transport->identity),
                                            .done = plugin_ended,
                                            .context = transport};
    return options.access->exec != NULL ? yk_exec_plugin_new(&options, &transport->plugin, err) : YK_OK;
}

struct yk_transfer *yk_transport_start(struct yk_transport *transport, const struct yk_k8s_request *request)
{
    yk_identity_refresh(transport->identity);
    struct yk_transfer *t = take_handle(&transport->lanes[request->lane]);
    free(t->method);
    free(t->path);
    free(t->accept);
    free(t->content_type);
    t->method = yk_strdup(request->method);
    t->path = yk_strdup(request->path);
    t->started_mono_ns = yk_io_timers_now_ns(transport->timers);
    t->accept = yk_strdup(request->accept);
    t->content_type = yk_strdup_or_null(request->content_type);
    t->body = request->body;
    t->timeout_ns = request->timeout_ns;
    t->timeout.fire = timer_fired;
    t->on_data = request->on_data;
    t->on_done = request->on_done;
    t->context = request->context;
    t->asked_again = t->went_away = false;
    t->error_body.max = ERROR_BODY_MAX;

    struct yk_buf url = {.max = URL_MAX};
    yk_buf_text(&url, transport->server);
    yk_buf_text(&url, request->path);
    SET(t->easy, CURLOPT_URL,
        url.failed ? "" : yk_buf_cstr(&url)); /* with "", libcurl ends the transfer with an error */
    yk_buf_done(&url);
    bool gzip = request->compressed && !yk_identity_access(transport->identity)->disable_compression;
    SET(t->easy, CURLOPT_ACCEPT_ENCODING, gzip ? "gzip" : NULL);
    set_method(t);
    end_outdated_streams(transport);
    run(t);
    return t;
}

void yk_transfer_cancel(struct yk_transfer *transfer)
{
    detach(transfer);
    recycle(transfer);
}

const struct yk_api_stats *yk_transport_stats(const struct yk_transport *transport)
{
    return &transport->stats;
}

const char *yk_transfer_content_type(const struct yk_transfer *transfer)
{
    const char *type = NULL;
    (void)curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_TYPE, &type);
    return type != NULL ? type : "";
}

/* ---- the end of one request ---- */

static void tell_failure(const char *kind, const char *details, struct yk_err *err)
{
    bool is_said = strcasestr(details, kind) != NULL;
    (void)yk_fail(err, YK_ERR_IO, "%s%s%s", is_said ? "" : kind, is_said || details[0] == '\0' ? "" : ": ",
                  details);
}

static void read_answer(struct yk_transfer *t, CURLcode result, struct yk_http_answer *ret_answer)
{
    long status = 0;
    curl_off_t retry_after_s = 0;
    (void)curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    (void)curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &retry_after_s);
    *ret_answer = (struct yk_http_answer){
        .http_status = (int)status, .complete = result == CURLE_OK, .stopped = t->stopped};
    if (retry_after_s > 0)
        ret_answer->retry_after_ns =
            YK_MIN((int64_t)YK_MIN(retry_after_s, INT32_MAX) * YK_NS_PER_S, retry_after_max_ns);
    if (result != CURLE_OK && !t->stopped)
        tell_failure(curl_easy_strerror(result), t->curl_error, &ret_answer->error);
}

/* With HTTP/1.1, more connections are allowed, because each request in flight needs its own. */
static void note_http_version(struct yk_transfer *t)
{
    struct yk_transport *transport = t->lane->transport;
    long version = 0;
    if (transport->knows_http_version || t->lane != &transport->lanes[YK_LANE_REQUESTS])
        return;
    if (curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version) != CURLE_OK || version == 0)
        return;
    transport->knows_http_version = true;
    bool is_http2 = version >= CURL_HTTP_VERSION_2_0;
    if (!is_http2)
        (void)curl_multi_setopt(t->lane->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)HTTP1_CONNECTIONS);
    yk_info(yk_log_client, "API server reached", KV("server", (const char *)transport->server),
            KV("http", is_http2 ? "2" : "1.1"));
}

/*
 * Whether the request is to be sent again because the server sent GOAWAY before it handled the request.
 * libcurl reports GOAWAY as an error of the connection, which can have other causes. Sending a request twice
 * is harmless (S13), so after any such error, the request is sent once more.
 */
static bool was_sent_away(const struct yk_transfer *t, CURLcode result)
{
    return result == CURLE_HTTP2 && t->http_status == 0 && !t->went_away;
}

static void end_transfer(struct yk_transfer *t, CURLcode result)
{
    if (was_sent_away(t, result)) {
        t->went_away = true;
        detach(t);
        run(t);
        return;
    }
    struct yk_http_answer answer;
    read_answer(t, result, &answer);
    note_http_version(t);
    if (answer.http_status == 401 && !t->asked_again &&
        yk_identity_drop_token(t->lane->transport->identity, t->credential)) {
        t->asked_again = true;
        detach(t);
        yk_identity_refresh(t->lane->transport->identity);
        run(t);
        return;
    }
    finish(t, &answer);
}

static void take_finished(struct lane *lane)
{
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(lane->multi, &left)) != NULL) {
        struct yk_transfer *t = NULL;
        if (message->msg != CURLMSG_DONE)
            continue;
        /* copied, because `message` is freed when the handle is removed */
        CURLcode result = message->data.result;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &t);
        if (YK_ASSERT(t != NULL))
            end_transfer(t, result);
    }
}

void yk_transfer_resume(struct yk_transfer *transfer)
{
    if (!transfer->paused)
        return;
    transfer->paused = false;
    CURLcode result = curl_easy_pause(transfer->easy, CURLPAUSE_CONT);
    if (result != CURLE_OK) /* on_data has stopped the transfer */
        end_transfer(transfer, result);
}

/* ---- life cycle ---- */

#if defined(__aarch64__)
#define ARCHITECTURE "arm64"
#elif defined(__x86_64__)
#define ARCHITECTURE "amd64"
#else
#define ARCHITECTURE "unknown"
#endif

static char *make_user_agent(void)
{
    struct yk_buf text = {0};
    yk_buf_printf(&text, "yunikorn/%s (linux/" ARCHITECTURE ") kubernetes/%s", yk_version, yk_revision);
    return yk_buf_take(&text);
}

static int seconds_from(const char *variable, int fallback)
{
    int64_t seconds;
    const char *text = getenv(variable);
    if (text == NULL || yk_str_to_i64(yk_str_from(text), &seconds) != YK_OK || seconds <= 0 ||
        seconds > KEEPALIVE_MAX_S)
        return fallback;
    return (int)seconds;
}

/* The part host[:port] of a URL. */
static struct yk_str authority_of(const char *server)
{
    const char *start = strstr(server, "://");
    start = start != NULL ? start + 3 : server;
    return (struct yk_str){start, strcspn(start, "/")};
}

/*
 * Implements tls-server-name: the URL contains this name, so that libcurl sends the name in TLS and compares
 * it with the certificate. The connection is made to the real host, and the header Host names the real host.
 */
static void use_tls_server_name(struct yk_transport *transport, const struct yk_access *access)
{
    struct yk_str authority = authority_of(access->server);
    const char *colon = memrchr(authority.p, ':', authority.len);
    bool has_port =
        colon != NULL && memchr(colon, ']', (size_t)(authority.p + authority.len - colon)) == NULL;
    struct yk_str host = {authority.p, has_port ? (size_t)(colon - authority.p) : authority.len};
    bool is_https = strncmp(access->server, "https", 5) == 0;
    struct yk_str port = has_port
                             ? (struct yk_str){colon + 1, (size_t)(authority.p + authority.len - colon - 1)}
                         : is_https ? YK_STR("443")
                                    : YK_STR("80");
    struct yk_buf text = {0};
    yk_buf_printf(&text, "%s://%s:" YK_STR_FMT "%s", is_https ? "https" : "http", access->tls_server_name,
                  YK_STR_ARG(port), authority.p + authority.len);
    free(transport->server);
    transport->server = yk_buf_take(&text);
    yk_buf_printf(&text, "::" YK_STR_FMT ":" YK_STR_FMT, YK_STR_ARG(host), YK_STR_ARG(port));
    transport->connect_to = yk_buf_take(&text);
    transport->host_header = yk_str_dup(authority);
}

/*
 * The proxy for libcurl; NULL: libcurl reads the environment; "": no proxy. As in other Kubernetes clients,
 * the proxy of the environment is not used for addresses of this machine, and HTTP_PROXY may be in upper
 * case.
 */
static char *choose_proxy(const struct yk_access *access)
{
    struct yk_buf text = {0};
    if (access->proxy_url != NULL && strncmp(access->proxy_url, "socks5://", 9) == 0) {
        yk_buf_printf(&text, "socks5h://%s", access->proxy_url + 9); /* socks5h: the proxy resolves names */
        return yk_buf_take(&text);
    }
    if (access->proxy_url != NULL)
        return yk_strdup(access->proxy_url);
    if (yk_url_is_loopback(access->server))
        return yk_strdup("");
    const char *capitals = getenv("HTTP_PROXY");
    bool is_plain = strncmp(access->server, "http://", 7) == 0;
    return is_plain && capitals != NULL && getenv("http_proxy") == NULL ? yk_strdup(capitals) : NULL;
}

static enum yk_status open_lane(struct yk_transport *transport, struct lane *lane, struct yk_err *err)
{
    lane->transport = transport;
    lane->multi = curl_multi_init();
    lane->timer = event_new(transport->base, -1, 0, timer_due, lane);
    if (lane->multi == NULL || lane->timer == NULL)
        return yk_fail(err, YK_ERR_IO, "cannot set up libcurl");
    (void)curl_multi_setopt(lane->multi, CURLMOPT_SOCKETFUNCTION, set_socket);
    (void)curl_multi_setopt(lane->multi, CURLMOPT_SOCKETDATA, lane);
    (void)curl_multi_setopt(lane->multi, CURLMOPT_TIMERFUNCTION, set_timer);
    (void)curl_multi_setopt(lane->multi, CURLMOPT_TIMERDATA, lane);
    if (lane == &transport->lanes[YK_LANE_REQUESTS]) {
        (void)curl_multi_setopt(lane->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)HTTP2_CONNECTIONS);
        (void)curl_multi_setopt(lane->multi, CURLMOPT_MAX_CONCURRENT_STREAMS,
                                (long)HTTP2_STREAMS_PER_CONNECTION);
    }
    return YK_OK;
}

enum yk_status yk_transport_new(struct event_base *base, struct yk_io_timers *timers,
                                struct yk_identity *identity, struct yk_transport **ret_transport,
                                struct yk_err *err)
{
    YK_CLEANUP(yk_transport_freep) struct yk_transport *transport = NULL;
    const struct yk_access *access = yk_identity_access(identity);
    const char *no_http2 = getenv("DISABLE_HTTP2");
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return yk_fail(err, YK_ERR_IO, "cannot set up libcurl");
    /* Writing to a broken connection then returns an error and does not end the process. */
    (void)signal(SIGPIPE, SIG_IGN);
    transport = yk_new0(struct yk_transport);
    transport->base = base;
    transport->timers = timers;
    transport->identity = identity;
    transport->idle_look.fire = look_at_idle;
    transport->user_agent = make_user_agent();
    transport->server = yk_strdup(access->server);
    transport->proxy = choose_proxy(access);
    transport->no_http2 = no_http2 != NULL && no_http2[0] != '\0';
    transport->keepalive_idle_s = seconds_from("HTTP2_READ_IDLE_TIMEOUT_SECONDS", KEEPALIVE_IDLE_S);
    transport->keepalive_answer_s = seconds_from("HTTP2_PING_TIMEOUT_SECONDS", KEEPALIVE_ANSWER_S);
    transport->certificate_generation = yk_identity_tls(identity).certificate_generation;
    if (access->tls_server_name != NULL)
        use_tls_server_name(transport, access);
    for (int i = 0; i < YK_LANE_COUNT; i++) {
        yk_list_init(&transport->lanes[i].active);
        yk_list_init(&transport->lanes[i].idle);
    }
    for (int i = 0; i < YK_LANE_COUNT; i++) {
        enum yk_status st = open_lane(transport, &transport->lanes[i], err);
        if (st != YK_OK)
            return st;
    }
    enum yk_status st = set_up_plugin(transport, err);
    if (st == YK_OK)
        *ret_transport = yk_move(transport);
    return st;
}

static void close_lane(struct lane *lane)
{
    struct yk_transfer *t;
    while ((t = yk_list_first(&lane->active, struct yk_transfer, link)) != NULL) {
        detach(t);
        free_transfer(t);
    }
    while ((t = yk_list_first(&lane->idle, struct yk_transfer, link)) != NULL) {
        yk_list_remove(&t->link);
        free_transfer(t);
    }
    if (lane->multi != NULL)
        (void)curl_multi_cleanup(lane->multi);
    if (lane->timer != NULL)
        event_free(lane->timer);
}

void yk_transport_free(struct yk_transport *transport)
{
    if (transport == NULL)
        return;
    yk_exec_plugin_free(transport->plugin);
    yk_io_timer_cancel(transport->timers, &transport->idle_look);
    for (int i = 0; i < YK_LANE_COUNT; i++)
        close_lane(&transport->lanes[i]);
    char *text;
    yk_strmap_foreach (text, &transport->warnings)
        free(text);
    yk_strmap_done(&transport->warnings);
    free(transport->user_agent);
    free(transport->server);
    free(transport->connect_to);
    free(transport->host_header);
    free(transport->proxy);
    free(transport);
    curl_global_cleanup();
}
