/* SPDX-License-Identifier: Apache-2.0 */
#include "api/list_reader.h"

#include "api/fields.h"
#include "api/json_priv.h"
#include "api/json_reader.h"
#include "api/list_reader_priv.h"
#include "api/protobuf_priv.h"
#include "api/protobuf_reader.h"

#include <jansson.h>
#include <stdio.h>

enum { FIELD_EXTRA_BYTES = 64, KEY_BYTES_MAX = 64, CONTINUE_BYTES_MAX = 64 << 10 };

struct list_meta {
    struct yk_str resource_version, continue_;
};

static const struct yk_field list_meta_fields[] = {
    YK_TEXT("resourceVersion", 2, struct list_meta, resource_version),
    YK_TEXT("continue", 3, struct list_meta, continue_),
};
static const struct yk_fields list_meta = YK_FIELDS(list_meta_fields, false);

static struct yk_list_reader *new_reader(const char *what)
{
    struct yk_list_reader *reader = yk_new0(struct yk_list_reader);
    reader->what = what;
    reader->pending.max = YK_PROTOBUF_BYTES_MAX + FIELD_EXTRA_BYTES;
    reader->piece.max = YK_JSON_BYTES_MAX;
    reader->key.max = KEY_BYTES_MAX;
    reader->list_kind.max = KEY_BYTES_MAX;
    return reader;
}

struct yk_list_reader *yk_list_reader_new(enum yk_kind kind, enum yk_wire_format format,
                                          const struct yk_list_sink *sink)
{
    struct yk_list_reader *reader = new_reader(yk_kind_name(kind));
    reader->kind = kind;
    reader->format = format;
    reader->sink = *sink;
    return reader;
}

struct yk_list_reader *yk_list_reader_new_text(const char *what, const struct yk_list_text_sink *sink)
{
    struct yk_list_reader *reader = new_reader(what);
    reader->format = YK_WIRE_JSON;
    reader->text_sink = *sink;
    return reader;
}

void yk_list_reader_free(struct yk_list_reader *reader)
{
    if (reader == NULL)
        return;
    yk_buf_done(&reader->pending);
    yk_buf_done(&reader->piece);
    yk_buf_done(&reader->key);
    yk_buf_done(&reader->list_kind);
    free(reader->meta.continue_token);
    free(reader);
}

void yk__list_item(struct yk_list_reader *reader, struct yk_str bytes)
{
    struct yk_err reason = {0};
    struct yk_object *object = NULL;
    if (reader->text_sink.item != NULL) {
        reader->text_sink.item(reader->text_sink.context, bytes);
        return;
    }
    enum yk_status st = reader->format == YK_WIRE_JSON
                            ? yk_object_from_json(reader->kind, bytes, &object, &reason)
                            : yk_object_from_protobuf(reader->kind, bytes, &object, &reason);
    if (st == YK_OK)
        reader->sink.item(reader->sink.context, object);
    else
        reader->sink.refused(reader->sink.context, &reason);
}

static enum yk_status keep_meta(struct yk_list_reader *reader, const struct list_meta *meta,
                                struct yk_err *err)
{
    if (meta->resource_version.len >= sizeof(reader->meta.resource_version))
        return yk_fail(err, YK_ERR_LIMIT, "metadata: resourceVersion of %zu bytes is too long",
                       meta->resource_version.len);
    if (meta->continue_.len > CONTINUE_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "metadata: continue of %zu bytes is too long", meta->continue_.len);
    (void)snprintf(reader->meta.resource_version, sizeof(reader->meta.resource_version), YK_STR_FMT,
                   YK_STR_ARG(meta->resource_version));
    free(reader->meta.continue_token);
    reader->meta.continue_token = meta->continue_.len > 0 ? yk_str_dup(meta->continue_) : NULL;
    return YK_OK;
}

static enum yk_status read_meta(struct yk_list_reader *reader, yk_walk *walk, const void *source,
                                struct yk_err *err)
{
    struct yk_arena arena = {0};
    char *base = NULL;
    enum yk_status st =
        yk__read_block(walk, &list_meta, source, sizeof(struct list_meta), &arena, &base, err);
    if (st == YK_OK)
        st = keep_meta(reader, (const struct list_meta *)(const void *)base, err);
    yk_arena_done(&arena);
    return st;
}

enum yk_status yk__list_meta(struct yk_list_reader *reader, struct yk_str bytes, struct yk_err *err)
{
    if (reader->format == YK_WIRE_PROTOBUF)
        return read_meta(reader, yk__protobuf_walk, &bytes, err);
    json_t *tree = NULL;
    enum yk_status st = yk_json_parse(bytes, &tree, err);
    if (st == YK_OK)
        st = read_meta(reader, yk__json_walk, tree, err);
    json_decref(tree);
    return st;
}

enum yk_status yk_list_reader_feed(struct yk_list_reader *reader, struct yk_str bytes, struct yk_err *err)
{
    if (bytes.len == 0)
        return YK_OK;
    enum yk_status st = reader->format == YK_WIRE_JSON ? yk__list_feed_json(reader, bytes, err)
                                                       : yk__list_feed_protobuf(reader, bytes, err);
    return st == YK_OK ? st : yk_fail_in(err, st, "list of %s", reader->what);
}

/* Whether the answer is a list of the wanted kind. A reader of texts accepts each kind that ends with
 * "List". */
static bool is_of_kind(const struct yk_list_reader *reader)
{
    struct yk_str kind = yk_buf_view(&reader->list_kind);
    return reader->text_sink.item != NULL ? yk_str_ends(kind, "List")
                                          : yk_str_is(kind, yk_kind_info(reader->kind)->list_word);
}

enum yk_status yk_list_reader_finish(struct yk_list_reader *reader, struct yk_list_meta *ret,
                                     struct yk_err *err)
{
    if (reader->place != YK_LIST_TRAILER || reader->pending.len > 0 || reader->skip_left > 0)
        return yk_fail(err, YK_ERR_INVALID, "list of %s: the answer ends in the middle", reader->what);
    /* An answer of another kind would look like a list without items, and all known objects would be
     * removed. */
    if (!is_of_kind(reader))
        return yk_fail(err, YK_ERR_INVALID, "'%s' is not a %s", yk_buf_cstr(&reader->list_kind),
                       reader->text_sink.item != NULL ? "list" : yk_kind_info(reader->kind)->list_word);
    *ret = reader->meta;
    reader->meta.continue_token = NULL; /* `*ret` owns the text now */
    return YK_OK;
}
