/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a list as protobuf: "k8s\0", then runtime.Unknown whose field 2 is the list (1: ListMeta, 2: an item,
 * repeated). The list is never stored as a whole: its fields are taken one by one as they arrive, and its
 * remaining length is counted.
 */
#include "api/fields.h"
#include "api/list_reader_priv.h"
#include "api/protobuf_priv.h"
#include "api/protobuf_reader.h"
#include "api/wire_priv.h"

enum { MAGIC_BYTES = 4, HEADER_BYTES_MAX = 20 };

struct header {
    uint32_t number, type;
    uint64_t len; /* of the content after the header */
    size_t header_bytes;
};

/* Reads tag and length of a field. False: the bytes are malformed (`*ret_bad`), or more bytes are needed. */
static bool read_header(struct yk_str bytes, struct header *ret, bool *ret_bad)
{
    struct yk_wire_cursor c =
        yk__wire_start((struct yk_str){bytes.p, YK_MIN(bytes.len, (size_t)HEADER_BYTES_MAX)});
    uint64_t tag, len = 0;
    *ret_bad = false;
    bool whole = yk__wire_varint(&c, &tag);
    if (whole && (tag & 7) == YK_WIRE_BYTES)
        whole = yk__wire_varint(&c, &len);
    else if (whole && (tag & 7) == YK_WIRE_VARINT)
        whole = yk__wire_varint(&c, &(uint64_t){0});
    if (!whole) {
        *ret_bad = bytes.len >= HEADER_BYTES_MAX;
        return false;
    }
    *ret =
        (struct header){(uint32_t)(tag >> 3), (uint32_t)tag & 7, len, (size_t)((const char *)c.p - bytes.p)};
    if (ret->type == YK_WIRE_I64)
        ret->len = 8;
    else if (ret->type == YK_WIRE_I32)
        ret->len = 4;
    *ret_bad = tag >> 3 == 0 || tag >> 32 != 0 || ret->type == 3 || ret->type == 4 || ret->type > 5;
    return !*ret_bad;
}

static bool is_read(const struct yk_list_reader *reader, const struct header *h)
{
    if (h->type != YK_WIRE_BYTES)
        return false;
    return reader->place == YK_LIST_BODY ? h->number <= 2 : h->number == 1 || h->number == 3;
}

/* Checks a field of the envelope, TypeMeta or content encoding: puts the magic bytes before it, so that
 * yk_envelope_open() can read it like a whole envelope. */
static enum yk_status check_envelope(struct yk_list_reader *reader, struct yk_str field, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf whole = {.max = reader->pending.max + MAGIC_BYTES};
    yk_buf_add(&whole, "k8s", MAGIC_BYTES);
    yk_buf_str(&whole, field);
    struct yk_envelope envelope;
    const char *word = yk_kind_info(reader->kind)->list_word;
    enum yk_status st = yk_envelope_open(yk_buf_view(&whole), &envelope, err);
    if (st != YK_OK || envelope.kind.p == NULL)
        return st;
    if (!yk_str_is(envelope.kind, word))
        return yk_fail(err, YK_ERR_INVALID, "'" YK_STR_FMT "' is not a %s", YK_STR_ARG(envelope.kind), word);
    yk_buf_clear(&reader->list_kind);
    yk_buf_str(&reader->list_kind, envelope.kind);
    return YK_OK;
}

static enum yk_status take_content(struct yk_list_reader *reader, const struct header *h, struct yk_str field,
                                   struct yk_err *err)
{
    struct yk_str content = {field.p + h->header_bytes, (size_t)h->len};
    if (reader->place != YK_LIST_BODY)
        return check_envelope(reader, (struct yk_str){field.p, h->header_bytes + content.len}, err);
    if (h->number == 1)
        return yk__list_meta(reader, content, err);
    yk__list_item(reader, content);
    return YK_OK;
}

/* Subtracts a field of the list from `body_left`. False: the field is longer than the rest of the list. */
static bool take_from_body(struct yk_list_reader *reader, const struct header *h)
{
    uint64_t bytes;
    if (reader->place != YK_LIST_BODY)
        return true;
    if (__builtin_add_overflow(h->len, (uint64_t)h->header_bytes, &bytes) || bytes > reader->body_left)
        return false;
    reader->body_left -= bytes;
    return true;
}

static void enter_body(struct yk_list_reader *reader, uint64_t len)
{
    reader->place = len > 0 ? YK_LIST_BODY : YK_LIST_TRAILER;
    reader->body_left = len;
}

/* Takes one field, or the available part of a field that is not used, off the front; `*ret_progress` false:
 * wait for more bytes. */
static enum yk_status take_field(struct yk_list_reader *reader, struct yk_str *bytes, bool *ret_progress,
                                 struct yk_err *err)
{
    struct header h;
    bool bad;
    *ret_progress = false;
    if (!read_header(*bytes, &h, &bad))
        return bad ? yk_fail(err, YK_ERR_INVALID, "malformed protobuf") : YK_OK;
    bool is_list = reader->place == YK_LIST_ENVELOPE && h.number == 2 && h.type == YK_WIRE_BYTES;
    bool read = is_read(reader, &h);
    if (read && h.len > YK_PROTOBUF_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "an item of %llu bytes is larger than %d",
                       (unsigned long long)h.len, YK_PROTOBUF_BYTES_MAX);
    if (read && bytes->len - h.header_bytes < h.len)
        return YK_OK;
    if (!take_from_body(reader, &h))
        return yk_fail(err, YK_ERR_INVALID, "malformed protobuf: a field is longer than the list");
    *ret_progress = true;
    enum yk_status st = read ? take_content(reader, &h, *bytes, err) : YK_OK;
    size_t taken = h.header_bytes + (read ? (size_t)h.len : 0);
    bytes->p += taken;
    bytes->len -= taken;
    if (is_list)
        enter_body(reader, h.len);
    else if (!read)
        reader->skip_left = h.len;
    return st;
}

static void skip(struct yk_list_reader *reader, struct yk_str *bytes)
{
    size_t len = (size_t)YK_MIN(reader->skip_left, (uint64_t)bytes->len);
    reader->skip_left -= len;
    bytes->p += len;
    bytes->len -= len;
    if (reader->place == YK_LIST_BODY && reader->body_left == 0 && reader->skip_left == 0)
        reader->place = YK_LIST_TRAILER;
}

static enum yk_status take_all(struct yk_list_reader *reader, struct yk_str *bytes, struct yk_err *err)
{
    if (!reader->magic_seen) {
        if (bytes->len < MAGIC_BYTES)
            return YK_OK;
        if (!yk__envelope_has_magic(*bytes))
            return yk_fail(err, YK_ERR_INVALID, "the answer does not begin like Kubernetes protobuf");
        reader->magic_seen = true;
        bytes->p += MAGIC_BYTES;
        bytes->len -= MAGIC_BYTES;
    }
    for (bool progress = true; progress;) {
        skip(reader, bytes);
        if (bytes->len == 0)
            break;
        enum yk_status st = take_field(reader, bytes, &progress, err);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

enum yk_status yk__list_feed_protobuf(struct yk_list_reader *reader, struct yk_str bytes, struct yk_err *err)
{
    /* `pending` has less than one item, so appending the chunk to it is cheap. */
    struct yk_buf *pending = &reader->pending;
    size_t max = pending->max;
    pending->max = yk_size_add(max, bytes.len);
    yk_buf_str(pending, bytes);
    struct yk_str rest = yk_buf_view(pending);
    enum yk_status st = take_all(reader, &rest, err);
    yk_buf_consume(pending, pending->len - rest.len);
    pending->max = max;
    return st;
}
