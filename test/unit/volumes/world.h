/* SPDX-License-Identifier: Apache-2.0 */
/* A cache and the volumes over it, filled with objects written as JSON (single quotes stand for double
 * ones). */
#ifndef TEST_VOLUMES_WORLD_H
#define TEST_VOLUMES_WORLD_H

#include "volumes/volumes.h"

struct world {
    struct yk_cache_observer observer;
    struct yk_cache cache;
    struct yk_volumes volumes;
    uint64_t version;
};

void world_init(struct world *world);
/* Nothing may be left: neither pods' volumes nor names. */
void world_done(struct world *world);

/* `rest`: further members of the object, each behind a comma; `meta`: of its metadata, or "". */
void put(struct world *world, enum yk_kind kind, const char *namespace_, const char *name, const char *meta,
         const char *rest);
/* With another uid than "u-<name>". */
void put_as(struct world *world, enum yk_kind kind, const char *namespace_, const char *name, const char *uid,
            const char *meta, const char *rest);
void drop(struct world *world, enum yk_kind kind, const char *namespace_, const char *name);
/* An object as it stands in `text`; the caller's. */
struct yk_object *object_from(enum yk_kind kind, const char *text);
/* `labels`: "'a':'b','c':'d'" */
void put_node(struct world *world, const char *name, const char *labels);
struct yk_cache_node *node_of(struct world *world, const char *name);
/* `volumes`: the items of spec.volumes. Freed by the caller. */
struct yk_pod *pod_with(const char *namespace_, const char *name, const char *volumes);
/* The same, described; given back by the caller. */
struct yk_pod_volumes *volumes_of(struct world *world, const char *namespace_, const char *name,
                                  const char *volumes);

#endif
