/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource types: the names behind the columns of a resource vector.
 *
 * A name that a node offers or a queue limits gets one of YK_RESTYPE_MAX slots, for the life of the process.
 * A pod may ask for any name: one that nobody offers shares the slot YK_RESTYPE_UNKNOWN, which no node has,
 * so that the pod waits instead of using a slot up (hostile pods cannot fill the table). Well-known types
 * have fixed slots. Thread: any. Slots are only ever added; yk_restype_add() takes a lock, everything else
 * reads published slots.
 */
#ifndef YK_RESOURCES_RESTYPE_H
#define YK_RESOURCES_RESTYPE_H

#include "base/str.h"

enum {
    YK_RESTYPE_VCORE,             /* "vcore", millicores */
    YK_RESTYPE_MEMORY,            /* "memory", bytes */
    YK_RESTYPE_PODS,              /* "pods", count */
    YK_RESTYPE_EPHEMERAL_STORAGE, /* "ephemeral-storage", bytes */
    YK_RESTYPE_UNKNOWN,           /* a name nobody offers */
    YK_RESTYPE_WELL_KNOWN,
    YK_RESTYPE_MAX = 31,       /* a vector is four cache lines then */
    YK_RESTYPE_NAME_MAX = 317, /* bytes: a qualified name of Kubernetes is 253 + 1 + 63 */
};

/* The slot of `name`, added if new. Errors: YK_ERR_LIMIT (all slots in use, or the name is too long). */
YK_NODISCARD enum yk_status yk_restype_add(struct yk_str name, int *ret_type, struct yk_err *err);
/* The slot of `name`, or YK_RESTYPE_UNKNOWN. */
int yk_restype_find(struct yk_str name);
const char *yk_restype_name(int type);
/* Slots in use: types are 0 .. count-1. */
int yk_restype_count(void);
/* All slots in use, sorted by name (bytes); `types` has room for YK_RESTYPE_MAX. Returns the count. */
int yk_restype_sorted(int types[YK_RESTYPE_MAX]);

#endif
