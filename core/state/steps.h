/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps over a partition that reservations and gangs take, and that only the module above them can carry out:
 * each changes applications, queues and nodes at once. partition/partition.c fills the table.
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
    /* yk_partition_commit(), yk_partition_commit_accounted(), yk_partition_end_replacing(). */
    void (*commit)(struct yk_partition *partition, struct yk_ask *ask, struct yk_node *node);
    void (*commit_accounted)(struct yk_partition *partition, struct yk_ask *ask);
    void (*end_replacing)(struct yk_partition *partition, struct yk_ask *real, const char *message);
    /* yk_accounting_add_pending(), yk_accounting_sub_pending(). */
    void (*add_pending)(struct yk_ask *ask);
    void (*sub_pending)(struct yk_ask *ask);
    /* yk_node_book(), yk_node_unbook(). */
    void (*node_book)(struct yk_partition *partition, struct yk_node *node, struct yk_ask *ask);
    void (*node_unbook)(struct yk_partition *partition, struct yk_ask *ask);
};

#endif
