/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protobuf encoding, as far as Kubernetes uses it: varints, length-delimited bytes, fixed 32 and 64 bits.
 * Groups, which are deprecated, are refused.
 * Thread: any.
 * Source: the protocol buffers encoding guide.
 */
#ifndef YK_API_WIRE_PRIV_H
#define YK_API_WIRE_PRIV_H

#include "base/str.h"

enum yk_wire_type { YK_WIRE_VARINT = 0, YK_WIRE_I64 = 1, YK_WIRE_BYTES = 2, YK_WIRE_I32 = 5 };

struct yk_wire_cursor {
    const uint8_t *p, *end;
    bool is_bad; /* the bytes are malformed; reading has ended */
};

struct yk_wire_field {
    uint32_t number;     /* from 1 */
    uint32_t type;       /* enum yk_wire_type */
    uint64_t value;      /* only of YK_WIRE_VARINT; negative numbers are in two's complement */
    struct yk_str bytes; /* only of YK_WIRE_BYTES; borrowed from the message */
};

/* A cursor at the first of the bytes, which are borrowed as long as the cursor and its fields are used. */
static inline struct yk_wire_cursor yk__wire_start(struct yk_str bytes)
{
    const uint8_t *p = (const uint8_t *)bytes.p;
    return (struct yk_wire_cursor){p, p == NULL ? NULL : p + bytes.len, false};
}

/* Reads a varint and moves the cursor behind it. False: the varint does not end within the bytes, or has more
 * than 64 bits; the cursor may then have moved. */
static inline bool yk__wire_varint(struct yk_wire_cursor *c, uint64_t *ret_value)
{
    if (YK_LIKELY(c->p < c->end && *c->p < 0x80)) {
        *ret_value = *c->p++;
        return true;
    }
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && c->p < c->end; shift += 7) {
        uint8_t byte = *c->p++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret_value = value;
            return true;
        }
    }
    return false;
}

/* Moves the cursor over `bytes` bytes. False: fewer are left, and the cursor has not moved. */
static inline bool yk__wire_skip(struct yk_wire_cursor *c, uint64_t bytes)
{
    if (bytes > (uint64_t)(c->end - c->p))
        return false;
    c->p += bytes;
    return true;
}

/*
 * Reads the next field into `field`. False: there is no further field, or the bytes are malformed and
 * `is_bad` is set. Always inlined for speed, because most fields of an object are skipped.
 */
__attribute__((always_inline)) static inline bool yk__wire_next(struct yk_wire_cursor *c,
                                                                struct yk_wire_field *field)
{
    uint64_t tag, len;
    if (c->p == c->end)
        return false;
    if (!yk__wire_varint(c, &tag) || tag >> 3 == 0 || tag >> 3 > (1u << 29) - 1)
        goto bad;
    field->number = (uint32_t)(tag >> 3);
    field->type = (uint32_t)tag & 7;
    switch (field->type) {
    case YK_WIRE_BYTES:
        if (!yk__wire_varint(c, &len))
            goto bad;
        field->bytes = (struct yk_str){(const char *)c->p, (size_t)len};
        if (!yk__wire_skip(c, len))
            goto bad;
        return true;
    case YK_WIRE_VARINT:
        if (!yk__wire_varint(c, &field->value))
            goto bad;
        return true;
    case YK_WIRE_I64:
        if (!yk__wire_skip(c, 8))
            goto bad;
        return true;
    case YK_WIRE_I32:
        if (!yk__wire_skip(c, 4))
            goto bad;
        return true;
    default: /* groups, and types that do not exist */
        break;
    }
bad:
    c->is_bad = true;
    return false;
}

#endif
