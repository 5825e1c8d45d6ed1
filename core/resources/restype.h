/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource types: the names behind the amounts of a resource vector (resources/resvec.h).
 *
 * A name that a node offers or a configuration limits gets a type, a number below YK_RESTYPE_MAX. An ask may
 * ask for any name: one that nothing offers shares the type YK_RESTYPE_UNKNOWN, which no node has, so that
 * the ask waits and hostile asks cannot fill the table.
 *
 * Dense types (below YK_RESTYPE_DENSE) have a column in each vector and keep their name for the life of the
 * process; the well-known ones are the first of them. Of the other types each vector that has an amount holds
 * a reference. Once half of the table is used, yk_restype_give_back() frees the types without references, and
 * new names take the lowest free type.
 *
 * Thread: any. A type that was found or added is still that name until the next yk_restype_give_back(), which
 * belongs to the scheduling thread; other threads use the ..._held() functions.
 */
#ifndef YK_RESOURCES_RESTYPE_H
#define YK_RESOURCES_RESTYPE_H

#include "base/str.h"

/* Columns of each vector: with 14 a vector is two cache lines. Fewer in a build that tests the other types
 * (CMake option YK_VECTOR_COLUMNS). */
#ifndef YK_RESTYPE_DENSE
#define YK_RESTYPE_DENSE 14
#endif

enum {
    YK_RESTYPE_VCORE,             /* "vcore", millicores */
    YK_RESTYPE_MEMORY,            /* "memory", bytes */
    YK_RESTYPE_PODS,              /* "pods", count */
    YK_RESTYPE_EPHEMERAL_STORAGE, /* "ephemeral-storage", bytes */
    YK_RESTYPE_UNKNOWN,           /* a name that nothing offers */
    YK_RESTYPE_WELL_KNOWN,
    YK_RESTYPE_MAX = 4096,
    YK_RESTYPE_NAME_MAX = 317, /* bytes: a qualified name of Kubernetes is 253 + 1 + 63 */
};
_Static_assert(YK_RESTYPE_DENSE >= YK_RESTYPE_WELL_KNOWN && YK_RESTYPE_DENSE <= 30,
               "the well-known types are dense, and a set of dense types is 32 bits");

/* The type of `name`, added if new. Errors: YK_ERR_LIMIT (the table is full, or the name is too long). O(1),
 * or O(YK_RESTYPE_MAX) where a new name takes a type that was freed. */
YK_NODISCARD enum yk_status yk_restype_add(struct yk_str name, int *ret_type, struct yk_err *err);
/* The type of `name`, or YK_RESTYPE_UNKNOWN. */
int yk_restype_find(struct yk_str name);
/* Like yk_restype_add(), and adds a reference in the same step; the caller drops it with
 * yk_restype_release(). */
YK_NODISCARD enum yk_status yk_restype_add_held(struct yk_str name, int *ret_type, struct yk_err *err);
/* Like yk_restype_find(), and adds a reference in the same step; the caller drops it with
 * yk_restype_release(). */
int yk_restype_find_held(struct yk_str name);
/* Adds a reference to the type. No effect for a dense type. */
void yk_restype_hold(int type);
/* Drops one reference. The name stays until yk_restype_give_back(). No effect for a dense type. */
void yk_restype_release(int type);
/* Frees each type without references, if more than half of the table is used. Scheduling thread, where no
 * type is kept in a variable. O(YK_RESTYPE_MAX). */
void yk_restype_give_back(void);
/* The name of the type, borrowed while something refers to the type; "" for a type without a name. */
const char *yk_restype_name(int type);
/* A number that changes each time the name of the type does. For code that stores a type without a reference.
 * Thread: scheduling thread. */
uint32_t yk_restype_generation(int type);
/* A number above all types that have a name. Types below it may have none. */
int yk_restype_count(void);
/* The number of dense types with a name plus that of other types with references. O(YK_RESTYPE_MAX). */
int yk_restype_in_use(void);
/* How many names were added since the start: grows whenever a name is found that was unknown before. */
uint64_t yk_restype_additions(void);
/* Sorts `count` types by name (bytes). */
void yk_restype_sort(int *types, int count);

/* Locks the table before a fork() in a process of several threads, so that the table is complete in the
 * copy. */
void yk_restype_lock(void);
/* Unlocks the table; call it in both processes after the fork(). */
void yk_restype_unlock(void);

#endif
