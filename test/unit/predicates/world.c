/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/world.h"

#include "lib/cmocka_headers.h"
#include "lib/silent_observer.h"

static void node_added(void *c, struct yk_cache_node *n)
{
    yk_classes_node_added(&((struct world *)c)->classes, n);
}
static void node_changed(void *c, struct yk_cache_node *n, uint32_t x)
{
    if ((x & YK_CHANGED_CONSTRAINTS) != 0)
        yk_classes_node_changed(&((struct world *)c)->classes, n);
}
/* As apps.c: what was assumed there waits again. */
static void node_removed(void *c, struct yk_cache_node *n)
{
    struct world *world = c;
    struct yk_cache_pod *pod;
    yk_classes_node_removed(&world->classes, n);
    yk_list_foreach (pod, &n->pods, struct yk_cache_pod, on_node)
        yk_cache_forget(&world->cache, pod);
}
static void kept_changed(void *c, enum yk_kind kind, const struct yk_object *before,
                         const struct yk_object *after)
{
    yk_volumes_kept_changed(&((struct world *)c)->classes.volumes, kind, before, after);
}

int world_set_up(void **state)
{
    struct world *world = yk_new0(struct world);
    world->observer = silent_observer;
    world->observer.context = world;
    world->observer.node_added = node_added;
    world->observer.node_changed = node_changed;
    world->observer.node_removed = node_removed;
    world->observer.kept_changed = kept_changed;
    yk_cache_init(&world->cache, &world->observer, "y");
    yk_classes_init(&world->classes, &world->cache);
    *state = world;
    return 0;
}

int world_tear_down(void **state)
{
    struct world *world = *state;
    yk_cache_done(&world->cache);
    yk_classes_done(&world->classes);
    free(world);
    assert_int_equal(yk_name_count(), 0);
    return 0;
}

void world_put_node(struct world *world, struct yk_k8s_node *node)
{
    yk_cache_apply(&world->cache, YK_KIND_NODE, YK_WATCH_UPSERT, &node->object);
}

void world_put_pod(struct world *world, struct yk_pod *pod)
{
    yk_cache_apply(&world->cache, YK_KIND_POD, YK_WATCH_UPSERT, &pod->object);
}

void world_delete_pod(struct world *world, struct yk_pod *pod)
{
    yk_cache_apply(&world->cache, YK_KIND_POD, YK_WATCH_DELETED, &pod->object);
}

void world_put_namespace(struct world *world, struct yk_namespace *namespace_)
{
    yk_cache_apply(&world->cache, YK_KIND_NAMESPACE, YK_WATCH_UPSERT, &namespace_->object);
}

struct yk_cache_node *world_node(struct world *world, const char *name)
{
    return yk_cache_find_node(&world->cache, yk_str_from(name));
}

struct yk_cache_pod *world_pod(struct world *world, const char *namespace_, const char *name)
{
    return yk_cache_find_pod(&world->cache, yk_str_from(namespace_), yk_str_from(name));
}

yk_si_class world_class(struct world *world, struct yk_pod *pod)
{
    yk_si_class class_ = yk_class_get(&world->classes, pod);
    yk_object_free(&pod->object);
    return class_;
}
