/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/pod_status.h"

#include "api/encode.h"
#include "base/log.h"

#define CUT_HERE       " ..."
#define RETRY_FIRST_NS YK_NS_PER_S
#define RETRY_MAX_NS   (30 * YK_NS_PER_S)
#define QUIET_NS       YK_NS_PER_S /* for this time after a binding, pods count as being bound */
#define PACE_NS        (YK_NS_PER_S / YK_ANNOUNCED_PER_S)

enum { NOTE_MAX = 1024 };

/* A request to the API server. Freed when the request need not be sent again. */
struct update {
    struct yk_timer timer; /* first member */
    struct yk_list link;   /* in status->retrying while the timer runs */
    struct yk_pod_status *status;
    struct yk_op *op;     /* owned; the request to repeat when the timer fires; NULL: it is in flight */
    uint64_t told_before; /* if is_condition: work->condition_hash before the request */
    bool is_condition;    /* the request writes the condition PodScheduled */
    bool until_gone;      /* the request deletes a placeholder; it is repeated until the pod is gone */
    unsigned tries;       /* requests that failed temporarily */
};

static void pace_allows(struct yk_timer *timer)
{
    (void)timer; /* nothing to do: the thread calls yk_pod_status_run() after each timer */
}

void yk_pod_status_init(struct yk_pod_status *status, struct yk_api_server *api, struct yk_timers *timers,
                        struct yk_apps *apps, struct yk_recorder *events, const struct yk_clock *clock)
{
    *status =
        (struct yk_pod_status){.api = api, .timers = timers, .apps = apps, .events = events, .clock = clock};
    yk_list_init(&status->bound);
    yk_list_init(&status->news);
    yk_list_init(&status->retrying);
    yk_unschedulable_init(&status->unschedulable, apps, timers, clock);
    status->announce_at.fire = pace_allows;
    status->last_bind_mono_ns = INT64_MIN / 2; /* at first, no pods count as being bound */
}

static void update_free(struct update *update)
{
    yk_timer_cancel(update->status->timers, &update->timer);
    if (yk_list_linked(&update->link)) {
        yk_list_remove(&update->link);
        update->status->retrying_count -= !update->until_gone;
    }
    yk_op_free(update->op);
    free(update);
}

void yk_pod_status_stop(struct yk_pod_status *status)
{
    status->stopping = true;
    yk_timer_cancel(status->timers, &status->announce_at);
    while (!yk_list_empty(&status->retrying))
        update_free(yk_list_first(&status->retrying, struct update, link));
}

void yk_pod_status_done(struct yk_pod_status *status)
{
    yk_pod_status_stop(status);
    yk_unschedulable_done(&status->unschedulable);
}

/* ---- requests ---- */

static void tell(struct yk_pod_status *status, struct yk_task *task, unsigned tries);
static void again_due(struct yk_timer *timer);

static struct yk_op *op_for(struct yk_pod_status *status, enum yk_op_kind kind, const struct yk_task *task)
{
    struct update *update = yk_new0(struct update);
    update->timer.fire = again_due;
    update->status = status;
    yk_list_init(&update->link);
    struct yk_op *op = yk_op_new(kind, &(struct yk_op_target){.namespace_ = yk_cache_pod_namespace(task->pod),
                                                              .name = yk_cache_pod_name(task->pod),
                                                              .uid = yk_cache_pod_uid(task->pod)});
    op->context = update;
    return op;
}

/* The pod that a request is about; NULL: the cache does not have it any longer. */
static const struct yk_cache_pod *pod_of(const struct yk_pod_status *status, const struct yk_op *op)
{
    const struct yk_cache_pod *pod =
        yk_cache_find_pod(status->apps->cache, yk_str_from(op->namespace_), yk_str_from(op->name));
    return pod != NULL && yk_str_is(yk_cache_pod_uid(pod), op->uid) ? pod : NULL;
}

static struct yk_task *task_of(const struct yk_pod_status *status, const struct yk_op *op)
{
    const struct yk_cache_pod *pod = pod_of(status, op);
    return pod != NULL ? pod->task : NULL;
}

static void try_again_later(struct update *update, struct yk_op *op)
{
    struct yk_pod_status *status = update->status;
    int64_t delay_ns = update->tries > 5 ? RETRY_MAX_NS : RETRY_FIRST_NS << (update->tries - 1);
    update->op = op;
    yk_list_append(&status->retrying, &update->link);
    status->retrying_count += !update->until_gone; /* deletions do not count towards YK_STATUS_RETRYING_MAX */
    yk_timer_arm(status->timers, &update->timer, YK_MAX(delay_ns, op->retry_after_ns));
}

static bool may_pass(const struct yk_op *op)
{
    return op->result == YK_OP_RETRY || op->result == YK_OP_CONFLICT || op->result == YK_OP_UNAUTHORIZED;
}

/* Whether `op` is a deletion that need not be repeated. If the API server has accepted the deletion or
 * answered with a conflict, the cache says whether the pod is gone. An accepted deletion can be lost when a
 * database is restored from a backup. A conflict means that another pod has the name now, or that a webhook
 * has refused the deletion. */
static bool is_gone(const struct yk_pod_status *status, const struct yk_op *op)
{
    if (op->kind != YK_OP_DELETE_POD)
        return false;
    if (op->result == YK_OP_OK || op->result == YK_OP_CONFLICT) {
        const struct yk_cache_pod *pod = pod_of(status, op);
        return pod == NULL || (pod->flags & YK_POD_DELETING) != 0;
    }
    return op->result == YK_OP_NOT_FOUND || op->result == YK_OP_CANCELLED;
}

static bool is_refused(const struct yk_op *op)
{
    return op->result != YK_OP_OK && op->result != YK_OP_NOT_FOUND && op->result != YK_OP_CANCELLED;
}

/* The condition was not accepted: restores the state from before the request, so that the condition is
 * written again. */
static void take_back(const struct update *update, struct yk_task *task)
{
    if (task->work == NULL)
        return; /* the pod was bound meanwhile */
    task->work->condition_hash = update->told_before;
    yk_unschedulable_not_written(task);
}

static void answered(struct yk_op *op)
{
    struct update *update = op->context;
    struct yk_pod_status *status = update->status;
    status->in_flight--;
    struct yk_task *task = task_of(status, op);
    if (update->is_condition && op->result != YK_OP_OK && task != NULL)
        take_back(update, task);
    else if (update->is_condition && task != NULL)
        yk_unschedulable_accepted(task);
    if (update->until_gone && !is_gone(status, op) && !status->stopping) {
        if (++update->tries == YK_STATUS_TRIES_MAX)
            yk_warn(yk_log_shim_task, "placeholder is still there, its deletion is repeated",
                    KV("namespace", op->namespace_), KV("pod", op->name), KV("status", op->http_status),
                    KV("err", yk_op_reason(op)));
        try_again_later(update, op);
        return;
    }
    bool wanted = may_pass(op) && task != NULL && !status->stopping;
    if (wanted && ++update->tries < YK_STATUS_TRIES_MAX && status->retrying_count < YK_STATUS_RETRYING_MAX) {
        try_again_later(update, op);
        return;
    }
    if (update->is_condition && is_refused(op) && task != NULL)
        yk_unschedulable_refused(&status->unschedulable, task);
    if (is_refused(op))
        yk_warn(yk_log_shim_task, "pod could not be updated", KV("namespace", op->namespace_),
                KV("pod", op->name), KV("status", op->http_status), KV("err", yk_op_reason(op)));
    yk_op_free(op);
    update_free(update);
}

static void submit(struct yk_pod_status *status, struct yk_op *op)
{
    op->done = answered;
    status->in_flight++;
    yk_api_submit(status->api, op);
}

static void send_again(struct yk_pod_status *status, struct update *update)
{
    struct yk_op *op = yk_move(update->op);
    yk_op_forget_answer(op);
    yk_list_remove(&update->link);
    status->retrying_count -= !update->until_gone;
    submit(status, op);
}

/* Sends the request again if it still applies. The message of a condition is computed again. */
static void again_due(struct yk_timer *timer)
{
    struct update *update = (struct update *)(void *)timer;
    struct yk_pod_status *status = update->status;
    struct yk_task *task = task_of(status, update->op);
    if (update->until_gone) {
        if (is_gone(status, update->op))
            update_free(update);
        else
            send_again(status, update);
        return;
    }
    bool applies = task != NULL && (update->op->kind == YK_OP_DELETE_POD || task->pod->node == NULL);
    if (applies && !update->is_condition) {
        send_again(status, update);
        return;
    }
    unsigned tries = update->tries;
    update_free(update);
    if (applies && yk_task_waits(task))
        tell(status, task, tries);
}

void yk_pod_status_fail(struct yk_pod_status *status, struct yk_task *task, const char *reason,
                        const char *message)
{
    struct yk_op *op = op_for(status, YK_OP_PATCH_POD_STATUS, task);
    yk_encode_pod_failed(&op->body, op->uid, reason, message);
    submit(status, op);
}

static void told_of_preemption(struct yk_op *op)
{
    struct update *update = op->context;
    struct yk_pod_status *status = update->status;
    struct yk_op *removal =
        yk_op_new(YK_OP_DELETE_POD, &(struct yk_op_target){.namespace_ = yk_str_from(op->namespace_),
                                                           .name = yk_str_from(op->name),
                                                           .uid = yk_str_from(op->uid)});
    removal->context = update;
    yk_op_free(op);
    status->in_flight--;
    submit(status, removal);
}

void yk_pod_status_delete(struct yk_pod_status *status, struct yk_task *task)
{
    /* The condition of a placeholder would be of no use, so it is not written. */
    bool is_preempted = task->termination == YK_SI_PREEMPTED_BY_SCHEDULER && !task->is_placeholder;
    struct yk_op *op = op_for(status, is_preempted ? YK_OP_PATCH_POD_STATUS : YK_OP_DELETE_POD, task);
    ((struct update *)op->context)->until_gone = task->is_placeholder;
    if (!is_preempted) {
        submit(status, op);
        return;
    }
    yk_encode_disruption_target(&op->body, op->uid,
                                "yunikorn: preempting to accommodate a higher priority pod",
                                yk_clock_wall_ns(status->clock), task->pod->generation);
    op->done = told_of_preemption;
    status->in_flight++;
    yk_api_submit(status->api, op);
}

/* ---- why a pod waits ---- */

/* Writes the condition PodScheduled=False. The patch contains the version of the pod, so that the API server
 * refuses the patch if the pod has got a node meanwhile. */
static void write_condition(struct yk_pod_status *status, struct yk_task *task,
                            const struct yk_reason_text *words, unsigned tries)
{
    struct yk_op *op = op_for(status, YK_OP_PATCH_POD_STATUS, task);
    struct update *update = op->context;
    update->is_condition = true;
    update->told_before = task->work->condition_hash;
    update->tries = tries;
    const struct yk_condition_patch patch = {
        .uid = op->uid,
        .version = task->pod->version <= INT64_MAX ? task->pod->version : 0, /* larger numbers are hashes */
        .type = "PodScheduled",
        .status = "False",
        .reason = words->reason,
        .message = words->condition_message,
        .transition_wall_ns = task->work->condition_hash == 0 ? yk_clock_wall_ns(status->clock) : 0,
        .observed_generation = task->pod->generation,
    };
    yk_encode_pod_condition(&op->body, &patch);
    task->work->condition_hash =
        yk_task_condition_hash(yk_str_from(words->reason), yk_str_from(words->message));
    status->written++;
    submit(status, op);
}

/* Cuts the note to the length to which kube-scheduler cuts it, but between characters. */
static void cut_note(struct yk_buf *note)
{
    if (note->len <= NOTE_MAX)
        return;
    size_t len = NOTE_MAX - strlen(CUT_HERE);
    while (len > 0 && ((unsigned char)note->p[len] & 0xc0) == 0x80)
        len--;
    note->len = len;
    yk_buf_text(note, CUT_HERE);
}

static void write_event(struct yk_pod_status *status, const struct yk_task *task,
                        const struct yk_reason_text *words)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf note = {.max = YK_CONDITION_MESSAGE_BYTES_MAX + NOTE_MAX};
    struct yk_str key = yk_cache_pod_key(task->pod);
    const char *reason = words->is_skipped ? "PodUnschedulable" : "FailedScheduling";
    const char *action = words->is_skipped ? "PodUnschedulable" : "Scheduling";
    if (words->is_skipped)
        yk_buf_printf(&note, "Task " YK_STR_FMT ": ", YK_STR_ARG(key));
    yk_buf_text(&note, words->message);
    cut_note(&note);
    yk_recorder_pod_words(status->events, task->pod, !words->is_skipped, reason, action, yk_buf_cstr(&note),
                          words->shape);
}

/* Writes the reason why the task waits in a condition and an Event, as far as they are due. `tries`: requests
 * for the condition that have failed. */
static void tell(struct yk_pod_status *status, struct yk_task *task, unsigned tries)
{
    struct yk_reason_text words = yk_unschedulable_reason(&status->unschedulable, task);
    if (words.condition)
        write_condition(status, task, &words, tries);
    if (words.event)
        write_event(status, task, &words);
}

/* ---- reports ---- */

static void announce(struct yk_pod_status *status, const struct yk_task *task)
{
    const struct yk_cache_pod *pod = task->pod;
    char note[NOTE_MAX];
    if (pod->node == NULL)
        return;
    snprintf(note, sizeof(note), "Successfully assigned " YK_STR_FMT " to node %s",
             YK_STR_ARG(yk_cache_pod_key(pod)), yk_name_text(pod->node->name));
    const struct yk_regarding about = {"Pod", yk_cache_pod_namespace(pod), yk_cache_pod_name(pod),
                                       yk_cache_pod_uid(pod)};
    yk_recorder_add(status->events, &about, false, "Scheduled", "Scheduled", note, true);
}

void yk_pod_status_queue(struct yk_pod_status *status, struct yk_task *task)
{
    bool is_bound = task->state == YK_TASK_BOUND;
    struct yk_list *link = &task->in_bind;
    if (yk_list_linked(link) && !is_bound)
        return;
    if (yk_list_linked(link))
        yk_list_remove(link); /* the reason why the task has waited need not be reported any longer */
    yk_list_append(is_bound ? &status->bound : &status->news, link);
}

static bool has_capacity(const struct yk_pod_status *status, size_t requests)
{
    /* Events about nodes may be many at once, and pods do not wait for them. */
    size_t events = status->events->outstanding - status->events->outstanding_of_nodes;
    return status->in_flight < requests && events < requests * 2;
}

static struct yk_task *take_first(struct yk_list *list)
{
    struct yk_task *task = yk_list_first(list, struct yk_task, in_bind);
    yk_list_remove(&task->in_bind);
    return task;
}

static bool tell_why_some_wait(struct yk_pod_status *status, size_t requests, size_t max)
{
    yk_unschedulable_begin_slice(&status->unschedulable);
    bool more = yk_unschedulable_look(&status->unschedulable, &status->news);
    for (size_t i = 0; i < max && !yk_list_empty(&status->news) && has_capacity(status, requests) &&
                       yk_unschedulable_may_explain(&status->unschedulable);
         i++) {
        struct yk_task *task = take_first(&status->news);
        if (yk_task_waits(task))
            tell(status, task, 0);
    }
    return more || (!yk_list_empty(&status->news) && has_capacity(status, requests));
}

/* Whether no pods are being bound at present. While pods are being bound, Events would delay bindings. */
static bool is_quiet(struct yk_pod_status *status, const struct yk_binder *binder, int64_t now_ns)
{
    if (binder->bound != status->binds_seen)
        status->last_bind_mono_ns = now_ns;
    status->binds_seen = binder->bound;
    return binder->waiting_count == 0 && now_ns - status->last_bind_mono_ns >= QUIET_NS;
}

/* The time until the rate allows the next Scheduled Event. 0: it allows one now, which is counted. */
static int64_t wait_for_pace(struct yk_pod_status *status, bool binds_wait, int64_t now_ns)
{
    int64_t pace_ns = binds_wait ? 10 * PACE_NS : PACE_NS;
    int64_t next_ns = YK_MAX(status->announced_ns + pace_ns, now_ns - YK_ANNOUNCED_BURST * PACE_NS);
    if (next_ns > now_ns)
        return next_ns - now_ns;
    status->announced_ns = next_ns;
    return 0;
}

static bool announce_some(struct yk_pod_status *status, const struct yk_binder *binder, bool quiet,
                          size_t requests, size_t max)
{
    int64_t now_ns = yk_clock_mono_ns(status->clock);
    for (size_t i = 0; i < max && !yk_list_empty(&status->bound) && has_capacity(status, requests); i++) {
        int64_t wait_ns = quiet ? 0 : wait_for_pace(status, binder->waiting_count > 0, now_ns);
        if (wait_ns > 0) {
            yk_timer_arm(status->timers, &status->announce_at, wait_ns);
            return false;
        }
        struct yk_task *task = take_first(&status->bound);
        if (task->state == YK_TASK_BOUND)
            announce(status, task);
    }
    return !yk_list_empty(&status->bound) && has_capacity(status, requests);
}

bool yk_pod_status_run(struct yk_pod_status *status, const struct yk_binder *binder, size_t max)
{
    size_t requests = binder->waiting_count > 0 ? 1 : YK_STATUS_IN_FLIGHT_MAX;
    bool quiet = is_quiet(status, binder, yk_clock_mono_ns(status->clock));
    bool more = tell_why_some_wait(status, requests, max);
    return announce_some(status, binder, quiet, requests, max) || more;
}
