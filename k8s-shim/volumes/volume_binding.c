/* SPDX-License-Identifier: Apache-2.0 */
/* The filter VolumeBinding: whether a node reaches the pod's volumes, and which volume each unbound claim
 * would get on it (docs/reference/predicates.md 4.10). */
#include "cache/budgets.h"
#include "volumes/volumes_priv.h"

struct search {
    struct yk_volumes *volumes;
    const struct yk_cache_node *node;
    uint64_t round; /* a volume with this mark was given to another claim in this search */
};

/* ---- bound claims ---- */

static uint32_t bound_claims(struct search *search, const struct yk_pod_volumes *pod_volumes)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        const struct yk__claim *claim = pod_volumes->uses[i].claim;
        if (!yk__claim_is_bound(claim))
            continue;
        if (claim->volume->object == NULL)
            return YK_VOLUMES_VOLUME_MISSING;
        if (!yk__volume_reaches(search->volumes, claim->volume, search->node, true))
            return YK_VOLUMES_NODE_CONFLICT;
    }
    return 0;
}

/* ---- volumes that exist ---- */

static bool same_mode(struct yk_str a, struct yk_str b)
{
    struct yk_str plain = YK_STR("Filesystem");
    return yk_str_eq(a.p != NULL ? a : plain, b.p != NULL ? b : plain);
}

/* A volume whose claimRef names the claim must pass these checks, too. */
static bool could_be_given(const struct search *search, const struct yk__volume *volume,
                           const struct yk__claim *claim)
{
    return volume->mark != search->round && volume->capacity >= claim->request &&
           same_mode(volume->object->volume_mode, claim->object->volume_mode) &&
           yk_str_eq(volume->object->attributes_class, claim->object->attributes_class) &&
           !volume->object->object.deleting;
}

static bool has_all_modes(const struct yk_volume *volume, const struct yk_volume_claim *claim)
{
    for (uint32_t i = 0; i < claim->access_mode_count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < volume->access_mode_count && !found; j++)
            found = yk_str_eq(volume->access_modes[j], claim->access_modes[i]);
        if (!found)
            return false;
    }
    return true;
}

static struct yk_str label_of(const void *labels, struct yk_str key)
{
    const struct yk_pairs *pairs = labels;
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_eq(pairs->items[i].key, key))
            return pairs->items[i].value;
    }
    return (struct yk_str){0};
}

static bool is_wished_for(const struct search *search, struct yk__volume *volume,
                          const struct yk__claim *claim)
{
    const struct yk_volume_claim *object = claim->object;
    return could_be_given(search, volume, claim) && has_all_modes(volume->object, object) &&
           (!object->has_selector ||
            yk_label_selector_matches(&object->selector, label_of, &volume->object->object.labels)) &&
           yk__volume_reaches(search->volumes, volume, search->node, false);
}

static struct yk__volume *in_bucket(struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk__volume, in_bucket);
}

static struct yk_tree_link *first_of_size(const struct yk_tree *tree, yk_quantity size)
{
    struct yk_tree_link *at = tree->root, *found = NULL;
    while (at != NULL) {
        bool enough = in_bucket(at)->capacity >= size;
        found = enough ? at : found;
        at = enough ? at->left : at->right;
    }
    return found;
}

static struct yk__volume *smallest_on(const struct search *search, const struct yk__bucket *bucket,
                                      const struct yk__claim *claim)
{
    struct yk_tree_link *at;
    for (at = first_of_size(&bucket->tree, claim->request); at != NULL; at = yk_tree_next(at)) {
        if (is_wished_for(search, in_bucket(at), claim))
            return in_bucket(at);
    }
    return NULL;
}

static bool comes_before(const struct yk__volume *a, const struct yk__volume *b)
{
    if (a->capacity != b->capacity)
        return a->capacity < b->capacity;
    return strcmp(yk_name_text(a->name), yk_name_text(b->name)) < 0;
}

static struct yk__volume *smallest_free(const struct search *search, const struct yk__claim *claim)
{
    struct yk__bucket *buckets[YK__BUCKET_KEYS_MAX + 1];
    uint32_t count = yk__buckets_of(&claim->class_->volumes, search->node, buckets);
    struct yk__volume *best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct yk__volume *found = smallest_on(search, buckets[i], claim);
        if (found != NULL && (best == NULL || comes_before(found, best)))
            best = found;
    }
    return best;
}

/* The volume that the claim would get on the node; NULL: one has to be provisioned. If a volume that suits
 * the claim already belongs to it (claim->volumes), the claim can get no other volume. */
static struct yk__volume *volume_for(const struct search *search, const struct yk__claim *claim)
{
    for (size_t i = 0; i < claim->volumes.count; i++) {
        struct yk__volume *volume = claim->volumes.items[i];
        if (volume->object == NULL || volume->class_ != claim->class_ || !yk__volume_is_for(volume, claim) ||
            !could_be_given(search, volume, claim))
            continue;
        return yk__volume_reaches(search->volumes, volume, search->node, false) ? volume : NULL;
    }
    return smallest_free(search, claim);
}

/* ---- volumes that are to be provisioned ---- */

static bool has_capacity(const struct search *search, const struct yk__claim *claim)
{
    const struct yk__class *class_ = claim->class_;
    if (!claim->has_request || class_->driver->object == NULL || !class_->driver->object->storage_capacity)
        return true;
    int64_t size_bytes = yk_quantity_value(claim->request);
    struct yk__bucket *buckets[YK__BUCKET_KEYS_MAX + 1];
    uint32_t count = yk__buckets_of(&class_->capacities, search->node, buckets);
    for (uint32_t i = 0; i < count; i++) {
        const struct yk__capacity *capacity;
        yk_vec_foreach (capacity, &buckets[i]->items) {
            if (capacity->limit_bytes >= size_bytes && yk_node_terms_match(&capacity->nodes, search->node))
                return true;
        }
    }
    return false;
}

static uint32_t provision(const struct search *search, struct yk__claim *claim)
{
    if (!claim->class_->provisions || !yk_node_terms_match(&claim->class_->allowed, search->node))
        return YK_VOLUMES_BIND_CONFLICT;
    return has_capacity(search, claim) ? 0 : YK_VOLUMES_NO_SPACE;
}

/* ---- claims that are bound after their pod has a node ---- */

static int by_size(const void *a, const void *b)
{
    const struct yk__claim *one = ((const struct yk__claim_use *)a)->claim;
    const struct yk__claim *other = ((const struct yk__claim_use *)b)->claim;
    return one->request < other->request ? -1 : one->request > other->request;
}

static void sort(struct yk_pod_volumes *pod_volumes)
{
    if (pod_volumes->is_sorted)
        return;
    yk_vec_clear(&pod_volumes->by_size);
    for (uint32_t i = 0; i < pod_volumes->use_count; i++)
        yk_vec_append(&pod_volumes->by_size, &pod_volumes->uses[i]);
    yk_vec_sort(&pod_volumes->by_size, by_size);
    pod_volumes->is_sorted = true;
}

static void decide(struct yk_vec *scratch, struct yk__claim *claim, struct yk__volume *volume)
{
    yk_vec_append(scratch, claim);
    yk_vec_append(scratch, volume);
}

/* Adds the claims for which a node was selected before: their volumes are provisioned for that node. False: a
 * selected node is not the node of the search. */
static bool take_chosen(struct search *search, const struct yk_pod_volumes *pod_volumes)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        struct yk__claim *claim = pod_volumes->uses[i].claim;
        yk_name chosen = yk__claim_selected_node(claim);
        if (!yk__claim_is_delayed(claim) || chosen.id == 0)
            continue;
        if (!yk_name_eq(chosen, search->node->name))
            return false;
        decide(&search->volumes->scratch, claim, NULL);
    }
    return true;
}

/* Adds the other delayed claims in order of size, the smallest first. Each is added with the volume that it
 * would get. */
static void match_others(struct search *search, struct yk_pod_volumes *pod_volumes)
{
    const struct yk__claim_use *use;
    sort(pod_volumes);
    yk_vec_foreach (use, &pod_volumes->by_size) {
        if (!yk__claim_is_delayed(use->claim) || yk__claim_selected_node(use->claim).id != 0)
            continue;
        struct yk__volume *volume = volume_for(search, use->claim);
        if (volume != NULL)
            volume->mark = search->round;
        decide(&search->volumes->scratch, use->claim, volume);
    }
}

static uint32_t delayed_claims(struct search *search, struct yk_pod_volumes *pod_volumes)
{
    struct yk_vec *scratch = &search->volumes->scratch;
    if (!take_chosen(search, pod_volumes))
        return YK_VOLUMES_BIND_CONFLICT;
    match_others(search, pod_volumes);
    for (size_t i = 0; i < scratch->count; i += 2) {
        uint32_t result = scratch->items[i + 1] == NULL ? provision(search, scratch->items[i]) : 0;
        if (result != 0)
            return result;
    }
    return 0;
}

static bool all_wait_or_are_bound(const struct yk_pod_volumes *pod_volumes)
{
    for (uint32_t i = 0; i < pod_volumes->use_count; i++) {
        const struct yk__claim *claim = pod_volumes->uses[i].claim;
        if (claim->object == NULL || (!yk__claim_is_bound(claim) && !yk__claim_is_delayed(claim)))
            return false;
    }
    return true;
}

uint32_t yk__volume_binding(struct yk_volumes *volumes, struct yk_pod_volumes *pod_volumes,
                            const struct yk_cache_node *node)
{
    struct search search = {volumes, node, ++volumes->round};
    yk_vec_clear(&volumes->scratch);
    if (pod_volumes->use_count == 0)
        return 0;
    if (!all_wait_or_are_bound(pod_volumes))
        return YK_VOLUMES_IMPOSSIBLE;
    return bound_claims(&search, pod_volumes) | delayed_claims(&search, pod_volumes);
}
