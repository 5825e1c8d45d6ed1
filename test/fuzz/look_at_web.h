/* SPDX-License-Identifier: Apache-2.0 */
/* A request of the REST interface, answered in place. Apart from the rest because web and shim both have a
 * struct yk_match. */
#ifndef FUZZ_LOOK_AT_WEB_H
#define FUZZ_LOOK_AT_WEB_H

#include "base/base.h"

struct yk_core;

void look_at_web(const struct yk_core *core, const char *target);

#endif
