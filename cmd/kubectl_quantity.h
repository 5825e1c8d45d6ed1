/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes amounts and times in a short form: "1.5" cores, "16Gi", "3m".
 *
 * Thread: any.
 */
#ifndef YK_CMD_KUBECTL_QUANTITY_H
#define YK_CMD_KUBECTL_QUANTITY_H

#include "base/str.h"

#include <jansson.h>

/* Appends an amount of `resource`, a name of REST such as "vcore", in base units. Milli-CPU of "vcore" are
 * written as cores with at most three decimals. Bytes of memory, storage and huge pages are written, from
 * 1024 on, with the units Ki to Ei and at most three decimals, rounded. Other amounts are written as they
 * are. `amount` may be negative. */
void yk_quantity_put(struct yk_buf *out, const char *resource, int64_t amount);
/* The name of `resource`, a name of REST, for users: "cpu" for "vcore". Other names are returned as they
 * are. */
const char *yk_resource_word(const char *resource);
/* Appends a map of REST from resources to amounts, such as "cpu 4, memory 16Gi, nvidia.com/gpu 2": first
 * cores and memory, then the others in the order of the map. Amounts of 0 are left out unless `with_zeros`.
 * Nothing is appended if `map` is NULL or empty. */
void yk_quantities_put(struct yk_buf *out, const json_t *map, bool with_zeros);
/* Like yk_quantities_put(), for what one pod requests: " or more" follows an amount of YK_SI_AMOUNT_MAX (si.h),
 * because larger requests count as that, as messages say. */
void yk_request_put(struct yk_buf *out, const json_t *map, bool with_zeros);
/* Appends an age in the style of kubectl: "45s", "3m", "3m20s", "5h", "5h12m", "3d", "3d4h", "400d". "0s" for
 * 0 or less. */
void yk_age_put(struct yk_buf *out, int64_t age_ns);
/* Appends a time, in ns since 1970, in UTC and without fractions: "2026-11-25T08:20:11Z". Nothing for 0 or
 * less. */
void yk_time_put(struct yk_buf *out, int64_t wall_ns);

#endif
