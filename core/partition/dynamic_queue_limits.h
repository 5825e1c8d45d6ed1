/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits that a namespace sets for its dynamic leaf. Maximum, guarantee and maximum number of applications
 * are tags of each application: namespace.resourcequota, namespace.resourceguaranteed and
 * namespace.resourcemaxapps.
 *
 * A namespace may name a resource type that no node has yet, such as GPUs that are scaled up from zero. Such
 * a name is not added to the table of types (resources/restype.h), which is small and shared. Instead the
 * leaf keeps the text, and it is read again when the table has new types.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, R39 to R41.
 */
#ifndef YK_PARTITION_DYNAMIC_QUEUE_LIMITS_H
#define YK_PARTITION_DYNAMIC_QUEUE_LIMITS_H

#include "state/partition.h"

/*
 * Calls `visit`, with `context` (may be NULL), for each type in `json` that is not in the table of types, in
 * the order of the text. `json` is the value of one of the first two tags, such as a text that a leaf keeps
 * (struct yk_queue_type_wait), which counts only while the leaf is not `managed`. `type` is borrowed for the
 * call; `amount` is the number in the text. No call if the text is invalid. O(length of the text).
 */
void yk_dynamic_queue_limits_each_unknown(const char *json,
                                          void (*visit)(void *context, const char *type, int64_t amount),
                                          void *context);
/* Call it when the application has joined its leaf: sets the limits of the leaf from its tags. Records
 * events, and updates orders, waits and preemption. No effect on a leaf that is in the configuration, and on
 * the recovery queue. An empty or invalid tag counts as absent; an invalid one of the first two is logged. If
 * both of the first two are absent, both limits of resources stay. If only one of them is present, the limit
 * of the other one is removed (R40). If namespace.resourcemaxapps is absent or 0, the maximum number of
 * applications stays. */
void yk_dynamic_queue_limits_apply(struct yk_app *app);
/* Like yk_dynamic_queue_limits_apply(), with the `count` new tags of the namespace in place of those of the
 * application, which keeps its tags. The application has a leaf. */
void yk_dynamic_queue_limits_change(struct yk_app *app, const struct yk_si_tag *tags, size_t count);
/* Call it after nodes, asks or a configuration may have added resource types: sets again the limits of those
 * leaves that keep texts because of unknown types. O(1) if no type was added since the last call. */
void yk_dynamic_queue_limits_look(struct yk_partition *partition);

#endif
