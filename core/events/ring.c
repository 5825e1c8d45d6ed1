/* SPDX-License-Identifier: Apache-2.0 */
#include "events/ring.h"

#include "base/vec.h"

/*
 * A text (or a vector of amounts) is stored as two bytes of length and its bytes, at an offset in a block;
 * offset 0 is the empty text. A small table, indexed by a hash, finds texts that the open block already has.
 * A newer text replaces an older one with the same hash in the table, so a text may be stored twice.
 */
enum {
    BLOCK_RECORDS = 512,
    BLOCK_BYTES = 1 << 16,
    TABLE_BITS = 10,
    DETAIL_BITS = 16,
    TYPE_BITS = 4,
    /* 18 minutes in ns: an event that is more than this after the block's first event, or before it, opens a
     * block */
    SINCE_BITS = 40,
    KEPT_MIN = 128 << 10, /* bytes of closed blocks that are always allowed, so that one block always fits */
    DENSE_BYTES_MAX = (int)(sizeof(uint32_t) + YK_RESTYPE_DENSE * sizeof(int64_t)),
    OTHERS_MAX = 1024, /* types without a column in one event; further ones may be left out */
    /* The largest size of an event without such types: two names, a message, amounts of all dense types. */
    EVENT_BYTES_MAX =
        2 * YK_EVENT_ID_MAX + YK_EVENT_MESSAGE_MAX + DENSE_BYTES_MAX + 4 * (int)sizeof(uint16_t),
};
#define SINCE_MAX ((UINT64_C(1) << SINCE_BITS) - 1)

/* The amount of a type that is not dense. The ring has no reference to the type, so its number may be given
 * to another name. `generation` shows that: the amount is then left out when the event is read. */
struct other {
    int64_t amount;
    uint32_t type, generation;
};
_Static_assert((size_t)EVENT_BYTES_MAX + OTHERS_MAX * sizeof(struct other) < BLOCK_BYTES / 2,
               "an event fits into an empty block");

struct record {
    uint64_t what; /* from the lowest bit: nanoseconds since the block's first event, detail, type, change */
    uint16_t object, reference, message, amounts; /* offsets in the block */
};

/* One piece of memory of exactly the size it needs: header, records, texts. */
struct block {
    uint64_t first;   /* number of its first event */
    int64_t begin_ns; /* wall time of its first event */
    uint32_t count, byte_count;
    struct record records[];
};

struct yk_ring {
    size_t capacity;       /* largest number of events */
    size_t kept_max;       /* largest size of the closed blocks in bytes */
    uint64_t lowest, next; /* numbers of the oldest event, and of the one to be added next */
    /* struct block, owned: closed blocks, oldest first. Those before index `oldest` were freed. */
    struct yk_vec blocks;
    size_t oldest;
    size_t kept_bytes; /* size of the closed blocks */
    /* The open block. */
    uint64_t first;
    int64_t begin_ns;
    uint32_t count, byte_count;
    uint16_t table[1 << TABLE_BITS];
    uint16_t last_amounts_at; /* 0: none in this block */
    struct yk_resvec last_amounts;
    struct record records[BLOCK_RECORDS];
    char bytes[BLOCK_BYTES];
};

static void set_capacity(struct yk_ring *ring, size_t capacity)
{
    if (capacity == 0)
        capacity = YK_RING_CAPACITY_DEFAULT;
    ring->capacity = YK_MIN(capacity, (size_t)YK_RING_CAPACITY_MAX);
    ring->kept_max = YK_MAX(yk_size_mul(ring->capacity, YK_RING_BYTES_PER_EVENT), (size_t)KEPT_MIN);
}

static void open_block(struct yk_ring *ring)
{
    ring->first = ring->next;
    ring->count = 0;
    ring->last_amounts_at = 0;
    memset(ring->table, 0, sizeof(ring->table));
    memset(ring->bytes, 0, sizeof(uint16_t));
    ring->byte_count = sizeof(uint16_t);
}

struct yk_ring *yk_ring_new(size_t capacity)
{
    struct yk_ring *ring = yk_new0(struct yk_ring);
    set_capacity(ring, capacity);
    open_block(ring);
    return ring;
}

void yk_ring_free(struct yk_ring *ring)
{
    if (ring == NULL)
        return;
    while (ring->oldest < ring->blocks.count)
        free(ring->blocks.items[ring->oldest++]);
    yk_vec_done(&ring->blocks);
    yk_resvec_done(&ring->last_amounts);
    free(ring);
}

uint64_t yk_ring_lowest(const struct yk_ring *ring)
{
    return ring->lowest;
}
uint64_t yk_ring_next(const struct yk_ring *ring)
{
    return ring->next;
}
size_t yk_ring_bytes(const struct yk_ring *ring)
{
    return sizeof(*ring) + ring->kept_bytes + ring->blocks.capacity * sizeof(void *);
}

/* ---- blocks ---- */

static size_t block_size(uint32_t count, uint32_t byte_count)
{
    return sizeof(struct block) + count * sizeof(struct record) + byte_count;
}

static const char *bytes_of(const struct block *block)
{
    return (const char *)&block->records[block->count];
}

static void free_oldest_block(struct yk_ring *ring)
{
    struct block *block = ring->blocks.items[ring->oldest++];
    ring->kept_bytes -= block_size(block->count, block->byte_count);
    ring->lowest = YK_MAX(ring->lowest, block->first + block->count);
    free(block);
    if (ring->oldest * 2 < ring->blocks.count + 2) /* less than half of the array is unused */
        return;
    ring->blocks.count -= ring->oldest;
    memmove(ring->blocks.items, ring->blocks.items + ring->oldest, ring->blocks.count * sizeof(void *));
    ring->oldest = 0;
}

/* Removes events above the capacity one by one, and frees each block without remaining events. Above
 * `kept_max` bytes, removes the oldest blocks with their events. */
static void trim(struct yk_ring *ring)
{
    if (ring->next - ring->lowest > ring->capacity)
        ring->lowest = ring->next - ring->capacity;
    while (ring->oldest < ring->blocks.count) {
        const struct block *block = ring->blocks.items[ring->oldest];
        if (block->first + block->count > ring->lowest && ring->kept_bytes <= ring->kept_max)
            return;
        free_oldest_block(ring);
    }
}

static void close_block(struct yk_ring *ring)
{
    size_t size = block_size(ring->count, ring->byte_count);
    struct block *block = yk_realloc_array(NULL, size, 1); /* not zeroed: all of it is written below */
    *block = (struct block){.first = ring->first,
                            .begin_ns = ring->begin_ns,
                            .count = ring->count,
                            .byte_count = ring->byte_count};
    memcpy(block->records, ring->records, ring->count * sizeof(struct record));
    memcpy(block->records + ring->count, ring->bytes, ring->byte_count);
    yk_vec_append(&ring->blocks, block);
    ring->kept_bytes += size;
    open_block(ring);
    trim(ring);
}

/* ---- texts ---- */

/* The largest length up to `len` that does not end within a UTF-8 character. */
static size_t cut_before(struct yk_str text, size_t len)
{
    while (len > 0 && ((unsigned char)text.p[len] & 0xc0) == 0x80)
        len--;
    return len;
}

static struct yk_str cut_id(struct yk_str id)
{
    if (id.len > YK_EVENT_ID_MAX)
        id.len = cut_before(id, YK_EVENT_ID_MAX);
    return id;
}

struct yk_str yk_event_cut_message(struct yk_str message, char space[YK_EVENT_MESSAGE_MAX])
{
    if (message.len <= YK_EVENT_MESSAGE_MAX)
        return message;
    size_t kept = cut_before(message, YK_EVENT_MESSAGE_MAX - YK_EVENT_DOTS_LEN);
    memcpy(space, message.p, kept);
    memcpy(space + kept, "...", YK_EVENT_DOTS_LEN);
    return (struct yk_str){space, kept + YK_EVENT_DOTS_LEN};
}

static struct yk_str bytes_at(const char *bytes, uint16_t at)
{
    uint16_t len;
    memcpy(&len, bytes + at, sizeof(len));
    return (struct yk_str){bytes + at + sizeof(len), len};
}

static uint64_t word_at(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    return word;
}

/* Up to eight bytes as a number: different texts of the same length have different numbers. */
static uint64_t short_word(const char *p, size_t len)
{
    uint32_t first, last;
    if (len == sizeof(uint64_t))
        return word_at(p);
    if (len < sizeof(first)) /* the first byte, one in the middle, and the last */
        return (uint64_t)(unsigned char)p[0] | (uint64_t)(unsigned char)p[len / 2] << 8 |
               (uint64_t)(unsigned char)p[len - 1] << 16;
    memcpy(&first, p, sizeof(first));
    memcpy(&last, p + len - sizeof(last), sizeof(last));
    return first | (uint64_t)last << 32;
}

/*
 * The index of a text in the table, computed from its length and its first, middle and last bytes: names of
 * one kind mostly differ there. Texts with the same index only cost memory, so names chosen by an attacker do
 * no harm.
 */
static uint32_t place_of(struct yk_str text)
{
    uint64_t hash = text.len;
    if (text.len > sizeof(uint64_t)) {
        hash ^= word_at(text.p);
        hash *= UINT64_C(0xc2b2ae3d27d4eb4f);
        hash ^= word_at(text.p + (text.len - sizeof(uint64_t)) / 2);
        hash *= UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32 ^ word_at(text.p + text.len - sizeof(uint64_t));
    } else {
        hash ^= short_word(text.p, text.len) << 3;
    }
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((hash ^ hash << 32) >> (64 - TABLE_BITS));
}

static bool same_bytes(const char *a, const char *b, size_t len)
{
    if (len <= sizeof(uint64_t))
        return short_word(a, len) == short_word(b, len);
    for (size_t at = 0; at < len - sizeof(uint64_t); at += sizeof(uint64_t)) {
        if (word_at(a + at) != word_at(b + at))
            return false;
    }
    return word_at(a + len - sizeof(uint64_t)) == word_at(b + len - sizeof(uint64_t));
}

/* Stores `bytes` in the open block, which has memory for them, unless they are found there. Returns their
 * offset. */
static uint16_t keep(struct yk_ring *ring, struct yk_str bytes)
{
    if (bytes.len == 0)
        return 0;
    uint16_t *place = &ring->table[place_of(bytes)], len = (uint16_t)bytes.len;
    struct yk_str there = bytes_at(ring->bytes, *place);
    if (there.len == bytes.len && same_bytes(there.p, bytes.p, bytes.len))
        return *place;
    *place = (uint16_t)ring->byte_count;
    memcpy(ring->bytes + *place, &len, sizeof(len));
    memcpy(ring->bytes + *place + sizeof(len), bytes.p, bytes.len);
    ring->byte_count += (uint32_t)(sizeof(len) + bytes.len);
    return *place;
}

static uint16_t keep_message(struct yk_ring *ring, struct yk_str message)
{
    char space[YK_EVENT_MESSAGE_MAX];
    return message.len == 0 ? 0 : keep(ring, yk_event_cut_message(message, space));
}

/* Stores a bit for each dense type that is present, the amounts of these types in order, then the other
 * types. */
static uint16_t pack_amounts(struct yk_ring *ring, const struct yk_resvec *amounts)
{
    char packed[DENSE_BYTES_MAX + OTHERS_MAX * sizeof(struct other)];
    uint32_t dense = yk_resvec_dense_types(amounts);
    size_t len = sizeof(dense);
    memcpy(packed, &dense, len);
    yk_resvec_foreach(t, amounts)
    {
        struct other other = {.amount = yk_resvec_get(amounts, t), .type = (uint32_t)t};
        bool is_dense = t < YK_RESTYPE_DENSE;
        if (!is_dense)
            other.generation = yk_restype_generation(t);
        size_t bytes = is_dense ? sizeof(other.amount) : sizeof(other);
        if (len + bytes > sizeof(packed))
            break;
        memcpy(packed + len, &other, bytes); /* the amount is the first field */
        len += bytes;
    }
    return keep(ring, (struct yk_str){packed, len});
}

static uint16_t keep_amounts(struct yk_ring *ring, const struct yk_resvec *amounts)
{
    if (yk_resvec_is_empty(amounts))
        return 0;
    if (ring->last_amounts_at == 0 || !yk_resvec_same(&ring->last_amounts, amounts)) {
        ring->last_amounts_at = pack_amounts(ring, amounts);
        yk_resvec_copy(&ring->last_amounts, amounts);
    }
    return ring->last_amounts_at;
}

static void unpack_amounts(struct yk_str packed, struct yk_resvec *ret)
{
    uint32_t dense;
    size_t at = sizeof(dense);
    yk_resvec_clear(ret);
    if (packed.len == 0)
        return;
    memcpy(&dense, packed.p, sizeof(dense));
    yk_bits_foreach(t, dense)
    {
        int64_t amount;
        memcpy(&amount, packed.p + at, sizeof(amount));
        yk_resvec_put(ret, (int)t, amount);
        at += sizeof(amount);
    }
    for (struct other other; at + sizeof(other) <= packed.len; at += sizeof(other)) {
        memcpy(&other, packed.p + at, sizeof(other));
        if (yk_restype_generation((int)other.type) == other.generation)
            yk_resvec_put(ret, (int)other.type, other.amount);
    }
}

/* ---- adding and reading ---- */

/* Nanoseconds from `begin_ns` to `wall_ns`; above SINCE_MAX if `wall_ns` is earlier. */
static uint64_t since(int64_t begin_ns, int64_t wall_ns)
{
    return (uint64_t)wall_ns - (uint64_t)begin_ns;
}

static bool has_capacity(const struct yk_ring *ring, int64_t wall_ns, const struct yk_resvec *amounts)
{
    uint32_t bytes = EVENT_BYTES_MAX;
    if (YK_UNLIKELY(yk_resvec_has_others(amounts)))
        bytes += (uint32_t)YK_MIN(yk_resvec_count(amounts), (int)OTHERS_MAX) * (uint32_t)sizeof(struct other);
    return ring->count < BLOCK_RECORDS && ring->byte_count + bytes <= BLOCK_BYTES &&
           since(ring->begin_ns, wall_ns) <= SINCE_MAX;
}

static void open_block_for(struct yk_ring *ring, int64_t wall_ns, const struct yk_resvec *amounts)
{
    if (ring->count > 0 && !has_capacity(ring, wall_ns, amounts))
        close_block(ring);
    if (ring->count == 0)
        ring->begin_ns = wall_ns;
}

static uint64_t what(const struct yk_ring *ring, enum yk_event_type type, enum yk_event_change change,
                     enum yk_event_detail detail, int64_t wall_ns)
{
    uint64_t kind =
        (uint64_t)detail | (uint64_t)type << DETAIL_BITS | (uint64_t)change << (DETAIL_BITS + TYPE_BITS);
    return since(ring->begin_ns, wall_ns) | kind << SINCE_BITS;
}

uint64_t yk_ring_add(struct yk_ring *ring, const struct yk_event *event)
{
    open_block_for(ring, event->wall_ns, &event->resource);
    ring->records[ring->count++] = (struct record){
        .what = what(ring, event->type, event->change, event->detail, event->wall_ns),
        .object = keep(ring, cut_id(event->object_id)),
        .reference = keep(ring, cut_id(event->reference_id)),
        .message = keep_message(ring, event->message),
        .amounts = keep_amounts(ring, &event->resource),
    };
    if (++ring->next - ring->lowest > ring->capacity)
        trim(ring);
    return ring->next - 1;
}

/* The closed block that has the event `number`; there is one. */
static const struct block *block_of(const struct yk_ring *ring, uint64_t number)
{
    size_t low = ring->oldest, high = ring->blocks.count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        const struct block *block = ring->blocks.items[middle];
        if (block->first <= number)
            low = middle;
        else
            high = middle;
    }
    return ring->blocks.items[low];
}

static void unpack(const struct record *record, int64_t begin_ns, const char *bytes,
                   struct yk_event *ret_event)
{
    uint64_t what = record->what >> SINCE_BITS;
    ret_event->detail = (enum yk_event_detail)(what & ((1u << DETAIL_BITS) - 1));
    ret_event->type = (enum yk_event_type)(what >> DETAIL_BITS & ((1u << TYPE_BITS) - 1));
    ret_event->change = (enum yk_event_change)(what >> (DETAIL_BITS + TYPE_BITS));
    ret_event->wall_ns = (int64_t)((uint64_t)begin_ns + (record->what & SINCE_MAX));
    ret_event->object_id = bytes_at(bytes, record->object);
    ret_event->reference_id = bytes_at(bytes, record->reference);
    ret_event->message = bytes_at(bytes, record->message);
    unpack_amounts(bytes_at(bytes, record->amounts), &ret_event->resource);
}

bool yk_ring_get(const struct yk_ring *ring, uint64_t number, struct yk_event *ret_event)
{
    if (number < ring->lowest || number >= ring->next)
        return false;
    if (number >= ring->first) {
        unpack(&ring->records[number - ring->first], ring->begin_ns, ring->bytes, ret_event);
        return true;
    }
    const struct block *block = block_of(ring, number);
    unpack(&block->records[number - block->first], block->begin_ns, bytes_of(block), ret_event);
    return true;
}

void yk_ring_resize(struct yk_ring *ring, size_t capacity)
{
    set_capacity(ring, capacity);
    trim(ring);
}
