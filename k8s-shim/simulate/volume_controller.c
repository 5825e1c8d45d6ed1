/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulated volume controllers of Kubernetes. They bind a claim and a persistent volume to each other, by
 * writing to both objects, and create the volumes that claims need. They run in a round of the timers after a
 * claim, a volume or a storage class has changed, and check only the claims and volumes that the change may
 * affect.
 */
#include "simulate/cluster_priv.h"
#include "simulate/objects_priv.h"

#define NO_PROVISIONER "kubernetes.io/no-provisioner"

static const struct yk_volume_claim *claim_of(const struct yk_sim_entry *entry)
{
    return yk_volume_claim_of(entry->object);
}

static const struct yk_volume *volume_of(const struct yk_sim_entry *entry)
{
    return yk_volume_of(entry->object);
}

/* ---- what has to be checked ---- */

static void look_at(struct yk_sim_entry *entry)
{
    struct yk_cluster *cluster = entry->cluster;
    if (!yk_list_linked(&entry->unsettled))
        yk_list_append(&cluster->unsettled, &entry->unsettled);
    if (!yk_timer_armed(&cluster->volume_round))
        yk_timer_arm(cluster->options.timers, &cluster->volume_round, 0);
}

static void look_at_name(struct yk_cluster *cluster, enum yk_kind kind, struct yk_str namespace_,
                         struct yk_str name)
{
    struct yk_sim_entry *entry = name.p != NULL ? yk__find(cluster, kind, namespace_, name) : NULL;
    if (entry != NULL)
        look_at(entry);
}

static void look_at_unbound_claims(struct yk_cluster *cluster)
{
    struct yk_sim_entry *entry;
    yk_list_foreach (entry, &cluster->kinds[YK_KIND_VOLUME_CLAIM].entries, struct yk_sim_entry, link) {
        if (yk_str_empty(claim_of(entry)->volume_name))
            look_at(entry);
    }
}

/* Has the partner of the entry checked: the volume that a claim names, or the claim that a volume names. */
static void look_at_partner(struct yk_sim_entry *entry)
{
    if (entry->object->kind == YK_KIND_VOLUME_CLAIM) {
        look_at_name(entry->cluster, YK_KIND_VOLUME, (struct yk_str){0}, claim_of(entry)->volume_name);
    } else {
        const struct yk_object_ref *ref = &volume_of(entry)->claim;
        look_at_name(entry->cluster, YK_KIND_VOLUME_CLAIM, ref->namespace_, ref->name);
    }
}

static bool is_concerned(const struct yk_sim_entry *entry)
{
    if (entry->cluster->options.no_volume_controller)
        return false;
    enum yk_kind kind = entry->object->kind;
    return kind == YK_KIND_VOLUME_CLAIM || kind == YK_KIND_VOLUME || kind == YK_KIND_STORAGE_CLASS;
}

void yk__volumes_changed(struct yk_sim_entry *entry)
{
    if (!is_concerned(entry))
        return;
    bool is_class = entry->object->kind == YK_KIND_STORAGE_CLASS;
    if (is_class || (entry->object->kind == YK_KIND_VOLUME && !volume_of(entry)->has_claim))
        look_at_unbound_claims(entry->cluster);
    if (is_class)
        return;
    look_at(entry);
    look_at_partner(entry);
}

void yk__volumes_removed(struct yk_sim_entry *entry)
{
    if (is_concerned(entry) && entry->object->kind != YK_KIND_STORAGE_CLASS)
        look_at_partner(entry);
    if (yk_list_linked(&entry->unsettled))
        yk_list_remove(&entry->unsettled);
}

/* ---- which volume is for which claim ---- */

/* Whether the volume is reserved for the claim. A reference without a uid was written by a user, and refers
 * to any claim of that name. */
static bool refers_to(const struct yk_volume *volume, const struct yk_object *claim)
{
    const struct yk_object_ref *ref = &volume->claim;
    return volume->has_claim && yk_str_eq(ref->namespace_, claim->namespace_) &&
           yk_str_eq(ref->name, claim->name) && (yk_str_empty(ref->uid) || yk_str_eq(ref->uid, claim->uid));
}

static struct yk_str class_of(const struct yk_volume_claim *claim)
{
    struct yk_str old = yk_pairs_get(&claim->object.annotations, YK_ANNOTATION_STORAGE_CLASS);
    return old.p != NULL ? old : claim->class_name;
}

static yk_quantity storage(const struct yk_amounts *amounts)
{
    for (uint32_t i = 0; i < amounts->count; i++) {
        if (yk_str_is(amounts->items[i].name, "storage"))
            return amounts->items[i].quantity;
    }
    return 0;
}

static bool has_modes(const struct yk_volume *volume, const struct yk_volume_claim *claim)
{
    for (uint32_t i = 0; i < claim->access_mode_count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < volume->access_mode_count; j++)
            found = found || yk_str_eq(volume->access_modes[j], claim->access_modes[i]);
        if (!found)
            return false;
    }
    return true;
}

/* Only labels of the selector are evaluated; a selector with expressions matches no volume. */
static bool is_selected(const struct yk_volume *volume, const struct yk_volume_claim *claim)
{
    const struct yk_pairs *wanted = &claim->selector.labels;
    for (uint32_t i = 0; i < wanted->count; i++) {
        if (!yk_str_eq(yk_pairs_get(&volume->object.labels, wanted->items[i].key.p), wanted->items[i].value))
            return false;
    }
    return claim->selector.expression_count == 0;
}

static bool is_block(struct yk_str mode)
{
    return yk_str_is(mode, "Block");
}

static bool suits(const struct yk_volume *volume, const struct yk_volume_claim *claim)
{
    return !volume->has_claim && !volume->object.deleting && yk_str_eq(volume->class_name, class_of(claim)) &&
           is_block(volume->volume_mode) == is_block(claim->volume_mode) &&
           storage(&volume->capacity) >= storage(&claim->requests) && has_modes(volume, claim) &&
           is_selected(volume, claim);
}

/* The volume whose claimRef refers to the claim. If there is none and `may_choose`, the smallest volume that
 * suits the claim. NULL: there is no such volume. */
static struct yk_sim_entry *find_volume(const struct yk_sim_entry *claim, bool may_choose)
{
    struct yk_sim_entry *entry, *best = NULL;
    yk_list_foreach (entry, &claim->cluster->kinds[YK_KIND_VOLUME].entries, struct yk_sim_entry, link) {
        const struct yk_volume *volume = volume_of(entry);
        if (refers_to(volume, claim->object))
            return entry;
        if (may_choose && suits(volume, claim_of(claim)) &&
            (best == NULL || storage(&volume->capacity) < storage(&volume_of(best)->capacity)))
            best = entry;
    }
    return best;
}

/* ---- writing ---- */

static struct yk_str own(struct yk_object *object, struct yk_str text)
{
    return yk_arena_str(&object->arena, text);
}

static void annotate(struct yk_object *object, const char *key, const char *value)
{
    yk__pair_set(&object->arena, &object->annotations, yk_str_from(key), yk_str_from(value));
}

static void set_phase(struct yk_sim_entry *entry, const char *phase)
{
    bool is_claim = entry->object->kind == YK_KIND_VOLUME_CLAIM;
    if (yk_str_is(is_claim ? claim_of(entry)->phase : volume_of(entry)->phase, phase))
        return;
    struct yk_object *draft = yk__draft(entry);
    if (is_claim)
        yk_volume_claim_of(draft)->phase = own(draft, yk_str_from(phase));
    else
        yk_volume_of(draft)->phase = own(draft, yk_str_from(phase));
    yk__commit(entry, draft);
}

static void give_to(struct yk_volume *volume, const struct yk_object *claim)
{
    struct yk_object *object = &volume->object;
    volume->has_claim = true;
    volume->claim = (struct yk_object_ref){.kind = own(object, YK_STR("PersistentVolumeClaim")),
                                           .namespace_ = own(object, claim->namespace_),
                                           .name = own(object, claim->name),
                                           .uid = own(object, claim->uid),
                                           .api_version = own(object, YK_STR("v1")),
                                           .resource_version = own(object, claim->resource_version)};
}

static void bind_volume(struct yk_sim_entry *entry, const struct yk_object *claim)
{
    if (!refers_to(volume_of(entry), claim) || yk_str_empty(volume_of(entry)->claim.uid)) {
        struct yk_object *draft = yk__draft(entry);
        if (!volume_of(entry)->has_claim)
            annotate(draft, YK_ANNOTATION_BOUND_BY_CONTROLLER, "yes");
        give_to(yk_volume_of(draft), claim);
        yk__commit(entry, draft);
    }
    set_phase(entry, "Bound");
}

static bool was_bound(const struct yk_sim_entry *claim)
{
    return yk_pairs_get(&claim->object->annotations, YK_ANNOTATION_BIND_COMPLETED).p != NULL;
}

static void bind_claim(struct yk_sim_entry *entry, struct yk_str volume)
{
    const struct yk_volume_claim *claim = claim_of(entry);
    if (!was_bound(entry)) {
        struct yk_object *draft = yk__draft(entry);
        if (yk_str_empty(claim->volume_name)) {
            annotate(draft, YK_ANNOTATION_BOUND_BY_CONTROLLER, "yes");
            yk_volume_claim_of(draft)->volume_name = own(draft, volume);
        }
        annotate(draft, YK_ANNOTATION_BIND_COMPLETED, "yes");
        yk__commit(entry, draft);
    }
    set_phase(entry, "Bound");
}

static void bind(struct yk_sim_entry *claim, struct yk_sim_entry *volume)
{
    bind_volume(volume, claim->object);
    bind_claim(claim, volume->object->name);
}

/* ---- provisioning ---- */

static const struct yk_storage_class *provisioning_class(const struct yk_sim_entry *claim)
{
    const struct yk_sim_entry *entry =
        yk__find(claim->cluster, YK_KIND_STORAGE_CLASS, (struct yk_str){0}, class_of(claim_of(claim)));
    const struct yk_storage_class *class = entry != NULL ? yk_storage_class_of(entry->object) : NULL;
    bool makes = class != NULL && !yk_str_empty(class->provisioner) &&
                 !yk_str_is(class->provisioner, NO_PROVISIONER) && !claim_of(claim)->has_selector;
    return makes ? class : NULL;
}

/* Whether the class of the claim binds only for the first pod, and no node has been selected for that pod. */
static bool waits_for_pod(const struct yk_sim_entry *claim)
{
    const struct yk_sim_entry *class =
        yk__find(claim->cluster, YK_KIND_STORAGE_CLASS, (struct yk_str){0}, class_of(claim_of(claim)));
    return class != NULL &&
           yk_str_is(yk_storage_class_of(class->object)->binding_mode, "WaitForFirstConsumer") &&
           yk_str_empty(yk_pairs_get(&claim->object->annotations, YK_ANNOTATION_SELECTED_NODE));
}

static void make_volume(struct yk_sim_entry *entry, const struct yk_storage_class *class)
{
    const struct yk_volume_claim *claim = claim_of(entry);
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_printf(&name, "pvc-" YK_STR_FMT, YK_STR_ARG(claim->object.uid));
    struct yk_amount size = {YK_STR("storage"), storage(&claim->requests)};
    struct yk_pair made_by = {YK_STR(YK_ANNOTATION_PROVISIONED_BY), class->provisioner};
    /* All texts are borrowed; the copy below gets texts of its own. */
    struct yk_volume volume = {
        .object = {.kind = YK_KIND_VOLUME, .name = yk_buf_view(&name), .annotations = {&made_by, 1}},
        .capacity = {&size, 1},
        .source = {.csi_driver = class->provisioner, .csi_handle = yk_buf_view(&name)},
        .access_modes = claim->access_modes,
        .access_mode_count = claim->access_mode_count,
        .class_name = class_of(claim),
        .volume_mode = claim->volume_mode,
        .attributes_class = claim->attributes_class,
    };
    struct yk_object *object = yk_sim_object_copy(&volume.object);
    give_to(yk_volume_of(object), &claim->object);
    /* This fails only if there is a volume of that name: the volume of this claim. */
    (void)yk__create(entry->cluster, object, 0, NULL);
}

/* Provisions a volume, if the claim still needs one: it may have changed since the timer was armed. */
static void provision_due(struct yk_timer *timer)
{
    struct yk_sim_entry *claim = YK_CONTAINER(timer, struct yk_sim_entry, life);
    const struct yk_storage_class *class = provisioning_class(claim);
    if (class != NULL && yk_str_empty(claim_of(claim)->volume_name) && !claim->object->deleting &&
        !waits_for_pod(claim))
        make_volume(claim, class);
}

static void provision(struct yk_sim_entry *claim)
{
    if (provisioning_class(claim) == NULL || yk_timer_armed(&claim->life))
        return;
    claim->life.fire = provision_due;
    yk_timer_arm(claim->cluster->options.timers, &claim->life, claim->cluster->options.provision_ns);
}

/* ---- a round ---- */

static void settle_volume(struct yk_sim_entry *entry)
{
    const struct yk_volume *volume = volume_of(entry);
    if (!volume->has_claim) {
        set_phase(entry, "Available");
        return;
    }
    const struct yk_sim_entry *claim =
        yk__find(entry->cluster, YK_KIND_VOLUME_CLAIM, volume->claim.namespace_, volume->claim.name);
    if (yk_str_empty(volume->claim.uid)) /* the volume is kept for a claim that is not bound to it yet */
        set_phase(entry, "Available");
    else if (claim == NULL || !yk_str_eq(claim->object->uid, volume->claim.uid))
        set_phase(entry, "Released");
}

/* Checks a claim that names its volume: a user wrote the name, or the claim was bound. */
static void settle_named(struct yk_sim_entry *claim)
{
    struct yk_sim_entry *volume =
        yk__find(claim->cluster, YK_KIND_VOLUME, (struct yk_str){0}, claim_of(claim)->volume_name);
    if (volume != NULL && (!volume_of(volume)->has_claim || refers_to(volume_of(volume), claim->object)))
        bind(claim, volume);
    else
        set_phase(claim, was_bound(claim) ? "Lost" : "Pending");
}

static void settle_claim(struct yk_sim_entry *claim)
{
    if (claim->object->deleting)
        return;
    if (!yk_str_empty(claim_of(claim)->volume_name)) {
        settle_named(claim);
        return;
    }
    if (was_bound(claim)) { /* the claim was marked as bound, but names no volume */
        set_phase(claim, "Lost");
        return;
    }
    set_phase(claim, "Pending");
    bool may_choose = !waits_for_pod(claim);
    struct yk_sim_entry *volume = find_volume(claim, may_choose);
    if (volume != NULL)
        bind(claim, volume);
    else if (may_choose)
        provision(claim);
}

static void settle(struct yk_timer *timer)
{
    struct yk_cluster *cluster = YK_CONTAINER(timer, struct yk_cluster, volume_round);
    struct yk_list now;
    struct yk_sim_entry *entry;
    yk_list_init(&now);
    yk_list_splice(&now, &cluster->unsettled); /* entries that the loop adds are for the next round */
    while ((entry = yk_list_first(&now, struct yk_sim_entry, unsettled)) != NULL) {
        yk_list_remove(&entry->unsettled);
        if (entry->object->kind == YK_KIND_VOLUME)
            settle_volume(entry);
        else
            settle_claim(entry);
    }
}

void yk__volumes_init(struct yk_cluster *cluster)
{
    yk_list_init(&cluster->unsettled);
    cluster->volume_round.fire = settle;
}
