/* SPDX-License-Identifier: Apache-2.0 */
#include "events/ring.h"

/* The least bytes of the second ring: the largest event fits several times. */
enum { BYTES_MIN = 64 << 10 };

struct record {
    uint64_t
        at; /* where its bytes begin, counted since the ring was made; the place is `at` modulo the size */
    int64_t wall_ns;
    uint32_t resource_set;
    uint16_t object_len, reference_len, message_len;
    uint16_t detail;
    uint8_t type, change;
};

struct yk_ring {
    struct record *records; /* number modulo capacity */
    size_t capacity;
    uint64_t lowest, next; /* numbers */
    char *bytes;           /* per event: object, reference, message, then the amounts in slot order */
    size_t byte_capacity;
    uint64_t byte_next; /* where the next event's bytes may begin */
};

static size_t bounded(size_t capacity)
{
    if (capacity == 0)
        return YK_RING_CAPACITY_DEFAULT;
    return YK_MIN(capacity, (size_t)YK_RING_CAPACITY_MAX);
}

static void allocate(struct yk_ring *ring, size_t capacity)
{
    ring->capacity = bounded(capacity);
    ring->records = yk_new0_array(struct record, ring->capacity);
    ring->byte_capacity = YK_MAX(yk_size_mul(ring->capacity, YK_RING_BYTES_PER_EVENT), (size_t)BYTES_MIN);
    ring->bytes = yk_calloc(ring->byte_capacity, 1);
}

struct yk_ring *yk_ring_new(size_t capacity)
{
    struct yk_ring *ring = yk_new0(struct yk_ring);
    allocate(ring, capacity);
    return ring;
}

void yk_ring_free(struct yk_ring *ring)
{
    if (ring == NULL)
        return;
    free(ring->records);
    free(ring->bytes);
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
size_t yk_ring_capacity(const struct yk_ring *ring)
{
    return ring->capacity;
}

/* Not in the middle of a character of UTF-8. */
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

static struct yk_str cut_message(struct yk_str message, char space[YK_EVENT_MESSAGE_MAX])
{
    if (message.len <= YK_EVENT_MESSAGE_MAX)
        return message;
    size_t kept = cut_before(message, YK_EVENT_MESSAGE_MAX - 3);
    memcpy(space, message.p, kept);
    memcpy(space + kept, "...", 3);
    return (struct yk_str){space, kept + 3};
}

static size_t resource_bytes(uint32_t set)
{
    return (size_t)__builtin_popcount(set) * sizeof(int64_t);
}

/* Where `size` bytes go: in one piece, so the rest of the ring is skipped when they do not fit before its
 * end. */
static uint64_t place_for(const struct yk_ring *ring, size_t size)
{
    uint64_t at = ring->byte_next;
    size_t left = ring->byte_capacity - (size_t)(at % ring->byte_capacity);
    return size <= left ? at : at + left;
}

static struct record *record_of(const struct yk_ring *ring, uint64_t number)
{
    return &ring->records[number % ring->capacity];
}

static void make_room(struct yk_ring *ring, uint64_t byte_end)
{
    while (ring->lowest < ring->next && (ring->next - ring->lowest >= ring->capacity ||
                                         byte_end - record_of(ring, ring->lowest)->at > ring->byte_capacity))
        ring->lowest++;
}

static void put(struct yk_ring *ring, uint64_t *at, const void *bytes, size_t len)
{
    if (len > 0)
        memcpy(ring->bytes + *at % ring->byte_capacity, bytes, len);
    *at += len;
}

uint64_t yk_ring_add(struct yk_ring *ring, const struct yk_event *event)
{
    char space[YK_EVENT_MESSAGE_MAX];
    struct yk_str object = cut_id(event->object_id), reference = cut_id(event->reference_id);
    struct yk_str message = cut_message(event->message, space);
    size_t size = object.len + reference.len + message.len + resource_bytes(event->resource.set);
    uint64_t at = place_for(ring, size);
    make_room(ring, at + size);
    *record_of(ring, ring->next) = (struct record){
        .at = at,
        .wall_ns = event->wall_ns,
        .resource_set = event->resource.set,
        .object_len = (uint16_t)object.len,
        .reference_len = (uint16_t)reference.len,
        .message_len = (uint16_t)message.len,
        .detail = (uint16_t)event->detail,
        .type = (uint8_t)event->type,
        .change = (uint8_t)event->change,
    };
    put(ring, &at, object.p, object.len);
    put(ring, &at, reference.p, reference.len);
    put(ring, &at, message.p, message.len);
    yk_resvec_foreach(t, event->resource.set) put(ring, &at, &event->resource.v[t], sizeof(int64_t));
    ring->byte_next = at;
    return ring->next++;
}

static struct yk_str take(const char **from, size_t len)
{
    struct yk_str text = {*from, len};
    *from += len;
    return text;
}

bool yk_ring_get(const struct yk_ring *ring, uint64_t number, struct yk_event *ret_event)
{
    if (number < ring->lowest || number >= ring->next)
        return false;
    const struct record *record = record_of(ring, number);
    const char *from = ring->bytes + record->at % ring->byte_capacity;
    ret_event->type = (enum yk_event_type)record->type;
    ret_event->change = (enum yk_event_change)record->change;
    ret_event->detail = (enum yk_event_detail)record->detail;
    ret_event->wall_ns = record->wall_ns;
    ret_event->object_id = take(&from, record->object_len);
    ret_event->reference_id = take(&from, record->reference_len);
    ret_event->message = take(&from, record->message_len);
    ret_event->resource.set = record->resource_set;
    yk_resvec_foreach(t, record->resource_set)
    {
        memcpy(&ret_event->resource.v[t], from, sizeof(int64_t));
        from += sizeof(int64_t);
    }
    return true;
}

void yk_ring_resize(struct yk_ring *ring, size_t capacity)
{
    if (bounded(capacity) == ring->capacity)
        return;
    struct yk_ring old = *ring;
    struct yk_event event;
    allocate(ring, capacity);
    ring->byte_next = 0;
    /* The numbers stay; what does not fit makes room for what comes after it. */
    uint64_t first = old.next - YK_MIN(old.next - old.lowest, (uint64_t)ring->capacity);
    ring->lowest = ring->next = first;
    while (ring->next < old.next && yk_ring_get(&old, ring->next, &event))
        (void)yk_ring_add(ring, &event); /* its number is known */
    free(old.records);
    free(old.bytes);
}
