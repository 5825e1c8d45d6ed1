/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/filter_table.h"

#include "predicates/constraints.h"

const struct yk_filter yk_filters[YK_VERDICT_COUNT] = {
#define ROW(symbol, plugin, passes, traits, sentence)                                                        \
    [YK_VERDICT_##symbol] = {plugin, passes, traits, sentence},
#include "predicates/filter_rows.h"
#undef ROW
};

enum yk_verdict yk_filters_run(const struct yk_constraints *constraints, const struct yk_cache_node *node,
                               unsigned left_out)
{
    for (int verdict = YK_VERDICT_FITS + 1; verdict < YK_VERDICT_INVALID; verdict++) {
        const struct yk_filter *filter = &yk_filters[verdict];
        if (filter->passes != NULL && (filter->traits & left_out) == 0 && !filter->passes(constraints, node))
            return (enum yk_verdict)verdict;
    }
    return YK_VERDICT_FITS;
}
