/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of what lies within 16 GiB (base/region.h): a link takes eight bytes, half of one of base/list.h.
 *
 * A link says how far it is to its neighbours, in steps of eight bytes; 0: there is none. So items may not
 * move while they are linked, and whoever removes one knows its list. Whether an item is in a list is for
 * others to know. While iterating, the current item may be removed, no other.
 */
#ifndef YK_BASE_NEAR_H
#define YK_BASE_NEAR_H

#include "base/base.h"

enum { YK_NEAR_STEP = 8 };

struct yk_near_link {
    int32_t next, prev;
};

/* Zeroed: empty. */
struct yk_near_list {
    struct yk_near_link *first, *last;
};

static inline struct yk_near_link *yk_near_at(const struct yk_near_link *from, int32_t steps)
{
    return steps == 0 ? NULL : (struct yk_near_link *)((intptr_t)from + (intptr_t)steps * YK_NEAR_STEP);
}
static inline struct yk_near_link *yk_near_next(const struct yk_near_link *link)
{
    return yk_near_at(link, link->next);
}

static inline int32_t yk_near_steps(const struct yk_near_link *from, const struct yk_near_link *to)
{
    intptr_t bytes = to == NULL ? 0 : (intptr_t)to - (intptr_t)from;
    YK_ASSERT(bytes % YK_NEAR_STEP == 0 && bytes / YK_NEAR_STEP == (int32_t)(bytes / YK_NEAR_STEP));
    return (int32_t)(bytes / YK_NEAR_STEP);
}

static inline bool yk_near_empty(const struct yk_near_list *list)
{
    return list->first == NULL;
}

static inline void yk_near_append(struct yk_near_list *list, struct yk_near_link *item)
{
    item->next = 0;
    item->prev = yk_near_steps(item, list->last);
    if (list->last != NULL)
        list->last->next = -item->prev;
    else
        list->first = item;
    list->last = item;
}

static inline void yk_near_remove(struct yk_near_list *list, struct yk_near_link *item)
{
    struct yk_near_link *next = yk_near_next(item), *prev = yk_near_at(item, item->prev);
    if (next != NULL)
        next->prev = yk_near_steps(next, prev);
    else
        list->last = prev;
    if (prev != NULL)
        prev->next = yk_near_steps(prev, next);
    else
        list->first = next;
    *item = (struct yk_near_link){0};
}

#define yk_near_first(list, T, member) (yk_near_empty(list) ? NULL : YK_CONTAINER((list)->first, T, member))

/* for each T *item linked into `list` by `member`; the current item may be removed. */
#define yk_near_foreach(item, list, T, member)                                                               \
    for (struct yk_near_link *yk_at_ = (list)->first,                                                        \
                             *yk_next_ = yk_at_ != NULL ? yk_near_next(yk_at_) : NULL;                       \
         yk_at_ != NULL && ((item) = YK_CONTAINER(yk_at_, T, member), true);                                 \
         yk_at_ = yk_next_, yk_next_ = yk_at_ != NULL ? yk_near_next(yk_at_) : NULL)

#endif
