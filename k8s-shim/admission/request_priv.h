/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of one AdmissionReview, and the verdict on it, for the files of this module.
 *
 * Thread: any; functions with a `reviewer`: the reviewer's.
 */
#ifndef YK_ADMISSION_REQUEST_PRIV_H
#define YK_ADMISSION_REQUEST_PRIV_H

#include "admission/json_patch.h"
#include "admission/marks.h"
#include "admission/reviewer.h"
#include "admission/settings.h"

#include <jansson.h>

enum { YK__VERDICT_TEXT_MAX = 2048 }; /* bytes of the reason of a denial */

/* The request of a review. Texts and trees are borrowed from the tree of the review, or static. */
struct yk__request {
    struct yk_str uid, operation, group, kind, sub_resource, user;
    struct yk_str namespace_; /* "default" if the request has none */
    const json_t *groups;     /* of the user: an array of texts, or NULL */
    const json_t *object;     /* an object, or NULL */
    const json_t *old;        /* the object before an UPDATE, or NULL */
};

/* The initial value {.allowed = true} allows the request and changes nothing. */
struct yk__verdict {
    bool allowed;
    struct yk_buf reason;             /* why the request is denied; empty if it is allowed */
    struct yk_patch patch;            /* how the object is changed; empty if the request is denied */
    struct yk_config_errors warnings; /* sentences that the API server shows to the user */
};

/* A ConfigMap that the reviewer shares with reviews on other threads. Its content never changes. */
struct yk__shared_map {
    struct yk_config_map *map; /* owned */
    unsigned holders;          /* references; counted on the reviewer's thread only */
};

/* The scheduler's ConfigMaps at the time of a review, and their namespace. All borrowed. */
struct yk__basis {
    const char *namespace_;
    const struct yk_config_map *maps[2]; /* yunikorn-defaults, yunikorn-configs; NULL: there is none */
};

struct yk_reviewer {
    char *namespace_;
    struct yk_admission_settings settings;
    struct yk__shared_map *maps[2]; /* yunikorn-defaults, yunikorn-configs; counted. NULL: there is none */
    struct yk_marks namespaces, classes;
    bool has_reviewed; /* a review has begun: service.enableConfigHotRefresh "false" now keeps the settings */
};

/* Reads the members of an AdmissionReview. `*ret` is overwritten, also after an error; `ret->uid` is then set
 * if it was read before the error. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk__request_read(const json_t *review, struct yk__request *ret,
                                             struct yk_err *err);
/* Frees the texts of the verdict. */
void yk__verdict_done(struct yk__verdict *verdict);
/* Denies the request and drops the patch; warnings stay. The formatted reason replaces an earlier one, and is
 * cut to less than YK__VERDICT_TEXT_MAX bytes. */
void yk__deny(struct yk__verdict *verdict, const char *format, ...) YK_PRINTF(2, 3);

/* Sets `*ret` to the text at `key` of `map`: absent if there is no such key or `map` is NULL, "" for null.
 * Borrowed from the map. Errors: YK_ERR_INVALID, the value is not a text. */
YK_NODISCARD enum yk_status yk__text_at(const json_t *map, const char *key, struct yk_str *ret,
                                        struct yk_err *err);
/* Sets `*ret` to the object at `key` of `map`: NULL if there is no such key, its value is null, or `map` is
 * NULL. Borrowed from the map. Errors: YK_ERR_INVALID, the value is not an object. */
YK_NODISCARD enum yk_status yk__object_at(const json_t *map, const char *key, const json_t **ret,
                                          struct yk_err *err);

/* The labels and annotations of a pod or a pod template that the rules read. */
struct yk__meta {
    const char *path;                           /* JSON pointer of the metadata in the object */
    bool has_meta, has_labels, has_annotations; /* the map exists, or the patch adds it */
    /* labels; `old_app_id` and `old_queue` have the keys YK_KEY_OLD_... of api/pod_keys.h */
    struct yk_str app_id, old_app_id, spark_id, queue, old_queue, app;
    struct yk_str annotated_app_id, user_info, preemption; /* annotations */
    bool has_user_info; /* the annotation user.info exists, perhaps empty */
};
/* Reads the metadata of `holder`, an object of the review or its pod template; NULL is read like an object
 * without metadata. `path`: as in struct yk__meta, borrowed for as long as `*ret` is used. The texts are
 * borrowed from the review. Errors: YK_ERR_INVALID, a member has the wrong type. */
YK_NODISCARD enum yk_status yk__meta_read(const json_t *holder, const char *path, struct yk__meta *ret,
                                          struct yk_err *err);
/* Adds an operation to `patch` that sets the label `key` to `value`. Before it, adds operations for the
 * metadata and its map of labels if these do not exist. `key` is not escaped. `key` and `value` are
 * copied. */
void yk__meta_label(struct yk__meta *meta, struct yk_patch *patch, const char *key, struct yk_str value);
/* Like yk__meta_label() for an annotation. */
void yk__meta_annotate(struct yk__meta *meta, struct yk_patch *patch, const char *key, struct yk_str value);
/* Whether a label names the application of the pod. */
bool yk__meta_has_app_label(const struct yk__meta *meta);

/* For all functions below, the caller has read `request` without an error, and `*verdict` allows the request
 * at first. The functions that review creations or updates are called only for such operations, and not for
 * sub-resources. */

/* Whether the pod is one of the scheduler or of this controller: it has the label app=yunikorn. */
bool yk__is_ours(const struct yk__meta *meta);
/* Whether user.info of a pod with this metadata must not be changed (U5), and a pod template with this
 * metadata needs a user.info (W3): the namespace of the request is processed (N1), and the namespace is
 * labelled (N2) or a label of `meta` names the application. Does not look at the label app=yunikorn. */
bool yk__is_guarded(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    const struct yk__meta *meta);
/* Reviews the creation of a pod: `*verdict` gets the patch, or why the pod is denied. Does not fail. */
void yk__pod_create(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    struct yk__verdict *verdict);
/* Reviews an update of a pod: denies an update that changes user.info without permission. Never makes a
 * patch. */
void yk__pod_update(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    struct yk__verdict *verdict);
/* Reviews the creation or update of a workload, which is an object with a pod template, such as a Deployment:
 * `*verdict` gets the patch, or why the workload is denied. Other kinds are allowed without a change. Does
 * not fail. */
void yk__workload(const struct yk_reviewer *reviewer, const struct yk__request *request,
                  struct yk__verdict *verdict);
/* Reviews the creation or update of a ConfigMap of the scheduler: `*verdict` gets warnings, and the reason if
 * the ConfigMap is denied. Other objects are allowed. */
void yk__config_map(const struct yk__basis *basis, const struct yk__request *request,
                    struct yk__verdict *verdict);

#endif
