/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a state dump that the shim writes: the contents of its cache, as one JSON value, to help find
 * faults. The dump has only the fields of objects that the cache stores, and objects are not sorted.
 *
 * The dump is written in pieces of a few dozen objects. Each object is consistent in itself. Objects that are
 * removed before the dump is complete may be missing, and pods that are replaced may be included twice.
 *
 * Thread: scheduling thread only.
 * Source: docs/reference/kubernetes.md 3.11 (S25).
 */
#ifndef YK_APP_STATE_DUMP_H
#define YK_APP_STATE_DUMP_H

#include "app/apps.h"
#include "base/json_writer.h"

/* Writes the next piece. `dump` stores the place; it is zeroed before the first call. `json`: the same
 * writer in each call. True: more follows, and the caller calls again. False: the value is complete. */
YK_NODISCARD bool yk_state_dump(const struct yk_apps *apps, struct yk_si_dump *dump, struct yk_json *json);

#endif
