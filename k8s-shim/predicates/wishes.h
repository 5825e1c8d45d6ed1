/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a pod would rather run, of the nodes that will do: its preferred node affinity, and taints that say
 * PreferNoSchedule. Wishes about a single node (its name, its hostname label) are not heard: nodes of one
 * signature are liked alike. Thread: scheduling thread only. Source: docs/reference/predicates.md 5.
 */
#ifndef YK_PREDICATES_WISHES_H
#define YK_PREDICATES_WISHES_H

#include "predicates/constraints.h"

enum {                             /* as kube-scheduler weighs its scores of 0 to 100 */
       YK_WISH_AFFINITY = 2 * 100, /* every preferred term holds */
       YK_WISH_TAINT = 3 * 100,    /* each taint that is not tolerated takes this away */
       YK_WISH_TAINTS_MAX = 1000,
};

struct yk_wish {
    int32_t weight;
    struct yk_compiled_term term;
};

struct yk_wishes {
    struct yk_wish *items; /* owned */
    uint32_t count;
    int64_t weights; /* sum */
};

void yk_wishes_init(struct yk_wishes *ret, const struct yk_pod *pod);
void yk_wishes_done(struct yk_wishes *wishes);
/* Label keys that decide, once per mention. */
void yk_wishes_keys(const struct yk_wishes *wishes, void (*visit)(void *context, yk_name key), void *context);
/* More is better; 0 for a node that nothing is said about. O(terms + taints). */
int32_t yk_wishes_met(const struct yk_wishes *wishes, const struct yk_constraints *constraints,
                      const struct yk_cache_node *node);
bool yk_node_has_soft_taint(const struct yk_cache_node *node);

#endif
