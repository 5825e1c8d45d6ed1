/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/restype.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *names[YK_RESTYPE_MAX] = {
    [YK_RESTYPE_VCORE] = "vcore",
    [YK_RESTYPE_MEMORY] = "memory",
    [YK_RESTYPE_PODS] = "pods",
    [YK_RESTYPE_EPHEMERAL_STORAGE] = "ephemeral-storage",
    [YK_RESTYPE_UNKNOWN] = "unknown-resource",
};
/* Release in yk_restype_add() pairs with acquire in readers: a slot below the count is complete. */
static _Atomic int count = YK_RESTYPE_WELL_KNOWN;

int yk_restype_count(void)
{
    return atomic_load_explicit(&count, memory_order_acquire);
}

static int find_below(struct yk_str name, int limit)
{
    for (int type = 0; type < limit; type++) {
        if (type != YK_RESTYPE_UNKNOWN && yk_str_is(name, names[type]))
            return type;
    }
    return YK_RESTYPE_UNKNOWN;
}

int yk_restype_find(struct yk_str name)
{
    return find_below(name, yk_restype_count());
}

enum yk_status yk_restype_add(struct yk_str name, int *ret_type, struct yk_err *err)
{
    if (name.len == 0 || name.len > YK_RESTYPE_NAME_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "resource name of %zu bytes (1 to %d allowed)", name.len,
                       YK_RESTYPE_NAME_MAX);
    enum yk_status st = YK_OK;
    pthread_mutex_lock(&lock);
    int known = atomic_load_explicit(&count, memory_order_relaxed);
    int type = find_below(name, known);
    if (type == YK_RESTYPE_UNKNOWN) {
        if (known == YK_RESTYPE_MAX) {
            st = yk_fail(err, YK_ERR_LIMIT, "resource '" YK_STR_FMT "': more than %d resource types",
                         YK_STR_ARG(name), YK_RESTYPE_MAX);
        } else {
            names[known] = yk_str_dup(name); /* kept for the life of the process */
            type = known;
            atomic_store_explicit(&count, known + 1, memory_order_release);
        }
    }
    pthread_mutex_unlock(&lock);
    if (st == YK_OK)
        *ret_type = type;
    return st;
}

const char *yk_restype_name(int type)
{
    return names[type];
}

int yk_restype_sorted(int types[YK_RESTYPE_MAX])
{
    int known = yk_restype_count();
    for (int i = 0; i < known; i++) {
        int at = i;
        for (; at > 0 && strcmp(names[types[at - 1]], names[i]) > 0; at--)
            types[at] = types[at - 1];
        types[at] = i;
    }
    return known;
}
