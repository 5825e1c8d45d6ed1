/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that several tables have. Thread: one. */
#ifndef YK_CMD_KUBECTL_CELLS_H
#define YK_CMD_KUBECTL_CELLS_H

#include "cmd/kubectl.h"

/* Appends the age of an instant in ns since 1970; nothing for 0. */
void yk_cell_age(const struct yk_ctl *ctl, int64_t since_ns, struct yk_buf *cell);
/* Appends "12/40", used and maximum of `resource`: `used` and `max` name two members of `row`. "12" without a
 * maximum; nothing when both are absent. */
void yk_cell_used_of(const json_t *row, const char *used, const char *max, const char *resource,
                     struct yk_buf *cell);
/* Appends a resource map: "cpu 4, memory 16Gi". */
void yk_cell_map(const json_t *row, const char *member, struct yk_buf *cell);
/* The largest of used/capacity over the resources that both maps have; 0 without any. */
double yk_dominant_share(const json_t *used, const json_t *capacity);

#endif
