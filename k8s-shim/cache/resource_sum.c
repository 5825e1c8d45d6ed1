/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/resource_sum.h"

struct yk_str yk_restype_of_kubernetes(struct yk_str name)
{
    return yk_str_is(name, "cpu") ? YK_STR("vcore") : name;
}

const char *yk_restype_to_kubernetes(int type)
{
    return type == YK_RESTYPE_VCORE ? "cpu" : yk_restype_name(type);
}

/* The index of a name without a type in `names`, where it is added if necessary; -1: `names` is full. */
static int extra_index(struct yk_resource_sum_names *names, struct yk_str name)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (yk_str_eq(names->names[i], name))
            return (int)i;
    }
    if (names->count == YK_RESOURCE_SUM_EXTRA_MAX)
        return -1;
    names->names[names->count] = name;
    return (int)names->count++;
}

struct place {
    int extra; /* index in `extra`; -1: the amount is in `known` */
    int type;
};

static struct place place_of(struct yk_resource_sum_names *names, struct yk_str name)
{
    struct place place = {.extra = -1, .type = yk_restype_find(yk_restype_of_kubernetes(name))};
    if (place.type == YK_RESTYPE_UNKNOWN)
        place.extra = extra_index(names, name);
    return place;
}

static int64_t amount_at(const struct yk_resource_sum *sum, struct place place)
{
    if (place.extra < 0)
        return yk_resvec_get(&sum->known, place.type);
    return (sum->extra_set >> place.extra & 1) != 0 ? sum->extra[place.extra] : 0;
}

static void put_at(struct yk_resource_sum *sum, struct place place, int64_t amount)
{
    if (place.extra < 0) {
        yk_resvec_put(&sum->known, place.type, amount);
        return;
    }
    sum->extra_set |= UINT32_C(1) << place.extra;
    sum->extra[place.extra] = amount;
}

void yk_resource_sum_put(struct yk_resource_sum *sum, struct yk_resource_sum_names *names, struct yk_str name,
                         int64_t amount)
{
    put_at(sum, place_of(names, name), amount);
}

void yk_resource_sum_add_list(struct yk_resource_sum *sum, struct yk_resource_sum_names *names,
                              const struct yk_amounts *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct yk_amount *item = &list->items[i];
        struct place place = place_of(names, item->name);
        int64_t more = yk_quantity_amount(item->name, item->quantity);
        put_at(sum, place, yk_i64_add(amount_at(sum, place), more));
    }
}

void yk_resource_sum_raise_by_list(struct yk_resource_sum *sum, struct yk_resource_sum_names *names,
                                   const struct yk_amounts *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct yk_amount *item = &list->items[i];
        struct place place = place_of(names, item->name);
        int64_t amount = amount_at(sum, place);
        if (amount != 0)
            put_at(sum, place, yk_i64_add(amount, yk_quantity_amount(item->name, item->quantity)));
    }
}

void yk_resource_sum_copy(struct yk_resource_sum *to, const struct yk_resource_sum *from)
{
    yk_resvec_copy(&to->known, &from->known);
    to->extra_set = from->extra_set;
    memcpy(to->extra, from->extra, sizeof(to->extra));
}

void yk_resource_sum_add(struct yk_resource_sum *sum, const struct yk_resource_sum *other)
{
    yk_resvec_add(&sum->known, &other->known);
    yk_bits_foreach(i, other->extra_set) sum->extra[i] =
        (sum->extra_set >> i & 1) != 0 ? yk_i64_add(sum->extra[i], other->extra[i]) : other->extra[i];
    sum->extra_set |= other->extra_set;
}

static int64_t limited(int64_t amount, int64_t most)
{
    return YK_MAX(YK_MIN(amount, most), -most);
}

void yk_resource_sum_limit(struct yk_resource_sum *sum, int64_t most)
{
    yk_resvec_foreach(t, &sum->known)
        yk_resvec_put(&sum->known, t, limited(yk_resvec_get(&sum->known, t), most));
    yk_bits_foreach(i, sum->extra_set) sum->extra[i] = limited(sum->extra[i], most);
}

void yk_resource_sum_max(struct yk_resource_sum *sum, const struct yk_resource_sum *other)
{
    /* yk_resvec_max() would replace a negative amount that only `other` has by 0. */
    yk_resvec_foreach(t, &other->known)
    {
        bool larger =
            !yk_resvec_has(&sum->known, t) || yk_resvec_get(&other->known, t) > yk_resvec_get(&sum->known, t);
        if (larger)
            yk_resvec_put(&sum->known, t, yk_resvec_get(&other->known, t));
    }
    yk_bits_foreach(i, other->extra_set)
    {
        if ((sum->extra_set >> i & 1) == 0 || other->extra[i] > sum->extra[i])
            sum->extra[i] = other->extra[i];
    }
    sum->extra_set |= other->extra_set;
}
