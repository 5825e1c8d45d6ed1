/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/explain.h"

/* Why a node is not available: an enum yk_verdict, or one of these. */
enum reason {
    REASON_NONE = 0,                  /* no filter refuses the node */
    REASON_CLOSED = YK_VERDICT_COUNT, /* `closers` of the node is not 0 */
    REASON_NOT_NAMED,                 /* the pod names its nodes, and this node is not one of them */
    REASON_RESERVED,
    REASON_PODS,     /* the node has its maximum number of pods */
    REASON_RESOURCE, /* REASON_RESOURCE plus the number of a resource type */
    REASON_COUNT = REASON_RESOURCE + YK_RESTYPE_MAX,
};

struct spoken {         /* a reason of volumes, which is a sentence */
    const char *plugin; /* of kube-scheduler; static */
    char *text;         /* owned */
    uint32_t nodes;
};

struct histogram {
    uint32_t nodes[REASON_COUNT];
    struct yk_vec spoken; /* struct spoken, owned; few */
    /* nodes that a host port or a fixed filter other than NodeDeclaredFeatures refuses */
    uint32_t ruled_out;
    uint32_t lacking;         /* other nodes that have too little of a resource */
    uint32_t without_volumes; /* nodes with enough resources that a filter of volumes refuses */
    bool volumes_come_free;   /* on one of `without_volumes`, once other pods have ended */
    /* nodes with enough resources that a host port or a filter of other pods refuses */
    uint32_t refused;
};

struct question {
    struct yk_classes *classes;
    yk_si_class class_;
    const struct yk_k8s_class *found;         /* NULL for YK_SI_CLASS_ANY */
    const struct yk_constraints *constraints; /* of `found`, or NULL */
    const struct yk_size *size;
};

/* The reason that the verdict stands for. REASON_NONE if the node passes, or if the reason is not counted
 * here: volumes have sentences of their own, and a selector that cannot be parsed is reported once for all
 * nodes. */
static int reason_of(enum yk_verdict verdict)
{
    return yk_filters[verdict].sentence != NULL ? (int)verdict : REASON_NONE;
}

static int fixed_reason(const struct question *question, const struct yk_cache_node *node)
{
    bool any;
    if (node->closers > 0)
        return REASON_CLOSED;
    if (question->constraints == NULL)
        return node->unschedulable ? (int)YK_VERDICT_UNSCHEDULABLE : REASON_NONE;
    if (question->constraints->is_named && !yk_affinity_names(question->constraints, node->name, &any))
        return REASON_NOT_NAMED;
    return reason_of(yk_class_verdict(question->classes, question->class_, node));
}

/* Whether the node has too little of this type free. */
static bool lacks(const struct yk_cache_node *node, const struct yk_resvec *want, int type)
{
    int64_t wanted = yk_resvec_get(want, type), offered = yk_resvec_get(&node->allocatable->amounts, type);
    return !yk_restype_is_asked(type) && wanted > 0 &&
           wanted > yk_i64_sub(offered, yk_resvec_get(&node->used, type));
}

static bool has_capacity(const struct yk_cache_node *node, const struct yk_size *size)
{
    const struct yk_resvec *want = &size->amounts;
    yk_resvec_foreach(type, want)
    {
        if (lacks(node, want, type))
            return false;
    }
    return !yk_size_wants_unknown(size);
}

/* Counts the node for each resource type of which it has too little free. False: there is no such type. */
static bool count_resources(struct histogram *histogram, const struct yk_resvec *want,
                            const struct yk_cache_node *node)
{
    bool missing = false;
    yk_resvec_foreach(type, want)
    {
        if (!lacks(node, want, type))
            continue;
        histogram->nodes[type == YK_RESTYPE_PODS ? REASON_PODS : REASON_RESOURCE + type]++;
        missing = true;
    }
    return missing;
}

static void count_sentence(void *context, const char *plugin, const char *text)
{
    struct histogram *histogram = context;
    struct spoken *spoken;
    yk_vec_foreach (spoken, &histogram->spoken) {
        if (strcmp(spoken->text, text) == 0) {
            spoken->nodes++;
            return;
        }
    }
    spoken = yk_new0(struct spoken);
    *spoken = (struct spoken){plugin, yk_strdup(text), 1};
    yk_vec_append(&histogram->spoken, spoken);
}

/* Counts the node for each sentence of the filters of volumes. False: the node passes these filters. */
static bool count_volumes(const struct question *question, struct histogram *histogram,
                          const struct yk_cache_node *node)
{
    const uint32_t in_use = YK_VOLUMES_DISK_IN_USE | YK_VOLUMES_CLAIM_IN_USE | YK_VOLUMES_TOO_MANY;
    const struct yk_class_spec *spec = question->found != NULL ? question->found->spec : NULL;
    if (spec == NULL || spec->pod_volumes == NULL)
        return false;
    uint32_t result = yk_volumes_check(spec->volumes, spec->pod_volumes, node);
    yk_volumes_reasons(spec->volumes, spec->pod_volumes, node, result, count_sentence, histogram);
    if (result != 0 && (result & ~in_use) == 0 &&
        ((result & YK_VOLUMES_TOO_MANY) == 0 ||
         yk_volumes_attach_alone(spec->volumes, spec->pod_volumes, node)))
        histogram->volumes_come_free = true;
    return result != 0;
}

static bool is_reserved(const struct yk_classes *classes, const struct yk_cache_node *node)
{
    return classes->is_reserved != NULL && classes->is_reserved(classes->reserved_context, node);
}

/* Counts the node for the reasons of the first filter that refuses it. The order is: fixed filters, ports,
 * resources, volumes, other pods, declared features. */
static void count_node(const struct question *question, struct histogram *histogram,
                       const struct yk_cache_node *node)
{
    int reason = fixed_reason(question, node), last = REASON_NONE;
    if (reason == YK_VERDICT_FEATURES) {
        last = reason;
        reason = REASON_NONE;
    }
    if (reason == REASON_NONE && question->found != NULL) {
        reason = reason_of(yk__class_verdict_on_ports(question->found, node, NULL));
        histogram->refused += reason != REASON_NONE && has_capacity(node, question->size);
    }
    if (reason != REASON_NONE) {
        histogram->nodes[reason]++;
        histogram->ruled_out++;
        return;
    }
    if (count_resources(histogram, &question->size->amounts, node) || yk_size_wants_unknown(question->size)) {
        histogram->lacking++;
        return;
    }
    if (count_volumes(question, histogram, node)) {
        histogram->without_volumes++;
        return;
    }
    if (question->found != NULL)
        reason = reason_of(yk__class_verdict_on_pods(question->found, node, YK_CLASS_ALLOCATE, NULL));
    histogram->refused += reason != REASON_NONE;
    reason = reason != REASON_NONE ? reason : last;
    if (reason == REASON_NONE && is_reserved(question->classes, node))
        reason = REASON_RESERVED;
    if (reason != REASON_NONE)
        histogram->nodes[reason]++;
}

/* The sentence of a reason; NULL for a resource type. */
static const char *fixed_text(int reason)
{
    switch (reason) {
    case REASON_CLOSED:
        return "node(s) had a pod whose amounts cannot be read";
    case REASON_NOT_NAMED:
        return "node(s) didn't satisfy plugin(s) [NodeAffinity]";
    case REASON_RESERVED:
        return "node(s) were reserved for other pods";
    case REASON_PODS:
        return "Too many pods";
    default:
        return reason < YK_VERDICT_COUNT ? yk_filters[reason].sentence : NULL;
    }
}

static char *entry_text(int reason, uint32_t count)
{
    struct yk_buf text = {.max = 1024};
    const char *fixed = fixed_text(reason);
    if (fixed != NULL)
        yk_buf_printf(&text, "%u %s", count, fixed);
    else
        yk_buf_printf(&text, "%u Insufficient %s", count, yk_restype_to_kubernetes(reason - REASON_RESOURCE));
    return yk_buf_take(&text);
}

static enum yk_si_reason reason_in(const struct histogram *histogram)
{
    if (histogram->lacking > 0)
        return YK_REASON_NODE_RESOURCES;
    if (histogram->without_volumes > 0)
        return YK_REASON_VOLUMES;
    if (histogram->nodes[REASON_RESERVED] > 0)
        return YK_REASON_RESERVED;
    for (int reason = REASON_NONE + 1; reason < REASON_COUNT; reason++) {
        if (histogram->nodes[reason] > 0)
            return YK_REASON_PREDICATES;
    }
    return YK_REASON_NONE;
}

static enum yk_si_reason filter_in(const struct histogram *histogram, enum yk_si_reason reason)
{
    if (reason == YK_REASON_VOLUMES || reason == YK_REASON_PREDICATES)
        return reason;
    if (histogram->without_volumes > 0)
        return YK_REASON_VOLUMES;
    return histogram->refused > 0 ? YK_REASON_PREDICATES : YK_REASON_NONE;
}

static const char *plugin_of(int reason)
{
    switch (reason) {
    case REASON_NOT_NAMED:
        return yk_filters[YK_VERDICT_AFFINITY].plugin;
    case REASON_RESERVED:
        return "Reserved";
    default: /* larger numbers are not those of filters */
        return reason < YK_VERDICT_COUNT ? yk_filters[reason].plugin : "Other";
    }
}

static void pass_on(const struct histogram *histogram, const struct yk_size *size, size_t nodes,
                    yk_si_obstacle_sink *sink, void *context)
{
    const struct spoken *spoken;
    for (int reason = REASON_NONE + 1; reason < REASON_RESOURCE + yk_restype_count(); reason++) {
        bool is_amount = reason >= REASON_RESOURCE || reason == REASON_PODS;
        const struct yk_si_node_obstacle obstacle = {
            .kind = is_amount ? YK_SI_OBSTACLE_RESOURCE : YK_SI_OBSTACLE_FILTER,
            .name = reason == REASON_PODS ? yk_restype_name(YK_RESTYPE_PODS)
                    : is_amount           ? yk_restype_name(reason - REASON_RESOURCE)
                                          : fixed_text(reason),
            .plugin = plugin_of(reason),
            .nodes = histogram->nodes[reason]};
        if (obstacle.nodes > 0)
            sink(context, &obstacle);
    }
    for (uint32_t i = 0; i < size->extra_count; i++) { /* resources that had no type when the size was made */
        const struct yk_si_node_obstacle obstacle = {.kind = YK_SI_OBSTACLE_RESOURCE,
                                                     .name = size->extra[i].name,
                                                     .nodes = (uint32_t)nodes - histogram->ruled_out};
        if (size->extra[i].amount > 0 && obstacle.nodes > 0)
            sink(context, &obstacle);
    }
    yk_vec_foreach (spoken, &histogram->spoken) {
        const struct yk_si_node_obstacle obstacle = {.kind = YK_SI_OBSTACLE_FILTER,
                                                     .name = spoken->text,
                                                     .plugin = spoken->plugin,
                                                     .nodes = spoken->nodes};
        sink(context, &obstacle);
    }
}

static void take_spoken(struct yk_vec *spoken, struct yk_vec *entries)
{
    struct spoken *item;
    yk_vec_foreach (item, spoken) {
        struct yk_buf text = {.max = 1024};
        yk_buf_printf(&text, "%u %s", item->nodes, item->text);
        yk_vec_append(entries, yk_buf_take(&text));
        free(item->text);
        free(item);
    }
    yk_vec_done(spoken);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void print(struct histogram *histogram, const struct yk_size *size, size_t nodes, struct yk_buf *out)
{
    struct yk_vec entries = {0};
    for (int reason = REASON_NONE + 1; reason < REASON_RESOURCE + yk_restype_count(); reason++) {
        if (histogram->nodes[reason] > 0)
            yk_vec_append(&entries, entry_text(reason, histogram->nodes[reason]));
    }
    for (uint32_t i = 0; i < size->extra_count; i++) { /* resources that had no type when the size was made */
        struct yk_buf text = {.max = 1024};
        yk_buf_printf(&text, "%zu Insufficient %s", nodes - histogram->ruled_out, size->extra[i].name);
        if (size->extra[i].amount > 0 && nodes > histogram->ruled_out)
            yk_vec_append(&entries, yk_buf_take(&text));
        yk_buf_done(&text);
    }
    take_spoken(&histogram->spoken, &entries);
    yk_vec_sort(&entries, by_text);
    for (size_t i = 0; i < entries.count; i++) {
        yk_buf_text(out, i == 0 ? " " : ", ");
        yk_buf_text(out, entries.items[i]);
        free(entries.items[i]);
    }
    if (entries.count > 0)
        yk_buf_char(out, '.');
    yk_vec_done(&entries);
}

/* Whether some node may pass the filters of volumes. False: appends the reason. */
static bool volumes_are_possible(const struct yk_class_spec *spec, struct yk_buf *out)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {.max = 1024};
    if (yk_volumes_possible(spec->volumes, spec->pod_volumes, &message) != YK_VOLUMES_NEVER)
        return true;
    yk_buf_printf(out, " %s.", yk_buf_cstr(&message));
    return false;
}

static void done(struct histogram *histogram)
{
    struct spoken *spoken;
    yk_vec_foreach (spoken, &histogram->spoken) {
        free(spoken->text);
        free(spoken);
    }
    yk_vec_done(&histogram->spoken);
}

static struct question question_of(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size)
{
    const struct yk_k8s_class *found = yk_class_at(classes, class_);
    return (struct question){classes, class_, found, found == NULL ? NULL : &found->spec->constraints, size};
}

/* The reason that holds for all nodes, which are not counted then, and appends it. YK_REASON_NONE: there is
 * none. */
static enum yk_si_reason reason_everywhere(const struct question *question, struct yk_buf *out)
{
    const struct yk_k8s_class *found = question->found;
    bool any = true;
    if (found == NULL)
        return YK_REASON_NONE;
    if (found->spec->constraints.is_named)
        (void)yk_affinity_names(&found->spec->constraints, YK_NO_NAME, &any); /* only `any` matters */
    if (!any) {
        yk_buf_text(out, " pod affinity terms conflict.");
        return YK_REASON_PREDICATES;
    }
    if (!volumes_are_possible(found->spec, out))
        return YK_REASON_VOLUMES;
    if (found->spec->dynamic.is_invalid) {
        yk_buf_text(out, " parsing pod: a label selector of its affinity or spread constraints is invalid.");
        return YK_REASON_PREDICATES;
    }
    return YK_REASON_NONE;
}

struct yk_explained yk_explain_nodes(struct yk_classes *classes, yk_si_class class_,
                                     const struct yk_size *size, yk_si_obstacle_sink *sink,
                                     void *sink_context, struct yk_buf *out)
{
    const struct yk_vec *nodes = &classes->cache->nodes;
    const struct question question = question_of(classes, class_, size);
    if (nodes->count == 0) {
        yk_buf_text(out, "no nodes available to schedule pods");
        return (struct yk_explained){.reason = YK_REASON_NODE_RESOURCES, .filter = YK_REASON_NONE};
    }
    yk_buf_printf(out, "0/%zu nodes are available:", nodes->count);
    enum yk_si_reason everywhere = reason_everywhere(&question, out);
    if (everywhere != YK_REASON_NONE)
        return (struct yk_explained){.reason = everywhere,
                                     .filter = everywhere,
                                     .volumes_are_missing = everywhere == YK_REASON_VOLUMES};
    struct histogram histogram = {.nodes = {0}};
    const struct yk_cache_node *node;
    yk_vec_foreach (node, nodes)
        count_node(&question, &histogram, node);
    if (sink != NULL)
        pass_on(&histogram, size, nodes->count, sink, sink_context);
    enum yk_si_reason reason = reason_in(&histogram);
    struct yk_explained explained = {.are_nodes_counted = true,
                                     .reason = reason,
                                     .filter = filter_in(&histogram, reason),
                                     .volumes_come_free = histogram.volumes_come_free};
    print(&histogram, size, nodes->count, out);
    yk_explain_devices(classes->cache, size, out);
    return explained;
}

bool yk_explain_some(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size, size_t from,
                     size_t most, yk_si_obstacle_sink *sink, void *sink_context)
{
    const struct yk_vec *nodes = &classes->cache->nodes;
    const struct question question = question_of(classes, class_, size);
    YK_CLEANUP(yk_buf_done) struct yk_buf everywhere = {0};
    YK_CLEANUP(done) struct histogram histogram = {.nodes = {0}};
    if (from >= nodes->count || reason_everywhere(&question, &everywhere) != YK_REASON_NONE)
        return false;
    size_t end = nodes->count - from > most ? from + most : nodes->count;
    for (size_t i = from; i < end; i++)
        count_node(&question, &histogram, nodes->items[i]);
    pass_on(&histogram, size, end - from, sink, sink_context);
    return end < nodes->count;
}
