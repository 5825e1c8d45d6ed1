/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/config_merge.h"

#include "base/log.h"

#include <zlib.h>

enum { UNPACK_STEP = 16 << 10, GZIP_WINDOW = 15 + 16 };

void yk_gzip(struct yk_str text, struct yk_buf *out)
{
    z_stream stream = {.avail_in = (uInt)YK_MIN(text.len, (size_t)UINT32_MAX)};
    /* zlib declares its input without const but does not write to it. */
    stream.next_in = (z_const Bytef *)(uintptr_t)text.p;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        yk_out_of_memory(sizeof(stream)); /* zlib has no other reason to fail here */
    for (int result = Z_OK; result == Z_OK;) {
        char step[UNPACK_STEP];
        stream.next_out = (Bytef *)step;
        stream.avail_out = sizeof(step);
        result = deflate(&stream, Z_FINISH);
        yk_buf_add(out, step, sizeof(step) - stream.avail_out);
    }
    deflateEnd(&stream);
}

static enum yk_status unpack(z_stream *stream, struct yk_buf *out, struct yk_err *err)
{
    for (;;) {
        char step[UNPACK_STEP];
        stream->next_out = (Bytef *)step;
        stream->avail_out = sizeof(step);
        int result = inflate(stream, Z_NO_FLUSH);
        size_t got = sizeof(step) - stream->avail_out;
        if (result == Z_MEM_ERROR)
            yk_out_of_memory(sizeof(step)); /* the bytes may be valid */
        if (result != Z_OK && result != Z_STREAM_END)
            return yk_fail(err, YK_ERR_INVALID, "not valid gzip: %s",
                           stream->msg != NULL ? stream->msg : "cut short");
        yk_buf_add(out, step, got);
        if (out->failed)
            return yk_fail(err, YK_ERR_LIMIT, "more than %zu bytes when unpacked", out->max);
        if (got == 0 && stream->avail_in == 0 && result == Z_OK)
            return yk_fail(err, YK_ERR_INVALID, "not valid gzip: cut short");
        if (result == Z_STREAM_END && stream->avail_in == 0)
            return YK_OK;
        if (result == Z_STREAM_END)
            (void)inflateReset(
                stream); /* Another member follows. A stream that has been used can be reset. */
    }
}

enum yk_status yk_gunzip(struct yk_str bytes, struct yk_buf *out, struct yk_err *err)
{
    if (bytes.len > UINT32_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu bytes of gzip", bytes.len);
    z_stream stream = {.avail_in = (uInt)bytes.len};
    /* zlib declares its input without const but does not write to it. */
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes.p;
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
        yk_out_of_memory(sizeof(stream)); /* zlib has no other reason to fail here */
    enum yk_status st = unpack(&stream, out, err);
    inflateEnd(&stream);
    return st;
}

static void put(struct yk_merged_config *merged, struct yk_str key, struct yk_str value,
                struct yk_config_origin origin)
{
    uintptr_t place = (uintptr_t)yk_strmap_get(&merged->places, key);
    if (place > 0) {
        merged->items[place - 1].value = value;
        merged->origins[place - 1] = origin;
        return;
    }
    if (merged->count == merged->capacity) {
        merged->capacity = merged->capacity > 0 ? merged->capacity * 2 : 16;
        merged->items = yk_realloc_array(merged->items, merged->capacity, sizeof(*merged->items));
        merged->origins = yk_realloc_array(merged->origins, merged->capacity, sizeof(*merged->origins));
    }
    merged->origins[merged->count] = origin;
    merged->items[merged->count++] = (struct yk_pair){key, value};
    (void)yk_strmap_put(&merged->places, key, (void *)(uintptr_t)merged->count); /* replaces nothing */
}

bool yk_config_key_is_packed(struct yk_str key)
{
    if (key.len < 3 || key.p[key.len - 3] != '.')
        return false;
    return (key.p[key.len - 2] | 0x20) == 'g' && (key.p[key.len - 1] | 0x20) == 'z';
}

struct yk_str yk_config_key_unpacked(struct yk_str key)
{
    return (struct yk_str){key.p, key.len - 3};
}

static void ignore(struct yk_merged_config *merged, const struct yk_object *map, struct yk_str key,
                   const char *why)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf sentence = {0};
    yk_error(yk_log_shim_config, "binary entry is ignored", KV("configmap", map->name), KV("key", key),
             KV("err", why));
    yk_buf_printf(&sentence, YK_STR_FMT " of ConfigMap " YK_STR_FMT "/" YK_STR_FMT " is ignored: %s",
                  YK_STR_ARG(key), YK_STR_ARG(map->namespace_), YK_STR_ARG(map->name), why);
    merged->ignored = yk_realloc_array(merged->ignored, merged->ignored_count + 1, sizeof(*merged->ignored));
    struct yk_str text = yk_arena_str(&merged->arena, yk_buf_view(&sentence));
    size_t why_bytes = strlen(why);
    merged->ignored[merged->ignored_count++] =
        (struct yk_config_ignored){key, text, (struct yk_str){text.p + text.len - why_bytes, why_bytes}};
}

static void put_binary(struct yk_merged_config *merged, const struct yk_object *map,
                       const struct yk_pair *entry)
{
    if (!yk_config_key_is_packed(entry->key)) {
        yk_error(yk_log_shim_config, "binary entry without .gz is ignored", KV("configmap", map->name),
                 KV("key", entry->key));
        return;
    }
    size_t left = YK_CONFIG_UNPACKED_TOTAL_MAX - merged->unpacked_bytes;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_MIN(left, (size_t)YK_CONFIG_UNPACKED_MAX)};
    struct yk_err err;
    if (left == 0) {
        ignore(merged, map, entry->key, "the entries are too large when unpacked");
        return;
    }
    if (yk_gunzip(entry->value, &text, &err) != YK_OK) {
        ignore(merged, map, entry->key, err.text);
        return;
    }
    merged->unpacked_bytes += text.len;
    struct yk_str key = yk_arena_str(&merged->arena, yk_config_key_unpacked(entry->key));
    put(merged, key, yk_arena_str(&merged->arena, (struct yk_str){yk_buf_cstr(&text), text.len}),
        (struct yk_config_origin){map, entry->key});
}

static void overlay(struct yk_merged_config *merged, const struct yk_config_map *map)
{
    if (map == NULL)
        return;
    for (uint32_t i = 0; i < map->data.count; i++)
        put(merged, map->data.items[i].key, map->data.items[i].value,
            (struct yk_config_origin){&map->object, map->data.items[i].key});
    for (uint32_t i = 0; i < map->binary_data.count; i++)
        put_binary(merged, &map->object, &map->binary_data.items[i]);
}

void yk_config_merge(const struct yk_config_map *defaults, const struct yk_config_map *configs,
                     struct yk_merged_config *ret)
{
    *ret = (struct yk_merged_config){.count = 0};
    overlay(ret, defaults);
    overlay(ret, configs);
}

void yk_merged_config_done(struct yk_merged_config *merged)
{
    yk_arena_done(&merged->arena);
    yk_strmap_done(&merged->places);
    free(merged->items);
    free(merged->origins);
    free(merged->ignored);
    *merged = (struct yk_merged_config){.count = 0};
}

void yk_merged_config_keep_settings(struct yk_merged_config *merged)
{
    struct yk_merged_config kept = {.count = 0};
    for (uint32_t i = 0; i < merged->count; i++) {
        bool is_large = yk_str_ends(merged->items[i].key, ".yaml");
        put(&kept, yk_arena_str(&kept.arena, merged->items[i].key),
            is_large ? (struct yk_str){0} : yk_arena_str(&kept.arena, merged->items[i].value),
            (struct yk_config_origin){.map = NULL});
    }
    free(kept.origins);
    kept.origins = NULL;
    yk_merged_config_done(merged);
    *merged = kept;
}

struct yk_str yk_merged_config_get(const struct yk_merged_config *merged, struct yk_str key)
{
    uintptr_t place = (uintptr_t)yk_strmap_get(&merged->places, key);
    return place > 0 ? merged->items[place - 1].value : (struct yk_str){0};
}

struct yk_config_origin yk_merged_config_origin(const struct yk_merged_config *merged, struct yk_str key)
{
    uintptr_t place = (uintptr_t)yk_strmap_get(&merged->places, key);
    return place > 0 ? merged->origins[place - 1] : (struct yk_config_origin){.map = NULL};
}

struct yk_str yk_merged_config_ignored(const struct yk_merged_config *merged, struct yk_str key)
{
    for (uint32_t i = merged->ignored_count; i > 0; i--) {
        if (yk_str_eq(yk_config_key_unpacked(merged->ignored[i - 1].key), key))
            return merged->ignored[i - 1].sentence;
    }
    return (struct yk_str){0};
}
