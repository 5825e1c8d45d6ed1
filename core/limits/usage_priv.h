/* SPDX-License-Identifier: Apache-2.0 */
/* What usage.c, which owns the entries, offers to apply.c. Thread: scheduling thread only. */
#ifndef YK_LIMITS_USAGE_PRIV_H
#define YK_LIMITS_USAGE_PRIV_H

#include "limits/usage.h"

/* The entry of the user, or of the group (`group`: true), of that name for `queue`; made, with those above it, if there
 * is none. The usages own it. */
struct yk_usage *yk__usage_get(struct yk_usages *usages, bool group, struct yk_str name,
                               struct yk_queue *queue);
/* Frees the entry and those above it that have no applications and that no configuration names. `usage` NULL: no
 * effect. */
void yk__usage_drop_unused(struct yk_usages *usages, struct yk_usage *usage);
/* The limit that the entry's queue has for its user or group, borrowed from the queue; NULL: none. */
const struct yk_limit *yk__usage_limit(const struct yk_usage *usage);
/* Records an event about the user or group `name`, unless events are not tracked (L17). Texts and `amount` (NULL:
 * none) are copied. */
void yk__usage_tell(const struct yk_usages *usages, enum yk_event_change change, enum yk_event_detail detail,
                    struct yk_str name, const char *reference, const struct yk_resvec *amount);

#endif
