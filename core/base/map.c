/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <endian.h>
#include <sys/random.h>

/* Written once before main(). */
static uint64_t hash_secret[2];

__attribute__((constructor)) static void draw_hash_secret(void)
{
    if (getrandom(hash_secret, sizeof(hash_secret), GRND_NONBLOCK) != (ssize_t)sizeof(hash_secret))
        hash_secret[0] = UINT64_C(0x9e3779b97f4a7c15); /* soon after boot; the secret can be guessed then */
}

static inline uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

struct sip {
    uint64_t v0, v1, v2, v3;
};

static inline void sip_round(struct sip *s)
{
    s->v0 += s->v1, s->v1 = rotate(s->v1, 13), s->v1 ^= s->v0, s->v0 = rotate(s->v0, 32);
    s->v2 += s->v3, s->v3 = rotate(s->v3, 16), s->v3 ^= s->v2;
    s->v0 += s->v3, s->v3 = rotate(s->v3, 21), s->v3 ^= s->v0;
    s->v2 += s->v1, s->v1 = rotate(s->v1, 17), s->v1 ^= s->v2, s->v2 = rotate(s->v2, 32);
}

static inline void sip_word(struct sip *s, uint64_t word)
{
    s->v3 ^= word;
    sip_round(s);
    s->v0 ^= word;
}

static inline uint64_t sip_end(struct sip *s)
{
    sip_round(s);
    sip_round(s);
    sip_round(s);
    return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

static inline uint64_t eight_at(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    return le64toh(word);
}

static inline uint64_t four_at(const unsigned char *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof(word));
    return le32toh(word);
}

/* The last len % 8 bytes as a number. Whole words are loaded, and bytes that are loaded twice come to the
 * same bits. */
static inline uint64_t tail_of(const unsigned char *bytes, size_t len)
{
    size_t left = len % 8;
    if (left == 0)
        return 0;
    if (len > 8)
        return eight_at(bytes + len - 8) >> (64 - 8 * left);
    if (left >= 4)
        return four_at(bytes) | four_at(bytes + left - 4) << (8 * (left - 4));
    return (uint64_t)bytes[0] | (uint64_t)bytes[left / 2] << (8 * (left / 2)) |
           (uint64_t)bytes[left - 1] << (8 * (left - 1));
}

/* SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF") without its finalization. */
__attribute__((always_inline)) static inline struct sip sip_bytes(const void *bytes, size_t len)
{
    const unsigned char *p = bytes;
    uint64_t k0 = hash_secret[0], k1 = hash_secret[1];
    struct sip s = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
                    k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
    for (size_t left = len; left >= 8; left -= 8, p += 8)
        sip_word(&s, eight_at(p));
    sip_word(&s, tail_of(bytes, len) | (uint64_t)len << 56);
    return s;
}

uint64_t yk_hash(const void *bytes, size_t len)
{
    struct sip s = sip_bytes(bytes, len);
    s.v2 ^= 0xff;
    return sip_end(&s);
}

/* The authors' finalization for 128 bits, but after their initialization for 64 bits. */
void yk_hash_128(const void *bytes, size_t len, uint64_t ret_hash[2])
{
    struct sip s = sip_bytes(bytes, len);
    s.v2 ^= 0xee;
    ret_hash[0] = sip_end(&s);
    s.v1 ^= 0xdd;
    ret_hash[1] = sip_end(&s);
}

enum { FIRST_SLOTS = 8 };

/* A map grows when it is three quarters full, so that probes stay short. */
static bool needs_capacity(size_t count, size_t mask)
{
    return mask == 0 || (count + 1) * 4 > (mask + 1) * 3;
}

static size_t bigger_mask(size_t mask)
{
    return mask == 0 ? FIRST_SLOTS - 1 : mask * 2 + 1;
}

/* Whether the entry in slot `at` may move to the slot `hole`: its hash stands for slot `home`, from which
 * a search must find it. */
static bool may_fill(size_t hole, size_t home, size_t at, size_t mask)
{
    return ((at - home) & mask) >= ((at - hole) & mask);
}

void yk_idmap_done(struct yk_idmap *map)
{
    free(map->slots);
    *map = (struct yk_idmap){0};
}

static size_t id_slot(const struct yk_idmap *map, uint64_t key)
{
    size_t at = yk_hash_u64(key) & map->mask;
    while (map->slots[at].value != NULL && map->slots[at].key != key)
        at = (at + 1) & map->mask;
    return at;
}

void *yk_idmap_get(const struct yk_idmap *map, uint64_t key)
{
    return map->count == 0 ? NULL : map->slots[id_slot(map, key)].value;
}

static void id_grow(struct yk_idmap *map, size_t mask)
{
    struct yk_idmap bigger = {.mask = mask, .count = map->count};
    bigger.slots = yk_calloc(bigger.mask + 1, sizeof(*bigger.slots));
    for (size_t i = 0; map->slots != NULL && i <= map->mask; i++) {
        if (map->slots[i].value != NULL)
            bigger.slots[id_slot(&bigger, map->slots[i].key)] = map->slots[i];
    }
    free(map->slots);
    *map = bigger;
}

void yk_idmap_expect(struct yk_idmap *map, size_t more)
{
    size_t mask = map->mask;
    while (more > 0 && needs_capacity(map->count + more - 1, mask))
        mask = bigger_mask(mask);
    if (mask > map->mask)
        id_grow(map, mask);
}

void *yk_idmap_put(struct yk_idmap *map, uint64_t key, void *value)
{
    if (needs_capacity(map->count, map->mask))
        id_grow(map, bigger_mask(map->mask));
    struct yk_idmap_slot *slot = &map->slots[id_slot(map, key)];
    void *before = slot->value;
    map->count += before == NULL;
    *slot = (struct yk_idmap_slot){key, value};
    return before;
}

void *yk_idmap_remove(struct yk_idmap *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    size_t hole = id_slot(map, key);
    void *value = map->slots[hole].value;
    if (value == NULL)
        return NULL;
    for (size_t at = (hole + 1) & map->mask; map->slots[at].value != NULL; at = (at + 1) & map->mask) {
        size_t home = yk_hash_u64(map->slots[at].key) & map->mask;
        if (may_fill(hole, home, at, map->mask)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole].value = NULL;
    map->count--;
    return value;
}

void yk_strmap_done(struct yk_strmap *map)
{
    free(map->slots);
    *map = (struct yk_strmap){0};
}

static size_t str_slot(const struct yk_strmap *map, struct yk_str key, uint32_t hash)
{
    size_t at = hash & map->mask;
    for (;; at = (at + 1) & map->mask) {
        const struct yk_strmap_slot *slot = &map->slots[at];
        if (slot->key == NULL)
            return at;
        if (slot->hash == hash && slot->len == key.len &&
            (key.len == 0 || memcmp(slot->key, key.p, key.len) == 0)) /* memcmp() must not get NULL */
            return at;
    }
}

void *yk_strmap_get(const struct yk_strmap *map, struct yk_str key)
{
    if (map->count == 0)
        return NULL;
    return map->slots[str_slot(map, key, (uint32_t)yk_hash(key.p, key.len))].value;
}

static void str_grow(struct yk_strmap *map)
{
    struct yk_strmap bigger = {.mask = bigger_mask(map->mask), .count = map->count};
    bigger.slots = yk_calloc(bigger.mask + 1, sizeof(*bigger.slots));
    for (size_t i = 0; map->slots != NULL && i <= map->mask; i++) {
        const struct yk_strmap_slot *slot = &map->slots[i];
        if (slot->key != NULL)
            bigger.slots[str_slot(&bigger, (struct yk_str){slot->key, slot->len}, slot->hash)] = *slot;
    }
    free(map->slots);
    *map = bigger;
}

void *yk_strmap_put(struct yk_strmap *map, struct yk_str key, void *value)
{
    if (needs_capacity(map->count, map->mask))
        str_grow(map);
    uint32_t hash = (uint32_t)yk_hash(key.p, key.len);
    struct yk_strmap_slot *slot = &map->slots[str_slot(map, key, hash)];
    void *before = slot->key != NULL ? slot->value : NULL;
    map->count += slot->key == NULL;
    *slot = (struct yk_strmap_slot){key.p != NULL ? key.p : "", value, hash, (uint32_t)key.len};
    return before;
}

void *yk_strmap_remove(struct yk_strmap *map, struct yk_str key)
{
    if (map->count == 0)
        return NULL;
    size_t hole = str_slot(map, key, (uint32_t)yk_hash(key.p, key.len));
    if (map->slots[hole].key == NULL)
        return NULL;
    void *value = map->slots[hole].value;
    for (size_t at = (hole + 1) & map->mask; map->slots[at].key != NULL; at = (at + 1) & map->mask) {
        if (may_fill(hole, map->slots[at].hash & map->mask, at, map->mask)) {
            map->slots[hole] = map->slots[at];
            hole = at;
        }
    }
    map->slots[hole] = (struct yk_strmap_slot){0};
    map->count--;
    return value;
}
