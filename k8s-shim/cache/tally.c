/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/tally.h"

struct yk_str yk_restype_of_kubernetes(struct yk_str name)
{
    return yk_str_is(name, "cpu") ? YK_STR("vcore") : name;
}

const char *yk_restype_to_kubernetes(int type)
{
    return type == YK_RESTYPE_VCORE ? "cpu" : yk_restype_name(type);
}

/* Index of an unknown name, or -1 when there is no room for it. */
static int extra_index(struct yk_tally_names *names, struct yk_str name)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (yk_str_eq(names->names[i], name))
            return (int)i;
    }
    if (names->count == YK_TALLY_EXTRA_MAX)
        return -1;
    names->names[names->count] = name;
    return (int)names->count++;
}

/* Where the amount of `name` stands; a new one starts at 0. */
static int64_t *amount_of(struct yk_tally *tally, struct yk_tally_names *names, struct yk_str name)
{
    int type = yk_restype_find(yk_restype_of_kubernetes(name));
    if (type == YK_RESTYPE_UNKNOWN) {
        int extra = extra_index(names, name);
        if (extra >= 0) {
            if ((tally->extra_set >> extra & 1) == 0)
                tally->extra[extra] = 0;
            tally->extra_set |= UINT32_C(1) << extra;
            return &tally->extra[extra];
        }
    }
    if (!yk_resvec_has(&tally->known, type))
        yk_resvec_put(&tally->known, type, 0);
    return &tally->known.v[type];
}

void yk_tally_put(struct yk_tally *tally, struct yk_tally_names *names, struct yk_str name, int64_t amount)
{
    *amount_of(tally, names, name) = amount;
}

void yk_tally_add_list(struct yk_tally *tally, struct yk_tally_names *names, const struct yk_amounts *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct yk_amount *item = &list->items[i];
        int64_t *amount = amount_of(tally, names, item->name);
        *amount = yk_i64_add(*amount, yk_quantity_amount(item->name, item->quantity));
    }
}

void yk_tally_add(struct yk_tally *tally, const struct yk_tally *other)
{
    yk_resvec_add(&tally->known, &other->known);
    yk_resvec_foreach(i, other->extra_set) tally->extra[i] =
        (tally->extra_set >> i & 1) != 0 ? yk_i64_add(tally->extra[i], other->extra[i]) : other->extra[i];
    tally->extra_set |= other->extra_set;
}

static int64_t limited(int64_t amount, int64_t most)
{
    return YK_MAX(YK_MIN(amount, most), -most);
}

void yk_tally_limit(struct yk_tally *tally, int64_t most)
{
    yk_resvec_foreach(t, tally->known.set) tally->known.v[t] = limited(tally->known.v[t], most);
    yk_resvec_foreach(i, tally->extra_set) tally->extra[i] = limited(tally->extra[i], most);
}

void yk_tally_max(struct yk_tally *tally, const struct yk_tally *other)
{
    /* By hand: absent on one side takes the other's amount, also a negative one. */
    yk_resvec_foreach(t, other->known.set)
    {
        bool larger = !yk_resvec_has(&tally->known, (int)t) || other->known.v[t] > tally->known.v[t];
        if (larger)
            yk_resvec_put(&tally->known, (int)t, other->known.v[t]);
    }
    yk_resvec_foreach(i, other->extra_set)
    {
        if ((tally->extra_set >> i & 1) == 0 || other->extra[i] > tally->extra[i])
            tally->extra[i] = other->extra[i];
    }
    tally->extra_set |= other->extra_set;
}
