/* SPDX-License-Identifier: Apache-2.0 */
/* The filters NodePorts, PodTopologySpread and InterPodAffinity, which read counters of the pod index
 * (docs/reference/predicates.md 4.6, 4.12, 4.13). */
#include "predicates/dynamic.h"

#include "predicates/classes.h"

static bool spread_parses(const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        struct yk_pod_selector selector;
        if (!yk_spread_is_hard(&pod->spread_constraints[i]))
            continue;
        if (!yk_spread_selector_init(&selector, &pod->spread_constraints[i], YK_STR(""), &pod->object.labels))
            return false;
        yk_pod_selector_done(&selector);
    }
    return true;
}

/* ---- the rules that a class uses ---- */

static struct yk_use *add_use(struct yk_dynamic *ret, struct yk_class_spec *spec, struct yk_rule *rule)
{
    struct yk_use *use = &ret->uses[ret->use_count++];
    *use = (struct yk_use){.rule = rule, .spec = spec};
    yk_list_append(&rule->uses, &use->of_rule);
    return use;
}

static void use_ports(struct yk_dynamic *ret, struct yk_pod_index *pod_index, struct yk_class_spec *spec,
                      const struct yk_container *container)
{
    for (uint32_t i = 0; i < container->port_count; i++) {
        if (container->ports[i].host_port > 0)
            (void)add_use(ret, spec, yk_rule_for_port(pod_index, &container->ports[i])); /* no skew to set */
    }
}

static void use_all_ports(struct yk_dynamic *ret, struct yk_pod_index *pod_index, struct yk_class_spec *spec,
                          const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < pod->container_count; i++)
        use_ports(ret, pod_index, spec, &pod->containers[i]);
    for (uint32_t i = 0; i < pod->init_container_count; i++) {
        if (yk_str_is(pod->init_containers[i].restart_policy, "Always"))
            use_ports(ret, pod_index, spec, &pod->init_containers[i]);
    }
}

static void use_spread(struct yk_dynamic *ret, struct yk_pod_index *pod_index, struct yk_class_spec *spec,
                       const struct yk_pod *pod)
{
    struct yk_spread_nodes *known[YK_SPREAD_NODES_PER_POD] = {NULL};
    for (uint32_t i = 0; i < pod->spread_constraint_count; i++) {
        const struct yk_spread_constraint *constraint = &pod->spread_constraints[i];
        if (!yk_spread_is_hard(constraint))
            continue;
        struct yk_use *use = add_use(ret, spec, yk_rule_for_spread(pod_index, pod, constraint, known));
        use->max_skew = constraint->max_skew;
        use->min_domains = constraint->min_domains > 0 ? (uint32_t)constraint->min_domains : 1;
    }
}

static size_t most_uses(const struct yk_pod *pod)
{
    size_t most =
        (size_t)(pod->affinity_term_count > 0) + pod->spread_constraint_count + pod->anti_affinity_term_count;
    for (uint32_t i = 0; i < pod->container_count; i++)
        most += pod->containers[i].port_count;
    for (uint32_t i = 0; i < pod->init_container_count; i++)
        most += pod->init_containers[i].port_count;
    return most;
}

/* `own_keys` has no references to the names: the rule holds them. */
static void take_keys(struct yk_dynamic *ret, struct yk_rule *rule)
{
    for (uint32_t i = 0; i < rule->selector_count; i++) {
        const struct yk_pod_selector *selector = &rule->selectors[i];
        for (uint32_t j = 0; j < selector->line_count; j++)
            (void)yk_idmap_put(&ret->own_keys, selector->lines[j].key.id, rule); /* own_keys is a set */
    }
}

void yk_dynamic_init(struct yk_dynamic *ret, struct yk_pod_index *pod_index, struct yk_class_spec *spec,
                     const struct yk_pod *pod)
{
    *ret = (struct yk_dynamic){.is_invalid =
                                   !yk_terms_parse(pod->affinity_terms, pod->affinity_term_count) ||
                                   !yk_terms_parse(pod->anti_affinity_terms, pod->anti_affinity_term_count) ||
                                   !spread_parses(pod)};
    size_t most = most_uses(pod);
    if (ret->is_invalid || most == 0)
        return;
    ret->uses = yk_new0_array(struct yk_use, most);
    use_all_ports(ret, pod_index, spec, pod);
    use_spread(ret, pod_index, spec, pod);
    if (pod->affinity_term_count > 0)
        (void)add_use(ret, spec, yk_rule_for_affinity(pod_index, pod)); /* no skew to set */
    for (uint32_t i = 0; i < pod->anti_affinity_term_count; i++)
        (void)add_use(ret, spec,
                      yk_rule_for_anti(pod_index, pod, &pod->anti_affinity_terms[i])); /* no skew to set */
    for (uint32_t i = 0; i < ret->use_count; i++)
        take_keys(ret, ret->uses[i].rule);
}

void yk_dynamic_done(struct yk_dynamic *dynamic, struct yk_pod_index *pod_index)
{
    for (uint32_t i = 0; i < dynamic->use_count; i++) {
        yk_list_remove(&dynamic->uses[i].of_rule);
        yk_rule_put(pod_index, dynamic->uses[i].rule);
    }
    free(dynamic->uses);
    yk_idmap_done(&dynamic->own_keys);
    *dynamic = (struct yk_dynamic){.uses = NULL};
}

/* ---- answers ---- */

enum yk_verdict yk__class_verdict_on_ports(const struct yk_k8s_class *class_,
                                           const struct yk_cache_node *node, struct yk_filter_sample *sample)
{
    const struct yk_dynamic *dynamic = &class_->spec->dynamic;
    enum yk_verdict verdict = YK_VERDICT_FITS;
    uint32_t ports = 0;
    while (verdict == YK_VERDICT_FITS && ports < dynamic->use_count &&
           dynamic->uses[ports].rule->kind == YK_RULE_PORT) {
        if (yk_counts_get(&dynamic->uses[ports++].rule->axes[0].pods, node->slot) > 0)
            verdict = YK_VERDICT_PORTS;
    }
    if (ports > 0)
        yk_filter_sample_step(sample, YK_VERDICT_PORTS);
    return verdict;
}

static enum yk_verdict spread_verdict(const struct yk_use *use, bool matches_itself, uint32_t domain)
{
    struct yk_rule *rule = use->rule;
    if (domain == 0)
        return YK_VERDICT_SPREAD_LABEL;
    int64_t count = yk_counts_get(&rule->axes[0].pods, domain);
    int64_t least = yk_rule_domains(rule) < use->min_domains ? 0 : yk_rule_floor(rule);
    return count + matches_itself - least > use->max_skew ? YK_VERDICT_SPREAD : YK_VERDICT_FITS;
}

/* `of_kind`, here and below: the question is about all nodes of a signature, so hostname domains do not
 * count. */
static enum yk_verdict affinity_verdict(const struct yk_rule *rule, bool matches_itself, uint32_t slot,
                                        bool of_kind)
{
    bool all = true;
    for (uint32_t i = 0; i < rule->axis_count; i++) {
        const struct yk_axis *axis = &rule->axes[i];
        if (of_kind && axis->key->is_hostname)
            continue;
        uint32_t domain = yk_domain_at(axis->key, slot);
        if (domain == 0)
            return YK_VERDICT_POD_AFFINITY;
        all = all && yk_counts_get(&axis->pods, domain) > 0;
    }
    /* The first pod of a group whose pods have affinity to each other needs no other pod in its domains. */
    return all || (rule->entries == 0 && matches_itself) ? YK_VERDICT_FITS : YK_VERDICT_POD_AFFINITY;
}

static bool is_in_domain(const struct yk_axis *axis, uint32_t slot)
{
    uint32_t domain = yk_domain_at(axis->key, slot);
    return domain != 0 && yk_counts_get(&axis->pods, domain) > 0;
}

static enum yk_verdict use_verdict(const struct yk_k8s_class *class_, uint32_t index, uint32_t slot,
                                   bool of_kind)
{
    const struct yk_use *use = &class_->spec->dynamic.uses[index];
    const struct yk_axis *axis = &use->rule->axes[0];
    bool skip = of_kind && axis->key != NULL && axis->key->is_hostname;
    switch (use->rule->kind) {
    case YK_RULE_SPREAD:
        return skip ? YK_VERDICT_FITS
                    : spread_verdict(use, class_->matches_itself[index], yk_domain_at(axis->key, slot));
    case YK_RULE_AFFINITY:
        return affinity_verdict(use->rule, class_->matches_itself[index], slot, of_kind);
    case YK_RULE_ANTI:
        return !skip && is_in_domain(axis, slot) ? YK_VERDICT_ANTI_AFFINITY : YK_VERDICT_FITS;
    case YK_RULE_PORT:          /* see yk__class_verdict_on_ports() */
    case YK_RULE_EXISTING_ANTI: /* no class uses such a rule; see verdict_of_matches() */
        break;
    }
    return YK_VERDICT_FITS;
}

static void step_of_use(struct yk_filter_sample *sample, const struct yk_use *use)
{
    if (use->rule->kind != YK_RULE_PORT)
        yk_filter_sample_step(sample, use->rule->kind == YK_RULE_SPREAD ? YK_VERDICT_SPREAD
                                                                        : YK_VERDICT_POD_AFFINITY);
}

/* The verdict on the anti-affinity that pods on nodes have against pods of the class. */
static enum yk_verdict verdict_of_matches(const struct yk_k8s_class *class_, uint32_t slot, bool of_kind)
{
    const struct yk_k8s_match *match;
    yk_list_foreach (match, &class_->entity.matches, struct yk_k8s_match, of_entity) {
        const struct yk_axis *axis = &match->rule->axes[0];
        if (!(of_kind && axis->key->is_hostname) && is_in_domain(axis, slot))
            return YK_VERDICT_OTHERS_ANTI_AFFINITY;
    }
    return YK_VERDICT_FITS;
}

enum yk_verdict yk__class_verdict_on_pods(const struct yk_k8s_class *class_, const struct yk_cache_node *node,
                                          enum yk_class_question question, struct yk_filter_sample *sample)
{
    const struct yk_dynamic *dynamic = &class_->spec->dynamic;
    bool of_kind = question == YK_CLASS_SIGNATURE;
    if (dynamic->is_invalid)
        return YK_VERDICT_INVALID;
    for (uint32_t i = 0; i < dynamic->use_count; i++) {
        enum yk_verdict verdict = use_verdict(class_, i, node->slot, of_kind);
        if (sample != NULL)
            step_of_use(sample, &dynamic->uses[i]);
        if (verdict != YK_VERDICT_FITS)
            return verdict;
    }
    enum yk_verdict verdict = verdict_of_matches(class_, node->slot, of_kind);
    if (sample != NULL && !yk_list_empty(&class_->entity.matches))
        yk_filter_sample_step(sample, YK_VERDICT_POD_AFFINITY);
    return verdict;
}

/* Whether the rule counts in domains that can have more than one node. */
static bool has_wide_axis(const struct yk_rule *rule)
{
    for (uint32_t i = 0; i < rule->axis_count; i++) {
        if (rule->axes[i].key != NULL && !rule->axes[i].key->is_hostname)
            return true;
    }
    return false;
}

bool yk__class_sees_domains(const struct yk_k8s_class *class_)
{
    const struct yk_dynamic *dynamic = &class_->spec->dynamic;
    const struct yk_k8s_match *match;
    for (uint32_t i = 0; i < dynamic->use_count; i++) {
        if (has_wide_axis(dynamic->uses[i].rule))
            return true;
    }
    yk_list_foreach (match, &class_->entity.matches, struct yk_k8s_match, of_entity) {
        if (has_wide_axis(match->rule))
            return true;
    }
    return false;
}

bool yk__class_fits_some_node(const struct yk_k8s_class *class_)
{
    const struct yk_dynamic *dynamic = &class_->spec->dynamic;
    for (uint32_t i = 0; i < dynamic->use_count; i++) {
        const struct yk_rule *rule = dynamic->uses[i].rule;
        if (rule->kind == YK_RULE_AFFINITY && rule->entries == 0 && !class_->matches_itself[i])
            return false;
    }
    return !dynamic->is_invalid;
}

static bool matches_itself(const struct yk_pod_index *pod_index, const struct yk_rule *rule,
                           const struct yk_entity *entity)
{
    if (rule->kind == YK_RULE_SPREAD)
        return yk_pod_selector_matches_labels(&rule->selectors[0], entity);
    if (rule->kind != YK_RULE_AFFINITY)
        return false;
    for (uint32_t i = 0; i < rule->selector_count; i++) {
        if (!yk_pod_selector_matches(&rule->selectors[i], entity, pod_index->cache))
            return false;
    }
    return true;
}

bool yk__class_update_self_match(const struct yk_pod_index *pod_index, struct yk_k8s_class *class_)
{
    const struct yk_dynamic *dynamic = &class_->spec->dynamic;
    bool is_added = false;
    for (uint32_t i = 0; i < dynamic->use_count; i++) {
        bool before = class_->matches_itself[i];
        class_->matches_itself[i] = matches_itself(pod_index, dynamic->uses[i].rule, &class_->entity);
        is_added = is_added || (class_->matches_itself[i] && !before);
    }
    return is_added;
}
