/* SPDX-License-Identifier: Apache-2.0 */
#include "volumes/oracle.h"

#include "volumes/volumes.h" /* the bits, and nothing else */

#define ZONE     "topology.kubernetes.io/zone"
#define OLD_ZONE "failure-domain.beta.kubernetes.io/zone"

/* ---- finding ---- */

#define FIND(list, n, wanted)                                                                                \
    for (uint32_t i = 0; i < (n); i++) {                                                                     \
        if (yk_str_eq((list)[i]->object.name, (wanted)))                                                     \
            return (list)[i];                                                                                \
    }                                                                                                        \
    return NULL

static const struct yk_volume *find_volume(const struct oracle *o, struct yk_str name)
{
    FIND(o->volumes, o->volume_count, name);
}
static const struct yk_storage_class *find_class(const struct oracle *o, struct yk_str name)
{
    FIND(o->classes, o->class_count, name);
}
static const struct yk_csi_node *find_csi_node(const struct oracle *o, struct yk_str name)
{
    FIND(o->csi_nodes, o->csi_node_count, name);
}
static const struct yk_csi_driver *find_driver(const struct oracle *o, struct yk_str name)
{
    FIND(o->drivers, o->driver_count, name);
}

static const struct yk_volume_claim *find_claim(const struct oracle *o, struct yk_str namespace_,
                                                struct yk_str name)
{
    for (uint32_t i = 0; i < o->claim_count; i++) {
        if (yk_str_eq(o->claims[i]->object.namespace_, namespace_) &&
            yk_str_eq(o->claims[i]->object.name, name))
            return o->claims[i];
    }
    return NULL;
}

static bool is_claim(const struct yk_pod_volume *volume)
{
    return volume->has_claim || volume->is_ephemeral;
}

static void claim_name(const struct yk_pod *pod, const struct yk_pod_volume *volume, char name[100])
{
    if (volume->has_claim)
        snprintf(name, 100, YK_STR_FMT, YK_STR_ARG(volume->claim_name));
    else
        snprintf(name, 100, YK_STR_FMT "-" YK_STR_FMT, YK_STR_ARG(pod->object.name),
                 YK_STR_ARG(volume->name));
}

static const struct yk_volume_claim *claim_of(const struct oracle *o, const struct yk_pod *pod,
                                              const struct yk_pod_volume *volume)
{
    char name[100];
    claim_name(pod, volume, name);
    return find_claim(o, pod->object.namespace_, yk_str_from(name));
}

static struct yk_str annotation(const struct yk_object *object, const char *key)
{
    return yk_pairs_get(&object->annotations, key);
}

static struct yk_str class_of(const struct yk_object *object, struct yk_str name)
{
    struct yk_str old = annotation(object, "volume.beta.kubernetes.io/storage-class");
    return old.p != NULL ? old : name;
}

static bool is_bound(const struct yk_volume_claim *claim)
{
    return claim->volume_name.len > 0 &&
           annotation(&claim->object, "pv.kubernetes.io/bind-completed").p != NULL;
}

static bool is_delayed(const struct oracle *o, const struct yk_volume_claim *claim)
{
    const struct yk_storage_class *class_ = find_class(o, class_of(&claim->object, claim->class_name));
    return class_ != NULL && yk_str_is(class_->binding_mode, "WaitForFirstConsumer") &&
           claim->volume_name.len == 0;
}

static bool same_claim(const char *key, const struct yk_volume_claim *claim)
{
    char other[200];
    snprintf(other, sizeof(other), YK_STR_FMT "/" YK_STR_FMT, YK_STR_ARG(claim->object.namespace_),
             YK_STR_ARG(claim->object.name));
    return strcmp(key, other) == 0;
}

static yk_quantity storage_of(const struct yk_amounts *amounts, bool *ret_has)
{
    for (uint32_t i = 0; i < amounts->count; i++) {
        if (yk_str_is(amounts->items[i].name, "storage")) {
            *ret_has = true;
            return amounts->items[i].quantity;
        }
    }
    *ret_has = false;
    return 0;
}

/* ---- selectors ---- */

static struct yk_str label(const struct yk_pairs *labels, struct yk_str key)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        if (yk_str_eq(labels->items[i].key, key))
            return labels->items[i].value;
    }
    return (struct yk_str){0};
}

static bool among(struct yk_str value, const struct yk_str *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (yk_str_eq(values[i], value))
            return true;
    }
    return false;
}

static bool line_holds(const struct yk_requirement *line, struct yk_str key, const struct yk_pairs *labels)
{
    struct yk_str value = label(labels, key);
    if (yk_str_is(line->operator_, "In"))
        return value.p != NULL && among(value, line->values, line->value_count);
    if (yk_str_is(line->operator_, "NotIn"))
        return value.p == NULL || !among(value, line->values, line->value_count);
    if (yk_str_is(line->operator_, "Exists"))
        return value.p != NULL;
    if (yk_str_is(line->operator_, "DoesNotExist"))
        return value.p == NULL;
    int64_t bound, have;
    if (value.p == NULL || yk_str_to_i64(line->values[0], &bound) != YK_OK ||
        yk_str_to_i64(value, &have) != YK_OK)
        return false;
    return yk_str_is(line->operator_, "Gt") ? have > bound : have < bound;
}

static bool selector_holds(const struct yk_label_selector *selector, const struct yk_pairs *labels)
{
    for (uint32_t i = 0; i < selector->labels.count; i++) {
        struct yk_str value = label(labels, selector->labels.items[i].key);
        if (value.p == NULL || !yk_str_eq(value, selector->labels.items[i].value))
            return false;
    }
    for (uint32_t i = 0; i < selector->expression_count; i++) {
        if (!line_holds(&selector->expressions[i], selector->expressions[i].key, labels))
            return false;
    }
    return true;
}

struct translation {
    const char *from, *to; /* a zone's key; NULL: none */
    struct yk_str zones;   /* of the label; to be added as a line when p is set */
};

/* One of the zones in "a__b". */
static bool in_zones(struct yk_str zones, struct yk_str value)
{
    char text[300], wanted[300];
    snprintf(text, sizeof(text), "__" YK_STR_FMT "__", YK_STR_ARG(zones));
    snprintf(wanted, sizeof(wanted), "__" YK_STR_FMT "__", YK_STR_ARG(value));
    return value.len > 0 && strstr(text, wanted) != NULL;
}

static bool term_holds(const struct yk_selector_term *term, const struct translation *translation,
                       const struct yk_pairs *labels)
{
    for (uint32_t i = 0; i < term->expression_count; i++) {
        struct yk_str key = term->expressions[i].key;
        if (translation->from != NULL && yk_str_is(key, translation->from))
            key = yk_str_from(translation->to);
        if (!line_holds(&term->expressions[i], key, labels))
            return false;
    }
    if (translation->zones.p != NULL)
        return in_zones(translation->zones, label(labels, yk_str_from(translation->to)));
    return term->expression_count + term->field_count > 0;
}

static bool mentions(const struct yk_volume *volume, const char *key)
{
    for (uint32_t i = 0; i < volume->required_term_count; i++) {
        for (uint32_t j = 0; j < volume->required_terms[i].expression_count; j++) {
            if (yk_str_is(volume->required_terms[i].expressions[j].key, key))
                return true;
        }
    }
    return false;
}

/* Only EBS is among what the random runs use. */
static struct translation translation_of(const struct oracle *o, const struct yk_volume *volume,
                                         const struct oracle_node *node)
{
    struct translation none = {NULL, NULL, {0}};
    const struct yk_csi_node *csi = find_csi_node(o, node->name);
    if (volume->source.ebs_volume.p == NULL || csi == NULL)
        return none;
    struct yk_str listed = annotation(&csi->object, "storage.alpha.kubernetes.io/migrated-plugins");
    if (listed.p == NULL || strstr(listed.p, "kubernetes.io/aws-ebs") == NULL)
        return none;
    struct translation to = {NULL, "topology.ebs.csi.aws.com/zone", {0}};
    bool modern_label = yk_pairs_get(&volume->object.labels, ZONE).p != NULL;
    bool old_label = yk_pairs_get(&volume->object.labels, OLD_ZONE).p != NULL;
    if (mentions(volume, ZONE))
        to.from = ZONE;
    else if (mentions(volume, OLD_ZONE))
        to.from = OLD_ZONE;
    else if (modern_label || old_label)
        to.zones = yk_pairs_get(&volume->object.labels, modern_label ? ZONE : OLD_ZONE);
    return to;
}

static bool reaches(const struct oracle *o, const struct yk_volume *volume, const struct oracle_node *node,
                    bool translated)
{
    struct translation translation = {NULL, NULL, {0}};
    static const struct yk_selector_term empty;
    if (translated)
        translation = translation_of(o, volume, node);
    if (!volume->has_required_affinity)
        return translation.zones.p == NULL || term_holds(&empty, &translation, &node->labels);
    for (uint32_t i = 0; i < volume->required_term_count; i++) {
        if (term_holds(&volume->required_terms[i], &translation, &node->labels))
            return true;
    }
    return volume->required_term_count == 0 && translation.zones.p != NULL &&
           term_holds(&empty, &translation, &node->labels);
}

/* ---- 4.8 ---- */

static bool overlap(const struct yk_volume_source *a, const struct yk_volume_source *b)
{
    for (uint32_t i = 0; i < a->rbd_monitor_count; i++) {
        if (among(a->rbd_monitors[i], b->rbd_monitors, b->rbd_monitor_count))
            return true;
    }
    return false;
}

static bool clash(const struct yk_volume_source *a, const struct yk_volume_source *b)
{
    if (a->gce_disk.p != NULL && b->gce_disk.p != NULL && yk_str_eq(a->gce_disk, b->gce_disk))
        return !(a->gce_read_only && b->gce_read_only);
    if (a->ebs_volume.p != NULL && b->ebs_volume.p != NULL)
        return yk_str_eq(a->ebs_volume, b->ebs_volume);
    if (a->iscsi_iqn.p != NULL && b->iscsi_iqn.p != NULL && yk_str_eq(a->iscsi_iqn, b->iscsi_iqn))
        return !(a->iscsi_read_only && b->iscsi_read_only);
    if (a->rbd_image.p == NULL || b->rbd_image.p == NULL)
        return false;
    return overlap(a, b) && yk_str_eq(a->rbd_pool, b->rbd_pool) && yk_str_eq(a->rbd_image, b->rbd_image) &&
           !(a->rbd_read_only && b->rbd_read_only);
}

static bool names(const struct yk_pod *pod, const struct yk_volume_claim *claim)
{
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        if (pod->volumes[i].has_claim && yk_str_eq(pod->object.namespace_, claim->object.namespace_) &&
            yk_str_eq(pod->volumes[i].claim_name, claim->object.name))
            return true;
    }
    return false;
}

uint32_t oracle_restrictions(const struct oracle *o, const struct yk_pod *pod, const struct oracle_node *node)
{
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        for (uint32_t s = 0; s < o->standing_count; s++) {
            const struct yk_pod *other = o->standing[s].pod;
            for (uint32_t j = 0; yk_str_eq(o->standing[s].node, node->name) && j < other->volume_count; j++) {
                if (clash(&pod->volumes[i].source, &other->volumes[j].source))
                    return YK_VOLUMES_DISK_IN_USE;
            }
        }
    }
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_volume_claim *claim =
            pod->volumes[i].has_claim ? claim_of(o, pod, &pod->volumes[i]) : NULL;
        if (claim == NULL ||
            !among(YK_STR("ReadWriteOncePod"), claim->access_modes, claim->access_mode_count))
            continue;
        for (uint32_t s = 0; s < o->standing_count; s++) {
            if (names(o->standing[s].pod, claim))
                return YK_VOLUMES_CLAIM_IN_USE;
        }
    }
    return 0;
}

/* ---- 4.9 ---- */

struct unique { /* "driver/handle" */
    char text[200];
    char driver[100];
};

struct uniques {
    struct unique items[ORACLE_MAX * 2];
    uint32_t count;
};

static void add_unique(struct uniques *set, struct yk_str driver, const char *handle)
{
    struct unique *item = &set->items[set->count];
    snprintf(item->driver, sizeof(item->driver), YK_STR_FMT, YK_STR_ARG(driver));
    snprintf(item->text, sizeof(item->text), YK_STR_FMT "/%s", YK_STR_ARG(driver), handle);
    for (uint32_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].text, item->text) == 0)
            return;
    }
    set->count++;
}

static bool has_unique(const struct uniques *set, const char *text)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (strcmp(set->items[i].text, text) == 0)
            return true;
    }
    return false;
}

static const char *ebs_id(struct yk_str id)
{
    const char *last = strrchr(id.p, '/');
    return strncmp(id.p, "aws://", 6) == 0 && last != NULL ? last + 1 : id.p;
}

static void add_claim(const struct oracle *o, struct uniques *set, const struct yk_volume_claim *claim,
                      bool migrated)
{
    const struct yk_volume *volume = find_volume(o, claim->volume_name);
    char handle[200];
    if (claim->volume_name.len > 0 && volume != NULL) {
        if (volume->source.csi_driver.len > 0 && volume->source.csi_handle.len > 0)
            add_unique(set, volume->source.csi_driver, volume->source.csi_handle.p);
        else if (volume->source.csi_driver.p == NULL && volume->source.ebs_volume.len > 0 && migrated)
            add_unique(set, YK_STR("ebs.csi.aws.com"), ebs_id(volume->source.ebs_volume));
        return;
    }
    const struct yk_storage_class *class_ = find_class(o, class_of(&claim->object, claim->class_name));
    if (class_ == NULL || class_->provisioner.len == 0)
        return;
    snprintf(handle, sizeof(handle), "private " YK_STR_FMT "/" YK_STR_FMT,
             YK_STR_ARG(claim->object.namespace_), YK_STR_ARG(claim->object.name));
    if (!yk_str_is(class_->provisioner, "kubernetes.io/aws-ebs"))
        add_unique(set, class_->provisioner, handle);
    else if (migrated)
        add_unique(set, YK_STR("ebs.csi.aws.com"), handle);
}

static void add_pod(const struct oracle *o, struct uniques *set, const struct yk_pod *pod, bool migrated)
{
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_pod_volume *volume = &pod->volumes[i];
        if (is_claim(volume)) {
            const struct yk_volume_claim *claim = claim_of(o, pod, volume);
            if (claim != NULL)
                add_claim(o, set, claim, migrated);
        } else if (volume->source.ebs_volume.p != NULL && migrated) {
            add_unique(set, YK_STR("ebs.csi.aws.com"), ebs_id(volume->source.ebs_volume));
        } else if (volume->source.gce_disk.p != NULL && migrated) {
            char handle[200];
            snprintf(handle, sizeof(handle), "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/%s",
                     volume->source.gce_disk.p);
            add_unique(set, YK_STR("pd.csi.storage.gke.io"), handle);
        }
    }
}

static bool installed(const struct yk_csi_node *csi, const char *driver, bool *ret_limited,
                      int64_t *ret_limit)
{
    bool found = false;
    *ret_limited = false;
    for (uint32_t i = 0; csi != NULL && i < csi->driver_count; i++) {
        if (!yk_str_is(csi->drivers[i].name, driver))
            continue;
        found = true;
        if (csi->drivers[i].has_limit) {
            *ret_limited = true;
            *ret_limit = csi->drivers[i].limit;
        }
    }
    return found;
}

uint32_t oracle_limits(const struct oracle *o, const struct yk_pod *pod, const struct oracle_node *node)
{
    const struct yk_csi_node *csi = find_csi_node(o, node->name);
    static struct uniques wanted, attached, by_attachment;
    wanted.count = attached.count = by_attachment.count = 0;
    bool limited;
    int64_t limit = 0;
    add_pod(o, &wanted, pod, csi != NULL);
    if (wanted.count == 0)
        return 0;
    for (uint32_t i = 0; i < wanted.count; i++) {
        const struct yk_csi_driver *driver = find_driver(o, yk_str_from(wanted.items[i].driver));
        if (driver != NULL && driver->prevent_if_missing &&
            !installed(csi, wanted.items[i].driver, &limited, &limit))
            return YK_VOLUMES_NO_DRIVER;
    }
    for (uint32_t s = 0; s < o->standing_count; s++) {
        if (yk_str_eq(o->standing[s].node, node->name))
            add_pod(o, &attached, o->standing[s].pod, csi != NULL);
    }
    for (uint32_t i = 0; i < o->attachment_count; i++) {
        const struct yk_volume_attachment *attachment = o->attachments[i];
        const struct yk_volume *volume = find_volume(o, attachment->volume_name);
        if (yk_str_eq(attachment->node_name, node->name) && attachment->attacher.len > 0 && volume != NULL &&
            volume->source.csi_driver.p != NULL)
            add_unique(&by_attachment, attachment->attacher, volume->source.csi_handle.p);
    }
    for (uint32_t i = 0; i < wanted.count; i++) {
        const char *driver = wanted.items[i].driver;
        int64_t count = 0, new_ones = 0;
        if (!installed(csi, driver, &limited, &limit) || !limited)
            continue;
        for (uint32_t j = 0; j < attached.count; j++)
            count += strcmp(attached.items[j].driver, driver) == 0;
        for (uint32_t j = 0; j < by_attachment.count; j++)
            count += strcmp(by_attachment.items[j].driver, driver) == 0 &&
                     !has_unique(&attached, by_attachment.items[j].text);
        for (uint32_t j = 0; j < wanted.count; j++)
            new_ones +=
                strcmp(wanted.items[j].driver, driver) == 0 && !has_unique(&attached, wanted.items[j].text);
        if (new_ones > 0 && count + new_ones > limit)
            return YK_VOLUMES_TOO_MANY;
    }
    return 0;
}

/* ---- 4.10 ---- */

static bool is_owner(const struct yk_pod *pod, const struct yk_volume_claim *claim)
{
    for (uint32_t i = 0; i < claim->object.owner_count; i++) {
        if (claim->object.owners[i].controller && yk_str_eq(claim->object.owners[i].uid, pod->object.uid))
            return true;
    }
    return false;
}

void oracle_possible(const struct oracle *o, const struct yk_pod *pod, char message[400])
{
    char name[100];
    message[0] = '\0';
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        claim_name(pod, &pod->volumes[i], name);
        if (pod->volumes[i].has_claim && claim_of(o, pod, &pod->volumes[i]) == NULL) {
            snprintf(message, 400, "persistentvolumeclaim \"%s\" not found", name);
            return;
        }
    }
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_pod_volume *volume = &pod->volumes[i];
        if (!is_claim(volume))
            continue;
        const struct yk_volume_claim *claim = claim_of(o, pod, volume);
        claim_name(pod, volume, name);
        if (claim == NULL)
            snprintf(message, 400,
                     "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\"",
                     name);
        else if (yk_str_is(claim->phase, "Lost"))
            snprintf(message, 400,
                     "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"" YK_STR_FMT "\"",
                     name, YK_STR_ARG(claim->volume_name));
        else if (claim->object.deleting)
            snprintf(message, 400, "persistentvolumeclaim \"%s\" is being deleted", name);
        else if (volume->is_ephemeral && !is_owner(pod, claim))
            snprintf(message, 400,
                     "PVC " YK_STR_FMT "/%s was not created for pod " YK_STR_FMT "/" YK_STR_FMT
                     " (pod is not owner)",
                     YK_STR_ARG(pod->object.namespace_), name, YK_STR_ARG(pod->object.namespace_),
                     YK_STR_ARG(pod->object.name));
        if (message[0] != '\0')
            return;
    }
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        if (!is_claim(&pod->volumes[i]))
            continue;
        const struct yk_volume_claim *claim = claim_of(o, pod, &pod->volumes[i]);
        if (!is_bound(claim) && !is_delayed(o, claim)) {
            snprintf(message, 400, "pod has unbound immediate PersistentVolumeClaims");
            return;
        }
    }
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_volume_claim *claim =
            pod->volumes[i].has_claim ? claim_of(o, pod, &pod->volumes[i]) : NULL;
        if (claim != NULL && claim->volume_name.len > 0 && find_volume(o, claim->volume_name) == NULL) {
            snprintf(message, 400, "persistentvolume \"" YK_STR_FMT "\" not found",
                     YK_STR_ARG(claim->volume_name));
            return;
        }
    }
}

/* The claim that the volume is promised to, as "namespace/name"; false: it is free. */
static bool nominated(const struct oracle *o, const struct yk_volume *volume, char key[200],
                      struct yk_str *uid)
{
    *uid = (struct yk_str){0};
    if (volume->has_claim) {
        snprintf(key, 200, YK_STR_FMT "/" YK_STR_FMT, YK_STR_ARG(volume->claim.namespace_),
                 YK_STR_ARG(volume->claim.name));
        *uid = volume->claim.uid;
        return true;
    }
    for (uint32_t i = 0; i < o->plan_count; i++) {
        for (uint32_t j = 0; j < o->plans[i]->count; j++) {
            if (yk_str_is(volume->object.name, o->plans[i]->items[j].volume)) {
                snprintf(key, 200, "%s", o->plans[i]->items[j].claim);
                return true;
            }
        }
    }
    return false;
}

static struct yk_str selected_node(const struct oracle *o, const struct yk_volume_claim *claim)
{
    struct yk_str node = annotation(&claim->object, "volume.kubernetes.io/selected-node");
    for (uint32_t i = 0; node.p == NULL && i < o->plan_count; i++) {
        for (uint32_t j = 0; node.p == NULL && j < o->plans[i]->count; j++) {
            if (o->plans[i]->items[j].volume[0] == '\0' && same_claim(o->plans[i]->items[j].claim, claim))
                node = yk_str_from(o->plans[i]->node);
        }
    }
    return node;
}

static bool same_mode(struct yk_str a, struct yk_str b)
{
    return yk_str_eq(a.p == NULL ? YK_STR("Filesystem") : a, b.p == NULL ? YK_STR("Filesystem") : b);
}

static bool is_before(const struct yk_volume *a, const struct yk_volume *b)
{
    return yk_str_cmp(a->object.name, b->object.name) < 0;
}

static const struct yk_volume *match(const struct oracle *o, const struct yk_volume_claim *claim,
                                     const struct oracle_node *node, const struct yk_volume **chosen,
                                     uint32_t chosen_count)
{
    bool has;
    yk_quantity want = storage_of(&claim->requests, &has), best_size = 0;
    const struct yk_volume *mine = NULL, *best = NULL;
    struct yk_str class_ = class_of(&claim->object, claim->class_name);
    for (uint32_t i = 0; i < o->volume_count; i++) {
        const struct yk_volume *volume = o->volumes[i];
        char key[200];
        struct yk_str uid;
        bool taken = false;
        for (uint32_t j = 0; j < chosen_count; j++)
            taken = taken || chosen[j] == volume;
        bool is_promised = nominated(o, volume, key, &uid);
        bool is_mine =
            is_promised && same_claim(key, claim) && (uid.len == 0 || yk_str_eq(uid, claim->object.uid));
        yk_quantity size = storage_of(&volume->capacity, &has);
        if (taken || (is_promised && !is_mine) || size < want ||
            !yk_str_eq(class_of(&volume->object, volume->class_name), class_) ||
            !same_mode(claim->volume_mode, volume->volume_mode) ||
            !yk_str_eq(claim->attributes_class, volume->attributes_class) || volume->object.deleting)
            continue;
        if (is_mine) {
            if (mine == NULL || is_before(volume, mine))
                mine = volume;
            continue;
        }
        bool modes = true;
        for (uint32_t j = 0; j < claim->access_mode_count; j++)
            modes = modes && among(claim->access_modes[j], volume->access_modes, volume->access_mode_count);
        if (!modes || !yk_str_is(volume->phase, "Available") ||
            (claim->has_selector && !selector_holds(&claim->selector, &volume->object.labels)) ||
            !reaches(o, volume, node, false))
            continue;
        if (best == NULL || size < best_size || (size == best_size && is_before(volume, best))) {
            best = volume;
            best_size = size;
        }
    }
    if (mine != NULL)
        return reaches(o, mine, node, false) ? mine : NULL;
    return best;
}

static uint32_t provision(const struct oracle *o, const struct yk_volume_claim *claim,
                          const struct oracle_node *node)
{
    const struct yk_storage_class *class_ = find_class(o, class_of(&claim->object, claim->class_name));
    if (class_->provisioner.len == 0 || yk_str_is(class_->provisioner, "kubernetes.io/no-provisioner"))
        return YK_VOLUMES_BIND_CONFLICT;
    bool allowed = class_->allowed_topology_count == 0;
    for (uint32_t i = 0; i < class_->allowed_topology_count; i++) {
        const struct yk_topology_term *term = &class_->allowed_topologies[i];
        bool holds = term->requirement_count > 0;
        for (uint32_t j = 0; j < term->requirement_count; j++) {
            struct yk_str value = label(&node->labels, term->requirements[j].key);
            holds = holds && value.p != NULL &&
                    among(value, term->requirements[j].values, term->requirements[j].value_count);
        }
        allowed = allowed || holds;
    }
    if (!allowed)
        return YK_VOLUMES_BIND_CONFLICT;
    const struct yk_csi_driver *driver = find_driver(o, class_->provisioner);
    bool has;
    int64_t bytes = yk_quantity_value(storage_of(&claim->requests, &has));
    if (!has || driver == NULL || !driver->storage_capacity)
        return 0;
    for (uint32_t i = 0; i < o->capacity_count; i++) {
        const struct yk_csi_capacity *capacity = o->capacities[i];
        if (!yk_str_eq(capacity->class_name, class_->object.name) || !capacity->has_topology ||
            (!capacity->has_maximum && !capacity->has_capacity) ||
            !selector_holds(&capacity->topology, &node->labels))
            continue;
        if (yk_quantity_value(capacity->has_maximum ? capacity->maximum : capacity->capacity) >= bytes)
            return 0;
    }
    return YK_VOLUMES_NO_SPACE;
}

/* Each claim of the pod once, in the order of the spec. */
static uint32_t claims_of(const struct oracle *o, const struct yk_pod *pod,
                          const struct yk_volume_claim **ret)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pod->volume_count; i++) {
        const struct yk_volume_claim *claim =
            is_claim(&pod->volumes[i]) ? claim_of(o, pod, &pod->volumes[i]) : NULL;
        bool known = false;
        for (uint32_t j = 0; j < count; j++)
            known = known || ret[j] == claim;
        if (claim != NULL && !known)
            ret[count++] = claim;
    }
    return count;
}

static uint32_t bound(const struct oracle *o, const struct yk_volume_claim **claims, uint32_t count,
                      const struct oracle_node *node)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_bound(claims[i]))
            continue;
        const struct yk_volume *volume = find_volume(o, claims[i]->volume_name);
        if (volume == NULL)
            return YK_VOLUMES_VOLUME_MISSING;
        if (!reaches(o, volume, node, true))
            return YK_VOLUMES_NODE_CONFLICT;
    }
    return 0;
}

static void sort(const struct yk_volume_claim **claims, uint32_t count)
{
    bool has;
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = i;
             j > 0 && storage_of(&claims[j]->requests, &has) < storage_of(&claims[j - 1]->requests, &has);
             j--) {
            const struct yk_volume_claim *other = claims[j];
            claims[j] = claims[j - 1];
            claims[j - 1] = other;
        }
    }
}

static void note(struct oracle_plan *plan, const struct yk_volume_claim *claim,
                 const struct yk_volume *volume)
{
    snprintf(plan->items[plan->count].claim, sizeof(plan->items[0].claim), YK_STR_FMT "/" YK_STR_FMT,
             YK_STR_ARG(claim->object.namespace_), YK_STR_ARG(claim->object.name));
    snprintf(plan->items[plan->count].volume, sizeof(plan->items[0].volume), "%s",
             volume != NULL ? volume->object.name.p : "");
    plan->count++;
}

static uint32_t delayed(const struct oracle *o, const struct yk_volume_claim **claims, uint32_t count,
                        const struct oracle_node *node, struct oracle_plan *plan)
{
    const struct yk_volume_claim *to_match[8], *to_provision[8];
    const struct yk_volume *chosen[8];
    uint32_t matching = 0, provisioning = 0, found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_bound(claims[i]))
            continue;
        struct yk_str selected = selected_node(o, claims[i]);
        if (selected.p != NULL && !yk_str_eq(selected, node->name))
            return YK_VOLUMES_BIND_CONFLICT;
        if (selected.p != NULL)
            to_provision[provisioning++] = claims[i];
        else
            to_match[matching++] = claims[i];
    }
    sort(to_match, matching);
    for (uint32_t i = 0; i < matching; i++) {
        const struct yk_volume *volume = match(o, to_match[i], node, chosen, found);
        if (volume == NULL) {
            to_provision[provisioning++] = to_match[i];
            continue;
        }
        chosen[found++] = volume;
        note(plan, to_match[i], volume);
    }
    for (uint32_t i = 0; i < provisioning; i++) {
        uint32_t result = provision(o, to_provision[i], node);
        if (result != 0)
            return result;
        note(plan, to_provision[i], NULL);
    }
    return 0;
}

uint32_t oracle_binding(const struct oracle *o, const struct yk_pod *pod, const struct oracle_node *node,
                        struct oracle_plan *plan)
{
    struct oracle_plan spare;
    const struct yk_volume_claim *claims[8];
    uint32_t count = claims_of(o, pod, claims);
    plan = plan != NULL ? plan : &spare;
    plan->count = 0;
    snprintf(plan->node, sizeof(plan->node), YK_STR_FMT, YK_STR_ARG(node->name));
    return bound(o, claims, count, node) | delayed(o, claims, count, node, plan);
}

/* ---- 4.11 ---- */

/* Every part of "a__b" has something in it. */
static bool zones_parse(struct yk_str text)
{
    char padded[300];
    snprintf(padded, sizeof(padded), "__" YK_STR_FMT "__", YK_STR_ARG(text));
    return text.len > 0 && strstr(padded, "____") == NULL;
}

uint32_t oracle_zone(const struct oracle *o, const struct yk_pod *pod, const struct oracle_node *node)
{
    static const char *const keys[] = {OLD_ZONE, "failure-domain.beta.kubernetes.io/region", ZONE,
                                       "topology.kubernetes.io/region"};
    bool any = false;
    for (size_t i = 0; i < YK_COUNT(keys); i++)
        any = any || yk_pairs_get(&node->labels, keys[i]).p != NULL;
    for (uint32_t i = 0; any && i < pod->volume_count; i++) {
        const struct yk_volume_claim *claim =
            pod->volumes[i].has_claim ? claim_of(o, pod, &pod->volumes[i]) : NULL;
        const struct yk_volume *volume =
            claim == NULL || claim->volume_name.len == 0 ? NULL : find_volume(o, claim->volume_name);
        for (size_t k = 0; volume != NULL && k < YK_COUNT(keys); k++) {
            struct yk_str zones = yk_pairs_get(&volume->object.labels, keys[k]);
            if (zones.p == NULL || !zones_parse(zones))
                continue;
            struct yk_str value = yk_pairs_get(&node->labels, keys[k]);
            if (value.p == NULL && k < 2)
                value = yk_pairs_get(&node->labels, keys[k + 2]);
            if (value.p == NULL || !in_zones(zones, value))
                return YK_VOLUMES_ZONE_CONFLICT;
        }
    }
    return 0;
}
