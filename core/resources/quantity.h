/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantity texts. Two grammars: that of queue configurations and that of Kubernetes.
 *
 * Thread: any.
 * Source: docs/reference/queues.md 2.1 (configuration), docs/reference/kubernetes.md "Quantities".
 */
#ifndef YK_RESOURCES_QUANTITY_H
#define YK_RESOURCES_QUANTITY_H

#include "resources/resvec.h"

/*
 * Reads a quantity of a configuration: digits, optional white space, optional suffix (k M G T P E Ki Mi Gi Ti Pi Ei; m
 * for "vcore" only). "vcore" counts cores and comes out in millicores. Errors: YK_ERR_INVALID, YK_ERR_LIMIT
 * (overflow).
 */
YK_NODISCARD enum yk_status yk_quantity_parse_config(struct yk_str type_name, struct yk_str text,
                                                     int64_t *ret_amount, struct yk_err *err);

/* An exact Kubernetes quantity: a signed count of nano units, saturating. */
typedef __int128 yk_quantity;

/*
 * Reads a Kubernetes quantity ("0.5", "100m", "1Gi", "1e3"), as lenient as the API server's own scanner. Digits
 * finer than a nano unit round away from zero. Errors: YK_ERR_INVALID.
 */
YK_NODISCARD enum yk_status yk_quantity_parse(struct yk_str text, yk_quantity *ret_quantity,
                                              struct yk_err *err);
/* a + b; saturates. */
yk_quantity yk_quantity_add(yk_quantity a, yk_quantity b);
/* The quantity in whole units, rounded up; saturates at the limits of int64_t. */
int64_t yk_quantity_value(yk_quantity quantity);
/* The quantity in thousandths of a unit, rounded up; saturates at the limits of int64_t. */
int64_t yk_quantity_milli(yk_quantity quantity);
/* The amount in our base units for Kubernetes' resource `name`: cpu in millicores, everything else whole. */
int64_t yk_quantity_amount(struct yk_str name, yk_quantity quantity);

#endif
