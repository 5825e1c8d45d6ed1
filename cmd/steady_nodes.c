/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods may run on which nodes, by node selector, taints, cordons, and the node that a pod of a
 * DaemonSet requires. */
#include "cmd/steady_priv.h"

static bool tolerates(const struct yk_pod *pod, struct yk_str key, struct yk_str value, struct yk_str effect)
{
    for (uint32_t i = 0; i < pod->toleration_count; i++) {
        const struct yk_toleration *t = &pod->tolerations[i];
        bool exists = yk_str_is(t->operator_, "Exists");
        bool same_key = yk_str_eq(t->key, key) || (exists && yk_str_empty(t->key));
        bool same_effect = yk_str_empty(t->effect) || yk_str_eq(t->effect, effect);
        if (same_key && same_effect && (exists || yk_str_eq(t->value, value)))
            return true;
    }
    return false;
}

static bool tolerates_taints(const struct yk_k8s_node *node, const struct yk_pod *pod)
{
    for (uint32_t i = 0; i < node->taint_count; i++) {
        const struct yk_taint *taint = &node->taints[i];
        if (!yk_str_is(taint->effect, "PreferNoSchedule") &&
            !tolerates(pod, taint->key, taint->value, taint->effect))
            return false;
    }
    return !node->unschedulable || tolerates(pod, YK_STR("node.kubernetes.io/unschedulable"),
                                             (struct yk_str){0}, YK_STR("NoSchedule"));
}

bool yk__steady_allows(const struct yk_k8s_node *node, const struct steady_class *class)
{
    const struct yk_pod *pod = class->pod;
    for (uint32_t i = 0; i < pod->node_selector.count; i++) {
        const struct yk_pair *pair = &pod->node_selector.items[i];
        char *key = yk_str_dup(pair->key);
        bool same = yk_str_eq(yk_pairs_get(&node->object.labels, key), pair->value);
        free(key);
        if (!same)
            return false;
    }
    if (pod->required_term_count > 0 &&
        !yk_str_eq(pod->required_terms[0].fields[0].values[0], node->object.name))
        return false;
    return tolerates_taints(node, pod);
}

struct fitting {
    const struct yk_steady *steady;
    const struct steady_class *class;
    bool free_now, fits;
};

static void look_at_node(void *context, const struct yk_object *object)
{
    struct fitting *fitting = context;
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    if (fitting->fits || !yk__steady_allows(yk__steady_node(object), fitting->class))
        return;
    YK_CLEANUP(yk_freep) char *name = yk_str_dup(object->name);
    if (yk_cluster_node_usage(fitting->steady->cluster, name, &used, &allocatable)) {
        if (fitting->free_now)
            yk_resvec_sub(&allocatable, &used);
        fitting->fits = yk_resvec_fit(&allocatable, &fitting->class->size);
    }
}

bool yk__steady_fits_somewhere(const struct yk_steady *steady, const struct steady_class *class,
                               bool free_now)
{
    struct fitting fitting = {.steady = steady, .class = class, .free_now = free_now};
    yk_cluster_each(steady->cluster, YK_KIND_NODE, look_at_node, &fitting);
    return fitting.fits;
}
