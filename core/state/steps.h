/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of core/partition that core/reservation and core/gangs call through this table, because the
 * modules may not link core/partition, which is above them. The declaration of each function says what the
 * function does, and what its caller has to check before.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_STATE_STEPS_H
#define YK_STATE_STEPS_H

struct yk_ask;
struct yk_node;
struct yk_partition;

/* Written by: partition. */
struct yk_steps {
    /* partition/partition.h: yk_partition_commit(), yk_partition_commit_accounted(),
     * yk_partition_end_replacing(). */
    void (*commit)(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
    void (*commit_accounted)(struct yk_partition *partition, struct yk_ask *ask);
    void (*end_replacing)(struct yk_partition *partition, struct yk_ask *real, const char *message);
    /* partition/accounting.h: yk_accounting_add_pending(), yk_accounting_sub_pending(). */
    void (*add_pending)(struct yk_ask *ask);
    void (*sub_pending)(struct yk_ask *ask);
    /* partition/node_accounting.h: yk_node_book(), yk_node_unbook(). */
    void (*node_book)(struct yk_partition *partition, struct yk_node *node, struct yk_ask *ask);
    void (*node_unbook)(struct yk_partition *partition, struct yk_ask *ask);
};

#endif
