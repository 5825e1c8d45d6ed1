/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Placeholder pods: how to recognize one, its name, and the body of the request that creates it.
 *
 * The name is computed from the gang and the number of the member. So a scheduler that creates a placeholder
 * again after a crash gets a conflict (409), and no second placeholder is created.
 *
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "Gangs" (P12, P13, S14).
 */
#ifndef YK_APP_PLACEHOLDER_POD_H
#define YK_APP_PLACEHOLDER_POD_H

#include "app/task_groups.h"

enum { YK_PLACEHOLDER_NAME_MAX = 63 };

/* Whether the pod is a placeholder, as its annotation YK_KEY_PLACEHOLDER says. Without a valid value of that
 * annotation, the annotation YK_KEY_OLD_PLACEHOLDER or the label "placeholder" of older releases of Apache
 * YuniKorn counts, but only if the name of the pod begins with "tg-" and the pod names a task group. */
bool yk_pod_is_placeholder(const struct yk_pod *pod);
/* The name of the task group of the pod; absent if it has none. Borrowed from the pod. */
struct yk_str yk_pod_task_group(const struct yk_pod *pod);
/* The first owner of the pod that is a pod itself and has a UID; NULL: there is none. Borrowed from `pod`. */
const struct yk_owner_ref *yk_placeholder_owner(const struct yk_pod *pod);

struct yk_placeholder_look {                     /* settings for all placeholders */
    const char *image;                           /* borrowed */
    int64_t run_as_user, run_as_group, fs_group; /* of the security context; 0: not set */
};

/* A placeholder to create. All texts are borrowed for the call. No text is NULL. A text may be "" unless its
 * comment says otherwise. */
struct yk_placeholder_draft {
    const char *namespace_, *name, *application_id; /* not "" */
    const char *queue;
    const char *owner_name, *owner_uid; /* of the pod that owns the placeholder; not "" */
    /* The label "username", a valid value of a label; "": the pod gets no such label. Placeholders have no
     * annotation user.info, because admission controllers can refuse a pod with a user.info that they did not
     * write. */
    const char *user_label;
    const char *priority_class;
    const char *pull_secrets;          /* names, separated by commas */
    const char *task_groups, *policy;  /* annotations of the pod that has defined the gang */
    const struct yk_gang_group *group; /* the task group of the placeholder */
    const struct yk_placeholder_look *look;
};

/* Writes the name of a placeholder, terminated, to `ret_name`. The name is always the same for the same
 * arguments, and has a hash of all of them. `owner_uid`: the UID of the pod that owns the placeholder.
 * `member`: number in the group, from 0. */
void yk_placeholder_name(const char *application_id, const char *owner_uid, const char *group,
                         uint32_t member, char ret_name[YK_PLACEHOLDER_NAME_MAX + 1]);
/* Appends the body of the request that creates the pod (POST .../pods) as JSON. body->failed is set if the
 * body exceeds body->max. */
void yk_encode_placeholder(struct yk_buf *body, const struct yk_placeholder_draft *draft);

#endif
