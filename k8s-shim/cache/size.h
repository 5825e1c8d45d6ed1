/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes: amounts of resources. Pods or nodes with the same amounts share one size, which counts its holders.
 *
 * A size does not change. Two sizes of a table are the same object exactly if their `amounts` and `extra` are
 * equal. Resources that nothing offers are in `extra`, but at most YK_RESOURCE_SUM_EXTRA_MAX (16) of them. Their
 * positive amounts are also in `amounts`, with types that no node has (yk_restype_is_asked()), so a pod with such
 * a size waits. When a node offers a resource of `extra`, yk_size_resolve() returns a size that has the type of the
 * node for it in `amounts`. The others, after the 16th, stay in YK_RESTYPE_UNKNOWN.
 * Thread: scheduling thread only.
 */
#ifndef YK_CACHE_SIZE_H
#define YK_CACHE_SIZE_H

#include "base/map.h"
#include "cache/resource_sum.h"

struct yk_size_extra {
    char *name;     /* owned; the Kubernetes name of the resource */
    int64_t amount; /* in base units */
};

struct yk_size {
    struct yk_resvec amounts;
    struct yk_size_extra *extra; /* owned; NULL if extra_count is 0 */
    uint32_t extra_count;
    uint32_t holders; /* number of references */
    uint64_t hash;
    struct yk_size *next_same_hash; /* the next size in the table with the same hash; NULL: there is none */
};

/* A table of sizes. Zeroed: empty. */
struct yk_sizes {
    struct yk_idmap by_hash;
};

/* Whether a resource in `extra` has a positive amount. */
bool yk_size_wants_unknown(const struct yk_size *size);

/* Frees the table. All its sizes must have been given back with yk_size_put(). */
void yk_sizes_done(struct yk_sizes *sizes);
/* The size with the amounts of `sum`, with one more holder: the caller calls yk_size_put(). `sum` is
 * copied. `names`: the names of the amounts in sum->extra. */
struct yk_size *yk_size_get(struct yk_sizes *sizes, const struct yk_resource_sum *sum,
                            const struct yk_resource_sum_names *names);
/* Adds a holder; returns `size`. */
struct yk_size *yk_size_ref(struct yk_size *size);
/* Removes a holder; the last one frees the size. `size` may be NULL. */
void yk_size_put(struct yk_sizes *sizes, struct yk_size *size);
/* A size with the same amounts, with one more holder: the caller calls yk_size_put() for the result. `namespace_`:
 * of the pod that has the size.
 * Resources of size->extra that have a type by now are in `amounts` of the result, not in its `extra`. If
 * none has a type, the result is `size`, still with one more holder. The reference of the caller to
 * `size` is not taken. If the result for a pod is not `size`, the caller passes it to yk_cache_resize(), and
 * sends the ask again. */
struct yk_size *yk_size_resolve(struct yk_sizes *sizes, struct yk_size *size, struct yk_str namespace_);

#endif
