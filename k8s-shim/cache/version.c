/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/cache_priv.h"

/* API servers send decimal numbers. Other texts, and numbers above INT64_MAX, are hashed to numbers above
 * INT64_MAX, so that a hash never equals a decimal number. */
uint64_t yk__version(struct yk_str resource_version)
{
    uint64_t number;
    if (yk_str_to_u64(resource_version, &number) == YK_OK && number <= INT64_MAX)
        return number;
    return yk_hash(resource_version.p, resource_version.len) | UINT64_C(1) << 63;
}
