/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of usage.c, which owns the entries, for apply.c.
 *
 * Thread: scheduling thread only.
 */
#ifndef YK_LIMITS_USAGE_PRIV_H
#define YK_LIMITS_USAGE_PRIV_H

#include "limits/usage.h"

/* The entry of the user, or of the group (`group`: true), of that name for `queue`. If there is none, it
 * is made, with those above it. Owned by the usages. An entry without applications stays until
 * yk__usage_drop_unused() is called for it. */
struct yk_usage *yk__usage_get(struct yk_usages *usages, bool group, struct yk_str name,
                               struct yk_queue *queue);
/* Frees the entry, and then those above it, as long as their `apps` is 0, they are not pinned and have no
 * entries below them. `usage` NULL: no effect. */
void yk__usage_drop_unused(struct yk_usages *usages, struct yk_usage *usage);
/* Looks up the limit that queue->limits of the entry has for its user or group; NULL: none. Borrowed from
 * the queue. */
const struct yk_limit *yk__usage_limit(const struct yk_usage *usage);
/* Records an event about the user or group `name`, if events are tracked (L17). `reference`: the path of
 * a queue or an application id. Texts and `amount` (NULL: none) are copied. */
void yk__usage_tell(const struct yk_usages *usages, enum yk_event_change change, enum yk_event_detail detail,
                    struct yk_str name, const char *reference, const struct yk_resvec *amount);

#endif
