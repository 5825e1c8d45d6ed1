/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a new configuration changes in the queue tree: the queues that differ from the active configuration,
 * each with everything it takes over, and the way to them. Queues that stay as they are do not appear, so
 * that carrying a plan out costs what changed and not what there is.
 *
 * Made from two checked configurations alone: no living queue is looked at. A change of properties or of a
 * child template reaches the queues below that inherit it; they differ, too.
 *
 * Owns:   its memory, until carrying it out moves it into the queues. Borrows the new configuration.
 * Thread: any, one at a time.
 * Source: docs/reference/queues.md, R9 to R13, I1, I2, T1, T2.
 */
#ifndef YK_PARTITION_CONFIG_DIFF_H
#define YK_PARTITION_CONFIG_DIFF_H

#include "objects/queue.h"

struct yk_plan_gone { /* a queue that is no longer configured */
    struct yk_plan_gone *next;
    struct yk_str name; /* lower case */
};

struct yk_queue_plan {
    const struct yk_config_queue *config; /* what it shall be, with its effective properties */
    struct yk_str name;                   /* lower case */
    struct yk_queue_plan *first_child, *next;
    struct yk_plan_gone *gone; /* children */
    bool is_new;               /* the active configuration does not have it */
    bool differs;              /* else only something below does, and what follows is empty */
    bool differs_itself;       /* not only by what it inherits */
    bool is_leaf;
    struct yk_queue_settings settings;
    struct yk_acl submit_acl, admin_acl;
    struct yk_queue_template *own_template; /* in the plan's arena; NULL: the parent's counts. Its
                                              properties are held until they are moved into the queue */
};

struct yk_partition_plan {
    struct yk_arena arena;
    struct yk_queue_plan *root; /* NULL: nothing changes */
    uint32_t differing;         /* queues */
};

/*
 * Makes the plan from `active` (NULL: nothing exists yet) to `wanted`, whose queues get their effective
 * properties. `*ret_plan` is zeroed or done before. Errors: YK_ERR_INVALID naming the queue.
 */
YK_NODISCARD enum yk_status yk_partition_plan_make(const struct yk_config_partition *active,
                                                   struct yk_config_partition *wanted,
                                                   struct yk_partition_plan *ret_plan, struct yk_err *err);
void yk_partition_plan_done(struct yk_partition_plan *plan);

#endif
