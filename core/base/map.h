/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hash maps with borrowed values: yk_idmap from 64-bit keys, yk_strmap from text keys.
 *
 * Open addressing with linear probing and backward-shift removal: no tombstones, so a map that things come
 * and go through does not grow. Find, put and remove O(1) on average. Text is hashed with a per-process
 * secret (SipHash-1-3), so that hostile names cannot make the map slow. Iteration order is not an order: sort
 * before a decision or an answer depends on it. A yk_strmap borrows its keys: they must live as long as their
 * entry (usually they are a field of the value). While iterating nothing may be put or removed.
 *
 * Thread: any, one object at a time.
 */
#ifndef YK_BASE_MAP_H
#define YK_BASE_MAP_H

#include "base/str.h"

struct yk_idmap_slot {
    uint64_t key;
    void *value; /* NULL: free */
};

struct yk_idmap {
    struct yk_idmap_slot *slots; /* owned */
    size_t count;
    size_t mask; /* slots - 1; 0 while empty */
};

void yk_idmap_done(struct yk_idmap *map);
/* The value of the key, or NULL. O(1) on average. */
void *yk_idmap_get(const struct yk_idmap *map, uint64_t key);
/* Grows the map so that `more` entries can be added without growing again. Only for speed. */
void yk_idmap_expect(struct yk_idmap *map, size_t more);
/* Adds or replaces; `value` is not NULL. Returns the value replaced, or NULL. */
void *yk_idmap_put(struct yk_idmap *map, uint64_t key, void *value);
/* Removes the key. Returns its value, or NULL if it was not there. Not while iterating. */
void *yk_idmap_remove(struct yk_idmap *map, uint64_t key);

#define yk_idmap_foreach(item, map)                                                                          \
    for (size_t yk_i_ = 0; (map)->count > 0 && yk_i_ <= (map)->mask; yk_i_++)                                \
        if (((item) = (map)->slots[yk_i_].value) != NULL)

struct yk_strmap_slot {
    const char *key; /* NULL: free */
    void *value;
    uint32_t hash;
    uint32_t len;
};

struct yk_strmap {
    struct yk_strmap_slot *slots; /* owned */
    size_t count;
    size_t mask;
};

void yk_strmap_done(struct yk_strmap *map);
/* The value, or NULL if the key is not there. O(1) on average. */
void *yk_strmap_get(const struct yk_strmap *map, struct yk_str key);
/* Adds or replaces (also the key pointer); `value` is not NULL. Returns the value replaced, or NULL. */
void *yk_strmap_put(struct yk_strmap *map, struct yk_str key, void *value);
/* Removes the key. Returns its value, or NULL if it was not there. Not while iterating. */
void *yk_strmap_remove(struct yk_strmap *map, struct yk_str key);

#define yk_strmap_foreach(item, map)                                                                         \
    for (size_t yk_i_ = 0; (map)->count > 0 && yk_i_ <= (map)->mask; yk_i_++)                                \
        if (((item) = (map)->slots[yk_i_].value) != NULL)

/* Returns a keyed hash of `len` bytes; stable within the process only. */
uint64_t yk_hash(const void *bytes, size_t len);
/* A keyed hash of 128 bits, stable within the process only. Two texts with the same hash may be taken as
 * equal. */
void yk_hash_128(const void *bytes, size_t len, uint64_t ret_hash[2]);
/* Mixes the bits of an integer key. */
static inline uint64_t yk_hash_u64(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ (x >> 33);
}

#endif
