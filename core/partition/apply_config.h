/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies a checked configuration to the queue tree of a partition, at the start and at a reload, and makes
 * the queues that placement rules ask for.
 *
 * A configuration is activated in two steps. yk_activation_prepare() runs on any thread: it looks at the old
 * and the new configuration, not at the partition, and does everything that can fail. yk_activation_commit()
 * runs on the scheduling thread and cannot fail. Between the two steps, the configuration of the partition
 * stays the same.
 * Source: docs/reference/queues.md, R5 to R16, V9, V10, T1 to T5.
 */
#ifndef YK_PARTITION_APPLY_CONFIG_H
#define YK_PARTITION_APPLY_CONFIG_H

#include "state/config_change.h"
#include "state/partition.h"

enum { YK_QUEUE_PATH_MAX = 4096 }; /* bytes of a path that placement may produce */

struct yk_activation;

/*
 * Prepares the change from the `active` configuration of the partition (NULL: there is none yet) to `config`,
 * which was checked (config/config.h). `config` is borrowed until the activation is freed. The activation
 * only fits a partition whose configuration still is `active`. Writes the effective properties into `config`.
 * `*ret_activation` belongs to the caller, who frees it with yk_activation_free(). Any thread. Errors:
 * YK_ERR_INVALID or YK_ERR_LIMIT, a queue or a rule is not valid, or the settings of the resolver that
 * `config` names are missing or wrong in `directory` (NULL: these settings are not checked).
 */
YK_NODISCARD enum yk_status yk_activation_prepare(const struct yk_config_partition *active,
                                                  struct yk_config_partition *config,
                                                  const struct yk_directory *directory,
                                                  struct yk_activation **ret_activation, struct yk_err *err);
/*
 * Makes the prepared configuration the active one of `partition`, and adds to `change` (zeroed before the
 * first use) what changed: queues and applications; the caller fills its other fields. Call it once per
 * activation, on the scheduling thread, while the configuration of the partition still is the `active` of
 * yk_activation_prepare(). Submissions that wait for their users may be decided before it returns, with
 * callbacks. Calls yk_limit_gate_reloaded() and all else that follows from the change. After the commits of
 * all partitions, the caller stores the configuration for later comparisons (yk_rm.config), and `change` in
 * yk_rm.last_change. The activation then has what was replaced, such as old ACLs; the caller frees it later,
 * on any thread.
 */
void yk_activation_commit(struct yk_partition *partition, struct yk_activation *activation,
                          struct yk_config_change *change);
/* Frees the activation, committed or not. Any thread. NULL is fine. */
void yk_activation_free(struct yk_activation *activation);
YK_DEFINE_FREEP(yk_activation)

/* Sets `*ret_leaf` to the leaf at the full `path` ("root.a.b"), borrowed from the partition until the queue
 * is removed. Makes it and missing parents as dynamic queues if they do not exist (R6). If no application
 * joins the leaf in this step, the caller calls yk_housekeeping_check_queue() for it: otherwise a new queue
 * would never be removed. A leaf that exists is returned even if it drains: placement refuses such leaves
 * before. Scheduling thread only. Errors, after which nothing has changed: YK_ERR_INVALID, the path is not
 * below the root, has an invalid name, is a parent, or is below a leaf; YK_ERR_STATE, it would be a new queue
 * below a draining one; YK_ERR_LIMIT, it is too deep. */
YK_NODISCARD enum yk_status yk_queues_find_or_create(struct yk_partition *partition, struct yk_str path,
                                                     struct yk_queue **ret_leaf, struct yk_err *err);

#endif
