/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans of what a new configuration changes in the queue tree: the queues that differ from the active
 * configuration, with their new settings, and the queues above them. Other queues are not in a plan, so the
 * cost of carrying out a plan depends only on what changed.
 *
 * A plan is made from two checked configurations; no queue of the partition is looked at. Queues also differ
 * if they inherit changed properties or a changed child template.
 *
 * Owns:   its memory. Carrying it out moves ACLs and properties into the queues. Borrows the new
 *         configuration.
 * Thread: any, one at a time.
 * Source: docs/reference/queues.md, R9 to R13, I1, I2, T1, T2.
 */
#ifndef YK_PARTITION_CONFIG_DIFF_H
#define YK_PARTITION_CONFIG_DIFF_H

#include "objects/queue.h"

/* A queue that is no longer configured. */
struct yk_plan_gone {
    struct yk_plan_gone *next; /* NULL: the last one */
    struct yk_str name;        /* lower case */
};

/* A queue that differs, or a queue above such a queue. Written by: partition. */
struct yk_queue_plan {
    const struct yk_config_queue *config; /* its new configuration, with effective properties */
    struct yk_str name;                   /* lower case; empty for the root */
    struct yk_queue_plan *first_child;    /* NULL: no child differs */
    struct yk_queue_plan *next;           /* the next sibling; NULL: the last one */
    struct yk_plan_gone *gone;            /* children that are no longer configured; NULL: none */
    bool is_new;                          /* the active configuration does not have it */
    /* False: only queues below differ, and the next fields are empty. */
    bool differs;
    bool differs_itself; /* false: it differs only by what it inherits */
    bool is_leaf;
    struct yk_queue_settings settings;
    struct yk_acl submit_acl, admin_acl;
    /* In the plan's arena; NULL: the queue inherits the template of its parent. The template has a reference
     * to its properties, until they are moved into the queue. */
    struct yk_queue_template *own_template;
};

struct yk_partition_plan {
    struct yk_arena arena;
    struct yk_queue_plan *root; /* in the arena; NULL: nothing changes */
    uint32_t differing;         /* number of queues that differ */
};

/*
 * Makes the plan from `active` (NULL: there is no configuration yet) to `wanted`, and sets the effective
 * properties of all queues of `wanted`. `wanted` is borrowed until yk_partition_plan_done(), `active` for the
 * call. `*ret_plan` is overwritten: the caller ends an earlier plan in it before, and the new plan later,
 * with yk_partition_plan_done(). Errors: YK_ERR_INVALID or YK_ERR_LIMIT with the queue; the plan is empty
 * then.
 */
YK_NODISCARD enum yk_status yk_partition_plan_make(const struct yk_config_partition *active,
                                                   struct yk_config_partition *wanted,
                                                   struct yk_partition_plan *ret_plan, struct yk_err *err);
void yk_partition_plan_done(struct yk_partition_plan *plan);

#endif
