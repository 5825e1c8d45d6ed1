/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of resource lists, also for resources without a type.
 *
 * A resource gets a type (resources/restype.h) when a node offers it or a configuration names it. A resource
 * vector cannot contain other resources. The sum of a pod stores their amounts beside the vector, so that the
 * pod gets its complete size as soon as a node offers the resource. Amounts are in base units: milli-CPU,
 * bytes, counts.
 *
 * Thread: scheduling thread; yk_restype_of_kubernetes(): any.
 */
#ifndef YK_CACHE_RESOURCE_SUM_H
#define YK_CACHE_RESOURCE_SUM_H

#include "api/object.h"

/* The largest number of names without a type per pod. The amounts of further names belong to the type
 * YK_RESTYPE_UNKNOWN, and still do so when a node offers them later. */
enum { YK_RESOURCE_SUM_EXTRA_MAX = 16 };

/* The names without a type in all sums of one pod. Set `count` to 0 and `namespace_` before the first use. */
struct yk_resource_sum_names {
    struct yk_str names[YK_RESOURCE_SUM_EXTRA_MAX]; /* borrowed from the pod */
    uint32_t count;
    struct yk_str namespace_; /* borrowed; of the pod. Empty: these are amounts of a node */
};

struct yk_resource_sum {
    /* amounts of resources that have a type, and of YK_RESTYPE_UNKNOWN */
    struct yk_resvec known;
    uint32_t extra_set;                       /* bit i: extra[i] is set */
    int64_t extra[YK_RESOURCE_SUM_EXTRA_MAX]; /* the amount of names[i] of struct yk_resource_sum_names */
};

/* Makes an empty sum. `sum` need not be initialised. */
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

/* The name of the resource type of a Kubernetes resource: "vcore" for "cpu", else `name` itself. */
struct yk_str yk_restype_of_kubernetes(struct yk_str name);
/* The Kubernetes name of a resource type: "cpu" for "vcore", else the name of the type. Borrowed like
 * yk_restype_name(). */
const char *yk_restype_to_kubernetes(int type);

/* Sets the amount of the Kubernetes resource `name`, in base units. If the name has no type, it is added
 * to `names`, which all sums of a pod share. */
void yk_resource_sum_put(struct yk_resource_sum *sum, struct yk_resource_sum_names *names, struct yk_str name,
                         int64_t amount);
/* Adds the amounts of a resource list. Each amount is rounded up to its base unit before it is added.
 * Saturates. */
void yk_resource_sum_add_list(struct yk_resource_sum *sum, struct yk_resource_sum_names *names,
                              const struct yk_amounts *list);
/* Like yk_resource_sum_add_list(), but amounts of the sum that are 0 or absent stay as they are. */
void yk_resource_sum_raise_by_list(struct yk_resource_sum *sum, struct yk_resource_sum_names *names,
                                   const struct yk_amounts *list);
/* Replaces the amounts of `to` by those of `from`. */
void yk_resource_sum_copy(struct yk_resource_sum *to, const struct yk_resource_sum *from);
/* Adds the amounts of `other`, which was made with the same struct yk_resource_sum_names. Saturates. */
void yk_resource_sum_add(struct yk_resource_sum *sum, const struct yk_resource_sum *other);
/* Limits every amount to the range from -`most` to `most`. */
void yk_resource_sum_limit(struct yk_resource_sum *sum, int64_t most);
/* Sets each amount of `sum` to the larger one of `sum` and `other`. `other` was made with the same struct
 * yk_resource_sum_names. An amount that is set in only one of the two is used, even if it is negative. */
void yk_resource_sum_max(struct yk_resource_sum *sum, const struct yk_resource_sum *other);

#endif
