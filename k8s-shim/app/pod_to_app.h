/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pod -> application: whose pod is it, in which queue, for which user.
 *
 * What an application takes from its first pod is kept as packed text (a blob that the pods of a workload
 * share), so that any of its pods can bring the application back. It is taken apart only when the application
 * is submitted. Source: docs/reference/kubernetes.md 2.2, 2.3, 2.5 (P02 to P07).
 */
#ifndef YK_APP_POD_TO_APP_H
#define YK_APP_POD_TO_APP_H

#include "api/user_info.h"
#include "app/namespace_quota.h"
#include "cache/cache.h"
#include "si.h"

enum {
    YK_APP_TAGS_MAX = 16,
    YK_CONFLICT_NOTE_MAX = 4096, /* an Event is cut at less */
};

/*
 * The application id of a pod. `unique`: pods without one get an application each.
 * Errors: YK_ERR_LIMIT, the id is longer than the core takes.
 */
YK_NODISCARD enum yk_status yk_pod_application_id(const struct yk_pod *pod, bool unique,
                                                  char ret_id[YK_SI_APPLICATION_ID_MAX + 1],
                                                  struct yk_err *err);
/*
 * Replaces an id that is made for pods of a namespace that name none by that of the pod's own namespace. So
 * no pod takes the id that the pods of another namespace get.
 */
void yk_pod_keep_to_namespace(const struct yk_pod *pod, char id[YK_SI_APPLICATION_ID_MAX + 1]);
/* As submitted; absent when the pod names none. Borrowed from the pod. */
struct yk_str yk_pod_queue(const struct yk_pod *pod);
/*
 * Whether the pod says in several places what it belongs to, and not the same: then `note` (of at least
 * YK_CONFLICT_NOTE_MAX) is appended what is used and what is not.
 */
bool yk_pod_id_conflict(const struct yk_pod *pod, bool unique, struct yk_buf *note);
bool yk_pod_queue_conflict(const struct yk_pod *pod, struct yk_buf *note);
/* From label or annotation, or "spark" for what a Spark operator made; absent when nobody says. */
struct yk_str yk_pod_application_type(const struct yk_pod *pod);
/* What a pod may say about its user (service.trustUserInfo). */
enum yk_user_trust {
    YK_TRUST_ANY_USER,  /* the annotation user.info; without it the label "username" */
    YK_TRUST_USER_INFO, /* the annotation only */
    YK_TRUST_NO_USER,   /* neither: every user is unknown */
};
/* Everything else an application takes from the pod, counted; yk_interned_put() it. */
struct yk_interned *yk_pod_app_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       bool with_gangs, enum yk_user_trust trust, struct yk_buf *scratch);

/* What is in the details; "" where the pod says nothing. Borrowed from them. */
struct yk_app_details {
    const char *queue, *user, *type, *no_stateaware, *pull_secrets, *task_groups, *policy, *priority_class;
    const char *owner_name, *owner_uid; /* of a placeholder only: for whom it was made */
    bool is_user_info;                  /* `user` is the annotation, not the label */
};
void yk_app_details_read(const struct yk_interned *details, struct yk_app_details *ret);

/* The request for the core. Borrows from the details, the pod and itself: do not copy it. */
struct yk_app_request {
    struct yk_si_new_app app;
    struct yk_si_tag tags[YK_APP_TAGS_MAX];
    struct yk_user_info who;
    struct yk_namespace_tags namespace_tags;
    char namespace_[64];
    char creation[24];
    char *parent_queue; /* owned, terminated */
};

/* `namespace_` may be NULL. yk_app_request_done() it. */
void yk_app_request_init(struct yk_app_request *ret, const char *id, const struct yk_cache_pod *pod,
                         const struct yk_interned *details, const struct yk_object *namespace_);
/* The core takes it whatever its queue says: something of it runs. Before the tags are read. */
void yk_app_request_force(struct yk_app_request *request);
void yk_app_request_done(struct yk_app_request *request);

#endif
