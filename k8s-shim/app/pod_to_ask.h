/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the ask of a pod: size, priority, preemption, tags.
 *
 * The size is computed in cache/pod_size.h, because the usage of nodes needs it for each pod. Required node,
 * task group and run limit are the details of the ask: interned bytes (cache/interned.h) that pods of one
 * workload share.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 2.7, 2.9 (P14, P15, P19).
 */
#ifndef YK_APP_POD_TO_ASK_H
#define YK_APP_POD_TO_ASK_H

#include "cache/cache.h"
#include "si.h"

/* The details of the ask: required node, task group and run limit of the pod. With one more holder: the
 * caller calls yk_interned_put(). `scratch`: memory, which is overwritten. */
struct yk_interned *yk_pod_ask_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       struct yk_buf *scratch);
/* The task group in the details, terminated; "": there is none. Borrowed from `details`. */
const char *yk_ask_details_task_group(const struct yk_interned *details);
/* The run limit in the details, in nanoseconds; 0: there is none. */
int64_t yk_ask_details_run_limit_ns(const struct yk_interned *details);
/* The run limit of the pod (spec.activeDeadlineSeconds), in nanoseconds; 0: there is none. Values that the
 * API server refuses are limited to the range from 0 to INT32_MAX seconds. The activeDeadlineSeconds of a Job
 * is not used, because it counts from the start of the Job. */
int64_t yk_pod_run_limit_ns(const struct yk_pod *pod);
/*
 * Sets `ret` to all labels of the pod, those of its profile (predicates/pod_index.h) and its own, sorted by
 * key. ret->items, an array of ret->count items or NULL with count 0, is reallocated; the caller frees it.
 * The texts are valid until a pod, or a rule about other pods, is added, changed or removed.
 */
void yk_pod_labels(const struct yk_cache_pod *pod, struct yk_pairs *ret);
/* The value of one label of a struct yk_cache_pod: a yk_label_lookup (cache/budgets.h). Absent: the pod has
 * no such label. The value is valid as long as the texts of yk_pod_labels(). */
struct yk_str yk_pod_label(const void *cache_pod, struct yk_str key);
/* The node that the pod of a daemon set must run on; absent: there is none. Borrowed from the pod. */
struct yk_str yk_pod_required_node(const struct yk_pod *pod);
/* Whether a pod may be preempted. YK_PREEMPTIBLE_ASK_CLASS: the annotation of its priority class decides. */
enum yk_preemptible { YK_PREEMPTIBLE_YES, YK_PREEMPTIBLE_NO, YK_PREEMPTIBLE_ASK_CLASS };
/* Whether the pod may be preempted, as its annotation says. Without a valid annotation, the result is
 * YK_PREEMPTIBLE_ASK_CLASS if the pod has a priority class, otherwise YK_PREEMPTIBLE_YES. */
enum yk_preemptible yk_pod_preemptible(const struct yk_pod *pod);
/* Whether the pod may be preempted. `preemptible`: the result of yk_pod_preemptible() for the pod. With
 * YK_PREEMPTIBLE_ASK_CLASS, the result is false only if the priority class in the cache has an annotation
 * that says "false". */
bool yk_pod_allows_preemption(const struct yk_cache *cache, const struct yk_pod *pod,
                              enum yk_preemptible preemptible);
/* Whether the pod may preempt others: its preemptionPolicy is not Never. */
bool yk_pod_may_preempt(const struct yk_pod *pod);

/* A request to the core about an ask or an allocation, and its memory, which is used again for the next
 * request. The struct is zeroed before the first request. */
struct yk_ask_request {
    struct yk_si_allocation allocation; /* the request */
    struct yk_si_tag *tags;             /* owned; YK_SI_TAGS_MAX entries; NULL before the first use */
    struct yk_pairs labels;             /* items owned; memory for yk_pod_labels() */
    struct yk_buf keys;                 /* the keys of the tags of labels */
    char namespace_[64];                /* the value of a tag */
    char creation[24];                  /* the value of a tag */
};

/* Begins a request: sets the fields that come from the pod, without tags. `details`: the details of the ask;
 * NULL for foreign pods. node_id is set if the cache knows the node of the pod, also if the pod is only
 * assumed there. Of the other fields of request->allocation, scheduling_class becomes
 * YK_SI_CLASS_ANY, and the rest becomes 0. The caller then sets the fields that it needs, such as
 * application_id and cookie, or `foreign`. The request borrows from `pod` and `details` until this function
 * is called again. */
void yk_ask_request_fill(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                         const struct yk_interned *details);
/* Adds the tags of the pod, once for each request. `pod` and `details`: as in yk_ask_request_fill(), which
 * was called before. Labels are added only if `details` is not NULL. Only for a foreign pod, and in the
 * callback allocation_tags() of the core, which asks for the tags of an ask when it needs them. A request
 * that sends the ask of a task gets no tags: the core would keep a copy of them. */
void yk_ask_request_add_tags(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                             const struct yk_interned *details);
/* Adds one more tag, after yk_ask_request_add_tags() and yk_ask_request_add_labels(). `key` and `value` are
 * borrowed until the next request. Has no effect if there are YK_SI_TAGS_MAX tags. */
void yk_ask_request_add_tag(struct yk_ask_request *request, const char *key, const char *value);
/* Adds the labels of the pod as tags whose keys have a prefix. To be called at most once for a request, after
 * yk_ask_request_add_tags() with `details` NULL. With details, that function adds the labels itself. */
void yk_ask_request_add_labels(struct yk_ask_request *request, const struct yk_cache_pod *pod);
/* Frees what the request owns, and zeroes it. */
void yk_ask_request_done(struct yk_ask_request *request);

#endif
