/* SPDX-License-Identifier: Apache-2.0 */
#include "state/partition.h"

struct yk_node *yk_partition_find_node(const struct yk_partition *partition, const char *node_id)
{
    return yk_strmap_get(&partition->nodes_by_id, yk_str_from(node_id));
}

struct yk_app *yk_partition_find_app(const struct yk_partition *partition, const char *application_id)
{
    return yk_strmap_get(&partition->apps, yk_str_from(application_id));
}
