/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/workload.h"

#include "base/json_writer.h"

#define APP_LABEL        "yunikorn.apache.org/app-id"
#define QUEUE_LABEL      "yunikorn.apache.org/queue"
#define USER_NOTE        "yunikorn.apache.org/user.info"
#define PLACEHOLDER_NOTE "internal.yunikorn.apache.org/placeholder"

/* After that time without a change, pods that still wait do not keep the workload from being idle. */
static const int64_t quiet_ns = 60 * YK_NS_PER_S;

/* The pods of one submit step in one application. */
struct batch {
    struct source *source;
    const struct yk_scenario_submit *submit; /* borrowed */
    struct yk_timer timer;                   /* when the next pod is created */
    uint64_t to_submit;                      /* pods that must still be created */
    struct yk_vec daemon_nodes;              /* char, owned; for a DaemonSet: the nodes of these pods */
};

/* One application. */
struct source {
    char *id; /* owned */
    struct yk_workload *workload;
    struct yk_application_row *row;
    struct yk_vec batches; /* struct batch, owned; one for each submit step */
    struct batch **of_pod; /* owned array; item i is the batch of the pod "<id>-<i + 1>" */
    size_t of_pod_capacity;
    uint64_t submitted; /* items of `of_pod` */
    uint64_t dismissed; /* pods that a delete step has deleted and that have not been removed yet */
};

static bool runs_to_an_end(const struct yk_scenario_submit *submit)
{
    return submit->run_ns > 0 || submit->deadline_ns > 0;
}

/* The batch of a pod, by the number in its name; NULL: the name is not that of a pod of the source. */
static struct batch *batch_of(const struct source *source, const char *pod_name)
{
    uint64_t number = 0;
    struct yk_str suffix = yk_str_from(pod_name + strlen(source->id));
    if (suffix.len < 2 || yk_str_to_u64((struct yk_str){suffix.p + 1, suffix.len - 1}, &number) != YK_OK ||
        number == 0 || number > source->submitted)
        return NULL;
    return source->of_pod[number - 1];
}

static void note_batch(struct source *source, struct batch *batch)
{
    if (source->submitted == source->of_pod_capacity) {
        source->of_pod_capacity = YK_MAX(source->of_pod_capacity * 2, (size_t)8);
        source->of_pod = yk_realloc_array(source->of_pod, source->of_pod_capacity, sizeof(struct batch *));
    }
    source->of_pod[source->submitted++] = batch;
}

/* ---- rows ---- */

static struct yk_queue_row *queue_row(struct yk_workload *workload, struct yk_str name)
{
    struct yk_queue_row *row;
    if (yk_str_empty(name))
        name = YK_STR("(by rule)");
    yk_vec_foreach (row, &workload->queues) {
        if (yk_str_is(name, row->name))
            return row;
    }
    row = yk_new0(struct yk_queue_row);
    row->name = yk_str_dup(name);
    yk_vec_append(&workload->queues, row);
    return row;
}

static struct yk_application_row *application_row(struct yk_workload *workload,
                                                  const struct yk_scenario_submit *submit)
{
    struct yk_application_row *row;
    struct yk_queue_row *queue = queue_row(workload, submit->queue);
    yk_vec_foreach (row, &workload->applications) {
        if (yk_str_is(submit->application, row->name) && row->queue == queue)
            return row;
    }
    row = yk_new0(struct yk_application_row);
    row->name = yk_str_dup(submit->application);
    row->queue = queue;
    yk_vec_append(&workload->applications, row);
    return row;
}

static void waits_add(struct yk_waits *waits, int64_t ns)
{
    if (waits->count == waits->capacity) {
        waits->capacity = YK_MAX((size_t)64, waits->capacity * 2);
        waits->items = yk_realloc_array(waits->items, waits->capacity, sizeof(*waits->items));
    }
    waits->items[waits->count++] = ns;
}

/* ---- sums over time ---- */

static int64_t since_start(const struct yk_workload *workload)
{
    return yk_clock_mono_ns(workload->clock) - workload->start_ns;
}

void yk_workload_settle(struct yk_workload *workload)
{
    struct yk_cluster_usage *usage = &workload->usage;
    int64_t now_ns = since_start(workload);
    double seconds = (double)(now_ns - usage->since_ns) / (double)YK_NS_PER_S;
    yk_resvec_foreach(type, &usage->used) usage->used_sum[type] +=
        seconds * (double)yk_resvec_get(&usage->used, type);
    yk_resvec_foreach(type, &usage->allocatable) usage->allocatable_sum[type] +=
        seconds * (double)yk_resvec_get(&usage->allocatable, type);
    usage->since_ns = now_ns;
}

static void add_node(void *context, const struct yk_object *object)
{
    struct yk_workload *workload = context;
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    char *name = yk_str_dup(object->name);
    if (yk_cluster_node_usage(workload->cluster, name, &used, &allocatable))
        yk_resvec_add(&workload->usage.allocatable, &allocatable);
    free(name);
}

static struct yk_workload_reload *last_reload(const struct yk_workload *workload)
{
    return workload->reloads.count > 0 ? workload->reloads.items[workload->reloads.count - 1] : NULL;
}

static void note_highest(struct yk_workload *workload, const struct yk_queue_row *queue)
{
    struct yk_workload_reload *reload = last_reload(workload);
    for (size_t i = 0; reload != NULL && i < reload->queue_count; i++) {
        if (reload->queues[i].queue == queue)
            yk_resvec_max(&reload->queues[i].after, &queue->used);
    }
}

/* Whether the node of the pod exists. The pods of a removed node remain for a while, but use no capacity. */
static bool on_a_node(const struct yk_workload *workload, const struct yk_pod *pod)
{
    return yk_cluster_find(workload->cluster, YK_KIND_NODE, NULL, pod->node_name.p) != NULL;
}

static void note_highest_share(struct yk_cluster_usage *usage)
{
    yk_resvec_foreach(type, &usage->used)
    {
        int64_t has = yk_resvec_get(&usage->allocatable, type);
        double share = has > 0 ? (double)yk_resvec_get(&usage->used, type) / (double)has : 0;
        usage->highest_share[type] = YK_MAX(usage->highest_share[type], share);
    }
}

static void take_capacity(struct yk_workload *workload, struct yk_queue_row *queue, const struct yk_pod *pod,
                          const struct yk_resvec *size)
{
    yk_workload_settle(workload);
    if (on_a_node(workload, pod)) {
        yk_resvec_add(&workload->usage.used, size);
        note_highest_share(&workload->usage);
    }
    yk_resvec_add(&queue->used, size);
    yk_resvec_max(&queue->highest, &queue->used);
    note_highest(workload, queue);
}

static void give_capacity(struct yk_workload *workload, struct yk_queue_row *queue, const struct yk_pod *pod,
                          const struct yk_resvec *size)
{
    yk_workload_settle(workload);
    if (on_a_node(workload, pod))
        yk_resvec_sub(&workload->usage.used, size);
    yk_resvec_sub(&queue->used, size);
}

/* The batch of a pod; NULL: it is of no submit step, such as a placeholder. */
static struct batch *find_batch(const struct yk_workload *workload, const struct yk_object *pod)
{
    const struct source *source =
        yk_strmap_get(&workload->sources_by_id, yk_pairs_get(&pod->labels, APP_LABEL));
    bool is_placeholder = yk_pairs_get(&pod->annotations, PLACEHOLDER_NOTE).p != NULL;
    return source != NULL && !is_placeholder ? batch_of(source, pod->name.p) : NULL;
}

/* Counts the pod again if it is of a submit step and on a node. Placeholders and other pods never count. */
static void add_pod(void *context, const struct yk_object *object)
{
    struct yk_workload *workload = context;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    YK_RESVEC(size);
    if (yk_str_empty(pod->node_name) || yk_pod_has_ended(pod) || !on_a_node(workload, pod) ||
        find_batch(workload, object) == NULL)
        return;
    yk_sim_pod_size(pod, &size);
    yk_resvec_add(&workload->usage.used, &size);
}

void yk_workload_nodes_changed(struct yk_workload *workload)
{
    yk_workload_settle(workload);
    yk_resvec_clear(&workload->usage.allocatable);
    yk_resvec_clear(&workload->usage.used);
    yk_cluster_each(workload->cluster, YK_KIND_NODE, add_node, workload);
    yk_cluster_each(workload->cluster, YK_KIND_POD, add_pod, workload);
    note_highest_share(&workload->usage);
}

/* ---- moments of pods ---- */

static void was_created(struct source *source, const struct batch *batch)
{
    source->row->submitted++;
    source->row->queue->submitted++;
    source->row->queue->waiting++;
    source->workload->submitted++;
    source->workload->waiting++;
    source->row->open += runs_to_an_end(batch->submit);
}

static void was_bound(struct source *source, const struct yk_pod *pod, const struct yk_resvec *size,
                      int64_t age_ns)
{
    source->row->bound++;
    source->row->running++;
    source->row->queue->bound++;
    source->row->queue->waiting--;
    source->workload->bound++;
    source->workload->running++;
    source->workload->waiting--;
    waits_add(&source->row->waits, age_ns);
    take_capacity(source->workload, source->row->queue, pod, size);
}

static void left_its_node(struct source *source, const struct yk_pod *pod, const struct yk_resvec *size)
{
    source->row->running--;
    source->workload->running--;
    give_capacity(source->workload, source->row->queue, pod, size);
}

enum { REFUSALS_MAX = 20 };

/* The message of the failed pod in one line. The first id of its application is replaced by the name of the
 * submit step, so that applications of one step have the same text. */
static char *refusal_text(const struct source *source, const struct yk_pod *pod)
{
    struct yk_buf reason = {.max = YK_ERR_TEXT_MAX};
    const char *text =
        yk_cluster_failure(source->workload->cluster, pod->object.namespace_, pod->object.name);
    text += strspn(text, " ");
    const char *id = strstr(text, source->id);
    if (id != NULL) {
        yk_buf_line(&reason, (struct yk_str){text, (size_t)(id - text)});
        yk_buf_line(&reason, yk_str_from(source->row->name));
        text = id + strlen(source->id);
    }
    yk_buf_line(&reason, yk_str_from(text));
    return yk_buf_take(&reason);
}

static void note_refusal(struct source *source, const struct yk_pod *pod)
{
    struct yk_vec *refusals = &source->workload->refusals;
    YK_CLEANUP(yk_freep) char *reason = refusal_text(source, pod);
    struct yk_workload_refusal *refusal;
    yk_vec_foreach (refusal, refusals) {
        bool is_this = refusal->row == source->row && strcmp(refusal->reason, reason) == 0;
        if (is_this || refusal->row == NULL) {
            refusal->pods++;
            return;
        }
    }
    bool is_last = refusals->count + 1 == REFUSALS_MAX; /* the last one counts all other refusals */
    refusal = yk_new0(struct yk_workload_refusal);
    refusal->row = is_last ? NULL : source->row;
    refusal->reason = is_last ? yk_strdup("other applications, other reasons") : yk_move(reason);
    refusal->pods = 1;
    yk_vec_append(refusals, refusal);
}

static void was_refused(struct source *source, const struct yk_pod *pod)
{
    source->row->refused++;
    source->workload->refused++;
    source->row->queue->waiting--;
    source->workload->waiting--;
    note_refusal(source, pod);
}

static void has_ended(struct source *source, const struct batch *batch, const struct yk_pod *pod,
                      const struct yk_resvec *size)
{
    source->row->open -= runs_to_an_end(batch->submit);
    if (yk_str_empty(pod->node_name)) {
        was_refused(source, pod);
        return;
    }
    source->row->ended++;
    source->workload->ended++;
    source->row->last_end_ns = since_start(source->workload);
    left_its_node(source, pod, size);
}

/* A new pod of a DaemonSet must run on the node of the old one. False: that node no longer exists. */
static bool add_daemon_node(struct batch *batch, const struct yk_pod *pod)
{
    char *node = yk_str_dup(pod->required_terms[0].fields[0].values[0]);
    if (yk_cluster_find(batch->source->workload->cluster, YK_KIND_NODE, NULL, node) == NULL) {
        free(node);
        return false;
    }
    yk_vec_append(&batch->daemon_nodes, node);
    return true;
}

/* A pod that was removed before it ended is replaced, unless a delete step has deleted it, or it is of a
 * DaemonSet and its node no longer exists. */
static void was_removed(struct source *source, struct batch *batch, const struct yk_pod *pod,
                        const struct yk_resvec *size)
{
    if (yk_str_is(pod->phase, "Succeeded") || yk_str_is(pod->phase, "Failed"))
        return;
    source->row->removed++;
    source->row->open -= runs_to_an_end(batch->submit);
    if (!yk_str_empty(pod->node_name)) {
        left_its_node(source, pod, size);
    } else {
        source->row->queue->waiting--;
        source->workload->waiting--;
    }
    if (source->dismissed > 0) {
        source->dismissed--;
        return;
    }
    if (batch->submit->daemon_set && !add_daemon_node(batch, pod))
        return;
    source->row->resubmitted++;
    batch->to_submit++;
    if (!yk_timer_armed(&batch->timer))
        yk_timer_arm(source->workload->timers, &batch->timer, 0);
}

static void count_moment(struct yk_workload *workload, enum yk_pod_moment moment, const struct yk_pod *pod,
                         int64_t age_ns)
{
    struct batch *batch = find_batch(workload, &pod->object);
    if (batch == NULL)
        return; /* a pod that the scheduler creates and deletes itself */
    struct source *source = batch->source;
    YK_RESVEC(size);
    yk_sim_pod_size(pod, &size);
    workload->changes++;
    workload->last_change_ns = since_start(workload);
    switch (moment) {
    case YK_POD_CREATED:
        was_created(source, batch);
        break;
    case YK_POD_BOUND:
        was_bound(source, pod, &size, age_ns);
        break;
    case YK_POD_STARTED:
        break;
    case YK_POD_EVICTED:
        source->row->killed++;
        source->row->queue->killed++;
        break;
    case YK_POD_ENDED:
        has_ended(source, batch, pod, &size);
        break;
    case YK_POD_REMOVED:
        was_removed(source, batch, pod, &size);
        break;
    }
}

static void pod_moment(void *context, enum yk_pod_moment moment, const struct yk_pod *pod, int64_t age_ns)
{
    struct yk_workload *workload = context;
    count_moment(workload, moment, pod, age_ns);
    if (workload->next_observer != NULL)
        workload->next_observer->pod_moment(workload->next_observer->context, moment, pod, age_ns);
}

/* ---- submitting ---- */

static void append_pairs(struct yk_pair *to, uint32_t *count, const struct yk_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        to[(*count)++] = pairs->items[i];
}

static struct yk_pairs labels_of(const struct batch *batch)
{
    const struct yk_scenario_submit *submit = batch->submit;
    struct yk_pairs labels = {yk_new0_array(struct yk_pair, (size_t)submit->labels.count + 2), 0};
    labels.items[labels.count++] = (struct yk_pair){YK_STR(APP_LABEL), yk_str_from(batch->source->id)};
    if (!yk_str_empty(submit->queue))
        labels.items[labels.count++] = (struct yk_pair){YK_STR(QUEUE_LABEL), submit->queue};
    append_pairs(labels.items, &labels.count, &submit->labels);
    return labels;
}

static void write_user(struct yk_buf *out, struct yk_str user)
{
    struct yk_json json;
    yk_json_init(&json, out);
    yk_json_object_begin(&json);
    yk_json_key(&json, "user");
    yk_json_str(&json, user);
    yk_json_object_end(&json);
}

static struct yk_pairs annotations_of(const struct batch *batch, struct yk_buf *user)
{
    const struct yk_scenario_submit *submit = batch->submit;
    struct yk_pairs notes = {yk_new0_array(struct yk_pair, (size_t)submit->annotations.count + 1), 0};
    if (!yk_str_empty(submit->user)) {
        write_user(user, submit->user);
        notes.items[notes.count++] = (struct yk_pair){YK_STR(USER_NOTE), yk_buf_view(user)};
    }
    append_pairs(notes.items, &notes.count, &submit->annotations);
    return notes;
}

static struct yk_object *make_pod(const struct batch *batch, const char *name, const char *daemon_node)
{
    const struct yk_scenario_submit *submit = batch->submit;
    YK_CLEANUP(yk_buf_done) struct yk_buf user = {0};
    struct yk_pairs labels = labels_of(batch), notes = annotations_of(batch, &user);
    const struct yk_sim_pod pod = {
        .namespace_ = submit->namespace_.p, /* all texts of a scenario end with a NUL */
        .name = name,
        .priority_class = submit->priority_class.p,
        .priority = submit->priority,
        .active_deadline_s = submit->deadline_ns / YK_NS_PER_S,
        .labels = labels,
        .annotations = notes,
        .node_selector = submit->node_selector,
        .requests = submit->requests,
        .tolerations = submit->tolerations,
        .toleration_count = submit->toleration_count,
        .daemon_node = daemon_node,
    };
    struct yk_object *object = yk_sim_pod_new(&pod);
    free(labels.items);
    free(notes.items);
    return object;
}

/* The node of the next pod, which the caller frees; NULL: the batch is not for a DaemonSet. */
static char *next_daemon_node(struct batch *batch)
{
    if (batch->daemon_nodes.count == 0)
        return NULL;
    char *node = batch->daemon_nodes.items[0];
    yk_vec_remove(&batch->daemon_nodes, 0);
    return node;
}

static void submit_one(struct batch *batch)
{
    struct source *source = batch->source;
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    note_batch(source, batch);
    yk_buf_printf(&name, "%s-%llu", source->id, (unsigned long long)source->submitted);
    batch->to_submit--;
    YK_CLEANUP(yk_freep) char *daemon_node = next_daemon_node(batch);
    struct yk_object *pod = make_pod(batch, yk_buf_cstr(&name), daemon_node);
    /* It fails if a pod that is not of this workload has the name. */
    if (yk_cluster_create_pod(source->workload->cluster, pod, batch->submit->run_ns, NULL) != YK_OK)
        source->row->removed++;
}

static void submit_next(struct yk_timer *timer)
{
    struct batch *batch = YK_CONTAINER(timer, struct batch, timer);
    int64_t every_ns = batch->submit->every_ns;
    do {
        submit_one(batch);
    } while (batch->to_submit > 0 && every_ns == 0);
    if (batch->to_submit > 0)
        yk_timer_arm(batch->source->workload->timers, &batch->timer, every_ns);
}

static void need_namespace(struct yk_workload *workload, const char *name)
{
    if (yk_cluster_find(workload->cluster, YK_KIND_NAMESPACE, NULL, name) == NULL)
        yk_cluster_put(workload->cluster, yk_sim_namespace_new(name, NULL));
}

/* The application with that id. It may exist from an earlier step, and then gets the pods of this step,
 * too. */
static struct source *source_for(struct yk_workload *workload, const char *id,
                                 const struct yk_scenario_submit *submit)
{
    struct source *source = yk_strmap_get(&workload->sources_by_id, yk_str_from(id));
    if (source != NULL)
        return source;
    source = yk_new0(struct source);
    source->id = yk_strdup(id);
    source->workload = workload;
    source->row = application_row(workload, submit);
    source->row->applications++;
    yk_vec_append(&workload->sources, source);
    (void)yk_strmap_put(&workload->sources_by_id, yk_str_from(source->id), source); /* the id is new */
    return source;
}

static struct batch *batch_new(struct source *source, const struct yk_scenario_submit *submit)
{
    struct batch *batch = yk_new0(struct batch);
    batch->source = source;
    batch->submit = submit;
    batch->timer.fire = submit_next;
    yk_vec_append(&source->batches, batch);
    return batch;
}

static void want_daemon(void *context, const struct yk_object *node)
{
    struct batch *batch = context;
    char *name = yk_str_dup(node->name);
    yk_vec_append(&batch->daemon_nodes, name);
    batch->to_submit++;
}

void yk_workload_submit(struct yk_workload *workload, const struct yk_scenario_submit *submit)
{
    need_namespace(workload, submit->namespace_.p);
    for (uint64_t i = 0; i < submit->applications; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf id = {0};
        yk_buf_str(&id, submit->application);
        if (submit->applications > 1)
            yk_buf_printf(&id, "-%llu", (unsigned long long)i + 1);
        struct batch *batch = batch_new(source_for(workload, yk_buf_cstr(&id), submit), submit);
        if (submit->daemon_set)
            yk_cluster_each(workload->cluster, YK_KIND_NODE, want_daemon, batch);
        batch->to_submit += submit->pods;
        if (batch->to_submit > 0)
            yk_timer_arm(workload->timers, &batch->timer, 0);
    }
}

/* ---- deleting ---- */

/* A pod to be deleted. */
struct found {
    char *namespace_, *name; /* owned */
};

struct collecting {
    const struct yk_workload *workload;
    const char *row;    /* name of the row, or id of the application, whose pods are collected */
    struct yk_vec pods; /* struct found, owned; in order of creation */
};

static void collect(void *context, const struct yk_object *object)
{
    struct collecting *collecting = context;
    const struct source *source =
        yk_strmap_get(&collecting->workload->sources_by_id, yk_pairs_get(&object->labels, APP_LABEL));
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    if (source == NULL || object->deleting || yk_str_is(pod->phase, "Succeeded") ||
        yk_str_is(pod->phase, "Failed"))
        return;
    if (strcmp(source->row->name, collecting->row) == 0 || strcmp(source->id, collecting->row) == 0) {
        struct found *found = yk_new0(struct found);
        found->namespace_ = yk_str_dup(object->namespace_);
        found->name = yk_str_dup(object->name);
        yk_vec_append(&collecting->pods, found);
    }
}

static void delete_pod(struct yk_workload *workload, const struct found *found)
{
    const struct yk_object *pod =
        yk_cluster_find(workload->cluster, YK_KIND_POD, found->namespace_, found->name);
    struct batch *batch = find_batch(workload, pod);
    if (batch != NULL) /* removals of placeholders are not counted */
        batch->source->dismissed++;
    /* The pod exists. */
    (void)yk_cluster_delete(workload->cluster, YK_KIND_POD, found->namespace_, found->name);
}

static void found_free(struct found *found)
{
    free(found->namespace_);
    free(found->name);
    free(found);
}

size_t yk_workload_delete(struct yk_workload *workload, struct yk_str application, uint64_t pods)
{
    struct collecting collecting = {.workload = workload, .row = application.p};
    yk_cluster_each(workload->cluster, YK_KIND_POD, collect, &collecting);
    size_t deleted = 0;
    for (size_t i = collecting.pods.count; i-- > 0;) {
        struct found *found = collecting.pods.items[i];
        if (pods == 0 || deleted < pods) {
            delete_pod(workload, found);
            deleted++;
        }
        found_free(found);
    }
    yk_vec_done(&collecting.pods);
    return deleted;
}

/* ---- life ---- */

static void free_reload(struct yk_workload_reload *reload)
{
    for (size_t i = 0; i < reload->queue_count; i++) {
        yk_resvec_done(&reload->queues[i].before);
        yk_resvec_done(&reload->queues[i].after);
    }
    free(reload->queues);
    free(reload);
}

void yk_workload_reload(struct yk_workload *workload)
{
    if (workload->reloads.count == YK_WORKLOAD_RELOADS_MAX) {
        free_reload(workload->reloads.items[0]);
        yk_vec_remove(&workload->reloads, 0);
        workload->reloads_left_out++;
    }
    struct yk_workload_reload *reload = yk_new0(struct yk_workload_reload);
    reload->at_ns = since_start(workload);
    reload->queue_count = workload->queues.count;
    reload->queues = yk_new0_array(struct yk_reload_queue, workload->queues.count + 1);
    for (size_t i = 0; i < workload->queues.count; i++) {
        const struct yk_queue_row *queue = workload->queues.items[i];
        struct yk_reload_queue *row = &reload->queues[i];
        row->queue = queue;
        row->waiting = queue->waiting;
        yk_resvec_copy(&row->before, &queue->used);
        yk_resvec_copy(&row->after, &queue->used);
    }
    yk_vec_append(&workload->reloads, reload);
}

static bool has_to_submit(const struct source *source)
{
    const struct batch *batch;
    yk_vec_foreach (batch, &source->batches) {
        if (batch->to_submit > 0)
            return true;
    }
    return false;
}

bool yk_workload_is_idle(const struct yk_workload *workload)
{
    const struct source *source;
    yk_vec_foreach (source, &workload->sources) {
        if (has_to_submit(source))
            return false;
    }
    const struct yk_application_row *row;
    yk_vec_foreach (row, &workload->applications) {
        if (row->open > 0)
            return false;
    }
    return workload->waiting == 0 || since_start(workload) - workload->last_change_ns >= quiet_ns;
}

void yk_workload_init(struct yk_workload *workload, struct yk_timers *timers, const struct yk_clock *clock)
{
    memset(workload, 0, sizeof(*workload));
    workload->timers = timers;
    workload->clock = clock;
    workload->start_ns = yk_clock_mono_ns(clock);
    workload->observer = (struct yk_cluster_observer){workload, pod_moment};
}

static void batch_free(struct batch *batch)
{
    char *node;
    yk_timer_cancel(batch->source->workload->timers, &batch->timer);
    yk_vec_foreach (node, &batch->daemon_nodes)
        free(node);
    yk_vec_done(&batch->daemon_nodes);
    free(batch);
}

static void source_free(struct source *source)
{
    struct batch *batch;
    yk_vec_foreach (batch, &source->batches)
        batch_free(batch);
    yk_vec_done(&source->batches);
    free(source->of_pod);
    free(source->id);
    free(source);
}

void yk_workload_close(struct yk_workload *workload)
{
    struct source *source;
    yk_vec_foreach (source, &workload->sources)
        source_free(source);
    yk_vec_done(&workload->sources);
    yk_strmap_done(&workload->sources_by_id);
    workload->sources = (struct yk_vec){0};
    workload->sources_by_id = (struct yk_strmap){0};
}

void yk_workload_done(struct yk_workload *workload)
{
    yk_workload_close(workload);
    struct yk_application_row *row;
    yk_vec_foreach (row, &workload->applications) {
        free(row->name);
        free(row->waits.items);
        free(row);
    }
    yk_vec_done(&workload->applications);
    struct yk_workload_reload *reload;
    yk_vec_foreach (reload, &workload->reloads)
        free_reload(reload);
    yk_vec_done(&workload->reloads);
    struct yk_workload_refusal *refusal;
    yk_vec_foreach (refusal, &workload->refusals) {
        free(refusal->reason);
        free(refusal);
    }
    yk_vec_done(&workload->refusals);
    struct yk_queue_row *queue;
    yk_vec_foreach (queue, &workload->queues) {
        free(queue->name);
        yk_resvec_done(&queue->used);
        yk_resvec_done(&queue->highest);
        free(queue);
    }
    yk_vec_done(&workload->queues);
    yk_resvec_done(&workload->usage.used);
    yk_resvec_done(&workload->usage.allocatable);
}
