/* SPDX-License-Identifier: Apache-2.0 */
/* Wakes classes that may fit now: the core then searches nodes for their asks again. */
#include "predicates/classes.h"
#include "predicates/pod_index_priv.h"

void yk_pod_index_wake(struct yk_pod_index *pod_index, struct yk_k8s_class *class_)
{
    if (!pod_index->is_dry_run && class_->holders > 0 && !yk_list_linked(&class_->in_woken))
        yk_list_append(&pod_index->woken, &class_->in_woken);
}

static struct yk_k8s_class *class_of(struct yk_entity *entity)
{
    return YK_CONTAINER(entity, struct yk_k8s_class, entity);
}

static void wake_spec(struct yk_pod_index *pod_index, const struct yk_class_spec *spec)
{
    struct yk_k8s_class *class_;
    yk_list_foreach (class_, &spec->classes, struct yk_k8s_class, of_spec)
        yk_pod_index_wake(pod_index, class_);
}

void yk__rule_wake(struct yk_pod_index *pod_index, const struct yk_rule *rule)
{
    const struct yk_k8s_match *match;
    const struct yk_use *use;
    if (pod_index->is_dry_run)
        return;
    if (rule->kind == YK_RULE_EXISTING_ANTI) {
        yk_list_foreach (match, &rule->matches, struct yk_k8s_match, of_rule)
            yk_pod_index_wake(pod_index, class_of(match->entity));
        return;
    }
    yk_list_foreach (use, &rule->uses, struct yk_use, of_rule)
        wake_spec(pod_index, use->spec);
}
