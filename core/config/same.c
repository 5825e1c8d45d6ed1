/* SPDX-License-Identifier: Apache-2.0 */
/* Compares parts of two configurations. */
#include "config/config.h"

bool yk_config_names_same(const struct yk_config_names *a, const struct yk_config_names *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!yk_str_eq(a->items[i], b->items[i]))
            return false;
    }
    return true;
}

bool yk_config_pairs_same(const struct yk_pairs *a, const struct yk_pairs *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!yk_str_eq(a->items[i].key, b->items[i].key) || !yk_str_eq(a->items[i].value, b->items[i].value))
            return false;
    }
    return true;
}
