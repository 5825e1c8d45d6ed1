/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the application of a pod, with its queue and user.
 *
 * The values that an application gets from a pod are the details of the application: interned bytes
 * (cache/interned.h) that the pods of one workload share. Each task has them, so that the application can be
 * submitted again for any of its pods. They are unpacked only when the application is submitted.
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
    YK_APP_TAGS_MAX = 16,        /* tags of one application */
    YK_CONFLICT_NOTE_MAX = 4096, /* bytes of the ignored values in a note about a conflict */
};

/* Writes the application id of the pod, terminated, to `ret_id`. A pod without an id gets a generated id. If
 * `unique` is true, it is an id of its own; otherwise, it is the id of all such pods of its namespace. In an
 * id that ends with YK_UNIQUE_ID_SUFFIX (api/application_id.h), the UID of the pod replaces the last word. If
 * applications do not span namespaces, the caller calls yk_pod_keep_to_namespace() afterwards. Errors:
 * YK_ERR_LIMIT, the id is longer than the core accepts; `ret_id` is then untouched. */
YK_NODISCARD enum yk_status yk_pod_application_id(const struct yk_pod *pod, bool unique,
                                                  char ret_id[YK_SI_APPLICATION_ID_MAX + 1],
                                                  struct yk_err *err);
/* If `id` looks like the generated id of a namespace, replaces it by the generated id of the namespace of the
 * pod. So a pod cannot join the application of another namespace by naming the generated id of that
 * namespace. Has no effect on other ids. */
void yk_pod_keep_to_namespace(const struct yk_pod *pod, char id[YK_SI_APPLICATION_ID_MAX + 1]);
/* The name of the queue as the pod gives it; absent if it names none. Borrowed from the pod. */
struct yk_str yk_pod_queue(const struct yk_pod *pod);
/* Whether the pod gives different application ids in several labels and annotations. If so, appends a
 * sentence to `note` that says which id is used and which ids are ignored; otherwise appends nothing.
 * The note fits if note->max is at least 2 * YK_CONFLICT_NOTE_MAX. False also if yk_pod_application_id()
 * fails. `unique`: as in that function. */
bool yk_pod_id_conflict(const struct yk_pod *pod, bool unique, struct yk_buf *note);
/* Whether the pod gives different names of its queue in several labels and annotations. If so, appends a
 * sentence to `note` as yk_pod_id_conflict() does; otherwise appends nothing. */
bool yk_pod_queue_conflict(const struct yk_pod *pod, struct yk_buf *note);
/* In which ways a pod can name its user (service.trustUserInfo). */
enum yk_user_trust {
    YK_TRUST_ANY_USER,  /* the annotation user.info; without it the label "username" */
    YK_TRUST_USER_INFO, /* the annotation only */
    YK_TRUST_NO_USER,   /* neither: the user is unknown */
};
/* The details of the application, from the pod. With one more holder: the caller calls yk_interned_put().
 * `with_gangs`: task groups are read. `trust`: how the pod can name its user. `scratch`: memory, which is
 * overwritten. */
struct yk_interned *yk_pod_app_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       bool with_gangs, enum yk_user_trust trust, struct yk_buf *scratch);

/* The unpacked details. Texts are borrowed from the details, and "" if the pod has no such value. */
struct yk_app_details {
    const char *queue, *user, *type, *no_stateaware, *pull_secrets, *task_groups, *policy, *priority_class;
    const char *owner_name, *owner_uid; /* of the owner of a placeholder; "" if the pod is no placeholder */
    bool is_user_info;                  /* `user` is the annotation user.info; false: the label */
};
/* Unpacks the details into `*ret`, which need not be initialised. O(bytes). */
void yk_app_details_read(const struct yk_interned *details, struct yk_app_details *ret);

/* The request to the core that adds an application. Must not be copied, because it points into itself. */
struct yk_app_request {
    struct yk_si_new_app app; /* the request */
    struct yk_si_tag tags[YK_APP_TAGS_MAX];
    struct yk_user_info who; /* owns user and groups */
    struct yk_namespace_tags namespace_tags;
    char namespace_[64]; /* the value of a tag */
    char creation[24];   /* the value of a tag */
    char *parent_queue;  /* owned, terminated; NULL: there is none */
};

/* Makes the request for the application `id` from a pod and its `details`. `namespace_`: the namespace of
 * the pod; NULL: not known. The caller sets ret->app.cookie, and for a gang the fields about it. All
 * arguments are borrowed until yk_app_request_done(), with which the caller ends `*ret`. */
void yk_app_request_init(struct yk_app_request *ret, const char *id, const struct yk_cache_pod *pod,
                         const struct yk_interned *details, const struct yk_object *namespace_);
/* Sets the tag with which the core accepts the application even if its queue refuses it. Called after
 * yk_app_request_init() if the application was submitted for a running pod (yk_application.forced), but
 * another pod decides queue and user. yk_app_request_init() sets the tag itself if `pod` is bound. */
void yk_app_request_force(struct yk_app_request *request);
/* Frees what the request owns. */
void yk_app_request_done(struct yk_app_request *request);

#endif
