/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core's invariants, all partitions. Apart from the rest because core and shim both have a node of their
 * own.
 * Thread: scheduling thread only.
 */
#ifndef YK_CMD_CORE_CHECK_H
#define YK_CMD_CORE_CHECK_H

#include "base/base.h"

struct yk_core;

/* Checks the invariants (docs/design.md) of all partitions. False: `err` names the first violation. O(nodes +
 * allocations). */
YK_NODISCARD bool yk_core_check(const struct yk_core *core, struct yk_err *err);

#endif
