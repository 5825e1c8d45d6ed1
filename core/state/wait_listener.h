/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of what waits, for the modules below: one function for each event, called in the middle of a change.
 *
 * There is one table (partition/wait_events.c). It says in one place which modules get an event, and in which
 * order. A function may mark something to be looked at in a later turn. It must not decide anything, and must
 * not change what the group waits for.
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
    /* The group has pending asks, and what it waits for was set or an ask was added. */
    void (*group_waits)(struct yk_group *group);
    /* The group no longer waits for nodes, or its last pending ask goes. */
    void (*group_leaves_nodes)(struct yk_group *group);
    /* What the group waits for has changed to nothing or to nodes. */
    void (*group_wakes)(struct yk_group *group);
    /* No node takes the asks of a shape: they wait for nodes. */
    void (*shape_parked)(struct yk_partition *partition);
    /* The pause of an application whose asks found no node is over. */
    void (*backoff_ended)(struct yk_partition *partition);
    /* A queue on the path of `leaf`, which waits for that, has more headroom. Called only if asks of the leaf
     * are nominated. */
    void (*queue_eased)(struct yk_queue *leaf);
    /* The node has more capacity or takes asks again. False: asks without a reservation cannot use it. */
    bool (*node_freed)(struct yk_partition *partition, struct yk_node *node);
};

#endif
