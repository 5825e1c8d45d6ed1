/* SPDX-License-Identifier: Apache-2.0 */
/* Translates in-tree volumes into the form of the CSI drivers to which Kubernetes has migrated them
 * (docs/reference/predicates.md 4.9, 4.10). */
#include "volumes/volumes_priv.h"

#define ZONE           "topology.kubernetes.io/zone"
#define REGION         "topology.kubernetes.io/region"
#define OLD_ZONE       "failure-domain.beta.kubernetes.io/zone"
#define OLD_REGION     "failure-domain.beta.kubernetes.io/region"
#define ZONE_SEPARATOR "__"

static const struct {
    /* topology_key NULL: the driver uses the same node affinity */
    const char *plugin, *driver, *topology_key;
} in_trees[] = {
    [YK__IN_TREE_EBS] = {"kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone"},
    [YK__IN_TREE_PD] = {"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"},
    [YK__IN_TREE_AZURE] = {"kubernetes.io/azure-disk", "disk.csi.azure.com", NULL},
    [YK__IN_TREE_CINDER] = {"kubernetes.io/cinder", "cinder.csi.openstack.org",
                            "topology.cinder.csi.openstack.org/zone"},
    [YK__IN_TREE_PORTWORX] = {"kubernetes.io/portworx-volume", "pxd.portworx.com", NULL},
};
YK_INDEXED_BY(in_trees, YK__IN_TREE_NONE - 1);

enum yk__in_tree yk__in_tree_of(const struct yk_volume_source *source)
{
    if (source->ebs_volume.p != NULL)
        return YK__IN_TREE_EBS;
    if (source->gce_disk.p != NULL)
        return YK__IN_TREE_PD;
    if (source->azure_disk_uri.p != NULL)
        return YK__IN_TREE_AZURE;
    if (source->cinder_volume.p != NULL)
        return YK__IN_TREE_CINDER;
    return source->portworx_volume.p != NULL ? YK__IN_TREE_PORTWORX : YK__IN_TREE_NONE;
}

enum yk__in_tree yk__in_tree_of_plugin(struct yk_str plugin)
{
    for (int i = 0; i < YK__IN_TREE_NONE; i++) {
        if (yk_str_is(plugin, in_trees[i].plugin))
            return (enum yk__in_tree)i;
    }
    return YK__IN_TREE_NONE;
}

struct yk_str yk__in_tree_driver(enum yk__in_tree kind)
{
    return yk_str_from(in_trees[kind].driver);
}

uint32_t yk__in_tree_listed(struct yk_str list)
{
    uint32_t bits = 0;
    struct yk_str part;
    while (yk_str_split(&list, ',', &part)) {
        enum yk__in_tree kind = yk__in_tree_of_plugin(part);
        bits |= kind == YK__IN_TREE_NONE ? 0 : 1u << kind;
    }
    return bits;
}

/* Sets `*ret_zone` to the part of `rest` before the next "__", and removes both from `rest`. False: there are
 * no more parts. */
static bool next_zone(struct yk_str *rest, struct yk_str *ret_zone)
{
    if (rest->p == NULL)
        return false;
    const char *at = rest->len == 0 ? NULL : memmem(rest->p, rest->len, ZONE_SEPARATOR, 2);
    *ret_zone = at == NULL ? *rest : (struct yk_str){rest->p, (size_t)(at - rest->p)};
    *rest = at == NULL ? (struct yk_str){0} : (struct yk_str){at + 2, rest->len - ret_zone->len - 2};
    return true;
}

/* Appends the ID of an EBS volume, which is given alone or as "aws://<zone>/vol-...". False: the text is
 * malformed. */
static bool ebs_handle(struct yk_str id, struct yk_buf *out)
{
    if (!yk_str_starts(id, "aws://")) {
        yk_buf_str(out, id);
        return true;
    }
    const char *slash = memchr(id.p + 6, '/', id.len - 6);
    struct yk_str path =
        slash == NULL ? (struct yk_str){"", 0} : (struct yk_str){slash, id.len - (size_t)(slash - id.p)};
    while (path.len > 0 && path.p[0] == '/')
        path = (struct yk_str){path.p + 1, path.len - 1};
    while (path.len > 0 && path.p[path.len - 1] == '/')
        path.len--;
    if (!yk_str_starts(path, "vol-") || memchr(path.p, '/', path.len) != NULL)
        return false;
    yk_buf_str(out, path);
    return true;
}

/* Sets `*ret_region` to the region of a zone, such as "us-central1" for "us-central1-a". False: the text does
 * not have the form of a zone. */
static bool region_of(struct yk_str zone, struct yk_str *ret_region)
{
    struct yk_str rest = zone, part;
    size_t parts = 0, len = 0;
    while (yk_str_split(&rest, '-', &part)) {
        if (++parts <= 2)
            len += part.len + (parts == 2 ? 1 : 0);
    }
    *ret_region = (struct yk_str){zone.p, len};
    return parts == 3;
}

static bool pd_handle(struct yk_str disk, struct yk_str zones, struct yk_buf *out)
{
    struct yk_str rest = zones, zone, region = {0};
    size_t count = 0;
    bool valid = true;
    while (next_zone(&rest, &zone)) {
        struct yk_str here;
        count++;
        valid = region_of(zone, &here) && valid && (region.p == NULL || yk_str_eq(region, here));
        region = here;
    }
    if (count <= 1) {
        yk_buf_printf(out, "projects/UNSPECIFIED/zones/" YK_STR_FMT "/disks/" YK_STR_FMT,
                      YK_STR_ARG(zones.len > 0 ? zones : YK_STR("UNSPECIFIED")), YK_STR_ARG(disk));
        return true;
    }
    yk_buf_printf(out, "projects/UNSPECIFIED/regions/" YK_STR_FMT "/disks/" YK_STR_FMT, YK_STR_ARG(region),
                  YK_STR_ARG(disk));
    return valid;
}

static struct yk_str pd_zones(const struct yk_pairs *labels)
{
    if (labels == NULL)
        return (struct yk_str){0};
    struct yk_str zones = yk_pairs_get(labels, OLD_ZONE);
    return yk_str_empty(zones) ? yk_pairs_get(labels, ZONE) : zones;
}

bool yk__in_tree_handle(enum yk__in_tree kind, const struct yk_volume_source *source,
                        const struct yk_pairs *labels, struct yk_buf *out)
{
    switch (kind) {
    case YK__IN_TREE_EBS:
        return ebs_handle(source->ebs_volume, out);
    case YK__IN_TREE_PD:
        return pd_handle(source->gce_disk, pd_zones(labels), out);
    case YK__IN_TREE_AZURE:
        yk_buf_str(out, source->azure_disk_uri);
        return true;
    case YK__IN_TREE_CINDER:
        yk_buf_str(out, source->cinder_volume);
        return true;
    case YK__IN_TREE_PORTWORX:
        yk_buf_str(out, source->portworx_volume);
        return true;
    case YK__IN_TREE_NONE:
        break;
    }
    return false;
}

/* ---- node affinity ---- */

static bool terms_reference(const struct yk_volume *volume, const char *key, bool with_values)
{
    for (uint32_t i = 0; i < volume->required_term_count; i++) {
        const struct yk_selector_term *term = &volume->required_terms[i];
        for (uint32_t j = 0; j < term->expression_count; j++) {
            const struct yk_requirement *line = &term->expressions[j];
            if (yk_str_is(line->key, key) && (!with_values || line->value_count > 0))
                return true;
        }
    }
    return false;
}

/* Whether the volume names its zones under the deprecated key, in its node affinity or its labels. */
static bool is_old(const struct yk_volume *volume)
{
    if (terms_reference(volume, ZONE, false))
        return false;
    if (terms_reference(volume, OLD_ZONE, false))
        return true;
    return yk_pairs_get(&volume->object.labels, ZONE).p == NULL &&
           yk_pairs_get(&volume->object.labels, OLD_ZONE).p != NULL;
}

struct renaming {                    /* of label keys in terms */
    const char *zone_from, *zone_to; /* zone_from NULL: the key of the zone is not renamed */
    bool region;                     /* the deprecated key of the region gets its present name */
};

static struct yk_str renamed(const struct renaming *renaming, struct yk_str key)
{
    if (renaming->zone_from != NULL && yk_str_is(key, renaming->zone_from))
        return yk_str_from(renaming->zone_to);
    return renaming->region && yk_str_is(key, OLD_REGION) ? YK_STR(REGION) : key;
}

/* Copies a term with renamed keys, and appends the requirement `zone` if it has values. */
static void copy_term(struct yk_arena *arena, const struct renaming *renaming,
                      const struct yk_selector_term *from, const struct yk_requirement *zone,
                      struct yk_selector_term *to)
{
    *to = *from;
    to->expressions = yk_arena_alloc0(arena, (from->expression_count + 1) * sizeof(*to->expressions));
    for (uint32_t i = 0; i < from->expression_count; i++) {
        to->expressions[i] = from->expressions[i];
        to->expressions[i].key = renamed(renaming, from->expressions[i].key);
    }
    if (zone->value_count > 0)
        to->expressions[to->expression_count++] = *zone;
}

/* Sets the values of `ret` to the zones in a label such as "a__b". */
static void zones_of_label(struct yk_arena *arena, struct yk_str label, struct yk_requirement *ret)
{
    struct yk_str zone;
    ret->values = yk_arena_alloc0(arena, (label.len / 2 + 1) * sizeof(*ret->values));
    while (next_zone(&label, &zone)) {
        zone = yk_str_trim(zone);
        if (zone.len > 0)
            ret->values[ret->value_count++] = zone;
    }
}

static void translate(struct yk_arena *arena, const char *topology_key, const struct yk_volume *volume,
                      struct yk_node_terms *ret)
{
    bool old = is_old(volume);
    const char *zone_key = old ? OLD_ZONE : ZONE;
    struct renaming renaming = {NULL, topology_key, old && terms_reference(volume, OLD_REGION, true)};
    struct yk_requirement zone = {yk_str_from(topology_key), YK_STR("In"), NULL, 0};
    if (terms_reference(volume, zone_key, true))
        renaming.zone_from = zone_key;
    else
        zones_of_label(arena, yk_pairs_get(&volume->object.labels, zone_key), &zone);
    uint32_t count = volume->has_required_affinity ? volume->required_term_count : 0;
    static const struct yk_selector_term empty;
    bool adds = zone.value_count > 0 && count == 0;
    struct yk_selector_term *terms = yk_arena_alloc0(arena, (count + 1) * sizeof(*terms));
    for (uint32_t i = 0; i < count; i++)
        copy_term(arena, &renaming, &volume->required_terms[i], &zone, &terms[i]);
    if (adds)
        copy_term(arena, &renaming, &empty, &zone, &terms[0]);
    yk_node_terms_of_volume(ret, terms, adds ? 1 : count);
    ret->is_any = !adds && !volume->has_required_affinity;
}

bool yk__in_tree_affinity(enum yk__in_tree kind, const struct yk_volume *volume, struct yk_node_terms *ret)
{
    const char *topology_key = in_trees[kind].topology_key;
    if (topology_key == NULL) {
        if (volume->has_required_affinity)
            yk_node_terms_of_volume(ret, volume->required_terms, volume->required_term_count);
        return volume->has_required_affinity;
    }
    struct yk_arena arena = {0};
    translate(&arena, topology_key, volume, ret);
    yk_arena_done(&arena);
    return true;
}
