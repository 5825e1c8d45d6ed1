/* SPDX-License-Identifier: Apache-2.0 */
#include "objects/shape.h"

void yk_shapes_init(struct yk_shapes *shapes)
{
    *shapes = (struct yk_shapes){0};
    yk_list_init(&shapes->class_list);
    yk_list_init(&shapes->open);
    yk_list_init(&shapes->parked);
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
        (void)yk_idmap_put(&shapes->classes, (uint64_t)number + 1, class_); /* returns NULL: it is new */
    }
    return class_;
}

static void class_put(struct yk_shapes *shapes, struct yk_class *class_)
{
    if (class_ == NULL || !yk_list_empty(&class_->shapes))
        return;
    (void)yk_idmap_remove(&shapes->classes, (uint64_t)class_->number + 1); /* returns `class_` */
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
    shape->groups_count = 1;
    shape->same_hash = first;
    yk_list_init(&shape->groups);
    yk_list_init(&shape->in_retry);
    yk_list_init(&shape->in_looks);
    shape->retry_sequence = UINT64_MAX;
    yk_list_init(&shape->in_class);
    if (shape->class_ != NULL)
        yk_list_append(&shape->class_->shapes, &shape->in_class);
    yk_list_append(&shapes->open, &shape->in_table);
    (void)yk_idmap_put(&shapes->by_hash, hash, shape); /* replaces `first`, which same_hash points to */
    shapes->count++;
    return shape;
}

static void unchain(struct yk_shapes *shapes, struct yk_shape *shape)
{
    struct yk_shape *first = yk_idmap_get(&shapes->by_hash, shape->hash);
    if (first == shape) {
        if (shape->same_hash != NULL)
            (void)yk_idmap_put(&shapes->by_hash, shape->hash, shape->same_hash); /* replaces `shape` */
        else
            (void)yk_idmap_remove(&shapes->by_hash, shape->hash); /* returns `shape` */
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
    yk_list_remove(&shape->in_looks);
    class_put(shapes, shape->class_);
    yk_resvec_done(&shape->size);
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
}
