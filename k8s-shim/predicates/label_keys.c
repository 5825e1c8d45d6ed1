/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of pods' labels: which ones are part of profiles, which ones are kept with each pod. */
#include "predicates/books_priv.h"

/* As few pods to a value make a key an own one; as many make it one again whose values are shared. */
enum { FEW_PODS = 4, MANY_PODS = 8 };

/* Under these Kubernetes, or Spark, gives each pod of a set another value, and other sets the same ones. */
static bool numbers_pods(const char *key)
{
    static const char *const all[] = {"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index",
                                      "batch.kubernetes.io/job-completion-index", "spark-exec-id"};
    for (size_t i = 0; i < YK_COUNT(all); i++) {
        if (strcmp(key, all[i]) == 0)
            return true;
    }
    return false;
}

/* ---- life ---- */

static struct yk_label_key *key_for(struct yk_books *books, yk_name name)
{
    struct yk_label_key *key = yk_idmap_get(&books->label_keys, name.id);
    if (key != NULL)
        return key;
    key = yk_new0(struct yk_label_key);
    key->name = yk_name_ref(name);
    key->is_own = numbers_pods(yk_name_text(name));
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
    yk_list_remove(&key->in_due);
    yk_name_put(key->name);
    free(key);
}

bool yk_books_label_is_own(const struct yk_books *books, struct yk_str key)
{
    const struct yk_label_key *there = yk_idmap_get(&books->label_keys, yk_name_find(key).id);
    return there != NULL && there->is_own;
}

/* ---- who has it ---- */

static void lose_patience(struct yk_books *books, struct yk_label_key *key)
{
    if (key->patience > 0 && --key->patience == 0)
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
    yk_name name = yk_name_get(pair->key);
    const struct yk_label_key *key = yk_idmap_get(&books->label_keys, name.id);
    bool is_own = key != NULL ? key->is_own : numbers_pods(yk_name_text(name));
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

/* ---- from one to the other ---- */

static bool is_worth_it(const struct yk_books *books, const struct yk_label_key *key)
{
    struct yk_idmap values = {0};
    const struct yk_pod_profile *profile;
    uint64_t pods = 0;
    yk_list_foreach (profile, &books->all_profiles, struct yk_pod_profile, in_all) {
        yk_name value = yk_subject_label(&profile->subject, key->name);
        if (value.id == 0)
            continue;
        pods += profile->pod_count;
        (void)yk_idmap_put(&values, value.id, &values); /* a set: anything will do */
    }
    size_t distinct = values.count;
    yk_idmap_done(&values);
    return distinct >= books->own_from && distinct * FEW_PODS > pods;
}

/* Adds the pod's values of an own key to those seen. */
static void see_values(const struct yk_cache_pod *pod, yk_name key, struct yk_idmap *seen)
{
    struct yk_own_label label;
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);) {
        if (yk_name_eq(label.key, key))
            (void)yk_idmap_put(seen, yk_hash(label.value.p, label.value.len), seen); /* a set */
    }
}

static void see_all_values(const struct yk_books *books, yk_name key, size_t enough, struct yk_idmap *seen)
{
    const struct yk_pod_profile *profile;
    yk_list_foreach (profile, &books->all_profiles, struct yk_pod_profile, in_all) {
        const struct yk_list *pods = &profile->pods;
        for (struct yk_list *at = pods->next; at != pods && seen->count < enough; at = at->next)
            see_values(YK_CONTAINER(at, struct yk_cache_pod, of_profile), key, seen);
    }
}

/* The first pods of many jobs come one after the other, their others later. */
static bool has_many_pods(const struct yk_books *books, const struct yk_label_key *key)
{
    struct yk_idmap seen = {0};
    size_t enough = key->pods / MANY_PODS + 1;
    see_all_values(books, key->name, enough, &seen);
    bool many = seen.count < enough;
    yk_idmap_done(&seen);
    return many && !numbers_pods(yk_name_text(key->name));
}

/* To look, and to move it, costs as much as there are profiles or pods: it is done after as many new ones. */
static void looked_at(const struct yk_books *books, struct yk_label_key *key)
{
    yk_list_remove(&key->in_due);
    key->patience = YK_MAX(books->own_from, key->is_own ? key->pods : key->profiles);
}

static void bring_back(struct yk_books *books, struct yk_label_key *key)
{
    key->is_own = false;
    if (key->pods > 0)
        yk__profiles_with(books, key->name);
    looked_at(books, key);
}

void yk__label_keys_settle(struct yk_books *books)
{
    struct yk_label_key *key;
    bool any = false;
    while ((key = yk_list_first(&books->due_keys, struct yk_label_key, in_due)) != NULL) {
        looked_at(books, key);
        if (key->is_own && has_many_pods(books, key)) {
            bring_back(books, key);
        } else if (!key->is_own && key->mentions == 0 && is_worth_it(books, key)) {
            key->is_own = any = true;
        }
    }
    if (any)
        yk__profiles_without_own(books);
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
