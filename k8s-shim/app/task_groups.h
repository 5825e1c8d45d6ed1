/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task groups of a gang, from the annotations `task-groups` and `schedulingPolicyParameters` of a pod.
 *
 * What placeholder pods copy unchanged from a group (tolerations, affinity, topology spread) is kept as JSON
 * text, which the API server validates. Everything else is validated here.
 *
 * Thread: any, one at a time.
 * Source: docs/reference/kubernetes.md, "Gangs" (P10, P11).
 */
#ifndef YK_APP_TASK_GROUPS_H
#define YK_APP_TASK_GROUPS_H

#include "api/object.h"
#include "resources/resvec.h"

enum {
    YK_TASK_GROUPS_BYTES_MAX = 1 << 20, /* of the annotation; the API server takes a quarter of it */
    YK_TASK_GROUPS_MAX = 1024,
    YK_TASK_GROUP_PAIRS_MAX = 1024,   /* labels, annotations, resources or selectors of a group */
    YK_GANG_MEMBERS_MAX = 100 * 1000, /* of all groups together */
};

struct yk_gang_group {
    struct yk_str name;
    uint32_t min_member;
    struct yk_pairs labels, annotations, node_selector;
    struct yk_pairs resources;                   /* quantities as they were written */
    struct yk_str tolerations, affinity, spread; /* JSON; absent: none */
    /* Written by app/gang.c. */
    uint32_t live;   /* placeholders that have not ended */
    uint32_t bound;  /* of these, on their node */
    uint32_t unseen; /* requested, but their pods were not seen yet */
};

struct yk_task_groups {
    struct yk_arena arena;
    struct yk_gang_group *items; /* in the arena, as listed */
    size_t count;
    uint32_t members;       /* of all groups */
    struct yk_resvec total; /* the sum over all members, with one "pods" each */
};

/* Parses the annotation `task-groups`. The caller ends `*ret` with yk_task_groups_done(). Errors:
 * YK_ERR_INVALID, YK_ERR_LIMIT naming group and value. */
YK_NODISCARD enum yk_status yk_task_groups_parse(struct yk_str text, struct yk_task_groups *ret,
                                                 struct yk_err *err);
void yk_task_groups_done(struct yk_task_groups *groups);
/* Moves the groups from `from`, which is empty afterwards, to `to`, which must be empty. */
void yk_task_groups_move(struct yk_task_groups *to, struct yk_task_groups *from);
/* The group of that name, borrowed from `groups`; NULL: there is none. O(groups). */
struct yk_gang_group *yk_task_groups_find(const struct yk_task_groups *groups, const char *name);

struct yk_gang_policy {
    int64_t timeout_ns; /* 0: the core's default */
    bool is_hard;
};

/* Parses the annotation `schedulingPolicyParameters`. Values that cannot be read are left out, with a warning
 * in the log. */
void yk_gang_policy_parse(struct yk_str text, struct yk_gang_policy *ret);

#endif
