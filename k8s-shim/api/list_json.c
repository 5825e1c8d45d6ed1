/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a list as JSON: {"metadata": {...}, "items": [{...}, ...], ...}. The document is scanned byte by
 * byte; only the metadata and one item at a time are stored and passed to the JSON reader.
 */
#include "api/fields.h"
#include "api/list_reader_priv.h"

static enum yk_status end_piece(struct yk_list_reader *reader, struct yk_err *err)
{
    struct yk_str text = yk_buf_view(&reader->piece);
    enum yk_status st = YK_OK;
    if (reader->place == YK_LIST_BODY)
        yk__list_item(reader, text);
    else
        st = yk__list_meta(reader, text, err);
    yk_buf_clear(&reader->piece);
    reader->piece_depth = 0;
    return st;
}

/* Notes that the items, the metadata or an item begins with `c`, an opening brace or bracket. `depth`: the
 * depth before `c`. */
static void open_at(struct yk_list_reader *reader, uint32_t depth, char c)
{
    struct yk_str key = yk_buf_view(&reader->key);
    if (depth == 0) {
        reader->is_key = true;
    } else if (depth == 1 && c == '[' && yk_str_is(key, "items")) {
        reader->place = YK_LIST_BODY;
    } else if ((depth == 1 && c == '{' && yk_str_is(key, "metadata")) ||
               (depth == 2 && reader->place == YK_LIST_BODY)) {
        reader->piece_depth = depth + 1;
    }
}

static void close_at(struct yk_list_reader *reader)
{
    if (reader->scan.depth == 1 && reader->place == YK_LIST_BODY)
        reader->place = YK_LIST_ENVELOPE;
    else if (reader->scan.depth == 0)
        reader->place = YK_LIST_TRAILER;
}

/* Reads one byte at depth 1, in the list object itself: stores keys, and the value of "kind". */
static void read_text(struct yk_list_reader *reader, char c, bool was_in_string)
{
    if (was_in_string) {
        if (reader->open_text != NULL && reader->scan.in_string)
            yk_buf_char(reader->open_text, c); /* a text above the maximum is cut and equals no known key */
        if (!reader->scan.in_string)
            reader->open_text = NULL;
    } else if (c == '"') {
        if (reader->is_key)
            reader->open_text = &reader->key;
        else if (yk_str_is(yk_buf_view(&reader->key), "kind"))
            reader->open_text = &reader->list_kind;
        if (reader->open_text != NULL)
            yk_buf_clear(reader->open_text);
        reader->is_key = false;
    } else if (c == ',') {
        reader->is_key = true;
    }
}

static enum yk_status check_place(const struct yk_list_reader *reader, char c, bool was_in_string,
                                  struct yk_err *err)
{
    bool fits = true;
    if (reader->place == YK_LIST_TRAILER)
        fits = yk_json_is_space(c);
    else if (reader->scan.depth == 0)
        fits = yk_json_is_space(c) || c == '{';
    else if (reader->place == YK_LIST_BODY && reader->scan.depth == 2 && !was_in_string)
        fits = yk_json_is_space(c) || c == '{' || c == ',' || c == ']';
    return fits ? YK_OK
                : yk_fail(err, YK_ERR_INVALID, "unexpected byte 0x%02x outside of an item", (unsigned char)c);
}

static enum yk_status outside_byte(struct yk_list_reader *reader, char c, struct yk_err *err)
{
    uint32_t depth = reader->scan.depth;
    bool was_in_string = reader->scan.in_string;
    enum yk_status st = check_place(reader, c, was_in_string, err);
    if (st != YK_OK)
        return st;
    yk_json_scan_byte(&reader->scan, c);
    if (reader->scan.depth > YK_JSON_NESTING_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "JSON is nested deeper than %d levels", YK_JSON_NESTING_MAX);
    if (reader->scan.depth > depth)
        open_at(reader, depth, c);
    else if (reader->scan.depth < depth)
        close_at(reader);
    else if (depth == 1)
        read_text(reader, c, was_in_string);
    return YK_OK;
}

/* The number of bytes up to the end of the piece; all bytes if it does not end. Also stops where the nesting
 * becomes too deep. */
static size_t scan_piece(struct yk_list_reader *reader, struct yk_str bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        yk_json_scan_byte(&reader->scan, bytes.p[i]);
        if (reader->scan.depth < reader->piece_depth || reader->scan.depth > YK_JSON_NESTING_MAX)
            return i + 1;
    }
    return bytes.len;
}

static enum yk_status take_piece(struct yk_list_reader *reader, struct yk_str *bytes, struct yk_err *err)
{
    struct yk_str part = {bytes->p, scan_piece(reader, *bytes)};
    yk_buf_str(&reader->piece, part);
    bytes->p += part.len;
    bytes->len -= part.len;
    if (reader->scan.depth > YK_JSON_NESTING_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "JSON is nested deeper than %d levels", YK_JSON_NESTING_MAX);
    if (reader->piece.failed)
        return yk_fail(err, YK_ERR_LIMIT, "an item is larger than %zu bytes", reader->piece.max);
    return reader->scan.depth < reader->piece_depth ? end_piece(reader, err) : YK_OK;
}

enum yk_status yk__list_feed_json(struct yk_list_reader *reader, struct yk_str bytes, struct yk_err *err)
{
    enum yk_status st = YK_OK;
    while (st == YK_OK && bytes.len > 0) {
        if (reader->piece_depth > 0) {
            st = take_piece(reader, &bytes, err);
            continue;
        }
        char c = bytes.p[0];
        st = outside_byte(reader, c, err);
        if (reader->piece_depth > 0)
            yk_buf_char(&reader->piece, c);
        bytes.p++;
        bytes.len--;
    }
    return st;
}
