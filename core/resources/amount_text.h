/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes amounts as people read them: "20 cores", "1.5 Gi", "2 nvidia.com/gpu". For messages only; REST and
 * the configuration have their own formats.
 *
 * Thread: any.
 */
#ifndef YK_RESOURCES_AMOUNT_TEXT_H
#define YK_RESOURCES_AMOUNT_TEXT_H

#include "resources/resvec.h"

/* Appends `amount` of the resource type `type` (resources/restype.h) with its unit, with at most three
 * digits behind the point: "0.5 cores", "4 Gi", "1 pod", "10 Gi of ephemeral-storage", "2
 * nvidia.com/gpu". `amount` is in the base unit of the type (millicores, bytes or a count), and may be
 * negative. */
void yk_amount_text(struct yk_buf *text, int type, int64_t amount);
/* Appends two amounts in the unit that suits `whole`: "4 of 40 cores", "0.5 of 8 Gi". Arguments as of
 * yk_amount_text(). */
void yk_amount_text_of(struct yk_buf *text, int type, int64_t part, int64_t whole);
/* Appends the positive amounts of `amounts` (NULL: none) of those types that are present in `only`, or of
 * all types but the number of pods if `only` is NULL, in ascending order of type numbers: "20 cores, 8 Gi
 * and 2 nvidia.com/gpu". Appends "nothing" if there are none. */
void yk_amounts_text(struct yk_buf *text, const struct yk_resvec *amounts, const struct yk_resvec *only);

#endif
