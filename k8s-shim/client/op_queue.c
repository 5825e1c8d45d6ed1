/* SPDX-License-Identifier: Apache-2.0 */
#include "client/op_queue.h"

#include "api/json_reader.h"
#include "api/server_status.h"
#include "base/list.h"
#include "base/log.h"
#include "client/op_request.h"
#include "metrics/durations.h"

enum {
    IN_FLIGHT_START = 64,
    IN_FLIGHT_MAX = 256,
    EVENTS_IN_FLIGHT_MAX = 4,
    CHANGES_IN_FLIGHT_MIN = 2,
    READS_IN_FLIGHT_MIN = 2,
    DROPPABLE_MAX = 1000,
    RETRIES_MAX = 10,
    ANSWER_MAX = 4 << 20, /* a ConfigMap is at most 1 MiB, and grows when escaped */
};

static const int64_t answer_timeout_ns = 30 * YK_NS_PER_S;
static const int64_t read_again_ns = YK_NS_PER_S;
static const int64_t retry_after_max_ns = 60 * YK_NS_PER_S;
static const int64_t stop_grace_ns = 5 * YK_NS_PER_S;

enum op_class { CLASS_READ, CLASS_BIND, CLASS_CHANGE, CLASS_EVENT, CLASS_LEASE, CLASS_COUNT };

struct job {
    struct yk_list link; /* in `waiting[class]`, `pausing` or `flying` of the queue */
    struct yk_op_queue *queue;
    struct yk_op *op; /* owned */
    enum op_class class;
    struct yk_transfer *transfer; /* NULL while the job is not in `flying` */
    struct yk_timer again;        /* armed while in `pausing` */
    uint64_t sequence;            /* number of the last start of the job; 0: not started */
    int tries;                    /* starts so far */
    struct yk_buf answer;         /* the body of the answer, if has_answer() */
};

struct yk_op_queue {
    struct yk_transport *transport; /* borrowed */
    struct yk_io_timers *timers;    /* borrowed */
    void (*done)(struct yk_op *op, void *context);
    void *context;
    const struct yk_fence *fence; /* borrowed; NULL: there is none */
    struct yk_token_bucket bucket;
    struct yk_timer token_timer; /* fires when the bucket has a token again */
    /* since when the next write has waited for a token; 0: no write waits for one */
    int64_t blocked_mono_ns;
    struct yk_durations throttled;
    /* armed by yk_op_queue_stop(); when it fires, the jobs in flight are cancelled */
    struct yk_timer grace;
    struct yk_list waiting[CLASS_COUNT], pausing, flying; /* to be sent; to be sent again later; in flight */
    unsigned flying_count[CLASS_COUNT];
    size_t droppable_waiting;
    uint64_t dropped;
    bool stopping;
    double window, window_max; /* how many jobs may be in flight, at least 1 */
    uint64_t sequence;         /* number of the last start of a job */
    /* `sequence` when the window was halved last; the window is not halved again when a job that was started
     * before that gets a 429 */
    uint64_t cut_sequence;
    double throttled_from; /* the window before it was halved; 0: it was not halved, or has this size again */
};

static void pump(struct yk_op_queue *queue);

static enum op_class class_of(const struct yk_op *op)
{
    switch (op->kind) {
    case YK_OP_BIND:
    case YK_OP_PATCH_VOLUME: /* a pod waits to be bound */
    case YK_OP_PATCH_CLAIM:
        return CLASS_BIND;
    case YK_OP_GET_CONFIG_MAP:
    case YK_OP_REVIEW_TOKEN:
    case YK_OP_REVIEW_ACCESS:
    case YK_OP_GET_SECRET:
    case YK_OP_GET_MUTATING_WEBHOOKS:
    case YK_OP_GET_VALIDATING_WEBHOOKS:
        return CLASS_READ;
    case YK_OP_PATCH_POD_STATUS:
    case YK_OP_DELETE_POD:
    case YK_OP_CREATE_POD:
    case YK_OP_PATCH_CONFIG_MAP:
    case YK_OP_UPDATE_SECRET:
    case YK_OP_CREATE_MUTATING_WEBHOOKS:
    case YK_OP_UPDATE_MUTATING_WEBHOOKS:
    case YK_OP_CREATE_VALIDATING_WEBHOOKS:
    case YK_OP_UPDATE_VALIDATING_WEBHOOKS:
        return CLASS_CHANGE;
    case YK_OP_CREATE_EVENT:
    case YK_OP_PATCH_EVENT:
        return CLASS_EVENT;
    case YK_OP_GET_LEASE:
    case YK_OP_CREATE_LEASE:
    case YK_OP_UPDATE_LEASE:
        return CLASS_LEASE;
    case YK_OP_KIND_COUNT:
        break;
    }
    return CLASS_EVENT;
}

static bool has_answer(const struct job *job)
{
    return yk_op_is_read(job->op->kind) || yk_op_has_object(job->op->kind);
}

static unsigned flying(const struct yk_op_queue *queue)
{
    unsigned sum = 0;
    for (int i = 0; i < CLASS_COUNT; i++)
        sum += queue->flying_count[i];
    return sum;
}

/* `job` is in no list. It is freed. */
static void give_back(struct job *job, enum yk_op_result result)
{
    struct yk_op_queue *queue = job->queue;
    struct yk_op *op = job->op;
    op->result = result;
    yk_buf_done(&job->answer);
    free(job);
    queue->done(op, queue->context);
}

static void cancel(struct job *job, const char *why)
{
    yk_list_remove(&job->link);
    yk_io_timer_cancel(job->queue->timers, &job->again);
    if (job->transfer != NULL) {
        yk_transfer_cancel(job->transfer);
        job->queue->flying_count[job->class]--;
    }
    (void)yk_fail(yk_op_err(job->op), YK_ERR_STATE, "%s", why);
    give_back(job, YK_OP_CANCELLED);
}

static void cancel_all(struct yk_list *jobs, const char *why)
{
    struct job *job;
    while ((job = yk_list_first(jobs, struct job, link)) != NULL)
        cancel(job, why);
}

/* ---- the window ---- */

static void widen(struct yk_op_queue *queue)
{
    /* The window grows only if it was full, because only then the success shows that the server can take
     * more. */
    if (flying(queue) + 1 < (unsigned)queue->window)
        return;
    queue->window = YK_MIN(queue->window + 1.0 / queue->window, queue->window_max);
    if (queue->throttled_from > 0 && queue->window >= queue->throttled_from) {
        yk_info(yk_log_client, "no longer throttled by the API server",
                KV("in_flight", (int64_t)queue->window));
        queue->throttled_from = 0;
    }
}

static void narrow(struct yk_op_queue *queue, const struct job *job, int64_t retry_after_ns)
{
    if (job->sequence <= queue->cut_sequence)
        return;
    queue->cut_sequence = queue->sequence;
    if (queue->throttled_from <= 0) {
        queue->throttled_from = queue->window;
        yk_warn(yk_log_client, "throttled by the API server, sending fewer requests at once",
                KV("in_flight", (int64_t)(queue->window / 2)), KV("retry_after_ns", retry_after_ns));
    }
    queue->window = YK_MAX(queue->window / 2, 1.0);
}

/* ---- answers ---- */

static void again_due(struct yk_timer *timer)
{
    struct job *job = YK_CONTAINER(timer, struct job, again);
    yk_list_remove(&job->link);
    yk_list_prepend(&job->queue->waiting[job->class], &job->link); /* first, because it was sent before */
    if (job->op->droppable)
        job->queue->droppable_waiting++;
    pump(job->queue);
}

/* The time to wait before the queue sends `job` again; -1: it is not sent again, and the caller gets the
 * result. */
static int64_t again_in_ns(const struct job *job, const struct yk_http_answer *answer)
{
    if (job->tries > RETRIES_MAX || job->queue->stopping || job->class == CLASS_LEASE)
        return -1;
    if ((answer->http_status == 429 || answer->http_status >= 500) && answer->retry_after_ns > 0)
        return YK_MIN(answer->retry_after_ns, retry_after_max_ns);
    if (answer->http_status == 0 && job->op->kind == YK_OP_GET_CONFIG_MAP)
        return read_again_ns; /* not for reviews: an HTTP client waits for their results */
    return -1;
}

static enum yk_op_result explain(struct yk_op *op, const struct yk_http_answer *answer)
{
    if (answer->http_status == 0) {
        *yk_op_err(op) = answer->error;
        return YK_OP_RETRY;
    }
    struct yk_server_status status = {.code = 0};
    bool is_status = yk_server_status_read(YK_WIRE_JSON, answer->body, &status, NULL) == YK_OK;
    if (is_status && yk_str_eq(status.reason, status.message)) /* such as "Unauthorized" */
        (void)yk_fail(yk_op_err(op), YK_ERR_STATE, YK_STR_FMT, YK_STR_ARG(status.reason));
    else if (is_status)
        (void)yk_fail(yk_op_err(op), YK_ERR_STATE, YK_STR_FMT ": " YK_STR_FMT, YK_STR_ARG(status.reason),
                      YK_STR_ARG(status.message));
    else
        (void)yk_fail(yk_op_err(op), YK_ERR_STATE, "HTTP %d", answer->http_status);
    if (op->retry_after_ns == 0)
        op->retry_after_ns = status.retry_after_s * YK_NS_PER_S;
    enum yk_op_result result = yk_op_classify(answer->http_status, status.reason);
    yk_server_status_done(&status);
    return result;
}

static enum yk_op_result read_review(struct job *job)
{
    struct yk_err *err = yk_op_err(job->op);
    if (job->answer.failed)
        (void)yk_fail(err, YK_ERR_LIMIT, "TokenReview: the answer is larger than %d bytes", ANSWER_MAX);
    else if (yk_token_review_read(yk_buf_view(&job->answer), &job->op->review, err) == YK_OK)
        return YK_OP_OK;
    return YK_OP_INVALID;
}

static enum yk_op_result take_object(struct job *job)
{
    if (job->answer.failed) {
        (void)yk_fail(yk_op_err(job->op), YK_ERR_LIMIT, "'%s/%s': the answer is larger than %d bytes",
                      job->op->namespace_ != NULL ? job->op->namespace_ : "",
                      job->op->name != NULL ? job->op->name : "", ANSWER_MAX);
        return YK_OP_INVALID;
    }
    job->op->answer = job->answer;
    job->answer = (struct yk_buf){.p = NULL};
    return YK_OP_OK;
}

static enum yk_op_result read_answer(struct job *job)
{
    struct yk_err err = {0};
    if (job->op->kind == YK_OP_REVIEW_TOKEN)
        return read_review(job);
    if (yk_op_has_object(job->op->kind) || job->op->kind == YK_OP_REVIEW_ACCESS)
        return take_object(job);
    if (!job->answer.failed &&
        yk_object_from_json(YK_KIND_CONFIG_MAP, yk_buf_view(&job->answer), &job->op->object, &err) == YK_OK)
        return YK_OP_OK;
    if (job->answer.failed)
        (void)yk_fail(&err, YK_ERR_LIMIT, "the answer is larger than %d bytes", ANSWER_MAX);
    (void)yk_fail_in(&err, YK_ERR_INVALID, "config map '%s/%s'", job->op->namespace_, job->op->name);
    *yk_op_err(job->op) = err;
    return YK_OP_INVALID;
}

static void answered(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context)
{
    (void)transfer;
    struct job *job = context;
    struct yk_op_queue *queue = job->queue;
    job->transfer = NULL;
    yk_list_remove(&job->link);
    queue->flying_count[job->class]--;
    job->op->http_status = answer->http_status;
    job->op->retry_after_ns = answer->retry_after_ns;
    bool is_success = answer->http_status >= 200 && answer->http_status <= 299;
    if (is_success)
        widen(queue);
    if (answer->http_status == 429)
        narrow(queue, job, answer->retry_after_ns);

    int64_t again_ns = again_in_ns(job, answer);
    if (again_ns >= 0) {
        yk_list_append(&queue->pausing, &job->link);
        yk_io_timer_arm(queue->timers, &job->again, again_ns);
    } else if (!is_success) {
        give_back(job, explain(job->op, answer));
    } else if (!has_answer(job)) {
        give_back(job, YK_OP_OK);
    } else if (!answer->complete) {
        *yk_op_err(job->op) = answer->error;
        give_back(job, YK_OP_RETRY);
    } else {
        give_back(job, read_answer(job));
    }
    pump(queue);
}

static enum yk_chunk take_answer(struct yk_transfer *transfer, struct yk_str bytes, void *context)
{
    (void)transfer;
    struct job *job = context;
    yk_buf_str(&job->answer, bytes);
    return YK_CHUNK_GO_ON;
}

/* ---- sending ---- */

static void start(struct job *job)
{
    struct yk_op_queue *queue = job->queue;
    struct yk_buf path = {0};
    struct yk_k8s_request request = {.lane = YK_LANE_REQUESTS,
                                     .accept = "application/json",
                                     .timeout_ns =
                                         job->op->timeout_ns > 0 ? job->op->timeout_ns : answer_timeout_ns,
                                     .on_done = answered,
                                     .context = job};
    yk_op_request(job->op, &path, &request);
    if (has_answer(job))
        request.on_data = take_answer;
    yk_buf_done(&job->answer);
    job->answer.max = ANSWER_MAX;
    job->tries++;
    job->sequence = ++queue->sequence;
    yk_list_remove(&job->link);
    if (job->op->droppable)
        queue->droppable_waiting--;
    yk_list_append(&queue->flying, &job->link);
    queue->flying_count[job->class]++;
    job->transfer = yk_transport_start(queue->transport, &request);
    yk_buf_done(&path);
}

static struct job *pick(const struct yk_op_queue *queue)
{
    struct job *read = yk_list_first(&queue->waiting[CLASS_READ], struct job, link);
    struct job *bind = yk_list_first(&queue->waiting[CLASS_BIND], struct job, link);
    struct job *change = yk_list_first(&queue->waiting[CLASS_CHANGE], struct job, link);
    struct job *event = yk_list_first(&queue->waiting[CLASS_EVENT], struct job, link);
    if (read != NULL && queue->flying_count[CLASS_READ] < READS_IN_FLIGHT_MIN)
        return read;
    if (change != NULL && (bind == NULL || queue->flying_count[CLASS_CHANGE] < CHANGES_IN_FLIGHT_MIN))
        return change;
    if (bind != NULL)
        return bind;
    if (read != NULL)
        return read;
    return event != NULL && queue->flying_count[CLASS_EVENT] < EVENTS_IN_FLIGHT_MAX ? event : NULL;
}

static void cancel_waiting(struct job *job, const char *why)
{
    if (job->op->droppable)
        job->queue->droppable_waiting--;
    cancel(job, why);
}

/* A write has got its token: records how long it has been the next one to get a token. */
static void count_throttled(struct yk_op_queue *queue)
{
    if (queue->blocked_mono_ns != 0)
        yk_durations_observe(&queue->throttled, yk_io_timers_now_ns(queue->timers) - queue->blocked_mono_ns);
    queue->blocked_mono_ns = 0;
}

/* Sends reads while the next write waits for a token. */
static void start_reads(struct yk_op_queue *queue)
{
    struct job *job;
    while (flying(queue) < (unsigned)queue->window &&
           (job = yk_list_first(&queue->waiting[CLASS_READ], struct job, link)) != NULL)
        start(job);
}

static void pump(struct yk_op_queue *queue)
{
    struct job *job;
    while (flying(queue) < (unsigned)queue->window && (job = pick(queue)) != NULL) {
        if (!yk_fence_lets(queue->fence, job->op->kind, yk_io_timers_now_ns(queue->timers))) {
            cancel_waiting(job, "this scheduler does not lead");
            continue;
        }
        bool is_write = !yk_op_is_read(job->op->kind);
        int64_t wait_ns =
            is_write ? yk_token_bucket_take(&queue->bucket, yk_io_timers_now_ns(queue->timers)) : 0;
        if (wait_ns > 0) {
            if (queue->blocked_mono_ns == 0)
                queue->blocked_mono_ns = yk_io_timers_now_ns(queue->timers);
            yk_io_timer_arm(queue->timers, &queue->token_timer, wait_ns);
            start_reads(queue);
            return;
        }
        if (is_write)
            count_throttled(queue);
        start(job);
    }
}

void yk_op_queue_put_metrics(const struct yk_op_queue *queue, struct yk_buf *out)
{
    struct yk_metric_lines lines = yk_metric_begin(&yk_metric_api_throttle, out);
    yk_durations_put(&queue->throttled, &lines, "");
}

static void token_due(struct yk_timer *timer)
{
    pump(YK_CONTAINER(timer, struct yk_op_queue, token_timer));
}

static void refuse(struct yk_op_queue *queue, struct yk_op *op, const char *why)
{
    (void)yk_fail(yk_op_err(op), YK_ERR_STATE, "%s", why);
    op->result = YK_OP_CANCELLED;
    queue->done(op, queue->context);
}

void yk_op_queue_submit(struct yk_op_queue *queue, struct yk_op *op)
{
    if (queue->stopping) {
        refuse(queue, op, "shutting down");
        return;
    }
    if (op->droppable && queue->droppable_waiting >= DROPPABLE_MAX) {
        if (queue->dropped++ % DROPPABLE_MAX == 0)
            yk_warn(yk_log_client, "too many events are waiting, dropping new ones",
                    KV("dropped", queue->dropped));
        refuse(queue, op, "too many best-effort operations are waiting");
        return;
    }
    struct job *job = yk_new0(struct job);
    job->queue = queue;
    job->op = op;
    job->class = class_of(op);
    job->again.fire = again_due;
    if (op->droppable)
        queue->droppable_waiting++;
    yk_list_append(&queue->waiting[job->class], &job->link);
    if (job->class == CLASS_LEASE)
        start(job); /* renewing the Lease comes before all other requests */
    else
        pump(queue);
}

/* ---- life cycle ---- */

static void grace_over(struct yk_timer *timer)
{
    struct yk_op_queue *queue = YK_CONTAINER(timer, struct yk_op_queue, grace);
    cancel_all(&queue->flying, "shutting down, the answer was not waited for");
}

void yk_op_queue_stop(struct yk_op_queue *queue)
{
    if (queue->stopping)
        return;
    queue->stopping = true;
    yk_io_timer_cancel(queue->timers, &queue->token_timer);
    for (int i = 0; i < CLASS_COUNT; i++)
        cancel_all(&queue->waiting[i], "shutting down");
    cancel_all(&queue->pausing, "shutting down");
    yk_io_timer_arm(queue->timers, &queue->grace, stop_grace_ns);
}

enum yk_status yk_op_queue_set_limits(struct yk_op_queue *queue, int64_t qps, int64_t burst,
                                      struct yk_err *err)
{
    enum yk_status st =
        yk_token_bucket_init(&queue->bucket, qps, burst, yk_io_timers_now_ns(queue->timers), err);
    if (st == YK_OK)
        pump(queue);
    return st;
}

enum yk_status yk_op_queue_new(struct yk_transport *transport, struct yk_io_timers *timers,
                               const struct yk_op_queue_options *options, struct yk_op_queue **ret_queue,
                               struct yk_err *err)
{
    struct yk_token_bucket bucket;
    enum yk_status st =
        yk_token_bucket_init(&bucket, options->qps, options->burst, yk_io_timers_now_ns(timers), err);
    if (st != YK_OK)
        return st;
    struct yk_op_queue *queue = yk_new0(struct yk_op_queue);
    queue->transport = transport;
    queue->timers = timers;
    queue->done = options->done;
    queue->context = options->context;
    queue->fence = options->fence;
    queue->bucket = bucket;
    queue->window_max = options->in_flight_max > 0 ? options->in_flight_max : IN_FLIGHT_MAX;
    queue->window =
        YK_MIN((double)(options->in_flight > 0 ? options->in_flight : IN_FLIGHT_START), queue->window_max);
    queue->token_timer.fire = token_due;
    queue->grace.fire = grace_over;
    for (int i = 0; i < CLASS_COUNT; i++)
        yk_list_init(&queue->waiting[i]);
    yk_list_init(&queue->pausing);
    yk_list_init(&queue->flying);
    *ret_queue = queue;
    return YK_OK;
}

void yk_op_queue_free(struct yk_op_queue *queue)
{
    if (queue == NULL)
        return;
    queue->stopping = true;
    for (int i = 0; i < CLASS_COUNT; i++)
        cancel_all(&queue->waiting[i], "shutting down");
    cancel_all(&queue->pausing, "shutting down");
    cancel_all(&queue->flying, "shutting down");
    yk_io_timer_cancel(queue->timers, &queue->token_timer);
    yk_io_timer_cancel(queue->timers, &queue->grace);
    free(queue);
}
