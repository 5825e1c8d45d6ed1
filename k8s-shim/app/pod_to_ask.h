/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pod to ask: size, priority, preemption, tags, scheduling class.
 *
 * cache/pod_size.h computes the size, because the usage of nodes needs it for every pod. Required node, task
 * group and run limit are packed text that the pods of a workload share.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 2.7, 2.9 (P14, P15, P19).
 */
#ifndef YK_APP_POD_TO_ASK_H
#define YK_APP_POD_TO_ASK_H

#include "cache/cache.h"
#include "si.h"

/* The required node, task group and run limit of the pod, counted; release with yk_interned_put(). `scratch`
 * is overwritten. */
struct yk_interned *yk_pod_ask_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       struct yk_buf *scratch);
/* The task group in the details, "" for none; borrowed. */
const char *yk_ask_details_task_group(const struct yk_interned *details);
/* The run limit in the details, in nanoseconds; 0 for none. */
int64_t yk_ask_details_run_limit_ns(const struct yk_interned *details);
/* The run limit of the pod (activeDeadlineSeconds) in nanoseconds; 0: none, or a value that the API server
 * refuses. That of a Job counts from the start of the Job and is not used. */
int64_t yk_pod_run_limit_ns(const struct yk_pod *pod);
/*
 * Lists all labels of the pod, from its profile (predicates/pod_index.h) and its own, ordered by key.
 * `ret->items`, with capacity `ret->count`, is reallocated and stays the caller's. The texts are valid until
 * a pod, or a rule about other pods, is added or removed.
 */
void yk_pod_labels(const struct yk_cache_pod *pod, struct yk_pairs *ret);
/* The value of one label: a yk_label_lookup over a struct yk_cache_pod. */
struct yk_str yk_pod_label(const void *cache_pod, struct yk_str key);
/* The node that the pod of a daemon set must run on; absent for other pods. Borrowed from the pod. */
struct yk_str yk_pod_required_node(const struct yk_pod *pod);
enum yk_preemptible { YK_PREEMPTIBLE_YES, YK_PREEMPTIBLE_NO, YK_PREEMPTIBLE_ASK_CLASS };
/* Whether the pod may be preempted, by its annotation; without one, YK_PREEMPTIBLE_ASK_CLASS if it has a
 * priority class, else yes. */
enum yk_preemptible yk_pod_preemptible(const struct yk_pod *pod);
/* Whether a pod with this answer of yk_pod_preemptible() may be preempted. ASK_CLASS: as the annotation of
 * its priority class says now. */
bool yk_pod_allows_preemption(const struct yk_cache *cache, const struct yk_pod *pod,
                              enum yk_preemptible preemptible);
/* Whether the pod may preempt others. */
bool yk_pod_may_preempt(const struct yk_pod *pod);

struct yk_ask_request { /* scratch; reused */
    struct yk_si_allocation allocation;
    struct yk_si_tag *tags; /* owned */
    struct yk_pairs labels; /* items owned */
    struct yk_buf keys;     /* of the tags of labels */
    char namespace_[64];
    char creation[24];
};

/* Sets the fields that come from the pod itself, without tags; `details` NULL for foreign pods. Borrows
 * from pod and details until the next call. */
void yk_ask_request_fill(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                         const struct yk_interned *details);
/* Adds the tags of the pod to the request, which yk_ask_request_fill() has filled for it. `details` as there. */
void yk_ask_request_add_tags(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                             const struct yk_interned *details);
/* Adds one more tag to the request. `key` and `value` are borrowed for the life of the request. No effect
 * beyond YK_SI_TAGS_MAX tags. */
void yk_ask_request_add_tag(struct yk_ask_request *request, const char *key, const char *value);
/* Adds the labels of the pod to the tags of the request, with their prefix. They are borrowed from the
 * request and the pod. Once per request. */
void yk_ask_request_add_labels(struct yk_ask_request *request, const struct yk_cache_pod *pod);
/* Frees what the request owns. */
void yk_ask_request_done(struct yk_ask_request *request);

#endif
