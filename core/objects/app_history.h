/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ended allocations of an application have used, by their kind and by the instance type of their
 * nodes: amounts multiplied by whole seconds. There are no entries until an allocation ends.
 *
 * Owns: its entries. A zeroed struct yk_app_history is empty.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, resourceHistory.
 */
#ifndef YK_OBJECTS_APP_HISTORY_H
#define YK_OBJECTS_APP_HISTORY_H

#include "base/vec.h"
#include "resources/resvec.h"

/* Kinds of ended allocations: real ones, preempted ones (placeholders, too), and other placeholders. */
enum yk_history_kind { YK_HISTORY_USED, YK_HISTORY_PREEMPTED, YK_HISTORY_PLACEHOLDER, YK_HISTORY_KIND_COUNT };

/* Written by: objects. */
struct yk_history_entry {
    char *instance_type; /* owned */
    enum yk_history_kind kind;
    struct yk_resvec used; /* base units times seconds, saturating */
};

/* Written by: objects. */
struct yk_app_history {
    struct yk_vec entries; /* struct yk_history_entry, owned, by kind and then by type */
};

/* Adds `size` (base units) times the whole seconds of `duration_ns` (negative: 0) to the entry of `kind` and
 * `instance_type`, which is copied. An `instance_type` that is NULL or "" counts as "UNKNOWN". So does a new
 * instance type when the history has its maximum of 64 entries. */
void yk_app_history_add(struct yk_app_history *history, enum yk_history_kind kind, const char *instance_type,
                        const struct yk_resvec *size, int64_t duration_ns);
/* Frees all entries; the history can be used again. */
void yk_app_history_clear(struct yk_app_history *history);

#endif
