/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much may be reserved for waiting asks (YK_RESERVE_WAITING).
 *
 * The *share* of an ask is its part of all allocated amounts, in the type of which that part is largest. The
 * share is not a part of the capacity, because nodes that stay idle would make it small.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/scheduling.md 4.1.
 */
#ifndef YK_RESERVATION_RESERVATION_SHARE_H
#define YK_RESERVATION_RESERVATION_SHARE_H

#include "state/partition.h"

/* A queue is *far behind* another one whose fair share is more than this many times its own; the callers say
 * what counts as used. With a smaller number more is reserved and idle; with a larger one queues of large
 * asks stay further below their share (test/bench/steady, and random scenarios). */
#define YK_FAR_BEHIND 1.35

/* Whether the partition may have one more reservation of this kind, for the ask. It may, if it has none; or
 * if it has fewer than 64, and the shares of all asks with reservations and the share of this ask add up to
 * at most `most`. For an overtaken group, the caller also checks yk_reservation_share_check_leaf().
 * O(reservations). */
bool yk_reservation_share_allows(const struct yk_partition *partition, const struct yk_ask *ask, double most);
/* Whether the leaf of the ask may have one more reservation, for the ask. The leaves with overtaken groups
 * that wait have equal parts of `most`. One reservation of a leaf is always allowed. The caller also checks
 * yk_reservation_share_allows(). O(overtaken groups + reservations). */
bool yk_reservation_share_check_leaf(struct yk_partition *partition, const struct yk_ask *ask, double most);

#endif
