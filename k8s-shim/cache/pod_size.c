/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/pod_size.h"

#include "base/log.h"
#include "si.h"

static bool resize_infeasible(const struct yk_pod *pod)
{
    if (yk_str_is(pod->resize, "Infeasible"))
        return true;
    for (uint32_t i = 0; i < pod->condition_count; i++) {
        const struct yk_condition *condition = &pod->conditions[i];
        if (yk_str_is(condition->type, "PodResizePending") && yk_str_is(condition->reason, "Infeasible"))
            return true;
    }
    return false;
}

static const struct yk_container_status *status_of(const struct yk_container_status *statuses, uint32_t count,
                                                   struct yk_str name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (yk_str_eq(statuses[i].name, name))
            return &statuses[i];
    }
    return NULL;
}

struct computation {
    struct yk_resource_sum_names *names;
    bool infeasible;
    bool of_limits; /* limits are summed; false: requests */
};

/* The amounts of one container: its limits if `of_limits` is set. Otherwise, for each resource, the largest
 * of its requests, its allocatedResources and the resources in use (P17). If a resize is infeasible and the
 * resources in use are known, the requests are left out. `status`: NULL: the container has no status. */
static void container_size(const struct computation *how, const struct yk_container *container,
                           const struct yk_container_status *status, struct yk_resource_sum *ret)
{
    yk_resource_sum_clear(ret);
    if (how->of_limits) {
        yk_resource_sum_add_list(ret, how->names, &container->limits);
        return;
    }
    if (status == NULL || !how->infeasible || !status->has_actual)
        yk_resource_sum_add_list(ret, how->names, &container->requests);
    if (status == NULL || (status->allocated.count == 0 && status->actual.count == 0))
        return;
    YK_RESOURCE_SUM(other);
    yk_resource_sum_add_list(&other, how->names, &status->allocated);
    yk_resource_sum_max(ret, &other);
    yk_resource_sum_clear(&other);
    yk_resource_sum_add_list(&other, how->names, &status->actual);
    yk_resource_sum_max(ret, &other);
}

/* Adds the init containers. They run one after the other, at the same time as the sidecars that were started
 * before. Sidecars continue to run. */
static void add_init_containers(const struct computation *how, const struct yk_pod *pod,
                                struct yk_resource_sum *total)
{
    if (pod->init_container_count == 0)
        return;
    YK_RESOURCE_SUM(side);
    YK_RESOURCE_SUM(peak);
    YK_RESOURCE_SUM(current);
    YK_RESOURCE_SUM(one);
    for (uint32_t i = 0; i < pod->init_container_count; i++) {
        const struct yk_container *container = &pod->init_containers[i];
        container_size(
            how, container,
            status_of(pod->init_container_statuses, pod->init_container_status_count, container->name), &one);
        yk_resource_sum_copy(&current, &one);
        yk_resource_sum_add(&current, &side);
        if (yk_str_is(container->restart_policy, "Always"))
            yk_resource_sum_add(&side, &one);
        yk_resource_sum_max(&peak, &current);
    }
    yk_resource_sum_add(total, &side);
    yk_resource_sum_max(total, &peak);
}

static bool pod_level_resource(struct yk_str name)
{
    return yk_str_is(name, "cpu") || yk_str_is(name, "memory") || yk_str_starts(name, "hugepages-");
}

static int64_t amount_of(const struct yk_amounts *list, struct yk_str name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (yk_str_eq(list->items[i].name, name))
            return yk_quantity_amount(name, list->items[i].quantity);
    }
    return 0;
}

/* The amount of a resource that the pod asks for as a whole (`asked`). If status.resources is set, the
 * largest of this amount, of status.allocatedResources and of status.resources; if a resize is infeasible,
 * `asked` is left out. */
static int64_t pod_level_amount(const struct yk_pod *pod, const struct yk_amount *asked, bool infeasible)
{
    int64_t amount = yk_quantity_amount(asked->name, asked->quantity);
    if (!pod->has_actual)
        return amount;
    int64_t there = YK_MAX(amount_of(&pod->allocated, asked->name), amount_of(&pod->actual, asked->name));
    return infeasible ? there : YK_MAX(amount, there);
}

struct yk_size *yk_pod_size(struct yk_sizes *sizes, const struct yk_pod *pod)
{
    struct yk_resource_sum_names names;
    names.count = 0;
    names.namespace_ = pod->object.namespace_;
    const struct computation how = {.names = &names, .infeasible = resize_infeasible(pod)};
    YK_RESOURCE_SUM(total);
    YK_RESOURCE_SUM(one);
    yk_resvec_put(&total.known, YK_RESTYPE_PODS, 1);
    for (uint32_t i = 0; i < pod->container_count; i++) {
        const struct yk_container *container = &pod->containers[i];
        container_size(&how, container,
                       status_of(pod->container_statuses, pod->container_status_count, container->name),
                       &one);
        yk_resource_sum_add(&total, &one);
    }
    add_init_containers(&how, pod, &total);
    for (uint32_t i = 0; i < pod->pod_requests.count; i++) {
        const struct yk_amount *item = &pod->pod_requests.items[i];
        if (pod_level_resource(item->name))
            yk_resource_sum_put(&total, &names, item->name, pod_level_amount(pod, item, how.infeasible));
    }
    yk_resource_sum_add_list(&total, &names, &pod->overhead);
    /* No node has this maximum, so a pod that is limited to it waits. */
    yk_resource_sum_limit(&total, YK_SI_AMOUNT_MAX);
    return yk_size_get(sizes, &total, &names);
}

static bool has_limits(const struct yk_pod *pod)
{
    bool has = pod->pod_limits.count > 0;
    for (uint32_t i = 0; i < pod->container_count; i++)
        has = has || pod->containers[i].limits.count > 0;
    for (uint32_t i = 0; i < pod->init_container_count; i++)
        has = has || pod->init_containers[i].limits.count > 0;
    return has;
}

struct yk_size *yk_pod_limits(struct yk_sizes *sizes, const struct yk_pod *pod)
{
    if (!has_limits(pod))
        return NULL;
    struct yk_resource_sum_names names;
    names.count = 0;
    names.namespace_ = pod->object.namespace_;
    const struct computation how = {.names = &names, .of_limits = true};
    YK_RESOURCE_SUM(total);
    for (uint32_t i = 0; i < pod->container_count; i++)
        yk_resource_sum_add_list(&total, &names, &pod->containers[i].limits);
    add_init_containers(&how, pod, &total);
    for (uint32_t i = 0; i < pod->pod_limits.count; i++) {
        const struct yk_amount *item = &pod->pod_limits.items[i];
        if (pod_level_resource(item->name))
            yk_resource_sum_put(&total, &names, item->name, yk_quantity_amount(item->name, item->quantity));
    }
    yk_resource_sum_raise_by_list(&total, &names, &pod->overhead); /* resources without a limit get none */
    yk_resource_sum_limit(&total, YK_SI_AMOUNT_MAX);
    return yk_size_get(sizes, &total, &names);
}

struct yk_size *yk_node_size(struct yk_sizes *sizes, const struct yk_k8s_node *node)
{
    YK_RESOURCE_SUM(total);
    struct yk_resource_sum_names names = {.count = 0};
    yk_restype_give_back();
    for (uint32_t i = 0; i < node->allocatable.count; i++) {
        const struct yk_amount *item = &node->allocatable.items[i];
        struct yk_err err;
        int type;
        if (yk_restype_add(yk_restype_of_kubernetes(item->name), &type, &err) != YK_OK) {
            yk_warn(yk_log_shim_node, "resource of a node is left out", KV("node", node->object.name),
                    KV("err", err.text));
            continue;
        }
        yk_resvec_put(&total.known, type, yk_quantity_amount(item->name, item->quantity));
    }
    yk_resource_sum_limit(&total, YK_SI_AMOUNT_MAX - 1); /* a pod of YK_SI_AMOUNT_MAX must not fit */
    return yk_size_get(sizes, &total, &names);
}
