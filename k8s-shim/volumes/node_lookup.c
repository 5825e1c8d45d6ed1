/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the records of a node. The functions are in a file of their own, so that node_volumes.c, wake.c and
 * attach_limits.c do not call each other in a loop. */
#include "volumes/volumes_priv.h"

struct yk__node_volumes *yk__node_volumes(const struct yk_volumes *volumes, yk_name node)
{
    return yk_idmap_get(&volumes->nodes, node.id);
}

struct yk__node_driver *yk__node_driver(const struct yk__node_volumes *node, const struct yk__driver *driver)
{
    for (uint32_t i = 0; node != NULL && i < node->driver_count; i++) {
        if (node->drivers[i].driver == driver)
            return &node->drivers[i];
    }
    return NULL;
}
