/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of pods' labels: which ones are part of profiles, which ones are kept with each pod. */
#include "predicates/books_priv.h"

/* As few pods to a value make a key an own one; as many make it one again whose values are shared. */
enum { FEW_PODS = 4, MANY_PODS = 8 };

/* Kubernetes, or Spark, gives each pod of a set another value of such a label, and other sets the same ones.
 */
static bool numbers_pods(struct yk_str key)
{
    return yk_str_is(key, "statefulset.kubernetes.io/pod-name") ||
           yk_str_is(key, "apps.kubernetes.io/pod-index") ||
           yk_str_is(key, "batch.kubernetes.io/job-completion-index") || yk_str_is(key, "spark-exec-id");
}

static void set_own(struct yk_books *books, struct yk_label_key *key, bool is_own)
{
    books->own_keys += (uint32_t)is_own - (uint32_t)key->is_own;
    key->is_own = is_own;
}

/* ---- life ---- */

static struct yk_label_key *key_for(struct yk_books *books, yk_name name)
{
    struct yk_label_key *key = yk_idmap_get(&books->label_keys, name.id);
    if (key != NULL)
        return key;
    key = yk_new0(struct yk_label_key);
    key->name = yk_name_ref(name);
    set_own(books, key, numbers_pods(yk_str_from(yk_name_text(name))));
    key->patience = books->own_from;
    yk_list_init(&key->in_due);
    (void)yk_idmap_put(&books->label_keys, name.id, key); /* is new */
    return key;
}

/* What was learnt about a key that nobody has or asks about any more is forgotten. */
static void drop_unused(struct yk_books *books, struct yk_label_key *key)
{
    if (key->profiles + key->pods + key->mentions > 0)
        return;
    (void)yk_idmap_remove(&books->label_keys, key->name.id); /* was there */
    set_own(books, key, false);
    yk_list_remove(&key->in_due);
    yk_idmap_done(&key->seen_values);
    yk_name_put(key->name);
    free(key);
}

bool yk_books_label_is_own(const struct yk_books *books, struct yk_str key)
{
    const struct yk_label_key *there = yk_idmap_get(&books->label_keys, yk_name_find(key).id);
    return there != NULL && there->is_own;
}

/* ---- who has it ---- */

/* What moves is not new. */
static void lose_patience(struct yk_books *books, struct yk_label_key *key)
{
    if (!books->moves_labels && key->patience > 0 && --key->patience == 0)
        yk_list_append(&books->due_keys, &key->in_due);
}

void yk__label_keys_count(struct yk_books *books, const struct yk_subject *subject, int change)
{
    for (uint32_t i = 0; i < subject->label_count; i++) {
        struct yk_label_key *key = key_for(books, subject->labels[i].key);
        key->profiles += (uint32_t)change;
        if (change > 0)
            lose_patience(books, key);
        drop_unused(books, key);
    }
}

static void count_own(struct yk_books *books, const struct yk_own_labels *labels, int change)
{
    struct yk_own_label label;
    for (size_t at = 0; yk_own_labels_next(labels, &at, &label);) {
        struct yk_label_key *key = key_for(books, label.key);
        key->pods += (uint32_t)change;
        if (change > 0)
            lose_patience(books, key);
        drop_unused(books, key);
    }
}

void yk__pod_set_own(struct yk_books *books, struct yk_cache_pod *pod, const struct yk_buf *packed)
{
    struct yk_own_labels *before = pod->own_labels;
    pod->own_labels = yk_own_labels_new(packed);
    count_own(books, pod->own_labels, 1);
    count_own(books, before, -1);
    free(before);
}

static bool pack_if_own(struct yk_books *books, const struct yk_pair *pair)
{
    if (books->own_keys == 0 && !numbers_pods(pair->key))
        return false;
    yk_name name = yk_name_get(pair->key);
    const struct yk_label_key *key = yk_idmap_get(&books->label_keys, name.id);
    bool is_own = key != NULL ? key->is_own : numbers_pods(pair->key);
    is_own = is_own && yk_own_labels_pack(&books->own, name, pair->value);
    if (is_own)
        (void)key_for(books, name); /* keeps the name, and is counted once the pod has the label */
    yk_name_put(name);
    return is_own;
}

void yk__labels_split(struct yk_books *books, const struct yk_pairs *labels)
{
    struct yk_pairs *shared = &books->shared;
    yk_buf_clear(&books->own);
    if (labels->count > books->shared_capacity) {
        books->shared_capacity = labels->count;
        shared->items = yk_realloc_array(shared->items, labels->count, sizeof(*shared->items));
    }
    shared->count = 0;
    for (uint32_t i = 0; i < labels->count; i++) {
        if (!pack_if_own(books, &labels->items[i]))
            shared->items[shared->count++] = labels->items[i];
    }
}

/* ---- looking at them ---- */

static void see(struct yk_label_key *key, uint64_t value, uint32_t pods)
{
    key->seen_pods += pods;
    (void)yk_idmap_put(&key->seen_values, value, key); /* a set: anything will do */
}

/* One that is looked at: nothing else is due meanwhile. */
static struct yk_label_key *due_key(const struct yk_books *books, yk_name name, bool is_own)
{
    struct yk_label_key *key = yk_idmap_get(&books->label_keys, name.id);
    return key != NULL && yk_list_linked(&key->in_due) && key->is_own == is_own ? key : NULL;
}

static void see_profiles(const struct yk_books *books)
{
    const struct yk_pod_profile *profile;
    yk_list_foreach (profile, &books->all_profiles, struct yk_pod_profile, in_all) {
        for (uint32_t i = 0; i < profile->subject.label_count; i++) {
            const struct yk_label *label = &profile->subject.labels[i];
            struct yk_label_key *key = due_key(books, label->key, false);
            if (key != NULL)
                see(key, label->value.id, profile->pod_count);
        }
    }
}

/* As many values show that they are not shared. */
static size_t enough_values(const struct yk_label_key *key)
{
    return key->pods / MANY_PODS + 1;
}

static bool has_enough(const struct yk_label_key *key)
{
    return key->seen_values.count >= enough_values(key);
}

/* Returns of how many own keys enough has been seen now. */
static size_t see_pod(const struct yk_books *books, const struct yk_cache_pod *pod)
{
    struct yk_own_label label;
    size_t enough = 0;
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);) {
        struct yk_label_key *key = due_key(books, label.key, true);
        if (key == NULL || has_enough(key))
            continue;
        see(key, yk_hash(label.value.p, label.value.len), 1);
        enough += has_enough(key);
    }
    return enough;
}

/* Returns how many of the `keys` still have too few pods. */
static size_t see_pods_of(const struct yk_books *books, const struct yk_pod_profile *profile, size_t keys)
{
    const struct yk_cache_pod *pod;
    yk_list_foreach (pod, &profile->pods, struct yk_cache_pod, of_profile) {
        if (keys == 0)
            break;
        keys -= see_pod(books, pod);
    }
    return keys;
}

static void see_pods(const struct yk_books *books, size_t keys)
{
    const struct yk_pod_profile *profile;
    yk_list_foreach (profile, &books->all_profiles, struct yk_pod_profile, in_all)
        keys = see_pods_of(books, profile, keys);
}

/* It is looked at again after as many new profiles, or pods, as it has now. */
static void looked_at(const struct yk_books *books, struct yk_label_key *key)
{
    yk_list_remove(&key->in_due);
    yk_idmap_done(&key->seen_values);
    key->seen_pods = 0;
    key->patience = YK_MAX(books->own_from, key->is_own ? key->pods : key->profiles);
}

/* All that are due at once: a pod may bring many. O(labels of all profiles, and of all pods if own keys are
 * due). */
static void look(struct yk_books *books)
{
    struct yk_label_key *key;
    size_t shared = 0, own = 0;
    yk_list_foreach (key, &books->due_keys, struct yk_label_key, in_due) {
        bool may_change =
            key->is_own ? !numbers_pods(yk_str_from(yk_name_text(key->name))) : key->mentions == 0;
        if (!may_change) {
            looked_at(books, key);
            continue;
        }
        shared += !key->is_own;
        own += key->is_own;
    }
    if (shared > 0)
        see_profiles(books);
    if (own > 0)
        see_pods(books, own);
}

static bool is_worth_it(const struct yk_books *books, const struct yk_label_key *key)
{
    size_t distinct = key->seen_values.count;
    return numbers_pods(yk_str_from(yk_name_text(key->name))) ||
           (distinct >= books->own_from && distinct * FEW_PODS > key->seen_pods);
}

/* ---- from one to the other ---- */

static void bring_back(struct yk_books *books, struct yk_label_key *key)
{
    set_own(books, key, false);
    books->moves_labels = true;
    if (key->pods > 0)
        yk__profiles_with(books, key->name);
    books->moves_labels = false;
    looked_at(books, key);
}

static void take_out(struct yk_books *books)
{
    books->moves_labels = true;
    yk__profiles_without_own(books);
    books->moves_labels = false;
}

void yk__label_keys_settle(struct yk_books *books)
{
    struct yk_label_key *key;
    bool any = false;
    if (yk_list_empty(&books->due_keys))
        return;
    look(books);
    yk_list_foreach (key, &books->due_keys, struct yk_label_key, in_due) {
        if (key->is_own &&
            !has_enough(key)) { /* the first pods of many jobs came first, their others later */
            bring_back(books, key);
        } else if (!key->is_own && is_worth_it(books, key)) {
            set_own(books, key, true);
            any = true;
        }
    }
    if (any)
        take_out(books);
    yk_list_foreach (key, &books->due_keys, struct yk_label_key, in_due)
        looked_at(books, key);
}

bool yk__label_is_own(const struct yk_books *books, const struct yk_label *label)
{
    const struct yk_label_key *key = yk_idmap_get(&books->label_keys, label->key.id);
    return key != NULL && key->is_own;
}

static void mention(struct yk_books *books, yk_name name, int change)
{
    struct yk_label_key *key = key_for(books, name);
    key->mentions += (uint32_t)change;
    if (change > 0 && key->is_own)
        bring_back(books, key);
    drop_unused(books, key);
}

void yk__label_keys_mention(struct yk_books *books, const struct yk_rule *rule, int change)
{
    if (rule->kind == YK_RULE_HELD)
        return; /* it looks at classes */
    for (uint32_t i = 0; i < rule->selector_count; i++) {
        for (uint32_t j = 0; j < rule->selectors[i].line_count; j++)
            mention(books, rule->selectors[i].lines[j].key, change);
    }
}
