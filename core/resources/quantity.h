/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads quantities in two grammars: that of queue configurations and that of Kubernetes.
 *
 * Thread: any.
 * Source: docs/reference/queues.md 2.1 (configuration), docs/reference/kubernetes.md "Quantities".
 */
#ifndef YK_RESOURCES_QUANTITY_H
#define YK_RESOURCES_QUANTITY_H

#include "resources/resvec.h"

/*
 * Reads the quantity `text` of the resource `type_name` in a configuration, where processors are called
 * "vcore": digits without a sign, optional white space, optional suffix (k M G T P E Ki Mi Gi Ti Pi Ei; m for
 * "vcore" only). `*ret_amount` is in base units: for "vcore", whose texts count cores, in millicores; else
 * the number itself. Errors: YK_ERR_INVALID; YK_ERR_LIMIT, the amount does not fit.
 */
YK_NODISCARD enum yk_status yk_quantity_parse_config(struct yk_str type_name, struct yk_str text,
                                                     int64_t *ret_amount, struct yk_err *err);

/* A Kubernetes quantity as a signed number of billionths of a unit. Its bounds are 2^120 and -2^120, at
 * which it saturates. */
typedef __int128 yk_quantity;

/*
 * Reads a Kubernetes quantity ("0.5", "100m", "1Gi", "1e3", with a sign or without), as lenient as the API
 * server's own scanner. A remainder of less than a billionth of a unit is rounded away from zero. Errors:
 * YK_ERR_INVALID.
 */
YK_NODISCARD enum yk_status yk_quantity_parse(struct yk_str text, yk_quantity *ret_quantity,
                                              struct yk_err *err);
/* a + b; saturates. */
yk_quantity yk_quantity_add(yk_quantity a, yk_quantity b);
/* The quantity in whole units, rounded up (-1.5 becomes -1); saturates at the limits of int64_t. */
int64_t yk_quantity_value(yk_quantity quantity);
/* The quantity in thousandths of a unit, rounded up; saturates at the limits of int64_t. */
int64_t yk_quantity_milli(yk_quantity quantity);
/* The amount in the base units of resource vectors, for the resource that Kubernetes calls `name`: "cpu"
 * in millicores, all others in whole units, such as bytes. Rounded up; saturates. */
int64_t yk_quantity_amount(struct yk_str name, yk_quantity quantity);

#endif
