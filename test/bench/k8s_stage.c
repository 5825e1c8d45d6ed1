/* SPDX-License-Identifier: Apache-2.0 */
#include "k8s_stage.h"

#include "api/protobuf_reader.h"
#include "base/log.h"
#include "report.h"

#include <stdio.h>

enum { QUEUES = 5, NAME_LEN = 10 /* "node-00000" */ };

static const char queues_yaml[] =
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"
    "    submitacl: '*'\n    queues: [{name: q0}, {name: q1}, {name: q2}, {name: q3}, {name: q4}]\n";

/* ---- the API server ---- */

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    struct k8s_stage *stage = (struct k8s_stage *)(void *)server;
    stage->sinks[spec->kind] = sink;
    stage->contexts[spec->kind] = context;
}

static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct k8s_stage *stage = (struct k8s_stage *)(void *)server;
    op->next = NULL;
    *stage->last = op;
    stage->last = &op->next;
    stage->in_flight++;
}

static void stop(struct yk_api_server *server)
{
    (void)server;
}

static size_t in_flight(struct yk_api_server *server)
{
    return ((struct k8s_stage *)(void *)server)->in_flight;
}

static const struct yk_api_server_ops ops = {watch, submit, stop, in_flight};

static void tell(struct k8s_stage *stage, enum yk_kind kind, enum yk_watch_event event,
                 struct yk_object *object)
{
    if (stage->sinks[kind] == NULL)
        rig_die("a kind is not watched");
    stage->sinks[kind](stage->contexts[kind], kind, event, object);
}

static struct yk_object *decode(enum yk_kind kind, struct yk_str bytes)
{
    struct yk_err err = {0};
    struct yk_object *object;
    if (yk_object_from_protobuf(kind, bytes, &object, &err) != YK_OK)
        rig_die(err.text);
    return object;
}

static size_t number_of(const struct yk_op *op)
{
    uint64_t number;
    if (yk_str_to_u64(yk_str_from(strrchr(op->uid, '-') + 1), &number) != YK_OK ||
        strlen(op->node) != NAME_LEN)
        rig_die("a binding of a pod that was never made");
    return (size_t)number;
}

/* The pod as it is once it is bound. */
static struct yk_object *bound_object(struct k8s_stage *stage, const struct yk_op *op)
{
    size_t number = number_of(op);
    memcpy((char *)(uintptr_t)stage->pods[number].p + stage->node_at[number], op->node, NAME_LEN);
    return decode(YK_KIND_POD, stage->pods[number]);
}

static void answer(struct k8s_stage *stage, struct yk_op *op, struct yk_object *bound)
{
    op->result = YK_OP_OK;
    op->http_status = 200;
    stage->bound += op->kind == YK_OP_BIND;
    if (bound != NULL)
        tell(stage, YK_KIND_POD, YK_WATCH_UPSERT, bound);
    op->done(op);
}

/* What they lead to is decoded first, as another thread does. */
static bool answer_all(struct k8s_stage *stage)
{
    enum { BATCH = 1024 };
    struct yk_object *bound[BATCH];
    struct yk_op *batch[BATCH];
    size_t count = 0;
    int64_t start_ns = report_now_ns();
    for (; stage->first != NULL && count < BATCH; count++) {
        struct yk_op *op = batch[count] = stage->first;
        stage->first = op->next;
        bound[count] = op->kind == YK_OP_BIND ? bound_object(stage, op) : NULL;
    }
    if (stage->first == NULL)
        stage->last = &stage->first;
    stage->decode_ns += report_now_ns() - start_ns;
    stage->in_flight -= count;
    for (size_t i = 0; i < count; i++)
        answer(stage, batch[i], bound[i]);
    return count > 0;
}

/* ---- objects ---- */

static struct yk_str take_object(struct k8s_stage *stage, const char *kind, const char *api_version)
{
    struct yk_str bytes;
    pen_end_object(&stage->pen, kind, api_version, &bytes, NULL);
    return bytes;
}

static void metadata(struct pen *pen, const char *namespace_, const char *name, const char *uid,
                     const char *version)
{
    pen_text(pen, "name", 1, name);
    if (namespace_ != NULL)
        pen_text(pen, "namespace", 3, namespace_);
    pen_text(pen, "uid", 5, uid);
    pen_text(pen, "resourceVersion", 6, version);
    pen_time_at(pen, "creationTimestamp", 8, 1772600767);
}

static void tell_made(struct k8s_stage *stage, enum yk_kind kind, const char *word, const char *api_version)
{
    struct yk_str bytes = take_object(stage, word, api_version);
    tell(stage, kind, YK_WATCH_UPSERT, decode(kind, bytes));
    free((void *)(uintptr_t)bytes.p);
}

static void add_node(struct k8s_stage *stage, size_t number)
{
    static const char *const zones[K8S_ZONES] = {"zone-a", "zone-b", "zone-c"};
    struct pen *pen = &stage->pen;
    char name[32];
    (void)snprintf(name, sizeof(name), "node-%05zu", number);
    pen_begin_object(pen, "Node", "v1");
    pen_begin(pen, "metadata", 1);
    metadata(pen, NULL, name, name, "1");
    pen_map(pen, "labels");
    pen_entry(pen, 11, "kubernetes.io/hostname", name);
    pen_entry(pen, 11, "topology.kubernetes.io/zone", zones[number % K8S_ZONES]);
    if (number % K8S_POOL_EVERY == 0)
        pen_entry(pen, 11, "pool", "gold");
    pen_map_end(pen);
    pen_end(pen);
    pen_begin(pen, "status", 3);
    pen_map(pen, "allocatable");
    pen_amount(pen, 2, "cpu", "64");
    pen_amount(pen, 2, "memory", "256Gi");
    pen_amount(pen, 2, "pods", "2000"); /* the pool of every 100th takes all that ask for it */
    pen_map_end(pen);
    pen_end(pen);
    tell_made(stage, YK_KIND_NODE, "Node", "v1");
}

static void label_selector(struct pen *pen, uint32_t number, const char *service)
{
    pen_begin(pen, "labelSelector", number);
    pen_map(pen, "matchLabels");
    pen_entry(pen, 1, "service", service);
    pen_map_end(pen);
    pen_end(pen);
}

static void affinity(struct pen *pen, const char *key, uint32_t number, const char *topology_key,
                     const char *service)
{
    pen_begin(pen, "affinity", 18);
    pen_begin(pen, key, number);
    pen_list(pen, "requiredDuringSchedulingIgnoredDuringExecution");
    pen_begin(pen, NULL, 1);
    label_selector(pen, 1, service);
    pen_text(pen, "topologyKey", 3, topology_key);
    pen_end(pen);
    pen_list_end(pen);
    pen_end(pen);
    pen_end(pen);
}

static void spread(struct pen *pen, const char *service)
{
    pen_list(pen, "topologySpreadConstraints");
    pen_begin(pen, NULL, 33);
    pen_number(pen, "maxSkew", 1, 1);
    pen_text(pen, "topologyKey", 2, "topology.kubernetes.io/zone");
    pen_text(pen, "whenUnsatisfiable", 3, "DoNotSchedule");
    label_selector(pen, 4, service);
    pen_end(pen);
    pen_list_end(pen);
}

static void node_selector(struct pen *pen, const char *pool)
{
    pen_map(pen, "nodeSelector");
    pen_entry(pen, 7, "pool", pool);
    pen_map_end(pen);
}

static void query(struct pen *pen, enum k8s_wish what, const char *service)
{
    switch (what) {
    case K8S_ZONE_SPREAD:
        spread(pen, service);
        break;
    case K8S_HOST_ANTI:
        affinity(pen, "podAntiAffinity", 3, "kubernetes.io/hostname", service);
        break;
    case K8S_ZONE_AFFINITY:
        affinity(pen, "podAffinity", 2, "topology.kubernetes.io/zone", service);
        break;
    case K8S_SELECTOR:
        node_selector(pen, "gold");
        break;
    case K8S_NOWHERE:
        node_selector(pen, "nowhere");
        break;
    case K8S_PLAIN:
    case K8S_WISHES:
        break;
    }
}

static void spec(struct pen *pen, const struct k8s_pod *pod, const char *service)
{
    pen_begin(pen, "spec", 2);
    pen_list(pen, "containers");
    pen_begin(pen, NULL, 2);
    pen_text(pen, "name", 1, "main");
    pen_text(pen, "image", 2, "registry.example/team/service:1.2.3");
    pen_begin(pen, "resources", 8);
    pen_map(pen, "requests");
    pen_amount(pen, 2, "cpu", "100m");
    pen_amount(pen, 2, "memory", "128Mi");
    pen_map_end(pen);
    pen_end(pen);
    pen_end(pen);
    pen_list_end(pen);
    /* The reader takes what comes last, so the name of a node may stand in front of it, too. */
    char node[32] = "..........";
    if (pod->node != SIZE_MAX)
        (void)snprintf(node, sizeof(node), "node-%05zu", pod->node);
    pen_text(pen, "nodeName", 10, node);
    pen_text(pen, "schedulerName", 19, "yunikorn");
    pen_number(pen, "priority", 25, 0);
    query(pen, pod->query, service);
    pen_end(pen);
}

size_t k8s_stage_make(struct k8s_stage *stage, const struct k8s_pod *pod)
{
    struct pen *pen = &stage->pen;
    size_t number = stage->pod_count++;
    char name[48], uid[48], app[32], queue[16], service[32];
    if (stage->pod_count > stage->pod_capacity) {
        stage->pod_capacity = YK_MAX((size_t)1024, stage->pod_capacity * 2);
        stage->pods = yk_realloc_array(stage->pods, stage->pod_capacity, sizeof(*stage->pods));
        stage->node_at = yk_realloc_array(stage->node_at, stage->pod_capacity, sizeof(*stage->node_at));
    }
    (void)snprintf(name, sizeof(name), "pod-%zu", number);
    (void)snprintf(uid, sizeof(uid), "00000000-1111-4222-8333-%012zu", number);
    (void)snprintf(app, sizeof(app), "app-%zu", pod->app);
    (void)snprintf(service, sizeof(service), "service-%zu", pod->app);
    (void)snprintf(queue, sizeof(queue), "root.q%zu", pod->app % QUEUES);
    pen_begin_object(pen, "Pod", "v1");
    pen_begin(pen, "metadata", 1);
    metadata(pen, "default", name, uid, "1");
    pen_map(pen, "labels");
    pen_entry(pen, 11, "applicationId", app);
    pen_entry(pen, 11, "queue", queue);
    pen_entry(pen, 11, "service", service);
    pen_map_end(pen);
    pen_end(pen);
    spec(pen, pod, service);
    pen_begin(pen, "status", 3);
    pen_text(pen, "phase", 1, pod->node == SIZE_MAX ? "Pending" : "Running");
    pen_end(pen);
    struct yk_str bytes = take_object(stage, "Pod", "v1");
    char wanted[32] = "..........";
    if (pod->node != SIZE_MAX)
        (void)snprintf(wanted, sizeof(wanted), "node-%05zu", pod->node);
    stage->pods[number] = bytes;
    stage->node_at[number] = (size_t)((const char *)memmem(bytes.p, bytes.len, wanted, NAME_LEN) - bytes.p);
    return number;
}

/* ---- a run ---- */

static void settle(struct k8s_stage *stage)
{
    bool more = true;
    while (more) {
        more = yk_actor_step(&stage->engine.actor);
        more = answer_all(stage) || more;
    }
}

static void list(struct k8s_stage *stage, enum yk_kind kind, enum yk_watch_event event)
{
    tell(stage, kind, event, NULL);
}

static void add_config(struct k8s_stage *stage)
{
    struct pen *pen = &stage->pen;
    list(stage, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN);
    pen_begin_object(pen, "ConfigMap", "v1");
    pen_begin(pen, "metadata", 1);
    metadata(pen, "yunikorn", "yunikorn-configs", "configs", "1");
    pen_end(pen);
    pen_map(pen, "data");
    pen_entry(pen, 2, "queues.yaml", queues_yaml);
    pen_entry(pen, 2, "kubernetes.qps", "-1");
    pen_map_end(pen);
    tell_made(stage, YK_KIND_CONFIG_MAP, "ConfigMap", "v1");
    list(stage, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END);
}

static void add_namespace(struct k8s_stage *stage)
{
    list(stage, YK_KIND_NAMESPACE, YK_WATCH_REPLACE_BEGIN);
    pen_begin_object(&stage->pen, "Namespace", "v1");
    pen_begin(&stage->pen, "metadata", 1);
    metadata(&stage->pen, NULL, "default", "default", "1");
    pen_end(&stage->pen);
    tell_made(stage, YK_KIND_NAMESPACE, "Namespace", "v1");
    list(stage, YK_KIND_NAMESPACE, YK_WATCH_REPLACE_END);
}

void k8s_stage_init(struct k8s_stage *stage, size_t nodes)
{
    k8s_stage_init_recorded(stage, nodes, NULL);
}

void k8s_stage_init_recorded(struct k8s_stage *stage, size_t nodes, struct yk_record_thread *thread)
{
    *stage = (struct k8s_stage){.server = {&ops}};
    stage->last = &stage->first;
    yk_log_set_stream(NULL);
    if (thread != NULL)
        yk_engine_init_recorded(&stage->engine, &yk_clock_real, NULL, false, yk_record_thread_put,
                                yk_record_thread_put_object, thread);
    else
        yk_engine_init(&stage->engine, &yk_clock_real, NULL, false);
    const struct yk_shim_options options = {
        .api = &stage->server, .namespace_ = "yunikorn", .hostname = "here", .seed = 1};
    yk_engine_start(&stage->engine, &options);
    add_config(stage);
    settle(stage);
    list(stage, YK_KIND_NODE, YK_WATCH_REPLACE_BEGIN);
    for (size_t i = 0; i < nodes; i++)
        add_node(stage, i);
    list(stage, YK_KIND_NODE, YK_WATCH_REPLACE_END);
    add_namespace(stage);
    list(stage, YK_KIND_PRIORITY_CLASS, YK_WATCH_REPLACE_BEGIN);
    list(stage, YK_KIND_PRIORITY_CLASS, YK_WATCH_REPLACE_END);
    settle(stage);
}

void k8s_stage_begin(struct k8s_stage *stage)
{
    list(stage, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    for (size_t i = 0; i < stage->pod_count; i++)
        tell(stage, YK_KIND_POD, YK_WATCH_UPSERT, decode(YK_KIND_POD, stage->pods[i]));
    list(stage, YK_KIND_POD, YK_WATCH_REPLACE_END);
    settle(stage);
    if (!yk_shim_is_ready(stage->engine.shim))
        rig_die("the scheduler does not become ready");
}

/* Waiting: without the name of a node. */
static struct yk_object *waiting_object(const struct k8s_stage *stage, size_t number)
{
    struct yk_object *object = decode(YK_KIND_POD, stage->pods[number]);
    yk_pod_of(object)->node_name = (struct yk_str){0};
    return object;
}

/* As many between two steps as a mailbox holds. */
static void create(struct k8s_stage *stage, size_t from, size_t to)
{
    struct yk_object *objects[YK_ENGINE_INBOX_MAX];
    int64_t start_ns = report_now_ns();
    for (size_t i = from; i < to; i++)
        objects[i - from] = waiting_object(stage, i);
    stage->decode_ns += report_now_ns() - start_ns;
    for (size_t i = from; i < to; i++)
        tell(stage, YK_KIND_POD, YK_WATCH_UPSERT, objects[i - from]);
}

struct k8s_took k8s_stage_run(struct k8s_stage *stage, size_t from, size_t to, size_t placeable)
{
    size_t before = stage->bound;
    int64_t start_ns = report_now_ns();
    stage->decode_ns = 0;
    for (size_t at = from; at < to; at += YK_ENGINE_INBOX_MAX) {
        create(stage, at, YK_MIN(to, at + YK_ENGINE_INBOX_MAX));
        (void)yk_actor_step(&stage->engine.actor); /* more to do: in the next one */
        (void)answer_all(stage);
    }
    while (stage->bound - before < placeable) {
        size_t bound = stage->bound;
        settle(stage);
        if (bound == stage->bound)
            rig_die("some pods wait that could run");
    }
    settle(stage);
    int64_t took_ns = report_now_ns() - start_ns;
    if (stage->bound - before != placeable)
        rig_die("not exactly those were bound that could run");
    return (struct k8s_took){(double)took_ns / 1e9, (double)(took_ns - stage->decode_ns) / 1e9};
}

size_t k8s_stage_node_of(const struct k8s_stage *stage, size_t number)
{
    uint64_t node;
    struct yk_str digits = {stage->pods[number].p + stage->node_at[number] + NAME_LEN - 5, 5};
    return yk_str_to_u64(digits, &node) == YK_OK ? (size_t)node : SIZE_MAX;
}

void k8s_stage_end(struct k8s_stage *stage, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        tell(stage, YK_KIND_POD, YK_WATCH_DELETED, decode(YK_KIND_POD, stage->pods[i]));
        if (i % YK_ENGINE_INBOX_MAX == 0)
            settle(stage);
    }
    settle(stage);
}

void k8s_stage_done(struct k8s_stage *stage)
{
    yk_shim_stop(stage->engine.shim);
    while (answer_all(stage))
        continue;
    yk_engine_done(&stage->engine);
    for (size_t i = 0; i < stage->pod_count; i++)
        free((void *)(uintptr_t)stage->pods[i].p);
    free(stage->pods);
    free(stage->node_at);
    pen_done(&stage->pen);
}
