/* SPDX-License-Identifier: Apache-2.0 */
/* The filter VolumeZone: zone and region labels of volumes (docs/reference/predicates.md 4.11). */
#include "volumes/volumes_priv.h"

static struct yk_str cut_zone(struct yk_str *rest)
{
    const char *at = rest->len == 0 ? NULL : memmem(rest->p, rest->len, "__", 2);
    struct yk_str zone = at == NULL ? *rest : (struct yk_str){rest->p, (size_t)(at - rest->p)};
    *rest = at == NULL ? (struct yk_str){0} : (struct yk_str){at + 2, rest->len - zone.len - 2};
    return yk_str_trim(zone);
}

static void rule_done(struct yk__zone_rule *rule)
{
    for (uint32_t i = 0; i < rule->value_count; i++)
        yk_name_put(rule->values[i]);
    free(rule->values);
    *rule = (struct yk__zone_rule){.values = NULL};
}

/* Reads the zones of a label such as "a__b". False: a part is empty, so the label is ignored. */
static bool read_zones(struct yk__zone_rule *rule, struct yk_str label)
{
    rule->values = yk_new0_array(yk_name, label.len / 2 + 1);
    while (label.p != NULL) {
        struct yk_str zone = cut_zone(&label);
        if (zone.len == 0)
            return false;
        rule->values[rule->value_count++] = yk_name_get(zone);
    }
    return rule->value_count > 0;
}

static void zones_compile(const struct yk_volumes *volumes, struct yk__volume *volume)
{
    if (volume->zones_compiled)
        return;
    volume->zones_compiled = true;
    for (size_t i = 0; i < YK_COUNT(volumes->zone_keys); i++) {
        yk_name key = volumes->zone_keys[i];
        struct yk_str label = yk_pairs_get(&volume->object->object.labels, yk_name_text(key));
        if (label.p == NULL)
            continue;
        struct yk__zone_rule *rule = &volume->zones[volume->zone_count];
        *rule = (struct yk__zone_rule){key, i < 2 ? volumes->zone_keys[i + 2] : key, NULL, 0};
        if (read_zones(rule, label))
            volume->zone_count++;
        else
            rule_done(rule);
    }
}

void yk__zones_clear(struct yk__volume *volume)
{
    for (uint32_t i = 0; i < volume->zone_count; i++)
        rule_done(&volume->zones[i]);
    volume->zone_count = 0;
    volume->zones_compiled = false;
}

static bool holds(const struct yk__zone_rule *rule, const struct yk_cache_node *node)
{
    yk_name value = yk_cache_node_label(node, rule->key);
    if (value.id == 0)
        value = yk_cache_node_label(node, rule->modern);
    for (uint32_t i = 0; value.id != 0 && i < rule->value_count; i++) {
        if (yk_name_eq(rule->values[i], value))
            return true;
    }
    return false;
}

/* Whether the node has a zone or region label. */
static bool says_where_it_is(const struct yk_volumes *volumes, const struct yk_cache_node *node)
{
    for (size_t i = 0; i < YK_COUNT(volumes->zone_keys); i++) {
        if (yk_cache_node_label(node, volumes->zone_keys[i]).id != 0)
            return true;
    }
    return false;
}

uint32_t yk__volume_zone(struct yk_volumes *volumes, const struct yk_pod_volumes *pod_volumes,
                         const struct yk_cache_node *node)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        struct yk__volume *volume = pod_volumes->uses[i].by_name ? pod_volumes->uses[i].claim->volume : NULL;
        if (volume == NULL || volume->object == NULL)
            continue;
        zones_compile(volumes, volume);
        for (uint32_t j = 0; j < volume->zone_count; j++) {
            if (!holds(&volume->zones[j], node))
                return says_where_it_is(volumes, node) ? YK_VOLUMES_ZONE_CONFLICT : 0;
        }
    }
    return 0;
}
