/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource types: the names behind the amounts of a resource vector (resources/resvec.h).
 *
 * A name that a node offers or a configuration limits gets a type: a number from 0 to YK_RESTYPE_MAX - 1. An
 * ask may name any resource. A name that nothing offers gets one of YK_RESTYPE_ASKED_MAX types
 * (yk_restype_asked()), so that users read the name. Each asker, such as a namespace, has at most
 * YK_RESTYPE_ASKED_SHARE of these types, so one asker cannot use up the types of others. Further names share the
 * type YK_RESTYPE_UNKNOWN. No node has these types, so such asks wait, and hostile asks cannot fill the table. If a
 * node offers such a name later, it gets another type, and the asks have to be sent again with that one.
 *
 * Dense types (below YK_RESTYPE_DENSE) have a column in each vector and keep their name for the life of the
 * process; the well-known ones are the first of them. Each vector that has an amount of another type holds a
 * reference to that type. Once more than half of the table is used, yk_restype_give_back() frees the types
 * without references, and a new name gets the lowest free type. yk_restype_asked() itself gives types without
 * references to new names.
 *
 * Thread: any. A type without a reference may lose its name in yk_restype_give_back(), which only the
 * scheduling thread calls, and get another one. So other threads use yk_restype_add_held() and
 * yk_restype_find_held().
 */
#ifndef YK_RESOURCES_RESTYPE_H
#define YK_RESOURCES_RESTYPE_H

#include "base/str.h"

/* Columns of each vector: with 14 a vector is two cache lines. A build that tests the types without a
 * column has fewer (CMake option YK_VECTOR_COLUMNS). */
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
    /* Types from this one on are for names that only asks have. */
    YK_RESTYPE_ASKED = YK_RESTYPE_DENSE,
    YK_RESTYPE_ASKED_MAX = 256,
    YK_RESTYPE_ASKED_SHARE = 8, /* of these, per asker */
    YK_RESTYPE_MAX = 4096,
    YK_RESTYPE_NAME_MAX = 317, /* bytes: a qualified name of Kubernetes is 253 + 1 + 63 */
};
_Static_assert(YK_RESTYPE_DENSE >= YK_RESTYPE_WELL_KNOWN && YK_RESTYPE_DENSE <= 30,
               "the well-known types are dense, and a set of dense types is 32 bits");

/* Sets `*ret_type` to the type of `name`, which is added to the table if it is new. It adds no reference: a
 * type that is not dense keeps its name until the next yk_restype_give_back(), and longer only if a vector or
 * yk_restype_hold() adds a reference before. Errors: YK_ERR_LIMIT, the table is full, or the name is empty or
 * longer than YK_RESTYPE_NAME_MAX bytes. O(1), or O(YK_RESTYPE_MAX) if a new name gets a type that was
 * freed. */
YK_NODISCARD enum yk_status yk_restype_add(struct yk_str name, int *ret_type, struct yk_err *err);
/* The type of `name`; YK_RESTYPE_UNKNOWN if the table does not have it. Like yk_restype_add(), it adds no
 * reference. */
int yk_restype_find(struct yk_str name);
/* Like yk_restype_add(), and adds a reference in the same step; the caller drops it with
 * yk_restype_release(). */
YK_NODISCARD enum yk_status yk_restype_add_held(struct yk_str name, int *ret_type, struct yk_err *err);
/* Like yk_restype_find(), and adds a reference in the same step; the caller drops it with
 * yk_restype_release(), which may also be called for YK_RESTYPE_UNKNOWN. */
int yk_restype_find_held(struct yk_str name);
/* The type of a name that yk_restype_find() does not find: one of YK_RESTYPE_ASKED_MAX types that no node has. If no
 * ask has the name yet, it gets a type of the share of `asker`. YK_RESTYPE_UNKNOWN: the share is used up, all types
 * have other names, or the name is too long. Adds no reference: the next call may give the type to another name
 * unless a vector or yk_restype_hold() adds a reference before. Scheduling thread only, at a time when no other
 * variable holds a type of an ask without a reference. O(YK_RESTYPE_ASKED_MAX). */
int yk_restype_asked(struct yk_str name, struct yk_str asker);
/* Whether no node has the type: YK_RESTYPE_UNKNOWN, or one of yk_restype_asked(). */
static inline bool yk_restype_is_asked(int type)
{
    return type == YK_RESTYPE_UNKNOWN ||
           (type >= YK_RESTYPE_ASKED && type < YK_RESTYPE_ASKED + YK_RESTYPE_ASKED_MAX);
}
/* Adds a reference to the type. No effect for a dense type. */
void yk_restype_hold(int type);
/* Drops one reference to the type, which must have one. Without references the type keeps its name until
 * yk_restype_give_back(). No effect for a dense type. */
void yk_restype_release(int type);
/* Frees each type that is not dense and has no references, unless yk_restype_count() is at most half of
 * YK_RESTYPE_MAX. The types of yk_restype_asked() stay. Scheduling thread only, at a time when no local variable
 * holds a type without a reference. O(YK_RESTYPE_MAX). */
void yk_restype_give_back(void);
/* The name of the type, 0 to YK_RESTYPE_MAX - 1, borrowed while the type is dense or has references; ""
 * for a type without a name. */
const char *yk_restype_name(int type);
/* A number that changes each time the type loses its name. Code that stores a type without a reference stores
 * this number, too, and compares it later. Scheduling thread only. */
uint32_t yk_restype_generation(int type);
/* A number above all types that have had a name. Types below it may have no name. */
int yk_restype_count(void);
/* The number of dense types with a name plus the number of other types with references. O(YK_RESTYPE_MAX). */
int yk_restype_in_use(void);
/* How many names were added to the table since the start. Compare two values to find out whether there
 * are new names. */
uint64_t yk_restype_additions(void);
/* Sorts `count` types, all of which have a name, by the bytes of their names. */
void yk_restype_sort(int *types, int count);

/* Locks the table before a fork() in a process of several threads, so that no change of another thread is
 * half done in the copy. Call yk_restype_unlock() afterwards. Until then the caller must not add, find or
 * give back types: that would wait forever. */
void yk_restype_lock(void);
/* Unlocks the table; call it in both processes after the fork(). */
void yk_restype_unlock(void);

#endif
