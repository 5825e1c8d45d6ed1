/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/fair_use.h"

#include "cmd/packing.h"

#include <math.h>

enum { STEPS = 24 }; /* steps of the search for a price: they reduce the interval to a hundred-thousandth */

/* What a pod is worth at a price. */
struct offer {
    double value;
    size_t pod; /* index in `pods` of the input */
};

struct priced {
    const struct yk_fair_use *in;
    size_t leaf;     /* the leaf whose inequality has a price */
    double part;     /* r: the ratio of the leaf is at least this part of the mean of the other ratios */
    size_t *same_as; /* owned; by pod: the index of the first pod of the same size */
    /* Owned; scratch with capacity for all pods. */
    struct offer *offers;
    bool *is_packed; /* by pod */
    struct yk_packing_pod *pods;
};

/* The number r (cmd/fair_use.h) for `count` leaves; 0: any ratio is allowed. */
static double least_part(double jain, size_t count)
{
    double n = (double)count, m = n - 1, a = jain * n - 1;
    return count > 1 && jain * n > m ? (m - sqrt(m * m - a * m * (jain * n - m))) / a : 0;
}

/* In the inequality of priced->leaf: the coefficient of the amount that `leaf` uses. */
static double weight_of(const struct priced *priced, size_t leaf)
{
    const struct yk_fair_leaf *of = &priced->in->leaves[leaf];
    if (leaf == priced->leaf)
        return 1 / of->least;
    return of->most > 0 ? -priced->part / (double)(priced->in->leaf_count - 1) / of->most : 0;
}

static double constant_of(const struct priced *priced)
{
    double sum = 0;
    for (size_t i = 0; i < priced->in->leaf_count; i++)
        sum += fabs(weight_of(priced, i)) * priced->in->leaves[i].half_pod;
    return sum;
}

static double value_of(const struct priced *priced, const struct yk_fair_pod *pod, double price)
{
    double value = (double)yk_resvec_get(pod->size, priced->in->type);
    if (pod->leaf == SIZE_MAX)
        return value;
    int type = priced->in->leaves[pod->leaf].type;
    return value + price * weight_of(priced, pod->leaf) * (double)yk_resvec_get(pod->size, type);
}

/* The largest value first. */
static int by_value(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    if (x->value > y->value || x->value < y->value)
        return x->value > y->value ? -1 : 1;
    return (x->pod > y->pod) - (x->pod < y->pod);
}

/* An upper bound of the value of pods on all nodes that are equal to `node`. Of pods of the same size, only
 * the most valuable one is used. */
static double most_on(const struct priced *priced, const struct yk_fair_node *node, double price)
{
    const struct yk_fair_use *in = priced->in;
    size_t offered = 0, count = 0;
    for (size_t i = 0; i < in->pod_count; i++) {
        if ((node->pods[i / 64] >> i % 64 & 1) != 0)
            priced->offers[offered++] = (struct offer){value_of(priced, &in->pods[i], price), i};
    }
    qsort(priced->offers, offered, sizeof(*priced->offers), by_value);
    memset(priced->is_packed, 0, in->pod_count * sizeof(*priced->is_packed));
    for (size_t i = 0; i < offered; i++) {
        const struct offer *offer = &priced->offers[i];
        bool *is_packed = &priced->is_packed[priced->same_as[offer->pod]];
        if (!*is_packed)
            priced->pods[count++] = (struct yk_packing_pod){in->pods[offer->pod].size, offer->value};
        *is_packed = true;
    }
    return (double)node->count * yk_packing_bound(&node->capacity, priced->pods, count);
}

static double bound_at(const struct priced *priced, double price)
{
    double sum = price * constant_of(priced);
    for (size_t i = 0; i < priced->in->node_count; i++)
        sum += most_on(priced, &priced->in->nodes[i], price);
    return sum;
}

/* The smallest bound over the prices. The bound is convex in the price, so a golden-section search finds it;
 * each price that is tried gives a valid bound. */
static double bound_of_leaf(const struct priced *priced)
{
    static const double golden = 0.6180339887498949;
    /* The limit is an arbitrary high price: if it is too high or too low, the bound is only larger. */
    double low = 0, high = 4 * priced->in->leaves[priced->leaf].least;
    for (size_t i = 0; i < priced->in->leaf_count; i++)
        high = fmax(high, 4 * priced->in->leaves[i].most);
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double of_a = bound_at(priced, a), of_b = bound_at(priced, b), best = fmin(of_a, of_b);
    for (int i = 0; i < STEPS; i++) {
        if (of_a <= of_b) {
            high = b;
            b = a;
            of_b = of_a;
            a = high - golden * (high - low);
            of_a = bound_at(priced, a);
        } else {
            low = a;
            a = b;
            of_a = of_b;
            b = low + golden * (high - low);
            of_b = bound_at(priced, b);
        }
        best = fmin(best, fmin(of_a, of_b));
    }
    return best;
}

/* Compares sizes here, once, and not again at each price. */
static void find_equal_sizes(struct priced *priced)
{
    const struct yk_fair_use *in = priced->in;
    size_t *firsts = yk_calloc(in->pod_count + 1, sizeof(*firsts)), count = 0;
    for (size_t i = 0; i < in->pod_count; i++) {
        size_t at = 0;
        while (at < count && !yk_resvec_eq(in->pods[firsts[at]].size, in->pods[i].size))
            at++;
        if (at == count)
            firsts[count++] = i;
        priced->same_as[i] = firsts[at];
    }
    free(firsts);
}

double yk_fair_use_bound(const struct yk_fair_use *in, double jain)
{
    struct priced priced = {.in = in, .part = least_part(jain, in->leaf_count)};
    double bound = HUGE_VAL;
    if (priced.part <= 0)
        return bound;
    priced.same_as = yk_calloc(in->pod_count + 1, sizeof(*priced.same_as));
    priced.offers = yk_calloc(in->pod_count + 1, sizeof(*priced.offers));
    priced.is_packed = yk_calloc(in->pod_count + 1, sizeof(*priced.is_packed));
    priced.pods = yk_calloc(in->pod_count + 1, sizeof(*priced.pods));
    find_equal_sizes(&priced);
    for (priced.leaf = 0; priced.leaf < in->leaf_count; priced.leaf++) {
        /* The inequality of a leaf that is compared in the bounded type does not lower the bound. */
        const struct yk_fair_leaf *leaf = &in->leaves[priced.leaf];
        if (leaf->type != in->type && leaf->least > 0)
            bound = fmin(bound, bound_of_leaf(&priced));
    }
    free(priced.pods);
    free(priced.is_packed);
    free(priced.offers);
    free(priced.same_as);
    return bound;
}
