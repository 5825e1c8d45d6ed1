/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Lease (coordination.k8s.io/v1) as it is read and written: who leads, since when, for how long.
 *
 * The whole object is stored. A write changes only the fields of the claim: the resource version, the labels
 * and the other fields of the spec (strategy, preferredHolder) are sent back unchanged.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "Leader election" (H1).
 */
#ifndef YK_LEADER_LEASE_H
#define YK_LEADER_LEASE_H

#include "base/str.h"

struct json_t;

/* A Lease that was read. Callers only read the fields. */
struct yk_lease {
    struct json_t *tree; /* owned; the object as the server sent it */
    /* Owned; the spec as JSON with sorted keys, for yk_lease_same_record(); "": no spec. */
    char *record;
    char *holder;        /* owned; spec.holderIdentity; "": the Lease has no holder */
    int64_t duration_ns; /* spec.leaseDurationSeconds, never negative; 0 also if the field is missing */
    int32_t transitions; /* spec.leaseTransitions, never negative; 0 also if the field is missing */
};

/*
 * Reads a Lease in JSON. The caller frees `*ret_lease` with yk_lease_free(). A missing spec is no error.
 * Errors: YK_ERR_INVALID, `text` is not JSON or has no metadata, or one of the fields that are read has
 * another type or is out of range; YK_ERR_LIMIT, `text` is too long or nested too deep.
 */
YK_NODISCARD enum yk_status yk_lease_read(struct yk_str text, struct yk_lease **ret_lease,
                                          struct yk_err *err);
void yk_lease_free(struct yk_lease *lease);
YK_DEFINE_FREEP(yk_lease)

/* Whether `a` and `b` have the same spec: holder, times, transitions and all other fields. Either may be
 * NULL: the result is then false. */
bool yk_lease_same_record(const struct yk_lease *a, const struct yk_lease *b);

/* The values to be written into a Lease. */
struct yk_lease_claim {
    const char *holder;  /* spec.holderIdentity; "": the Lease has no holder from now on */
    int64_t duration_ns; /* written as whole seconds, rounded up, from 1 to INT32_MAX */
    int64_t now_wall_ns; /* spec.renewTime, in ns since 1970 */
    bool acquires;       /* spec.acquireTime becomes `now_wall_ns`, too; false: it stays, or stays missing */
    /* spec.leaseTransitions becomes one larger; false: it stays. A missing field counts as 0: false writes
     * 0, true writes 1. */
    bool changes_hands;
};

/* Appends the JSON body of an update of `lease` with the values of `claim`. `lease` stays as it is. */
void yk_lease_write(struct yk_buf *body, const struct yk_lease *lease, const struct yk_lease_claim *claim);
/* Appends the JSON body of the creation of a Lease. Its transitions are 0, or 1 with
 * `claim->changes_hands`. */
void yk_lease_write_new(struct yk_buf *body, const char *namespace_, const char *name,
                        const struct yk_lease_claim *claim);

#endif
