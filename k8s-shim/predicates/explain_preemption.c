/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/explain.h"

enum fit { FITS, FITS_LATER, FITS_NEVER };

/* The filter NodeResourcesFit. Evictions do not help if the pod requests more than all that the node offers.
 * The number of pods is an exception. */
static enum fit fit_on(const struct yk_cache_node *node, const struct yk_size *size)
{
    const struct yk_resvec *want = &size->amounts;
    enum fit fit = yk_size_wants_unknown(size) ? FITS_NEVER : FITS;
    yk_resvec_foreach(type, want)
    {
        int64_t offered = yk_resvec_get(&node->allocatable->amounts, type);
        if (yk_restype_is_asked(type) || yk_resvec_get(want, type) <= 0 ||
            yk_resvec_get(want, type) <= yk_i64_sub(offered, yk_resvec_get(&node->used, type)))
            continue;
        bool ever = yk_resvec_get(want, type) <= offered || type == YK_RESTYPE_PODS;
        fit = ever && fit != FITS_NEVER ? FITS_LATER : FITS_NEVER;
    }
    return fit;
}

/* Whether the pod could run on the node after other pods have ended (predicates.md 1.1). The first filter
 * that refuses the node decides (1.2). */
static bool could_help(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                       const struct yk_cache_node *node)
{
    enum yk_verdict fixed = yk_class_verdict(classes, class_, node);
    if (fixed != YK_VERDICT_FITS && fixed != YK_VERDICT_FEATURES)
        return false;
    enum yk_verdict verdict = yk_class_verdict_now(classes, class_, node, YK_CLASS_ALLOCATE);
    if (verdict == YK_VERDICT_PORTS)
        return true;
    enum fit fit = fit_on(node, size);
    if (fit != FITS)
        return fit == FITS_LATER;
    if (verdict != YK_VERDICT_FITS)
        return yk_verdict_helped_by_eviction(verdict);
    return fixed == YK_VERDICT_FITS;
}

void yk_explain_preemption(struct yk_classes *classes, yk_si_class class_, const struct yk_size *size,
                           struct yk_buf *out)
{
    const struct yk_vec *nodes = &classes->cache->nodes;
    const struct yk_cache_node *node;
    size_t in_vain = 0;
    yk_vec_foreach (node, nodes)
        in_vain += could_help(classes, class_, size, node);
    size_t no_help = nodes->count - in_vain;
    char entries[2][80];
    snprintf(entries[0], sizeof(entries[0]), "%zu No preemption victims found for incoming pod", in_vain);
    snprintf(entries[1], sizeof(entries[1]), "%zu Preemption is not helpful for scheduling", no_help);
    bool swapped = strcmp(entries[0], entries[1]) > 0;
    yk_buf_printf(out, "0/%zu nodes are available: ", nodes->count);
    if (in_vain > 0 && no_help > 0)
        yk_buf_printf(out, "%s, %s.", entries[swapped], entries[!swapped]);
    else
        yk_buf_printf(out, "%s.", entries[in_vain == 0]);
}
