/* SPDX-License-Identifier: Apache-2.0 */
/* One sample: compares the use of each queue with what it is entitled to, and the total use with its upper
 * bounds. */
#include "cmd/fair_use.h"
#include "cmd/packing.h"
#include "cmd/steady_priv.h"

#include <math.h>

static const double settled_change = 0.05; /* largest change of a share in stable entitlements */

/* ---- nodes in groups ---- */

/* Nodes where pods of the same classes may run. */
struct group {
    uint64_t users[16]; /* bit c % 64 of word c / 64: class c of the sampling */
};

struct sampling {
    struct yk_steady *steady;
    /* struct steady_class: the classes with pods that run or lack capacity, without those of DaemonSets. */
    struct yk_vec classes;
    struct yk_vec by_size; /* struct steady_class: the same, sorted by by_size(); used by bound_nodes() */
    struct yk_entitled in;
    struct group groups[YK_ENTITLED_GROUPS_MAX];
    struct yk_resvec capacities[YK_ENTITLED_GROUPS_MAX];
    uint64_t *group_bits; /* owned; per class: the groups where it may run */
    int type;             /* the type of which the queues are entitled to the largest part of the capacity */
    double bound;         /* sum over the nodes: the most of `type` that pods can use on each */
};

enum { CLASSES_MAX = 16 * 64 };

static void collect_classes(struct sampling *sampling)
{
    for (size_t i = 0; i < sampling->steady->leaves.count; i++) {
        const struct steady_leaf *leaf = sampling->steady->leaves.items[i];
        struct steady_class *class;
        yk_vec_foreach (class, &leaf->classes) {
            bool matters = class->bound_count + yk__steady_lacking(class) > 0;
            if (matters && class->kind != STEADY_DAEMON && leaf->queue < sampling->steady->view.count &&
                sampling->classes.count < CLASSES_MAX)
                yk_vec_append(&sampling->classes, class);
        }
    }
}

/* Sets `ret` to the allocatable amounts of the node without the sizes of its pods of DaemonSets. False: there
 * is no such node. */
static bool capacity_of_node(const struct yk_steady *steady, const struct yk_object *node,
                             struct yk_resvec *ret)
{
    YK_RESVEC(used);
    YK_CLEANUP(yk_freep) char *name = yk_str_dup(node->name);
    if (!yk_cluster_node_usage(steady->cluster, name, &used, ret))
        return false;
    for (size_t i = 0; i < steady->leaves.count; i++) {
        const struct steady_leaf *leaf = steady->leaves.items[i];
        const struct steady_class *class;
        yk_vec_foreach (class, &leaf->classes) {
            if (class->kind == STEADY_DAEMON && class->bound_count > 0 &&
                yk_str_eq(class->pod->required_terms[0].fields[0].values[0], node->name))
                yk_resvec_sub(ret, &class->size);
        }
    }
    return true;
}

static size_t group_of(struct sampling *sampling, const uint64_t users[16])
{
    size_t g = 0;
    while (g < sampling->in.group_count &&
           memcmp(sampling->groups[g].users, users, sizeof(sampling->groups[g].users)) != 0)
        g++;
    if (g == YK_ENTITLED_GROUPS_MAX)
        return g - 1; /* too many groups: the node is counted in the last one */
    if (g == sampling->in.group_count) {
        memcpy(sampling->groups[g].users, users, sizeof(sampling->groups[g].users));
        sampling->in.group_count++;
    }
    return g;
}

static void group_node(void *context, const struct yk_object *object)
{
    struct sampling *sampling = context;
    const struct yk_k8s_node *node = yk__steady_node(object);
    YK_RESVEC(allocatable);
    uint64_t users[16] = {0};
    bool any = false;
    for (size_t c = 0; c < sampling->classes.count; c++) {
        if (yk__steady_allows(node, sampling->classes.items[c])) {
            users[c / 64] |= UINT64_C(1) << c % 64;
            any = true;
        }
    }
    if (!any || !capacity_of_node(sampling->steady, object, &allocatable))
        return;
    size_t g = group_of(sampling, users);
    yk_resvec_add(&sampling->capacities[g], &allocatable);
    for (size_t c = 0; c < sampling->classes.count; c++)
        sampling->group_bits[c] |= (users[c / 64] >> c % 64 & 1) << g;
}

/* ---- what the queues are entitled to ---- */

static void add_demand(struct sampling *sampling, size_t c)
{
    const struct steady_class *class = sampling->classes.items[c];
    struct yk_entitled_demand *demand = &sampling->in.demands[sampling->in.demand_count];
    uint64_t pods = class->bound_count + (class->can_run ? yk__steady_lacking(class) : 0);
    demand->queue = class->app->leaf->queue;
    demand->priority = class->priority;
    demand->groups = sampling->group_bits[c];
    yk_resvec_copy(&demand->amounts, &class->size);
    yk_resvec_mul(&demand->amounts, (int64_t)pods);
    for (size_t d = 0; d < sampling->in.demand_count; d++) {
        struct yk_entitled_demand *other = &sampling->in.demands[d];
        if (other->queue == demand->queue && other->priority == demand->priority &&
            other->groups == demand->groups) {
            yk_resvec_add(&other->amounts, &demand->amounts);
            yk_resvec_done(&demand->amounts);
            return;
        }
    }
    sampling->in.demand_count++;
}

static void find_entitled(struct sampling *sampling)
{
    struct yk_steady *steady = sampling->steady;
    yk_cluster_each(steady->cluster, YK_KIND_NODE, group_node, sampling);
    sampling->in.groups = sampling->capacities;
    sampling->in.queues = steady->settings;
    sampling->in.queue_count = steady->view.count;
    for (size_t c = 0; c < sampling->classes.count; c++)
        add_demand(sampling, c);
    yk_entitled_compute(&sampling->in);
}

static double capacity_of(const struct sampling *sampling, int type)
{
    double sum = 0;
    for (size_t g = 0; g < sampling->in.group_count; g++)
        sum += (double)yk_resvec_get(&sampling->capacities[g], type);
    return sum;
}

static void find_type(struct sampling *sampling)
{
    double best = 0;
    for (int type = 0; type < yk_restype_count(); type++) {
        double capacity = capacity_of(sampling, type);
        double share = capacity > 0 ? sampling->in.queues[0].entitled[type] / capacity : 0;
        if (type != YK_RESTYPE_PODS && share > best) {
            best = share;
            sampling->type = type;
        }
    }
}

/* ---- the bound of use by the sizes of nodes and pods ---- */

/* Sorts classes by the sizes of their pods: the largest amount of `type` first, and equal sizes together. */
static int by_size(const void *a, const void *b, void *type)
{
    const struct yk_resvec *x = &(*(struct steady_class *const *)a)->size,
                           *y = &(*(struct steady_class *const *)b)->size;
    int64_t more = yk_resvec_get(x, *(int *)type), less = yk_resvec_get(y, *(int *)type);
    for (int t = 0; t < yk_restype_count() && more == less; t++) {
        more = yk_resvec_get(x, t);
        less = yk_resvec_get(y, t);
    }
    return (more < less) - (more > less);
}

static void bound_node(void *context, const struct yk_object *object)
{
    struct sampling *sampling = context;
    struct yk_packing_pod *pods;
    const struct steady_class *class;
    size_t count = 0;
    YK_RESVEC(allocatable);
    if (!capacity_of_node(sampling->steady, object, &allocatable))
        return;
    pods = yk_calloc(sampling->by_size.count + 1, sizeof(*pods));
    yk_vec_foreach (class, &sampling->by_size) {
        if ((count == 0 || !yk_resvec_eq(pods[count - 1].size, &class->size)) &&
            yk__steady_allows(yk__steady_node(object), class))
            pods[count++] =
                (struct yk_packing_pod){&class->size, (double)yk_resvec_get(&class->size, sampling->type)};
    }
    sampling->bound += yk_packing_bound(&allocatable, pods, count);
    free(pods);
}

/* Bounds the use by the nodes one by one. O(classes * log classes + classes * nodes), and the searches. */
static void bound_nodes(struct sampling *sampling)
{
    struct steady_class *class;
    yk_vec_foreach (class, &sampling->classes)
        yk_vec_append(&sampling->by_size, class);
    qsort_r(sampling->by_size.items, sampling->by_size.count, sizeof(void *), by_size, &sampling->type);
    yk_cluster_each(sampling->steady->cluster, YK_KIND_NODE, bound_node, sampling);
    yk_vec_done(&sampling->by_size);
}

/* ---- shares ---- */

static int dominant_type(const struct sampling *sampling, const double *amounts)
{
    int best = sampling->type;
    double largest = 0;
    for (int type = 0; type < yk_restype_count(); type++) {
        double capacity = capacity_of(sampling, type);
        double share = capacity > 0 && type != YK_RESTYPE_PODS ? amounts[type] / capacity : 0;
        if (share > largest) {
            largest = share;
            best = type;
        }
    }
    return best;
}

static double largest_pod(const struct steady_leaf *leaf, int type)
{
    int64_t largest = 0;
    const struct steady_class *class;
    yk_vec_foreach (class, &leaf->classes) {
        if (class->bound_count + class->pending_count > 0)
            largest = YK_MAX(largest, yk_resvec_get(&class->size, type));
    }
    return (double)largest;
}

/* `used`, moved towards `entitled` by at most half of a pod, because pods cannot be divided. */
static double rounded(double used, double entitled, double pod)
{
    return fmin(fmax(entitled, used - pod / 2), used + pod / 2);
}

struct jain {
    double sum, squares, count;
};

static void jain_add(struct jain *jain, double ratio)
{
    jain->sum += ratio;
    jain->squares += ratio * ratio;
    jain->count++;
}

static double jain_index(const struct jain *jain)
{
    return jain->squares > 0 ? jain->sum * jain->sum / (jain->count * jain->squares) : 1;
}

/* How the use of a leaf is compared. */
struct comparison {
    /* The type of which the leaf is entitled to the largest part of the capacity. */
    int type;
    double entitled, capacity; /* of that type, in base units */
};

/* Sets `*ret` to how the use of the leaf is compared. False: the core no longer has the queue. */
static bool find_comparison(const struct sampling *sampling, const struct steady_leaf *leaf,
                            struct comparison *ret)
{
    if (leaf->queue == sampling->steady->view.count)
        return false;
    const double *entitled = sampling->in.queues[leaf->queue].entitled;
    int type = dominant_type(sampling, entitled);
    *ret = (struct comparison){type, entitled[type], capacity_of(sampling, type)};
    return true;
}

/* Like find_comparison(). False also if the leaf is not compared, because it is entitled to (almost)
 * nothing. */
static bool is_compared(const struct sampling *sampling, const struct steady_leaf *leaf,
                        struct comparison *ret)
{
    return find_comparison(sampling, leaf, ret) && ret->entitled > ret->capacity / 1000;
}

static void compare_leaves(const struct sampling *sampling, struct jain *ret_rounded, struct jain *ret_raw)
{
    const struct yk_steady *steady = sampling->steady;
    for (size_t i = 0; i < steady->leaves.count; i++) {
        const struct steady_leaf *leaf = steady->leaves.items[i];
        struct comparison in;
        if (!is_compared(sampling, leaf, &in))
            continue;
        double used = (double)yk_resvec_get(&steady->used[leaf->queue], in.type);
        double owed = in.capacity * yk__steady_owed(steady, leaf, used / in.capacity);
        jain_add(ret_raw, used / in.entitled);
        jain_add(ret_rounded, owed > 0 ? rounded(used, owed, largest_pod(leaf, in.type)) / owed : 1);
    }
}

static void note_shares(const struct sampling *sampling)
{
    struct yk_steady *steady = sampling->steady;
    for (size_t i = 0; i < steady->leaves.count; i++) {
        struct steady_leaf *leaf = steady->leaves.items[i];
        struct comparison in;
        bool has_share = find_comparison(sampling, leaf, &in) && in.capacity > 0;
        leaf->entitled = has_share ? in.entitled / in.capacity : 0;
        yk__steady_note_owed(steady, leaf);
    }
}

/* Whether the entitlements have been stable for steady->settle_ns. A change starts that time again. */
static bool has_settled(struct yk_steady *steady)
{
    bool changed = steady->settled_since_ns < 0;
    for (size_t i = 0; i < steady->leaves.count; i++) {
        const struct steady_leaf *leaf = steady->leaves.items[i];
        changed |= fabs(leaf->entitled - leaf->settled) > settled_change;
    }
    if (!changed)
        return yk__steady_now(steady) - steady->settled_since_ns >= steady->settle_ns;
    steady->settled_since_ns = yk__steady_now(steady);
    for (size_t i = 0; i < steady->leaves.count; i++) {
        struct steady_leaf *leaf = steady->leaves.items[i];
        leaf->settled = leaf->entitled;
    }
    return false;
}

/* The amount in use, without pods of DaemonSets. */
static double in_use(const struct sampling *sampling)
{
    double sum = 0;
    for (size_t c = 0; c < sampling->classes.count; c++) {
        const struct steady_class *class = sampling->classes.items[c];
        sum += (double)class->bound_count * (double)yk_resvec_get(&class->size, sampling->type);
    }
    return sum;
}

/* Whether a waiting pod could use the free amounts of the node, if it were not reserved. */
static bool could_be_used(const struct sampling *sampling, const struct yk_reserved_view *reserved)
{
    const struct yk_steady *steady = sampling->steady;
    const struct yk_object *node = yk_cluster_find(steady->cluster, YK_KIND_NODE, NULL, reserved->node);
    for (size_t c = 0; node != NULL && c < sampling->classes.count; c++) {
        const struct steady_class *class = sampling->classes.items[c];
        YK_RESVEC(size);
        yk_resvec_copy(&size, &class->size);
        yk_resvec_put(&size, YK_RESTYPE_PODS, 0); /* free numbers of pods are not known */
        if (class->pending_count > 0 && yk_resvec_fit(&reserved->available, &size) &&
            yk__steady_allows(yk__steady_node(node), class) &&
            yk__steady_is_below_max(steady, class->app->leaf->queue, &class->size, true))
            return true;
    }
    return false;
}

/* The amount that is idle because it is reserved. */
static double reserved_amount(const struct sampling *sampling)
{
    const struct yk_core_view *view = &sampling->steady->view;
    double sum = 0;
    for (size_t i = 0; i < view->reserved_count; i++) {
        if (could_be_used(sampling, &view->reserved[i]))
            sum += (double)yk_resvec_get(&view->reserved[i].available, sampling->type);
    }
    return sum;
}

/* ---- the bound of use while the shares are fair ---- */

/* The input of yk_fair_use_bound(). */
struct fair {
    const struct sampling *sampling;
    struct yk_fair_leaf *leaves; /* owned; the leaves that compare_leaves() compares */
    struct yk_fair_pod *pods;    /* owned; one per class */
    struct yk_fair_node *nodes;  /* owned, with the bits of their pods */
    size_t leaf_count, node_count;
};

static bool describe_leaf(const struct sampling *sampling, const struct steady_leaf *leaf,
                          struct yk_fair_leaf *ret)
{
    struct comparison in;
    if (!is_compared(sampling, leaf, &in))
        return false;
    *ret = (struct yk_fair_leaf){.type = in.type,
                                 .least = in.capacity * yk__steady_owed(sampling->steady, leaf, 0),
                                 .most = in.capacity * yk__steady_owed(sampling->steady, leaf, 1),
                                 .half_pod = largest_pod(leaf, in.type) / 2};
    return true;
}

/* False: all queues are compared in the type whose use is bounded. Fair shares then do not limit use. */
static bool add_fair_leaves(struct fair *fair)
{
    const struct sampling *sampling = fair->sampling;
    bool any = false;
    for (size_t c = 0; c < sampling->classes.count; c++) {
        const struct steady_class *class = sampling->classes.items[c];
        fair->pods[c] = (struct yk_fair_pod){&class->size, SIZE_MAX};
    }
    for (size_t i = 0; i < sampling->steady->leaves.count; i++) {
        const struct steady_leaf *leaf = sampling->steady->leaves.items[i];
        if (!describe_leaf(sampling, leaf, &fair->leaves[fair->leaf_count]))
            continue;
        any |= fair->leaves[fair->leaf_count].type != sampling->type;
        for (size_t c = 0; c < sampling->classes.count; c++) {
            const struct steady_class *class = sampling->classes.items[c];
            if (class->app->leaf == leaf)
                fair->pods[c].leaf = fair->leaf_count;
        }
        fair->leaf_count++;
    }
    return any;
}

static bool is_same_node(const struct yk_fair_node *a, const struct yk_fair_node *b, size_t words)
{
    return yk_resvec_eq(&a->capacity, &b->capacity) && memcmp(a->pods, b->pods, words * 8) == 0;
}

static void add_fair_node(void *context, const struct yk_object *object)
{
    struct fair *fair = context;
    const struct sampling *sampling = fair->sampling;
    size_t words = sampling->classes.count / 64 + 1, same = 0;
    fair->nodes = yk_realloc_array(fair->nodes, fair->node_count + 1, sizeof(*fair->nodes));
    struct yk_fair_node *node = &fair->nodes[fair->node_count];
    memset(node, 0, sizeof(*node));
    node->count = 1;
    if (!capacity_of_node(sampling->steady, object, &node->capacity))
        return;
    node->pods = yk_calloc(words, sizeof(*node->pods));
    for (size_t c = 0; c < sampling->classes.count; c++) {
        if (yk__steady_allows(yk__steady_node(object), sampling->classes.items[c]))
            node->pods[c / 64] |= UINT64_C(1) << c % 64;
    }
    while (!is_same_node(&fair->nodes[same], node, words))
        same++;
    if (same == fair->node_count) {
        fair->node_count++;
        return;
    }
    fair->nodes[same].count++;
    free(node->pods);
    yk_resvec_done(&node->capacity);
}

static double fair_bound(const struct sampling *sampling)
{
    struct fair fair = {
        .sampling = sampling,
        .leaves = yk_calloc(sampling->steady->leaves.count + 1, sizeof(*fair.leaves)),
        .pods = yk_calloc(sampling->classes.count + 1, sizeof(*fair.pods)),
    };
    double bound = HUGE_VAL;
    if (add_fair_leaves(&fair)) {
        yk_cluster_each(sampling->steady->cluster, YK_KIND_NODE, add_fair_node, &fair);
        const struct yk_fair_use in = {
            .type = sampling->type,
            .leaves = fair.leaves,
            .leaf_count = fair.leaf_count,
            .pods = fair.pods,
            .pod_count = sampling->classes.count,
            .nodes = fair.nodes,
            .node_count = fair.node_count,
        };
        bound = yk_fair_use_bound(&in, YK_STEADY_JAIN_MIN);
    }
    for (size_t i = 0; i < fair.node_count; i++) {
        free(fair.nodes[i].pods);
        yk_resvec_done(&fair.nodes[i].capacity);
    }
    free(fair.nodes);
    free(fair.pods);
    free(fair.leaves);
    return bound;
}

static void add_sample(struct sampling *sampling)
{
    struct steady_sums *sums = &sampling->steady->sums;
    struct jain rounded = {0}, raw = {0};
    compare_leaves(sampling, &rounded, &raw);
    bound_nodes(sampling);
    double capacity = capacity_of(sampling, sampling->type);
    double bound = fmin(sampling->bound, sampling->in.queues[0].entitled[sampling->type]);
    bound = fmin(bound, yk__steady_whole_bound(sampling->steady, sampling->type, (int64_t)capacity));
    bound = fmin(bound, fair_bound(sampling));
    sums->count++;
    sums->jain += jain_index(&rounded);
    sums->jain_raw += jain_index(&raw);
    sums->jain_min = fmin(sums->jain_min, jain_index(&rounded));
    sums->jain_raw_min = fmin(sums->jain_raw_min, jain_index(&raw));
    sums->used += bound > 0 ? in_use(sampling) / bound : 1;
    sums->reserved += capacity > 0 ? reserved_amount(sampling) / capacity : 0;
}

void yk_steady_sample(struct yk_steady *steady)
{
    struct sampling *sampling = yk_new0(struct sampling);
    yk__steady_refresh(steady);
    sampling->steady = steady;
    sampling->type = YK_RESTYPE_VCORE;
    collect_classes(sampling);
    sampling->group_bits = yk_calloc(sampling->classes.count + 1, sizeof(*sampling->group_bits));
    sampling->in.demands = yk_calloc(sampling->classes.count + 1, sizeof(*sampling->in.demands));
    if (steady->view.count > 0)
        find_entitled(sampling);
    note_shares(sampling);
    if (sampling->in.lacks_capacity) {
        find_type(sampling);
        if (has_settled(steady))
            add_sample(sampling);
    } else {
        steady->settled_since_ns = -1;
    }
    for (size_t i = 0; i < sampling->in.demand_count; i++)
        yk_resvec_done(&sampling->in.demands[i].amounts);
    for (size_t i = 0; i < YK_ENTITLED_GROUPS_MAX; i++)
        yk_resvec_done(&sampling->capacities[i]);
    free(sampling->group_bits);
    free(sampling->in.demands);
    yk_vec_done(&sampling->classes);
    free(sampling);
}
