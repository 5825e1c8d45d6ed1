/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: each one is performed or refused after a delay, and answered after a further delay. */
#include "simulate/cluster_priv.h"

#include "api/json_reader.h"

struct flight {
    struct yk_list link;
    struct yk_cluster *cluster;
    struct yk_op *op;      /* owned until done() is called */
    struct yk_timer timer; /* when the request is performed, then when it is answered */
    /* the request was performed, refused or cancelled; only the answer is missing */
    bool arrived;
};

static void answer(struct yk_op *op, int http_status, const char *format, ...) YK_PRINTF(3, 4);
static void answer(struct yk_op *op, int http_status, const char *format, ...)
{
    op->http_status = http_status;
    op->result = yk_sim_result_of(http_status);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(yk_op_err(op)->text, YK_ERR_TEXT_MAX, format, args); /* a long text is cut */
    va_end(args);
}

static void answer_ok(struct yk_op *op, int http_status)
{
    op->http_status = http_status;
    op->result = YK_OP_OK;
}

/* The pod that the request names. NULL: there is no such pod, or it has another UID; the request has then got
 * its answer. */
static struct yk_sim_entry *pod_of(struct yk_cluster *cluster, struct yk_op *op)
{
    struct yk_sim_entry *pod =
        yk__find(cluster, YK_KIND_POD, yk_str_from(op->namespace_), yk_str_from(op->name));
    if (pod == NULL) {
        answer(op, 404, "NotFound: pods \"%s\" not found", op->name);
        return NULL;
    }
    if (op->uid != NULL && op->uid[0] != '\0' && !yk_str_is(pod->object->uid, op->uid)) {
        answer(op, 409,
               "Conflict: pods \"%s\": the UID in the precondition (%s) does not match the UID in record",
               op->name, op->uid);
        return NULL;
    }
    return pod;
}

/* Whether the pod cannot be bound; the request has then got its answer. */
static bool refuse_bind(struct yk_sim_entry *entry, struct yk_op *op)
{
    const struct yk_pod *pod = yk__pod_of(entry);
    if (!yk_str_empty(pod->node_name)) {
        if (!yk_str_is(pod->node_name, op->node))
            yk__ledger_double_bind(entry, op->node);
        answer(op, 409, "Conflict: pod %s is already assigned to node \"" YK_STR_FMT "\"", op->name,
               YK_STR_ARG(pod->node_name));
        return true;
    }
    if (pod->object.deleting) {
        answer(op, 409, "Conflict: pod %s is being deleted, cannot be assigned to a host", op->name);
        return true;
    }
    if (pod->scheduling_gate_count > 0) {
        answer(op, 409, "Conflict: pod %s has non-empty .spec.schedulingGates", op->name);
        return true;
    }
    return false;
}

static void bind_pod(struct yk_cluster *cluster, struct yk_op *op)
{
    struct yk_sim_entry *entry = pod_of(cluster, op);
    if (entry == NULL || refuse_bind(entry, op)) {
        cluster->stats.bind_refusals++;
        return;
    }
    struct yk_object *draft = yk__draft(entry);
    yk_sim_pod_set_node(yk_pod_of(draft), yk_str_from(op->node));
    yk_sim_pod_set_condition(yk_pod_of(draft),
                             &(struct yk_condition){YK_STR("PodScheduled"), YK_STR("True"), {0}, {0}});
    yk__commit(entry, draft);
    cluster->stats.binds++;
    yk__ledger_pod_on_node(entry, true);
    yk__observe(cluster, YK_POD_BOUND, entry);
    yk__kubelet_bound(entry);
    answer_ok(op, 201);
}

static void patch_pod_status(struct yk_cluster *cluster, struct yk_op *op)
{
    struct yk_sim_entry *entry = pod_of(cluster, op);
    if (entry == NULL)
        return;
    struct yk_object *draft = yk__draft(entry);
    struct yk_err err;
    enum yk_status status = yk__pod_status_patch(yk_pod_of(draft), yk_buf_view(&op->body), &err);
    if (status != YK_OK) {
        yk_object_free(draft);
        answer(op, status == YK_ERR_STATE ? 409 : 422, "%s: %s",
               status == YK_ERR_STATE ? "Conflict" : "Invalid", err.text);
        return;
    }
    bool had_ended = yk_pod_has_ended(yk__pod_of(entry));
    yk__commit(entry, draft);
    if (yk_str_is(yk__pod_of(entry)->phase, "Failed") && entry->failure == NULL)
        entry->failure = yk__pod_status_message(yk_buf_view(&op->body));
    cluster->stats.status_patches++;
    if (!had_ended)
        yk__kubelet_status_written(entry);
    answer_ok(op, 200);
}

static void delete_pod(struct yk_cluster *cluster, struct yk_op *op)
{
    struct yk_sim_entry *entry = pod_of(cluster, op);
    if (entry == NULL)
        return;
    cluster->stats.deletes++;
    const struct yk_pod *pod = yk__pod_of(entry);
    if (!yk_str_empty(pod->node_name) && !pod->object.deleting && !yk_pod_has_ended(pod))
        yk__observe(cluster, YK_POD_EVICTED, entry);
    yk__kubelet_delete(entry);
    answer_ok(op, 200);
}

static void create_pod(struct yk_cluster *cluster, struct yk_op *op)
{
    struct yk_object *pod = NULL;
    struct yk_err err;
    if (yk_object_from_json(YK_KIND_POD, yk_buf_view(&op->body), &pod, &err) != YK_OK) {
        answer(op, 422, "Invalid: %s", err.text);
        return;
    }
    if (yk_str_empty(pod->namespace_))
        pod->namespace_ = yk_arena_str(&pod->arena, yk_str_from(op->namespace_));
    if (yk_str_empty(yk_pod_of(pod)->phase))
        yk_sim_pod_set_phase(yk_pod_of(pod), "Pending");
    if (yk_str_empty(pod->name) || !yk_str_is(pod->namespace_, op->namespace_)) {
        yk_object_free(pod);
        answer(op, 422, "Invalid: a pod without a name, or of another namespace than the request's");
        return;
    }
    if (yk__create(cluster, pod, cluster->options.run_ns, &err) != YK_OK)
        answer(op, 409, "AlreadyExists: %s", err.text);
    else
        answer_ok(op, 201);
}

static void create_event(struct yk_cluster *cluster, struct yk_op *op)
{
    char **slot = &cluster->events[cluster->event_count++ % YK_SIM_EVENTS_KEPT];
    free(*slot);
    *slot = yk_strdup(yk_buf_cstr(&op->body));
    cluster->stats.events++;
    answer_ok(op, 201);
}

static void get_config_map(struct yk_cluster *cluster, struct yk_op *op)
{
    const struct yk_object *map = yk_cluster_find(cluster, YK_KIND_CONFIG_MAP, op->namespace_, op->name);
    if (map == NULL) {
        answer(op, 404, "NotFound: configmaps \"%s\" not found", op->name);
        return;
    }
    op->object = yk_sim_object_copy(map);
    answer_ok(op, 200);
}

static void patch_object(struct yk_cluster *cluster, enum yk_kind kind, struct yk_op *op)
{
    const char *namespace_ = kind == YK_KIND_VOLUME ? NULL : op->namespace_; /* volumes have no namespace */
    struct yk_sim_entry *entry = yk__find(cluster, kind, yk_str_from(namespace_), yk_str_from(op->name));
    if (entry == NULL) {
        answer(op, 404, "NotFound: %s \"%s\" not found", yk_kind_name(kind), op->name);
        return;
    }
    struct yk_object *draft = yk__draft(entry);
    struct yk_err err;
    struct yk_str body = yk_buf_view(&op->body);
    enum yk_status status = kind == YK_KIND_CONFIG_MAP
                                ? yk__config_map_patch(yk_config_map_of(draft), body, &err)
                                : yk__volume_patch(draft, body, &err);
    if (status == YK_OK) {
        yk__commit(entry, draft);
        answer_ok(op, 200);
        return;
    }
    yk_object_free(draft);
    answer(op, status == YK_ERR_STATE ? 409 : 422, "%s: %s", status == YK_ERR_STATE ? "Conflict" : "Invalid",
           err.text);
}

/* Answers that the token is not valid, whatever the token is. */
static void review_token(struct yk_op *op)
{
    op->review = yk_new0(struct yk_token_review);
    answer_ok(op, 201);
}

static void lease_request(struct yk_cluster *cluster, struct yk_op *op)
{
    int status = yk__lease_request(cluster, op, &op->answer);
    if (status < 400)
        answer_ok(op, status);
    else
        answer(op, status, "leases.coordination.k8s.io \"%s\": status %d", op->name, status);
}

static void perform(struct yk_cluster *cluster, struct yk_op *op)
{
    switch (op->kind) {
    case YK_OP_BIND:
        bind_pod(cluster, op);
        break;
    case YK_OP_PATCH_POD_STATUS:
        patch_pod_status(cluster, op);
        break;
    case YK_OP_DELETE_POD:
        delete_pod(cluster, op);
        break;
    case YK_OP_CREATE_POD:
        create_pod(cluster, op);
        break;
    case YK_OP_CREATE_EVENT:
        create_event(cluster, op);
        break;
    case YK_OP_PATCH_EVENT:
        /* the patch changes the count of a series; only the first Event of a series is stored */
        answer_ok(op, 200);
        break;
    case YK_OP_GET_CONFIG_MAP:
        get_config_map(cluster, op);
        break;
    case YK_OP_PATCH_CONFIG_MAP:
        patch_object(cluster, YK_KIND_CONFIG_MAP, op);
        break;
    case YK_OP_PATCH_VOLUME:
        patch_object(cluster, YK_KIND_VOLUME, op);
        break;
    case YK_OP_PATCH_CLAIM:
        patch_object(cluster, YK_KIND_VOLUME_CLAIM, op);
        break;
    case YK_OP_REVIEW_TOKEN:
        review_token(op);
        break;
    case YK_OP_REVIEW_ACCESS:
        yk_buf_text(&op->answer, "{\"status\":{\"allowed\":true}}");
        answer_ok(op, 201);
        break;
    case YK_OP_GET_LEASE:
    case YK_OP_CREATE_LEASE:
    case YK_OP_UPDATE_LEASE:
        lease_request(cluster, op);
        break;
    case YK_OP_GET_SECRET:
    case YK_OP_UPDATE_SECRET:
    case YK_OP_GET_MUTATING_WEBHOOKS:
    case YK_OP_CREATE_MUTATING_WEBHOOKS:
    case YK_OP_UPDATE_MUTATING_WEBHOOKS:
    case YK_OP_GET_VALIDATING_WEBHOOKS:
    case YK_OP_CREATE_VALIDATING_WEBHOOKS:
    case YK_OP_UPDATE_VALIDATING_WEBHOOKS:
    case YK_OP_KIND_COUNT:
        answer(op, 404, "the simulated cluster has no admission controller");
        break;
    }
}

static void lose_answer(struct yk_op *op, const char *why)
{
    op->http_status = 0;
    op->result = YK_OP_RETRY;
    yk_object_free(op->object);
    op->object = NULL;
    yk_token_review_free(op->review);
    op->review = NULL;
    yk_buf_clear(&op->answer);
    (void)yk_fail(yk_op_err(op), YK_ERR_UNAVAILABLE, "%s", why); /* only sets the text */
}

/* Performs the request with the fault. Returns the time until the answer, in ns. */
static int64_t perform_with(struct yk_cluster *cluster, struct yk_op *op, const struct yk_fault *fault)
{
    switch (fault->kind) {
    case YK_FAULT_REFUSE:
        answer(op, fault->http_status, "refused on request with status %d", fault->http_status);
        op->retry_after_ns = fault->retry_after_ns;
        break;
    case YK_FAULT_LOSE:
        perform(cluster, op);
        lose_answer(op, "connection lost before the answer");
        break;
    case YK_FAULT_NO_ANSWER:
        lose_answer(op, "no answer in time");
        return op->timeout_ns > 0 ? op->timeout_ns : cluster->options.timeout_ns;
    case YK_FAULT_SLOW:
        perform(cluster, op);
        return cluster->options.request_ns + fault->delay_ns;
    }
    return cluster->options.request_ns;
}

static void flight_free(struct flight *flight)
{
    yk_timer_cancel(flight->cluster->options.timers, &flight->timer);
    yk_list_remove(&flight->link);
    flight->cluster->in_flight--;
    free(flight);
}

static void finish(struct flight *flight)
{
    struct yk_op *op = flight->op;
    flight_free(flight);
    op->done(op);
}

static void arrive(struct flight *flight)
{
    struct yk_cluster *cluster = flight->cluster;
    struct yk_fault storage;
    const struct yk_fault *fault =
        yk_faults_next(&cluster->faults, flight->op->kind, &cluster->random, &storage);
    int64_t answer_ns = cluster->options.request_ns;
    if (fault != NULL)
        answer_ns = perform_with(cluster, flight->op, fault);
    else
        perform(cluster, flight->op);
    flight->arrived = true;
    yk_timer_arm(cluster->options.timers, &flight->timer, answer_ns);
}

static void fire(struct yk_timer *timer)
{
    struct flight *flight = YK_CONTAINER(timer, struct flight, timer);
    if (flight->arrived)
        finish(flight);
    else
        arrive(flight);
}

void yk__submit(struct yk_cluster *cluster, struct yk_op *op)
{
    struct flight *flight = yk_new0(struct flight);
    flight->cluster = cluster;
    flight->op = op;
    flight->timer.fire = fire;
    yk_list_append(&cluster->flights, &flight->link);
    cluster->in_flight++;
    if (cluster->stopped) { /* the request is not performed, and the timer answers it */
        op->result = YK_OP_CANCELLED;
        flight->arrived = true;
    }
    yk_timer_arm(cluster->options.timers, &flight->timer, flight->arrived ? 0 : cluster->options.request_ns);
}

void yk__flights_done(struct yk_cluster *cluster)
{
    struct flight *flight;
    yk_list_foreach (flight, &cluster->flights, struct flight, link) {
        yk_op_free(flight->op);
        flight_free(flight);
    }
}
