/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells that several tables have.
 *
 * Thread: any.
 */
#ifndef YK_CMD_KUBECTL_CELLS_H
#define YK_CMD_KUBECTL_CELLS_H

#include "cmd/kubectl.h"

/* Appends the age of the time `since_ns`, in ns since 1970, such as "3m". Nothing for 0 or less; "0s" for a
 * time in the future. */
void yk_cell_age(const struct yk_ctl *ctl, int64_t since_ns, struct yk_buf *cell);
/* Appends the amounts of `resource` in two maps of amounts, the members `used` and `max` of `row`: "12/40"
 * for 12 used of a maximum of 40, "0/40" if only the maximum is there, "12" without a maximum, nothing if
 * both are absent. */
void yk_cell_used_of(const json_t *row, const char *used, const char *max, const char *resource,
                     struct yk_buf *cell);
/* Appends the map of amounts that is the member `member` of `row`, such as "cpu 4, memory 16Gi", without
 * amounts of 0. */
void yk_cell_map(const json_t *row, const char *member, struct yk_buf *cell);
/* The sum of two maps of amounts; each may be NULL. NULL if both are. The caller frees it. */
json_t *yk_amounts_sum(const json_t *a, const json_t *b);
/* What `app`, an application of REST, has in use, including its placeholders; NULL for nothing. The caller
 * frees it. */
json_t *yk_app_in_use(const json_t *app);
/* The largest ratio of an amount in `used` to the amount of the same resource in `capacity`; 0 or more. Both
 * are maps of amounts, and may be NULL; 0 if no resource is in both. `*ret_resource`: the resource with the
 * largest ratio, borrowed from `capacity`; NULL if `capacity` has no amount above 0. */
double yk_dominant_share(const json_t *used, const json_t *capacity, const char **ret_resource);

#endif
