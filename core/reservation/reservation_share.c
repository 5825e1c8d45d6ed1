/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/reservation_share.h"

#include "reservation/reservations.h"
#include "reservation/waiting_group.h"

enum { RESERVATIONS_MAX = 64 }; /* reservations of a partition for waiting asks */

static double share_of(const struct yk_partition *partition, const struct yk_ask *ask)
{
    const struct yk_resvec *all = &partition->root->allocated, *size = yk_ask_size(ask);
    double share = 0;
    yk_resvec_foreach_common(t, size, all)
    {
        if (yk_resvec_get(all, t) > 0)
            share = YK_MAX(share, (double)yk_resvec_get(size, t) / (double)yk_resvec_get(all, t));
    }
    return share;
}

/* The sum of share_of() of the asks of `leaf` (NULL: of all asks) that have reservations. */
static double reserved_share(const struct yk_partition *partition, const struct yk_queue *leaf)
{
    const struct yk_reservation *reservation;
    double sum = 0;
    yk_list_foreach (reservation, &partition->reservation.waiting, struct yk_reservation, in_waiting) {
        if (leaf == NULL || yk_ask_app(reservation->ask)->leaf == leaf)
            sum += share_of(partition, reservation->ask);
    }
    return sum;
}

bool yk_reservation_share_allows(const struct yk_partition *partition, const struct yk_ask *ask, double most)
{
    if (partition->reservation.waiting_count == 0)
        return true;
    return partition->reservation.waiting_count < RESERVATIONS_MAX &&
           reserved_share(partition, NULL) + share_of(partition, ask) <= most;
}

/* The number of leaves with an overtaken group that waits; at least 1. */
static uint32_t overtaken_leaves(struct yk_partition *partition)
{
    const struct yk_group *group;
    uint32_t count = 0;
    partition->reservation.leaf_scan++;
    yk_list_foreach (group, &partition->reservation.overtaken, struct yk_group, reservation.in_overtaken) {
        struct yk_queue *leaf = group->app->leaf;
        if (yk_waiting_group_waits(group) &&
            leaf->reservation.leaf_scan != partition->reservation.leaf_scan) {
            leaf->reservation.leaf_scan = partition->reservation.leaf_scan;
            count++;
        }
    }
    return YK_MAX(count, 1);
}

bool yk_reservation_share_check_leaf(struct yk_partition *partition, const struct yk_ask *ask, double most)
{
    double reserved = reserved_share(partition, yk_ask_app(ask)->leaf);
    return reserved <= 0 || reserved + share_of(partition, ask) <= most / overtaken_leaves(partition);
}
