/* SPDX-License-Identifier: Apache-2.0 */
/* The list of descriptions that were refused, with the reasons, and the list of descriptions whose pods may
 * fit after a change. */
#include "volumes/volumes_priv.h"

void yk__refused(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, uint32_t reason)
{
    if (volumes->trying > 0)
        return;
    if (pod_volumes->refusals == 0)
        yk_list_append(&volumes->refused, &pod_volumes->in_refused);
    pod_volumes->refusals |= reason;
}

void yk__wake(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes, uint32_t reasons)
{
    if (volumes->trying > 0 || (pod_volumes->refusals & reasons) == 0)
        return;
    pod_volumes->refusals = 0;
    yk_list_remove(&pod_volumes->in_refused);
    if (!yk_list_linked(&pod_volumes->in_woken))
        yk_list_append(&volumes->woken, &pod_volumes->in_woken);
}

struct yk_pod_volumes *yk_volumes_next_woken(struct yk_volumes *volumes)
{
    struct yk_pod_volumes *next = yk_list_first(&volumes->woken, struct yk_pod_volumes, in_woken);
    if (next != NULL)
        yk_list_remove(&next->in_woken);
    return next;
}

void yk__wake_all(struct yk_volumes *volumes, uint32_t reasons)
{
    struct yk_pod_volumes *pod_volumes;
    yk_list_foreach (pod_volumes, &volumes->refused, struct yk_pod_volumes, in_refused)
        yk__wake(volumes, pod_volumes, reasons);
}

void yk__wake_claim(struct yk_volumes *volumes, const struct yk__claim *claim, uint32_t reasons)
{
    const struct yk_list *at;
    for (at = claim->uses.next; at != &claim->uses; at = at->next)
        yk__wake(volumes, YK_CONTAINER(at, struct yk__claim_use, in_claim)->user, reasons);
}

void yk__wake_class(struct yk_volumes *volumes, const struct yk__class *class_, uint32_t reasons)
{
    const struct yk_list *at;
    for (at = class_->claims.next; at != &class_->claims; at = at->next)
        yk__wake_claim(volumes, YK_CONTAINER(at, struct yk__claim, in_class), reasons);
}

void yk__wake_for_limits(struct yk_volumes *volumes, const struct yk__node_volumes *node)
{
    const uint32_t reasons = YK_VOLUMES_TOO_MANY | YK_VOLUMES_NO_DRIVER;
    struct yk_pod_volumes *pod_volumes;
    if (volumes->trying > 0)
        return;
    yk_list_foreach (pod_volumes, &volumes->refused, struct yk_pod_volumes, in_refused) {
        if ((pod_volumes->refusals & reasons) != 0 &&
            yk__attach_limits(volumes, pod_volumes, node, NULL) == 0)
            yk__wake(volumes, pod_volumes, reasons);
    }
}

void yk__wake_for_disks(struct yk_volumes *volumes, const struct yk__node_volumes *node)
{
    struct yk_pod_volumes *pod_volumes;
    if (volumes->trying > 0)
        return;
    yk_list_foreach (pod_volumes, &volumes->refused, struct yk_pod_volumes, in_refused) {
        if ((pod_volumes->refusals & YK_VOLUMES_DISK_IN_USE) != 0 && yk__disks_free(pod_volumes, node))
            yk__wake(volumes, pod_volumes, YK_VOLUMES_DISK_IN_USE);
    }
}

static void notify_plan(struct yk_volume_plan *plan)
{
    if (plan->on_change != NULL)
        plan->on_change(plan);
}

void yk__notify_claim_plans(const struct yk__claim *claim)
{
    const struct yk_list *at;
    for (at = claim->items.next; at != &claim->items; at = at->next)
        notify_plan(YK_CONTAINER(at, struct yk__plan_item, in_claim)->plan);
}

void yk__notify_volume_plans(const struct yk__volume *volume)
{
    const struct yk_list *at;
    for (at = volume->items.next; at != &volume->items; at = at->next)
        notify_plan(YK_CONTAINER(at, struct yk__plan_item, in_volume)->plan);
}

void yk__notify_node_plans(const struct yk_volumes *volumes, yk_name node)
{
    struct yk_volume_plan *plan;
    yk_list_foreach (plan, &volumes->plans, struct yk_volume_plan, in_plans) {
        if (yk_name_eq(plan->node, node))
            notify_plan(plan);
    }
}
