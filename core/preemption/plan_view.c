/* SPDX-License-Identifier: Apache-2.0 */
#include "preemption/plan_view.h"

void yk_plan_pass_begin(struct yk_plan_pass *pass, const struct yk_plan_view *view)
{
    if (view->all_changed > pass->seen)
        pass->seen = 0;
    pass->begun = view->change;
    pass->next = 0;
}

bool yk_plan_pass_next(struct yk_plan_pass *pass, const struct yk_plan_view *view, uint32_t *work,
                       uint32_t *ret_index)
{
    while (pass->next < view->node_count && view->changed[pass->next] <= pass->seen)
        pass->next++;
    if (pass->next >= view->node_count || *work == 0)
        return false;
    const struct yk_node *node = view->nodes[pass->next];
    *work -= YK_MIN(*work, node != NULL ? 1 + node->allocation_count : 1);
    *ret_index = pass->next++;
    return true;
}

bool yk_plan_pass_end(struct yk_plan_pass *pass, const struct yk_plan_view *view)
{
    if (pass->next < view->node_count)
        return false;
    pass->seen = pass->begun;
    pass->begun = 0;
    return true;
}
