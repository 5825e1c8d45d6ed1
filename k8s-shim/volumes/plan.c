/* SPDX-License-Identifier: Apache-2.0 */
/* Plans: decisions that the filters follow before the API server confirms them, until they are carried out or
 * given up (docs/reference/predicates.md 4.10, "Deciding"). */
#include "volumes/volumes_priv.h"

/* Sets the assumed node of the claim to the node of the first plan that has a volume provisioned for it. */
static void follow_plans(struct yk__claim *claim)
{
    const struct yk__plan_item *item;
    claim->assumed_node = YK_NO_NAME;
    yk_list_foreach (item, &claim->items, struct yk__plan_item, in_claim) {
        if (item->volume == NULL && claim->assumed_node.id == 0)
            claim->assumed_node = item->plan->node;
    }
}

static void item_begins(struct yk_volume_plan *plan, struct yk__claim *claim, struct yk__volume *volume)
{
    struct yk__plan_item *item = &plan->items[plan->item_count++];
    *item = (struct yk__plan_item){.plan = plan, .claim = claim, .volume = volume};
    claim->holders++;
    yk_list_append(&claim->items, &item->in_claim);
    yk_list_init(&item->in_volume);
    follow_plans(claim);
    if (volume == NULL)
        return;
    volume->holders++;
    yk_list_append(&volume->items, &item->in_volume);
    yk__volume_assume(volume, claim);
}

static void item_ends(struct yk_volumes *volumes, struct yk__plan_item *item)
{
    struct yk__claim *claim = item->claim;
    yk_list_remove(&item->in_claim);
    yk_list_remove(&item->in_volume);
    follow_plans(claim);
    if (item->volume != NULL) {
        yk__volume_unassume(volumes, item->volume);
        yk__volume_put(volumes, item->volume);
    }
    yk__wake_claim(volumes, claim, YK__ANY_REASON);
    yk__claim_put(volumes, claim);
}

static struct yk_volume_plan *plan_new(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                                       yk_name node)
{
    struct yk_volume_plan *plan = yk_new0(struct yk_volume_plan);
    plan->pod_volumes = yk_pod_volumes_ref(pod_volumes);
    plan->node = yk_name_ref(node);
    plan->items = yk_new0_array(struct yk__plan_item, volumes->scratch.count / 2);
    for (size_t i = 0; i < volumes->scratch.count; i += 2)
        item_begins(plan, volumes->scratch.items[i], volumes->scratch.items[i + 1]);
    yk_list_append(&volumes->plans, &plan->in_plans);
    return plan;
}

uint32_t yk_volumes_assume(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                           const struct yk_cache_node *node, struct yk_volume_plan **ret_plan)
{
    *ret_plan = NULL;
    uint32_t result = pod_volumes == NULL ? 0 : yk__volume_binding(volumes, pod_volumes, node);
    if (result != 0 || pod_volumes == NULL || volumes->scratch.count == 0)
        return result;
    *ret_plan = plan_new(volumes, pod_volumes, node->name);
    /* Pods that share one of these claims may fit now that the claim has a volume or a node. */
    for (uint32_t i = 0; i < (*ret_plan)->item_count; i++)
        yk__wake_claim(volumes, (*ret_plan)->items[i].claim, YK__ANY_REASON);
    return 0;
}

void yk_volumes_forget(struct yk_volumes *volumes, struct yk_volume_plan *plan)
{
    if (plan == NULL)
        return;
    yk_list_remove(&plan->in_plans);
    for (uint32_t i = 0; i < plan->item_count; i++)
        item_ends(volumes, &plan->items[i]);
    yk_pod_volumes_put(volumes, plan->pod_volumes);
    yk_name_put(plan->node);
    free(plan->items);
    free(plan);
}
