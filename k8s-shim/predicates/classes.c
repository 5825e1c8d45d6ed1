/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/classes.h"

/* A label key of nodes that specs refer to. The labels with that key are part of signatures. Selectors and
 * required affinity that are evaluated for each node (`reads_identity`) do not count. */
struct label_key {
    yk_name name;     /* counted */
    uint32_t classes; /* references by specs */
};

enum { FIRST_COLUMNS = 64 };

static void sign_for_topology(struct yk_classes *classes);

/* ---- changes of the cache ---- */

static void volumes_on_node(struct yk_volumes *volumes, struct yk_cache_pod *pod,
                            const struct yk_cache_node *node, bool is_added)
{
    bool hidden = node->slot == 0; /* the node is not known */
    if (hidden && !is_added)
        yk_volumes_pod_hidden(volumes, pod->volumes, false);
    yk_volumes_pod_on_node(volumes, pod->volumes, node->name, is_added);
    if (hidden && is_added)
        yk_volumes_pod_hidden(volumes, pod->volumes, true);
}

/*
 * Sets the volumes of the pod to those of `object`; NULL: to none. The API server never changes the volumes
 * of a pod. If an object with the same uid has other volumes nevertheless, a waiting pod gets them, as its
 * class does, and a pod with a node keeps the old ones. A pod with a node that had no volumes gets them, and
 * they are counted on the node.
 */
static void describe_volumes(struct yk_volumes *volumes, struct yk_cache_pod *pod,
                             const struct yk_pod *object)
{
    if (object == NULL) {
        yk_pod_volumes_put(volumes, yk_move(pod->volumes));
        return;
    }
    if (pod->volumes != NULL && (pod->node != NULL || yk_pod_volumes_are_of(pod->volumes, object)))
        return;
    yk_pod_volumes_put(volumes, yk_move(pod->volumes));
    pod->volumes = yk_pod_volumes_get(volumes, object);
    if (pod->volumes != NULL && pod->node != NULL)
        volumes_on_node(volumes, pod, pod->node, true);
}

static void pod_described(void *context, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    struct yk_classes *classes = context;
    yk_pod_index_pod_described(&classes->pod_index, pod, object);
    describe_volumes(&classes->volumes, pod, object);
    sign_for_topology(classes);
}

static void pod_on_node(void *context, struct yk_cache_pod *pod, struct yk_cache_node *node, bool is_added)
{
    struct yk_classes *classes = context;
    yk_pod_index_pod_on_node(&classes->pod_index, pod, node, is_added);
    volumes_on_node(&classes->volumes, pod, node, is_added);
}

/* The cache can have pods on a node before the node is added and after it is removed. Their volumes are then
 * *hidden*: used on a node that is not known. */
static void pods_hidden(struct yk_classes *classes, const struct yk_cache_node *node, bool hidden)
{
    const struct yk_cache_pod *pod;
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node)
        yk_volumes_pod_hidden(&classes->volumes, pod->volumes, hidden);
}

static void namespace_changed(void *context, struct yk_str name)
{
    yk_pod_index_namespace_changed(&((struct yk_classes *)context)->pod_index, name);
}

void yk_classes_init(struct yk_classes *classes, struct yk_cache *cache)
{
    *classes = (struct yk_classes){.cache = cache, .columns = FIRST_COLUMNS};
    yk_filter_meter_init(&classes->meter);
    yk_list_init(&classes->idle);
    yk_pod_index_init(&classes->pod_index, cache);
    yk_volumes_init(&classes->volumes);
    classes->pod_observer =
        (struct yk_cache_pod_observer){classes, pod_described, pod_on_node, namespace_changed};
    cache->pod_observer = &classes->pod_observer;
}

/* ---- signatures ---- */

/* Appends the id of a name to a key. The owner of the key holds references to the names: without the
 * references, an id could be given to another name. */
static void add_id(struct yk_buf *key, yk_name name)
{
    yk_buf_add(key, &name.id, sizeof(name.id));
}

static void hold_names(const char *key, size_t len, bool hold)
{
    /* Layout: count of names, then their ids, then flags without names. */
    uint32_t count, id;
    memcpy(&count, key, sizeof(count));
    for (uint32_t i = 0; i < count && (i + 2) * sizeof(id) <= len; i++) {
        memcpy(&id, key + (i + 1) * sizeof(id), sizeof(id));
        if (hold)
            (void)yk_name_ref((yk_name){id}); /* the id does not change */
        else
            yk_name_put((yk_name){id});
    }
}

/* Whether the label `key` is part of signatures: because a spec refers to it, or because it is a topology key
 * in use. The hostname is not part of them as a topology key, because each node has its own. */
static bool distinguishes_nodes(const struct yk_classes *classes, yk_name key)
{
    const struct yk_topology_key *topology = yk_idmap_get(&classes->pod_index.topology.by_name, key.id);
    return (topology != NULL && !topology->is_hostname) || yk_idmap_get(&classes->label_keys, key.id) != NULL;
}

static void describe_node(struct yk_classes *classes, const struct yk_cache_node *node)
{
    struct yk_buf *key = &classes->node_key;
    yk_buf_clear(key);
    uint32_t count = 0;
    yk_buf_add(key, &count, sizeof(count));
    for (uint32_t i = 0; i < node->label_count; i++) {
        if (!distinguishes_nodes(classes, node->labels[i].key))
            continue;
        add_id(key, node->labels[i].key);
        add_id(key, node->labels[i].value);
        count += 2;
    }
    for (uint32_t i = 0; i < node->taint_count; i++) {
        if (node->taints[i].effect == YK_TAINT_OTHER)
            continue;
        add_id(key, node->taints[i].key);
        add_id(key, node->taints[i].value);
        count += 2;
    }
    memcpy(key->p, &count, sizeof(count));
    for (uint32_t i = 0; i < node->taint_count; i++) {
        if (node->taints[i].effect != YK_TAINT_OTHER)
            yk_buf_char(key, (char)('0' + node->taints[i].effect));
    }
    yk_buf_char(key, node->closers > 0 ? 'C' : node->unschedulable ? 'U' : 'S');
    yk_buf_add(key, &node->features, sizeof(node->features));
}

/* There are more signatures than columns. All specs with stored verdicts get twice as many columns, or no
 * stored verdicts if the table would be larger than YK_CLASSES_TABLE_MAX. */
static void widen(struct yk_classes *classes)
{
    size_t before = classes->columns;
    classes->columns *= 2;
    bool keep = classes->specs.count * classes->columns <= YK_CLASSES_TABLE_MAX;
    classes->table_bytes = 0;
    struct yk_class_spec *spec;
    yk_strmap_foreach (spec, &classes->specs) {
        if (spec->verdicts == NULL)
            continue;
        uint8_t *wider = keep ? yk_calloc(classes->columns, 1) : NULL;
        if (wider != NULL)
            memcpy(wider, spec->verdicts, before);
        free(spec->verdicts);
        spec->verdicts = wider;
        classes->table_bytes += keep ? classes->columns : 0;
    }
}

static void clear_column(struct yk_classes *classes, uint32_t number)
{
    struct yk_class_spec *spec;
    yk_strmap_foreach (spec, &classes->specs) {
        if (spec->verdicts != NULL)
            spec->verdicts[number] = YK_VERDICT_UNKNOWN;
    }
}

static uint32_t next_signature_number(struct yk_classes *classes, struct yk_signature *signature)
{
    if (classes->free_signatures.count > 0) {
        uint32_t number =
            (uint32_t)(uintptr_t)classes->free_signatures.items[--classes->free_signatures.count];
        classes->signatures_by_number.items[number] = signature;
        clear_column(classes, number);
        return number;
    }
    uint32_t number = (uint32_t)classes->signatures_by_number.count;
    yk_vec_append(&classes->signatures_by_number, signature);
    if (number >= classes->columns)
        widen(classes);
    return number;
}

static struct yk_signature *signature_for(struct yk_classes *classes, const struct yk_cache_node *node,
                                          struct yk_str bytes)
{
    struct yk_signature *signature = yk_strmap_get(&classes->signatures, bytes);
    if (signature != NULL)
        return signature;
    signature = yk_new0(struct yk_signature);
    signature->key = yk_realloc_array(NULL, bytes.len, 1);
    memcpy(signature->key, bytes.p, bytes.len);
    signature->key_len = bytes.len;
    signature->number = next_signature_number(classes, signature);
    signature->has_soft_taint = yk_node_has_soft_taint(node);
    classes->soft_signatures += signature->has_soft_taint;
    hold_names(signature->key, signature->key_len, true);
    (void)yk_strmap_put(&classes->signatures, (struct yk_str){signature->key, bytes.len},
                        signature); /* is new */
    return signature;
}

static void leave_signature(struct yk_classes *classes, uint32_t number)
{
    struct yk_signature *signature = classes->signatures_by_number.items[number];
    if (!YK_ASSERT(signature != NULL && signature->nodes > 0) || --signature->nodes > 0)
        return;
    (void)yk_strmap_remove(&classes->signatures,
                           (struct yk_str){signature->key, signature->key_len}); /* was there */
    classes->signatures_by_number.items[number] = NULL;
    classes->soft_signatures -= signature->has_soft_taint;
    yk_vec_append(&classes->free_signatures, (void *)(uintptr_t)number);
    hold_names(signature->key, signature->key_len, false);
    free(signature->key);
    free(signature);
}

static void sign(struct yk_classes *classes, struct yk_cache_node *node, bool is_signed)
{
    describe_node(classes, node);
    struct yk_signature *signature = signature_for(classes, node, yk_buf_view(&classes->node_key));
    signature->nodes++;
    if (is_signed)
        leave_signature(classes, node->signature);
    node->signature = signature->number;
}

void yk_classes_node_added(struct yk_classes *classes, struct yk_cache_node *node)
{
    sign(classes, node, false);
    yk_pod_index_node_added(&classes->pod_index, node);
    pods_hidden(classes, node, false);
    yk_volumes_node_changed(&classes->volumes, node);
}

void yk_classes_node_changed(struct yk_classes *classes, struct yk_cache_node *node)
{
    sign(classes, node, true);
    yk_pod_index_node_changed(&classes->pod_index, node);
    yk_volumes_node_changed(&classes->volumes, node);
}

void yk_classes_node_removed(struct yk_classes *classes, struct yk_cache_node *node)
{
    yk_pod_index_node_removed(&classes->pod_index, node);
    pods_hidden(classes, node, true);
    leave_signature(classes, node->signature);
}

/* ---- classes ---- */

struct asking { /* the context of ask_about() */
    struct yk_classes *classes;
    bool is_new; /* no spec referred to one of the keys before */
};

static void ask_about(void *context, yk_name name)
{
    struct asking *asking = context;
    struct label_key *key = yk_idmap_get(&asking->classes->label_keys, name.id);
    if (key == NULL) {
        key = yk_new0(struct label_key);
        key->name = yk_name_ref(name);
        (void)yk_idmap_put(&asking->classes->label_keys, name.id, key); /* is new */
        asking->is_new = true;
    }
    key->classes++;
}

/* Signatures that contain the key stay: they distinguish more nodes than necessary, which is harmless. */
static void stop_asking_about(void *context, yk_name name)
{
    struct yk_classes *classes = context;
    struct label_key *key = yk_idmap_get(&classes->label_keys, name.id);
    if (!YK_ASSERT(key != NULL && key->classes > 0) || --key->classes > 0)
        return;
    (void)yk_idmap_remove(&classes->label_keys, name.id); /* was there */
    yk_name_put(key->name);
    free(key);
}

static void sign_all_again(struct yk_classes *classes)
{
    struct yk_cache_node *node;
    classes->signature_updates++;
    yk_vec_foreach (node, &classes->cache->nodes)
        sign(classes, node, true);
}

/* Computes all signatures again if a topology key came into use: nodes of different domains then get
 * different signatures. */
static void sign_for_topology(struct yk_classes *classes)
{
    if (classes->generation == classes->pod_index.topology.generation)
        return;
    classes->generation = classes->pod_index.topology.generation;
    sign_all_again(classes);
}

/* ---- specs ---- */

static char *copy_bytes(struct yk_str bytes)
{
    char *copy = yk_realloc_array(NULL, bytes.len, 1);
    memcpy(copy, bytes.p, bytes.len);
    return copy;
}

static void follow_volumes(struct yk_classes *classes, struct yk_class_spec *spec, const struct yk_pod *pod)
{
    spec->volumes = &classes->volumes;
    spec->meter = &classes->meter;
    spec->pod_volumes = yk_pod_volumes_get(spec->volumes, pod);
    yk_list_init(&spec->of_pod_volumes);
    if (spec->pod_volumes != NULL)
        yk_list_append(yk_pod_volumes_followers(spec->pod_volumes), &spec->of_pod_volumes);
}

static struct yk_class_spec *spec_new(struct yk_classes *classes, const struct yk_pod *pod, struct yk_str key)
{
    struct yk_class_spec *spec = yk_new0(struct yk_class_spec);
    yk_list_init(&spec->classes);
    yk_constraints_init(&spec->constraints, pod);
    yk_preferences_init(&spec->preferences, pod);
    spec->key = copy_bytes(key);
    spec->key_len = key.len;
    spec->sequence = ++classes->spec_sequence;
    (void)yk_strmap_put(&classes->specs, (struct yk_str){spec->key, key.len}, spec); /* is new */
    if (classes->table_bytes + classes->columns <= YK_CLASSES_TABLE_MAX) {
        spec->verdicts = yk_calloc(classes->columns, 1);
        classes->table_bytes += classes->columns;
    }
    struct asking asking = {.classes = classes};
    if (!spec->constraints.reads_identity)
        yk_constraints_keys(&spec->constraints, ask_about, &asking);
    yk_preferences_keys(&spec->preferences, ask_about, &asking);
    yk_dynamic_init(&spec->dynamic, &classes->pod_index, spec, pod);
    follow_volumes(classes, spec, pod);
    if (asking.is_new)
        sign_all_again(classes);
    sign_for_topology(classes);
    return spec;
}

static void spec_free(struct yk_classes *classes, struct yk_class_spec *spec)
{
    if (!spec->constraints.reads_identity)
        yk_constraints_keys(&spec->constraints, stop_asking_about, classes);
    yk_preferences_keys(&spec->preferences, stop_asking_about, classes);
    classes->table_bytes -= spec->verdicts != NULL ? classes->columns : 0;
    (void)yk_strmap_remove(&classes->specs, (struct yk_str){spec->key, spec->key_len}); /* was there */
    yk_dynamic_done(&spec->dynamic, &classes->pod_index);
    yk_list_remove(&spec->of_pod_volumes);
    yk_pod_volumes_put(spec->volumes, spec->pod_volumes);
    yk_constraints_done(&spec->constraints);
    yk_preferences_done(&spec->preferences);
    free(spec->verdicts);
    free(spec->key);
    free(spec);
}

/* ---- classes ---- */

static uint32_t next_class_number(struct yk_classes *classes, struct yk_k8s_class *class_)
{
    if (classes->free_numbers.count > 0) {
        uint32_t number = (uint32_t)(uintptr_t)classes->free_numbers.items[--classes->free_numbers.count];
        classes->by_number.items[number] = class_;
        return number;
    }
    yk_vec_append(&classes->by_number, class_);
    return (uint32_t)classes->by_number.count - 1;
}

/* The context of is_looked_at(), which chooses the labels of a pod that belong to its class. */
struct looking {
    const struct yk_pod_index *pod_index;
    const struct yk_class_spec *spec;
    yk_name namespace_;
};

static bool is_looked_at(void *context, yk_name key)
{
    const struct looking *looking = context;
    return yk_dynamic_asks_for(&looking->spec->dynamic, key) ||
           yk_pod_index_is_referenced(looking->pod_index, looking->namespace_, key);
}

/* Sets `*ret` to the namespace and the labels that selectors of other pods and of the spec refer to. `*ret`
 * is empty if the spec uses no rule and no selector of other pods refers to the namespace. */
static void make_entity(const struct yk_classes *classes, const struct yk_class_spec *spec,
                        struct yk_str namespace_, const struct yk_pairs *labels, struct yk_entity *ret)
{
    struct looking looking = {&classes->pod_index, spec, yk_name_get(namespace_)};
    if (spec->dynamic.use_count > 0 ||
        yk_pod_index_is_referenced(&classes->pod_index, looking.namespace_, YK_NO_NAME)) {
        yk_entity_init(ret, namespace_, labels, is_looked_at, &looking);
    } else {
        *ret = (struct yk_entity){.namespace_ = YK_NO_NAME};
        yk_list_init(&ret->matches);
    }
    ret->is_class = true;
    yk_name_put(looking.namespace_);
}

static void make_class_key(struct yk_buf *key, const struct yk_class_spec *spec,
                           const struct yk_entity *entity)
{
    yk_buf_clear(key);
    yk_buf_add(key, &spec->sequence, sizeof(spec->sequence));
    add_id(key, entity->namespace_);
    for (uint32_t i = 0; i < entity->label_count; i++) {
        add_id(key, entity->labels[i].key);
        add_id(key, entity->labels[i].value);
    }
}

/* Makes the class of `spec` and `entity`, without references. Takes `entity`. The key of the class is in
 * `classes->class_key`. */
static struct yk_k8s_class *class_new(struct yk_classes *classes, struct yk_class_spec *spec,
                                      struct yk_entity *entity)
{
    struct yk_k8s_class *class_ = yk_new0(struct yk_k8s_class);
    class_->spec = spec;
    class_->entity = *entity;
    yk_list_init(&class_->entity.matches);
    yk_list_init(&class_->idle);
    yk_list_init(&class_->in_index);
    yk_list_init(&class_->in_woken);
    yk_list_append(&spec->classes, &class_->of_spec);
    class_->key = copy_bytes(yk_buf_view(&classes->class_key));
    class_->key_len = classes->class_key.len;
    (void)yk_strmap_put(&classes->by_key, (struct yk_str){class_->key, class_->key_len}, class_); /* is new */
    class_->number = next_class_number(classes, class_);
    classes->count++;
    if (spec->dynamic.use_count > 0 || spec->dynamic.is_invalid)
        class_->matches_itself = yk_calloc(YK_MAX(spec->dynamic.use_count, 1), sizeof(bool));
    (void)yk__class_update_self_match(&classes->pod_index, class_); /* a new class need not be woken */
    yk_pod_index_class_added(&classes->pod_index, class_);
    return class_;
}

static void class_free(struct yk_classes *classes, struct yk_k8s_class *class_)
{
    struct yk_class_spec *spec = class_->spec;
    classes->count--;
    (void)yk_strmap_remove(&classes->by_key, (struct yk_str){class_->key, class_->key_len}); /* was there */
    classes->by_number.items[class_->number] = NULL;
    yk_vec_append(&classes->free_numbers, (void *)(uintptr_t)class_->number);
    yk_pod_index_class_removed(&classes->pod_index, class_);
    yk_entity_done(&class_->entity);
    yk_list_remove(&class_->of_spec);
    if (yk_list_empty(&spec->classes))
        spec_free(classes, spec);
    free(class_->matches_itself);
    free(class_->key);
    free(class_);
}

static struct yk_k8s_class *hold(struct yk_classes *classes, struct yk_k8s_class *class_)
{
    if (class_->holders == 0 && yk_list_linked(&class_->idle)) {
        yk_list_remove(&class_->idle);
        classes->idle_count--;
    }
    class_->holders++;
    return class_;
}

/* The class of `spec` for pods with that namespace and these labels, with a reference. */
static struct yk_k8s_class *class_for(struct yk_classes *classes, struct yk_class_spec *spec,
                                      struct yk_str namespace_, const struct yk_pairs *labels)
{
    struct yk_entity entity;
    make_entity(classes, spec, namespace_, labels, &entity);
    make_class_key(&classes->class_key, spec, &entity);
    struct yk_k8s_class *class_ = yk_strmap_get(&classes->by_key, yk_buf_view(&classes->class_key));
    if (class_ == NULL)
        class_ = class_new(classes, spec, &entity);
    else
        yk_entity_done(&entity);
    return hold(classes, class_);
}

yk_si_class yk_class_get(struct yk_classes *classes, const struct yk_pod *pod)
{
    yk_class_key_make(&classes->scratch, pod);
    struct yk_str key = yk_buf_view(&classes->scratch.bytes);
    struct yk_class_spec *spec = yk_strmap_get(&classes->specs, key);
    if (spec == NULL)
        spec = spec_new(classes, pod, key);
    return class_for(classes, spec, pod->object.namespace_, &pod->object.labels)->number;
}

bool yk_classes_need_update_in(const struct yk_classes *classes, struct yk_str namespace_)
{
    const struct yk_idmap *newly_referenced = &classes->pod_index.newly_referenced;
    yk_name name = yk_name_find(namespace_);
    return yk_idmap_get(newly_referenced, YK_NO_NAME.id) != NULL ||
           (name.id != 0 && yk_idmap_get(newly_referenced, name.id) != NULL);
}

void yk_classes_updated(struct yk_classes *classes)
{
    yk_idmap_done(&classes->pod_index.newly_referenced);
}

yk_si_class yk_class_update(struct yk_classes *classes, yk_si_class number, struct yk_str namespace_,
                            const struct yk_pairs *labels)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    if (class_ == NULL)
        return number;
    return class_for(classes, class_->spec, namespace_, labels)->number;
}

static void drop_oldest_idle(struct yk_classes *classes)
{
    struct yk_k8s_class *oldest = yk_list_first(&classes->idle, struct yk_k8s_class, idle);
    yk_list_remove(&oldest->idle);
    classes->idle_count--;
    class_free(classes, oldest);
}

void yk_class_put(struct yk_classes *classes, yk_si_class number)
{
    if (number == YK_SI_CLASS_ANY)
        return;
    struct yk_k8s_class *class_ = classes->by_number.items[number];
    if (!YK_ASSERT(class_ != NULL && class_->holders > 0) || --class_->holders > 0)
        return;
    yk_list_remove(&class_->in_woken);
    yk_list_append(&classes->idle, &class_->idle);
    if (++classes->idle_count > YK_CLASSES_IDLE_MAX)
        drop_oldest_idle(classes);
}

const struct yk_k8s_class *yk_class_at(const struct yk_classes *classes, yk_si_class number)
{
    return number < classes->by_number.count ? classes->by_number.items[number] : NULL;
}

bool yk_class_has_preferences(const struct yk_classes *classes, yk_si_class number)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    return class_ != NULL && (class_->spec->preferences.count > 0 || classes->soft_signatures > 0);
}

int32_t yk_class_score(const struct yk_classes *classes, yk_si_class number, const struct yk_cache_node *node)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    if (number == YK_SI_CLASS_ANY || !YK_ASSERT(class_ != NULL))
        return 0;
    return yk_preferences_met(&class_->spec->preferences, &class_->spec->constraints, node);
}

bool yk_class_tolerates_cordon(const struct yk_classes *classes, yk_si_class number)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    return class_ != NULL && class_->spec->constraints.tolerates_cordon;
}

static enum yk_verdict run_fixed(const struct yk_class_spec *spec, const struct yk_cache_node *node,
                                 enum yk_filter_set set)
{
    struct yk_filter_sample sample,
        *measured = yk_filter_sample_begin(&sample, spec->meter, YK_METERED_FIXED);
    enum yk_verdict verdict = yk_filters_run(&spec->constraints, node, set, measured);
    yk_filter_sample_end(measured, verdict);
    return verdict;
}

/* The verdict of those fixed filters that answer the same for all nodes with the signature of `node`. */
static enum yk_verdict shared_verdict(const struct yk_class_spec *spec, const struct yk_cache_node *node)
{
    return run_fixed(spec, node, spec->constraints.reads_identity ? YK_FILTERS_OF_SIGNATURE : YK_FILTERS_ALL);
}

static enum yk_verdict kept_verdict(struct yk_class_spec *spec, const struct yk_cache_node *node)
{
    if (spec->verdicts == NULL)
        return shared_verdict(spec, node);
    uint8_t *verdict = &spec->verdicts[node->signature];
    if (*verdict == YK_VERDICT_UNKNOWN)
        *verdict = (uint8_t)shared_verdict(spec, node);
    return (enum yk_verdict) * verdict;
}

bool yk_class_fits_signature(struct yk_classes *classes, yk_si_class number, const struct yk_cache_node *node)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    return YK_ASSERT(class_ != NULL && node->known) && kept_verdict(class_->spec, node) == YK_VERDICT_FITS;
}

enum yk_verdict yk_class_verdict(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    if (number == YK_SI_CLASS_ANY)
        return YK_VERDICT_FITS;
    if (!YK_ASSERT(class_ != NULL && node->known))
        return YK_VERDICT_AFFINITY;
    struct yk_class_spec *spec = class_->spec;
    enum yk_verdict shared = kept_verdict(spec, node);
    if (!spec->constraints.reads_identity)
        return shared;
    enum yk_verdict own = run_fixed(spec, node, YK_FILTERS_OF_IDENTITY);
    if (own == YK_VERDICT_FITS || shared == YK_VERDICT_FITS)
        return own == YK_VERDICT_FITS ? shared : own;
    return YK_MIN(shared, own); /* verdicts are numbered in the order of the filters */
}

/* ---- filters that depend on other pods and on volumes ---- */

static enum yk_verdict verdict_on_volumes(const struct yk_class_spec *spec, const struct yk_cache_node *node)
{
    if (yk_volumes_possible(spec->volumes, spec->pod_volumes, NULL) == YK_VOLUMES_NEVER)
        return YK_VERDICT_VOLUMES;
    uint32_t result = yk_volumes_check(spec->volumes, spec->pod_volumes, node);
    if (result == 0)
        return YK_VERDICT_FITS;
    return (result & YK_VOLUMES_RESOLVABLE) != 0 ? YK_VERDICT_VOLUMES_USED : YK_VERDICT_VOLUMES;
}

/* The verdict on volumes. For a reservation, volumes that other pods use are no obstacle: they can become
 * free. */
static enum yk_verdict check_volumes(const struct yk_class_spec *spec, const struct yk_cache_node *node,
                                     enum yk_class_question question, struct yk_filter_sample *sample)
{
    if (spec->pod_volumes == NULL)
        return YK_VERDICT_FITS;
    enum yk_verdict verdict = verdict_on_volumes(spec, node);
    yk_filter_sample_step(sample, YK_VERDICT_VOLUMES);
    bool is_later = question == YK_CLASS_RESERVE && yk_verdict_helped_by_eviction(verdict);
    return is_later ? YK_VERDICT_FITS : verdict;
}

static enum yk_verdict check_now(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                                 enum yk_class_question question, struct yk_filter_sample *sample)
{
    enum yk_verdict verdict = YK_VERDICT_FITS;
    if (question != YK_CLASS_SIGNATURE)
        verdict = yk__class_verdict_on_ports(class_, node, sample);
    if (verdict == YK_VERDICT_FITS && question != YK_CLASS_SIGNATURE)
        verdict = check_volumes(class_->spec, node, question, sample);
    return verdict != YK_VERDICT_FITS ? verdict : yk__class_verdict_on_pods(class_, node, question, sample);
}

bool yk__class_fits_now(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                        enum yk_class_question question)
{
    if (node == NULL)
        return yk__class_fits_some_node(class_) &&
               yk_volumes_possible(class_->spec->volumes, class_->spec->pod_volumes, NULL) !=
                   YK_VOLUMES_NEVER;
    struct yk_filter_sample sample, *measured;
    measured = yk_filter_sample_begin(&sample, class_->spec->meter, YK_METERED_NOW);
    enum yk_verdict verdict = check_now(class_, node, question, measured);
    yk_filter_sample_end(measured, verdict);
    return verdict == YK_VERDICT_FITS;
}

enum yk_verdict yk_class_verdict_now(const struct yk_classes *classes, yk_si_class number,
                                     const struct yk_cache_node *node, enum yk_class_question question)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    if (class_ == NULL)
        return YK_VERDICT_FITS;
    enum yk_verdict verdict =
        question == YK_CLASS_SIGNATURE ? YK_VERDICT_FITS : yk__class_verdict_on_ports(class_, node, NULL);
    if (verdict == YK_VERDICT_FITS && question == YK_CLASS_ALLOCATE)
        verdict = verdict_on_volumes(class_->spec, node);
    return verdict != YK_VERDICT_FITS ? verdict : yk__class_verdict_on_pods(class_, node, question, NULL);
}

bool yk_class_excludes_signatures(const struct yk_classes *classes, yk_si_class number)
{
    const struct yk_k8s_class *class_ = yk_class_at(classes, number);
    return class_ != NULL && yk__class_sees_domains(class_);
}

static void move(struct yk_classes *classes, struct yk_cache_pod *pod, bool is_added)
{
    if (pod != NULL && pod->node != NULL)
        pod_on_node(classes, pod, pod->node, is_added);
}

int yk_class_fits_without(struct yk_classes *classes, yk_si_class number, const struct yk_cache_node *node,
                          struct yk_cache_pod *const *gone, size_t count, size_t start)
{
    size_t removed = 0;
    bool fits = false;
    classes->pod_index.is_dry_run = true;
    yk_volumes_try_begin(&classes->volumes);
    while (!fits && removed < count) {
        move(classes, gone[removed++], false);
        fits = removed > start && yk_class_fits_now(classes, number, node, YK_CLASS_ALLOCATE);
    }
    for (size_t i = removed; i > 0; i--)
        move(classes, gone[i - 1], true);
    classes->pod_index.is_dry_run = false;
    yk_volumes_try_end(&classes->volumes);
    return fits ? (int)removed - 1 : -1;
}

static void wake_spec(struct yk_classes *classes, const struct yk_class_spec *spec)
{
    struct yk_k8s_class *class_;
    yk_list_foreach (class_, &spec->classes, struct yk_k8s_class, of_spec)
        yk_pod_index_wake(&classes->pod_index, class_);
}

static void wake_followers(struct yk_classes *classes, struct yk_pod_volumes *pod_volumes)
{
    const struct yk_class_spec *spec;
    yk_list_foreach (spec, yk_pod_volumes_followers(pod_volumes), struct yk_class_spec, of_pod_volumes)
        wake_spec(classes, spec);
}

yk_si_class yk_classes_next_woken(struct yk_classes *classes)
{
    struct yk_pod_volumes *pod_volumes;
    while ((pod_volumes = yk_volumes_next_woken(&classes->volumes)) != NULL)
        wake_followers(classes, pod_volumes);
    struct yk_k8s_class *class_ = yk_list_first(&classes->pod_index.woken, struct yk_k8s_class, in_woken);
    if (class_ == NULL)
        return YK_SI_CLASS_ANY;
    yk_list_remove(&class_->in_woken);
    return class_->number;
}

void yk_classes_done(struct yk_classes *classes)
{
    while (!yk_list_empty(&classes->idle))
        drop_oldest_idle(classes);
    YK_ASSERT(classes->count == 0 && classes->specs.count == 0);
    YK_ASSERT(classes->signatures.count == 0);
    yk_pod_index_done(&classes->pod_index);
    yk_volumes_done(&classes->volumes);
    yk_strmap_done(&classes->specs);
    yk_strmap_done(&classes->by_key);
    yk_vec_done(&classes->by_number);
    yk_vec_done(&classes->free_numbers);
    yk_strmap_done(&classes->signatures);
    yk_vec_done(&classes->signatures_by_number);
    yk_vec_done(&classes->free_signatures);
    yk_idmap_done(&classes->label_keys);
    yk_class_key_done(&classes->scratch);
    yk_buf_done(&classes->node_key);
    yk_buf_done(&classes->class_key);
}
