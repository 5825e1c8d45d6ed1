/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reviewer: the decisions of the admission controller. An AdmissionReview comes in as text, the answer goes
 * out as text. It does no input or output of its own: the caller serves HTTPS and watches the objects.
 *
 * Owns:   the settings in force, and what it needs of the objects it was given (copied, bounded).
 * Thread: one thread, the caller's, but for yk_config_review_run().
 * Source: docs/reference/admission.md.
 */
#ifndef YK_ADMISSION_REVIEWER_H
#define YK_ADMISSION_REVIEWER_H

#include "api/object.h"

enum {
    YK_REVIEW_BODY_MAX = 8 << 20,   /* bytes of one AdmissionReview: old and new object of 1.5 MiB, escaped */
    YK_REVIEW_TREE_MAX = 80 << 20,  /* bytes of heap for a parsed review, estimated */
    YK_REVIEW_ANSWER_MAX = 8 << 20, /* bytes of one answer */
    YK_REVIEWER_OBJECTS_MAX = 100 * 1000, /* namespaces kept, and priority classes; each counted alone */
};

struct yk_reviewer; /* opaque */

struct yk_reviewer_options {
    const char *namespace_; /* of the controller: its ConfigMaps are there. Copied. NULL or "": "default" */
};

/* Makes a reviewer with default settings. The caller frees `*ret` with yk_reviewer_free(). Errors:
 * YK_ERR_INVALID, not the name of a namespace. */
YK_NODISCARD enum yk_status yk_reviewer_new(const struct yk_reviewer_options *options,
                                            struct yk_reviewer **ret, struct yk_err *err);
/* NULL is fine. */
void yk_reviewer_free(struct yk_reviewer *reviewer);
YK_DEFINE_FREEP(yk_reviewer)

/* ---- objects as they are watched ---- */

/*
 * A ConfigMap was added or changed. `taken`: the reviewer frees it, also one of another name or namespace,
 * which it ignores. New settings are in force when the call returns; a faulty value is logged and the old one
 * stays.
 */
void yk_reviewer_put_config_map(struct yk_reviewer *reviewer, struct yk_config_map *taken);
/* A ConfigMap was deleted. Harmless for one that was never put. */
void yk_reviewer_remove_config_map(struct yk_reviewer *reviewer, struct yk_str namespace_,
                                   struct yk_str name);
/* Copies the annotations it needs. One object more than YK_REVIEWER_OBJECTS_MAX is left out, with a line of
 * log: it counts as one without annotations. */
void yk_reviewer_put_namespace(struct yk_reviewer *reviewer, const struct yk_namespace *namespace_);
/* The namespace is gone; without effect if it is not known. */
void yk_reviewer_remove_namespace(struct yk_reviewer *reviewer, struct yk_str name);
/* A priority class was added or changed. `class_` is borrowed for the call. Logged and left out if there
 * are too many. */
void yk_reviewer_put_priority_class(struct yk_reviewer *reviewer, const struct yk_priority_class *class_);
/* The priority class is gone; without effect if it is not known. */
void yk_reviewer_remove_priority_class(struct yk_reviewer *reviewer, struct yk_str name);

/* ---- reviews ---- */

enum yk_review_path {
    YK_REVIEW_MUTATE,        /* POST /mutate: pods and workloads */
    YK_REVIEW_VALIDATE_CONF, /* POST /validate-conf: ConfigMaps */
};

/*
 * Answers one POST. `body`: the AdmissionReview as it came. Appends one complete AdmissionReview (JSON,
 * admission.k8s.io/v1) to `answer`, for any body: one that is no AdmissionReview gets the uid
 * "yunikorn-invalid-body" and is denied. `answer->max` must be 0 or at least YK_REVIEW_ANSWER_MAX. The time
 * is bounded by the size of the body, and for a ConfigMap by the limits of config/config.h.
 */
void yk_reviewer_review(struct yk_reviewer *reviewer, enum yk_review_path path, struct yk_str body,
                        struct yk_buf *answer);

/*
 * A review of /validate-conf that another thread makes: a large configuration takes a second. It sees the
 * ConfigMaps as they are when it is created.
 */
struct yk_config_review; /* opaque */

/* Makes a review. Takes `body`, which is empty afterwards. The caller frees the result with
 * yk_config_review_free(). Reviewer's thread. */
struct yk_config_review *yk_config_review_new(struct yk_reviewer *reviewer, struct yk_buf *body);
/* Makes the review, and appends the same answer as yk_reviewer_review(). Any thread, one at a time. */
void yk_config_review_run(const struct yk_config_review *review, struct yk_buf *answer);
/* Frees the review. Reviewer's thread, also after the reviewer was freed. NULL is fine. */
void yk_config_review_free(struct yk_config_review *review);

/* ---- settings that the server needs ---- */

/*
 * admissionController.webHook.amServiceName as it is now: the Service in front of the webhooks. Borrowed
 * until the next ConfigMap. 1.9 reads it at start only.
 */
const char *yk_reviewer_service_name(const struct yk_reviewer *reviewer);
/* The namespace of the options. Borrowed for the life of the reviewer. */
const char *yk_reviewer_namespace(const struct yk_reviewer *reviewer);

#endif
