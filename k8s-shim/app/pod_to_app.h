/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pod to application: the application, queue and user of a pod.
 *
 * What an application takes from its first pod is packed text (interned bytes that the pods of a workload
 * share), so any of its pods can submit the application again. It is unpacked only when the application is
 * submitted.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 2.2, 2.3, 2.5 (P02 to P07).
 */
#ifndef YK_APP_POD_TO_APP_H
#define YK_APP_POD_TO_APP_H

#include "api/user_info.h"
#include "app/namespace_quota.h"
#include "cache/cache.h"
#include "si.h"

enum {
    YK_APP_TAGS_MAX = 16,
    YK_CONFLICT_NOTE_MAX = 4096, /* an Event is cut at less than this */
};

/* The application id of a pod. `unique`: each pod without an id gets an application of its own. Errors:
 * YK_ERR_LIMIT, the id is longer than the core accepts. */
YK_NODISCARD enum yk_status yk_pod_application_id(const struct yk_pod *pod, bool unique,
                                                  char ret_id[YK_SI_APPLICATION_ID_MAX + 1],
                                                  struct yk_err *err);
/* Replaces a generated id of another namespace by that of the pod's own namespace, so that no pod takes
 * the id that the pods of another namespace get. */
void yk_pod_keep_to_namespace(const struct yk_pod *pod, char id[YK_SI_APPLICATION_ID_MAX + 1]);
/* The queue as given; absent if the pod names none. Borrowed from the pod. */
struct yk_str yk_pod_queue(const struct yk_pod *pod);
/* Whether the pod gives different values in several places: then appends to `note` (of at least
 * YK_CONFLICT_NOTE_MAX) which value is used and which are ignored. */
bool yk_pod_id_conflict(const struct yk_pod *pod, bool unique, struct yk_buf *note);
/* Like yk_pod_id_conflict() for the name of the queue. */
bool yk_pod_queue_conflict(const struct yk_pod *pod, struct yk_buf *note);
/* Which statements of a pod about its user count (service.trustUserInfo). */
enum yk_user_trust {
    YK_TRUST_ANY_USER,  /* the annotation user.info; without it the label "username" */
    YK_TRUST_USER_INFO, /* the annotation only */
    YK_TRUST_NO_USER,   /* neither: every user is unknown */
};
/* The other values that an application takes from the pod, counted; release with yk_interned_put().
 * `with_gangs`: task groups are read. `scratch` is overwritten. */
struct yk_interned *yk_pod_app_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       bool with_gangs, enum yk_user_trust trust, struct yk_buf *scratch);

/* The unpacked details; "" where the pod has no value. Borrowed from them. */
struct yk_app_details {
    const char *queue, *user, *type, *no_stateaware, *pull_secrets, *task_groups, *policy, *priority_class;
    const char *owner_name, *owner_uid; /* of a placeholder only: the pod that owns it */
    bool is_user_info;                  /* `user` is the annotation, not the label */
};
/* Unpacks the details. The texts in `*ret` are borrowed from them. O(bytes). */
void yk_app_details_read(const struct yk_interned *details, struct yk_app_details *ret);

/* The request to the core. Borrows from the details, the pod and itself: do not copy it. */
struct yk_app_request {
    struct yk_si_new_app app;
    struct yk_si_tag tags[YK_APP_TAGS_MAX];
    struct yk_user_info who;
    struct yk_namespace_tags namespace_tags;
    char namespace_[64];
    char creation[24];
    char *parent_queue; /* owned, terminated */
};

/* Makes the request for the application `id`, as the pod's `details` describe it. `namespace_` (NULL: not
 * known) and the others are borrowed as long as the request. The caller ends `*ret` with
 * yk_app_request_done(). */
void yk_app_request_init(struct yk_app_request *ret, const char *id, const struct yk_cache_pod *pod,
                         const struct yk_interned *details, const struct yk_object *namespace_);
/* Adds the tag by which the core accepts the application whatever its queue allows, because pods of it run. */
void yk_app_request_force(struct yk_app_request *request);
/* Frees what the request owns. */
void yk_app_request_done(struct yk_app_request *request);

#endif
