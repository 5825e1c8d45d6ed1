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

/* ---- life ---- */

struct digest {
    uint64_t halves[2];
};

static struct yk_str digest_bytes(const uint64_t halves[2])
{
    return (struct yk_str){(const char *)halves, 2 * sizeof(uint64_t)};
}

static struct yk_pod_profile *profile_new(struct yk_books *books, const struct yk_pod *pod,
                                          const struct digest *digest)
{
    struct yk_pod_profile *profile = yk_new0(struct yk_pod_profile);
    memcpy(profile->digest, digest->halves, sizeof(profile->digest));
    yk_subject_init(&profile->subject, pod->object.namespace_, &pod->object.labels, NULL, NULL);
    yk_list_init(&profile->pods);
    yk_list_init(&profile->in_ports);
    take_ports(profile, pod);
    if (profile->port_count > 0)
        yk_list_append(&books->port_profiles, &profile->in_ports);
    yk_list_append(&books->all_profiles, &profile->in_all);
    enter_namespace(books, profile);
    (void)yk_strmap_put(&books->profiles, digest_bytes(profile->digest), profile); /* is new */
    take_held(books, profile, pod);
    yk__subject_enter(books, &profile->subject);
    return profile;
}

static void profile_free(struct yk_books *books, struct yk_pod_profile *profile)
{
    yk__subject_leave(&profile->subject);
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

static void leave_profile(struct yk_books *books, struct yk_cache_pod *pod)
{
    struct yk_pod_profile *profile = pod->profile;
    if (profile == NULL)
        return;
    yk_list_remove(&pod->of_profile);
    pod->profile = NULL;
    if (yk_list_empty(&profile->pods))
        profile_free(books, profile);
}

/*
 * Two hashes under a secret of the process, of the canonical bytes and of these with one more: that two pods
 * which differ share both is as likely as guessing 128 bits.
 */
static struct digest digest_of(struct yk_books *books, const struct yk_pod *object)
{
    const struct yk_buf *bytes = &books->profile_key.bytes;
    struct digest ret;
    yk_class_key_begin(&books->profile_key);
    yk_class_key_labels(&books->profile_key, &object->object);
    yk_class_key_ports(&books->profile_key, object);
    yk_class_key_terms(&books->profile_key, object->anti_affinity_terms, object->anti_affinity_term_count,
                       object->object.namespace_);
    ret.halves[0] = yk_hash(bytes->p, bytes->len);
    yk_buf_char(&books->profile_key.bytes, '+');
    ret.halves[1] = yk_hash(bytes->p, bytes->len);
    return ret;
}

void yk_books_pod_described(struct yk_books *books, struct yk_cache_pod *pod, const struct yk_pod *object)
{
    if (object == NULL) {
        leave_profile(books, pod);
        return;
    }
    const struct digest digest = digest_of(books, object);
    const struct yk_pod_profile *before = pod->profile;
    if (before != NULL && memcmp(digest.halves, before->digest, sizeof(before->digest)) == 0)
        return;
    struct yk_pod_profile *profile = yk_strmap_get(&books->profiles, digest_bytes(digest.halves));
    if (profile == NULL)
        profile = profile_new(books, object, &digest);
    if (pod->node != NULL)
        yk_books_pod_stands(books, pod, pod->node, false);
    yk_list_remove(&pod->of_profile); /* the new one stays, though nobody has it yet */
    yk_list_append(&profile->pods, &pod->of_profile);
    struct yk_pod_profile *left = pod->profile;
    pod->profile = profile;
    if (pod->node != NULL)
        yk_books_pod_stands(books, pod, pod->node, true);
    if (left != NULL && yk_list_empty(&left->pods))
        profile_free(books, left);
}

void yk_books_pod_stands(struct yk_books *books, struct yk_cache_pod *pod, const struct yk_cache_node *node,
                         bool begins)
{
    const struct yk_pod_profile *profile = pod->profile;
    const struct yk_match *match;
    int change = begins ? 1 : -1;
    if (profile == NULL || node->spot == 0)
        return; /* nobody knows the node: it counts once it comes */
    yk_list_foreach (match, &profile->subject.matches, struct yk_match, of_subject)
        yk__rule_count(books, match->rule, pod, node->spot, change);
    for (uint32_t i = 0; i < profile->held_count; i++)
        yk__rule_count(books, profile->held[i], pod, node->spot, change);
}
