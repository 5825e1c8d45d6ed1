/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/release_estimate.h"

#include "state/core.h"

enum {
    ALLOCATIONS_MAX = 256, /* a node with more allocations has no estimate */
    WHOLE = 1000,          /* a whole ask, in thousandths */
    WAITING_COST = 500,    /* cost of the waiting itself, in thousandths of an ask */
};

/* Limits estimates, so that sums stay small. */
static const int64_t longest_left_ns = 1000000 * YK_NS_PER_S;

/* The end of an allocation. */
struct release {
    int64_t ns; /* collect(): wall clock time; expect(): nanoseconds from now */
    const struct yk_resvec *size;
};

static int by_time(const void *a, const void *b)
{
    const struct release *x = a, *y = b;
    return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Collects when allocations of the node end by their run limits. Allocations without a run limit are left
 * out. Returns the number of ends; -1: the node has too many allocations. */
static int collect(const struct yk_node *node, struct release releases[ALLOCATIONS_MAX])
{
    const struct yk_ask *ask;
    int count = 0;
    yk_list_foreach (ask, &node->allocations, struct yk_ask, in_node) {
        int64_t limit_ns = yk_ask_run_limit_ns(ask);
        if (limit_ns == 0)
            continue;
        if (count == ALLOCATIONS_MAX)
            return -1;
        releases[count++] =
            (struct release){yk_i64_add(yk_ask_bind_wall_ns(ask), limit_ns), yk_ask_size(ask)};
    }
    return count;
}

int64_t yk_release_estimate_ns(const struct yk_partition *partition, const struct yk_node *node,
                               const struct yk_resvec *size)
{
    struct release releases[ALLOCATIONS_MAX];
    YK_RESVEC(available);
    int64_t now_wall_ns = yk_core_now(partition->core);
    int count = collect(node, releases);
    if (count <= 0)
        return 0;
    qsort(releases, (size_t)count, sizeof(*releases), by_time);
    yk_resvec_copy(&available, node->available);
    for (int i = 0; i < count; i++) {
        yk_resvec_add(&available, releases[i].size);
        if (yk_resvec_fit(&available, size))
            return YK_MAX(yk_i64_sub(releases[i].ns, now_wall_ns), 0);
    }
    return 0;
}

/* ---- the expected time ---- */

static int64_t expected_left_ns(const struct yk_partition *partition, const struct yk_ask *allocation)
{
    int64_t age_ns = YK_MAX(yk_i64_sub(yk_core_now(partition->core), yk_ask_bind_wall_ns(allocation)), 0);
    int64_t limit_ns = yk_ask_run_limit_ns(allocation);
    int64_t run_ns = allocation->group->reservation.run_ns > 0 ? allocation->group->reservation.run_ns
                                                               : partition->reservation.longest_run_ns;
    if (limit_ns > 0)
        run_ns = YK_MIN(run_ns, limit_ns);
    return YK_MIN(run_ns > age_ns ? run_ns - age_ns : age_ns, longest_left_ns);
}

/* Collects the expected ends of the allocations that do not belong to `without`, in order of time. Returns
 * the number of ends; -1: the node has too many allocations. */
static int expect(const struct yk_partition *partition, const struct yk_node *node,
                  const struct yk_group *without, struct release releases[ALLOCATIONS_MAX])
{
    const struct yk_ask *other;
    int count = 0;
    yk_list_foreach (other, &node->allocations, struct yk_ask, in_node) {
        if (other->group == without)
            continue;
        if (count == ALLOCATIONS_MAX)
            return -1;
        releases[count++] = (struct release){expected_left_ns(partition, other), yk_ask_size(other)};
    }
    qsort(releases, (size_t)count, sizeof(*releases), by_time);
    return count;
}

/* The part of `size` that is available, in thousandths: that of the type with the largest part. The number of
 * allocations is left out. */
static int64_t part_free(const struct yk_resvec *available, const struct yk_resvec *size)
{
    double most = 0;
    yk_resvec_foreach(t, size)
    {
        int64_t wanted = yk_resvec_get(size, t), free_amount = yk_resvec_get(available, t);
        if (t != YK_RESTYPE_PODS && wanted > 0 && free_amount > 0)
            most = YK_MAX(most, (double)YK_MIN(free_amount, wanted) / (double)wanted);
    }
    return (int64_t)(most * (double)WHOLE);
}

int64_t yk_release_cost(const struct yk_partition *partition, const struct yk_node *node,
                        const struct yk_ask *ask)
{
    struct release releases[ALLOCATIONS_MAX];
    YK_RESVEC(available);
    const struct yk_resvec *size = yk_ask_size(ask);
    int64_t cost = 0, at_us = 0;
    int count = expect(partition, node, ask->group, releases);
    yk_resvec_copy(&available, node->available);
    for (int i = 0; i < count; i++) {
        int64_t next_us = releases[i].ns / 1000;
        cost += (next_us - at_us) * (part_free(&available, size) + WAITING_COST);
        at_us = next_us;
        yk_resvec_add(&available, releases[i].size);
        if (yk_resvec_fit(&available, size))
            return cost;
    }
    return YK_RELEASE_UNKNOWN;
}
