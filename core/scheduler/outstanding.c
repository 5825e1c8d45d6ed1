/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/outstanding.h"

#include "scheduler/core.h"

#define INSPECTION_NS YK_NS_PER_S

static const char waiting_for_nodes[] = "request is waiting for cluster resources become available";

static void on_timer(struct yk_timer *timer)
{
    yk_outstanding_report(YK_CONTAINER(timer, struct yk_partition, outstanding));
}

void yk_outstanding_note(struct yk_partition *partition)
{
    struct yk_core *core = partition->core;
    partition->outstanding.fire = on_timer;
    if (!core->manual && !yk_timer_armed(&partition->outstanding))
        yk_timer_arm(core->timers, &partition->outstanding, INSPECTION_NS);
}

static void tell(const struct yk_partition *partition, struct yk_ask *ask)
{
    const struct yk_rm *rm = partition->rm;
    ask->flags |= YK_ASK_SCALE_UP;
    ask->group->unreported--;
    if (rm->callbacks.scheduling_state != NULL)
        rm->callbacks.scheduling_state(rm->context, ask->app->id, ask->key, YK_SI_STATE_FAILED,
                                       waiting_for_nodes, ask->cookie);
}

/* Asks in order, as many as the group's queues could take if there were nodes. */
static void report_group(const struct yk_partition *partition, struct yk_group *group)
{
    struct yk_resvec room;
    struct yk_ask *ask;
    if (group->unreported == 0)
        return;
    bool limited = yk_queue_headroom(group->app->leaf, false, &room);
    limited |= yk_usage_headroom(group->app, &room);
    yk_tree_foreach (ask, &group->asks, struct yk_ask, in_group) {
        if (limited && !yk_resvec_fit_undef(&room, &group->shape->size))
            break;
        yk_resvec_sub_existing(&room, &group->shape->size);
        if ((ask->flags & YK_ASK_SCALE_UP) == 0)
            tell(partition, ask);
        if (group->unreported == 0)
            break;
    }
}

void yk_outstanding_report(struct yk_partition *partition)
{
    struct yk_shape *shape;
    struct yk_group *group;
    yk_list_foreach (shape, &partition->shapes.parked, struct yk_shape, in_table) {
        struct yk_list *at = shape->groups.next;
        for (; at != &shape->groups; at = at->next) {
            group = YK_CONTAINER(at, struct yk_group, in_shape);
            if (group->wait == YK_WAIT_NODES)
                report_group(partition, group);
        }
    }
    /* The root's maximum is what the nodes offer: who waits for it waits for nodes. */
    yk_list_foreach (group, &partition->root->blocked_groups, struct yk_group, in_blocked)
        report_group(partition, group);
}
