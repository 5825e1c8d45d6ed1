/* SPDX-License-Identifier: Apache-2.0 */
#include "report/reason.h"

#include "report/refusal.h"

/* A limit that has room again when others end. */
static bool is_of_limit(enum yk_si_reason reason)
{
    return reason == YK_REASON_QUEUE_MAX_APPS || reason == YK_REASON_USER_MAX_APPS ||
           reason == YK_REASON_GROUP_MAX_APPS || reason == YK_REASON_QUEUE_QUOTA ||
           reason == YK_REASON_USER_QUOTA || reason == YK_REASON_GROUP_QUOTA;
}

/* `is_whole`: of a placeholder, which starts only together with its gang. */
static const char *remedy_of(const struct yk_why *why, bool ends_by_itself, bool is_whole)
{
    enum yk_si_reason reason = why->reason;
    bool is_by_nodes = why->queue == NULL && why->usage == NULL;
    static const char *const remedies[YK_REASON_COUNT] = {
        [YK_REASON_QUEUE_STOPPED] = "set the partition back to active",
        [YK_REASON_QUEUE_MAX_APPS] =
            "wait until an application of the queue ends, or raise maxapplications of the queue",
        [YK_REASON_USER_MAX_APPS] =
            "wait until an application of the user ends, or raise maxapplications of the user's limit",
        [YK_REASON_GROUP_MAX_APPS] =
            "wait until an application of the group ends, or raise maxapplications of the group's limit",
        [YK_REASON_EXCEEDS_MAX] = "request less, or raise the maximum; waiting does not help",
        [YK_REASON_QUEUE_QUOTA] = "wait until pods of the queue end, or raise its maximum",
        [YK_REASON_USER_QUOTA] = "wait until pods of the user end, or raise maxresources of the user's limit",
        [YK_REASON_GROUP_QUOTA] =
            "wait until pods of the group end, or raise maxresources of the group's limit",
        [YK_REASON_GANG] = "look at what its placeholders wait for",
        [YK_REASON_BACKOFF] = "none is needed: its pods are tried again after the pause",
        [YK_REASON_NODE_RESOURCES] = "wait until pods end, add a node that is large enough, or request less",
        [YK_REASON_PREDICATES] = "change the constraints of the pod, or add a node that satisfies them",
        [YK_REASON_VOLUMES] = "create the claim or the volume, or free capacity where the volume is",
        [YK_REASON_PREEMPTION] = "none is needed: it starts when the preempted pods have ended",
        [YK_REASON_RESERVED] = "wait for the pods that came first, or add a node",
        [YK_REASON_NOT_ATTEMPTED] = "none is needed: it is tried at its turn",
    };
    if (why->one_at_a_time && ends_by_itself)
        return "wait until the other application has started: it runs at its second pod, or 5 min after its "
               "first";
    if (reason == YK_REASON_QUEUE_QUOTA && ends_by_itself && why->queue->state == YK_STATE_DRAINING)
        return "wait until pods of the queue end, or add the queue to the configuration again; it is being "
               "removed";
    if (reason == YK_REASON_GANG && why->queue != NULL)
        return why->usage == NULL
                   ? "wait until pods of the queue end, or raise its maximum"
                   : "wait until pods of the user or group end, or raise maxresources of the limit";
    if (reason == YK_REASON_GANG && is_whole)
        return "wait until pods end, add nodes, or make the gang smaller";
    if (reason == YK_REASON_EXCEEDS_MAX && ends_by_itself)
        return "wait until the timeout of its gang is over, or make the gang smaller";
    if (reason == YK_REASON_EXCEEDS_MAX && is_by_nodes)
        return "make the gang or its members smaller, or add nodes; waiting does not help";
    if (reason == YK_REASON_NODE_RESOURCES && !ends_by_itself)
        return "add a node that is large enough, or request less; waiting does not help";
    if (reason == YK_REASON_PREDICATES && ends_by_itself)
        return "wait until the pods that are in its way end, or change its constraints";
    if (reason == YK_REASON_VOLUMES && ends_by_itself)
        return "wait until the pods that use its volumes, or volumes of the same nodes, end";
    if (reason == YK_REASON_BACKOFF && !ends_by_itself)
        return "remove the next obstacle; waiting does not help";
    if (is_of_limit(reason) && !ends_by_itself)
        return "remove the other obstacles first; waiting alone does not help";
    return remedies[reason] != NULL ? remedies[reason] : "";
}

/* Whether no node may take asks of the group, whatever their size is. Nodes that take no new asks count as well:
 * then the other nodes do not satisfy the constraints. */
static bool is_without_node(const struct yk_group *group, struct yk_node_looks *looks)
{
    struct yk_node_look look;
    yk_node_look_shared(looks, group, &look);
    return look.total > 0 && look.allowed == 0;
}

/* The remedy if volumes of the ask are missing or its constraints exclude the nodes. NULL: neither, or others
 * are in its way. */
static const char *remedy_by_constraints(const struct yk_ask *ask, const struct yk_why *why,
                                         bool ends_by_itself, struct yk_node_looks *looks)
{
    const struct yk_gang *gang = yk_refusal_gang(ask->group);
    if (why->reason == YK_REASON_VOLUMES && yk_why_misses_volumes(ask))
        return "create the claim or the volume, or find out why the claim is not bound";
    if (why->reason == YK_REASON_PREDICATES && !ends_by_itself && why->has_look && why->look.allowed == 0 &&
        why->look.closed > 0 && ask->group->required_node == NULL)
        return "uncordon a node that satisfies the constraints of the pod, add such a node, or change the "
               "constraints";
    if (why->reason == YK_REASON_EXCEEDS_MAX && gang != NULL && !gang->exceeds_limit &&
        is_without_node(ask->group, looks))
        return "change the constraints of the gang's pods, or add or uncordon nodes that satisfy them; "
               "waiting does not help";
    return NULL;
}

/* Whether the application fails unless the gang of the placeholder is complete in time. */
static bool fails_by_timeout(const struct yk_ask *ask)
{
    const struct yk_gang *gang = ask->group->placeholders ? ask->group->task_group->gang : NULL;
    return gang != NULL && gang->style == YK_SI_GANG_HARD && yk_gang_may_time_out(gang);
}

void yk_why_remedy(const struct yk_ask *ask, const struct yk_why *why, bool ends_by_itself,
                   struct yk_node_looks *looks, struct yk_buf *text)
{
    const char *remedy = remedy_by_constraints(ask, why, ends_by_itself, looks);
    if (remedy == NULL)
        remedy = remedy_of(why, ends_by_itself, ask->group->placeholders);
    yk_buf_text(text, remedy);
    if (remedy[0] != '\0' && fails_by_timeout(ask))
        yk_buf_text(text, "; at the timeout of its gang, the application fails");
}

const char *yk_why_remedy_of_rejected(const struct yk_app *app)
{
    switch (app->life.rejection) {
    case YK_APP_REJECTION_GANG_SIZE:
        return "make the gang smaller, or raise the maximum of the queue, and create the pods again";
    case YK_APP_REJECTION_NO_GANGS:
        return "name a queue that takes gangs, or change its application.sort.policy, and create the pods "
               "again";
    case YK_APP_REJECTION_PLACE:
        break;
    }
    return "correct the queue, the user or the placement rules, and create the pods again";
}
