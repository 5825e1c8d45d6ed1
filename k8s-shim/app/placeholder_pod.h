/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placeholder pods: how to recognize one, its name, and its specification.
 *
 * The name follows from the gang and the number of the member, so a scheduler that creates it again after a
 * crash finds the existing one (409) instead of creating a second one.
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "Gangs" (P12, P13, S14).
 */
#ifndef YK_APP_PLACEHOLDER_POD_H
#define YK_APP_PLACEHOLDER_POD_H

#include "app/task_groups.h"

enum { YK_PLACEHOLDER_NAME_MAX = 63 };

/* Whether this scheduler, or an older one that names them the same way, created the pod. */
bool yk_pod_is_placeholder(const struct yk_pod *pod);
/* The task group of the pod; absent if it has none. */
struct yk_str yk_pod_task_group(const struct yk_pod *pod);
/* The pod that owns a placeholder; NULL if it has no owner. Borrowed from `pod`. */
const struct yk_owner_ref *yk_placeholder_owner(const struct yk_pod *pod);

struct yk_placeholder_look { /* the service's settings */
    const char *image;
    int64_t run_as_user, run_as_group, fs_group; /* 0: not set */
};

struct yk_placeholder_draft {
    const char *namespace_, *name, *application_id, *queue;
    const char *owner_name, *owner_uid; /* a pod */
    const char *user_label; /* "": none. Placeholders have no user.info: admission controllers refuse pods
                               with a user.info that they did not write. */
    const char *priority_class;
    const char *pull_secrets; /* separated by commas */
    const char *task_groups, *policy;
    const struct yk_gang_group *group;
    const struct yk_placeholder_look *look;
};

/* Writes the name of a placeholder: the same for the same arguments, and a different one for each member of
 * each group of each owner. `member` counts from 0. */
void yk_placeholder_name(const char *application_id, const char *owner_uid, const char *group,
                         uint32_t member, char ret_name[YK_PLACEHOLDER_NAME_MAX + 1]);
/* Appends the body of the request that creates the pod (POST .../pods) as JSON. The texts of `draft` are not
 * NULL. */
void yk_encode_placeholder(struct yk_buf *body, const struct yk_placeholder_draft *draft);

#endif
