/* SPDX-License-Identifier: Apache-2.0 */
/* Compares pods with the allocations of the core, for its health check (core/scheduler/cross_check.h). */
#include "app/apps_priv.h"

bool yk__task_is_placed(const struct yk_task *task, const struct yk_cache_node *node)
{
    const struct yk_cache_pod *pod = task->pod;
    bool confirmed = (pod->flags & YK_POD_ASSUMED) == 0;
    return pod->node == node && (confirmed || task->state == YK_TASK_ALLOCATED);
}

/* Whether the core must have an allocation for the pod. True for a pod of this scheduler that is bound to a
 * registered node, is not being deleted, and was not sent as a foreign pod. False before
 * yk_apps_enable_nodes(). */
static bool must_be_allocated(const struct yk_apps *apps, const struct yk_cache_pod *pod)
{
    const uint8_t exempt = YK_POD_ASSUMED | YK_POD_DELETING | YK_POD_SENT;
    if (!apps->enabled || (pod->flags & YK_POD_OURS) == 0 || (pod->flags & exempt) != 0)
        return false;
    return pod->node != NULL && pod->node->registered;
}

static bool is_allocated(const struct yk_apps *apps, const struct yk_cache_pod *pod)
{
    if (pod->task == NULL)
        return false;
    const char *node =
        yk_core_allocation_node(apps->core, apps->rm_id, pod->task->app->id, yk_cache_pod_uid(pod).p);
    return node != NULL && strcmp(node, yk_name_text(pod->node->name)) == 0;
}

bool yk__apps_find_unallocated(const struct yk_apps *apps, uint64_t *cursor, size_t max,
                               yk_si_name_sink *sink, void *sink_context)
{
    const struct yk_text_set *pods = &apps->cache->pods;
    if (pods->count == 0)
        return false;
    for (size_t left = max; left > 0 && *cursor <= pods->mask; left--, (*cursor)++) {
        const struct yk_cache_pod *pod = pods->items[*cursor];
        if (pod != NULL && must_be_allocated(apps, pod) && !is_allocated(apps, pod)) {
            char name[512]; /* longer than any key of a pod */
            snprintf(name, sizeof(name), YK_STR_FMT, YK_STR_ARG(yk_cache_pod_key(pod)));
            sink(sink_context, name);
        }
    }
    return *cursor <= pods->mask;
}
