/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/queue.h"

const char *yk_object_state_name(enum yk_object_state state)
{
    switch (state) {
    case YK_STATE_ACTIVE:
        return "Active";
    case YK_STATE_DRAINING:
        return "Draining";
    case YK_STATE_STOPPED:
        return "Stopped";
    }
    return "Unknown";
}

static char *path_below(const struct yk_queue *parent, const char *name)
{
    struct yk_buf path = {0};
    if (parent != NULL)
        yk_buf_printf(&path, "%s.", parent->path);
    yk_buf_text(&path, name);
    return yk_buf_take(&path);
}

static void make_capacity_waits(struct yk_queue *queue)
{
    queue->wait.places = yk_new0_array(struct yk_capacity_wait, queue->depth + 1);
    for (uint32_t i = 0; i <= queue->depth; i++) {
        queue->wait.places[i].leaf = queue;
        yk_list_init(&queue->wait.places[i].in_queue);
    }
}

static void free_capacity_waits(struct yk_queue *queue)
{
    for (uint32_t i = 0; i <= queue->depth; i++)
        yk_list_remove(&queue->wait.places[i].in_queue);
    free(queue->wait.places);
}

struct yk_queue *yk_queue_new(struct yk_queue *parent, struct yk_str name, bool is_leaf, bool managed,
                              int64_t now_wall_ns)
{
    struct yk_queue *queue = yk_new0_aligned(struct yk_queue);
    queue->name = yk_str_lower(name);
    queue->path = path_below(parent, queue->name);
    queue->parent = parent;
    queue->depth = parent == NULL ? 0 : parent->depth + 1;
    queue->managed = managed;
    queue->is_leaf = is_leaf;
    queue->state_wall_ns = now_wall_ns;
    queue->priority = YK_PRIORITY_NONE;
    yk_list_init(&queue->wait.leaves);
    yk_list_init(&queue->hold.in_ended);
    yk_list_init(&queue->hold.in_holder);
    yk_list_init(&queue->hold.in_force);
    yk_list_init(&queue->reservation.nominated_groups);
    yk_list_init(&queue->reservation.in_nominated);
    yk_list_init(&queue->report.in_skipped);
    make_capacity_waits(queue);
    yk_list_init(&queue->start.held_leaves);
    yk_list_init(&queue->start.in_held);
    yk_list_init(&queue->start.in_leaves);
    yk_list_init(&queue->usages);
    yk_list_init(&queue->child_list);
    yk_list_init(&queue->apps);
    yk_list_init(&queue->housekeeping.in_due);
    yk_list_init(&queue->housekeeping.in_draining);
    yk_list_init(&queue->quota.in_due);
    yk_list_init(&queue->type_wait.in_type_waits);
    yk_list_init(&queue->in_children);
    yk_queue_settings_from(NULL, queue->path, &queue->settings);
    if (parent != NULL) {
        (void)yk_strmap_put(&parent->children, yk_str_from(queue->name), queue); /* the name is new */
        yk_list_append(&parent->child_list, &queue->in_children);
        yk_queue_update_fair_max(queue);
    }
    return queue;
}

void yk_queue_template_done(struct yk_queue_template *queue_template)
{
    yk_property_set_put(queue_template->properties);
    yk_resvec_done(&queue_template->guaranteed);
    yk_resvec_done(&queue_template->max);
}

void yk_queue_template_copy(struct yk_queue_template *to, const struct yk_queue_template *from)
{
    to->is_set = from->is_set;
    to->max_apps = from->max_apps;
    to->properties = from->properties;
    to->has_guaranteed = from->has_guaranteed;
    to->has_max = from->has_max;
    yk_resvec_copy(&to->guaranteed, &from->guaranteed);
    yk_resvec_copy(&to->max, &from->max);
}

static void free_amounts(struct yk_queue *queue)
{
    struct yk_resvec *const all[] = {
        &queue->allocated,  &queue->pending,    &queue->fair_max,
        &queue->max,        &queue->guaranteed, &queue->preempting,
        &queue->nominated,  &queue->wait.least, &queue->waiting.branch.least,
        &queue->gangs.held,
    };
    for (size_t i = 0; i < YK_COUNT(all); i++)
        yk_resvec_done(all[i]);
}

static void free_one(struct yk_queue *queue)
{
    free_capacity_waits(queue);
    yk_list_remove(&queue->report.in_skipped);
    yk_unclaimed_free(queue->report.unclaimed);
    free(queue->report.waits);
    YK_ASSERT(yk_list_empty(&queue->apps) && yk_list_empty(&queue->wait.leaves) &&
              yk_list_empty(&queue->start.held_leaves) && yk_list_empty(&queue->usages));
    yk_list_remove(&queue->housekeeping.in_due);
    yk_list_remove(&queue->housekeeping.in_draining);
    yk_list_remove(&queue->quota.in_due);
    yk_list_remove(&queue->type_wait.in_type_waits);
    yk_list_remove(&queue->hold.in_ended);
    yk_list_remove(&queue->hold.in_force);
    free_amounts(queue);
    free(queue->type_wait.namespace_max);
    free(queue->type_wait.namespace_guaranteed);
    yk_strmap_done(&queue->children);
    yk_priority_count_done(&queue->priorities);
    yk_acl_done(&queue->submit_acl);
    yk_acl_done(&queue->admin_acl);
    yk_limit_list_free(queue->limits);
    yk_property_set_put(queue->properties);
    yk_queue_template_done(&queue->child_template);
    free(queue->name);
    free(queue->path);
    free(queue);
}

void yk_queue_free(struct yk_queue *queue)
{
    if (queue == NULL)
        return;
    /* Frees the deepest queues first, without recursion, because the depth comes from outside. */
    struct yk_queue *at = queue;
    for (;;) {
        struct yk_queue *child = yk_list_first(&at->child_list, struct yk_queue, in_children);
        if (child != NULL) {
            at = child;
            continue;
        }
        struct yk_queue *parent = at->parent;
        if (parent != NULL) {
            if (yk_tree_linked(&at->in_active))
                yk_tree_remove(&parent->active_children, &at->in_active);
            (void)yk_strmap_remove(&parent->children, yk_str_from(at->name)); /* returns `at` */
            yk_list_remove(&at->in_children);
        }
        bool was_top = at == queue;
        free_one(at);
        if (was_top)
            return;
        at = parent;
    }
}

struct yk_queue *yk_queue_child(const struct yk_queue *parent, struct yk_str name)
{
    return yk_strmap_get(&parent->children, name);
}

static bool has_capitals(struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] >= 'A' && text.p[i] <= 'Z')
            return true;
    }
    return false;
}

struct yk_queue *yk_queue_find_deepest(struct yk_queue *root, struct yk_str path, struct yk_str *ret_rest)
{
    YK_CLEANUP(yk_freep) char *lower = has_capitals(path) ? yk_str_lower(path) : NULL;
    struct yk_str rest = lower != NULL ? yk_str_from(lower) : path, part;
    struct yk_queue *queue = NULL;
    size_t used = 0;
    *ret_rest = (struct yk_str){0};
    while (yk_str_split(&rest, '.', &part)) {
        struct yk_queue *next;
        if (queue == NULL)
            next = yk_str_is(part, root->name) ? root : NULL;
        else
            next = yk_queue_child(queue, part);
        if (next == NULL) {
            *ret_rest = (struct yk_str){path.p + used, path.len - used};
            return queue;
        }
        queue = next;
        used += part.len + 1;
    }
    return queue;
}

struct yk_queue *yk_queue_find(struct yk_queue *root, struct yk_str path)
{
    struct yk_str rest;
    struct yk_queue *queue = yk_queue_find_deepest(root, path, &rest);
    return rest.p == NULL ? queue : NULL;
}

bool yk_queue_is_recovery(const struct yk_queue *queue)
{
    return queue->depth == 1 && strcmp(queue->name, YK_RECOVERY_QUEUE) == 0;
}

bool yk_queue_is_draining(const struct yk_queue *queue)
{
    for (; queue != NULL; queue = queue->parent) {
        if (queue->state == YK_STATE_DRAINING)
            return true;
    }
    return false;
}

bool yk_queue_is_in_branch(const struct yk_queue *queue, const struct yk_queue *top)
{
    while (queue != NULL && queue != top)
        queue = queue->parent;
    return queue != NULL;
}

void yk_queue_find_siblings(const struct yk_queue **a, const struct yk_queue **b)
{
    const struct yk_queue *x = *a, *y = *b;
    while (x->depth > y->depth)
        x = x->parent;
    while (y->depth > x->depth)
        y = y->parent;
    while (x != y && x->parent != y->parent) {
        x = x->parent;
        y = y->parent;
    }
    *a = x;
    *b = y;
}

double yk_queue_share_of(const struct yk_queue *queue, const struct yk_resvec *used)
{
    return yk_resvec_fair_share(used, queue->has_guaranteed ? &queue->guaranteed : NULL,
                                queue->has_fair_max ? &queue->fair_max : NULL);
}

struct yk_queue *yk_queue_next(const struct yk_queue *queue, const struct yk_queue *top)
{
    struct yk_queue *child = yk_list_first(&queue->child_list, struct yk_queue, in_children);
    if (child != NULL)
        return child;
    for (; queue != top; queue = queue->parent) {
        if (queue->in_children.next != &queue->parent->child_list)
            return YK_CONTAINER(queue->in_children.next, struct yk_queue, in_children);
    }
    return NULL;
}

const struct yk_queue *yk_queue_above_both(const struct yk_queue *a, const struct yk_queue *b)
{
    while (a != b) {
        if (a->depth >= b->depth)
            a = a->parent;
        else
            b = b->parent;
    }
    return a;
}

bool yk_queue_may_submit(const struct yk_queue *queue, const char *user, const char *const *groups,
                         size_t group_count)
{
    if (yk_queue_is_recovery(queue))
        return false;
    for (; queue != NULL; queue = queue->parent) {
        if (yk_acl_allows(&queue->submit_acl, user, groups, group_count) ||
            yk_acl_allows(&queue->admin_acl, user, groups, group_count))
            return true;
    }
    return false;
}

bool yk_queue_may_administer(const struct yk_queue *queue, const char *user, const char *const *groups,
                             size_t group_count)
{
    for (; queue != NULL; queue = queue->parent) {
        if (yk_acl_allows(&queue->admin_acl, user, groups, group_count))
            return true;
    }
    return false;
}

/* Sets `ret_taken` to the amounts that are in use or held. For each type this is the larger of two amounts:
 * the usage now, and the usage after all victims have ended and all nominated asks have started. `own`: the
 * part of the nominated amounts that is held for the ask itself, which is not counted; NULL: nothing. */
static void copy_taken(const struct yk_queue *queue, const struct yk_resvec *own, struct yk_resvec *ret_taken)
{
    yk_resvec_copy(ret_taken, &queue->allocated);
    yk_resvec_foreach(t, &queue->nominated)
    {
        int64_t nominated = yk_resvec_get(&queue->nominated, t);
        if (own != NULL)
            nominated = yk_i64_sub(nominated, yk_resvec_get(own, t));
        int64_t more = yk_i64_sub(nominated, yk_resvec_get(&queue->preempting, t));
        if (more > 0)
            yk_resvec_put(ret_taken, t, yk_i64_add(yk_resvec_get(ret_taken, t), more));
    }
}

/* The maximum of the root is the capacity of all nodes. It is not checked here, because the search for a node
 * checks the capacity. A type without a maximum is unlimited. */
static bool has_capacity_beside(const struct yk_queue *queue, const struct yk_resvec *size,
                                const struct yk_resvec *taken)
{
    return queue->parent == NULL || !queue->has_max || yk_resvec_fit_sum(&queue->max, taken, size);
}

static bool has_own_headroom(const struct yk_queue *queue, const struct yk_resvec *size,
                             const struct yk_resvec *own)
{
    YK_RESVEC(taken);
    if (YK_LIKELY(!queue->has_nominations))
        return has_capacity_beside(queue, size, &queue->allocated);
    copy_taken(queue, own, &taken);
    return has_capacity_beside(queue, size, &taken);
}

bool yk_queue_has_headroom_for(struct yk_queue *queue, const struct yk_resvec *size,
                               const struct yk_resvec *own, struct yk_queue **ret_refusing)
{
    struct yk_queue *refusing = NULL;
    for (; queue != NULL; queue = queue->parent) {
        if (!has_own_headroom(queue, size, own))
            refusing = queue;
    }
    if (ret_refusing != NULL)
        *ret_refusing = refusing;
    return refusing == NULL;
}

bool yk_queue_has_headroom(struct yk_queue *queue, const struct yk_resvec *size,
                           struct yk_queue **ret_refusing)
{
    return yk_queue_has_headroom_for(queue, size, NULL, ret_refusing);
}

bool yk_queue_allows(const struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue->parent != NULL; queue = queue->parent) {
        if (queue->has_max && !yk_resvec_fit_undef(&queue->max, size))
            return false;
    }
    return true;
}

void yk_queue_add_allocated(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent) {
        yk_resvec_add(&queue->allocated, size);
        queue->allocated_types |= yk_resvec_dense_types(size);
    }
}

void yk_queue_sub_allocated(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent) {
        YK_ASSERT(yk_resvec_take(&queue->allocated, size));
    }
}

static void update_pending_sum(struct yk_queue *queue)
{
    double sum = 0;
    yk_resvec_foreach(t, &queue->pending) sum += (double)yk_resvec_get(&queue->pending, t);
    queue->pending_sum = sum;
}

void yk_queue_add_pending(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent) {
        yk_resvec_add(&queue->pending, size);
        queue->pending_types |= yk_resvec_dense_types(size);
        update_pending_sum(queue);
    }
}

void yk_queue_sub_pending(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent) {
        YK_ASSERT(yk_resvec_take(&queue->pending, size));
        update_pending_sum(queue);
    }
}

void yk_queue_add_preempting(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent)
        yk_resvec_add(&queue->preempting, size);
}

void yk_queue_sub_preempting(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent) {
        YK_ASSERT(yk_resvec_take(&queue->preempting, size));
    }
}

void yk_queue_add_nominated(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent) {
        yk_resvec_add(&queue->nominated, size);
        yk_resvec_prune(&queue->nominated);
        queue->has_nominations = !yk_resvec_is_empty(&queue->nominated);
    }
}

void yk_queue_sub_nominated(struct yk_queue *queue, const struct yk_resvec *size)
{
    for (; queue != NULL; queue = queue->parent) {
        YK_ASSERT(yk_resvec_take(&queue->nominated, size));
        queue->has_nominations = !yk_resvec_is_empty(&queue->nominated);
    }
}

void yk_queue_try_nominated(struct yk_queue *queue, const struct yk_resvec *size, int sign)
{
    for (; queue != NULL; queue = queue->parent) {
        if (sign > 0) {
            yk_resvec_add(&queue->nominated, size);
        } else {
            yk_resvec_sub(&queue->nominated, size);
            yk_resvec_prune(&queue->nominated);
        }
    }
}

void yk_queue_resize_allocated(struct yk_queue *queue, const struct yk_resvec *delta)
{
    for (; queue != NULL; queue = queue->parent) {
        yk_resvec_add(&queue->allocated, delta);
        yk_resvec_prune(&queue->allocated);
    }
}

void yk_queue_resize_preempting(struct yk_queue *queue, const struct yk_resvec *delta)
{
    for (; queue != NULL; queue = queue->parent) {
        yk_resvec_add(&queue->preempting, delta);
        yk_resvec_prune(&queue->preempting);
    }
}

void yk_queue_own_headroom(const struct yk_queue *queue, struct yk_resvec *ret_headroom)
{
    YK_RESVEC(taken);
    yk_resvec_copy(ret_headroom, &queue->max);
    copy_taken(queue, NULL, &taken);
    yk_resvec_sub_existing(ret_headroom, &taken);
}

bool yk_queue_headroom(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_headroom)
{
    bool limited = false;
    yk_resvec_clear(ret_headroom);
    for (; queue != NULL; queue = queue->parent) {
        if (!queue->has_max || (queue->parent == NULL && !with_root))
            continue;
        YK_RESVEC(here);
        yk_queue_own_headroom(queue, &here);
        yk_resvec_min(ret_headroom, &here);
        limited = true;
    }
    return limited;
}

bool yk_queue_effective_max(const struct yk_queue *queue, bool with_root, struct yk_resvec *ret_max)
{
    bool limited = false;
    yk_resvec_clear(ret_max);
    for (; queue != NULL; queue = queue->parent) {
        if (!queue->has_max || (queue->parent == NULL && !with_root))
            continue;
        yk_resvec_min(ret_max, &queue->max);
        limited = true;
    }
    return limited;
}

bool yk_queue_actual_guaranteed(const struct yk_queue *queue, struct yk_resvec *ret_guaranteed)
{
    bool guaranteed = false;
    yk_resvec_clear(ret_guaranteed);
    for (; queue != NULL; queue = queue->parent) {
        if (!queue->has_guaranteed)
            continue;
        yk_resvec_min(ret_guaranteed, &queue->guaranteed);
        guaranteed = true;
    }
    return guaranteed;
}

void yk_queue_update_fair_max(struct yk_queue *queue)
{
    const struct yk_queue *parent = queue->parent;
    queue->has_fair_max = parent == NULL ? queue->has_max : parent->has_fair_max;
    yk_resvec_clear(&queue->fair_max);
    if (!queue->has_fair_max)
        return;
    yk_resvec_copy(&queue->fair_max, parent == NULL ? &queue->max : &parent->fair_max);
    if (parent != NULL && queue->has_max)
        yk_resvec_foreach(t, &queue->max) yk_resvec_put(&queue->fair_max, t, yk_resvec_get(&queue->max, t));
}

bool yk_queue_has_own_slot(const struct yk_queue *queue)
{
    return queue->max_apps == 0 ||
           (uint64_t)queue->running_apps + queue->allocating_accepted + 1 <= queue->max_apps;
}

bool yk_queue_may_start_app(struct yk_queue *queue, bool counted, struct yk_queue **ret_refusing)
{
    struct yk_queue *refusing = NULL;
    for (; queue != NULL && !counted; queue = queue->parent) {
        if (!yk_queue_has_own_slot(queue))
            refusing = queue;
    }
    if (ret_refusing != NULL)
        *ret_refusing = refusing;
    return refusing == NULL;
}

static void count(uint32_t *value, int by)
{
    if (!YK_ASSERT(by >= 0 || *value >= (uint32_t)-by))
        return;
    *value += (uint32_t)by;
}

void yk_queue_count_running(struct yk_queue *queue, int by)
{
    for (; queue != NULL; queue = queue->parent)
        count(&queue->running_apps, by);
}

void yk_queue_count_allocating(struct yk_queue *queue, int by)
{
    for (; queue != NULL; queue = queue->parent)
        count(&queue->allocating_accepted, by);
}

int32_t yk_queue_effective_priority(const struct yk_queue *queue, int32_t current)
{
    if (current == YK_PRIORITY_NONE)
        return YK_PRIORITY_NONE;
    bool is_fenced = queue->settings.priority_policy == YK_PRIORITY_FENCE;
    int64_t sum = (is_fenced ? 0 : (int64_t)current) + queue->settings.priority_offset;
    /* INT32_MIN would be YK_PRIORITY_NONE */
    return (int32_t)YK_MAX((int64_t)INT32_MIN + 1, YK_MIN(sum, INT32_MAX));
}
