/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One AdmissionReview, taken apart, and the verdict on it. Shared inside this module.
 *
 * Thread: the reviewer's.
 */
#ifndef YK_ADMISSION_REQUEST_PRIV_H
#define YK_ADMISSION_REQUEST_PRIV_H

#include "admission/json_patch.h"
#include "admission/marks.h"
#include "admission/reviewer.h"
#include "admission/settings.h"

#include <jansson.h>

enum { YK__VERDICT_TEXT_MAX = 2048 }; /* bytes of a reason */

/* All views point into the tree of the review. */
struct yk__request {
    struct yk_str uid, operation, group, kind, sub_resource, user;
    struct yk_str namespace_; /* "default" if the request has none */
    const json_t *groups;     /* of the user: an array of texts, or NULL */
    const json_t *object;     /* an object, or NULL */
    const json_t *old;        /* the same, before an UPDATE */
};

/* Zeroed with `allowed` true: allowed as it is. */
struct yk__verdict {
    bool allowed;
    struct yk_buf reason;             /* of a denial */
    struct yk_patch patch;            /* of what is allowed */
    struct yk_config_errors warnings; /* for the user */
};

/* What the reviewer and reviews on other threads share: never changed. */
struct yk__shared_map {
    struct yk_config_map *map; /* owned */
    unsigned holders;          /* reviewer's thread */
};

/* What is in force while a ConfigMap is reviewed. */
struct yk__basis {
    const char *namespace_;
    const struct yk_config_map *maps[2]; /* yunikorn-defaults, yunikorn-configs; NULL: not there */
};

struct yk_reviewer {
    char *namespace_;
    struct yk_admission_settings settings;
    struct yk__shared_map *maps[2]; /* yunikorn-defaults, yunikorn-configs; NULL: not there. Held */
    struct yk_marks namespaces, classes;
    bool has_reviewed; /* the settings that were there before the first review are those of the start */
};

/* Reads the members of an AdmissionReview. Errors: YK_ERR_INVALID. `ret->uid` is also set if later members
 * are wrong. */
YK_NODISCARD enum yk_status yk__request_read(const json_t *review, struct yk__request *ret,
                                             struct yk_err *err);
/* Frees its texts. */
void yk__verdict_done(struct yk__verdict *verdict);
/* Denies with a reason, which is cut at YK__VERDICT_TEXT_MAX. */
void yk__deny(struct yk__verdict *verdict, const char *format, ...) YK_PRINTF(2, 3);

/* Sets `*ret` to the text at `key` of a map that may be NULL: absent if it is not there, "" for null.
 * Borrowed from the map. Errors: YK_ERR_INVALID, it is no text. */
YK_NODISCARD enum yk_status yk__text_at(const json_t *map, const char *key, struct yk_str *ret,
                                        struct yk_err *err);
/* Sets `*ret` to the object at `key` of a map that may be NULL: to NULL if it is not there, or null. Errors:
 * YK_ERR_INVALID, it is something else. */
YK_NODISCARD enum yk_status yk__object_at(const json_t *map, const char *key, const json_t **ret,
                                          struct yk_err *err);

/* The metadata of a pod or a pod template, and what the rules read of it. */
struct yk__meta {
    const char *path;                           /* JSON pointer of the metadata */
    bool has_meta, has_labels, has_annotations; /* the object is there, or the patch adds it */
    struct yk_str app_id, old_app_id, spark_id, queue, old_queue, app; /* labels */
    struct yk_str annotated_app_id, user_info, preemption;             /* annotations */
    bool has_user_info; /* the annotation is there, whatever its value */
};
/* Reads the metadata of `holder` (an object of the review, or its pod template), which may be NULL. `path`:
 * see struct yk__meta; borrowed. The texts are borrowed from the review. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk__meta_read(const json_t *holder, const char *path, struct yk__meta *ret,
                                          struct yk_err *err);
/* Adds an operation to `patch` that sets the label, and makes the map of labels first if there is none. `key`
 * is not escaped; all are copied. */
void yk__meta_label(struct yk__meta *meta, struct yk_patch *patch, const char *key, struct yk_str value);
/* Like yk__meta_label() for an annotation. */
void yk__meta_annotate(struct yk__meta *meta, struct yk_patch *patch, const char *key, struct yk_str value);
/* Whether a label says which application it belongs to. */
bool yk__meta_has_app_label(const struct yk__meta *meta);

/* Whether it is a pod of the scheduler itself, by its label. */
bool yk__is_ours(const struct yk__meta *meta);
/* Whether the rules about user.info hold for the pods of this metadata (U5). */
bool yk__is_guarded(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    const struct yk__meta *meta);
/* Reviews the creation of a pod: `*verdict` gets the patch, or why it is denied. Does not fail. */
void yk__pod_create(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    struct yk__verdict *verdict);
/* Reviews an update of a pod: it is denied if it changes the user info without permission. No patch. */
void yk__pod_update(const struct yk_reviewer *reviewer, const struct yk__request *request,
                    struct yk__verdict *verdict);
/* Reviews the creation or update of a workload, that is of an object with a pod template: `*verdict` gets the
 * patch, or why it is denied. Other kinds are allowed as they are. Does not fail. */
void yk__workload(const struct yk_reviewer *reviewer, const struct yk__request *request,
                  struct yk__verdict *verdict);
/* Reviews a ConfigMap of the scheduler: `*verdict` gets why it is denied, and warnings. Any thread. */
void yk__config_map(const struct yk__basis *basis, const struct yk__request *request,
                    struct yk__verdict *verdict);

#endif
