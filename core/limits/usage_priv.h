/* SPDX-License-Identifier: Apache-2.0 */
/* What usage.c, which owns the entries, offers to apply.c. Thread: scheduling thread only. */
#ifndef YK_LIMITS_USAGE_PRIV_H
#define YK_LIMITS_USAGE_PRIV_H

#include "limits/usage.h"

/* The entry of that name for `queue`, made together with missing ancestors. */
struct yk_usage *yk__usage_get(struct yk_usages *usages, bool group, struct yk_str name,
                               struct yk_queue *queue);
/* Frees the entry and those above as far as nothing holds them. */
void yk__usage_drop_unused(struct yk_usages *usages, struct yk_usage *usage);
/* The limit that the entry's queue has for its user or group, borrowed from the queue; NULL: none. */
const struct yk_limit *yk__usage_limit(const struct yk_usage *usage);
/* An event about a user or group, unless events are not tracked (L17). */
void yk__usage_tell(const struct yk_usages *usages, enum yk_event_change change, enum yk_event_detail detail,
                    struct yk_str name, const char *reference, const struct yk_resvec *amount);

#endif
