/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/json_memory.h"

#include "base/base.h"

#include <jansson.h>

static void *take(size_t bytes)
{
    void *p = malloc(YK_MAX(bytes, 1));
    if (p == NULL)
        yk_out_of_memory(bytes);
    return p;
}

void yk_json_memory_init(void)
{
    json_set_alloc_funcs(take, free);
}
