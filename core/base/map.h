/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash maps with borrowed values: yk_idmap from 64-bit keys, yk_strmap from text keys. A zeroed map is empty.
 *
 * Open addressing with linear probing and backward-shift removal: without tombstones, so a map whose entries
 * are often removed and added does not grow. Get, put and remove O(1) on average. Texts are hashed with a
 * secret of the process (SipHash-1-3), so that hostile names cannot make the map slow. Iteration visits
 * entries in no useful order: sort them before a decision or an answer depends on their order. A yk_strmap
 * borrows its keys until their entry is removed or replaced; usually a key is a field of the value. While
 * iterating nothing may be put or removed.
 *
 * Thread: any.
 */
#ifndef YK_BASE_MAP_H
#define YK_BASE_MAP_H

#include "base/str.h"

struct yk_idmap_slot {
    uint64_t key;
    void *value; /* NULL: the slot is free */
};

struct yk_idmap {
    struct yk_idmap_slot *slots; /* owned */
    size_t count;
    size_t mask; /* the number of slots - 1; 0: there are no slots */
};

/* Frees the memory of the map, but no value. The map is empty afterwards and may be used again. */
void yk_idmap_done(struct yk_idmap *map);
/* The value of the key, or NULL if the key is not there. O(1) on average. */
void *yk_idmap_get(const struct yk_idmap *map, uint64_t key);
/* Grows the map so that `more` entries can be added without growing again. It changes nothing but speed. */
void yk_idmap_expect(struct yk_idmap *map, size_t more);
/* Sets the value of the key; `value` is not NULL. Returns the former value, or NULL if the key was not
 * there. */
void *yk_idmap_put(struct yk_idmap *map, uint64_t key, void *value);
/* Removes the key. Returns its value, or NULL if it was not there. Not while iterating. */
void *yk_idmap_remove(struct yk_idmap *map, uint64_t key);

/* For each value. `item` is a pointer variable of the caller, which is set to the value. */
#define yk_idmap_foreach(item, map)                                                                          \
    for (size_t yk_i_ = 0; (map)->count > 0 && yk_i_ <= (map)->mask; yk_i_++)                                \
        if (((item) = (map)->slots[yk_i_].value) != NULL)

struct yk_strmap_slot {
    const char *key; /* NULL: the slot is free */
    void *value;
    uint32_t hash;
    uint32_t len;
};

struct yk_strmap {
    struct yk_strmap_slot *slots; /* owned */
    size_t count;
    size_t mask;
};

/* Frees the memory of the map, but no key and no value. The map is empty afterwards and may be used again. */
void yk_strmap_done(struct yk_strmap *map);
/* The value of the key, or NULL if the key is not there. An absent key is the same as an empty one. O(1)
 * on average. */
void *yk_strmap_get(const struct yk_strmap *map, struct yk_str key);
/* Sets the value of the key; `value` is not NULL. `key` is borrowed until the entry is removed or
 * replaced; it replaces the pointer to an equal key. Returns the former value, or NULL if the key was not
 * there. */
void *yk_strmap_put(struct yk_strmap *map, struct yk_str key, void *value);
/* Removes the key. Returns its value, or NULL if it was not there. Not while iterating. */
void *yk_strmap_remove(struct yk_strmap *map, struct yk_str key);

/* For each value. `item` is a pointer variable of the caller, which is set to the value. */
#define yk_strmap_foreach(item, map)                                                                         \
    for (size_t yk_i_ = 0; (map)->count > 0 && yk_i_ <= (map)->mask; yk_i_++)                                \
        if (((item) = (map)->slots[yk_i_].value) != NULL)

/* A hash of `len` bytes with a secret that is drawn before main(). `bytes` may be NULL if `len` is 0. */
uint64_t yk_hash(const void *bytes, size_t len);
/* Like yk_hash(), with 128 bits, which are so many that texts with the same hash may be taken as equal. */
void yk_hash_128(const void *bytes, size_t len, uint64_t ret_hash[2]);
/* A hash of an integer without a secret: every process gets the same hash. */
static inline uint64_t yk_hash_u64(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ (x >> 33);
}

#endif
