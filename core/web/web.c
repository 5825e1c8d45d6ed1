/* SPDX-License-Identifier: Apache-2.0 */
#include "web/web.h"

#include "base/log.h"
#include "scheduler/core.h"
#include "web/gzip.h"
#include "web/pour_priv.h"
#include "web/route_job.h"
#include "web/routes_priv.h"
#include "web/web_priv.h"

#include <event2/event.h>

enum {
    STOP_SECONDS = 5,
    GZIP_SLICE = 256 << 10,
    ETAG_BODY_MAX = 4 << 20, /* larger bodies have no ETag: to sum them would hold up the I/O thread */
};

/* ---- the end of a job ---- */

static void tell_stopped(struct yk_web *web)
{
    void (*stopped)(void *) = web->stopped;
    web->stopped = NULL;
    if (stopped != NULL)
        stopped(web->stopped_context);
}

static void end_scrape(struct yk_job *job)
{
    job->web->stats.metrics_in_flight -= job->is_scrape;
    job->is_scrape = false;
}

void yk__web_end_job(struct yk_job *job)
{
    struct yk_web *web = job->web;
    yk_list_remove(&job->in_open);
    if (web != NULL) {
        end_scrape(job);
        web->in_flight -= job->counted;
        web->lent -= job->lent;
        if (web->stopping && yk_list_empty(&web->open))
            tell_stopped(web);
    }
    yk_job_free(job);
}

/* Called when the socket no longer needs the body, whether it was sent or not. */
static void on_released(void *context)
{
    yk__web_end_job(context);
}

static void give_turn_in_time(struct yk_web *web);

/* Probes are not logged: they come every few seconds. */
void yk__web_log_access(const struct yk_job *job, uint64_t bytes)
{
    const char *user = job->caller.user != NULL ? job->caller.user : "";
    if (job->route != NULL && job->route->is_probe)
        return;
    yk_debug(yk_log_rest, "request answered", KV("method", yk_method_name(job->request.method)),
             KV("path", job->request.target.path), KV("status", job->answer.status), KV("bytes", bytes),
             KV("latency_us", (yk_clock_mono_ns(job->clock) - job->came_mono_ns) / 1000),
             KV("from", job->exchange->peer.address), KV("user", user),
             KV("request_id", job->answer.request_id));
}

void yk__web_end_turn(struct yk_job *job)
{
    if (!job->has_turn)
        return;
    job->has_turn = false;
    job->web->long_running--;
    give_turn_in_time(job->web);
}

void yk__web_send(struct yk_job *job)
{
    struct yk_answer *answer = &job->answer;
    struct yk_server_stats *stats = &job->web->stats;
    struct yk_str body = job->served != NULL ? yk_buf_view(&job->served->body) : yk_buf_view(&answer->body);
    if (answer->status == 304)
        body = (struct yk_str){0};
    if (job->was_paced)
        yk__pace_note_bytes(job->web, body.len); /* first: the end of this turn may begin another one */
    yk__web_end_turn(job);
    YK_CLEANUP(yk_buf_done) struct yk_buf headers = {0};
    end_scrape(job);
    yk_server_stats_count(stats, job->route, answer->status,
                          yk_clock_mono_ns(job->clock) - job->came_mono_ns);
    yk__web_log_access(job, body.len);
    yk_answer_headers(answer, &headers);
    job->place = YK_JOB_SENDING;
    /* Not earlier: until the reply, the request body counts against the limits of the HTTP server. */
    yk_buf_done(&job->request.body);
    job->lent = job->served != NULL ? 0 : body.len;
    job->web->lent += job->lent;
    struct yk_http_reply reply = {
        .status = answer->status,
        .reason = yk_answer_reason(answer->status),
        .headers = yk_buf_view(&headers),
        .body = body,
        .release = on_released,
        .context = job,
    };
    yk_http_reply(yk_move(job->exchange), &reply);
}

/* ---- compression, a piece per turn of the loop ---- */

static void compress_on(evutil_socket_t fd, short what, void *context)
{
    struct yk_job *job = context;
    struct timeval at_once = {0};
    (void)fd, (void)what;
    bool done = yk_gzip_run(job->gzip, GZIP_SLICE);
    if (!done &&
        event_base_once(yk_io_base(job->web->options.io), -1, EV_TIMEOUT, compress_on, job, &at_once) == 0)
        return; /* the loop serves sockets before it calls this function again */
    while (!done)
        done = yk_gzip_run(job->gzip, GZIP_SLICE);
    yk_gzip_take(job->gzip, &job->answer.body);
    yk_gzip_free(yk_move(job->gzip));
    job->answer.gzipped = true;
    yk__web_send(job);
}

/* Whether the answer is complete without its body, because the client has it already. */
static bool is_known(struct yk_job *job)
{
    if (!job->has_validator || job->answer.status != 200 || job->answer.body.len > ETAG_BODY_MAX)
        return false;
    yk_etag_of(yk_buf_view(&job->answer.body), job->etag, sizeof(job->etag));
    yk__web_validate(job);
    return job->answer.status == 304;
}

static void complete(struct yk_job *job)
{
    if (is_known(job)) {
        yk__web_send(job);
        return;
    }
    if (job->request.gzip && !job->answer.gzipped && job->answer.body.len >= YK_GZIP_FROM) {
        yk__pace_note_compressed(job->web, job->answer.body.len);
        job->gzip = yk_gzip_new(&job->answer.body);
    }
    if (job->gzip != NULL)
        compress_on(-1, 0, job);
    else
        yk__web_send(job);
}

/* ---- streams ---- */

/* Whether the settings allow one more stream. Streams whose clients have gone are not counted. */
static bool may_stream(const struct yk_job *job)
{
    const struct yk_job *other;
    size_t all = 0, of_host = 0;
    yk_list_foreach (other, &job->web->open, struct yk_job, in_open) {
        if (!other->streaming || other->exchange->connection == NULL)
            continue;
        all++;
        of_host += strcmp(other->exchange->peer.address, job->exchange->peer.address) == 0;
    }
    return all < job->max_streams && of_host < job->max_streams_per_host;
}

static void end_stream(struct yk_job *job)
{
    job->web->stats.streams--;
    yk__web_log_access(job, job->streamed);
    yk_http_end(yk_move(job->exchange));
    yk__web_end_job(job);
}

static void on_piece(struct yk_job *job)
{
    struct yk_answer *answer = &job->answer;
    if (job->web->stopping && !job->ends) {
        yk_answer_error(answer, 200, "Event stream was closed by the producer");
        job->ends = true;
    }
    if (job->exchange->connection == NULL) {
        end_stream(job);
    } else if (answer->body.len > 0) {
        job->streamed += answer->body.len;
        yk_http_piece(job->exchange, yk_buf_view(&answer->body));
        yk_buf_clear(&answer->body);
    } else if (job->ends) {
        end_stream(job);
    } else {
        yk__web_post(job);
    }
}

/* Called when the socket has taken the piece, or the client has gone. */
static void on_taken(void *context)
{
    on_piece(context);
}

static void begin_stream(struct yk_job *job)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf headers = {0};
    job->streaming = true;
    job->web->stats.streams++;
    job->web->stats.streams_ever++;
    job->web->in_flight -= job->counted;
    job->counted = false;
    yk_server_stats_count(&job->web->stats, job->route, job->answer.status,
                          yk_clock_mono_ns(job->clock) - job->came_mono_ns);
    yk_answer_headers(&job->answer, &headers);
    struct yk_http_reply reply = {.status = job->answer.status,
                                  .reason = yk_answer_reason(job->answer.status),
                                  .headers = yk_buf_view(&headers)};
    job->exchange->ready = on_taken;
    job->exchange->context = job;
    yk_http_begin(job->exchange, &reply);
    on_piece(job);
}

/* ---- to the scheduling thread and back ---- */

/* Scheduling thread. */
static void start_rendering(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    if (job->web == NULL) {
        yk_job_free(job);
        return;
    }
    yk_mailbox_nothing_changed(job->web->options.inbox);
    yk_renderer_add(&job->web->renderer, job);
}

static void post_to_io(struct yk_job *job, void (*run)(struct yk_command *command));
static void on_rest(struct yk_command *command);

void yk__web_post(struct yk_job *job)
{
    if (job->rests) {
        post_to_io(job, on_rest);
        return;
    }
    job->command = (struct yk_command){.run = start_rendering, .drop = yk_job_drop};
    job->place = YK_JOB_UNDERWAY;
    yk_mailbox_post(job->web->options.inbox, &job->command);
    /* Pairs with yk_job_drop(), which the post has called if the mailbox is closed. */
    if (!atomic_load_explicit(&job->dropped, memory_order_acquire))
        return;
    job->place = YK_JOB_HERE;
    if (job->streaming) {
        end_stream(job);
        return;
    }
    if (job->route->is_long) {
        yk_answer_error(&job->answer, 503, "the scheduler is shutting down");
        yk__pour_refused(job);
        return;
    }
    yk_answer_error(&job->answer, 503, "the scheduler is shutting down");
    yk__web_send(job);
}

static void finish(struct yk_job *job)
{
    if (job->streaming) {
        on_piece(job);
        return;
    }
    yk_job_finish(job);
    if (job->guard != YK_GUARD_OPEN)
        yk_guard_log(job);
    if (job->route->is_long) {
        if (job->answer.status == 200)
            yk__pour(job, true);
        else
            yk__pour_refused(job);
        return;
    }
    bool is_admitted = job->guard == YK_GUARD_OPEN || job->admitted;
    if (job->route->is_stream && is_admitted && job->answer.status != 500 && !may_stream(job))
        yk_answer_error(&job->answer, 503, "Too many streaming connections");
    if (job->route->is_stream && job->answer.status == 200 && job->request.method == YK_METHOD_GET)
        begin_stream(job);
    else
        complete(job);
}

static void on_done(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    job->place = YK_JOB_HERE;
    finish(job);
}

/* Writes a piece with `rest` of the route. The next piece is written in another turn of the loop, or when the
 * socket has taken this piece. */
static void on_rest(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    job->place = YK_JOB_HERE;
    job->rests = true;
    if (job->route->rest(job) == YK_STEP_DONE)
        finish(job);
    else
        yk__pour(job, false);
}

/* Any thread. */
static void post_to_io(struct yk_job *job, void (*run)(struct yk_command *command))
{
    job->command = (struct yk_command){.run = run, .drop = yk_job_drop};
    job->place = YK_JOB_UNDERWAY;
    yk_io_post(job->web->options.io, &job->command);
}

static void on_piece_of_answer(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    job->place = YK_JOB_HERE;
    yk__pour(job, false);
}

static void wait_for_check(struct yk_job *job);
static void work_here(struct yk_job *job);

/* Called when the guard has allowed a request that the I/O thread answers, or whose answer may be shared. */
static void on_admitted(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    job->place = YK_JOB_HERE;
    yk__web_end_turn(job);
    if (job->route->is_shared)
        yk__share(job);
    else
        work_here(job);
}

static void on_check_wanted(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    job->place = YK_JOB_HERE;
    wait_for_check(job);
}

static void on_sort(struct yk_command *command)
{
    struct yk_job *job = YK_CONTAINER(command, struct yk_job, command);
    yk_job_sort(job);
    yk__web_post(job);
}

/* Scheduling thread. */
static void hand_back(struct yk_job *job, enum yk_step step)
{
    void (*run)(struct yk_command *) = step == YK_STEP_SORT    ? on_sort
                                       : step == YK_STEP_CHECK ? on_check_wanted
                                       : step == YK_STEP_ON_IO ? on_admitted
                                       : step == YK_STEP_PIECE ? on_piece_of_answer
                                       : step == YK_STEP_REST  ? on_rest
                                                               : on_done;
    post_to_io(job, run);
}

/* ---- a request arrives ---- */

/* Copies the X-Request-Id; answers without a route have it, too. */
static void take_request_id(struct yk_job *job, const struct yk_http_exchange *exchange)
{
    if (yk_answer_is_request_id(exchange->head.request_id))
        job->answer.request_id = yk_arena_str(&job->request.arena, exchange->head.request_id);
}

static void refuse(struct yk_job *job, int status)
{
    static const struct {
        int status;
        const char *text;
    } texts[] = {
        {400, "malformed request"},
        {417, "unknown expectation"},
        {431, "the request header is larger than 64 KiB"},
        {501, "unknown transfer encoding"},
        {503, "too many requests are being read, try again"},
        {505, "unknown version of HTTP"},
    };
    const char *text = yk_answer_reason(status);
    for (size_t i = 0; i < YK_COUNT(texts); i++)
        text = texts[i].status == status ? texts[i].text : text;
    yk_answer_error(&job->answer, status, text);
    job->answer.retry_later = status == 503;
    take_request_id(job, job->exchange);
    yk__web_send(job);
}

void yk__web_refuse_for_now(struct yk_job *job)
{
    yk_answer_error(&job->answer, 503, "too many requests are being answered, try again");
    job->answer.retry_later = true;
    yk__web_send(job);
}

/* ---- checks of configurations ---- */

static void wait_for_check(struct yk_job *job)
{
    if (!yk_checker_add(&job->web->checker, job))
        yk__web_refuse_for_now(job);
}

/* The client has gone. The request is not counted, because it has no answer. */
static void let_go(struct yk_job *job)
{
    yk__web_end_turn(job);
    yk_http_exchange_free(yk_move(job->exchange));
    yk__web_end_job(job);
}

static void on_checked(struct yk_job *job)
{
    bool is_dropped = atomic_load_explicit(&job->dropped, memory_order_acquire);
    if (is_dropped && job->exchange->connection == NULL) {
        let_go(job);
    } else if (is_dropped) {
        yk_answer_error(&job->answer, 503, "the scheduler is shutting down");
        yk__web_send(job);
    } else if (job->route->on_io) {
        yk_job_finish(job);
        complete(job);
    } else {
        yk__web_post(job);
    }
}

static void count(struct yk_job *job)
{
    job->counted = true;
    job->web->in_flight++;
    job->is_scrape = job->route->finish == yk__finish_metrics;
    job->web->stats.metrics_in_flight += job->is_scrape;
}

bool yk__web_has_turn_to_give(const struct yk_web *web)
{
    return web->waiting != NULL && web->long_running < YK_WEB_LONG_MAX;
}

bool yk__web_give_turn(struct yk_web *web)
{
    struct yk_job *job = web->waiting;
    if (!yk__web_has_turn_to_give(web))
        return false;
    web->waiting = job->next;
    if (web->waiting == NULL)
        web->last_waiting = &web->waiting;
    job->has_turn = true;
    web->long_running++;
    yk__web_post(job);
    return true;
}

/* Gives a turn if one is free, at the end of the pause. */
static void give_turn_in_time(struct yk_web *web)
{
    if (!yk__web_has_turn_to_give(web))
        return;
    if (yk__pace_left_ns(web) > 0)
        yk__pace_arm(web);
    else
        (void)yk__web_give_turn(web);
}

void yk__web_wait_for_turn(struct yk_job *job)
{
    job->next = NULL;
    *job->web->last_waiting = job;
    job->web->last_waiting = &job->next;
    give_turn_in_time(job->web);
}

static void work_here(struct yk_job *job)
{
    if (job->route->check != NULL) {
        wait_for_check(job);
        return;
    }
    enum yk_step step = job->route->work(job, INT64_MAX);
    if (!YK_ASSERT(step == YK_STEP_DONE))
        yk_answer_error(&job->answer, 500, "the answer is not complete");
    yk_job_finish(job);
    complete(job);
}

/* tells the scheduling thread that the client of a job has gone; the job may have ended meanwhile */
struct cancel {
    struct yk_command command; /* first */
    struct yk_web *web;
    uint64_t number;
};

static void drop_cancel(struct yk_command *command)
{
    free(command);
}

/* Scheduling thread. */
static void run_cancel(struct yk_command *command)
{
    const struct cancel *cancel = (const struct cancel *)(const void *)command;
    yk_mailbox_nothing_changed(cancel->web->options.inbox);
    yk_renderer_cancel(&cancel->web->renderer, cancel->number);
    free(command);
}

static void on_gone(void *context)
{
    const struct yk_job *job = context;
    struct cancel *cancel = yk_new0(struct cancel);
    *cancel = (struct cancel){{.run = run_cancel, .drop = drop_cancel}, job->web, job->number};
    yk_mailbox_post(job->web->options.inbox, &cancel->command);
}

/* ---- work begins ---- */

static void work(struct yk_job *job)
{
    if (!yk__pace_takes(job))
        yk__web_begin_work(job);
}

void yk__web_begin_work(struct yk_job *job)
{
    if (job->route->is_costly) {
        job->exchange->context = job;
        job->exchange->gone = on_gone;
    }
    if (job->route->on_io && job->guard == YK_GUARD_OPEN) {
        yk__pace_note_answer(job);
        work_here(job);
        return;
    }
    if (job->web->in_flight >= YK_WEB_IN_FLIGHT_MAX ||
        (job->route->is_long && job->web->lent >= YK_WEB_LENT_MAX)) {
        yk__web_refuse_for_now(job);
        return;
    }
    yk__pace_note_answer(job);
    count(job);
    if (job->route->is_shared && !job->is_alone && job->guard == YK_GUARD_OPEN)
        yk__share(job);
    else if (job->route->is_long)
        yk__web_wait_for_turn(job);
    else
        yk__web_post(job);
}

static bool may_enter(struct yk_job *job, const struct yk_http_exchange *exchange)
{
    const struct yk_http_peer *from = &exchange->peer;
    const struct yk_guard_peer peer = {
        .encrypted = from->encrypted,
        .local = from->local,
        .address = from->address,
        .caller = &from->caller,
        .authorization = exchange->head.authorization,
    };
    return job->guard == YK_GUARD_OPEN || yk_guard_take(job, &peer);
}

/* Whether the request has the credentials that it needs; a token is reviewed later. Comes before other
 * checks, so that a caller without credentials learns nothing from them. */
static bool is_let_in(struct yk_job *job)
{
    if (job->guard == YK_GUARD_READER && job->web->access == YK_WEB_ACCESS_UNKNOWN) {
        yk_answer_error(&job->answer, 503, "the scheduler is starting: its settings are not read yet");
        job->answer.retry_later = true;
        return false;
    }
    if (may_enter(job, job->exchange))
        return true;
    yk_guard_log(job);
    return false;
}

/* Whether equal requests get equal answers as long as nothing changes: those of the API, apart from streams,
 * the state dump, and the file of a recording. */
static bool may_have_validator(const struct yk_route *route)
{
    return route->method == YK_METHOD_GET && route->is_api && !route->is_stream && route->shape == NULL &&
           route->rest == NULL;
}

static bool route(struct yk_job *job, const struct yk_web *web, const struct yk_http_exchange *exchange)
{
    const struct yk_http_head *head = &exchange->head;
    take_request_id(job, exchange);
    if (!yk_job_route(job, head->method, head->target, head->accept, head->accept_encoding))
        return false;
    if (head->if_none_match.p != NULL)
        job->request.if_none_match = yk_arena_str(&job->request.arena, head->if_none_match);
    job->is_alone = head->no_cache;
    job->has_validator = may_have_validator(job->route) && !head->no_cache;
    job->guard = yk_access_guard(web->access, job->route);
    if (job->guard == YK_GUARD_LOCAL)
        job->guard = exchange->peer.local ? YK_GUARD_OPEN : YK_GUARD_CALLER;
    return true;
}

/* Whether a body is declared as JSON, if the route requires that. A page of another site can send a body
 * without permission, but not one that is declared as JSON. */
static bool is_declared(struct yk_job *job)
{
    struct yk_str type = job->exchange->head.content_type, name = {0};
    if (!job->route->wants_json)
        return true;
    if (type.p != NULL && yk_str_split(&type, ';', &name) &&
        yk_str_is_nocase(yk_str_trim(name), "application/json"))
        return true;
    yk_answer_error(&job->answer, 415, "the body has to be declared as application/json");
    return false;
}

/* A body is read only if the route takes one, and the request has credentials if the route is guarded. */
static struct yk_http_admission admit(void *context, const struct yk_http_exchange *exchange)
{
    YK_CLEANUP(yk_job_freep) struct yk_job *job = yk_job_new();
    struct yk_http_admission admission = {0};
    if (!route(job, context, exchange))
        return admission;
    admission.is_probe = job->route->is_probe;
    admission.body_max = may_enter(job, exchange) ? job->route->body_max : 0;
    return admission;
}

/* Answers a request whose body was refused: with 413, or with the error that the request would have without a
 * body. */
static void refuse_body(struct yk_job *job)
{
    if (route(job, job->web, job->exchange) && is_let_in(job)) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        size_t max = job->route->body_max;
        if (max == 0)
            yk_buf_text(&text, "this request takes no body");
        else
            yk_buf_printf(&text, "the request body is larger than %zu KiB", max >> 10);
        yk_answer_error(&job->answer, 413, yk_buf_cstr(&text));
    }
    yk__web_send(job);
}

static void on_request(void *context, struct yk_http_exchange *exchange)
{
    struct yk_web *web = context;
    struct yk_job *job = yk_job_new();
    job->web = web;
    job->simulation = web->options.simulation;
    job->number = ++web->numbers;
    job->exchange = exchange;
    job->stats = &web->stats;
    job->clock = web->options.clock;
    job->came_mono_ns = yk_clock_mono_ns(job->clock);
    memcpy(job->network, exchange->peer.network, sizeof(job->network));
    yk_list_append(&web->open, &job->in_open);
    if (exchange->refused == 413) {
        refuse_body(job);
        return;
    }
    if (exchange->refused != 0) {
        refuse(job, exchange->refused);
        return;
    }
    job->request.body = exchange->body;
    exchange->body = (struct yk_buf){0};
    if (route(job, job->web, job->exchange) && is_let_in(job) && is_declared(job))
        work(job);
    else
        yk__web_send(job);
}

/* ---- life ---- */

enum yk_status yk_web_start(const struct yk_web_options *options, struct yk_web **ret_web, struct yk_err *err)
{
    if (options->check_count > YK_WEB_CHECKS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu health checks, at most %d", options->check_count,
                       YK_WEB_CHECKS_MAX);
    YK_CLEANUP(yk_web_freep) struct yk_web *web = yk_new0(struct yk_web);
    web->options = *options;
    yk_list_init(&web->open);
    web->last_waiting = &web->waiting;
    if (options->check_count > 0)
        memcpy(web->stats.checks, options->checks, options->check_count * sizeof(*options->checks));
    web->stats.check_count = options->check_count;
    web->stats.routes = yk_routes;
    web->stats.route_count = yk_route_count;
    web->stats.put_more_metrics = options->put_more_metrics;
    web->stats.more_metrics_context = options->more_metrics_context;
    yk_guard_init(&web->guard, options->core, options->clock, options->backend);
    yk_renderer_init(&web->renderer, options->core, options->clock,
                     options->timers != NULL ? options->timers : options->core->timers, &web->guard,
                     hand_back);
    web->renderer.spent_ns = &web->stats.render_ns;
    web->renderer.is_writing = options->is_writing;
    web->renderer.is_writing_context = options->is_writing_context;
    web->renderer.actor = options->actor;
    yk__pace_init(web);
    if (options->whatif != NULL)
        web->renderer.whatif = *options->whatif;
    if (options->recording != NULL)
        web->renderer.recording = *options->recording;
    yk_checker_init(&web->checker, options->io, options->aside, on_checked);
    struct yk_http_options http = {
        .io = options->io,
        .address = options->bind_address,
        .port = options->port,
        .admit = admit,
        .handle = on_request,
        .context = web,
        .tls = options->tls,
    };
    enum yk_status st = yk_http_server_new(&http, &web->server, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "web server");
    yk_info(yk_log_rest, "listening",
            KV("address", options->bind_address != NULL ? options->bind_address : ""),
            KV("port", yk_http_server_port(web->server)));
    web->options.bind_address = NULL; /* borrowed for this call only */
    web->options.checks = NULL;
    web->options.backend = NULL;
    web->options.whatif = NULL;
    web->options.recording = NULL;
    web->tls = options->tls;
    web->access = options->access;
    *ret_web = yk_move(web);
    return YK_OK;
}

static void on_stop_timer(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    tell_stopped(context);
}

void yk_web_stop(struct yk_web *web, void (*done)(void *context), void *context)
{
    struct timeval in = {.tv_sec = STOP_SECONDS};
    if (web->stopping)
        return;
    web->stopping = true;
    web->stopped = done;
    web->stopped_context = context;
    yk_http_server_drain(web->server);
    yk__pace_end(web); /* begins the requests that waited */
    web->stop_timer = evtimer_new(yk_io_base(web->options.io), on_stop_timer, web);
    if (web->stop_timer == NULL || evtimer_add(web->stop_timer, &in) != 0 || yk_list_empty(&web->open))
        tell_stopped(web);
}

/* Frees the job, unless it is in a mailbox or the socket has its body: then it is freed with the mailbox, or
 * when the socket releases the body. */
static void abandon(struct yk_job *job)
{
    yk__pour_abandon(job);
    yk_list_remove(&job->in_open);
    yk_http_exchange_free(yk_move(job->exchange));
    job->web = NULL;
    bool is_elsewhere =
        job->place == YK_JOB_SENDING || (job->place == YK_JOB_UNDERWAY && !atomic_load(&job->dropped));
    if (!is_elsewhere)
        yk_job_free(job);
}

void yk_web_free(struct yk_web *web)
{
    if (web == NULL)
        return;
    web->stopped = NULL;
    yk_renderer_done(&web->renderer);
    yk_guard_done(&web->guard);
    yk_http_server_free(web->server);
    yk_tls_free(web->tls);
    struct yk_job *job;
    yk_list_foreach (job, &web->open, struct yk_job, in_open)
        abandon(job);
    yk_shelf_done(&web->shelf);
    if (web->pace_timer != NULL)
        event_free(web->pace_timer);
    if (web->stop_timer != NULL)
        event_free(web->stop_timer);
    free(web);
}

void yk_web_set_tls(struct yk_web *web, struct yk_tls *tls)
{
    struct yk_tls *before = web->tls;
    web->tls = tls;
    yk_http_server_set_tls(web->server, tls);
    yk_tls_free(before);
}

void yk_web_set_access(struct yk_web *web, enum yk_web_access access)
{
    web->access = access;
}

void yk_web_replied(struct yk_web *web, uint64_t ticket, const struct yk_backend_reply *reply)
{
    yk_renderer_replied(&web->renderer, ticket, reply);
}

uint16_t yk_web_port(const struct yk_web *web)
{
    return yk_http_server_port(web->server);
}
