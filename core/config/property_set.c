/* SPDX-License-Identifier: Apache-2.0 */
#include "config/property_set.h"

#include "config/properties_priv.h"

#include <stdatomic.h>

struct yk_property_set {
    _Atomic uint32_t more_holders; /* number of references, less one */
    uint32_t count;                /* of `own` */
    struct yk_property_set *above; /* with a reference; may be NULL */
    size_t bytes;
    const struct yk_pair *known[YK__PROPERTIES]; /* the effective pairs, by number; NULL: the default */
    struct yk_pair own[];                        /* sorted by key; their texts follow in the same block */
};

/* ---- building a set ---- */

static int by_key(const void *a, const void *b)
{
    return yk_str_cmp(((const struct yk_pair *)a)->key, ((const struct yk_pair *)b)->key);
}

static struct yk_str put_text(char **at, struct yk_str text)
{
    struct yk_str copy = {*at, text.len};
    if (text.len > 0)
        memcpy(*at, text.p, text.len);
    *at += text.len + 1; /* terminated: the block is zeroed */
    return copy;
}

/* Allocates a set in one block with space for the pairs and their terminated texts. */
static struct yk_property_set *set_alloc(const struct yk_pairs *own)
{
    size_t bytes = yk_size_add(sizeof(struct yk_property_set), yk_size_mul(own->count, sizeof(*own->items)));
    for (uint32_t i = 0; i < own->count; i++)
        bytes = yk_size_add(bytes, own->items[i].key.len + own->items[i].value.len + 2);
    struct yk_property_set *set = yk_alloc0(bytes);
    set->bytes = bytes;
    return set;
}

static void copy_own(struct yk_property_set *set, const struct yk_pairs *own)
{
    char *at = (char *)&set->own[own->count];
    set->count = own->count;
    for (uint32_t i = 0; i < own->count; i++) {
        set->own[i].key = put_text(&at, own->items[i].key);
        set->own[i].value = put_text(&at, own->items[i].value);
    }
    if (set->count > 1) /* no key is there twice, so the order is unique */
        qsort(set->own, set->count, sizeof(set->own[0]), by_key);
}

static void resolve(struct yk_property_set *set)
{
    for (int number = 0; set->above != NULL && number < YK__PROPERTIES; number++)
        set->known[number] = yk__property_inherited(set->above->known[number]);
    for (uint32_t i = 0; i < set->count; i++) {
        if (yk__property_hides(set->own[i].key) >= 0)
            set->known[yk__property_hides(set->own[i].key)] = NULL;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        int number = yk__property_number(set->own[i].key);
        if (number >= 0)
            set->known[number] = &set->own[i];
    }
}

/* Whether a child without properties of its own has the same effective properties. */
static bool passes_on_unchanged(const struct yk_property_set *set)
{
    for (int number = 0; set != NULL && number < YK__PROPERTIES; number++) {
        if (yk__property_inherited(set->known[number]) != set->known[number])
            return false;
    }
    return true;
}

struct yk_property_set *yk_property_set_new(struct yk_property_set *above, const struct yk_pairs *own)
{
    if (own->count == 0 && passes_on_unchanged(above))
        return yk_property_set_hold(above);
    struct yk_property_set *set = set_alloc(own);
    copy_own(set, own);
    set->above = yk_property_set_hold(above);
    resolve(set);
    return set;
}

struct yk_property_set *yk_property_set_hold(struct yk_property_set *set)
{
    if (set != NULL)
        atomic_fetch_add_explicit(&set->more_holders, 1, memory_order_relaxed);
    return set;
}

void yk_property_set_put(struct yk_property_set *set)
{
    /* The release of each holder pairs with the acquire of the last one: what the others did is done before
     * the set is freed. */
    while (set != NULL && atomic_fetch_sub_explicit(&set->more_holders, 1, memory_order_acq_rel) == 0) {
        struct yk_property_set *above = set->above;
        free(set);
        set = above;
    }
}

/* ---- reading ---- */

const struct yk_pair *yk_property_set_known(const struct yk_property_set *set, int number)
{
    return set != NULL ? set->known[number] : NULL;
}

struct ranked { /* a pair, and how far above its set is; 0: it is in the set that is listed */
    const struct yk_pair *pair;
    uint32_t distance;
};

static int by_key_and_distance(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = yk_str_cmp(x->pair->key, y->pair->key);
    return order != 0 ? order : (x->distance > y->distance) - (x->distance < y->distance);
}

static size_t count_all(const struct yk_property_set *set)
{
    size_t count = 0;
    for (; set != NULL; set = set->above)
        count += set->count;
    return count;
}

/* All pairs of the set and those above it, sorted by key; of pairs with the same key, the nearest comes
 * first. The caller frees the array. */
static struct ranked *rank_all(const struct yk_property_set *set, size_t count)
{
    struct ranked *all = yk_new0_array(struct ranked, count + 1);
    size_t at = 0;
    for (uint32_t distance = 0; set != NULL; set = set->above, distance++) {
        for (uint32_t i = 0; i < set->count; i++)
            all[at++] = (struct ranked){&set->own[i], distance};
    }
    if (count > 1)
        qsort(all, count, sizeof(*all), by_key_and_distance);
    return all;
}

struct yk_pairs yk_property_set_list(const struct yk_property_set *set, struct yk_arena *arena)
{
    size_t count = count_all(set);
    if (count == 0)
        return (struct yk_pairs){0};
    struct ranked *all = rank_all(set, count);
    struct yk_pairs list = {yk_arena_alloc0(arena, yk_size_mul(count, sizeof(*list.items))), 0};
    for (size_t i = 0; i < count; i++) {
        const struct yk_pair *pair = all[i].pair;
        bool again = i > 0 && yk_str_eq(pair->key, all[i - 1].pair->key);
        int number = again ? -1 : yk__property_number(pair->key);
        if (number >= 0)
            pair = set->known[number]; /* may be another one, or NULL (I1) */
        if (!again && pair != NULL)
            list.items[list.count++] = *pair;
    }
    free(all);
    return list;
}
