/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of the scheduler interface (si.h): what a namespace says about its queues while applications of it
 * run, and what an ask is told about preemption. Source: docs/reference/queues.md, R39 to R41;
 * docs/reference/kubernetes.md 2.5 (P09); docs/reference/predicates.md 1.4.
 */
#ifndef YK_SI_NAMESPACE_H
#define YK_SI_NAMESPACE_H

#include "si.h"

/*
 * `tags` are "namespace.resourcequota", "namespace.resourceguaranteed", "namespace.resourcemaxapps", as an
 * application brings them: they set the limits of the leaf that the application is in, at once. What is not
 * said is treated as with a new application (R40). An application that is not there, or whose leaf is of the
 * configuration: nothing is done. Errors: YK_ERR_NOT_FOUND, an unknown rm_id.
 */
YK_NODISCARD enum yk_status yk_core_namespace_changed(struct yk_core *core, const char *rm_id,
                                                      const char *application_id, const char *partition,
                                                      const struct yk_si_tag *tags, size_t count);

/*
 * The reason of YK_SI_STATE_FAILED once somebody has looked whom the ask could preempt, and found nobody.
 * Asks that were told that they wait before are told again.
 */
#define YK_SI_NO_VICTIMS                                                                                     \
    "request is waiting for cluster resources become available, and preemption would not help"

#endif
