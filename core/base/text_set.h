/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of objects, each of which has a text by which it is found. No two items have the same text. It does
 * the same as a yk_strmap whose keys are fields of its values, in less memory. Items are borrowed: they must
 * neither move nor change their text while they are in the set.
 *
 * A slot is a pointer and a mark, in two arrays of one block. The mark has 32 bits of the hash of the text,
 * or 16 bits if the items store the hash (12 or 10 bytes per slot). Open addressing with linear probing and
 * backward-shift removal, as in base/map.h. When 7/8 of the slots are in use, their number doubles, without
 * reading the texts; a removal does not make it smaller. Find, add and remove O(1) on average; a search reads
 * the texts only of items with the mark of its text. Hashes have a secret (yk_hash()), so hostile texts
 * cannot make the set slow. Iteration visits items in no useful order. While iterating nothing may be added
 * or removed.
 *
 * Thread: any.
 */
#ifndef YK_BASE_TEXT_SET_H
#define YK_BASE_TEXT_SET_H

#include "base/str.h"

struct yk_text_set {
    void **items; /* owned array of borrowed items; NULL: a free slot */
    /* The mark of each slot, behind `items`: the hash (uint32_t) or, if there is `hash_of`, the upper half of
     * the hash with bit 0 set (uint16_t). 0: a free slot. */
    void *marks;
    size_t count; /* items in the set */
    size_t mask;  /* the number of slots - 1; 0: there are no slots */
    struct yk_str (*key_of)(const void *item);
    uint32_t (*hash_of)(const void *item); /* NULL: marks are hashes */
};

/* Makes an empty set; `key_of` returns the text of an item. Allocates nothing. */
void yk_text_set_init(struct yk_text_set *set, struct yk_str (*key_of)(const void *item));
/* Like yk_text_set_init(), for items that store the hash of their text (yk_text_set_hash()) from before they
 * are added until they are removed; `hash_of` returns this hash. */
void yk_text_set_init_hashed(struct yk_text_set *set, struct yk_str (*key_of)(const void *item),
                             uint32_t (*hash_of)(const void *item));
/* Frees the memory of the set, but no item. The set is empty afterwards and may be used again. */
void yk_text_set_done(struct yk_text_set *set);

/* The item with that text, or NULL. O(1) on average. */
void *yk_text_set_get(const struct yk_text_set *set, struct yk_str key);
/* Removes the item with that text and returns it; NULL: there is none. */
void *yk_text_set_remove(struct yk_text_set *set, struct yk_str key);

/* The hash of a text for the functions below, with a secret (yk_hash()); never 0. */
uint32_t yk_text_set_hash(struct yk_str key);
/* The item with that text, or NULL. `hash` is yk_text_set_hash() of `key`. O(1) on average. */
void *yk_text_set_find(const struct yk_text_set *set, struct yk_str key, uint32_t hash);
/* Adds `item`, which is borrowed until it is removed. No item with the same text may be in the set. `hash` is
 * yk_text_set_hash() of its text. */
void yk_text_set_add(struct yk_text_set *set, void *item, uint32_t hash);
/* Removes exactly this item, without reading its text. `hash` is yk_text_set_hash() of its text. Returns
 * false if the item is not in the set. */
bool yk_text_set_take(struct yk_text_set *set, const void *item, uint32_t hash);

/*
 * Calls `visit` for each item in bucket `bucket` of `buckets`, which is a power of two and at most mask + 1,
 * the number of slots. An item stays in its bucket while others are added and removed and the set grows, so a
 * walk over all buckets in pieces visits exactly once each item that is in the set during the whole walk.
 * `visit` changes nothing in the set. O(slots / `buckets`) on average.
 */
void yk_text_set_visit(const struct yk_text_set *set, size_t bucket, size_t buckets,
                       void (*visit)(void *context, void *item), void *context);

/* For each item of the set. `item` is a pointer variable of the caller, which is set to it. */
#define yk_text_set_foreach(item, set)                                                                       \
    for (size_t yk_slot_ = 0; (set)->count > 0 && yk_slot_ <= (set)->mask; yk_slot_++)                       \
        if (((item) = (set)->items[yk_slot_]) != NULL)

#endif
