/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/trial.h"

#include "api/json_reader.h"
#include "base/list.h"
#include "whatif/check.h"
#include "whatif/manifest.h"
#include "whatif/trial_priv.h"

#include <jansson.h>

/* Real time after which the trial answers with what it has; less than YK_COPY_SECONDS_MAX. */
#define REAL_TIME_NS (6 * YK_NS_PER_S)
/* How long after its deletion a pod is gone, by the clock of the trial. */
#define GONE_NS YK_NS_PER_S

enum { ROUNDS_PER_LOOK = 64 }; /* the real time is checked once in so many rounds */

struct leaving { /* a pod that is being deleted */
    struct yk_list link;
    struct yk_object *object; /* owned: the object of the deletion event */
    int64_t at_mono_ns;       /* when the pod is gone */
};

static const struct yk_clock real = {.is_virtual = false};

static const struct yk_cache *cache_of(const struct yk_whatif_trial *trial)
{
    return trial->apps->cache;
}

static int64_t since_begin(const struct yk_whatif_trial *trial)
{
    return yk_clock_mono_ns(trial->stage->clock) - trial->begin_mono_ns;
}

/* ---- pods of the trial ---- */

static char *key_of(const char *namespace_, const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf key = {0};
    yk_buf_printf(&key, "%s/%s", namespace_, name);
    return yk_buf_take(&key);
}

static struct yk_trial_pod *find_pod(const struct yk_whatif_trial *trial, const char *namespace_,
                                     const char *name)
{
    YK_CLEANUP(yk_freep) char *key = key_of(namespace_, name);
    return yk_strmap_get(&trial->by_key, yk_str_from(key));
}

/* Gives a new version of the pod to the scheduler, as a watch would. */
static enum yk_status show_pod(struct yk_whatif_trial *trial, struct yk_trial_pod *pod, struct yk_err *err)
{
    struct yk_object *object = NULL;
    yk_manifest_set_version(pod->tree, ++trial->version);
    enum yk_status st = yk_object_from_tree(YK_KIND_POD, pod->tree, &object, err);
    if (st != YK_OK)
        return st;
    if (object->read != YK_READ_WHOLE) {
        st = yk_fail(err, YK_ERR_INVALID, YK_STR_FMT, YK_STR_ARG(object->fault));
        yk_object_free(object);
        return st;
    }
    yk_shim_feed(trial->stage->shim, YK_KIND_POD, YK_WATCH_UPSERT, object);
    return YK_OK;
}

/* Gives a new version of a pod of the cache to the scheduler. In this version, the pod is on `node`, and is
 * being deleted if `deleting`. */
static void show_other(struct yk_whatif_trial *trial, const struct yk_cache_pod *pod, const char *node,
                       bool deleting)
{
    struct yk_object *object = yk_manifest_seen(pod, node, deleting);
    if (object != NULL)
        yk_shim_feed(trial->stage->shim, YK_KIND_POD, YK_WATCH_UPSERT, object);
}

/* Adds a pod of the trial. `tree` is taken. */
static struct yk_trial_pod *add_pod(struct yk_whatif_trial *trial, json_t *tree, bool is_placeholder)
{
    struct yk_trial_pod *pod = yk_new0(struct yk_trial_pod);
    const json_t *metadata = json_object_get(tree, "metadata");
    pod->tree = tree;
    pod->namespace_ = json_string_value(json_object_get(metadata, "namespace"));
    pod->name = json_string_value(json_object_get(metadata, "name"));
    pod->is_placeholder = is_placeholder;
    yk_vec_append(&trial->pods, pod);
    /* The key is not freed, because the process ends after the trial. The key is new, so nothing is
     * replaced. */
    (void)yk_strmap_put(&trial->by_key, yk_str_from(key_of(pod->namespace_, pod->name)), pod);
    return pod;
}

static void note_start(const struct yk_whatif_trial *trial, struct yk_trial_pod *pod, const char *node)
{
    if (pod->has_started)
        return;
    pod->has_started = true;
    pod->after_ns = since_begin(trial);
    pod->node = yk_strdup(node);
}

/* Notes which pods have got a node since the last call. A pod may have a node before its volumes and the pod
 * itself are bound. */
static void note_starts(struct yk_whatif_trial *trial)
{
    struct yk_trial_pod *pod;
    yk_vec_foreach (pod, &trial->pods) {
        const struct yk_cache_pod *now =
            yk_cache_find_pod(cache_of(trial), yk_str_from(pod->namespace_), yk_str_from(pod->name));
        if (now != NULL && now->node != NULL)
            note_start(trial, pod, yk_name_text(now->node->name));
    }
}

/* The pods of a question belong to one application, and come before all placeholders. */
static void note_application(struct yk_whatif_trial *trial)
{
    const struct yk_trial_pod *first = trial->pods.count > 0 ? trial->pods.items[0] : NULL;
    if (first == NULL || first->is_placeholder)
        return;
    const struct yk_cache_pod *pod =
        yk_cache_find_pod(cache_of(trial), yk_str_from(first->namespace_), yk_str_from(first->name));
    if (pod != NULL && pod->task != NULL)
        trial->application = pod->task->app;
}

/* ---- other pods ---- */

static struct yk_trial_other *other_new(const struct yk_whatif_trial *trial, const struct yk_cache_pod *pod)
{
    struct yk_trial_other *other = yk_new0(struct yk_trial_other);
    const struct yk_whatif_core *core = trial->stage->core;
    const char *application = pod->task != NULL ? pod->task->app->id : "";
    const char *queue = core != NULL && pod->task != NULL ? core->queue_of(core->context, application) : NULL;
    other->namespace_ = yk_str_dup(yk_cache_pod_namespace(pod));
    other->name = yk_str_dup(yk_cache_pod_name(pod));
    other->uid = yk_str_dup(yk_cache_pod_uid(pod));
    other->application = yk_strdup(application);
    other->queue = yk_strdup_or_null(queue);
    other->node = yk_strdup(pod->node != NULL ? yk_name_text(pod->node->name) : "");
    other->after_ns = since_begin(trial);
    return other;
}

static void list_other(const struct yk_whatif_trial *trial, const struct yk_cache_pod *pod,
                       struct yk_vec *list, size_t *more)
{
    if (list->count < YK_TRIAL_LISTED_MAX)
        yk_vec_append(list, other_new(trial, pod));
    else
        (*more)++;
}

static void let_leave(struct yk_whatif_trial *trial, const struct yk_cache_pod *pod)
{
    YK_CLEANUP(yk_freep) char *namespace_ = yk_str_dup(yk_cache_pod_namespace(pod));
    struct yk_object *gone =
        yk_manifest_removed(YK_KIND_POD, namespace_, yk_cache_pod_name(pod).p, yk_cache_pod_uid(pod).p);
    if (gone == NULL)
        return;
    struct leaving *leaving = yk_new0(struct leaving);
    leaving->object = gone;
    leaving->at_mono_ns = yk_clock_mono_ns(trial->stage->clock) + GONE_NS;
    yk_list_append(&trial->leaving, &leaving->link);
}

/* Makes pods leave that were already being deleted or preempted when the trial began. */
static void let_deleted_leave(struct yk_whatif_trial *trial)
{
    const struct yk_cache_pod *pod;
    yk_text_set_foreach (pod, &cache_of(trial)->pods) {
        bool is_preempted = pod->task != NULL && pod->task->termination == YK_SI_PREEMPTED_BY_SCHEDULER;
        if ((pod->flags & YK_POD_DELETING) != 0 || is_preempted)
            let_leave(trial, pod);
    }
}

/* When the first of the leaving pods is gone; INT64_MAX: no pod is leaving. The list is in order of this
 * time, because all pods take equally long. */
static int64_t next_to_leave_ns(const struct yk_whatif_trial *trial)
{
    const struct leaving *first = yk_list_first(&trial->leaving, struct leaving, link);
    return first != NULL ? first->at_mono_ns : INT64_MAX;
}

static bool remove_leaving(struct yk_whatif_trial *trial)
{
    bool any = next_to_leave_ns(trial) <= yk_clock_mono_ns(trial->stage->clock);
    while (next_to_leave_ns(trial) <= yk_clock_mono_ns(trial->stage->clock)) {
        struct leaving *first = yk_list_first(&trial->leaving, struct leaving, link);
        yk_list_remove(&first->link);
        yk_shim_feed(trial->stage->shim, YK_KIND_POD, YK_WATCH_DELETED, first->object);
    }
    return any;
}

/* Notes the pods of the scheduler that wait before the question. */
static void note_waiting(struct yk_whatif_trial *trial)
{
    const struct yk_cache_pod *pod;
    yk_text_set_foreach (pod, &cache_of(trial)->pods) {
        bool waits = pod->node == NULL && pod->task != NULL && (pod->flags & YK_POD_DELETING) == 0;
        if (waits)
            (void)yk_strmap_put(&trial->waiting_uids, yk_str_from(yk_str_dup(yk_cache_pod_uid(pod))), trial);
    }
}

/* Whether the pod waited before the question. If it has started in the trial, such as a placeholder that gives
 * way to another gang now, it counts as waiting again. */
static bool has_only_waited(struct yk_whatif_trial *trial, const struct yk_cache_pod *pod)
{
    const struct yk_trial_other *other;
    if (yk_strmap_get(&trial->waiting_uids, yk_cache_pod_uid(pod)) == NULL)
        return false;
    yk_vec_foreach (other, &trial->started) {
        if (yk_str_is(yk_cache_pod_uid(pod), other->uid)) {
            yk_vec_remove(&trial->started, yk_vec_find(&trial->started, other));
            return true;
        }
    }
    trial->more_started -= pod->node != NULL && trial->more_started > 0;
    return true;
}

/* ---- requests of the scheduler ---- */

static void bind_pod(struct yk_whatif_trial *trial, const struct yk_op *op)
{
    struct yk_trial_pod *pod = find_pod(trial, op->namespace_, op->name);
    const struct yk_cache_pod *other =
        yk_cache_find_pod(cache_of(trial), yk_str_from(op->namespace_), yk_str_from(op->name));
    if (pod != NULL) {
        note_start(trial, pod, op->node);
        yk_manifest_set_node(pod->tree, op->node);
        (void)show_pod(trial, pod, NULL); /* an earlier version was valid */
    } else if (other != NULL) {
        list_other(trial, other, &trial->started, &trial->more_started);
        show_other(trial, other, op->node, false);
    }
}

static void keep_text(char **to, const json_t *from)
{
    if (!json_is_string(from))
        return;
    free(*to);
    *to = yk_strdup(json_string_value(from));
}

static void patch_status(struct yk_whatif_trial *trial, const struct yk_op *op)
{
    struct yk_trial_pod *pod = find_pod(trial, op->namespace_, op->name);
    json_t *patch = NULL;
    if (pod == NULL || yk_json_parse(yk_buf_view(&op->body), &patch, NULL) != YK_OK)
        return;
    const json_t *status = json_object_get(patch, "status");
    const json_t *condition = json_array_get(json_object_get(status, "conditions"), 0);
    const char *phase = json_string_value(json_object_get(status, "phase"));
    bool fails = phase != NULL && strcmp(phase, "Failed") == 0;
    keep_text(&pod->reason, json_object_get(fails ? status : condition, "reason"));
    keep_text(&pod->message, json_object_get(fails ? status : condition, "message"));
    json_decref(patch);
    if (!fails)
        return;
    pod->has_failed = pod->is_gone = true;
    /* cannot fail, because the tree is an object */
    (void)json_object_set_new(pod->tree, "status", json_pack("{s:s}", "phase", "Failed"));
    (void)show_pod(trial, pod, NULL); /* an earlier version was valid */
}

static void delete_pod(struct yk_whatif_trial *trial, const struct yk_op *op)
{
    struct yk_trial_pod *own = find_pod(trial, op->namespace_, op->name);
    const struct yk_cache_pod *pod =
        yk_cache_find_pod(cache_of(trial), yk_str_from(op->namespace_), yk_str_from(op->name));
    if (own != NULL)
        own->is_gone = true;
    if (pod == NULL)
        return;
    bool is_victim =
        own == NULL && pod->task != NULL && pod->task->termination == YK_SI_PREEMPTED_BY_SCHEDULER;
    if (is_victim && !has_only_waited(trial, pod))
        list_other(trial, pod, &trial->victims, &trial->more_victims);
    let_leave(trial, pod);
    if (pod->node != NULL)
        show_other(trial, pod, yk_name_text(pod->node->name), true);
}

static void create_pod(struct yk_whatif_trial *trial, const struct yk_op *op)
{
    json_t *tree;
    int64_t now_ns = yk_clock_wall_ns(trial->stage->clock);
    if (yk_manifest_created_pod(yk_buf_view(&op->body), op->namespace_, ++trial->version + YK_WHATIF_PODS_MAX,
                                now_ns, &tree, NULL) != YK_OK)
        return;
    (void)show_pod(trial, add_pod(trial, tree, true), NULL); /* the scheduler creates only valid pods */
}

static void look_at_event(struct yk_whatif_trial *trial, const struct yk_op *op)
{
    json_t *event = NULL;
    if (trial->question.kind != YK_WHATIF_QUEUES ||
        yk_json_parse(yk_buf_view(&op->body), &event, NULL) != YK_OK)
        return;
    const char *reason = json_string_value(json_object_get(event, "reason"));
    if (reason != NULL && strcmp(reason, "ConfigurationRefused") == 0)
        keep_text(&trial->refusal, json_object_get(event, "note"));
    json_decref(event);
}

static void carry_out(void *context, struct yk_op *op)
{
    struct yk_whatif_trial *trial = context;
    if (op->kind == YK_OP_BIND)
        bind_pod(trial, op);
    else if (op->kind == YK_OP_PATCH_POD_STATUS)
        patch_status(trial, op);
    else if (op->kind == YK_OP_DELETE_POD)
        delete_pod(trial, op);
    else if (op->kind == YK_OP_CREATE_POD)
        create_pod(trial, op);
    else if (op->kind == YK_OP_CREATE_EVENT)
        look_at_event(trial, op);
}

/* ---- the question ---- */

static enum yk_status ask_pods(struct yk_whatif_trial *trial, struct yk_err *err)
{
    int64_t now_ns = yk_clock_wall_ns(trial->stage->clock);
    for (uint32_t i = 0; i < trial->question.count; i++) {
        json_t *tree;
        enum yk_status st = yk_manifest_pod(cache_of(trial), &trial->question, i, now_ns, &tree, err);
        if (st == YK_OK)
            st = show_pod(trial, add_pod(trial, tree, false), err);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

static enum yk_status remove_node(struct yk_whatif_trial *trial, struct yk_err *err)
{
    const char *name;
    enum yk_status st = yk_manifest_node_name(&trial->question, &name, err);
    if (st != YK_OK)
        return st;
    const struct yk_cache_node *node = yk_cache_find_node(cache_of(trial), yk_str_from(name));
    if (node == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "there is no node '%s'", name);
    const struct yk_cache_pod *pod;
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node) {
        list_other(trial, pod, &trial->lost, &trial->more_lost);
        let_leave(trial, pod);
    }
    yk_shim_feed(trial->stage->shim, YK_KIND_NODE, YK_WATCH_DELETED,
                 yk_manifest_removed(YK_KIND_NODE, NULL, name, node->uid));
    return YK_OK;
}

static int by_age(const void *a, const void *b)
{
    const struct yk_cache_pod *pod = a, *other = b;
    if (pod->creation_wall_s != other->creation_wall_s)
        return pod->creation_wall_s < other->creation_wall_s ? -1 : 1;
    return yk_cache_pod_order(pod, other);
}

/* Lists the pods for which the new size of the node has no capacity left, after those that are older. A kubelet
 * takes pods in this order when it starts. */
static void note_overcommitment(struct yk_whatif_trial *trial, const struct yk_cache_node *node)
{
    struct yk_cache_pod *pod;
    YK_RESVEC(left);
    YK_RESVEC(used);
    struct yk_vec pods = {0};
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node) {
        if ((pod->flags & YK_POD_DELETING) == 0)
            yk_vec_append(&pods, pod);
    }
    yk_vec_sort(&pods, by_age);
    yk_resvec_copy(&left, &node->allocatable->amounts);
    yk_vec_foreach (pod, &pods) {
        yk_resvec_add(&used, &pod->size->amounts);
        if (yk_resvec_fit(&left, &pod->size->amounts))
            yk_resvec_sub(&left, &pod->size->amounts);
        else
            list_other(trial, pod, &trial->unfit, &trial->more_unfit);
    }
    yk_resvec_sub(&used, &node->allocatable->amounts);
    yk_resvec_foreach(t, &used)
    {
        if (yk_resvec_get(&used, t) > 0)
            yk_resvec_put(&trial->overcommitted, t, yk_resvec_get(&used, t));
    }
    yk_vec_done(&pods);
}

static enum yk_status ask_node(struct yk_whatif_trial *trial, struct yk_err *err)
{
    json_t *tree;
    struct yk_object *node;
    if (trial->question.action == YK_WHATIF_REMOVE)
        return remove_node(trial, err);
    enum yk_status st = yk_manifest_node(cache_of(trial), &trial->question,
                                         yk_clock_wall_ns(trial->stage->clock), &tree, err);
    if (st == YK_OK)
        st = yk_object_from_tree(YK_KIND_NODE, tree, &node, err);
    if (st != YK_OK)
        return st;
    yk_shim_feed(trial->stage->shim, YK_KIND_NODE, YK_WATCH_UPSERT, node);
    const char *name = json_string_value(json_object_get(json_object_get(tree, "metadata"), "name"));
    const struct yk_cache_node *resized = yk_cache_find_node(cache_of(trial), yk_str_from(name));
    if (trial->question.action == YK_WHATIF_RESIZE && resized != NULL)
        note_overcommitment(trial, resized);
    return YK_OK;
}

static uint64_t refused_so_far(const struct yk_whatif_trial *trial)
{
    struct yk_shim_counts counts;
    yk_shim_count(trial->stage->shim, &counts);
    return counts.reloads_refused;
}

static enum yk_status ask_queues(struct yk_whatif_trial *trial, struct yk_err *err)
{
    const struct yk_settings *settings = yk_shim_settings(trial->stage->shim);
    const struct yk_whatif_core *core = trial->stage->core;
    struct yk_object *map;
    if (yk_shim_is_reloading(trial->stage->shim))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "a new configuration is being read, try again");
    if (!settings->enable_hot_refresh)
        return yk_fail(err, YK_ERR_STATE,
                       "hot refresh is off (service.enableConfigHotRefresh): new queues take "
                       "effect after a restart only");
    enum yk_status st = yk_object_from_tree(
        YK_KIND_CONFIG_MAP,
        yk_manifest_queues(cache_of(trial), settings->policy_group, trial->question.queues), &map, err);
    if (st != YK_OK)
        return st;
    trial->refused_before = refused_so_far(trial);
    trial->queues_before = core != NULL ? core->remember(core->context) : NULL;
    yk_shim_feed(trial->stage->shim, YK_KIND_CONFIG_MAP, YK_WATCH_UPSERT, map);
    return YK_OK;
}

static enum yk_status ask(struct yk_whatif_trial *trial, struct yk_err *err)
{
    switch (trial->question.kind) {
    case YK_WHATIF_POD:
    case YK_WHATIF_JOB:
    case YK_WHATIF_GANG:
        return ask_pods(trial, err);
    case YK_WHATIF_NODE:
        return ask_node(trial, err);
    case YK_WHATIF_QUEUES:
        return ask_queues(trial, err);
    }
    return YK_OK;
}

/* ---- time ---- */

static bool is_out_of_time(struct yk_whatif_trial *trial)
{
    trial->ran_out = trial->ran_out || yk_clock_mono_ns(&real) >= trial->real_until_mono_ns;
    return trial->ran_out;
}

/* Runs the scheduler until it has nothing to do at the present time of the clock, or the real time is
 * over. */
static void run_rounds(struct yk_whatif_trial *trial)
{
    const struct yk_whatif_stage *stage = trial->stage;
    bool more = true;
    for (unsigned round = 1; more; round++) {
        more = yk_trial_api_answer(&trial->api);
        more |= yk_timers_run(stage->timers) > 0;
        more |= stage->work(stage->context);
        more |= remove_leaving(trial); /* after the timers: a real watch would report it later, too */
        more |= trial->api.in_flight > 0;
        if (round % ROUNDS_PER_LOOK == 0 && is_out_of_time(trial))
            return;
    }
}

static bool is_refused(const struct yk_whatif_trial *trial)
{
    return trial->question.kind == YK_WHATIF_QUEUES && refused_so_far(trial) > trial->refused_before;
}

/* Whether the verdict is final, so that the trial can end before the horizon. */
static bool is_decided(const struct yk_whatif_trial *trial)
{
    const struct yk_trial_pod *pod;
    if (trial->question.kind == YK_WHATIF_NODE)
        return false;
    if (trial->question.kind == YK_WHATIF_QUEUES)
        return is_refused(trial);
    yk_vec_foreach (pod, &trial->pods) {
        if (!pod->has_started && !pod->is_gone)
            return false;
    }
    return true;
}

static void advance(struct yk_whatif_trial *trial, int64_t until_mono_ns)
{
    int64_t now_ns = yk_clock_mono_ns(trial->stage->clock);
    int64_t next_ns = yk_timers_next_ns(trial->stage->timers);
    next_ns = YK_MIN(YK_MIN(next_ns, next_to_leave_ns(trial)), until_mono_ns);
    yk_clock_advance(trial->stage->clock, YK_MAX(next_ns - now_ns, 0));
}

static void move_clock(struct yk_whatif_trial *trial)
{
    int64_t until_ns = trial->begin_mono_ns + trial->question.horizon_ns;
    while (!is_decided(trial) && !is_out_of_time(trial) && yk_clock_mono_ns(trial->stage->clock) < until_ns) {
        advance(trial, until_ns);
        run_rounds(trial);
        note_starts(trial);
    }
}

/* ---- the whole ---- */

static int status_of(enum yk_status st)
{
    switch (st) {
    case YK_ERR_NOT_FOUND:
        return 404;
    case YK_ERR_EXISTS:
    case YK_ERR_STATE:
        return 409;
    case YK_ERR_LIMIT:
        return 413;
    case YK_ERR_UNAVAILABLE:
        return 503;
    case YK_OK:
    case YK_ERR_INVALID:
    case YK_ERR_DENIED:
    case YK_ERR_IO:
        break;
    }
    return 400;
}

static void begin(struct yk_whatif_trial *trial, const struct yk_whatif_stage *stage)
{
    trial->stage = stage; /* the rest is 0 */
    yk_clock_freeze(stage->clock);
    trial->begin_mono_ns = yk_clock_mono_ns(stage->clock);
    trial->real_until_mono_ns = yk_clock_mono_ns(&real) + REAL_TIME_NS;
    yk_list_init(&trial->leaving);
    trial->apps = yk_shim_apps(stage->shim);
    yk_trial_api_init(&trial->api, stage->api, trial, carry_out);
    if (stage->detach != NULL)
        stage->detach(stage->context);
    yk_shim_detach(stage->shim);
}

void yk_trial_run(const struct yk_whatif_stage *stage, struct yk_str body, struct yk_buf *answer)
{
    struct yk_whatif_trial *trial = yk_new0(struct yk_whatif_trial);
    struct yk_err err = {0};
    begin(trial, stage);
    enum yk_status st = yk_whatif_question_parse(body, &trial->question, &err);
    if (st == YK_OK)
        st = yk_whatif_check(&trial->question, &err);
    if (st == YK_OK) {
        let_deleted_leave(trial);
        note_waiting(trial);
        st = ask(trial, &err);
    }
    if (st != YK_OK) {
        yk_buf_printf(answer, "%d %s", status_of(st), err.text);
        return; /* nothing is freed, because the process ends */
    }
    run_rounds(trial);
    note_starts(trial);
    move_clock(trial);
    note_application(trial);
    size_t started = trial->started.count + trial->more_started;
    trial->waiting = trial->waiting_uids.count - YK_MIN(started, trial->waiting_uids.count);
    yk__trial_answer(trial, answer);
}
