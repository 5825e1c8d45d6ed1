/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placeholder pods: which pods are, what one is called, what it looks like.
 *
 * A name follows from the gang and the number of the member alone, so that whoever makes it again after a
 * crash meets the one that is there (409) instead of making a second one. Thread: any. Source:
 * docs/reference/kubernetes.md, "Gangs" (P12, P13, S14).
 */
#ifndef YK_APP_PLACEHOLDER_POD_H
#define YK_APP_PLACEHOLDER_POD_H

#include "app/task_groups.h"

enum { YK_PLACEHOLDER_NAME_MAX = 63 };

/* One that this scheduler, or an older one that names them alike, has made. */
bool yk_pod_is_placeholder(const struct yk_pod *pod);
/* The task group that a pod says it belongs to; absent when none. */
struct yk_str yk_pod_task_group(const struct yk_pod *pod);
/* The pod for whom a placeholder was made; NULL when it does not say. Borrowed from `pod`. */
const struct yk_owner_ref *yk_placeholder_owner(const struct yk_pod *pod);

struct yk_placeholder_look { /* the service's settings */
    const char *image;
    int64_t run_as_user, run_as_group, fs_group; /* 0: not set */
};

struct yk_placeholder_draft {
    const char *namespace_, *name, *application_id, *queue;
    const char *owner_name, *owner_uid; /* a pod */
    const char *user_label; /* "": none. It has no user.info: admission controllers refuse it on pods that
                               they did not write it on */
    const char *priority_class;
    const char *pull_secrets; /* separated by commas */
    const char *task_groups, *policy;
    const struct yk_gang_group *group;
    const struct yk_placeholder_look *look;
};

/* Different for each member of each group of each gang (that is: owner). */
void yk_placeholder_name(const char *application_id, const char *owner_uid, const char *group,
                         uint32_t member, char ret_name[YK_PLACEHOLDER_NAME_MAX + 1]);
/* POST .../pods */
void yk_encode_placeholder(struct yk_buf *body, const struct yk_placeholder_draft *draft);

#endif
