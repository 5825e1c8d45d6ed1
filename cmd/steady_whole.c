/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The most that can be in use if each queue gets its guarantee and pods cannot be divided: the use of a queue
 * is a sum of sizes of its pods. This sum is within the maximum of the queue, and within the capacity that
 * the guarantees of the other queues leave.
 */
#include "cmd/packing.h"
#include "cmd/steady_priv.h"

enum { SIZES_MAX = 16 };

/* The pods of a leaf. Amounts are of the measured type. */
struct whole {
    const struct yk_resvec *sizes[SIZES_MAX]; /* of the classes */
    size_t count;                             /* of `sizes` */
    int64_t smallest, largest;                /* smallest and largest size of a pod */
    int64_t demand;                           /* of all pods that run or lack capacity */
    bool is_whole;                            /* `sizes` has the sizes of all classes */
};

static void add_class(struct whole *whole, const struct steady_class *class, int type)
{
    int64_t size = yk_resvec_get(&class->size, type);
    uint64_t pods = class->bound_count + (class->can_run ? yk__steady_lacking(class) : 0);
    if (pods == 0)
        return;
    whole->demand += size * (int64_t)pods;
    whole->largest = YK_MAX(whole->largest, size);
    whole->smallest = YK_MIN(whole->smallest, size);
    if (whole->count < SIZES_MAX)
        whole->sizes[whole->count++] = &class->size;
    else
        whole->is_whole = false;
}

/* False: the core does not have the queue now, so its pods do not count. */
static bool collect(const struct yk_steady *steady, const struct steady_leaf *leaf, int type,
                    struct whole *ret)
{
    const struct steady_class *class;
    *ret = (struct whole){.smallest = INT64_MAX, .is_whole = true};
    if (leaf->queue == steady->view.count)
        return false;
    yk_vec_foreach (class, &leaf->classes) {
        if (class->kind != STEADY_DAEMON)
            add_class(ret, class, type);
    }
    return true;
}

/* An upper bound of the sums of sizes that are not above `most`. */
static int64_t whole_sum(const struct whole *whole, int64_t most, int type)
{
    struct yk_packing_pod pods[SIZES_MAX];
    YK_RESVEC(capacity);
    if (!whole->is_whole)
        return most;
    for (size_t i = 0; i < whole->count; i++) {
        yk_resvec_foreach(t, whole->sizes[i]) yk_resvec_put(&capacity, t, INT64_MAX / 4);
        pods[i] = (struct yk_packing_pod){whole->sizes[i], (double)yk_resvec_get(whole->sizes[i], type)};
    }
    yk_resvec_put(&capacity, type, most);
    return (int64_t)yk_packing_bound(&capacity, pods, whole->count);
}

/* The least that the leaf uses if its guarantee is kept. 0 if pods have different priorities, or the leaf is
 * not directly below the root: others may then come first. */
static int64_t guaranteed_part(const struct yk_steady *steady, const struct steady_leaf *leaf,
                               const struct whole *whole, int type)
{
    const struct yk_entitled_queue *queue = &steady->settings[leaf->queue];
    if (!queue->has_guaranteed || queue->parent != 0 || steady->has_priorities || whole->count == 0)
        return 0;
    int64_t most = YK_MIN(yk_resvec_get(&queue->guaranteed, type), whole->demand);
    if (whole->smallest == whole->largest && whole->largest > 0)
        return most - most % whole->largest;
    return YK_MAX(most - whole->largest, 0);
}

static int64_t within_max(const struct yk_entitled_queue *queue, int64_t amount, int type)
{
    if (queue->has_max && yk_resvec_has(&queue->max, type))
        amount = YK_MIN(amount, yk_resvec_get(&queue->max, type));
    if (queue->has_limit && yk_resvec_has(&queue->limit, type))
        amount = YK_MIN(amount, yk_resvec_get(&queue->limit, type));
    return amount;
}

static int64_t sum_of_guaranteed(const struct yk_steady *steady, int type)
{
    const struct steady_leaf *leaf;
    struct whole whole;
    int64_t sum = 0;
    yk_vec_foreach (leaf, &steady->leaves) {
        if (collect(steady, leaf, type, &whole))
            sum += guaranteed_part(steady, leaf, &whole, type);
    }
    return sum;
}

double yk__steady_whole_bound(const struct yk_steady *steady, int type, int64_t capacity)
{
    const struct steady_leaf *leaf;
    struct whole whole;
    int64_t guaranteed = sum_of_guaranteed(steady, type), sum = 0;
    if (guaranteed > capacity)
        return (double)capacity;
    yk_vec_foreach (leaf, &steady->leaves) {
        if (!collect(steady, leaf, type, &whole))
            continue;
        int64_t others = guaranteed - guaranteed_part(steady, leaf, &whole, type);
        int64_t most = YK_MIN(whole.demand, capacity - others);
        sum += whole_sum(&whole, within_max(&steady->settings[leaf->queue], most, type), type);
    }
    return (double)sum;
}
