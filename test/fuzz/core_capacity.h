/* SPDX-License-Identifier: Apache-2.0 */
/* Whether anything but nodes keeps an ask from being allocated. Apart from the rest because core and shim
 * both have a node of their own. */
#ifndef FUZZ_CORE_CAPACITY_H
#define FUZZ_CORE_CAPACITY_H

#include "base/str.h"

struct yk_core;

/* False: its application or ask is unknown, or waits for a queue, user or group. */
bool core_has_capacity(const struct yk_core *core, const char *app, struct yk_str ask);

#endif
