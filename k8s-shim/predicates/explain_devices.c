/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about extended resources that a DeviceClass provides and no node offers (predicates/explain.h). */
#include "predicates/explain.h"

/* A DeviceClass provides the resource that its extendedResourceName names. It also provides the resource
 * whose name is this prefix, followed by the name of the class. */
#define IMPLICIT_PREFIX "deviceclass.resource.kubernetes.io/"

enum { NAMED_MAX = 4 }; /* resources of one pod that are explained */

static bool provides(const struct yk_device_class *class_, struct yk_str resource)
{
    if (yk_str_starts(resource, IMPLICIT_PREFIX)) {
        size_t prefix = strlen(IMPLICIT_PREFIX);
        return yk_str_eq((struct yk_str){resource.p + prefix, resource.len - prefix}, class_->object.name);
    }
    return resource.len > 0 && yk_str_eq(class_->extended_resource_name, resource);
}

/* Whether `a` and not `b` is the provider, if both provide the same resource. The younger one is the
 * provider. If both have the same age, it is the one whose name comes first. */
static bool goes_before(const struct yk_object *a, const struct yk_object *b)
{
    if (a->creation_wall_ns != b->creation_wall_ns)
        return a->creation_wall_ns > b->creation_wall_ns;
    return yk_str_cmp(a->name, b->name) < 0;
}

static const struct yk_object *provider_of(const struct yk_cache *cache, struct yk_str resource)
{
    const struct yk_object *found = NULL;
    const struct yk_cache_entry *entry;
    yk_strmap_foreach (entry, &cache->kept[YK_KIND_DEVICE_CLASS]) {
        const struct yk_device_class *class_ = yk_device_class_of(entry->object);
        if (provides(class_, resource) && (found == NULL || goes_before(&class_->object, found)))
            found = &class_->object;
    }
    return found;
}

static bool is_offered(const struct yk_cache *cache, int type)
{
    const struct yk_cache_node *node;
    yk_vec_foreach (node, &cache->nodes) {
        if (yk_resvec_get(&node->allocatable->amounts, type) > 0)
            return true;
    }
    return false;
}

/* Appends the sentence about the resource. False: no DeviceClass provides the resource. */
static bool explain(const struct yk_cache *cache, const char *resource, struct yk_buf *out)
{
    const struct yk_object *class_ = provider_of(cache, yk_str_from(resource));
    if (class_ == NULL)
        return false;
    yk_buf_printf(out, " %s comes from DeviceClass '" YK_STR_FMT "', which this scheduler does not allocate.",
                  resource, YK_STR_ARG(class_->name));
    return true;
}

void yk_explain_devices(const struct yk_cache *cache, const struct yk_size *size, struct yk_buf *out)
{
    int named = 0;
    if (cache->kept[YK_KIND_DEVICE_CLASS].count == 0)
        return;
    for (uint32_t i = 0; i < size->extra_count && named < NAMED_MAX; i++) {
        if (size->extra[i].amount > 0)
            named += explain(cache, size->extra[i].name, out);
    }
    yk_resvec_foreach(type, &size->amounts)
    {
        const char *resource = yk_restype_to_kubernetes(type);
        if (named >= NAMED_MAX || yk_restype_is_asked(type) || type == YK_RESTYPE_PODS ||
            yk_resvec_get(&size->amounts, type) <= 0 || provider_of(cache, yk_str_from(resource)) == NULL ||
            is_offered(cache, type))
            continue;
        named += explain(cache, resource, out);
    }
}
