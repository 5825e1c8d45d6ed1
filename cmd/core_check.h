/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the invariants of a core.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_CORE_CHECK_H
#define YK_CMD_CORE_CHECK_H

#include "base/base.h"

struct yk_core;

/* Whether the invariants (docs/design.md) of all partitions hold. If not, `err` describes the first
 * violation. O(objects of the core). */
YK_NODISCARD bool yk_core_check(const struct yk_core *core, struct yk_err *err);

#endif
