/* SPDX-License-Identifier: Apache-2.0 */
/* A cache and scheduling classes, wired as the shim does it. */
#ifndef TEST_PREDICATES_WORLD_H
#define TEST_PREDICATES_WORLD_H

#include "predicates/classes.h"

struct world {
    struct yk_cache_observer observer;
    struct yk_cache cache;
    struct yk_classes classes;
};

int world_set_up(void **state);
/* Nothing may be left behind: no name, no rule. */
int world_tear_down(void **state);

void world_put_node(struct world *world, struct yk_k8s_node *node);
void world_put_pod(struct world *world, struct yk_pod *pod);
void world_delete_pod(struct world *world, struct yk_pod *pod);
void world_put_namespace(struct world *world, struct yk_namespace *namespace_);
struct yk_cache_node *world_node(struct world *world, const char *name);
struct yk_cache_pod *world_pod(struct world *world, const char *namespace_, const char *name);
/* Takes the pod. */
yk_si_class world_class(struct world *world, struct yk_pod *pod);

#endif
