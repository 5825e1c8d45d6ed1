/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/policies_priv.h"

/* The application with the lowest usage ratios (yk_app.shares) comes first (docs/reference/queues.md, O5). */
int yk__app_order_fair(const struct yk_app *a, const struct yk_app *b)
{
    return yk_shares_cmp(a->shares, a->share_count, b->shares, b->share_count);
}
