/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selectors of watches: which objects a watch delivers, by namespace, label selector and field selector.
 *
 * A selector is a list of requirements `key=value`, `key==value` or `key!=value` with commas between them.
 * Other forms, such as sets, are not understood. Fields are metadata.name, metadata.namespace and, for pods,
 * spec.nodeName, spec.schedulerName and status.phase.
 *
 * Thread: any.
 */
#ifndef YK_SIMULATE_SELECTOR_H
#define YK_SIMULATE_SELECTOR_H

#include "api/server.h"

/* Checks that both selectors of `spec` have the forms above. Errors: YK_ERR_INVALID; `err` names the
 * requirement. */
YK_NODISCARD enum yk_status yk_sim_selector_check(const struct yk_watch_spec *spec, struct yk_err *err);
/* Whether the namespace, the labels and the fields of `object` match `spec`, which has passed
 * yk_sim_selector_check(). `object` must be of the kind of `spec`. */
bool yk_sim_selector_matches(const struct yk_watch_spec *spec, const struct yk_object *object);

#endif
