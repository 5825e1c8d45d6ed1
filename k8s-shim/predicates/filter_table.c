/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/filter_table.h"

#include "predicates/constraints.h"
#include "predicates/filter_meter.h"

const struct yk_k8s_filter yk_filters[YK_VERDICT_COUNT] = {
#define ROW(symbol, plugin, passes, traits, sentence)                                                        \
    [YK_VERDICT_##symbol] = {plugin, passes, traits, sentence},
#include "predicates/filter_rows.h"
#undef ROW
};

static bool is_in(const struct yk_k8s_filter *filter, enum yk_filter_set set)
{
    bool reads_identity = (filter->traits & YK_FILTER_READS_IDENTITY) != 0;
    return filter->passes != NULL &&
           (set == YK_FILTERS_ALL || reads_identity == (set == YK_FILTERS_OF_IDENTITY));
}

enum yk_verdict yk_filters_run(const struct yk_constraints *constraints, const struct yk_cache_node *node,
                               enum yk_filter_set set, struct yk_filter_sample *sample)
{
    for (int verdict = YK_VERDICT_FITS + 1; verdict < YK_VERDICT_INVALID; verdict++) {
        const struct yk_k8s_filter *filter = &yk_filters[verdict];
        if (!is_in(filter, set))
            continue;
        bool passes = filter->passes(constraints, node);
        yk_filter_sample_step(sample, (enum yk_verdict)verdict);
        if (!passes)
            return (enum yk_verdict)verdict;
    }
    return YK_VERDICT_FITS;
}
