/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/could_run.h"

#include "app/apps.h"

static bool has_capacity(const struct yk_cache_node *node, const struct yk_resvec *want)
{
    yk_resvec_foreach(type, want)
    {
        if (yk_resvec_get(want, type) >
            yk_i64_sub(yk_resvec_get(&node->allocatable->amounts, type), yk_resvec_get(&node->used, type)))
            return false;
    }
    return true;
}

/* Whether the root queue has room for `want`. Its maximum is the sum of all nodes, so it can be full when
 * some nodes use more than they offer. */
static bool root_has_room(const struct yk_cache *cache, const struct yk_resvec *want)
{
    YK_RESVEC(left);
    const struct yk_cache_node *node;
    yk_vec_foreach (node, &cache->nodes) {
        const struct yk_cache_pod *pod;
        yk_resvec_add(&left, &node->allocatable->amounts);
        yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node)
            yk_resvec_sub(&left, &pod->size->amounts);
    }
    yk_resvec_foreach(type, want)
    {
        if (yk_resvec_get(want, type) > yk_resvec_get(&left, type))
            return false;
    }
    return true;
}

/* Whether the node may be reserved for that pod: a pod of a daemon set that waits for capacity there or, if
 * nodes are reserved at all, any pod that could run there after others have ended. */
static bool may_be_kept_for(const struct life *life, const struct yk_cache_pod *pod,
                            const struct yk_cache_node *node)
{
    struct yk_classes *classes = &yk_shim_apps(life->shim)->classes;
    yk_si_class class_ = pod->task->class_;
    bool any;
    if (life->reserves && yk_class_fits(classes, class_, node) &&
        yk_class_fits_now(classes, class_, node, YK_CLASS_RESERVE))
        return true;
    const struct yk_constraints *constraints = &yk_class_at(classes, class_)->spec->constraints;
    return constraints->is_named && yk_affinity_names(constraints, node->name, &any) &&
           !has_capacity(node, &pod->size->amounts);
}

static bool is_kept_from(const struct life *life, const struct yk_cache_pod *pod,
                         const struct yk_cache_node *node)
{
    const struct yk_cache_pod *other;
    yk_text_set_foreach (other, &yk_shim_apps(life->shim)->cache->pods) {
        const struct yk_task *task = other->task;
        if (other != pod && task != NULL && other->node == NULL && task->state == YK_TASK_SCHEDULING &&
            may_be_kept_for(life, other, node))
            return true;
    }
    return false;
}

static bool takes(const struct life *life, const struct yk_cache_pod *pod, const struct yk_cache_node *node)
{
    struct yk_classes *classes = &yk_shim_apps(life->shim)->classes;
    yk_si_class class_ = pod->task->class_;
    return node->registered && has_capacity(node, &pod->size->amounts) &&
           yk_class_fits(classes, class_, node) &&
           yk_class_fits_now(classes, class_, node, YK_CLASS_ALLOCATE) &&
           yk_class_fits_now(classes, class_, NULL, YK_CLASS_ALLOCATE) && !is_kept_from(life, pod, node);
}

const struct yk_cache_node *node_it_could_run_on(const struct life *life, const struct yk_cache_pod *pod)
{
    struct yk_apps *apps = yk_shim_apps(life->shim);
    const struct yk_cache_node *node, *found = NULL;
    if (!root_has_room(apps->cache, &pod->size->amounts))
        return NULL;
    yk_volumes_try_begin(&apps->classes.volumes); /* so that the answers do not count as refusals */
    yk_vec_foreach (node, &apps->cache->nodes) {
        if (found == NULL && takes(life, pod, node))
            found = node;
    }
    yk_volumes_try_end(&apps->classes.volumes);
    return found;
}
