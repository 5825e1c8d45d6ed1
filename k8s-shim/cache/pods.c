/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "cache/cache_priv.h"
#include "cache/pod_size.h"

enum {
    UID_MAX = 255,         /* bytes of a UID, because `uid_len` has 8 bits; less than YK_SI_KEY_MAX */
    BUCKETS_PER_CALL = 64, /* buckets of the table of pods; they contain fewer pods */
};

struct yk_cache_pod *yk_cache_find_pod(const struct yk_cache *cache, struct yk_str namespace_,
                                       struct yk_str name)
{
    struct yk__key key;
    return yk__make_key(namespace_, name, &key)
               ? yk_text_set_get(&cache->pods, (struct yk_str){key.text, key.len})
               : NULL;
}

bool yk_cache_visit_pods(const struct yk_cache *cache, size_t *at, size_t *buckets,
                         void (*visit)(void *context, void *pod), void *context)
{
    if (*at == 0)
        *buckets = cache->pods.mask + 1;
    for (size_t end = YK_MIN(*at + BUCKETS_PER_CALL, *buckets); *at < end; (*at)++)
        yk_text_set_visit(&cache->pods, *at, *buckets, visit, context);
    return *at < *buckets;
}

static void describe(const struct yk_cache *cache, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    if (cache->pod_observer != NULL)
        cache->pod_observer->pod_described(cache->pod_observer->context, pod, object);
}

static void stands(const struct yk_cache *cache, struct yk_cache_pod *pod, bool is_added)
{
    if (cache->pod_observer != NULL && pod->node != NULL)
        cache->pod_observer->pod_on_node(cache->pod_observer->context, pod, pod->node, is_added);
}

/* Subtracts the size of a pod from `used` of its node. Types without a column are removed if they are not
 * used any longer, so that their names can be released. */
static void free_on_node(struct yk_cache_node *node, const struct yk_size *size)
{
    yk_resvec_sub(&node->used, &size->amounts);
    if (yk_resvec_has_others(&node->used))
        yk_resvec_prune(&node->used);
}

static void pod_place(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_cache_node *node)
{
    pod->node = node;
    yk_list_append(&node->pods, &pod->on_node);
    yk_resvec_add(&node->used, &pod->size->amounts);
    node->closers += (pod->flags & YK_POD_CLOSES) != 0;
    stands(cache, pod, true);
}

static void tell_closed(struct yk_cache *cache, struct yk_cache_node *node)
{
    if (node->known)
        cache->observer->node_changed(cache->observer->context, node,
                                      YK_CHANGED_CONSTRAINTS | YK_CHANGED_CORDON);
}

/* If the node is a placeholder without other pods, it is freed. */
static void pod_unplace(struct yk_cache *cache, struct yk_cache_pod *pod)
{
    struct yk_cache_node *node = pod->node;
    if (node == NULL)
        return;
    stands(cache, pod, false);
    yk_list_remove(&pod->on_node);
    free_on_node(node, pod->size);
    pod->node = NULL;
    pod->flags &= (uint8_t)~YK_POD_ASSUMED;
    if ((pod->flags & YK_POD_CLOSES) != 0) {
        node->closers--;
        tell_closed(cache, node);
    }
    yk__node_drop_if_unused(cache, node);
}

void yk_cache_assume(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_cache_node *node)
{
    if (!YK_ASSERT(pod->node == NULL && node->known))
        return;
    pod_place(cache, pod, node);
    pod->flags |= YK_POD_ASSUMED;
}

void yk_cache_forget(struct yk_cache *cache, struct yk_cache_pod *pod)
{
    if ((pod->flags & YK_POD_ASSUMED) != 0)
        pod_unplace(cache, pod);
}

void yk_cache_resize(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_size *size)
{
    if (pod->node != NULL) {
        free_on_node(pod->node, pod->size);
        yk_resvec_add(&pod->node->used, &size->amounts);
    }
    yk_size_put(&cache->sizes, pod->size);
    pod->size = size;
}

static const char *const phase_names[] = {"", "Pending", "Running", "Unknown"};
YK_INDEXED_BY(phase_names, YK_PHASE_COUNT - 1);

const char *yk_pod_phase_name(enum yk_pod_phase phase)
{
    return phase_names[phase];
}

static uint8_t phase_of(const struct yk_pod *object)
{
    for (uint8_t phase = YK_PHASE_PENDING; phase < YK_PHASE_COUNT; phase++) {
        if (yk_str_is(object->phase, phase_names[phase]))
            return phase;
    }
    return YK_PHASE_NONE;
}

static size_t bytes_of(size_t namespace_len, size_t name_len, size_t uid_len)
{
    return offsetof(struct yk_cache_pod, text) + namespace_len + 1 + name_len + 1 + uid_len + 1;
}

static void remove_pod(struct yk_cache *cache, struct yk_cache_pod *pod)
{
    cache->observer->pod_removed(cache->observer->context, pod);
    pod_unplace(cache, pod);
    (void)yk_text_set_remove(&cache->pods, yk_cache_pod_key(pod)); /* the result is the pod */
    cache->our_pods -= (pod->flags & YK_POD_OURS) != 0;
    describe(cache, pod, NULL);
    yk_size_put(&cache->sizes, pod->size);
    yk_size_put(&cache->sizes, pod->limits);
    yk_name_put(pod->scheduler);
    free(pod);
}

static bool owned_by_node(const struct yk_object *object)
{
    for (uint32_t i = 0; i < object->owner_count; i++) {
        if (yk_str_is(object->owners[i].kind, "Node"))
            return true;
    }
    return false;
}

static uint32_t seconds_of(int64_t wall_ns)
{
    return (uint32_t)YK_MIN(YK_MAX(wall_ns / YK_NS_PER_S, 0), (int64_t)UINT32_MAX);
}

static struct yk_cache_pod *pod_new(struct yk_cache *cache, const struct yk_pod *object,
                                    const struct yk__key *key)
{
    const struct yk_object *meta = &object->object;
    struct yk_cache_pod *pod = yk_alloc0(bytes_of(meta->namespace_.len, meta->name.len, meta->uid.len));
    memcpy(pod->text, key->text, key->len);
    if (meta->uid.len > 0)
        memcpy(pod->text + key->len + 1, meta->uid.p, meta->uid.len);
    pod->namespace_len = (uint8_t)meta->namespace_.len;
    pod->name_len = (uint8_t)meta->name.len;
    pod->uid_len = (uint8_t)meta->uid.len;
    pod->creation_wall_s = seconds_of(meta->creation_wall_ns);
    pod->size = yk_pod_size(&cache->sizes, object);
    pod->limits = yk_pod_limits(&cache->sizes, object);
    if (yk_str_is(object->scheduler_name, YK_SCHEDULER_NAME))
        pod->flags |= YK_POD_OURS;
    else
        pod->scheduler = yk_name_get(object->scheduler_name);
    pod->flags |= owned_by_node(meta) ? YK_POD_STATIC : 0;
    pod->flags |= meta->deleting ? YK_POD_DELETING : 0;
    pod->version = yk__version(meta->resource_version);
    pod->mark = (uint16_t)cache->marks[YK_KIND_POD];
    pod->priority = object->priority;
    pod->generation = meta->generation;
    pod->phase = phase_of(object);
    return pod;
}

/* `hash`: the hash of `key`. No pod with this key is stored. */
static void add_pod(struct yk_cache *cache, const struct yk_pod *object, const struct yk__key *key,
                    uint32_t hash)
{
    if (yk_pod_has_ended(object))
        return;
    bool ours = yk_str_is(object->scheduler_name, YK_SCHEDULER_NAME);
    if (!ours && yk_str_empty(object->node_name))
        return;
    struct yk_cache_pod *pod = pod_new(cache, object, key);
    yk_text_set_add(&cache->pods, pod, hash);
    cache->our_pods += ours;
    describe(cache, pod, object);
    if (!yk_str_empty(object->node_name))
        pod_place(cache, pod, yk__node_for(cache, object->node_name));
    cache->observer->pod_added(cache->observer->context, pod, object);
}

/* `hash`: the hash of `key`. No pod with this key is stored. */
static void add_partial(struct yk_cache *cache, const struct yk_pod *object, const struct yk__key *key,
                        uint32_t hash)
{
    if (yk_pod_has_ended(object) || yk_str_empty(object->node_name))
        return;
    struct yk_cache_pod *pod = pod_new(cache, object, key);
    pod->flags &= (uint8_t)~YK_POD_OURS;
    pod->flags |= YK_POD_PARTIAL;
    pod->flags |= object->object.read == YK_READ_IDENTITY ? YK_POD_CLOSES : 0;
    yk_text_set_add(&cache->pods, pod, hash);
    describe(cache, pod, object);
    pod_place(cache, pod, yk__node_for(cache, object->node_name));
    if ((pod->flags & YK_POD_CLOSES) != 0)
        tell_closed(cache, pod->node);
    cache->observer->pod_added(cache->observer->context, pod, object);
}

/* Versions that are not numbers cannot be compared: `version`, which has arrived later, counts as later. */
static bool is_later(uint64_t version, uint64_t before)
{
    return version > INT64_MAX || version > before;
}

/*
 * The API server reports the pod without a node. An assumed pod stays on its node. A pod that is
 * not assumed leaves its node: the database of the API server may have been restored from a backup. But if
 * the reported version is older than `version_before`, the report may come from an API server that is behind
 * the others. In this case, the pod stays on its node as an assumed pod.
 */
static uint32_t update_no_node(struct yk_cache *cache, struct yk_cache_pod *pod, uint64_t version_before)
{
    if (pod->node == NULL || (pod->flags & YK_POD_ASSUMED) != 0)
        return 0;
    if (!is_later(pod->version, version_before)) {
        pod->flags |= YK_POD_ASSUMED;
        return YK_CHANGED_DOUBTED;
    }
    pod_unplace(cache, pod);
    return YK_CHANGED_NODE;
}

/* Returns YK_CHANGED_ flags. */
static uint32_t update_node(struct yk_cache *cache, struct yk_cache_pod *pod, struct yk_str node_name,
                            uint64_t version_before)
{
    if (yk_str_empty(node_name))
        return update_no_node(cache, pod, version_before);
    if (pod->node != NULL && yk_str_is(node_name, yk_name_text(pod->node->name))) {
        bool assumed = (pod->flags & YK_POD_ASSUMED) != 0;
        pod->flags &= (uint8_t)~YK_POD_ASSUMED;
        return assumed ? YK_CHANGED_CONFIRMED : 0;
    }
    pod_unplace(cache, pod);
    pod_place(cache, pod, yk__node_for(cache, node_name));
    return YK_CHANGED_NODE;
}

static uint32_t update_size(struct yk_cache *cache, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    struct yk_size *size = yk_pod_size(&cache->sizes, object), *limits_before = pod->limits;
    pod->limits = yk_pod_limits(&cache->sizes, object);
    yk_size_put(&cache->sizes, limits_before);
    if (size == pod->size) {
        yk_size_put(&cache->sizes, size);
        return 0;
    }
    yk_cache_resize(cache, pod, size);
    return YK_CHANGED_SIZE;
}

/* The deletion of the pod has begun. It leaves its node and is put on it again, because some counters of the
 * pod observer leave out pods that are being deleted. */
static uint32_t begin_deletion(struct yk_cache *cache, struct yk_cache_pod *pod)
{
    stands(cache, pod, false);
    pod->flags |= YK_POD_DELETING;
    stands(cache, pod, true);
    return YK_CHANGED_DELETING;
}

static void update_pod(struct yk_cache *cache, struct yk_cache_pod *pod, const struct yk_pod *object,
                       uint64_t version_before)
{
    describe(cache, pod, object);
    uint32_t changes = update_size(cache, pod, object);
    changes |= update_node(cache, pod, object->node_name, version_before);
    if ((changes & YK_CHANGED_NODE) != 0 && pod->node == NULL)
        /* once more, because the observer replaces the volumes only of a pod without a node */
        describe(cache, pod, object);
    if (object->object.deleting && (pod->flags & YK_POD_DELETING) == 0)
        changes |= begin_deletion(cache, pod);
    pod->priority = object->priority;
    pod->generation = object->object.generation;
    pod->phase = phase_of(object);
    cache->observer->pod_changed(cache->observer->context, pod, object, changes);
}

/* Whether the caller removes the pod because it belongs to another scheduler and has lost its node: pods of
 * other schedulers are stored only while they are on a node. */
static bool is_dismissed(const struct yk_cache_pod *pod, const struct yk_pod *object, uint64_t version_before)
{
    return (pod->flags & YK_POD_OURS) == 0 && yk_str_empty(object->node_name) &&
           is_later(pod->version, version_before);
}

static bool has_lost_its_node(const struct yk_cache_pod *pod, const struct yk_pod *object,
                              uint64_t version_before)
{
    return pod->node != NULL && (pod->flags & YK_POD_ASSUMED) == 0 && yk_str_empty(object->node_name) &&
           is_later(pod->version, version_before);
}

/* The pod could be read whole before, and can now be read only in part: updates its node, phase and
 * deletion. */
static void update_whole(struct yk_cache *cache, struct yk_cache_pod *pod, const struct yk_pod *object,
                         uint64_t version_before)
{
    uint32_t changes = update_node(cache, pod, object->node_name, version_before);
    if (object->object.deleting && (pod->flags & YK_POD_DELETING) == 0)
        changes |= begin_deletion(cache, pod);
    pod->phase = phase_of(object);
    if (changes != 0)
        cache->observer->pod_changed(cache->observer->context, pod, object, changes);
}

/* `pod`: the stored pod with this key; NULL: there is none. `hash`: the hash of `key`. */
static void upsert_partial(struct yk_cache *cache, struct yk_cache_pod *pod, const struct yk_pod *object,
                           const struct yk__key *key, uint32_t hash)
{
    uint64_t version = yk__version(object->object.resource_version);
    if (pod == NULL) {
        add_partial(cache, object, key, hash);
        return;
    }
    pod->mark = (uint16_t)cache->marks[YK_KIND_POD];
    if (version == pod->version)
        return;
    uint64_t version_before = pod->version;
    pod->version = version;
    if ((pod->flags & YK_POD_PARTIAL) != 0) {
        remove_pod(cache, pod);
        add_partial(cache, object, key, hash);
    } else if (yk_pod_has_ended(object) || is_dismissed(pod, object, version_before) ||
               has_lost_its_node(pod, object, version_before)) {
        /* A pod of this scheduler waits again only when it can be read whole, because its constraints are not
         * known now. */
        remove_pod(cache, pod);
    } else {
        update_whole(cache, pod, object, version_before);
    }
}

void yk__pod_upsert(struct yk_cache *cache, const struct yk_pod *object)
{
    const struct yk_object *meta = &object->object;
    struct yk__key key;
    if (!yk__make_key(meta->namespace_, meta->name, &key) || meta->uid.len == 0 || meta->uid.len > UID_MAX) {
        cache->refused++;
        yk_warn(yk_log_shim_context, "pod with an impossible name or uid is ignored",
                KV("namespace", meta->namespace_), KV("pod", meta->name), KV("uid", meta->uid));
        return;
    }
    struct yk_str text = {key.text, key.len};
    uint32_t hash = yk_text_set_hash(text);
    struct yk_cache_pod *pod = yk_text_set_find(&cache->pods, text, hash);
    if (pod != NULL && !yk_str_eq(yk_cache_pod_uid(pod), meta->uid)) {
        remove_pod(cache, pod); /* deleted and created again, while the watch was interrupted */
        pod = NULL;
    }
    if (meta->read != YK_READ_WHOLE) {
        upsert_partial(cache, pod, object, &key, hash);
        return;
    }
    if (pod != NULL && (pod->flags & YK_POD_PARTIAL) != 0) {
        remove_pod(cache, pod); /* now the pod can be read whole, so it is added again */
        pod = NULL;
    }
    if (pod == NULL) {
        add_pod(cache, object, &key, hash);
        return;
    }
    uint64_t version = yk__version(meta->resource_version);
    pod->mark = (uint16_t)cache->marks[YK_KIND_POD];
    if (version == pod->version)
        return;
    uint64_t version_before = pod->version;
    pod->version = version;
    if (yk_pod_has_ended(object) || is_dismissed(pod, object, version_before))
        remove_pod(cache, pod);
    else
        update_pod(cache, pod, object, version_before);
}

/* Whether a report of a deletion is about an earlier pod of the same name, so that the present pod must
 * stay. */
static bool is_stale(const struct yk_cache_pod *pod, const struct yk_object *object)
{
    uint64_t version = yk__version(object->resource_version);
    return !yk_str_eq(yk_cache_pod_uid(pod), object->uid) && version <= INT64_MAX && version < pod->version;
}

void yk__pod_deleted(struct yk_cache *cache, const struct yk_pod *object)
{
    struct yk_cache_pod *pod = yk_cache_find_pod(cache, object->object.namespace_, object->object.name);
    if (pod != NULL && !is_stale(pod, &object->object))
        remove_pod(cache, pod);
}

int yk_cache_pod_order(const void *a, const void *b)
{
    return yk_str_cmp(yk_cache_pod_key(a), yk_cache_pod_key(b));
}

static void remove_all(struct yk_cache *cache, bool marked_too)
{
    struct yk_vec gone = {0};
    struct yk_cache_pod *pod;
    yk_text_set_foreach (pod, &cache->pods) {
        if (marked_too || pod->mark != (uint16_t)cache->marks[YK_KIND_POD])
            yk_vec_append(&gone, pod);
    }
    yk_vec_sort(&gone, yk_cache_pod_order);
    yk_vec_foreach (pod, &gone)
        remove_pod(cache, pod);
    yk_vec_done(&gone);
}

void yk__pods_sweep(struct yk_cache *cache)
{
    remove_all(cache, false);
}

static struct yk_str key_of(const void *pod)
{
    return yk_cache_pod_key(pod);
}

void yk__pods_init(struct yk_cache *cache)
{
    yk_text_set_init(&cache->pods, key_of);
}

void yk__pods_done(struct yk_cache *cache)
{
    remove_all(cache, true);
    yk_text_set_done(&cache->pods);
}
