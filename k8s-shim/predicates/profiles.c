/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: what selectors and ports see of pods, once for all pods that look the same. */
#include "predicates/books_priv.h"

struct namespace_profiles {
    struct yk_list profiles;
    uint32_t count;
};

struct yk_list *yk__profiles_in(const struct yk_books *books, yk_name namespace_)
{
    struct namespace_profiles *there = yk_idmap_get(&books->by_namespace, namespace_.id);
    return there == NULL ? NULL : &there->profiles;
}

static void enter_namespace(struct yk_books *books, struct yk_pod_profile *profile)
{
    uint32_t id = profile->subject.namespace_.id;
    struct namespace_profiles *there = yk_idmap_get(&books->by_namespace, id);
    if (there == NULL) {
        there = yk_new0(struct namespace_profiles);
        yk_list_init(&there->profiles);
        (void)yk_idmap_put(&books->by_namespace, id, there); /* is new */
    }
    there->count++;
    yk_list_append(&there->profiles, &profile->in_namespace);
}

static void leave_namespace(struct yk_books *books, struct yk_pod_profile *profile)
{
    uint32_t id = profile->subject.namespace_.id;
    struct namespace_profiles *there = yk_idmap_get(&books->by_namespace, id);
    yk_list_remove(&profile->in_namespace);
    if (!YK_ASSERT(there != NULL) || --there->count > 0)
        return;
    (void)yk_idmap_remove(&books->by_namespace, id); /* was there */
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

/* ---- terms held ---- */

static bool is_held(const struct yk_pod_profile *profile, const struct yk_rule *rule)
{
    for (uint32_t i = 0; i < profile->held_count; i++) {
        if (profile->held[i] == rule)
            return true;
    }
    return false;
}

/* One term that does not parse drops them all (docs/reference/predicates.md 2.1). */
static void take_held(struct yk_books *books, struct yk_pod_profile *profile, const struct yk_pod *pod)
{
    uint32_t count = pod->anti_affinity_term_count;
    if (count == 0 || !yk_terms_parse(pod->anti_affinity_terms, count))
        return;
    profile->held = yk_new0_array(struct yk_rule *, count);
    for (uint32_t i = 0; i < count; i++) {
        struct yk_rule *rule = yk_rule_for_held(books, pod, &pod->anti_affinity_terms[i]);
        if (is_held(profile, rule))
            yk_rule_put(books, rule);
        else
            profile->held[profile->held_count++] = rule;
    }
}

static void copy_held(struct yk_pod_profile *profile, const struct yk_pod_profile *from)
{
    if (from->held_count == 0)
        return;
    profile->held = yk_new0_array(struct yk_rule *, from->held_count);
    for (; profile->held_count < from->held_count; profile->held_count++) {
        profile->held[profile->held_count] = from->held[profile->held_count];
        profile->held[profile->held_count]->holders++;
    }
}

/* ---- digests ---- */

/*
 * A hash under a secret of the process: that two pods which differ share it is as likely as guessing 128
 * bits. Labels are hashed one by one and added up, so that one can be taken out.
 */
struct digest {
    uint64_t halves[2];
};

static struct yk_str digest_bytes(const uint64_t halves[2])
{
    return (struct yk_str){(const char *)halves, 2 * sizeof(uint64_t)};
}

static void add_key(struct digest *digest, const struct yk_class_key *key, bool begins)
{
    uint64_t hash[2], sign = begins ? 1 : UINT64_MAX;
    yk_hash_128(key->bytes.p, key->bytes.len, hash);
    digest->halves[0] += sign * hash[0];
    digest->halves[1] += sign * hash[1];
}

static void add_label(struct yk_books *books, struct digest *digest, struct yk_str key, struct yk_str value,
                      bool begins)
{
    yk_class_key_begin(&books->profile_key);
    yk_class_key_text(&books->profile_key, key);
    yk_class_key_text(&books->profile_key, value);
    add_key(digest, &books->profile_key, begins);
}

/* Of what it says besides its own labels; the others are in books->shared. */
static struct digest digest_of(struct yk_books *books, const struct yk_pod *object)
{
    struct digest ret = {{0, 0}};
    yk_class_key_begin(&books->profile_key);
    yk_class_key_text(&books->profile_key, object->object.namespace_);
    yk_class_key_ports(&books->profile_key, object);
    yk_class_key_terms(&books->profile_key, object->anti_affinity_terms, object->anti_affinity_term_count,
                       object->object.namespace_);
    add_key(&ret, &books->profile_key, true);
    for (uint32_t i = 0; i < books->shared.count; i++)
        add_label(books, &ret, books->shared.items[i].key, books->shared.items[i].value, true);
    return ret;
}

/* ---- life ---- */

static struct yk_pod_profile *new_profile(const struct digest *digest)
{
    struct yk_pod_profile *profile = yk_new0(struct yk_pod_profile);
    memcpy(profile->digest, digest->halves, sizeof(profile->digest));
    yk_list_init(&profile->in_ports);
    yk_list_init(&profile->pods);
    return profile;
}

/* It says all that it will. */
static void open_profile(struct yk_books *books, struct yk_pod_profile *profile)
{
    if (profile->port_count > 0)
        yk_list_append(&books->port_profiles, &profile->in_ports);
    yk_list_append(&books->all_profiles, &profile->in_all);
    enter_namespace(books, profile);
    (void)yk_strmap_put(&books->profiles, digest_bytes(profile->digest), profile); /* is new */
    yk__label_keys_count(books, &profile->subject, 1);
    yk__subject_enter(books, &profile->subject);
}

static struct yk_pod_profile *profile_for(struct yk_books *books, const struct yk_pod *pod)
{
    const struct digest digest = digest_of(books, pod);
    struct yk_pod_profile *profile = yk_strmap_get(&books->profiles, digest_bytes(digest.halves));
    if (profile != NULL)
        return profile;
    profile = new_profile(&digest);
    yk_subject_init(&profile->subject, pod->object.namespace_, &books->shared, NULL, NULL);
    take_ports(profile, pod);
    take_held(books, profile, pod);
    open_profile(books, profile);
    return profile;
}

static void free_unless_used(struct yk_books *books, struct yk_pod_profile *profile)
{
    if (profile == NULL || profile->pod_count > 0)
        return;
    yk__subject_leave(&profile->subject);
    yk__label_keys_count(books, &profile->subject, -1);
    (void)yk_strmap_remove(&books->profiles, digest_bytes(profile->digest)); /* was there */
    leave_namespace(books, profile);
    yk_list_remove(&profile->in_all);
    yk_list_remove(&profile->in_ports);
    for (uint32_t i = 0; i < profile->held_count; i++)
        yk_rule_put(books, profile->held[i]);
    for (uint32_t i = 0; i < profile->port_count; i++) {
        yk_name_put(profile->ports[i].protocol);
        yk_name_put(profile->ports[i].ip);
    }
    yk_subject_done(&profile->subject);
    free(profile->held);
    free(profile->ports);
    free(profile);
}

/* Returns the profile that it had; NULL is fine for either. */
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

static void forget_pod(struct yk_books *books, struct yk_cache_pod *pod)
{
    yk_buf_clear(&books->own);
    yk__pod_set_own(books, pod, &books->own);
    free_unless_used(books, set_profile(pod, NULL));
}

static void change_profile(struct yk_books *books, struct yk_cache_pod *pod, struct yk_pod_profile *profile)
{
    if (pod->node != NULL)
        yk_books_pod_stands(books, pod, pod->node, false);
    struct yk_pod_profile *left = set_profile(pod, profile);
    if (pod->node != NULL)
        yk_books_pod_stands(books, pod, pod->node, true);
    free_unless_used(books, left);
}

static void take_labels(struct yk_books *books, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    yk__labels_split(books, &object->object.labels);
    if (yk_own_labels_are(pod->own_labels, &books->own))
        return;
    yk__pod_set_own(books, pod, &books->own);
    pod->flags |= YK_POD_RELABELLED;
}

void yk_books_pod_described(struct yk_books *books, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    if (object == NULL) {
        forget_pod(books, pod);
        return;
    }
    take_labels(books, pod, object);
    struct yk_pod_profile *profile = profile_for(books, object);
    if (profile == pod->profile)
        return;
    change_profile(books, pod, profile);
    pod->flags |= YK_POD_RELABELLED;
    yk__label_keys_settle(books);
}

/* ---- labels come into profiles, or go ---- */

/*
 * The profile of pods that differ from those of `from` in labels that no rule looks at: it matches the same
 * rules, so that pods go from one to the other uncounted.
 */
static struct yk_pod_profile *neighbour(struct yk_books *books, const struct yk_pod_profile *from,
                                        const struct digest *digest, const struct yk_label *labels,
                                        uint32_t count)
{
    struct yk_pod_profile *profile = yk_strmap_get(&books->profiles, digest_bytes(digest->halves));
    if (profile != NULL)
        return profile;
    profile = new_profile(digest);
    yk_subject_init_names(&profile->subject, from->subject.namespace_, labels, count);
    copy_ports(profile, from);
    copy_held(profile, from);
    open_profile(books, profile);
    return profile;
}

static void add_names(struct yk_books *books, struct digest *digest, struct yk_label label, bool begins)
{
    add_label(books, digest, yk_str_from(yk_name_text(label.key)), yk_str_from(yk_name_text(label.value)),
              begins);
}

static struct yk_pod_profile *without_own(struct yk_books *books, struct yk_pod_profile *from)
{
    struct digest digest = {{from->digest[0], from->digest[1]}};
    const struct yk_subject *subject = &from->subject;
    struct yk_label *left = yk_new0_array(struct yk_label, (size_t)subject->label_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < subject->label_count; i++) {
        if (yk__label_is_own(books, &subject->labels[i]))
            add_names(books, &digest, subject->labels[i], false);
        else
            left[count++] = subject->labels[i];
    }
    struct yk_pod_profile *to =
        count == subject->label_count ? from : neighbour(books, from, &digest, left, count);
    free(left);
    return to;
}

static struct yk_pod_profile *with(struct yk_books *books, const struct yk_pod_profile *from,
                                   struct yk_label label)
{
    struct digest digest = {{from->digest[0], from->digest[1]}};
    const struct yk_subject *subject = &from->subject;
    struct yk_label *more = yk_new0_array(struct yk_label, (size_t)subject->label_count + 1);
    if (subject->label_count > 0)
        memcpy(more, subject->labels, subject->label_count * sizeof(*more));
    more[subject->label_count] = label;
    add_names(books, &digest, label, true);
    struct yk_pod_profile *to = neighbour(books, from, &digest, more, subject->label_count + 1);
    free(more);
    return to;
}

/* Packs the pod's own labels, those under `key` apart, whose value is returned if there is one. */
static struct yk_str pack_others(struct yk_books *books, const struct yk_cache_pod *pod, yk_name key)
{
    struct yk_own_label label;
    struct yk_str value = {0};
    yk_buf_clear(&books->own);
    for (size_t at = 0; yk_own_labels_next(pod->own_labels, &at, &label);) {
        if (yk_name_eq(label.key, key))
            value = label.value;
        else
            (void)yk_own_labels_pack(&books->own, label.key, label.value); /* it was there */
    }
    return value;
}

/* False: too long. */
static bool pack_all(struct yk_books *books, const struct yk_cache_pod *pod)
{
    const struct yk_subject *subject = &pod->profile->subject;
    bool packed = true;
    (void)pack_others(books, pod, YK_NO_NAME); /* all that it has */
    for (uint32_t i = 0; i < subject->label_count; i++) {
        const struct yk_label *label = &subject->labels[i];
        if (yk__label_is_own(books, label))
            packed = packed &&
                     yk_own_labels_pack(&books->own, label->key, yk_str_from(yk_name_text(label->value)));
    }
    return packed;
}

static void move_labels_out(struct yk_books *books, struct yk_pod_profile *profile)
{
    struct yk_pod_profile *to = without_own(books, profile);
    struct yk_cache_pod *pod;
    if (to == profile)
        return;
    yk_list_foreach (pod, &profile->pods, struct yk_cache_pod, of_profile) {
        if (!pack_all(books, pod))
            continue; /* it stays */
        yk__pod_set_own(books, pod, &books->own);
        (void)set_profile(pod, to); /* looked at below */
    }
    free_unless_used(books, profile);
    free_unless_used(books, to);
}

/* New profiles, which stand at the end, have nothing to move. */
void yk__profiles_without_own(struct yk_books *books)
{
    struct yk_pod_profile *profile;
    yk_list_foreach (profile, &books->all_profiles, struct yk_pod_profile, in_all)
        move_labels_out(books, profile);
}

static void move_label_in(struct yk_books *books, struct yk_cache_pod *pod, yk_name key)
{
    struct yk_str value = pack_others(books, pod, key);
    if (value.p == NULL)
        return;
    struct yk_label label = {key, yk_name_get(value)};
    (void)set_profile(pod, with(books, pod->profile, label)); /* the caller has it */
    yk__pod_set_own(books, pod, &books->own);
    yk_name_put(label.value);
}

static void move_labels_in(struct yk_books *books, struct yk_pod_profile *profile, yk_name key)
{
    struct yk_cache_pod *pod;
    yk_list_foreach (pod, &profile->pods, struct yk_cache_pod, of_profile)
        move_label_in(books, pod, key);
    free_unless_used(books, profile);
}

void yk__profiles_with(struct yk_books *books, yk_name key)
{
    struct yk_pod_profile *profile;
    yk_list_foreach (profile, &books->all_profiles, struct yk_pod_profile, in_all)
        move_labels_in(books, profile, key);
}

/* ---- where they stand ---- */

void yk_books_pod_stands(struct yk_books *books, struct yk_cache_pod *pod, const struct yk_cache_node *node,
                         bool begins)
{
    const struct yk_pod_profile *profile = pod->profile;
    const struct yk_k8s_match *match;
    int change = begins ? 1 : -1;
    if (profile == NULL || node->spot == 0)
        return; /* nobody knows the node: it counts once it comes */
    yk_list_foreach (match, &profile->subject.matches, struct yk_k8s_match, of_subject)
        yk__rule_count(books, match->rule, pod, node->spot, change);
    for (uint32_t i = 0; i < profile->held_count; i++)
        yk__rule_count(books, profile->held[i], pod, node->spot, change);
}
