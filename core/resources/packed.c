/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/packed.h"

struct yk_packed_item {
    int64_t amount;
    int type;
};

void yk_packed_done(struct yk_packed *packed)
{
    for (uint32_t i = 0; i < packed->count; i++)
        yk_restype_release(packed->items[i].type);
    free(packed->items);
    *packed = (struct yk_packed){0};
}

/* Where the amount of `type` is, or would be. */
static uint32_t place_of(const struct yk_packed *packed, int type)
{
    uint32_t low = 0, high = packed->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (packed->items[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t yk_packed_get(const struct yk_packed *packed, int type)
{
    uint32_t place = place_of(packed, type);
    return place < packed->count && packed->items[place].type == type ? packed->items[place].amount : 0;
}

/* The amount of `type`, made as 0 if it is new. */
static int64_t *amount_of(struct yk_packed *packed, int type)
{
    uint32_t place = place_of(packed, type);
    if (place == packed->count || packed->items[place].type != type) {
        packed->items = yk_realloc_array(packed->items, packed->count + 1u, sizeof(*packed->items));
        struct yk_packed_item *at = &packed->items[place];
        memmove(at + 1, at, (packed->count - place) * sizeof(*at));
        *at = (struct yk_packed_item){.type = type};
        packed->count++;
        yk_restype_hold(type);
    }
    return &packed->items[place].amount;
}

void yk_packed_to_vector(const struct yk_packed *packed, struct yk_resvec *ret_amounts)
{
    yk_resvec_clear(ret_amounts);
    for (uint32_t i = 0; i < packed->count; i++)
        yk_resvec_put(ret_amounts, packed->items[i].type, packed->items[i].amount);
}

void yk_packed_add(struct yk_packed *packed, const struct yk_resvec *more)
{
    yk_resvec_foreach(t, more)
    {
        int64_t *amount = amount_of(packed, t);
        *amount = yk_i64_add(*amount, yk_resvec_get(more, t));
    }
}

/* Removes those types that are not dense and whose amount is 0, so that their names can be given back. */
static void prune(struct yk_packed *packed)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < packed->count; i++) {
        const struct yk_packed_item *item = &packed->items[i];
        if (item->type >= YK_RESTYPE_DENSE && item->amount == 0)
            yk_restype_release(item->type);
        else
            packed->items[kept++] = *item;
    }
    packed->count = kept;
}

void yk_packed_sub(struct yk_packed *packed, const struct yk_resvec *less)
{
    yk_resvec_foreach(t, less)
    {
        int64_t *amount = amount_of(packed, t);
        *amount = yk_i64_sub(*amount, yk_resvec_get(less, t));
    }
    if (packed->count > 0 && packed->items[packed->count - 1].type >= YK_RESTYPE_DENSE)
        prune(packed);
}
