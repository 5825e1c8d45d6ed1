/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts as people read them: "20 cores", "1.5 Gi", "2 nvidia.com/gpu". For messages only; REST and the
 * configuration have their own formats.
 *
 * Thread: any.
 */
#ifndef YK_RESOURCES_AMOUNT_TEXT_H
#define YK_RESOURCES_AMOUNT_TEXT_H

#include "resources/resvec.h"

/* Appends the amount, in base units (millicores, bytes, counts), with its unit: "0.5 cores", "4 Gi",
 * "1 pod", "10 Gi of ephemeral-storage", "2 nvidia.com/gpu". */
void yk_amount_text(struct yk_buf *text, int type, int64_t amount);
/* Appends "PART of WHOLE" with one unit, that of the whole: "4 of 40 cores", "0.5 of 8 Gi". */
void yk_amount_text_of(struct yk_buf *text, int type, int64_t part, int64_t whole);
/* Appends the positive amounts of the types that are in `only` (NULL: of all types but the number of pods),
 * in the order of types: "20 cores, 8 Gi and 2 nvidia.com/gpu". "nothing" if there are none. */
void yk_amounts_text(struct yk_buf *text, const struct yk_resvec *amounts, const struct yk_resvec *only);

#endif
