/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/policies_priv.h"

/* The same order as fifo. pending/stateaware.h decides which applications may start
 * (docs/reference/queues.md, O7). */
int yk__app_order_stateaware(const struct yk_app *a, const struct yk_app *b)
{
    return yk__app_order_fifo(a, b);
}
