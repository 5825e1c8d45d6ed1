/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the shim has to say in a state dump: its cache, as one JSON value. For people who look for a fault;
 * what the cache does not keep of an object is not there, and objects stand in no order.
 *
 * Thread: scheduling thread; a few dozen objects per call. Each object is consistent in itself. What goes
 * while the dump is written may be left out. When a table of the cache grows meanwhile its section ends
 * there, and the key after it says so.
 * Source: docs/reference/kubernetes.md 3.11 (S25).
 */
#ifndef YK_APP_STATE_DUMP_H
#define YK_APP_STATE_DUMP_H

#include "app/apps.h"
#include "base/json_writer.h"

/* Writes the next piece. `dump` is all 0 at first, `json` the same writer in each call. True: more follows. */
YK_NODISCARD bool yk_state_dump(const struct yk_apps *apps, struct yk_si_dump *dump, struct yk_json *json);

#endif
