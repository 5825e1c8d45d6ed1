/* SPDX-License-Identifier: Apache-2.0 */
/* Label keys of pods: decides which labels are part of profiles, and which ones each pod stores itself
 * (struct yk_label_key). */
#include "predicates/pod_index_priv.h"

/* A key with at least YK_OWN_FROM values becomes an own key if there are fewer than FEW_PODS pods per value
 * on average. An own key with MANY_PODS or more pods per value ceases to be one, unless it numbers pods. */
enum { FEW_PODS = 4, MANY_PODS = 8 };

/* Whether the label numbers the pods of a set: each pod of one set has another value, but pods of other sets
 * may have the same values. Such a key is an own key from the start, until a rule that is matched with
 * profiles refers to it. */
static bool numbers_pods(struct yk_str key)
{
    return yk_str_is(key, "statefulset.kubernetes.io/pod-name") ||
           yk_str_is(key, "apps.kubernetes.io/pod-index") ||
           yk_str_is(key, "batch.kubernetes.io/job-completion-index") || yk_str_is(key, "spark-exec-id");
}

static void set_own(struct yk_pod_index *pod_index, struct yk_label_key *key, bool is_own)
{
    pod_index->own_keys += (uint32_t)is_own - (uint32_t)key->is_own;
    key->is_own = is_own;
}

/* ---- creation and removal ---- */

static struct yk_label_key *key_for(struct yk_pod_index *pod_index, yk_name name)
{
    struct yk_label_key *key = yk_idmap_get(&pod_index->label_keys, name.id);
    if (key != NULL)
        return key;
    key = yk_new0(struct yk_label_key);
    key->name = yk_name_ref(name);
    set_own(pod_index, key, numbers_pods(yk_str_from(yk_name_text(name))));
    key->recheck_at = pod_index->own_from;
    yk_list_init(&key->in_due);
    (void)yk_idmap_put(&pod_index->label_keys, name.id, key); /* is new */
    return key;
}

static void drop_unused(struct yk_pod_index *pod_index, struct yk_label_key *key)
{
    if (key->profiles + key->pods + key->references > 0)
        return;
    (void)yk_idmap_remove(&pod_index->label_keys, key->name.id); /* was there */
    set_own(pod_index, key, false);
    yk_list_remove(&key->in_due);
    yk_idmap_done(&key->seen_values);
    yk_name_put(key->name);
    free(key);
}

bool yk_pod_index_label_is_own(const struct yk_pod_index *pod_index, struct yk_str key)
{
    const struct yk_label_key *there = yk_idmap_get(&pod_index->label_keys, yk_name_find(key).id);
    return there != NULL && there->is_own;
}

/* ---- pods and profiles that have the key ---- */

/* Counts down to the next check of the key. Labels that move between profiles and pods do not count. */
static void lower_recheck(struct yk_pod_index *pod_index, struct yk_label_key *key)
{
    if (!pod_index->moves_labels && key->recheck_at > 0 && --key->recheck_at == 0)
        yk_list_append(&pod_index->due_keys, &key->in_due);
}

void yk__label_keys_count(struct yk_pod_index *pod_index, const struct yk_entity *entity, int change)
{
    for (uint32_t i = 0; i < entity->label_count; i++) {
        struct yk_label_key *key = key_for(pod_index, entity->labels[i].key);
        key->profiles += (uint32_t)change;
        if (change > 0)
            lower_recheck(pod_index, key);
        drop_unused(pod_index, key);
    }
}

static void count_own(struct yk_pod_index *pod_index, const struct yk_own_labels *labels, int change)
{
    struct yk_own_label label;
    for (size_t at = 0; yk_own_labels_next(labels, &at, &label);) {
        struct yk_label_key *key = key_for(pod_index, label.key);
        key->pods += (uint32_t)change;
        if (change > 0)
            lower_recheck(pod_index, key);
        drop_unused(pod_index, key);
    }
}

void yk__pod_set_own(struct yk_pod_index *pod_index, struct yk_cache_pod *pod, const struct yk_buf *packed)
{
    struct yk_own_labels *before = pod->own_labels;
    pod->own_labels = yk_own_labels_new(packed);
    count_own(pod_index, pod->own_labels, 1);
    count_own(pod_index, before, -1);
    free(before);
}

/* Appends the label to `pod_index->own` if its key is an own key. False: the key is not an own key, or the
 * label cannot be packed. */
static bool pack_if_own(struct yk_pod_index *pod_index, const struct yk_pair *pair)
{
    if (pod_index->own_keys == 0 && !numbers_pods(pair->key))
        return false;
    yk_name name = yk_name_get(pair->key);
    const struct yk_label_key *key = yk_idmap_get(&pod_index->label_keys, name.id);
    bool is_own = key != NULL ? key->is_own : numbers_pods(pair->key);
    is_own = is_own && yk_own_labels_pack(&pod_index->own, name, pair->value);
    if (is_own)
        (void)key_for(pod_index, name); /* makes the record, which holds the name; labels are counted later */
    yk_name_put(name);
    return is_own;
}

void yk__labels_split(struct yk_pod_index *pod_index, const struct yk_pairs *labels)
{
    struct yk_pairs *shared = &pod_index->shared;
    yk_buf_clear(&pod_index->own);
    if (labels->count > pod_index->shared_capacity) {
        pod_index->shared_capacity = labels->count;
        shared->items = yk_realloc_array(shared->items, labels->count, sizeof(*shared->items));
    }
    shared->count = 0;
    for (uint32_t i = 0; i < labels->count; i++) {
        if (!pack_if_own(pod_index, &labels->items[i]))
            shared->items[shared->count++] = labels->items[i];
    }
}

/* ---- checking whether keys are own keys ---- */

static void see(struct yk_label_key *key, uint64_t value, uint32_t pods)
{
    key->seen_pods += pods;
    (void)yk_idmap_put(&key->seen_values, value, key); /* a set: any value but NULL will do */
}

/* The record of `name`, if it is in `due_keys` and its `is_own` is as given; otherwise NULL. */
static struct yk_label_key *due_key(const struct yk_pod_index *pod_index, yk_name name, bool is_own)
{
    struct yk_label_key *key = yk_idmap_get(&pod_index->label_keys, name.id);
    return key != NULL && yk_list_linked(&key->in_due) && key->is_own == is_own ? key : NULL;
}

static void see_profiles(const struct yk_pod_index *pod_index)
{
    const struct yk_pod_profile *profile;
    yk_list_foreach (profile, &pod_index->all_profiles, struct yk_pod_profile, in_all) {
        for (uint32_t i = 0; i < profile->entity.label_count; i++) {
            const struct yk_label *label = &profile->entity.labels[i];
            struct yk_label_key *key = due_key(pod_index, label->key, false);
            if (key != NULL)
                see(key, label->value.id, profile->pod_count);
        }
    }
}

/* The number of different values with which the key stays an own key. */
static size_t enough_values(const struct yk_label_key *key)
{
    return key->pods / MANY_PODS + 1;
}

static bool has_enough(const struct yk_label_key *key)
{
    return key->seen_values.count >= enough_values(key);
}

/* Adds the values of the pod. Returns the number of own keys that have enough values now and had not
 * before. */
static size_t see_pod(const struct yk_pod_index *pod_index, const struct yk_cache_pod *pod)
{
    struct yk_own_label label;
    size_t enough = 0;
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);) {
        struct yk_label_key *key = due_key(pod_index, label.key, true);
        if (key == NULL || has_enough(key))
            continue;
        see(key, yk_hash(label.value.p, label.value.len), 1);
        enough += has_enough(key);
    }
    return enough;
}

/* Adds the values of the profile's pods until no key lacks values. `keys`: the number of own keys that lack
 * values. Returns the number of those that still lack values. */
static size_t see_pods_of(const struct yk_pod_index *pod_index, const struct yk_pod_profile *profile,
                          size_t keys)
{
    const struct yk_cache_pod *pod;
    yk_list_foreach (pod, &profile->pods, struct yk_cache_pod, of_profile) {
        if (keys == 0)
            break;
        keys -= see_pod(pod_index, pod);
    }
    return keys;
}

static void see_pods(const struct yk_pod_index *pod_index, size_t keys)
{
    const struct yk_pod_profile *profile;
    yk_list_foreach (profile, &pod_index->all_profiles, struct yk_pod_profile, in_all)
        keys = see_pods_of(pod_index, profile, keys);
}

/* Ends the check of the key. The next check is due when the number of profiles (of pods, for an own key) that
 * have the key may have doubled. */
static void looked_at(const struct yk_pod_index *pod_index, struct yk_label_key *key)
{
    yk_list_remove(&key->in_due);
    yk_idmap_done(&key->seen_values);
    key->seen_pods = 0;
    key->recheck_at = YK_MAX(pod_index->own_from, key->is_own ? key->pods : key->profiles);
}

/* Collects the values of all keys that are due, in one pass: one pod can make many keys due. O(labels of all
 * profiles, and of all pods if own keys are due). */
static void look(struct yk_pod_index *pod_index)
{
    struct yk_label_key *key;
    size_t shared = 0, own = 0;
    yk_list_foreach (key, &pod_index->due_keys, struct yk_label_key, in_due) {
        bool may_change =
            key->is_own ? !numbers_pods(yk_str_from(yk_name_text(key->name))) : key->references == 0;
        if (!may_change) {
            looked_at(pod_index, key);
            continue;
        }
        shared += !key->is_own;
        own += key->is_own;
    }
    if (shared > 0)
        see_profiles(pod_index);
    if (own > 0)
        see_pods(pod_index, own);
}

static bool is_worth_it(const struct yk_pod_index *pod_index, const struct yk_label_key *key)
{
    size_t distinct = key->seen_values.count;
    return numbers_pods(yk_str_from(yk_name_text(key->name))) ||
           (distinct >= pod_index->own_from && distinct * FEW_PODS > key->seen_pods);
}

/* ---- keys that become own keys, or cease to be ---- */

/* The key ceases to be an own key: moves its labels from pods to profiles. */
static void bring_back(struct yk_pod_index *pod_index, struct yk_label_key *key)
{
    set_own(pod_index, key, false);
    pod_index->moves_labels = true;
    if (key->pods > 0)
        yk__profiles_with(pod_index, key->name);
    pod_index->moves_labels = false;
    looked_at(pod_index, key);
}

static void take_out(struct yk_pod_index *pod_index)
{
    pod_index->moves_labels = true;
    yk__profiles_move_own(pod_index);
    pod_index->moves_labels = false;
}

void yk__label_keys_settle(struct yk_pod_index *pod_index)
{
    struct yk_label_key *key;
    bool any = false;
    if (yk_list_empty(&pod_index->due_keys))
        return;
    look(pod_index);
    yk_list_foreach (key, &pod_index->due_keys, struct yk_label_key, in_due) {
        /* Pods share the values, for example because one pod of each job arrived before the other pods of the
         * jobs. */
        if (key->is_own && !has_enough(key)) {
            bring_back(pod_index, key);
        } else if (!key->is_own && is_worth_it(pod_index, key)) {
            set_own(pod_index, key, true);
            any = true;
        }
    }
    if (any)
        take_out(pod_index);
    yk_list_foreach (key, &pod_index->due_keys, struct yk_label_key, in_due)
        looked_at(pod_index, key);
}

bool yk__label_is_own(const struct yk_pod_index *pod_index, const struct yk_label *label)
{
    const struct yk_label_key *key = yk_idmap_get(&pod_index->label_keys, label->key.id);
    return key != NULL && key->is_own;
}

static void reference(struct yk_pod_index *pod_index, yk_name name, int change)
{
    struct yk_label_key *key = key_for(pod_index, name);
    key->references += (uint32_t)change;
    if (change > 0 && key->is_own)
        bring_back(pod_index, key);
    drop_unused(pod_index, key);
}

void yk__label_keys_reference(struct yk_pod_index *pod_index, const struct yk_rule *rule, int change)
{
    if (rule->kind == YK_RULE_EXISTING_ANTI)
        return; /* such a rule matches classes, not profiles */
    for (uint32_t i = 0; i < rule->selector_count; i++) {
        for (uint32_t j = 0; j < rule->selectors[i].line_count; j++)
            reference(pod_index, rule->selectors[i].lines[j].key, change);
    }
}
