/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile_api.h"

#include "api/json_reader.h"
#include "simulate/cluster_priv.h"
#include "simulate/selector.h"
#include "volumes/volumes.h"

enum { VERSION_MAX = 1000000000 };

static const int64_t silence_ns = 30 * YK_NS_PER_S;
static const int64_t for_good_ns = 3600 * YK_NS_PER_S; /* longer than the honest end */

struct hostile_flight {
    struct hostile_flight *next;
    struct yk_op *op;
    struct hostile_answer answer;
    int64_t due_mono_ns;
};

static struct hostile_api *api_of(struct yk_api_server *server)
{
    return (struct hostile_api *)(void *)server;
}

/* ---- what is known of binds ---- */

static void drop_bind(struct hostile_api *api, size_t at)
{
    free(api->binds[at].uid);
    free(api->binds[at].key);
    free(api->binds[at].node);
    api->binds[at] = api->binds[--api->bind_count];
}

/* NULL: none is known. */
static struct hostile_bind *find_bind(struct hostile_api *api, const struct yk_op *op)
{
    YK_CLEANUP(yk_freep) char *key = yk_object_key(yk_str_from(op->namespace_), yk_str_from(op->name));
    for (size_t i = 0; i < api->bind_count; i++) {
        struct hostile_bind *bind = &api->binds[i];
        if (strcmp(bind->uid, op->uid != NULL ? op->uid : "") == 0 && strcmp(bind->key, key) == 0)
            return bind;
    }
    return NULL;
}

static void check_bind(const struct hostile_bind *before, const struct yk_op *op)
{
    if (before->is_answered && strcmp(before->node, op->node) == 0)
        return;
    (void)fprintf(stderr, "%s is bound to %s and %s: the first bind %s\n", before->key, before->node,
                  op->node, before->is_answered ? "was answered with success" : "is on its way");
    abort();
}

static void note_bind(struct hostile_api *api, const struct yk_op *op)
{
    struct hostile_bind *before = find_bind(api, op);
    if (before != NULL) {
        check_bind(before, op);
        before->is_answered = false;
        return;
    }
    if (api->bind_count == HOSTILE_BINDS_MAX)
        return;
    api->binds[api->bind_count++] =
        (struct hostile_bind){.uid = yk_strdup(op->uid != NULL ? op->uid : ""),
                              .key = yk_object_key(yk_str_from(op->namespace_), yk_str_from(op->name)),
                              .node = yk_strdup(op->node)};
}

static void settle_bind(struct hostile_api *api, const struct yk_op *op, bool is_bound)
{
    struct hostile_bind *bind = find_bind(api, op);
    if (bind == NULL)
        return;
    bind->is_answered = true;
    if (!is_bound)
        drop_bind(api, (size_t)(bind - api->binds));
}

/* A watch has the last word. */
static void forget_binds_of(struct hostile_api *api, const struct yk_object *pod)
{
    YK_CLEANUP(yk_freep) char *key = yk_object_key(pod->namespace_, pod->name);
    for (size_t i = api->bind_count; i-- > 0;) {
        if (strcmp(api->binds[i].key, key) == 0)
            drop_bind(api, i);
    }
}

/* ---- what was told ---- */

static size_t find_told(const struct hostile_api *api, const struct yk_object *object)
{
    for (size_t i = 0; i < api->told_count; i++) {
        const struct yk_object *told = api->told[i].object;
        if (told->kind == object->kind && yk_str_eq(told->namespace_, object->namespace_) &&
            yk_str_eq(told->name, object->name))
            return i;
    }
    return api->told_count;
}

static void drop_told(struct hostile_api *api, size_t at)
{
    yk_object_free(api->told[at].object);
    api->told_count--;
    memmove(&api->told[at], &api->told[at + 1], (api->told_count - at) * sizeof(api->told[0]));
}

/* False: there are too many. */
static bool remember(struct hostile_api *api, const struct yk_object *object)
{
    size_t at = find_told(api, object);
    if (at == HOSTILE_TOLD_MAX)
        return false;
    if (at == api->told_count)
        api->told_count++;
    else
        yk_object_free(api->told[at].object);
    api->told[at] = (struct hostile_told){yk_sim_object_copy(object), api->watches[object->kind].mark};
    return true;
}

static bool is_taken(const struct hostile_api *api, const struct yk_object *object)
{
    size_t own = find_told(api, object);
    for (size_t i = 0; i < api->told_count; i++) {
        const struct yk_object *told = api->told[i].object;
        if (i != own && told->kind == object->kind && yk_str_eq(told->uid, object->uid))
            return true;
    }
    return false;
}

/* The volumes of a pod never change: a pod of that name with other volumes is another one. */
static bool has_other_volumes(const struct hostile_api *api, const struct yk_object *object)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf before = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf now = {0};
    size_t at = find_told(api, object);
    if (object->kind != YK_KIND_POD || at == api->told_count)
        return false;
    yk_pod_volumes_key(&before, (const struct yk_pod *)(const void *)api->told[at].object);
    yk_pod_volumes_key(&now, (const struct yk_pod *)(const void *)object);
    return !yk_str_eq(yk_buf_view(&before), yk_buf_view(&now));
}

static void give_uid(struct yk_object *object, const char *more)
{
    struct yk_buf uid = {0};
    yk_buf_printf(&uid, YK_STR_FMT "/" YK_STR_FMT "%s", YK_STR_ARG(object->namespace_),
                  YK_STR_ARG(object->name), more);
    object->uid = yk_arena_str(&object->arena, yk_buf_view(&uid));
    yk_buf_done(&uid);
}

/* Gives the object a version and a uid unless it has one that can be left. */
static void stamp(struct hostile_api *api, struct yk_object *object)
{
    uint64_t version = 0;
    char text[32];
    bool is_number = yk_str_to_u64(object->resource_version, &version) == YK_OK;
    if (yk_str_empty(object->resource_version) || (is_number && version > VERSION_MAX)) {
        version = ++api->version;
        (void)snprintf(text, sizeof(text), "%llu", (unsigned long long)version);
        object->resource_version = yk_arena_str(&object->arena, yk_str_from(text));
    } else if (is_number) {
        api->version = YK_MAX(api->version, version);
    }
    if (yk_str_empty(object->uid) || (!api->uids_repeat && is_taken(api, object)))
        give_uid(object, "");
    if (has_other_volumes(api, object)) {
        (void)snprintf(text, sizeof(text), "#%llu", (unsigned long long)++api->version);
        give_uid(object, text);
    }
}

static void deliver(struct hostile_api *api, enum yk_kind kind, enum yk_watch_event event,
                    struct yk_object *object)
{
    struct hostile_watch *watch = &api->watches[kind];
    if (watch->sink == NULL) {
        yk_object_free(object);
        return;
    }
    watch->sink(watch->context, kind, event, object);
}

static void begin_list(struct hostile_api *api, enum yk_kind kind)
{
    struct hostile_watch *watch = &api->watches[kind];
    watch->is_listing = watch->was_begun = true;
    watch->mark++;
    deliver(api, kind, YK_WATCH_REPLACE_BEGIN, NULL);
}

static void end_list(struct hostile_api *api, enum yk_kind kind, enum yk_watch_event event)
{
    struct hostile_watch *watch = &api->watches[kind];
    watch->is_listing = false;
    for (size_t i = api->told_count; event == YK_WATCH_REPLACE_END && i-- > 0;) {
        if (api->told[i].object->kind != kind || api->told[i].mark == watch->mark)
            continue;
        if (kind == YK_KIND_POD)
            forget_binds_of(api, api->told[i].object);
        drop_told(api, i);
    }
    deliver(api, kind, event, NULL);
}

void hostile_api_list_step(struct hostile_api *api, enum yk_kind kind, enum yk_watch_event event)
{
    const struct hostile_watch *watch = &api->watches[kind];
    if (watch->sink == NULL)
        return;
    if (event == YK_WATCH_REPLACE_BEGIN)
        begin_list(api, kind);
    else if (watch->is_listing)
        end_list(api, kind, event);
}

static bool is_selected(const struct hostile_watch *watch, const struct yk_object *object)
{
    const struct yk_watch_spec spec = {
        .kind = object->kind, .namespace_ = watch->namespace_, .field_selector = watch->field_selector};
    return yk_sim_selector_matches(&spec, object);
}

void hostile_api_list(struct hostile_api *api, enum yk_kind kind)
{
    struct hostile_watch *watch = &api->watches[kind];
    if (watch->sink == NULL)
        return;
    begin_list(api, kind);
    for (size_t i = 0; i < api->told_count; i++) {
        struct hostile_told *told = &api->told[i];
        if (told->object->kind != kind)
            continue;
        told->mark = watch->mark;
        if (is_selected(watch, told->object))
            deliver(api, kind, YK_WATCH_UPSERT, yk_sim_object_copy(told->object));
    }
    end_list(api, kind, YK_WATCH_REPLACE_END);
}

static void tell_object(struct hostile_api *api, enum yk_watch_event event, struct yk_object *object)
{
    enum yk_kind kind = object->kind;
    stamp(api, object);
    size_t at = find_told(api, object);
    if (kind == YK_KIND_POD)
        forget_binds_of(api, object);
    if (event == YK_WATCH_DELETED && at < api->told_count)
        drop_told(api, at);
    if (event != YK_WATCH_DELETED && !remember(api, object)) {
        yk_object_free(object);
        return;
    }
    if (api->watches[kind].sink != NULL && !api->watches[kind].was_begun)
        begin_list(api, kind);
    deliver(api, kind, event, object);
}

static void tell_message(struct hostile_api *api, enum yk_kind kind, struct yk_event_message *message)
{
    switch (message->type) {
    case YK_EVENT_ADDED:
    case YK_EVENT_MODIFIED:
        tell_object(api, YK_WATCH_UPSERT, yk_move(message->object));
        break;
    case YK_EVENT_DELETED:
        tell_object(api, YK_WATCH_DELETED, yk_move(message->object));
        break;
    case YK_EVENT_BOOKMARK:
        if (message->is_list_end)
            hostile_api_list_step(api, kind, YK_WATCH_REPLACE_END);
        break;
    case YK_EVENT_ERROR:
        hostile_api_list(api, kind);
        break;
    case YK_EVENT_REFUSED:
        hostile_api_list_step(api, kind, YK_WATCH_REPLACE_GAPS);
        break;
    }
}

void hostile_api_tell(struct hostile_api *api, enum yk_kind kind, struct yk_str json)
{
    struct hostile_watch *watch = &api->watches[kind];
    while (json.len > 0) {
        struct yk_event_message message;
        bool has_event;
        if (yk_watch_reader_next(&watch->reader, &json, &message, &has_event, NULL) != YK_OK) {
            yk_watch_reader_done(&watch->reader);
            yk_watch_reader_init(&watch->reader, kind, YK_WIRE_JSON);
            hostile_api_list(api, kind);
            return;
        }
        if (!has_event)
            return;
        tell_message(api, kind, &message);
        yk_event_message_done(&message);
    }
}

/* ---- requests ---- */

static struct yk_object *told_pod(const struct hostile_api *api, const struct yk_op *op)
{
    const struct yk_object like = {
        .kind = YK_KIND_POD, .namespace_ = yk_str_from(op->namespace_), .name = yk_str_from(op->name)};
    size_t at = find_told(api, &like);
    if (at == api->told_count)
        return NULL;
    struct yk_object *pod = yk_sim_object_copy(api->told[at].object);
    pod->resource_version = (struct yk_str){0};
    return pod;
}

static void create_pod(struct hostile_api *api, const struct yk_op *op)
{
    struct yk_object *pod = NULL;
    if (yk_object_from_json(YK_KIND_POD, yk_buf_view(&op->body), &pod, NULL) != YK_OK)
        abort(); /* the shim's own words */
    tell_object(api, YK_WATCH_UPSERT, pod);
}

/* Does what the request asks for and tells of it. */
static void carry_out(struct hostile_api *api, const struct yk_op *op)
{
    if (op->kind == YK_OP_CREATE_POD) {
        create_pod(api, op);
        return;
    }
    struct yk_object *pod = told_pod(api, op);
    if (pod == NULL)
        return;
    if (op->kind == YK_OP_BIND && yk_str_empty(yk_pod_of(pod)->node_name)) {
        yk_sim_pod_set_node(yk_pod_of(pod), yk_str_from(op->node));
        tell_object(api, YK_WATCH_UPSERT, pod);
    } else if (op->kind == YK_OP_DELETE_POD) {
        tell_object(api, YK_WATCH_DELETED, pod);
    } else {
        yk_object_free(pod);
    }
}

static void answer(struct hostile_api *api, struct hostile_flight *flight)
{
    struct yk_op *op = flight->op;
    int status = flight->answer.status;
    bool is_done = status == HOSTILE_DONE || status == HOSTILE_DONE_LOST;
    op->http_status = status > HOSTILE_SILENT ? status : 0;
    op->result = yk_sim_result_of(op->http_status);
    op->retry_after_ns = flight->answer.retry_after_ns;
    if (op->result != YK_OP_OK)
        (void)yk_fail(yk_op_err(op), YK_ERR_STATE, "Hostile: %d", status); /* only the text is wanted */
    if (op->kind == YK_OP_BIND) {
        settle_bind(api, op, op->result == YK_OP_OK);
        api->has_lied |= op->result == YK_OP_OK && !is_done;
        api->has_failed |= op->result != YK_OP_OK;
    }
    if (op->kind == YK_OP_REVIEW_TOKEN && op->result == YK_OP_OK)
        op->review = yk_new0(struct yk_token_review);
    if (is_done)
        carry_out(api, op);
    api->in_flight--;
    free(flight);
    op->done(op);
}

static struct hostile_flight *take_due(struct hostile_api *api, int64_t now_ns)
{
    for (struct hostile_flight **at = &api->first; *at != NULL; at = &(*at)->next) {
        struct hostile_flight *flight = *at;
        if (flight->due_mono_ns <= now_ns) {
            *at = flight->next;
            return flight;
        }
    }
    return NULL;
}

static void arm(struct hostile_api *api)
{
    int64_t due_ns = INT64_MAX;
    for (const struct hostile_flight *flight = api->first; flight != NULL; flight = flight->next)
        due_ns = YK_MIN(due_ns, flight->due_mono_ns);
    for (int kind = 0; kind < YK_KIND_COUNT; kind++)
        due_ns = api->watches[kind].wants_list ? 0 : due_ns;
    yk_timer_cancel(api->timers, &api->timer);
    if (due_ns != INT64_MAX)
        yk_timer_arm(api->timers, &api->timer, due_ns - yk_clock_mono_ns(api->clock));
}

static void list_wanted(struct hostile_api *api)
{
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        if (!api->watches[kind].wants_list)
            continue;
        api->watches[kind].wants_list = false;
        hostile_api_list(api, (enum yk_kind)kind);
    }
}

static void answer_due(struct yk_timer *timer)
{
    struct hostile_api *api = YK_CONTAINER(timer, struct hostile_api, timer);
    int64_t now_ns = yk_clock_mono_ns(api->clock);
    struct hostile_flight *flight;
    while ((flight = take_due(api, now_ns)) != NULL)
        answer(api, flight);
    list_wanted(api);
    arm(api);
}

static struct hostile_answer next_answer(struct hostile_api *api, enum yk_op_kind kind)
{
    struct hostile_answer *answer = &api->answers[kind], now = *answer;
    if (answer->left > 0 && --answer->left == 0)
        *answer = (struct hostile_answer){.status = HOSTILE_DONE};
    if (now.status == HOSTILE_SILENT)
        now.delay_ns = silence_ns;
    return now;
}

static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct hostile_api *api = api_of(server);
    if (api->cluster != NULL) {
        yk_api_submit(yk_cluster_api(api->cluster), op);
        return;
    }
    if (op->kind == YK_OP_BIND)
        note_bind(api, op);
    struct hostile_flight **last = &api->first, *flight = yk_new0(struct hostile_flight);
    *flight = (struct hostile_flight){.op = op, .answer = next_answer(api, op->kind)};
    flight->due_mono_ns = yk_clock_mono_ns(api->clock) + flight->answer.delay_ns;
    while (*last != NULL)
        last = &(*last)->next;
    *last = flight;
    api->in_flight++;
    arm(api);
}

/* ---- the rest of the interface ---- */

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    struct hostile_api *api = api_of(server);
    struct hostile_watch *at = &api->watches[spec->kind];
    if (api->cluster != NULL) {
        yk_api_watch(yk_cluster_api(api->cluster), spec, sink, context);
        return;
    }
    at->sink = sink;
    at->context = context;
    at->namespace_ = yk_strdup_or_null(spec->namespace_);
    at->field_selector = yk_strdup_or_null(spec->field_selector);
    at->wants_list = !api->lists_by_hand;
    arm(api);
}

static void stop(struct yk_api_server *server)
{
    const struct hostile_api *api = api_of(server);
    if (api->cluster != NULL)
        yk_api_stop(yk_cluster_api(api->cluster));
}

static size_t in_flight(struct yk_api_server *server)
{
    const struct hostile_api *api = api_of(server);
    return api->in_flight + (api->cluster != NULL ? yk_api_in_flight(yk_cluster_api(api->cluster)) : 0);
}

static const struct yk_api_server_ops ops = {watch, submit, stop, in_flight};

void hostile_api_init(struct hostile_api *api, const struct yk_clock *clock, struct yk_timers *timers)
{
    *api = (struct hostile_api){.server = {&ops}, .clock = clock, .timers = timers};
    api->timer.fire = answer_due;
    for (int kind = 0; kind < YK_KIND_COUNT; kind++)
        yk_watch_reader_init(&api->watches[kind].reader, (enum yk_kind)kind, YK_WIRE_JSON);
    for (int op = 0; op < HOSTILE_OPS; op++)
        api->answers[op].status = HOSTILE_DONE;
}

void hostile_api_done(struct hostile_api *api)
{
    yk_timer_cancel(api->timers, &api->timer);
    while (api->told_count > 0)
        drop_told(api, api->told_count - 1);
    while (api->bind_count > 0)
        drop_bind(api, api->bind_count - 1);
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        yk_watch_reader_done(&api->watches[kind].reader);
        free(api->watches[kind].field_selector);
        free(api->watches[kind].namespace_);
    }
}

static bool has_namespace(enum yk_kind kind)
{
    return kind == YK_KIND_POD || kind == YK_KIND_CONFIG_MAP || kind == YK_KIND_DISRUPTION_BUDGET ||
           kind == YK_KIND_VOLUME_CLAIM || kind == YK_KIND_CSI_CAPACITY;
}

/* What no API server has is left out: objects without a name or with a namespace too many. */
static void fill_cluster(struct hostile_api *api, struct yk_cluster *cluster)
{
    for (size_t i = 0; i < api->told_count; i++) {
        const struct yk_object *told = api->told[i].object;
        if (yk_str_empty(told->name) || yk_str_empty(told->namespace_) == has_namespace(told->kind) ||
            yk_cluster_find(cluster, told->kind, told->namespace_.p, told->name.p) != NULL)
            continue;
        yk_cluster_put(cluster, yk_sim_object_copy(told));
    }
}

/*
 * A node may hold more than it has: its pods may have grown while their binds were on their way. A bind that
 * failed, or that was answered with success and not done, is sent again later, whatever has become of the
 * node meanwhile: it is no new decision.
 */
static void excuse_full_nodes(const struct hostile_api *api, struct yk_cluster *cluster)
{
    int64_t longer_ns = api->has_lied || api->has_failed ? for_good_ns : 0;
    int64_t until_ns = yk_clock_mono_ns(cluster->options.clock) + longer_ns;
    struct yk_sim_entry *node;
    yk_list_foreach (node, &cluster->kinds[YK_KIND_NODE].entries, struct yk_sim_entry, link)
        node->shrunk_mono_ns = until_ns;
}

void hostile_api_reform(struct hostile_api *api, struct yk_cluster *cluster)
{
    for (struct hostile_flight *flight = api->first; flight != NULL; flight = flight->next) {
        flight->answer = (struct hostile_answer){.status = HOSTILE_LOST};
        flight->due_mono_ns = 0;
    }
    cluster->version = api->version;
    fill_cluster(api, cluster);
    excuse_full_nodes(api, cluster);
    api->cluster = cluster;
    for (int kind = 0; kind < YK_KIND_COUNT; kind++)
        api->watches[kind].wants_list = false;
    answer_due(&api->timer);
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        const struct hostile_watch *at = &api->watches[kind];
        const struct yk_watch_spec spec = {
            .kind = (enum yk_kind)kind, .namespace_ = at->namespace_, .field_selector = at->field_selector};
        if (at->sink != NULL)
            yk_api_watch(yk_cluster_api(cluster), &spec, at->sink, at->context);
    }
}
