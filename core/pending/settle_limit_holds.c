/* SPDX-License-Identifier: Apache-2.0 */
#include "pending/settle_limit_holds.h"

#include "objects/limit_waits.h"
#include "pending/limit_hold.h"
#include "pending/limit_wait.h"
#include "pending/parked.h"

/* How many groups in one tree of applications of a leaf are looked at for the next holder. */
enum { OFFERS_MAX = 64 };

static bool is_strict(const struct yk_queue *queue)
{
    return queue->settings.hold == YK_HOLD_STRICT;
}

/* ---- the next holder, of those that wait already ---- */

/* Makes the group the holder of the maximum of `queue`, unless the present holder comes before it. False: the
 * group does not wait for this maximum, or may not hold it. */
static bool offer_to_group(struct yk_queue *queue, struct yk_group *group)
{
    struct yk_queue *refusing;
    if (group->wait != YK_WAIT_QUEUE_QUOTA || !yk_limit_hold_may_queue(group, queue) ||
        yk_queue_has_headroom(group->app->leaf, &group->shape->size, &refusing) || refusing != queue)
        return false;
    yk_limit_hold_take(&queue->hold, group);
    return true;
}

/* True: a group of the application took the offer, or OFFERS_MAX groups have been looked at. */
static bool offer_to_app(struct yk_queue *queue, struct yk_app *app, int *offers)
{
    struct yk_group *group;
    yk_tree_foreach (group, &app->pending_groups, struct yk_group, in_pending) {
        if (++*offers > OFFERS_MAX || offer_to_group(queue, group))
            return true;
    }
    return false;
}

static void offer_to_apps(struct yk_queue *queue, const struct yk_tree *apps)
{
    struct yk_app *app;
    int offers = 0;
    yk_tree_foreach (app, apps, struct yk_app, in_active) {
        if (offer_to_app(queue, app, &offers))
            return;
    }
}

static void offer_queue(struct yk_queue *queue)
{
    struct yk_capacity_wait *wait;
    yk_list_foreach (wait, &queue->wait.leaves, struct yk_capacity_wait, in_queue) {
        offer_to_apps(queue, &wait->leaf->wait.apps);
        offer_to_apps(queue, &wait->leaf->active_apps);
    }
}

/* True: a group of the application at `place` took the offer, or OFFERS_MAX groups have been looked at. */
static bool offer_to_place(struct yk_usage *usage, const struct yk_limit_place *place, int *offers)
{
    struct yk_group *group;
    yk_tree_foreach (group, &place->groups, struct yk_group, limit.branch.link) {
        if (++*offers > OFFERS_MAX)
            return true;
        if (!yk_limit_hold_may_usage(group, usage) ||
            yk_usage_without_headroom(group->app, &group->shape->size) != usage)
            continue;
        yk_limit_hold_take(&usage->hold, group);
        return true;
    }
    return false;
}

/* Offers the limit of `usage` to groups that wait at each entry in the branch of `entry`, which is `usage` or
 * below it. Recurses as deep as the queue tree, which is bounded. */
static void offer_usage(struct yk_usage *usage, const struct yk_usage *entry)
{
    const struct yk_limit_place *place;
    const struct yk_usage *child;
    int offers = 0;
    if (entry->waiting_entries == 0)
        return;
    yk_tree_foreach (place, &entry->blocked_apps, struct yk_limit_place, branch.link) {
        if (offer_to_place(usage, place, &offers))
            break;
    }
    yk_list_foreach (child, &entry->children, struct yk_usage, in_parent)
        offer_usage(usage, child);
}

/* ---- after a hold has ended ---- */

static void settle_usage(struct yk_partition *partition, struct yk_usage *usage)
{
    if (usage->hold.holder == NULL && is_strict(usage->queue))
        offer_usage(usage, usage);
    yk_limit_wait_eased(partition, usage);
}

static void settle_queue(struct yk_queue *queue)
{
    if (queue->hold.holder == NULL && is_strict(queue))
        offer_queue(queue);
    yk_wake_queue_for_headroom(queue);
}

void yk_settle_limit_holds(struct yk_partition *partition)
{
    struct yk_limit_hold *hold;
    while ((hold = yk_list_first(&partition->pending.ended_holds, struct yk_limit_hold, in_ended)) != NULL) {
        yk_list_remove(&hold->in_ended);
        if (hold->of_usage)
            settle_usage(partition, YK_CONTAINER(hold, struct yk_usage, hold));
        else
            settle_queue(YK_CONTAINER(hold, struct yk_queue, hold));
    }
}
