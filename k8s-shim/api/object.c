/* SPDX-License-Identifier: Apache-2.0 */
#include "api/object.h"

struct yk_str yk_pairs_get(const struct yk_pairs *pairs, const char *key)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_is(pairs->items[i].key, key))
            return pairs->items[i].value;
    }
    return (struct yk_str){0};
}

void yk_object_free(struct yk_object *object)
{
    if (object == NULL)
        return;
    struct yk_arena arena = object->arena; /* the object lives in it */
    yk_arena_done(&arena);
}

const char *yk_kind_name(enum yk_kind kind)
{
    switch (kind) {
    case YK_KIND_POD:
        return "pods";
    case YK_KIND_NODE:
        return "nodes";
    case YK_KIND_NAMESPACE:
        return "namespaces";
    case YK_KIND_PRIORITY_CLASS:
        return "priorityclasses";
    case YK_KIND_CONFIG_MAP:
        return "configmaps";
    case YK_KIND_DISRUPTION_BUDGET:
        return "poddisruptionbudgets";
    case YK_KIND_COUNT:
        break;
    }
    return "unknown";
}
