/* SPDX-License-Identifier: Apache-2.0 */
#include "policies/policies_priv.h"

/* The application that was submitted earlier comes first (docs/reference/queues.md, O4). */
int yk__app_order_fifo(const struct yk_app *a, const struct yk_app *b)
{
    return (a->submit_wall_ns > b->submit_wall_ns) - (a->submit_wall_ns < b->submit_wall_ns);
}
