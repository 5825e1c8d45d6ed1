/* SPDX-License-Identifier: Apache-2.0 */
#include "pen.h"

#include <stdio.h>

static void put_varint(struct yk_buf *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        yk_buf_char(out, (char)(value | 0x80));
    yk_buf_char(out, (char)value);
}

static void put_number(struct yk_buf *out, uint32_t number, uint64_t value)
{
    put_varint(out, (uint64_t)number << 3);
    put_varint(out, value);
}

void pen_put_bytes(struct yk_buf *out, uint32_t number, struct yk_str bytes)
{
    put_varint(out, (uint64_t)number << 3 | 2);
    put_varint(out, bytes.len);
    yk_buf_str(out, bytes);
}

static void comma(struct pen *pen)
{
    char last = pen->json.len > 0 ? pen->json.p[pen->json.len - 1] : '{';
    if (last != '{' && last != '[' && last != ':')
        yk_buf_char(&pen->json, ',');
}

static void json_text(struct pen *pen, const char *text)
{
    yk_buf_char(&pen->json, '"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            yk_buf_char(&pen->json, '\\');
        yk_buf_char(&pen->json, *c);
    }
    yk_buf_char(&pen->json, '"');
}

void pen_json_key(struct pen *pen, const char *key)
{
    comma(pen);
    if (key != NULL) {
        json_text(pen, key);
        yk_buf_char(&pen->json, ':');
    }
}

void pen_begin_silent(struct pen *pen, uint32_t number)
{
    pen->level++;
    pen->numbers[pen->level] = number;
    yk_buf_clear(&pen->protobuf[pen->level]);
}

void pen_end_silent(struct pen *pen)
{
    int level = pen->level--;
    pen_put_bytes(&pen->protobuf[level - 1], pen->numbers[level], yk_buf_view(&pen->protobuf[level]));
}

/* `key` NULL: an item of a list. */
void pen_begin(struct pen *pen, const char *key, uint32_t number)
{
    pen_json_key(pen, key);
    yk_buf_char(&pen->json, '{');
    pen_begin_silent(pen, number);
}

void pen_end(struct pen *pen)
{
    yk_buf_char(&pen->json, '}');
    pen_end_silent(pen);
}

void pen_list(struct pen *pen, const char *key)
{
    pen_json_key(pen, key);
    yk_buf_char(&pen->json, '[');
}

void pen_list_end(struct pen *pen)
{
    yk_buf_char(&pen->json, ']');
}

void pen_text(struct pen *pen, const char *key, uint32_t number, const char *value)
{
    pen_json_key(pen, key);
    json_text(pen, value);
    pen_put_bytes(&pen->protobuf[pen->level], number, yk_str_from(value));
}

void pen_number(struct pen *pen, const char *key, uint32_t field, int64_t value)
{
    pen_json_key(pen, key);
    yk_buf_printf(&pen->json, "%lld", (long long)value);
    put_number(&pen->protobuf[pen->level], field, (uint64_t)value);
}

void pen_truth(struct pen *pen, const char *key, uint32_t field, bool value)
{
    pen_json_key(pen, key);
    yk_buf_text(&pen->json, value ? "true" : "false");
    put_number(&pen->protobuf[pen->level], field, value);
}

void pen_time_at(struct pen *pen, const char *key, uint32_t field, int64_t second)
{
    char words[YK_TIME_TEXT_MAX];
    yk_time_format(second * YK_NS_PER_S, 0, words);
    pen_json_key(pen, key);
    json_text(pen, words);
    pen_begin_silent(pen, field);
    put_number(&pen->protobuf[pen->level], 1, (uint64_t)second);
    put_number(&pen->protobuf[pen->level], 2, 0);
    pen_end_silent(pen);
}

/* All of an entry of a map, whose JSON object is open, but the value in protobuf. */
void pen_begin_entry(struct pen *pen, uint32_t field, const char *key, const char *value)
{
    pen_json_key(pen, key);
    json_text(pen, value);
    pen_begin_silent(pen, field);
    pen_put_bytes(&pen->protobuf[pen->level], 1, yk_str_from(key));
}

void pen_entry(struct pen *pen, uint32_t field, const char *key, const char *value)
{
    pen_begin_entry(pen, field, key, value);
    pen_put_bytes(&pen->protobuf[pen->level], 2, yk_str_from(value));
    pen_end_silent(pen);
}

void pen_amount(struct pen *pen, uint32_t field, const char *key, const char *value)
{
    pen_begin_entry(pen, field, key, value);
    pen_begin_silent(pen, 2);
    pen_put_bytes(&pen->protobuf[pen->level], 1, yk_str_from(value));
    pen_end_silent(pen);
    pen_end_silent(pen);
}

void pen_map(struct pen *pen, const char *key)
{
    pen_json_key(pen, key);
    yk_buf_char(&pen->json, '{');
}

void pen_map_end(struct pen *pen)
{
    yk_buf_char(&pen->json, '}');
}

void pen_done(struct pen *pen)
{
    for (size_t i = 0; i < PEN_LEVELS; i++)
        yk_buf_done(&pen->protobuf[i]);
    yk_buf_done(&pen->json);
}

void pen_begin_object(struct pen *pen, const char *kind, const char *api_version)
{
    pen->level = 0;
    yk_buf_clear(&pen->json);
    yk_buf_clear(&pen->protobuf[0]);
    yk_buf_printf(&pen->json, "{\"kind\":\"%s\",\"apiVersion\":\"%s\"", kind, api_version);
    pen_begin_silent(pen, 2); /* of runtime.Unknown */
}

void pen_end_object(struct pen *pen, const char *kind, const char *api_version, struct yk_str *ret_protobuf,
                    struct yk_str *ret_json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf type = {0}, wrapped = {0};
    pen_end_silent(pen);
    yk_buf_char(&pen->json, '}');
    pen_put_bytes(&type, 1, yk_str_from(api_version));
    pen_put_bytes(&type, 2, yk_str_from(kind));
    yk_buf_add(&wrapped, "k8s\0", 4);
    pen_put_bytes(&wrapped, 1, yk_buf_view(&type));
    yk_buf_str(&wrapped, yk_buf_view(&pen->protobuf[0]));
    *ret_protobuf = (struct yk_str){yk_strndup(wrapped.p, wrapped.len), wrapped.len};
    if (ret_json != NULL)
        *ret_json = (struct yk_str){yk_strndup(pen->json.p, pen->json.len), pen->json.len};
}
