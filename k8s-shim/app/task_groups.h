/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task groups of a gang, from the annotations `task-groups` and `schedulingPolicyParameters` of a pod.
 *
 * Tolerations, affinity and topology spread of a group are copied to its placeholder pods. They are stored as
 * JSON text, and their contents are not validated, because the API server does that.
 *
 * Thread: scheduling thread, because the resource types must not change meanwhile (resources/restype.h).
 * Source: docs/reference/kubernetes.md, "Gangs" (P10, P11).
 */
#ifndef YK_APP_TASK_GROUPS_H
#define YK_APP_TASK_GROUPS_H

#include "api/object.h"
#include "resources/resvec.h"

enum {
    YK_TASK_GROUPS_BYTES_MAX = 1 << 20, /* bytes of the annotation; the API server accepts a quarter of it */
    YK_TASK_GROUPS_MAX = 1024,          /* groups of one annotation */
    YK_TASK_GROUP_PAIRS_MAX = 1024,     /* entries each of labels, annotations, resources, node selector */
    YK_GANG_MEMBERS_MAX = 100 * 1000,   /* members of all groups together */
};

/* Texts are owned by the arena of struct yk_task_groups. */
struct yk_gang_group {
    struct yk_str name;  /* terminated, not "" */
    uint32_t min_member; /* number of members, at least 1 */
    struct yk_pairs labels, annotations, node_selector;
    struct yk_pairs resources;                   /* quantities of one member, as they were written */
    struct yk_str tolerations, affinity, spread; /* JSON; absent: there are none */
    /* Written by app/gang.c and app/gang_orders.c; 0 at first. */
    uint32_t live;   /* placeholders in the states New to Bound */
    uint32_t bound;  /* placeholders in the state Bound */
    uint32_t unseen; /* placeholders that were requested, but whose pods are not in the cache yet */
};

struct yk_task_groups {
    struct yk_arena arena;
    struct yk_gang_group *items; /* in the arena, in the order of the annotation */
    size_t count;
    uint32_t members;       /* the sum of min_member */
    struct yk_resvec total; /* the sum of the resources of all members; each member is 1 of "pods" */
};

/* Parses the value of the annotation `task-groups`; "null" gives no groups. `namespace_`: of the pod. `*ret` is
 * overwritten; the caller ends it with yk_task_groups_done(). Errors: YK_ERR_INVALID, YK_ERR_LIMIT; `*ret` is then
 * untouched. */
YK_NODISCARD enum yk_status yk_task_groups_parse(struct yk_str text, struct yk_str namespace_,
                                                 struct yk_task_groups *ret, struct yk_err *err);
/* Computes `total` again if it has resources that nothing offered before. True: `total` has changed, because nodes
 * offer some of them now. `namespace_`: as for yk_task_groups_parse(). */
bool yk_task_groups_resolve(struct yk_task_groups *groups, struct yk_str namespace_);
void yk_task_groups_done(struct yk_task_groups *groups);
/* Moves the groups from `from`, which is empty afterwards, to `to`, which must be empty. */
void yk_task_groups_move(struct yk_task_groups *to, struct yk_task_groups *from);
/* The group of that name, borrowed from `groups`; NULL: there is none. O(groups). */
struct yk_gang_group *yk_task_groups_find(const struct yk_task_groups *groups, const char *name);

struct yk_gang_policy {
    int64_t timeout_ns; /* how long the gang waits for its placeholders; 0: the default of the core */
    bool is_hard;       /* the application fails after that time; false: it runs as an ordinary application */
};

/* Parses the value of the annotation `schedulingPolicyParameters` into `*ret`, which is overwritten.
 * Parameters that are not valid are left out, and their defaults hold: appends what is wrong, for users, to
 * `wrong`. Unknown keys are ignored. */
void yk_gang_policy_parse(struct yk_str text, struct yk_gang_policy *ret, struct yk_buf *wrong);

#endif
