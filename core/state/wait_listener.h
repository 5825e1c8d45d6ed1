/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events about waiting groups. core/pending passes the events to modules above it, with one function for each
 * event. It calls the function in the middle of a change.
 *
 * There is one table, in partition/wait_events.c. A function may mark something to be looked at in a later
 * turn. It must not make a decision, and must not change what the group waits for.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_STATE_WAIT_LISTENER_H
#define YK_STATE_WAIT_LISTENER_H

#include <stdbool.h>

struct yk_group;
struct yk_node;
struct yk_partition;
struct yk_queue;

/* Written by: partition. */
struct yk_wait_listener {
    /* yk_group.wait of the group was set, or an ask was added to the group. The wait may be YK_WAIT_NONE. */
    void (*group_waits)(struct yk_group *group);
    /* The group no longer waits for nodes, or has no pending ask left. */
    void (*group_leaves_nodes)(struct yk_group *group);
    /* yk_group.wait of the group has changed to YK_WAIT_NONE or YK_WAIT_NODES. */
    void (*group_wakes)(struct yk_group *group);
    /* No node takes the first ask of a group, so asks of its shape wait for nodes. */
    void (*shape_parked)(struct yk_partition *partition);
    /* The pause of an application whose asks found no node has ended. */
    void (*backoff_ended)(struct yk_partition *partition);
    /* A queue on the path of `leaf` has more headroom, and groups of the leaf wait for headroom. Called
     * only if asks of the leaf are nominated. */
    void (*queue_eased)(struct yk_queue *leaf);
    /* The node has more free capacity or other constraints, is new, accepts asks again, or has lost its
     * reservations. False: asks without a reservation cannot use the node. */
    bool (*node_freed)(struct yk_partition *partition, struct yk_node *node);
};

#endif
