/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reviewer: the decisions of the admission controller. It reads an AdmissionReview as text and returns the
 * answer as text. It does no input or output itself: the caller serves HTTPS and watches the objects.
 *
 * Owns:   the settings in force, the two ConfigMaps, and marks of namespaces and priority classes.
 * Thread: always the same thread, the reviewer's; yk_config_review_run(): any.
 * Source: docs/reference/admission.md.
 */
#ifndef YK_ADMISSION_REVIEWER_H
#define YK_ADMISSION_REVIEWER_H

#include "api/object.h"

enum {
    YK_REVIEW_BODY_MAX = 8 << 20,         /* bytes of one AdmissionReview */
    YK_REVIEW_TREE_MAX = 80 << 20,        /* estimated bytes of heap for a parsed review */
    YK_REVIEW_ANSWER_MAX = 8 << 20,       /* bytes of one answer */
    YK_REVIEWER_OBJECTS_MAX = 100 * 1000, /* most namespaces with marks; most priority classes with marks */
};

struct yk_reviewer; /* opaque */

struct yk_reviewer_options {
    const char *namespace_; /* of the scheduler's ConfigMaps; copied. NULL or "": "default" */
};

/* Makes a reviewer with default settings. The caller frees `*ret` with yk_reviewer_free(). Errors:
 * YK_ERR_INVALID, the namespace is longer than 63 bytes. */
YK_NODISCARD enum yk_status yk_reviewer_new(const struct yk_reviewer_options *options,
                                            struct yk_reviewer **ret, struct yk_err *err);
void yk_reviewer_free(struct yk_reviewer *reviewer);
YK_DEFINE_FREEP(yk_reviewer)

/* ---- objects as they are watched ---- */

/*
 * A ConfigMap was added or changed: its settings are in force when the call returns, and the log levels of
 * the process are those of the two ConfigMaps. A faulty value is logged, and the old one stays. If
 * service.enableConfigHotRefresh is false, settings and log levels do not change after the first review, but
 * reviews of ConfigMaps use the new ConfigMap. The reviewer owns `taken` afterwards. It frees and ignores a
 * ConfigMap of another name or namespace.
 */
void yk_reviewer_put_config_map(struct yk_reviewer *reviewer, struct yk_config_map *taken);
/* A ConfigMap was deleted: its settings get the values of the other ConfigMap, or their defaults. If
 * service.enableConfigHotRefresh is false, they do not change after the first review. Has no effect on a
 * ConfigMap that was never put. */
void yk_reviewer_remove_config_map(struct yk_reviewer *reviewer, struct yk_str namespace_,
                                   struct yk_str name);
/* A namespace was added or changed: copies what its annotations say. If YK_REVIEWER_OBJECTS_MAX other
 * namespaces have marks, an error is logged, and the annotations are ignored. */
void yk_reviewer_put_namespace(struct yk_reviewer *reviewer, const struct yk_namespace *namespace_);
/* The namespace was deleted: forgets its annotations. Has no effect if the namespace is not known. */
void yk_reviewer_remove_namespace(struct yk_reviewer *reviewer, struct yk_str name);
/* A priority class was added or changed: copies what its annotations say. If YK_REVIEWER_OBJECTS_MAX other
 * priority classes have marks, an error is logged, and the annotations are ignored. */
void yk_reviewer_put_priority_class(struct yk_reviewer *reviewer, const struct yk_priority_class *class_);
/* The priority class was deleted: forgets its annotations. Has no effect if the class is not known. */
void yk_reviewer_remove_priority_class(struct yk_reviewer *reviewer, struct yk_str name);

/* ---- reviews ---- */

enum yk_review_path {
    YK_REVIEW_MUTATE,        /* POST /mutate: pods and workloads */
    YK_REVIEW_VALIDATE_CONF, /* POST /validate-conf: ConfigMaps */
};

/*
 * Answers one POST. `body`: the AdmissionReview in JSON. Appends one complete AdmissionReview (JSON,
 * admission.k8s.io/v1) to `answer` for any body. A body that is not an AdmissionReview is denied, with the
 * uid "yunikorn-invalid-body" if its own uid cannot be read. `answer->max` must be 0 or at least
 * YK_REVIEW_ANSWER_MAX. The time is bounded by the size of the body, and for a ConfigMap by the limits of
 * config/config.h.
 */
void yk_reviewer_review(struct yk_reviewer *reviewer, enum yk_review_path path, struct yk_str body,
                        struct yk_buf *answer);

/*
 * A review of /validate-conf that runs on another thread, because a large configuration can take a second.
 * The review uses the ConfigMaps that the reviewer has when yk_config_review_new() is called.
 */
struct yk_config_review; /* opaque */

/* Prepares the review of `body`, the AdmissionReview in JSON. Takes its bytes, so that `body` is empty
 * afterwards. The caller frees the result with yk_config_review_free(). Reviewer's thread. */
struct yk_config_review *yk_config_review_new(struct yk_reviewer *reviewer, struct yk_buf *body);
/* Runs the review, and appends to `answer` what yk_reviewer_review() would append. Any thread; the reviewer
 * may be used on its own thread meanwhile. */
void yk_config_review_run(const struct yk_config_review *review, struct yk_buf *answer);
/* Frees the review. Reviewer's thread, also after the reviewer was freed. NULL is allowed. */
void yk_config_review_free(struct yk_config_review *review);

/* ---- settings that the controller needs ---- */

/* The setting admissionController.webHook.amServiceName. Borrowed until the next ConfigMap is put or
 * removed. */
const char *yk_reviewer_service_name(const struct yk_reviewer *reviewer);
/*
 * Whether the settings ask for pods to be guarded (admission/webhook_objects.h):
 * admissionController.webHook.failurePolicy is Fail, and admissionController.accessControl.bypassAuth is
 * false. With bypassAuth, reviews do not check user.info; if pods were guarded, a scheduler with
 * service.trustUserInfo "webhook" would trust user.info.
 */
bool yk_reviewer_wants_guard(const struct yk_reviewer *reviewer);
/* The namespace of the options. Borrowed for the life of the reviewer. */
const char *yk_reviewer_namespace(const struct yk_reviewer *reviewer);

#endif
