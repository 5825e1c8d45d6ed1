/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a pod that waits could run somewhere, by the filters and by what is counted on the nodes. */
#ifndef TEST_LIB_COULD_RUN_H
#define TEST_LIB_COULD_RUN_H

#include "cache/cache.h"
#include "simulate/life.h"

/* A node that takes the pod as things stand and is not kept for another; NULL: it waits rightly. */
const struct yk_cache_node *node_it_could_run_on(const struct life *life, const struct yk_cache_pod *pod);

#endif
