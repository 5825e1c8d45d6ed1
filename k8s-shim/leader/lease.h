/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Lease (coordination.k8s.io/v1) as it is read and written: who leads, since when, for how long.
 *
 * The whole object is kept, so that a write changes what it is about and nothing else: the version, labels,
 * and fields of the spec that are not ours (strategy, preferredHolder) go back as they came.
 * Thread: any, one at a time.
 * Source: docs/reference/kubernetes.md, "Leader election" (H1).
 */
#ifndef YK_LEADER_LEASE_H
#define YK_LEADER_LEASE_H

#include "base/str.h"

struct json_t;

struct yk_lease {        /* read-only */
    struct json_t *tree; /* owned; the object as the server sent it */
    char *record;        /* owned; its spec in one way of writing, to be compared */
    char *holder;        /* owned; "": the Lease has no holder */
    int64_t duration_ns; /* what the holder grants itself; 0: not said */
    int32_t transitions;
};

/*
 * Reads a Lease in JSON. The caller frees `*ret_lease`. A missing spec reads as an empty one. Errors:
 * YK_ERR_INVALID, no JSON or a field of another type or range; YK_ERR_LIMIT.
 */
YK_NODISCARD enum yk_status yk_lease_read(struct yk_str text, struct yk_lease **ret_lease,
                                          struct yk_err *err);
void yk_lease_free(struct yk_lease *lease);
YK_DEFINE_FREEP(yk_lease)

/* Whether both have the same spec: holder, times and transitions. False if one of them is NULL. */
bool yk_lease_same_record(const struct yk_lease *a, const struct yk_lease *b);

/* The values to be written. */
struct yk_lease_claim {
    const char *holder;  /* "": given up */
    int64_t duration_ns; /* written in seconds, rounded up, at least one */
    int64_t now_wall_ns; /* of the renewal */
    bool acquires;       /* the holder's time begins now */
    bool changes_hands;  /* one more transition */
};

/* Appends the body of an update of `lease`. */
void yk_lease_write(struct yk_buf *body, const struct yk_lease *lease, const struct yk_lease_claim *claim);
/* Appends the body of the creation of a Lease. */
void yk_lease_write_new(struct yk_buf *body, const char *namespace_, const char *name,
                        const struct yk_lease_claim *claim);

#endif
