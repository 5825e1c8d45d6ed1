/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a checked configuration to the living queue tree: first start, reload, and queues made by placement.
 *
 * A configuration is activated in two steps: prepare() checks and builds everything that can fail, aside;
 * commit() switches and cannot fail. Between the two nothing is visible. Source: docs/reference/queues.md, R5
 * to R16, V9, V10, T1 to T5.
 */
#ifndef YK_SCHEDULER_QUEUES_H
#define YK_SCHEDULER_QUEUES_H

#include "scheduler/partition.h"

enum { YK_QUEUE_PATH_MAX = 4096 }; /* bytes of a path that placement may produce */

struct yk_activation;

/* Errors: YK_ERR_INVALID naming queue or rule; the partition is untouched. `config` is borrowed until commit
 * or free. */
YK_NODISCARD enum yk_status yk_activation_prepare(const struct yk_config_partition *config,
                                                  struct yk_activation **ret_activation, struct yk_err *err);
/* Switches `partition` over; takes the activation. */
void yk_activation_commit(struct yk_partition *partition, struct yk_activation *activation);
void yk_activation_free(struct yk_activation *activation);
YK_DEFINE_FREEP(yk_activation)

/* The leaf at `path`, made together with missing parents if need be (R6). Errors: YK_ERR_INVALID,
 * YK_ERR_STATE. */
YK_NODISCARD enum yk_status yk_queues_find_or_create(struct yk_partition *partition, struct yk_str path,
                                                     struct yk_queue **ret_leaf, struct yk_err *err);
/* The limit is `amounts` from now on, or, unless something in it is above zero and nothing below, none (R1).
 */
void yk_queues_set_max(const struct yk_partition *partition, struct yk_queue *queue,
                       const struct yk_resvec *amounts);
void yk_queues_set_guaranteed(const struct yk_partition *partition, struct yk_queue *queue,
                              const struct yk_resvec *amounts);
/* Marks the queue and its managed descendants for removal. */
void yk_queues_drain(struct yk_partition *partition, struct yk_queue *queue);
/* {"resources":{"<type>":{"value":<integer>}}}: the tags of 4.9. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_queues_parse_resource_tag(const char *json, struct yk_resvec *ret_amounts);

#endif
