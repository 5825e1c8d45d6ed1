/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation/release_estimate.h"

#include "state/core.h"

enum { ALLOCATIONS_MAX = 256 }; /* on a node with more nothing is estimated */

struct release {
    int64_t wall_ns;
    const struct yk_resvec *size;
};

static int by_time(const void *a, const void *b)
{
    const struct release *x = a, *y = b;
    return (x->wall_ns > y->wall_ns) - (x->wall_ns < y->wall_ns);
}

/* Returns how many there are, or -1: too many. */
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
            return YK_MAX(yk_i64_sub(releases[i].wall_ns, now_wall_ns), 0);
    }
    return 0;
}
