/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/core_view.h"

#include "base/vec.h"
#include "objects/ask.h"
#include "reservation/reservations.h"
#include "scheduler/core.h"

static enum yk_view_order order_of(const struct yk_queue *queue)
{
    if (queue->settings.app_sort == YK_APP_SORT_FAIR)
        return YK_VIEW_FAIR;
    if (queue->settings.app_sort == YK_APP_SORT_STATEAWARE)
        return YK_VIEW_STATEAWARE;
    return YK_VIEW_FIFO;
}

static size_t index_of(const struct yk_core_view *view, const char *path)
{
    size_t i = 0;
    while (i < view->count && strcmp(view->queues[i].path, path) != 0)
        i++;
    return i;
}

static void add_queue(struct yk_core_view *view, const struct yk_queue *queue)
{
    size_t index = view->count;
    size_t parent = queue->parent != NULL ? index_of(view, queue->parent->path) : index;
    view->queues = yk_realloc_array(view->queues, view->count + 1, sizeof(*view->queues));
    struct yk_queue_view *row = &view->queues[view->count++];
    memset(row, 0, sizeof(*row));
    row->path = yk_strdup(queue->path);
    row->parent = parent;
    row->is_leaf = queue->is_leaf;
    row->has_guaranteed = queue->has_guaranteed;
    row->has_max = queue->has_max;
    if (queue->has_guaranteed)
        yk_resvec_copy(&row->guaranteed, &queue->guaranteed);
    if (queue->has_max)
        yk_resvec_copy(&row->max, &queue->max);
    row->priority_sort = queue->settings.priority_sort;
    row->priority_fence = queue->settings.priority_policy == YK_PRIORITY_FENCE;
    row->priority_offset = queue->settings.priority_offset;
    row->order = order_of(queue);
    yk_resvec_copy(&row->used, &queue->allocated);
    yk_resvec_copy(&row->pending, &queue->pending);
    row->share = queue->share;
}

static void add_reserved(struct yk_core_view *view, const struct yk_node *node)
{
    const struct yk_reservation *first = yk_list_first(&node->reservations, struct yk_reservation, in_node);
    const struct yk_queue *leaf = first->ask->group->app->leaf;
    size_t index = leaf != NULL ? index_of(view, leaf->path) : view->count;
    view->reserved = yk_realloc_array(view->reserved, view->reserved_count + 1, sizeof(*view->reserved));
    struct yk_reserved_view *row = &view->reserved[view->reserved_count++];
    memset(row, 0, sizeof(*row));
    row->node = yk_strdup(node->id);
    yk_resvec_foreach(type, node->available)
    {
        if (yk_resvec_get(node->available, type) > 0 && type != YK_RESTYPE_PODS)
            yk_resvec_put(&row->available, type, yk_resvec_get(node->available, type));
    }
    if (index < view->count)
        yk_resvec_add(&view->queues[index].reserved, &row->available);
}

static void add_partition(struct yk_core_view *view, const struct yk_partition *partition)
{
    for (const struct yk_queue *queue = partition->root; queue != NULL;
         queue = yk_queue_next(queue, partition->root))
        add_queue(view, queue);
    const struct yk_node *node;
    yk_vec_foreach (node, &partition->nodes) {
        if (node != NULL && !yk_list_empty(&node->reservations))
            add_reserved(view, node);
    }
}

void yk_core_view_take(const struct yk_core *core, struct yk_core_view *ret)
{
    *ret = (struct yk_core_view){0};
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        if (ret->count == 0) /* the shim uses only one partition */
            add_partition(ret, partition);
    }
}

void yk_core_view_done(struct yk_core_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        struct yk_queue_view *row = &view->queues[i];
        free(row->path);
        yk_resvec_done(&row->guaranteed);
        yk_resvec_done(&row->max);
        yk_resvec_done(&row->used);
        yk_resvec_done(&row->pending);
        yk_resvec_done(&row->reserved);
    }
    for (size_t i = 0; i < view->reserved_count; i++) {
        free(view->reserved[i].node);
        yk_resvec_done(&view->reserved[i].available);
    }
    free(view->reserved);
    free(view->queues);
    *view = (struct yk_core_view){0};
}
