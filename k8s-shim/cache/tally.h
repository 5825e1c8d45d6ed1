/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of resource lists, including names that no node has offered yet.
 *
 * A resource that no node offers has no slot in a resource vector (resources/restype.h). While a pod's
 * request is computed such names are kept beside the vector, so that the pod can be given its true size once
 * a node offers them.
 */
#ifndef YK_CACHE_TALLY_H
#define YK_CACHE_TALLY_H

#include "api/object.h"

enum { YK_TALLY_EXTRA_MAX = 16 }; /* unknown names per pod; further ones share YK_RESTYPE_UNKNOWN for good */

struct yk_tally_names { /* of one pod; borrowed texts */
    struct yk_str names[YK_TALLY_EXTRA_MAX];
    uint32_t count;
};

struct yk_tally {
    struct yk_resvec known;
    uint32_t extra_set;
    int64_t extra[YK_TALLY_EXTRA_MAX]; /* by index in yk_tally_names */
};

/* Only what decides what is present; the amounts need no zeroing. */
static inline void yk_tally_init(struct yk_tally *tally)
{
    yk_resvec_init(&tally->known);
    tally->extra_set = 0;
}
/* It is empty then. */
static inline void yk_tally_done(struct yk_tally *tally)
{
    yk_resvec_done(&tally->known);
    tally->extra_set = 0;
}
static inline void yk_tally_clear(struct yk_tally *tally)
{
    yk_tally_done(tally);
}
/* A local tally: empty, done at the end of its scope. */
#define YK_TALLY(name)                                                                                       \
    YK_CLEANUP(yk_tally_done) struct yk_tally name;                                                          \
    yk_tally_init(&(name))

/* The resource type name behind a Kubernetes resource name: "cpu" is "vcore". */
struct yk_str yk_restype_of_kubernetes(struct yk_str name);
/* The other way, for messages. */
const char *yk_restype_to_kubernetes(int type);

/* Sets one amount. */
void yk_tally_put(struct yk_tally *tally, struct yk_tally_names *names, struct yk_str name, int64_t amount);
/* Adds a resource list, each entry rounded up to its base unit (docs/reference/kubernetes.md 2.5, 2.8). */
void yk_tally_add_list(struct yk_tally *tally, struct yk_tally_names *names, const struct yk_amounts *list);
/* Replaces the amounts of `to`. */
void yk_tally_copy(struct yk_tally *to, const struct yk_tally *from);
void yk_tally_add(struct yk_tally *tally, const struct yk_tally *other);
/* No amount is larger than `most`, nor below its negative. */
void yk_tally_limit(struct yk_tally *tally, int64_t most);
/* Per name the larger of both. */
void yk_tally_max(struct yk_tally *tally, const struct yk_tally *other);

#endif
