/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pod -> ask: size, priority, preemption, tags, scheduling class.
 *
 * The size is computed by cache/pod_size.h, because node usage needs it for every pod. The
 * required node and the task group are kept as packed text that the pods of a workload share. Source:
 * docs/reference/kubernetes.md 2.7, 2.9 (P14, P15, P19).
 */
#ifndef YK_APP_POD_TO_ASK_H
#define YK_APP_POD_TO_ASK_H

#include "cache/cache.h"
#include "si.h"

/* Required node, task group and run limit, counted; yk_interned_put() it. */
struct yk_interned *yk_pod_ask_details(struct yk_intern_table *intern_table, const struct yk_pod *pod,
                                       struct yk_buf *scratch);
/* The task group in them, "" for none. */
const char *yk_ask_details_task_group(const struct yk_interned *details);
/* The run limit in them; 0 for none. */
int64_t yk_ask_details_run_limit_ns(const struct yk_interned *details);
/* activeDeadlineSeconds; 0: none, or a value that the API server does not accept. Not that of a Job, which
 * counts from the start of the Job. */
int64_t yk_pod_run_limit_ns(const struct yk_pod *pod);
/* All labels of the pod, those that its profile has (predicates/pod_index.h) and its own, in order of their
 * keys. `ret->items` is reallocated to hold them, `ret->count` saying how many it can, and stays the
 * caller's; the texts live until the pod, or a rule about others, comes or goes. */
void yk_pod_labels(const struct yk_cache_pod *pod, struct yk_pairs *ret);
/* The value of one: a yk_label_lookup over a struct yk_cache_pod. */
struct yk_str yk_pod_label(const void *cache_pod, struct yk_str key);
/* The node that a daemon set's pod must run on; absent for others. Borrowed from the pod. */
struct yk_str yk_pod_required_node(const struct yk_pod *pod);
/* May it be preempted: the pod's annotation, else its priority class's. */
enum yk_preemptible { YK_PREEMPTIBLE_YES, YK_PREEMPTIBLE_NO, YK_PREEMPTIBLE_ASK_CLASS };
enum yk_preemptible yk_pod_preemptible(const struct yk_pod *pod);
/* With what its priority class says by now. */
bool yk_pod_allows_preemption(const struct yk_cache *cache, const struct yk_pod *pod,
                              enum yk_preemptible preemptible);
/* May it preempt others. */
bool yk_pod_may_preempt(const struct yk_pod *pod);

struct yk_ask_request { /* scratch; reused */
    struct yk_si_allocation allocation;
    struct yk_si_tag *tags; /* owned */
    struct yk_pairs labels; /* items owned */
    struct yk_buf keys;     /* of the tags of labels */
    char namespace_[64];
    char creation[24];
};

/*
 * Fills what comes from the pod itself, without tags; `details` NULL for foreign pods. Borrows from pod and
 * details until the next call.
 */
void yk_ask_request_fill(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                         const struct yk_interned *details);
/* Then its tags, if somebody wants to see them. */
void yk_ask_request_add_tags(struct yk_ask_request *request, const struct yk_cache_pod *pod,
                             const struct yk_interned *details);
/* One more, or the tags of the pod's labels, after those. */
void yk_ask_request_add_tag(struct yk_ask_request *request, const char *key, const char *value);
void yk_ask_request_add_labels(struct yk_ask_request *request, const struct yk_cache_pod *pod);
void yk_ask_request_done(struct yk_ask_request *request);

#endif
