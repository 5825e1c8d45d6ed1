/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/packing.h"

#include <math.h>

enum { TRIES_MAX = 20000 };

struct packing {
    const struct yk_packing_pod *pods;
    size_t count;
    int types;
    /* Two arrays with an item for each pod and type, at index of the pod * types + type; owned. */
    double *density;  /* the largest value per amount among this pod and all later ones */
    int64_t *divisor; /* the greatest common divisor of the amounts of these pods; 0: all amounts are 0 */
    double best;      /* value of the best combination so far */
    int tries;        /* steps of the search so far */
};

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A density of HUGE_VAL means: some pod needs nothing of the type, so the type does not bound the value. */
static void find_densities(struct packing *packing)
{
    packing->density = yk_calloc(packing->count * (size_t)packing->types + 1, sizeof(*packing->density));
    packing->divisor = yk_calloc(packing->count * (size_t)packing->types + 1, sizeof(*packing->divisor));
    for (size_t i = packing->count; i-- > 0;) {
        const struct yk_packing_pod *pod = &packing->pods[i];
        for (int type = 0; type < packing->types; type++) {
            size_t at = i * (size_t)packing->types + (size_t)type;
            double *density = &packing->density[at];
            int64_t size = yk_resvec_get(pod->size, type);
            if (i + 1 < packing->count) {
                *density = density[packing->types];
                packing->divisor[at] = packing->divisor[at + (size_t)packing->types];
            }
            if (pod->value <= 0)
                continue;
            *density = fmax(*density, size > 0 ? pod->value / (double)size : HUGE_VAL);
            packing->divisor[at] = common_divisor(packing->divisor[at], size);
        }
    }
}

/* An upper bound of the value of the pods from `index` on that fit into `room`, as if pods could be divided
 * into pieces of the size of their common divisor. */
static double most_left(const struct packing *packing, size_t index, const struct yk_resvec *room)
{
    double most = HUGE_VAL;
    yk_resvec_foreach(type, room)
    {
        size_t at = index * (size_t)packing->types + (size_t)type;
        int64_t amount = YK_MAX(yk_resvec_get(room, type), 0);
        if (packing->divisor[at] > 0)
            amount -= amount % packing->divisor[at];
        if (packing->density[at] < HUGE_VAL)
            most = fmin(most, packing->density[at] * (double)amount);
    }
    return most;
}

static int64_t times_that_fit(const struct yk_resvec *room, const struct yk_resvec *size)
{
    int64_t times = INT64_MAX;
    yk_resvec_foreach(type, size)
    {
        if (yk_resvec_get(size, type) > 0)
            times = YK_MIN(times, yk_resvec_get(room, type) / yk_resvec_get(size, type));
    }
    return YK_MAX(times, 0);
}

/* Tries all combinations of the pods from `index` on that fit into `room`. Begins with those that have the
 * pod `index` as often as possible. `value`: the sum of the values of the pods chosen before. */
static void pack(struct packing *packing, size_t index, const struct yk_resvec *room, double value)
{
    packing->best = fmax(packing->best, value);
    if (index == packing->count)
        return;
    double most = value + most_left(packing, index, room);
    if (most <= packing->best)
        return;
    if (packing->tries++ >= TRIES_MAX) {
        packing->best = most; /* an upper bound for the combinations that are not tried */
        return;
    }
    const struct yk_packing_pod *pod = &packing->pods[index];
    if (pod->value <= 0) {
        pack(packing, index + 1, room, value);
        return;
    }
    for (int64_t times = times_that_fit(room, pod->size); times >= 0; times--) {
        YK_RESVEC(taken);
        YK_RESVEC(left);
        yk_resvec_copy(&taken, pod->size);
        yk_resvec_copy(&left, room);
        yk_resvec_mul(&taken, times);
        yk_resvec_sub(&left, &taken);
        pack(packing, index + 1, &left, value + (double)times * pod->value);
    }
}

double yk_packing_bound(const struct yk_resvec *capacity, const struct yk_packing_pod *pods, size_t count)
{
    struct packing packing = {.pods = pods, .count = count, .types = yk_restype_count()};
    find_densities(&packing);
    pack(&packing, 0, capacity, 0);
    free(packing.divisor);
    free(packing.density);
    return packing.best;
}
