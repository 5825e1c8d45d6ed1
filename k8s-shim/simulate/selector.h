/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which objects a watch is about: namespace, label selector, field selector.
 *
 * Of the selectors, comma-separated requirements `key=value`, `key==value` and `key!=value` are understood.
 * Fields are metadata.name, metadata.namespace and, of pods, spec.nodeName, spec.schedulerName and
 * status.phase.
 *
 * Thread: any.
 */
#ifndef YK_SIMULATE_SELECTOR_H
#define YK_SIMULATE_SELECTOR_H

#include "api/server.h"

/* Whether each requirement of the specification can be understood. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk_sim_selector_check(const struct yk_watch_spec *spec, struct yk_err *err);
/* Whether `object` is one that the watch is about. `spec` has passed yk_sim_selector_check(). */
bool yk_sim_selector_matches(const struct yk_watch_spec *spec, const struct yk_object *object);

#endif
