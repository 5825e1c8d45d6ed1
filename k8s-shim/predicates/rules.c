/* SPDX-License-Identifier: Apache-2.0 */
/* Rules: shared by all classes with the same constraint, and matched with entities. */
#include "base/map.h"
#include "predicates/classes.h"
#include "predicates/pod_index_priv.h"

/* ---- buckets ---- */

/* Rules for the same namespace (or for several namespaces) that require the same first label (or none), or
 * rules for host ports with the same protocol and number. With buckets, an entity is compared with few
 * rules. */
struct bucket {
    struct yk_list rules;
    uint32_t count;
};

enum { FOR_PODS, FOR_CLASSES, FOR_PORTS };

/* The number of a bucket is a hash, so different values can share a bucket. Therefore each rule in a bucket
 * is still compared. */
static uint64_t bucket_number(unsigned what, yk_name namespace_, yk_name key, yk_name value)
{
    uint64_t first = (uint64_t)namespace_.id << 32 | key.id, second = (uint64_t)value.id << 2 | what;
    return yk_hash_u64(yk_hash_u64(first) + second);
}

static uint64_t port_bucket(const struct yk_host_port *port)
{
    return bucket_number(FOR_PORTS, YK_NO_NAME, port->protocol, (yk_name){(uint32_t)port->number});
}

static uint64_t bucket_of(const struct yk_rule *rule)
{
    if (rule->kind == YK_RULE_PORT)
        return port_bucket(&rule->port);
    const struct yk_pod_selector *selector = &rule->selectors[0];
    bool one_namespace = selector->namespace_count == 1 && !selector->has_namespace_selector;
    yk_name namespace_ = one_namespace ? selector->namespaces[0] : YK_NO_NAME;
    unsigned what = rule->kind == YK_RULE_EXISTING_ANTI ? FOR_CLASSES : FOR_PODS;
    for (uint32_t i = 0; i < selector->line_count; i++) {
        const struct yk_compiled_requirement *line = &selector->lines[i];
        if (line->operator_ == YK_OPERATOR_IN && line->value_count == 1)
            return bucket_number(what, namespace_, line->key, line->values[0]);
    }
    return bucket_number(what, namespace_, YK_NO_NAME, YK_NO_NAME);
}

static void enter_bucket(struct yk_pod_index *pod_index, struct yk_rule *rule)
{
    rule->bucket = bucket_of(rule);
    struct bucket *bucket = yk_idmap_get(&pod_index->buckets, rule->bucket);
    if (bucket == NULL) {
        bucket = yk_new0(struct bucket);
        yk_list_init(&bucket->rules);
        (void)yk_idmap_put(&pod_index->buckets, rule->bucket, bucket); /* is new */
    }
    bucket->count++;
    yk_list_append(&bucket->rules, &rule->in_bucket);
}

static void leave_bucket(struct yk_pod_index *pod_index, struct yk_rule *rule)
{
    struct bucket *bucket = yk_idmap_get(&pod_index->buckets, rule->bucket);
    yk_list_remove(&rule->in_bucket);
    if (!YK_ASSERT(bucket != NULL) || --bucket->count > 0)
        return;
    (void)yk_idmap_remove(&pod_index->buckets, rule->bucket); /* was there */
    free(bucket);
}

/* ---- matching ---- */

static bool ports_clash(const struct yk_host_port *a, const struct yk_host_port *b)
{
    if (a->number != b->number || !yk_name_eq(a->protocol, b->protocol))
        return false;
    return yk_name_eq(a->ip, b->ip) || strcmp(yk_name_text(a->ip), "0.0.0.0") == 0 ||
           strcmp(yk_name_text(b->ip), "0.0.0.0") == 0;
}

static bool port_matches(const struct yk_rule *rule, const struct yk_entity *entity)
{
    const struct yk_pod_profile *profile = (const struct yk_pod_profile *)(const void *)entity;
    for (uint32_t i = 0; i < profile->port_count; i++) {
        if (ports_clash(&rule->port, &profile->ports[i]))
            return true;
    }
    return false;
}

static bool rule_matches(const struct yk_pod_index *pod_index, const struct yk_rule *rule,
                         const struct yk_entity *entity)
{
    if (entity->is_class != (rule->kind == YK_RULE_EXISTING_ANTI))
        return false;
    if (rule->kind == YK_RULE_PORT)
        return port_matches(rule, entity);
    /* Compat: kube-scheduler counts no pods for a spread constraint whose selector has no requirements,
     * although every pod matches it. */
    if (rule->kind == YK_RULE_SPREAD && rule->selectors[0].line_count == 0)
        return false;
    for (uint32_t i = 0; i < rule->selector_count; i++) {
        if (!yk_pod_selector_matches(&rule->selectors[i], entity, pod_index->cache))
            return false;
    }
    return true;
}

static struct yk_k8s_match *match_new(struct yk_rule *rule, struct yk_entity *entity)
{
    struct yk_k8s_match *match = yk_new0(struct yk_k8s_match);
    match->rule = rule;
    match->entity = entity;
    yk_list_append(&entity->matches, &match->of_entity);
    yk_list_append(&rule->matches, &match->of_rule);
    return match;
}

static void match_free(struct yk_k8s_match *match)
{
    yk_list_remove(&match->of_entity);
    yk_list_remove(&match->of_rule);
    free(match);
}

/* Whether the rule has not been evaluated yet in the current lookup. Marks it as evaluated. A lookup can look
 * into the same bucket twice, because different values can share a bucket. */
static bool is_first_time(const struct yk_pod_index *pod_index, struct yk_rule *rule)
{
    bool first = rule->round != pod_index->round;
    rule->round = pod_index->round;
    return first;
}

static void look_in(struct yk_pod_index *pod_index, uint64_t number, struct yk_entity *entity)
{
    const struct bucket *bucket = yk_idmap_get(&pod_index->buckets, number);
    struct yk_rule *rule;
    if (bucket == NULL)
        return;
    yk_list_foreach (rule, &bucket->rules, struct yk_rule, in_bucket) {
        if (is_first_time(pod_index, rule) && rule_matches(pod_index, rule, entity))
            (void)match_new(rule, entity);
    }
}

void yk__entity_add(struct yk_pod_index *pod_index, struct yk_entity *entity)
{
    unsigned what = entity->is_class ? FOR_CLASSES : FOR_PODS;
    if (pod_index->rules.count == 0)
        return;
    pod_index->round++;
    for (int scoped = 0; scoped < 2; scoped++) {
        yk_name namespace_ = scoped != 0 ? entity->namespace_ : YK_NO_NAME;
        look_in(pod_index, bucket_number(what, namespace_, YK_NO_NAME, YK_NO_NAME), entity);
        for (uint32_t i = 0; i < entity->label_count; i++) {
            const struct yk_label *label = &entity->labels[i];
            look_in(pod_index, bucket_number(what, namespace_, label->key, label->value), entity);
        }
    }
    if (entity->is_class)
        return;
    const struct yk_pod_profile *profile = yk__profile_of(entity);
    for (uint32_t i = 0; i < profile->port_count; i++)
        look_in(pod_index, port_bucket(&profile->ports[i]), entity);
}

void yk__entity_remove(struct yk_entity *entity)
{
    struct yk_k8s_match *match;
    yk_list_foreach (match, &entity->matches, struct yk_k8s_match, of_entity)
        match_free(match);
}

/* ---- matching a new rule ---- */

static void meet_profile(struct yk_pod_index *pod_index, struct yk_rule *rule, struct yk_pod_profile *profile)
{
    if (!rule_matches(pod_index, rule, &profile->entity))
        return;
    (void)match_new(rule, &profile->entity);
    yk__rule_count_profile(pod_index, rule, profile, 1);
}

static void meet_profiles(struct yk_pod_index *pod_index, struct yk_rule *rule)
{
    struct yk_pod_profile *profile;
    if (rule->kind == YK_RULE_PORT) {
        yk_list_foreach (profile, &pod_index->port_profiles, struct yk_pod_profile, in_ports)
            meet_profile(pod_index, rule, profile);
        return;
    }
    const struct yk_pod_selector *selector = &rule->selectors[0];
    if (selector->has_namespace_selector) {
        yk_list_foreach (profile, &pod_index->all_profiles, struct yk_pod_profile, in_all)
            meet_profile(pod_index, rule, profile);
        return;
    }
    for (uint32_t i = 0; i < selector->namespace_count; i++) {
        const struct yk_list *there = yk__profiles_in(pod_index, selector->namespaces[i]);
        if (there == NULL)
            continue;
        yk_list_foreach (profile, there, struct yk_pod_profile, in_namespace)
            meet_profile(pod_index, rule, profile);
    }
}

static void meet_classes(struct yk_pod_index *pod_index, struct yk_rule *rule)
{
    struct yk_k8s_class *class_;
    yk_list_foreach (class_, &pod_index->classes, struct yk_k8s_class, in_index) {
        if (rule_matches(pod_index, rule, &class_->entity))
            (void)match_new(rule, &class_->entity);
    }
}

static bool can_match(const struct yk_rule *rule)
{
    for (uint32_t i = 0; i < rule->selector_count; i++) {
        if (rule->selectors[i].matches_nothing)
            return false;
    }
    return true;
}

/* ---- references: labels of waiting pods that rules refer to ---- */

static uint64_t reference_number(yk_name namespace_, yk_name key)
{
    return (uint64_t)namespace_.id << 32 | key.id;
}

enum { REFERENCES_KEPT = 1 << 16 }; /* if `references` has fewer entries, none is dropped */

void yk__references_tidy(struct yk_pod_index *pod_index, bool everything)
{
    struct yk_idmap left = {0};
    const struct yk_idmap *all = &pod_index->references;
    for (size_t i = 0; all->count > 0 && i <= all->mask; i++) {
        const struct yk_idmap_slot *slot = &all->slots[i];
        if ((uintptr_t)slot->value > 1 && !everything) {
            (void)yk_idmap_put(&left, slot->key, slot->value); /* is new */
        } else if (slot->value != NULL) {
            yk_name_put((yk_name){(uint32_t)(slot->key >> 32)});
            yk_name_put((yk_name){(uint32_t)slot->key});
        }
    }
    yk_idmap_done(&pod_index->references);
    pod_index->references = left;
    pod_index->references_max = YK_MAX(REFERENCES_KEPT, 2 * left.count);
}

/* Counts a rule that refers to the label key. An entry without rules is kept for a while: pods with
 * anti-affinity that come and go would otherwise make all waiting pods change their classes each time. */
static void reference_one(struct yk_pod_index *pod_index, yk_name namespace_, yk_name key, int change)
{
    uint64_t number = reference_number(namespace_, key);
    uintptr_t looking = (uintptr_t)yk_idmap_get(&pod_index->references, number);
    if (looking == 0) {
        looking = 1;
        (void)yk_idmap_put(&pod_index->newly_referenced, namespace_.id,
                           pod_index); /* the map is a set: any value but NULL will do */
        if (pod_index->references.count >= YK_MAX(REFERENCES_KEPT, pod_index->references_max))
            yk__references_tidy(pod_index, false);
        (void)yk_name_ref(namespace_); /* the entry holds both names, whose ids are its number */
        (void)yk_name_ref(key);
    }
    looking += (uintptr_t)change;
    (void)yk_idmap_put(&pod_index->references, number, (void *)looking); /* replaces the old value */
}

static void reference_in(struct yk_pod_index *pod_index, const struct yk_pod_selector *selector,
                         yk_name namespace_, int change)
{
    reference_one(pod_index, namespace_, YK_NO_NAME, change);
    for (uint32_t i = 0; i < selector->line_count; i++)
        reference_one(pod_index, namespace_, selector->lines[i].key, change);
}

static void reference(struct yk_pod_index *pod_index, const struct yk_rule *rule, int change)
{
    if (rule->kind != YK_RULE_EXISTING_ANTI || !can_match(rule))
        return;
    const struct yk_pod_selector *selector = &rule->selectors[0];
    if (selector->has_namespace_selector)
        reference_in(pod_index, selector, YK_NO_NAME, change);
    for (uint32_t i = 0; i < selector->namespace_count; i++)
        reference_in(pod_index, selector, selector->namespaces[i], change);
}

bool yk_pod_index_is_referenced(const struct yk_pod_index *pod_index, yk_name namespace_, yk_name key)
{
    return yk_idmap_get(&pod_index->references, reference_number(YK_NO_NAME, key)) != NULL ||
           yk_idmap_get(&pod_index->references, reference_number(namespace_, key)) != NULL;
}

/* ---- creation and removal of rules ---- */

static struct yk_rule *rule_new(struct yk_pod_index *pod_index, enum yk_rule_kind kind, struct yk_str key)
{
    struct yk_rule *rule = yk_new0(struct yk_rule);
    rule->kind = kind;
    rule->key = yk_realloc_array(NULL, key.len, 1);
    memcpy(rule->key, key.p, key.len);
    rule->key_len = key.len;
    yk_list_init(&rule->matches);
    yk_list_init(&rule->uses);
    yk_list_init(&rule->with_namespace_selector);
    (void)yk_strmap_put(&pod_index->rules, (struct yk_str){rule->key, key.len}, rule); /* is new */
    return rule;
}

static void open_rule(struct yk_pod_index *pod_index, struct yk_rule *rule)
{
    yk__label_keys_reference(pod_index, rule, 1); /* moves the labels that the rule refers to into profiles */
    if (can_match(rule)) {
        enter_bucket(pod_index, rule);
        if (rule->kind == YK_RULE_EXISTING_ANTI)
            meet_classes(pod_index, rule);
        else
            meet_profiles(pod_index, rule);
    }
    for (uint32_t i = 0; i < rule->selector_count; i++) {
        if (rule->selectors[i].has_namespace_selector && !yk_list_linked(&rule->with_namespace_selector))
            yk_list_append(&pod_index->with_namespace_selector, &rule->with_namespace_selector);
    }
    reference(pod_index, rule, 1);
}

void yk_rule_put(struct yk_pod_index *pod_index, struct yk_rule *rule)
{
    struct yk_k8s_match *match;
    if (rule == NULL || !YK_ASSERT(rule->holders > 0) || --rule->holders > 0)
        return;
    YK_ASSERT(yk_list_empty(&rule->uses));
    reference(pod_index, rule, -1);
    yk__label_keys_reference(pod_index, rule, -1);
    yk_list_foreach (match, &rule->matches, struct yk_k8s_match, of_rule)
        match_free(match);
    if (can_match(rule))
        leave_bucket(pod_index, rule);
    yk_list_remove(&rule->with_namespace_selector);
    (void)yk_strmap_remove(&pod_index->rules, (struct yk_str){rule->key, rule->key_len}); /* was there */
    for (uint32_t i = 0; i < rule->axis_count; i++) {
        if (rule->axes[i].key != NULL)
            yk_topology_unuse(&pod_index->topology, rule->axes[i].key);
        yk_counts_done(&rule->axes[i].pods);
    }
    for (uint32_t i = 0; i < rule->selector_count; i++)
        yk_pod_selector_done(&rule->selectors[i]);
    if (rule->spread_nodes != NULL)
        yk_list_remove(&rule->in_spread_nodes);
    yk__spread_nodes_put(pod_index, rule->spread_nodes);
    yk_counts_done(&rule->levels);
    yk_name_put(rule->port.protocol);
    yk_name_put(rule->port.ip);
    free(rule->selectors);
    free(rule->axes);
    free(rule->key);
    free(rule);
}

/* ---- the five kinds of rules ---- */

static void begin_key(struct yk_pod_index *pod_index, enum yk_rule_kind kind)
{
    yk_class_key_begin(&pod_index->rule_key);
    yk_buf_char(&pod_index->rule_key.bytes, (char)('0' + kind));
}

/* The rule with the key in `pod_index->rule_key`, with a reference. `*ret_new`: whether the rule is new. The
 * caller then fills a new rule and calls open_rule(). */
static struct yk_rule *find_or_new(struct yk_pod_index *pod_index, enum yk_rule_kind kind, bool *ret_new)
{
    struct yk_str key = yk_buf_view(&pod_index->rule_key.bytes);
    struct yk_rule *rule = yk_strmap_get(&pod_index->rules, key);
    *ret_new = rule == NULL;
    if (rule == NULL)
        rule = rule_new(pod_index, kind, key);
    rule->holders++;
    return rule;
}

static void add_axis(struct yk_pod_index *pod_index, struct yk_rule *rule, struct yk_str key)
{
    yk_name name = yk_name_get(key);
    struct yk_topology_key *column = yk_topology_use(&pod_index->topology, name);
    yk_name_put(name);
    for (uint32_t i = 0; i < rule->axis_count; i++) {
        if (rule->axes[i].key == column) {
            yk_topology_unuse(&pod_index->topology, column);
            return;
        }
    }
    rule->axes[rule->axis_count++].key = column;
}

struct yk_rule *yk_rule_for_port(struct yk_pod_index *pod_index, const struct yk_container_port *port)
{
    bool is_new;
    begin_key(pod_index, YK_RULE_PORT);
    yk_class_key_port(&pod_index->rule_key, port);
    struct yk_rule *rule = find_or_new(pod_index, YK_RULE_PORT, &is_new);
    if (!is_new)
        return rule;
    rule->port = (struct yk_host_port){yk_name_get(yk_port_protocol(port)), yk_name_get(yk_port_ip(port)),
                                       port->host_port};
    rule->axes = yk_new0_array(struct yk_axis, 1);
    rule->axis_count = 1;
    open_rule(pod_index, rule);
    return rule;
}

/* The terms are valid. */
static void take_terms(struct yk_pod_index *pod_index, struct yk_rule *rule,
                       const struct yk_pod_affinity_term *terms, uint32_t count,
                       struct yk_str owner_namespace)
{
    rule->selectors = yk_new0_array(struct yk_pod_selector, count);
    rule->axes = yk_new0_array(struct yk_axis, count);
    for (uint32_t i = 0; i < count; i++) {
        bool valid =
            yk_pod_selector_init(&rule->selectors[rule->selector_count++], &terms[i], owner_namespace);
        YK_ASSERT(valid); /* the caller has checked the selectors */
        add_axis(pod_index, rule, terms[i].topology_key);
    }
    open_rule(pod_index, rule);
}

struct yk_rule *yk_rule_for_affinity(struct yk_pod_index *pod_index, const struct yk_pod *pod)
{
    bool is_new;
    begin_key(pod_index, YK_RULE_AFFINITY);
    yk_class_key_terms(&pod_index->rule_key, pod->affinity_terms, pod->affinity_term_count,
                       pod->object.namespace_);
    struct yk_rule *rule = find_or_new(pod_index, YK_RULE_AFFINITY, &is_new);
    if (is_new)
        take_terms(pod_index, rule, pod->affinity_terms, pod->affinity_term_count, pod->object.namespace_);
    return rule;
}

static struct yk_rule *for_term(struct yk_pod_index *pod_index, enum yk_rule_kind kind,
                                const struct yk_pod *pod, const struct yk_pod_affinity_term *term)
{
    bool is_new;
    begin_key(pod_index, kind);
    yk_class_key_term(&pod_index->rule_key, term, pod->object.namespace_);
    struct yk_rule *rule = find_or_new(pod_index, kind, &is_new);
    if (is_new)
        take_terms(pod_index, rule, term, 1, pod->object.namespace_);
    return rule;
}

struct yk_rule *yk_rule_for_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                 const struct yk_pod_affinity_term *term)
{
    return for_term(pod_index, YK_RULE_ANTI, pod, term);
}

struct yk_rule *yk_rule_for_existing_anti(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                          const struct yk_pod_affinity_term *term)
{
    return for_term(pod_index, YK_RULE_EXISTING_ANTI, pod, term);
}

static uint32_t axis_of(const struct yk_spread_nodes *spread_nodes, const struct yk_topology_key *key)
{
    uint32_t axis = 0;
    while (axis + 1 < spread_nodes->axis_count && spread_nodes->axes[axis].key != key)
        axis++;
    return axis;
}

/* The set of nodes that are eligible for the constraint, with a reference. A lookup needs all constraints of
 * the pod, so there is only one per combination of policies. */
static struct yk_spread_nodes *spread_nodes_for(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                                const struct yk_spread_constraint *constraint,
                                                struct yk_spread_nodes **known)
{
    unsigned policy =
        (yk_spread_honors_affinity(constraint) ? 1u : 0u) | (yk_spread_honors_taints(constraint) ? 2u : 0u);
    if (known[policy] == NULL)
        known[policy] = yk__spread_nodes_get(pod_index, pod, constraint);
    else
        known[policy]->holders++;
    return known[policy];
}

struct yk_rule *yk_rule_for_spread(struct yk_pod_index *pod_index, const struct yk_pod *pod,
                                   const struct yk_spread_constraint *constraint,
                                   struct yk_spread_nodes *known[static YK_SPREAD_NODES_PER_POD])
{
    bool is_new;
    struct yk_spread_nodes *spread_nodes = spread_nodes_for(pod_index, pod, constraint, known);
    begin_key(pod_index, YK_RULE_SPREAD);
    yk_class_key_spread_selector(&pod_index->rule_key, constraint, pod->object.namespace_,
                                 &pod->object.labels);
    yk_buf_add(&pod_index->rule_key.bytes, &spread_nodes->sequence, sizeof(spread_nodes->sequence));
    struct yk_rule *rule = find_or_new(pod_index, YK_RULE_SPREAD, &is_new);
    if (!is_new) {
        yk__spread_nodes_put(pod_index, spread_nodes);
        return rule;
    }
    rule->selectors = yk_new0_array(struct yk_pod_selector, 1);
    rule->selector_count = 1;
    bool valid =
        yk_spread_selector_init(&rule->selectors[0], constraint, pod->object.namespace_, &pod->object.labels);
    YK_ASSERT(valid); /* the caller has checked the selectors */
    rule->axes = yk_new0_array(struct yk_axis, 1);
    add_axis(pod_index, rule, constraint->topology_key);
    rule->spread_nodes = spread_nodes;
    rule->spread_axis = axis_of(spread_nodes, rule->axes[0].key);
    yk_list_append(&spread_nodes->rules, &rule->in_spread_nodes);
    open_rule(pod_index, rule);
    return rule;
}

/* ---- classes as entities; namespaces ---- */

void yk_pod_index_class_added(struct yk_pod_index *pod_index, struct yk_k8s_class *class_)
{
    if (class_->entity.namespace_.id == 0)
        return;
    yk_list_append(&pod_index->classes, &class_->in_index);
    yk__entity_add(pod_index, &class_->entity);
}

void yk_pod_index_class_removed(struct yk_pod_index *pod_index, struct yk_k8s_class *class_)
{
    (void)pod_index;
    yk__entity_remove(&class_->entity);
    yk_list_remove(&class_->in_index);
    yk_list_remove(&class_->in_woken);
}

/* The labels of the entity's namespace have changed: updates its matches with rules that have a
 * namespaceSelector. True: a rule matched the entity and no longer does. */
static bool entity_match_again(struct yk_pod_index *pod_index, struct yk_entity *entity)
{
    bool ceased = false;
    struct yk_k8s_match *match;
    struct yk_rule *rule;
    pod_index->round++;
    yk_list_foreach (match, &entity->matches, struct yk_k8s_match, of_entity) {
        rule = match->rule;
        rule->round = pod_index->round;
        if (!yk_list_linked(&rule->with_namespace_selector) || rule_matches(pod_index, rule, entity))
            continue;
        ceased = true;
        match_free(match);
        if (!entity->is_class)
            yk__rule_count_profile(pod_index, rule, yk__profile_of(entity), -1);
    }
    yk_list_foreach (rule, &pod_index->with_namespace_selector, struct yk_rule, with_namespace_selector) {
        if (!is_first_time(pod_index, rule) || !can_match(rule) || !rule_matches(pod_index, rule, entity))
            continue;
        (void)match_new(rule, entity);
        if (!entity->is_class)
            yk__rule_count_profile(pod_index, rule, yk__profile_of(entity), 1);
    }
    return ceased;
}

void yk_pod_index_namespace_changed(struct yk_pod_index *pod_index, struct yk_str name)
{
    yk_name namespace_ = yk_name_find(name);
    struct yk_pod_profile *profile;
    struct yk_k8s_class *class_;
    if (namespace_.id == 0)
        return; /* no pod and no class has that namespace */
    const struct yk_list *profiles = yk__profiles_in(pod_index, namespace_);
    if (profiles != NULL) {
        yk_list_foreach (profile, profiles, struct yk_pod_profile, in_namespace)
            (void)entity_match_again(pod_index, &profile->entity); /* changed counters wake classes */
    }
    yk_list_foreach (class_, &pod_index->classes, struct yk_k8s_class, in_index) {
        if (!yk_name_eq(class_->entity.namespace_, namespace_))
            continue;
        bool ceased = entity_match_again(pod_index, &class_->entity);
        if (yk__class_update_self_match(pod_index, class_) || ceased)
            yk_pod_index_wake(pod_index, class_);
    }
}
