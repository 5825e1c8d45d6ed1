/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/shape.h"

static struct yk_shape *shape_of(const struct yk_tree_link *link)
{
    return YK_CONTAINER(link, struct yk_shape, in_parked);
}

/* Equal amounts stand together, so that a branch has something in common; then by age. */
static int by_size(const struct yk_tree_link *a, const struct yk_tree_link *b)
{
    const struct yk_shape *x = shape_of(a), *y = shape_of(b);
    for (int t = 0; t < YK_SHAPE_SUMMARY_TYPES; t++) {
        int64_t of_x = yk_resvec_get(&x->size, t), of_y = yk_resvec_get(&y->size, t);
        if (of_x != of_y)
            return of_x < of_y ? -1 : 1;
    }
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

static bool summarize(struct yk_tree_link *link, const struct yk_tree_link *same)
{
    struct yk_shape *shape = shape_of(link);
    bool changed = false;
    if (same != NULL) {
        memcpy(shape->least, shape_of(same)->least, sizeof(shape->least));
        return true;
    }
    for (int t = 0; t < YK_SHAPE_SUMMARY_TYPES; t++) {
        int64_t least = yk_resvec_get(&shape->size, t);
        if (link->left != NULL)
            least = YK_MIN(least, shape_of(link->left)->least[t]);
        if (link->right != NULL)
            least = YK_MIN(least, shape_of(link->right)->least[t]);
        changed = changed || least != shape->least[t];
        shape->least[t] = least;
    }
    return changed;
}

void yk_shapes_init(struct yk_shapes *shapes)
{
    *shapes = (struct yk_shapes){0};
    yk_list_init(&shapes->class_list);
    yk_list_init(&shapes->open);
    yk_list_init(&shapes->parked);
    shapes->by_size = (struct yk_tree){.order = by_size, .summarize = summarize};
}

void yk_shapes_done(struct yk_shapes *shapes)
{
    YK_ASSERT(shapes->count == 0);
    yk_idmap_done(&shapes->classes);
    yk_idmap_done(&shapes->by_hash);
}

struct yk_class *yk_shapes_class(const struct yk_shapes *shapes, yk_si_class number)
{
    return yk_idmap_get(&shapes->classes, (uint64_t)number + 1);
}

static struct yk_class *class_get(struct yk_shapes *shapes, yk_si_class number)
{
    if (number == YK_SI_CLASS_ANY)
        return NULL;
    struct yk_class *class_ = yk_shapes_class(shapes, number);
    if (class_ == NULL) {
        class_ = yk_new0(struct yk_class);
        class_->number = number;
        yk_list_init(&class_->shapes);
        yk_list_append(&shapes->class_list, &class_->in_table);
        (void)yk_idmap_put(&shapes->classes, (uint64_t)number + 1, class_); /* is new */
    }
    return class_;
}

static void class_put(struct yk_shapes *shapes, struct yk_class *class_)
{
    if (class_ == NULL || !yk_list_empty(&class_->shapes))
        return;
    (void)yk_idmap_remove(&shapes->classes, (uint64_t)class_->number + 1); /* was there */
    yk_list_remove(&class_->in_table);
    yk_bitset_done(&class_->feasible);
    free(class_);
}

bool yk_shape_is(const struct yk_shape *shape, yk_si_class scheduling_class, const struct yk_resvec *size)
{
    yk_si_class own = shape->class_ == NULL ? YK_SI_CLASS_ANY : shape->class_->number;
    return own == scheduling_class && yk_resvec_same(&shape->size, size);
}

struct yk_shape *yk_shape_get(struct yk_shapes *shapes, yk_si_class scheduling_class,
                              const struct yk_resvec *size)
{
    uint64_t hash = yk_resvec_hash(size) ^ yk_hash_u64((uint64_t)scheduling_class + 1);
    struct yk_shape *first = yk_idmap_get(&shapes->by_hash, hash);
    for (struct yk_shape *shape = first; shape != NULL; shape = shape->same_hash) {
        if (yk_shape_is(shape, scheduling_class, size)) {
            shape->groups_count++;
            return shape;
        }
    }
    struct yk_shape *shape = yk_new0(struct yk_shape);
    shape->class_ = class_get(shapes, scheduling_class);
    yk_resvec_copy(&shape->size, size);
    shape->hash = hash;
    shape->sequence = ++shapes->sequence;
    shape->groups_count = 1;
    shape->same_hash = first;
    yk_list_init(&shape->groups);
    yk_list_init(&shape->in_retry);
    shape->retry_sequence = UINT64_MAX;
    yk_list_init(&shape->in_class);
    if (shape->class_ != NULL)
        yk_list_append(&shape->class_->shapes, &shape->in_class);
    yk_list_append(&shapes->open, &shape->in_table);
    (void)yk_idmap_put(&shapes->by_hash, hash, shape); /* replaces the chain's first, which we link to */
    shapes->count++;
    return shape;
}

static void unchain(struct yk_shapes *shapes, struct yk_shape *shape)
{
    struct yk_shape *first = yk_idmap_get(&shapes->by_hash, shape->hash);
    if (first == shape) {
        if (shape->same_hash != NULL)
            (void)yk_idmap_put(&shapes->by_hash, shape->hash, shape->same_hash); /* replaces us */
        else
            (void)yk_idmap_remove(&shapes->by_hash, shape->hash); /* was us */
        return;
    }
    while (first->same_hash != shape)
        first = first->same_hash;
    first->same_hash = shape->same_hash;
}

void yk_shape_put(struct yk_shapes *shapes, struct yk_shape *shape)
{
    if (--shape->groups_count > 0)
        return;
    unchain(shapes, shape);
    shapes->count--;
    yk_shape_set_parked(shapes, shape, false);
    yk_list_remove(&shape->in_table);
    yk_list_remove(&shape->in_class);
    yk_list_remove(&shape->in_retry);
    class_put(shapes, shape->class_);
    free(shape);
}

void yk_shape_set_parked(struct yk_shapes *shapes, struct yk_shape *shape, bool parked)
{
    if (shape->parked == parked)
        return;
    shape->parked = parked;
    yk_list_remove(&shape->in_table);
    yk_list_append(parked ? &shapes->parked : &shapes->open, &shape->in_table);
    shapes->parked_count += parked ? 1 : UINT32_MAX; /* +1 or -1 */
    if (parked)
        yk_tree_insert(&shapes->by_size, &shape->in_parked);
    else
        yk_tree_remove(&shapes->by_size, &shape->in_parked);
}

static bool branch_may_fit(const struct yk_shape *top, const struct yk_resvec *room)
{
    for (int t = 0; t < YK_SHAPE_SUMMARY_TYPES; t++) {
        if (top->least[t] > YK_MAX(yk_resvec_get(room, t), 0))
            return false;
    }
    return true;
}

/* Depth is that of a balanced tree. */
static struct yk_shape *next_in_branch(struct yk_tree_link *link, const struct yk_resvec *room,
                                       const struct yk_shape *after)
{
    if (link == NULL || !branch_may_fit(shape_of(link), room))
        return NULL;
    if (after != NULL && by_size(link, &after->in_parked) <= 0)
        return next_in_branch(link->right, room, after);
    struct yk_shape *found = next_in_branch(link->left, room, after);
    if (found != NULL)
        return found;
    if (yk_resvec_fit(room, &shape_of(link)->size))
        return shape_of(link);
    return next_in_branch(link->right, room, NULL);
}

struct yk_shape *yk_shape_next_parked(const struct yk_shapes *shapes, const struct yk_resvec *room,
                                      const struct yk_shape *after)
{
    return next_in_branch(shapes->by_size.root, room, after);
}
