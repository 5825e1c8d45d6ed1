/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/core_check.h"

#include "scheduler/core.h"
#include "scheduler/invariants.h"

bool yk_core_check(const struct yk_core *core, struct yk_err *err)
{
    const struct yk_partition *partition;
    yk_vec_foreach (partition, &core->partitions) {
        if (!yk_partition_check(partition, err))
            return false;
    }
    return true;
}
