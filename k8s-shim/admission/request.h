/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One admission request, and what is decided about it.
 *
 * Thread: one at a time. Source: Kubernetes documentation, "Dynamic Admission Control";
 * docs/reference/admission.md.
 */
#ifndef YK_ADMISSION_REQUEST_H
#define YK_ADMISSION_REQUEST_H

#include "admission/json_patch.h"
#include "admission/review_settings.h"
#include "cache/cache.h"

struct json_t;

enum { YK_ADMISSION_WARNINGS_MAX = 16 };

struct yk_admission_request { /* everything is borrowed */
    struct yk_str uid, kind, operation, namespace_, name;
    struct yk_str user;
    const struct json_t *groups;              /* an array of texts; NULL: none */
    const struct json_t *object, *old_object; /* NULL: none */
    /* What the decision depends on besides. */
    const struct yk_review_settings *settings;
    const struct yk_cache *cache; /* Namespaces, PriorityClasses, ConfigMaps */
    struct yk_str own_namespace;
};

struct yk_admission_decision {
    bool denied;
    struct yk_buf reason; /* owned; of a denial */
    struct yk_json_patch patch;
    struct yk_buf warnings[YK_ADMISSION_WARNINGS_MAX]; /* owned */
    size_t warning_count;
};

/* The decision becomes a denial. The reason is formatted like printf(). */
void yk_admission_deny(struct yk_admission_decision *decision, const char *format, ...) YK_PRINTF(2, 3);
void yk_admission_warn(struct yk_admission_decision *decision, struct yk_str text);

/* ---- parts of objects ---- */

/* The value behind a path of keys that ends with NULL; NULL: there is none. */
const struct json_t *yk_json_at(const struct json_t *json, ...) __attribute__((sentinel));
/* Of a text; absent for anything else. */
struct yk_str yk_json_str_of(const struct json_t *json);
/* A label or annotation: a text in the map; absent when there is none. */
struct yk_str yk_json_entry(const struct json_t *map, const char *key);

/* ---- decisions ---- */

/* pod_review.c: CREATE and UPDATE of a pod. */
void yk_review_pod(const struct yk_admission_request *request, struct yk_admission_decision *decision);
/* workload_review.c: the template of a Deployment, ReplicaSet, StatefulSet, DaemonSet, Job or CronJob. */
bool yk_is_workload(struct yk_str kind);
void yk_review_workload(const struct yk_admission_request *request, struct yk_admission_decision *decision);
/* config_review.c: a ConfigMap. */
void yk_review_config(const struct yk_admission_request *request, struct yk_admission_decision *decision);

/* ---- shared by pods and templates ---- */

/* namespace_filter.c: whether pods of the request's namespace are scheduled by YuniKorn; get application ids.
 */
bool yk_namespace_is_processed(const struct yk_admission_request *request);
bool yk_namespace_gets_labels(const struct yk_admission_request *request);
/* The controller's own pods, and those of the scheduler, are left alone. */
bool yk_labels_are_own(const struct json_t *labels);

/* submitter.c: whether the user of the request may set user.info; denies otherwise. True: it may. */
bool yk_submitter_may_set_user(const struct yk_admission_request *request, struct yk_str user_info,
                               struct yk_admission_decision *decision);
/* Appends the annotation that names the user of the request. */
void yk_submitter_user_info(const struct yk_admission_request *request, struct yk_buf *out);

#endif
