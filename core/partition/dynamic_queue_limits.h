/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits that a namespace sets for its dynamic leaf: maximum, guarantee and number of applications come with
 * each application as tags.
 *
 * A namespace may name a type that no node has yet (GPUs that are scaled up from zero). It gets no slot in
 * the table of types for that, which is small and shared; the leaf keeps the text and reads it again when
 * there are new types.
 * Thread: scheduling thread only.
 * Source: docs/reference/queues.md, R39 to R41.
 */
#ifndef YK_PARTITION_DYNAMIC_QUEUE_LIMITS_H
#define YK_PARTITION_DYNAMIC_QUEUE_LIMITS_H

#include "state/partition.h"

/*
 * Calls `visit` for each type without a slot that `json`, the value of such a tag, names, in the order of the text.
 * `type` is borrowed for the call; `amount` is in the unit of the text. An invalid text has none. O(length of the text).
 */
void yk_dynamic_queue_limits_each_unknown(const char *json,
                                          void (*visit)(void *context, const char *type, int64_t amount),
                                          void *context);
/* Sets the limits of the application's leaf, which it has joined, from its tags. No effect on a leaf that is
 * in the configuration. */
void yk_dynamic_queue_limits_apply(struct yk_app *app);
/* Sets the limits of the application's leaf from the `count` new tags of its namespace, which are borrowed
 * for the call. */
void yk_dynamic_queue_limits_change(struct yk_app *app, const struct yk_si_tag *tags, size_t count);
/* Reads again the texts of leaves that name types without a slot. Call after nodes or asks may have brought
 * new types. O(1) if there are none. */
void yk_dynamic_queue_limits_look(struct yk_partition *partition);

#endif
