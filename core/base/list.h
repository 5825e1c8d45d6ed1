/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intrusive doubly linked list: the links are fields of the items, so nothing is allocated and an item is
 * removed in O(1). A struct yk_list is both the link in an item and the head of a list; an empty list, and
 * an item that was removed, point to themselves. So neither a list nor an item in a list may move in memory.
 * While iterating, only the current item may be removed, and the loop may leave out items that are added.
 *
 * Thread: any.
 */
#ifndef YK_BASE_LIST_H
#define YK_BASE_LIST_H

#include "base/base.h"

struct yk_list {
    struct yk_list *next, *prev;
};

/* Makes an empty list. The link of an item needs no init: if it is zeroed, the item is in no list. */
static inline void yk_list_init(struct yk_list *list)
{
    list->next = list->prev = list;
}
/* Whether the list has no items. */
static inline bool yk_list_empty(const struct yk_list *list)
{
    return list->next == list;
}
/* Whether the item, whose link was zeroed before it was first inserted, is in a list. */
static inline bool yk_list_linked(const struct yk_list *item)
{
    return item->next != NULL && item->next != item;
}

/* Links `item`, which is in no list, before `at`. `at` is an item of a list, or the list itself: `item` then
 * becomes its last item. O(1). */
static inline void yk_list_insert_before(struct yk_list *at, struct yk_list *item)
{
    item->prev = at->prev;
    item->next = at;
    at->prev->next = item;
    at->prev = item;
}

/* Adds `item`, which is in no list, at the end. O(1). */
static inline void yk_list_append(struct yk_list *list, struct yk_list *item)
{
    yk_list_insert_before(list, item);
}
/* Adds `item`, which is in no list, at the beginning. O(1). */
static inline void yk_list_prepend(struct yk_list *list, struct yk_list *item)
{
    yk_list_insert_before(list->next, item);
}

/* Removes `item` from its list. No effect if it was removed before; an item that was never in a list must
 * not be passed. O(1). */
static inline void yk_list_remove(struct yk_list *item)
{
    item->next->prev = item->prev;
    item->prev->next = item->next;
    item->next = item->prev = item;
}

/* Moves all items of `from` to the end of `to`, another list, in their order; `from` is empty afterwards.
 * O(1). */
static inline void yk_list_splice(struct yk_list *to, struct yk_list *from)
{
    if (yk_list_empty(from))
        return;
    from->next->prev = to->prev;
    to->prev->next = from->next;
    from->prev->next = to;
    to->prev = from->prev;
    yk_list_init(from);
}

/* The first item, a T * whose link is its field `member`; NULL: the list is empty. */
#define yk_list_first(list, T, member) (yk_list_empty(list) ? NULL : YK_CONTAINER((list)->next, T, member))

/* For each T *item whose link in `list` is its field `member`; the current item may be removed and freed. */
#define yk_list_foreach(item, list, T, member)                                                               \
    for (struct yk_list *yk_at_ = (list)->next, *yk_next_ = yk_at_->next;                                    \
         yk_at_ != (list) && ((item) = YK_CONTAINER(yk_at_, T, member), true);                               \
         yk_at_ = yk_next_, yk_next_ = yk_at_->next)

#endif
