/* SPDX-License-Identifier: Apache-2.0 */
#include "volumes/world.h"

#include "api/json_reader.h"

#include "lib/cmocka_headers.h"
#include "lib/silent_observer.h"

static void node_added(void *c, struct yk_cache_node *n)
{
    yk_volumes_node_changed(&((struct world *)c)->volumes, n);
}
static void node_changed(void *c, struct yk_cache_node *n, uint32_t x)
{
    if ((x & YK_CHANGED_CONSTRAINTS) != 0)
        yk_volumes_node_changed(&((struct world *)c)->volumes, n);
}
static void listed(void *c, enum yk_kind k)
{
    struct world *world = c;
    if (k >= YK_KIND_VOLUME_FIRST && k <= YK_KIND_VOLUME_LAST)
        yk_volumes_set_listed(&world->volumes, world->volumes.listed | yk_volumes_kind(k));
}
static void kept_changed(void *c, enum yk_kind kind, const struct yk_object *before,
                         const struct yk_object *after)
{
    yk_volumes_kept_changed(&((struct world *)c)->volumes, kind, before, after);
}

void world_init(struct world *world)
{
    *world = (struct world){.version = 1};
    world->observer = silent_observer;
    world->observer.context = world;
    world->observer.node_added = node_added;
    world->observer.node_changed = node_changed;
    world->observer.listed = listed;
    world->observer.kept_changed = kept_changed;
    yk_cache_init(&world->cache, &world->observer, "y");
    yk_volumes_init(&world->volumes);
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++) {
        assert_int_equal(world->volumes.listed & yk_volumes_kind((enum yk_kind)kind), 0);
        yk_cache_apply(&world->cache, (enum yk_kind)kind, YK_WATCH_REPLACE_BEGIN, NULL);
        yk_cache_apply(&world->cache, (enum yk_kind)kind, YK_WATCH_REPLACE_END, NULL);
    }
    assert_int_equal(world->volumes.listed, YK_VOLUMES_ALL_KINDS);
}

void world_done(struct world *world)
{
    yk_cache_done(&world->cache); /* the objects go first: nothing reads them afterwards */
    yk_volumes_done(&world->volumes);
    assert_int_equal(yk_name_count(), 0);
}

static struct yk_object *read_object(enum yk_kind kind, struct yk_buf *text)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    for (size_t i = 0; i < text->len; i++)
        text->p[i] = text->p[i] == '\'' ? '"' : text->p[i];
    if (yk_object_from_json(kind, yk_buf_view(text), &object, &err) != YK_OK)
        fail_msg("%s: %s", err.text, yk_buf_cstr(text));
    return object;
}

struct yk_object *object_from(enum yk_kind kind, const char *text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf copy = {0};
    yk_buf_text(&copy, text);
    return read_object(kind, &copy);
}

static void meta_begins(struct yk_buf *text, const char *namespace_, const char *name, const char *uid)
{
    yk_buf_printf(text, "{'metadata':{'name':'%s','uid':'%s'", name, uid);
    if (namespace_ != NULL)
        yk_buf_printf(text, ",'namespace':'%s'", namespace_);
}

void put_as(struct world *world, enum yk_kind kind, const char *namespace_, const char *name, const char *uid,
            const char *meta, const char *rest)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    meta_begins(&text, namespace_, name, uid);
    yk_buf_printf(&text, ",'resourceVersion':'%d'%s}%s}", (int)world->version++, meta, rest);
    yk_cache_apply(&world->cache, kind, YK_WATCH_UPSERT, read_object(kind, &text));
}

void put(struct world *world, enum yk_kind kind, const char *namespace_, const char *name, const char *meta,
         const char *rest)
{
    char uid[100];
    snprintf(uid, sizeof(uid), "u-%s-%s", namespace_ != NULL ? namespace_ : "", name);
    put_as(world, kind, namespace_, name, uid, meta, rest);
}

void drop(struct world *world, enum yk_kind kind, const char *namespace_, const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    char uid[100];
    snprintf(uid, sizeof(uid), "u-%s-%s", namespace_ != NULL ? namespace_ : "", name);
    meta_begins(&text, namespace_, name, uid);
    yk_buf_printf(&text, ",'resourceVersion':'%d'}}", (int)world->version++);
    yk_cache_apply(&world->cache, kind, YK_WATCH_DELETED, read_object(kind, &text));
}

void put_node(struct world *world, const char *name, const char *labels)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf meta = {0};
    yk_buf_printf(&meta, ",'labels':{%s}", labels);
    put(world, YK_KIND_NODE, NULL, name, yk_buf_cstr(&meta), "");
}

struct yk_cache_node *node_of(struct world *world, const char *name)
{
    struct yk_cache_node *node = yk_cache_find_node(&world->cache, yk_str_from(name));
    assert_non_null(node);
    return node;
}

struct yk_pod *pod_with(const char *namespace_, const char *name, const char *volumes)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    char uid[100];
    snprintf(uid, sizeof(uid), "u-%s-%s", namespace_, name);
    meta_begins(&text, namespace_, name, uid);
    yk_buf_printf(&text, "},'spec':{'volumes':[%s]}}", volumes);
    return yk_pod_of(read_object(YK_KIND_POD, &text));
}

struct yk_pod_volumes *volumes_of(struct world *world, const char *namespace_, const char *name,
                                  const char *volumes)
{
    struct yk_pod *pod = pod_with(namespace_, name, volumes);
    struct yk_pod_volumes *made = yk_pod_volumes_get(&world->volumes, pod);
    yk_object_free(&pod->object);
    return made;
}
