/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/explain.h"

static bool wants_what_nobody_offers(const struct yk_size *size)
{
    for (uint32_t i = 0; i < size->extra_count; i++) {
        if (size->extra[i].amount > 0)
            return true;
    }
    return false;
}

/* Were it empty. */
static bool has_room(const struct yk_cache_node *node, const struct yk_size *size)
{
    const struct yk_resvec *want = &size->amounts;
    yk_resvec_foreach(type, want->set)
    {
        if (type != YK_RESTYPE_UNKNOWN &&
            want->v[type] > yk_resvec_get(&node->allocatable->amounts, (int)type))
            return false;
    }
    return true;
}

/* Whether the pod could run there if pods on that node went (1.1). */
static bool could_help(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                       const struct yk_cache_node *node)
{
    if (!yk_class_fits(classes, class_, node) || !has_room(node, size))
        return false;
    enum yk_verdict verdict = yk_class_verdict_now(classes, class_, node, YK_CLASS_ALLOCATE);
    return verdict == YK_VERDICT_FITS || yk_verdict_helped_by_eviction(verdict);
}

void yk_explain_preemption(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                           struct yk_buf *out)
{
    const struct yk_vec *nodes = &classes->cache->nodes;
    const struct yk_cache_node *node;
    size_t in_vain = 0;
    yk_vec_foreach (node, nodes)
        in_vain += !wants_what_nobody_offers(size) && could_help(classes, class_, size, node);
    size_t no_help = nodes->count - in_vain;
    char entries[2][80];
    snprintf(entries[0], sizeof(entries[0]), "%zu No preemption victims found for incoming pod", in_vain);
    snprintf(entries[1], sizeof(entries[1]), "%zu Preemption is not helpful for scheduling", no_help);
    bool swapped = strcmp(entries[0], entries[1]) > 0;
    yk_buf_printf(out, "preemption: 0/%zu nodes are available: ", nodes->count);
    if (in_vain > 0 && no_help > 0)
        yk_buf_printf(out, "%s, %s.", entries[swapped], entries[!swapped]);
    else
        yk_buf_printf(out, "%s.", entries[in_vain == 0]);
}
