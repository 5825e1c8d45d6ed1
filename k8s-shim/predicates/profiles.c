/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles (struct yk_pod_profile). */
#include "predicates/pod_index_priv.h"

struct namespace_profiles {
    struct yk_list profiles;
    uint32_t count;
};

struct yk_list *yk__profiles_in(const struct yk_pod_index *pod_index, yk_name namespace_)
{
    struct namespace_profiles *there = yk_idmap_get(&pod_index->by_namespace, namespace_.id);
    return there == NULL ? NULL : &there->profiles;
}

static void enter_namespace(struct yk_pod_index *pod_index, struct yk_pod_profile *profile)
{
    uint32_t id = profile->entity.namespace_.id;
    struct namespace_profiles *there = yk_idmap_get(&pod_index->by_namespace, id);
    if (there == NULL) {
        there = yk_new0(struct namespace_profiles);
        yk_list_init(&there->profiles);
        (void)yk_idmap_put(&pod_index->by_namespace, id, there); /* is new */
    }
    there->count++;
    yk_list_append(&there->profiles, &profile->in_namespace);
}

static void leave_namespace(struct yk_pod_index *pod_index, struct yk_pod_profile *profile)
{
    uint32_t id = profile->entity.namespace_.id;
    struct namespace_profiles *there = yk_idmap_get(&pod_index->by_namespace, id);
    yk_list_remove(&profile->in_namespace);
    if (!YK_ASSERT(there != NULL) || --there->count > 0)
        return;
    (void)yk_idmap_remove(&pod_index->by_namespace, id); /* was there */
    free(there);
}

/* ---- ports ---- */

static uint32_t count_ports(const struct yk_container *containers, uint32_t count, bool sidecars_only)
{
    uint32_t ports = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sidecars_only && !yk_str_is(containers[i].restart_policy, "Always"))
            continue;
        for (uint32_t j = 0; j < containers[i].port_count; j++)
            ports += containers[i].ports[j].host_port > 0;
    }
    return ports;
}

static void take_ports_of(struct yk_pod_profile *profile, const struct yk_container *containers,
                          uint32_t count, bool sidecars_only)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sidecars_only && !yk_str_is(containers[i].restart_policy, "Always"))
            continue;
        for (uint32_t j = 0; j < containers[i].port_count; j++) {
            const struct yk_container_port *port = &containers[i].ports[j];
            if (port->host_port > 0)
                profile->ports[profile->port_count++] = (struct yk_host_port){
                    yk_name_get(yk_port_protocol(port)), yk_name_get(yk_port_ip(port)), port->host_port};
        }
    }
}

static void take_ports(struct yk_pod_profile *profile, const struct yk_pod *pod)
{
    uint32_t most = count_ports(pod->containers, pod->container_count, false) +
                    count_ports(pod->init_containers, pod->init_container_count, true);
    if (most == 0)
        return;
    profile->ports = yk_new0_array(struct yk_host_port, most);
    take_ports_of(profile, pod->containers, pod->container_count, false);
    take_ports_of(profile, pod->init_containers, pod->init_container_count, true);
}

static void copy_ports(struct yk_pod_profile *profile, const struct yk_pod_profile *from)
{
    if (from->port_count == 0)
        return;
    profile->ports = yk_new0_array(struct yk_host_port, from->port_count);
    for (; profile->port_count < from->port_count; profile->port_count++) {
        const struct yk_host_port *port = &from->ports[profile->port_count];
        profile->ports[profile->port_count] =
            (struct yk_host_port){yk_name_ref(port->protocol), yk_name_ref(port->ip), port->number};
    }
}

/* ---- own anti-affinity ---- */

static bool is_held(const struct yk_pod_profile *profile, const struct yk_rule *rule)
{
    for (uint32_t i = 0; i < profile->existing_anti_count; i++) {
        if (profile->existing_anti[i] == rule)
            return true;
    }
    return false;
}

/* If one term cannot be parsed, the pod counts as a pod without anti-affinity (docs/reference/predicates.md
 * 2.1). */
static void take_existing_anti(struct yk_pod_index *pod_index, struct yk_pod_profile *profile,
                               const struct yk_pod *pod)
{
    uint32_t count = pod->anti_affinity_term_count;
    if (count == 0 || !yk_terms_parse(pod->anti_affinity_terms, count))
        return;
    profile->existing_anti = yk_new0_array(struct yk_rule *, count);
    for (uint32_t i = 0; i < count; i++) {
        struct yk_rule *rule = yk_rule_for_existing_anti(pod_index, pod, &pod->anti_affinity_terms[i]);
        if (is_held(profile, rule))
            yk_rule_put(pod_index, rule);
        else
            profile->existing_anti[profile->existing_anti_count++] = rule;
    }
}

static void copy_held(struct yk_pod_profile *profile, const struct yk_pod_profile *from)
{
    if (from->existing_anti_count == 0)
        return;
    profile->existing_anti = yk_new0_array(struct yk_rule *, from->existing_anti_count);
    for (; profile->existing_anti_count < from->existing_anti_count; profile->existing_anti_count++) {
        profile->existing_anti[profile->existing_anti_count] =
            from->existing_anti[profile->existing_anti_count];
        profile->existing_anti[profile->existing_anti_count]->holders++;
    }
}

/* ---- digests ---- */

/* 128 bits of a keyed hash with a secret of the process, so that equal digests mean equal contents. A digest
 * is a sum with one hash for each label, so that the hash of a label that moves can be subtracted. */
struct digest {
    uint64_t halves[2];
};

static struct yk_str digest_bytes(const uint64_t halves[2])
{
    return (struct yk_str){(const char *)halves, 2 * sizeof(uint64_t)};
}

static void add_key(struct digest *digest, const struct yk_class_key *key, bool is_added)
{
    uint64_t hash[2], sign = is_added ? 1 : UINT64_MAX;
    yk_hash_128(key->bytes.p, key->bytes.len, hash);
    digest->halves[0] += sign * hash[0];
    digest->halves[1] += sign * hash[1];
}

static void add_label(struct yk_pod_index *pod_index, struct digest *digest, struct yk_str key,
                      struct yk_str value, bool is_added)
{
    yk_class_key_begin(&pod_index->profile_key);
    yk_class_key_text(&pod_index->profile_key, key);
    yk_class_key_text(&pod_index->profile_key, value);
    add_key(digest, &pod_index->profile_key, is_added);
}

/* The digest of a pod without its own labels. The other labels are in `pod_index->shared`. */
static struct digest digest_of(struct yk_pod_index *pod_index, const struct yk_pod *object)
{
    struct digest ret = {{0, 0}};
    yk_class_key_begin(&pod_index->profile_key);
    yk_class_key_text(&pod_index->profile_key, object->object.namespace_);
    yk_class_key_ports(&pod_index->profile_key, object);
    yk_class_key_terms(&pod_index->profile_key, object->anti_affinity_terms, object->anti_affinity_term_count,
                       object->object.namespace_);
    add_key(&ret, &pod_index->profile_key, true);
    for (uint32_t i = 0; i < pod_index->shared.count; i++)
        add_label(pod_index, &ret, pod_index->shared.items[i].key, pod_index->shared.items[i].value, true);
    return ret;
}

/* ---- creation and removal ---- */

static struct yk_pod_profile *new_profile(const struct digest *digest)
{
    struct yk_pod_profile *profile = yk_new0(struct yk_pod_profile);
    memcpy(profile->digest, digest->halves, sizeof(profile->digest));
    yk_list_init(&profile->in_ports);
    yk_list_init(&profile->pods);
    return profile;
}

static void open_profile(struct yk_pod_index *pod_index, struct yk_pod_profile *profile)
{
    if (profile->port_count > 0)
        yk_list_append(&pod_index->port_profiles, &profile->in_ports);
    yk_list_append(&pod_index->all_profiles, &profile->in_all);
    enter_namespace(pod_index, profile);
    (void)yk_strmap_put(&pod_index->profiles, digest_bytes(profile->digest), profile); /* is new */
    yk__label_keys_count(pod_index, &profile->entity, 1);
    yk__entity_add(pod_index, &profile->entity);
}

static struct yk_pod_profile *profile_for(struct yk_pod_index *pod_index, const struct yk_pod *pod)
{
    const struct digest digest = digest_of(pod_index, pod);
    struct yk_pod_profile *profile = yk_strmap_get(&pod_index->profiles, digest_bytes(digest.halves));
    if (profile != NULL)
        return profile;
    profile = new_profile(&digest);
    yk_entity_init(&profile->entity, pod->object.namespace_, &pod_index->shared, NULL, NULL);
    take_ports(profile, pod);
    take_existing_anti(pod_index, profile, pod);
    open_profile(pod_index, profile);
    return profile;
}

static void free_unless_used(struct yk_pod_index *pod_index, struct yk_pod_profile *profile)
{
    if (profile == NULL || profile->pod_count > 0)
        return;
    yk__entity_remove(&profile->entity);
    yk__label_keys_count(pod_index, &profile->entity, -1);
    (void)yk_strmap_remove(&pod_index->profiles, digest_bytes(profile->digest)); /* was there */
    leave_namespace(pod_index, profile);
    yk_list_remove(&profile->in_all);
    yk_list_remove(&profile->in_ports);
    for (uint32_t i = 0; i < profile->existing_anti_count; i++)
        yk_rule_put(pod_index, profile->existing_anti[i]);
    for (uint32_t i = 0; i < profile->port_count; i++) {
        yk_name_put(profile->ports[i].protocol);
        yk_name_put(profile->ports[i].ip);
    }
    yk_entity_done(&profile->entity);
    free(profile->existing_anti);
    free(profile->ports);
    free(profile);
}

/* Sets the profile of the pod; NULL: it has none any longer. Returns the former profile, or NULL. The caller
 * frees the former profile if it is no longer used. */
static struct yk_pod_profile *set_profile(struct yk_cache_pod *pod, struct yk_pod_profile *profile)
{
    struct yk_pod_profile *before = pod->profile;
    if (before != NULL) {
        before->pod_count--;
        yk_list_remove(&pod->of_profile);
    }
    pod->profile = profile;
    if (profile != NULL) {
        profile->pod_count++;
        yk_list_append(&profile->pods, &pod->of_profile);
    }
    return before;
}

static void forget_pod(struct yk_pod_index *pod_index, struct yk_cache_pod *pod)
{
    yk_buf_clear(&pod_index->own);
    yk__pod_set_own(pod_index, pod, &pod_index->own);
    free_unless_used(pod_index, set_profile(pod, NULL));
}

static void change_profile(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                           struct yk_pod_profile *profile)
{
    if (pod->node != NULL)
        yk_pod_index_pod_on_node(pod_index, pod, pod->node, false);
    struct yk_pod_profile *left = set_profile(pod, profile);
    if (pod->node != NULL)
        yk_pod_index_pod_on_node(pod_index, pod, pod->node, true);
    free_unless_used(pod_index, left);
}

static void take_labels(struct yk_pod_index *pod_index, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    yk__labels_split(pod_index, &object->object.labels);
    if (yk_own_labels_are(pod->own_labels, &pod_index->own))
        return;
    yk__pod_set_own(pod_index, pod, &pod_index->own);
    pod->flags |= YK_POD_RELABELLED;
}

void yk_pod_index_pod_described(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                                const struct yk_pod *object)
{
    if (object == NULL) {
        forget_pod(pod_index, pod);
        return;
    }
    take_labels(pod_index, pod, object);
    struct yk_pod_profile *profile = profile_for(pod_index, object);
    if (profile == pod->profile)
        return;
    change_profile(pod_index, pod, profile);
    pod->flags |= YK_POD_RELABELLED;
    yk__label_keys_settle(pod_index);
}

/* ---- labels move between profiles and pods ---- */

/* The profile with the contents of `from` but other labels. They differ only in labels to which no rule that
 * was matched with profiles refers. So both match the same rules, and pods can move from one to the other
 * without being counted again. */
static struct yk_pod_profile *neighbour(struct yk_pod_index *pod_index, const struct yk_pod_profile *from,
                                        const struct digest *digest, const struct yk_label *labels,
                                        uint32_t count)
{
    struct yk_pod_profile *profile = yk_strmap_get(&pod_index->profiles, digest_bytes(digest->halves));
    if (profile != NULL)
        return profile;
    profile = new_profile(digest);
    yk_entity_init_names(&profile->entity, from->entity.namespace_, labels, count);
    copy_ports(profile, from);
    copy_held(profile, from);
    open_profile(pod_index, profile);
    return profile;
}

static void add_names(struct yk_pod_index *pod_index, struct digest *digest, struct yk_label label,
                      bool is_added)
{
    add_label(pod_index, digest, yk_str_from(yk_name_text(label.key)), yk_str_from(yk_name_text(label.value)),
              is_added);
}

/* The profile like `from` without the labels of own keys; `from` itself if it has no such label. */
static struct yk_pod_profile *without_own(struct yk_pod_index *pod_index, struct yk_pod_profile *from)
{
    struct digest digest = {{from->digest[0], from->digest[1]}};
    const struct yk_entity *entity = &from->entity;
    struct yk_label *left = yk_new0_array(struct yk_label, (size_t)entity->label_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < entity->label_count; i++) {
        if (yk__label_is_own(pod_index, &entity->labels[i]))
            add_names(pod_index, &digest, entity->labels[i], false);
        else
            left[count++] = entity->labels[i];
    }
    struct yk_pod_profile *to =
        count == entity->label_count ? from : neighbour(pod_index, from, &digest, left, count);
    free(left);
    return to;
}

static struct yk_pod_profile *with(struct yk_pod_index *pod_index, const struct yk_pod_profile *from,
                                   struct yk_label label)
{
    struct digest digest = {{from->digest[0], from->digest[1]}};
    const struct yk_entity *entity = &from->entity;
    struct yk_label *more = yk_new0_array(struct yk_label, (size_t)entity->label_count + 1);
    if (entity->label_count > 0)
        memcpy(more, entity->labels, entity->label_count * sizeof(*more));
    more[entity->label_count] = label;
    add_names(pod_index, &digest, label, true);
    struct yk_pod_profile *to = neighbour(pod_index, from, &digest, more, entity->label_count + 1);
    free(more);
    return to;
}

/* Packs the pod's own labels except that of `key` into `pod_index->own`. Returns the value of `key`; absent:
 * the pod has no such own label. */
static struct yk_str pack_others(struct yk_pod_index *pod_index, const struct yk_cache_pod *pod, yk_name key)
{
    struct yk_own_label label;
    struct yk_str value = {0};
    yk_buf_clear(&pod_index->own);
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);) {
        if (yk_name_eq(label.key, key))
            value = label.value;
        else
            /* cannot fail: the label was packed before */
            (void)yk_own_labels_pack(&pod_index->own, label.key, label.value);
    }
    return value;
}

/* Packs the pod's own labels, and those labels of its profile whose keys are own keys now. False: a label is
 * too long to be packed. */
static bool pack_all(struct yk_pod_index *pod_index, const struct yk_cache_pod *pod)
{
    const struct yk_entity *entity = &pod->profile->entity;
    bool packed = true;
    (void)pack_others(pod_index, pod, YK_NO_NAME); /* no label is left out */
    for (uint32_t i = 0; i < entity->label_count; i++) {
        const struct yk_label *label = &entity->labels[i];
        if (yk__label_is_own(pod_index, label))
            packed = packed &&
                     yk_own_labels_pack(&pod_index->own, label->key, yk_str_from(yk_name_text(label->value)));
    }
    return packed;
}

static void move_labels_out(struct yk_pod_index *pod_index, struct yk_pod_profile *profile)
{
    struct yk_pod_profile *to = without_own(pod_index, profile);
    struct yk_cache_pod *pod;
    if (to == profile)
        return;
    yk_list_foreach (pod, &profile->pods, struct yk_cache_pod, of_profile) {
        if (!pack_all(pod_index, pod))
            continue; /* the pod keeps its profile */
        yk__pod_set_own(pod_index, pod, &pod_index->own);
        (void)set_profile(pod, to); /* `profile` is freed below */
    }
    free_unless_used(pod_index, profile);
    free_unless_used(pod_index, to);
}

/* The loop also visits the profiles that it makes, which have nothing to move. */
void yk__profiles_move_own(struct yk_pod_index *pod_index)
{
    struct yk_pod_profile *profile;
    yk_list_foreach (profile, &pod_index->all_profiles, struct yk_pod_profile, in_all)
        move_labels_out(pod_index, profile);
}

static void move_label_in(struct yk_pod_index *pod_index, struct yk_cache_pod *pod, yk_name key)
{
    struct yk_str value = pack_others(pod_index, pod, key);
    if (value.p == NULL)
        return;
    struct yk_label label = {key, yk_name_get(value)};
    (void)set_profile(pod, with(pod_index, pod->profile, label)); /* the caller frees the old one */
    yk__pod_set_own(pod_index, pod, &pod_index->own);
    yk_name_put(label.value);
}

static void move_labels_in(struct yk_pod_index *pod_index, struct yk_pod_profile *profile, yk_name key)
{
    struct yk_cache_pod *pod;
    yk_list_foreach (pod, &profile->pods, struct yk_cache_pod, of_profile)
        move_label_in(pod_index, pod, key);
    free_unless_used(pod_index, profile);
}

void yk__profiles_with(struct yk_pod_index *pod_index, yk_name key)
{
    struct yk_pod_profile *profile;
    yk_list_foreach (profile, &pod_index->all_profiles, struct yk_pod_profile, in_all)
        move_labels_in(pod_index, profile, key);
}

/* ---- pods on nodes ---- */

void yk_pod_index_pod_on_node(struct yk_pod_index *pod_index, struct yk_cache_pod *pod,
                              const struct yk_cache_node *node, bool is_added)
{
    const struct yk_pod_profile *profile = pod->profile;
    const struct yk_k8s_match *match;
    int change = is_added ? 1 : -1;
    if (profile == NULL || node->slot == 0)
        return; /* the pods of a node are counted when the node is added */
    yk_list_foreach (match, &profile->entity.matches, struct yk_k8s_match, of_entity)
        yk__rule_count(pod_index, match->rule, pod, node->slot, change);
    for (uint32_t i = 0; i < profile->existing_anti_count; i++)
        yk__rule_count(pod_index, profile->existing_anti[i], pod, node->slot, change);
}
