/* SPDX-License-Identifier: Apache-2.0 */
/* Searches a node on which a waiting pod could run, by the filters and by the usage of the nodes. */
#ifndef TEST_LIB_COULD_RUN_H
#define TEST_LIB_COULD_RUN_H

#include "cache/cache.h"
#include "simulate/life.h"

/* A node that the waiting pod could get now, and that is not reserved for another pod; NULL: there is none,
 * so the pod has to wait. Borrowed from the cache. */
const struct yk_cache_node *node_it_could_run_on(const struct life *life, const struct yk_cache_pod *pod);

#endif
