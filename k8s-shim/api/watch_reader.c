/* SPDX-License-Identifier: Apache-2.0 */
#include "api/watch_reader.h"

#include "api/fields.h"
#include "api/json_priv.h"
#include "api/json_reader.h"
#include "api/protobuf_priv.h"
#include "api/protobuf_reader.h"
#include "api/wire_priv.h"

#include <jansson.h>

enum { FRAME_EXTRA_BYTES = 4096 }; /* most bytes that a WatchEvent has besides its object */

void yk_watch_reader_init(struct yk_watch_reader *reader, enum yk_kind kind, enum yk_wire_format format)
{
    *reader = (struct yk_watch_reader){.kind = kind, .format = format};
    yk_json_splitter_init(&reader->json, YK_JSON_BYTES_MAX);
    yk_frame_splitter_init(&reader->frames, YK_PROTOBUF_BYTES_MAX + FRAME_EXTRA_BYTES);
}

void yk_watch_reader_done(struct yk_watch_reader *reader)
{
    yk_json_splitter_done(&reader->json);
    yk_frame_splitter_done(&reader->frames);
}

bool yk_watch_reader_is_between(const struct yk_watch_reader *reader)
{
    return reader->format == YK_WIRE_JSON ? yk_json_splitter_is_between(&reader->json)
                                          : yk_frame_splitter_is_between(&reader->frames);
}

static enum yk_status parse_type(struct yk_str word, enum yk_k8s_event_type *ret_type, struct yk_err *err)
{
    static const char *const words[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};
    YK_INDEXED_BY(words, YK_EVENT_ERROR);
    for (size_t i = 0; i < YK_COUNT(words); i++) {
        if (yk_str_is(word, words[i])) {
            *ret_type = (enum yk_k8s_event_type)i;
            return YK_OK;
        }
    }
    return yk_fail(err, YK_ERR_INVALID, "watch event of unknown type '" YK_STR_FMT "'", YK_STR_ARG(word));
}

static enum yk_status read_tree(enum yk_kind kind, const json_t *tree, struct yk_event_message *ret,
                                struct yk_err *err)
{
    const json_t *type = json_object_get(tree, "type"), *object = json_object_get(tree, "object");
    enum yk_status st =
        parse_type((struct yk_str){json_string_value(type), json_string_length(type)}, &ret->type, err);
    if (st != YK_OK)
        return st;
    if (object == NULL)
        return yk_fail(err, YK_ERR_INVALID, "watch event without an object");
    if (ret->type == YK_EVENT_ERROR)
        return yk__server_status_from_tree(object, &ret->status, err);
    return yk_object_from_tree(kind, object, &ret->object, err);
}

static enum yk_status read_json(enum yk_kind kind, struct yk_str bytes, struct yk_event_message *ret,
                                struct yk_err *err)
{
    json_t *tree = NULL;
    enum yk_status st = yk_json_parse(bytes, &tree, err);
    if (st != YK_OK)
        return st;
    st = read_tree(kind, tree, ret, err);
    json_decref(tree);
    return st;
}

/* Opens a WatchEvent: field 1 is the type, field 2 a RawExtension whose field 1 is the object in an
 * envelope. */
static bool open_event(struct yk_str bytes, struct yk_str *ret_type, struct yk_str *ret_object)
{
    struct yk_wire_cursor cursor = yk__wire_start(bytes), inner;
    struct yk_wire_field field;
    while (yk__wire_next(&cursor, &field)) {
        if (field.type != YK_WIRE_BYTES)
            continue;
        if (field.number == 1)
            *ret_type = field.bytes;
        if (field.number != 2)
            continue;
        inner = yk__wire_start(field.bytes);
        while (yk__wire_next(&inner, &field)) {
            if (field.number == 1 && field.type == YK_WIRE_BYTES)
                *ret_object = field.bytes;
        }
        if (inner.is_bad)
            return false;
    }
    return !cursor.is_bad;
}

static enum yk_status read_protobuf(enum yk_kind kind, struct yk_str bytes, struct yk_event_message *ret,
                                    struct yk_err *err)
{
    struct yk_envelope envelope;
    struct yk_str type = YK_STR(""), object = {0};
    /* API servers send the event without an envelope; an envelope is accepted, too */
    enum yk_status st = yk_envelope_open(bytes, &envelope, err);
    if (st != YK_OK)
        return st;
    if (!open_event(envelope.raw, &type, &object))
        return yk_fail(err, YK_ERR_INVALID, "malformed or truncated watch event of %zu bytes", bytes.len);
    st = parse_type(type, &ret->type, err);
    if (st != YK_OK)
        return st;
    if (object.p == NULL)
        return yk_fail(err, YK_ERR_INVALID, "watch event without an object");
    if (ret->type == YK_EVENT_ERROR)
        return yk_server_status_read(YK_WIRE_PROTOBUF, object, &ret->status, err);
    return yk_object_from_protobuf(kind, object, &ret->object, err);
}

static void event_read(enum yk_kind kind, enum yk_wire_format format, struct yk_str bytes,
                       struct yk_event_message *ret)
{
    *ret = (struct yk_event_message){.type = YK_EVENT_REFUSED};
    enum yk_status st = format == YK_WIRE_JSON ? read_json(kind, bytes, ret, &ret->refused)
                                               : read_protobuf(kind, bytes, ret, &ret->refused);
    if (st != YK_OK)
        ret->type = YK_EVENT_REFUSED;
    else if (ret->type == YK_EVENT_BOOKMARK)
        ret->is_list_end = yk_str_is(yk_pairs_get(&ret->object->annotations, YK_ANNOTATION_LIST_END), "true");
}

enum yk_status yk_watch_reader_next(struct yk_watch_reader *reader, struct yk_str *bytes,
                                    struct yk_event_message *ret, bool *ret_has_event, struct yk_err *err)
{
    struct yk_str event;
    *ret_has_event = false;
    enum yk_status st = reader->format == YK_WIRE_JSON
                            ? yk_json_splitter_next(&reader->json, bytes, &event, err)
                            : yk_frame_splitter_next(&reader->frames, bytes, &event, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "watch of %s", yk_kind_name(reader->kind));
    if (event.p == NULL)
        return YK_OK;
    event_read(reader->kind, reader->format, event, ret);
    *ret_has_event = true;
    return YK_OK;
}

void yk_event_message_done(struct yk_event_message *message)
{
    yk_object_free(message->object);
    yk_server_status_done(&message->status);
    message->object = NULL;
}
