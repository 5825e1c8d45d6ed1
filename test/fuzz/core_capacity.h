/* SPDX-License-Identifier: Apache-2.0 */
/* Whether anything but nodes keeps an ask or a gang from being allocated. Apart from the rest because core and
 * shim both have a node of their own. */
#ifndef FUZZ_CORE_CAPACITY_H
#define FUZZ_CORE_CAPACITY_H

#include "resources/resvec.h"

struct yk_core;

/* False: its application or ask is unknown, or waits for a queue, user or group. */
bool core_has_capacity(const struct yk_core *core, const char *app, struct yk_str ask);
/* Whether a gang of that size is larger than a maximum on the path of the application's queue, the root left out, or
 * than a limit of its user or group there: then it can never start. Computed from the limits alone, without what
 * the scheduler found out about the gang. False: the application is unknown. */
bool core_gang_exceeds_limit(const struct yk_core *core, const char *app, const struct yk_resvec *size);

#endif
