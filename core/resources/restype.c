/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/restype.h"

#include "base/map.h"

#include <pthread.h>
#include <stdatomic.h>

static const char *const well_known[YK_RESTYPE_WELL_KNOWN] = {
    [YK_RESTYPE_VCORE] = "vcore",
    [YK_RESTYPE_MEMORY] = "memory",
    [YK_RESTYPE_PODS] = "pods",
    [YK_RESTYPE_EPHEMERAL_STORAGE] = "ephemeral-storage",
    [YK_RESTYPE_UNKNOWN] = "unknown-resource",
};

/* Guards `names` beyond the published dense ones, `by_name` and `free_count`. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* By type; owned; NULL: the type has no name, or is a well-known one, whose name is in `well_known`. A
 * name changes only while nothing refers to the type. */
static char *names[YK_RESTYPE_MAX];
/* The names of types that are not dense -> the pointer to the name in `names`, whose index is the type. */
static struct yk_strmap by_name;
/* By type: the number of references. 0 for dense types. */
static _Atomic uint32_t holders[YK_RESTYPE_MAX];
/* Release in yk_restype_add() pairs with acquire in readers: a dense type below this number is complete. */
static _Atomic int dense_count = YK_RESTYPE_WELL_KNOWN;
static _Atomic int end; /* above all types with a name that are not dense; 0: there have been none */
static _Atomic uint64_t additions;
static uint32_t generations[YK_RESTYPE_MAX];  /* by type: how often it lost its name */
static int free_count;                        /* types above those of asks, below `end`, without a name */
static uint64_t askers[YK_RESTYPE_ASKED_MAX]; /* by type of an ask, from 0: hash of the asker that has it */

enum { OTHERS = YK_RESTYPE_ASKED + YK_RESTYPE_ASKED_MAX }; /* the first type behind those of asks */

int yk_restype_count(void)
{
    int others = atomic_load_explicit(&end, memory_order_acquire);
    return others > 0 ? others : atomic_load_explicit(&dense_count, memory_order_acquire);
}

uint64_t yk_restype_additions(void)
{
    return atomic_load_explicit(&additions, memory_order_acquire);
}

uint32_t yk_restype_generation(int type)
{
    return generations[type];
}

const char *yk_restype_name(int type)
{
    const char *name = type < YK_RESTYPE_WELL_KNOWN ? well_known[type] : names[type];
    return name != NULL ? name : "";
}

static int find_dense(struct yk_str name)
{
    int known = atomic_load_explicit(&dense_count, memory_order_acquire);
    for (int type = 0; type < known; type++) {
        if (type != YK_RESTYPE_UNKNOWN && yk_str_is(name, yk_restype_name(type)))
            return type;
    }
    return YK_RESTYPE_UNKNOWN;
}

/* Looks for a type that is not dense. The lock is held. */
static int find_other(struct yk_str name)
{
    char **slot = yk_strmap_get(&by_name, name);
    return slot != NULL ? (int)(slot - names) : YK_RESTYPE_UNKNOWN;
}

static int find(struct yk_str name, bool hold)
{
    int type = find_dense(name);
    if (type != YK_RESTYPE_UNKNOWN || atomic_load_explicit(&end, memory_order_acquire) <= OTHERS)
        return type;
    pthread_mutex_lock(&lock);
    type = find_other(name);
    if (hold && type != YK_RESTYPE_UNKNOWN)
        yk_restype_hold(type);
    pthread_mutex_unlock(&lock);
    return type;
}

int yk_restype_find(struct yk_str name)
{
    return find(name, false);
}

int yk_restype_find_held(struct yk_str name)
{
    return find(name, true);
}

void yk_restype_hold(int type)
{
    if (type >= YK_RESTYPE_DENSE)
        atomic_fetch_add_explicit(&holders[type], 1, memory_order_relaxed);
}

/* Release pairs with acquire in is_held(), so that reads of the name end before yk_restype_give_back()
 * frees it. */
void yk_restype_release(int type)
{
    if (type >= YK_RESTYPE_DENSE)
        YK_ASSERT(atomic_fetch_sub_explicit(&holders[type], 1, memory_order_release) > 0);
}

static bool is_held(int type)
{
    return atomic_load_explicit(&holders[type], memory_order_acquire) > 0;
}

int yk_restype_in_use(void)
{
    int known = yk_restype_count(), in_use = atomic_load_explicit(&dense_count, memory_order_acquire);
    for (int type = YK_RESTYPE_DENSE; type < known; type++)
        in_use += is_held(type);
    return in_use;
}

/* The lowest type behind those of asks that has no name; -1: there is none. The lock is held. */
static int free_type(int known)
{
    for (int type = OTHERS; free_count > 0 && type < known; type++) {
        if (names[type] == NULL)
            return type;
    }
    return known < YK_RESTYPE_MAX ? known : -1;
}

static enum yk_status add_new(struct yk_str name, int *ret_type, struct yk_err *err)
{
    int dense = atomic_load_explicit(&dense_count, memory_order_relaxed);
    int known = YK_MAX(atomic_load_explicit(&end, memory_order_relaxed), (int)OTHERS);
    int type = dense < YK_RESTYPE_DENSE ? dense : free_type(known);
    if (type < 0)
        return yk_fail(err, YK_ERR_LIMIT, "resource '" YK_STR_FMT "': more than %d resource types",
                       YK_STR_ARG(name), YK_RESTYPE_MAX);
    names[type] = yk_str_dup(name);
    if (type >= YK_RESTYPE_DENSE)
        (void)yk_strmap_put(&by_name, yk_str_from(names[type]), &names[type]);
    if (type == dense)
        atomic_store_explicit(&dense_count, dense + 1, memory_order_release);
    else if (type == known)
        atomic_store_explicit(&end, known + 1, memory_order_release);
    else
        free_count--;
    atomic_fetch_add_explicit(&additions, 1, memory_order_release);
    *ret_type = type;
    return YK_OK;
}

static enum yk_status add(struct yk_str name, bool hold, int *ret_type, struct yk_err *err)
{
    if (name.len == 0 || name.len > YK_RESTYPE_NAME_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "resource name of %zu bytes (1 to %d allowed)", name.len,
                       YK_RESTYPE_NAME_MAX);
    enum yk_status st = YK_OK;
    pthread_mutex_lock(&lock);
    int type = find_dense(name);
    if (type == YK_RESTYPE_UNKNOWN)
        type = find_other(name);
    if (type == YK_RESTYPE_UNKNOWN)
        st = add_new(name, &type, err);
    if (st == YK_OK && hold)
        yk_restype_hold(type);
    pthread_mutex_unlock(&lock);
    if (st == YK_OK)
        *ret_type = type;
    return st;
}

enum yk_status yk_restype_add(struct yk_str name, int *ret_type, struct yk_err *err)
{
    return add(name, false, ret_type, err);
}

enum yk_status yk_restype_add_held(struct yk_str name, int *ret_type, struct yk_err *err)
{
    return add(name, true, ret_type, err);
}

static void forget_name(int type)
{
    free(yk_move(names[type]));
    generations[type]++;
}

static int find_asked(struct yk_str name)
{
    for (int type = YK_RESTYPE_ASKED; type < OTHERS; type++) {
        if (names[type] != NULL && yk_str_is(name, names[type]))
            return type;
    }
    return YK_RESTYPE_UNKNOWN;
}

/* A type for a new name of the asker: one without references, whose name is replaced. YK_RESTYPE_UNKNOWN: there is
 * none, or the share of the asker is used up. */
static int free_asked(uint64_t asker)
{
    int found = YK_RESTYPE_UNKNOWN, share = 0;
    for (int type = YK_RESTYPE_ASKED; type < OTHERS; type++) {
        if (is_held(type))
            share += askers[type - YK_RESTYPE_ASKED] == asker;
        else if (found == YK_RESTYPE_UNKNOWN)
            found = type;
    }
    return share < YK_RESTYPE_ASKED_SHARE ? found : YK_RESTYPE_UNKNOWN;
}

/* The lock is held. */
static int add_asked(struct yk_str name, uint64_t asker)
{
    int known = find_asked(name);
    if (known != YK_RESTYPE_UNKNOWN && is_held(known))
        return known;
    int type = free_asked(asker);
    if (type == YK_RESTYPE_UNKNOWN)
        return type;
    if (known != YK_RESTYPE_UNKNOWN)
        type = known;
    else if (names[type] != NULL)
        forget_name(type);
    if (names[type] == NULL)
        names[type] = yk_str_dup(name);
    askers[type - YK_RESTYPE_ASKED] = asker;
    if (atomic_load_explicit(&end, memory_order_relaxed) == 0)
        atomic_store_explicit(&end, OTHERS, memory_order_release);
    return type;
}

int yk_restype_asked(struct yk_str name, struct yk_str asker)
{
    if (name.len == 0 || name.len > YK_RESTYPE_NAME_MAX)
        return YK_RESTYPE_UNKNOWN;
    pthread_mutex_lock(&lock);
    int type = add_asked(name, yk_hash(asker.p, asker.len));
    pthread_mutex_unlock(&lock);
    return type;
}

void yk_restype_give_back(void)
{
    int known = atomic_load_explicit(&end, memory_order_relaxed);
    if (known <= YK_RESTYPE_MAX / 2)
        return;
    pthread_mutex_lock(&lock);
    for (int type = OTHERS; type < known; type++) {
        if (names[type] == NULL || is_held(type))
            continue;
        (void)yk_strmap_remove(&by_name, yk_str_from(names[type])); /* returns &names[type] */
        forget_name(type);
        free_count++;
    }
    pthread_mutex_unlock(&lock);
}

static int by_name_order(const void *a, const void *b)
{
    return strcmp(yk_restype_name(*(const int *)a), yk_restype_name(*(const int *)b));
}

void yk_restype_sort(int *types, int type_count)
{
    if (type_count > 1)
        qsort(types, (size_t)type_count, sizeof(*types), by_name_order);
}

void yk_restype_lock(void)
{
    pthread_mutex_lock(&lock);
}

void yk_restype_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
