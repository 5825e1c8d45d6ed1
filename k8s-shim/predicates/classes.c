/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/classes.h"

/* A label key that classes ask about: it is part of every signature made from then on. */
struct label_key {
    yk_name name; /* counted */
    uint32_t classes;
};

enum { FIRST_COLUMNS = 64 };

void yk_classes_init(struct yk_classes *classes, struct yk_cache *cache)
{
    *classes = (struct yk_classes){.cache = cache, .columns = FIRST_COLUMNS};
    yk_list_init(&classes->idle);
}

/* ---- signatures ---- */

/* Names in a signature are written as ids and held by it, so that an id keeps its meaning. */
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
            (void)yk_name_ref((yk_name){id}); /* its count is what we want */
        else
            yk_name_put((yk_name){id});
    }
}

static void describe_node(struct yk_classes *classes, const struct yk_cache_node *node)
{
    struct yk_buf *key = &classes->node_key;
    yk_buf_clear(key);
    uint32_t count = 0;
    yk_buf_add(key, &count, sizeof(count));
    for (uint32_t i = 0; i < node->label_count; i++) {
        if (yk_idmap_get(&classes->label_keys, node->labels[i].key.id) == NULL)
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
    yk_buf_char(key, node->unschedulable ? 'U' : 'S');
}

/* More signatures than columns: every class gets a wider row, or none when the table would grow too large. */
static void widen(struct yk_classes *classes)
{
    size_t before = classes->columns;
    classes->columns *= 2;
    bool keep = classes->count * classes->columns <= YK_CLASSES_TABLE_MAX;
    classes->table_bytes = 0;
    for (size_t i = 0; i < classes->by_number.count; i++) {
        struct yk_class *class_ = classes->by_number.items[i];
        if (class_ == NULL || class_->verdicts == NULL)
            continue;
        uint8_t *wider = keep ? yk_calloc(classes->columns, 1) : NULL;
        if (wider != NULL)
            memcpy(wider, class_->verdicts, before);
        free(class_->verdicts);
        class_->verdicts = wider;
        classes->table_bytes += keep ? classes->columns : 0;
    }
}

static void clear_column(struct yk_classes *classes, uint32_t number)
{
    for (size_t i = 0; i < classes->by_number.count; i++) {
        struct yk_class *class_ = classes->by_number.items[i];
        if (class_ != NULL && class_->verdicts != NULL)
            class_->verdicts[number] = YK_VERDICT_UNKNOWN;
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

static struct yk_signature *signature_for(struct yk_classes *classes, struct yk_str bytes)
{
    struct yk_signature *signature = yk_strmap_get(&classes->signatures, bytes);
    if (signature != NULL)
        return signature;
    signature = yk_new0(struct yk_signature);
    signature->key = yk_realloc_array(NULL, bytes.len, 1);
    memcpy(signature->key, bytes.p, bytes.len);
    signature->key_len = bytes.len;
    signature->number = next_signature_number(classes, signature);
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
    yk_vec_append(&classes->free_signatures, (void *)(uintptr_t)number);
    hold_names(signature->key, signature->key_len, false);
    free(signature->key);
    free(signature);
}

static void sign(struct yk_classes *classes, struct yk_cache_node *node, bool is_signed)
{
    describe_node(classes, node);
    struct yk_signature *signature = signature_for(classes, yk_buf_view(&classes->node_key));
    signature->nodes++;
    if (is_signed)
        leave_signature(classes, node->signature);
    node->signature = signature->number;
}

void yk_classes_node_added(struct yk_classes *classes, struct yk_cache_node *node)
{
    sign(classes, node, false);
}

void yk_classes_node_changed(struct yk_classes *classes, struct yk_cache_node *node)
{
    sign(classes, node, true);
}

void yk_classes_node_removed(struct yk_classes *classes, struct yk_cache_node *node)
{
    leave_signature(classes, node->signature);
}

/* ---- classes ---- */

struct asking {
    struct yk_classes *classes;
    bool is_new; /* a key that no class asked about before */
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

/* Signatures made so far may go on mentioning the key: they only tell more apart than they must. */
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
    yk_vec_foreach (node, &classes->cache->nodes)
        sign(classes, node, true);
}

static uint32_t next_class_number(struct yk_classes *classes, struct yk_class *class_)
{
    if (classes->free_numbers.count > 0) {
        uint32_t number = (uint32_t)(uintptr_t)classes->free_numbers.items[--classes->free_numbers.count];
        classes->by_number.items[number] = class_;
        return number;
    }
    yk_vec_append(&classes->by_number, class_);
    return (uint32_t)classes->by_number.count - 1;
}

static struct yk_class *class_new(struct yk_classes *classes, const struct yk_pod *pod, struct yk_str key)
{
    struct yk_class *class_ = yk_new0(struct yk_class);
    yk_list_init(&class_->idle);
    yk_constraints_init(&class_->constraints, pod);
    class_->key = yk_realloc_array(NULL, key.len, 1);
    memcpy(class_->key, key.p, key.len);
    class_->key_len = key.len;
    (void)yk_strmap_put(&classes->by_key, (struct yk_str){class_->key, key.len}, class_); /* is new */
    class_->number = next_class_number(classes, class_);
    classes->count++;
    if (classes->table_bytes + classes->columns <= YK_CLASSES_TABLE_MAX) {
        class_->verdicts = yk_calloc(classes->columns, 1);
        classes->table_bytes += classes->columns;
    }
    struct asking asking = {.classes = classes};
    if (!class_->constraints.reads_identity)
        yk_constraints_keys(&class_->constraints, ask_about, &asking);
    if (asking.is_new)
        sign_all_again(classes);
    return class_;
}

static void class_free(struct yk_classes *classes, struct yk_class *class_)
{
    if (!class_->constraints.reads_identity)
        yk_constraints_keys(&class_->constraints, stop_asking_about, classes);
    classes->table_bytes -= class_->verdicts != NULL ? classes->columns : 0;
    classes->count--;
    (void)yk_strmap_remove(&classes->by_key, (struct yk_str){class_->key, class_->key_len}); /* was there */
    classes->by_number.items[class_->number] = NULL;
    yk_vec_append(&classes->free_numbers, (void *)(uintptr_t)class_->number);
    yk_constraints_done(&class_->constraints);
    free(class_->verdicts);
    free(class_->key);
    free(class_);
}

yk_si_class yk_class_get(struct yk_classes *classes, const struct yk_pod *pod)
{
    yk_class_key_make(&classes->scratch, pod);
    struct yk_str key = yk_buf_view(&classes->scratch.bytes);
    struct yk_class *class_ = yk_strmap_get(&classes->by_key, key);
    if (class_ == NULL) {
        class_ = class_new(classes, pod, key);
    } else if (class_->holders == 0) {
        yk_list_remove(&class_->idle);
        classes->idle_count--;
    }
    class_->holders++;
    return class_->number;
}

static void drop_oldest_idle(struct yk_classes *classes)
{
    struct yk_class *oldest = yk_list_first(&classes->idle, struct yk_class, idle);
    yk_list_remove(&oldest->idle);
    classes->idle_count--;
    class_free(classes, oldest);
}

void yk_class_put(struct yk_classes *classes, yk_si_class number)
{
    if (number == YK_SI_CLASS_ANY)
        return;
    struct yk_class *class_ = classes->by_number.items[number];
    if (!YK_ASSERT(class_ != NULL && class_->holders > 0) || --class_->holders > 0)
        return;
    yk_list_append(&classes->idle, &class_->idle);
    if (++classes->idle_count > YK_CLASSES_IDLE_MAX)
        drop_oldest_idle(classes);
}

const struct yk_class *yk_class_at(const struct yk_classes *classes, yk_si_class number)
{
    return number < classes->by_number.count ? classes->by_number.items[number] : NULL;
}

bool yk_class_tolerates_cordon(const struct yk_classes *classes, yk_si_class number)
{
    const struct yk_class *class_ = yk_class_at(classes, number);
    return class_ != NULL && class_->constraints.tolerates_cordon;
}

/* The part that nodes of one signature share. */
static enum yk_verdict shared_verdict(const struct yk_class *class_, const struct yk_cache_node *node)
{
    if (!class_->constraints.reads_identity)
        return yk_filters_run(&class_->constraints, node);
    if (!yk_filter_node_unschedulable(&class_->constraints, node))
        return YK_VERDICT_UNSCHEDULABLE;
    return yk_filter_taint_toleration(&class_->constraints, node) ? YK_VERDICT_FITS : YK_VERDICT_TAINTS;
}

static enum yk_verdict kept_verdict(struct yk_class *class_, const struct yk_cache_node *node)
{
    if (class_->verdicts == NULL)
        return shared_verdict(class_, node);
    uint8_t *verdict = &class_->verdicts[node->signature];
    if (*verdict == YK_VERDICT_UNKNOWN)
        *verdict = (uint8_t)shared_verdict(class_, node);
    return (enum yk_verdict) * verdict;
}

enum yk_verdict yk_class_verdict(struct yk_classes *classes, yk_si_class number,
                                 const struct yk_cache_node *node)
{
    struct yk_class *class_ = classes->by_number.items[number];
    if (!YK_ASSERT(class_ != NULL && node->known))
        return YK_VERDICT_AFFINITY;
    enum yk_verdict verdict = kept_verdict(class_, node);
    if (!class_->constraints.reads_identity || verdict == YK_VERDICT_UNSCHEDULABLE)
        return verdict;
    if (!yk_filter_node_name(&class_->constraints, node))
        return YK_VERDICT_NODE_NAME;
    if (verdict != YK_VERDICT_FITS)
        return verdict;
    return yk_filter_node_affinity(&class_->constraints, node) ? YK_VERDICT_FITS : YK_VERDICT_AFFINITY;
}

void yk_classes_done(struct yk_classes *classes)
{
    while (!yk_list_empty(&classes->idle))
        drop_oldest_idle(classes);
    YK_ASSERT(classes->count == 0);
    YK_ASSERT(classes->signatures.count == 0);
    yk_strmap_done(&classes->by_key);
    yk_vec_done(&classes->by_number);
    yk_vec_done(&classes->free_numbers);
    yk_strmap_done(&classes->signatures);
    yk_vec_done(&classes->signatures_by_number);
    yk_vec_done(&classes->free_signatures);
    yk_idmap_done(&classes->label_keys);
    yk_class_key_done(&classes->scratch);
    yk_buf_done(&classes->node_key);
}
