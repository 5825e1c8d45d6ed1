/* SPDX-License-Identifier: Apache-2.0 */
#include "bind/pod_status.h"

#include "base/json_writer.h"
#include "base/log.h"
#include "predicates/explain.h"

#define EXPLANATION_NS YK_NS_PER_S

enum { MESSAGE_MAX = 32 << 10, NOTE_MAX = 1024 };

void yk_pod_status_init(struct yk_pod_status *status, struct yk_api_server *api, struct yk_apps *apps,
                        struct yk_recorder *events, const struct yk_clock *clock)
{
    *status = (struct yk_pod_status){.api = api, .apps = apps, .events = events, .clock = clock};
    yk_list_init(&status->news);
}

static void drop_explanation(struct yk_pod_status *status, struct yk_explanation *kept)
{
    yk_size_put(&status->apps->cache->sizes, kept->size);
    free(kept->text);
    *kept = (struct yk_explanation){.size = NULL};
}

void yk_pod_status_done(struct yk_pod_status *status)
{
    for (size_t i = 0; i < YK_EXPLANATIONS_KEPT; i++)
        drop_explanation(status, &status->explanations[i]);
}

/* ---- requests ---- */

static struct yk_op *op_for(struct yk_pod_status *status, enum yk_op_kind kind, const struct yk_task *task)
{
    struct yk_op *op = yk_op_new(kind);
    op->namespace_ = yk_str_dup(yk_cache_pod_namespace(task->pod));
    op->name = yk_str_dup(yk_cache_pod_name(task->pod));
    op->uid = yk_str_dup(yk_cache_pod_uid(task->pod));
    op->context = status;
    return op;
}

/* A condition is rewritten when it is reported again; a pod that is to go is asked for again by the core's
 * next word. */
static void answered(struct yk_op *op)
{
    struct yk_pod_status *status = op->context;
    status->in_flight--;
    if (op->result != YK_OP_OK && op->result != YK_OP_NOT_FOUND && op->result != YK_OP_CANCELLED)
        yk_warn(yk_log_shim_task, "pod could not be updated", KV("namespace", (const char *)op->namespace_),
                KV("pod", (const char *)op->name), KV("status", op->http_status),
                KV("err", (const char *)op->reason.text));
    yk_op_free(op);
}

static void submit(struct yk_pod_status *status, struct yk_op *op)
{
    op->done = answered;
    status->in_flight++;
    yk_api_submit(status->api, op);
}

static void put(struct yk_buf *body, const char *key, struct yk_str value)
{
    yk_json_put_string(body, yk_str_from(key));
    yk_buf_char(body, ':');
    yk_json_put_string(body, value);
}

/* `now_wall_ns` 0: the status of the condition does not change, nor does its time. */
static void put_condition(struct yk_buf *body, const char *type, const char *status, const char *reason,
                          struct yk_str message, int64_t now_wall_ns)
{
    yk_buf_text(body, "{\"status\":{\"conditions\":[{");
    put(body, "type", yk_str_from(type));
    yk_buf_char(body, ',');
    put(body, "status", yk_str_from(status));
    if (now_wall_ns != 0) {
        char text[YK_TIME_TEXT_MAX];
        yk_time_format(now_wall_ns, 0, text);
        yk_buf_char(body, ',');
        put(body, "lastTransitionTime", yk_str_from(text));
    }
    yk_buf_char(body, ',');
    put(body, "reason", yk_str_from(reason));
    yk_buf_char(body, ',');
    put(body, "message", message);
    yk_buf_text(body, "}]}}");
}

void yk_pod_status_fail(struct yk_pod_status *status, struct yk_task *task, const char *reason,
                        const char *message)
{
    struct yk_op *op = op_for(status, YK_OP_PATCH_POD_STATUS, task);
    yk_buf_text(&op->body, "{\"status\":{\"phase\":\"Failed\",");
    put(&op->body, "reason", yk_str_from(reason));
    yk_buf_char(&op->body, ',');
    put(&op->body, "message", yk_str_from(message));
    yk_buf_text(&op->body, "}}");
    submit(status, op);
}

static void told_of_preemption(struct yk_op *op)
{
    struct yk_pod_status *status = op->context;
    struct yk_op *removal = yk_op_new(YK_OP_DELETE_POD);
    removal->namespace_ = yk_move(op->namespace_);
    removal->name = yk_move(op->name);
    removal->uid = yk_move(op->uid);
    removal->context = status;
    yk_op_free(op);
    status->in_flight--;
    submit(status, removal);
}

void yk_pod_status_delete(struct yk_pod_status *status, struct yk_task *task)
{
    if (task->termination != YK_SI_PREEMPTED_BY_SCHEDULER) {
        submit(status, op_for(status, YK_OP_DELETE_POD, task));
        return;
    }
    struct yk_op *op = op_for(status, YK_OP_PATCH_POD_STATUS, task);
    put_condition(&op->body, "DisruptionTarget", "True", "PreemptionByScheduler",
                  YK_STR("yunikorn: preempting to accommodate a higher priority pod"),
                  yk_clock_wall_ns(status->clock));
    op->done = told_of_preemption;
    status->in_flight++;
    yk_api_submit(status->api, op);
}

/* ---- why a pod waits ---- */

/* Pods of one class and size have the same explanation; it is made at most once a second. */
static const char *explanation(struct yk_pod_status *status, const struct yk_task *task)
{
    int64_t now_ns = yk_clock_mono_ns(status->clock);
    struct yk_size *size = task->pod->size;
    uint64_t slot = yk_hash_u64(size->hash ^ task->class_) % YK_EXPLANATIONS_KEPT;
    struct yk_explanation *kept = &status->explanations[slot];
    bool fresh = now_ns - kept->made_mono_ns < EXPLANATION_NS;
    if (kept->text != NULL && kept->class_ == task->class_ && kept->size == size && fresh)
        return kept->text;
    struct yk_buf text = {.max = MESSAGE_MAX};
    yk_explain(&status->apps->classes, task->class_, size, &text);
    drop_explanation(status, kept);
    *kept = (struct yk_explanation){task->class_, yk_size_ref(size), now_ns, yk_buf_take(&text)};
    return kept->text;
}

static void write_condition(struct yk_pod_status *status, struct yk_task *task)
{
    bool skipped = task->wait == YK_SI_STATE_SKIPPED;
    const char *reason = skipped ? "SchedulingSkipped" : "Unschedulable";
    const char *message = skipped ? "pod is skipped from scheduling because the queue quota has been exceeded"
                                  : explanation(status, task);
    uint64_t told = yk_task_condition_hash(yk_str_from(reason), yk_str_from(message));
    if (told == task->told)
        return;
    struct yk_op *op = op_for(status, YK_OP_PATCH_POD_STATUS, task);
    put_condition(&op->body, "PodScheduled", "False", reason, yk_str_from(message),
                  task->told == 0 ? yk_clock_wall_ns(status->clock) : 0);
    task->told = told;
    status->written++;
    submit(status, op);
}

/* ---- news ---- */

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
    if (!yk_list_linked(&task->in_bind))
        yk_list_append(&status->news, &task->in_bind);
}

static bool has_room(const struct yk_pod_status *status, size_t requests)
{
    return status->in_flight < requests && status->events->outstanding < requests * 2;
}

bool yk_pod_status_run(struct yk_pod_status *status, bool busy, size_t max)
{
    size_t requests = busy ? 1 : YK_STATUS_IN_FLIGHT_MAX;
    for (size_t i = 0; i < max && !yk_list_empty(&status->news) && has_room(status, requests); i++) {
        struct yk_task *task = yk_list_first(&status->news, struct yk_task, in_bind);
        yk_list_remove(&task->in_bind);
        if (task->state == YK_TASK_BOUND)
            announce(status, task);
        else if (task->state == YK_TASK_SCHEDULING)
            write_condition(status, task);
    }
    return !yk_list_empty(&status->news) && has_room(status, requests);
}
