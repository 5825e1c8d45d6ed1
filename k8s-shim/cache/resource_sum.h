/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of resource lists, including names that no node has offered yet.
 *
 * A resource that no node offers has no slot in a resource vector (resources/restype.h). While a pod's
 * request is computed such names are kept beside the vector, so that the pod can be given its true size once
 * a node offers them.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_CACHE_RESOURCE_SUM_H
#define YK_CACHE_RESOURCE_SUM_H

#include "api/object.h"

enum {
    YK_RESOURCE_SUM_EXTRA_MAX = 16
}; /* unknown names per pod; further ones share YK_RESTYPE_UNKNOWN for good */

struct yk_resource_sum_names { /* of one pod; borrowed texts */
    struct yk_str names[YK_RESOURCE_SUM_EXTRA_MAX];
    uint32_t count;
};

struct yk_resource_sum {
    struct yk_resvec known;
    uint32_t extra_set;
    int64_t extra[YK_RESOURCE_SUM_EXTRA_MAX]; /* by index in yk_resource_sum_names */
};

/* Makes an empty sum in memory that may hold anything. */
static inline void yk_resource_sum_init(struct yk_resource_sum *sum)
{
    yk_resvec_init(&sum->known);
    sum->extra_set = 0;
}
/* Frees what the sum owns; it is empty afterwards, and may be used again. */
static inline void yk_resource_sum_done(struct yk_resource_sum *sum)
{
    yk_resvec_done(&sum->known);
    sum->extra_set = 0;
}
/* Removes all amounts. */
static inline void yk_resource_sum_clear(struct yk_resource_sum *sum)
{
    yk_resource_sum_done(sum);
}
/* A local sum: empty, freed at the end of its scope. */
#define YK_RESOURCE_SUM(name)                                                                                \
    YK_CLEANUP(yk_resource_sum_done) struct yk_resource_sum name;                                            \
    yk_resource_sum_init(&(name))

/* The resource type name behind a Kubernetes resource name: "cpu" is "vcore". */
struct yk_str yk_restype_of_kubernetes(struct yk_str name);
/* The Kubernetes resource name of a type ("vcore" is "cpu"), for messages. Borrowed as yk_restype_name(). */
const char *yk_restype_to_kubernetes(int type);

/* Sets the amount of the Kubernetes resource `name`, in base units. A name without a type is added to
 * `names`, which is that of the pod for all its sums. */
void yk_resource_sum_put(struct yk_resource_sum *sum, struct yk_resource_sum_names *names, struct yk_str name,
                         int64_t amount);
/* Adds a resource list, each entry rounded up to its base unit (docs/reference/kubernetes.md 2.5, 2.8). */
void yk_resource_sum_add_list(struct yk_resource_sum *sum, struct yk_resource_sum_names *names,
                              const struct yk_amounts *list);
/* Like yk_resource_sum_add_list(), but leaves amounts that are 0 or absent. */
void yk_resource_sum_raise_by_list(struct yk_resource_sum *sum, struct yk_resource_sum_names *names,
                                   const struct yk_amounts *list);
/* Replaces the amounts of `to`. */
void yk_resource_sum_copy(struct yk_resource_sum *to, const struct yk_resource_sum *from);
/* Adds each amount of `other`. */
void yk_resource_sum_add(struct yk_resource_sum *sum, const struct yk_resource_sum *other);
/* Limits every amount to the range from -`most` to `most`. */
void yk_resource_sum_limit(struct yk_resource_sum *sum, int64_t most);
/* Sets each amount to the larger of both; an absent one counts as 0. */
void yk_resource_sum_max(struct yk_resource_sum *sum, const struct yk_resource_sum *other);

#endif
