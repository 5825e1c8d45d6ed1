/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ended allocations of an application have used: amount times whole seconds, by what they were and
 * by the instance type of their nodes. Owns its entries: there are none until an allocation ends.
 * Thread: scheduling thread only.
 * Source: docs/reference/rest.md, resourceHistory.
 */
#ifndef YK_OBJECTS_APP_HISTORY_H
#define YK_OBJECTS_APP_HISTORY_H

#include "base/vec.h"
#include "resources/resvec.h"

enum yk_history_kind { YK_HISTORY_USED, YK_HISTORY_PREEMPTED, YK_HISTORY_PLACEHOLDER, YK_HISTORY_KIND_COUNT };

/* Written by: objects. */
struct yk_history_entry {
    char *instance_type; /* owned */
    enum yk_history_kind kind;
    struct yk_resvec used; /* quantity times seconds, saturating */
};

/* Written by: objects. */
struct yk_app_history {
    struct yk_vec entries; /* struct yk_history_entry, owned, by kind and then by type */
};

/* Adds `size` times the whole seconds of `duration_ns` to the entry of `kind` and `instance_type`, which is
 * copied. NULL, "" and new types beyond a fixed number of types count as "UNKNOWN". */
void yk_app_history_add(struct yk_app_history *history, enum yk_history_kind kind, const char *instance_type,
                        const struct yk_resvec *size, int64_t duration_ns);
/* Empties it; it can be used again. */
void yk_app_history_clear(struct yk_app_history *history);

#endif
