/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The deficit: amounts that queues lack of their guarantees, or have above a lowered maximum, because
 * something outside of the scheduler has changed. Preemption has to restore these amounts and no others.
 *
 * A queue is owed its guarantee, or its demand if that is less. For a leaf, the guarantee of the nearest
 * queue on its path that has one counts.
 */
#include "cmd/steady_priv.h"

/* The index of the queue whose guarantee counts for the leaf; steady->view.count if there is none. */
static size_t guaranteeing(const struct yk_steady *steady, size_t leaf)
{
    const struct yk_queue_view *queues = steady->view.queues;
    for (size_t i = leaf; i < steady->view.count; i = queues[i].parent) {
        if (queues[i].has_guaranteed && yk_resvec_is_positive(&queues[i].guaranteed))
            return i;
        if (queues[i].parent == i)
            break;
    }
    return steady->view.count;
}

/* Sets `ret_owed` to what the queue is owed, with `more` (unless it is NULL) added to its demand. Types
 * without a guarantee are absent. */
static void find_owed(const struct yk_steady *steady, size_t queue, const struct yk_resvec *guaranteed,
                      const struct yk_resvec *more, struct yk_resvec *ret_owed)
{
    YK_RESVEC(demand);
    yk_resvec_copy(&demand, &steady->used[queue]);
    yk_resvec_copy(ret_owed, guaranteed);
    yk_resvec_add(&demand, &steady->pending[queue]);
    if (more != NULL)
        yk_resvec_add(&demand, more);
    yk_resvec_foreach(type, ret_owed)
        yk_resvec_put(ret_owed, type, YK_MIN(yk_resvec_get(ret_owed, type), yk_resvec_get(&demand, type)));
}

static void add_difference(struct yk_resvec *sum, const struct yk_resvec *larger,
                           const struct yk_resvec *smaller)
{
    yk_resvec_foreach(type, larger)
    {
        int64_t more = yk_resvec_get(larger, type) - yk_resvec_get(smaller, type);
        if (more > 0)
            yk_resvec_put(sum, type, yk_i64_add(yk_resvec_get(sum, type), more));
    }
}

/* A pod on the node of a DaemonSet's pod. */
struct possible_victim {
    struct yk_resvec size;
    int32_t priority;
};

/* What the node has to give for the pod of a DaemonSet. */
struct daemon_need {
    struct yk_str node;
    struct yk_resvec lack; /* what the node lacks for the pod */
    struct yk_vec victims; /* struct possible_victim; owned */
};

static bool covers(const struct yk_resvec *size, const struct yk_resvec *lack)
{
    yk_resvec_foreach(type, lack)
    {
        if (yk_resvec_get(size, type) < yk_resvec_get(lack, type))
            return false;
    }
    return true;
}

static void add_victim(void *context, const struct yk_object *object)
{
    struct daemon_need *need = context;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    if (!yk_str_eq(pod->node_name, need->node) || pod->required_term_count > 0 || yk_pod_has_ended(pod))
        return;
    struct possible_victim *victim = yk_new0(struct possible_victim);
    yk_sim_pod_size(pod, &victim->size);
    victim->priority = pod->priority;
    yk_vec_append(&need->victims, victim);
}

/* Whether the pods with at most this priority cover what the node lacks. */
static bool is_enough(const struct daemon_need *need, int32_t priority)
{
    const struct possible_victim *victim;
    YK_RESVEC(sum);
    yk_vec_foreach (victim, &need->victims) {
        if (victim->priority <= priority)
            yk_resvec_add(&sum, &victim->size);
    }
    return covers(&sum, &need->lack);
}

/* The smallest priority up to which pods are enough; INT32_MAX if not even all are. */
static int32_t needed_priority(const struct daemon_need *need)
{
    const struct possible_victim *victim;
    int32_t priority = INT32_MAX;
    yk_vec_foreach (victim, &need->victims) {
        if (victim->priority < priority && is_enough(need, victim->priority))
            priority = victim->priority;
    }
    return priority;
}

/* The size of the smallest pod that alone covers what the node lacks, among the pods of at most
 * needed_priority(); NULL: there is none. */
static const struct yk_resvec *smallest_victim(const struct daemon_need *need)
{
    const struct possible_victim *victim;
    const struct yk_resvec *smallest = NULL;
    int32_t priority = needed_priority(need);
    yk_vec_foreach (victim, &need->victims) {
        if (victim->priority <= priority && covers(&victim->size, &need->lack) &&
            (smallest == NULL || !covers(&victim->size, smallest)))
            smallest = &victim->size;
    }
    return smallest;
}

/* Pods cannot be ended in part, and pods of lower priority end first (docs/reference/scheduling.md 6.2). So
 * the deficit is not what the node lacks, but the size of a pod there, or of the new pod if no single pod is
 * enough. */
static void add_daemon(struct yk_steady *steady, const struct steady_class *class)
{
    struct daemon_need need = {.node = class->pod->required_terms[0].fields[0].values[0]};
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    YK_RESVEC(none);
    YK_CLEANUP(yk_freep) char *name = yk_str_dup(need.node);
    if (yk_cluster_node_usage(steady->cluster, name, &used, &allocatable)) {
        yk_resvec_sub(&allocatable, &used);
        add_difference(&need.lack, &class->size, &allocatable);
        yk_cluster_each(steady->cluster, YK_KIND_POD, add_victim, &need);
    }
    const struct yk_resvec *smallest = smallest_victim(&need);
    /* If the node lacks nothing, the pod waits for another reason, such as a taint of the node. */
    if (!yk_resvec_is_zero(&need.lack))
        add_difference(&steady->deficit, smallest != NULL ? smallest : &class->size, &none);
    struct possible_victim *victim;
    yk_vec_foreach (victim, &need.victims) {
        yk_resvec_done(&victim->size);
        free(victim);
    }
    yk_vec_done(&need.victims);
    yk_resvec_done(&need.lack);
}

static void note_size(struct yk_steady *steady, const struct steady_class *class)
{
    yk_resvec_foreach_common(type, &class->size, &steady->capacity)
    {
        int64_t all = yk_resvec_get(&steady->capacity, type);
        if (all > 0 && type != YK_RESTYPE_PODS)
            steady->largest_share =
                YK_MAX(steady->largest_share, (double)yk_resvec_get(&class->size, type) / (double)all);
    }
}

/* With one more pod, the queue may be owed more. If there is free capacity for the pod, no other pod has to
 * end. */
void yk__steady_wanted(struct yk_steady *steady, const struct steady_class *class)
{
    size_t queue = guaranteeing(steady, class->app->leaf->queue);
    note_size(steady, class);
    if (class->kind == STEADY_DAEMON) {
        if (!yk__steady_fits_somewhere(steady, class, true))
            add_daemon(steady, class);
        return;
    }
    if (queue == steady->view.count)
        return;
    const struct yk_resvec *guaranteed = &steady->view.queues[queue].guaranteed;
    YK_RESVEC(before);
    YK_RESVEC(after);
    find_owed(steady, queue, guaranteed, NULL, &before);
    find_owed(steady, queue, guaranteed, &class->size, &after);
    if (!yk_resvec_eq(&before, &after) && !yk__steady_fits_somewhere(steady, class, true))
        add_difference(&steady->deficit, &after, &before);
}

/* Whether some pending pod of the leaf is not larger than a pod of the class `gone`. */
static bool can_be_replaced(const struct steady_class *gone)
{
    const struct steady_class *class;
    yk_vec_foreach (class, &gone->app->leaf->classes) {
        if (class->pending_count > 0 && yk_resvec_fit(&gone->size, &class->size))
            return true;
    }
    return false;
}

void yk__steady_gone(struct yk_steady *steady, const struct steady_class *class, bool node_is_there,
                     bool has_ended)
{
    size_t queue = guaranteeing(steady, class->app->leaf->queue);
    if (queue == steady->view.count || (node_is_there && (!has_ended || can_be_replaced(class))))
        return;
    YK_RESVEC(owes);
    YK_RESVEC(lacking);
    find_owed(steady, queue, &steady->view.queues[queue].guaranteed, NULL, &owes);
    add_difference(&lacking, &owes, &steady->used[queue]);
    yk_resvec_foreach(type, &lacking) yk_resvec_put(
        &lacking, type, YK_MIN(yk_resvec_get(&lacking, type), yk_resvec_get(&class->size, type)));
    yk_resvec_add(&steady->deficit, &lacking);
}

static struct steady_guarantee *known_settings(struct yk_steady *steady, const struct yk_queue_view *queue)
{
    struct steady_guarantee *known;
    yk_vec_foreach (known, &steady->guarantees) {
        if (strcmp(known->path, queue->path) == 0)
            return known;
    }
    known = yk_new0(struct steady_guarantee);
    known->path = yk_strdup(queue->path);
    yk_resvec_copy(&known->guaranteed, &queue->guaranteed);
    yk_resvec_copy(&known->max, &queue->max);
    known->has_guaranteed = queue->has_guaranteed;
    known->has_max = queue->has_max;
    yk_vec_append(&steady->guarantees, known);
    return known;
}

void yk__steady_settings_changed(struct yk_steady *steady)
{
    /* The root is left out: its maximum is the capacity of the nodes. */
    for (size_t i = 1; i < steady->view.count; i++) {
        const struct yk_queue_view *queue = &steady->view.queues[i];
        struct steady_guarantee *known = known_settings(steady, queue);
        YK_RESVEC(before);
        YK_RESVEC(after);
        YK_RESVEC(above);
        find_owed(steady, i, &known->guaranteed, NULL, &before);
        find_owed(steady, i, &queue->guaranteed, NULL, &after);
        add_difference(&steady->deficit, &after, &before);
        if (queue->has_max && !(known->has_max && yk_resvec_eq(&known->max, &queue->max))) {
            yk_resvec_foreach(type, &queue->max)
            {
                int64_t more = yk_resvec_get(&steady->used[i], type) - yk_resvec_get(&queue->max, type);
                if (more > 0)
                    yk_resvec_put(&above, type, more);
            }
            yk_resvec_add(&steady->deficit, &above);
        }
        yk_resvec_copy(&known->guaranteed, &queue->guaranteed);
        yk_resvec_copy(&known->max, &queue->max);
        known->has_guaranteed = queue->has_guaranteed;
        known->has_max = queue->has_max;
    }
}
