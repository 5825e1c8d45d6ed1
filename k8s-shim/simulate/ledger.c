/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger: the usage of each node, which the simulated cluster computes itself to check the scheduler
 * under test.
 *
 * A binding that exceeds the capacity of a node is a violation, unless the node has shrunk so recently that
 * the scheduler may not know it (docs/design.md, "Invariants" 2 and 4).
 */
#include "simulate/cluster_priv.h"

static const int64_t shrink_grace_ns = 5 * YK_NS_PER_S;

/* The largest amount of a type with which a pod is counted. No real node has as much, and the sum of 8,192
 * pods does not saturate. A sum that has saturated would be wrong after the end of a pod. The scheduler has
 * the same maximum (kubernetes.md P16). */
static const int64_t amount_max = INT64_C(1) << 48;

static struct yk_str our_name(struct yk_str kubernetes_name)
{
    return yk_str_is(kubernetes_name, "cpu") ? YK_STR("vcore") : kubernetes_name;
}

void yk_sim_amounts_add(struct yk_resvec *sum, const struct yk_amounts *amounts)
{
    YK_RESVEC(more);
    for (uint32_t i = 0; i < amounts->count; i++) {
        const struct yk_amount *amount = &amounts->items[i];
        int type = yk_restype_find(our_name(amount->name));
        yk_resvec_put(
            &more, type,
            yk_i64_add(yk_resvec_get(&more, type), yk_quantity_amount(amount->name, amount->quantity)));
    }
    yk_resvec_add(sum, &more);
}

/* Init containers run one after the other. A sidecar keeps running beside the init containers that follow it,
 * and beside the containers (predicates.md 4.7). */
static void add_init_containers(struct yk_resvec *total, const struct yk_pod *pod)
{
    YK_RESVEC(sidecars);
    YK_RESVEC(peak);
    for (uint32_t i = 0; i < pod->init_container_count; i++) {
        const struct yk_container *container = &pod->init_containers[i];
        YK_RESVEC(now);
        yk_resvec_copy(&now, &sidecars);
        yk_sim_amounts_add(&now, &container->requests);
        yk_resvec_max(&peak, &now);
        if (yk_str_is(container->restart_policy, "Always"))
            yk_resvec_copy(&sidecars, &now);
    }
    yk_resvec_add(total, &sidecars);
    yk_resvec_max(total, &peak);
}

void yk_sim_pod_size(const struct yk_pod *pod, struct yk_resvec *ret)
{
    YK_RESVEC(total);
    for (uint32_t i = 0; i < pod->container_count; i++)
        yk_sim_amounts_add(&total, &pod->containers[i].requests);
    add_init_containers(&total, pod);
    YK_RESVEC(whole);
    yk_sim_amounts_add(&whole, &pod->pod_requests);
    yk_resvec_foreach(type, &whole) yk_resvec_put(&total, type, yk_resvec_get(&whole, type));
    yk_sim_amounts_add(&total, &pod->overhead);
    yk_resvec_put(&total, YK_RESTYPE_PODS, 1);
    yk_resvec_foreach(type, &total)
        yk_resvec_put(&total, type, YK_MAX(YK_MIN(yk_resvec_get(&total, type), amount_max), -amount_max));
    yk_resvec_copy(ret, &total);
}

static void note_break(struct yk_cluster *cluster, uint64_t *counter, const char *format, ...)
    YK_PRINTF(3, 4);
static void note_break(struct yk_cluster *cluster, uint64_t *counter, const char *format, ...)
{
    (*counter)++;
    if (cluster->violation.first.text[0] != '\0')
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(cluster->violation.first.text, sizeof(cluster->violation.first.text), format,
                    args); /* a long text is cut */
    va_end(args);
}

void yk__ledger_double_bind(const struct yk_sim_entry *pod, const char *node)
{
    note_break(pod->cluster, &pod->cluster->violation.double_binds,
               "pod %s is on node '" YK_STR_FMT "' and was to be bound to '%s', too", pod->key,
               YK_STR_ARG(yk__pod_of(pod)->node_name), node);
}

static bool is_overfull(const struct yk_sim_entry *node)
{
    return !yk_resvec_fit(&node->allocatable, &node->used);
}

static bool shrank_just_now(const struct yk_sim_entry *node)
{
    int64_t now_ns = yk_clock_mono_ns(node->cluster->options.clock);
    return node->shrunk_mono_ns != 0 && now_ns - node->shrunk_mono_ns < shrink_grace_ns;
}

static void check_capacity(struct yk_sim_entry *pod)
{
    struct yk_sim_entry *node = pod->node;
    if (!is_overfull(node) || shrank_just_now(node))
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf used = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf has = {0};
    yk_resvec_print(&node->used, &used);
    yk_resvec_print(&node->allocatable, &has);
    note_break(pod->cluster, &pod->cluster->violation.overcommits, "with pod %s node '%s' holds {%s} of {%s}",
               pod->key, node->key + 1, yk_buf_cstr(&used), yk_buf_cstr(&has));
}

void yk__ledger_pod_on_node(struct yk_sim_entry *pod, bool by_scheduler)
{
    pod->node = yk__find(pod->cluster, YK_KIND_NODE, (struct yk_str){0}, yk__pod_of(pod)->node_name);
    yk_sim_pod_size(yk__pod_of(pod), &pod->size);
    if (pod->node == NULL)
        return; /* the API server accepts unknown nodes; the node may be added later */
    yk_resvec_add(&pod->node->used, &pod->size);
    if (by_scheduler)
        check_capacity(pod);
}

void yk__ledger_pod_off_node(struct yk_sim_entry *pod)
{
    if (pod->node != NULL)
        yk_resvec_sub(&pod->node->used, &pod->size);
    pod->node = NULL;
}

void yk__ledger_pod_changed(struct yk_sim_entry *pod)
{
    bool alive = !yk_pod_has_ended(yk__pod_of(pod));
    if (alive && !yk_list_linked(&pod->in_alive))
        yk_list_append(&pod->cluster->alive_pods, &pod->in_alive);
    if (!alive && yk_list_linked(&pod->in_alive))
        yk_list_remove(&pod->in_alive);
}

static void read_allocatable(struct yk_sim_entry *node)
{
    const struct yk_amounts *amounts = &yk_node_of(node->object)->allocatable;
    YK_RESVEC(before);
    yk_resvec_copy(&before, &node->allocatable);
    yk_resvec_clear(&node->allocatable);
    for (uint32_t i = 0; i < amounts->count; i++) {
        const struct yk_amount *amount = &amounts->items[i];
        int type;
        /* yk_restype_add() fails if there are too many types. The amount is then ignored, as if the node did
         * not have the type. */
        if (yk_restype_add(our_name(amount->name), &type, NULL) == YK_OK)
            yk_resvec_put(&node->allocatable, type, yk_quantity_amount(amount->name, amount->quantity));
    }
    if (!yk_resvec_ge(&node->allocatable, &before))
        node->shrunk_mono_ns = yk_clock_mono_ns(node->cluster->options.clock);
}

static void adopt_pods(struct yk_sim_entry *node)
{
    struct yk_sim_entry *pod;
    yk_list_foreach (pod, &node->cluster->kinds[YK_KIND_POD].entries, struct yk_sim_entry, link) {
        const struct yk_pod *object = yk__pod_of(pod);
        if (pod->node == NULL && !yk_pod_has_ended(object) &&
            yk_str_eq(object->node_name, node->object->name))
            yk__ledger_pod_on_node(pod, false);
    }
}

void yk__ledger_node_added(struct yk_sim_entry *node)
{
    read_allocatable(node);
    adopt_pods(node);
}

void yk__ledger_node_changed(struct yk_sim_entry *node)
{
    read_allocatable(node);
}

void yk__ledger_node_removed(struct yk_sim_entry *node)
{
    struct yk_sim_entry *pod;
    yk_list_foreach (pod, &node->cluster->kinds[YK_KIND_POD].entries, struct yk_sim_entry, link) {
        if (pod->node == node)
            pod->node = NULL;
    }
}

/* Computes `counted` of all nodes from the objects of the pods alone. O(nodes + pods that have not ended). */
static void count_pods(const struct yk_cluster *cluster)
{
    struct yk_sim_entry *entry;
    yk_list_foreach (entry, &cluster->kinds[YK_KIND_NODE].entries, struct yk_sim_entry, link)
        yk_resvec_clear(&entry->counted);
    yk_list_foreach (entry, &cluster->alive_pods, struct yk_sim_entry, in_alive) {
        const struct yk_pod *pod = yk__pod_of(entry);
        YK_RESVEC(size);
        if (yk_str_empty(pod->node_name))
            continue;
        struct yk_sim_entry *node = yk__find(cluster, YK_KIND_NODE, (struct yk_str){0}, pod->node_name);
        if (node == NULL)
            continue;
        yk_sim_pod_size(pod, &size);
        yk_resvec_add(&node->counted, &size);
    }
}

static enum yk_status compare_count(const struct yk_sim_entry *node, struct yk_err *err)
{
    if (!yk_resvec_eq(&node->counted, &node->used))
        return yk_fail(err, YK_ERR_STATE, "the usage of node '%s' is not the sum of its pods", node->key + 1);
    if (is_overfull(node) && node->shrunk_mono_ns == 0)
        return yk_fail(err, YK_ERR_STATE, "the pods of node '%s' exceed its capacity", node->key + 1);
    return YK_OK;
}

enum yk_status yk_cluster_check(const struct yk_cluster *cluster, struct yk_err *err)
{
    const struct yk_sim_violation *violation = &cluster->violation;
    if (violation->double_binds > 0 || violation->overcommits > 0)
        return yk_fail(err, YK_ERR_STATE, "%s (%llu bound twice, %llu beyond their node)",
                       violation->first.text, (unsigned long long)violation->double_binds,
                       (unsigned long long)violation->overcommits);
    count_pods(cluster);
    struct yk_sim_entry *node;
    yk_list_foreach (node, &cluster->kinds[YK_KIND_NODE].entries, struct yk_sim_entry, link) {
        enum yk_status status = compare_count(node, err);
        if (status != YK_OK)
            return status;
    }
    return YK_OK;
}

bool yk_cluster_node_usage(const struct yk_cluster *cluster, const char *node, struct yk_resvec *ret_used,
                           struct yk_resvec *ret_allocatable)
{
    const struct yk_sim_entry *entry = yk__find(cluster, YK_KIND_NODE, (struct yk_str){0}, yk_str_from(node));
    if (entry == NULL)
        return false;
    yk_resvec_copy(ret_used, &entry->used);
    yk_resvec_copy(ret_allocatable, &entry->allocatable);
    return true;
}
