/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preferred nodes of a pod: its preferred node affinity, and taints of effect PreferNoSchedule. Preferences
 * about a single node (its name, its hostname label) are ignored, so all nodes of a signature have the same
 * score.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/predicates.md 5.
 */
#ifndef YK_PREDICATES_PREFERENCES_H
#define YK_PREDICATES_PREFERENCES_H

#include "predicates/constraints.h"

enum {                              /* the weights of kube-scheduler, for scores of 0 to 100 */
       YK_SCORE_AFFINITY = 2 * 100, /* all preferred terms match */
       YK_SCORE_TAINT = 3 * 100,    /* subtracted for each taint that is not tolerated */
       YK_SCORE_TAINTS_MAX = 1000,  /* further taints that are not tolerated change nothing */
};

struct yk_preference {
    int32_t weight; /* above 0 */
    struct yk_compiled_term term;
};

struct yk_preferences {
    struct yk_preference *items; /* owned */
    uint32_t count;
    int64_t weights; /* sum of the weights */
};

/* Compiles the preferences of the pod's specification, which is borrowed for the call. The caller ends `*ret`
 * with yk_preferences_done(). */
void yk_preferences_init(struct yk_preferences *ret, const struct yk_pod *pod);
void yk_preferences_done(struct yk_preferences *preferences);
/* Calls `visit` for each label key of nodes that the terms refer to, once per occurrence. */
void yk_preferences_keys(const struct yk_preferences *preferences, void (*visit)(void *context, yk_name key),
                         void *context);
/* The score of the node, larger is better: from -YK_SCORE_TAINT * YK_SCORE_TAINTS_MAX to YK_SCORE_AFFINITY; 0
 * if no preference applies. `constraints`: of the same pod, for its tolerations. O(terms + taints *
 * tolerations). */
int32_t yk_preferences_met(const struct yk_preferences *preferences, const struct yk_constraints *constraints,
                           const struct yk_cache_node *node);
/* Whether the node has a taint with effect PreferNoSchedule. */
bool yk_node_has_soft_taint(const struct yk_cache_node *node);

#endif
