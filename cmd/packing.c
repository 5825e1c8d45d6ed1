/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/packing.h"

enum { TRIES_MAX = 20000 };

struct packing {
    const struct yk_resvec *const *sizes;
    size_t count;
    int type;
    int64_t best;
    int tries;
};

static int64_t times_that_fit(const struct yk_resvec *room, const struct yk_resvec *size)
{
    int64_t times = INT64_MAX;
    yk_resvec_foreach(type, size)
    {
        if (yk_resvec_get(size, type) > 0)
            times = YK_MIN(times, yk_resvec_get(room, type) / yk_resvec_get(size, type));
    }
    return times;
}

/* Sizes from `index` on, the one that is written first as often as possible first. */
static void pack(struct packing *packing, size_t index, const struct yk_resvec *room, int64_t used)
{
    packing->best = YK_MAX(packing->best, used);
    if (index == packing->count || packing->tries++ >= TRIES_MAX ||
        used + yk_resvec_get(room, packing->type) <= packing->best)
        return;
    const struct yk_resvec *size = packing->sizes[index];
    if (yk_resvec_get(size, packing->type) <= 0) {
        pack(packing, index + 1, room, used);
        return;
    }
    for (int64_t times = times_that_fit(room, size); times >= 0; times--) {
        YK_RESVEC(taken);
        YK_RESVEC(left);
        yk_resvec_copy(&taken, size);
        yk_resvec_copy(&left, room);
        yk_resvec_mul(&taken, times);
        yk_resvec_sub(&left, &taken);
        pack(packing, index + 1, &left, used + yk_resvec_get(&taken, packing->type));
    }
}

int64_t yk_packing_bound(const struct yk_resvec *capacity, const struct yk_resvec *const *sizes, size_t count,
                         int type)
{
    struct packing packing = {.sizes = sizes, .count = count, .type = type};
    pack(&packing, 0, capacity, 0);
    return packing.best;
}
