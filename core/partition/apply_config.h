/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a checked configuration to the living queue tree: first start, reload, and queues made by placement.
 *
 * A configuration is activated in two steps: prepare() checks and builds everything that can fail, aside,
 * from the configurations alone and on any thread; commit() switches on the scheduling thread and cannot
 * fail. Between the two nothing is visible. A commit touches what differs: its cost is that of the change.
 * Source: docs/reference/queues.md, R5 to R16, V9, V10, T1 to T5.
 */
#ifndef YK_PARTITION_APPLY_CONFIG_H
#define YK_PARTITION_APPLY_CONFIG_H

#include "state/config_change.h"
#include "state/partition.h"

enum { YK_QUEUE_PATH_MAX = 4096 }; /* bytes of a path that placement may produce */

struct yk_activation;

/*
 * Prepares the change from the `active` configuration of the partition (NULL: there is none yet) to
 * `config`. Both are borrowed until the activation is freed. Writes the effective properties into `config`.
 * `*ret_activation` belongs to the caller. Any thread. Errors: YK_ERR_INVALID naming queue or rule, or why
 * `directory` (may be NULL) cannot serve.
 */
YK_NODISCARD enum yk_status yk_activation_prepare(const struct yk_config_partition *active,
                                                  struct yk_config_partition *config,
                                                  const struct yk_directory *directory,
                                                  struct yk_activation **ret_activation, struct yk_err *err);
/*
 * Switches `partition` over and notes in `change` what that did. The activation keeps what was replaced. The
 * caller frees it with yk_activation_free() later, on any thread.
 */
void yk_activation_commit(struct yk_partition *partition, struct yk_activation *activation,
                          struct yk_config_change *change);
void yk_activation_free(struct yk_activation *activation);
YK_DEFINE_FREEP(yk_activation)

/* Sets `*ret_leaf` to the leaf at `path`, borrowed from the partition. Makes it, with missing parents, if it
 * does not exist (R6). Errors: YK_ERR_INVALID, YK_ERR_STATE. */
YK_NODISCARD enum yk_status yk_queues_find_or_create(struct yk_partition *partition, struct yk_str path,
                                                     struct yk_queue **ret_leaf, struct yk_err *err);

#endif
