/* SPDX-License-Identifier: Apache-2.0 */
#include "resources/packed.h"

void yk_packed_done(struct yk_packed *packed)
{
    free(packed->v);
    *packed = (struct yk_packed){0};
}

/* Where the amount of `type` is, or would be. */
static size_t place_of(const struct yk_packed *packed, uint32_t type)
{
    return (size_t)__builtin_popcount(packed->set & ((UINT32_C(1) << type) - 1));
}

static bool has(const struct yk_packed *packed, uint32_t type)
{
    return (packed->set >> type & 1) != 0;
}

int64_t yk_packed_get(const struct yk_packed *packed, int type)
{
    return has(packed, (uint32_t)type) ? packed->v[place_of(packed, (uint32_t)type)] : 0;
}

/* The amount of `type`, made as 0 if it is new. */
static int64_t *amount_of(struct yk_packed *packed, uint32_t type)
{
    size_t place = place_of(packed, type), count = (size_t)__builtin_popcount(packed->set);
    if (!has(packed, type)) {
        packed->v = yk_realloc_array(packed->v, count + 1, sizeof(*packed->v));
        memmove(packed->v + place + 1, packed->v + place, (count - place) * sizeof(*packed->v));
        packed->v[place] = 0;
        packed->set |= UINT32_C(1) << type;
    }
    return &packed->v[place];
}

void yk_packed_add(struct yk_packed *packed, const struct yk_resvec *more)
{
    yk_resvec_foreach(t, more->set)
    {
        int64_t *amount = amount_of(packed, t);
        *amount = yk_i64_add(*amount, more->v[t]);
    }
}

void yk_packed_sub(struct yk_packed *packed, const struct yk_resvec *less)
{
    yk_resvec_foreach(t, less->set)
    {
        int64_t *amount = amount_of(packed, t);
        *amount = yk_i64_sub(*amount, less->v[t]);
    }
}
