/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/app_history.h"

enum { ENTRIES_MAX = 64 };
static const char unknown[] = "UNKNOWN";

static int order(const void *a, const void *b)
{
    const struct yk_history_entry *x = a, *y = b;
    if (x->kind != y->kind)
        return (x->kind > y->kind) - (x->kind < y->kind);
    return strcmp(x->instance_type, y->instance_type);
}

static struct yk_history_entry *find(const struct yk_app_history *history, enum yk_history_kind kind,
                                     const char *instance_type)
{
    struct yk_history_entry *entry;
    yk_vec_foreach (entry, &history->entries) {
        if (entry->kind == kind && strcmp(entry->instance_type, instance_type) == 0)
            return entry;
    }
    return NULL;
}

static struct yk_history_entry *make(struct yk_app_history *history, enum yk_history_kind kind,
                                     const char *instance_type)
{
    struct yk_history_entry *entry = yk_new0(struct yk_history_entry);
    entry->kind = kind;
    entry->instance_type = yk_strdup(instance_type);
    yk_vec_append(&history->entries, entry);
    yk_vec_sort(&history->entries, order);
    return entry;
}

void yk_app_history_add(struct yk_app_history *history, enum yk_history_kind kind, const char *instance_type,
                        const struct yk_resvec *size, int64_t duration_ns)
{
    if (instance_type == NULL || instance_type[0] == '\0')
        instance_type = unknown;
    struct yk_history_entry *entry = find(history, kind, instance_type);
    if (entry == NULL && history->entries.count >= ENTRIES_MAX)
        entry = find(history, kind, instance_type = unknown);
    if (entry == NULL) /* each kind may have an entry UNKNOWN above ENTRIES_MAX */
        entry = make(history, kind, instance_type);
    YK_RESVEC(used);
    yk_resvec_copy(&used, size);
    yk_resvec_mul(&used, YK_MAX(duration_ns, 0) / YK_NS_PER_S);
    yk_resvec_add(&entry->used, &used);
}

void yk_app_history_clear(struct yk_app_history *history)
{
    struct yk_history_entry *entry;
    yk_vec_foreach (entry, &history->entries) {
        free(entry->instance_type);
        yk_resvec_done(&entry->used);
        free(entry);
    }
    yk_vec_done(&history->entries);
}
