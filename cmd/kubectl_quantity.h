/* SPDX-License-Identifier: Apache-2.0 */
/* Amounts and times as people write them: 1.5 cores, 16Gi, 3m. Thread: any. */
#ifndef YK_CMD_KUBECTL_QUANTITY_H
#define YK_CMD_KUBECTL_QUANTITY_H

#include "base/str.h"

#include <jansson.h>

/* Appends an amount of `resource` in the units of REST: "vcore" in millicores becomes cores with at most
 * three decimals, bytes become Ki to Pi with at most one decimal, all else is a count. */
void yk_quantity_put(struct yk_buf *out, const char *resource, int64_t amount);
/* Appends "cpu 4, memory 16Gi, nvidia.com/gpu 2": cores, memory, then the others by name. Amounts of 0 are
 * left out unless `with_zeros`. `map` may be NULL; nothing is appended for an empty one. */
void yk_quantities_put(struct yk_buf *out, const json_t *map, bool with_zeros);
/* Appends an age as kubectl shows it: 45s, 3m, 3m20s, 5h, 5h12m, 3d, 3d4h, 400d. 0 or less: "0s". */
void yk_age_put(struct yk_buf *out, int64_t age_ns);
/* Appends an instant, ns since 1970, in UTC: 2026-11-25T08:20:11Z. Nothing for 0 or less. */
void yk_time_put(struct yk_buf *out, int64_t wall_ns);

#endif
