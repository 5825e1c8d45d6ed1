/* SPDX-License-Identifier: Apache-2.0 */
#include "volumes/volumes_priv.h"

void yk_volumes_init(struct yk_volumes *volumes)
{
    static const char *const zone_keys[] = {
        "failure-domain.beta.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region",
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
    };
    *volumes = (struct yk_volumes){.listed = 0};
    yk_list_init(&volumes->refused);
    yk_list_init(&volumes->woken);
    yk_list_init(&volumes->plans);
    for (size_t i = 0; i < YK_COUNT(zone_keys); i++)
        volumes->zone_keys[i] = yk_name_get(yk_str_from(zone_keys[i]));
}

/* ---- the end ---- */

/* Fills `vec` with all records of `map` that have an object. Each gets one more holder, so that it stays
 * valid when it loses the object. */
#define HOLD_THOSE_WITH_OBJECTS(vec, map, T)                                                                 \
    do {                                                                                                     \
        struct T *yk_item_;                                                                                  \
        yk_vec_clear(vec);                                                                                   \
        yk_idmap_foreach (yk_item_, (map)) {                                                                 \
            if (yk_item_->object != NULL && ++yk_item_->holders > 0)                                         \
                yk_vec_append((vec), yk_item_);                                                              \
        }                                                                                                    \
    } while (0)

static void drop_claims_and_volumes(struct yk_volumes *volumes, struct yk_vec *all)
{
    struct yk__claim *claim;
    HOLD_THOSE_WITH_OBJECTS(all, &volumes->claims, yk__claim);
    yk_vec_foreach (claim, all) {
        yk__claim_becomes(volumes, claim, NULL);
        yk__claim_put(volumes, claim);
    }
    struct yk__attachment *attachment;
    yk_strmap_foreach (attachment, &volumes->attachments)
        yk__attachment_free(volumes, attachment);
    struct yk__volume *volume;
    HOLD_THOSE_WITH_OBJECTS(all, &volumes->volumes, yk__volume);
    yk_vec_foreach (volume, all) {
        yk__volume_becomes(volumes, volume, NULL);
        yk__volume_put(volumes, volume);
    }
}

static void drop_classes_and_nodes(struct yk_volumes *volumes, struct yk_vec *all)
{
    struct yk__capacity *capacity;
    yk_strmap_foreach (capacity, &volumes->capacities)
        yk__capacity_free(volumes, capacity);
    struct yk__class *class_;
    HOLD_THOSE_WITH_OBJECTS(all, &volumes->classes, yk__class);
    yk_vec_foreach (class_, all) {
        yk__class_becomes(volumes, class_, NULL);
        yk__class_put(volumes, class_);
    }
    struct yk__node_volumes *node;
    yk_vec_clear(all);
    yk_idmap_foreach (node, &volumes->nodes)
        yk_vec_append(all, node);
    yk_vec_foreach (node, all)
        yk__node_becomes(volumes, node->name, NULL);
    struct yk__driver *driver;
    HOLD_THOSE_WITH_OBJECTS(all, &volumes->drivers, yk__driver);
    yk_vec_foreach (driver, all) {
        driver->object = NULL;
        yk__driver_put(volumes, driver);
    }
}

void yk_volumes_done(struct yk_volumes *volumes)
{
    struct yk_vec all = {0};
    volumes->trying++; /* so that no pods are woken */
    drop_claims_and_volumes(volumes, &all);
    drop_classes_and_nodes(volumes, &all);
    yk_vec_done(&all);
    YK_ASSERT(volumes->claims.count + volumes->volumes.count + volumes->classes.count == 0);
    YK_ASSERT(volumes->drivers.count + volumes->handles.count + volumes->nodes.count == 0);
    YK_ASSERT(volumes->pod_volumes.count == 0 && yk_list_empty(&volumes->plans));
    yk_idmap_done(&volumes->claims);
    yk_idmap_done(&volumes->volumes);
    yk_idmap_done(&volumes->classes);
    yk_idmap_done(&volumes->drivers);
    yk_idmap_done(&volumes->handles);
    yk_idmap_done(&volumes->nodes);
    yk_strmap_done(&volumes->capacities);
    yk_strmap_done(&volumes->attachments);
    yk_strmap_done(&volumes->pod_volumes);
    yk_vec_done(&volumes->scratch);
    yk_buf_done(&volumes->key);
    for (size_t i = 0; i < YK_COUNT(volumes->zone_keys); i++)
        yk_name_put(volumes->zone_keys[i]);
}

/* ---- filters ---- */

static uint32_t result_for(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                           const struct yk_cache_node *node)
{
    const struct yk__node_volumes *known = yk__node_volumes(volumes, node->name);
    uint32_t result = yk__restrictions(pod_volumes, known);
    if (result == 0)
        result = yk__attach_limits(volumes, pod_volumes, known, NULL);
    if (result == 0)
        result = yk__volume_binding(volumes, pod_volumes, node);
    return result != 0 ? result : yk__volume_zone(volumes, pod_volumes, node);
}

uint32_t yk_volumes_check(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                          const struct yk_cache_node *node)
{
    if (pod_volumes == NULL)
        return 0;
    uint32_t result = result_for(volumes, pod_volumes, node);
    if (result != 0)
        yk__refused(volumes, pod_volumes, result);
    return result;
}

/* Calls `visit` with the plugin and the sentence of YK_VOLUMES_NO_DRIVER. */
static void name_driver(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                        const struct yk_cache_node *node,
                        void (*visit)(void *context, const char *plugin, const char *reason), void *context)
{
    const struct yk__driver *driver = NULL;
    struct yk_buf text = {0};
    (void)yk__attach_limits(volumes, pod_volumes, yk__node_volumes(volumes, node->name),
                            &driver); /* returns YK_VOLUMES_NO_DRIVER, too */
    yk_buf_printf(&text, "%s CSI driver is not installed on the node",
                  driver == NULL ? "" : yk_name_text(driver->name));
    visit(context, "NodeVolumeLimits", yk_buf_cstr(&text));
    yk_buf_done(&text);
}

void yk_volumes_reasons(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                        const struct yk_cache_node *node, uint32_t result,
                        void (*visit)(void *context, const char *plugin, const char *reason), void *context)
{
    static const struct {
        uint32_t reason;
        const char *plugin, *text;
    } texts[] = {
#define ROW(symbol, plugin, sentence) {YK_VOLUMES_##symbol, plugin, sentence},
#include "volumes/reason_rows.h"
#undef ROW
    };
    if ((result & YK_VOLUMES_NO_DRIVER) != 0)
        name_driver(volumes, pod_volumes, node, visit, context);
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        if ((result & texts[i].reason) != 0)
            visit(context, texts[i].plugin, texts[i].text);
    }
}

void yk_volumes_try_begin(struct yk_volumes *volumes)
{
    volumes->trying++;
}

void yk_volumes_try_end(struct yk_volumes *volumes)
{
    if (YK_ASSERT(volumes->trying > 0))
        volumes->trying--;
}

/* ---- changes ---- */

void yk_volumes_kept_changed(struct yk_volumes *volumes, enum yk_kind kind, const struct yk_object *before,
                             const struct yk_object *after)
{
    const void *was = before, *is = after;
    switch (kind) {
    case YK_KIND_VOLUME_CLAIM:
        yk_volume_claim_changed(volumes, was, is);
        break;
    case YK_KIND_VOLUME:
        yk_volume_changed(volumes, was, is);
        break;
    case YK_KIND_STORAGE_CLASS:
        yk_storage_class_changed(volumes, was, is);
        break;
    case YK_KIND_CSI_NODE:
        yk_csi_node_changed(volumes, was, is);
        break;
    case YK_KIND_CSI_DRIVER:
        yk_csi_driver_changed(volumes, was, is);
        break;
    case YK_KIND_CSI_CAPACITY:
        yk_csi_capacity_changed(volumes, was, is);
        break;
    case YK_KIND_VOLUME_ATTACHMENT:
        yk_volume_attachment_changed(volumes, was, is);
        break;
    case YK_KIND_POD:
    case YK_KIND_NODE:
    case YK_KIND_NAMESPACE:
    case YK_KIND_PRIORITY_CLASS:
    case YK_KIND_CONFIG_MAP:
    case YK_KIND_DISRUPTION_BUDGET:
    case YK_KIND_DEVICE_CLASS:
    case YK_KIND_MUTATING_WEBHOOKS:
    case YK_KIND_COUNT:
        break;
    }
}

void yk_volumes_set_listed(struct yk_volumes *volumes, uint32_t kinds)
{
    bool has_more = (kinds & ~volumes->listed) != 0;
    volumes->listed = kinds;
    if (has_more)
        yk__wake_all(volumes, YK_VOLUMES_IMPOSSIBLE);
}

void yk_volumes_node_changed(struct yk_volumes *volumes, const struct yk_cache_node *node)
{
    yk__notify_node_plans(volumes, node->name);
}
